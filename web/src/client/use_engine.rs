//! Ties the state to the browser: what the state asks for is done, what happens is told to it.

use std::rc::Rc;

use gloo_events::EventListener;
use web_sys::window;
use yew::prelude::*;

use super::location::AddressBar;
use super::{Engine, location, offline, settings};
use crate::state::{Action, AppState, Detail, Phase, Settings};

/// The state of the page and the engine behind it.
#[hook]
pub fn use_engine() -> (UseReducerHandle<AppState>, Engine) {
    let state = use_reducer(|| AppState {
        route: location::route(),
        settings: window().map_or_else(Settings::default, |window| settings::load(&window)),
        ..AppState::default()
    });
    let engine = {
        let dispatcher = state.dispatcher();
        use_memo((), |()| Engine::start(Callback::from(move |action| dispatcher.dispatch(action))))
    };
    let engine = (*engine).clone();

    use_inspection(&state, &engine);
    use_asks(&state, &engine);
    use_scenario(&state, &engine);
    use_address_bar(&state);
    use_settings(&state);
    use_title(&state);
    use_offline(&state);
    (state, engine)
}

/// Gives the page its theme, and keeps the settings once the person changed one: until then the
/// theme is the system's.
#[hook]
fn use_settings(state: &UseReducerHandle<AppState>) {
    let first = use_mut_ref(|| true);
    use_effect_with(state.settings, move |settings| {
        let is_first = first.replace(false);
        if let (Some(window), false) = (window(), is_first) {
            settings::apply(settings.theme, &window);
            settings::save(settings, &window);
        }
    });
    let dispatcher = state.dispatcher();
    use_effect_with((), move |()| {
        let on_theme = Callback::from(move |theme| dispatcher.dispatch(Action::SystemTheme(theme)));
        let listener = window().and_then(|window| settings::watch_system(&window, on_theme));
        move || drop(listener)
    });
}

/// Learns whether the page is kept, and when a newer one came.
#[hook]
fn use_offline(state: &UseReducerHandle<AppState>) {
    let dispatcher = state.dispatcher();
    use_effect_with((), move |()| {
        let listener = offline::watch(Callback::from(move |action| dispatcher.dispatch(action)));
        move || drop(listener)
    });
}

/// Names the tab after the image.
#[hook]
fn use_title(state: &UseReducerHandle<AppState>) {
    let title = match state.phase.name() {
        Some(name) => format!("{name} \u{2013} extscope"),
        None => "extscope".into(),
    };
    use_effect_with(title, |title| {
        if let Some(document) = window().and_then(|window| window.document()) {
            document.set_title(title);
        }
    });
}

/// Makes up the scenario that the address bar names, and closes one that it names no longer.
#[hook]
fn use_scenario(state: &UseReducerHandle<AppState>, engine: &Engine) {
    let engine = engine.clone();
    use_effect_with(state.route.scenario.clone(), move |named| match named {
        Some(recipe) if engine.scenario().as_ref() != Some(recipe) => {
            engine.open_scenario(Rc::clone(recipe));
        }
        None if engine.scenario().is_some() => engine.close(),
        _ => {}
    });
}

/// Asks for a group whenever one is selected.
#[hook]
fn use_inspection(state: &UseReducerHandle<AppState>, engine: &Engine) {
    let asked = match &state.phase {
        Phase::Ready(image) => match image.detail {
            Detail::Asked(group) => Some(group),
            Detail::None | Detail::Here(_) => None,
        },
        _ => None,
    };
    let engine = engine.clone();
    use_effect_with((state.epoch, asked), move |&(_, asked)| {
        if let Some(group) = asked {
            engine.prioritise(group, 1);
            engine.inspect(group);
        }
    });
}

/// Asks what the state wants to have asked, each question once.
#[hook]
fn use_asks(state: &UseReducerHandle<AppState>, engine: &Engine) {
    let asked = use_mut_ref(|| 0_u64);
    let (asks, engine, dispatcher) = (state.asks.clone(), engine.clone(), state.dispatcher());
    use_effect_with(state.asks.next(), move |&next| {
        let first = asked.replace(next);
        for request in asks.from(first) {
            engine.ask(request.clone());
        }
        if first < next {
            dispatcher.dispatch(Action::Asked(next));
        }
    });
}

/// Keeps the address bar and the route the same, whichever changes.
#[hook]
fn use_address_bar(state: &UseReducerHandle<AppState>) {
    let bar = use_memo((), |()| AddressBar::default());
    use_effect_with(state.route.clone(), move |route| bar.show(route));
    let dispatcher = state.dispatcher();
    use_effect_with((), move |()| {
        // `popstate` comes for the back button and for a changed hash alike.
        let listener = window().map(|window| {
            EventListener::new(&window, "popstate", move |_| {
                dispatcher.dispatch(Action::Navigated(location::route()));
            })
        });
        move || drop(listener)
    });
}
