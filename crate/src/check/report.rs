//! What a check found, in the shape that the page and the command line share.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};

use super::CheckOptions;
use super::claims::Claim;
use super::context::Context;
use super::finding::Problem;
use super::problem::{Code, Pass, Reach, Severity};
use super::sanity::Refusal;
use super::sink::{Mode, Sink};

/// What a check found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckReport {
    /// How far it went.
    pub mode: Mode,
    /// The problems with their places, in the order in which they were found; of each code at
    /// most [`crate::limits::PROBLEMS_PER_CODE`].
    pub problems: Vec<Problem>,
    /// How often each code was found, by code.
    pub counts: Vec<CodeCount>,
    /// What it comes to.
    #[serde(flatten)]
    pub outcome: CheckOutcome,
}

/// What a check comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckOutcome {
    /// The codes that `e2fsck -fn` tells, by number; heads and feet of lists as in its log.
    pub set: Vec<Code>,
    /// What `e2fsck -fn` would end with.
    pub e2fsck: LikeE2fsck,
    /// Its last line; `None` when nothing could be checked.
    pub summary: Option<Summary>,
    /// What to make of it.
    pub verdict: Verdict,
    /// The same in a sentence.
    pub sentence: String,
    /// The primary superblock could not be used, and a backup was.
    pub used_backup: bool,
    /// The journal holds changes that were not replayed: what is on the disk was checked.
    pub skipped_journal: bool,
    /// It was checked as after the journal's replay.
    pub is_replayed: bool,
    /// Who has blocks that are free in the bitmaps, inode by inode; at most
    /// [`crate::limits::CLAIMS_TOLD`]. A check that is to be like e2fsck does not look for them.
    pub claims: Vec<Claim>,
}

/// How often a code was found, and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeCount {
    /// Which.
    pub code: Code,
    /// The pass that found it.
    pub pass: Pass,
    /// How much it matters.
    pub severity: Severity,
    /// In one line.
    pub title: &'static str,
    /// What it means.
    pub explanation: &'static str,
    /// What e2fsck would do if told yes.
    pub remedy: &'static str,
    /// How often.
    pub count: u64,
    /// How often e2fsck tells it, which may have given up before.
    pub e2fsck_count: u64,
}

/// What of a [`CodeCount`] is not in the table of problems.
#[derive(Deserialize)]
struct Counted {
    code: Code,
    count: u64,
    e2fsck_count: u64,
}

impl From<Counted> for CodeCount {
    fn from(Counted { code, count, e2fsck_count }: Counted) -> Self {
        let row = code.row();
        Self {
            code,
            pass: code.pass(),
            severity: row.severity(),
            title: row.title,
            explanation: row.explanation,
            remedy: row.remedy,
            count,
            e2fsck_count,
        }
    }
}

/// The words come from the table, whatever was written.
impl<'de> Deserialize<'de> for CodeCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Counted::deserialize(deserializer).map(Self::from)
    }
}

/// The end of `e2fsck -fn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LikeE2fsck {
    /// Its exit status: 0 clean, 4 problems left, 8 not checked, 12 given up with problems.
    pub exit: u8,
    /// The problem at which it gave up.
    pub gave_up_at: Option<Code>,
}

/// The counts of e2fsck's last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Inodes in use, as the superblock says.
    pub inodes_used: u32,
    /// Inodes.
    pub inodes: u32,
    /// Inodes whose blocks do not follow one another, in tenths of a percent of those in use.
    pub frag_pct_x10: u32,
    /// Blocks in use, as the superblock says.
    pub blocks_used: u64,
    /// Blocks.
    pub blocks: u64,
}

/// What to make of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing found.
    Clean,
    /// Nothing that makes it unclean.
    Minor,
    /// Something to mend.
    Damaged,
    /// No filesystem could be checked.
    NotChecked,
}

impl CheckReport {
    pub(super) fn new<S: crate::io::ByteSource>(
        options: &CheckOptions,
        sink: &Sink,
        ctx: Option<&Context<S>>,
    ) -> Self {
        let counts = counts(sink);
        Self {
            mode: options.mode,
            problems: sink.problems.clone(),
            outcome: CheckOutcome::new(options, sink, ctx, &counts),
            counts,
        }
    }
}

