//! Every line that `dumpe2fs` prints of the superblock, from the fields of our report.

use std::collections::HashMap;
use std::path::Path;

use extscope::fs::{Filesystem, OpenOptions};
use extscope::io::FileSource;
use extscope::report::{FieldValue, InfoReport, time};
use extscope_tests::dumpe2fs::Dump;
use extscope_tests::matrix::MATRIX;
use extscope_tests::{recipe, tool};

/// Lines that do not come from the superblock: the journal's own and the MMP block's.
const ELSEWHERE: &[&str] = &[
    "Journal features",
    "Total journal size",
    "Total journal blocks",
    "Max transaction length",
    "Fast commit length",
    "Journal sequence",
    "Journal start",
    "Journal first block",
    "Journal users",
    "Journal number of users",
    "MMP_block",
    "    mmp_magic",
    "    mmp_check_interval",
    "    mmp_sequence",
    "    mmp_update_date",
    "    mmp_update_time",
    "    mmp_node_name",
    "    mmp_device_name",
];

/// The report of an image, with its fields by name.
struct Told {
    info: InfoReport,
    numbers: HashMap<String, u64>,
    texts: HashMap<String, String>,
}

impl Told {
    fn of(image: &Path) -> Self {
        let source = FileSource::open(image).expect("the image can be read");
        let fs = Filesystem::open(source, OpenOptions::default()).expect("it can be opened");
        let info = InfoReport::new(&fs);
        let mut told = Self { numbers: HashMap::new(), texts: HashMap::new(), info };
        for field in &told.info.superblock {
            match &field.value {
                FieldValue::Number(n) => _ = told.numbers.insert(field.name.clone(), *n),
                FieldValue::Signed(n) => {
                    told.numbers.insert(field.name.clone(), n.cast_unsigned());
                }
                FieldValue::Text(text) => {
                    told.texts.insert(field.name.clone(), text.clone());
                }
                FieldValue::List(list) => {
                    for (i, n) in list.iter().enumerate() {
                        told.numbers.insert(format!("{}[{i}]", field.name), *n);
                    }
                }
            }
        }
        told
    }

    /// A field that is a number.
    fn n(&self, name: &str) -> u64 {
        *self.numbers.get(name).unwrap_or_else(|| panic!("no number {name}"))
    }

    /// A field that is text.
    fn text(&self, name: &str) -> &str {
        self.texts.get(name).unwrap_or_else(|| panic!("no text {name}"))
    }

    /// A field as it is shown.
    fn shown(&self, name: &str) -> &str {
        let field = self.info.superblock.iter().find(|field| field.name == name);
        &field.unwrap_or_else(|| panic!("no field {name}")).text
    }

    fn has(&self, feature: &str) -> bool {
        self.info.features.iter().any(|report| report.name == feature)
    }
}

/// The lines of the header, each there only when `dumpe2fs` would print it.
#[derive(Default)]
struct Lines(Vec<(String, String)>);

impl Lines {
    fn always(&mut self, label: &str, value: impl ToString) {
        self.0.push((label.to_owned(), value.to_string()));
    }

    fn only(&mut self, there: bool, label: &str, value: impl ToString) {
        if there {
            self.always(label, value);
        }
    }

    fn nonzero(&mut self, label: &str, n: u64) {
        self.only(n != 0, label, n);
    }
}

/// Text, or what stands for none.
fn or<'a>(text: &'a str, none: &'a str) -> &'a str {
    if text.is_empty() { none } else { text }
}

/// A time as 1.47.0 prints it, which is without the high byte.
fn moment(seconds: u64) -> String {
    match seconds & u64::from(u32::MAX) {
        0 => "n/a".to_owned(),
        seconds => time(seconds),
    }
}

fn header(told: &Told) -> Vec<(String, String)> {
    let mut lines = Lines::default();
    identity(told, &mut lines);
    counts(told, &mut lines);
    history(told, &mut lines);
    inodes_and_journal(told, &mut lines);
    errors(told, &mut lines);
    extras(told, &mut lines);
    lines.0
}

fn identity(told: &Told, lines: &mut Lines) {
    let names: Vec<&str> = told.info.features.iter().map(|f| &*f.name).collect();
    lines.always("Filesystem volume name", or(&told.info.volume_name, "<none>"));
    lines.always("Last mounted on", or(told.text("s_last_mounted"), "<not available>"));
    lines.always("Filesystem UUID", &told.info.uuid);
    lines.always("Filesystem magic number", format!("0x{:04X}", told.n("s_magic")));
    lines.always("Filesystem revision #", told.shown("s_rev_level"));
    lines.always("Filesystem features", or(&names.join(" "), "(none)"));
    let flags = told.shown("s_flags").replace(", ", " ");
    lines.only(told.n("s_flags") != 0, "Filesystem flags", flags);
    lines.always("Default mount options", words(told.shown("s_default_mount_opts")));
    let options = told.text("s_mount_opts");
    lines.only(!options.is_empty(), "Mount options", options);
    let state = told.n("s_state");
    let clean = if state & 1 == 0 { "not clean" } else { "clean" };
    let errors = if state & 2 == 0 { "" } else { " with errors" };
    lines.always("Filesystem state", format!("{clean}{errors}"));
    lines.always("Errors behavior", told.shown("s_errors"));
    lines.always("Filesystem OS type", told.shown("s_creator_os").trim_start_matches("GNU "));
}

