//! What is said of the tile under the pointer or the cursor.

use extscope::units::{Fsblk, Group};
use extscope_picture::Place;

use crate::protocol::{BitmapState, BlockReport, Geometry, OwnerReport, flag_names};
use crate::state::{Detail, OpenImage};
use crate::text::{number, size};

/// A few lines about one group, or about the groups of one tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tooltip {
    /// `Group 45`, or `Groups 32–47`.
    pub title: String,
    /// Name and value of each line.
    pub lines: Vec<(&'static str, String)>,
    /// Whether the numbers are the descriptors' alone.
    pub is_hearsay: bool,
}

impl Tooltip {
    /// What is known of the groups from `first` to `last`; nothing where there are none.
    #[must_use]
    pub fn of(open: &OpenImage, first: u32, last: u32, used: (u64, u64)) -> Option<Self> {
        let geometry = &open.image.geometry;
        let (from, _) = block_range(geometry, Group::new(first))?;
        let (_, to) = block_range(geometry, Group::new(last))?;
        let exact = |group| open.known.stats(Group::new(group)).state.is_exact();
        let mut lines = vec![("Blocks", number::range(from, to))];
        if used.1 > 0 {
            lines.push(("In use", number::percent(used.0, used.1)));
            lines.push(("Free", free(used.1.saturating_sub(used.0), geometry)));
        }
        let title = if first == last {
            lines.extend(single(open, Group::new(first)));
            format!("Group {}", number::count(first.into()))
        } else {
            let range = number::range(first.into(), last.into());
            format!("Groups {range}")
        };
        Some(Self { title, lines, is_hearsay: !(first..=last).all(exact) })
    }

    /// What is known of a cell without asking for it.
    #[must_use]
    pub fn of_cell(
        open: &OpenImage,
        place: Place,
        fsblk: Fsblk,
        whose: Option<&BlockReport>,
    ) -> Self {
        let geometry = &open.image.geometry;
        let Place { group, grpblk } = place;
        let bit = grpblk.get();
        let title = if geometry.blocks_per_cluster() > 1 {
            let cluster = geometry.cluster_blocks(fsblk);
            format!("Blocks {}", number::range(cluster.start, cluster.end.saturating_sub(1)))
        } else {
            format!("Block {}", number::count(fsblk.get()))
        };
        let count = |n: u32| number::count(n.into());
        let mut lines = Vec::new();
        if let Some(OwnerReport { name, path, ino, .. }) = whose.map(|report| &report.owner) {
            lines.push(("Kind", name.clone()));
            let ino = ino.map(|ino| format!("inode {}", count(ino)));
            lines.extend(path.clone().or(ino).map(|owner| ("Owner", owner)));
        }
        lines.extend([
            ("Group", count(group.get())),
            ("Bit", count(bit)),
            ("Word", format!("{}, bit {}", count(bit / 64), bit % 64)),
        ]);
        if let Detail::Here(detail) = &open.detail
            && detail.group == group
            && let Ok(bitmap) = &detail.block_bitmap
            && let Some(is_set) = bitmap.test(bit)
        {
            lines.push(("Value", if is_set { "1, in use" } else { "0, free" }.to_owned()));
        }
        Self { title, lines, is_hearsay: false }
    }

    /// The same as a sentence, for those who hear it.
    #[must_use]
    pub fn sentence(&self) -> String {
        let lines: Vec<String> =
            self.lines.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let hearsay = if self.is_hearsay { ", by the descriptor alone" } else { "" };
        format!("{}: {}{hearsay}.", self.title, lines.join(", "))
    }
}

/// First and last block of a group, or `None` past the last group.
#[must_use]
pub fn block_range(geometry: &Geometry, group: Group) -> Option<(u64, u64)> {
    let first = geometry.group_first_fsblk(group).get();
    let blocks = u64::from(geometry.group_blocks(group)).checked_sub(1)?;
    Some((first, first.saturating_add(blocks)))
}

fn free(clusters: u64, geometry: &Geometry) -> String {
    if clusters == 0 {
        return "none".into();
    }
    let blocks = clusters.saturating_mul(geometry.blocks_per_cluster().into());
    let bytes = blocks.saturating_mul(geometry.block_size().into());
    format!("{}, {}", number::count_of(blocks, "block", "blocks"), size::bytes(bytes))
}

fn single(open: &OpenImage, group: Group) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let stats = open.known.stats(group);
    if stats.state.is_exact() && stats.fragments > 0 {
        let fragments = number::count(stats.fragments.into());
        lines.push(("Free extents", fragments));
    }
    if stats.state == BitmapState::Failed {
        lines.push(("Bitmap", "could not be read".into()));
    }
    if let Some(row) = open.image.groups.row(group) {
        let flags = flag_names(row.flags);
        if !flags.is_empty() {
            lines.push(("Flags", flags.join(" ")));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tooltip_is_read_as_one_sentence() {
        let tooltip = Tooltip {
            title: "Group 45".into(),
            lines: vec![("Blocks", "1–2".into()), ("In use", "0 %".into())],
            is_hearsay: true,
        };
        let sentence = "Group 45: Blocks 1–2, In use 0 %, by the descriptor alone.";
        assert_eq!(tooltip.sentence(), sentence);
    }
}
