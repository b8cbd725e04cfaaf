//! The units of an ext filesystem, one type each, so that none is taken for another.
//!
//! No conversions live here: turning one into another needs the geometry of a filesystem.

use core::fmt;

use serde::{Deserialize, Serialize};

macro_rules! unit {
    ($(#[$doc:meta])* $name:ident($repr:ty)) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name($repr);

        impl $name {
            /// Wraps a bare number.
            #[must_use]
            pub const fn new(value: $repr) -> Self {
                Self(value)
            }

            /// The bare number.
            #[must_use]
            pub const fn get(self) -> $repr {
                self.0
            }

            /// `self + n`, or `None` past the type's end.
            #[must_use]
            pub const fn checked_add(self, n: $repr) -> Option<Self> {
                match self.0.checked_add(n) {
                    Some(sum) => Some(Self(sum)),
                    None => None,
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

unit! {
    /// A block, counted from the start of the filesystem. Ref: `ext4_fsblk_t`.
    Fsblk(u64)
}
unit! {
    /// A block, counted from the start of a file. Ref: `ext4_lblk_t`.
    Lblk(u32)
}
unit! {
    /// A cluster, counted from `s_first_data_block`; a block where the filesystem is not bigalloc.
    Cluster(u64)
}
unit! {
    /// A cluster of a block group, counted from the group's first: a bit of its block bitmap.
    /// Ref: `ext4_grpblk_t`.
    Grpblk(u32)
}
unit! {
    /// A block group. Ref: `ext4_group_t`.
    Group(u32)
}
unit! {
    /// An inode number; the first is 1. Ref: `ext2_ino_t`.
    Ino(u32)
}
unit! {
    /// A byte, counted from the start of the image.
    ByteOffset(u64)
}