fn counts(told: &Told, lines: &mut Lines) {
    let is_bigalloc = told.has("bigalloc");
    let geometry = &told.info.geometry;
    lines.always("Inode count", told.n("s_inodes_count"));
    lines.always("Block count", told.n("s_blocks_count"));
    lines.always("Reserved block count", told.n("s_r_blocks_count"));
    lines.nonzero("Overhead clusters", told.n("s_overhead_clusters"));
    lines.always("Free blocks", told.n("s_free_blocks_count"));
    lines.always("Free inodes", told.n("s_free_inodes_count"));
    lines.always("First block", told.n("s_first_data_block"));
    lines.always("Block size", geometry.block_size);
    let (size, per_group) = if is_bigalloc {
        ("Cluster size", "Clusters per group")
    } else {
        ("Fragment size", "Fragments per group")
    };
    lines.always(size, 1024_u64 << told.n("s_log_cluster_size"));
    lines.only(told.has("64bit"), "Group descriptor size", told.n("s_desc_size"));
    lines.nonzero("Reserved GDT blocks", told.n("s_reserved_gdt_blocks"));
    lines.always("Blocks per group", told.n("s_blocks_per_group"));
    lines.always(per_group, told.n("s_clusters_per_group"));
    lines.always("Inodes per group", told.n("s_inodes_per_group"));
    lines.always("Inode blocks per group", geometry.itable_blocks);
    lines.nonzero("RAID stride", told.n("s_raid_stride"));
    lines.nonzero("RAID stripe width", told.n("s_raid_stripe_width"));
    lines.nonzero("First meta block group", told.n("s_first_meta_bg"));
    let log = told.n("s_log_groups_per_flex");
    lines.only(log != 0, "Flex block group size", 1_u64 << log);
}

fn history(told: &Told, lines: &mut Lines) {
    let created = told.n("s_mkfs_time");
    lines.only(created != 0, "Filesystem created", moment(created));
    lines.always("Last mount time", moment(told.n("s_mtime")));
    lines.always("Last write time", moment(told.n("s_wtime")));
    lines.always("Mount count", told.n("s_mnt_count"));
    lines.always("Maximum mount count", told.n("s_max_mnt_count").cast_signed());
    lines.always("Last checked", moment(told.n("s_lastcheck")));
    let interval = told.n("s_checkinterval");
    lines.always("Check interval", interval);
    lines.only(interval != 0, "Next check after", moment(told.n("s_lastcheck") + interval));
    let written = told.n("s_kbytes_written");
    lines.only(written != 0, "Lifetime writes", kbytes(written));
    lines.always("Reserved blocks uid", told.n("s_def_resuid"));
    lines.always("Reserved blocks gid", told.n("s_def_resgid"));
}

/// Kilobytes in the unit that `dumpe2fs` picks: the largest below 2^13 of it, rounded.
fn kbytes(mut n: u64) -> String {
    for unit in ["kB", "MB", "GB", "TB"] {
        if n < 1 << 13 {
            return format!("{n} {unit}");
        }
        n = (n + 512) >> 10;
    }
    format!("{n} PB")
}

fn inodes_and_journal(told: &Told, lines: &mut Lines) {
    if told.n("s_rev_level") > 0 {
        lines.always("First inode", told.n("s_first_ino"));
        lines.always("Inode size", told.n("s_inode_size"));
        lines.nonzero("Required extra isize", told.n("s_min_extra_isize"));
        lines.nonzero("Desired extra isize", told.n("s_want_extra_isize"));
    }
    let journal = told.text("s_journal_uuid");
    lines.only(told.shown("s_journal_uuid") != "none", "Journal UUID", journal);
    lines.nonzero("Journal inode", told.n("s_journal_inum"));
    let device = told.n("s_journal_dev");
    lines.only(device != 0, "Journal device", format!("0x{device:04x}"));
    lines.nonzero("First orphan inode", told.n("s_last_orphan"));
    if told.has("dir_index") || told.n("s_def_hash_version") != 0 {
        lines.always("Default directory hash", told.shown("s_def_hash_version"));
    }
    let seed = told.text("s_hash_seed");
    lines.only(told.shown("s_hash_seed") != "none", "Directory Hash Seed", seed);
    let backup = told.shown("s_jnl_backup_type");
    lines.only(backup != "none", "Journal backup", backup);
    let groups = [told.n("s_backup_bgs[0]"), told.n("s_backup_bgs[1]")];
    let groups: Vec<String> =
        groups.iter().filter(|group| **group != 0).map(u64::to_string).collect();
    let there = told.has("sparse_super2") && !groups.is_empty();
    lines.only(there, "Backup block groups", groups.join(" "));
    if told.n("s_snapshot_inum") != 0 {
        lines.always("Snapshot inode", told.n("s_snapshot_inum"));
        lines.always("Snapshot ID", told.n("s_snapshot_id"));
        lines.always("Snapshot reserved blocks", told.n("s_snapshot_r_blocks_count"));
    }
    lines.nonzero("Snapshot list head", told.n("s_snapshot_list"));
}

