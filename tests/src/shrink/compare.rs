//! A plan beside what the real `resize2fs` does to a copy.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;
use std::process::Command;

use extscope::bitmap::{Bits as _, Runs};
use extscope::fs::{BitmapKind, Filesystem, InodeScan, MapItem, OpenOptions};
use extscope::io::FileSource;
use extscope::ondisk::features::{Incompat, RoCompat};
use extscope::ondisk::reserved;
use extscope::resize::{
    Changes, Failure, FileExtent, FileMap, Like, Plan, Refusal, Request, ShrinkPlan, Target,
    Warning,
};
use extscope::task::run_to_end;
use extscope::units::Group;

use crate::tool;

/// What the tool did.
#[derive(Debug)]
pub struct Done {
    /// Whether it says that all went well.
    pub is_fine: bool,
    /// What it printed.
    pub output: String,
}

/// Sums of what was compared, so that a test can tell that something was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Shrinks that came to their end.
    pub shrunk: u64,
    /// Refusals.
    pub refused: u64,
    /// Failures after the start.
    pub failed: u64,
    /// Images of which no plan could be made.
    pub unplanned: u64,
    /// Blocks moved.
    pub blocks: u64,
    /// Inodes renumbered.
    pub inodes: u64,
    /// Inode tables moved.
    pub itables: u64,
    /// Nodes added to extent trees.
    pub nodes: u64,
    /// Shrinks that took blocks that were in use before.
    pub desperate: u64,
    /// Shrinks that were followed step by step.
    pub followed: u64,
}

impl Seen {
    /// Adds another's sums.
    pub fn add(&mut self, other: Self) {
        self.shrunk += other.shrunk;
        self.refused += other.refused;
        self.failed += other.failed;
        self.unplanned += other.unplanned;
        self.blocks += other.blocks;
        self.inodes += other.inodes;
        self.itables += other.itables;
        self.nodes += other.nodes;
        self.desperate += other.desperate;
        self.followed += other.followed;
    }
}

/// Opens an image.
///
/// # Panics
/// When it cannot be opened.
#[must_use]
pub fn open(image: &Path) -> Filesystem<FileSource> {
    let source = FileSource::open(image).expect("the image can be read");
    Filesystem::open(source, OpenOptions::default()).expect("the image can be opened")
}

/// Plans, lets the tool do it to `copy`, and gives every difference.
///
/// # Panics
/// When no plan can be made, or the tool cannot be run.
#[must_use]
pub fn compare(image: &Path, copy: &Path, request: Request) -> (Seen, Vec<String>) {
    assert_eq!(request.like, Like::V1_47_0, "the tool is of that release");
    let fs = open(image);
    let plan = run_to_end(ShrinkPlan::new(&fs, request)).expect("a plan can be made");
    copy_sparse(image, copy);
    let done = resize2fs(copy, request);
    let mut differences = Differences::default();
    let mut seen = Seen::default();
    if let Some(refusal) = plan.refusals.first() {
        seen.refused = 1;
        if !refuses_so(refusal, &done) {
            differences.add("refusal", &plan.refusals, &done);
        }
    } else if let Some(failure) = &plan.failure {
        seen.failed = 1;
        if done.is_fine {
            differences.add("failure", failure, &done);
        }
    } else if !done.is_fine {
        differences.add("outcome", &"a shrink", &done);
    } else if let Some(changes) = plan.changes.as_deref() {
        seen = Seen {
            shrunk: 1,
            blocks: changes.moved_blocks(),
            inodes: changes.inode_moves.len() as u64,
            itables: changes.itable_moves.len() as u64,
            nodes: changes.new_nodes.len() as u64,
            desperate: changes.desperate.into(),
            followed: changes.steps().is_ok().into(),
            ..seen
        };
        differences.all(&fs, changes, &open(copy), &done);
        foretold(&plan, copy, &mut differences);
        file_length(&plan, image, copy, &mut differences);
    }
    std::fs::remove_file(copy).expect("the copy can be removed");
    (seen, differences.0)
}

