//! `extscope`: the command line.

mod free;
mod parallel;

use std::io::{ErrorKind, Write, stdout};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Look into ext2, ext3 and ext4 filesystem images. Nothing is ever written to an image.
#[derive(Debug, Parser)]
#[command(name = "extscope", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Free extents: how many, how long, and a histogram of their lengths
    Free(free::Arguments),
}

fn main() -> ExitCode {
    let answer = match Arguments::parse().command {
        Command::Free(arguments) => free::run(&arguments),
    };
    match answer {
        Ok(text) => print(&text),
        Err(error) => {
            eprintln!("extscope: {error}");
            if let Some(hint) = error.hint() {
                eprintln!("{hint}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Prints an answer; whoever stops reading it early has had enough.
fn print(text: &str) -> ExitCode {
    match stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("extscope: cannot print: {error}");
            ExitCode::FAILURE
        }
    }
}
