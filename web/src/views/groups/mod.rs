//! All groups as a table: what their descriptors say, and what the bitmaps add.
//!
//! *Belongs here:* the table and its filters. *Does not:* sorting and filtering; that is `select`.

mod filters;
mod profile_line;
mod row;
mod table;

use std::rc::Rc;

use extscope::units::Group;
use yew::prelude::*;

use self::filters::{FilterChips, SearchField};
pub(super) use self::profile_line::ProfileLine;
use self::table::GroupsTable;
use super::inspector::Inspector;
use super::shared::{Address, NO_SIDE_PANEL, use_media, use_paced};
use crate::select::group_rows::group_rows;
use crate::state::{GroupTable, OpenImage, Selection, Settings};
use crate::text::number;

/// Milliseconds between two orders of the rows while bitmaps are read.
const SETTLE: u32 = 500;

/// What the view shows.
#[derive(Properties, PartialEq)]
pub(crate) struct GroupsProps {
    /// The image.
    pub open: OpenImage,
    /// How the table is sorted and filtered.
    pub table: GroupTable,
    /// The theme, and what is folded away.
    pub settings: Settings,
    /// The person selected a group, or none.
    pub on_select: Callback<Option<Group>>,
    /// The person sorted or filtered.
    pub on_table: Callback<GroupTable>,
    /// Show the selected group on the map.
    pub on_map: Callback<()>,
    /// These groups are in view.
    pub on_in_view: Callback<(Group, u32)>,
}

/// All groups as a table.
#[component]
pub(crate) fn Groups(props: &GroupsProps) -> Html {
    let (open, table) = (&props.open, &props.table);
    let rows = use_group_rows(open, table);
    let is_compact = use_media(NO_SIDE_PANEL);
    let has_panel = props.settings.side_bar && !is_compact;
    let chips = html! {
        <FilterChips table={table.clone()} counts={open.known.sums().by_chip} on_table={props.on_table.clone()} />
    };
    let (shown, all) = (rows.len() as u64, open.image.groups.len() as u64);
    let note = if shown == all {
        format!(
            "{}, as their descriptors say; what the bitmaps contradict is marked",
            number::count(all)
        )
    } else {
        format!("{} of {}", number::count(shown), number::count(all))
    };
    html! {
        <>
            if has_panel {
                <aside class="side-panel" aria-label="Filter">
                    <h2 class="panel-heading">{ "Show" }</h2>
                    { chips.clone() }
                </aside>
            }
            <main id="main" class="view view--inspected" tabindex="-1">
                <div class="groups">
                    <header class="toolbar">
                        <h1 class="toolbar__title">{ "Block groups" }</h1>
                        <span class="toolbar__note" role="status">{ note }</span>
                        <span class="grow" />
                        <SearchField
                            table={table.clone()}
                            on_table={props.on_table.clone()}
                        />
                    </header>
                    if !has_panel {
                        <div class="groups__chips">{ chips }</div>
                    }
                    <GroupsTable
                        open={open.clone()}
                        rows={Rc::clone(&rows)}
                        table={table.clone()}
                        theme={props.settings.theme}
                        on_sort={sorted(table, &props.on_table)}
                        on_select={props.on_select.clone()}
                        on_map={props.on_map.clone()}
                        on_in_view={props.on_in_view.clone()}
                    />
                </div>
                if props.settings.inspector {
                    <Inspector
                        open={open.clone()}
                        theme={props.settings.theme}
                        is_of_groups=true
                        on_select={props.on_select.reform(|selection| match selection {
                            Some(Selection::Group(group)) => Some(group),
                            _ => None,
                        })}
                    />
                }
            </main>
        </>
    }
}

/// The rows of a table of groups, made anew as seldom as can be: those that change places with every
/// batch of bitmaps could not be read.
#[hook]
pub(super) fn use_group_rows(open: &OpenImage, table: &GroupTable) -> Rc<Vec<u32>> {
    let deciding = use_paced(&table.decided_by(&open.known), SETTLE);
    let shown = (Address::from(&open.image), deciding, table.clone());
    use_memo(shown, |(.., table)| group_rows(&open.known, table))
}

fn sorted(
    table: &GroupTable,
    on_table: &Callback<GroupTable>,
) -> Callback<crate::state::SortColumn> {
    let table = table.clone();
    on_table.reform(move |column| GroupTable { sort: table.sort.clicked(column), ..table.clone() })
}
