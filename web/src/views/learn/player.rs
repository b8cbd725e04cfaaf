//! The player of a lesson: its buttons, its keys, and time.

use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Interval;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

use super::super::shared::{Icon, use_media, use_settled};
use crate::state::{Player, PlayerAct, SPEEDS};
use crate::text::number;

/// Milliseconds without a step before the address names it.
const SETTLED: u32 = 300;

/// The player as a reducer: time and keys act on what is there by then.
#[derive(Clone, Copy, Default, PartialEq)]
struct Playing(Player);

impl Reducible for Playing {
    type Action = PlayerAct;

    fn reduce(self: Rc<Self>, act: PlayerAct) -> Rc<Self> {
        Rc::new(Self(self.0.after(act)))
    }
}

/// A player and what it plays.
#[derive(Clone, PartialEq)]
pub(super) struct Deck {
    /// Where it stands.
    pub player: Player,
    /// Whether the person wants no motion: then it plays by events.
    pub is_still: bool,
    on_act: Callback<PlayerAct>,
}

/// Plays a course of `len` steps from `step` on. Another `course` begins anew. `on_step` is told of
/// the step once it stays for a while.
#[hook]
pub(super) fn use_deck<C: PartialEq + Clone + 'static>(
    course: C,
    len: usize,
    step: usize,
    on_step: Callback<usize>,
) -> Deck {
    let playing = use_reducer(Playing::default);
    let is_still = use_media("(prefers-reduced-motion: reduce)");
    let on_act = {
        let dispatcher = playing.dispatcher();
        Callback::from(move |act| dispatcher.dispatch(act))
    };
    {
        let on_act = on_act.clone();
        use_effect_with(course, move |_| on_act.emit(PlayerAct::Load { len, step }));
    }
    // The step that the address was told of, until it names it: time may have gone on meanwhile.
    let told = use_mut_ref(|| None::<usize>);
    {
        // The address may name another step of the same course.
        let (on_act, at, told) = (on_act.clone(), playing.0.step, told.clone());
        use_effect_with(step, move |&step| {
            let is_own = told.take() == Some(step);
            if !is_own && step != at {
                on_act.emit(PlayerAct::Go(step));
            }
        });
    }
    let player = playing.0;
    {
        let on_act = on_act.clone();
        let runs = player.is_playing.then(|| player.tick().0);
        use_effect_with(runs, move |runs| {
            let timer = runs.map(|ms| {
                Interval::new(ms, move || {
                    let document = web_sys::window().and_then(|window| window.document());
                    if document.is_none_or(|document| !document.hidden()) {
                        on_act.emit(PlayerAct::Tick);
                    }
                })
            });
            move || drop(timer)
        });
    }
    // The timer outlives a render; what it calls is the callback of the last one.
    let latest = use_mut_ref(Callback::<usize>::noop);
    *latest.borrow_mut() = on_step;
    use_settled((player.step, player.len), SETTLED, move |(step, len)| {
        let on_step = latest.borrow().clone();
        // Without a course there is no step to speak of.
        if len > 0 {
            told.replace(Some(step));
            on_step.emit(step);
        }
    });
    Deck { player, is_still, on_act }
}

/// What the player shows.
#[derive(Properties, PartialEq)]
pub(super) struct ControlsProps {
    /// The player.
    pub deck: Deck,
    /// The step that the next event leads to.
    pub next_event: usize,
    /// Whether single keys are shortcuts.
    pub single_keys: bool,
}

