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
fn a_refusal_says_why_and_what_to_do() {
    let (_folder, image) = sample::unpacked("small-server");
    let text = printed(&["shrink", "--to", "1000", &image]);
    assert!(text.contains("Refused: 1000 blocks are fewer than the estimated minimum"), "{text}");
    assert!(text.contains("Ask for the minimum or more"), "{text}");
}
