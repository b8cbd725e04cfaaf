//! Finding backup superblocks when the primary one cannot be used.

use std::collections::BTreeSet;

use super::geometry::Geometry;
use super::open::{BLOCK_SIZES, OpenOptions, read_superblock};
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind, Reader};
use crate::limits;
use crate::ondisk::csum::superblock_csum;
use crate::ondisk::{SUPERBLOCK_BYTES, SUPERBLOCK_OFFSET, Superblock};
use crate::task::{Progress, Step, Task};
use crate::units::{ByteOffset, Fsblk};

use super::CsumState;

/// A superblock found where a backup may lie.
#[derive(Clone, Debug)]
pub struct Backup {
    /// Block in which it lies.
    pub fsblk: Fsblk,
    /// Byte at which it starts.
    pub offset: ByteOffset,
    /// Bytes of a block, as it says itself.
    pub block_size: u32,
    /// The superblock.
    pub superblock: Box<Superblock>,
    /// Whether its own checksum is right.
    pub csum: CsumState,
    /// Whether its numbers make sense and say that group `s_block_group_nr` starts here; of a
    /// group's number the superblock has the low 16 bits.
    pub is_plausible: bool,
}

impl Backup {
    /// How to open the filesystem from it.
    #[must_use]
    pub fn options(&self) -> OpenOptions {
        OpenOptions { superblock: Some(self.fsblk), block_size: Some(self.block_size) }
    }
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Backups {
    /// What lies where the primary superblock should be, if it has at least the magic.
    pub primary: Option<Box<Superblock>>,
    /// The backups, most trustworthy first: plausible, then checksum not wrong, then by place.
    pub found: Vec<Backup>,
}

impl Backups {
    /// Whether an image that does not open for this reason may open from a backup.
    #[must_use]
    pub fn may_help(error: &Error) -> bool {
        matches!(error.kind(), ErrorKind::NotExt | ErrorKind::Corrupt)
    }

    /// Why an image does not open, once a search has found no backup: what to try is no backup
    /// then. What is known to be something else keeps its own advice.
    #[must_use]
    pub fn missing(error: Error) -> Error {
        match error.kind() {
            ErrorKind::NotExt if error.hint().is_some() => error,
            ErrorKind::NotExt => error.with_hint(
                "No backup superblock lies where mke2fs puts them. If the filesystem starts \
                 further into the file, say at which byte.",
            ),
            _ => error.with_hint("No backup superblock lies where mke2fs puts them."),
        }
    }
}

/// Looks for backups at every place that each block size allows; some places a step.
///
/// Looked at are the groups of sparse_super (1 and the powers of 3, 5 and 7) and the last group,
/// for groups as long as a bitmap allows, for bigalloc's longer ones, and for as long as what is
/// left of the primary superblock says. Progress counts places.
///
/// # Errors
/// [`ErrorKind::Io`] when the source cannot be read at all; a place that cannot be read is
/// passed over.
#[derive(Debug)]
pub struct BackupSearch<S> {
    reader: Reader<S>,
    places: Vec<(Fsblk, u32)>,
    at: usize,
    found: Backups,
}

impl<S: ByteSource> BackupSearch<S> {
    /// Reads what is left of the primary superblock.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when that cannot be read.
    pub fn new(source: S) -> Result<Self> {
        let reader = Reader::new(source);
        let mut bytes = [0; SUPERBLOCK_BYTES];
        let mut blocks_per_group = None;
        match reader.read(ReadKind::Backup, SUPERBLOCK_OFFSET, &mut bytes) {
            Ok(()) => {
                let left = Superblock::from_prefix(&bytes);
                blocks_per_group = left.map(|left| left.s_blocks_per_group.get());
            }
            Err(error) if error.kind() == ErrorKind::OutOfBounds => {}
            Err(error) => return Err(error),
        }
        let at = ByteOffset::new(SUPERBLOCK_OFFSET);
        let primary = read_superblock(&reader, ReadKind::Backup, at)?;
        let places = places(reader.len(), blocks_per_group);
        Ok(Self { reader, places, at: 0, found: Backups { primary, found: Vec::new() } })
    }

