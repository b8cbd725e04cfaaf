//! `extscope deleted`: inodes that were deleted, and what is still known of them.

use std::io::Write;

use extscope::analysis::DeletedScan;
use extscope::report::{DeletedReport, grouped, time};
use extscope::task::{Step, Task as _};
use serde::Serialize;

use crate::args::ListArgs;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::json;
use crate::progress::Shown;
use crate::table::{Table, cell};

#[derive(Serialize)]
struct Answer {
    deleted: Vec<DeletedReport>,
    /// Pieces of inode tables that could not be read.
    unreadable: u64,
}

/// Lists deleted inodes, those deleted last at the end.
pub(crate) fn run(args: &ListArgs, out: &mut impl Write) -> Result<(), Failure> {
    let image = image::open(&args.image)?;
    let answer = scan(&image).map_err(|error| Failure::image(&args.image.path, error))?;
    if args.format.json {
        return json::write(&answer, out);
    }
    if args.format.csv {
        return write_csv(&answer, out);
    }
    write_text(&answer, out)?;
    Ok(())
}

fn scan(image: &Image) -> extscope::Result<Answer> {
    let mut scan = DeletedScan::new(image);
    let mut deleted = Vec::new();
    let mut shown = Shown::new("Inodes");
    let unreadable = loop {
        match scan.step_with(&mut |inode| deleted.push(DeletedReport::from(&inode)))? {
            Step::Done(unreadable) => break unreadable,
            Step::More => shown.tell_progress(scan.progress()),
        }
    };
    shown.clear();
    deleted.sort_by_key(|inode| (inode.i_dtime, inode.ino));
    Ok(Answer { deleted, unreadable })
}

fn write_csv(answer: &Answer, out: &mut impl Write) -> Result<(), Failure> {
    let columns = [
        "ino",
        "file_type",
        "permissions",
        "uid",
        "gid",
        "size",
        "i_dtime",
        "blocks",
        "free_blocks",
        "bad_blocks",
    ];
    let mut table = Table::new(out, &columns)?;
    for inode in &answer.deleted {
        table.row(&[
            &inode.ino,
            &cell(inode.file_type.as_deref()),
            &inode.permissions,
            &inode.uid,
            &inode.gid,
            &inode.size,
            &inode.i_dtime,
            &inode.blocks,
            &inode.free_blocks,
            &inode.bad_blocks,
        ])?;
    }
    table.finish()
}

fn write_text(answer: &Answer, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{:>10} {:<10} {:>10} {:>16} {:>12} {:>12}  deleted",
        "inode", "mode", "owner", "size", "blocks", "still free"
    )?;
    for inode in &answer.deleted {
        writeln!(
            out,
            "{:>10} {:<10} {:>10} {:>16} {:>12} {:>12}  {}",
            inode.ino,
            inode.permissions,
            inode.uid,
            grouped(inode.size),
            grouped(inode.blocks),
            grouped(inode.free_blocks),
            time(inode.i_dtime.into())
        )?;
    }
    if answer.unreadable > 0 {
        writeln!(
            out,
            "Pieces of inode tables that cannot be read: {}",
            grouped(answer.unreadable)
        )?;
    }
    Ok(())
}
