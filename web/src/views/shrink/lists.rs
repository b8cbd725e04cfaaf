//! What moves, as lists: files past the end, runs of blocks, inodes.

use std::collections::HashMap;

use extscope::units::Ino;
use yew::prelude::*;

use super::super::shared::{Address, Icon, Scroll, space, use_scroll};
use crate::protocol::{
    EntryReport, Export, FileMove, InodeMove, MinimumReport, NamesTold, OwnedMove, PlanChanges,
    PlanDetail, PlanTable, Table, TableFormat,
};
use crate::select::shrink_links::on_map;
use crate::select::shrink_picture::COLOURS;
use crate::select::shrink_replay::{ReplayAct, file_name, first_move, part_name};
use crate::state::Route;
use crate::text::{number, size};

/// Height of a row in CSS pixels, as the style sheet has it.
const ROW: f64 = 26.0;

/// What the lists show.
#[derive(Clone, Properties, PartialEq)]
pub(super) struct PlanListsProps {
    /// The plan.
    pub plan: Address<PlanDetail>,
    /// The smallest size.
    pub minimum: Address<MinimumReport>,
    /// Paths of files, as far as they are known.
    pub paths: Address<HashMap<Ino, String>>,
    /// The image's name.
    pub image: String,
    /// What is looked at.
    pub route: Route,
    /// The move that is looked at, counted from 1.
    pub at: usize,
    /// The person wants to see another move.
    pub on_replay: Callback<ReplayAct>,
    /// Have the engine make something, under a name.
    pub on_export: Callback<(Export, String)>,
    /// Look at a file.
    pub on_inode: Callback<Ino>,
}

/// What moves.
#[component]
pub(super) fn PlanLists(props: &PlanListsProps) -> Html {
    let shown = use_state(PlanTable::default);
    let Some(changes) = &props.plan.changes else { return Html::default() };
    let tab = |(list, name, count): (PlanTable, &'static str, u64)| {
        let shown = shown.clone();
        html! {
            <label>
                <input type="radio" name="shrink-list" checked={*shown == list}
                    onchange={Callback::from(move |_: Event| shown.set(list))} />
                <span>{ format!("{name} {}", number::count(count)) }</span>
            </label>
        }
    };
    let tabs = [
        (PlanTable::Files, "Files", changes.file_count),
        (PlanTable::Moves, "Runs", changes.move_count),
        (PlanTable::Inodes, "Inodes", changes.inode_count),
        (PlanTable::Entries, "Names", changes.entry_count),
    ];
    let count = match *shown {
        PlanTable::Files => changes.files.len(),
        PlanTable::Moves => changes.moves.len(),
        PlanTable::Inodes => changes.inode_moves.len(),
        PlanTable::Entries => changes.entries.len(),
    };
    let all = tabs.iter().find(|tab| tab.0 == *shown).map_or(0, |tab| tab.2);
    html! {
        <section class="shrink__pane shrink__lists" aria-labelledby="shrink-lists">
            <h2>
                <span id="shrink-lists">{ "What pins the end" }</span>
                <span class="segmented" role="radiogroup" aria-label="What pins the end">{ for tabs.map(tab) }</span>
                <span class="grow" />
                { exports(props, *shown) }
            </h2>
            <p class="fine">{ pinned(changes, props.minimum.block_size) }</p>
            <List lists={props.clone()} shown={*shown} {count} />
            if count as u64 != all {
                <p class="fine">{ format!("The first {} of {}.", number::count(count as u64), number::count(all)) }</p>
            }
        </section>
    }
}

/// What lies past the end, in a sentence: files, directories, metadata.
fn pinned(changes: &PlanChanges, block_size: u32) -> String {
    let bytes = |blocks: u64| size::bytes(blocks.saturating_mul(block_size.into()));
    let (dirs, maps) = (changes.dir_count, changes.bitmap_moves);
    let parts = |all: &[(u64, &str, &str)]| {
        let some = all.iter().filter(|(count, ..)| *count > 0);
        let parts: Vec<_> =
            some.map(|(count, one, many)| number::count_of(*count, one, many)).collect();
        if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
    };
    let files = changes.file_count.saturating_sub(dirs);
    let moved = parts(&[(files, "file", "files"), (dirs, "directory", "directories")]);
    let placed = parts(&[
        (changes.itable_moves.len() as u64, "inode table", "inode tables"),
        (maps.of_blocks, "block bitmap", "block bitmaps"),
        (maps.of_inodes, "inode bitmap", "inode bitmaps"),
    ]);
    let (all, of_dirs) = (bytes(changes.moved_blocks), bytes(changes.dir_blocks));
    let of_dirs =
        if dirs > 0 { format!(", {of_dirs} of it of directories") } else { String::new() };
    format!(
        "Past the end: {moved}, with {all} to move{of_dirs}. Metadata that is placed anew: {placed}."
    )
}

/// What a list shows.
#[derive(Properties, PartialEq)]
struct ListProps {
    lists: PlanListsProps,
    shown: PlanTable,
    count: usize,
}

