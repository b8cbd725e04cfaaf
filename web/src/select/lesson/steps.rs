//! What is told step by step: the disk as rows of groups, the clusters around the step at hand, and
//! what has been done so far.

use core::ops::Range;

use super::{passes, shrink};
use crate::protocol::{StepsReport, Told};

/// Parts of a row that can be told apart.
const BINS: u64 = 480;

/// Most groups that have a row at once.
const ROWS: usize = 12;

/// Clusters that are shown one by one.
const NEAR: u64 = 256;

/// Clusters of a row of those.
const NEAR_ROW: u64 = 32;

/// What a cluster or an inode looks like: the larger hides the smaller where a part of a row is of
/// several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// Nobody's, or not known yet.
    #[default]
    Free,
    /// Given up.
    Left,
    /// A file's.
    Used,
    /// The filesystem's own.
    Metadata,
    /// A directory.
    Dir,
    /// New here.
    New,
    /// Must go, or is several's.
    Bad,
}

impl Look {
    /// Its class.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Free => "course__free",
            Self::Left => "course__left",
            Self::Used => "course__used",
            Self::Metadata => "course__metadata",
            Self::Dir => "course__dir",
            Self::New => "course__new",
            Self::Bad => "course__bad",
        }
    }
}

/// A part of a row, in parts of `BINS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins.
    pub at: u64,
    /// How wide it is.
    pub width: u64,
    /// How it looks.
    pub look: Look,
}

/// A row of pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strip {
    /// The pieces; between them it is free.
    pub pieces: Vec<Piece>,
    /// How wide all of it is.
    pub width: u64,
    /// Where the step at hand is, and how wide.
    pub here: Option<(u64, u64)>,
}

/// A group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRow {
    /// Its number.
    pub group: usize,
    /// Its clusters.
    pub clusters: Strip,
    /// Its inodes.
    pub inodes: Strip,
    /// What is to be said of it.
    pub note: String,
}

/// A cluster that is shown by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearCluster {
    /// How it looks.
    pub look: Look,
    /// Whether the step at hand is of it.
    pub is_here: bool,
}

/// Clusters around the step at hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Near {
    /// The first block, and the last.
    pub blocks: (u64, u64),
    /// The clusters.
    pub clusters: Vec<NearCluster>,
}

/// A phase or a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is called.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What it did so far, and what it does in all.
    pub done: String,
    /// Whether it is at work.
    pub is_here: bool,
}

/// A map that a pass makes for those after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapRow {
    /// Its name.
    pub name: &'static str,
    /// Which pass makes it.
    pub made: &'static str,
    /// Which passes use it.
    pub used: &'static str,
    /// What it holds so far.
    pub holds: String,
}

/// Where a step is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Here {
    /// Clusters.
    pub clusters: Range<u64>,
    /// An inode.
    pub ino: Option<u32>,
    /// A group, where the step is of one as a whole.
    pub group: Option<u32>,
}

/// What is seen and said after some steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// What is at work.
    pub title: &'static str,
    /// What the last step did.
    pub said: String,
    /// The line of the code that it is of.
    pub line: Option<usize>,
    /// Figures beside the title.
    pub figures: Vec<(String, &'static str)>,
    /// The groups that have a row.
    pub rows: Vec<GroupRow>,
    /// Clusters around the step.
    pub near: Near,
    /// The phases or passes.
    pub parts: Vec<Part>,
    /// The maps that passes make for each other.
    pub maps: Vec<MapRow>,
}

/// How all looks, for [`View::draw`].
pub(super) struct Looks<'a> {
    /// Each cluster.
    pub(super) clusters: &'a [Look],
    /// Each inode, by number.
    pub(super) inodes: &'a [Look],
    /// Where the step at hand is.
    pub(super) here: Here,
    /// What is to be said of a group.
    pub(super) note: &'a dyn Fn(usize) -> String,
}

/// The code that steps are of.
#[must_use]
pub const fn code(report: &StepsReport) -> &'static [&'static str] {
    match report.told {
        Told::Shrink(_) => shrink::CODE,
        Told::Check(_) => passes::CODE,
    }
}

/// A question, and its answer from these very steps.
#[must_use]
pub fn question(report: &StepsReport) -> (String, String) {
    match &report.told {
        Told::Shrink(told) => shrink::question(told),
        Told::Check(told) => passes::question(told),
    }
}

/// How many steps there are.
#[must_use]
pub fn len(report: &StepsReport) -> usize {
    match &report.told {
        Told::Shrink(told) => told.steps.len(),
        Told::Check(told) => told.steps.len(),
    }
}

/// How many steps lead to the end of the next one where a person who skips wants to stop.
#[must_use]
pub fn next_event(report: &StepsReport, step: usize) -> usize {
    fn next<T>(steps: &[T], step: usize, is_event: fn(&T) -> bool) -> usize {
        let later = steps.get(step..).unwrap_or_default();
        later.iter().position(is_event).map_or(steps.len(), |at| step + at + 1)
    }
    match &report.told {
        Told::Shrink(told) => next(&told.steps, step, shrink::is_event),
        Told::Check(told) => next(&told.steps, step, passes::is_event),
    }
}

