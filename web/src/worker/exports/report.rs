//! Everything worth knowing of the image, as a page of HTML or an object of JSON.

use std::rc::Rc;

use extscope::Result;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::report::{ByName, WholeReport, WholeScan};
use extscope::task::{Progress, Step, Task};
use extscope::units::Ino;
use serde_json::Value;

use super::table::unwritten;
use super::{GAP_BYTES, Output};
use crate::protocol::{NamesTold, ReportFormat};

/// The report being made.
#[derive(Debug)]
pub(super) struct Report<S> {
    scan: WholeScan<Rc<Filesystem<S>>>,
    format: ReportFormat,
    names: NamesTold,
}

impl<S: ByteSource> Report<S> {
    /// Nothing is read yet.
    ///
    /// # Errors
    /// Those of [`WholeScan::new`].
    pub(super) fn new(
        fs: Rc<Filesystem<S>>,
        format: ReportFormat,
        names: NamesTold,
    ) -> Result<Self> {
        let title = title(&fs);
        Ok(Self { scan: WholeScan::new(fs, title, GAP_BYTES)?, format, names })
    }
}

impl<S: ByteSource> Output for Report<S> {
    fn step(&mut self, bytes: &mut Vec<u8>) -> Result<Step<Vec<String>>> {
        let Step::Done(mut report) = self.scan.step()? else { return Ok(Step::More) };
        tell_names(&mut report, self.names);
        match self.format {
            ReportFormat::Html => bytes.extend(report.html().bytes()),
            ReportFormat::Json => {
                let json = json(&report).map_err(unwritten)?;
                bytes.extend(json.to_string().bytes());
                bytes.push(b'\n');
            }
        }
        Ok(Step::Done(Vec::new()))
    }

    fn progress(&self) -> Progress {
        self.scan.progress()
    }
}

/// The report as the command line has it: the superblock an object, its fields under their kernel
/// names.
fn json(report: &WholeReport) -> serde_json::Result<Value> {
    let mut value = serde_json::to_value(report)?;
    if let Some(info) = value.get_mut("info").and_then(Value::as_object_mut) {
        let superblock = serde_json::to_value(ByName(&report.info.superblock))?;
        info.insert("superblock".to_owned(), superblock);
    }
    Ok(value)
}

/// The label, or the UUID where there is none.
fn title<S: ByteSource>(fs: &Filesystem<S>) -> String {
    let superblock = fs.superblock();
    let label = extscope::report::padded_text(&superblock.s_volume_name);
    if label.is_empty() { extscope::report::uuid(superblock.s_uuid) } else { label }
}

fn tell_names(report: &mut WholeReport, names: NamesTold) {
    for file in report.fragmented.iter_mut().chain(&mut report.largest) {
        file.path = names.tell(file.path.take(), Ino::new(file.ino));
    }
    for dir in &mut report.usage.dirs {
        dir.path = names.tell(dir.path.take(), Ino::new(dir.ino));
    }
    if names == NamesTold::Hidden {
        // The directory that it was mounted on is one of another filesystem, and a name, too.
        report.info.superblock.retain(|field| field.name != "s_last_mounted");
    }
}
