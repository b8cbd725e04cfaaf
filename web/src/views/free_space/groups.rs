//! How the free space of each group is cut up, as a table.

use extscope::units::Group;
use yew::prelude::*;

use super::super::groups::{ProfileLine, use_group_rows};
use super::super::shared::{Column, LongTable, heads};
use crate::state::{GroupSort, GroupTable, OpenImage, Selection, SortColumn, Theme};
use crate::text::{number, size};

/// The columns.
const COLUMNS: [Column<SortColumn>; 6] = [
    Column::amounts("Group").by(SortColumn::Group),
    Column::amounts("Free extents")
        .by(SortColumn::Fragments)
        .meaning("Cut at the borders of the group"),
    Column::amounts("Free").by(SortColumn::FreeClusters),
    Column::amounts("Largest").by(SortColumn::LargestFree),
    Column::amounts("Order").meaning(
        "Exponent of the largest aligned power of two of clusters that is free, as the allocator \
         knows it",
    ),
    Column::words("First block to last"),
];

/// What the table shows.
#[derive(Properties, PartialEq)]
pub(super) struct FreeGroupsProps {
    /// The image.
    pub open: OpenImage,
    /// The theme.
    pub theme: Theme,
    /// Show a group on the map.
    pub on_show: Callback<Selection>,
}

/// How the free space of each group is cut up; the groups of most pieces first.
#[component]
pub(super) fn FreeGroups(props: &FreeGroupsProps) -> Html {
    let open = &props.open;
    let sort = use_state(|| GroupSort { column: SortColumn::Fragments, descending: true });
    let rows = use_group_rows(open, &GroupTable { sort: *sort, ..GroupTable::default() });
    let on_sort = {
        let sort = sort.clone();
        Callback::from(move |column| sort.set(sort.clicked(column)))
    };
    let row = {
        let (open, on_show) = (open.clone(), props.on_show.clone());
        let (rows, theme) = (std::rc::Rc::clone(&rows), props.theme);
        Callback::from(move |at: usize| {
            let group = rows.get(at);
            group
                .map(|&group| row(at, Group::new(group), &open, theme, &on_show))
                .unwrap_or_default()
        })
    };
    html! {
        <LongTable
            label="Free space of each group"
            class="free-space__table"
            heads={heads(&COLUMNS, (sort.column, sort.descending), &on_sort)}
            count={rows.len()}
            {row}
        />
    }
}

fn row(
    at: usize,
    group: Group,
    open: &OpenImage,
    theme: Theme,
    on_show: &Callback<Selection>,
) -> Html {
    let (geometry, stats) = (&open.image.geometry, open.known.stats(group));
    let cluster =
        u64::from(geometry.block_size()).saturating_mul(geometry.blocks_per_cluster().into());
    let exact = |text: String| if stats.state.is_exact() { text } else { "·".to_owned() };
    let bytes = |clusters: u32| size::bytes(u64::from(clusters).saturating_mul(cluster));
    let order = match stats.largest_free_order {
        -1 => "–".to_owned(),
        order => order.to_string(),
    };
    let onclick = on_show.reform(move |_: MouseEvent| Selection::Group(group));
    html! {
        <tr aria-rowindex={(at + 2).to_string()}>
            <td class="num">
                <button type="button" class="link" title="Show the group on the map" {onclick}>
                    { number::count(group.get().into()) }
                </button>
            </td>
            <td class="num">{ exact(number::count(stats.fragments.into())) }</td>
            <td class="num">{ exact(bytes(stats.free)) }</td>
            <td class="num">{ exact(bytes(stats.largest_free)) }</td>
            <td class="num">{ exact(order) }</td>
            <td>
                <ProfileLine known={open.known.clone()} group={group.get()} {stats} {theme} />
            </td>
        </tr>
    }
}
