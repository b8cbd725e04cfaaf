//! What is said of a check.

use extscope::check::{CheckOutcome, CodeCount, Pass, Problem};
use extscope::task::Progress;
use serde::{Deserialize, Serialize};

/// How far a check is, and what it found since it was told of last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckPart {
    /// The pass at work.
    pub pass: Pass,
    /// How far that is, in units of its own.
    pub progress: Progress,
    /// Milliseconds that each pass took so far, in the order of the passes.
    pub times: Vec<(Pass, f64)>,
    /// More problems, in the order in which they were found.
    pub problems: Vec<Problem>,
    /// How often each code was found so far, by code.
    pub counts: Vec<CodeCount>,
    /// What it comes to, in the last part.
    pub outcome: Option<CheckOutcome>,
}
