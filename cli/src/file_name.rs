//! Files as they are named on the command line.

use std::convert::Infallible;
use std::str::FromStr;

use extscope::Result;
use extscope::fs::{Filesystem, Inode};
use extscope::io::ByteSource;
use extscope::units::Ino;

/// A file: by its number, or by its path from the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileName {
    /// All digits.
    Ino(Ino),
    /// Anything else.
    Path(String),
}

impl FromStr for FileName {
    type Err = Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Infallible> {
        Ok(match text.parse() {
            Ok(ino) => Self::Ino(Ino::new(ino)),
            Err(_) => Self::Path(text.to_owned()),
        })
    }
}

impl FileName {
    /// The inode. A symbolic link at the end of a path is followed where `follow` says so.
    pub(crate) fn find<S: ByteSource>(&self, fs: &Filesystem<S>, follow: bool) -> Result<Inode> {
        match self {
            Self::Ino(ino) => fs.inode(*ino),
            Self::Path(path) => fs.resolve(path.as_bytes(), follow),
        }
    }

    /// The name as it was given.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Ino(ino) => format!("inode {ino}"),
            Self::Path(path) => path.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_a_number_and_a_slash_makes_them_a_path() {
        assert_eq!("12".parse(), Ok(FileName::Ino(Ino::new(12))));
        assert_eq!("/12".parse(), Ok(FileName::Path("/12".to_owned())));
        assert_eq!("4294967296".parse(), Ok(FileName::Path("4294967296".to_owned())));
    }
}
