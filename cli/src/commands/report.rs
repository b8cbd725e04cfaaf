//! `extscope report`: everything worth knowing at once, as a page of HTML that opens offline.

use std::io::Write;
use std::path::PathBuf;

use extscope::report::{WholeReport, WholeScan};
use serde_json::Value;

use crate::args::ImageArgs;
use crate::commands::info;
use crate::failure::Failure;
use crate::image;
use crate::output::{self, Overwrite};
use crate::progress::run_to_end;

/// Which image, and where to write.
#[derive(Debug, clap::Args)]
pub(crate) struct WholeArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Write to this file; without it to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    overwrite: Overwrite,

    /// Write JSON for programs instead of HTML; docs/json.md explains the names
    #[arg(long)]
    json: bool,
}

/// Writes the report.
pub(crate) fn run(args: &WholeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let image = image::open(&args.image)?;
    if let Some(path) = &args.output {
        output::check(path, &args.image, args.overwrite)?;
    }
    let name = args.image.path.file_name().unwrap_or(args.image.path.as_os_str());
    let report = WholeScan::new(&image, name.to_string_lossy().into_owned(), 0)
        .and_then(|scan| run_to_end("Report", scan))
        .map_err(|error| Failure::image(&args.image.path, error))?;
    let text = if args.json { json(&report)?.to_string() + "\n" } else { report.html() };
    let text = text.as_bytes();
    match &args.output {
        Some(path) => {
            output::write(path, &args.image, args.overwrite, |file| Ok(file.write_all(text)?))
        }
        None => Ok(out.write_all(text)?),
    }
}

/// The report with what the image is in the shape of `info --json`.
fn json(report: &WholeReport) -> Result<Value, Failure> {
    let mut value = serde_json::to_value(report)?;
    if let Some(object) = value.as_object_mut() {
        object.insert("info".to_owned(), info::json(&report.info)?);
    }
    Ok(value)
}
