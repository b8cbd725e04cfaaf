//! Opening: the superblock, then the descriptors, in steps.

use super::Filesystem;
use super::bitmap_csum::BitmapCsums;
use super::geometry::Geometry;
use super::group::{DescSource, GroupTable};
use super::layout::Layout;
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind, Reader, sniff};
use crate::ondisk::csum::Csum;
use crate::ondisk::{SUPER_MAGIC, SUPERBLOCK_BYTES, SUPERBLOCK_OFFSET, Superblock};
use crate::task::{Progress, Step, Task};
use crate::units::{ByteOffset, Fsblk};

/// Every block size, smallest first.
pub(super) const BLOCK_SIZES: [u32; 7] = [1024, 2048, 4096, 8192, 16384, 32768, 65536];

/// Which superblock to use. Ref: `e2fsck -b`, `-B`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenOptions {
    /// Block with the superblock; `None` is the primary one.
    pub superblock: Option<Fsblk>,
    /// Bytes of a block; `None` tries every size.
    pub block_size: Option<u32>,
}

/// Opens a filesystem: one step for the superblock, then some descriptors a step.
///
/// Progress counts groups.
///
/// # Errors
/// [`ErrorKind::NotExt`] without a superblock where one was looked for,
/// [`ErrorKind::Corrupt`] when its numbers make arithmetic impossible, [`ErrorKind::Io`] when the
/// host cannot read it, [`ErrorKind::Limit`] when memory does not suffice. Descriptors that
/// cannot be read are no error: their groups are listed as unreadable.
#[derive(Debug)]
pub struct Open<S> {
    state: State<S>,
}

#[derive(Debug)]
enum State<S> {
    Start(Reader<S>, OpenOptions),
    Descriptors(Filesystem<S>),
    Over,
}

impl<S: ByteSource> Open<S> {
    /// Nothing is read yet.
    pub fn new(source: S, options: OpenOptions) -> Self {
        Self { state: State::Start(Reader::new(source), options) }
    }

    /// Reads the superblock and no descriptor, for whoever has those from elsewhere
    /// ([`Filesystem::adopt_groups`]).
    ///
    /// # Errors
    /// Those of the task.
    pub fn superblock_alone(source: S, options: OpenOptions) -> Result<Filesystem<S>> {
        start(Reader::new(source), options)
    }

    /// The filesystem with the descriptors read so far, once there is a superblock.
    pub fn filesystem(&self) -> Option<&Filesystem<S>> {
        match &self.state {
            State::Descriptors(filesystem) => Some(filesystem),
            _ => None,
        }
    }
}

impl<S: ByteSource> Task for Open<S> {
    type Output = Filesystem<S>;

    fn step(&mut self) -> Result<Step<Filesystem<S>>> {
        match core::mem::replace(&mut self.state, State::Over) {
            State::Start(reader, options) => {
                self.state = State::Descriptors(start(reader, options)?);
                Ok(Step::More)
            }
            State::Descriptors(mut filesystem) => {
                let Filesystem { reader, geometry, layout, csum, superblock_at, groups, .. } =
                    &mut filesystem;
                let source = DescSource {
                    reader,
                    geometry,
                    layout,
                    csum: *csum,
                    superblock_at: *superblock_at,
                };
                if groups.read_more(&source) {
                    self.state = State::Descriptors(filesystem);
                    Ok(Step::More)
                } else {
                    Ok(Step::Done(filesystem))
                }
            }
            State::Over => Err(Error::new(ErrorKind::Cancelled, "opening is already over")),
        }
    }

    fn progress(&self) -> Progress {
        self.filesystem().map_or_else(Progress::default, |filesystem| Progress {
            cur: u64::from(filesystem.groups.done()),
            max: u64::from(filesystem.groups.len()),
        })
    }
}

