//! `extscope journal`: what the journal holds, and what replaying it would bring.

use std::io::Write;

use extscope::Error;
use extscope::fs::CsumState;
use extscope::fs::journal::{FastCommits, Journal, LogWalk, Recovery};
use extscope::report::{JournalReport, LogKind, LogReport, RecoveryReport, grouped, time};
use extscope::task::run_to_end;
use serde::Serialize;
use serde::ser::Serializer;

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::json;
use crate::table::{Format, Table, cell};
use crate::text::{self, csum_word};

/// Which part of the journal of which image.
#[derive(Debug, clap::Args)]
pub(crate) struct JournalArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// List every block of the log that is no data, those left from earlier turns included
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    journal: JournalReport,
    needs_recovery: bool,
    recovery: RecoveryReport,
    log: Log<'a>,
}

/// The blocks of the log as a sequence that is never held as a whole.
struct Log<'a> {
    image: &'a Image,
    journal: &'a Journal,
    all: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Block(LogReport),
    Error { error: Error },
}

/// Reports the journal, what replaying it would bring, and the blocks of its log.
pub(crate) fn run(args: &JournalArgs, out: &mut impl Write) -> Result<(), Failure> {
    let image = image::open(&args.image)?;
    let fail = |error| Failure::image(&args.image.path, error);
    let recovery = Recovery::new(&image).map_err(fail)?;
    let journal = recovery.journal().clone();
    let recovered = run_to_end(recovery).map_err(fail)?;
    let answer = Answer {
        journal: JournalReport::new(&journal),
        needs_recovery: image.needs_recovery(),
        recovery: RecoveryReport::new(&recovered),
        log: Log { image: &image, journal: &journal, all: args.all },
    };
    if args.format.json {
        return json::write(&answer, out);
    }
    if args.format.csv {
        return write_csv(&answer, out);
    }
    write_text(&answer, out)?;
    Ok(())
}

impl Log<'_> {
    fn lines(&self) -> impl Iterator<Item = Line> {
        let (image, journal) = (self.image, self.journal);
        let mut walk = LogWalk::new(journal);
        let live = std::iter::from_fn(move || walk.next_block(image, journal));
        let blocks = (journal.superblock.s_first.get()..journal.log_end())
            .filter_map(move |block| journal.log_block(image, block).transpose());
        let all = self.all;
        let log = live.filter(move |_| !all).chain(blocks.filter(move |_| all));
        let log = log.map(|block| block.map(|block| LogReport::new(&block)));
        let mut entries = FastCommits::new(journal);
        let fast = std::iter::from_fn(move || entries.next_entry(image, journal)).map(|entry| {
            entry.map(|(block, entry)| LogReport::of_fast_commit(journal, block, &entry))
        });
        log.chain(fast).map(|line| match line {
            Ok(block) => Line::Block(block),
            Err(error) => Line::Error { error },
        })
    }
}

impl Serialize for Log<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.lines())
    }
}

/// Writes the log, a data block or a revoked one a row; what cannot be read is told of on standard
/// error.
fn write_csv(answer: &Answer<'_>, out: &mut impl Write) -> Result<(), Failure> {
    let columns = ["block", "sequence", "kind", "csum", "data_block", "fsblk", "seconds", "words"];
    let mut table = Table::new(out, &columns)?;
    for line in answer.log.lines() {
        let block = match line {
            Line::Block(block) => block,
            Line::Error { error } => {
                eprintln!("extscope: {error}");
                continue;
            }
        };
        let (number, sequence) = (block.block, cell(block.sequence));
        let csum = csum_word(block.csum);
        let none = String::new();
        match &block.kind {
            LogKind::Descriptor { tags } => {
                for tag in tags {
                    let kind = &"descriptor";
                    table.row(&[
                        &number, &sequence, kind, &csum, &tag.block, &tag.fsblk, &none, &none,
                    ])?;
                }
            }
            LogKind::Revoke { revokes } => {
                for fsblk in revokes {
                    let kind = &"revoke";
                    table.row(&[&number, &sequence, kind, &csum, &none, fsblk, &none, &none])?;
                }
            }
            LogKind::Commit { seconds } => {
                let kind = &"commit";
                table.row(&[&number, &sequence, kind, &csum, &none, &none, seconds, &none])?;
            }
            LogKind::Other { words } => {
                let kind = &"other";
                table.row(&[&number, &sequence, kind, &csum, &none, &none, &none, words])?;
            }
            LogKind::FastCommit { words } => {
                let kind = &"fast_commit";
                table.row(&[&number, &sequence, kind, &csum, &none, &none, &none, words])?;
            }
        }
    }
    table.finish()
}

