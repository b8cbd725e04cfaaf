//! Images made to harm, one of each kind: every one is told of in words, and costs no more time and
//! memory than an image of its length may.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use extscope::ErrorKind;
use extscope::analysis::{BlockClass, NameScan, OwnerMap, Survey};
use extscope::check::{Check, CheckOptions};
use extscope::fs::{Filesystem, Inode, OpenOptions};
use extscope::io::ByteSource;
use extscope::task::{Step, Task};
use extscope::units::Fsblk;
use extscope_tests::recipe::{self, Recipe};
use extscope_tests::sparse::Sparse;
use extscope_tests::tool;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Most bytes of memory that a small image may cost, however large it says that it is.
const MEMORY: usize = 256 << 20;

/// The memory in use is that of the whole process, so tests take turns.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

const BLOCK: usize = 1024;

/// Without checksums, so that what is changed is looked at.
const BASE: Recipe = Recipe {
    name: "hostile",
    kib: 40 * 1024,
    mke2fs: "-t ext4 -b 1024 -O ^metadata_csum,^has_journal,^64bit,large_file -N 4096",
    fill: &[],
};

/// An image with a file in pieces at `/pieces`, and folders.
struct Base {
    bytes: Vec<u8>,
    _folder: tempfile::TempDir,
}

fn made(requests: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = recipe::scratch();
    let image = BASE.make(folder.path());
    tool::debugfs(&image, requests);
    (folder, image)
}

impl Base {
    fn new() -> Self {
        let folder = recipe::scratch();
        let image = BASE.make(folder.path());
        let host = host(folder.path(), "host", &[b'x'; 100 * BLOCK]);
        let mut requests = format!("mkdir a\nmkdir a/b\nwrite {host} a/file\n");
        requests += &format!("write {host} a/other\nwrite {host} pieces\n");
        for block in (1..99).step_by(2) {
            requests += &format!("punch pieces {block} {block}\n");
        }
        tool::debugfs(&image, &requests);
        Self { bytes: std::fs::read(&image).expect("the image can be read"), _folder: folder }
    }

    fn open(&self) -> Filesystem<&[u8]> {
        Filesystem::open(self.bytes.as_slice(), OpenOptions::default()).expect("a good superblock")
    }

    fn inode(&self, path: &str) -> Inode {
        self.open().resolve(path.as_bytes(), false).expect("it is there")
    }

    /// Byte of an inode's `i_block`.
    fn i_block(&self, path: &str) -> usize {
        let (fsblk, in_block) = self.open().inode_place(self.inode(path).ino).expect("inside");
        fsblk.get() as usize * BLOCK + in_block as usize + 0x28
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn number(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.bytes[at..at + 4].try_into().expect("four bytes"))
    }

    /// Block of the first node below the root of an extent tree.
    fn node(&self, path: &str) -> usize {
        self.number(self.i_block(path) + 12 + 4) as usize
    }

    /// What the survey could not follow.
    fn faults(&self) -> String {
        let map = survey(&self.open());
        map.faults().iter().map(|fault| format!("{fault}\n")).collect()
    }

    /// Codes that the check finds.
    fn codes(&self) -> Vec<&'static str> {
        codes(&self.bytes)
    }
}

/// Codes that the check finds in an image.
fn codes(bytes: &[u8]) -> Vec<&'static str> {
    let report = end(Check::new(bytes, CheckOptions::default())).expect("it can be checked");
    report.counts.iter().map(|count| count.code.name()).collect()
}

/// Writes a file on the host and gives its path.
fn host(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("the scratch folder can be written");
    path.display().to_string()
}

/// Steps a task to its end, which a million steps must reach.
fn end<T: Task>(mut task: T) -> extscope::Result<T::Output> {
    for _ in 0..1_000_000 {
        if let Step::Done(output) = task.step()? {
            return Ok(output);
        }
    }
    panic!("it does not end");
}

fn survey<S: ByteSource>(fs: &Filesystem<S>) -> OwnerMap {
    end(Survey::new(fs)).expect("few pieces")
}

/// What `look` makes, and the bytes of memory that it took.
fn measured<T>(look: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let made = look();
    (made, ALLOCATED.peak_usage().saturating_sub(before))
}

