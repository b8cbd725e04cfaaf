//! The rows of the tree of files: which, and in which order.

use std::cmp::Ordering;
use std::rc::Rc;

use extscope::ondisk::reserved;
use extscope::units::Ino;

use crate::protocol::{DirRow, FileType, NodeRow};
use crate::state::{Dir, FileColumn, FilePath, FileSort, Tree};

/// A row of the tree.
#[derive(Clone, Debug)]
pub struct FileRow {
    /// Directories between it and the root.
    pub depth: usize,
    /// The directory it is in.
    pub parent: FilePath,
    /// What it shows.
    pub line: FileLine,
}

/// What a row of the tree shows.
#[derive(Clone, Debug)]
pub enum FileLine {
    /// A name.
    Name {
        /// The name.
        row: Rc<DirRow>,
        /// Whether it is a directory whose names follow.
        is_open: bool,
    },
    /// The names of a directory are still being read.
    Waiting,
    /// There is nothing in the directory.
    Empty,
    /// Something of the directory cannot be read; why.
    Fault(String),
    /// The directory has more names than are shown.
    Cut(usize),
}

impl FileRow {
    /// The name that it shows, if it does.
    #[must_use]
    pub fn name(&self) -> Option<&DirRow> {
        match &self.line {
            FileLine::Name { row, .. } => Some(row),
            _ => None,
        }
    }

    /// The path of that name.
    #[must_use]
    pub fn path(&self) -> Option<FilePath> {
        self.name().map(|row| self.parent.join(&row.name))
    }
}

/// The rows of the directories that are open, in the order of `sort`.
#[must_use]
pub fn file_rows(tree: &Tree, sort: FileSort) -> Vec<FileRow> {
    let mut rows = Vec::new();
    add(&mut rows, tree, sort, 0, &FilePath::root(), reserved::ROOT);
    rows
}

/// What the name's inode is; a type that means nothing is that of no file.
#[must_use]
pub fn file_type(row: &DirRow) -> Option<FileType> {
    row.node.as_ref().ok().and_then(|node| FileType::from_mode(node.mode))
}

fn add(
    rows: &mut Vec<FileRow>,
    tree: &Tree,
    sort: FileSort,
    depth: usize,
    path: &FilePath,
    ino: Ino,
) {
    let Some(dir) = tree.dir(ino) else { return };
    let row = |line| FileRow { depth, parent: path.clone(), line };
    for name in sorted(dir, sort) {
        let below = (file_type(name) == Some(FileType::Dir)).then(|| path.join(&name.name));
        let is_open = below.as_ref().is_some_and(|below| tree.is_open(below));
        rows.push(row(FileLine::Name { row: Rc::clone(name), is_open }));
        if let Some(below) = below.filter(|_| is_open) {
            add(rows, tree, sort, depth + 1, &below, name.ino);
        }
    }
    rows.extend(dir.faults.iter().map(|fault| row(FileLine::Fault(fault.to_string()))));
    if !dir.is_whole {
        rows.push(row(FileLine::Waiting));
    } else if dir.is_cut {
        rows.push(row(FileLine::Cut(dir.rows.len())));
    } else if dir.rows.is_empty() && dir.faults.is_empty() {
        rows.push(row(FileLine::Empty));
    }
}

fn sorted(dir: &Dir, sort: FileSort) -> Vec<&Rc<DirRow>> {
    let mut rows: Vec<_> = dir.rows.iter().collect();
    rows.sort_by(|a, b| compare(a, b, sort));
    rows
}

