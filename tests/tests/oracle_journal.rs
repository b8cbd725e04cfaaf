//! The journal against `debugfs logdump`, and the filesystem as after replay against what
//! `e2fsck` makes of a copy.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::FileExt as _;
use std::panic::catch_unwind;
use std::path::Path;

use extscope::ErrorKind;
use extscope::check::{Check, CheckOptions, Mode};
use extscope::fs::journal::{
    FastCommitEntry, FastCommits, HeldBack, Journal, JournalCsum, JournalPlace, LogBlockKind,
    LogEnd, LogWalk, Recovered, Recovery,
};
use extscope::fs::{CsumState, Filesystem, OpenOptions};
use extscope::io::{ByteSource, Covers, Overlay};
use extscope::task::run_to_end;
use extscope::units::Fsblk;
use extscope_tests::debugfs::ask;
use extscope_tests::{corpus, e2fsck, recipe, tool};

const TOOLS: [&str; 4] = ["mke2fs", "debugfs", "dumpe2fs", "e2fsck"];

/// `mke2fs` arguments, and how `debugfs` is told to check the log.
const JOURNALS: [(&str, &str, JournalCsum); 6] = [
    ("-t ext3 -b 1024 -J size=4", "", JournalCsum::None),
    ("-t ext4 -b 1024 -J size=4 -O ^metadata_csum,^64bit", "-c", JournalCsum::V1),
    ("-t ext4 -b 1024 -J size=4 -O ^metadata_csum", "", JournalCsum::None),
    ("-t ext4 -b 1024 -J size=4", "-c -v 2", JournalCsum::V2),
    ("-t ext4 -b 1024 -J size=4", "-c -v 3", JournalCsum::V3),
    ("-t ext4 -b 4096 -J size=4", "-c", JournalCsum::V3),
];

/// Makes an image whose journal holds: three blocks; a block that starts with the journal's magic;
/// one of the first three again; a transaction that revokes two of them; one of these again; a
/// transaction that was never committed.
fn make(folder: &Path, mke2fs: &str, open: &str) -> std::path::PathBuf {
    let image = folder.join("journal.img");
    fs::File::create(&image).expect("scratch").set_len(24 << 20).expect("scratch");
    let mut command = tool::command("mke2fs");
    command.args(["-q", "-F", "-U", "5d1f8a0e-7c35-4c0b-9f6e-2b1a40c3e7d9"]);
    command.args(mke2fs.split_whitespace()).arg(&image);
    assert!(command.status().expect("mke2fs can be run").success());

    let size = usize::try_from(tool::block_size(&image)).expect("small");
    let data = |name: &str, bytes: Vec<u8>| {
        let file = folder.join(name);
        fs::write(&file, bytes).expect("scratch");
        file.display().to_string()
    };
    let numbered = |from: usize| (0..3 * size).map(|at| (at / 7 + from) as u8).collect();
    let three = data("three", numbered(1));
    let other = data("other", numbered(91));
    let mut magic = vec![0x77; size];
    magic[..4].copy_from_slice(&0xC03B_3998_u32.to_be_bytes());
    let magic = data("magic", magic);
    let mut script = String::new();
    for request in [
        format!("jo {open}"),
        format!("jw -b 5000,5001,5002 {three}"),
        format!("jw -b 5003 {magic}"),
        format!("jw -b 5001,5010,5011 {other}"),
        "jw -r 5001,5002".to_owned(),
        format!("jw -b 5002 {other}"),
        format!("jw -b 5004 -c {magic}"),
        "jc".to_owned(),
    ] {
        let _ = writeln!(script, "{request}");
    }
    tool::debugfs(&image, &script);
    image
}

fn open(image: &Path) -> Filesystem<Vec<u8>> {
    let bytes = fs::read(image).expect("the image can be read");
    Filesystem::open(bytes, OpenOptions::default()).expect("the image can be opened")
}

fn recover(fs: &Filesystem<Vec<u8>>) -> Result<Recovered, ErrorKind> {
    run_to_end(Recovery::new(fs).expect("a journal")).map_err(|error| error.kind())
}

