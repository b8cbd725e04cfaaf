//! A bitmap as an array of bits, and as runs in a tree: which is smaller, and which is faster.
//!
//! Since e2fsprogs 1.42, e2fsck keeps most of its bitmaps as runs, in a red-black tree: a filesystem
//! of long extents takes little memory so, and whole extents are marked at once. Where bits are scattered,
//! each run costs a node, and an array is both smaller and faster. Both are measured here in
//! extscope's own forms, on the same extents.
//!
//! Ref: `blkmap64_ba.c`, `blkmap64_rb.c` (lib/ext2fs).

use core::hint::black_box;
use core::ops::Range;

use serde::{Deserialize, Serialize};

use super::race::{median, timed};
use crate::bitmap::{Bitmap, Bits, BitsMut, RunBitmap};
use crate::error::{Error, ErrorKind, Result};
use crate::task::Progress;

/// Bits of the bitmaps of a race: the blocks of 4 GiB.
pub const FORM_BITS: u64 = 1 << 20;

/// Bits of an extent, case by case.
const EXTENTS: [u64; 7] = [1, 4, 16, 64, 256, 1024, 8192];

/// How often each case is timed.
const ROUNDS: usize = 5;

/// Bytes that a run takes in libext2fs: a node of its tree, and what comes with its allocation.
/// Ref: `struct bmap_rb_extent`.
const RUN_BYTES: u64 = 48;

/// Extents of so many bits, with gaps of one length between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extents {
    /// Bits of an extent.
    pub len: u64,
    /// Of a hundred bits, how many are set, as nearly as whole gaps allow.
    pub percent: u8,
}

impl Extents {
    /// The extents, in order, of so many bits. Between two there is a clear bit at least.
    pub fn ranges(self, bits: u64) -> impl Iterator<Item = Range<u64>> {
        let percent = u64::from(self.percent).clamp(1, 99);
        let len = self.len.max(1);
        let gap = (len.saturating_mul(100 - percent) / percent).max(1);
        let count = bits.div_ceil(len.saturating_add(gap));
        (0..count).map(move |at| {
            let first = at * (len + gap);
            first..first.saturating_add(len).min(bits)
        })
    }
}

/// What both forms came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormResult {
    /// Bits of the bitmaps.
    pub bits: u64,
    /// Rounds, of which times are the medians.
    pub rounds: u32,
    /// Case by case, the shortest extents first.
    pub cases: Vec<FormCase>,
}

/// What one length of extents comes to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormCase {
    /// The extents.
    pub extents: Extents,
    /// How many there are.
    pub runs: u64,
    /// What it comes to as an array.
    pub array: FormCost,
    /// What it comes to as runs.
    pub tree: FormCost,
}

/// What a form costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FormCost {
    /// Bytes of memory; those of runs as in libext2fs.
    pub bytes: u64,
    /// Nanoseconds to mark all extents, as pass 1 of e2fsck does.
    pub mark_nanos: f64,
    /// Nanoseconds to find every gap, as a search for free extents does.
    pub find_nanos: f64,
}

/// Both forms being measured.
#[derive(Debug)]
pub struct FormRace {
    bits: u64,
    cases: Vec<Case>,
    turn: usize,
}

#[derive(Debug)]
struct Case {
    bits: u64,
    extents: Extents,
    /// Marking and finding, in the array and then in the tree.
    timings: [Timing; 4],
    /// What every form must find.
    found: Option<u64>,
}

/// The timing of a piece of work, turn by turn.
#[derive(Debug)]
struct Timing {
    /// Runs in a turn.
    runs: u32,
    /// Nanoseconds of a run, one figure a turn.
    nanos: Vec<f64>,
}

impl Default for Timing {
    fn default() -> Self {
        Self { runs: 1, nanos: Vec::new() }
    }
}

impl Timing {
    fn turn(&mut self, clock: &dyn Fn() -> f64, run: impl FnMut()) {
        self.nanos.push(timed(&mut self.runs, clock, run));
    }
}

impl FormRace {
    /// A race over so many bits, of which so many of a hundred are set. Nothing is timed yet.
    #[must_use]
    pub fn new(bits: u64, percent: u8) -> Self {
        let case = |len| Case {
            bits,
            extents: Extents { len, percent },
            timings: Default::default(),
            found: None,
        };
        Self { bits, cases: EXTENTS.map(case).into(), turn: 0 }
    }

