//! Pass 0: what the superblock says of itself.
//!
//! Leaves no maps; what cannot be true of the sizes ends e2fsck.

use super::context::Context;
use super::finding::Problem;
use super::problem::{
    PR_0_64BIT_WITHOUT_EXTENTS, PR_0_BAD_MIN_EXTRA_ISIZE, PR_0_BAD_WANT_EXTRA_ISIZE,
    PR_0_CSUM_SEED_WITHOUT_META_CSUM, PR_0_FIRST_DATA_BLOCK, PR_0_FIRST_META_BG_TOO_BIG,
    PR_0_FS_SIZE_WRONG, PR_0_FUTURE_SB_LAST_MOUNT, PR_0_FUTURE_SB_LAST_MOUNT_FUDGED,
    PR_0_FUTURE_SB_LAST_WRITE, PR_0_FUTURE_SB_LAST_WRITE_FUDGED, PR_0_INODE_COUNT_BIG,
    PR_0_INODE_COUNT_WRONG, PR_0_INVALID_QUOTA_INO, PR_0_META_AND_GDT_CSUM_SET,
    PR_0_MISC_CORRUPT_SUPER, PR_0_SB_CORRUPT,
};
use super::sanity::{
    COMPAT_KNOWN, INCOMPAT_KNOWN, MAX_LOG_BLOCK_SIZE, MAX_LOG_CLUSTER_SIZE, MAX_PER_GROUP,
    RO_COMPAT_KNOWN, groups_count, is_desc_size,
};
use super::sink::{Flow, Halt};
use crate::error::{Error, ErrorKind};
use crate::io::ByteSource;
use crate::ondisk::Superblock;
use crate::ondisk::features::{Incompat, RoCompat};

/// Clocks that are off by a day at most are put down to a time zone.
const DAY: u64 = 86_400;

/// A clock that shows less than 2010 is not believed.
const CLOCK_SET: u64 = 1_262_304_000;

/// Ends the run when there are features that e2fsck does not know.
pub(super) fn check_features<S: ByteSource>(ctx: &mut Context<S>) -> Flow {
    let features = ctx.fs.features();
    let unknown = features.compat.bits() & !COMPAT_KNOWN
        | features.incompat.bits() & !INCOMPAT_KNOWN
        | features.ro_compat.bits() & !RO_COMPAT_KNOWN;
    if unknown != 0 { ctx.sink.give_up(None) } else { Ok(()) }
}

/// Goes through the superblock's fields.
pub(super) fn check<S: ByteSource>(ctx: &mut Context<S>) -> Flow {
    let superblock = ctx.superblock().clone();
    if let Some((name, value)) = impossible_field(&superblock) {
        return corrupt(ctx, name, value);
    }
    check_inode_count(ctx, &superblock)?;
    if let Some((name, value)) = impossible_inode_field(&superblock) {
        return corrupt(ctx, name, value);
    }
    let block_size = u64::from(ctx.geometry().block_size());
    let image_blocks = ctx.fs.image_len() / block_size;
    if image_blocks < superblock.blocks_count() {
        let problem = Problem::new(PR_0_FS_SIZE_WRONG).found(superblock.blocks_count());
        ctx.sink.tell(problem.expected(image_blocks))?;
    }
    let is_first_due = block_size == 1024
        && superblock.s_log_cluster_size.get() == superblock.s_log_block_size.get();
    let (first, due) = (superblock.s_first_data_block.get(), u32::from(is_first_due));
    if first != due {
        ctx.sink.tell(Problem::new(PR_0_FIRST_DATA_BLOCK).found(first).expected(due))?;
        return give_up_corrupt(ctx);
    }
    check_features_together(ctx, &superblock)
}

