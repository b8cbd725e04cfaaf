//! Files mapped block by block. Ref: `ext4_block_to_path`, `fs/ext4/indirect.c`.

use std::collections::HashSet;

use super::mapping::{MapItem, MapNode, Mapping, MappingState, NodeKind};
use super::{CsumState, Filesystem};
use crate::error::{Error, Result};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::{I_BLOCK_BYTES, NDIR_BLOCKS};
use crate::units::{Fsblk, Ino, Lblk};

/// The walk over a block map. See [`MapWalk`](super::MapWalk).
#[derive(Clone, Debug)]
pub(super) struct BlockMapWalk {
    ino: Ino,
    /// The lists of block numbers from `i_block` to where the walk is.
    path: Vec<List>,
    /// Indirect blocks that were met.
    met: HashSet<Fsblk>,
}

/// A list of block numbers: `i_block` or an indirect block.
#[derive(Clone, Debug)]
struct List {
    bytes: Box<[u8]>,
    /// Index of the next number.
    next: usize,
    /// Block of the file that it maps.
    lblk: u64,
    levels: Levels,
}

/// How many levels of indirect blocks are below the numbers of a list.
#[derive(Clone, Copy, Debug)]
enum Levels {
    /// The direct ones have none, the three after them one, two and three.
    IBlock,
    /// All the same.
    All(u8),
}

impl Levels {
    fn of(self, index: usize) -> u8 {
        match self {
            Self::All(levels) => levels,
            Self::IBlock => {
                let past_direct = index.saturating_add(1).saturating_sub(NDIR_BLOCKS);
                u8::try_from(past_direct).unwrap_or(u8::MAX)
            }
        }
    }
}

impl BlockMapWalk {
    pub(super) fn new(ino: Ino, i_block: &[u8; I_BLOCK_BYTES]) -> Self {
        let bytes = i_block.as_slice().into();
        let root = List { bytes, next: 0, lblk: 0, levels: Levels::IBlock };
        Self { ino, path: vec![root], met: HashSet::new() }
    }

    pub(super) fn next_item<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
    ) -> Option<Result<MapItem>> {
        let per_block = u64::from(fs.geometry().block_size() / 4);
        loop {
            let list = self.path.last_mut()?;
            let Some(number) = list.number(0) else {
                self.path.pop();
                continue;
            };
            let levels = list.levels.of(list.next);
            let span = per_block.saturating_pow(u32::from(levels));
            if number == 0 {
                list.advance(1, span);
                continue;
            }
            // The last blocks of a full triple indirect map are past what a file can have.
            let Ok(lblk) = u32::try_from(list.lblk).map(Lblk::new) else {
                self.path.clear();
                let error = Error::corrupt("the block map goes past the longest file");
                return Some(Err(error.at_ino(self.ino)));
            };
            let fsblk = Fsblk::new(u64::from(number));
            if levels == 0 {
                return Some(Ok(MapItem::Mapping(list.run(lblk, fsblk))));
            }
            list.advance(1, span);
            let item = self.descend(fs, lblk, fsblk, levels);
            return Some(item.map_err(|error| error.at_ino(self.ino)));
        }
    }

    pub(super) fn skip_node(&mut self) {
        self.path.pop();
    }

    /// Reads an indirect block and makes it the list that is walked over.
    fn descend<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        lblk: Lblk,
        fsblk: Fsblk,
        levels: u8,
    ) -> Result<MapItem> {
        if !self.met.insert(fsblk) {
            return Err(Error::corrupt("an indirect block is in its file twice").at_fsblk(fsblk));
        }
        let bytes = fs.block(ReadKind::Mapping, fsblk)?.into();
        let below = Levels::All(levels.saturating_sub(1));
        self.path.push(List { bytes, next: 0, lblk: u64::from(lblk.get()), levels: below });
        let kind = match levels {
            1 => NodeKind::Ind,
            2 => NodeKind::Dind,
            _ => NodeKind::Tind,
        };
        Ok(MapItem::Node(MapNode { kind, lblk, fsblk, csum: CsumState::None }))
    }
}