/// Plans a shrink of `image`, which may make no sense, lets the tool do it, and gives what differs:
/// whether it succeeds, what it says, and what it leaves. `bitmaps` is false where bitmaps may lie
/// over something else, and are written over.
///
/// # Panics
/// When the tool cannot be run.
#[must_use]
pub fn compare_damaged(image: &Path, request: Request, bitmaps: bool) -> (Seen, Vec<String>) {
    let mut differences = Differences::default();
    let mut seen = Seen::default();
    let source = FileSource::open(image).expect("the image can be read");
    let plan = Filesystem::open(source, OpenOptions::default())
        .and_then(|fs| run_to_end(ShrinkPlan::new(&fs, request)).map(|plan| (fs, plan)));
    let done = resize2fs(image, request);
    match &plan {
        Err(error) => {
            seen.unplanned = 1;
            // What the tool writes over itself, it may not even notice.
            if done.is_fine && !error.what().contains("would write over it") {
                differences.did("no plan", error, &done);
            }
        }
        Ok((_, plan)) if !plan.refusals.is_empty() => {
            seen.refused = 1;
            if !refuses_so(&plan.refusals[0], &done) {
                differences.did("refusal", &plan.refusals, &done);
            }
        }
        Ok((_, Plan { failure: Some(failure), .. })) => {
            seen.failed = 1;
            if done.is_fine || !fails_so(failure, &done) {
                differences.did("failure", failure, &done);
            }
        }
        Ok(_) if !done.is_fine => differences.did("outcome", &"a shrink", &done),
        Ok((_, plan)) => {
            seen.shrunk = 1;
            if let Some(changes) = plan.changes.as_deref() {
                let after = open(image);
                differences.superblock(changes, &after);
                differences.groups(changes, &after);
                if bitmaps {
                    differences.bitmaps(changes, &after);
                }
                differences.told(changes, &done.output);
            }
        }
    }
    (seen, differences.0)
}

/// Whether the tool's words are those of the failure.
fn fails_so(failure: &Failure, done: &Done) -> bool {
    let says: &[&str] = match failure {
        Failure::BitmapChecksum { .. } => &["bitmap checksum does not match bitmap"],
        Failure::InodeChecksum { .. } => &["Inode checksum does not match inode"],
        Failure::ItablePlace { inode_table: 0, .. } => &["missing an inode table"],
        Failure::ItablePlace { .. } => &["bad block for inode table"],
        Failure::BrokenMap { .. } => &[
            "Corrupt extent header",
            "Illegal indirect block found",
            "Illegal doubly indirect block found",
            "Illegal triply indirect block found",
            "No 'down' extent",
            "cyclic loop in extent tree",
            "short read",
            "Invalid argument",
        ],
        Failure::BrokenDirectory { .. } => &["directory corrupted"],
        Failure::NoJournalInode { .. } => &["Illegal inode number"],
        Failure::EmptyResizeInode => &["resize inode corrupt!"],
        Failure::TooSmall => &["Not enough space"],
        Failure::MmpBlock { .. } => &["MMP"],
        // It may crash instead, over a count of inodes that is too large.
        Failure::TooFewInodes { .. } => return true,
        Failure::NoRoomForMetadata { .. }
        | Failure::NoRoomForBlocks { .. }
        | Failure::NoRoomForNode { .. }
        | Failure::NoRoomForInode { .. } => &["No space left", "Could not allocate"],
        Failure::ShortImage { .. } => &["short read"],
        Failure::StrideDivision { .. } => return true,
    };
    says.iter().any(|words| done.output.contains(words))
}

/// Whether the tool's words are those of the refusal.
fn refuses_so(refusal: &Refusal, done: &Done) -> bool {
    let says = match refusal {
        refusal if refusal.asks_for_e2fsck() => "Please run 'e2fsck -f",
        Refusal::BelowMinimum { .. } => "smaller than minimum",
        Refusal::TooManyDescriptors { .. } => "too many block group descriptors",
        Refusal::NothingToDo { .. } => "Nothing to do!",
        Refusal::StableInodes => "stable_inodes",
        Refusal::Bigalloc => "bigalloc",
        Refusal::Features { .. } => "feature(s)",
        Refusal::SuperblockChecksum { .. } => "checksum",
        Refusal::Impossible { field, .. } if field == "s_inodes_per_group" => {
            "superblock is corrupt"
        }
        // The tool takes it, and then what it finds instead of descriptors fails.
        Refusal::Impossible { field, .. } if field == "s_first_data_block" => "",
        _ => "Couldn't find valid filesystem superblock",
    };
    let exits_well = matches!(refusal, Refusal::NothingToDo { .. });
    done.output.contains(says) && done.is_fine == exits_well
}

/// Copies an image, its holes too.
///
/// # Panics
/// When it cannot be copied.
pub fn copy_sparse(image: &Path, copy: &Path) {
    let status = Command::new("cp").arg("--sparse=always").arg(image).arg(copy).status();
    assert!(status.expect("cp can be run").success(), "the image can be copied");
}

