//! Directories as far as they were opened, and the file that is looked at.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use extscope::Error;
use extscope::ondisk::reserved;
use extscope::units::Ino;

use super::{Asks, FilePath};
use crate::protocol::{DirPart, DirRow, FileDetail, Request};

/// Directories as far as they were opened, and the file that is looked at.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The directories.
    pub tree: Rc<Tree>,
    /// The file that is looked at.
    pub chosen: Option<Chosen>,
}

/// Directories as far as they were opened.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// What is in the directories that were asked for.
    dirs: HashMap<Ino, Rc<Dir>>,
    /// Paths of the directories whose names are shown.
    open: BTreeSet<FilePath>,
}

/// What is in a directory.
#[derive(Clone, Debug, Default)]
pub struct Dir {
    /// The names, in the order of the disk.
    pub rows: Vec<Rc<DirRow>>,
    /// What of it could not be read.
    pub faults: Vec<Error>,
    /// Whether all names are here that will be.
    pub is_whole: bool,
    /// Whether there are more names than are shown.
    pub is_cut: bool,
}

/// The file that is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Its path, where it was come to by one or all names are known.
    pub path: Option<FilePath>,
    /// Its inode, once that is known.
    pub ino: Option<Ino>,
    /// What is known of it.
    pub file: Look,
}

/// What is known of a file.
#[derive(Clone, Debug, Default)]
pub enum Look {
    /// The worker was asked.
    #[default]
    Asked,
    /// The worker answered.
    Here(Rc<FileDetail>),
    /// It cannot be told of.
    Failed(Error),
}

impl PartialEq for Look {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Asked, Self::Asked) => true,
            (Self::Here(a), Self::Here(b)) => Rc::ptr_eq(a, b),
            (Self::Failed(a), Self::Failed(b)) => a == b,
            _ => false,
        }
    }
}

impl Tree {
    /// What is in a directory, once it was asked for.
    #[must_use]
    pub fn dir(&self, ino: Ino) -> Option<&Rc<Dir>> {
        self.dirs.get(&ino)
    }

    /// Whether the names of a directory are shown.
    #[must_use]
    pub fn is_open(&self, path: &FilePath) -> bool {
        self.open.contains(path)
    }
}

impl Files {
    /// Whether the root was asked for, and this is the file that is looked at.
    pub(super) fn is_at(&self, path: Option<&FilePath>, ino: Option<Ino>) -> bool {
        let is_chosen = match (&self.chosen, path, ino) {
            (None, None, None) => true,
            (Some(chosen), Some(path), _) => chosen.path.as_ref() == Some(path),
            (Some(chosen), None, Some(ino)) => chosen.ino == Some(ino),
            _ => false,
        };
        is_chosen && self.tree.dir(reserved::ROOT).is_some()
    }

    /// Shows the root's names and looks at the file that the address names.
    pub(super) fn go(&mut self, path: Option<&FilePath>, ino: Option<Ino>, asks: &mut Asks) {
        if self.tree.dir(reserved::ROOT).is_none() {
            self.show(&FilePath::root(), reserved::ROOT, asks);
        }
        if self.is_at(path, ino) {
            return;
        }
        self.chosen = None;
        if let Some(path) = path {
            asks.push(Request::Walk { path: path.bytes().to_vec() });
            let (path, file) = (Some(path.clone()), Look::Asked);
            self.chosen = Some(Chosen { path, ino: None, file });
        } else if let Some(ino) = ino {
            self.choose(None, ino, asks);
        }
    }

    /// Shows the names of a directory, or hides them.
    pub(super) fn toggle(&mut self, path: &FilePath, ino: Ino, asks: &mut Asks) {
        if !Rc::make_mut(&mut self.tree).open.remove(path) {
            self.show(path, ino, asks);
        }
    }

    fn show(&mut self, path: &FilePath, ino: Ino, asks: &mut Asks) {
        let tree = Rc::make_mut(&mut self.tree);
        tree.open.insert(path.clone());
        tree.dirs.entry(ino).or_insert_with(|| {
            asks.push(Request::List { dir: ino });
            Rc::default()
        });
    }

    /// Takes in a part of a directory.
    pub(super) fn listed(&mut self, part: DirPart) {
        let tree = Rc::make_mut(&mut self.tree);
        let Some(dir) = tree.dirs.get_mut(&part.dir) else { return };
        let dir = Rc::make_mut(dir);
        dir.rows.extend(part.rows.into_iter().map(Rc::new));
        dir.faults.extend(part.faults);
        dir.is_whole |= part.is_last;
        dir.is_cut |= part.is_cut;
    }

    /// Looks at a file whose inode is known.
    pub(super) fn choose(&mut self, path: Option<FilePath>, ino: Ino, asks: &mut Asks) {
        asks.push(Request::Look { ino });
        self.chosen = Some(Chosen { path, ino: Some(ino), file: Look::Asked });
    }

