//! `extscope info` and `extscope groups` as people and programs meet them.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use extscope_tests::{recipe, sample, source};
use serde_json::Value;

/// The command with its arguments.
fn extscope(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_extscope"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    extscope(arguments).output().expect("it can be started")
}

/// What it prints when all is well.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    assert!(output.stderr.is_empty(), "{}", complaint(&output));
    String::from_utf8(output.stdout).expect("it prints text")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).expect("it prints JSON")
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Fails as it should: nothing on standard output, a complaint with each of `says`.
fn assert_fails(arguments: &[&str], status: i32, says: &[&str]) {
    let output = run(arguments);
    let complaint = complaint(&output);
    assert_eq!(output.status.code(), Some(status), "{complaint}");
    assert!(output.stdout.is_empty(), "something was printed");
    assert!(!complaint.contains("panicked"), "{complaint}");
    for part in says {
        assert!(complaint.contains(part), "{part:?} is not in {complaint:?}");
    }
}

/// A file with these bytes.
fn put(name: &str, bytes: &[u8]) -> (tempfile::TempDir, String) {
    let folder = recipe::scratch();
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("the scratch folder can be written");
    let path = path.to_str().expect("a plain path").to_owned();
    (folder, path)
}

#[test]
fn info_tells_what_an_image_is() {
    let (_folder, image) = sample::unpacked("small-server");
    let text = printed(&["info", &image]);
    for line in [
        "Type         ext4",
        "Label        small-server",
        "UUID         7e57ab1e-0000-4000-8000-000000000001",
        "Filesystem   112 MiB (117,440,512 bytes)",
        "Groups       56 of 512 blocks and 64 inodes",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line:?} is not in\n{text}");
    }
    let info = json(&["info", "--json", &image]);
    assert_eq!(info["filesystem_type"], "ext4");
    assert_eq!(info["geometry"]["groups_count"], 56);
    assert_eq!(info["superblock"]["s_blocks_per_group"], 512);
    assert_eq!(info["superblock"]["s_last_mounted"], "/srv");
    assert_eq!(info["superblock_csum"], "good");
    let features = info["features"].as_array().expect("a list");
    assert!(features.iter().any(|feature| feature["name"] == "metadata_csum"));
}

#[test]
fn groups_tells_each_group_as_text_and_as_json() {
    let (_folder, image) = sample::unpacked("bigalloc");
    let text = printed(&["groups", &image]);
    let heads = text.lines().filter(|line| line.starts_with("Group ")).count();
    let groups = json(&["groups", "--json", &image]);
    let groups = groups["groups"].as_array().expect("a list");
    assert_eq!((heads, groups.len()), (4, 4));
    for group in groups {
        let free = group["free_blocks"].as_array().expect("a list");
        let blocks = |range: &Value| {
            let edge = |name: &str| range[name].as_u64().expect("a number");
            edge("last") - edge("first") + 1
        };
        // Four blocks to a cluster.
        let clusters: u64 = free.iter().map(|range| blocks(range).div_ceil(4)).sum();
        assert_eq!(group["block_bitmap"]["free"], clusters);
        assert_eq!(group["bg_free_blocks_count"], clusters);
    }
}

#[test]
fn every_name_of_the_json_is_documented() {
    /// Objects whose names are data: kernel fields, and those explained in another section.
    fn names(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    if !name.starts_with("s_") {
                        into.push(name.clone());
                    }
                    names(value, into);
                }
            }
            Value::Array(list) => list.iter().for_each(|value| names(value, into)),
            _ => {}
        }
    }
    let documentation = source::text(&source::root().join("docs/json.md"));
    let (_folder, image) = sample::unpacked("one-bitmap");
    for command in ["info", "groups", "free"] {
        let mut found = Vec::new();
        names(&json(&[command, "--json", &image]), &mut found);
        assert!(!found.is_empty());
        for name in found {
            assert!(documentation.contains(&format!("`{name}`")), "{command}: {name}");
        }
    }
}

#[test]
fn a_backup_is_used_when_asked_for_and_offered_when_needed() {
    let (_folder, image) = sample::unpacked("small-server");
    let arguments = ["info", "--json", "--superblock", "512", "--blocksize", "4096", &image];
    let info = json(&arguments);
    assert_eq!(info["superblock_is_backup"], true);
    assert_eq!(info["superblock_block"], 512);

    let mut bytes = fs::read(&image).expect("the image can be read");
    bytes[1024 + 0x38] = 0;
    fs::write(&image, bytes).expect("the image can be written");
    let offer = format!("extscope info --superblock 512 --blocksize 4096 {image}");
    assert_fails(&["info", &image], 1, &["no ext superblock", &offer]);
    assert_eq!(json(&arguments)["geometry"]["groups_count"], 56, "the offer holds");
    // The descriptors beside a backup are those of the day the filesystem was made.
    let check = run(&["check", "--json", "--superblock", "512", "--blocksize", "4096", &image]);
    assert_eq!(check.status.code(), Some(4));
    let report: Value = serde_json::from_slice(&check.stdout).expect("it is JSON");
    assert_eq!(report["used_backup"], true);
}

#[test]
fn what_is_no_image_is_refused_with_what_to_try() {
    let (_folder, jpeg) = put("a.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00 and so on");
    assert_fails(&["info", &jpeg], 1, &[&jpeg, "JPEG"]);
    let (_folder, empty) = put("empty", b"");
    assert_fails(&["groups", &empty], 1, &[&empty, "empty"]);
    let (folder, _) = put("any", b"");
    let folder = folder.path().to_str().expect("a plain path");
    assert_fails(&["info", folder], 1, &[folder, "is a directory"]);
    let missing = format!("{folder}/missing.img");
    assert_fails(&["info", &missing], 1, &[&missing]);
}

#[test]
fn wrong_usage_is_status_2() {
    assert_fails(&[], 2, &["Usage"]);
    assert_fails(&["info"], 2, &["IMAGE"]);
    assert_fails(&["check"], 2, &["IMAGE"]);
    assert_fails(&["info", "--superblock", "many", "x"], 2, &["--superblock"]);
    assert_fails(&["mount", "x"], 2, &["mount"]);
    assert!(printed(&["--help"]).contains("Exit status"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let (_folder, image) = sample::unpacked("small-server");
    let mut child = extscope(&["groups", &image])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let mut pipe = child.stdout.take().expect("a pipe");
    let mut start = [0; 6];
    pipe.read_exact(&mut start).expect("it prints");
    assert_eq!(&start, b"Group ");
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    assert_eq!(complaint(&output), "");
}

#[test]
fn an_image_is_never_changed() {
    let (_folder, image) = sample::unpacked("one-bitmap");
    let before = fs::read(&image).expect("the image can be read");
    let mut permissions = Path::new(&image).metadata().expect("it is there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&image, permissions).expect("it can be made read-only");
    for command in ["info", "groups", "free"] {
        printed(&[command, &image]);
    }
    assert_eq!(fs::read(&image).expect("the image can be read"), before);
}