fn start<S: ByteSource>(reader: Reader<S>, options: OpenOptions) -> Result<Filesystem<S>> {
    let Found { superblock, fsblk, offset } = find_superblock(&reader, options)?;
    let geometry = Geometry::new(&superblock).map_err(|error| error.at_offset(offset.get()))?;
    let layout = Layout::new(&superblock, geometry);
    let groups = GroupTable::new(&geometry, reader.len())?;
    let csum = Csum::new(&superblock);
    Ok(Filesystem {
        reader,
        superblock,
        superblock_at: fsblk,
        geometry,
        layout,
        csum,
        bitmap_csums: BitmapCsums::new(csum, &geometry).map(Box::new),
        groups,
    })
}

/// Byte at which the superblock in a block starts: in block 0 it follows the boot sector.
pub(super) fn superblock_offset(fsblk: Fsblk, block_size: u32) -> ByteOffset {
    let offset = fsblk.get().saturating_mul(u64::from(block_size));
    ByteOffset::new(if offset == 0 { SUPERBLOCK_OFFSET } else { offset })
}

/// Reads what would be a superblock at a byte, if the image is long enough and the magic right.
pub(super) fn read_superblock<S: ByteSource>(
    reader: &Reader<S>,
    kind: ReadKind,
    at: ByteOffset,
) -> Result<Option<Box<Superblock>>> {
    let mut bytes = [0; SUPERBLOCK_BYTES];
    match reader.read(kind, at.get(), &mut bytes) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::OutOfBounds => return Ok(None),
        Err(error) => return Err(error),
    }
    let superblock = Superblock::from_prefix(&bytes);
    Ok(superblock.filter(|found| found.s_magic.get() == SUPER_MAGIC).map(Box::new))
}

struct Found {
    superblock: Box<Superblock>,
    fsblk: Fsblk,
    offset: ByteOffset,
}

fn find_superblock<S: ByteSource>(reader: &Reader<S>, options: OpenOptions) -> Result<Found> {
    if let Some(size) = options.block_size.filter(|size| !BLOCK_SIZES.contains(size)) {
        return Err(Error::new(ErrorKind::Unsupported, format!("no block has {size} bytes"))
            .with_hint("A block size is a power of two from 1024 to 65536."));
    }
    match options.superblock {
        Some(fsblk) if fsblk.get() > 0 => find_backup(reader, fsblk, options.block_size),
        _ => find_primary(reader, options.block_size),
    }
}

fn find_primary<S: ByteSource>(reader: &Reader<S>, block_size: Option<u32>) -> Result<Found> {
    let offset = ByteOffset::new(SUPERBLOCK_OFFSET);
    let Some(superblock) = read_superblock(reader, ReadKind::Superblock, offset)? else {
        return Err(sniff::not_ext(reader)?);
    };
    let fsblk = Fsblk::new(u64::from(superblock.s_log_block_size.get() == 0));
    let found = Found { superblock, fsblk, offset };
    match block_size {
        Some(asked) if !found.has_block_size(asked) => Err(found.other_block_size(asked)),
        _ => Ok(found),
    }
}

fn find_backup<S: ByteSource>(
    reader: &Reader<S>,
    fsblk: Fsblk,
    block_size: Option<u32>,
) -> Result<Found> {
    let sizes =
        BLOCK_SIZES.into_iter().filter(|size| block_size.is_none_or(|asked| asked == *size));
    for size in sizes {
        let offset = superblock_offset(fsblk, size);
        let superblock = read_superblock(reader, ReadKind::Superblock, offset)?;
        let Some(found) = superblock.map(|superblock| Found { superblock, fsblk, offset }) else {
            continue;
        };
        if found.has_block_size(size) {
            return Ok(found);
        }
        if block_size.is_some() {
            return Err(found.other_block_size(size));
        }
    }
    let tried = block_size.map_or_else(|| "any size".to_owned(), |size| format!("{size} bytes"));
    Err(Error::new(
        ErrorKind::NotExt,
        format!("no superblock in block {fsblk}, counted in blocks of {tried}"),
    )
    .with_hint(match block_size {
        Some(1024) => "The first backup usually lies in block 8193.".to_owned(),
        Some(size) => {
            format!("The first backup usually lies in block {}.", u64::from(size).saturating_mul(8))
        }
        None => "Backups usually lie in blocks 8193 (blocks of 1024 bytes) or 32768 (4096 bytes)."
            .to_owned(),
    }))
}

