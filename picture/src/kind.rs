//! The kinds of blocks that the map tells apart, and their letters.

use extscope::analysis::BlockClass;

/// A kind of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The contents of a file.
    Data,
    /// In use; whose is not known before all inodes were gone through.
    Used,
    /// A directory.
    Dir,
    /// A node of an extent tree, or an indirect block.
    Node,
    /// Extended attributes.
    Xattr,
    /// The journal.
    Journal,
    /// An inode table.
    Itable,
    /// A block bitmap.
    BlockBitmap,
    /// An inode bitmap.
    InodeBitmap,
    /// The superblock, a backup, the boot block, the block of multiple mount protection.
    Super,
    /// Group descriptors.
    Gdt,
    /// Kept so that the descriptor table can grow.
    ReservedGdt,
    /// In use, and nobody's.
    Unowned,
    /// Claimed more than once, or on the list of bad blocks.
    Problem,
    /// Free.
    Free,
}

impl Kind {
    /// Every kind, in the order of legends.
    pub const ALL: [Self; 15] = [
        Self::Data,
        Self::Used,
        Self::Dir,
        Self::Node,
        Self::Xattr,
        Self::Journal,
        Self::Itable,
        Self::BlockBitmap,
        Self::InodeBitmap,
        Self::Super,
        Self::Gdt,
        Self::ReservedGdt,
        Self::Unowned,
        Self::Problem,
        Self::Free,
    ];

    /// The kind of a class; `None` where nothing is known of the block.
    #[must_use]
    pub const fn of(class: BlockClass) -> Option<Self> {
        Some(match class {
            BlockClass::Boot | BlockClass::Superblock | BlockClass::Mmp => Self::Super,
            BlockClass::Gdt => Self::Gdt,
            BlockClass::ReservedGdt => Self::ReservedGdt,
            BlockClass::BlockBitmap => Self::BlockBitmap,
            BlockClass::InodeBitmap => Self::InodeBitmap,
            BlockClass::Itable => Self::Itable,
            BlockClass::Journal => Self::Journal,
            BlockClass::Dir => Self::Dir,
            BlockClass::Quota
            | BlockClass::OrphanFile
            | BlockClass::Symlink
            | BlockClass::Data
            | BlockClass::EaInode
            | BlockClass::ClusterRest => Self::Data,
            BlockClass::Xattr => Self::Xattr,
            BlockClass::ExtentNode | BlockClass::Ind => Self::Node,
            BlockClass::BadBlock | BlockClass::MultiplyClaimed => Self::Problem,
            BlockClass::Unowned => Self::Unowned,
            BlockClass::Free => Self::Free,
            BlockClass::Unknown => return None,
        })
    }

    /// Its letter: in cells, in the legend and in addresses.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Data => 'F',
            Self::Used => 'U',
            Self::Dir => 'D',
            Self::Node => 'E',
            Self::Xattr => 'X',
            Self::Journal => 'J',
            Self::Itable => 'T',
            Self::BlockBitmap => 'B',
            Self::InodeBitmap => 'I',
            Self::Super => 'S',
            Self::Gdt => 'G',
            Self::ReservedGdt => 'R',
            Self::Unowned => 'O',
            Self::Problem => '!',
            Self::Free => '-',
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Data => "File data",
            Self::Used => "In use",
            Self::Dir => "Directory",
            Self::Node => "Extent tree, indirect",
            Self::Xattr => "Extended attributes",
            Self::Journal => "Journal",
            Self::Itable => "Inode table",
            Self::BlockBitmap => "Block bitmap",
            Self::InodeBitmap => "Inode bitmap",
            Self::Super => "Superblock",
            Self::Gdt => "Group descriptors",
            Self::ReservedGdt => "Reserved descriptors",
            Self::Unowned => "In use, unowned",
            Self::Problem => "Problem",
            Self::Free => "Free",
        }
    }

    /// Whether blocks are told to be of it, before the inodes were gone through or after that:
    /// before, nobody knows of files; after, everything is known.
    #[must_use]
    pub const fn is_told(self, has_owners: bool) -> bool {
        match self {
            Self::Used => !has_owners,
            Self::Data
            | Self::Dir
            | Self::Node
            | Self::Xattr
            | Self::Journal
            | Self::Unowned
            | Self::Problem => has_owners,
            _ => true,
        }
    }

    /// The style sheet's name of its colour.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            // What is in use is file data above all; once that is known it keeps its colour.
            Self::Data | Self::Used => "--k-data",
            Self::Dir => "--k-dir",
            Self::Node => "--k-node",
            Self::Xattr => "--k-xattr",
            Self::Journal => "--k-jnl",
            Self::Itable => "--k-itab",
            Self::BlockBitmap => "--k-bbm",
            Self::InodeBitmap => "--k-ibm",
            Self::Super => "--k-super",
            Self::Gdt => "--k-gdt",
            Self::ReservedGdt => "--k-rgdt",
            Self::Unowned | Self::Problem => "--k-problem",
            Self::Free => "--k-free",
        }
    }

    /// How much a block of this kind weighs beside another where both fall into one pixel: small
    /// structures are drawn larger than they are.
    #[must_use]
    pub(crate) const fn weight(self) -> f32 {
        match self {
            Self::Super | Self::BlockBitmap | Self::InodeBitmap | Self::Problem => 6.0,
            Self::Node | Self::Xattr | Self::Unowned => 4.0,
            Self::Gdt => 3.0,
            Self::Dir => 1.8,
            Self::ReservedGdt => 1.6,
            Self::Data | Self::Used | Self::Journal | Self::Itable | Self::Free => 1.0,
        }
    }
}

/// A set of kinds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Kinds(u16);

impl Kinds {
    /// Whether a kind is in it.
    #[must_use]
    pub const fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }

    /// With a kind that was not in it, or without one that was.
    #[must_use]
    pub const fn toggled(self, kind: Kind) -> Self {
        Self(self.0 ^ 1 << kind as u8)
    }

    /// All kinds but one.
    #[must_use]
    pub fn all_but(kind: Kind) -> Self {
        Kind::ALL.into_iter().filter(|&other| other != kind).fold(Self::default(), Self::toggled)
    }

    /// Whether there is none in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds of these letters; other letters mean nothing.
    #[must_use]
    pub fn from_letters(letters: &str) -> Self {
        let has = |kind: &Kind| letters.contains(kind.letter());
        Kind::ALL.into_iter().filter(has).fold(Self::default(), Self::toggled)
    }

    /// The letters of its kinds.
    #[must_use]
    pub fn letters(self) -> String {
        Kind::ALL.into_iter().filter(|&kind| self.has(kind)).map(Kind::letter).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_tell_all_kinds_apart() {
        for kind in Kind::ALL {
            let alone = Kinds::default().toggled(kind);
            assert_eq!(Kinds::from_letters(&kind.letter().to_string()), alone);
            assert_eq!(Kinds::from_letters(&alone.letters()), alone);
            assert!(!Kinds::all_but(kind).has(kind));
        }
        assert_eq!(Kinds::from_letters("FFz"), Kinds::default().toggled(Kind::Data));
    }
}