/// What our walk tells, in the words of `logdump -a`.
fn told(fs: &Filesystem<Vec<u8>>, journal: &Journal) -> Vec<String> {
    let mut lines = Vec::new();
    let mut walk = LogWalk::new(journal);
    while let Some(block) = walk.next_block(fs, journal) {
        let block = block.expect("a sound log");
        let (at, sequence) = (block.block, block.sequence);
        let mut found = |number: u32, name: &str| {
            let what = format!("type {number} ({name}) at block {at}");
            lines.push(format!("Found expected sequence {sequence}, {what}"));
        };
        match block.kind {
            LogBlockKind::Descriptor(tags) => {
                found(1, "descriptor block");
                lines
                    .push(format!("Dumping descriptor block, sequence {sequence}, at block {at}:"));
                for tag in tags {
                    lines.push(format!(
                        "FS block {} logged at journal block {} (flags 0x{:x})",
                        tag.fsblk,
                        tag.block,
                        tag.flags.bits()
                    ));
                }
            }
            LogBlockKind::Revoke(blocks) => {
                found(5, "revoke table");
                lines.push(format!("Dumping revoke block, sequence {sequence}, at block {at}:"));
                lines.extend(blocks.iter().map(|fsblk| format!("Revoke FS block {fsblk}")));
            }
            LogBlockKind::Commit { .. } => found(2, "commit block"),
            other => panic!("{other:?}"),
        }
    }
    lines.push(format!("No magic number at block {}: end of journal.", walk.at()));
    lines
}

/// What `logdump -a` prints, its head and the dump of data left out.
fn logdump(image: &Path) -> Vec<String> {
    let answers = ask(image, &["logdump -a".to_owned()]);
    let lines = answers[0].iter().map(|line| line.trim().to_owned());
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("Journal starts"));
    lines.take_while(|line| !line.starts_with("***")).collect()
}

/// Blocks that differ between what we say is after replay and what `e2fsck` left.
fn differing(ours: &Overlay<Vec<u8>>, theirs: &[u8], block_size: usize) -> Vec<usize> {
    let mut bytes = vec![0; theirs.len()];
    ours.read_at(0, &mut bytes).expect("inside");
    let blocks = bytes.chunks(block_size).zip(theirs.chunks(block_size)).zip(0..);
    blocks.filter(|((ours, theirs), _)| ours != theirs).map(|(_, at)| at).collect()
}

/// Replays by `e2fsck` on a copy, and gives the copy's bytes. A block that a damaged log places
/// outside the filesystem is written there and makes the copy longer; that is cut off.
fn replayed_by_e2fsck(image: &Path) -> Vec<u8> {
    let copy = image.with_extension("replayed");
    fs::copy(image, &copy).expect("scratch");
    let mut command = tool::command("e2fsck");
    let output = command.args(["-y", "-E", "journal_only"]).arg(&copy).output();
    output.expect("e2fsck can be run");
    let mut bytes = vec![0; fs::metadata(image).expect("scratch").len() as usize];
    let file = fs::File::open(&copy).expect("scratch");
    file.read_exact_at(&mut bytes, 0).expect("scratch");
    fs::remove_file(&copy).expect("scratch");
    bytes
}

/// Compares the filesystem as after replay with what `e2fsck` leaves; `None` where nothing of the
/// log is replayed by either.
fn compare_replay(image: &Path) -> Option<Recovered> {
    let fs = open(image);
    let journal = Journal::open(&fs).expect("a journal");
    let recovered = recover(&fs);
    let theirs = replayed_by_e2fsck(image);
    let block_size = fs.geometry().block_size() as usize;
    let bytes = fs::read(image).expect("the image can be read");
    let covers = recovered.as_ref().map_or_else(|_| Covers::default(), |all| all.covers.clone());
    let ours = Overlay::new(bytes, covers);
    // Times, write counts and the checksum over them are e2fsck's own.
    let superblocks =
        [1024 / block_size, journal.fsblk(0).expect("it has a superblock").get() as usize];
    let differing: Vec<_> = differing(&ours, &theirs, block_size)
        .into_iter()
        .filter(|block| !superblocks.contains(block))
        .collect();
    assert_eq!(differing, [0; 0], "blocks that differ");

    let recovered = recovered.map_err(|kind| assert_eq!(kind, ErrorKind::Corrupt)).ok()?;
    let after = Filesystem::open(ours, OpenOptions::default()).expect("the image can be opened");
    assert!(!after.needs_recovery());
    let theirs = Filesystem::open(theirs, OpenOptions::default()).expect("e2fsck left it sound");
    let clean = [Journal::open(&after), Journal::open(&theirs)].map(|journal| {
        let journal = journal.expect("a journal");
        assert_ne!(journal.csum, CsumState::Bad);
        let superblock = journal.superblock;
        // After an error e2fsck leaves the number of the next transaction as it was.
        let sequence = recovered.faults.is_empty().then(|| superblock.s_sequence.get());
        (superblock.s_start.get(), sequence)
    });
    assert_eq!(clean[0], clean[1], "start and sequence, ours is left");
    Some(recovered)
}