/// The first field of which no value makes sense, in the order of e2fsck.
fn impossible_field(superblock: &Superblock) -> Option<(&'static str, u64)> {
    let features = superblock.features();
    let is_64bit = features.incompat.contains(Incompat::BIT64);
    let log_block = superblock.s_log_block_size.get();
    let log_cluster = superblock.s_log_cluster_size.get();
    let block_size = 1024_u64 << log_block.min(MAX_LOG_BLOCK_SIZE);
    let ratio = 1_u64 << log_cluster.saturating_sub(log_block).min(MAX_LOG_CLUSTER_SIZE);
    let is_old = superblock.s_rev_level.get() == 0;
    let inode_size = if is_old { 128 } else { u64::from(superblock.s_inode_size.get()) };
    let inodes_per_block = block_size.checked_div(inode_size).unwrap_or(0);
    let blocks = superblock.blocks_count();
    let blocks_per_group = u64::from(superblock.s_blocks_per_group.get());
    let most_blocks = if is_64bit { (1_u64 << 48) - 1 } else { u64::from(u32::MAX) };
    let most_clusters = (8 * block_size).min(MAX_PER_GROUP);
    let most_inodes = inodes_per_block
        .saturating_mul(blocks_per_group.saturating_sub(4))
        .min(65536_u64.saturating_sub(inodes_per_block));
    let most_per_group = (8 * block_size * ratio).min(MAX_PER_GROUP * ratio);
    let value = |field: zerocopy::little_endian::U32| u64::from(field.get());
    let tests = [
        ("inodes_count", value(superblock.s_inodes_count), 1, u64::MAX),
        ("blocks_count", blocks, 1, most_blocks),
        ("first_data_block", value(superblock.s_first_data_block), 0, blocks),
        ("log_block_size", u64::from(log_block), 0, u64::from(MAX_LOG_BLOCK_SIZE)),
        (
            "log_cluster_size",
            u64::from(log_cluster),
            u64::from(log_block),
            u64::from(MAX_LOG_CLUSTER_SIZE),
        ),
        ("clusters_per_group", value(superblock.s_clusters_per_group), 8, most_clusters),
        ("blocks_per_group", blocks_per_group, 8, most_per_group),
        ("inodes_per_group", value(superblock.s_inodes_per_group), inodes_per_block, most_inodes),
        ("r_blocks_count", superblock.r_blocks_count(), 0, blocks / 2),
        (
            "reserved_gdt_blocks",
            u64::from(superblock.s_reserved_gdt_blocks.get()),
            0,
            block_size / 4,
        ),
    ];
    let bad = tests.into_iter().find(|(_, value, least, most)| value < least || value > most);
    let desc_size = superblock.s_desc_size.get();
    let bad_desc = desc_size != 0 && !is_desc_size(u32::from(desc_size));
    bad.map(|(name, value, ..)| (name, value))
        .or_else(|| bad_desc.then_some(("desc_size", u64::from(desc_size))))
}

/// The same of what is tested after the number of inodes.
fn impossible_inode_field(superblock: &Superblock) -> Option<(&'static str, u64)> {
    let is_old = superblock.s_rev_level.get() == 0;
    let log_block = superblock.s_log_block_size.get();
    let log_cluster = superblock.s_log_cluster_size.get();
    let block_size = 1024_u64 << log_block.min(MAX_LOG_BLOCK_SIZE);
    let first_ino = u64::from(superblock.s_first_ino.get());
    let inode_size = u64::from(superblock.s_inode_size.get());
    let inodes = u64::from(superblock.s_inodes_count.get());
    let ratio = 1_u64 << log_cluster.saturating_sub(log_block).min(MAX_LOG_CLUSTER_SIZE);
    let clusters = u64::from(superblock.s_clusters_per_group.get());
    if !is_old && !(11..=inodes).contains(&first_ino) {
        return Some(("first_ino", first_ino));
    }
    let is_size = (128..=block_size).contains(&inode_size) && inode_size.is_power_of_two();
    if !is_old && !is_size {
        return Some(("inode_size", inode_size));
    }
    let is_off = u64::from(superblock.s_blocks_per_group.get()) != clusters * ratio;
    is_off.then_some(("block_size", block_size))
}

fn check_inode_count<S: ByteSource>(ctx: &mut Context<S>, superblock: &Superblock) -> Flow {
    let found = superblock.s_inodes_count.get();
    let due =
        groups_count(superblock).saturating_mul(u64::from(superblock.s_inodes_per_group.get()));
    if due > u64::from(u32::MAX) {
        ctx.sink.tell(Problem::new(PR_0_INODE_COUNT_BIG).found(due))?;
        return give_up_corrupt(ctx);
    }
    if u64::from(found) != due {
        ctx.sink.tell(Problem::new(PR_0_INODE_COUNT_WRONG).found(found).expected(due))?;
        return corrupt(ctx, "inodes_count", u64::from(found));
    }
    Ok(())
}

