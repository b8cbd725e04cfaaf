//! The problems of a check as rows: passes, codes, places.

use std::collections::HashMap;

use crate::protocol::{Code, CodeCount, Pass, Problem, Reach, Severity};
use crate::state::{Check, Found, ProblemId};
use crate::text::number;

/// Places up to which a code shows them without being asked.
const FEW: usize = 8;

/// Which problems are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProblemFilter {
    /// Of what weight.
    pub weight: Weight,
    /// Of one pass alone.
    pub pass: Option<Pass>,
    /// What was typed: a part of a title or a code, or a number of an inode, a group, a block.
    pub search: String,
}

/// Of what weight problems are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weight {
    /// Of any.
    #[default]
    All,
    /// The filesystem is not clean because of them.
    Damage,
    /// It counts as clean all the same.
    Minor,
}

impl Weight {
    /// The weights, in the order they are shown.
    pub const ALL: [Self; 3] = [Self::All, Self::Damage, Self::Minor];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "All problems",
            Self::Damage => "Make it unclean",
            Self::Minor => "Of little weight",
        }
    }

    /// Whether problems of a code are of this weight.
    #[must_use]
    pub fn holds(self, count: &CodeCount) -> bool {
        match self {
            Self::All => true,
            Self::Damage => count.severity >= Severity::Damage,
            Self::Minor => count.severity < Severity::Damage,
        }
    }
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemRow {
    /// A pass, and how many problems of it are shown.
    Pass(Pass, u64),
    /// A code, by its place among those found, and whether its places follow.
    Code(usize, bool),
    /// A place.
    Place(ProblemId),
    /// So many more places of the code before are not kept.
    More(u64),
}

/// Whether a code stands for problems, and not for the head or the foot of a list of them.
#[must_use]
pub fn is_problem(count: &CodeCount) -> bool {
    count.code.row().reach != Reach::List
}

/// How many problems a check found that a filter shows.
#[must_use]
pub fn shown_count(check: &Check, shows: impl Fn(&CodeCount) -> bool) -> u64 {
    let counts = check.found.iter().map(|found| &found.count).filter(|count| is_problem(count));
    counts.filter(|count| shows(count)).map(|count| count.count).fold(0, u64::saturating_add)
}

/// The rows that a filter shows, in the order of the passes. `toggled` are the codes that were
/// opened or closed by hand.
#[must_use]
pub fn problem_rows(
    check: &Check,
    filter: &ProblemFilter,
    toggled: &HashMap<Code, bool>,
) -> Vec<ProblemRow> {
    let search = Search::new(&filter.search);
    let mut rows = Vec::new();
    let mut head = None;
    for (at, found) in check.found.iter().enumerate() {
        let count = &found.count;
        let is_out = filter.pass.is_some_and(|pass| pass != count.pass);
        if is_out || !filter.weight.holds(count) || !is_problem(count) {
            continue;
        }
        let matches: Vec<u32> = search.matches(found);
        if matches.is_empty() && !search.names(count) {
            continue;
        }
        let pass_at = match head {
            Some((pass, pass_at)) if pass == count.pass => pass_at,
            _ => {
                rows.push(ProblemRow::Pass(count.pass, 0));
                head = Some((count.pass, rows.len() - 1));
                rows.len() - 1
            }
        };
        let is_whole = matches.len() == found.problems.len();
        let shown = if is_whole { count.count } else { matches.len() as u64 };
        if let Some(ProblemRow::Pass(_, sum)) = rows.get_mut(pass_at) {
            *sum = sum.saturating_add(shown);
        }
        let is_open =
            toggled.get(&count.code).copied().unwrap_or(matches.len() <= FEW || !is_whole);
        rows.push(ProblemRow::Code(at, is_open));
        if is_open {
            let place = |at| ProblemRow::Place(ProblemId { code: count.code, at });
            rows.extend(matches.into_iter().map(place));
            let more = count.count.saturating_sub(found.problems.len() as u64);
            if is_whole && more > 0 {
                rows.push(ProblemRow::More(more));
            }
        }
    }
    rows
}

