//! Why the engine could not do what it was asked.
//!
//! An [`Error`] says *I could not*: what, where, what to try. What is untrue *in* a filesystem is
//! not an error; that is a problem, and the check finds it.

use core::fmt;
use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::units::{ByteOffset, Fsblk, Group, Ino};

/// `Result` with the engine's [`Error`].
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// What sort of thing went wrong; few, stable, to be matched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The host could not read.
    Io,
    /// There is no ext superblock here.
    NotExt,
    /// A real thing that this program does not do.
    Unsupported,
    /// What was read contradicts itself so that no arithmetic on it makes sense.
    Corrupt,
    /// The place asked for lies outside the image, the filesystem or the structure.
    OutOfBounds,
    /// A cap against hostile images was reached. Ref: [`crate::limits`].
    Limit,
    /// Stopped because the person asked.
    Cancelled,
}

/// Where it went wrong, as far as known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct At {
    /// Byte of the image.
    pub offset: Option<ByteOffset>,
    /// Block of the filesystem.
    pub fsblk: Option<Fsblk>,
    /// Block group.
    pub group: Option<Group>,
    /// Inode.
    pub ino: Option<Ino>,
}

/// What could not be done, where, why, and what to try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error(Box<Inner>);

/// Boxed, so that a `Result` stays small.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Inner {
    kind: ErrorKind,
    what: Cow<'static, str>,
    at: At,
    hint: Option<Cow<'static, str>>,
    cause: Option<String>,
}

impl Error {
    /// An error of `kind`; `what` is a sentence without a full stop.
    #[must_use]
    pub fn new(kind: ErrorKind, what: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner {
            kind,
            what: what.into(),
            at: At::default(),
            hint: None,
            cause: None,
        }))
    }

    /// An [`ErrorKind::Corrupt`] error.
    #[must_use]
    pub fn corrupt(what: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Corrupt, what)
    }

    /// Adds what to try, as a sentence.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Adds what the host said.
    #[must_use]
    pub fn with_cause(mut self, cause: impl fmt::Display) -> Self {
        self.0.cause = Some(cause.to_string());
        self
    }

    /// Adds the byte of the image.
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Self {
        self.0.at.offset = Some(ByteOffset::new(offset));
        self
    }

    /// Adds the block.
    #[must_use]
    pub fn at_fsblk(mut self, fsblk: Fsblk) -> Self {
        self.0.at.fsblk = Some(fsblk);
        self
    }

    /// Adds the block group.
    #[must_use]
    pub fn at_group(mut self, group: Group) -> Self {
        self.0.at.group = Some(group);
        self
    }

    /// Adds the inode.
    #[must_use]
    pub fn at_ino(mut self, ino: Ino) -> Self {
        self.0.at.ino = Some(ino);
        self
    }

    /// What sort of error it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What could not be done.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.0.what
    }

    /// Where.
    #[must_use]
    pub fn at(&self) -> At {
        self.0.at
    }

    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// What the host said.
    #[must_use]
    pub fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = [
            ("group", self.group.map(|n| u64::from(n.get()))),
            ("inode", self.ino.map(|n| u64::from(n.get()))),
            ("block", self.fsblk.map(Fsblk::get)),
            ("byte", self.offset.map(ByteOffset::get)),
        ];
        let mut separator = "";
        for (name, number) in places {
            if let Some(number) = number {
                write!(f, "{separator}{name} {number}")?;
                separator = ", ";
            }
        }
        Ok(())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.what)?;
        if self.0.at != At::default() {
            write!(f, " ({})", self.0.at)?;
        }
        if let Some(cause) = &self.0.cause {
            write!(f, ": {cause}")?;
        }
        Ok(())
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_where_and_why() {
        let error = Error::new(ErrorKind::Io, "cannot read the block bitmap")
            .at_group(Group::new(7))
            .at_fsblk(Fsblk::new(1031))
            .with_cause("end of file");
        assert_eq!(
            error.to_string(),
            "cannot read the block bitmap (group 7, block 1031): end of file"
        );
    }

    #[test]
    fn a_place_is_optional() {
        assert_eq!(Error::corrupt("no blocks in a group").to_string(), "no blocks in a group");
    }
}