/// Runs the tool, with the flags that let it tell what it moves.
fn resize2fs(image: &Path, request: Request) -> Done {
    let mut command = tool::hasty("resize2fs");
    command.args(["-d", "14"]);
    if request.force {
        command.arg("-f");
    }
    match request.target {
        Target::Minimum => command.arg("-M").arg(image),
        Target::Blocks(blocks) => command.arg(image).arg(blocks.to_string()),
    };
    let output = command.output().expect("resize2fs can be run");
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Done { is_fine: output.status.success(), output: text.join("\n") }
}

/// Every difference that was found, in words.
#[derive(Debug, Default)]
struct Differences(Vec<String>);

impl Differences {
    /// What was done instead of what was planned.
    fn did(&mut self, what: &str, planned: &dyn Debug, done: &Done) {
        let line = done.output.lines().find(|line| line.contains("while trying"));
        self.add(what, planned, &line.map_or(done.output.as_str(), str::trim));
    }

    fn add(&mut self, what: &str, planned: &dyn Debug, real: &dyn Debug) {
        let cut = |value: &dyn Debug| format!("{value:?}").chars().take(400).collect::<String>();
        self.0.push(format!("{what}: planned {}, really {}", cut(planned), cut(real)));
    }

    fn same<T: Debug + PartialEq>(&mut self, what: &str, planned: &T, real: &T) {
        if planned != real {
            self.add(what, planned, real);
        }
    }

    fn all(
        &mut self,
        before: &Filesystem<FileSource>,
        changes: &Changes,
        after: &Filesystem<FileSource>,
        done: &Done,
    ) {
        self.superblock(changes, after);
        self.groups(changes, after);
        self.bitmaps(changes, after);
        self.files(before, changes, after);
        self.told(changes, &done.output);
        self.steps(changes);
    }

    /// The steps, taken in turn from the state before, lead to the bitmaps of the plan.
    fn steps(&mut self, changes: &Changes) {
        let Ok(steps) = changes.steps() else { return };
        let after = steps.after(steps.steps.len());
        let clusters = 0..steps.clusters_after;
        let planned: Vec<bool> =
            clusters.map(|cluster| changes.block_map.bits().test(cluster)).collect();
        let mut real = after.clusters.iter().map(|state| state.is_used());
        let real_inside: Vec<bool> = real.by_ref().take(planned.len()).collect();
        self.same("clusters after all steps", &runs(&planned), &runs(&real_inside));
        self.same("clusters past the end after all steps", &false, &real.any(|is_used| is_used));
        let inodes: Vec<bool> =
            (0..=steps.inodes_after).map(|ino| changes.inode_map.test(ino.into())).collect();
        let real: Vec<bool> = after.inodes.into_iter().take(inodes.len()).collect();
        self.same("inodes after all steps", &runs(&inodes), &runs(&real));
    }

    fn superblock(&mut self, changes: &Changes, after: &Filesystem<FileSource>) {
        let (planned, real) = (&changes.new.superblock, after.superblock());
        self.same("blocks", &planned.blocks_count(), &real.blocks_count());
        self.same("free blocks", &planned.free_blocks_count(), &real.free_blocks_count());
        self.same("reserved blocks", &planned.r_blocks_count(), &real.r_blocks_count());
        macro_rules! fields {
            ($($field:ident)*) => {
                $(self.same(stringify!($field), &planned.$field, &real.$field);)*
            };
        }
        fields!(
            s_inodes_count s_free_inodes_count s_reserved_gdt_blocks s_first_meta_bg
            s_feature_compat s_feature_incompat s_feature_ro_compat s_backup_bgs
            s_overhead_clusters s_raid_stride s_state
        );
    }

    fn groups(&mut self, changes: &Changes, after: &Filesystem<FileSource>) {
        self.same("groups", &changes.new.group_count(), &after.groups().len());
        for (group, entry) in after.groups().iter() {
            let mut planned = changes.new.group(group).copied().unwrap_or_default();
            // Checksums follow from what is compared.
            planned.checksum = entry.desc.checksum;
            planned.block_bitmap_csum = entry.desc.block_bitmap_csum;
            planned.inode_bitmap_csum = entry.desc.inode_bitmap_csum;
            self.same(&format!("group {group}"), &planned, &entry.desc);
        }
    }

