//! A figure held to its goal.

use core::fmt;

use serde::Serialize;

/// What was measured, what it should be, and whether it is.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// What was measured.
    pub what: String,
    /// The figure.
    pub figure: f64,
    /// The goal.
    pub goal: Bound,
}

/// Where a figure should lie.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// No lower than this.
    AtLeast(f64),
    /// No higher than this.
    AtMost(f64),
}

impl Bound {
    /// Whether a figure lies there.
    #[must_use]
    pub fn holds(self, figure: f64) -> bool {
        match self {
            Self::AtLeast(least) => figure >= least,
            Self::AtMost(most) => figure <= most,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(least) => write!(f, ">= {least}"),
            Self::AtMost(most) => write!(f, "<= {most}"),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, figure, goal } = self;
        let word = if goal.holds(*figure) { "met" } else { "MISSED" };
        write!(f, "{word:6} {what}: {figure:.2} (goal {goal})")
    }
}