fn errors(told: &Told, lines: &mut Lines) {
    lines.nonzero("FS Error count", told.n("s_error_count"));
    for (which, label) in [("first", "First"), ("last", "Last")] {
        let field = |what| format!("s_{which}_error_{what}");
        let n = |what| told.n(&field(what));
        if n("time") == 0 {
            continue;
        }
        lines.always(&format!("{label} error time"), moment(n("time")));
        lines.always(&format!("{label} error function"), told.text(&field("func")));
        lines.always(&format!("{label} error line #"), n("line"));
        lines.nonzero(&format!("{label} error inode #"), n("ino"));
        lines.nonzero(&format!("{label} error block #"), n("block"));
        let code = told.shown(&field("errcode"));
        let code = code.split(',').next().unwrap_or(code).replace("unknown (", "UNKNOWN_ERRCODE_");
        lines.only(n("errcode") != 0, &format!("{label} error err"), code.trim_end_matches(')'));
    }
}

fn extras(told: &Told, lines: &mut Lines) {
    if told.has("mmp") {
        lines.always("MMP block number", told.n("s_mmp_block"));
        lines.always("MMP update interval", told.n("s_mmp_update_interval"));
    }
    lines.nonzero("User quota inode", told.n("s_usr_quota_inum"));
    lines.nonzero("Group quota inode", told.n("s_grp_quota_inum"));
    lines.nonzero("Project quota inode", told.n("s_prj_quota_inum"));
    if told.has("metadata_csum") {
        lines.always("Checksum type", told.shown("s_checksum_type"));
        lines.always("Checksum", told.shown("s_checksum"));
    }
    let salt = told.text("s_encrypt_pw_salt");
    lines.only(told.shown("s_encrypt_pw_salt") != "none", "Encryption PW Salt", salt);
    if told.has("metadata_csum_seed") {
        lines.always("Checksum seed", told.shown("s_checksum_seed"));
    }
    lines.only(told.has("casefold"), "Character encoding", told.shown("s_encoding"));
    lines.nonzero("Orphan file inode", told.n("s_orphan_file_inum"));
}

/// What was printed, in the form of [`header`]: times as ours, numbers without their words.
fn printed(dump: &Dump) -> Vec<(String, String)> {
    let from_superblock =
        dump.header.iter().filter(|(label, _)| !ELSEWHERE.contains(&label.as_str()));
    let plain = |(label, value): &(String, String)| {
        let value = match label.as_str() {
            "Check interval" | "Reserved blocks uid" | "Reserved blocks gid" => {
                value.split(' ').next().unwrap_or(value).to_owned()
            }
            "Errors behavior" => value.to_lowercase(),
            "Default mount options" => words(&value.replace("MNTOPT_7", "0x80")),
            _ if is_date(label) => date(value),
            _ => value.clone(),
        };
        (label.clone(), value)
    };
    from_superblock.map(plain).collect()
}

/// Words in alphabetical order; none are `none`.
fn words(text: &str) -> String {
    let text = text.replace(',', "").replace("(none)", "none");
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_unstable();
    words.join(" ")
}

fn is_date(label: &str) -> bool {
    [" time", " created", " checked", " after"].iter().any(|end| label.ends_with(end))
}

/// `Mon Jan  1 00:00:00 2024` as `2024-01-01 00:00:00 UTC`.
fn date(text: &str) -> String {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let parts: Vec<&str> = text.split_whitespace().collect();
    let [_, month, day, clock, year] = parts[..] else { return text.to_owned() };
    let month = MONTHS.find(month).expect("a month") / 3 + 1;
    format!("{year}-{month:02}-{day:0>2} {clock} UTC")
}

#[test]
fn every_line_of_the_superblock_is_told_as_dumpe2fs_tells_it() {
    if !tool::have(&["mke2fs", "debugfs", "dumpe2fs"], "the superblock against dumpe2fs") {
        return;
    }
    recipe::each(MATRIX, |_, image| {
        let (ours, theirs) = (header(&Told::of(image)), printed(&Dump::of(image)));
        let ours_alone: Vec<_> = ours.iter().filter(|line| !theirs.contains(line)).collect();
        let theirs_alone: Vec<_> = theirs.iter().filter(|line| !ours.contains(line)).collect();
        assert!(
            ours_alone.is_empty() && theirs_alone.is_empty(),
            "ours alone: {ours_alone:?}, theirs alone: {theirs_alone:?}"
        );
    });
}
