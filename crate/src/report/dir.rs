//! What is in a directory: what `ls -l` lists.

use serde::{Deserialize, Serialize};

use super::escaped;
use super::inode::{TimeReport, permissions, type_name};
use crate::error::Error;
use crate::fs::{DirEntry, Filesystem, Inode};
use crate::io::ByteSource;
use crate::ondisk::FileType;

/// A name and what it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameReport {
    /// The name; what is no text is escaped.
    pub name: String,
    /// The inode.
    pub ino: u32,
    /// What the entry says that it is; `None` where entries do not say.
    pub file_type: Option<String>,
    /// Type and permissions of the inode, as `ls -l` shows them.
    pub permissions: String,
    /// Names of the inode.
    pub links: u16,
    /// Its owner.
    pub uid: u32,
    /// Its group.
    pub gid: u32,
    /// Its size in bytes.
    pub size: u64,
    /// Major and minor number of a device.
    pub device: Option<(u32, u32)>,
    /// Last change of its data.
    pub mtime: TimeReport,
    /// Where it leads, if it is a symbolic link.
    pub symlink_target: Option<String>,
}

impl NameReport {
    /// Reports a name; the inode is read for it, and the target of a link.
    ///
    /// # Errors
    /// Those of [`Filesystem::inode`] and [`Filesystem::symlink_target`].
    pub fn new<S: ByteSource>(fs: &Filesystem<S>, entry: &DirEntry) -> Result<Self, Error> {
        let inode = fs.inode(entry.ino)?;
        let name = escaped(&entry.name);
        let file_type = entry.file_type.map(|file_type| type_name(file_type).to_owned());
        Ok(Self { file_type, ..Self::of_inode(fs, &inode, name)? })
    }

    /// Reports an inode under a name.
    ///
    /// # Errors
    /// Those of [`Filesystem::symlink_target`].
    pub fn of_inode<S: ByteSource>(
        fs: &Filesystem<S>,
        inode: &Inode,
        name: String,
    ) -> Result<Self, Error> {
        let raw = &inode.raw;
        let is_link = inode.file_type() == Some(FileType::Symlink);
        let target = is_link.then(|| fs.symlink_target(inode)).transpose()?;
        Ok(Self {
            name,
            ino: inode.ino.get(),
            file_type: None,
            permissions: permissions(raw.i_mode.get()),
            links: raw.i_links_count.get(),
            uid: raw.uid(),
            gid: raw.gid(),
            size: raw.size(),
            device: raw.device(),
            mtime: raw.mtime().into(),
            symlink_target: target.map(|target| escaped(&target)),
        })
    }
}
