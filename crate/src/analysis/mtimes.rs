//! When the contents of every inode changed last.

use crate::fs::Inode;
use crate::units::Ino;

/// Seconds of a minute.
const MINUTE: i64 = 60;

/// When the contents of every inode in use changed last, to the minute: eight bytes an inode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mtimes {
    /// Inodes in order, and minutes since 1970.
    minutes: Vec<(Ino, u32)>,
}

impl Mtimes {
    /// Adds an inode; one that does not follow those before it is left out.
    pub fn add(&mut self, inode: &Inode) {
        if self.minutes.last().is_none_or(|(last, _)| *last < inode.ino) {
            let minutes = inode.raw.mtime().seconds.div_euclid(MINUTE).max(0);
            self.minutes.push((inode.ino, u32::try_from(minutes).unwrap_or(u32::MAX)));
        }
    }

    /// When an inode changed last, in seconds since 1970 and not before that.
    #[must_use]
    pub fn get(&self, ino: Ino) -> Option<i64> {
        let at = self.minutes.binary_search_by_key(&ino, |(ino, _)| *ino).ok()?;
        let (_, minutes) = self.minutes.get(at)?;
        Some(i64::from(*minutes).saturating_mul(MINUTE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::testing::Files;

    #[test]
    fn an_inode_is_told_to_the_minute_and_nothing_is_before_1970() {
        let mut files = Files::new();
        for (ino, seconds) in [(12, 3599_u32), (13, u32::MAX)] {
            files.inode(ino, |raw| raw.i_mtime.set(seconds));
        }
        let fs = files.filesystem();
        let mut mtimes = Mtimes::default();
        for ino in [12, 13, 12] {
            mtimes.add(&fs.inode(Ino::new(ino)).expect("it is there"));
        }
        let told = |ino| mtimes.get(Ino::new(ino));
        assert_eq!((told(11), told(12), told(13)), (None, Some(59 * 60), Some(0)));
    }
}
