//! What the plan costs, in figures.

use yew::prelude::*;

use crate::protocol::PlanChanges;
use crate::select::shrink_cost::Speed;
use crate::text::{number, size, time};

/// What is read, written, gone to and scanned, and how long that takes.
pub(super) fn cost(changes: &PlanChanges, speed: Speed) -> Html {
    let (cost, scans, times) = (&changes.cost.cost, &changes.cost.scans, &changes.scans);
    let bytes = |bytes: &[u64]| size::bytes(bytes.iter().copied().fold(0, u64::saturating_add));
    let seconds = |seconds: f64| time::span(seconds * 1000.0);
    let scanned = changes
        .phases
        .iter()
        .find(|phase| phase.name == "scan_inodes")
        .map_or(0, |phase| phase.count);
    let row = |(name, value, note): (&'static str, String, String)| {
        html! {
            <tr><th scope="row">{ name }<small>{ note }</small></th><td class="num">{ value }</td></tr>
        }
    };
    let rows = [
        (
            "Read",
            bytes(&[cost.moved_bytes, cost.scanned_bytes]),
            "what moves, inode tables, bitmaps, maps, directories".to_owned(),
        ),
        (
            "Written",
            bytes(&[cost.moved_bytes, cost.metadata_bytes]),
            "what moves, bitmaps, tables, maps".to_owned(),
        ),
        ("Seeks", number::count(cost.seeks), String::new()),
        ("Inodes scanned", number::count(scanned), String::new()),
        (
            "Time",
            seconds(cost.seconds(speed.medium())),
            format!("at {} ms a seek, {} MiB a second", speed.seek_ms, speed.mib_per_second),
        ),
        (
            "Bits of bitmaps to scan",
            number::count(scans.bits()),
            format!(
                "{} for free inodes, {} for blocks, {} to count",
                number::count(scans.inode_bits),
                number::count(scans.block_bits),
                number::count(scans.count_bits)
            ),
        ),
        (
            "Processor, bit by bit",
            seconds(times.bit_seconds),
            "as resize2fs did it in 2012; measured here".to_owned(),
        ),
        (
            "Processor, by words",
            seconds(times.word_seconds),
            "64 bits at once; measured here".to_owned(),
        ),
    ];
    html! {
        <section class="shrink__pane" aria-labelledby="shrink-cost">
            <h2 id="shrink-cost">{ "What it costs" }<small>{ "an estimate" }</small></h2>
            <table class="cost"><tbody>{ for rows.map(row) }</tbody></table>
        </section>
    }
}