/// The buttons of a player, and its keys.
#[component]
pub(super) fn Controls(props: &ControlsProps) -> Html {
    let Deck { player, is_still, on_act } = &props.deck;
    let next = PlayerAct::Go(props.next_event);
    // Without motion, playing is going to the next event.
    let play = if *is_still { next } else { PlayerAct::Toggle };
    use_player_keys(on_act.clone(), play, next, props.single_keys);
    let button = |icon: Icon, name: &'static str, act: PlayerAct, is_off: bool| {
        html! {
            <button type="button" class="icon-button" aria-label={name} title={name} disabled={is_off}
                onclick={on_act.reform(move |_: MouseEvent| act)}>
                { icon.view() }
            </button>
        }
    };
    let (icon, name) = match (player.is_playing, is_still) {
        (true, _) => (Icon::Pause, "Pause (Space)"),
        (false, true) => (Icon::Play, "Play to the next event (Space)"),
        (false, false) => (Icon::Play, "Play (Space)"),
    };
    let on_seek = on_act.reform(|event: InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
        PlayerAct::Go(value.max(0.0) as usize)
    });
    let on_speed = {
        let (on_act, speed) = (on_act.clone(), player.speed);
        Callback::from(move |event: InputEvent| {
            let value = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
            on_act.emit(PlayerAct::Speed(value as isize - speed as isize));
        })
    };
    let (is_first, is_last) = (player.step == 0, player.step == player.len);
    let speed = number::count(player.steps_per_second().into());
    html! {
        <div class="player" role="group" aria-label="Player">
            { button(Icon::Again, "To the start (Home)", PlayerAct::Go(0), is_first) }
            { button(Icon::StepBack, "A step back (←)", PlayerAct::Move(-1), is_first) }
            <button type="button" class="player__play" aria-label={name} title={name}
                disabled={player.len == 0} onclick={on_act.reform(move |_: MouseEvent| play)}>
                { icon.view() }
            </button>
            { button(Icon::StepOn, "A step on (→)", PlayerAct::Move(1), is_last) }
            <button type="button" class="button button--small button--quiet" disabled={is_last}
                title="Shift →" onclick={on_act.reform(move |_: MouseEvent| next)}>
                { "Next event" }
            </button>
            <input type="range" class="player__seek" min="0" max={player.len.to_string()} step="1"
                aria-label="Step" value={player.step.to_string()} oninput={on_seek} />
            <span class="player__step">
                { format!("Step {} of {}", number::count(player.step as u64), number::count(player.len as u64)) }
            </span>
            if !*is_still {
                <label class="player__speed">
                    { "Speed" }
                    <input type="range" min="0" max={(SPEEDS.len() - 1).to_string()} step="1"
                        aria-valuetext={format!("{speed} steps a second")}
                        value={player.speed.to_string()} oninput={on_speed} />
                    <span>{ format!("{speed} steps/s") }</span>
                </label>
            }
        </div>
    }
}

/// Calls `on_act` for the keys of a lesson, wherever the focus is, save where it wants them itself.
#[hook]
fn use_player_keys(
    on_act: Callback<PlayerAct>,
    play: PlayerAct,
    next: PlayerAct,
    single_keys: bool,
) {
    // The listener outlives a render; what it does is what the last one says.
    let latest = use_mut_ref(|| (play, next));
    *latest.borrow_mut() = (play, next);
    use_effect_with((on_act, single_keys), move |(on_act, single_keys)| {
        let (on_act, single_keys) = (on_act.clone(), *single_keys);
        let options = EventListenerOptions::enable_prevent_default();
        let listener = web_sys::window().map(|window| {
            EventListener::new_with_options(&window, "keydown", options, move |event| {
                let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
                if event.default_prevented() || has_modifier {
                    return;
                }
                let (play, next) = *latest.borrow();
                if let Some(act) = key_act(event, play, next, single_keys) {
                    event.prevent_default();
                    on_act.emit(act);
                }
            })
        });
        move || drop(listener)
    });
}

fn key_act(
    event: &KeyboardEvent,
    play: PlayerAct,
    next: PlayerAct,
    single_keys: bool,
) -> Option<PlayerAct> {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let on = target.as_ref().map(|element| element.tag_name()).unwrap_or_default();
    let input = target.and_then(|element| element.dyn_into::<HtmlInputElement>().ok());
    let kind = input.as_ref().map(|input| input.type_()).unwrap_or_default();
    // Choices and sliders have a use for the arrows; a choice that is made has none for Space.
    let wants_arrows = ["radio", "checkbox", "range"].contains(&kind.as_str());
    let wants_space = match kind.as_str() {
        "radio" => input.is_some_and(|input| !input.checked()),
        "checkbox" => true,
        _ => ["BUTTON", "A", "SUMMARY"].contains(&on.as_str()),
    };
    if ["SELECT", "TEXTAREA", "DIALOG"].contains(&on.as_str()) || on == "INPUT" && !wants_arrows {
        return None;
    }
    match event.key().as_str() {
        " " if !wants_space => Some(play),
        "," if single_keys => Some(PlayerAct::Speed(-1)),
        "." if single_keys => Some(PlayerAct::Speed(1)),
        _ if wants_arrows => None,
        "ArrowRight" if event.shift_key() => Some(next),
        "ArrowRight" => Some(PlayerAct::Move(1)),
        "ArrowLeft" => Some(PlayerAct::Move(-1)),
        "Home" => Some(PlayerAct::Go(0)),
        "End" => Some(PlayerAct::Go(usize::MAX)),
        _ => None,
    }
}
