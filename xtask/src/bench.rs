//! The kernels' measures: counts that are held to, and times that are read.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};

use crate::serve::{self, Site};
use crate::setup::{self, Tool, Tools};
use crate::{page, paths, run, wasm};

/// Counts what the kernels execute, natively and in wasm, against what they may.
///
/// # Errors
/// Something does not build, or a kernel executes more than it did.
pub(crate) fn gates(tools: &Tools) -> Result<()> {
    let module = wasm_kernels(tools)?;
    let mut command = tools.command("cargo");
    command.args(["test", "--release", "--locked", "--no-fail-fast", "-p", "extscope-bench"]);
    command.args(["--test", "instructions", "--test", "fuel"]);
    run::run(command.env("EXTSCOPE_KERNELS_WASM", module).current_dir(paths::root()))
}

/// `cargo xtask bench [--quick]`: every figure with its goal. Quickly, only to see that all works.
///
/// # Errors
/// Something does not build or cannot be measured, or a tool's answer is not that of a count bit by
/// bit. A goal that is missed is no error.
pub(crate) fn task(arguments: &[String]) -> Result<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let is_quick = match words.as_slice() {
        [] => false,
        ["--quick"] => true,
        _ => bail!("bench takes --quick and nothing else"),
    };
    let tools = setup::bring(Tool::ALL)?;
    let module = wasm_kernels(&tools)?;
    let extscope = command_line(&tools)?;
    page::build(&tools)?;
    let site = Site::start(serve::listen(0)?, paths::site(), "/")?;
    let native = paths::target().join("bench-kernels.json");
    let root = paths::root();

    let ours = |what: &str| {
        let mut command = run::command(&extscope);
        command.args(["bench", what]);
        command
    };
    let node = |script: &str| {
        let mut command = tools.command("node");
        command.arg(root.join(script));
        command
    };
    let mut kernels = ours("kernels");
    kernels.arg("--write").arg(&native);
    let mut in_node = node("bench/js/node.mjs");
    in_node.arg(&module).arg(&native);
    let mut in_browser = node("tests/browser/measure.mjs");
    in_browser.arg(&native).env("BASE_URL", site.address()).env("CHROMIUM", tools.chromium()?);
    in_browser.env("EXTSCOPE", &extscope).env("KERNELS_WASM", &module);
    let parts = [
        ("kernels against reading, natively", kernels),
        ("kernels against reading, in wasm", in_node),
        ("sweeps against e2fsprogs", ours("sweep")),
        ("checks against e2fsck", ours("check")),
        ("the page in Chromium", in_browser),
    ];

    let mut goals = Goals::default();
    for (name, mut command) in parts {
        println!("\n=== {name}");
        command.args(is_quick.then_some("--quick"));
        if let Err(error) = run::each_line(&mut command, |line| goals.note(line)) {
            eprintln!("{error:#}");
            goals.failed.push(name);
        }
    }
    goals.print();
    ensure!(goals.failed.is_empty(), "could not be measured: {}", goals.failed.join(", "));
    Ok(())
}

/// The goals that the parts wrote about.
#[derive(Default)]
struct Goals {
    met: u32,
    missed: Vec<String>,
    failed: Vec<&'static str>,
}

impl Goals {
    /// Notes a line that says whether a goal is met.
    fn note(&mut self, line: &str) {
        match line.trim_start().split_once(' ') {
            Some(("met", _)) => self.met += 1,
            Some(("MISSED", what)) => self.missed.push(what.trim_start().to_owned()),
            _ => {}
        }
    }

    fn print(&self) {
        println!("\n=== goals: {} met, {} missed", self.met, self.missed.len());
        for missed in &self.missed {
            println!("  MISSED {missed}");
        }
    }
}

/// Builds the command line for speed.
fn command_line(tools: &Tools) -> Result<PathBuf> {
    let mut command = tools.command("cargo");
    command.args(["build", "--release", "--locked", "-p", "extscope-cli"]);
    run::run(command.current_dir(paths::root()))?;
    Ok(paths::target().join("release/extscope"))
}

/// Builds the kernels as a module for wasm.
fn wasm_kernels(tools: &Tools) -> Result<PathBuf> {
    let mut command = tools.wasm_command("cargo")?;
    command.args(["build", "--locked", "--target", wasm::TARGET, "--profile", wasm::PROFILE]);
    command.args(["-p", "extscope-bench", "--example", "kernels"]);
    run::run(command.current_dir(paths::root()))?;
    let built = paths::wasm_target().join(wasm::TARGET).join(wasm::PROFILE);
    Ok(built.join("examples/kernels.wasm"))
}
