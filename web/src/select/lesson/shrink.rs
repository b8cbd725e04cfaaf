//! A shrink in its five phases: what each step does, in words, and how the disk looks then.

use super::steps::{Here, Look, Looks, Part, View, counted};
use crate::protocol::{
    ClusterState, InodeMove, ItableMove, Placed, Relocation, ShrinkPhase, ShrinkStep, ShrinkSteps,
    StepsReport,
};
use crate::text::number;

/// The code, a line for each kind of step.
pub const CODE: &[&str] = &[
    "superblock = that of the new size",
    "for group past the end { drop(group) }",
    "must_move = what files have past the end",
    "place(metadata that cannot stay)",
    "free(descriptors needed no more)",
    "for run in must_move { copy(run, free) }",
    "for inode in all inodes {",
    "    if ino > last { ino = first free }",
    "    if blocks moved { write its map }",
    "}",
    "for dir in directories { renumber(entries) }",
    "for table that moved { copy(table) }",
    "for group in groups { count(free) }",
    "write(superblock); truncate",
];

/// The line of [`CODE`] that a step is of.
#[must_use]
pub const fn line(step: ShrinkStep) -> usize {
    match step {
        ShrinkStep::Phase(phase) => match phase {
            ShrinkPhase::Superblock => 0,
            ShrinkPhase::Blocks => 2,
            ShrinkPhase::Inodes => 6,
            ShrinkPhase::Entries => 10,
            ShrinkPhase::Tables => 11,
        },
        ShrinkStep::DropGroup(_) => 1,
        ShrinkStep::MustMove { .. } => 2,
        ShrinkStep::Place { .. } => 3,
        ShrinkStep::Free { .. } => 4,
        ShrinkStep::Copy(_) => 5,
        ShrinkStep::Inode(_) => 7,
        ShrinkStep::Remap { .. } | ShrinkStep::Node { .. } => 8,
        ShrinkStep::Entry { .. } => 10,
        ShrinkStep::Itable(_) => 11,
        ShrinkStep::Count { .. } => 12,
        ShrinkStep::Cut => 13,
    }
}

/// Whether a person who skips steps wants to stop here.
#[must_use]
pub const fn is_event(step: &ShrinkStep) -> bool {
    matches!(step, ShrinkStep::Phase(_) | ShrinkStep::Place { .. } | ShrinkStep::Cut)
}

/// A phase, in a few words.
const fn phase_name(phase: ShrinkPhase) -> (&'static str, &'static str) {
    match phase {
        ShrinkPhase::Superblock => {
            ("1. Superblock", "The new sizes; groups past the end are dropped.")
        }
        ShrinkPhase::Blocks => ("2. Blocks", "What lies past the end is copied to free blocks."),
        ShrinkPhase::Inodes => ("3. Inodes", "Inodes past the last one get numbers; maps follow."),
        ShrinkPhase::Entries => ("4. Directories", "Entries get the new inode numbers."),
        ShrinkPhase::Tables => ("5. Inode tables", "Tables that moved are copied; all is counted."),
    }
}

/// What is seen and said after so many steps.
pub(super) fn view(report: &StepsReport, told: &ShrinkSteps, step: usize) -> View {
    let state = told.after(step);
    let last = step.checked_sub(1).and_then(|at| told.steps.get(at)).copied();
    let clusters: Vec<Look> = state.clusters.iter().map(|state| look(*state)).collect();
    let inode = |(is_used, was): (&bool, &bool)| match (is_used, was) {
        (true, true) => Look::Used,
        (true, false) => Look::New,
        (false, true) => Look::Left,
        (false, false) => Look::Free,
    };
    let inodes: Vec<Look> = state.inodes.iter().zip(&told.before.inodes).map(inode).collect();
    let note = |group: usize| {
        let goes = group >= told.groups_after as usize;
        if goes { "goes".to_owned() } else { String::new() }
    };
    let sum = |steps: &[ShrinkStep]| {
        let copied = steps.iter().map(|step| match step {
            ShrinkStep::Copy(run) => run.len,
            _ => 0,
        });
        copied.sum::<u64>() * u64::from(report.blocks_per_cluster)
    };
    let so_far = told.steps.get(..step).unwrap_or(&told.steps);
    let count = |is: fn(&ShrinkStep) -> bool| {
        let (so_far, _) = counted(&told.steps, step, is);
        number::count(so_far as u64)
    };
    let phase = so_far.iter().rev().find_map(|step| match step {
        ShrinkStep::Phase(phase) => Some(phase_name(*phase).0),
        _ => None,
    });
    let view = View {
        title: phase.unwrap_or("Before it begins"),
        said: said(last, report, told),
        line: last.map(line),
        figures: vec![
            (number::count(sum(so_far)), "blocks copied"),
            (count(|step| matches!(step, ShrinkStep::Inode(_))), "inodes renumbered"),
            (count(|step| matches!(step, ShrinkStep::Entry { .. })), "entries rewritten"),
        ],
        parts: parts(told, step),
        ..View::default()
    };
    let here = last.map(|step| here(step, told)).unwrap_or_default();
    view.draw(report, &Looks { clusters: &clusters, inodes: &inodes, here, note: &note })
}

