//! The kernels' measures: counts that are held to, and times that are read.

use std::path::PathBuf;

use anyhow::Result;

use crate::setup::{self, Tool, Tools};
use crate::{paths, run, tasks, wasm};

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

/// `cargo xtask bench`: every figure with its goal.
///
/// # Errors
/// Something does not build or cannot be measured, or a sweep finds other extents than e2freefrag.
pub(crate) fn task(arguments: &[String]) -> Result<()> {
    tasks::no_arguments(arguments)?;
    let tools = setup::bring(&[Tool::Wasm, Tool::Node, Tool::E2fsprogs])?;
    let module = wasm_kernels(&tools)?;
    let extscope = |arguments: &[&str]| {
        let mut command = tools.command("cargo");
        command.args(["run", "--quiet", "--release", "--locked", "-p", "extscope-cli", "--"]);
        run::run(command.args(arguments).current_dir(paths::root()))
    };
    println!("\n=== kernels against reading, natively");
    extscope(&["bench", "kernels"])?;
    println!("\n=== kernels against reading, in wasm");
    run::run(tools.command("node").arg(paths::root().join("bench/wasm.mjs")).arg(module))?;
    println!("\n=== sweeps against e2fsprogs");
    extscope(&["bench", "sweep"])
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
