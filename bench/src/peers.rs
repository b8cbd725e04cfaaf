//! Sweeps against e2fsprogs, on the same images in turn.

use std::io::{Error, Read, Result};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;
use wait4::Wait4;

use crate::image;
use crate::truth::Truth;
use crate::verdict::{Bound, Verdict};

const GIB: u64 = 1 << 30;
const TIB: u64 = 1 << 40;

/// As long as a file of an ext4 host can be, but for a group.
const LARGEST: u64 = 16 * TIB - 128 * (1 << 20);

/// An image to sweep, and how sweeping it should be.
#[derive(Clone, Copy, Debug)]
pub struct SweepCase {
    /// For the table.
    pub name: &'static str,
    /// Size.
    pub bytes: u64,
    /// Mean length of used and of free runs, in blocks; 0 for an empty image.
    pub mean: u64,
    /// How many times less processor time than the peers it should take, by their names.
    pub times_less: &'static [(&'static str, f64)],
    /// How many times less time it should take than e2freefrag when nothing is in memory.
    pub cold_times_less: Option<f64>,
    /// Most MiB of memory.
    pub peak_mib: f64,
}

impl SweepCase {
    /// Whether making the image and having the peers sweep it takes more than seconds.
    #[must_use]
    pub const fn is_large(&self) -> bool {
        self.bytes > TIB
    }
}

/// The images, by size.
pub const SWEEPS: &[SweepCase] = &[
    SweepCase {
        name: "16 GiB, runs of 512",
        bytes: 16 * GIB,
        mean: 512,
        times_less: &[("e2freefrag", 5.0)],
        cold_times_less: None,
        peak_mib: 8.0,
    },
    SweepCase {
        name: "1 TiB, runs of 512",
        bytes: TIB,
        mean: 512,
        times_less: &[("e2freefrag", 12.0)],
        cold_times_less: Some(5.0),
        peak_mib: 16.0,
    },
    SweepCase {
        name: "1 TiB, runs of 16",
        bytes: TIB,
        mean: 16,
        times_less: &[("e2freefrag", 50.0)],
        cold_times_less: None,
        peak_mib: 16.0,
    },
    SweepCase {
        name: "16 TiB, empty",
        bytes: LARGEST,
        mean: 0,
        times_less: &[("e2freefrag", 25.0), ("dumpe2fs", 15.0)],
        cold_times_less: None,
        peak_mib: 64.0,
    },
    SweepCase {
        name: "16 TiB, runs of 512",
        bytes: LARGEST,
        mean: 512,
        times_less: &[("e2freefrag", 25.0), ("dumpe2fs", 15.0), (PASS_5, 20.0)],
        cold_times_less: Some(8.0),
        peak_mib: 64.0,
    },
];

const OURS: &str = "extscope free";
pub(crate) const CHECK: &str = "extscope check";
pub(crate) const E2FSCK: &str = "e2fsck";
const PASS_5: &str = "e2fsck, pass 5";

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
    pub peak_mib: f64,
    /// What it said.
    #[serde(skip)]
    pub answer: String,
}

/// What an image's sweeps cost.
#[derive(Clone, Debug, Serialize)]
pub struct Swept {
    /// The image.
    pub image: &'static str,
    /// Its groups.
    pub groups: u64,
    /// Ours first, then the peers'.
    pub costs: Vec<Cost>,
    /// Every goal of the image.
    pub verdicts: Vec<Verdict>,
}

impl Swept {
    /// What a tool cost.
    #[must_use]
    pub fn cost(&self, tool: &str) -> Option<&Cost> {
        self.costs.iter().find(|cost| cost.tool == tool)
    }
}