/// One of the lists.
#[component]
fn List(props: &ListProps) -> Html {
    let Scroll { node, window, on_scroll, .. } = use_scroll(props.count, ROW);
    let Some(changes) = &props.lists.plan.changes else { return Html::default() };
    let head = |(name, is_amount): &(&'static str, bool)| {
        html! { <th scope="col" class={is_amount.then_some("num")}>{ *name }</th> }
    };
    let heads: &[(&str, bool)] = match props.shown {
        PlanTable::Files => {
            &[("File", false), ("Blocks", true), ("Size", true), ("Runs", true), ("First at", true)]
        }
        PlanTable::Moves => {
            &[("From", true), ("To", true), ("Blocks", true), ("What", false), ("File", false)]
        }
        PlanTable::Inodes => &[("Inode before", true), ("Inode after", true), ("File", false)],
        PlanTable::Entries => {
            &[("Name", false), ("Directory", true), ("Inode before", true), ("Inode after", true)]
        }
    };
    html! {
        <div class="shrink__scroll" ref={node} tabindex="0" role="region" aria-label="What pins the end, as a list"
            onscroll={on_scroll}>
            <table class="table" aria-rowcount={(props.count + 1).to_string()}>
                <thead><tr>{ for heads.iter().map(head) }</tr></thead>
                <tbody>
                    { space("above", window.above()) }
                    { for window.range().map(|at| row(&props.lists, props.shown, changes, at)) }
                    { space("below", window.below()) }
                </tbody>
            </table>
            if props.count == 0 {
                <p class="shrink__nothing">{ "Nothing." }</p>
            }
        </div>
    }
}

fn row(props: &PlanListsProps, shown: PlanTable, changes: &PlanChanges, at: usize) -> Html {
    let file = |ino: Ino, is_dir: bool| {
        html! {
            <button type="button" class="link link--path" title={format!("Look at inode {ino}")}
                onclick={props.on_inode.reform(move |_: MouseEvent| ino)}>
                if is_dir { { Icon::Folder.view() } }
                <bdi>{ file_name(&props.paths, ino) }</bdi>
            </button>
        }
    };
    let amount = |amount: u64| html! { <td class="num">{ number::count(amount) }</td> };
    let address = |block: u64| html! { <td class="num mono">{ number::count(block) }</td> };
    let on_disk = |first: u64, len: u64| {
        let href = on_map(&props.route, Some((first, first.saturating_add(len).max(1) - 1)));
        html! { <td class="num mono"><a class="link" {href} title="See it on the map">{ number::count(first) }</a></td> }
    };
    let cells = match shown {
        PlanTable::Files => changes.files.get(at).map(|of: &FileMove| {
            let class = (at < COLOURS).then(|| format!("stage__swatch stage__stream--{at}"));
            let first = first_move(&changes.moves, of.ino, 0).and_then(|at| changes.moves.get(at));
            html! {
                <>
                    <td class="shrink__file"><i {class} />{ file(of.ino, of.is_dir) }</td>
                    { amount(of.blocks) }
                    <td class="num">{ size::bytes(of.blocks.saturating_mul(props.minimum.block_size.into())) }</td>
                    { amount(of.runs) }
                    { first.map_or_else(|| html! { <td /> }, |moved| on_disk(moved.from, moved.len)) }
                </>
            }
        }),
        PlanTable::Moves => changes.moves.get(at).map(|moved: &OwnedMove| {
            html! {
                <>
                    { on_disk(moved.from, moved.len) }{ on_disk(moved.to, moved.len) }{ amount(moved.len) }
                    <td>
                        <button type="button" class="link" title="See this move and how the file lies"
                            onclick={props.on_replay.reform(move |_: MouseEvent| ReplayAct::Go(at + 1))}>
                            { part_name(moved.part) }
                        </button>
                    </td>
                    <td class="shrink__file">{ file(moved.ino, false) }</td>
                </>
            }
        }),
        PlanTable::Inodes => changes.inode_moves.get(at).map(|moved: &InodeMove| {
            html! {
                <>
                    { address(moved.from.get().into()) }{ address(moved.to.get().into()) }
                    <td class="shrink__file">{ file(moved.from, false) }</td>
                </>
            }
        }),
        PlanTable::Entries => changes.entries.get(at).map(|entry: &EntryReport| {
            html! {
                <>
                    <td class="shrink__file"><bdi>{ entry.name.clone() }</bdi></td>
                    { address(entry.dir.into()) }{ address(entry.from.into()) }{ address(entry.to.into()) }
                </>
            }
        }),
    };
    let is_shown = shown == PlanTable::Moves && at + 1 == props.at;
    html! {
        <tr key={at} aria-rowindex={(at + 2).to_string()} aria-current={is_shown.then_some("true")}>
            { cells.unwrap_or_default() }
        </tr>
    }
}

/// Buttons that save the whole list, and the whole plan.
fn exports(props: &PlanListsProps, shown: PlanTable) -> Html {
    let request = props.plan.request;
    let (format, names) = (TableFormat::Csv, NamesTold::Plain);
    let list = match shown {
        PlanTable::Files => "files",
        PlanTable::Moves => "moves",
        PlanTable::Inodes => "inodes",
        PlanTable::Entries => "entries",
    };
    let button = |label: &'static str, name: String, export: Export| {
        let title = format!("Save all of it as {name}");
        let onclick = props.on_export.reform(move |_: MouseEvent| (export, name.clone()));
        html! {
            <button type="button" class="button button--small" {title} {onclick}>{ Icon::Save.view() }{ label }</button>
        }
    };
    let table = Export::Table { table: Table::Plan(shown, request), format, names };
    html! {
        <>
            { button("CSV", format!("{}-shrink-{list}.csv", props.image), table) }
            { button("JSON", format!("{}-shrink.json", props.image), Export::Plan { request, names }) }
        </>
    }
}