#[test]
fn an_extent_tree_that_leads_back_to_itself_is_told_of() {
    if !tool::have(&["mke2fs", "debugfs"], "hostile files") {
        return;
    }
    let _turn = turn();
    let mut base = Base::new();
    let (root, node) = (base.i_block("/pieces"), base.node("/pieces"));
    assert_eq!(base.number(root + 4) & 0xffff_0000, 1 << 16, "eh_depth of the root is 1");
    // The root is two levels above the leaves, and the node below leads to itself.
    base.put(root + 6, &2_u16.to_le_bytes());
    base.put(node * BLOCK + 6, &1_u16.to_le_bytes());
    base.put(node * BLOCK + 12, &[0; 12]);
    base.put(node * BLOCK + 12 + 4, &u32::try_from(node).expect("small").to_le_bytes());
    let faults = base.faults();
    assert!(faults.contains("two entries of the extent tree lead to one node"), "{faults}");
    assert!(base.codes().contains(&"PR_1_EXTENT_ITERATE_FAILURE"), "{:?}", base.codes());
}

#[test]
fn a_depth_that_lies_is_told_of() {
    if !tool::have(&["mke2fs", "debugfs"], "hostile files") {
        return;
    }
    let _turn = turn();
    let mut base = Base::new();
    let (root, node) = (base.i_block("/pieces"), base.node("/pieces"));
    base.put(node * BLOCK + 6, &3_u16.to_le_bytes());
    assert!(base.faults().contains("eh_depth is 3 where 0 is due"), "{}", base.faults());
    base.put(root + 6, &500_u16.to_le_bytes());
    assert!(base.faults().contains("eh_depth is 500; no tree is deeper than 5"));
    assert!(base.codes().contains(&"PR_1_EXTENT_BAD_MAX_DEPTH"), "{:?}", base.codes());
}

#[test]
fn extents_over_one_another_are_told_of() {
    if !tool::have(&["mke2fs", "debugfs"], "hostile files") {
        return;
    }
    let _turn = turn();
    let mut base = Base::new();
    let (file, other) = (base.i_block("/a/file"), base.i_block("/a/other"));
    let start = base.number(file + 12 + 8);
    // The other file has the same blocks.
    base.put(other + 12 + 8, &start.to_le_bytes());
    let map = survey(&base.open());
    let (run, owner) = map.run_at(Fsblk::new(u64::from(start))).expect("inside");
    assert_eq!(owner.class, BlockClass::MultiplyClaimed);
    let mut claims: Vec<_> = map.claims_at(Fsblk::new(run.start)).map(|c| c.owner.ino()).collect();
    claims.sort();
    assert_eq!(claims, [Some(base.inode("/a/file").ino), Some(base.inode("/a/other").ino)]);
    assert!(base.codes().contains(&"PR_1B_DUP_BLOCK") || base.codes().contains(&"PR_1B_DUP_RANGE"));
    // And one file has them twice, out of order.
    let extent: Vec<u8> = base.bytes[file + 12..file + 24].to_vec();
    base.put(file + 2, &2_u16.to_le_bytes());
    base.put(file + 24, &extent);
    assert!(base.codes().contains(&"PR_1_OUT_OF_ORDER_EXTENTS"), "{:?}", base.codes());
    let error =
        base.open().read_file(&base.inode("/a/file"), 0, 1 << 20).map_err(|e| e.to_string());
    assert!(error.is_ok_and(|bytes| bytes.len() == 100 * BLOCK), "the size ends it");
}

#[test]
fn folders_in_one_another_are_told_of() {
    if !tool::have(&["mke2fs", "debugfs"], "hostile files") {
        return;
    }
    let _turn = turn();
    let (_folder, image) = made("mkdir a\nmkdir a/b\nln a a/b/again\n");
    let bytes = std::fs::read(&image).expect("the image can be read");
    let fs = Filesystem::open(bytes.as_slice(), OpenOptions::default()).expect("good");
    let root = fs.resolve(b"/", false).expect("a root");
    let errors: Vec<String> = fs
        .tree(&root)
        .expect("a folder")
        .filter_map(|entry| entry.err().map(|error| error.to_string()))
        .collect();
    assert!(errors[0].contains("the same folder is in two places, or in itself"), "{errors:?}");
    assert_eq!(errors.len(), 1);
    assert!(codes(&bytes).contains(&"PR_2_LINK_DIR"), "{:?}", codes(&bytes));
}

#[test]
fn names_with_slashes_and_nuls_are_told_of() {
    if !tool::have(&["mke2fs", "debugfs"], "hostile files") {
        return;
    }
    let _turn = turn();
    let mut base = Base::new();
    let map = survey(&base.open());
    let dir = base.inode("/a").ino;
    let (run, _) =
        map.runs().find(|(_, owner)| owner.ino() == Some(dir)).expect("a block of the folder");
    let block = run.start as usize * BLOCK;
    for (name, bad) in [(&b"file"[..], &b"f/\0e"[..]), (b"other", b"../..")] {
        let within = &base.bytes[block..block + BLOCK];
        let at = within.windows(name.len()).position(|w| w == name).expect("the name");
        base.put(block + at, bad);
    }
    let names = base.codes();
    assert!(names.contains(&"PR_2_BAD_NAME"), "{names:?}");
    let fs = base.open();
    let root = fs.resolve(b"/", false).expect("a root");
    let paths: Vec<String> = fs
        .tree(&root)
        .expect("a folder")
        .flatten()
        .map(|entry| String::from_utf8(entry.path).expect("escaped"))
        .collect();
    assert!(paths.contains(&"a/f\\x2f\\x00e".to_owned()), "{paths:?}");
    assert!(paths.contains(&"a/..\\x2f..".to_owned()), "{paths:?}");
}