    /// Times the next case; gives what all came to after the last turn. `clock` tells milliseconds.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] when the forms do not find the same, which would be a fault of ours;
    /// those of [`Bitmap::new`].
    pub fn step(&mut self, clock: &dyn Fn() -> f64) -> Result<Option<FormResult>> {
        let count = self.cases.len();
        let at = self.turn % count.max(1);
        let Some(case) = self.cases.get_mut(at) else { return Ok(None) };
        case.step(clock)?;
        self.turn += 1;
        let result = || FormResult {
            bits: self.bits,
            rounds: ROUNDS as u32,
            cases: self.cases.iter().map(Case::result).collect(),
        };
        Ok((self.turn == count * ROUNDS).then(result))
    }

    /// Turns done, of all.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress { cur: self.turn as u64, max: (self.cases.len() * ROUNDS) as u64 }
    }
}

impl Case {
    fn step(&mut self, clock: &dyn Fn() -> f64) -> Result<()> {
        let (bits, extents) = (self.bits, self.extents);
        let empty = Bitmap::new(bits)?;
        let (mut array, mut tree) = (empty.clone(), RunBitmap::new(bits));
        let [mark_array, find_array, mark_tree, find_tree] = &mut self.timings;
        mark_array.turn(clock, || {
            array = empty.clone();
            mark(&mut array, extents);
        });
        mark_tree.turn(clock, || {
            tree = RunBitmap::new(bits);
            mark(&mut tree, extents);
        });
        let mut found = [0; 2];
        find_array.turn(clock, || found[0] = black_box(find(&array)));
        find_tree.turn(clock, || found[1] = black_box(find(&tree)));
        let first = *self.found.get_or_insert(found[0]);
        if found != [first; 2] {
            let text = format!("extents of {} bits are not the same in both forms", extents.len);
            return Err(Error::new(ErrorKind::Corrupt, text));
        }
        Ok(())
    }

    fn result(&self) -> FormCase {
        let runs = self.extents.ranges(self.bits).count() as u64;
        let [mark_array, find_array, mark_tree, find_tree] =
            self.timings.each_ref().map(|timing| median(&timing.nanos));
        FormCase {
            extents: self.extents,
            runs,
            array: FormCost {
                bytes: self.bits / 8,
                mark_nanos: mark_array,
                find_nanos: find_array,
            },
            tree: FormCost {
                bytes: runs * RUN_BYTES,
                mark_nanos: mark_tree,
                find_nanos: find_tree,
            },
        }
    }
}

fn mark(bits: &mut impl BitsMut, extents: Extents) {
    for range in extents.ranges(bits.len()) {
        bits.mark_range(range);
    }
}

/// The clear bits, gap by gap.
fn find(bits: &impl Bits) -> u64 {
    bits.clear_runs().map(|gap| gap.end - gap.start).sum()
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    const BITS: u64 = 1 << 15;

    #[test]
    fn extents_are_as_many_and_as_full_as_they_say() {
        for percent in [1, 10, 50, 90, 99] {
            for len in EXTENTS {
                let extents = Extents { len, percent };
                let gap = (len * (100 - u64::from(percent)) / u64::from(percent)).max(1);
                let ranges: Vec<_> = extents.ranges(BITS).collect();
                assert_eq!(ranges.len() as u64, BITS.div_ceil(len + gap), "{extents:?}");
                assert!(ranges.windows(2).all(|pair| pair[1].start - pair[0].end == gap));
                let mut tree = RunBitmap::new(BITS);
                mark(&mut tree, extents);
                assert_eq!(tree.run_count(), ranges.len() as u64, "{extents:?}");
            }
        }
    }

    #[test]
    fn runs_are_smaller_than_the_array_where_an_extent_and_its_gap_have_more_than_384_bits() {
        for percent in [1, 30, 50, 75] {
            let mut race = FormRace::new(BITS, percent);
            let now = Cell::new(0.0);
            let clock = || {
                now.set(now.get() + 10.0);
                now.get()
            };
            let cases = loop {
                if let Some(result) = race.step(&clock).expect("both find the same") {
                    break result.cases;
                }
            };
            assert_eq!(cases.len(), EXTENTS.len());
            for case in cases {
                let len = case.extents.len;
                let gap = (len * (100 - u64::from(percent)) / u64::from(percent)).max(1);
                assert_eq!(case.tree.bytes, 48 * BITS.div_ceil(len + gap));
                // The last extent may be cut, so the border itself is left out.
                if !(380..=390).contains(&(len + gap)) {
                    assert_eq!(case.tree.bytes < case.array.bytes, len + gap > 384, "{case:?}");
                }
                assert!(case.array.mark_nanos > 0.0 && case.tree.find_nanos > 0.0);
            }
            assert_eq!(race.progress(), Progress { cur: 35, max: 35 });
        }
    }
}