    /// What was read so far.
    pub fn meter(&self) -> &crate::io::Meter {
        self.reader.meter()
    }

    fn look(&self, fsblk: Fsblk, block_size: u32) -> Option<Backup> {
        let offset = ByteOffset::new(fsblk.get().checked_mul(u64::from(block_size))?);
        let superblock = read_superblock(&self.reader, ReadKind::Backup, offset).ok()??;
        if BLOCK_SIZES[0].checked_shl(superblock.s_log_block_size.get()) != Some(block_size) {
            return None;
        }
        let is_plausible = Geometry::new(&superblock).is_ok_and(|geometry| {
            starts_group(&geometry, fsblk, superblock.s_block_group_nr.get())
        });
        let stored = superblock.s_checksum.get();
        let csum = CsumState::compare(Some(stored), superblock_csum(&superblock));
        Some(Backup { fsblk, offset, block_size, superblock, csum, is_plausible })
    }
}

impl<S: ByteSource> Task for BackupSearch<S> {
    type Output = Backups;

    fn step(&mut self) -> Result<Step<Backups>> {
        /// Places looked at in a step.
        const PLACES: usize = 16;
        if self.at > self.places.len() {
            return Err(Error::new(ErrorKind::Cancelled, "the search is already over"));
        }
        let end = self.at.saturating_add(PLACES).min(self.places.len());
        for (fsblk, block_size) in self.places.get(self.at..end).unwrap_or_default() {
            let backup = self.look(*fsblk, *block_size);
            self.found.found.extend(backup);
        }
        self.at = end;
        if end < self.places.len() {
            return Ok(Step::More);
        }
        self.at = end.saturating_add(1);
        let mut found = core::mem::take(&mut self.found);
        found.found.sort_by_key(|backup| {
            (!backup.is_plausible, backup.csum == CsumState::Bad, backup.offset)
        });
        Ok(Step::Done(found))
    }

