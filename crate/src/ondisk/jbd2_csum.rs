//! Checksums of the journal: which bytes each covers. Ref: `fs/jbd2/recovery.c`,
//! `fs/jbd2/commit.c`.

use core::mem::offset_of;

use crc::{CRC_32_MPEG_2, Crc, Table};
use zerocopy::IntoBytes;

use super::csum::crc32c;
use super::jbd2::{CommitHeader, JournalSuperblock};

/// Bytes of the checksum that ends a descriptor or revoke block. Ref: `struct
/// jbd2_journal_block_tail`.
pub const BLOCK_TAIL_BYTES: usize = 4;

/// The checksum of whole transactions, most significant bit first. Ref: `crc32_be`.
static CRC32_BE: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_MPEG_2);

/// What the checksums of blocks start from.
#[must_use]
pub fn journal_seed(superblock: &JournalSuperblock) -> u32 {
    crc32c(!0, &superblock.s_uuid)
}

/// `s_checksum`, its own bytes read as 0. Ref: `jbd2_superblock_csum`.
#[must_use]
pub fn journal_superblock(superblock: &JournalSuperblock) -> u32 {
    let mut superblock = superblock.clone();
    superblock.s_checksum.set(0);
    crc32c(!0, superblock.as_bytes())
}

/// Checksum in the tail of a descriptor or revoke block.
/// Ref: `jbd2_descriptor_block_csum_verify`.
#[must_use]
pub fn block_tail(seed: u32, block: &[u8]) -> Option<u32> {
    without(seed, block, block.len().checked_sub(BLOCK_TAIL_BYTES)?)
}

/// `h_chksum` of a commit block under csum v2 and v3. Ref: `jbd2_commit_block_csum_verify`.
#[must_use]
pub fn commit_block(seed: u32, block: &[u8]) -> Option<u32> {
    without(seed, block, offset_of!(CommitHeader, h_chksum))
}

/// Checksum of a data block as it lies in the journal; csum v2 keeps its low half.
/// Ref: `jbd2_block_tag_csum_verify`.
#[must_use]
pub fn data_block(seed: u32, sequence: u32, block: &[u8]) -> u32 {
    crc32c(crc32c(seed, &sequence.to_be_bytes()), block)
}

/// Goes on with the checksum of a transaction, which starts from all ones, by a descriptor block
/// or a data block. Ref: `calc_chksums`.
#[must_use]
pub fn transaction(sum: u32, block: &[u8]) -> u32 {
    let mut digest = CRC32_BE.digest_with_initial(sum);
    digest.update(block);
    digest.finalize()
}

/// Of a block, with the four bytes at `at` read as 0.
fn without(seed: u32, block: &[u8], at: usize) -> Option<u32> {
    let crc = crc32c(seed, block.get(..at)?);
    let crc = crc32c(crc, &[0; 4]);
    Some(crc32c(crc, block.get(at.checked_add(4)?..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_in_a_block_covers_all_but_itself() {
        let block = [0x5a; 1024];
        let sums = |block: &[u8]| (block_tail(7, block), commit_block(7, block));
        let due = sums(&block);
        for at in 0..1024 {
            let mut other = block;
            other[at] ^= 1;
            let (tail, commit) = sums(&other);
            assert_eq!(tail == due.0, (1020..1024).contains(&at), "{at}");
            assert_eq!(commit == due.1, (16..20).contains(&at), "{at}");
        }
    }

    #[test]
    fn a_transactions_checksum_goes_on_from_block_to_block() {
        // The published check value of CRC-32/MPEG-2.
        assert_eq!(transaction(!0, b"123456789"), 0x0376_e6e7);
        assert_eq!(transaction(transaction(!0, b"1234"), b"56789"), 0x0376_e6e7);
    }
}
