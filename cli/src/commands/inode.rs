//! `extscope inode`: what `debugfs stat` tells.

use std::io::Write;

use extscope::fs::{CsumState, Inode};
use extscope::report::{BlockRange, InodeReport, MapReport, grouped, hex};
use serde::Serialize;
use serde::ser::Serializer;

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::image::{self, Image};
use crate::json;
use crate::table::{Format, Table};
use crate::text::{self, csum_word};

/// Which inode of which image.
#[derive(Debug, clap::Args)]
pub(crate) struct InodeArgs {
    #[command(flatten)]
    pub(crate) image: ImageArgs,

    /// Inode number, or path from the root; a symbolic link at its end is not followed
    pub(crate) file: FileName,

    #[command(flatten)]
    pub(crate) format: Format,
}

/// Reports an inode and every piece of its map, each as soon as it is read.
pub(crate) fn run(args: &InodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let inode = args
        .file
        .find(&filesystem, false)
        .map_err(|error| Failure::image(&args.image.path, error))?;
    let report = InodeReport::new(&filesystem, &inode);
    let map = Map { filesystem: &filesystem, inode: &inode };
    if args.format.json {
        return json::write(&Json { inode: report, map }, out);
    }
    if args.format.csv {
        return write_csv(&map, filesystem.geometry().block_size(), out);
    }
    write_fields(&report, out)?;
    let mut pieces = map.pieces().peekable();
    if pieces.peek().is_some() {
        writeln!(out, "Blocks of the file, and where they lie")?;
    }
    for piece in pieces {
        write_piece(&piece, out)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    inode: InodeReport,
    map: Map<'a>,
}

/// The map of an inode as a sequence that is never held as a whole.
struct Map<'a> {
    filesystem: &'a Image,
    inode: &'a Inode,
}

impl Map<'_> {
    fn pieces(&self) -> impl Iterator<Item = MapReport> {
        self.filesystem.map_items(self.inode).map(MapReport::from)
    }
}

impl Serialize for Map<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.pieces())
    }
}

/// Writes the map; what cannot be followed is told of on standard error.
fn write_csv(map: &Map<'_>, block_size: u32, out: &mut impl Write) -> Result<(), Failure> {
    let mut table =
        Table::new(out, &["kind", "lblk", "fsblk", "byte", "len", "unwritten", "node", "csum"])?;
    let byte = |fsblk: u64| fsblk.saturating_mul(u64::from(block_size));
    for piece in map.pieces() {
        match piece {
            MapReport::Extent { lblk, fsblk, len, unwritten } => {
                table.row(&[&"extent", &lblk, &fsblk, &byte(fsblk), &len, &unwritten, &"", &""])?;
            }
            MapReport::Node { node, lblk, fsblk, csum } => {
                let csum = csum_word(csum);
                table.row(&[&"node", &lblk, &fsblk, &byte(fsblk), &1, &false, &node, &csum])?;
            }
            MapReport::Error { error } => eprintln!("extscope: {error}"),
        }
    }
    table.finish()
}

/// Writes an inode's fields and attributes.
pub(crate) fn write_fields(inode: &InodeReport, out: &mut impl Write) -> std::io::Result<()> {
    let file_type = inode.file_type.as_deref().unwrap_or("no type");
    write!(out, "Inode {}: {file_type}, {}", inode.ino, inode.permissions)?;
    let digits = if inode.csum_expected.is_some_and(|csum| csum > 0xffff) { 8 } else { 4 };
    writeln!(out, "{}", text::csum(inode.csum, inode.csum_stored, inode.csum_expected, digits))?;
    let mut line = |label: &str, value: String| writeln!(out, "  {label:<14}{value}");
    line("Size", grouped(inode.size))?;
    line("Links", inode.i_links_count.to_string())?;
    line("Owner", format!("{}:{}", inode.uid, inode.gid))?;
    if let Some(projid) = inode.projid.filter(|projid| *projid != 0) {
        line("Project", projid.to_string())?;
    }
    let is_huge = inode.flags.iter().any(|flag| flag == "HUGE_FILE");
    let unit = if is_huge { "blocks" } else { "sectors of 512 bytes" };
    line("Takes up", format!("{} {unit}", grouped(inode.i_blocks)))?;
    let flags = format!("{} {}", hex(inode.i_flags.into(), 8), inode.flags.join(" "));
    line("Flags", flags.trim_end().to_owned())?;
    line("Generation", inode.i_generation.to_string())?;
    line("Version", inode.i_version.to_string())?;
    line("Changed", inode.ctime.text())?;
    line("Accessed", inode.atime.text())?;
    line("Modified", inode.mtime.text())?;
    if let Some(crtime) = inode.crtime {
        line("Created", crtime.text())?;
    }
    if inode.i_dtime != 0 {
        line("Deletion", inode.i_dtime.to_string())?;
    }
    if inode.i_file_acl != 0 {
        line("Attributes in", format!("block {}", inode.i_file_acl))?;
    }
    if let Some((major, minor)) = inode.device {
        line("Device", format!("{major}:{minor}"))?;
    }
    if let Some(target) = &inode.symlink_target {
        line("Leads to", target.clone())?;
    }
    for xattr in &inode.xattrs {
        let value = match (&xattr.value, xattr.value_inode) {
            _ if xattr.acl.is_some() => {
                format!("= {}", xattr.acl.as_deref().unwrap_or_default().join(", "))
            }
            (Some(value), _) => format!("= {value}"),
            (None, Some(ino)) => format!("in inode {ino}"),
            (None, None) => String::new(),
        };
        line("Attribute", format!("{} ({} bytes) {value}", xattr.name, xattr.size))?;
    }
    for error in &inode.errors {
        line("Unreadable", error.to_string())?;
    }
    Ok(())
}

fn write_piece(piece: &MapReport, out: &mut impl Write) -> std::io::Result<()> {
    match piece {
        MapReport::Extent { lblk, fsblk, len, unwritten } => {
            let note = if *unwritten { "  unwritten" } else { "" };
            let run = |first: u64| {
                text::range(&BlockRange { first, last: first + u64::from(len.saturating_sub(1)) })
            };
            writeln!(out, "  {:<22} at {}{note}", run(u64::from(*lblk)), run(*fsblk))
        }
        MapReport::Node { node, fsblk, csum, .. } => {
            let note = if *csum == CsumState::Bad { "  checksum BAD" } else { "" };
            writeln!(out, "  {node} at {fsblk}{note}")
        }
        MapReport::Error { error } => writeln!(out, "  {error}"),
    }
}
