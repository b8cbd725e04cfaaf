//! What a check says of itself: how it stands, what it comes to, what it does not look at.

use crate::protocol::{CheckMode, CheckReport, CodeCount, Pass, Reach, Verdict, coverage};
use crate::select::header::Tone;
use crate::select::problem::{PASSES, main_pass, pass_title};
use crate::select::problem_rows::{is_problem, shown_count};
use crate::state::{Check, Course, Image};
use crate::text::{number, shell, time, words};

/// A check in a line and a sentence or two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// How good or bad it is.
    pub tone: Tone,
    /// The line.
    pub title: String,
    /// What there is to add.
    pub text: String,
}

/// How a check stands or what it came to.
#[must_use]
pub fn headline(check: Option<&Check>) -> Headline {
    let Some(check) = check else {
        return Headline {
            tone: Tone::Neutral,
            title: "Check the filesystem".to_owned(),
            text: "Goes through all metadata in the passes of e2fsck. Nothing is changed."
                .to_owned(),
        };
    };
    let found = shown_count(check, |_| true);
    let so_far = format!("{} so far", number::count_of(found, "problem", "problems"));
    let pass = format!("pass {}, {}", check.pass.name(), pass_title(check.pass));
    match &check.course {
        Course::Going => Headline {
            tone: Tone::Neutral,
            title: format!("Checking, {so_far}"),
            text: words::sentence(&format!("{pass}. The other views can be used meanwhile")),
        },
        Course::Stopped => Headline {
            tone: Tone::Warn,
            title: format!("Stopped, {so_far}"),
            text: format!(
                "Not checked: {pass}, from where it was stopped, and the passes after it."
            ),
        },
        Course::Failed(error) => Headline {
            tone: Tone::Err,
            title: "The check cannot go on".to_owned(),
            text: error.to_string(),
        },
        Course::Over(outcome) => Headline {
            tone: match outcome.verdict {
                Verdict::Clean => Tone::Ok,
                Verdict::Minor => Tone::Warn,
                Verdict::Damaged | Verdict::NotChecked => Tone::Err,
            },
            title: outcome.sentence.clone(),
            text: ending(check, found),
        },
    }
}

/// What e2fsck would say, and what is to be known of the check.
fn ending(check: &Check, found: u64) -> String {
    let Some(outcome) = check.outcome() else { return String::new() };
    let told = check.found.iter().map(|found| &found.count).filter(|count| is_problem(count));
    let told = told.map(|count| count.e2fsck_count).fold(0, u64::saturating_add);
    let mut sentences = Vec::new();
    let exit = outcome.e2fsck.exit;
    sentences.push(match (outcome.e2fsck.gave_up_at, told == found) {
        (Some(code), _) => format!(
            "e2fsck -fn would tell {} of them, give up at {code} and exit with status {exit}.",
            number::count(told)
        ),
        (None, true) if found == 0 => "e2fsck -fn would exit with status 0.".to_owned(),
        (None, true) => format!("e2fsck -fn would tell the same and exit with status {exit}."),
        (None, false) => {
            format!(
                "e2fsck -fn would tell {} of them and exit with status {exit}.",
                number::count(told)
            )
        }
    });
    if outcome.is_replayed {
        sentences.push("It was checked as after the journal is replayed.".to_owned());
    }
    if outcome.skipped_journal {
        let what = "What is on the disk was checked, without the changes in the journal.";
        sentences.push(what.to_owned());
    }
    if outcome.used_backup {
        sentences.push("The primary superblock is of no use; a backup was used.".to_owned());
    }
    if let Some(summary) = &outcome.summary {
        sentences.push(format!(
            "{} of {} inodes ({}.{} % in pieces) and {} of {} blocks are in use.",
            number::count(summary.inodes_used.into()),
            number::count(summary.inodes.into()),
            summary.frag_pct_x10 / 10,
            summary.frag_pct_x10 % 10,
            number::count(summary.blocks_used),
            number::count(summary.blocks),
        ));
    }
    sentences.join(" ")
}

/// How a pass stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassState {
    /// Which.
    pub pass: Pass,
    /// What it is about.
    pub title: &'static str,
    /// Whether it has not begun, is at work, is over, or was not come to.
    pub stage: Stage,
    /// Problems found in it.
    pub problems: u64,
    /// How far it is or how long it took.
    pub note: String,
    /// Percent done, while it is at work.
    pub percent: Option<u64>,
}

/// Where a pass is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It has not begun.
    Waits,
    /// It is at work.
    Going,
    /// It is over.
    Over,
    /// It was not come to, or not to its end.
    Missed,
}

