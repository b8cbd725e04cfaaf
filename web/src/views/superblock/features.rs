//! The features, by what a program must know of them.

use yew::prelude::*;

use crate::protocol::{FeatureClass, FeatureReport};

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct FeaturesProps {
    /// The features that are set.
    pub features: Vec<FeatureReport>,
    /// The chosen feature.
    pub chosen: Option<String>,
    /// The person chose a feature.
    pub on_choose: Callback<String>,
}

/// The classes, what they ask in plain words.
const CLASSES: [(FeatureClass, &str); 3] = [
    (FeatureClass::Compat, "Safe to ignore"),
    (FeatureClass::Incompat, "Must be known to open"),
    (FeatureClass::RoCompat, "Must be known to write"),
];

/// The features, by what a program must know of them.
#[component]
pub(super) fn Features(props: &FeaturesProps) -> Html {
    let chip = |feature: &FeatureReport| {
        let name = feature.name.clone();
        let is_chosen = props.chosen.as_deref() == Some(&feature.name);
        html! {
            <li>
                <button
                    type="button"
                    class="chip chip--choice"
                    aria-pressed={is_chosen.to_string()}
                    onclick={props.on_choose.reform(move |_: MouseEvent| name.clone())}
                >
                    { &feature.name }
                </button>
            </li>
        }
    };
    let class = |(class, words): (FeatureClass, &'static str)| {
        let of_class = || props.features.iter().filter(move |feature| feature.class == class);
        html! {
            <div class="features__class">
                <h3>{ words }</h3>
                if of_class().next().is_some() {
                    <ul>{ for of_class().map(chip) }</ul>
                } else {
                    <p>{ "none" }</p>
                }
            </div>
        }
    };
    html! {
        <section class="features" aria-labelledby="features-title">
            <h2 id="features-title">{ "Features" }</h2>
            { for CLASSES.map(class) }
        </section>
    }
}
