//! Long tables of which only the rows that can be seen exist.

use std::ops::Range;

use web_sys::Node;
use yew::prelude::*;

use super::{NARROW, Scroll, space, use_follow, use_media, use_scroll, use_settled};

/// Milliseconds that a table rests before it is told which rows are in view.
const REST: u32 = 80;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<C> {
    /// What the rows are sorted by when its head is clicked, if they can be.
    pub(crate) by: Option<C>,
    /// Its name.
    pub(crate) name: &'static str,
    /// What its name does not say; may be empty.
    pub(crate) meaning: &'static str,
    /// Whether it holds amounts.
    pub(crate) is_amount: bool,
}

impl<C> Column<C> {
    /// A column of words that the rows are not sorted by.
    pub(crate) const fn words(name: &'static str) -> Self {
        Self { by: None, name, meaning: "", is_amount: false }
    }

    /// A column of amounts that the rows are not sorted by.
    pub(crate) const fn amounts(name: &'static str) -> Self {
        Self { by: None, name, meaning: "", is_amount: true }
    }

    /// The same, with what its name does not say.
    pub(crate) const fn meaning(self, meaning: &'static str) -> Self
    where
        C: Copy,
    {
        Self { meaning, ..self }
    }

    /// The same, with rows sorted by it.
    pub(crate) const fn by(self, by: C) -> Self
    where
        C: Copy,
    {
        Self { by: Some(by), ..self }
    }
}

/// The heads of columns; the rows are sorted by one of them, the largest first or not.
pub(crate) fn heads<C: Copy + PartialEq + 'static>(
    columns: &[Column<C>],
    (sorted, descending): (C, bool),
    on_sort: &Callback<C>,
) -> Html {
    let head = |column: &Column<C>| {
        let class = column.is_amount.then_some("num");
        let title = (!column.meaning.is_empty()).then_some(column.meaning);
        let Some(by) = column.by else {
            return html! { <th scope="col" {class} {title}>{ column.name }</th> };
        };
        let order = (by == sorted).then_some(if descending { "descending" } else { "ascending" });
        html! {
            <th scope="col" {class} {title} aria-sort={order}>
                <button type="button" onclick={on_sort.reform(move |_: MouseEvent| by)}>
                    { column.name }
                </button>
            </th>
        }
    };
    html! { { for columns.iter().map(head) } }
}

/// The heads of columns by which no rows are sorted.
pub(crate) fn plain_heads(columns: &[Column<()>]) -> Html {
    heads(columns, ((), false), &Callback::noop())
}

/// What a table shows.
#[derive(Properties, PartialEq)]
pub(crate) struct LongTableProps {
    /// What it is called.
    pub label: AttrValue,
    /// Classes of what scrolls.
    #[prop_or_default]
    pub class: Classes,
    /// Classes of the table.
    #[prop_or_default]
    pub table_class: Classes,
    /// The table's role, where its rows are gone through by keys.
    #[prop_or_default]
    pub role: Option<&'static str>,
    /// The id of the row of what is selected.
    #[prop_or_default]
    pub active: Option<AttrValue>,
    /// Height of a row in CSS pixels, as the style sheet has it where there is room.
    #[prop_or(26.0)]
    pub row_height: f64,
    /// The heads.
    pub heads: Html,
    /// How many rows there are.
    pub count: usize,
    /// A row by its place, counted from 0; its `aria-rowindex` is two more.
    pub row: Callback<usize, Html>,
    /// The row of what is selected, where there is one.
    #[prop_or_default]
    pub at: Option<usize>,
    /// What brings that row into view when it changes: what is selected, and the order.
    #[prop_or_default]
    pub follow: AttrValue,
    /// The person pressed a key on the table itself; rows of a page. True when that did something.
    #[prop_or_default]
    pub on_key: Option<Callback<(KeyboardEvent, usize), bool>>,
    /// These rows are in view.
    #[prop_or_default]
    pub on_in_view: Callback<Range<usize>>,
    /// What stands below the rows.
    #[prop_or_default]
    pub below: Html,
}

/// A long table. One whose rows are gone through by keys has the focus itself, and says which row is
/// meant; else what scrolls has it.
#[component]
pub(crate) fn LongTable(props: &LongTableProps) -> Html {
    // A finger wants more room.
    let row_height = if use_media(NARROW) { 40.0 } else { props.row_height };
    let Scroll { node, window, row, on_scroll } = use_scroll(props.count, row_height);
    let table = use_node_ref();
    use_follow(&node, props.follow.clone(), props.at, (props.count, row));
    {
        let on_in_view = props.on_in_view.clone();
        use_settled(window.range(), REST, move |range| on_in_view.emit(range));
    }
    // Rows that scroll out of view become those that scroll into it, unless they have keys.
    let row = |at: usize| html! { <key={window.slot(at)}>{ props.row.emit(at) }</> };
    let on_key = {
        let (table, page, on_key) = (table.clone(), window.page(), props.on_key.clone());
        Callback::from(move |event: KeyboardEvent| {
            // The buttons inside have their own use for keys.
            let is_own = event.target_dyn_into::<Node>() == table.get();
            if !is_own || event.ctrl_key() || event.alt_key() || event.meta_key() {
                return;
            }
            if on_key.as_ref().is_some_and(|on_key| on_key.emit((event.clone(), page))) {
                event.prevent_default();
            }
        })
    };
    let is_gone_through = props.role.is_some();
    let is_seen = props.at.is_some_and(|at| window.range().contains(&at));
    html! {
        <div class={classes!("long-table", props.class.clone())} ref={node} role="region"
            tabindex={(!is_gone_through).then_some("0")} aria-label={props.label.clone()} onscroll={on_scroll}>
            <table class={classes!("table", props.table_class.clone())} ref={table} role={props.role}
                tabindex={is_gone_through.then_some("0")} aria-label={is_gone_through.then(|| props.label.clone())}
                aria-activedescendant={props.active.clone().filter(|_| is_seen)} onkeydown={on_key}
                aria-rowcount={(props.count + 1).to_string()}>
                <thead><tr aria-rowindex="1">{ props.heads.clone() }</tr></thead>
                <tbody>
                    { space("above", window.above()) }
                    { for window.range().map(row) }
                    { space("below", window.below()) }
                </tbody>
            </table>
            { props.below.clone() }
        </div>
    }
}
