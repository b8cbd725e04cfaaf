//! The part of a file that is opened, where that is not the whole.

use extscope::Error;

/// The part of a file that is opened, where that is not the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskPart {
    /// The number of the partition; `None` where the person named a byte.
    pub number: Option<u32>,
    /// Its first byte.
    pub offset: u64,
    /// Its bytes; the file may end before them.
    pub len: u64,
    /// Where in a table of partitions it stands, if it is one.
    pub seat: Option<Seat>,
}

/// Where in a table of partitions one stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Whether the table is a GPT, and not an MBR.
    pub is_gpt: bool,
    /// Bytes of a sector.
    pub sector_bytes: u32,
    /// Whether nothing lies behind it, and no other partition around it.
    pub is_last: bool,
}

impl DiskPart {
    /// All from a byte of the file on.
    #[must_use]
    pub const fn from_byte(offset: u64) -> Self {
        Self { number: None, offset, len: u64::MAX, seat: None }
    }

    /// The bytes of a file of `bytes` bytes that belong to it.
    #[must_use]
    pub fn within(&self, bytes: u64) -> core::ops::Range<u64> {
        let start = self.offset.min(bytes);
        start..start.saturating_add(self.len).min(bytes)
    }

    /// Where in the file an error of the part is; `None` where it names no byte.
    #[must_use]
    pub fn in_file(&self, error: &Error) -> Option<u64> {
        error.at().offset.map(|at| self.offset.saturating_add(at.get()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_with_the_file() {
        let part = DiskPart { number: Some(1), offset: 100, len: 50, seat: None };
        assert_eq!(part.within(1000), 100..150);
        assert_eq!(part.within(120), 100..120);
        assert!(part.within(7).is_empty());
        assert_eq!(DiskPart::from_byte(100).within(1000), 100..1000);
    }

    #[test]
    fn bytes_of_a_part_are_told_in_the_file() {
        let part = DiskPart::from_byte(1 << 20);
        let error = Error::corrupt("it is torn");
        assert_eq!(part.in_file(&error), None);
        assert_eq!(part.in_file(&error.at_offset(1024)), Some((1 << 20) + 1024));
    }
}