/// What is seen and said after so many steps.
#[must_use]
pub fn view(report: &StepsReport, step: usize) -> View {
    match &report.told {
        Told::Shrink(told) => shrink::view(report, told, step),
        Told::Check(told) => passes::view(report, told, step),
    }
}

/// How many there are so far, and in all.
pub(super) fn counted<T>(steps: &[T], step: usize, is: impl Fn(&T) -> bool) -> (usize, usize) {
    let count = |steps: &[T]| steps.iter().filter(|it| is(it)).count();
    (count(steps.get(..step).unwrap_or(steps)), count(steps))
}

impl View {
    /// With the disk as it looks.
    pub(super) fn draw(self, report: &StepsReport, looks: &Looks<'_>) -> Self {
        let Here { clusters, ino, group } = &looks.here;
        let per_group = u64::from(report.inodes_per_group).max(1);
        let holds = |(first, end): &(u64, u64)| (*first..*end).contains(&clusters.start);
        let of_cluster = || report.groups.iter().position(holds).filter(|_| !clusters.is_empty());
        let of_ino = || ino.map(|ino| (u64::from(ino.saturating_sub(1)) / per_group) as usize);
        let at = group.map(|group| group as usize).or_else(of_cluster).or_else(of_ino);
        let last = report.groups.len().saturating_sub(ROWS);
        let first = at.unwrap_or(0).saturating_sub(ROWS / 2).min(last);
        let row = |(number, range): (usize, &(u64, u64))| {
            let is_whole = *group == Some(number as u32) && clusters.is_empty();
            let here = if is_whole { range.0..range.1 } else { clusters.clone() };
            let first_ino = number as u64 * per_group + 1;
            let ino = ino.map_or(0..0, |ino| u64::from(ino)..u64::from(ino) + 1);
            GroupRow {
                group: number,
                clusters: strip(looks.clusters, range.0..range.1, &here),
                inodes: strip(looks.inodes, first_ino..first_ino + per_group, &ino),
                note: (looks.note)(number),
            }
        };
        let rows = report.groups.iter().enumerate().skip(first).take(ROWS).map(row).collect();
        Self { rows, near: near(report, looks), ..self }
    }
}

/// A range of what looks somehow, in parts.
fn strip(looks: &[Look], range: Range<u64>, here: &Range<u64>) -> Strip {
    let all = range.end.saturating_sub(range.start);
    let width = all.clamp(1, BINS);
    let start =
        |bin: u64| range.start + (u128::from(all) * u128::from(bin) / u128::from(width)) as u64;
    let mut pieces: Vec<Piece> = Vec::new();
    for bin in 0..width {
        let part = start(bin) as usize..start(bin + 1) as usize;
        let part = looks.get(part.start..part.end.min(looks.len())).unwrap_or_default();
        let look = part.iter().copied().max().unwrap_or_default();
        match pieces.last_mut() {
            Some(last) if last.look == look && last.at + last.width == bin => last.width += 1,
            _ if look == Look::Free => {}
            _ => pieces.push(Piece { at: bin, width: 1, look }),
        }
    }
    let inside = here.start.max(range.start)..here.end.min(range.end);
    let here = (!inside.is_empty()).then(|| {
        let bin = |at: u64| ((at - range.start) * width).checked_div(all).unwrap_or(0);
        let at = bin(inside.start);
        (at, bin(inside.end).saturating_sub(at).max(1))
    });
    Strip { pieces, width, here }
}

fn near(report: &StepsReport, looks: &Looks<'_>) -> Near {
    let here = &looks.here.clusters;
    let all = looks.clusters.len() as u64;
    let last = all.saturating_sub(NEAR) / NEAR_ROW * NEAR_ROW;
    let start = (here.start.saturating_sub(NEAR_ROW) / NEAR_ROW * NEAR_ROW).min(last);
    let end = (start + NEAR).min(all);
    let shown = looks.clusters.get(start as usize..end as usize).unwrap_or_default();
    let cluster = |(cluster, look): (u64, &Look)| NearCluster {
        look: *look,
        is_here: here.contains(&cluster),
    };
    let block = |cluster: u64| report.first_block + cluster * u64::from(report.blocks_per_cluster);
    Near {
        blocks: (block(start), block(end).saturating_sub(1)),
        clusters: (start..end).zip(shown).map(cluster).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_made_of_parts_and_what_matters_more_hides_the_rest() {
        let mut looks = vec![Look::Free; 1000];
        looks[..10].fill(Look::Metadata);
        looks[500] = Look::Bad;
        looks[501] = Look::Used;
        let strip = strip(&looks, 0..1000, &(500..502));
        assert_eq!(strip.width, BINS);
        assert_eq!(strip.pieces[0], Piece { at: 0, width: 5, look: Look::Metadata });
        assert_eq!(strip.pieces[1], Piece { at: 240, width: 1, look: Look::Bad });
        assert_eq!(strip.here, Some((240, 1)));
        let outside = super::strip(&looks, 990..1100, &(0..5));
        assert_eq!((outside.pieces.len(), outside.here), (0, None));
    }
}