#[test]
fn a_size_of_2_to_the_63_is_told_of() {
    if !tool::have(&["mke2fs", "debugfs"], "hostile files") {
        return;
    }
    let _turn = turn();
    let mut base = Base::new();
    let i_block = base.i_block("/a/file");
    let (size_lo, size_high) = (i_block - 0x28 + 4, i_block - 0x28 + 0x6c);
    base.put(size_lo, &0_u32.to_le_bytes());
    base.put(size_high, &(1_u32 << 31).to_le_bytes());
    let (fs, inode) = (base.open(), base.inode("/a/file"));
    assert_eq!(inode.raw.size(), 1 << 63);
    let whole = extscope::fs::FileData::new(&fs, &inode, 0..u64::MAX).map(|_| ());
    let error = whole.expect_err("no file is as long");
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    let told = "the file says to have 9223372036854775808 bytes, and can have 4398046511104";
    assert!(error.to_string().contains(told), "{error}");
    assert!(base.codes().contains(&"PR_1_BAD_I_SIZE"), "{:?}", base.codes());
}

#[test]
fn a_folder_of_a_million_entries_is_gone_through() {
    if !tool::have(&["mke2fs", "debugfs"], "hostile files") {
        return;
    }
    let _turn = turn();
    // 64 names of one letter in each block of 1 KiB, all of them of one inode.
    let mut block = Vec::new();
    for letter in 0..64_u8 {
        block.extend(11_u32.to_le_bytes());
        block.extend([16, 0, 2, 2, b'0' + letter % 10, b'A' + letter / 10, 0, 0, 0, 0, 0, 0]);
    }
    let blocks = block.repeat(1_000_000 / 64);
    let folder = recipe::scratch();
    let host = host(folder.path(), "names", &blocks);
    let (_folder, image) =
        made(&format!("write {host} names\nsif names mode 040755\nsif names links_count 2\n"));
    let bytes = std::fs::read(&image).expect("the image can be read");
    let fs = Filesystem::open(bytes.as_slice(), OpenOptions::default()).expect("good");
    let dir = fs.resolve(b"/names", false).expect("it is there");
    let (count, taken) = measured(|| fs.dir_entries(&dir).expect("a folder").flatten().count());
    assert_eq!(count, 1_000_000);
    assert!(taken < 8 << 20, "{taken} bytes of memory");
    let (names, taken) = measured(|| end(NameScan::new(&fs)).expect("few names"));
    assert!(names.len() < 10 && taken < 8 << 20, "{taken} bytes of memory");
    let (found, taken) = measured(|| codes(&bytes));
    assert!(found.contains(&"PR_2_LINK_DIR"), "{found:?}");
    assert!(taken < 64 << 20, "{taken} bytes of memory");
}