fn corrupt<S: ByteSource>(ctx: &mut Context<S>, name: &str, value: u64) -> Flow {
    let problem = Problem::new(PR_0_MISC_CORRUPT_SUPER).name(name.as_bytes()).found(value);
    ctx.sink.tell(problem)?;
    give_up_corrupt(ctx)
}

/// e2fsck ends here, and nobody else could make sense of the sizes either.
fn give_up_corrupt<S: ByteSource>(ctx: &mut Context<S>) -> Flow {
    ctx.sink.tell_code(PR_0_SB_CORRUPT)?;
    ctx.sink.give_up(Some(PR_0_SB_CORRUPT))?;
    let what = "the superblock's numbers contradict one another";
    Err(Halt::Failed(Error::new(ErrorKind::Corrupt, what)))
}

fn check_features_together<S: ByteSource>(ctx: &mut Context<S>, superblock: &Superblock) -> Flow {
    let inode_size = ctx.geometry().inode_size();
    let room = inode_size.saturating_sub(128);
    let is_bad = |extra: u16| {
        let extra = u32::from(extra);
        room > 0 && extra != 0 && (extra < 4 || extra > room || extra % 4 != 0)
    };
    for (extra, code) in [
        (superblock.s_min_extra_isize.get(), PR_0_BAD_MIN_EXTRA_ISIZE),
        (superblock.s_want_extra_isize.get(), PR_0_BAD_WANT_EXTRA_ISIZE),
    ] {
        if is_bad(extra) {
            ctx.sink.tell(Problem::new(code).found(extra))?;
        }
    }
    let has_csum = ctx.has_ro_compat(RoCompat::METADATA_CSUM);
    if has_csum && ctx.has_ro_compat(RoCompat::GDT_CSUM) {
        ctx.sink.tell_code(PR_0_META_AND_GDT_CSUM_SET)?;
    }
    if !has_csum && ctx.has_incompat(Incompat::CSUM_SEED) {
        ctx.sink.tell_code(PR_0_CSUM_SEED_WITHOUT_META_CSUM)?;
    }
    if ctx.has_incompat(Incompat::BIT64) && !ctx.has_incompat(Incompat::EXTENTS) {
        ctx.sink.tell_code(PR_0_64BIT_WITHOUT_EXTENTS)?;
    }
    let (first, most) = (superblock.s_first_meta_bg.get(), ctx.geometry().desc_blocks());
    if ctx.has_incompat(Incompat::META_BG) && u64::from(first) > most {
        ctx.sink.tell(Problem::new(PR_0_FIRST_META_BG_TOO_BIG).found(first).expected(most))?;
    }
    Ok(())
}

/// Times ahead of now, and the numbers of quota inodes.
pub(super) fn check_times_and_quota<S: ByteSource>(ctx: &mut Context<S>) -> Flow {
    let superblock = ctx.superblock();
    // 1.47.0 knows the low 32 bits alone.
    let times = [
        (superblock.s_mtime.get(), PR_0_FUTURE_SB_LAST_MOUNT, PR_0_FUTURE_SB_LAST_MOUNT_FUDGED),
        (superblock.s_wtime.get(), PR_0_FUTURE_SB_LAST_WRITE, PR_0_FUTURE_SB_LAST_WRITE_FUDGED),
    ];
    let quota = [
        superblock.s_usr_quota_inum.get(),
        superblock.s_grp_quota_inum.get(),
        superblock.s_prj_quota_inum.get(),
    ];
    if let Some(now) = ctx.now.filter(|now| *now > CLOCK_SET) {
        for (time, far, near) in times {
            let ahead = u64::from(time).saturating_sub(now);
            if ahead > 0 {
                let code = if ahead <= DAY { near } else { far };
                ctx.sink.tell(Problem::new(code).found(time).expected(now))?;
            }
        }
    }
    for ino in quota {
        let is_impossible = matches!(ino, 1 | 2 | 5..=10) || ino > ctx.geometry().inodes_count();
        if is_impossible {
            ctx.sink.tell(Problem::new(PR_0_INVALID_QUOTA_INO).found(ino))?;
        }
    }
    Ok(())
}
