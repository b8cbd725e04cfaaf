//! `extscope scenario`, and scenarios where an image is named.

use std::process::{Command, Output, Stdio};

use extscope_tests::recipe;
use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_extscope"));
    command.args(arguments).stdin(Stdio::null()).output().expect("it can be started")
}

fn json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

#[test]
fn a_written_scenario_is_the_one_that_is_made_up() {
    let folder = recipe::scratch();
    let path = folder.path().join("scenario.img");
    let path = path.to_str().expect("a plain path");
    let recipe = "size=300m,flex=4,fill=60,files=7x6";
    assert!(run(&["scenario", recipe, "-o", path]).status.success());
    let refused = run(&["scenario", recipe, "-o", path]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("--force"), "{said}");
    assert!(run(&["scenario", recipe, "-o", path, "--force"]).status.success());
    let made_up = format!("scenario:{recipe}");
    for command in ["free", "groups", "files", "info"] {
        assert_eq!(
            json(&[command, "--json", path]),
            json(&[command, "--json", &made_up]),
            "{command}"
        );
    }
}

#[test]
fn a_check_finds_nothing_in_any_named_scenario() {
    for listed in json(&["scenario", "--list", "--json"]).as_array().expect("a list") {
        let name = listed["name"].as_str().expect("a name");
        let size = if name == "pebibyte" { "40g" } else { "2g" };
        let checked = json(&["check", "--json", &format!("scenario:{name},size={size}")]);
        assert_eq!(checked["verdict"], "clean", "{name}: {}", checked["problems"]);
    }
}

#[test]
fn what_no_scenario_is_like_is_refused_with_what_is() {
    for (recipe, hint) in
        [("nothing", "half-full"), ("fill=300", "0 to 100"), ("block=3k", "power")]
    {
        let output = run(&["info", &format!("scenario:{recipe}")]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && said.contains(hint), "{recipe}: {said}");
    }
}

#[test]
fn what_no_file_can_hold_is_refused_before_one_is_made() {
    let folder = recipe::scratch();
    let path = folder.path().join("unwritten.img");
    for recipe in ["pebibyte", "size=16t,files=512x1"] {
        let output = run(&["scenario", recipe, "-o", path.to_str().expect("a plain path")]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("too many for a file"), "{said}");
        assert!(!path.exists(), "{recipe}");
    }
}

/// Runs a command that may write files of 8 KiB at most.
#[cfg(unix)]
fn run_short_of_room(arguments: &[&str]) -> Output {
    // A limit that is reached is an error to the program, and not its end.
    let script = r#"trap "" XFSZ; ulimit -f 8; exec "$@""#;
    let mut command = Command::new("bash");
    command.args(["-c", script, "bash", env!("CARGO_BIN_EXE_extscope")]).args(arguments);
    command.stdin(Stdio::null()).output().expect("it can be started")
}

#[cfg(unix)]
#[test]
fn nothing_half_written_stays_after_an_error() {
    let folder = recipe::scratch();
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    let (image, map, report) = (path("scenario.img"), path("map.svg"), path("report.html"));
    for arguments in [
        ["scenario", "size=64m", "-o", &image],
        ["map", "scenario:size=64m", "-o", &map],
        ["report", "scenario:size=64m", "-o", &report],
    ] {
        let output = run_short_of_room(&arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("too large"), "{arguments:?}: {said}");
    }
    let left = std::fs::read_dir(folder.path()).expect("the folder is there").count();
    assert_eq!(left, 0, "files stay");
    // What was there and is no file of ours to write stays.
    let output = run_short_of_room(&["map", "scenario:size=64m", "-o", "/dev/full"]);
    assert!(!output.status.success() && std::path::Path::new("/dev/full").exists());
}