/// Checks the filesystem as after replay as `e2fsck` checks a copy that it replayed.
fn compare_check(image: &Path, recovered: &Recovered) {
    let copy = image.with_extension("checked");
    fs::write(&copy, replayed_by_e2fsck(image)).expect("scratch");
    let said = e2fsck::check(&copy);
    let bytes = fs::read(image).expect("the image can be read");
    let after = Overlay::new(bytes, recovered.covers.clone());
    let options = CheckOptions {
        mode: Mode::LikeE2fsck,
        now: Some(e2fsck::NOW),
        is_replayed: true,
        ..CheckOptions::default()
    };
    let report = run_to_end(Check::new(&after, options)).expect("it runs to its end");
    assert!(!report.outcome.skipped_journal);
    assert_eq!(said.difference(&report), "", "{}", said.text);
}

#[test]
fn the_log_is_listed_and_replayed_as_e2fsprogs_does() {
    if !tool::have(&TOOLS, "the journal oracle") {
        return;
    }
    for (mke2fs, opened, csum) in JOURNALS {
        let folder = recipe::scratch();
        let image = make(folder.path(), mke2fs, opened);
        let fs = open(&image);
        assert!(fs.needs_recovery(), "{mke2fs}");
        let journal = Journal::open(&fs).expect("a journal");
        assert_eq!(journal.csum_kind(), csum, "{mke2fs} {opened}");
        assert_ne!(journal.csum, CsumState::Bad);
        assert_eq!(told(&fs, &journal), logdump(&image), "{mke2fs}, ours is left");
        let recovered = compare_replay(&image).expect("a sound log");
        compare_check(&image, &recovered);
        let counts = (recovered.transactions.len(), recovered.written, recovered.revoked);
        if csum == JournalCsum::V1 {
            // debugfs gives a transaction without data a checksum that recovery refuses.
            assert_eq!(counts, (3, 7, 0), "{mke2fs}");
            continue;
        }
        // 5001 twice, and 5002 before it was revoked.
        assert_eq!(counts, (5, 5, 3), "{mke2fs}");
        assert_eq!(recovered.faults, [], "{mke2fs}");
    }
}

#[test]
fn a_damaged_log_is_replayed_as_far_as_e2fsck_replays_it() {
    if !tool::have(&TOOLS, "the journal oracle") {
        return;
    }
    for (mke2fs, opened, _) in JOURNALS {
        let folder = recipe::scratch();
        let image = make(folder.path(), mke2fs, opened);
        let fs = open(&image);
        let journal = Journal::open(&fs).expect("a journal");
        let size = u64::from(fs.geometry().block_size());
        let whole = fs::read(&image).expect("the image can be read");
        // Every block of the log: in its header, in what it lists, and in its tail.
        let places = [5, 13, size - 2, 40, 11, 2];
        for block in 1..20_u32 {
            for at in places.iter().skip(block as usize % 6).take(1) {
                let offset = journal.fsblk(block).expect("mapped").get() * size + at;
                let file = fs::File::options().write(true).open(&image).expect("scratch");
                let byte = whole[offset as usize];
                file.write_all_at(&[byte ^ 0x10], offset).expect("scratch");
                let outcome = catch_unwind(|| _ = compare_replay(&image));
                assert!(outcome.is_ok(), "{mke2fs} {opened}: byte {at} of block {block}");
                file.write_all_at(&[byte], offset).expect("scratch");
            }
        }
    }
}

