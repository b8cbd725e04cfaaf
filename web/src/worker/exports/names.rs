//! Names of files as they are told, or hidden.

use extscope::units::Ino;

use crate::protocol::NamesTold;

/// Longest end of a name that is kept where names are hidden.
const EXTENSION: usize = 8;

impl NamesTold {
    /// A path as it is told: as it is, or the inode's number with what follows the last dot.
    pub(super) fn tell(self, path: Option<String>, ino: Ino) -> Option<String> {
        match self {
            Self::Plain => path,
            Self::Hidden => path.map(|path| {
                let extension = extension(&path).map(|end| format!(".{end}"));
                format!("f{:06}{}", ino.get(), extension.unwrap_or_default())
            }),
        }
    }
}

/// What follows the last dot of a path's last name, where that can be no more than a kind of file.
fn extension(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let (stem, end) = name.rsplit_once('.')?;
    let is_kind = (1..=EXTENSION).contains(&end.len())
        && end.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_kind && !stem.is_empty()).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_name_keeps_its_kind_and_nothing_else() {
        let hidden = |path: &str| NamesTold::Hidden.tell(Some(path.to_owned()), Ino::new(123));
        assert_eq!(hidden("/letters/one to X.odt"), Some("f000123.odt".to_owned()));
        for path in ["/a.b/c", "/.ssh", "/x.a very long secret", "/"] {
            assert_eq!(hidden(path), Some("f000123".to_owned()), "{path}");
        }
        assert_eq!(NamesTold::Hidden.tell(None, Ino::new(1)), None);
        let plain = Some("/a".to_owned());
        assert_eq!(NamesTold::Plain.tell(plain.clone(), Ino::new(1)), plain);
    }
}