fn write_text(answer: &Answer<'_>, out: &mut impl Write) -> std::io::Result<()> {
    let journal = &answer.journal;
    let mut line = |label: &str, value: String| writeln!(out, "{label:<22}{value}");
    line("Journal", journal.ino.map_or("this image".to_owned(), |ino| format!("inode {ino}")))?;
    line("UUID", journal.uuid.clone())?;
    line(
        "Blocks",
        format!("{} of {} bytes", grouped(journal.s_maxlen.into()), journal.s_blocksize),
    )?;
    line("Features", or_none(journal.features.join(" ")))?;
    let wrong = if journal.csum == CsumState::Bad { ", superblock's is WRONG" } else { "" };
    line("Checksums", format!("{}{wrong}", journal.csum_kind))?;
    if journal.fast_commit_blocks > 0 {
        line("Fast-commit blocks", grouped(journal.fast_commit_blocks.into()))?;
    }
    if journal.s_errno != 0 {
        line("Aborted with error", (journal.s_errno.cast_signed()).to_string())?;
    }
    line("Needs recovery", if answer.needs_recovery { "yes" } else { "no" }.to_owned())?;
    let recovery = &answer.recovery;
    line("Whole transactions", grouped(recovery.transactions.len() as u64))?;
    line("Blocks to write", grouped(recovery.written))?;
    if recovery.revoked > 0 {
        line("Revoked since", grouped(recovery.revoked))?;
    }
    if recovery.fast_commits > 0 {
        line("Fast commits", grouped(recovery.fast_commits.into()))?;
    }
    line("End", recovery.end.clone())?;
    if let Some(error) = &recovery.held_back {
        line("Nothing replayed", error.to_string())?;
    }
    for fault in &recovery.faults {
        line("Not replayed", fault.to_string())?;
    }
    writeln!(out, "\nLog")?;
    for block in answer.log.lines() {
        match block {
            Line::Block(block) => write_block(&block, out)?,
            Line::Error { error } => writeln!(out, "  {error}")?,
        }
    }
    Ok(())
}

fn write_block(block: &LogReport, out: &mut impl Write) -> std::io::Result<()> {
    let sequence = block.sequence.map_or_else(String::new, |number| number.to_string());
    let wrong = if block.csum == CsumState::Bad { "  checksum WRONG" } else { "" };
    write!(out, "{:>10} {sequence:>10}  ", block.block)?;
    match &block.kind {
        LogKind::Descriptor { tags } => {
            let count = text::count(tags.len() as u32, "data block", "data blocks");
            writeln!(out, "descriptor, {count}{wrong}")?;
            for tag in tags {
                let escaped = if tag.escaped { ", escaped" } else { "" };
                writeln!(out, "{:>23}  block {} in {}{escaped}", "", tag.fsblk, tag.block)?;
            }
        }
        LogKind::Revoke { revokes } => {
            writeln!(out, "revoke, {} blocks{wrong}", revokes.len())?;
            for fsblk in revokes {
                writeln!(out, "{:>23}  block {fsblk}", "")?;
            }
        }
        LogKind::Commit { seconds } => writeln!(out, "commit, {}{wrong}", time(*seconds))?,
        LogKind::Other { words } => writeln!(out, "{words}")?,
        LogKind::FastCommit { words } => writeln!(out, "fast commit: {words}{wrong}")?,
    }
    Ok(())
}

fn or_none(text: String) -> String {
    if text.is_empty() { "none".to_owned() } else { text }
}