/// Changes a byte of the journal's superblock; the checksum over it stays as it was.
fn change_superblock(image: &Path, at: u64, byte: u8) {
    let fs = open(image);
    let journal = Journal::open(&fs).expect("a journal");
    let block_size = u64::from(fs.geometry().block_size());
    let offset = journal.fsblk(0).expect("mapped").get() * block_size + at;
    let file = fs::File::options().write(true).open(image).expect("scratch");
    file.write_all_at(&[byte], offset).expect("scratch");
}

#[test]
fn a_log_that_may_not_be_replayed_is_listed_and_put_nowhere() {
    if !tool::have(&TOOLS, "the journal oracle") {
        return;
    }
    // In s_users, s_feature_incompat and s_maxlen.
    let changes = [(0x3ff, 0x77), (0x28, 0x40), (0x10, 1)];
    for (mke2fs, opened, csum) in JOURNALS {
        for (at, byte) in changes {
            let folder = recipe::scratch();
            let image = make(folder.path(), mke2fs, opened);
            let before = recover(&open(&image)).expect("a sound log");
            assert_eq!(before.held_back, None);
            change_superblock(&image, at, byte);
            let fs = open(&image);
            let Ok(journal) = Journal::open(&fs) else {
                assert_eq!(at, 0x10, "only a length beyond the filesystem forbids to walk");
                continue;
            };
            let has_csum = [JournalCsum::V2, JournalCsum::V3].contains(&csum);
            if at == 0x3ff && !has_csum {
                assert_eq!(journal.refusal(), None, "{mke2fs}: nothing covers it");
                continue;
            }
            let recovered = recover(&fs).expect("the log can be walked over");
            assert!(
                matches!(recovered.held_back, Some(HeldBack::Refused(_))),
                "{mke2fs}, byte {at:#x}: {:?}",
                recovered.held_back
            );
            assert_eq!((recovered.covers.len(), recovered.written), (0, 0));
            assert!(recovered.transactions.len() >= 3, "{mke2fs}: they are listed");
            let said = e2fsck::check(&image);
            let refused = ["PR_0_JOURNAL_BAD_SUPER", "PR_0_JOURNAL_UNSUPP_INCOMPAT"];
            assert!(refused.iter().any(|code| said.set.contains(code)), "{:?}", said.set);
        }
    }
}

#[test]
fn a_log_that_nobody_asks_for_is_put_nowhere() {
    if !tool::have(&TOOLS, "the journal oracle") {
        return;
    }
    let folder = recipe::scratch();
    let (mke2fs, opened, _) = JOURNALS[4];
    let image = make(folder.path(), mke2fs, opened);
    tool::debugfs(&image, "feature -needs_recovery\n");
    let recovered = recover(&open(&image)).expect("a sound log");
    assert_eq!((recovered.held_back, recovered.covers.len()), (Some(HeldBack::NotDue), 0));
    assert_eq!(recovered.transactions.len(), 5);
}

#[test]
fn what_follows_a_block_that_cannot_be_read_may_revoke_what_came_before() {
    if !tool::have(&TOOLS, "the journal oracle") {
        return;
    }
    let folder = recipe::scratch();
    let (mke2fs, opened, _) = JOURNALS[4];
    let image = make(folder.path(), mke2fs, opened);
    let fs = open(&image);
    let journal = Journal::open(&fs).expect("a journal");
    let cut = journal.fsblk(7).expect("mapped").get() * u64::from(fs.geometry().block_size());
    fs::File::options().write(true).open(&image).expect("scratch").set_len(cut).expect("scratch");
    let recovered = recover(&open(&image)).expect("a log");
    assert_eq!(recovered.end, LogEnd::Unreadable);
    assert!(matches!(recovered.held_back, Some(HeldBack::Unreadable(_))));
    assert_eq!((recovered.transactions.len(), recovered.covers.len()), (1, 0));
}