impl List {
    /// The number so many places behind the next one.
    fn number(&self, ahead: usize) -> Option<u32> {
        let at = self.next.checked_add(ahead)?.checked_mul(4)?;
        Some(u32::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?))
    }

    fn advance(&mut self, numbers: usize, blocks: u64) {
        self.next = self.next.saturating_add(numbers);
        self.lblk = self.lblk.saturating_add(blocks);
    }

    /// Takes the numbers that follow one another from the next one on, as far as they stand for
    /// blocks of data and the file can have them.
    fn run(&mut self, lblk: Lblk, fsblk: Fsblk) -> Mapping {
        let mut len = 1_u32;
        let follows = |list: &Self, len: u32| {
            let ahead = usize::try_from(len).ok()?;
            (list.levels.of(list.next.checked_add(ahead)?) == 0).then_some(())?;
            lblk.checked_add(len)?;
            (fsblk.checked_add(u64::from(len))?.get() == u64::from(list.number(ahead)?))
                .then_some(())
        };
        while follows(self, len).is_some() {
            len = len.saturating_add(1);
        }
        self.advance(usize::try_from(len).unwrap_or(usize::MAX), u64::from(len));
        Mapping { lblk, fsblk, len, state: MappingState::Written }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Files;
    use super::*;
    use crate::error::ErrorKind;

    fn list(numbers: &[u32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Lblk, fsblk and length of mappings; kind and fsblk of nodes.
    fn items(files: &Files) -> Vec<Result<String, ErrorKind>> {
        let (fs, inode) = files.open(12);
        let told = fs.map_items(&inode).map(|item| match item {
            Ok(MapItem::Node(node)) => Ok(format!("{:?} {}", node.kind, node.fsblk)),
            Ok(MapItem::Mapping(run)) => Ok(format!("{}:{}+{}", run.lblk, run.fsblk, run.len)),
            Err(error) => Err(error.kind()),
        });
        told.collect()
    }

    #[test]
    fn runs_are_cut_at_holes_and_indirect_blocks() {
        let mut files = Files::new();
        let i_block = [50, 51, 52, 0, 54, 60, 61, 62, 63, 64, 65, 66, 67, 0, 0];
        files.i_block_by_blocks(12, &list(&i_block));
        files.block(67, &list(&[68, 69, 0, 71]));
        let told: Vec<_> = items(&files).into_iter().map(|item| item.expect("sound")).collect();
        let due = ["0:50+3", "4:54+1", "5:60+7", "Ind 67", "12:68+2", "15:71+1"];
        assert_eq!(told, due);
    }

    #[test]
    fn double_and_triple_indirect_blocks_start_where_the_ones_before_end() {
        let mut files = Files::new();
        let mut i_block = [0; 15];
        (i_block[13], i_block[14]) = (900, 901);
        files.i_block_by_blocks(12, &list(&i_block));
        files.block(900, &list(&[0, 902]));
        files.block(902, &list(&[0, 0, 7]));
        files.block(901, &list(&[903]));
        files.block(903, &list(&[904]));
        files.block(904, &list(&[8]));
        let told: Vec<_> = items(&files).into_iter().map(|item| item.expect("sound")).collect();
        let due =
            ["Dind 900", "Ind 902", "526:7+1", "Tind 901", "Dind 903", "Ind 904", "65804:8+1"];
        assert_eq!(told, due);
    }

    #[test]
    fn blocks_that_point_at_one_another_end() {
        let mut files = Files::new();
        let mut i_block = [0; 15];
        i_block[14] = 900;
        files.i_block_by_blocks(12, &list(&i_block));
        files.block(900, &list(&[900; 256]));
        let told = items(&files);
        assert_eq!(told.len(), 257);
        assert_eq!(told[0], Ok("Tind 900".to_owned()));
        assert!(told[1..].iter().all(|item| *item == Err(ErrorKind::Corrupt)));
    }

    #[test]
    fn an_indirect_block_outside_costs_only_what_it_maps() {
        let mut files = Files::new();
        let mut i_block = [0; 15];
        (i_block[12], i_block[13]) = (u32::MAX, 900);
        files.i_block_by_blocks(12, &list(&i_block));
        files.block(900, &list(&[901]));
        files.block(901, &list(&[5]));
        let told = items(&files);
        assert_eq!(told[0], Err(ErrorKind::OutOfBounds));
        assert_eq!(told[3], Ok("268:5+1".to_owned()));
    }
}