const fn look(state: ClusterState) -> Look {
    match state {
        ClusterState::Free => Look::Free,
        ClusterState::Metadata => Look::Metadata,
        ClusterState::Used => Look::Used,
        ClusterState::MustMove => Look::Bad,
        ClusterState::Copied => Look::New,
        ClusterState::Left => Look::Left,
    }
}

fn here(step: ShrinkStep, told: &ShrinkSteps) -> Here {
    let run = |first: u64, len: u64| Here { clusters: first..first + len, ..Here::default() };
    match step {
        ShrinkStep::DropGroup(group) | ShrinkStep::Count { group, .. } => {
            Here { group: Some(group.get()), ..Here::default() }
        }
        ShrinkStep::MustMove { first, len }
        | ShrinkStep::Place { first, len, .. }
        | ShrinkStep::Free { first, len } => run(first, len),
        ShrinkStep::Copy(Relocation { to, len, .. }) => run(to, len),
        ShrinkStep::Node { cluster } => run(cluster, 1),
        ShrinkStep::Inode(InodeMove { to, .. }) | ShrinkStep::Entry { to, .. } => {
            Here { ino: Some(to.get()), ..Here::default() }
        }
        ShrinkStep::Remap { ino } => Here { ino: Some(ino.get()), ..Here::default() },
        ShrinkStep::Itable(ItableMove { to, .. }) => {
            let ratio = told.blocks_per_cluster.max(1);
            run(to / ratio, told.itable_blocks.div_ceil(ratio))
        }
        ShrinkStep::Phase(_) | ShrinkStep::Cut => Here::default(),
    }
}

/// The phases, and how far each is.
fn parts(told: &ShrinkSteps, step: usize) -> Vec<Part> {
    let is_phase = |step: &ShrinkStep| matches!(step, ShrinkStep::Phase(_));
    let starts = told.steps.iter().enumerate().filter(|(_, step)| is_phase(step));
    let mut starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    starts.push(told.steps.len());
    let part = |(phase, bounds): (ShrinkPhase, &[usize])| {
        let (start, end) = (bounds.first().copied(), bounds.last().copied());
        let (start, end) = (start.unwrap_or(0), end.unwrap_or(0));
        let all = end.saturating_sub(start + 1);
        let done = step.saturating_sub(start + 1).min(all);
        let (name, about) = phase_name(phase);
        let done = match all {
            0 => "nothing to do".to_owned(),
            _ => format!("{} of {}", number::count(done as u64), number::count(all as u64)),
        };
        Part { name, about, done, is_here: start < step && step <= end }
    };
    ShrinkPhase::ALL.into_iter().zip(starts.windows(2)).map(part).collect()
}

