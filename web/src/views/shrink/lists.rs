//! What moves, as lists: files past the end, runs of blocks, inodes.

use std::collections::HashMap;

use extscope::units::Ino;
use yew::prelude::*;

use super::super::shared::{Address, Scroll, save_made, space, use_scroll};
use crate::protocol::{
    FileMove, InodeMove, MinimumReport, OwnedMove, OwnedPart, PlanChanges, PlanDetail,
};
use crate::select::csv::csv;
use crate::select::shrink_picture::COLOURS;
use crate::text::{number, size};

/// Height of a row in CSS pixels, as the style sheet has it.
const ROW: f64 = 26.0;

/// Which list is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shown {
    /// Files, by blocks.
    #[default]
    Files,
    /// Runs of blocks.
    Moves,
    /// Inodes that get another number.
    Inodes,
}

/// What the lists show.
#[derive(Properties, PartialEq)]
pub(super) struct PlanListsProps {
    /// The plan.
    pub plan: Address<PlanDetail>,
    /// The smallest size.
    pub minimum: Address<MinimumReport>,
    /// Paths of files, as far as they are known.
    pub paths: Address<HashMap<Ino, String>>,
    /// The image's name.
    pub image: String,
    /// Look at a file.
    pub on_inode: Callback<Ino>,
}

/// What moves.
#[component]
pub(super) fn PlanLists(props: &PlanListsProps) -> Html {
    let shown = use_state(Shown::default);
    let Some(changes) = &props.plan.changes else { return Html::default() };
    let count = match *shown {
        Shown::Files => changes.files.len(),
        Shown::Moves => changes.moves.len(),
        Shown::Inodes => changes.inode_moves.len(),
    };
    let tab = |(list, name, count): (Shown, &'static str, u64)| {
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
        (Shown::Files, "Files", changes.file_count),
        (Shown::Moves, "Runs", changes.move_count),
        (Shown::Inodes, "Inodes", changes.inode_count),
    ];
    let all = tabs.iter().find(|tab| tab.0 == *shown).map_or(0, |tab| tab.2);
    html! {
        <section class="shrink__pane shrink__lists" aria-labelledby="shrink-lists">
            <h2 id="shrink-lists">
                { "What moves" }
                <span class="segmented" role="radiogroup" aria-label="What moves">{ for tabs.map(tab) }</span>
                <span class="grow" />
                { export(&props.plan, *shown, &props.image) }
            </h2>
            <List plan={props.plan.clone()} shown={*shown} {count} block_size={props.minimum.block_size}
                paths={props.paths.clone()} on_inode={props.on_inode.clone()} />
            if count as u64 != all {
                <p class="fine">{ format!("The first {} of {}.", number::count(count as u64), number::count(all)) }</p>
            }
        </section>
    }
}

/// What a list shows.
#[derive(Properties, PartialEq)]
struct ListProps {
    plan: Address<PlanDetail>,
    shown: Shown,
    count: usize,
    block_size: u32,
    paths: Address<HashMap<Ino, String>>,
    on_inode: Callback<Ino>,
}

/// One of the lists.
#[component]
fn List(props: &ListProps) -> Html {
    let Scroll { node, window, on_scroll, .. } = use_scroll(props.count, ROW);
    let Some(changes) = &props.plan.changes else { return Html::default() };
    let head = |(name, is_amount): &(&'static str, bool)| {
        html! { <th scope="col" class={is_amount.then_some("num")}>{ *name }</th> }
    };
    let heads: &[(&str, bool)] = match props.shown {
        Shown::Files => &[("File", false), ("Blocks", true), ("Size", true), ("Runs", true)],
        Shown::Moves => {
            &[("From", true), ("To", true), ("Blocks", true), ("What", false), ("File", false)]
        }
        Shown::Inodes => &[("Inode before", true), ("Inode after", true), ("File", false)],
    };
    html! {
        <div class="shrink__scroll" ref={node} tabindex="0" role="region" aria-label="What moves, as a list"
            onscroll={on_scroll}>
            <table class="table" aria-rowcount={(props.count + 1).to_string()}>
                <thead><tr>{ for heads.iter().map(head) }</tr></thead>
                <tbody>
                    { space("above", window.above()) }
                    { for window.range().map(|at| row(props, changes, at)) }
                    { space("below", window.below()) }
                </tbody>
            </table>
            if props.count == 0 {
                <p class="shrink__nothing">{ "Nothing moves." }</p>
            }
        </div>
    }
}

