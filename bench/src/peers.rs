//! Sweeps against e2fsprogs, on the same images in turn.

use std::io::{Error, Read, Result};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;
use wait4::Wait4;

use crate::fragment::fragment;

/// An image to sweep, and how much less of the processor that should cost than it costs e2freefrag.
#[derive(Clone, Copy, Debug)]
pub struct SweepCase {
    /// Size as mke2fs takes it.
    pub size: &'static str,
    /// Mean length of used and of free runs, in blocks.
    pub mean: u64,
    /// The goal.
    pub times_less: f64,
    /// Most MiB of memory.
    pub peak_mib: u64,
}

/// The images.
pub const SWEEPS: &[SweepCase] = &[
    SweepCase { size: "16G", mean: 512, times_less: 5.0, peak_mib: 8 },
    SweepCase { size: "1T", mean: 512, times_less: 12.0, peak_mib: 16 },
    SweepCase { size: "1T", mean: 16, times_less: 50.0, peak_mib: 16 },
    SweepCase { size: "17592051171328", mean: 512, times_less: 25.0, peak_mib: 64 },
];

/// What a run of a tool cost.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Cost {
    /// The tool.
    pub tool: String,
    /// Processor time.
    pub cpu: Duration,
    /// Time that passed.
    pub wall: Duration,
    /// Most memory.
    pub peak_mib: u64,
    /// Its answer.
    #[serde(skip)]
    pub answer: String,
}

/// What an image's sweeps cost.
#[derive(Clone, Debug, Serialize)]
pub struct Swept {
    /// The image.
    pub image: String,
    /// Ours first, then the peers'.
    pub costs: Vec<Cost>,
    /// How many times less processor time than e2freefrag.
    pub times_less: f64,
    /// Whether time and memory are as they should be.
    pub is_met: bool,
    /// The goal in words.
    pub goal: String,
}

/// Makes the image of a case in `folder` and sweeps it, so many times each in turn; the median of
/// processor times counts. `extscope` is the command line.
///
/// # Errors
/// A tool is missing or fails, the disk is full, or the answers differ.
pub fn sweep(case: &SweepCase, extscope: &Path, folder: &Path, rounds: u32) -> Result<Swept> {
    let image = folder.join("sweep.img");
    let mut mke2fs = Command::new("/usr/sbin/mke2fs");
    mke2fs.args(["-q", "-F", "-t", "ext4", "-b", "4096", "-O", "^has_journal"]);
    run("mke2fs", mke2fs.args([&image]).arg(blocks(case.size)))?;
    fragment(&image, case.mean)?;

    let mut costs: Vec<Vec<Cost>> = vec![Vec::new(); 4];
    for _ in 0..rounds.max(1) {
        let ours = |threads| {
            let mut command = Command::new(extscope);
            command.args(["free", "--json", "--threads", threads]).arg(&image);
            command
        };
        let peer = |name: &str| {
            let mut command = Command::new(format!("/usr/sbin/{name}"));
            command.arg(&image);
            command
        };
        costs[0].push(run("extscope free", &mut ours("1"))?);
        costs[1].push(run("extscope free, 2 threads", &mut ours("2"))?);
        costs[2].push(run("e2freefrag", &mut peer("e2freefrag"))?);
        costs[3].push(run("dumpe2fs", &mut peer("dumpe2fs"))?);
    }
    std::fs::remove_file(&image)?;
    let costs: Vec<Cost> = costs.into_iter().filter_map(median).collect();
    let [ours, _, theirs, ..] = costs.as_slice() else { return Err(Error::other("no rounds")) };
    let json: serde_json::Value = serde_json::from_str(&ours.answer)?;
    let our_extents = json["extents"].as_u64();
    let their_extents = number_after(&theirs.answer, "Num. free extent: ");
    if our_extents.is_none() || our_extents != their_extents {
        return Err(Error::other(format!(
            "free extents: {our_extents:?} here, {their_extents:?} by e2freefrag"
        )));
    }
    let times_less = theirs.cpu.as_secs_f64() / ours.cpu.as_secs_f64().max(1e-4);
    Ok(Swept {
        image: format!("{}, runs of {}", case.size, case.mean),
        times_less,
        is_met: times_less >= case.times_less && ours.peak_mib <= case.peak_mib,
        goal: format!(">= {}x less, <= {} MiB", case.times_less, case.peak_mib),
        costs,
    })
}

/// A size in blocks of 4 KiB, which mke2fs takes for any size.
fn blocks(size: &str) -> String {
    size.parse::<u64>().map_or_else(|_| size.to_owned(), |bytes| (bytes / 4096).to_string())
}

/// The first number after a label.
fn number_after(text: &str, label: &str) -> Option<u64> {
    let (_, rest) = text.split_once(label)?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}

fn median(mut costs: Vec<Cost>) -> Option<Cost> {
    costs.sort_by_key(|cost| cost.cpu);
    let middle = costs.len() / 2;
    costs.into_iter().nth(middle)
}

/// Bytes of an answer that are kept.
const MOST_KEPT: u64 = 64 << 10;

/// Runs a tool that must succeed.
fn run(tool: &str, command: &mut Command) -> Result<Cost> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut answer = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        // The memory of a process that is started counts as its own, so this one must stay small.
        stdout.by_ref().take(MOST_KEPT).read_to_end(&mut answer)?;
        std::io::copy(&mut stdout, &mut std::io::sink())?;
    }
    let result = child.wait4()?;
    let wall = start.elapsed();
    if !result.status.success() {
        return Err(Error::other(format!("{tool} failed: {}", result.status)));
    }
    let used = result.rusage;
    Ok(Cost {
        tool: tool.to_owned(),
        cpu: used.utime + used.stime,
        wall,
        peak_mib: used.maxrss >> 20,
        answer: String::from_utf8_lossy(&answer).into_owned(),
    })
}