#[test]
fn a_device_with_a_journal_shows_its_log() {
    if !tool::have(&TOOLS, "the journal oracle") {
        return;
    }
    for block_size in ["1024", "4096"] {
        let folder = recipe::scratch();
        let image = folder.path().join("device.img");
        fs::File::create(&image).expect("scratch").set_len(8 << 20).expect("scratch");
        let mut command = tool::command("mke2fs");
        command.args(["-q", "-F", "-O", "journal_dev", "-b", block_size]).arg(&image);
        assert!(command.status().expect("mke2fs can be run").success());
        let fs = open(&image);
        let journal = Journal::open(&fs).expect("a journal");
        let size: u32 = block_size.parse().expect("a number");
        assert_eq!(journal.superblock.s_maxlen.get(), (8 << 20) / size);
        assert_eq!(journal.superblock.s_first.get(), journal.superblock_at() + 1);
        assert!(!journal.is_dirty());
        assert_eq!(recover(&fs).expect("an empty log").transactions, []);
    }
}

/// UUID of the journal on a device of its own.
const DEVICE: &str = "11111111-2222-3333-4444-555555555555";

/// A filesystem, and the journal that it has on another device with three blocks, one of which is
/// revoked, and a block that starts with the journal's magic.
fn make_external(folder: &Path, block_size: &str) -> [std::path::PathBuf; 2] {
    let [image, device] = ["fs.img", "device.img"].map(|name| folder.join(name));
    for path in [&image, &device] {
        fs::File::create(path).expect("scratch").set_len(24 << 20).expect("scratch");
    }
    for (arguments, path) in [
        (format!("-O journal_dev -b {block_size} -U {DEVICE}"), &device),
        (format!("-t ext4 -O ^has_journal,^metadata_csum -b {block_size}"), &image),
    ] {
        let mut command = tool::command("mke2fs");
        command.args(["-q", "-F"]).args(arguments.split_whitespace()).arg(path);
        assert!(command.status().expect("mke2fs can be run").success());
    }
    let size: usize = block_size.parse().expect("a number");
    let data = |name: &str, bytes: Vec<u8>| {
        let file = folder.join(name);
        fs::write(&file, bytes).expect("scratch");
        file.display().to_string()
    };
    let three = data("three", (0..3 * size).map(|at| (at / 7) as u8).collect());
    let mut magic = vec![0x77; size];
    magic[..4].copy_from_slice(&0xC03B_3998_u32.to_be_bytes());
    let magic = data("magic", magic);
    let script = [
        "feature has_journal".to_owned(),
        format!("ssv journal_uuid {DEVICE}"),
        "ssv journal_inum 0".to_owned(),
    ];
    tool::debugfs(&image, &script.join("\n"));
    let script = [
        format!("jo -f {}", device.display()),
        format!("jw -b 5000,5001,5002 {three}"),
        format!("jw -b 5003 {magic}"),
        "jw -r 5001".to_owned(),
        "jc".to_owned(),
    ];
    tool::debugfs(&image, &script.join("\n"));
    [image, device]
}

#[test]
fn a_journal_on_another_device_is_replayed_as_e2fsck_replays_it() {
    if !tool::have(&TOOLS, "the journal oracle") {
        return;
    }
    for block_size in ["1024", "4096"] {
        let folder = recipe::scratch();
        let [image, device] = make_external(folder.path(), block_size);
        let (fs, log) = (open(&image), open(&device));
        assert!(fs.needs_recovery());
        assert_eq!(Journal::open(&fs).map_err(|e| e.kind()).err(), Some(ErrorKind::Unsupported));
        let recovery = Recovery::with_device(&fs, &log).expect("its journal");
        let recovered = run_to_end(recovery).expect("a sound log");
        assert_eq!((recovered.written, recovered.revoked), (3, 1));
        assert!(recovered.faults.is_empty());

        let mut command = tool::command("e2fsck");
        command.args(["-y", "-E", "journal_only", "-j"]).args([&device, &image]);
        command.output().expect("e2fsck can be run");
        let theirs = fs::read(&image).expect("the image can be read");
        let ours = Overlay::new(open_bytes(&fs), recovered.covers);
        let size: usize = block_size.parse().expect("a number");
        let differing = differing(&ours, &theirs, size);
        // Times and write counts of the superblock are e2fsck's own.
        assert_eq!(differing, [1024 / size], "blocks that differ");
        // The device's own log is as before: what is shown is replayed in memory alone.
        let name = device.display().to_string();
        let said = e2fsck::check_with(&image, &["-j", &name]);
        let options = CheckOptions {
            mode: Mode::LikeE2fsck,
            now: Some(e2fsck::NOW),
            is_replayed: true,
            ..CheckOptions::default()
        };
        let check = Check::new(&ours, options);
        let waiting = Overlay::from(open_bytes(&log));
        let report = run_to_end(check.with_journal(&waiting)).expect("it runs to its end");
        assert_eq!(said.difference(&report), "", "{block_size}: {}", said.text);
        let after = Filesystem::open(ours, OpenOptions::default()).expect("it can be opened");
        assert!(!after.needs_recovery());

        let wrong = Recovery::with_device(&fs, &fs).map(|_| ()).expect_err("no journal");
        assert!(wrong.to_string().contains("given for the journal is none"), "{wrong}");
        let wrong = Recovery::with_device(&log, &log).map(|_| ()).expect_err("no filesystem");
        assert!(wrong.to_string().contains("has no journal on another device"), "{wrong}");
    }
}

