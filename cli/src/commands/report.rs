//! `extscope report`: everything worth knowing at once, as a page of HTML that opens offline.

use std::io::Write;
use std::path::PathBuf;

use extscope::analysis::{FileFrag, FragTotals, Medium, NameScan, Survey, Usage};
use extscope::report::{
    ClassReport, FragReport, FreeReport, InfoReport, SpecialReport, UsageReport, WholeReport,
    grouped,
};
use extscope::task::{Step, Task as _};
use serde_json::Value;

use crate::args::ImageArgs;
use crate::commands::info;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::output;
use crate::progress::{Shown, run_to_end};

/// Files, directories and users that are listed.
const MOST: usize = 50;

/// Which image, and where to write.
#[derive(Debug, clap::Args)]
pub(crate) struct WholeArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Write to this file; without it to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write JSON for programs instead of HTML; docs/json.md explains the names
    #[arg(long)]
    json: bool,
}

/// Writes the report.
pub(crate) fn run(args: &WholeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let image = image::open(&args.image)?;
    let name = args.image.path.file_name().unwrap_or(args.image.path.as_os_str());
    let report = whole(&image, name.to_string_lossy().into_owned())
        .map_err(|error| Failure::image(&args.image.path, error))?;
    let text = if args.json { json(&report)?.to_string() + "\n" } else { report.html() };
    match &args.output {
        Some(path) => output::create(path, &args.image.path)?.write_all(text.as_bytes())?,
        None => out.write_all(text.as_bytes())?,
    }
    Ok(())
}

/// The report with what the image is in the shape of `info --json`.
fn json(report: &WholeReport) -> Result<Value, Failure> {
    let mut value = serde_json::to_value(report)?;
    if let Some(object) = value.as_object_mut() {
        object.insert("info".to_owned(), info::json(&report.info)?);
    }
    Ok(value)
}

fn whole(image: &Image, title: String) -> extscope::Result<WholeReport> {
    let geometry = image.geometry();
    let mut totals = FragTotals::default();
    let mut usage = Usage::default();
    let slowdown = |frag: &FileFrag| frag.slowdown(geometry, Medium::DISK);
    let mut fragmented = Top::new(|a: &FileFrag, b: &FileFrag| slowdown(b).total_cmp(&slowdown(a)));
    let mut largest = Top::new(|a: &FileFrag, b: &FileFrag| b.size.cmp(&a.size));
    let mut survey = Survey::new(image);
    let mut shown = Shown::new("Files");
    let map = loop {
        let step = survey.step_with(&mut |inode, frag| {
            totals.add(frag);
            usage.add(inode, frag);
            if frag.blocks > 0 && !frag.is_internal {
                fragmented.add(frag);
                largest.add(frag);
            }
        })?;
        if let Step::Done(map) = step {
            break map;
        }
        shown.tell_progress(survey.progress());
    };
    shown.clear();
    let names = run_to_end("Names", NameScan::new(image))?;
    let files = |top: Vec<FileFrag>| {
        let report =
            |frag: &FileFrag| FragReport::new(geometry, frag, names.path(frag.ino).as_deref());
        top.iter().map(report).collect()
    };
    Ok(WholeReport {
        title,
        info: InfoReport::new(image),
        free: free(image)?,
        classes: ClassReport::of(&map),
        totals,
        free_but_owned: map.free_but_owned().iter().map(|run| run.end - run.start).sum(),
        faults: map.faults().iter().take(MOST).map(ToString::to_string).collect(),
        fault_count: map.fault_count(),
        usage: UsageReport::new(&usage, &names, MOST),
        fragmented: files(fragmented.finish()),
        largest: files(largest.finish()),
        special: SpecialReport::new(image),
    })
}

/// The free extents.
///
/// # Errors
/// Groups were lost.
fn free(image: &Image) -> extscope::Result<FreeReport> {
    let (answer, failure) = super::free::sweep(image, None, None)?;
    if let Some(failure) = failure {
        let failed = grouped(answer.failed_bitmaps);
        eprintln!("extscope: {failed} bitmaps cannot be had and count as used: {failure}");
    }
    Ok(answer.report)
}

/// The first files in some order, of however many.
struct Top<F> {
    order: F,
    files: Vec<FileFrag>,
}

impl<F: Fn(&FileFrag, &FileFrag) -> std::cmp::Ordering> Top<F> {
    fn new(order: F) -> Self {
        Self { order, files: Vec::new() }
    }

    fn add(&mut self, frag: &FileFrag) {
        self.files.push(*frag);
        if self.files.len() > 100 * MOST {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.files.sort_by(|a, b| (self.order)(a, b).then(a.ino.cmp(&b.ino)));
        self.files.truncate(MOST);
    }

    fn finish(mut self) -> Vec<FileFrag> {
        self.cut();
        self.files
    }
}
