//! What a check found as a page of HTML, and how the numbers of a problem are written.

use super::html::{Cell, Page};
use super::{grouped, hex, time};
use crate::check::{CheckReport, Code, CodeCount, Form, Mode, Problem, Reach, Severity};

/// A number found or expected, as numbers of its code are written.
#[must_use]
pub fn problem_value(code: Code, value: u64) -> String {
    match code.form() {
        Form::Count => grouped(value),
        Form::Bits => hex(value, 8),
        Form::Mode => format!("{value:06o}"),
        Form::Time if value == 0 => "never".to_owned(),
        Form::Time => time(value),
        Form::Other => format!("inode {}", grouped(value)),
        Form::Others if value == 1 => "1 other".to_owned(),
        Form::Others => format!("{} others", grouped(value)),
    }
}

/// The word for how much a problem matters.
#[must_use]
pub const fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Minor => "minor",
        Severity::Damage => "damage",
        Severity::Fatal => "fatal",
    }
}

impl CheckReport {
    /// The report as a page of HTML under a title.
    #[must_use]
    pub fn html(&self, title: &str) -> String {
        let mut page = Page::new(title);
        page.text(&self.outcome.sentence);
        self.facts(&mut page);
        let mut pass = None;
        let is_problem = |count: &&CodeCount| count.code.row().reach != Reach::List;
        for count in self.counts.iter().filter(is_problem) {
            if pass.replace(count.pass) != Some(count.pass) {
                page.heading(&format!("Pass {}", count.pass.name()));
            }
            let times = grouped(count.count);
            let severity = severity_name(count.severity);
            page.note(&format!("{} ({}, {severity}, {times})", count.title, count.code.name()));
            page.text(&format!("{} e2fsck -y: {}", count.explanation, count.remedy));
            self.places(&mut page, count);
        }
        page.finish()
    }

    /// How it was checked, and the last line of e2fsck.
    fn facts(&self, page: &mut Page) {
        let outcome = &self.outcome;
        let far = match self.mode {
            Mode::Thorough => "thorough: on where e2fsck gives up",
            Mode::LikeE2fsck => "as far as e2fsck -fn",
        };
        let mut rows = vec![
            ("How far", far.to_owned()),
            ("Exit status of e2fsck -fn", outcome.e2fsck.exit.to_string()),
        ];
        let gave_up =
            outcome.e2fsck.gave_up_at.map(|code| ("e2fsck gives up at", code.to_string()));
        rows.extend(gave_up);
        if outcome.is_replayed {
            rows.push(("Journal", "replayed in memory before the check".to_owned()));
        }
        if outcome.skipped_journal {
            rows.push(("Journal", "not replayed: what is on the disk was checked".to_owned()));
        }
        if outcome.used_backup {
            rows.push(("Superblock", "a backup".to_owned()));
        }
        if let Some(summary) = &outcome.summary {
            let of = |used: u64, all: u64| format!("{} of {}", grouped(used), grouped(all));
            let (whole, tenths) = (summary.frag_pct_x10 / 10, summary.frag_pct_x10 % 10);
            rows.extend([
                ("Inodes in use", of(summary.inodes_used.into(), summary.inodes.into())),
                ("Inodes in pieces", format!("{whole}.{tenths} %")),
                ("Blocks in use", of(summary.blocks_used, summary.blocks)),
            ]);
        }
        let rows = rows.into_iter();
        page.table(
            &["What", "Value"],
            rows.map(|(label, value)| vec![Cell::Words(label.to_owned()), Cell::Words(value)]),
        );
    }

    /// The places of a code that are known.
    fn places(&self, page: &mut Page, count: &CodeCount) {
        let of_code = self.problems.iter().filter(|problem| problem.code == count.code);
        let rows: Vec<_> = of_code.filter_map(|problem| self.place(problem)).collect();
        if rows.is_empty() {
            return;
        }
        let left = count.count.saturating_sub(rows.len() as u64);
        page.table(
            &["#Group", "#Directory", "#Inode", "#Block", "Found", "Expected", "Name", "Whose"],
            rows,
        );
        if left > 0 {
            page.text(&format!("And {} more, which are counted and not listed.", grouped(left)));
        }
    }