#[test]
fn a_journal_on_another_device_is_checked_as_e2fsck_does() {
    if !tool::have(&TOOLS, "the journal oracle") {
        return;
    }
    for block_size in ["1024", "4096"] {
        let folder = recipe::scratch();
        let [image, device] = make_external(folder.path(), block_size);
        let whole = fs::read(&device).expect("the device can be read");
        let fs = fs::read(&image).expect("the image can be read");
        let size: usize = block_size.parse().expect("a number");
        let log = if size == 1024 { 2048 } else { size };
        // Of its ext superblock: magic, UUID, features that want a checksum; of the journal's: magic,
        // users, features, length, and that it is of the first version.
        let changes: [&[(usize, u8)]; 9] = [
            &[],
            &[(1024 + 0x38, 0)],
            &[(1024 + 0x60, 0)],
            &[(1024 + 0x68, 0x77)],
            &[(1024 + 0x65, 4), (1024 + 0x175, 1)],
            &[(log, 0)],
            &[(log + 0x43, 3)],
            &[(log + 0x2a, 0x40)],
            &[(log + 0x11, 1)],
        ];
        for recovery in ["feature needs_recovery", "feature -needs_recovery"] {
            tool::debugfs(&image, &format!("{recovery}\n"));
            let bytes = fs::read(&image).expect("the image can be read");
            for change in changes {
                let mut journal = whole.clone();
                for (at, byte) in change {
                    journal[*at] = *byte;
                }
                fs::write(&device, &journal).expect("scratch");
                let name = device.display().to_string();
                let said = e2fsck::check_with(&image, &["-j", &name]);
                let options = CheckOptions {
                    mode: Mode::LikeE2fsck,
                    now: Some(e2fsck::NOW),
                    ..CheckOptions::default()
                };
                let check = Check::new(&bytes, options).with_journal(&journal);
                let report = run_to_end(check).expect("it runs to its end");
                let when = format!("{block_size}, {recovery}, {change:x?}: {}", said.text);
                assert_eq!(said.difference(&report), "", "{when}");
            }
        }
        fs::write(&image, fs).expect("scratch");
        let report = run_to_end(Check::new(&whole, CheckOptions::default())).expect("a report");
        assert_eq!(e2fsck::check(&device).exit, Some(report.outcome.e2fsck.exit));
        assert!(report.outcome.sentence.contains("journal of another filesystem"));
    }
}