/// What a step does, in a sentence or two.
fn said(step: Option<ShrinkStep>, report: &StepsReport, told: &ShrinkSteps) -> String {
    let ratio = u64::from(report.blocks_per_cluster);
    let blocks = |first: u64, len: u64| {
        let last = (first + len).max(1) * ratio - 1;
        if len * ratio == 1 {
            format!("block {}", number::count(first))
        } else {
            format!("blocks {}", number::range(first * ratio, last))
        }
    };
    let Some(step) = step else {
        return format!(
            "Of {}, the first {} are to be kept. Nothing is done yet.",
            number::count_of(told.before.clusters.len() as u64 * ratio, "block", "blocks"),
            number::count(told.clusters_after * ratio)
        );
    };
    match step {
        ShrinkStep::Phase(phase) => {
            let (name, about) = phase_name(phase);
            format!("Phase {name}. {about}")
        }
        ShrinkStep::DropGroup(group) => format!(
            "Group {group} lies past the end. Its descriptor goes; its bitmaps and its inode table are given up."
        ),
        ShrinkStep::MustMove { first, len } => {
            format!("Files have {}: they must move.", blocks(first, len))
        }
        ShrinkStep::Place { group, placed, first, len } => format!(
            "{} of group {group} gets {}.",
            match placed {
                Placed::BlockBitmap => "The block bitmap",
                Placed::InodeBitmap => "The inode bitmap",
                Placed::Itable => "The inode table",
                Placed::Backup => "A backup of superblock and descriptors",
            },
            blocks(first, len)
        ),
        ShrinkStep::Free { first, len } => {
            format!("Fewer descriptors are needed: {} are free.", blocks(first, len))
        }
        ShrinkStep::Copy(Relocation { from, to, len }) => format!(
            "{} are copied to {}, the first that are free. The inode does not know yet.",
            capital(&blocks(from, len)),
            blocks(to, len)
        ),
        ShrinkStep::Inode(InodeMove { from, to }) => format!(
            "Inode {from} lies past the last one, {}. It is copied to {to}, the first free number. Directories still name {from}.",
            number::count(told.inodes_after.into())
        ),
        ShrinkStep::Remap { ino } => {
            format!("The map of inode {ino} is written anew: its blocks are where they were copied to.")
        }
        ShrinkStep::Node { cluster } => format!(
            "An extent was torn into more pieces than its node has room for: {} becomes a new node.",
            blocks(cluster, 1)
        ),
        ShrinkStep::Entry { dir, from, to } => {
            format!("In directory {dir}, an entry that named inode {from} names {to}.")
        }
        ShrinkStep::Itable(ItableMove { group, from, to }) => format!(
            "The inode table of group {group} is copied from block {} to block {}.",
            number::count(from),
            number::count(to)
        ),
        ShrinkStep::Count { group, free_clusters, free_inodes } => format!(
            "Group {group} has {} and {}. The bitmaps were tested bit by bit for that until 2012.",
            number::count_of(u64::from(free_clusters), "free cluster", "free clusters"),
            number::count_of(u64::from(free_inodes), "free inode", "free inodes")
        ),
        ShrinkStep::Cut => "The superblock with the new size is written, and the file is cut. What lay past the end is no longer \
             the filesystem's."
            .to_owned(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A question, and its answer from these very steps.
#[must_use]
pub fn question(told: &ShrinkSteps) -> (String, String) {
    let count =
        |is: fn(&ShrinkStep) -> bool| told.steps.iter().filter(|step| is(step)).count() as u64;
    let inodes = count(|step| matches!(step, ShrinkStep::Inode(_)));
    let entries = count(|step| matches!(step, ShrinkStep::Entry { .. }));
    let ask = format!(
        "Predict: {} another number. How many directory entries must be rewritten, at least?",
        number::count_of(inodes, "inode gets", "inodes get")
    );
    let answer = format!(
        "{}: each has a name, and a directory names itself and is named by its children, too.",
        number::count(entries)
    );
    (ask, answer)
}

#[cfg(test)]
mod tests {
    use super::super::steps::{len, view};
    use super::*;
    use crate::protocol::testing::shrink_steps;

    #[test]
    fn every_step_of_a_shrink_is_told_and_all_phases_are_gone_through() {
        let report = shrink_steps();
        let mut titles = Vec::new();
        for step in 0..=len(&report) {
            let view = view(&report, step);
            assert!(!view.said.is_empty());
            assert!(view.line.is_none_or(|line| line < CODE.len()));
            assert_eq!((view.rows.len(), view.parts.len()), (4, 5));
            titles.push(view.title);
        }
        titles.dedup();
        assert_eq!(titles.len(), 6, "{titles:?}");
        let end = view(&report, len(&report));
        let free = |row: usize| end.rows[row].clusters.pieces.is_empty();
        assert_eq!([0, 1, 2, 3].map(free), [false, false, true, true], "what goes is empty");
        assert!(end.figures.iter().all(|(figure, _)| figure != "0"));
    }
}