fn compare(a: &DirRow, b: &DirRow, sort: FileSort) -> Ordering {
    let node = |row: &DirRow| row.node.as_ref().map_or(NodeRow::default(), |node| *node);
    let (left, right) = (node(a), node(b));
    let extents = |node: NodeRow| node.frag.map_or(0, |frag| frag.extents);
    let slowdown = |node: NodeRow| node.frag.map_or(0.0, |frag| frag.slowdown);
    let by_name = || {
        let left = a.name.iter().map(u8::to_ascii_lowercase);
        left.cmp(b.name.iter().map(u8::to_ascii_lowercase)).then_with(|| a.name.cmp(&b.name))
    };
    let by_column = match sort.column {
        // Whatever the direction, directories come first.
        FileColumn::Name => {
            let is_file = |row: &DirRow| file_type(row) != Some(FileType::Dir);
            let kinds = is_file(a).cmp(&is_file(b));
            if kinds != Ordering::Equal {
                return kinds;
            }
            by_name()
        }
        FileColumn::Size => left.size.cmp(&right.size),
        FileColumn::Extents => extents(left).cmp(&extents(right)),
        FileColumn::Slowdown => slowdown(left).total_cmp(&slowdown(right)),
        FileColumn::Inode => a.ino.cmp(&b.ino),
        FileColumn::Changed => left.mtime.cmp(&right.mtime),
    };
    let by_column = if sort.descending { by_column.reverse() } else { by_column };
    by_column.then_with(by_name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{DirPart, Epoch, FragRow, Reply};
    use crate::state::testing::ready;
    use crate::state::{Action, AppState, View};

    fn name(name: &str, ino: u32, mode: u16, size: u64) -> DirRow {
        let frag = Some(FragRow { extents: size / 10, slowdown: 1.0 });
        let node = Ok(NodeRow { mode, size, frag, ..NodeRow::default() });
        DirRow { name: name.as_bytes().to_vec(), ino: Ino::new(ino), node }
    }

    fn list(state: AppState, dir: u32, rows: Vec<DirRow>, is_last: bool) -> AppState {
        let part = DirPart { dir: Ino::new(dir), rows, faults: Vec::new(), is_last, is_cut: false };
        state.after(Action::Replied { epoch: Epoch::FIRST, reply: Reply::Listed(part) })
    }

    fn tree() -> AppState {
        let state = ready().after(Action::Show(View::Files));
        let root = vec![
            name("zoo", 13, 0o040_755, 1024),
            name("B", 14, 0o100_644, 30),
            name("a", 15, 0o100_644, 20),
            name("bin", 12, 0o040_755, 1024),
        ];
        let state = list(state, 2, root, true);
        let state =
            state.after(Action::ToggleDir { path: FilePath::new(b"/bin"), ino: Ino::new(12) });
        list(state, 12, vec![name("sh", 16, 0o100_755, 99)], false)
    }

    fn shown(state: &AppState, column: FileColumn, descending: bool) -> Vec<String> {
        let tree = &state.image().expect("an image").files.tree;
        file_rows(tree, FileSort { column, descending })
            .iter()
            .map(|row| match row.path() {
                Some(path) => format!("{}{}", row.depth, path.shown()),
                None => format!("{} {:?}", row.depth, row.line),
            })
            .collect()
    }

    #[test]
    fn open_directories_hold_their_names_and_say_what_is_to_come() {
        let due = ["0/bin", "1/bin/sh", "1 Waiting", "0/zoo", "0/a", "0/B"];
        assert_eq!(shown(&tree(), FileColumn::Name, false), due);
        let state = list(tree(), 12, Vec::new(), true);
        assert_eq!(shown(&state, FileColumn::Name, false).len(), 5);
        let state =
            tree().after(Action::ToggleDir { path: FilePath::new(b"/bin"), ino: Ino::new(12) });
        assert_eq!(shown(&state, FileColumn::Name, false), ["0/bin", "0/zoo", "0/a", "0/B"]);
    }

    #[test]
    fn each_directory_is_sorted_by_itself() {
        let closed =
            tree().after(Action::ToggleDir { path: FilePath::new(b"/bin"), ino: Ino::new(12) });
        let shown = |column, descending| shown(&closed, column, descending);
        assert_eq!(shown(FileColumn::Name, true), ["0/zoo", "0/bin", "0/B", "0/a"]);
        assert_eq!(shown(FileColumn::Size, true), ["0/bin", "0/zoo", "0/B", "0/a"]);
        assert_eq!(shown(FileColumn::Extents, false), ["0/a", "0/B", "0/bin", "0/zoo"]);
        assert_eq!(shown(FileColumn::Inode, false), ["0/bin", "0/zoo", "0/B", "0/a"]);
    }
}
