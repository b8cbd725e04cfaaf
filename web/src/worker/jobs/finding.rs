//! A search among the names of all directories.

use std::ops::Deref;
use std::rc::Rc;

use extscope::analysis::{NameScan, Names};
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::task::{Step, Task};
use extscope::units::Ino;

use super::Stepped;
use crate::protocol::{FoundName, FoundNames, Reply};

/// Files that are told of.
const MOST: usize = 8;

/// A search: all names are read first, unless they were before.
#[derive(Debug)]
pub(super) struct Finding<F> {
    scan: Box<NameScan<F>>,
    text: String,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>>> Finding<F> {
    /// Nothing is read yet.
    pub(super) fn new(fs: F, text: String) -> Self {
        Self { scan: Box::new(NameScan::new(fs)), text }
    }

    /// Looks for something else.
    pub(super) fn look_for(&mut self, text: String) {
        self.text = text;
    }

    /// Reads some names; leaves them in `names` at the end.
    pub(super) fn step(&mut self, due: bool, names: &mut Option<Rc<Names>>) -> Stepped {
        match self.scan.step() {
            Ok(Step::More) => Stepped::More(due.then(|| Reply::Finding(self.scan.progress()))),
            Ok(Step::Done(all)) => {
                let found = find(&all, &self.text);
                *names = Some(Rc::new(all));
                let text = core::mem::take(&mut self.text);
                Stepped::Over(Reply::Found { text, found: Ok(Box::new(found)) })
            }
            Err(error) => {
                let text = core::mem::take(&mut self.text);
                Stepped::Over(Reply::Found { text, found: Err(error) })
            }
        }
    }
}

/// The files in whose names the text is, in letters of either case; with slashes in it, those in
/// whose paths it is.
pub(super) fn find(names: &Names, text: &str) -> FoundNames {
    let text = text.as_bytes();
    let last = text.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let has_slash = last.len() < text.len();
    let mut found = FoundNames::default();
    let mut best: Vec<(bool, usize, Vec<u8>, Ino)> = Vec::new();
    for (ino, name) in names.iter().filter(|(_, name)| contains(name, last)) {
        let path = || names.path(ino).filter(|path| contains(path, text));
        if has_slash && path().is_none() {
            continue;
        }
        found.count = found.count.saturating_add(1);
        let is_start = name.get(..last.len()).is_some_and(|it| it.eq_ignore_ascii_case(last));
        let rank = (!is_start, name.len(), name.to_vec(), ino);
        if best.len() < MOST || best.last().is_some_and(|worst| rank < *worst) {
            let at = best.partition_point(|known| *known < rank);
            best.insert(at, rank);
            best.truncate(MOST);
        }
    }
    let inos = best.into_iter().map(|(.., ino)| ino);
    found.files =
        inos.filter_map(|ino| names.path(ino).map(|path| FoundName { path, ino })).collect();
    found
}

fn contains(name: &[u8], text: &[u8]) -> bool {
    text.is_empty() || name.windows(text.len()).any(|it| it.eq_ignore_ascii_case(text))
}
