//! The whole disk at a glance.

use yew::prelude::*;

use super::super::shared::{Icon, KeyValue, KeyValues};
use super::group::occupancy;
use crate::protocol::BitmapState;
use crate::render::group_values::GroupValues;
use crate::state::OpenImage;
use crate::text::{number, size};

/// What the summary shows.
#[derive(Properties, PartialEq)]
pub(super) struct DiskSummaryProps {
    /// The image.
    pub open: OpenImage,
}

/// Sums over the groups; of free extents, over those whose bitmaps are known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    used: u64,
    of: u64,
    fragments: u64,
    largest: u32,
    never_written: u32,
    unread: u32,
}

/// The whole disk at a glance.
#[component]
pub(super) fn DiskSummary(props: &DiskSummaryProps) -> Html {
    let open = &props.open;
    let geometry = &open.image.geometry;
    let values = GroupValues::from(open);
    let sums = *use_memo(values, |values| sums(open, values));
    let cluster = u64::from(geometry.block_size()) * u64::from(geometry.blocks_per_cluster());
    let so_far = |text: String| if sums.unread > 0 { format!("{text} so far") } else { text };
    let largest = size::bytes(u64::from(sums.largest).saturating_mul(cluster));
    let mut rows = vec![
        KeyValue::amount("Block groups", number::count(geometry.groups_count())),
        KeyValue::amount("Blocks", number::count(geometry.blocks_count())),
        KeyValue::amount("Free extents", so_far(number::count(sums.fragments))),
        KeyValue::amount("Largest in a group", so_far(largest)),
        KeyValue::amount("Bitmaps never written", so_far(number::count(sums.never_written.into()))),
    ];
    if geometry.blocks_per_cluster() > 1 {
        rows.push(KeyValue::amount("Cluster", size::round(cluster)));
    }
    let note = |note: &String| html! { <p>{ note }</p> };
    html! {
        <>
            { occupancy(sums.used, sums.of, cluster) }
            if !open.image.info.notes.is_empty() {
                <section class="inspector__section">
                    <div class="notice notice--warn">
                        { Icon::Warn.view() }
                        <div>{ for open.image.info.notes.iter().map(note) }</div>
                    </div>
                </section>
            }
            <section class="inspector__section">
                <h3>{ "At a glance" }</h3>
                <KeyValues {rows} />
            </section>
            <section class="inspector__section inspector__hint">
                { "Select a group to see its descriptor and its bitmap down to the bit. Arrow keys \
                   move from group to group." }
            </section>
        </>
    }
}

fn sums(open: &OpenImage, values: &GroupValues) -> Sums {
    let mut sums = Sums::default();
    for group in (0..values.groups()).map(extscope::units::Group::new) {
        let fullness = values.fullness(group.get());
        sums.used = sums.used.saturating_add(fullness.used);
        sums.of = sums.of.saturating_add(fullness.of);
        let Some(stats) = open.stats.row(group) else { continue };
        match stats.state {
            BitmapState::Unread => sums.unread = sums.unread.saturating_add(1),
            BitmapState::Synthesised => sums.never_written = sums.never_written.saturating_add(1),
            BitmapState::Read | BitmapState::Failed => {}
        }
        sums.fragments = sums.fragments.saturating_add(stats.fragments.into());
        sums.largest = sums.largest.max(stats.largest_free);
    }
    sums
}