/// How often each code was found so far.
pub(super) fn counts(sink: &Sink) -> Vec<CodeCount> {
    let count = |(code, count): (&Code, &super::sink::Count)| {
        CodeCount::from(Counted { code: *code, count: count.all, e2fsck_count: count.told })
    };
    sink.counts.iter().map(count).collect()
}

impl CheckOutcome {
    fn new<S: crate::io::ByteSource>(
        options: &CheckOptions,
        sink: &Sink,
        ctx: Option<&Context<S>>,
        counts: &[CodeCount],
    ) -> Self {
        let verdict = verdict(sink, counts, ctx.is_some());
        let told = counts.iter().filter(|count| count.e2fsck_count > 0);
        let set: BTreeSet<Code> = told.map(|count| count.code).collect();
        let gave_up_at = sink.gave_up.and_then(|(code, _)| code);
        Self {
            sentence: sentence(verdict, counts, sink.refusal),
            set: set.into_iter().collect(),
            e2fsck: LikeE2fsck { exit: sink.exit(), gave_up_at },
            summary: ctx.map(summary),
            verdict,
            used_backup: ctx.is_some_and(|ctx| ctx.used_backup),
            skipped_journal: ctx.is_some_and(|ctx| ctx.skipped_journal),
            is_replayed: options.is_replayed,
            claims: ctx.map(|ctx| ctx.claims.clone()).unwrap_or_default(),
        }
    }
}

fn verdict(sink: &Sink, counts: &[CodeCount], is_open: bool) -> Verdict {
    let worst = counts.iter().map(|count| count.severity).max();
    let is_given_up = sink.gave_up.is_some();
    match worst {
        _ if !is_open => Verdict::NotChecked,
        Some(Severity::Damage | Severity::Fatal) => Verdict::Damaged,
        _ if is_given_up => Verdict::Damaged,
        Some(Severity::Note | Severity::Minor) => Verdict::Minor,
        None => Verdict::Clean,
    }
}

fn sentence(verdict: Verdict, counts: &[CodeCount], refusal: Option<Refusal>) -> String {
    let lists = |count: &&CodeCount| count.code.row().reach != Reach::List;
    let total: u64 = counts.iter().filter(lists).map(|count| count.count).sum();
    let problems = if total == 1 { "1 problem".to_owned() } else { format!("{total} problems") };
    match verdict {
        Verdict::Clean => "The filesystem is clean.".to_owned(),
        Verdict::Minor => format!("The filesystem counts as clean; {problems} of little weight."),
        Verdict::Damaged => {
            format!("The filesystem has {problems}: copy it, then run e2fsck on the copy.")
        }
        Verdict::NotChecked => match refusal {
            Some(Refusal::JournalDevice) => {
                "This is the journal of another filesystem. Check that \
                                             one, and name this with it: extscope check --journal."
            }
            Some(Refusal::Features) => {
                "The filesystem has features that e2fsck 1.47.0 does not \
                                        know, and nothing of it could be checked."
            }
            _ => "There is no ext filesystem here that could be checked.",
        }
        .to_owned(),
    }
}

fn summary<S: crate::io::ByteSource>(ctx: &Context<S>) -> Summary {
    let superblock = ctx.superblock();
    let inodes = superblock.s_inodes_count.get();
    let inodes_used = inodes.wrapping_sub(superblock.s_free_inodes_count.get());
    let blocks = superblock.blocks_count();
    let tally = &ctx.tally;
    let fragmented = tally.fragmented.wrapping_add(tally.fragmented_dirs);
    let per_10000 = fragmented.wrapping_mul(10_000).checked_div(inodes_used);
    Summary {
        inodes_used,
        inodes,
        frag_pct_x10: per_10000.map_or(0, |part| part.wrapping_add(5) / 10),
        blocks_used: blocks.wrapping_sub(superblock.free_blocks_count()),
        blocks,
    }
}
