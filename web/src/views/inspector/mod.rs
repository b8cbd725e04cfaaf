//! The inspector: all about the selected group, or about the whole disk.
//!
//! *Belongs here:* its sections. *Does not:* asking the engine for them.

mod bitmap;
mod block;
mod disk;
mod group;
mod word;

use extscope::units::{Fsblk, Group, Ino};
use yew::prelude::*;

use self::block::{BlockInspector, RangeInspector};
use self::disk::DiskSummary;
use self::group::GroupInspector;
use super::shared::{Icon, step_button};
use crate::select::tooltip::block_range;
use crate::state::{OpenImage, Selection, Theme};
use crate::text::number;

/// What the inspector shows.
#[derive(Properties, PartialEq)]
pub(crate) struct InspectorProps {
    /// The image and its selected group.
    pub open: OpenImage,
    /// The theme.
    pub theme: Theme,
    /// The person selected something, or nothing.
    pub on_select: Callback<Option<Selection>>,
    /// Whether only the group of what is selected is shown.
    #[prop_or_default]
    pub is_of_groups: bool,
    /// The person wants to see the bytes of a block.
    #[prop_or_default]
    pub on_block: Callback<Fsblk>,
    /// The person wants to see a file.
    #[prop_or_default]
    pub on_inode: Callback<Ino>,
}

/// The inspector.
#[component]
pub(crate) fn Inspector(props: &InspectorProps) -> Html {
    let is_tall = use_state(|| false);
    let toggle = {
        let is_tall = is_tall.clone();
        Callback::from(move |_: MouseEvent| is_tall.set(!*is_tall))
    };
    let open = &props.open;
    let title = |text: String| {
        html! { <div class="inspector__title"><h2>{ text }</h2>{ close(props) }</div> }
    };
    let (title, contents) =
        match (open.selection.as_ref().filter(|_| !props.is_of_groups), open.detail.group()) {
            (Some(Selection::Block(fsblk)), Some(group)) => (
                title(format!("Block {}", number::count(fsblk.get()))),
                html! {
                    <BlockInspector open={open.clone()} fsblk={*fsblk} {group}
                        on_select={props.on_select.clone()} on_block={props.on_block.clone()}
                        on_inode={props.on_inode.clone()} />
                },
            ),
            (Some(Selection::Blocks(blocks)), Some(_)) => (
                title(format!("Blocks {}", number::range(*blocks.start(), *blocks.end()))),
                html! {
                    <RangeInspector open={open.clone()} blocks={blocks.clone()}
                        on_select={props.on_select.clone()} on_block={props.on_block.clone()} />
                },
            ),
            (Some(Selection::Inode(ino)), Some(_)) => (
                title(format!("Inode {}", number::count(ino.get().into()))),
                block::owner(open, *ino, &props.on_inode),
            ),
            (_, Some(group)) => (
                heading(group, props),
                html! { <GroupInspector open={open.clone()} {group} theme={props.theme} /> },
            ),
            (_, None) => (
                html! { <div class="inspector__title"><h2>{ "Whole disk" }</h2></div> },
                html! { <DiskSummary open={open.clone()} /> },
            ),
        };
    html! {
        <aside
            class={classes!("inspector", is_tall.then_some("inspector--tall"))}
            aria-label="Selection"
        >
            <button
                type="button"
                class="inspector__grip"
                aria-label={if *is_tall { "Make the sheet lower" } else { "Make the sheet higher" }}
                aria-expanded={is_tall.to_string()}
                onclick={toggle}
            />
            <header class="inspector__header">{ title }</header>
            { contents }
        </aside>
    }
}

/// The button that selects nothing.
fn close(props: &InspectorProps) -> Html {
    html! {
        <button
            type="button"
            class="icon-button icon-button--small"
            aria-label="Select nothing"
            title="Select nothing (Esc)"
            onclick={props.on_select.reform(|_| None)}
        >
            { Icon::Close.view() }
        </button>
    }
}

fn heading(group: Group, props: &InspectorProps) -> Html {
    let geometry = &props.open.image.geometry;
    let number = group.get();
    let blocks = block_range(geometry, group).map(|(first, last)| number::range(first, last));
    let flex = (geometry.groups_per_flex() > 1).then(|| {
        format!(", flex group {}", number::count((number / geometry.groups_per_flex()).into()))
    });
    let step = |icon: Icon, name: &'static str, to: Option<u32>| {
        let to =
            to.filter(|&to| props.open.image.groups.row(Group::new(to)).is_some()).map(Group::new);
        let on_select =
            |to| props.on_select.reform(move |_: MouseEvent| Some(Selection::Group(to)));
        step_button(icon, name, to.map(on_select))
    };
    html! {
        <>
            <div class="inspector__title">
                <h2>{ "Group " }{ number::count(number.into()) }</h2>
                <span class="inspector__steps">
                    { step(Icon::Left, "Previous group", number.checked_sub(1)) }
                    { step(Icon::Right, "Next group", number.checked_add(1)) }
                    { close(props) }
                </span>
            </div>
            if let Some(blocks) = blocks {
                <p>{ "Blocks " }<span class="mono">{ blocks }</span>{ flex }</p>
            }
        </>
    }
}
