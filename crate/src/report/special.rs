//! What the filesystem keeps for itself: orphans, mount protection, quotas, bad blocks, reserved
//! GDT blocks.

use serde::{Deserialize, Serialize};

use super::format::{padded_text, uuid};
use super::groups::BlockRange;
use crate::bitmap::{Bits as _, BitsMut as _, RunBitmap};
use crate::error::{Error, ErrorKind};
use crate::fs::journal::JournalPlace;
use crate::fs::{CsumState, Filesystem, MapItem, MmpState};
use crate::io::ByteSource;
use crate::limits;
use crate::ondisk::features::Compat;
use crate::ondisk::reserved;

/// What the filesystem keeps for itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecialReport {
    /// Where the journal is, in words.
    pub journal: String,
    /// Whether it holds changes that are not in place yet.
    pub needs_recovery: bool,
    /// Orphans on the list that starts in the superblock.
    pub orphan_list: Vec<u32>,
    /// Orphans in the orphan file.
    pub orphan_file: Vec<u32>,
    /// Multiple mount protection.
    pub mmp: Option<MmpReport>,
    /// Quota files.
    pub quotas: Vec<QuotaReport>,
    /// Blocks on the list of bad blocks.
    pub bad_blocks: Vec<BlockRange>,
    /// Blocks kept so that the descriptor table can grow, of each group with a copy of it.
    pub reserved_gdt: Vec<ReservedGdtReport>,
    /// What of it could not be read.
    pub errors: Vec<Error>,
}

/// Reserved GDT blocks of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReservedGdtReport {
    /// The group.
    pub group: u32,
    /// The blocks.
    pub blocks: BlockRange,
    /// How many of them the resize inode has, as resize2fs needs it.
    pub in_resize_inode: u64,
}

/// Multiple mount protection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MmpReport {
    /// Its block.
    pub block: u64,
    /// `clean`, `fsck` while e2fsck runs, `in_use` while mounted.
    pub state: String,
    /// Sequence number.
    pub mmp_seq: u32,
    /// Last update, seconds since 1970.
    pub mmp_time: u64,
    /// Host that mounted it last.
    pub mmp_nodename: String,
    /// Device that it mounted.
    pub mmp_bdevname: String,
    /// Seconds between updates.
    pub mmp_check_interval: u16,
    /// Whether its checksum is right.
    pub csum: CsumState,
}

/// A quota file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotaReport {
    /// `user`, `group` or `project`.
    pub quota: String,
    /// Its inode.
    pub ino: u32,
    /// What everybody has and may have.
    pub entries: Vec<QuotaEntryReport>,
}

/// What somebody has and may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotaEntryReport {
    /// Number of the user, group or project.
    pub id: u32,
    /// Inodes.
    pub inodes: u64,
    /// Most inodes, soft and hard; 0 is any number.
    pub inode_limits: (u64, u64),
    /// Bytes.
    pub space: u64,
    /// Most space in KiB, soft and hard; 0 is any.
    pub space_limits: (u64, u64),
}

impl SpecialReport {
    /// Reports them; each is read for it.
    pub fn new<S: ByteSource>(fs: &Filesystem<S>) -> Self {
        let mut errors = Vec::new();
        let orphans = fs.orphans().unwrap_or_else(|error| {
            errors.push(error);
            crate::fs::Orphans::default()
        });
        errors.extend(orphans.faults.iter().cloned());
        let mmp = fs.mmp().unwrap_or_else(|error| {
            errors.push(error);
            None
        });
        let numbers = |inos: &[crate::units::Ino]| inos.iter().map(|ino| ino.get()).collect();
        let mut report = Self {
            journal: match fs.journal_place() {
                JournalPlace::None => "none".to_owned(),
                JournalPlace::Inode(ino) => format!("inode {ino}"),
                JournalPlace::Device(id) => format!("on another device, UUID {}", uuid(id)),
                JournalPlace::Image => "this image".to_owned(),
            },
            needs_recovery: fs.needs_recovery(),
            orphan_list: numbers(&orphans.list),
            orphan_file: numbers(&orphans.file),
            mmp: mmp.map(|mmp| MmpReport {
                block: mmp.fsblk.get(),
                state: match mmp.state {
                    MmpState::Clean => "clean".to_owned(),
                    MmpState::Fsck => "fsck".to_owned(),
                    MmpState::InUse => "in_use".to_owned(),
                },
                mmp_seq: mmp.raw.mmp_seq.get(),
                mmp_time: mmp.raw.mmp_time.get(),
                mmp_nodename: padded_text(&mmp.raw.mmp_nodename),
                mmp_bdevname: padded_text(&mmp.raw.mmp_bdevname),
                mmp_check_interval: mmp.raw.mmp_check_interval.get(),
                csum: mmp.csum,
            }),
            quotas: Vec::new(),
            bad_blocks: Vec::new(),
            reserved_gdt: Vec::new(),
            errors,
        };
        report.add_quotas(fs);
        report.add_bad_blocks(fs);
        report.add_reserved_gdt(fs);
        report
    }

