//! The passes of a check: what each leaves for the next, in words and as maps.

use super::steps::{Here, Look, Looks, MapRow, Part, View, counted};
use crate::protocol::{BitmapKind, CheckStep, CheckSteps, ClusterUse, InodeUse, Pass, StepsReport};
use crate::text::number;

/// The code, a line for each kind of step.
pub const CODE: &[&str] = &[
    "block_found = metadata of all groups",
    "for inode in all inodes {",
    "    inode_used += inode; links = its count",
    "    inode_dir or inode_reg += inode",
    "    block_found += its blocks",
    "    block_dup += those found before",
    "}",
    "for entry in directories { refs += 1 }",
    "for dir in inode_dir { up to the root }",
    "for inode in inode_used { links == refs? }",
    "for group in groups { bitmap == block_found? }",
    "for group in groups { bitmap == inode_used? }",
];

/// The line of [`CODE`] that a step is of.
#[must_use]
pub const fn line(step: CheckStep) -> Option<usize> {
    Some(match step {
        CheckStep::Metadata { .. } | CheckStep::Pass(Pass::One) => 0,
        CheckStep::Inode { .. } => 2,
        CheckStep::Kind { .. } => 3,
        CheckStep::Found { .. } => 4,
        CheckStep::Shared { .. } => 5,
        CheckStep::Entry { .. } | CheckStep::Pass(Pass::Two) => 7,
        CheckStep::Up { .. } | CheckStep::Pass(Pass::Three) => 8,
        CheckStep::Links { .. } | CheckStep::Pass(Pass::Four) => 9,
        CheckStep::Compare { kind: BitmapKind::Block, .. } | CheckStep::Pass(Pass::Five) => 10,
        CheckStep::Compare { kind: BitmapKind::Inode, .. } => 11,
        CheckStep::Problem(_) | CheckStep::Pass(_) => return None,
    })
}

/// Whether a person who skips steps wants to stop here.
#[must_use]
pub fn is_event(step: &CheckStep) -> bool {
    match step {
        CheckStep::Pass(_) | CheckStep::Shared { .. } | CheckStep::Problem(_) => true,
        CheckStep::Compare { differing, .. } => *differing > 0,
        CheckStep::Links { links, counted, .. } => links != counted,
        _ => false,
    }
}

/// A pass, in a few words.
const fn pass_name(pass: Pass) -> (&'static str, &'static str) {
    match pass {
        Pass::Zero => ("Before", "Superblock, journal and descriptors."),
        Pass::One => ("Pass 1", "Every inode and its blocks: makes the maps."),
        Pass::OneB | Pass::OneC | Pass::OneD => {
            ("Pass 1B", "Who has the blocks that several have.")
        }
        Pass::OneE => ("Pass 1E", "Extent trees that could be smaller."),
        Pass::Two => ("Pass 2", "Directory entries: who is named, and where."),
        Pass::Three | Pass::ThreeA => ("Pass 3", "Whether every directory leads up to the root."),
        Pass::Four => ("Pass 4", "References against link counts."),
        Pass::Five => ("Pass 5", "The bitmaps on the disk against the maps."),
        Pass::End => ("After", "What is left to be said."),
    }
}

