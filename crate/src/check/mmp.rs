//! The block of multiple mount protection, which is looked at before all else.

use zerocopy::FromBytes;

use super::context::Context;
use super::finding::Problem;
use super::problem::{PR_0_MMP_CSUM_INVALID, PR_0_MMP_INVALID_BLK, PR_0_MMP_INVALID_MAGIC};
use super::sink::Flow;
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::features::Incompat;
use crate::ondisk::{MMP_MAGIC, MMP_SEQ_CLEAN, MmpStruct};
use crate::units::Fsblk;

/// Highest `mmp_seq` of a filesystem that is mounted. Ref: `EXT4_MMP_SEQ_MAX`.
const MMP_SEQ_MAX: u32 = 0xE24D_4D4F;

/// Looks at the MMP block; what is wrong with it, or somebody who uses the filesystem, ends e2fsck.
pub(super) fn check<S: ByteSource>(ctx: &mut Context<S>) -> Flow {
    if !ctx.has_incompat(Incompat::MMP) {
        return Ok(());
    }
    let at = ctx.superblock().s_mmp_block.get();
    let geometry = ctx.geometry();
    let is_inside = geometry.first_data_block().get() < at && at < geometry.blocks_count();
    let block =
        if is_inside { ctx.fs.block(ReadKind::Superblock, Fsblk::new(at)).ok() } else { None };
    let Some((mmp, _)) = block.as_deref().and_then(|b| MmpStruct::read_from_prefix(b).ok()) else {
        return refuse(ctx, Problem::new(PR_0_MMP_INVALID_BLK).block(at));
    };
    if mmp.mmp_magic.get() != MMP_MAGIC {
        return refuse(ctx, Problem::new(PR_0_MMP_INVALID_MAGIC).block(at));
    }
    if let Some(due) = ctx.fs.csum().mmp(&mmp)
        && due != mmp.mmp_checksum.get()
    {
        let found = mmp.mmp_checksum.get();
        return refuse(
            ctx,
            Problem::new(PR_0_MMP_CSUM_INVALID).block(at).found(found).expected(due),
        );
    }
    let seq = mmp.mmp_seq.get();
    if seq != MMP_SEQ_CLEAN && seq > MMP_SEQ_MAX {
        return ctx.sink.give_up(None);
    }
    Ok(())
}

fn refuse<S>(ctx: &mut Context<S>, problem: Problem) -> Flow {
    let code = problem.code;
    ctx.sink.tell(problem)?;
    ctx.sink.give_up(Some(code))
}