    fn add_quotas<S: ByteSource>(&mut self, fs: &Filesystem<S>) {
        for (kind, ino) in fs.quota_files() {
            let entries = match fs.quota_entries(kind, ino) {
                Ok(entries) => entries,
                Err(error) => {
                    self.errors.push(error);
                    continue;
                }
            };
            let entries = entries.iter().map(|entry| QuotaEntryReport {
                id: entry.dqb_id.get(),
                inodes: entry.dqb_curinodes.get(),
                inode_limits: (entry.dqb_isoftlimit.get(), entry.dqb_ihardlimit.get()),
                space: entry.dqb_curspace.get(),
                space_limits: (entry.dqb_bsoftlimit.get(), entry.dqb_bhardlimit.get()),
            });
            let (quota, ino) = (kind.name().to_owned(), ino.get());
            self.quotas.push(QuotaReport { quota, ino, entries: entries.collect() });
        }
    }

    fn add_reserved_gdt<S: ByteSource>(&mut self, fs: &Filesystem<S>) {
        let mut owned = RunBitmap::new(fs.geometry().blocks_count());
        if fs.features().compat.contains(Compat::RESIZE_INODE)
            && let Ok(inode) = fs.inode(reserved::RESIZE)
        {
            for item in fs.map_items(&inode).take(limits::BLOCK_RUNS) {
                match item {
                    Ok(MapItem::Mapping(run)) => {
                        owned.mark_range(run.fsblk.get()..run.fsblk_end());
                    }
                    Ok(MapItem::Node(node)) => _ = owned.mark(node.fsblk.get()),
                    // One says enough of a map that leads nowhere.
                    Err(error) => {
                        self.errors.push(error);
                        break;
                    }
                }
            }
        }
        for (group, _) in fs.groups().iter() {
            let range = fs.layout().group_base(group).reserved_gdt;
            let blocks = range.start.get()..range.end.get();
            if !blocks.is_empty() {
                self.reserved_gdt.push(ReservedGdtReport {
                    group: group.get(),
                    in_resize_inode: owned.count_range(blocks.clone()),
                    blocks: BlockRange { first: blocks.start, last: blocks.end.saturating_sub(1) },
                });
            }
        }
    }

    fn add_bad_blocks<S: ByteSource>(&mut self, fs: &Filesystem<S>) {
        let inode = match fs.inode(reserved::BAD) {
            Ok(inode) => inode,
            Err(error) => return self.errors.push(error),
        };
        for item in fs.map_items(&inode) {
            if self.bad_blocks.len() >= limits::BAD_BLOCK_RANGES {
                let what = format!("over {} ranges of bad blocks", limits::BAD_BLOCK_RANGES);
                return self.errors.push(Error::new(ErrorKind::Limit, what).at_ino(inode.ino));
            }
            match item {
                Ok(MapItem::Mapping(run)) => self.bad_blocks.push(BlockRange {
                    first: run.fsblk.get(),
                    last: run.fsblk_end().saturating_sub(1),
                }),
                Ok(MapItem::Node(_)) => {}
                Err(error) => self.errors.push(error),
            }
        }
    }
}
