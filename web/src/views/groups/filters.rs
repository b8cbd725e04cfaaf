//! Which groups the table shows.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::super::shared::Icon;
use crate::state::{Filter, FilterChip, GroupTable};
use crate::text::number;

/// What the chips show.
#[derive(Properties, PartialEq)]
pub(super) struct FilterChipsProps {
    /// The table.
    pub table: GroupTable,
    /// How many groups each shows.
    pub counts: [u32; FilterChip::ALL.len()],
    /// The person chose another.
    pub on_table: Callback<GroupTable>,
}

const fn name(chip: FilterChip) -> &'static str {
    match chip {
        FilterChip::All => "All groups",
        FilterChip::WithSpace => "With free blocks",
        FilterChip::Full => "No free blocks",
        FilterChip::Uninit => "UNINIT flag set",
        FilterChip::Odd => "Contradictions",
    }
}

/// One kind of group at a time.
#[component]
pub(super) fn FilterChips(props: &FilterChipsProps) -> Html {
    let chip = |(chip, count): (FilterChip, u32)| {
        let table = props.table.clone();
        let on_change = props.on_table.reform(move |_: Event| {
            let filter = Filter { chip, ..table.filter.clone() };
            GroupTable { filter, ..table.clone() }
        });
        html! {
            <label class="option">
                <input
                    type="radio"
                    name="groups-shown"
                    checked={props.table.filter.chip == chip}
                    onchange={on_change}
                />
                <span>{ name(chip) }</span>
                <small>{ number::count(count.into()) }</small>
            </label>
        }
    };
    html! {
        <div class="options" role="radiogroup" aria-label="Groups that are shown">
            { for FilterChip::ALL.into_iter().zip(props.counts).map(chip) }
        </div>
    }
}

/// What the field shows.
#[derive(Properties, PartialEq)]
pub(super) struct SearchFieldProps {
    /// The table.
    pub table: GroupTable,
    /// The person typed.
    pub on_table: Callback<GroupTable>,
}

/// Groups by their number or by a block.
#[component]
pub(super) fn SearchField(props: &SearchFieldProps) -> Html {
    let on_input = {
        let table = props.table.clone();
        props.on_table.reform(move |event: InputEvent| {
            let search = event.target_unchecked_into::<HtmlInputElement>().value();
            let filter = Filter { search, ..table.filter.clone() };
            GroupTable { filter, ..table.clone() }
        })
    };
    html! {
        <label class="field">
            { Icon::Search.view() }
            <input
                type="search"
                inputmode="text"
                autocomplete="off"
                spellcheck="false"
                placeholder="Group, 40-80 or b:block"
                aria-label="Find by group number, by a range of them, or by a block after b:"
                value={props.table.filter.search.clone()}
                oninput={on_input}
            />
        </label>
    }
}