/// How each pass stands.
#[must_use]
pub fn pass_states(check: &Check) -> Vec<PassState> {
    let at = main_pass(check.pass);
    let is_whole = check.outcome().is_some_and(|outcome| {
        outcome.verdict != Verdict::NotChecked
            && (check.mode == CheckMode::Thorough || outcome.e2fsck.gave_up_at.is_none())
    });
    let state = |(pass, title): (Pass, &'static str)| {
        let belongs = |other: Pass| main_pass(other) == pass;
        let took: f64 =
            check.times.iter().filter(|(other, _)| belongs(*other)).map(|(_, took)| took).sum();
        let stage = match pass.cmp(&at) {
            _ if is_whole => Stage::Over,
            core::cmp::Ordering::Less => Stage::Over,
            core::cmp::Ordering::Equal if check.is_going() => Stage::Going,
            core::cmp::Ordering::Greater if check.is_going() => Stage::Waits,
            _ => Stage::Missed,
        };
        let (cur, max) = (check.progress.cur, check.progress.max);
        let percent =
            (stage == Stage::Going).then(|| (cur * 100).checked_div(max).unwrap_or(0).min(100));
        let note = match (stage, percent) {
            (Stage::Going, Some(percent)) => format!("{percent} %, {}", time::span(took)),
            (Stage::Waits, _) => "waits".to_owned(),
            (Stage::Missed, _) => "not checked to its end".to_owned(),
            _ => time::span(took),
        };
        let problems = shown_count(check, |count: &CodeCount| belongs(count.pass));
        PassState { pass, title, stage, problems, note, percent }
    };
    PASSES.map(state).to_vec()
}

/// What the check looks for, and what it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverageWords {
    /// Problems that `e2fsck -fn` can tell.
    pub told: u64,
    /// Those of them that are looked for.
    pub looked_for: u64,
    /// Those that are not: code and title.
    pub missing: Vec<(&'static str, &'static str)>,
}

/// What the check looks for, and what it does not.
#[must_use]
pub fn coverage_words() -> CoverageWords {
    let told: Vec<_> = coverage().filter(|row| row.reach == Reach::Told).collect();
    let missing = told.iter().filter(|row| !row.is_looked_for);
    CoverageWords {
        told: told.len() as u64,
        looked_for: told.iter().filter(|row| row.is_looked_for).count() as u64,
        missing: missing.map(|row| (row.code.name(), row.title)).collect(),
    }
}

/// The command that would tell the same.
#[must_use]
pub fn command(mode: CheckMode, image: &Image) -> String {
    let name = shell::quoted(&image.name);
    match (mode, image.is_replayed()) {
        (CheckMode::LikeE2fsck, false) => format!("e2fsck -fn {name}"),
        (CheckMode::LikeE2fsck, true) => format!("extscope check --like-e2fsck --replayed {name}"),
        (CheckMode::Thorough, false) => format!("extscope check {name}"),
        (CheckMode::Thorough, true) => format!("extscope check --replayed {name}"),
    }
}

/// What was found, in the shape of `extscope check --json`.
#[must_use]
pub fn report(check: &Check) -> Option<CheckReport> {
    Some(CheckReport {
        mode: check.mode,
        problems: check.found.iter().flat_map(|found| found.problems.iter().cloned()).collect(),
        counts: check.found.iter().map(|found| found.count.clone()).collect(),
        outcome: check.outcome()?.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::testing::check;

    #[test]
    fn a_check_that_goes_on_says_where_it_is() {
        let check = check();
        let Headline { title, text, .. } = headline(Some(&check));
        assert_eq!(title, "Checking, 5,002 problems so far");
        assert!(text.starts_with("Pass 5, bitmaps and counts."), "{text}");
        let states = pass_states(&check);
        let stages: Vec<_> = states.iter().map(|state| state.stage).collect();
        assert_eq!(stages[..5], [Stage::Over; 5]);
        assert_eq!((stages[5], states[5].percent), (Stage::Going, Some(16)));
        assert_eq!(
            states.iter().map(|state| state.problems).collect::<Vec<_>>(),
            [0, 0, 0, 0, 2, 5000]
        );
    }

    #[test]
    fn what_is_not_looked_for_is_named() {
        let words = coverage_words();
        assert_eq!(words.told, words.looked_for + words.missing.len() as u64);
        assert!(
            words.missing.iter().all(|(name, title)| name.starts_with("PR_") && !title.is_empty())
        );
    }
}
