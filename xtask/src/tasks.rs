//! The table of tasks.

use anyhow::{Result, bail};

use crate::{bench, page, serve, setup, test};

/// One thing that `cargo xtask` can be asked for.
struct Task {
    name: &'static str,
    /// The arguments it takes, as they are shown to people.
    arguments: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<()>,
}

const TASKS: &[Task] = &[
    Task {
        name: "serve",
        arguments: "[--port N]",
        about: "build the page and show it on 127.0.0.1 (port 8080)",
        run: serve::task,
    },
    Task {
        name: "test",
        arguments: "[STEP...]",
        about: "run every test, or only the named steps",
        run: test::task,
    },
    Task {
        name: "dist",
        arguments: "",
        about: "leave a static site in dist/ that any file server can host",
        run: page::dist_task,
    },
    Task {
        name: "bench",
        arguments: "[--quick]",
        about: "measure kernels, sweeps against e2fsprogs and the page, each figure with its goal",
        run: bench::task,
    },
    Task {
        name: "setup",
        arguments: "",
        about: "install what serve and test need, and nothing twice",
        run: setup::task,
    },
];

/// Shows every task with what it does.
pub(crate) fn print_list() {
    println!("cargo xtask <task>\n");
    for task in TASKS {
        let usage = format!("{} {}", task.name, task.arguments);
        println!("  {usage:20} {}", task.about);
    }
    println!("\nSteps of test: {}", test::step_names().join(", "));
}

/// Runs the task called `name`.
///
/// # Errors
/// There is no such task, or it failed.
pub(crate) fn run(name: &str, arguments: &[String]) -> Result<()> {
    match TASKS.iter().find(|task| task.name == name) {
        Some(task) => (task.run)(arguments),
        None if matches!(name, "help" | "--help" | "-h") => {
            print_list();
            Ok(())
        }
        None => bail!("there is no task {name:?}; `cargo xtask` lists them"),
    }
}

/// Refuses arguments, for a task that takes none.
///
/// # Errors
/// There is an argument.
pub(crate) fn no_arguments(arguments: &[String]) -> Result<()> {
    match arguments.first() {
        None => Ok(()),
        Some(first) => bail!("this task takes no arguments, so {first:?} is one too many"),
    }
}
