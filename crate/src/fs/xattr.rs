//! Extended attributes: inside the inode, in a block, or with a value in an inode of its own.

use zerocopy::FromBytes;

use super::{CsumState, Filesystem, Inode};
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind};
use crate::limits;
use crate::ondisk::xattr::{XATTR_MAGIC, XattrEntry, XattrHeader, XattrIbodyHeader, prefix};
use crate::ondisk::{Acl, GOOD_OLD_INODE_BYTES, InodeFlags};
use crate::units::{Fsblk, Ino};

/// `e_name_index` of the attribute that holds the rest of inline data. Its name is `data`.
const INDEX_SYSTEM: u8 = 7;

/// `e_name_index` of the list of who may use a file. Ref: `EXT4_XATTR_INDEX_POSIX_ACL_ACCESS`.
const INDEX_ACL_ACCESS: u8 = 2;

/// `e_name_index` of the list that new files of a directory get.
const INDEX_ACL_DEFAULT: u8 = 3;

/// An extended attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Xattr {
    /// Which prefix its name has, as a number.
    pub name_index: u8,
    /// The name as stored, behind the prefix.
    pub suffix: Vec<u8>,
    /// Where it lies.
    pub place: XattrPlace,
    /// Its value.
    pub value: XattrValue,
}

/// Where an attribute lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XattrPlace {
    /// Behind the fields of the inode.
    Inode,
    /// In a block, which several inodes may share.
    Block(Fsblk),
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum XattrValue {
    /// Beside its name.
    Bytes(Vec<u8>),
    /// The contents of an inode.
    Inode {
        /// Its number.
        ino: Ino,
        /// Bytes.
        size: u32,
    },
}

