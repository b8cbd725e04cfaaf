//! The check against e2fsck 1.47.0 on the images of its own test suite: the set of codes, and the
//! exit status.
//!
//! `cargo test -p extscope-tests --test check_corpus -- --nocapture` prints the table.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use extscope::check::{Check, CheckOptions, CheckReport, Mode};
use extscope::task::run_to_end;
use extscope_tests::corpus;
use rayon::prelude::*;
use serde_json::Value;

/// What e2fsck said of an image.
struct Expected {
    set: BTreeSet<String>,
    exit: u64,
    summary: Option<Value>,
}

fn expected(folder: &Path, name: &str) -> Expected {
    let path = folder.join("expect").join(name).with_extension("json");
    // Names have dots of their own.
    let path = if path.is_file() { path } else { folder.join(format!("expect/{name}.json")) };
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let value: Value = serde_json::from_str(&text).expect("the expectation is JSON");
    let set = value["set"].as_array().expect("a set of codes").iter();
    Expected {
        set: set.map(|code| code.as_str().expect("a name").to_owned()).collect(),
        exit: value["exit"].as_u64().expect("a status"),
        summary: Some(value["summary"].clone()).filter(|summary| !summary.is_null()),
    }
}

fn check(bytes: &Vec<u8>, mode: Mode) -> CheckReport {
    // 2030-01-01, after all the images were made.
    let options = CheckOptions { mode, now: Some(1_893_456_000), ..CheckOptions::default() };
    run_to_end(Check::new(bytes, options)).expect("the check runs to its end")
}

/// What differs, in a line; empty when nothing does.
fn difference(report: &CheckReport, expected: &Expected) -> String {
    let set: BTreeSet<String> =
        report.outcome.set.iter().map(|code| code.name().to_owned()).collect();
    let mut parts = Vec::new();
    parts.extend(expected.set.difference(&set).map(|code| format!("-{code}")));
    parts.extend(set.difference(&expected.set).map(|code| format!("+{code}")));
    let exit = u64::from(report.outcome.e2fsck.exit);
    if exit != expected.exit {
        parts.push(format!("exit {exit}, not {}", expected.exit));
    }
    if let (Some(due), None) = (&expected.summary, report.outcome.e2fsck.gave_up_at) {
        let told = serde_json::to_value(report.outcome.summary).expect("a summary is JSON");
        if told != *due {
            parts.push(format!("summary {told}, not {due}"));
        }
    }
    parts.join(" ")
}

#[test]
fn every_image_has_the_codes_and_the_verdict_of_e2fsck() {
    let Some(folder) = corpus::folder("the check against the corpus") else { return };
    let images = corpus::images(&folder);
    let only = std::env::var("EXTSCOPE_ONLY").unwrap_or_default();
    let rows: Vec<(String, String)> = images
        .par_iter()
        .filter_map(|image| {
            let file = image.file_name()?.to_str()?;
            let name = file.strip_suffix(".img.gz").or_else(|| file.strip_suffix(".gz"))?;
            if !name.contains(&only) {
                return None;
            }
            let bytes = corpus::unpack(image);
            let report = check(&bytes, Mode::LikeE2fsck);
            let difference = difference(&report, &expected(&folder, name));
            // Goes on where e2fsck gives up, and finds at least as much.
            let thorough = check(&bytes, Mode::Thorough);
            assert_eq!(
                thorough.outcome.set, report.outcome.set,
                "{name}: the set is e2fsck's in either mode"
            );
            Some((name.to_owned(), difference))
        })
        .collect();
    for (name, difference) in &rows {
        let verdict = if difference.is_empty() { "agrees" } else { "DIFFERS" };
        println!("{name:<36} {verdict} {difference}");
    }
    let differ: Vec<_> = rows.iter().filter(|(_, difference)| !difference.is_empty()).collect();
    println!("{} of {} agree", rows.len() - differ.len(), rows.len());
    assert!(differ.is_empty(), "{differ:?}");
}
