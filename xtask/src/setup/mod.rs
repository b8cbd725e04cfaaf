//! Bringing the tools that a task needs: what is there is used, what is missing is installed once.
//!
//! Programs built by cargo go to the user's cache, others come from Debian's packages or npm.
//! Nothing is downloaded for a tool that is already there in the right version.

mod cargo_tools;
mod chromium;
mod debian;
mod images;
pub(crate) mod node;
mod valgrind;
mod wasm_std;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use crate::{paths, run, tasks, wasm};

/// A tool that a task may need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    /// A compiler for wasm32.
    Wasm,
    /// Clippy for that compiler.
    WasmClippy,
    /// The `wasm-bindgen` that fits the library, and its test runner.
    WasmBindgen,
    /// Trunk, which builds the page.
    Trunk,
    /// Node and the packages of the browser tests.
    Node,
    /// A browser for the browser tests.
    Chromium,
    /// e2fsprogs and what partitions a disk, which the tests make images with and compare with.
    Images,
    /// Valgrind, which counts instructions.
    Valgrind,
}

impl Tool {
    /// All that building the page takes.
    pub(crate) const PAGE: &[Self] = &[Self::Wasm, Self::WasmBindgen, Self::Trunk];

    /// All that any task takes; the browser tests take no less.
    pub(crate) const ALL: &[Self] = &[
        Self::Wasm,
        Self::WasmClippy,
        Self::WasmBindgen,
        Self::Trunk,
        Self::Node,
        Self::Chromium,
        Self::Images,
        Self::Valgrind,
    ];
}

/// The tools, ready for use.
#[derive(Debug)]
pub(crate) struct Tools {
    /// Folders that go before the others on `PATH`, the first first.
    folders: Vec<PathBuf>,
    wasm: Option<wasm::Compiler>,
    chromium: Option<PathBuf>,
    chromedriver: Option<PathBuf>,
}

impl Tools {
    /// A command that finds the tools on its `PATH`.
    pub(crate) fn command(&self, program: &str) -> Command {
        self.with_path(program, &self.folders)
    }

    /// A command that compiles for wasm32, itself or through a cargo that it starts.
    ///
    /// # Errors
    /// [`Tool::Wasm`] was not among the tools asked for.
    pub(crate) fn wasm_command(&self, program: &str) -> Result<Command> {
        let compiler = self.wasm.as_ref().context("no compiler for wasm32 was asked for")?;
        let mut folders = self.folders.clone();
        folders.extend(compiler.path());
        let mut command = self.with_path(program, &folders);
        compiler.prepare(&mut command);
        Ok(command)
    }

    /// The browser.
    ///
    /// # Errors
    /// [`Tool::Chromium`] was not among the tools asked for.
    pub(crate) fn chromium(&self) -> Result<&Path> {
        self.chromium.as_deref().context("no browser was asked for")
    }

    /// What starts the browser for tests in wasm; a browser may come without.
    pub(crate) fn chromedriver(&self) -> Option<&Path> {
        self.chromedriver.as_deref()
    }

    fn with_path(&self, program: &str, folders: &[PathBuf]) -> Command {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = folders.iter().cloned().chain(env::split_paths(&path));
        // A folder with a colon in its name cannot be put on PATH at all.
        let joined = env::join_paths(folders).unwrap_or_else(|_| path.clone());
        let mut command = run::command(find_on(&joined, program));
        command.env("PATH", joined);
        command
    }
}

/// The program on a `PATH` other than the own one; its bare name where it is on none.
fn find_on(path: &OsString, program: &str) -> PathBuf {
    env::split_paths(path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
        .unwrap_or_else(|| PathBuf::from(program))
}

/// `cargo xtask setup`.
///
/// # Errors
/// A tool is missing and could not be installed.
pub(crate) fn task(arguments: &[String]) -> Result<()> {
    tasks::no_arguments(arguments)?;
    bring(Tool::ALL)?;
    println!("setup: everything is there (tools of this user: {})", paths::cache()?.display());
    Ok(())
}

/// Finds the named tools and installs those that are missing, side by side.
///
/// # Errors
/// A tool could not be installed; the message says of each what to run by hand.
pub(crate) fn bring(tools: &[Tool]) -> Result<Tools> {
    let cargo_tools = cargo_tools::missing(tools)?;
    let outcomes = thread::scope(|scope| {
        let mut jobs = vec![scope.spawn(|| bring_from_elsewhere(tools))];
        jobs.extend(cargo_tools.iter().map(|tool| scope.spawn(|| tool.install())));
        jobs.into_iter()
            .map(|job| job.join().unwrap_or_else(|_| Err(anyhow!("an installation panicked"))))
            .collect::<Vec<Result<()>>>()
    });
    let failures: Vec<String> =
        outcomes.into_iter().filter_map(Result::err).map(|error| format!("{error:#}")).collect();
    if !failures.is_empty() {
        bail!("the set-up is not complete\n\n{}", failures.join("\n\n"));
    }
    let mut folders = cargo_tools::folders(tools)?;
    if tools.contains(&Tool::Node) {
        folders.extend(node::newer()?);
    }
    Ok(Tools {
        folders,
        wasm: if tools.contains(&Tool::Wasm) { wasm::Compiler::find()? } else { None },
        chromium: tools.contains(&Tool::Chromium).then(chromium::find).flatten(),
        chromedriver: tools.contains(&Tool::Chromium).then(chromium::driver).flatten(),
    })
}

/// Brings what cargo does not build: the standard library for wasm32, packages of Debian, of npm.
fn bring_from_elsewhere(tools: &[Tool]) -> Result<()> {
    let mut packages = Vec::new();
    if tools.contains(&Tool::Wasm) {
        packages.extend(wasm_std::missing_packages(tools.contains(&Tool::WasmClippy))?);
    }
    if tools.contains(&Tool::Node) {
        packages.extend(node::missing_packages());
    }
    if tools.contains(&Tool::Chromium) {
        packages.extend(chromium::missing_packages());
    }
    if tools.contains(&Tool::Images) {
        packages.extend(images::missing_packages());
    }
    if tools.contains(&Tool::Valgrind) {
        packages.extend(valgrind::missing_packages());
    }
    debian::install(&packages)?;
    if tools.contains(&Tool::Wasm) && wasm::Compiler::find()?.is_none() {
        bail!(wasm_std::ADVICE);
    }
    if tools.contains(&Tool::Node) {
        node::install_newer()?;
        node::install_modules()?;
    }
    Ok(())
}

/// Runs one installation: says what is missing, how it comes and how long that usually takes, keeps
/// the output in a log of the cache, and says what to run by hand where it fails.
fn install(what: &str, usually: &str, command: &mut Command, limit: Duration) -> Result<()> {
    let words = run::words(command);
    let log = paths::cache()?.join("logs").join(format!("{}.log", what.replace([' ', '/'], "-")));
    println!("setup: {what}: usually {usually}: {words}");
    let start = Instant::now();
    run::logged(command, &log, limit)
        .with_context(|| format!("{what} could not be installed; run by hand:\n    {words}\n"))?;
    println!("setup: {what}: installed in {} s", start.elapsed().as_secs());
    Ok(())
}