/// Makes the image of a case in `folder` and sweeps it, so many times in turn; the median of
/// processor times counts. `extscope` is the command line.
///
/// # Errors
/// A tool is missing or fails, the disk is full, or the answers differ from each other or from a
/// count bit by bit.
pub fn sweep(case: &SweepCase, extscope: &Path, folder: &Path, rounds: u32) -> Result<Swept> {
    let image = folder.join("sweep.img");
    let truth = image::make(&image, case.bytes, case.mean)?;
    let ours = |threads| {
        let mut command = Command::new(extscope);
        command.args(["free", "--json", "--threads", threads]).arg(&image);
        command
    };
    let peer = |name: &str, arguments: &[&str]| {
        let mut command = Command::new(format!("/usr/sbin/{name}"));
        command.args(arguments).arg(&image);
        command
    };
    let check = || {
        let mut command = Command::new(extscope);
        command.arg("check").arg(&image);
        command
    };
    let mut costs: [Vec<Cost>; 7] = Default::default();
    for round in 0..rounds.max(1) {
        costs[0].push(run(OURS, &mut ours("1"))?);
        costs[1].push(run("extscope free, 2 threads", &mut ours("2"))?);
        // What takes many seconds needs no second try.
        if round == 0 || !case.is_large() {
            let e2fsck = run(E2FSCK, &mut peer("e2fsck", &["-fn", "-tt"]))?;
            costs[2].push(run("e2freefrag", &mut peer("e2freefrag", &[]))?);
            costs[3].push(run("dumpe2fs", &mut peer("dumpe2fs", &[]))?);
            costs[4].push(pass_5(&e2fsck)?);
            costs[5].push(e2fsck);
            costs[6].push(run(CHECK, &mut check())?);
        }
    }
    let mut costs: Vec<Cost> = costs.into_iter().filter_map(median).collect();
    let (free, freefrag) = (&costs[0], &costs[2]);
    let json: Value = serde_json::from_str(&free.answer)?;
    agree("extscope free", &histogram(&json), &truth)?;
    agree("e2freefrag", &freefrag_histogram(&freefrag.answer), &truth)?;

    let mut verdicts = Vec::new();
    let mut verdict = |what: String, figure: f64, goal: Bound| {
        verdicts.push(Verdict { what: format!("{}: {what}", case.name), figure, goal });
    };
    for (name, times) in case.times_less {
        let theirs = costs.iter().find(|cost| cost.tool == *name);
        let theirs = theirs.map_or(0.0, |cost| cost.cpu.as_secs_f64());
        let what = format!("times less processor time than {name}");
        verdict(what, ratio(theirs, free.cpu.as_secs_f64()), Bound::AtLeast(*times));
    }
    // Both go through all inodes, and find nothing.
    let find = |name: &str| costs.iter().find(|cost| cost.tool == name).cloned();
    if let (Some(check), Some(e2fsck)) = (find(CHECK), find(E2FSCK)) {
        let times = ratio(e2fsck.cpu.as_secs_f64(), check.cpu.as_secs_f64());
        let what = "check, times less processor time than e2fsck".into();
        verdict(what, times, Bound::AtLeast(1.0));
        // Below, a process that does nothing takes as much.
        if case.bytes >= TIB {
            let memory = ratio(check.peak_mib, e2fsck.peak_mib);
            verdict("check, memory over that of e2fsck".into(), memory, Bound::AtMost(1.0));
        }
    }
    verdict("MiB of memory".into(), free.peak_mib, Bound::AtMost(case.peak_mib));
    let (read, requests) = reads(&json);
    let needed = truth.on_disk * 4096 + truth.groups * 64 + 4096;
    verdict("bytes read over needed".into(), ratio(read, needed as f64), Bound::AtMost(1.01));
    let what = "bitmap reads over bitmaps that lie apart".into();
    verdict(what, ratio(requests, truth.bitmap_runs as f64), Bound::AtMost(1.05));
    if let Some(times) = case.cold_times_less {
        forget(&image)?;
        let free = run("extscope free, cold", &mut ours("1"))?;
        forget(&image)?;
        let freefrag = run("e2freefrag, cold", &mut peer("e2freefrag", &[]))?;
        let what = "times less time passed than e2freefrag, cold".into();
        let times_less = ratio(freefrag.wall.as_secs_f64(), free.wall.as_secs_f64());
        verdict(what, times_less, Bound::AtLeast(times));
        costs.extend([free, freefrag]);
    }
    std::fs::remove_file(&image)?;
    Ok(Swept { image: case.name, groups: truth.groups, costs, verdicts })
}

