//! The page's own files, kept to open it without a network. `offline.js` does the keeping, in a
//! service worker that there is only once the person asked for it.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use js_sys::Reflect;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    MessageEvent, ServiceWorker, ServiceWorkerContainer, ServiceWorkerRegistration,
    ServiceWorkerState,
};
use yew::Callback;

use super::location::reload;
use crate::state::{Action, Offline};

/// The service worker's script, beside the page.
const SCRIPT: &str = "offline.js";

/// Tells whether the page's files are kept, and from now on when newer ones came.
pub(super) fn watch(dispatch: Callback<Action>) -> Option<EventListener> {
    let container = container()?;
    let listener = EventListener::new(&container, "message", {
        let dispatch = dispatch.clone();
        move |event| {
            let said = event.dyn_ref::<MessageEvent>().and_then(|event| event.data().as_string());
            match said.as_deref() {
                Some("renewed") => dispatch.emit(Action::NewerBuild(true)),
                Some("turned") => reload(),
                Some("kept") => dispatch.emit(Action::Offline(Offline::Kept)),
                Some("none") => dispatch.emit(Action::Offline(Offline::Off)),
                Some("not kept") => dispatch.emit(Action::Offline(incomplete())),
                _ => {}
            }
        }
    });
    spawn_local(async move {
        match registration(&container).await.and_then(|it| it.active()) {
            // It also tells of newer files: it may have, before anyone listened.
            Some(worker) => say(Some(worker), "kept?"),
            None => dispatch.emit(Action::Offline(Offline::Off)),
        }
    });
    Some(listener)
}

/// Brings the page's files, or drops them.
pub fn keep(is_wanted: bool, dispatch: Callback<Action>) {
    let Some(container) = container() else { return };
    spawn_local(async move {
        if is_wanted {
            dispatch.emit(Action::Offline(Offline::Bringing));
            if let Err(thrown) = bring(&container, &dispatch).await {
                dispatch.emit(Action::Offline(Offline::Failed(message(&thrown))));
            }
        } else {
            // It drops the files, and itself once no window stands on it.
            say(registration(&container).await.and_then(|it| it.active()), "forget");
            dispatch.emit(Action::Offline(Offline::Off));
        }
    });
}

/// Loads the page again, of the newest build that is kept.
pub fn load_newer() {
    match container().and_then(|container| container.controller()) {
        // It answers once the newer build's turn has begun.
        Some(worker) => say(Some(worker), "turn"),
        None => reload(),
    }
}

/// Tells the service worker something, if there is one; one that is gone hears nothing.
fn say(worker: Option<ServiceWorker>, what: &str) {
    if let Some(worker) = worker {
        let _ = worker.post_message(&JsValue::from_str(what));
    }
}

/// Starts the service worker, which tells how it fares.
async fn bring(
    container: &ServiceWorkerContainer,
    dispatch: &Callback<Action>,
) -> Result<(), JsValue> {
    let registered = JsFuture::from(container.register(SCRIPT)).await?;
    let registration: ServiceWorkerRegistration = registered.dyn_into()?;
    let Some(worker) = registration.installing().or_else(|| registration.waiting()) else {
        // One that has this window stays when the files go.
        say(registration.active(), "keep");
        return Ok(());
    };
    let (of, dispatch) = (worker.clone(), dispatch.clone());
    // It is heard until it is settled: what becomes of it later is no news of the bringing.
    let heard = Rc::new(RefCell::new(None));
    let listener = EventListener::new(&worker, "statechange", {
        let heard = Rc::clone(&heard);
        move |_| {
            if let Some(offline) = kept_by(&of) {
                dispatch.emit(Action::Offline(offline));
                drop_later(heard.take());
            }
        }
    });
    *heard.borrow_mut() = Some(listener);
    Ok(())
}

/// Drops a listener once what it calls has returned.
fn drop_later(listener: Option<EventListener>) {
    spawn_local(async move { drop(listener) });
}

/// What a service worker's state comes to, if it is the last for now.
fn kept_by(worker: &ServiceWorker) -> Option<Offline> {
    match worker.state() {
        ServiceWorkerState::Activated => Some(Offline::Kept),
        ServiceWorkerState::Redundant => Some(incomplete()),
        _ => None,
    }
}

/// When not all files could be brought.
fn incomplete() -> Offline {
    Offline::Failed("the server did not give all of them".to_owned())
}

/// The browser's service workers; there are none on pages that are not secure.
fn container() -> Option<ServiceWorkerContainer> {
    let container = web_sys::window()?.navigator().service_worker();
    (!container.is_undefined()).then_some(container)
}

/// The one of this very folder, not of a page above it.
async fn registration(container: &ServiceWorkerContainer) -> Option<ServiceWorkerRegistration> {
    let base = web_sys::window()?.document()?.base_uri().ok()??;
    let scope = web_sys::Url::new_with_base("./", &base).ok()?.href();
    let found = JsFuture::from(container.get_registration()).await.ok()?;
    let found: ServiceWorkerRegistration = found.dyn_into().ok()?;
    (found.scope() == scope).then_some(found)
}

/// What a thrown value says.
fn message(thrown: &JsValue) -> String {
    let message = Reflect::get(thrown, &JsValue::from_str("message")).ok();
    message.and_then(|it| it.as_string()).unwrap_or_else(|| "the browser refused".to_owned())
}
