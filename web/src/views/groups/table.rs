//! The table itself: only the rows that can be seen exist.

use std::ops::Range;
use std::rc::Rc;

use extscope::units::Group;
use yew::prelude::*;

use super::super::shared::{Column, LongTable, heads};
use super::row::Row;
use crate::state::{GroupTable, OpenImage, SortColumn, Theme};

/// What the table shows.
#[derive(Properties, Clone)]
pub(super) struct GroupsTableProps {
    /// The image.
    pub open: OpenImage,
    /// The groups, in order.
    pub rows: Rc<Vec<u32>>,
    /// How they are sorted and filtered.
    pub table: GroupTable,
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
            && self.table == other.table
            && self.theme == other.theme
    }
}

/// The columns.
const COLUMNS: [Column<SortColumn>; 11] = [
    Column::amounts("Group").by(SortColumn::Group).meaning("The number of the block group, from 0."),
    Column::amounts("First block").meaning("The first block of the group."),
    Column::words("Contents").meaning("Where in the group blocks are in use, from its first to its last."),
    Column::amounts("Free").by(SortColumn::FreeClusters).meaning("Free blocks, or clusters with bigalloc, as the descriptor counts them; in red, with a mark, what the bitmap says where that is something else."),
    Column::amounts("Free extents").by(SortColumn::Fragments).meaning("Runs of free blocks, counted in the bitmap; a dot while that is not read."),
    Column::amounts("Largest free").by(SortColumn::LargestFree).meaning("The longest run of free blocks, from the bitmap."),
    Column::amounts("Free inodes").by(SortColumn::FreeInodes).meaning("Free inodes, as the descriptor counts them."),
    Column::amounts("Dirs").by(SortColumn::UsedDirs).meaning("Directories whose inode is in the group."),
    Column::amounts("Itable unused").by(SortColumn::ItableUnused).meaning("Inodes at the end of the inode table that were never used; a check passes over them."),
    Column::words("Flags").by(SortColumn::Flags).meaning("I and B: the inode or the block bitmap was never written (INODE_UNINIT, BLOCK_UNINIT). Z: the inode table is zeroed."),
    Column::words("Csum").by(SortColumn::Csum).meaning("Whether the checksum of the descriptor is right."),
];

/// The table.
#[component]
pub(super) fn GroupsTable(props: &GroupsTableProps) -> Html {
    let (rows, sort) = (&props.rows, props.table.sort);
    let selected = props.open.detail.group();
    let selected_at = selected.and_then(|group| rows.iter().position(|&row| row == group.get()));
    let on_in_view = {
        let rows = Rc::clone(rows);
        let on_in_view = props.on_in_view.clone();
        Callback::from(move |range: Range<usize>| {
            let shown = rows.get(range).unwrap_or_default();
            if let (Some(&first), Some(&last)) = (shown.iter().min(), shown.iter().max()) {
                // Of a sorted table, only what lies near each other is worth reading first.
                let count = (last - first).min(256) + 1;
                on_in_view.emit((Group::new(first), count));
            }
        })
    };
    let on_key = {
        let (rows, on_select, on_map) =
            (Rc::clone(rows), props.on_select.clone(), props.on_map.clone());
        Callback::from(move |(event, page): (KeyboardEvent, usize)| {
            let last = rows.len().saturating_sub(1);
            let at = selected_at.unwrap_or(0);
            let to = match event.key().as_str() {
                "ArrowDown" | "j" if selected_at.is_some() => (at + 1).min(last),
                "ArrowUp" | "k" => at.saturating_sub(1),
                "ArrowDown" | "j" | "Home" => 0,
                "End" => last,
                "PageDown" => (at + page).min(last),
                "PageUp" => at.saturating_sub(page),
                "m" | "Enter" => {
                    on_map.emit(());
                    return true;
                }
                _ => return false,
            };
            on_select.emit(rows.get(to).map(|&group| Group::new(group)));
            true
        })
    };
    let row = {
        let (props, rows) = (props.clone(), Rc::clone(rows));
        Callback::from(move |at: usize| {
            rows.get(at).map(|&group| group_row(&props, at, group)).unwrap_or_default()
        })
    };
    let below = html! {
        if rows.is_empty() {
            <p class="groups__none">
                <b>{ "No group is like that" }</b>
                { "Show all groups, or look for another number." }
            </p>
        }
    };
    html! {
        <LongTable
            label="Table of block groups"
            class="groups__scroll"
            table_class="groups__table"
            role="grid"
            heads={heads(&COLUMNS, (sort.column, sort.descending), &props.on_sort)}
            count={rows.len()}
            {row}
            at={selected_at}
            active={selected.map(|group| format!("group-{group}"))}
            follow={format!("{selected:?} {:?}", props.table)}
            {on_key}
            {on_in_view}
            {below}
        />
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
