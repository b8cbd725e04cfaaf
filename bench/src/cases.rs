//! What is measured: kernels on fills, and how fast they should be.

use core::ops::Range;

use extscope::bitmap::kernel::{BlockCrc32c, EDGE_WORDS, Edges, Kernels, PYRAMID_WORDS};
use extscope::bitmap::{Bitmap, Bits, BitsMut, Census, RunScan, Word};

use crate::fill::Fill;
use crate::plain::{self, Plain};

/// What a case runs on.
#[derive(Clone, Debug)]
pub struct Input {
    /// The bits.
    pub bits: Bitmap,
    /// The same bits elsewhere, or room for as many.
    pub twin: Bitmap,
    /// How many runs of clear bits there are.
    pub runs: u64,
    /// Where they are, for cases that are told.
    pub(crate) extents: Vec<Range<u32>>,
    scan: RunScan,
}

impl Input {
    /// Bits of a case's fill, so many bytes.
    ///
    /// # Errors
    /// When they are too many to hold.
    pub fn new(case: &Case, bytes: u64) -> extscope::Result<Self> {
        let bits = case.fill.bitmap(bytes)?;
        let extents = if case.by_extents {
            bits.clear_runs().map(|run| run.start as u32..run.end as u32).collect()
        } else {
            Vec::new()
        };
        let runs = bits.clear_runs().count() as u64;
        Ok(Self { twin: bits.clone(), bits, runs, extents, scan: RunScan::default() })
    }

    /// All words.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        self.bits.view().words()
    }
}

/// How fast a case should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// At least so much of the speed of reading.
    OfRead(f64),
    /// At most so many nanoseconds for each run of clear bits.
    NanosARun(f64),
}

/// A kernel on a fill.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What it does, for the table.
    pub name: &'static str,
    /// What it does it to.
    pub fill: Fill,
    /// Bitmaps that it reads.
    pub streams: u32,
    /// Whether it goes by the table given, not by the machine's best.
    pub by_table: bool,
    /// Whether it is told where the runs are.
    pub by_extents: bool,
    /// The goal for a mebibyte, which lies in a cache.
    pub in_cache: Option<Goal>,
    /// The goal for 64 MiB, which do not.
    pub in_memory: Option<Goal>,
    /// Plain ways to do the same, to be faster than by far.
    pub plain: &'static [Plain],
    /// Does it once; gives something that depends on all of it.
    pub run: fn(&Kernels, &mut Input) -> u64,
}

const fn case(name: &'static str, fill: Fill, run: fn(&Kernels, &mut Input) -> u64) -> Case {
    Case {
        name,
        fill,
        streams: 1,
        by_table: true,
        by_extents: false,
        in_cache: None,
        in_memory: None,
        plain: &[],
        run,
    }
}

impl Case {
    const fn goals(mut self, in_cache: Goal, in_memory: Goal) -> Self {
        self.in_cache = Some(in_cache);
        self.in_memory = Some(in_memory);
        self
    }

    const fn plain(mut self, plain: &'static [Plain]) -> Self {
        self.plain = plain;
        self
    }

    const fn streams(mut self, streams: u32) -> Self {
        self.streams = streams;
        self
    }

    const fn extents(mut self) -> Self {
        self.by_extents = true;
        self
    }

    const fn whole(mut self) -> Self {
        self.by_table = false;
        self
    }
}

use Fill::{AlmostFull, Full, Runs};
use Goal::{NanosARun, OfRead};

const fn faster(times_faster: f64, name: &'static str, run: fn(&mut Input) -> u64) -> Plain {
    Plain { name, run, times_faster }
}

