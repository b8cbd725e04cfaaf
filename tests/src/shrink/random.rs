//! Random filesystems with files and inodes anywhere in them.
//!
//! All free blocks and inodes are marked as in use first. Then windows are opened, one after the
//! other, and what is written goes there. A last `e2fsck` makes bitmaps and counts true.

use extscope::bitmap::Bits as _;
use extscope::fs::BitmapKind;
use extscope::ondisk::features::{Incompat, RoCompat};
use extscope::resize::{Frame, Target, minimum};
use extscope::units::{Group, Grpblk};
use fastrand::Rng;

use super::compare::open;
use super::maker::Maker;
use super::script::Script;

/// How a random filesystem is made.
#[derive(Clone, Debug)]
pub struct RandomImage {
    options: String,
    extended: String,
    blocks: u64,
    block_size: u64,
    moves_inodes: bool,
}

/// One of some.
fn pick<T: Copy>(rng: &mut Rng, from: &[T]) -> T {
    from[rng.usize(0..from.len())]
}

/// True so many times of a hundred.
fn chance(rng: &mut Rng, percent: u32) -> bool {
    rng.u32(0..100) < percent
}

impl RandomImage {
    /// Draws one.
    #[must_use]
    pub fn new(rng: &mut Rng) -> Self {
        let wide_flex = chance(rng, 15);
        let block_size = if wide_flex { 1024 } else { pick(rng, &[1024, 1024, 1024, 2048, 4096]) };
        let kinds = ["ext2", "ext3", "ext4", "ext4", "ext4", "ext4", "ext4"];
        let kind = if wide_flex { "ext4" } else { pick(rng, &kinds) };
        let per_group = match block_size {
            1024 if wide_flex => pick(rng, &[256, 512, 1024]),
            1024 => pick(rng, &[256, 256, 512, 512, 768, 1024, 1024, 2048, 4096]),
            _ => pick(rng, &[512, 512, 1024, 2048]),
        };
        let groups = if wide_flex { rng.u64(34..110) } else { rng.u64(3..=40) };
        let mut blocks = groups * per_group + rng.u64(0..per_group) - per_group / 2;
        let mut features: Vec<&str> = Vec::new();
        let mut has_resize_inode = !chance(rng, 30);
        let mut is_flex = kind == "ext4";
        let mut has_journal = kind != "ext2";
        let mut has_extents = kind == "ext4";
        if kind == "ext4" {
            if !wide_flex && chance(rng, 35) {
                features.push("^flex_bg");
                is_flex = false;
            }
            let is_32bit = chance(rng, 35);
            match rng.u32(0..100) {
                0..25 => features.extend(["^metadata_csum", "uninit_bg"]),
                25..35 => features.push("^metadata_csum"),
                _ => {}
            }
            if chance(rng, 50) {
                features.push("^has_journal");
                has_journal = false;
            }
            if chance(rng, 15) {
                features.push("inline_data");
            }
            if chance(rng, 10) {
                features.push("quota");
            }
            if chance(rng, 8) {
                features.extend(["^64bit", "^extent"]);
                has_extents = false;
            } else if is_32bit {
                features.push("^64bit");
            }
        }
        match rng.u32(0..100) {
            0..15 if !has_resize_inode => features.push("meta_bg"),
            15..35 => {
                features.extend(["sparse_super2", "^sparse_super"]);
                has_resize_inode = false;
            }
            35..42 if !has_resize_inode => features.push("^sparse_super"),
            _ => {}
        }
        if !has_resize_inode {
            features.push("^resize_inode");
        }
        let is_bigalloc = kind == "ext4" && !wide_flex && has_extents && chance(rng, 10);
        let mut options = format!("-t {kind} -b {block_size}");
        if is_bigalloc {
            features.push("bigalloc");
            blocks = rng.u64(20_000..90_000);
            options += &format!(" -C {}", block_size << rng.u32(1..=4));
        } else {
            let inodes = pick(rng, &[8, 16, 16, 32, 32, 64, 128]) * (blocks / per_group + 1);
            options += &format!(" -g {per_group} -N {inodes}");
        }
        if !features.is_empty() {
            options += &format!(" -O {}", features.join(","));
        }
        if is_flex {
            let sizes: &[u32] = if wide_flex { &[32, 64] } else { &[2, 4, 8, 16, 16, 32, 64] };
            options += &format!(" -G {}", pick(rng, sizes));
        }
        if has_journal {
            let mib = match block_size {
                1024 => 1,
                2048 => 4,
                _ => 5,
            };
            options += &format!(" -J size={mib}");
        }
        let mut extended = Vec::new();
        if !is_flex && chance(rng, 25) {
            extended.push(format!("stride={}", pick(rng, &[1, 4, 16, 40])));
        }
        if has_resize_inode && chance(rng, 30) {
            extended.push(format!("resize={}", blocks * pick(rng, &[2, 8, 100])));
        }
        if chance(rng, 15) {
            extended.push("packed_meta_blocks=1".to_owned());
        }
        let moves_inodes = chance(rng, 50);
        Self { options, extended: extended.join(","), blocks, block_size, moves_inodes }
    }

