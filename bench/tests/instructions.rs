//! How many instructions each kernel takes a word, so that none grows unnoticed.
//!
//! Counts rank variants of one kernel, not different kernels: fewer is not always faster. They are
//! the same in every run, whatever else the machine does, so they can be held to. Valgrind has no
//! AVX-512, so what is counted there are the AVX2 kernels.

use std::process::{Command, ExitCode};

use extscope::bitmap::kernel;
use extscope_bench::cases::{CASES, Input};

/// Bytes of the bitmaps.
const BYTES: u64 = 1 << 20;

/// Part of a limit by which a count may be over it or under it before that is said: how a crate is
/// cut for the code generator makes some percent.
const TOLERANCE: f64 = 0.05;

/// Case, fill, table, instructions a word of 64 bits.
const LIMITS: &[(&str, &str, &str, f64)] = &[
    ("count", "runs of 16", "u64", 8.25),
    ("count", "runs of 16", "AVX2", 1.59),
    ("by group", "runs of 16", "u64", 8.31),
    ("by group", "runs of 16", "AVX2", 1.80),
    ("pyramid", "runs of 16", "u64", 9.16),
    ("pyramid", "runs of 16", "AVX2", 2.72),
    ("skip", "full", "u64", 2.63),
    ("skip", "full", "AVX2", 0.63),
    ("equal", "runs of 16", "u64", 2.75),
    ("equal", "runs of 16", "AVX2", 0.88),
    ("compare", "runs of 16", "u64", 10.38),
    ("compare", "runs of 16", "AVX2", 2.36),
    ("edges", "runs of 4096", "u64", 9.22),
    ("edges", "runs of 4096", "AVX2", 3.77),
    ("edges", "runs of 512", "u64", 32.05),
    ("edges", "runs of 512", "AVX2", 13.23),
    ("edges", "runs of 16", "u64", 121.60),
    ("edges", "runs of 16", "AVX2", 62.94),
    ("edges", "runs of 2", "u64", 309.64),
    ("edges", "runs of 2", "AVX2", 172.35),
    ("census", "full", "AVX2", 0.63),
    ("census", "1 clear in 4096", "AVX2", 4.33),
    ("census", "runs of 4096", "AVX2", 4.27),
    ("census", "runs of 16", "AVX2", 103.13),
    ("census", "runs of 2", "AVX2", 478.49),
    ("claim", "runs of 16", "AVX2", 132.01),
    ("claim", "runs of 256", "AVX2", 27.39),
    ("crc32c", "runs of 16", "AVX2", 4.12),
    ("crc32c", "full", "AVX2", 0.93),
    ("crc32c x1", "runs of 16", "AVX2", 4.13),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, word, case, table] = arguments.as_slice()
        && word == "run"
    {
        return run(case, table);
    }
    if cfg!(debug_assertions) || !cfg!(target_arch = "x86_64") {
        eprintln!("skipped: instructions are counted in a release build for x86-64");
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("skipped: counting instructions needs valgrind");
        return ExitCode::from(u8::from(std::env::var_os("CI").is_some()));
    }
    let mut failed = false;
    for (index, case) in CASES.iter().enumerate() {
        let tables: &[&str] = if case.by_table { &["u64", "AVX2"] } else { &["AVX2"] };
        for table in tables {
            let fill = case.fill.to_string();
            let count = count(index, table) as f64 * 8.0 / BYTES as f64;
            let limit = LIMITS
                .iter()
                .find(|(name, of, by, _)| (*name, *of, *by) == (case.name, &fill, table))
                .map(|(.., limit)| *limit);
            let verdict = match limit {
                Some(limit) if count > limit * (1.0 + TOLERANCE) => "MORE",
                Some(limit) if count < limit * (1.0 - TOLERANCE) => "less: lower the limit",
                Some(_) => "ok",
                None => "NO LIMIT",
            };
            failed |= matches!(verdict, "MORE" | "NO LIMIT");
            println!("(\"{}\", \"{fill}\", \"{table}\", {count:.2}), // {verdict}", case.name);
        }
    }
    ExitCode::from(u8::from(failed))
}

/// Runs a case once, with everything around it outside of [`counted`].
fn run(case: &str, table: &str) -> ExitCode {
    let case = case.parse().ok().and_then(|index: usize| CASES.get(index));
    let kernels = kernel::all().find(|kernels| kernels.name == table);
    let (Some(case), Some(kernels)) = (case, kernels) else { return ExitCode::from(2) };
    let Ok(mut input) = Input::new(case, BYTES) else { return ExitCode::from(3) };
    println!("{}", counted(&mut || (case.run)(kernels, &mut input)));
    ExitCode::SUCCESS
}

#[inline(never)]
fn counted(call: &mut dyn FnMut() -> u64) -> u64 {
    std::hint::black_box(call())
}

/// Counts the instructions of a case.
///
/// # Panics
/// When valgrind fails.
fn count(case: usize, table: &str) -> u64 {
    let program = std::env::current_exe().expect("the test has a path");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(["--collect-atstart=no", "--toggle-collect=*counted*"])
        .arg(program)
        .args(["run", &case.to_string(), table])
        .output()
        .expect("valgrind can be started");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "valgrind failed: {text}");
    let count = text.lines().find_map(|line| line.split_once("Collected : "));
    count.and_then(|(_, count)| count.trim().parse().ok()).expect("callgrind says what it counted")
}
