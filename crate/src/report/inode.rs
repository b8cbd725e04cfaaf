//! What there is to say of an inode: what `debugfs stat` lists.

use serde::{Deserialize, Serialize};

use super::format::{escaped, time};
use crate::analysis::{FileFrag, Medium};
use crate::error::Error;
use crate::fs::{
    CsumState, Filesystem, Geometry, Inode, MapItem, MappingState, NodeKind, Xattr, XattrPlace,
};
use crate::io::ByteSource;
use crate::ondisk::{FileType, InodeTime};

/// A time of an inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeReport {
    /// Seconds since 1970, from 1901 to 2446.
    pub seconds: i64,
    /// Nanoseconds of the second.
    pub nanoseconds: u32,
}

impl TimeReport {
    /// Date and time of day in UTC.
    #[must_use]
    pub fn text(self) -> String {
        match u64::try_from(self.seconds) {
            Ok(seconds) => time(seconds),
            Err(_) => format!("{} seconds before 1970", self.seconds.unsigned_abs()),
        }
    }
}

impl From<InodeTime> for TimeReport {
    fn from(time: InodeTime) -> Self {
        Self { seconds: time.seconds, nanoseconds: time.nanoseconds }
    }
}

/// An extended attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct XattrReport {
    /// Its whole name; what is no text is escaped.
    pub name: String,
    /// Bytes of the value.
    pub size: u64,
    /// Block in which it lies; `None` inside the inode.
    pub block: Option<u64>,
    /// Inode that holds the value, if one does.
    pub value_inode: Option<u32>,
    /// Its value, if it lies beside the name; what is no text is escaped.
    pub value: Option<String>,
    /// The entries of an access control list, as `getfacl` shows them.
    pub acl: Option<Vec<String>>,
}

/// An inode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InodeReport {
    /// Its number.
    pub ino: u32,
    /// `regular`, `directory` … or `None` for a mode that means nothing.
    pub file_type: Option<String>,
    /// Type and permissions as on the disk.
    pub i_mode: u16,
    /// The same as `ls -l` shows it.
    pub permissions: String,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Project, where the inode has the field.
    pub projid: Option<u32>,
    /// Bytes.
    pub size: u64,
    /// Names.
    pub i_links_count: u16,
    /// Sectors of 512 bytes, or blocks for a huge file.
    pub i_blocks: u64,
    /// Flags as on the disk.
    pub i_flags: u32,
    /// The flags that are known, by the kernel's names.
    pub flags: Vec<String>,
    /// Generation.
    pub i_generation: u32,
    /// Version.
    pub i_version: u64,
    /// Block of attributes; 0 is none.
    pub i_file_acl: u64,
    /// Last access.
    pub atime: TimeReport,
    /// Last change of the inode.
    pub ctime: TimeReport,
    /// Last change of the data.
    pub mtime: TimeReport,
    /// Creation, where the inode has the field.
    pub crtime: Option<TimeReport>,
    /// Deletion, seconds since 1970, or the next orphan; 0 is neither.
    pub i_dtime: u32,
    /// Bytes past the first 128 that are fields.
    pub i_extra_isize: u16,
    /// Whether the checksum is right.
    pub csum: CsumState,
    /// The checksum as stored.
    pub csum_stored: u32,
    /// The checksum that it should have, where it has one.
    pub csum_expected: Option<u32>,
    /// Major and minor number of a device.
    pub device: Option<(u32, u32)>,
    /// Where a symbolic link leads; what is no text is escaped.
    pub symlink_target: Option<String>,
    /// Extended attributes.
    pub xattrs: Vec<XattrReport>,
    /// What of it could not be read.
    pub errors: Vec<Error>,
}