impl Found {
    fn has_block_size(&self, size: u32) -> bool {
        let shift = self.superblock.s_log_block_size.get();
        BLOCK_SIZES[0].checked_shl(shift) == Some(size)
    }

    fn other_block_size(&self, asked: u32) -> Error {
        let log = self.superblock.s_log_block_size.get();
        Error::corrupt(format!("s_log_block_size is {log}, which is not blocks of {asked} bytes"))
            .at_offset(self.offset.get())
            .with_hint("Leave the block size out, or give the one that the superblock says.")
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Image;
    use super::*;
    use crate::units::Group;

    fn open(bytes: &[u8], superblock: Option<u64>, block_size: Option<u32>) -> Result<u64> {
        let superblock = superblock.map(Fsblk::new);
        let filesystem = Filesystem::open(bytes, OpenOptions { superblock, block_size })?;
        Ok(filesystem.superblock_offset().get())
    }

    #[test]
    fn the_superblock_asked_for_is_used() {
        let bytes = Image::new().bytes();
        assert_eq!(open(&bytes, None, None).unwrap(), 1024);
        assert_eq!(open(&bytes, Some(0), None).unwrap(), 1024);
        assert_eq!(open(&bytes, Some(1), Some(1024)).unwrap(), 1024);
        assert_eq!(open(&bytes, Some(8193), None).unwrap(), 8193 * 1024);
        assert_eq!(open(&bytes, Some(8193), Some(1024)).unwrap(), 8193 * 1024);
    }

    #[test]
    fn block_1_of_1_kib_is_the_primary_superblock() {
        let bytes = Image::new().bytes();
        let options = OpenOptions { superblock: Some(Fsblk::new(1)), block_size: None };
        assert!(!Filesystem::open(bytes, options).unwrap().is_from_backup());
    }

    #[test]
    fn the_primary_superblock_is_no_backup_wherever_it_says_that_groups_start() {
        let mut image = Image::new();
        image.superblock.s_first_data_block.set(7);
        let filesystem = Filesystem::open(image.bytes(), OpenOptions::default()).unwrap();
        assert!(!filesystem.is_from_backup());
    }

    #[test]
    fn descriptors_from_elsewhere_serve_as_well_as_those_read() {
        let bytes = Image::new().bytes();
        let whole = Filesystem::open(bytes.as_slice(), OpenOptions::default()).unwrap();
        let options = OpenOptions::default();
        let mut part = Open::superblock_alone(bytes.as_slice(), options).unwrap();
        assert!(part.group(Group::new(0)).is_err(), "no descriptor is read");
        let entries = || whole.groups().iter().map(|(_, entry)| *entry);
        part.adopt_groups(Group::new(1), entries().skip(1));
        assert!(part.group(Group::new(0)).is_err());
        for (group, entry) in whole.groups().iter().skip(1) {
            assert_eq!(part.group(group).unwrap(), entry);
        }
        part.adopt_groups(Group::new(0), entries().chain(entries()));
        assert_eq!(part.groups().len(), whole.groups().len());
        assert_eq!(part.meter().total().requests, 1);
    }

    #[test]
    fn no_superblock_where_one_was_asked_for_says_so() {
        let bytes = Image::new().bytes();
        for block in [2, 8192, 1 << 40, u64::MAX] {
            let error = open(&bytes, Some(block), None).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotExt);
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn another_block_size_than_the_superblocks_is_refused() {
        let bytes = Image::new().bytes();
        let error = open(&bytes, None, Some(4096)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert_eq!(open(&bytes, None, Some(1000)).unwrap_err().kind(), ErrorKind::Unsupported);
    }

    #[test]
    fn an_impossible_superblock_is_refused_with_its_place() {
        let mut bytes = Image::new().bytes();
        bytes[1024 + 0x20..][..4].fill(0);
        let error = open(&bytes, None, None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert_eq!(error.at().offset, Some(ByteOffset::new(1024)));
    }

    #[test]
    fn short_and_empty_images_are_no_ext() {
        for len in [0, 1, 1024, 2047] {
            let error = open(&vec![0; len], None, None).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotExt, "{len} bytes");
        }
    }
}