fn row(props: &ListProps, changes: &PlanChanges, at: usize) -> Html {
    let file = |ino: Ino| {
        let path = props.paths.get(&ino).cloned();
        let name = path.unwrap_or_else(|| format!("inode {}", number::count(ino.get().into())));
        html! {
            <button type="button" class="link link--path" title={format!("Look at inode {ino}")}
                onclick={props.on_inode.reform(move |_: MouseEvent| ino)}>
                <bdi>{ name }</bdi>
            </button>
        }
    };
    let amount = |amount: u64| html! { <td class="num">{ number::count(amount) }</td> };
    let address = |block: u64| html! { <td class="num mono">{ number::count(block) }</td> };
    let cells = match props.shown {
        Shown::Files => changes.files.get(at).map(|of: &FileMove| {
            let class = (at < COLOURS).then(|| format!("stage__swatch stage__stream--{at}"));
            html! {
                <>
                    <td class="shrink__file"><i {class} />{ file(of.ino) }</td>
                    { amount(of.blocks) }
                    <td class="num">{ size::bytes(of.blocks.saturating_mul(props.block_size.into())) }</td>
                    { amount(of.runs) }
                </>
            }
        }),
        Shown::Moves => changes.moves.get(at).map(|moved: &OwnedMove| {
            html! {
                <>
                    { address(moved.from) }{ address(moved.to) }{ amount(moved.len) }
                    <td>{ part_name(moved.part) }</td>
                    <td class="shrink__file">{ file(moved.ino) }</td>
                </>
            }
        }),
        Shown::Inodes => changes.inode_moves.get(at).map(|moved: &InodeMove| {
            html! {
                <>
                    { address(moved.from.get().into()) }{ address(moved.to.get().into()) }
                    <td class="shrink__file">{ file(moved.from) }</td>
                </>
            }
        }),
    };
    html! { <tr key={at} aria-rowindex={(at + 2).to_string()}>{ cells.unwrap_or_default() }</tr> }
}

fn part_name(part: OwnedPart) -> &'static str {
    match part {
        OwnedPart::Data => "contents",
        OwnedPart::Node => "extent tree, indirect",
        OwnedPart::Xattr => "attributes",
    }
}

/// Saves the list that is shown.
fn export(plan: &Address<PlanDetail>, shown: Shown, image: &str) -> Html {
    let (plan, name) = (
        plan.clone(),
        match shown {
            Shown::Files => "files",
            Shown::Moves => "moves",
            Shown::Inodes => "inodes",
        },
    );
    let make = move || {
        let Some(changes) = &plan.changes else { return String::new() };
        let text = |cells: &[u64]| cells.iter().map(u64::to_string).collect::<Vec<_>>();
        match shown {
            Shown::Files => csv(
                &["ino", "blocks", "runs"],
                changes
                    .files
                    .iter()
                    .map(|file| text(&[file.ino.get().into(), file.blocks, file.runs])),
            ),
            Shown::Moves => csv(
                &["from", "to", "blocks", "ino", "part"],
                changes.moves.iter().map(|moved| {
                    let mut cells =
                        text(&[moved.from, moved.to, moved.len, moved.ino.get().into()]);
                    cells.push(format!("{:?}", moved.part).to_lowercase());
                    cells
                }),
            ),
            Shown::Inodes => csv(
                &["from", "to"],
                changes
                    .inode_moves
                    .iter()
                    .map(|moved| text(&[moved.from.get().into(), moved.to.get().into()])),
            ),
        }
    };
    save_made("CSV", format!("{image}-shrink-{name}.csv"), make)
}