/// What the images show together: how cost grows with groups, and that it does not with runs.
#[must_use]
pub fn compare(all: &[Swept]) -> Vec<Verdict> {
    let find = |name| all.iter().find(|swept| swept.image == name);
    let cost = |name| find(name).and_then(|swept: &Swept| swept.cost(OURS));
    let mut verdicts = Vec::new();
    let pair = (cost("1 TiB, runs of 16"), cost("1 TiB, runs of 512"));
    if let (Some(short), Some(long)) = pair {
        verdicts.push(Verdict {
            what: "memory at 1 TiB, runs of 16 over runs of 512".into(),
            figure: ratio(short.peak_mib, long.peak_mib),
            goal: Bound::AtMost(1.1),
        });
    }
    let a_group = |name| Some(ratio(cost(name)?.cpu.as_secs_f64(), find(name)?.groups as f64));
    if let (Some(many), Some(few)) = (a_group("16 TiB, runs of 512"), a_group("1 TiB, runs of 512"))
    {
        verdicts.push(Verdict {
            what: "processor time a group, 16 TiB over 1 TiB".into(),
            figure: ratio(many, few),
            goal: Bound::AtMost(1.3),
        });
    }
    verdicts
}

pub(crate) fn ratio(part: f64, whole: f64) -> f64 {
    part / whole.max(1e-9)
}

/// Extents and blocks of the histogram's rows that have any.
type Rows = Vec<(u64, u64)>;

fn agree(tool: &str, found: &Rows, truth: &Truth) -> Result<()> {
    let expected: Rows = truth.lengths.iter().copied().filter(|(runs, _)| *runs > 0).collect();
    if *found == expected {
        return Ok(());
    }
    let what =
        format!("{tool} counts free extents {found:?}, but bit by bit they are {expected:?}");
    Err(Error::other(what))
}

/// The histogram that `extscope free` tells.
fn histogram(json: &Value) -> Rows {
    let rows = json["histogram"].as_array().into_iter().flatten();
    rows.filter_map(|row| Some((row["extents"].as_u64()?, row["blocks"].as_u64()?))).collect()
}

/// The histogram that e2freefrag tells: `4K...    8K-  :  12  34  5.67%`.
fn freefrag_histogram(text: &str) -> Rows {
    let rows = text.lines().filter(|line| line.contains("...") && line.contains('%'));
    rows.filter_map(|row| {
        let mut numbers = row.split_once(':')?.1.split_whitespace().map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    })
    .collect()
}

/// Bytes read, and requests for block bitmaps.
fn reads(json: &Value) -> (f64, f64) {
    let kinds = || json["reads"].as_array().into_iter().flatten();
    let bytes = kinds().filter_map(|kind| kind["bytes"].as_f64()).sum();
    let of_bitmaps = kinds().find(|kind| kind["kind"] == "block_bitmap");
    (bytes, of_bitmaps.and_then(|kind| kind["requests"].as_f64()).unwrap_or(0.0))
}

/// What e2fsck says that its fifth pass, which compares bitmaps with what it found, took.
pub(crate) fn pass_5(e2fsck: &Cost) -> Result<Cost> {
    let times = || {
        let (_, rest) = e2fsck.answer.split_once("Pass 5: Memory")?;
        let (_, times) = rest.lines().next()?.split_once("time:")?;
        let times: Vec<f64> =
            times.split('/').filter_map(|time| time.trim().parse().ok()).collect();
        let [wall, user, system] = *times.as_slice() else { return None };
        Some((Duration::from_secs_f64(wall), Duration::from_secs_f64(user + system)))
    };
    let (wall, cpu) = times().ok_or_else(|| Error::other("e2fsck tells no times of pass 5"))?;
    let answer = String::new();
    Ok(Cost { tool: PASS_5.into(), cpu, wall, peak_mib: e2fsck.peak_mib, answer })
}

pub(crate) fn median(mut costs: Vec<Cost>) -> Option<Cost> {
    costs.sort_by_key(|cost| cost.cpu);
    let middle = costs.len() / 2;
    costs.into_iter().nth(middle)
}

/// Has the system forget what it holds of a file. Ref: `dd --help`, nocache.
fn forget(file: &Path) -> Result<()> {
    let mut dd = Command::new("dd");
    dd.arg(format!("of={}", file.display()));
    dd.args(["oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"]);
    run("dd", &mut dd).map(drop)
}

/// Bytes of an answer that are kept.
const KEPT: u64 = 64 << 10;

/// Runs a tool that must succeed.
pub(crate) fn run(tool: &str, command: &mut Command) -> Result<Cost> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut answer = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        // The memory of a process that is started counts as its own, so this one must stay small.
        stdout.by_ref().take(KEPT).read_to_end(&mut answer)?;
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
        peak_mib: used.maxrss as f64 / f64::from(1 << 20),
        answer: String::from_utf8_lossy(&answer).into_owned(),
    })
}