    /// Makes it; false when the tools do not take what was drawn.
    pub fn make(&self, maker: &Maker, rng: &mut Rng) -> bool {
        if !maker.try_mke2fs(&self.options, &self.extended, &self.blocks.to_string()) {
            return false;
        }
        let _ = maker.try_e2fsck();
        let free = free_runs(maker);
        maker.debugfs(|script| self.fill(maker, rng, script, &free));
        maker.try_e2fsck()
    }

    /// Opens windows and writes into them.
    fn fill(&self, maker: &Maker, rng: &mut Rng, script: &mut Script, free: &[(u64, u64)]) {
        let fs = open(maker.image());
        let per_cluster = u64::from(fs.geometry().blocks_per_cluster());
        let has_extents = fs.features().incompat.contains(Incompat::EXTENTS);
        let inodes = u64::from(fs.geometry().inodes_count());
        for (first, count) in free {
            script.busy(*first, *count);
        }
        if self.moves_inodes {
            script.busy_inodes(12, inodes - 11);
        }
        let all: u64 = free.iter().map(|(_, count)| count).sum();
        let mut budget = all * rng.u64(5..80) / 100;
        let mut taken = Vec::new();
        for window in 0..rng.u32(1..=10) {
            if free.is_empty() {
                break;
            }
            let (first, count) = free[rng.usize(0..free.len())];
            let start = first + rng.u64(0..count) / per_cluster * per_cluster;
            let len =
                (first + count - start).min(pick(rng, &[10, 50, 200, 1000, 3000])).min(budget);
            let range = start..start + len;
            let overlaps =
                |other: &std::ops::Range<u64>| other.start < range.end && range.start < other.end;
            if len == 0 || taken.iter().any(overlaps) {
                continue;
            }
            let (step, burst) = match pick(rng, &[1, 1, 1, 2, 2, 3]) {
                1 => (len, len),
                times => {
                    let burst = pick(rng, &[1, 1, 2, 5]) * per_cluster;
                    (burst * times, burst)
                }
            };
            let mut room = 0;
            for at in range.clone().step_by(usize::try_from(step).expect("a short step")) {
                let burst = burst.min(range.end - at);
                script.free(at, burst);
                room += burst;
            }
            budget -= room;
            taken.push(range);
            if self.moves_inodes {
                let start = rng.u64(12..=inodes);
                script.free_inodes(start, pick(rng, &[3, 10, 40]).min(inodes - start + 1));
            }
            for number in 0..25 {
                if room <= 2 * per_cluster {
                    break;
                }
                let name = format!("f{window}_{number}");
                let used = self.write(rng, script, &name, room, has_extents);
                room = room.saturating_sub(used.div_ceil(per_cluster) * per_cluster);
            }
        }
    }

