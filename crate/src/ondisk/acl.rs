//! POSIX ACLs as attributes hold them. Ref: `fs/ext4/acl.h`.

/// `a_version`, the only one there is. Ref: `EXT4_ACL_VERSION`.
const ACL_VERSION: u32 = 1;

/// Whom an entry is for. Ref: `ACL_USER_OBJ` …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AclTag {
    /// The owner of the file.
    UserObj,
    /// A user.
    User(u32),
    /// The group of the file.
    GroupObj,
    /// A group.
    Group(u32),
    /// What users and groups can have at most.
    Mask,
    /// Everybody else.
    Other,
}

/// An access control list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acl {
    /// Whom, and which of read (4), write (2) and execute (1).
    pub entries: Vec<(AclTag, u16)>,
}

impl Acl {
    /// Reads the value of an attribute; `None` for what is no list.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (version, mut rest) = bytes.split_first_chunk()?;
        if u32::from_le_bytes(*version) != ACL_VERSION {
            return None;
        }
        let mut entries = Vec::new();
        while !rest.is_empty() {
            let (tag, more) = rest.split_first_chunk()?;
            let (perm, more) = more.split_first_chunk()?;
            rest = more;
            let mut id = || {
                let (id, more) = rest.split_first_chunk()?;
                rest = more;
                Some(u32::from_le_bytes(*id))
            };
            let tag = match u16::from_le_bytes(*tag) {
                0x01 => AclTag::UserObj,
                0x02 => AclTag::User(id()?),
                0x04 => AclTag::GroupObj,
                0x08 => AclTag::Group(id()?),
                0x10 => AclTag::Mask,
                0x20 => AclTag::Other,
                _ => return None,
            };
            entries.push((tag, u16::from_le_bytes(*perm)));
        }
        Some(Self { entries })
    }

    /// Its entries as `getfacl -n` shows them: `user:1000:r-x`.
    #[must_use]
    pub fn text(&self) -> Vec<String> {
        let line = |(tag, perm): &(AclTag, u16)| {
            let letter = |bit: u16, letter| if perm & bit == 0 { '-' } else { letter };
            let perm = [letter(4, 'r'), letter(2, 'w'), letter(1, 'x')];
            let perm: String = perm.into_iter().collect();
            match tag {
                AclTag::UserObj => format!("user::{perm}"),
                AclTag::User(id) => format!("user:{id}:{perm}"),
                AclTag::GroupObj => format!("group::{perm}"),
                AclTag::Group(id) => format!("group:{id}:{perm}"),
                AclTag::Mask => format!("mask::{perm}"),
                AclTag::Other => format!("other::{perm}"),
            }
        };
        self.entries.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `user::rw-`, `user:1000:r--`, `group::r-x`, `group:5:-w-`, `mask::rwx`, `other::---`.
    const LIST: &[u8] = b"\x01\0\0\0\x01\0\x06\0\x02\0\x04\0\xe8\x03\0\0\x04\0\x05\0\
        \x08\0\x02\0\x05\0\0\0\x10\0\x07\0\x20\0\0\0";

    #[test]
    fn a_list_is_shown_as_by_getfacl() {
        let acl = Acl::from_bytes(LIST).expect("a list");
        let due =
            ["user::rw-", "user:1000:r--", "group::r-x", "group:5:-w-", "mask::rwx", "other::---"];
        assert_eq!(acl.text(), due);
    }

    #[test]
    fn what_is_cut_off_or_unknown_is_no_list() {
        let ends = [4, 8, 16, 20, 28, 32, 36];
        for len in 0..=LIST.len() {
            let is_list = Acl::from_bytes(&LIST[..len]).is_some();
            assert_eq!(is_list, ends.contains(&len), "{len}");
        }
        for at in [0, 4] {
            let mut other = LIST.to_vec();
            other[at] = 0x40;
            assert_eq!(Acl::from_bytes(&other), None);
        }
    }
}
