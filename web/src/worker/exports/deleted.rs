//! Every inode that was deleted as a table.

use std::rc::Rc;

use extscope::Result;
use extscope::analysis::DeletedScan;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::report::DeletedReport;
use extscope::task::{Progress, Step, Task};

use super::table::Rows;
use crate::text::number;

/// Every inode that was deleted, in the order of their numbers.
#[derive(Debug)]
pub(super) struct DeletedInodes<S>(DeletedScan<Rc<Filesystem<S>>>);

impl<S: ByteSource> DeletedInodes<S> {
    /// Nothing is read yet.
    pub(super) fn new(fs: Rc<Filesystem<S>>) -> Self {
        Self(DeletedScan::new(fs))
    }
}

impl<S: ByteSource> Rows for DeletedInodes<S> {
    type Row = DeletedReport;

    fn step(&mut self, rows: &mut Vec<DeletedReport>) -> Result<Step<Vec<String>>> {
        let step = self.0.step_with(&mut |deleted| rows.push(DeletedReport::from(&deleted)))?;
        Ok(match step {
            Step::More => Step::More,
            Step::Done(0) => Step::Done(Vec::new()),
            Step::Done(unreadable) => {
                let pieces = number::count_of(unreadable, "piece", "pieces");
                Step::Done(vec![format!("{pieces} of inode tables cannot be read")])
            }
        })
    }

    fn progress(&self) -> Progress {
        self.0.progress()
    }
}