impl InodeReport {
    /// Reports an inode. Attributes and the target of a link are read for it.
    pub fn new<S: ByteSource>(fs: &Filesystem<S>, inode: &Inode) -> Self {
        let raw = &inode.raw;
        let mut errors = Vec::new();
        let mut keep = |error: Error| errors.push(error);
        let is_link = inode.file_type() == Some(FileType::Symlink);
        let target = is_link.then(|| fs.symlink_target(inode).map_err(&mut keep).ok()).flatten();
        let xattrs = fs.xattrs(inode).into_iter().filter_map(|xattr| xattr.map_err(&mut keep).ok());
        let xattrs = xattrs.map(|xattr| XattrReport::new(&xattr)).collect();
        Self {
            ino: inode.ino.get(),
            file_type: inode.file_type().map(|file_type| type_name(file_type).to_owned()),
            i_mode: raw.i_mode.get(),
            permissions: permissions(raw.i_mode.get()),
            uid: raw.uid(),
            gid: raw.gid(),
            projid: raw.projid(),
            size: raw.size(),
            i_links_count: raw.i_links_count.get(),
            i_blocks: raw.blocks(),
            i_flags: raw.i_flags.get(),
            flags: inode.flags().iter_names().map(|(name, _)| name.to_owned()).collect(),
            i_generation: raw.i_generation.get(),
            i_version: raw.version(),
            i_file_acl: raw.file_acl().get(),
            atime: raw.atime().into(),
            ctime: raw.ctime().into(),
            mtime: raw.mtime().into(),
            crtime: raw.crtime().map(TimeReport::from),
            i_dtime: raw.i_dtime.get(),
            i_extra_isize: raw.i_extra_isize.get(),
            csum: inode.csum,
            csum_stored: raw.checksum(),
            csum_expected: inode.computed_csum,
            device: raw.device(),
            symlink_target: target.map(|target| escaped(&target)),
            xattrs,
            errors,
        }
    }
}

impl XattrReport {
    fn new(xattr: &Xattr) -> Self {
        use crate::fs::XattrValue::{Bytes, Inode};
        let (value_inode, value) = match &xattr.value {
            Bytes(bytes) => (None, Some(escaped(bytes))),
            Inode { ino, .. } => (Some(ino.get()), None),
        };
        Self {
            name: escaped(&xattr.name()),
            size: xattr.size(),
            block: match xattr.place {
                XattrPlace::Inode => None,
                XattrPlace::Block(fsblk) => Some(fsblk.get()),
            },
            value_inode,
            value,
            acl: xattr.acl().map(|(_, acl)| acl.text()),
        }
    }
}

/// A piece of the map of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum MapReport {
    /// Blocks of the file.
    Extent {
        /// First block of the file.
        lblk: u32,
        /// First block of the filesystem.
        fsblk: u64,
        /// Blocks.
        len: u32,
        /// Whether they read as zeros.
        unwritten: bool,
    },
    /// A block that maps others.
    Node {
        /// `extent node`, `indirect block` …
        node: String,
        /// First block of the file that it maps.
        lblk: u32,
        /// Its place.
        fsblk: u64,
        /// Whether its checksum is right.
        csum: CsumState,
    },
    /// What could not be followed.
    Error {
        /// Why.
        error: Error,
    },
}

impl From<Result<MapItem, Error>> for MapReport {
    fn from(item: Result<MapItem, Error>) -> Self {
        match item {
            Ok(MapItem::Mapping(mapping)) => Self::Extent {
                lblk: mapping.lblk.get(),
                fsblk: mapping.fsblk.get(),
                len: mapping.len,
                unwritten: mapping.state == MappingState::Unwritten,
            },
            Ok(MapItem::Node(node)) => Self::Node {
                node: match node.kind {
                    NodeKind::Extent(0) => "extent leaf".to_owned(),
                    NodeKind::Extent(depth) => format!("extent node at depth {depth}"),
                    NodeKind::Ind => "indirect block".to_owned(),
                    NodeKind::Dind => "double indirect block".to_owned(),
                    NodeKind::Tind => "triple indirect block".to_owned(),
                },
                lblk: node.lblk.get(),
                fsblk: node.fsblk.get(),
                csum: node.csum,
            },
            Err(error) => Self::Error { error },
        }
    }
}

