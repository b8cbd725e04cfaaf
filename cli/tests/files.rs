//! `extscope ls`, `cat`, `inode`, `owner` and `files` as people and programs meet them.

use std::io::Read as _;
use std::process::{Command, Stdio};

use extscope_tests::fill::Fill;
use extscope_tests::recipe::{self, Recipe};
use extscope_tests::{sample, source, tool};
use serde_json::Value;

/// What it prints when all is well.
fn printed(arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_extscope"));
    let output = command.args(arguments).stdin(Stdio::null()).output().expect("it can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Sees that it fails, prints nothing, and says why.
fn fails(arguments: &[&str], says: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_extscope"));
    let output = command.args(arguments).stdin(Stdio::null()).output().expect("it can be started");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(output.stdout.is_empty() && complaint.contains(says), "{complaint}");
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_slice(&printed(arguments)).expect("it prints JSON")
}

#[test]
fn a_name_leads_to_an_inode_its_blocks_and_back() {
    let (_folder, image) = sample::unpacked("bigalloc");
    let listed = json(&["ls", "--json", &image]);
    let names = listed["names"].as_array().expect("a list");
    let file = names.iter().find(|name| name["name"] == "f111").expect("the sample has it");
    let size = file["size"].as_u64().expect("a size");
    assert_eq!(printed(&["cat", &image, "/f111"]).len() as u64, size);

    let inode = json(&["inode", "--json", &image, "/f111"]);
    assert_eq!((&inode["ino"], &inode["size"]), (&file["ino"], &file["size"]));
    assert_eq!(inode["csum"], "good");
    let block = inode["map"][0]["fsblk"].as_u64().expect("a block");
    let owners = json(&["owner", "--json", &image, &block.to_string(), "0"]);
    let owner = &owners["blocks"][0];
    assert_eq!((&owner["class"], &owner["ino"]), (&Value::from("data"), &file["ino"]));
    assert_eq!(owner["path"], "/f111");
    assert_eq!(owners["blocks"][1]["ino"], Value::Null);
}

#[test]
fn the_most_fragmented_files_come_first() {
    let (_folder, image) = sample::unpacked("small-server");
    let report = json(&["files", "--json", "--sort", "extents", "--top", "7", &image]);
    let files = report["files"].as_array().expect("a list");
    let extents: Vec<u64> =
        files.iter().map(|file| file["extents"].as_u64().expect("a number")).collect();
    assert_eq!(files.len(), 7);
    assert!(extents.is_sorted_by(|a, b| a >= b) && extents[0] > 1, "{extents:?}");
    assert!(files.iter().all(|file| file["path"].is_string()));
    let classes = report["classes"].as_array().expect("a list");
    let blocks: u64 = classes.iter().map(|class| class["blocks"].as_u64().expect("a number")).sum();
    assert_eq!(blocks, json(&["info", "--json", &image])["geometry"]["blocks_count"]);
}

#[test]
fn a_file_is_listed_as_filefrag_lists_it() {
    let (_folder, image) = sample::unpacked("small-server");
    let files = json(&["files", "--json", "--sort", "extents", "--top", "1", &image]);
    let most = &files["files"][0];
    let path = most["path"].as_str().expect("a path");
    let file = json(&["file", "--json", &image, path]);
    let extents = file["extents"].as_array().expect("a list");
    assert_eq!(extents.len() as u64, most["extents"]);
    for name in ["ino", "fragments", "seeks", "slowdown", "e4defrag_score", "path"] {
        assert_eq!(file["layout"][name], most[name], "{name}");
    }
    let text = String::from_utf8(printed(&["file", &image, path])).expect("text");
    for (number, extent) in extents.iter().enumerate() {
        let end = |first: &str| extent[first].as_u64().zip(extent["length"].as_u64());
        let range = |first: &str| end(first).map(|(first, len)| (first, first + len - 1));
        let row = text.lines().find(|line| line.trim_start().starts_with(&format!("{number}:")));
        let row: Vec<_> = row.expect("a row").split([':', '.']).map(str::trim).collect();
        let row: Vec<_> = row.into_iter().filter(|word| !word.is_empty()).collect();
        let (logical, physical) = (range("logical"), range("physical"));
        for (at, (first, last)) in
            [(1, logical), (3, physical)].map(|(at, r)| (at, r.expect("two")))
        {
            assert_eq!((row[at], row[at + 1]), (&*first.to_string(), &*last.to_string()));
        }
    }
    let last = extents.last().expect("an extent");
    assert!(last["flags"].as_array().is_some_and(|flags| flags.contains(&Value::from("last"))));
}

#[test]
fn csv_has_the_rows_and_values_of_the_json() {
    let (_folder, image) = sample::unpacked("small-server");
    let (_other, bigalloc) = sample::unpacked("bigalloc");
    for (arguments, list) in [
        (["free", &image].as_slice(), "histogram"),
        (&["files", "--top", "30", &image], "files"),
        (&["file", &image, "/"], "extents"),
        (&["inode", &image, "7"], "map"),
        (&["groups", &image], "groups"),
        (&["groups", &bigalloc], "groups"),
        (&["ls", &image, "/"], "names"),
        (&["owner", &image, "0", "1", "100", "20000"], "blocks"),
        (&["deleted", &image], "deleted"),
    ] {
        let json = json(&[arguments, &["--json"]].concat());
        let due = json[list].as_array().expect("a list");
        let text = printed(&[arguments, &["--csv"]].concat());
        let mut csv = csv::Reader::from_reader(text.as_slice());
        let columns = csv.headers().expect("names").clone();
        let rows: Vec<_> = csv.records().map(|row| row.expect("RFC 4180")).collect();
        assert_eq!(rows.len(), due.len(), "{arguments:?}");
        let mut compared = 0;
        for (row, due) in rows.iter().zip(due) {
            for (column, cell) in columns.iter().zip(row) {
                let due = match &due[column] {
                    Value::String(text) => text.clone(),
                    Value::Number(number) => number.to_string(),
                    Value::Bool(is_so) => is_so.to_string(),
                    _ => continue,
                };
                // The reader of JSON is a digit less exact.
                let numbers = cell.parse::<f64>().ok().zip(due.parse::<f64>().ok());
                let same = cell == due || numbers.is_some_and(|(a, b)| (a - b).abs() < 1e-9);
                assert!(same, "{arguments:?} {column}: {cell} {due}");
                compared += 1;
            }
        }
        assert!(compared >= 2 * due.len(), "{arguments:?}");
        let both = Command::new(env!("CARGO_BIN_EXE_extscope"))
            .args([arguments, &["--json", "--csv"]].concat())
            .output()
            .expect("it can be started");
        assert_eq!(both.status.code(), Some(2), "one or the other");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_command_that_waits() {
    const TEST: &str = "Ctrl-C";
    if !tool::have(&["mke2fs", "debugfs"], TEST) {
        return;
    }
    // A hole of 256 GiB, more than any pipe takes.
    let recipe = Recipe {
        name: "hole",
        kib: 8 * 1024,
        mke2fs: "-t ext4 -b 1024 -O ^metadata_csum",
        fill: &[Fill::Tree, Fill::Debugfs("sif /empty size 0x4000000000\n")],
    };
    let folder = recipe::scratch();
    let image = recipe.make(folder.path());
    let mut child = Command::new(env!("CARGO_BIN_EXE_extscope"))
        .arg("cat")
        .args([image.as_os_str(), "/empty".as_ref()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let mut out = child.stdout.take().expect("a pipe");
    out.read_exact(&mut [0]).expect("it writes");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill can be run").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "extscope: interrupted\n");
}

#[test]
fn what_is_not_there_is_said_plainly() {
    let (_folder, image) = sample::unpacked("bigalloc");
    for (arguments, says) in [
        (["cat", &image, "/nothing"], "no \"nothing\" in the directory"),
        (["cat", &image, "/"], "a directory has no contents to write"),
        (["inode", &image, "999999999"], "inodes are numbered"),
        (["owner", &image, "999999999"], "the filesystem ends at block"),
    ] {
        fails(&arguments, says);
    }
}

#[test]
fn a_report_is_one_page_that_needs_nothing_else() {
    let (_folder, image) = sample::unpacked("small-server");
    let page = String::from_utf8(printed(&["report", &image])).expect("text");
    assert!(page.starts_with("<!doctype html>"));
    for outside in ["http:", "https:", "src=", "<script", "<link", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    let report = json(&["report", "--json", &image]);
    let largest = report["largest"][0]["path"].as_str().expect("a path");
    assert!(page.contains(largest), "{largest}");
    assert_eq!(report["info"]["superblock"], json(&["info", "--json", &image])["superblock"]);
}

#[test]
fn a_file_that_is_there_is_written_over_only_when_told() {
    let (_folder, image) = sample::unpacked("one-bitmap");
    let folder = recipe::scratch();
    for (arguments, name) in [
        (&["extract", &image, "/"][..], "all.tar"),
        (&["map", &image], "map.png"),
        (&["report", &image], "report.html"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, "kept").expect("it can be written");
        let output = ["-o", path.to_str().expect("a plain path")];
        fails(&[arguments, &output].concat(), "--force writes over it");
        assert_eq!(std::fs::read(&path).expect("it stays"), b"kept", "{name}");
        printed(&[arguments, &output, &["--force"]].concat());
        assert!(std::fs::metadata(&path).expect("it is there").len() > 100, "{name}");
    }
}

#[test]
fn an_archive_has_what_ls_lists() {
    let (_folder, image) = sample::unpacked("bigalloc");
    let archive = printed(&["extract", &image, "/"]);
    let names = json(&["ls", "--json", &image]);
    let names = names["names"].as_array().expect("a list");
    for name in names.iter().filter_map(|name| name["name"].as_str()) {
        let is_there = archive.windows(name.len()).any(|bytes| bytes == name.as_bytes());
        assert!(is_there || name.starts_with('.'), "{name}");
    }
    assert_eq!(printed(&["extract", &image, "/f111"]), printed(&["cat", &image, "/f111"]));
}

#[test]
fn every_name_of_the_json_is_documented() {
    fn names(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    into.push(name.clone());
                    names(value, into);
                }
            }
            Value::Array(list) => list.iter().for_each(|value| names(value, into)),
            _ => {}
        }
    }
    let documentation = source::text(&source::root().join("docs/json.md"));
    let (_folder, image) = sample::unpacked("small-server");
    for arguments in [
        ["ls", "--json", &image, "/"],
        ["inode", "--json", &image, "7"],
        ["file", "--json", &image, "7"],
        ["inode", "--json", &image, "8"],
        ["owner", "--json", &image, "1"],
        ["files", "--json", &image, "--top=2"],
        ["journal", "--json", &image, "--all"],
        ["deleted", "--json", &image, "--blocksize=4096"],
        ["tree", "--json", &image, "--depth=2"],
        ["special", "--json", &image, "--blocksize=4096"],
    ] {
        let mut found = Vec::new();
        names(&json(&arguments), &mut found);
        assert!(!found.is_empty());
        for name in found {
            assert!(documentation.contains(&format!("`{name}`")), "{arguments:?}: {name}");
        }
    }
}
