//! The image is one of a whole disk; the person chooses a partition.

use yew::prelude::*;

use crate::protocol::PartitionReport;
use crate::select::partitions::{self, Row};
use crate::state::{DiskPart, Partitions};
use crate::text::{number, size};

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct PartitionsCardProps {
    /// The disk.
    pub partitions: Partitions,
    /// Open this part of the file.
    pub on_part: Callback<Option<DiskPart>>,
    /// Choose another file.
    pub on_pick: Callback<()>,
    /// Give up.
    pub on_cancel: Callback<()>,
}

/// The image is one of a whole disk; the person chooses a partition.
#[component]
pub(super) fn PartitionsCard(props: &PartitionsCardProps) -> Html {
    let disk = &props.partitions.disk;
    let picked = use_state(|| None::<usize>);
    let chosen = picked.or(partitions::proposed(disk));
    let choose = |at: usize| {
        let picked = picked.setter();
        Callback::from(move |()| picked.set(Some(at)))
    };
    let rows = partitions::rows(disk);
    let of_row = |row: &Row| match *row {
        Row::Partition(at) => disk.partitions.get(at).map(|partition| (at, partition)),
        Row::Room { .. } => None,
    };
    let piece = |row: &Row| strip_piece(row, of_row(row), chosen, choose);
    let table_row = |row: &Row| match (of_row(row), row) {
        (Some((at, partition)), _) => partition_row(partition, chosen == Some(at), choose(at)),
        (None, Row::Room { offset, bytes }) => {
            room_row(offset / u64::from(disk.sector_bytes.max(1)), *bytes)
        }
        (None, Row::Partition(_)) => Html::default(),
    };
    let note = |note: &String| html! { <p class="card__doubts">{ note }</p> };
    html! {
        <section class="card" aria-labelledby="partitions-title">
            <header>
                <h1 id="partitions-title" class="card__title">{ partitions::title(disk) }</h1>
                <p><b>{ &*props.partitions.name }</b>{ ": " }{ partitions::facts(disk) }{ "." }</p>
            </header>
            // The table says the same.
            <div class="partitions__strip" aria-hidden="true">{ for rows.iter().map(piece) }</div>
            <div class="card__table">
                <table class="table partitions">
                    <thead>
                        <tr>
                            <th scope="col">{ "Partition" }</th>
                            <th scope="col">{ "Contents" }</th>
                            <th scope="col" class="num partitions__sector">{ "First sector" }</th>
                            <th scope="col" class="num">{ "Size" }</th>
                            <th scope="col">{ "Note" }</th>
                        </tr>
                    </thead>
                    <tbody>{ for rows.iter().map(table_row) }</tbody>
                </table>
            </div>
            { for disk.notes.iter().map(note) }
            { footer(props, chosen) }
        </section>
    }
}

/// A stretch of the strip, as long as its share of the disk.
fn strip_piece(
    row: &Row,
    partition: Option<(usize, &PartitionReport)>,
    chosen: Option<usize>,
    choose: impl Fn(usize) -> Callback<()>,
) -> Html {
    let grow = |bytes: u64| format!("flex-grow:{bytes}");
    let Some((at, partition)) = partition else {
        let Row::Room { bytes, .. } = row else { return Html::default() };
        return html! { <div class="partitions__room" style={grow(*bytes)} /> };
    };
    let class = classes!(
        "partitions__piece",
        partition.is_ext.then_some("partitions__piece--ext"),
        (chosen == Some(at)).then_some("partitions__piece--chosen"),
    );
    let on_click = partition.is_ext.then(|| choose(at).reform(|_: MouseEvent| ()));
    html! {
        <div {class} style={grow(partition.bytes)} onclick={on_click}>
            <b>{ partitions::label(partition) }</b>
            <span>{ format!("{}, {}", partition.contents, size::bytes(partition.bytes)) }</span>
        </div>
    }
}

fn partition_row(partition: &PartitionReport, is_chosen: bool, on_choose: Callback<()>) -> Html {
    let id = format!("partition-{}", partition.number);
    let class = if is_chosen {
        "table__chosen"
    } else if partition.is_ext {
        ""
    } else {
        "partitions__other"
    };
    let number = if partition.is_ext {
        html! {
            <>
                <input
                    type="radio"
                    name="partition"
                    id={id.clone()}
                    checked={is_chosen}
                    onchange={on_choose.reform(|_: Event| ())}
                />
                <label for={id}>{ partition.number }</label>
            </>
        }
    } else {
        html! { <span>{ partition.number }</span> }
    };
    let is_odd = partition.is_ext && partition.note.is_some();
    html! {
        <tr {class}>
            <td>{ number }</td>
            <td>{ partitions::contents(partition) }</td>
            <td class="num mono partitions__sector">{ number::count(partition.first_sector) }</td>
            <td class="num" title={size::exact(partition.bytes)}>{ size::bytes(partition.bytes) }</td>
            <td class={is_odd.then_some("partitions__odd")}>{ partition.note.as_deref().unwrap_or_default() }</td>
        </tr>
    }
}

fn room_row(first_sector: u64, bytes: u64) -> Html {
    html! {
        <tr class="partitions__other">
            <td />
            <td>{ "not partitioned" }</td>
            <td class="num mono partitions__sector">{ number::count(first_sector) }</td>
            <td class="num" title={size::exact(bytes)}>{ size::bytes(bytes) }</td>
            <td />
        </tr>
    }
}

fn footer(props: &PartitionsCardProps, chosen: Option<usize>) -> Html {
    let part = chosen.and_then(|at| partitions::part(&props.partitions, at));
    let other = classes!("button", part.is_none().then_some("button--primary"));
    html! {
        <footer>
            if let Some(part) = part {
                <button
                    type="button"
                    class="button button--primary"
                    onclick={props.on_part.reform(move |_: MouseEvent| Some(part))}
                >
                    { format!("Open {}", partitions::part_name(part)) }
                </button>
            }
            <button type="button" class={other} onclick={props.on_pick.reform(|_: MouseEvent| ())}>
                { "Choose another file…" }
            </button>
            <button
                type="button"
                class="button button--quiet"
                onclick={props.on_cancel.reform(|_: MouseEvent| ())}
            >
                { "Back" }
            </button>
        </footer>
    }
}