/// What is looked for.
struct Search {
    words: String,
    number: Option<u64>,
}

impl Search {
    fn new(typed: &str) -> Self {
        let words = typed.trim().to_lowercase();
        Self { number: number::parse(&words).filter(|_| !words.is_empty()), words }
    }

    /// Whether a code is meant with all its places.
    fn names(&self, count: &CodeCount) -> bool {
        self.number.is_none()
            && (count.title.to_lowercase().contains(&self.words)
                || count.code.name().to_lowercase().contains(&self.words))
    }

    /// The places of a code that are meant.
    fn matches(&self, found: &Found) -> Vec<u32> {
        let all = self.names(&found.count);
        let places = (0_u32..).zip(&*found.problems);
        places.filter(|(_, problem)| all || self.is_at(problem)).map(|(at, _)| at).collect()
    }

    fn is_at(&self, problem: &Problem) -> bool {
        let Some(number) = self.number else {
            let name = problem.name.as_ref();
            return name.is_some_and(|name| name.to_lowercase().contains(&self.words));
        };
        let inodes = [problem.ino, problem.dir].into_iter().flatten();
        let is_inode = inodes.into_iter().any(|ino| u64::from(ino.get()) == number);
        let is_group = problem.group.is_some_and(|group| u64::from(group.get()) == number);
        let is_block = problem.block.is_some_and(|block| {
            let last = block.get().saturating_add(problem.count.unwrap_or(1).saturating_sub(1));
            (block.get()..=last).contains(&number)
        });
        is_inode || is_group || is_block
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::testing::check;

    fn rows(filter: &ProblemFilter) -> Vec<ProblemRow> {
        problem_rows(&check(), filter, &HashMap::new())
    }

    fn code(name: &str) -> Code {
        Code::from_name(name).expect("a code")
    }

    #[test]
    fn few_places_follow_their_code_and_many_wait_to_be_asked_for() {
        let rows = rows(&ProblemFilter::default());
        let counts = code("PR_4_BAD_REF_COUNT");
        let due = [
            ProblemRow::Pass(Pass::Four, 2),
            ProblemRow::Code(0, true),
            ProblemRow::Place(ProblemId { code: counts, at: 0 }),
            ProblemRow::Place(ProblemId { code: counts, at: 1 }),
            ProblemRow::Pass(Pass::Five, 5000),
            ProblemRow::Code(2, false),
        ];
        assert_eq!(rows, due);
    }

    #[test]
    fn a_code_that_is_opened_says_how_many_places_are_not_kept() {
        let toggled = HashMap::from([(code("PR_5_BLOCK_UNUSED"), true)]);
        let rows = problem_rows(&check(), &ProblemFilter::default(), &toggled);
        assert_eq!(rows.len(), 6 + 1000 + 1);
        assert_eq!(rows.last(), Some(&ProblemRow::More(4000)));
    }

    #[test]
    fn a_number_finds_what_lies_there_and_words_find_codes() {
        let search = |typed: &str| ProblemFilter { search: typed.into(), ..Default::default() };
        let found = rows(&search("12"));
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0], ProblemRow::Pass(Pass::Four, 1));
        assert_eq!(
            rows(&search("2,007"))[2],
            ProblemRow::Place(ProblemId { code: code("PR_5_BLOCK_UNUSED"), at: 7 })
        );
        assert_eq!(rows(&search("link count")).len(), 4);
        assert_eq!(rows(&search("no such words")), []);
    }

    #[test]
    fn weights_part_what_makes_unclean_from_the_rest() {
        let all = shown_count(&check(), |_| true);
        let [damage, minor] = [Weight::Damage, Weight::Minor]
            .map(|weight| shown_count(&check(), |it| weight.holds(it)));
        assert_eq!((all, damage + minor), (5002, 5002));
        let minor = ProblemFilter { weight: Weight::Minor, ..Default::default() };
        assert_eq!(rows(&minor), []);
    }
}
