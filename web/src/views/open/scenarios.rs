//! Filesystems that are made up where they are read: those with a name, and one's own.

use std::rc::Rc;

use web_sys::{HtmlInputElement, SubmitEvent};
use yew::prelude::*;

use crate::protocol::{NamedScenario, named_scenarios};
use crate::select::scenario::{Slider, Sliders, case, label};

/// What the lists do.
#[derive(Properties, PartialEq)]
pub(super) struct ScenariosProps {
    /// Make up a scenario, from its recipe as text.
    pub on_scenario: Callback<Rc<str>>,
}

/// The scenarios with a name.
#[component]
pub(super) fn Scenarios(props: &ScenariosProps) -> Html {
    let row = |named: &'static NamedScenario| {
        let onclick =
            props.on_scenario.reform(|_: MouseEvent| Rc::from(named.recipe().to_string()));
        html! {
            <li>
                <button type="button" title={case(named)} {onclick}>
                    <b>{ label(named) }</b><small>{ named.about }</small>
                </button>
            </li>
        }
    };
    html! {
        <aside class="samples samples--dense" aria-labelledby="scenarios-title">
            <h2 id="scenarios-title">{ "Scenarios" }</h2>
            <ul>{ for named_scenarios().map(row) }</ul>
            <details class="samples__own">
                <summary>{ "Make one up" }</summary>
                <Own on_scenario={props.on_scenario.clone()} />
            </details>
            <p class="fine">
                { "Computed where they are read, the same for everybody. The address of an open one is a \
                   link to it." }
            </p>
        </aside>
    }
}

/// Sliders for a scenario of one's own.
#[component]
fn Own(props: &ScenariosProps) -> Html {
    let sliders = use_state(Sliders::default);
    let slider = |slider: Slider| {
        let oninput = {
            let sliders = sliders.clone();
            Callback::from(move |event: InputEvent| {
                if let Ok(step) = value(&event).parse() {
                    sliders.set(sliders.with(slider, step));
                }
            })
        };
        let (first, last) = slider.ends();
        let told = sliders.value(slider);
        html! {
            <label class="own__row">
                <span>{ slider.label() }</span>
                <input type="range" min={first.to_string()} max={last.to_string()}
                    value={sliders.at(slider).to_string()} aria-valuetext={told.clone()} {oninput} />
                <output>{ told }</output>
            </label>
        }
    };
    let on_seed = {
        let sliders = sliders.clone();
        Callback::from(move |event: InputEvent| {
            if let Ok(seed) = value(&event).parse() {
                sliders.set((*sliders).clone().with_seed(seed));
            }
        })
    };
    let recipe: Rc<str> = sliders.recipe().to_string().into();
    let onsubmit = {
        let (recipe, on_scenario) = (Rc::clone(&recipe), props.on_scenario.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            on_scenario.emit(Rc::clone(&recipe));
        })
    };
    html! {
        <form class="own" {onsubmit}>
            { for Slider::ALL.into_iter().map(slider) }
            <label class="own__row">
                <span>{ "Seed" }</span>
                <span class="field">
                    <input type="number" min="0" step="1" value={sliders.seed().to_string()} oninput={on_seed} />
                </span>
            </label>
            <p class="own__recipe"><code>{ format!("scenario:{recipe}") }</code></p>
            <button type="submit" class="button button--primary">{ "Open it" }</button>
        </form>
    }
}

fn value(event: &InputEvent) -> String {
    event.target_unchecked_into::<HtmlInputElement>().value()
}