    fn progress(&self) -> Progress {
        let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        Progress { cur: count(self.at.min(self.places.len())), max: count(self.places.len()) }
    }
}

/// Whether a group starts at a block whose number ends in the 16 bits of `s_block_group_nr`.
fn starts_group(geometry: &Geometry, fsblk: Fsblk, block_group_nr: u16) -> bool {
    geometry.group_from_fsblk(fsblk).is_some_and(|group| {
        geometry.group_first_fsblk(group) == fsblk
            && group.get() & u32::from(u16::MAX) == u32::from(block_group_nr)
    })
}

/// Every block, with its size, in which a backup may lie in an image of `len` bytes.
fn places(len: u64, blocks_per_group: Option<u32>) -> Vec<(Fsblk, u32)> {
    let mut places = BTreeSet::new();
    for block_size in BLOCK_SIZES {
        let blocks = len >> block_size.trailing_zeros();
        // Blocks of 1 KiB leave block 0 to the boot loader, save with bigalloc.
        let firsts = 0..=u64::from(block_size == 1024);
        let longest = u64::from(block_size).saturating_mul(8);
        // Clusters of 2 to 128 blocks make groups that much longer.
        let lengths = (0..8).filter_map(|shift| longest.checked_shl(shift));
        let said = blocks_per_group.map(u64::from).filter(|n| *n >= limits::BLOCKS_PER_GROUP);
        for (per_group, first) in
            lengths.chain(said).flat_map(|per_group| firsts.clone().map(move |n| (per_group, n)))
        {
            let last = blocks.saturating_sub(first).checked_div(per_group).unwrap_or(0);
            let groups = sparse_groups(last).into_iter().chain([last.saturating_sub(1), last]);
            for group in groups.filter(|group| *group > 0) {
                let fsblk = group.saturating_mul(per_group).saturating_add(first);
                if fsblk < blocks {
                    places.insert((Fsblk::new(fsblk), block_size));
                }
            }
        }
    }
    places.into_iter().collect()
}

/// 1 and the powers of 3, 5 and 7 up to `last`.
fn sparse_groups(last: u64) -> BTreeSet<u64> {
    let powers = |root: u64| {
        core::iter::successors(Some(1_u64), move |power| power.checked_mul(root))
            .take_while(move |power| *power <= last)
    };
    [3, 5, 7].into_iter().flat_map(powers).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::Image;
    use super::*;
    use crate::task::run_to_end;

    fn search(bytes: Vec<u8>) -> Backups {
        run_to_end(BackupSearch::new(bytes).unwrap()).unwrap()
    }

    #[test]
    fn backups_are_found_and_open_when_the_primary_is_gone() {
        let mut bytes = Image::new().bytes();
        bytes[1024..2048].fill(0);
        let backups = search(bytes.clone());
        assert!(backups.primary.is_none());
        let places: Vec<_> = backups.found.iter().map(|b| (b.fsblk.get(), b.block_size)).collect();
        assert_eq!(places, [(8193, 1024), (24577, 1024)]);
        assert!(backups.found.iter().all(|backup| backup.is_plausible));
        let options = backups.found[0].options();
        let filesystem = super::super::Filesystem::open(bytes, options).unwrap();
        assert!(filesystem.is_from_backup());
        assert_eq!(filesystem.groups().len(), 4);
    }

    #[test]
    fn an_implausible_copy_comes_last() {
        let mut bytes = Image::new().bytes();
        // s_block_group_nr of the copy in group 1.
        bytes[8193 * 1024 + 0x5a] = 9;
        let backups = search(bytes);
        assert!(backups.primary.is_some());
        assert_eq!(backups.found[0].fsblk.get(), 24577);
        assert_eq!(backups.found[1].fsblk.get(), 8193);
        assert!(!backups.found[1].is_plausible);
    }

    #[test]
    fn of_a_group_past_65535_the_low_half_is_known() {
        let mut superblock = Image::new().superblock;
        superblock.s_blocks_per_group.set(256);
        superblock.s_blocks_count_lo.set(1 + 200_000 * 256);
        let geometry = Geometry::new(&superblock).unwrap();
        let start = Fsblk::new(1 + 177_147 * 256);
        assert!(starts_group(&geometry, start, (177_147 & 0xffff) as u16));
        assert!(!starts_group(&geometry, start, 9));
        assert!(!starts_group(&geometry, start.checked_add(1).unwrap(), 46_075));
    }

    #[test]
    fn places_are_few_even_on_a_huge_image() {
        let count = places(1 << 60, Some(1)).len();
        assert!((1000..10_000).contains(&count), "{count}");
        assert!(places(1 << 44, None).len() < 3000);
        assert!(places(0, None).is_empty());
    }

    #[test]
    fn without_a_backup_none_is_advised() {
        let zeros =
            Backups::missing(crate::io::sniff::not_ext(&Reader::new(vec![0; 5000])).unwrap());
        assert!(zeros.hint().unwrap().starts_with("No backup superblock lies"));
        let corrupt = Error::corrupt("s_blocks_per_group is 0").with_hint("Open from a backup.");
        assert!(Backups::missing(corrupt).hint().unwrap().starts_with("No backup superblock lies"));
        let gzip = crate::io::sniff::not_ext(&Reader::new(vec![0x1f, 0x8b])).unwrap();
        assert!(Backups::missing(gzip).hint().unwrap().starts_with("Unpack it first"));
    }

    #[test]
    fn files_too_short_for_a_superblock_have_no_backups() {
        assert!(search(vec![1; 1500]).found.is_empty());
    }
}
