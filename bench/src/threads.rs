//! How much faster two threads are than one, each with bits of its own.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use extscope::bitmap::kernel;

use crate::cases::{CASES, Case, Input};
use crate::verdict::{Bound, Verdict};

/// Cases by name and place among the cases of that name, and the goal: what computes should be
/// nearly twice as fast, what reads can only be as fast as memory.
const GOALS: &[(&str, usize, f64)] = &[("census", 3, 1.8), ("crc32c", 0, 1.35), ("count", 0, 1.35)];

/// Measures two threads on bitmaps of so many bytes; of so many rounds the shortest counts. Gives
/// nothing where the machine has one processor.
///
/// # Errors
/// When the bitmaps are too large to hold.
pub fn measure(bytes: u64, rounds: u32) -> extscope::Result<Vec<Verdict>> {
    if thread::available_parallelism().map_or(1, usize::from) < 2 {
        return Ok(Vec::new());
    }
    let mut verdicts = Vec::new();
    for (name, place, goal) in GOALS {
        let named = CASES.iter().filter(|case| case.name == *name);
        for case in named.skip(*place).take(1) {
            verdicts.push(Verdict {
                what: format!("{name} ({}): times as fast with two threads", case.fill),
                figure: speed_up(case, bytes, rounds)?,
                goal: Bound::AtLeast(*goal),
            });
        }
    }
    Ok(verdicts)
}

fn speed_up(case: &Case, bytes: u64, rounds: u32) -> extscope::Result<f64> {
    let mut inputs = [Input::new(case, bytes)?, Input::new(case, bytes)?];
    let run = |input: &mut Input| black_box((case.run)(kernel::kernels(), input));
    let [mut alone, mut together] = [Duration::MAX; 2];
    for _ in 0..rounds.max(1) {
        let start = Instant::now();
        inputs.iter_mut().for_each(|input| _ = run(input));
        alone = alone.min(start.elapsed());

        let start = Instant::now();
        thread::scope(|scope| {
            for input in &mut inputs {
                scope.spawn(|| run(input));
            }
        });
        together = together.min(start.elapsed());
    }
    Ok(alone.as_secs_f64() / together.as_secs_f64())
}
