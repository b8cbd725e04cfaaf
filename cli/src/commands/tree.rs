//! `extscope tree`: a folder and everything below it.

use std::cell::RefCell;
use std::io::Write;

use extscope::Error;
use extscope::fs::TreeEntry;
use extscope::report::{NameReport, bytes, escaped, grouped};
use serde::Serialize;
use serde::ser::Serializer;

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::image::{self, Image};
use crate::json;
use crate::progress::Shown;

/// Which folder of which image.
#[derive(Debug, clap::Args)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Path from the root, or inode number; symbolic links are followed
    #[arg(default_value = "/")]
    file: FileName,

    /// Show so many levels
    #[arg(short, long, value_name = "LEVELS")]
    depth: Option<usize>,

    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Entry {
        path: String,
        depth: usize,
        #[serde(flatten)]
        name: NameReport,
    },
    Error {
        error: Error,
    },
}

/// The lines as a sequence that is never held as a whole.
struct Lines<I>(RefCell<I>);

#[derive(Serialize)]
#[serde(bound = "I: Iterator<Item = Line>")]
struct Json<I: Iterator<Item = Line>> {
    entries: Lines<I>,
}

impl<I: Iterator<Item = Line>> Serialize for Lines<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut *self.0.borrow_mut())
    }
}

/// Lists everything below a folder, each as soon as it is read.
pub(crate) fn run(args: &TreeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let image = image::open(&args.image)?;
    let fail = |error| Failure::image(&args.image.path, error);
    let folder = args.file.find(&image, true).map_err(fail)?;
    let entries = image.tree(&folder).map_err(fail)?;
    let is_shown = |entry: &extscope::Result<TreeEntry>| {
        let depth = entry.as_ref().map_or(0, |entry| entry.depth);
        args.depth.is_none_or(|most| depth < most)
    };
    let mut shown = Shown::beside_output("Names");
    let mut met = 0;
    let counted = entries.inspect(|_| {
        met += 1;
        shown.tell(|| grouped(met));
    });
    let lines = counted.filter(is_shown).map(|entry| line(&image, entry));
    if args.json {
        return json::write(&Json { entries: Lines(RefCell::new(lines)) }, out);
    }
    writeln!(out, "{}", escaped(args.file.text().as_bytes()))?;
    for line in lines {
        match line {
            Line::Entry { depth, name, .. } => write_name(depth, &name, out)?,
            Line::Error { error } => writeln!(out, "? {error}")?,
        }
    }
    Ok(())
}

fn line(image: &Image, entry: extscope::Result<TreeEntry>) -> Line {
    let told = entry.and_then(|entry| {
        let name = NameReport::of_inode(image, &entry.inode, escaped(&entry.name))?;
        Ok(Line::Entry { path: escaped(&entry.path), depth: entry.depth, name })
    });
    told.unwrap_or_else(|error| Line::Error { error })
}

fn write_name(depth: usize, name: &NameReport, out: &mut impl Write) -> std::io::Result<()> {
    let indent = 2 * (depth + 1);
    write!(out, "{:indent$}{}", "", name.name)?;
    match (&name.symlink_target, name.permissions.chars().next()) {
        (Some(target), _) => writeln!(out, " -> {target}"),
        (None, Some('d')) => writeln!(out, "/"),
        (None, Some('-')) => writeln!(out, "  {}", bytes(name.size)),
        (None, _) => writeln!(out, "  {}", name.permissions),
    }
}