/// All cases.
pub const CASES: &[Case] = &[
    case("count", Runs(16), |k, input| (k.count)(input.words()))
        .goals(OfRead(0.55), OfRead(0.80))
        .plain(&[faster(300.0, "bit by bit", plain::count)]),
    case("by group", Runs(16), |k, input| {
        input.words().chunks(512).fold(0, |sum, group| sum ^ (k.count)(group))
    })
    .goals(OfRead(0.45), OfRead(0.65)),
    case("pyramid", Runs(16), pyramid).goals(OfRead(0.30), OfRead(0.65)),
    case("skip", Full, |k, input| (k.skip)(input.words(), u64::MAX) as u64)
        .goals(OfRead(0.80), OfRead(0.90))
        .plain(&[
            faster(500.0, "bit by bit", plain::skip),
            faster(15.0, "byte by byte", plain::skip_bytes),
        ]),
    case("equal", Runs(16), |k, input| (k.equal)(input.words(), input.twin.view().words()) as u64)
        .streams(2),
    case("compare", Runs(16), |k, input| {
        let (equal, count) = (k.compare)(input.words(), input.twin.view().words());
        equal as u64 + count
    })
    .streams(2)
    .goals(OfRead(0.55), OfRead(0.85))
    .plain(&[faster(3.0, "comparing, then counting", plain::compare)]),
    case("edges", Runs(4096), edges),
    case("edges", Runs(512), edges),
    case("edges", Runs(16), edges),
    case("edges", Runs(2), edges),
    case("census", Full, census).whole().goals(OfRead(0.80), OfRead(0.90)),
    case("census", AlmostFull(4096), census)
        .whole()
        .goals(OfRead(0.28), OfRead(0.55))
        .plain(&[faster(150.0, "bit by bit", plain::census)]),
    case("census", Runs(4096), census).whole().goals(OfRead(0.28), OfRead(0.55)).plain(&[faster(
        150.0,
        "bit by bit",
        plain::census,
    )]),
    case("census", Runs(16), census).whole().goals(NanosARun(4.0), NanosARun(4.6)),
    case("census", Runs(2), census).whole().goals(NanosARun(2.5), NanosARun(2.9)),
    case("claim", Runs(16), claim).extents().whole().goals(NanosARun(9.0), NanosARun(10.4)),
    case("claim", Runs(256), claim)
        .extents()
        .whole()
        .goals(NanosARun(30.0), NanosARun(34.5))
        .plain(&[faster(10.0, "bit by bit", plain::claim)]),
    case("crc32c", Runs(16), crc32c).whole().goals(OfRead(0.13), OfRead(0.90)),
    case("crc32c", Full, crc32c).whole(),
    case("crc32c x1", Runs(16), crc32c_one_by_one).whole(),
];

fn pyramid(kernels: &Kernels, input: &mut Input) -> u64 {
    let mut counts = [0; 4096 / 64];
    let blocks = input.words().chunks(counts.len() * PYRAMID_WORDS);
    blocks.fold(0, |sum, block| {
        (kernels.pyramid)(block, &mut counts);
        sum + u64::from(counts[0])
    })
}

fn edges(kernels: &Kernels, input: &mut Input) -> u64 {
    let mut edges = Edges::new();
    let blocks = input.words().chunks(EDGE_WORDS);
    let mut before = false;
    blocks.fold(0, |sum, block| {
        (kernels.edges)(block, before, &mut edges);
        before ^= edges.places().len() % 2 == 1;
        sum + edges.places().len() as u64
    })
}

/// Free runs with their histogram.
fn census(_: &Kernels, input: &mut Input) -> u64 {
    Census::new(&mut input.scan, input.bits.view()).figures().bits
}

/// Claims the clear runs in an empty bitmap.
fn claim(_: &Kernels, input: &mut Input) -> u64 {
    let mut twice = 0;
    input.twin.unmark_range(0..u64::MAX);
    for run in &input.extents {
        let run = u64::from(run.start)..u64::from(run.end);
        input.twin.claim(run, |range| twice += range.end - range.start);
    }
    twice + input.twin.count_range(0..64)
}

fn crc32c(_: &Kernels, input: &mut Input) -> u64 {
    let crc = BlockCrc32c::new(u32::MAX, 4096);
    let (pairs, _) = input.bits.as_bytes().as_chunks::<8192>();
    pairs.iter().fold(0, |sum, pair| {
        let (a, b) = pair.split_at(4096);
        let [a, b] = crc.of_two(a, b);
        sum ^ u64::from(a) ^ (u64::from(b) << 32)
    })
}

fn crc32c_one_by_one(_: &Kernels, input: &mut Input) -> u64 {
    let crc = BlockCrc32c::new(u32::MAX, 4096);
    let blocks = input.bits.as_bytes().chunks_exact(4096);
    blocks.fold(0, |sum, block| sum ^ u64::from(crc.of(block)))
}
