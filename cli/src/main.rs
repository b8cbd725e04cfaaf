//! `extscope`: the command line, over the same reports as the page.

mod args;
mod commands;
mod failure;
mod file_name;
mod host;
mod image;
mod interrupt;
mod json;
mod output;
mod parallel;
mod progress;
mod table;
mod text;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use failure::Failure;

fn main() -> ExitCode {
    let cli = Cli::parse();
    interrupt::listen();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let done = match &cli.command {
        Command::Check(args) => return finish(commands::check::run(args, &mut out), &mut out),
        Command::Info(args) => commands::info::run(args, &mut out),
        Command::Groups(args) => commands::groups::run(args, &mut out),
        Command::Bench(args) => commands::bench::run(args, &mut out),
        Command::Free(args) => commands::free::run(args, &mut out),
        Command::File(args) => commands::file::run(args, &mut out),
        Command::Files(args) => commands::files::run(args, &mut out),
        Command::Inode(args) => commands::inode::run(args, &mut out),
        Command::Learn(args) => commands::learn::run(args, &mut out),
        Command::Ls(args) => commands::ls::run(args, &mut out),
        Command::Cat(args) => commands::cat::run(args, &mut out),
        Command::Map(args) => commands::map::run(args, &mut out),
        Command::Minimum(args) => commands::minimum::run(args, &mut out),
        Command::Shrink(args) => commands::shrink::run(args, &mut out),
        Command::Deleted(args) => commands::deleted::run(args, &mut out),
        Command::Extract(args) => commands::extract::run(args, &mut out),
        Command::Tree(args) => commands::tree::run(args, &mut out),
        Command::Special(args) => commands::special::run(args, &mut out),
        Command::Report(args) => commands::report::run(args, &mut out),
        Command::Journal(args) => commands::journal::run(args, &mut out),
        Command::Scenario(args) => commands::scenario::run(args, &mut out),
        Command::Partitions(args) => commands::partitions::run(args, &mut out),
        Command::Owner(args) => commands::owner::run(args, &mut out),
    };
    finish(done.map(|()| ExitCode::SUCCESS), &mut out)
}

/// Sends off what was written, and gives the exit status.
fn finish(done: Result<ExitCode, Failure>, out: &mut impl Write) -> ExitCode {
    let done = done.and_then(|code| out.flush().map(|()| code).map_err(Failure::from));
    done.unwrap_or_else(Failure::report)
}
