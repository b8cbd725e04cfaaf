//! The table itself: only the rows that can be seen exist.

use std::rc::Rc;

use extscope::units::Group;
use web_sys::{Element, Node};
use yew::prelude::*;

use super::super::shared::{Scroll, scroll_to, space, use_scroll};
use super::row::Row;
use crate::state::{GroupSort, OpenImage, SortColumn, Theme};

/// Height of a row in CSS pixels, as the style sheet has it.
const ROW: f64 = 26.0;

/// What the table shows.
#[derive(Properties)]
pub(super) struct GroupsTableProps {
    /// The image.
    pub open: OpenImage,
    /// The groups, in order.
    pub rows: Rc<Vec<u32>>,
    /// The order.
    pub sort: GroupSort,
    /// The theme.
    pub theme: Theme,
    /// The person clicked the head of a column.
    pub on_sort: Callback<SortColumn>,
    /// The person selected a group.
    pub on_select: Callback<Option<Group>>,
    /// Show the selected group on the map.
    pub on_map: Callback<()>,
    /// These groups are in view.
    pub on_in_view: Callback<(Group, u32)>,
}

impl PartialEq for GroupsTableProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.rows, &other.rows)
            && self.open == other.open
            && (self.sort, self.theme) == (other.sort, other.theme)
    }
}

/// The columns: what they are sorted by, name, whether they hold amounts.
const COLUMNS: [(Option<SortColumn>, &str, bool); 11] = [
    (Some(SortColumn::Group), "Group", true),
    (None, "First block", true),
    (None, "Contents", false),
    (Some(SortColumn::FreeClusters), "Free", true),
    (Some(SortColumn::Fragments), "Free extents", true),
    (Some(SortColumn::LargestFree), "Largest free", true),
    (Some(SortColumn::FreeInodes), "Free inodes", true),
    (Some(SortColumn::UsedDirs), "Dirs", true),
    (Some(SortColumn::ItableUnused), "Itable unused", true),
    (Some(SortColumn::Flags), "Flags", false),
    (Some(SortColumn::Csum), "Csum", false),
];

/// The table.
#[component]
pub(super) fn GroupsTable(props: &GroupsTableProps) -> Html {
    let rows = &props.rows;
    let Scroll { node, window, on_scroll } = use_scroll(rows.len(), ROW);
    let selected = props.open.detail.group();
    let selected_at = selected.and_then(|group| rows.iter().position(|&row| row == group.get()));

    {
        let (node, count) = (node.clone(), rows.len());
        use_effect_with((selected, Rc::as_ptr(rows)), move |_| {
            if let (Some(at), Some(element)) = (selected_at, node.cast::<Element>()) {
                scroll_to(&element, at, count, ROW);
            }
        });
    }
    use_effect_with(window.range(), {
        let (rows, on_in_view) = (Rc::clone(rows), props.on_in_view.clone());
        move |range| {
            let shown = rows.get(range.clone()).unwrap_or_default();
            if let (Some(&first), Some(&last)) = (shown.iter().min(), shown.iter().max()) {
                // Of a sorted table, only what lies near each other is worth reading first.
                let count = (last - first).min(256) + 1;
                on_in_view.emit((Group::new(first), count));
            }
        }
    });

    let on_key = {
        let (node, rows) = (node.clone(), Rc::clone(rows));
        let on_select = props.on_select.clone();
        let (on_map, page) = (props.on_map.clone(), window.page());
        Callback::from(move |event: KeyboardEvent| {
            // The buttons in the head have their own use for Enter.
            if event.target_dyn_into::<Node>() != node.get() {
                return;
            }
            let last = rows.len().saturating_sub(1);
            let at = selected_at.unwrap_or(0);
            let to = match event.key().as_str() {
                _ if event.ctrl_key() || event.alt_key() || event.meta_key() => return,
                "ArrowDown" | "j" if selected_at.is_some() => (at + 1).min(last),
                "ArrowUp" | "k" => at.saturating_sub(1),
                "ArrowDown" | "j" | "Home" => 0,
                "End" => last,
                "PageDown" => (at + page).min(last),
                "PageUp" => at.saturating_sub(page),
                "m" | "Enter" => {
                    event.prevent_default();
                    return on_map.emit(());
                }
                _ => return,
            };
            event.prevent_default();
            on_select.emit(rows.get(to).map(|&group| Group::new(group)));
        })
    };

    let row = |(at, &group): (usize, &u32)| group_row(props, at, group);
    let shown = rows.get(window.range()).unwrap_or_default();
    html! {
        <div
            class="groups__scroll"
            ref={node}
            tabindex="0"
            aria-label="Table of block groups"
            role="region"
            onscroll={on_scroll}
            onkeydown={on_key}
        >
            <table
                class="table groups__table"
                role="grid"
                aria-rowcount={(rows.len() + 1).to_string()}
            >
                <thead>
                    <tr aria-rowindex="1">{ for COLUMNS.into_iter().map(|column| head(props, column)) }</tr>
                </thead>
                <tbody>
                    { space("above", window.above()) }
                    { for (window.range().start..).zip(shown).map(row) }
                    { space("below", window.below()) }
                </tbody>
            </table>
            if rows.is_empty() {
                <p class="groups__none">
                    <b>{ "No group is like that" }</b>
                    { "Show all groups, or look for another number." }
                </p>
            }
        </div>
    }
}

fn group_row(props: &GroupsTableProps, at: usize, group: u32) -> Html {
    let group = Group::new(group);
    let geometry = &props.open.image.geometry;
    let Some(row) = props.open.image.groups.row(group) else { return Html::default() };
    let first_block = geometry.group_first_fsblk(group).get();
    let cluster_bytes = u64::from(geometry.block_size()) * u64::from(geometry.blocks_per_cluster());
    html! {
        <Row
            key={group.get()}
            {group}
            {row}
            stats={props.open.known.stats(group)}
            {first_block}
            {cluster_bytes}
            known={props.open.known.clone()}
            theme={props.theme}
            index={at + 1}
            is_selected={props.open.detail.group() == Some(group)}
            on_select={props.on_select.clone()}
        />
    }
}

fn head(
    props: &GroupsTableProps,
    (column, name, is_amount): (Option<SortColumn>, &'static str, bool),
) -> Html {
    let class = is_amount.then_some("num");
    let Some(column) = column else {
        return html! { <th scope="col" {class}>{ name }</th> };
    };
    let order = (props.sort.column == column).then_some(if props.sort.descending {
        "descending"
    } else {
        "ascending"
    });
    html! {
        <th scope="col" {class} aria-sort={order}>
            <button type="button" onclick={props.on_sort.reform(move |_: MouseEvent| column)}>
                { name }
            </button>
        </th>
    }
}
