//! `extscope file`: an inode, its attributes, and how it lies on the disk.

use std::cell::RefCell;
use std::io::Write;

use extscope::analysis::FileFrag;
use extscope::fs::Geometry;
use extscope::io::Overlay;
use extscope::report::{ExtentReport, ExtentRows, FragReport, InodeReport, grouped};
use serde::Serialize;
use serde::ser::Serializer;

use crate::commands::inode::{InodeArgs, write_fields};
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::image;
use crate::json;
use crate::table::{Table, cell};

/// Reports a file; every extent as soon as it is read.
pub(crate) fn run(args: &InodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let inode = args
        .file
        .find(&filesystem, false)
        .map_err(|error| Failure::image(&args.image.path, error))?;
    let report = InodeReport::new(&filesystem, &inode);
    let rows = ExtentRows::new(&filesystem, &inode);
    let path = match &args.file {
        FileName::Path(path) => Some(path.as_bytes()),
        FileName::Ino(_) => None,
    };
    if args.format.json {
        let rows = RefCell::new(rows);
        let layout = Layout { rows: &rows, geometry: filesystem.geometry(), path };
        return json::write(&Json { inode: report, extents: Extents(&rows), layout }, out);
    }
    if args.format.csv {
        return write_csv(rows, filesystem.geometry().block_size(), out);
    }
    write_fields(&report, out)?;
    writeln!(out, "\nAs filefrag -v lists it")?;
    let frag = write_extents(rows, out)?;
    write_layout(&FragReport::new(filesystem.geometry(), &frag, path), out)?;
    Ok(())
}

type Rows<'a> = ExtentRows<'a, Overlay<image::Source>>;

#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    inode: InodeReport,
    extents: Extents<'a>,
    layout: Layout<'a>,
}

/// The extents as a sequence that is never held as a whole.
struct Extents<'a>(&'a RefCell<Rows<'a>>);

/// What the extents add up to, once they were gone through.
struct Layout<'a> {
    rows: &'a RefCell<Rows<'a>>,
    geometry: &'a Geometry,
    path: Option<&'a [u8]>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Row {
    Extent(ExtentReport),
    Error { error: extscope::Error },
}

impl Serialize for Extents<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = self.0.borrow_mut();
        let rows = rows.by_ref().map(|row| match row {
            Ok(extent) => Row::Extent(extent),
            Err(error) => Row::Error { error },
        });
        serializer.collect_seq(rows)
    }
}

impl Serialize for Layout<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let frag = self.rows.borrow().frag();
        FragReport::new(self.geometry, &frag, self.path).serialize(serializer)
    }
}

/// Writes the extents; what cannot be followed is told of on standard error.
fn write_csv(rows: Rows<'_>, block_size: u32, out: &mut impl Write) -> Result<(), Failure> {
    let columns = ["logical", "physical", "length", "expected", "byte", "bytes", "flags"];
    let mut table = Table::new(out, &columns)?;
    for row in rows {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                eprintln!("extscope: {error}");
                continue;
            }
        };
        // Of data inside the inode, all numbers are bytes.
        let is_inline = row.flags.iter().any(|flag| flag == "inline");
        let unit = if is_inline { 1 } else { u64::from(block_size) };
        table.row(&[
            &row.logical,
            &row.physical,
            &row.length,
            &cell(row.expected),
            &row.physical.saturating_mul(unit),
            &row.length.saturating_mul(unit),
            &row.flags.join(" "),
        ])?;
    }
    table.finish()
}

/// Writes `filefrag`'s table; gives what the extents add up to.
fn write_extents(mut rows: Rows<'_>, out: &mut impl Write) -> std::io::Result<FileFrag> {
    writeln!(
        out,
        "{:>4}: {:>22} {:>26} {:>8} {:>12} flags:",
        "ext", "logical_offset:", "physical_offset:", "length:", "expected:"
    )?;
    let mut count = 0_u64;
    for row in rows.by_ref() {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                writeln!(out, "   ?: {error}")?;
                continue;
            }
        };
        let last = |first: u64| first.saturating_add(row.length.saturating_sub(1));
        let expected = row.expected.map_or_else(String::new, |block| format!("{block}:"));
        writeln!(
            out,
            "{count:>4}: {:>9}..{:>10}: {:>11}..{:>12}: {:>7}: {expected:>12} {}",
            row.logical,
            last(row.logical),
            row.physical,
            last(row.physical),
            row.length,
            row.flags.join(",")
        )?;
        count += 1;
    }
    Ok(rows.frag())
}

fn write_layout(layout: &FragReport, out: &mut impl Write) -> std::io::Result<()> {
    let perfection = layout
        .perfect_extents
        .filter(|perfect| *perfect < layout.fragments)
        .map_or_else(String::new, |perfect| format!(", perfection would be {}", grouped(perfect)));
    let mut line = |label: &str, value: String| writeln!(out, "  {label:<24}{value}");
    line("Extents as filefrag sums", format!("{}{perfection}", grouped(layout.fragments)))?;
    line("Extents as FIEMAP lists", grouped(layout.extents))?;
    line("Fewest for e4defrag", grouped(layout.best_extents))?;
    line("e4defrag's score", format!("{:.0}", layout.e4defrag_score))?;
    let is = if layout.noncontiguous { "yes" } else { "no" };
    line("Non-contiguous to e2fsck", is.to_owned())?;
    line("Blocks", format!("{}, {} unwritten", grouped(layout.blocks), grouped(layout.unwritten)))?;
    line("Nodes that map them", grouped(layout.nodes))?;
    let seeks = format!("{}, {:.1} a MiB", grouped(layout.seeks), layout.seeks_per_mib);
    line("Seeks to read it", seeks)?;
    line("Slower than in one piece", format!("{:.2} times", layout.slowdown))
}
