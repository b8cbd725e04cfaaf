//! The chores of extscope, as `cargo xtask <task>`.
//!
//! `tasks` lists what can be asked for, `setup` brings the tools, `page` builds the site, `serve`
//! shows it, `test` runs every test. Other programs are started through `run` alone.

mod bench;
mod browser;
mod licences;
mod page;
mod paths;
mod run;
mod serve;
mod setup;
mod tasks;
mod test;
mod wasm;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let result = match words.next() {
        None => {
            tasks::print_list();
            Ok(())
        }
        Some(name) => tasks::run(&name, &words.collect::<Vec<_>>()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\ncargo xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