    fn bitmaps(&mut self, changes: &Changes, after: &Filesystem<FileSource>) {
        let geometry = after.geometry();
        for group in (0..after.groups().len()).map(Group::new) {
            let first = changes.block_map.cluster(geometry.group_first_fsblk(group).get());
            let real = after.bitmap(BitmapKind::Block, group).expect("a block bitmap");
            let clusters = first..first + real.bits().len();
            let planned: Vec<_> = Runs::new(changes.block_map.bits(), true, clusters)
                .map(|run| run.start - first..run.end - first)
                .collect();
            let real: Vec<_> = real.bits().set_runs().collect();
            self.same(&format!("block bitmap of group {group}"), &planned, &real);

            let first = u64::from(geometry.group_first_ino(group).expect("an inode").get());
            let real = after.bitmap(BitmapKind::Inode, group).expect("an inode bitmap");
            let inodes = first..first + real.bits().len();
            let planned: Vec<_> = Runs::new(&changes.inode_map, true, inodes)
                .map(|run| run.start - first..run.end - first)
                .collect();
            let real: Vec<_> = real.bits().set_runs().collect();
            self.same(&format!("inode bitmap of group {group}"), &planned, &real);
        }
    }

    fn files(
        &mut self,
        before: &Filesystem<FileSource>,
        changes: &Changes,
        after: &Filesystem<FileSource>,
    ) {
        let mut planned = files(before, None);
        for touched in &changes.touched {
            planned.remove(&touched.old_ino.get());
        }
        for touched in &changes.touched {
            let file =
                File { map: touched.after.clone(), acl: touched.acl, i_blocks: touched.i_blocks };
            planned.insert(touched.new_ino.get(), file);
        }
        let real = files(after, Some(changes));
        planned.retain(|_, file| !file.is_empty());
        for ino in planned.keys().chain(real.keys()) {
            let (planned, real) = (planned.get(ino), real.get(ino));
            if *ino == reserved::RESIZE.get()
                && planned
                    .zip(real)
                    .is_some_and(|(planned, real)| is_cached(changes, planned, real))
            {
                continue;
            }
            self.same(&format!("inode {ino}"), &planned, &real);
        }
    }

    /// What the tool tells of its moves.
    fn told(&mut self, changes: &Changes, output: &str) {
        let numbers = |prefix: &str| -> Vec<Vec<u64>> {
            let lines = output.lines().filter(|line| line.starts_with(prefix));
            lines
                .map(|line| {
                    line.split(|c: char| !c.is_ascii_digit())
                        .filter_map(|word| word.parse().ok())
                        .collect()
                })
                .collect()
        };
        let mut real = numbers("Moving ");
        real.sort_by_key(|numbers| numbers.get(1).copied());
        let block = |cluster: u64| changes.block_map.block(cluster);
        let runs = changes.relocations.iter();
        let planned: Vec<_> =
            runs.map(|run| vec![block(run.len), block(run.from), block(run.to)]).collect();
        self.same("block moves", &planned, &real);
        let moves = changes.inode_moves.iter();
        let planned: Vec<_> =
            moves.map(|m| vec![u64::from(m.from.get()), u64::from(m.to.get())]).collect();
        self.same("inode moves", &planned, &numbers("Inode moved "));
        let mut real = numbers("Itable move group ");
        real.iter_mut().for_each(|numbers| numbers.truncate(3));
        real.retain(|numbers| numbers[1] != numbers[2]);
        let moves = changes.itable_moves.iter();
        let planned: Vec<_> = moves.map(|m| vec![u64::from(m.group.get()), m.from, m.to]).collect();
        self.same("inode table moves", &planned, &real);
        let real: Vec<_> = numbers("get_alloc_block allocating ").concat();
        self.same("new nodes", &changes.new_nodes, &real);
        let desperate = output.contains("Going into desperation mode");
        self.same("desperation", &changes.desperate, &desperate);
        let entries = output.lines().filter(|line| line.starts_with("Inode translate ")).count();
        self.same("names", &changes.entries.len(), &entries);
    }
}

