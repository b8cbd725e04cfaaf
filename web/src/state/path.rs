//! Paths of files: bytes, for nothing keeps names from being no text.

use core::fmt;
use std::rc::Rc;

/// A path from the root: a slash ahead of each name, nothing for the root itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath(Rc<[u8]>);

impl FilePath {
    /// The root.
    #[must_use]
    pub fn root() -> Self {
        Self(Rc::default())
    }

    /// The path of these bytes; slashes too many are left out.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        let names = bytes.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
        Self(names.flat_map(|name| [b"/", name]).collect::<Vec<_>>().concat().into())
    }

    /// The path that the address bar has: `%` and two digits for what is no plain letter.
    #[must_use]
    pub fn from_address(text: &str) -> Option<Self> {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.bytes();
        while let Some(byte) = rest.next() {
            if byte == b'%' {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                bytes.push(u8::try_from(digit()? * 16 + digit()?).ok()?);
            } else {
                bytes.push(byte);
            }
        }
        Some(Self::new(&bytes))
    }

    /// A path in this directory.
    #[must_use]
    pub fn join(&self, name: &[u8]) -> Self {
        Self([&self.0, b"/".as_slice(), name].concat().into())
    }

    /// Its bytes; none for the root.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Its names.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'/').skip(1)
    }

    /// Its last name; none for the root.
    #[must_use]
    pub fn name(&self) -> Option<&[u8]> {
        self.names().last()
    }

    /// The directory that it is in; the root's is the root.
    #[must_use]
    pub fn parent(&self) -> Self {
        let end = self.0.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        Self(self.0.get(..end).unwrap_or_default().into())
    }

    /// The root and each directory on the way, and the path itself.
    #[must_use]
    pub fn way(&self) -> Vec<Self> {
        let mut way = vec![Self::root()];
        for name in self.names() {
            let next = way.last().map(|at| at.join(name));
            way.extend(next);
        }
        way
    }

    /// The path as it is shown; what is no text or cannot be seen is escaped.
    #[must_use]
    pub fn shown(&self) -> String {
        if self.0.is_empty() { "/".to_owned() } else { extscope::report::escaped(&self.0) }
    }
}

/// As the address bar has it.
impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("/");
        }
        for &byte in &*self.0 {
            if byte.is_ascii_alphanumeric() || b"/._-~+@:,".contains(&byte) {
                write!(f, "{}", char::from(byte))?;
            } else {
                write!(f, "%{byte:02x}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_path_knows_its_names_and_the_way() {
        let path = FilePath::new(b"//var/log/");
        assert_eq!(path.bytes(), b"/var/log");
        assert_eq!(path.names().collect::<Vec<_>>(), [b"var".as_slice(), b"log"]);
        assert_eq!(path.name(), Some(b"log".as_slice()));
        assert_eq!(path.parent(), FilePath::new(b"/var"));
        assert_eq!(path.way(), [FilePath::root(), FilePath::new(b"var"), path.clone()]);
        assert_eq!(FilePath::root().parent(), FilePath::root());
        assert_eq!((FilePath::root().name(), FilePath::root().shown().as_str()), (None, "/"));
    }

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        assert_eq!(FilePath::new(b"a\x1b[2J\xff").shown(), "/a\\u{1b}[2J\\xff");
        assert_eq!(FilePath::new("a\u{202e}b".as_bytes()).shown(), "/a\\u{202e}b");
        assert_eq!(FilePath::from_address("%zz"), None);
        assert_eq!(FilePath::from_address("a%4"), None);
    }

    proptest! {
        #[test]
        fn every_path_survives_the_address_bar(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let path = FilePath::new(&bytes);
            let address = path.to_string();
            prop_assert!(address.is_ascii() && !address.contains(['&', '=', '#', '?']));
            prop_assert_eq!(FilePath::from_address(&address), Some(path));
        }
    }
}
