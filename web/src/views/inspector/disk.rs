//! The whole disk at a glance.

use yew::prelude::*;

use super::super::shared::{Icon, KeyValue, KeyValues};
use super::group::occupancy;
use crate::state::OpenImage;
use crate::text::{number, size};

/// What the summary shows.
#[derive(Properties, PartialEq)]
pub(super) struct DiskSummaryProps {
    /// The image.
    pub open: OpenImage,
}

/// The whole disk at a glance.
#[component]
pub(super) fn DiskSummary(props: &DiskSummaryProps) -> Html {
    let open = &props.open;
    let geometry = &open.image.geometry;
    let sums = open.known.sums();
    let cluster = u64::from(geometry.block_size()) * u64::from(geometry.blocks_per_cluster());
    let so_far = |text: String| if sums.unread > 0 { format!("{text} so far") } else { text };
    let largest = size::bytes(u64::from(sums.largest_free).saturating_mul(cluster));
    let mut rows = vec![
        KeyValue::amount("Block groups", number::count(geometry.groups_count())),
        KeyValue::amount("Blocks", number::count(geometry.blocks_count())),
        KeyValue::amount("Free extents in groups", so_far(number::count(sums.fragments))),
        KeyValue::amount("Largest of them", so_far(largest)),
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
