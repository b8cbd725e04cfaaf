//! Turning bits of bitmaps round, in memory, to see what a check makes of it.
//!
//! Nothing is written: what is changed lies over the source as [`Covers`], and whoever looks through
//! an [`Overlay`](crate::io::Overlay) sees the filesystem as if it were so.

use serde::{Deserialize, Serialize};
use zerocopy::IntoBytes;

use crate::error::{Error, ErrorKind, Result};
use crate::fs::{BitmapKind, Filesystem};
use crate::io::{ByteSource, Cover, Covers, ReadKind, out_of_bounds};
use crate::ondisk::RawGroupDesc;
use crate::units::{Fsblk, Group};

/// A small filesystem to try things on, as a scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Bench {
    /// Checksums on all metadata; a group was never written, and the last one is short.
    #[default]
    Checksums,
    /// The same with a bit for every four blocks.
    Clusters,
    /// No checksums, and so no group that was never written.
    Plain,
}

impl Bench {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Checksums, Self::Clusters, Self::Plain];

    /// The recipe of one whose files reach to its end, to be shrunk.
    pub const SHRUNK: &str =
        "size=32m,block=1k,flex=1,inodes=32k,reach=100,fill=30,files=160x1,varied=no";

    /// Its recipe, as text.
    #[must_use]
    pub const fn recipe(self) -> &'static str {
        match self {
            Self::Checksums => "size=28m,block=1k,flex=1,inodes=32k,reach=50,files=24x1,varied=no",
            Self::Clusters => {
                "size=112m,block=1k,cluster=4,flex=1,inodes=128k,reach=50,files=24x1,varied=no"
            }
            Self::Plain => {
                "size=28m,block=1k,flex=1,csum=none,inodes=32k,reach=50,files=24x1,varied=no"
            }
        }
    }
}

/// A bit that is turned round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Flip {
    /// In which of the group's bitmaps.
    pub kind: BitmapKind,
    /// The bit of its block, which may be padding.
    pub bit: u32,
}

/// What is changed in a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lab {
    /// The group.
    pub group: Group,
    /// Bits that are turned round.
    pub flips: Vec<Flip>,
    /// Whether checksums are made right again, as by a kernel with a fault; or left, as by a disk
    /// with one.
    pub mends_csums: bool,
}

impl Lab {
    /// What takes the place of which blocks.
    ///
    /// # Errors
    /// Those of [`Filesystem::group`] for its group; [`ErrorKind::OutOfBounds`] for a bit that its
    /// block does not have, and for blocks outside the image; [`ErrorKind::Io`] when the host cannot
    /// read.
    pub fn covers<S: ByteSource>(&self, fs: &Filesystem<S>) -> Result<Covers> {
        let desc = fs.group(self.group)?.desc;
        let mut blocks = Blocks { fs, covers: Covers::new(fs.geometry().block_size()) };
        let mut csums = [None; 2];
        let kinds = [
            (BitmapKind::Block, desc.block_bitmap, ReadKind::BlockBitmap),
            (BitmapKind::Inode, desc.inode_bitmap, ReadKind::InodeBitmap),
        ];
        for ((kind, fsblk, read_kind), csum) in kinds.into_iter().zip(&mut csums) {
            let flips = || self.flips.iter().filter(|flip| flip.kind == kind);
            if flips().next().is_none() {
                continue;
            }
            let mut bitmap = blocks.get(read_kind, fsblk)?;
            for Flip { bit, .. } in flips() {
                let byte = bitmap.get_mut(*bit as usize / 8).ok_or_else(|| {
                    let bits = fs.geometry().bits_per_block();
                    let what = format!("a bitmap block has {bits} bits, and no bit {bit}");
                    Error::new(ErrorKind::OutOfBounds, what).at_group(self.group)
                })?;
                *byte ^= 1 << (bit % 8);
            }
            *csum = fs.bitmap_csum(kind, &bitmap);
            blocks.covers.insert(fsblk.get(), Cover::Bytes(bitmap.into()));
        }
        if self.mends_csums {
            self.mend(&mut blocks, csums)?;
        }
        Ok(blocks.covers)
    }

    /// Puts the checksums of bitmaps into the descriptor, and its own.
    fn mend<S: ByteSource>(
        &self,
        blocks: &mut Blocks<'_, S>,
        [of_blocks, of_inodes]: [Option<u32>; 2],
    ) -> Result<()> {
        if of_blocks.or(of_inodes).is_none() {
            return Ok(());
        }
        let fs = blocks.fs;
        let (geometry, group) = (fs.geometry(), self.group.get());
        let per_block = geometry.desc_per_block();
        let fsblk = fs.layout().desc_fsblk((group / per_block).into(), fs.superblock_at());
        let mut block = blocks.get(ReadKind::GroupDesc, fsblk)?;
        let size = geometry.desc_size() as usize;
        let place = block.chunks_exact_mut(size.max(1)).nth((group % per_block) as usize);
        let Some(place) = place else { return Ok(()) };
        let mut raw = RawGroupDesc::from_bytes(place);
        let halves = |csum: u32| ((csum & 0xffff) as u16, (csum >> 16) as u16);
        if let Some((lo, hi)) = of_blocks.map(halves) {
            raw.bg_block_bitmap_csum_lo.set(lo);
            raw.bg_block_bitmap_csum_hi.set(hi);
        }
        if let Some((lo, hi)) = of_inodes.map(halves) {
            raw.bg_inode_bitmap_csum_lo.set(lo);
            raw.bg_inode_bitmap_csum_hi.set(hi);
        }
        // What of a larger descriptor has no meaning stays as it is, and counts in its checksum.
        let mut put = |raw: &RawGroupDesc| {
            place.iter_mut().zip(raw.as_bytes()).for_each(|(to, byte)| *to = *byte);
            fs.csum().group_desc(self.group, place)
        };
        if let Some(csum) = put(&raw) {
            raw.bg_checksum.set(csum);
            put(&raw);
        }
        blocks.covers.insert(fsblk.get(), Cover::Bytes(block.into()));
        Ok(())
    }
}

/// Blocks as they are so far.
struct Blocks<'a, S> {
    fs: &'a Filesystem<S>,
    covers: Covers,
}

impl<S: ByteSource> Blocks<'_, S> {
    fn get(&self, kind: ReadKind, fsblk: Fsblk) -> Result<Vec<u8>> {
        if let Some(Cover::Bytes(bytes)) = self.covers.get(fsblk.get()) {
            return Ok(bytes.to_vec());
        }
        let len = self.fs.image_len();
        let at = self.fs.geometry().byte_from_fsblk(fsblk);
        let at = at.ok_or_else(|| out_of_bounds(u64::MAX, len).at_fsblk(fsblk))?;
        let mut bytes = vec![0; self.fs.geometry().block_size() as usize];
        let read = self.fs.reader().read_cached(kind, at.get(), &mut bytes);
        read.map_err(|error| error.at_fsblk(fsblk))?;
        Ok(bytes)
    }
}