/// First and end of each run of set bits.
fn runs(bits: &[bool]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in bits.iter().enumerate().filter(|(_, is_set)| **is_set) {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end += 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}

/// Whether the resize inode is what the cache trap of 1.47.0 makes of it.
///
/// The tool may read the double indirect block from its cache, as it was before. Then it is left
/// empty; or, where blocks are added to it, what was in it before stays. Only few reserved GDT
/// blocks leave it in the cache.
fn is_cached(changes: &Changes, planned: &File, real: &File) -> bool {
    let few = changes.new.superblock.s_reserved_gdt_blocks.get() <= 6;
    let is_emptied =
        real.map.extents.is_empty() && real.map.nodes.first() == planned.map.nodes.first();
    let before = changes.touched.iter().find(|touched| touched.old_ino == reserved::RESIZE);
    let before = before.map(|touched| &touched.before.extents);
    let lies_in = |extents: &[FileExtent], one: &FileExtent| {
        extents.iter().any(|extent| {
            let distance = extent.fsblk.wrapping_sub(extent.lblk);
            one.fsblk.wrapping_sub(one.lblk) == distance
                && (extent.lblk..extent.lblk + extent.len).contains(&one.lblk)
        })
    };
    let is_kept = |extent: &FileExtent| {
        lies_in(&planned.map.extents, extent) || before.is_some_and(|all| lies_in(all, extent))
    };
    let is_stale = planned.map.nodes == real.map.nodes && real.map.extents.iter().all(is_kept);
    few && (is_emptied || is_stale)
}

/// What e2fsck finds afterwards was foretold.
fn foretold(plan: &Plan, copy: &Path, differences: &mut Differences) {
    let mut command = tool::command("e2fsck");
    let output = command.arg("-fn").arg(copy).output().expect("e2fsck can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    // An extent tree may be narrower than 1.47.0 leaves it, which is no fault.
    let asked = text.lines().filter(|line| line.ends_with("? no") && !line.contains("Optimize"));
    let asked: Vec<_> = asked.collect();
    let warnings = plan.warnings();
    let is_mended = |warning: &Warning| {
        !matches!(
            warning,
            Warning::BelowMinimum { .. } | Warning::BadBlocks { .. } | Warning::LongerFile { .. }
        )
    };
    if !asked.is_empty() && !warnings.iter().any(is_mended) {
        differences.add("e2fsck", &warnings, &asked);
    }
}

/// A file is cut to what was asked for, before that was rounded, and never made longer.
fn file_length(plan: &Plan, image: &Path, copy: &Path, differences: &mut Differences) {
    let length = |path: &Path| std::fs::metadata(path).expect("the file is there").len();
    let block_size = u64::from(open(copy).geometry().block_size());
    let planned = (plan.sizes.requested * block_size).min(length(image));
    differences.same("length of the file", &planned, &length(copy));
}

/// Where a file lies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct File {
    map: FileMap,
    acl: u64,
    i_blocks: u64,
}

impl File {
    fn is_empty(&self) -> bool {
        self.map.extents.is_empty() && self.map.nodes.is_empty() && self.acl == 0
    }
}

/// Every file that has blocks; of the filesystem afterwards, only those that the plan has in use.
fn files(fs: &Filesystem<FileSource>, changes: Option<&Changes>) -> BTreeMap<u32, File> {
    let features = fs.features();
    let mut files = BTreeMap::new();
    let mut scan = InodeScan::new();
    while let Some(piece) = scan.next_piece(fs) {
        for inode in piece.expect("inode tables can be read").inodes(fs) {
            let ino = inode.ino.get();
            if inode.raw.i_links_count.get() == 0 && inode.ino != reserved::RESIZE {
                continue;
            }
            if changes.is_some_and(|changes| !changes.inode_map.test(u64::from(ino))) {
                continue;
            }
            let mut file = File::default();
            for item in fs.map_items(&inode) {
                match item.expect("maps can be read") {
                    MapItem::Node(node) => file.map.nodes.push(node.fsblk.get()),
                    MapItem::Mapping(mapping) => {
                        let extent = FileExtent::from(&mapping);
                        let is_tree = inode.flags().contains(extscope::ondisk::InodeFlags::EXTENTS);
                        push(&mut file.map, extent, !is_tree);
                    }
                }
            }
            let acl = inode.raw.file_acl().get();
            let is_64bit = features.incompat.contains(Incompat::BIT64);
            file.acl = if is_64bit { acl } else { acl & u64::from(u32::MAX) };
            let is_huge = features.ro_compat.contains(RoCompat::HUGE_FILE);
            file.i_blocks =
                if is_huge { inode.raw.blocks() } else { u64::from(inode.raw.i_blocks_lo.get()) };
            if !file.is_empty() {
                files.insert(ino, file);
            }
        }
    }
    files
}

/// Adds an extent; `joins` it to the one before where the two are one.
fn push(map: &mut FileMap, extent: FileExtent, joins: bool) {
    match map.extents.last_mut() {
        Some(last)
            if joins
                && last.lblk + last.len == extent.lblk
                && last.fsblk + last.len == extent.fsblk =>
        {
            last.len += extent.len;
        }
        _ => map.extents.push(extent),
    }
}
