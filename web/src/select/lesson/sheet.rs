//! A sheet to print: what is to be predicted, and what is counted.

use super::bits::{name, stage, wide_stage};
use super::scan::WANTED;
use super::words::way_name;
use super::{compare, load, split};
use crate::protocol::{
    BitmapPlaces, CompareWay, DiskModel, Load, LoadWay, Meter, Pattern, Question, Sharing, Split,
    Take, Tally, Unwatched, Way,
};
use crate::state::{Detail, LessonBits};
use crate::text::number;

/// Groups and workers that are shared out on the sheet.
const SHARED: (u32, u32) = (67, 5);

/// Groups that are loaded on the sheet, and those of a flex group.
const LOADED: (u32, u32) = (128, 16);

/// A table to fill in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The lesson that it is of.
    pub title: &'static str,
    /// What is to be predicted.
    pub task: String,
    /// What is counted.
    pub columns: &'static [&'static str],
    /// The ways, and what each comes to.
    pub rows: Vec<(&'static str, Vec<String>)>,
}

/// The tables of a sheet, on a made-up bitmap.
///
/// # Errors
/// Why there is no such bitmap.
pub fn sheet(pattern: Pattern) -> Result<[Table; 4], String> {
    Ok([scan_table(pattern)?, compare_table(pattern)?, split_table(), load_table()?])
}

/// What an algorithm is counted to do.
fn counted(run: impl FnOnce(&mut Meter)) -> Tally {
    let mut meter = Meter::default();
    run(&mut meter);
    meter.tally
}

fn written(counts: &[u64]) -> Vec<String> {
    counts.iter().map(|count| number::count(*count)).collect()
}

fn scan_table(pattern: Pattern) -> Result<Table, String> {
    let map = stage(LessonBits::Made(pattern), &Detail::None)?;
    let row = |way: Way| {
        let take = Take { way, has_cursor: false, wanted: WANTED };
        let tally = counted(|meter| {
            take.run(&mut map.bits.clone(), map.per_group, meter);
        });
        (way_name(way), written(&[tally.tests, tally.loads, tally.divisions, tally.calls]))
    };
    Ok(Table {
        title: "Finding a free inode",
        task: format!(
            "On \u{201c}{}\u{201d}, {WANTED} free inodes are wanted, each search from the start. How much work is it in each way?",
            name(LessonBits::Made(pattern))
        ),
        columns: &["bit tests", "loads", "divisions", "calls"],
        rows: Way::ALL.map(row).into(),
    })
}

fn compare_table(pattern: Pattern) -> Result<Table, String> {
    let compared = compare::compared(wide_stage(LessonBits::Made(pattern), &Detail::None)?);
    let row = |way: CompareWay| {
        let tally = counted(|meter| {
            compared.run(way, meter);
        });
        (compare::name(way), written(&[tally.tests, tally.loads, tally.calls]))
    };
    Ok(Table {
        title: "Pass 5: two bitmaps",
        task: "Two bitmaps of 16 groups of 1,024 bits each differ in three groups. How much work is it to tell where?".to_owned(),
        columns: &["bit tests", "loads", "calls"],
        rows: CompareWay::ALL.map(row).into(),
    })
}

fn split_table() -> Table {
    let (groups, workers) = SHARED;
    let row = |sharing: Sharing| {
        let split = Split { sharing, groups, groups_per_flex: 16, workers, has_failure: false };
        let result = split.run(&mut Unwatched);
        (split::name(sharing), written(&[result.longest.into(), result.missed().into()]))
    };
    Table {
        title: "A petabyte's bitmaps",
        task: format!(
            "{groups} groups, flex groups of 16, are shared out to {workers} workers. How many does the busiest read, and how many are missed?"
        ),
        columns: &["busiest reads", "missed"],
        rows: Sharing::ALL.map(row).into(),
    }
}

fn load_table() -> Result<Table, String> {
    let (groups, flex) = LOADED;
    let places = BitmapPlaces::made(groups, flex).map_err(|error| error.to_string())?;
    let row = |way: LoadWay| {
        let load = Load {
            way,
            question: Question::Around,
            disk: DiskModel::HARD_DISK,
            gap_bytes: 128 << 10,
        };
        let loaded = load.run(&places, &mut Unwatched);
        (load::name(way), written(&[loaded.requests, loaded.seeks, loaded.kept]))
    };
    Ok(Table {
        title: "Reading only what is needed",
        task: format!(
            "{groups} groups, flex groups of {flex}, and somebody asks for the bitmaps of groups {}. How many requests and seeks are \
             that, and how many bitmaps are in memory then?",
            around(groups)
        ),
        columns: &["requests", "seeks", "in memory"],
        rows: LoadWay::ALL.map(row).into(),
    })
}

/// The groups that are asked for.
fn around(groups: u32) -> String {
    let asked = Question::Around.asks(groups);
    let end = |at: Option<&u32>| u64::from(at.copied().unwrap_or_default());
    number::range(end(asked.first()), end(asked.last()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_count_for_every_column_and_the_known_ones_are_right() {
        for pattern in Pattern::ALL {
            for table in sheet(pattern).expect("made up") {
                assert!(table.rows.iter().all(|(_, counts)| counts.len() == table.columns.len()));
            }
        }
        let [scan, compare, split, load] = sheet(Pattern::HalfFull).expect("made up");
        assert_eq!(scan.rows[0].1, ["6,261", "6,261", "6,264", "18,783"]);
        assert_eq!(compare.rows[0].1[0], "32,768");
        assert_eq!(split.rows[0].1[1], "2");
        // Groups 42 to 51 lie in two flex groups.
        assert_eq!(load.rows[3].1, ["2", "2", "22"]);
    }
}