impl XattrValue {
    /// Bytes of the value.
    #[must_use]
    pub fn len(&self) -> u32 {
        match self {
            Self::Bytes(bytes) => u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            Self::Inode { size, .. } => *size,
        }
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Xattr {
    /// The whole name, as `getfattr` shows it; bytes, for nothing keeps it from being no text.
    #[must_use]
    pub fn name(&self) -> Vec<u8> {
        let prefix = prefix(self.name_index)
            .map_or_else(|| format!("unknown{}.", self.name_index), str::to_owned);
        [prefix.as_bytes(), &self.suffix].concat()
    }

    /// Whether it holds the rest of inline data rather than something a person set.
    #[must_use]
    pub fn is_inline_data(&self) -> bool {
        self.name_index == INDEX_SYSTEM && self.suffix == b"data"
    }

    /// The access control list that it is, with the name that archives give such a list.
    #[must_use]
    pub fn acl(&self) -> Option<(&'static str, Acl)> {
        let key = match self.name_index {
            INDEX_ACL_ACCESS => "SCHILY.acl.access",
            INDEX_ACL_DEFAULT => "SCHILY.acl.default",
            _ => return None,
        };
        match &self.value {
            XattrValue::Bytes(bytes) if self.suffix.is_empty() => {
                Acl::from_bytes(bytes).map(|acl| (key, acl))
            }
            _ => None,
        }
    }

    /// Bytes of the value.
    #[must_use]
    pub fn size(&self) -> u64 {
        match &self.value {
            XattrValue::Bytes(bytes) => u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            XattrValue::Inode { size, .. } => u64::from(*size),
        }
    }
}

/// A block of attributes.
#[derive(Clone, Debug)]
pub struct XattrBlock {
    /// Its place.
    pub fsblk: Fsblk,
    /// What it starts with.
    pub header: XattrHeader,
    /// Whether its checksum is right.
    pub csum: CsumState,
    bytes: Vec<u8>,
}

impl<S: ByteSource> Filesystem<S> {
    /// The attributes of an inode, those inside it first. An error costs the attributes behind it
    /// in the same place.
    ///
    /// Its errors: [`ErrorKind::Corrupt`] where a name or a value lies outside its place; those of
    /// [`Self::xattr_block`].
    pub fn xattrs(&self, inode: &Inode) -> Vec<Result<Xattr>> {
        let mut list = inode_xattrs(inode);
        match self.xattr_block(inode) {
            Ok(None) => {}
            Ok(Some(block)) => {
                let entries = block.bytes.get(size_of::<XattrHeader>()..).unwrap_or_default();
                entries_of(entries, &block.bytes, XattrPlace::Block(block.fsblk), &mut list);
            }
            Err(error) => list.push(Err(error)),
        }
        for xattr in &mut list {
            if let Err(error) = xattr {
                *error = error.clone().at_ino(inode.ino);
            }
        }
        list
    }

    /// The attribute block of an inode, if it has one.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] without the magic; those of [`Self::block`].
    pub fn xattr_block(&self, inode: &Inode) -> Result<Option<XattrBlock>> {
        let fsblk = inode.raw.file_acl();
        if fsblk.get() == 0 {
            return Ok(None);
        }
        let bytes = self.block(ReadKind::Xattr, fsblk).map_err(|error| error.at_ino(inode.ino))?;
        let header = XattrHeader::read_from_prefix(&bytes).ok().map(|(header, _)| header);
        let header =
            header.filter(|header| header.h_magic.get() == XATTR_MAGIC).ok_or_else(|| {
                Error::corrupt("the attribute block has no magic").at_ino(inode.ino).at_fsblk(fsblk)
            })?;
        let computed = self.csum().xattr_block(fsblk, &bytes);
        let csum = CsumState::compare(Some(header.h_checksum.get()), computed);
        Ok(Some(XattrBlock { fsblk, header, csum, bytes }))
    }

    /// The value of an attribute, read where it does not lie beside its name.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] when the inode with the value is not made for that,
    /// [`ErrorKind::Limit`] when the value is longer than any can be; those of [`Self::inode`].
    pub fn xattr_value(&self, xattr: &Xattr) -> Result<Vec<u8>> {
        let (ino, size) = match &xattr.value {
            XattrValue::Bytes(bytes) => return Ok(bytes.clone()),
            XattrValue::Inode { ino, size } => (*ino, *size),
        };
        let inode = self.inode(ino)?;
        if !inode.flags().contains(InodeFlags::EA_INODE) {
            return Err(Error::corrupt("the inode of a value is an ordinary one").at_ino(ino));
        }
        if size > limits::XATTR_BYTES {
            let what = format!("an attribute of {size} bytes; none is that long");
            return Err(Error::new(ErrorKind::Limit, what).at_ino(ino));
        }
        self.read_file(&inode, 0, u64::from(size))
    }
}

/// The attributes inside an inode. Ref: `ext4_xattr_ibody_get`.
pub(super) fn inode_xattrs(inode: &Inode) -> Vec<Result<Xattr>> {
    let mut list = Vec::new();
    let extra = usize::from(inode.raw.i_extra_isize.get());
    let place = inode.bytes().get(GOOD_OLD_INODE_BYTES.saturating_add(extra)..);
    if let Some((header, entries)) =
        place.and_then(|place| XattrIbodyHeader::read_from_prefix(place).ok())
        && header.h_magic.get() == XATTR_MAGIC
    {
        entries_of(entries, entries, XattrPlace::Inode, &mut list);
    }
    list
}

/// Reads the entries of one place; values are counted from the start of `values`.
fn entries_of(entries: &[u8], values: &[u8], place: XattrPlace, list: &mut Vec<Result<Xattr>>) {
    let mut rest = entries;
    // Values on top of one another would be far more than the place holds.
    let mut room = u64::try_from(values.len()).unwrap_or(u64::MAX);
    // Four bytes of 0, or the end of the place, end the entries.
    while rest.first_chunk().is_some_and(|word| *word != [0; 4]) {
        let Some((xattr, len)) = entry(rest, values, place) else {
            list.push(Err(Error::corrupt("an attribute lies outside its place")));
            return;
        };
        if let XattrValue::Bytes(_) = &xattr.value {
            let Some(left) = room.checked_sub(xattr.size()) else {
                list.push(Err(Error::corrupt("values of attributes overlap")));
                return;
            };
            room = left;
        }
        list.push(Ok(xattr));
        rest = rest.get(len..).unwrap_or_default();
    }
}

/// The first entry and its length; `None` when it lies outside.
fn entry(bytes: &[u8], values: &[u8], place: XattrPlace) -> Option<(Xattr, usize)> {
    let (header, rest) = XattrEntry::read_from_prefix(bytes).ok()?;
    let suffix = rest.get(..usize::from(header.e_name_len))?.to_vec();
    let size = header.e_value_size.get();
    let value = match header.e_value_inum.get() {
        0 => {
            let start = usize::from(header.e_value_offs.get());
            let end = start.checked_add(usize::try_from(size).ok()?)?;
            XattrValue::Bytes(if size == 0 { Vec::new() } else { values.get(start..end)?.to_vec() })
        }
        ino => XattrValue::Inode { ino: Ino::new(ino), size },
    };
    Some((Xattr { name_index: header.e_name_index, suffix, place, value }, header.entry_len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `count` attributes `user.` whose values are the same 1000 bytes, in a place of 4096.
    fn attributes(count: usize) -> Vec<Result<Xattr>> {
        let mut bytes = [0, 1, 0, 0, 0, 0, 0, 0, 0xe8, 3, 0, 0, 0, 0, 0, 0].repeat(count);
        bytes.resize(4096, 0);
        let mut list = Vec::new();
        entries_of(&bytes, &bytes, XattrPlace::Inode, &mut list);
        list
    }

    #[test]
    fn values_that_overlap_cost_no_more_memory_than_their_place() {
        assert!(attributes(4).iter().all(Result::is_ok));
        let list = attributes(200);
        assert_eq!(list.len(), 5);
        assert!(list[4].is_err());
    }
}
