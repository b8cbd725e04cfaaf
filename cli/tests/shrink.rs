//! `extscope minimum` as people and programs meet it.

use std::process::{Command, Stdio};

use extscope_tests::sample;
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
