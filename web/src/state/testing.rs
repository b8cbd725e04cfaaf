//! Images with made-up groups, for the tests of the page.

use std::rc::Rc;

use extscope::task::Progress;
use extscope::units::{Fsblk, Ino};

use super::{Action, AppState, Check, Image, Known, Opening};
use crate::protocol::{
    BitmapState, BlockStats, CheckMode, CheckPart, Code, CodeCount, Epoch, GroupColumns, GroupRow,
    Pass, Problem, Reply, StatsBatch, StatsColumns, testing,
};

/// An image of one group, just opened.
pub(crate) fn ready() -> AppState {
    let (epoch, opening) = (Epoch::FIRST, Opening::new("a.img", None));
    let reply = Reply::Opened(Box::new(testing::opened(1)));
    AppState::default()
        .after(Action::Opening { epoch, opening })
        .after(Action::Replied { epoch, reply })
}

/// What the descriptors of these groups say; their geometry is that of three groups.
pub(crate) fn described(rows: &[GroupRow]) -> Known {
    let groups = GroupColumns::from_rows(rows.iter().copied()).into();
    Known::described(Rc::new(Image { groups, ..described_image() }))
}

/// `count` groups, each with as many free clusters.
pub(crate) fn alike(count: u32, free_clusters: u32) -> Known {
    let row = GroupRow { free_clusters, readable: true, ..GroupRow::default() };
    described(&vec![row; count as usize])
}

/// What a bitmap with so many free clusters says.
pub(crate) fn read(free: u32) -> BlockStats {
    BlockStats { state: BitmapState::Read, free, fragments: free / 2, ..BlockStats::default() }
}

/// What the sweep says of these groups.
pub(crate) fn batch(rows: &[(u32, BlockStats)], profiles: Vec<u8>) -> StatsBatch {
    let (groups, stats): (Vec<_>, Vec<_>) = rows.iter().copied().unzip();
    StatsBatch {
        groups: groups.into(),
        stats: StatsColumns::from_rows(&stats),
        profiles: profiles.into(),
        reads: Vec::new(),
    }
}

/// The image of three groups itself.
pub(crate) fn described_image() -> Image {
    let opened = testing::opened(3);
    Image {
        name: "test.img".into(),
        info: opened.info,
        geometry: opened.geometry,
        groups: opened.groups,
        replay: None,
    }
}

/// A problem of a code.
pub(crate) fn problem(name: &str, ino: Option<u32>, block: Option<u64>) -> Problem {
    let code = Code::from_name(name).expect("a code");
    Problem {
        code,
        pass: code.pass(),
        ino: ino.map(Ino::new),
        dir: None,
        group: None,
        block: block.map(Fsblk::new),
        lblk: None,
        count: None,
        found: Some(1),
        expected: Some(2),
        name: None,
        beyond_e2fsck: false,
    }
}

/// How often a code was found.
pub(crate) fn counted(name: &str, count: u64) -> CodeCount {
    let json = serde_json::json!({ "code": name, "count": count, "e2fsck_count": count });
    serde_json::from_value(json).expect("a count")
}

/// What a check found that goes on: two wrong link counts, and 5000 blocks that are nobody's, of
/// which 1000 are told one by one.
pub(crate) fn check_part() -> CheckPart {
    let links = [11, 12].map(|ino| problem("PR_4_BAD_REF_COUNT", Some(ino), None));
    let blocks = (2000..3000).map(|block| problem("PR_5_BLOCK_UNUSED", None, Some(block)));
    CheckPart {
        pass: Pass::Five,
        progress: Progress { cur: 1, max: 6 },
        times: vec![(Pass::Four, 7.0), (Pass::Five, 1.0)],
        problems: links.into_iter().chain(blocks).collect(),
        counts: vec![
            counted("PR_4_BAD_REF_COUNT", 2),
            counted("PR_5_BLOCK_BITMAP_HEADER", 1),
            counted("PR_5_BLOCK_UNUSED", 5000),
        ],
        outcome: None,
    }
}

/// The check that found it.
pub(crate) fn check() -> Check {
    taken(CheckMode::Thorough, check_part())
}

/// A check that found this.
pub(crate) fn taken(mode: CheckMode, part: CheckPart) -> Check {
    let mut check = Check::new(1, mode);
    check.take(Ok(Box::new(part)));
    check
}
