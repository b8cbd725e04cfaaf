//! Images with made-up groups, for the tests of the page.

use std::rc::Rc;

use super::{Action, AppState, Image, Known, Opening};
use crate::protocol::{
    BitmapState, BlockStats, Epoch, GroupColumns, GroupRow, Reply, StatsBatch, StatsColumns,
    testing,
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
    let opened = testing::opened(3);
    Known::described(Rc::new(Image {
        name: "test.img".into(),
        info: opened.info,
        geometry: opened.geometry,
        groups: GroupColumns::from_rows(rows.iter().copied()).into(),
    }))
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
    }
}
