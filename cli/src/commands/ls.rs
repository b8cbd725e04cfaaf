//! `extscope ls`: what is in a directory.

use std::cell::RefCell;
use std::io::Write;

use extscope::Error;
use extscope::fs::Inode;
use extscope::report::{NameReport, grouped};
use serde::Serialize;
use serde::ser::Serializer;

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::image::{self, Image};
use crate::json;
use crate::table::{Format, Table, cell};

/// Which directory of which image.
#[derive(Debug, clap::Args)]
pub(crate) struct LsArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Path from the root, or inode number; symbolic links are followed
    #[arg(default_value = "/")]
    file: FileName,

    #[command(flatten)]
    format: Format,
}

/// A name, or why it or the names behind it cannot be told.
#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Name(NameReport),
    Error { error: Error },
}

/// Lists a directory, each name as soon as it is read; anything else is listed itself.
pub(crate) fn run(args: &LsArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let fail = |error| Failure::image(&args.image.path, error);
    let inode = args.file.find(&filesystem, true).map_err(fail)?;
    let lines = lines(&filesystem, &inode, args.file.text()).map_err(fail)?;
    if args.format.json {
        return json::write(&Json { names: Lines(RefCell::new(lines)) }, out);
    }
    if args.format.csv {
        return write_csv(lines, out);
    }
    for line in lines {
        match line {
            Line::Name(name) => write_name(&name, out)?,
            Line::Error { error } => writeln!(out, "? {error}")?,
        }
    }
    Ok(())
}

/// Writes the names; those that cannot be told are told of on standard error.
fn write_csv(lines: impl Iterator<Item = Line>, out: &mut impl Write) -> Result<(), Failure> {
    let columns = [
        "ino",
        "name",
        "file_type",
        "permissions",
        "links",
        "uid",
        "gid",
        "size",
        "device_major",
        "device_minor",
        "mtime_seconds",
        "mtime_nanoseconds",
        "symlink_target",
    ];
    let mut table = Table::new(out, &columns)?;
    for line in lines {
        let name = match line {
            Line::Name(name) => name,
            Line::Error { error } => {
                eprintln!("extscope: {error}");
                continue;
            }
        };
        table.row(&[
            &name.ino,
            &name.name,
            &cell(name.file_type.as_deref()),
            &name.permissions,
            &name.links,
            &name.uid,
            &name.gid,
            &name.size,
            &cell(name.device.map(|(major, _)| major)),
            &cell(name.device.map(|(_, minor)| minor)),
            &name.mtime.seconds,
            &name.mtime.nanoseconds,
            &cell(name.symlink_target.as_deref()),
        ])?;
    }
    table.finish()
}

/// The names of a directory in the order in which they lie, or the one of a file.
fn lines<'a>(
    filesystem: &'a Image,
    inode: &'a Inode,
    name: String,
) -> extscope::Result<Box<dyn Iterator<Item = Line> + 'a>> {
    if !inode.is_dir() {
        let only = Line::Name(NameReport::of_inode(filesystem, inode, name)?);
        return Ok(Box::new(std::iter::once(only)));
    }
    let entries = filesystem.dir_entries(inode)?;
    Ok(Box::new(entries.map(|entry| {
        match entry.and_then(|entry| NameReport::new(filesystem, &entry)) {
            Ok(name) => Line::Name(name),
            Err(error) => Line::Error { error },
        }
    })))
}

#[derive(Serialize)]
struct Json<'a> {
    names: Lines<'a>,
}

/// The lines as a sequence that is never held as a whole.
struct Lines<'a>(RefCell<Box<dyn Iterator<Item = Line> + 'a>>);

impl Serialize for Lines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut *self.0.borrow_mut())
    }
}

fn write_name(name: &NameReport, out: &mut impl Write) -> std::io::Result<()> {
    let size = match name.device {
        Some((major, minor)) => format!("{major}:{minor}"),
        None => grouped(name.size),
    };
    write!(
        out,
        "{:>10} {} {:>4} {:>6} {:>6} {size:>14} {} {}",
        name.ino,
        name.permissions,
        name.links,
        name.uid,
        name.gid,
        name.mtime.text(),
        name.name
    )?;
    match &name.symlink_target {
        Some(target) => writeln!(out, " -> {target}"),
        None => writeln!(out),
    }
}