/// What is seen and said after so many steps.
pub(super) fn view(report: &StepsReport, told: &CheckSteps, step: usize) -> View {
    let maps = told.after(step);
    let last = step.checked_sub(1).and_then(|at| told.steps.get(at)).copied();
    let cluster = |is: &ClusterUse| match is {
        ClusterUse::Unknown => Look::Free,
        ClusterUse::Metadata => Look::Metadata,
        ClusterUse::Found => Look::Used,
        ClusterUse::Shared => Look::Bad,
    };
    let clusters: Vec<Look> = maps.clusters.iter().map(cluster).collect();
    let is_after = |pass: Pass| maps.pass.is_some_and(|at| at > pass);
    let inodes: Vec<Look> = maps
        .inodes
        .iter()
        .map(|inode| match inode.is {
            InodeUse::Free => Look::Free,
            InodeUse::Dir if inode.is_reached => Look::New,
            InodeUse::Dir => Look::Dir,
            _ if is_after(Pass::Three) && inode.is_counted && inode.refs != inode.links => {
                Look::Bad
            }
            _ if inode.is_counted => Look::New,
            InodeUse::Used | InodeUse::Reg => Look::Used,
        })
        .collect();
    let note = |group: usize| match maps.groups.get(group) {
        Some([None, None]) | None => String::new(),
        Some(differing) => match differing.iter().flatten().sum() {
            0_u64 => "equal".to_owned(),
            bits => number::count_of(bits, "bit differs", "bits differ"),
        },
    };
    let count = |is: InodeUse| maps.inodes.iter().filter(|inode| inode.is == is).count() as u64;
    let used = maps.inodes.iter().filter(|inode| inode.is != InodeUse::Free).count() as u64;
    let of_clusters = |is: &dyn Fn(ClusterUse) -> bool| {
        maps.clusters.iter().filter(|cluster| is(**cluster)).count() as u64
    };
    let found = of_clusters(&|cluster| cluster != ClusterUse::Unknown);
    let shared = of_clusters(&|cluster| cluster == ClusterUse::Shared);
    let refs: u64 = maps.inodes.iter().map(|inode| u64::from(inode.refs)).sum();
    let links: u64 = maps.inodes.iter().map(|inode| u64::from(inode.links)).sum();
    let parents = maps.inodes.iter().filter(|inode| inode.parent != 0).count() as u64;
    let row =
        |name, made, used, holds: u64| MapRow { name, made, used, holds: number::count(holds) };
    let view = View {
        title: maps.pass.map_or("Before it begins", |pass| pass_name(pass).0),
        said: said(last, report, told),
        line: last.and_then(line),
        figures: vec![
            (number::count(used), "inodes found"),
            (number::count(found), "clusters found"),
            (number::count(maps.problems), "problems"),
        ],
        parts: parts(told, step),
        maps: vec![
            row("inode_used", "1", "2, 4, 5", used),
            row("inode_dir", "1", "2, 3, 4, 5", count(InodeUse::Dir)),
            row("inode_reg", "1", "2", count(InodeUse::Reg)),
            row("block_found", "1", "5", found),
            row("block_dup", "1", "1B", shared),
            row("links", "1", "4", links),
            row("parents", "2", "3", parents),
            row("refs", "2", "4", refs),
        ],
        ..View::default()
    };
    let here = last.map(here).unwrap_or_default();
    view.draw(report, &Looks { clusters: &clusters, inodes: &inodes, here, note: &note })
}

fn here(step: CheckStep) -> Here {
    match step {
        CheckStep::Metadata { first, len, .. } => {
            Here { clusters: first..first + len, ..Here::default() }
        }
        CheckStep::Found { ino, first, len } | CheckStep::Shared { ino, first, len } => {
            Here { clusters: first..first + len, ino: Some(ino.get()), group: None }
        }
        CheckStep::Inode { ino, .. }
        | CheckStep::Kind { ino, .. }
        | CheckStep::Entry { ino, .. }
        | CheckStep::Up { ino, .. }
        | CheckStep::Links { ino, .. } => Here { ino: Some(ino.get()), ..Here::default() },
        CheckStep::Compare { group, .. } => Here { group: Some(group.get()), ..Here::default() },
        CheckStep::Pass(_) | CheckStep::Problem(_) => Here::default(),
    }
}

/// The passes that there are, and how far each is.
fn parts(told: &CheckSteps, step: usize) -> Vec<Part> {
    let passes = told.steps.iter().enumerate().filter_map(|(at, step)| match step {
        CheckStep::Pass(pass) => Some((at, *pass)),
        _ => None,
    });
    let passes: Vec<(usize, Pass)> = passes.collect();
    let ends = passes.iter().skip(1).map(|(at, _)| *at).chain([told.steps.len()]);
    let part = |(&(start, pass), end): (&(usize, Pass), usize)| {
        let all = end.saturating_sub(start + 1);
        let done = step.saturating_sub(start + 1).min(all);
        let (name, about) = pass_name(pass);
        let done = format!("{} of {}", number::count(done as u64), number::count(all as u64));
        Part { name, about, done, is_here: start < step && step <= end }
    };
    // What comes before the passes, and after them, leaves nothing where all is well.
    let is_told = |part: &Part| part.name.starts_with("Pass") || part.done != "0 of 0";
    passes.iter().zip(ends).map(part).filter(is_told).collect()
}