    /// A row of that table; `None` for the filesystem as a whole.
    fn place(&self, problem: &Problem) -> Option<Vec<Cell>> {
        let number = |number: Option<u64>| number.map_or_else(String::new, grouped);
        let value = |value: Option<u64>| {
            value.map_or_else(String::new, |value| problem_value(problem.code, value))
        };
        let ino = |ino: Option<crate::units::Ino>| number(ino.map(|ino| ino.get().into()));
        let last = |first: u64, count: u64| first.saturating_add(count.saturating_sub(1));
        let blocks = match (problem.block, problem.count) {
            (Some(first), Some(count)) => {
                format!("{}–{}", grouped(first.get()), grouped(last(first.get(), count)))
            }
            (block, _) => number(block.map(|block| block.get())),
        };
        let claims = problem.claimants(&self.outcome.claims).map(|claim| match claim.ino {
            Some(ino) => format!("inode {ino}"),
            None => "the filesystem".to_owned(),
        });
        let mut whose: Vec<String> = claims.collect();
        whose.dedup();
        let texts = [
            number(problem.group.map(|group| group.get().into())),
            ino(problem.dir),
            ino(problem.ino),
            blocks,
            value(problem.found),
            value(problem.expected),
            problem.name.clone().unwrap_or_default(),
            whose.join(", "),
        ];
        if texts.iter().all(String::is_empty) {
            return None;
        }
        let cell = |(at, text): (usize, String)| match at {
            0..=3 => Cell::Number(text),
            6 => Cell::Path(text),
            _ => Cell::Words(text),
        };
        Some(texts.into_iter().enumerate().map(cell).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Check, CheckOptions};
    use crate::fs::testing::Image;
    use crate::task::run_to_end;

    #[test]
    fn numbers_are_written_as_those_of_their_code() {
        let written = |name, value| problem_value(Code::from_name(name).expect("a code"), value);
        assert_eq!(written("PR_2_BAD_MODE", 0o100_644), "100644");
        assert_eq!(written("PR_0_GDT_CSUM", 0xbd), "0x000000bd");
        assert_eq!(written("PR_4_BAD_REF_COUNT", 1234), "1,234");
        assert_eq!(written("PR_2_NON_UNIQUE_FILE", 1234), "inode 1,234");
        assert_eq!([1, 2].map(|n| written("PR_1D_DUP_FILE", n)), ["1 other", "2 others"]);
        assert_eq!(written("PR_0_FUTURE_SB_LAST_MOUNT", 0), "never");
        assert_eq!(written("PR_0_FUTURE_SB_LAST_MOUNT", 86_400), "1970-01-02 00:00:00 UTC");
    }

    #[test]
    fn a_page_tells_every_problem_once_and_takes_no_name_for_markup() {
        let bytes = Image::new().bytes();
        let check = Check::new(&bytes, CheckOptions::default());
        let mut report = run_to_end(check).expect("it runs to its end");
        let named = report.problems.first_mut().expect("an image without a root is damaged");
        named.name = Some("<i>a&b".to_owned());
        let html = report.html("disk <1>");
        assert!(html.contains("<h1>disk &lt;1&gt;</h1>"), "{html}");
        assert!(html.contains("&lt;i&gt;a&amp;b") && !html.contains("<i>"), "{html}");
        assert!(html.contains(&report.outcome.sentence), "{html}");
        let is_told = |count: &&CodeCount| count.code.row().reach != Reach::List;
        let codes: Vec<_> = report.counts.iter().filter(is_told).collect();
        assert!(!codes.is_empty());
        for count in codes {
            let told = html.matches(&format!("({}, ", count.code.name())).count();
            assert_eq!(told, 1, "{}", count.code.name());
            assert!(html.contains(&format!("<h2>Pass {}</h2>", count.pass.name())), "{html}");
        }
    }
}