#[test]
fn a_log_is_replayed_from_a_backup_superblock_which_never_asks_for_it() {
    if !tool::have(&TOOLS, "the journal oracle") {
        return;
    }
    let folder = recipe::scratch();
    let (mke2fs, opened, _) = JOURNALS[0];
    let image = make(folder.path(), mke2fs, opened);
    let bytes = fs::read(&image).expect("the image can be read");
    let backup = OpenOptions { superblock: Some(Fsblk::new(8193)), block_size: Some(1024) };
    let fs = Filesystem::open(bytes.clone(), backup).expect("there is a backup");
    assert!(!fs.needs_recovery(), "the flag is set in the primary superblock alone");
    let recovered = recover(&fs).expect("a sound log");
    assert_eq!((recovered.held_back, recovered.written), (None, 5));

    let mut command = tool::command("e2fsck");
    command.args(["-y", "-b", "8193", "-B", "1024", "-E", "journal_only"]).arg(&image);
    command.output().expect("e2fsck can be run");
    let theirs = fs::read(&image).expect("the image can be read");
    let ours = Overlay::new(bytes, recovered.covers);
    for block in 5000..5012 {
        let at = block * 1024;
        let mut read = vec![0; 1024];
        ours.read_at(at as u64, &mut read).expect("inside");
        assert_eq!(read, theirs[at..at + 1024], "block {block}");
    }
}

/// All bytes of the image that a filesystem was opened from.
fn open_bytes(fs: &Filesystem<Vec<u8>>) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(fs.image_len()).expect("small")];
    let kind = extscope::io::ReadKind::Data;
    fs.reader().read(kind, 0, &mut bytes).expect("inside");
    bytes
}

/// The entries of fast commits in the words of `logdump`.
fn fast_commits(fs: &Filesystem<Vec<u8>>, journal: &Journal) -> Vec<String> {
    let mut entries = FastCommits::new(journal);
    let mut lines = Vec::new();
    while let Some(entry) = entries.next_entry(fs, journal) {
        let (_, entry) = entry.expect("a whole entry");
        lines.push(match entry {
            FastCommitEntry::Head { features, tid } => {
                format!("tag HEAD, features 0x{features:x}, tid {tid}")
            }
            FastCommitEntry::Tail { tid, csum } => {
                assert_eq!(csum, CsumState::Good);
                format!("tag TAIL, tid {tid}")
            }
            FastCommitEntry::AddRange { ino, lblk, fsblk, len, .. } => {
                format!("tag ADD_RANGE, inode {ino}, lblk {lblk}, pblk {fsblk}, len {len}")
            }
            FastCommitEntry::DelRange { ino, lblk, len } => {
                format!("tag DEL_RANGE, inode {ino}, lblk {lblk}, len {len}")
            }
            FastCommitEntry::Name { tag, parent, ino, name } => {
                let name = String::from_utf8(name).expect("plain letters");
                let tag = match tag {
                    3 => "CREAT_DENTRY",
                    4 => "ADD_ENTRY",
                    _ => "DEL_ENTRY",
                };
                format!("tag {tag}, parent {parent}, ino {ino}, name \"{name}\"")
            }
            FastCommitEntry::Inode { ino, .. } => format!("tag INODE, inode {ino}"),
            other => panic!("{other:?}"),
        });
    }
    lines
}

#[test]
fn journals_of_the_corpus_are_replayed_as_e2fsck_replays_them() {
    const TEST: &str = "journals of the corpus";
    let Some(folder) = corpus::folder(TEST) else { return };
    if !tool::have(&TOOLS, TEST) {
        return;
    }
    let scratch = recipe::scratch();
    let mut compared = Vec::new();
    for packed in corpus::images(&folder) {
        let name = corpus::name(&packed);
        if !name.starts_with("j_") {
            continue;
        }
        let image = scratch.path().join("journal.img");
        fs::write(&image, corpus::unpack(&packed)).expect("scratch");
        let fs = open(&image);
        let Ok(journal) = Journal::open(&fs) else {
            assert_eq!(name, "j_corrupt_sb_magic");
            continue;
        };
        if journal.place == JournalPlace::Image {
            continue;
        }
        if name == "j_recover_fast_commit" {
            let answers = ask(&image, &["logdump".to_owned()]);
            let due = answers[0].iter().filter(|line| line.starts_with("tag "));
            // debugfs prints the byte behind each name, too.
            let plain = |line: &String| line.replace(|letter: char| letter.is_control(), "");
            let due: Vec<_> = due.map(plain).collect();
            assert_eq!(fast_commits(&fs, &journal), due, "ours is left");
            assert_eq!(recover(&fs).expect("a sound log").fast_commits, 1);
        } else {
            compare_replay(&image);
        }
        compared.push(name.to_owned());
    }
    assert!(compared.len() >= 6, "{compared:?}");
}
