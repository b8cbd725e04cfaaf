//! What the chosen field or feature means.

use yew::prelude::*;

use super::super::shared::{Address, Icon, KeyValue, KeyValues};
use crate::protocol::{FeatureClass, FeatureReport, Field};
use crate::state::Image;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct ExplanationProps {
    /// The image.
    pub image: Address<Image>,
    /// The chosen field or feature, by its kernel name.
    pub chosen: Option<String>,
    /// The person wants to see it no longer.
    pub on_close: Callback<()>,
}

/// What the chosen field or feature means.
#[component]
pub(super) fn Explanation(props: &ExplanationProps) -> Html {
    let info = &props.image.info;
    let chosen = props.chosen.as_deref();
    let field = info.superblock.iter().find(|field| Some(field.name.as_str()) == chosen);
    let feature = info.features.iter().find(|feature| Some(feature.name.as_str()) == chosen);
    let (title, sub, contents) = match (field, feature) {
        (Some(field), _) => {
            (field.label.clone(), html! { { field.section.title() } }, of_field(field))
        }
        (_, Some(feature)) => {
            (feature.name.clone(), html! { { class(feature.class) } }, of_feature(feature))
        }
        (None, None) => ("Explanation".to_owned(), Html::default(), nothing_chosen()),
    };
    let is_open = field.is_some() || feature.is_some();
    html! {
        <aside class={classes!("inspector", (!is_open).then_some("inspector--idle"))} aria-label="Explanation">
            <header class="inspector__header">
                <div class="inspector__title">
                    <h2 class={feature.is_some().then_some("mono")}>{ title }</h2>
                    if is_open {
                        <span class="inspector__steps">
                            <button
                                type="button"
                                class="icon-button icon-button--small"
                                aria-label="Close the explanation"
                                onclick={props.on_close.reform(|_| ())}
                            >
                                { Icon::Close.view() }
                            </button>
                        </span>
                    }
                </div>
                <p>{ sub }</p>
            </header>
            <div aria-live="polite">{ contents }</div>
        </aside>
    }
}

const fn class(class: FeatureClass) -> &'static str {
    match class {
        FeatureClass::Compat => "Compatible feature: safe to ignore",
        FeatureClass::Incompat => "Incompatible feature: must be known to open",
        FeatureClass::RoCompat => "Read-only compatible feature: must be known to write",
    }
}

fn of_field(field: &Field) -> Html {
    let rows = vec![
        KeyValue::amount("Value", field.text.clone()),
        KeyValue::address("Raw", field.raw.clone()),
        KeyValue::address("Kernel name", field.name.clone()),
    ];
    html! {
        <>
            <p class="inspector__section inspector__text">{ &field.explanation }</p>
            <section class="inspector__section">
                <h3>{ "Here" }</h3>
                <KeyValues {rows} />
            </section>
        </>
    }
}

fn of_feature(feature: &FeatureReport) -> Html {
    let mut rows = vec![KeyValue::address(
        "Bit",
        format!("{:#x}", 1_u64.checked_shl(feature.bit).unwrap_or(0)),
    )];
    if let Some(since) = &feature.since {
        rows.push(KeyValue::amount("Linux since", since.clone()));
    }
    html! {
        <>
            <p class="inspector__section inspector__text">{ &feature.meaning }</p>
            <section class="inspector__section">
                <h3>{ "Who knows it" }</h3>
                <KeyValues {rows} />
            </section>
        </>
    }
}

fn nothing_chosen() -> Html {
    html! {
        <p class="inspector__section inspector__hint">
            { "Choose a field or a feature to see what it means and how it lies on the disk." }
        </p>
    }
}
