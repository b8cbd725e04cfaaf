//! Who has the blocks that a problem is about.

use core::ops::RangeInclusive;

use extscope::units::Ino;

use crate::protocol::{Pass, Problem};
use crate::state::Check;

/// Blocks, and who has them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claimant {
    /// The blocks.
    pub blocks: RangeBlocks,
    /// The inode; `None` for the filesystem's own metadata.
    pub ino: Option<Ino>,
}

/// The first and the last block.
pub type RangeBlocks = (u64, u64);

/// Who has the blocks of a problem: those that share them, or those whose blocks are marked free;
/// none where the problem is about neither, or that is not known.
#[must_use]
pub fn claimants(problem: &Problem, check: &Check) -> Vec<Claimant> {
    let mut found = match problem.pass {
        Pass::Five => marked_free(problem, check),
        Pass::OneB | Pass::OneD => shared(problem, check),
        _ => Vec::new(),
    };
    found.sort();
    found.dedup();
    found
}

/// Those who have blocks that are free in the bitmap.
fn marked_free(problem: &Problem, check: &Check) -> Vec<Claimant> {
    let Some(outcome) = check.outcome() else { return Vec::new() };
    let claims = problem.claimants(&outcome.claims);
    let last = |first: u64, count: u64| first.saturating_add(count.saturating_sub(1));
    let claimant = |first: u64, count, ino| Claimant { blocks: (first, last(first, count)), ino };
    claims.map(|claim| claimant(claim.block.get(), claim.count, claim.ino)).collect()
}

/// Those who share the blocks of a problem, or those of its inode where it names none.
fn shared(problem: &Problem, check: &Check) -> Vec<Claimant> {
    let of_inode = |it: &&Claimant| problem.ino.is_some() && it.ino == problem.ino;
    let all: Vec<Claimant> = all_shared(check).collect();
    let own: Vec<RangeInclusive<u64>> = match blocks(problem) {
        Some(blocks) => vec![blocks],
        None => all.iter().filter(of_inode).map(|it| it.blocks.0..=it.blocks.1).collect(),
    };
    let mut found = Vec::new();
    for Claimant { blocks: (first, last), ino } in all {
        for own in &own {
            let both = (first.max(*own.start()), last.min(*own.end()));
            if both.0 <= both.1 {
                found.push(Claimant { blocks: both, ino });
            }
        }
    }
    found
}

/// All blocks that pass 1B found shared, by who has them.
fn all_shared(check: &Check) -> impl Iterator<Item = Claimant> {
    let found = check.found.iter().filter(|found| found.count.pass == Pass::OneB);
    found.flat_map(|found| found.problems.iter()).filter_map(|problem| {
        let blocks = blocks(problem)?;
        Some(Claimant { blocks: (*blocks.start(), *blocks.end()), ino: problem.ino })
    })
}

fn blocks(problem: &Problem) -> Option<RangeInclusive<u64>> {
    let first = problem.block?.get();
    Some(first..=first.saturating_add(problem.count.unwrap_or(1).saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{CheckMode, CheckPart};
    use crate::state::testing::{check_part, counted, problem, taken};

    fn range(name: &str, ino: u32, first: u64, count: u64) -> Problem {
        Problem { count: Some(count), ..problem(name, Some(ino), Some(first)) }
    }

    #[test]
    fn who_shares_a_block_is_whoever_has_it_in_pass_1b() {
        let check = taken(
            CheckMode::Thorough,
            CheckPart {
                problems: vec![
                    range("PR_1B_DUP_RANGE", 12, 100, 10),
                    range("PR_1B_DUP_RANGE", 13, 100, 4),
                    range("PR_1B_DUP_RANGE", 14, 106, 20),
                    range("PR_1B_DUP_RANGE", 15, 400, 2),
                ],
                counts: vec![counted("PR_1B_DUP_RANGE", 4)],
                ..check_part()
            },
        );
        let told = |problem: &Problem| -> Vec<_> {
            let all = claimants(problem, &check).into_iter();
            all.map(|it| (it.ino.map_or(0, Ino::get), it.blocks)).collect()
        };
        let first = range("PR_1B_DUP_RANGE", 13, 100, 4);
        assert_eq!(told(&first), [(12, (100, 103)), (13, (100, 103))]);
        let file = problem("PR_1D_DUP_FILE", Some(14), None);
        assert_eq!(told(&file), [(12, (106, 109)), (14, (106, 125))]);
        assert_eq!(told(&problem("PR_4_BAD_REF_COUNT", Some(12), None)), []);
    }
}
