//! Names and values in two columns.

use yew::prelude::*;

/// A name and its value.
#[derive(Clone, PartialEq)]
pub(crate) struct KeyValue {
    name: AttrValue,
    value: Html,
    is_address: bool,
}

impl KeyValue {
    /// An amount.
    pub(crate) fn amount(name: impl Into<AttrValue>, value: impl Into<AttrValue>) -> Self {
        let value: AttrValue = value.into();
        Self::html(name, html! { value })
    }

    /// A block number, an offset or another address.
    pub(crate) fn address(name: impl Into<AttrValue>, value: impl Into<AttrValue>) -> Self {
        Self { is_address: true, ..Self::amount(name, value) }
    }

    /// Anything else.
    pub(crate) fn html(name: impl Into<AttrValue>, value: Html) -> Self {
        Self { name: name.into(), value, is_address: false }
    }
}

/// The rows.
#[derive(Properties, PartialEq)]
pub(crate) struct KeyValuesProps {
    /// In the order they are shown.
    pub rows: Vec<KeyValue>,
}

/// Names and values in two columns.
#[component]
pub(crate) fn KeyValues(props: &KeyValuesProps) -> Html {
    let row = |row: &KeyValue| {
        let class = row.is_address.then_some("mono");
        html! {
            <div class="key-values__row">
                <dt>{ &row.name }</dt>
                <dd {class}>{ row.value.clone() }</dd>
            </div>
        }
    };
    html! { <dl class="key-values">{ for props.rows.iter().map(row) }</dl> }
}
