//! Fields that belong together.

use yew::prelude::*;

use super::Names;
use crate::protocol::Field;

/// What the section shows.
#[derive(Properties, PartialEq)]
pub(super) struct SectionProps {
    /// Its place in the document.
    pub id: AttrValue,
    /// Its heading.
    pub title: AttrValue,
    /// Its fields.
    pub fields: Vec<Field>,
    /// How they are called.
    pub names: Names,
    /// The chosen field.
    pub chosen: Option<String>,
    /// The person chose a field.
    pub on_choose: Callback<String>,
}

/// Fields that belong together.
#[component]
pub(super) fn Section(props: &SectionProps) -> Html {
    let field = |field: &Field| {
        let is_chosen = props.chosen.as_deref() == Some(&field.name);
        let name = field.name.clone();
        let (label, mono) = match props.names {
            Names::Plain => (&field.label, None),
            Names::Kernel => (&field.name, Some("mono")),
        };
        html! {
            <li>
                <button
                    type="button"
                    class="superblock__field"
                    aria-pressed={is_chosen.to_string()}
                    onclick={props.on_choose.reform(move |_: MouseEvent| name.clone())}
                >
                    <span class={mono}>{ label }</span>
                    <span class={is_address(field).then_some("mono")}>
                        { if field.text.is_empty() { "–" } else { field.text.as_str() } }
                    </span>
                </button>
            </li>
        }
    };
    html! {
        <section class="superblock__section" id={props.id.clone()}>
            <h2>{ &props.title }</h2>
            <ul>{ for props.fields.iter().map(field) }</ul>
        </section>
    }
}

/// Whether the value is an identifier or a place rather than an amount or words.
fn is_address(field: &Field) -> bool {
    field.text.starts_with("0x") || field.name.ends_with("uuid")
}
