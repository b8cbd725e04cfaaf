//! The lessons: how the tools scan bitmaps, a step at a time.
//!
//! *Belongs here:* the list of lessons, the stage, the player, what is said beside them. *Does
//! not:* what happens in a lesson; that is the engine's.

mod code;
mod compare;
mod fields;
mod forms;
mod frame;
mod lab;
mod load;
mod panel;
mod player;
mod race;
mod scan;
mod sheet;
mod split;
mod steps;
mod word;

use extscope::units::Group;
use yew::prelude::*;

use self::compare::CompareLesson;
use self::forms::FormsLesson;
use self::lab::LabLesson;
use self::load::LoadLesson;
use self::panel::LearnPanel;
use self::race::RaceLesson;
use self::scan::ScanLesson;
use self::sheet::Sheet;
use self::split::SplitLesson;
use self::steps::StepsLesson;
use super::shared::{Address, NO_SIDE_PANEL, use_media};
use crate::protocol::{LabOrder, RaceOrder, StepsOrder};
use crate::state::{Lesson, LessonBits, LessonPlace, OpenImage, Settings};

/// What the view shows.
#[derive(Properties, PartialEq)]
pub(crate) struct LearnProps {
    /// The image.
    pub open: OpenImage,
    /// The person's settings.
    pub settings: Settings,
    /// The lesson.
    pub place: LessonPlace,
    /// The person goes to another lesson, or to another place in it.
    pub on_place: Callback<LessonPlace>,
    /// The person chooses a group, whose bitmaps are then used.
    pub on_group: Callback<Option<Group>>,
    /// The person wants a race.
    pub on_race: Callback<(LessonBits, Box<RaceOrder>)>,
    /// The person wants no race any more.
    pub on_stop: Callback<()>,
    /// The person wants a bitmap's two forms to be measured, or no longer.
    pub on_weigh: Callback<Option<u8>>,
    /// The person tries something in the lab.
    pub on_try: Callback<Box<LabOrder>>,
    /// The person looks at something step by step.
    pub on_steps: Callback<Box<StepsOrder>>,
}

/// The lessons.
#[component]
pub(crate) fn Learn(props: &LearnProps) -> Html {
    let place = props.place;
    let panel = html! {
        <LearnPanel {place} group={props.open.detail.group()} groups={props.open.known.groups()}
            on_place={props.on_place.clone()} on_group={props.on_group.clone()} />
    };
    let has_panel = props.settings.side_bar && !use_media(NO_SIDE_PANEL);
    let folded = (!has_panel).then(|| {
        html! {
            <details class="learn__panel">
                <summary>{ "Lessons and bitmaps" }</summary>
                { panel.clone() }
            </details>
        }
    });
    let lesson = match place.lesson {
        Lesson::Scan => html! {
            <ScanLesson {place} detail={props.open.detail.clone()} settings={props.settings}
                on_place={props.on_place.clone()} />
        },
        Lesson::Split => html! {
            <SplitLesson {place} groups={(props.open.known.groups(), props.open.image.geometry.groups_per_flex())}
                settings={props.settings} on_place={props.on_place.clone()} />
        },
        Lesson::Compare => html! {
            <CompareLesson {place} detail={props.open.detail.clone()} settings={props.settings}
                on_place={props.on_place.clone()} />
        },
        Lesson::Load => html! {
            <LoadLesson {place} image={Address::from(&props.open.image)} settings={props.settings}
                on_place={props.on_place.clone()} />
        },
        Lesson::Forms => html! {
            <FormsLesson {place} forms={props.open.forms.clone()} on_weigh={props.on_weigh.clone()} />
        },
        Lesson::Sheet => html! { <Sheet {place} on_place={props.on_place.clone()} /> },
        Lesson::Shrink | Lesson::Passes => html! {
            <StepsLesson {place} told={props.open.steps.clone()} settings={props.settings}
                on_place={props.on_place.clone()} on_steps={props.on_steps.clone()} />
        },
        Lesson::Lab => html! {
            <LabLesson {place} tried={props.open.lab.clone()} on_place={props.on_place.clone()}
                on_try={props.on_try.clone()} />
        },
        Lesson::Race => html! {
            <RaceLesson {place} detail={props.open.detail.clone()} race={props.open.race.clone()}
                on_race={props.on_race.clone()} on_stop={props.on_stop.clone()} />
        },
    };
    html! {
        <>
        if has_panel {
            <aside class="side-panel" aria-label="Lessons">{ panel }</aside>
        }
        <main id="main" class="view view--whole" tabindex="-1">
            <div class="learn">
                { folded.unwrap_or_default() }
                { lesson }
            </div>
        </main>
        </>
    }
}

/// Why there is no bitmap to learn on yet.
fn no_bits(why: &str) -> Html {
    html! { <p class="learn__none" role="status">{ why }</p> }
}
