//! `extscope scenario`: made-up filesystems, listed or written to a file.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use extscope::io::ByteSource;
use extscope::report::bytes;
use extscope::scenario::{self, KEYS, Recipe, Scenario};
use extscope::{Error, ErrorKind};
use serde::Serialize;

use crate::failure::Failure;
use crate::json;
use crate::output::{self, Overwrite};
use crate::progress::Shown;

/// The longest file that ext4 itself can hold, with blocks of 4 KiB: block numbers in it end below 2³².
const LONGEST_FILE: u64 = ((1 << 32) - 1) * 4096;

/// Bytes that are made up at once.
const PIECE: u64 = 1 << 20;

/// Bytes of which some must be other than 0 to be written.
const GRAIN: usize = 4096;

/// Which filesystem to make up, and where to put it.
#[derive(Debug, clap::Args)]
pub(crate) struct ScenarioArgs {
    /// A name, settings, or both: half-full, size=1g,fill=40, half-full,seed=7
    #[arg(value_name = "RECIPE", required_unless_present = "list", requires = "output")]
    recipe: Option<String>,

    /// Write it to this file, which is sparse; it is shorter than 16 TiB
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    overwrite: Overwrite,

    /// List the names and the settings
    #[arg(long, conflicts_with_all = ["recipe", "output"])]
    list: bool,

    /// List the names as JSON for programs; docs/json.md explains the names
    #[arg(long, requires = "list")]
    json: bool,
}

/// Writes a scenario to a file, or lists what there is.
pub(crate) fn run(args: &ScenarioArgs, out: &mut impl Write) -> Result<(), Failure> {
    match (&args.recipe, &args.output) {
        (Some(recipe), Some(path)) => write(recipe, path, args.overwrite, out),
        _ if args.json => json::write(&scenario::named().map(Listed::new).collect::<Vec<_>>(), out),
        _ => Ok(list(out)?),
    }
}

/// A scenario with a name, for programs.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    report: Option<&'static str>,
    recipe: Recipe,
}

impl Listed {
    fn new(named: &scenario::Named) -> Self {
        let scenario::Named { name, about, report, .. } = *named;
        Self { name, about, report, recipe: named.recipe() }
    }
}

fn list(out: &mut impl Write) -> std::io::Result<()> {
    for named in scenario::named() {
        let report = named.report.map(|report| format!(" ({report})")).unwrap_or_default();
        writeln!(out, "{:<14} {}{report}", named.name, named.about)?;
    }
    writeln!(out, "\nSettings, behind a name or alone, as in half-full,fill=40,seed=7:")?;
    KEYS.iter().try_for_each(|key| writeln!(out, "  {:<12} {}", key.name, key.about))?;
    writeln!(
        out,
        "\nWherever an image is named, scenario:RECIPE can be: extscope info scenario:pebibyte"
    )
}

fn write(
    text: &str,
    path: &Path,
    overwrite: Overwrite,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let fail = |error| Failure::image(Path::new(text), error);
    let recipe = text.parse().map_err(fail)?;
    let scenario = Scenario::new(&recipe).map_err(fail)?;
    if scenario.len() > LONGEST_FILE {
        let what = format!("{} are too many for a file", bytes(scenario.len()));
        return Err(fail(Error::new(ErrorKind::Limit, what).with_hint(format!(
            "Name scenario:{text} where an image is asked for, or add a size, such as size=1g."
        ))));
    }
    // Only a file can have holes.
    output::refuse(path, |there| !there.is_file())?;
    let file = output::open(path, overwrite)?;
    let written = output::finish(path, file, |file| write_all(&scenario, text, file))?;
    writeln!(
        out,
        "{}: {}, of which {} are written",
        path.display(),
        bytes(scenario.len()),
        bytes(written)
    )?;
    Ok(())
}

/// Writes all that is not zeros; gives how many bytes that is.
fn write_all(scenario: &Scenario, text: &str, file: &mut File) -> Result<u64, Failure> {
    let fail = |error| Failure::image(Path::new(text), error);
    file.set_len(scenario.len())?;
    let mut shown = Shown::new("Writing");
    let mut written = 0;
    let mut piece = Vec::new();
    for range in scenario.written() {
        let range = range.map_err(fail)?;
        let mut at = range.start;
        while at < range.end {
            let len = (range.end - at).min(PIECE);
            piece.resize(usize::try_from(len).unwrap_or(usize::MAX), 0);
            scenario.read_at(at, &mut piece).map_err(fail)?;
            written += write_sparse(file, at, &piece)?;
            at += len;
        }
        shown.tell(|| format!("{} of {}", bytes(at), bytes(scenario.len())));
    }
    shown.clear();
    Ok(written)
}

/// Writes what is not zeros; gives how many bytes that is.
fn write_sparse(file: &mut File, at: u64, piece: &[u8]) -> std::io::Result<u64> {
    let mut written = 0;
    for (grain, at) in piece.chunks(GRAIN).zip((at..).step_by(GRAIN)) {
        if grain.iter().any(|byte| *byte != 0) {
            file.seek(SeekFrom::Start(at))?;
            file.write_all(grain)?;
            written += grain.len() as u64;
        }
    }
    Ok(written)
}
