//! Filesystems that are not the whole of a file.

use std::process::{Command, Output, Stdio};

use extscope_tests::disk::Disk;
use extscope_tests::{recipe, sample};
use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_extscope"));
    command.args(arguments).stdin(Stdio::null()).output().expect("it can be started")
}

/// What it prints of an image, without what was read to find that out.
fn json(command: &str, place: &[&str], image: &str) -> Value {
    let output = run(&[&[command, "--json"], place, &[image]].concat());
    assert!(output.status.success(), "{output:?}");
    let mut value: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    if let Some(object) = value.as_object_mut() {
        object.remove("reads");
    }
    value
}

/// Fails, with each of `says` in its complaint.
fn assert_fails(arguments: &[&str], status: i32, says: &[&str]) {
    let output = run(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{complaint}");
    for part in says {
        assert!(complaint.contains(part), "{part:?} is not in {complaint:?}");
    }
}

/// A disk whose second partition is a sample, and the sample.
fn disk() -> (tempfile::TempDir, String, (tempfile::TempDir, String)) {
    let (folder, sample) = (recipe::scratch(), sample::unpacked("one-bitmap"));
    let disk = Disk::new(&folder.path().join("disk.img"), 512, 64 << 11);
    let count = disk.put(sample.1.as_ref(), 6144);
    disk.write_gpt(&[Some((2048, 2048, "boot")), Some((6144, count, "root"))]);
    let path = disk.path().to_str().expect("a plain path").to_owned();
    (folder, path, sample)
}

#[test]
fn a_partition_is_told_as_its_filesystem_alone() {
    let (_folder, disk, (_other, alone)) = disk();
    for command in ["info", "groups", "free", "check"] {
        let whole = json(command, &[], &alone);
        assert_eq!(json(command, &["--partition", "2"], &disk), whole, "{command}");
        assert_eq!(json(command, &["--offset", "3145728"], &alone_from_byte(&disk)), whole);
    }
    let list = run(&["ls", "--partition", "2", &disk, "/"]);
    assert_eq!(list.stdout, run(&["ls", &alone, "/"]).stdout);
}

/// The disk cut off where its filesystem ends, so that the offset alone says where it lies.
fn alone_from_byte(disk: &str) -> String {
    let bytes = std::fs::read(disk).expect("the disk can be read");
    let cut = format!("{disk}.cut");
    std::fs::write(&cut, &bytes[..(3 << 20) + (8 << 20)]).expect("a file can be written");
    cut
}

#[test]
fn a_disk_lists_its_partitions_and_how_to_open_one() {
    let (_folder, disk, _other) = disk();
    let says = ["this is a disk with GPT partitions", "zeros", "extscope info --partition 2"];
    assert_fails(&["info", &disk], 1, &says);
    assert_fails(&["info", "--partition", "3", &disk], 1, &["no partition 3", "partitions 1, 2"]);
    assert_fails(&["info", "--partition", "1", &disk], 1, &["no ext superblock"]);
    assert_fails(&["check", "--partition", "3", &disk], 8, &["no partition 3"]);
    assert_fails(&["info", "--partition", "1", "--offset", "1", &disk], 2, &["cannot be used"]);
    let (_sample, alone) = sample::unpacked("one-bitmap");
    assert_fails(&["info", "--partition", "1", &alone], 1, &["no partition table"]);
    assert_fails(&["info", "--offset", "99999999999", &alone], 1, &["the image is empty"]);
}

#[test]
fn the_partitions_of_a_disk_are_listed_as_text_and_as_json() {
    let (_folder, disk, (_other, alone)) = disk();
    let output = run(&["partitions", &disk]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.starts_with("GPT on 64 MiB, sectors of 512"), "{text}");
    assert!(text.contains("3,145,728  ext4, one-bitmap"), "{text}");
    assert!(text.contains("zeros, boot (not an ext filesystem)"), "{text}");
    let report = json("partitions", &[], &disk);
    assert_eq!(report["partitions"][1]["offset"], 3 << 20);
    assert_eq!(report["partitions"][1]["is_ext"], true);
    assert_fails(&["partitions", &alone], 1, &["no partition table"]);
}
