//! Ties the state to the browser: what the state asks for is done, what happens is told to it.

use gloo_events::EventListener;
use yew::prelude::*;

use super::{Engine, location, theme};
use crate::state::{Action, AppState, Detail, Phase, Settings};

/// The state of the page and the engine behind it.
#[hook]
pub fn use_engine() -> (UseReducerHandle<AppState>, Engine) {
    let state = use_reducer(|| AppState {
        route: location::route(),
        settings: Settings { theme: theme::current(), ..Settings::default() },
        ..AppState::default()
    });
    let engine = {
        let dispatcher = state.dispatcher();
        use_memo((), |()| Engine::start(Callback::from(move |action| dispatcher.dispatch(action))))
    };
    let engine = (*engine).clone();

    use_inspection(&state, &engine);
    use_address_bar(&state);
    use_effect_with(state.settings.theme, |&theme| {
        if let Some(window) = web_sys::window()
            && let Some(document) = window.document()
        {
            theme::apply(theme, &window, &document);
        }
    });
    let title =
        state.phase.name().map_or("extscope".into(), |name| format!("{name} \u{2013} extscope"));
    use_effect_with(title, |title| {
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            document.set_title(title);
        }
    });
    (state, engine)
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
            engine.inspect(group);
        }
    });
}

/// Keeps the address bar and the route the same, whichever changes.
#[hook]
fn use_address_bar(state: &UseReducerHandle<AppState>) {
    use_effect_with(state.route.clone(), |route| {
        if let Some(window) = web_sys::window() {
            location::show(route, &window);
        }
    });
    let dispatcher = state.dispatcher();
    use_effect_with((), move |()| {
        // `popstate` comes for the back button and for a changed hash alike.
        let listener = web_sys::window().map(|window| {
            EventListener::new(&window, "popstate", move |_| {
                dispatcher.dispatch(Action::Navigated(location::route()));
            })
        });
        move || drop(listener)
    });
}