/// How a file lies on the disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FragReport {
    /// The inode.
    pub ino: u32,
    /// Its first path; what is no text is escaped.
    pub path: Option<String>,
    /// `regular`, `directory` …
    pub file_type: Option<String>,
    /// Bytes.
    pub size: u64,
    /// Blocks that it is mapped to.
    pub blocks: u64,
    /// Of these, the ones that read as zeros.
    pub unwritten: u64,
    /// Nodes of its extent tree, or indirect blocks.
    pub nodes: u64,
    /// Extents as FIEMAP lists them.
    pub extents: u64,
    /// Extents as `filefrag` sums them up.
    pub fragments: u64,
    /// Fewest extents that e4defrag thinks it could have.
    pub best_extents: u64,
    /// Fewest extents that `filefrag` thinks a file mapped by blocks could have: its perfection.
    pub perfect_extents: Option<u64>,
    /// Whether `e2fsck` calls it non-contiguous.
    pub noncontiguous: bool,
    /// Places at which reading has to go elsewhere.
    pub seeks: u64,
    /// Seeks for each MiB.
    pub seeks_per_mib: f64,
    /// How many times as long reading takes on a disk as it would in one piece.
    pub slowdown: f64,
    /// e4defrag's score.
    pub e4defrag_score: f64,
}

impl FragReport {
    /// Reports what was counted.
    #[must_use]
    pub fn new(geometry: &Geometry, frag: &FileFrag, path: Option<&[u8]>) -> Self {
        Self {
            ino: frag.ino.get(),
            path: path.map(escaped),
            file_type: frag.file_type.map(|file_type| type_name(file_type).to_owned()),
            size: frag.size,
            blocks: frag.blocks,
            unwritten: frag.unwritten,
            nodes: frag.nodes,
            extents: frag.extents,
            fragments: frag.fragments,
            best_extents: frag.best_extents(geometry),
            perfect_extents: frag.perfect_extents(geometry),
            noncontiguous: frag.is_noncontiguous,
            seeks: frag.seeks,
            seeks_per_mib: frag.seeks_per_mib(geometry),
            slowdown: frag.slowdown(geometry, Medium::DISK),
            e4defrag_score: frag.e4defrag_score(geometry),
        }
    }
}

/// What a type of file is called.
#[must_use]
pub fn type_name(file_type: FileType) -> &'static str {
    match file_type {
        FileType::RegFile => "regular",
        FileType::Dir => "directory",
        FileType::Symlink => "symlink",
        FileType::Chrdev => "character device",
        FileType::Blkdev => "block device",
        FileType::Fifo => "fifo",
        FileType::Sock => "socket",
    }
}

/// A mode as `ls -l` shows it: `drwxr-sr-x`.
#[must_use]
pub fn permissions(mode: u16) -> String {
    let mut text = String::from(FileType::from_mode(mode).map_or('?', FileType::letter));
    let special = [(0o4000, 's'), (0o2000, 's'), (0o1000, 't')];
    for (shift, (bit, letter)) in [6, 3, 0].into_iter().zip(special) {
        let bits = mode >> shift;
        text.push(if bits & 4 == 0 { '-' } else { 'r' });
        text.push(if bits & 2 == 0 { '-' } else { 'w' });
        text.push(match (mode & bit != 0, bits & 1 != 0) {
            (false, false) => '-',
            (false, true) => 'x',
            (true, true) => letter,
            (true, false) => letter.to_ascii_uppercase(),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::testing::Files;

    #[test]
    fn permissions_are_shown_as_by_ls() {
        for (mode, text) in [
            (0o100_644, "-rw-r--r--"),
            (0o040_755, "drwxr-xr-x"),
            (0o041_777, "drwxrwxrwt"),
            (0o104_755, "-rwsr-xr-x"),
            (0o102_644, "-rw-r-Sr--"),
            (0o020_600, "crw-------"),
            (0o000_000, "?---------"),
        ] {
            assert_eq!(permissions(mode), text, "{mode:o}");
        }
    }

    #[test]
    fn an_inode_says_what_of_it_cannot_be_read() {
        let mut files = Files::new();
        files.i_block_by_blocks(12, &[]);
        files.inode(12, |raw| {
            raw.i_mode.set(0o120_777);
            raw.i_size_lo.set(5000);
            raw.i_file_acl_lo.set(9_999_999);
            raw.i_flags.set(0x10);
        });
        let (fs, inode) = files.open(12);
        let report = InodeReport::new(&fs, &inode);
        assert_eq!((report.symlink_target, report.errors.len()), (None, 2));
        assert_eq!(report.flags, ["IMMUTABLE"]);
        assert_eq!(report.file_type.as_deref(), Some("symlink"));
    }

    #[test]
    fn times_before_1970_are_told() {
        let time = TimeReport { seconds: -60, nanoseconds: 0 };
        assert_eq!(time.text(), "60 seconds before 1970");
    }
}