    /// Writes something into so many free blocks; gives how many it takes, about.
    fn write(
        &self,
        rng: &mut Rng,
        script: &mut Script,
        name: &str,
        room: u64,
        has_extents: bool,
    ) -> u64 {
        let blocks = pick(rng, &[1, 1, 2, 5, 12, 13, 20, 60, 100, 300, 800, 2500]).min(room);
        let kib = |blocks: u64| usize::try_from(blocks * self.block_size / 1024).expect("few");
        match rng.u32(0..100) {
            55..67 if has_extents => {
                let (start, count) = (rng.u64(0..=4), rng.u64(1..=room));
                script.files(name, 1, 0);
                script.ask(format!("fallocate {name}0 {start} {}", start + count));
                count
            }
            67..82 => {
                let count = pick(rng, &[5, 30, 90, 200]).min(room);
                script.sparse_files(name, 1, (count, pick(rng, &[2, 3, 7]), self.block_size));
                count
            }
            82..91 => {
                script.ask(format!("mkdir {name}"));
                if rng.bool() {
                    script.ask(format!("cd {name}")).files("g", rng.u32(1..=5), 1).ask("cd /");
                }
                4
            }
            91..95 => {
                let length = pick(rng, &[5, 70, 200]);
                script.ask(format!("symlink {name} {}", "y".repeat(length)));
                1
            }
            95.. => {
                script.files(name, 1, 1);
                for attribute in 0..2 {
                    let value = "v".repeat(180);
                    script.ask(format!("ea_set {name}0 user.q{attribute} {value}"));
                }
                2
            }
            _ => {
                script.files(name, 1, kib(blocks).max(1));
                blocks + 1
            }
        }
    }
}

/// First block and length of each run of free blocks.
fn free_runs(maker: &Maker) -> Vec<(u64, u64)> {
    let fs = open(maker.image());
    let mut runs = Vec::new();
    for group in (0..fs.groups().len()).map(Group::new) {
        let bitmap = fs.bitmap(BitmapKind::Block, group).expect("a block bitmap");
        for run in bitmap.bits().clear_runs() {
            let block = |bit: u64| {
                let grpblk = Grpblk::new(u32::try_from(bit).expect("a bit of a group"));
                fs.geometry().fsblk_from_grpblk(group, grpblk).get()
            };
            let end = block(run.end).min(fs.geometry().blocks_count());
            runs.push((block(run.start), end - block(run.start)));
        }
    }
    runs
}

/// The estimate, two sizes above it, and some anywhere; more than half with `-f`.
#[must_use]
pub fn targets(maker: &Maker, rng: &mut Rng) -> Vec<(Target, bool)> {
    let fs = open(maker.image());
    let geometry = fs.geometry();
    let blocks = geometry.blocks_count();
    let minimum = minimum(&Frame::of(&fs).expect("a filesystem")).blocks.min(blocks);
    let mut sizes: Vec<u64> = (0..2).map(|_| rng.u64(minimum..=blocks)).collect();
    sizes.extend((0..2).map(|_| rng.u64(blocks / 10..=blocks)));
    let per_group = u64::from(geometry.blocks_per_group());
    // Sizes that end soon after a group starts, where its metadata gets short of room.
    let per_flex = u64::from(geometry.groups_per_flex());
    let groups = geometry.groups_count();
    let itable = geometry.itable_blocks();
    if groups > 1 {
        let start = geometry.first_data_block().get() + rng.u64(1..groups) * per_group;
        sizes.push(start + itable + rng.u64(2..90));
    }
    if (32..groups).contains(&per_flex) {
        let start = geometry.first_data_block().get() + per_flex * per_group;
        sizes.extend((0..2).map(|_| start + itable + 40 + rng.u64(0..per_group)));
    }
    let is_bigalloc = fs.features().ro_compat.contains(RoCompat::BIGALLOC);
    let sizes = sizes.into_iter().filter(|size| *size > 0 && *size < blocks);
    std::iter::once(Target::Minimum)
        .chain(sizes.map(Target::Blocks))
        .map(|target| (target, is_bigalloc || chance(rng, 60)))
        .collect()
}
