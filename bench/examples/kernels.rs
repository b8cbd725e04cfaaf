//! The cases as a module for wasm: `js/kernels.mjs` times it, a test counts what it executes.

#![allow(unsafe_code, reason = "names that a host can call")]

use std::cell::RefCell;

use extscope::bitmap::kernel;
use extscope_bench::cases::{CASES, Case, Input};

thread_local! {
    static READY: RefCell<Option<(&'static Case, Input)>> = const { RefCell::new(None) };
}

/// How many cases there are.
#[unsafe(no_mangle)]
pub extern "C" fn case_count() -> usize {
    CASES.len()
}

/// How many tables of kernels make a difference to a case.
#[unsafe(no_mangle)]
pub extern "C" fn table_count(case: usize) -> usize {
    match CASES.get(case) {
        Some(case) if case.by_table => kernel::all().count(),
        Some(_) => 1,
        None => 0,
    }
}

/// Makes the bitmap of a case; gives its runs of clear bits, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn prepare(case: usize, bytes: usize) -> f64 {
    let Some(case) = CASES.get(case) else { return -1.0 };
    let Ok(input) = Input::new(case, bytes as u64) else { return -1.0 };
    let runs = input.runs as f64;
    READY.with_borrow_mut(|ready| *ready = Some((case, input)));
    runs
}

/// Runs the case that is prepared by the last table but so many.
#[unsafe(no_mangle)]
pub extern "C" fn run(table_from_last: usize) -> u64 {
    let tables: Vec<_> = kernel::all().collect();
    let kernels = tables.iter().rev().nth(table_from_last).copied();
    let kernels = kernels.unwrap_or_else(kernel::kernels);
    READY.with_borrow_mut(|ready| match ready {
        Some((case, input)) => (case.run)(kernels, input),
        None => 0,
    })
}

/// Reads the bitmap that is prepared.
#[unsafe(no_mangle)]
pub extern "C" fn read() -> u64 {
    READY.with_borrow(|ready| match ready {
        Some((_, input)) => extscope_bench::read(input.words()),
        None => 0,
    })
}

/// Where a case's name begins, in the module's memory.
#[unsafe(no_mangle)]
pub extern "C" fn name_at(case: usize) -> *const u8 {
    CASES.get(case).map_or(core::ptr::null(), |case| case.name.as_ptr())
}

/// Bytes of a case's name.
#[unsafe(no_mangle)]
pub extern "C" fn name_bytes(case: usize) -> usize {
    CASES.get(case).map_or(0, |case| case.name.len())
}
