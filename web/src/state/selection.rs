//! What is selected, on the map and beside it: `sel=b:1480016`.

use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;

use extscope::units::{Fsblk, Group, Ino};

use crate::protocol::Geometry;

/// What is selected; it may not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// A block group: `g:45`.
    Group(Group),
    /// A block: `b:1480016`.
    Block(Fsblk),
    /// Blocks, both ends among them: `r:1480016-1480023`.
    Blocks(RangeInclusive<u64>),
    /// All blocks of an inode: `i:12`.
    Inode(Ino),
}

impl Selection {
    /// These blocks, or the one block that they are.
    #[must_use]
    pub fn blocks(first: u64, last: u64) -> Self {
        let (first, last) = (first.min(last), first.max(last));
        if first == last { Self::Block(Fsblk::new(first)) } else { Self::Blocks(first..=last) }
    }

    /// The group that the selection is in, or that it begins in; for an inode, the group whose
    /// inode table has it.
    #[must_use]
    pub fn group(&self, geometry: &Geometry) -> Option<Group> {
        match self {
            Self::Group(group) => Some(*group),
            Self::Block(fsblk) => geometry.group_from_fsblk(*fsblk),
            Self::Blocks(blocks) => geometry.group_from_fsblk(Fsblk::new(*blocks.start())),
            Self::Inode(ino) => geometry.group_from_ino(*ino).map(|(group, _)| group),
        }
    }

    /// The block that the selection begins with; `None` for an inode, whose blocks must be asked
    /// for.
    #[must_use]
    pub fn first_block(&self, geometry: &Geometry) -> Option<Fsblk> {
        match self {
            Self::Group(group) => Some(geometry.group_first_fsblk(*group)),
            Self::Block(fsblk) => Some(*fsblk),
            Self::Blocks(blocks) => Some(Fsblk::new(*blocks.start())),
            Self::Inode(_) => None,
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group(group) => write!(f, "g:{group}"),
            Self::Block(fsblk) => write!(f, "b:{fsblk}"),
            Self::Blocks(blocks) => write!(f, "r:{}-{}", blocks.start(), blocks.end()),
            Self::Inode(ino) => write!(f, "i:{ino}"),
        }
    }
}

/// The text is no selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSelection;

impl FromStr for Selection {
    type Err = NoSelection;

    fn from_str(text: &str) -> Result<Self, NoSelection> {
        let number = |text: &str| text.parse().map_err(|_| NoSelection);
        let (kind, value) = text.split_once(':').ok_or(NoSelection)?;
        match kind {
            "g" => {
                value.parse().map(|group| Self::Group(Group::new(group))).map_err(|_| NoSelection)
            }
            "b" => number(value).map(|fsblk| Self::Block(Fsblk::new(fsblk))),
            "r" => {
                let (first, last) = value.split_once('-').ok_or(NoSelection)?;
                Ok(Self::blocks(number(first)?, number(last)?))
            }
            "i" => value.parse().map(|ino| Self::Inode(Ino::new(ino))).map_err(|_| NoSelection),
            _ => Err(NoSelection),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::testing;

    #[test]
    fn a_selection_is_written_as_it_is_read() {
        for text in ["g:45", "b:1480016", "r:7-9", "i:12"] {
            assert_eq!(text.parse::<Selection>().map(|it| it.to_string()).as_deref(), Ok(text));
        }
        assert_eq!("r:9-7".parse(), Ok(Selection::Blocks(7..=9)));
        assert_eq!("r:7-7".parse(), Ok(Selection::Block(Fsblk::new(7))));
        for text in ["", "g", "g:", "g:-1", "x:1", "r:1", "b:99999999999999999999"] {
            assert_eq!(text.parse::<Selection>(), Err(NoSelection), "{text}");
        }
    }

    #[test]
    fn a_selection_is_in_the_group_of_its_first_block() {
        let geometry = testing::opened(3).geometry;
        let group = |text: &str| text.parse::<Selection>().ok()?.group(&geometry).map(Group::get);
        assert_eq!(
            (group("g:2"), group("b:8193"), group("r:8000-9000")),
            (Some(2), Some(1), Some(0))
        );
        assert_eq!((group("b:0"), group("b:999999")), (None, None));
    }
}
