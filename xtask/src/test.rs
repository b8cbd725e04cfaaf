//! Every test of the project, step by step.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::setup::{self, Tool, Tools};
use crate::{bench, browser, licences, page, paths, run, wasm};

/// One step of the test command.
struct Step {
    name: &'static str,
    needs: &'static [Tool],
    run: fn(&Tools) -> Result<()>,
}

/// The cheap ones first: what is wrong should be known soon.
const STEPS: &[Step] = &[
    Step { name: "fmt", needs: &[], run: fmt },
    Step { name: "licences", needs: &[], run: |_| licences::check() },
    Step { name: "clippy", needs: &[], run: clippy },
    Step { name: "test", needs: &[Tool::Images], run: native_tests },
    Step { name: "doc", needs: &[], run: doc },
    Step { name: "wasm-clippy", needs: &[Tool::Wasm, Tool::WasmClippy], run: wasm_clippy },
    Step {
        name: "wasm-test",
        needs: &[Tool::Wasm, Tool::WasmBindgen, Tool::Node, Tool::Chromium],
        run: wasm_tests,
    },
    Step { name: "neon", needs: &[], run: neon },
    Step { name: "gates", needs: &[Tool::Wasm, Tool::Valgrind], run: bench::gates },
    Step { name: "page", needs: Tool::PAGE, run: page::build },
    Step { name: "browser", needs: Tool::ALL, run: browser::tests },
];

/// The names of the steps, in their order.
pub(crate) fn step_names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

/// `cargo xtask test [STEP...]`.
///
/// # Errors
/// The set-up or a step fails; the other steps are run all the same.
pub(crate) fn task(arguments: &[String]) -> Result<()> {
    if let Some(unknown) = arguments.iter().find(|name| !step_names().contains(&name.as_str())) {
        bail!("there is no step {unknown:?}; there are: {}", step_names().join(", "));
    }
    let is_wanted =
        |step: &&Step| arguments.is_empty() || arguments.iter().any(|name| name == step.name);
    let steps: Vec<&Step> = STEPS.iter().filter(is_wanted).collect();

    let mut needs: Vec<Tool> = Vec::new();
    for &tool in steps.iter().flat_map(|step| step.needs) {
        if !needs.contains(&tool) {
            needs.push(tool);
        }
    }
    let tools = setup::bring(&needs)?;

    let mut summary = String::new();
    let mut failed = 0;
    for step in &steps {
        println!("\n=== {}", step.name);
        let start = Instant::now();
        let outcome = (step.run)(&tools);
        let seconds = start.elapsed().as_secs_f64();
        let word = match &outcome {
            Ok(()) => "ok",
            Err(error) => {
                failed += 1;
                eprintln!("{error:#}");
                "FAILED"
            }
        };
        summary.push_str(&format!("  {:12} {word:6} {seconds:7.1} s\n", step.name));
    }
    println!("\n=== summary\n{summary}");
    println!("steps: {} passed, {failed} failed", steps.len() - failed);
    if failed > 0 {
        bail!("{failed} of {} steps failed", steps.len());
    }
    Ok(())
}

/// `cargo` in the workspace's folder.
fn cargo(tools: &Tools, arguments: &[&str]) -> Result<()> {
    run::run(tools.command("cargo").args(arguments).current_dir(paths::root()))
}

fn fmt(tools: &Tools) -> Result<()> {
    cargo(tools, &["fmt", "--all", "--check"])
}

fn clippy(tools: &Tools) -> Result<()> {
    cargo(tools, &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])
}

fn native_tests(tools: &Tools) -> Result<()> {
    cargo(tools, &["test", "--workspace", "--locked", "--no-fail-fast"])
}

fn doc(tools: &Tools) -> Result<()> {
    let mut command = tools.command("cargo");
    command.args(["doc", "--workspace", "--no-deps", "--locked"]);
    run::run(command.env("RUSTDOCFLAGS", "-D warnings").current_dir(paths::root()))
}

fn wasm_clippy(tools: &Tools) -> Result<()> {
    let mut command = tools.wasm_command("cargo")?;
    command.args(["clippy", "--locked", "--target", wasm::TARGET, "--profile", wasm::PROFILE]);
    command.args(["-p", "extscope", "-p", "extscope-web", "--", "-D", "warnings"]);
    // What the page must not call, the engine must not call in the page.
    command.env("CLIPPY_CONF_DIR", paths::root().join("web"));
    run::run(command.current_dir(paths::root()))
}

/// The engine's tests that are marked for wasm, run in node and, where it can be driven, in
/// Chromium.
fn wasm_tests(tools: &Tools) -> Result<()> {
    let tests = || {
        let mut command = tools.wasm_command("cargo")?;
        command.args(["test", "--locked", "--target", wasm::TARGET, "--profile", wasm::PROFILE]);
        command.args(["-p", "extscope", "--lib"]);
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
        command.current_dir(paths::root());
        Ok::<_, anyhow::Error>(command)
    };
    run::run(&mut tests()?)?;
    match tools.chromedriver() {
        Some(driver) => {
            run::run(tests()?.env("CHROMEDRIVER", driver).env("WASM_BINDGEN_USE_BROWSER", "1"))
        }
        None => {
            println!("skipped: kernels in Chromium: no chromedriver (Debian: chromium-driver)");
            Ok(())
        }
    }
}

/// Machines with NEON, whose kernels are checked by a compiler at least.
const ARM: &str = "aarch64-unknown-linux-gnu";

/// Compiles the engine and its tests for [`ARM`], where its library is there or can be had.
fn neon(tools: &Tools) -> Result<()> {
    let has_library = || wasm::has_installed_library(ARM);
    if !has_library()? {
        let _ = run::output(run::command("rustup").args(["target", "add", ARM]));
    }
    if !has_library()? {
        println!("skipped: NEON kernels: `rustup target add {ARM}` brings no library here");
        return Ok(());
    }
    cargo(tools, &["check", "--locked", "-p", "extscope", "--lib", "--tests", "--target", ARM])
}
