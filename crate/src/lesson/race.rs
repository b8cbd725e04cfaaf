//! A race: the same work in every way, timed in turn.
//!
//! The engine has no clock, so the host lends its own.

use serde::{Deserialize, Serialize};

use super::{Meter, Take, Tally, Unwatched, Way};
use crate::bitmap::kernel::kernels;
use crate::bitmap::{Bitmap, Bits, BitsMut};
use crate::error::{Error, ErrorKind, Result};
use crate::task::Progress;

/// How often each lane is timed.
const ROUNDS: usize = 7;

/// Milliseconds that a turn takes at least: many ticks of a browser's clock.
const TURN_MS: f64 = 8.0;

/// Most runs in a turn, for a clock that stands still.
const MOST_RUNS: u32 = 1 << 20;

/// A way to do it, with a cursor or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lane {
    /// How an inode is found.
    pub way: Way,
    /// Whether a search begins where the last one ended.
    pub has_cursor: bool,
}

impl Lane {
    /// All ways as they were, and the last one with a cursor.
    pub const ALL: [Self; 7] = [
        Self { way: Way::Modulo, has_cursor: false },
        Self { way: Way::Hoisted, has_cursor: false },
        Self { way: Way::Direct, has_cursor: false },
        Self { way: Way::Bytes, has_cursor: false },
        Self { way: Way::Words, has_cursor: false },
        Self { way: Way::Vectors, has_cursor: false },
        Self { way: Way::Vectors, has_cursor: true },
    ];
}

/// What a race came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RaceResult {
    /// Bits of the bitmap.
    pub bits: u64,
    /// Inodes taken, the same ones in every lane.
    pub taken: u32,
    /// The instruction set of the vectors.
    pub kernels: String,
    /// Rounds, of which times are the medians.
    pub rounds: u32,
    /// The lanes, in the order of [`Lane::ALL`].
    pub lanes: Vec<LaneResult>,
}

/// What a lane came to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaneResult {
    /// The lane.
    pub lane: Lane,
    /// The work of one run.
    pub tally: Tally,
    /// The median time of one run, nanoseconds.
    pub nanos: f64,
}

/// A race being run.
#[derive(Debug)]
pub struct Race {
    bits: Bitmap,
    inodes_per_group: u32,
    wanted: u32,
    /// What every lane must find.
    found: Vec<u32>,
    lanes: Vec<Running>,
    turn: usize,
}

#[derive(Debug)]
struct Running {
    lane: Lane,
    tally: Tally,
    /// Runs in a turn.
    runs: u32,
    /// Nanoseconds of a run, one figure a round.
    nanos: Vec<f64>,
}

impl Race {
    /// A race for so many inodes. Nothing is timed yet.
    #[must_use]
    pub fn new(bits: Bitmap, inodes_per_group: u32, wanted: u32) -> Self {
        let lanes = Lane::ALL.map(|lane| Running {
            lane,
            tally: Tally::NONE,
            runs: 0,
            nanos: Vec::with_capacity(ROUNDS),
        });
        Self { bits, inodes_per_group, wanted, found: Vec::new(), lanes: lanes.into(), turn: 0 }
    }

    /// Lets the next lane run; gives what the race came to after the last turn. `clock` tells
    /// milliseconds.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] when two lanes do not find the same, which would be a fault of ours.
    pub fn step(&mut self, clock: &dyn Fn() -> f64) -> Result<Option<RaceResult>> {
        let count = self.lanes.len();
        // Each round begins with another lane, so that none has the best place.
        let at = self.turn.wrapping_add(self.turn / count) % count;
        let Some(running) = self.lanes.get_mut(at) else { return Ok(None) };
        let take = Take {
            way: running.lane.way,
            has_cursor: running.lane.has_cursor,
            wanted: self.wanted,
        };
        if running.runs == 0 {
            let mut meter = Meter::default();
            let found = take.run(&mut self.bits.clone(), self.inodes_per_group, &mut meter);
            if self.turn == 0 {
                self.found = found;
            } else if self.found != found {
                let text = format!("{:?} does not find what the others do", running.lane);
                return Err(Error::new(ErrorKind::Corrupt, text));
            }
            (running.tally, running.runs) = (meter.tally, 1);
        }
        let nanos = timed(&mut running.runs, clock, || {
            once(take, &mut self.bits, self.inodes_per_group);
        });
        running.nanos.push(nanos);
        self.turn += 1;
        Ok((self.turn == count * ROUNDS).then(|| self.result()))
    }

    /// Turns done, of all.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress { cur: self.turn as u64, max: (self.lanes.len() * ROUNDS) as u64 }
    }

    fn result(&self) -> RaceResult {
        let lane = |running: &Running| LaneResult {
            lane: running.lane,
            tally: running.tally,
            nanos: median(&running.nanos),
        };
        RaceResult {
            bits: self.bits.len(),
            taken: self.found.len() as u32,
            kernels: kernels().name.to_owned(),
            rounds: ROUNDS as u32,
            lanes: self.lanes.iter().map(lane).collect(),
        }
    }
}

/// Nanoseconds of a run: of as many as fill a turn, which are twice as many each time until they do.
/// `clock` tells milliseconds.
pub(super) fn timed(runs: &mut u32, clock: &dyn Fn() -> f64, mut run: impl FnMut()) -> f64 {
    loop {
        let begin = clock();
        (0..*runs).for_each(|_| run());
        let ms = clock() - begin;
        if ms >= TURN_MS || *runs >= MOST_RUNS {
            return ms * 1e6 / f64::from(*runs);
        }
        *runs *= 2;
    }
}

/// Takes inodes, and gives them back.
pub(super) fn once(take: Take, bits: &mut Bitmap, inodes_per_group: u32) {
    let found = take.run(bits, inodes_per_group, &mut Unwatched);
    for bit in core::hint::black_box(&found) {
        bits.unmark((*bit).into());
    }
}

pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::lesson::Pattern;

    #[test]
    fn every_lane_runs_in_every_round_and_finds_the_same() {
        let bits = Pattern::HalfFull.bitmap(4096).expect("small");
        let mut race = Race::new(bits.clone(), 1024, 5);
        // A clock that ticks 10 ms each time it is looked at: a run a turn.
        let now = Cell::new(0.0);
        let clock = || {
            now.set(now.get() + 10.0);
            now.get()
        };
        let result = loop {
            if let Some(result) = race.step(&clock).expect("all agree") {
                break result;
            }
        };
        assert_eq!((result.bits, result.taken, result.rounds), (4096, 5, 7));
        assert_eq!(race.bits, bits, "everything is given back");
        assert_eq!(race.progress(), Progress { cur: 49, max: 49 });
        assert!(result.lanes.iter().map(|lane| lane.lane).eq(Lane::ALL));
        assert!(race.lanes.iter().all(|lane| lane.nanos.len() == 7));
        let words = result.lanes[4].tally;
        let modulo = result.lanes[0].tally;
        assert!(modulo.tests > 100 * words.tests, "{modulo:?} against {words:?}");
    }
}