    /// Takes in the inodes on the way to a path: shows the directories on it.
    pub(super) fn walked(&mut self, path: &[u8], found: Result<Vec<Ino>, Error>, asks: &mut Asks) {
        let Some(chosen) = &mut self.chosen else { return };
        let path = FilePath::new(path);
        if chosen.path.as_ref() != Some(&path) {
            return;
        }
        match found {
            Ok(inos) => {
                if let Some(&ino) = inos.last()
                    && chosen.ino.is_none()
                {
                    self.choose(Some(path.clone()), ino, asks);
                }
                let way = path.way();
                let dirs = way.iter().zip(&inos).take(inos.len().saturating_sub(1));
                for (dir, &ino) in dirs {
                    self.show(dir, ino, asks);
                }
            }
            Err(error) if chosen.ino.is_none() => chosen.file = Look::Failed(error),
            Err(_) => {}
        }
    }

    /// Takes in what there is to say of a file, unless another is looked at meanwhile. The
    /// directories on a path that only shows now are shown, too.
    pub(super) fn looked(&mut self, ino: Ino, look: Look, asks: &mut Asks) {
        let chosen = self.chosen.as_mut().filter(|chosen| chosen.ino == Some(ino));
        let Some(chosen) = chosen else { return };
        if let (None, Look::Here(detail)) = (&chosen.path, &look)
            && let Some(path) = &detail.path
        {
            let path = FilePath::new(path);
            asks.push(Request::Walk { path: path.bytes().to_vec() });
            chosen.path = Some(path);
        }
        chosen.file = look;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(asks: &Asks) -> Vec<Request> {
        asks.from(0).cloned().collect()
    }

    fn part(dir: Ino, names: &[&str], is_last: bool) -> DirPart {
        let row = |name: &&str| DirRow {
            name: name.as_bytes().to_vec(),
            ino: Ino::new(12),
            node: Err(Error::corrupt("not read")),
        };
        let rows = names.iter().map(row).collect();
        DirPart { dir, rows, faults: Vec::new(), is_last, is_cut: false }
    }

    #[test]
    fn a_directory_is_asked_for_once_and_its_parts_are_joined() {
        let (mut files, mut asks) = (Files::default(), Asks::default());
        files.go(None, None, &mut asks);
        files.listed(part(reserved::ROOT, &["a", "b"], false));
        files.listed(part(reserved::ROOT, &["c"], true));
        files.listed(part(Ino::new(99), &["nobody asked"], true));
        let dir = files.tree.dir(reserved::ROOT).expect("it was asked for");
        assert_eq!((dir.rows.len(), dir.is_whole), (3, true));
        files.toggle(&FilePath::root(), reserved::ROOT, &mut asks);
        assert!(!files.tree.is_open(&FilePath::root()));
        files.toggle(&FilePath::root(), reserved::ROOT, &mut asks);
        assert!(files.tree.is_open(&FilePath::root()));
        assert_eq!(asked(&asks), [Request::List { dir: reserved::ROOT }]);
    }

    #[test]
    fn a_path_is_walked_to_and_the_directories_on_it_are_opened() {
        let (mut files, mut asks) = (Files::default(), Asks::default());
        let path = FilePath::new(b"/etc/passwd");
        files.go(Some(&path), None, &mut asks);
        files.go(Some(&path), None, &mut asks);
        let inos = [2, 20, 21].map(Ino::new);
        files.walked(b"/etc/passwd", Ok(inos.to_vec()), &mut asks);
        files.walked(b"/etc/passwd", Ok(inos.to_vec()), &mut asks);
        let due = [
            Request::List { dir: inos[0] },
            Request::Walk { path: b"/etc/passwd".to_vec() },
            Request::Look { ino: inos[2] },
            Request::List { dir: inos[1] },
        ];
        assert_eq!(asked(&asks), due);
        assert!(files.tree.is_open(&FilePath::new(b"/etc")));
        assert!(files.is_at(Some(&path), None));
    }

    #[test]
    fn an_answer_about_another_file_changes_nothing() {
        let (mut files, mut asks) = (Files::default(), Asks::default());
        files.choose(None, Ino::new(12), &mut asks);
        files.looked(Ino::new(13), Look::Failed(Error::corrupt("of another")), &mut asks);
        assert_eq!(files.chosen.as_ref().map(|chosen| &chosen.file), Some(&Look::Asked));
        let path = FilePath::new(b"/gone");
        files.go(Some(&path), None, &mut asks);
        files.walked(b"/elsewhere", Ok(vec![reserved::ROOT]), &mut asks);
        files.walked(b"/gone", Err(Error::corrupt("not there")), &mut asks);
        let look = files.chosen.map(|chosen| chosen.file);
        assert_eq!(look, Some(Look::Failed(Error::corrupt("not there"))));
    }
}