/// A superblock of 16 TiB in blocks of 4 KiB, and so many groups that were never described.
fn sixteen_tib() -> Sparse {
    let blocks = u32::MAX;
    let mut source = Sparse::new(u64::from(blocks) * 4096);
    let mut superblock = vec![0; 1024];
    for (at, value) in [
        (0x00, 131_072 * 1024),
        (0x04, blocks),
        (0x18, 2),
        (0x1c, 2),
        (0x20, 32_768),
        (0x24, 32_768),
        (0x28, 1024),
        (0x4c, 1),
        (0x54, 11),
        (0x60, 0x42),
        (0x64, 0x1),
    ] {
        let value: u32 = value;
        superblock[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    superblock[0x38..0x3a].copy_from_slice(&0xef53_u16.to_le_bytes());
    superblock[0x58..0x5a].copy_from_slice(&128_u16.to_le_bytes());
    source.put(1024, superblock);
    source
}

/// Surveys and names a sparse image; gives what came of it and the bytes read.
fn gone_through(source: &Sparse) -> (OwnerMap, u64) {
    let fs = Filesystem::open(source.clone(), OpenOptions::default()).expect("a superblock");
    let map = survey(&fs);
    let names = end(NameScan::new(&fs)).expect("few names");
    assert!(names.len() < 1 << 20);
    (map, fs.meter().by_kind().iter().map(|kind| kind.count.bytes).sum())
}

#[test]
fn sixteen_tib_of_zeroed_descriptors_end_soon() {
    let _turn = turn();
    let source = sixteen_tib();
    let ((map, read), taken) = measured(|| gone_through(&source));
    let faults: Vec<_> = map.faults().iter().map(ToString::to_string).collect();
    let told = "the inode table lies over that of another group";
    assert!(faults.iter().any(|fault| fault.contains(told)), "{faults:?}");
    assert!(taken < MEMORY, "{taken} bytes of memory");
    assert!(read < 1 << 30, "{read} bytes read");
}

#[test]
fn groups_that_share_their_bitmaps_and_tables_end_soon() {
    let _turn = turn();
    let mut source = sixteen_tib();
    // All descriptors lead to the same bitmaps, every other bit of which is set, and to the same
    // inodes, each with twelve blocks anywhere.
    let (first, used) = (5_000_u32, 0x55);
    let mut desc = [0; 32];
    for (at, block) in [(0, first), (4, first), (8, first + 1)] {
        desc[at..at + 4].copy_from_slice(&block.to_le_bytes());
    }
    source.put(4096, desc.repeat(131_072));
    source.put(u64::from(first) * 4096, vec![used; 4096]);
    let mut inodes = Vec::new();
    for ino in 0..1024_u32 {
        let mut inode = vec![0; 128];
        inode[..2].copy_from_slice(&0o100_644_u16.to_le_bytes());
        inode[0x1a] = 1;
        for slot in 0..12_u32 {
            let block = (ino * 12 + slot).wrapping_mul(2_654_435_761);
            let at = 0x28 + 4 * slot as usize;
            inode[at..at + 4].copy_from_slice(&block.to_le_bytes());
        }
        inodes.extend(inode);
    }
    source.put(u64::from(first + 1) * 4096, inodes);
    let ((map, read), taken) = measured(|| gone_through(&source));
    let told = "the bitmaps have too many pieces in use that are no file's";
    assert!(map.faults().iter().any(|fault| fault.to_string().contains(told)));
    assert!(map.run_count() < 8 << 20);
    assert!(taken < MEMORY, "{taken} bytes of memory");
    assert!(read < 2 << 30, "{read} bytes read");
}

#[test]
fn a_small_image_whose_blocks_are_all_claimed_often_is_told_of() {
    let _turn = turn();
    // 16 MiB in blocks of 1 KiB: one file after the other, each with the same indirect blocks full
    // of numbers.
    let blocks = 16_384_u32;
    let mut source = Sparse::new(u64::from(blocks) * 1024);
    let mut superblock = vec![0; 1024];
    for (at, value) in [
        (0x00, 65_536_u32),
        (0x04, blocks),
        (0x14, 1),
        (0x20, 8_192),
        (0x24, 8_192),
        (0x28, 32_768),
        (0x4c, 1),
        (0x54, 11),
        (0x60, 0x2),
    ] {
        superblock[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    superblock[0x38..0x3a].copy_from_slice(&0xef53_u16.to_le_bytes());
    superblock[0x58..0x5a].copy_from_slice(&128_u16.to_le_bytes());
    source.put(1024, superblock);
    let mut descs = Vec::new();
    for table in [100_u32, 8_300] {
        for block in [10, 11, table, 0, 0, 0, 0, 0] {
            descs.extend(block.to_le_bytes());
        }
    }
    source.put(2048, descs);
    let mut table = Vec::new();
    for ino in 0..32_768_u32 {
        let mut inode = vec![0; 128];
        inode[..2].copy_from_slice(&0o100_644_u16.to_le_bytes());
        inode[0x1a] = 1;
        for slot in 0..12_u32 {
            let block = (ino * 12 + slot).wrapping_mul(2_654_435_761) % blocks;
            let at = 0x28 + 4 * slot as usize;
            inode[at..at + 4].copy_from_slice(&block.to_le_bytes());
        }
        table.extend(inode);
    }
    source.put(100 * 1024, table.clone());
    source.put(8_300 * 1024, table);
    let ((map, read), taken) = measured(|| gone_through(&source));
    let faults: Vec<_> = map.faults().iter().map(ToString::to_string).collect();
    let told = "too many pieces of files to say whose each block is";
    assert!(faults.iter().any(|fault| fault.contains(told)), "{:?}", faults.first());
    assert!(map.fault_count() > 100_000);
    assert!(taken < MEMORY / 4, "{taken} bytes of memory");
    assert!(read < 64 << 20, "{read} bytes read");
}
