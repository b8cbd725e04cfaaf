//! `extscope minimum` and `shrink` as people and programs meet them.

use std::process::{Command, Stdio};

use extscope_tests::{sample, source};
use serde_json::Value;

/// What it prints when all is well.
fn printed(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_extscope"));
    let output = command.args(arguments).stdin(Stdio::null()).output().expect("it can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn what_is_no_size_or_no_figure_is_a_fault_of_the_command_and_not_of_the_image() {
    let (_folder, image) = sample::unpacked("small-server");
    let wrong: [&[&str]; 5] = [
        &["--to", "abc"],
        &["--to", "0"],
        &["--to=-1"],
        &["--to", "1.5M"],
        &["--seek-ms", "1e308", "--mib-per-second", "1"],
    ];
    for options in wrong {
        let mut command = Command::new(env!("CARGO_BIN_EXE_extscope"));
        let output = command.arg("shrink").args(options).arg(&image).output();
        let output = output.expect("it can be started");
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{options:?}");
    }
}

#[test]
fn the_terms_of_the_minimum_add_up() {
    let (_folder, image) = sample::unpacked("small-server");
    let report: Value =
        serde_json::from_str(&printed(&["minimum", "--json", &image])).expect("it prints JSON");
    let terms = report["terms"].as_array().expect("a list");
    let sum: u64 = terms.iter().map(|term| term["blocks"].as_u64().expect("a number")).sum();
    assert_eq!(report["end"], "terms");
    assert_eq!(report["minimum_blocks"], sum);
    let explained = printed(&["minimum", "--explain", &image]);
    for term in terms {
        assert!(explained.contains(term["meaning"].as_str().expect("text")), "{explained}");
    }
}

#[test]
fn a_plan_tells_all_that_changes() {
    let (_folder, image) = sample::unpacked("small-server");
    let shrink = ["shrink", "--json", "--to", "90M", &image];
    let report: Value = serde_json::from_str(&printed(&shrink)).expect("it prints JSON");
    assert_eq!(report["refused"], Value::Array(Vec::new()));
    assert_eq!(report["final_blocks"], report["superblock"]["s_blocks_count"]);
    let moved: u64 = report["block_moves"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|run| run[2].as_u64().expect("a number"))
        .sum();
    let phases = report["phases"].as_array().expect("a list");
    let phase = phases.iter().find(|phase| phase["name"] == "move_blocks").expect("a phase");
    assert_eq!(phase["count"], moved);
    let documentation = source::text(&source::root().join("docs/json.md"));
    for name in report.as_object().expect("an object").keys() {
        assert!(documentation.contains(&format!("`{name}`")), "{name}");
    }
    let text = printed(&["shrink", "--to", "90M", &image]);
    assert!(text.contains("move_blocks") && text.contains("On a disk"), "{text}");
}

#[test]
fn lists_of_a_plan_say_what_the_plan_does() {
    let (_folder, image) = sample::unpacked("small-server");
    let report: Value =
        serde_json::from_str(&printed(&["shrink", "--json", "--to", "90M", &image])).expect("JSON");
    let list = |list: &str| {
        let text = printed(&["shrink", "--to", "90M", "--csv", list, &image]);
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect());
        let head: Vec<String> = lines.next().expect("a head");
        (head, lines.collect::<Vec<Vec<String>>>())
    };
    let sum = |rows: &[Vec<String>], column: usize| -> u64 {
        rows.iter().map(|row| row[column].parse::<u64>().expect("a number")).sum()
    };
    let (head, moves) = list("moves");
    assert_eq!(head, ["from", "to", "len", "ino", "part"]);
    assert_eq!(moves.len(), report["owned_moves"].as_array().expect("a list").len());
    let from = |row: &Vec<String>| row[0].parse::<u64>().expect("a block");
    assert!(moves.is_sorted_by_key(from), "in the tool's order");
    let (head, files) = list("files");
    assert_eq!(head, ["ino", "blocks", "runs", "is_dir"]);
    assert!(!files.is_empty());
    assert_eq!(sum(&files, 1), sum(&moves, 2));
    assert_eq!(list("inodes").0, ["from", "to"]);
    assert_eq!(list("entries").0, ["dir", "name", "from", "to"]);
}

#[test]
fn the_cost_is_told_for_a_medium_of_ones_own_and_this_processor() {
    let (_folder, image) = sample::unpacked("small-server");
    let medium = ["--seek-ms", "0.001", "--mib-per-second", "1"];
    let text = printed(&[&["shrink", &*image], &medium[..]].concat());
    for label in ["On that medium", "To scan", "  bit by bit", "  by words"] {
        assert!(text.contains(label), "{label}: {text}");
    }
}

#[test]
fn a_refusal_says_why_and_what_to_do() {
    let (_folder, image) = sample::unpacked("small-server");
    let text = printed(&["shrink", "--to", "1000", &image]);
    assert!(text.contains("Refused: 1000 blocks are fewer than the estimated minimum"), "{text}");
    assert!(text.contains("Ask for the minimum or more"), "{text}");
}