/// What a step does, in a sentence or two.
fn said(step: Option<CheckStep>, report: &StepsReport, told: &CheckSteps) -> String {
    let ratio = u64::from(report.blocks_per_cluster);
    let blocks = |first: u64, len: u64| {
        let block = |cluster: u64| report.first_block + cluster * ratio;
        let last = block(first + len).max(1) - 1;
        number::range(block(first), last)
    };
    let Some(step) = step else {
        return format!(
            "{} and {}. No map is made yet.",
            number::count_of(told.groups.into(), "group", "groups"),
            number::count_of(told.inodes.into(), "inode", "inodes")
        );
    };
    match step {
        CheckStep::Pass(pass) => {
            let (name, about) = pass_name(pass);
            format!("{name}. {about}")
        }
        CheckStep::Metadata { group, first, len } => {
            format!("Metadata of group {group} has blocks {}: nobody else may.", blocks(first, len))
        }
        CheckStep::Inode { ino, links } => format!(
            "Inode {ino} is in use, and counts {}. Pass 4 will want to know.",
            number::count_of(links.into(), "link", "links")
        ),
        CheckStep::Kind { ino, kind: InodeUse::Dir } => {
            format!(
                "Inode {ino} is a directory: pass 2 will read its blocks, pass 3 look for the way up."
            )
        }
        CheckStep::Kind { ino, .. } => format!("Inode {ino} is a regular file."),
        CheckStep::Found { ino, first, len } => {
            format!("Inode {ino} has blocks {}.", blocks(first, len))
        }
        CheckStep::Shared { ino, first, len } => format!(
            "Of these, {} were found before inode {ino} came: pass 1B will look for who has them.",
            blocks(first, len)
        ),
        CheckStep::Entry { dir, ino, is_parent: true } => {
            format!(
                "Directory {dir} names directory {ino}, and is its parent: pass 3 goes by that."
            )
        }
        CheckStep::Entry { dir, ino, .. } if dir == ino => {
            format!("Directory {dir} names itself: a reference, too.")
        }
        CheckStep::Entry { dir, ino, .. } => {
            format!("Directory {dir} names inode {ino}: one reference more.")
        }
        CheckStep::Up { ino, parent: 0 } => {
            format!("No directory names directory {ino}: it is not connected.")
        }
        CheckStep::Up { ino, parent } => {
            format!(
                "From directory {ino} it goes up to {parent}. Where the way up is known, nothing is gone again."
            )
        }
        CheckStep::Links { ino, links, counted } if links == counted => format!(
            "Inode {ino} counts {}, and pass 2 found as many references.",
            number::count_of(links.into(), "link", "links")
        ),
        CheckStep::Links { ino, links, counted } => format!(
            "Inode {ino} counts {}, and pass 2 found {}.",
            number::count_of(links.into(), "link", "links"),
            number::count_of(counted.into(), "reference", "references")
        ),
        CheckStep::Compare { kind, group, differing } => format!(
            "The {} bitmap of group {group} is compared with {}: {}.",
            match kind {
                BitmapKind::Block => "block",
                BitmapKind::Inode => "inode",
            },
            match kind {
                BitmapKind::Block => "block_found",
                BitmapKind::Inode => "inode_used",
            },
            match differing {
                0 => "equal".to_owned(),
                bits => number::count_of(bits, "bit differs", "bits differ"),
            }
        ),
        CheckStep::Problem(code) => format!("A problem is told: {}.", code.name()),
    }
}

/// A question, and its answer from these very steps.
#[must_use]
pub fn question(told: &CheckSteps) -> (String, String) {
    let maps = told.after(told.steps.len());
    let root = maps.inodes.get(2).map_or(0, |inode| inode.refs);
    let dirs = maps.inodes.iter().filter(|inode| inode.parent == 2).count() as u64;
    let (found, all) = counted(&told.steps, 0, |step| matches!(step, CheckStep::Entry { .. }));
    let ask = format!(
        "Predict: the root has {}. How many references will pass 2 count for inode 2?",
        number::count_of(dirs, "directory in it", "directories in it")
    );
    let answer = format!(
        "{}: its own two dots, and the dot-dot entry of each directory in it. Of {} references in all.",
        number::count(root.into()),
        number::count((found + all) as u64)
    );
    (ask, answer)
}

#[cfg(test)]
mod tests {
    use super::super::steps::{len, next_event, view};
    use super::*;
    use crate::protocol::testing::check_steps;

    #[test]
    fn every_step_of_a_check_is_told_and_each_map_is_made_before_it_is_read() {
        let report = check_steps(&[]);
        let mut step = 0;
        let mut titles = Vec::new();
        while step < len(&report) {
            step = (step + 7).min(len(&report));
            let view = view(&report, step);
            assert!(!view.said.is_empty());
            assert!(view.line.is_none_or(|line| line < CODE.len()));
            titles.push(view.title);
            let of = |name: &str| view.maps.iter().find(|row| row.name == name).expect("a map");
            assert!(view.title != "Pass 1" || of("refs").holds == "0", "{step}");
        }
        titles.dedup();
        assert_eq!(titles.iter().filter(|title| title.starts_with("Pass")).count(), 5);
        let end = view(&report, len(&report));
        let holds = |name: &str| end.maps.iter().find(|row| row.name == name).map(|row| &row.holds);
        assert_eq!(holds("links"), holds("refs"), "nothing is wrong");
        assert!(end.rows.iter().all(|row| row.note == "equal"));
    }

    #[test]
    fn a_bit_turned_round_is_met_in_the_last_pass_and_no_other() {
        let report = check_steps(&[300]);
        let mut step = 0;
        let mut met = Vec::new();
        while step < len(&report) {
            step = next_event(&report, step);
            let view = view(&report, step);
            if view.said.ends_with("differs.") {
                met.push(view.title);
            }
        }
        assert_eq!(met, ["Pass 5"]);
    }
}
