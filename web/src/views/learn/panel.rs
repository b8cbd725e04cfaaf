//! The list of lessons, and what the lesson is run on.

use extscope::units::Group;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::protocol::{CompareWay, SPLIT_LIMITS, Sharing, Way};
use crate::select::lesson::{bits, compare, split, words};
use crate::state::{Lesson, LessonBits, LessonPlace};
use crate::text::number;

/// What the panel shows.
#[derive(Properties, PartialEq)]
pub(super) struct LearnPanelProps {
    /// The lesson.
    pub place: LessonPlace,
    /// The selected group.
    pub group: Option<Group>,
    /// How many groups there are.
    pub groups: u32,
    /// The person goes elsewhere.
    pub on_place: Callback<LessonPlace>,
    /// The person chooses a group.
    pub on_group: Callback<Option<Group>>,
}

/// The list of lessons, and what the lesson is run on.
#[component]
pub(super) fn LearnPanel(props: &LearnPanelProps) -> Html {
    let place = props.place;
    // Another lesson or bitmap begins at its first step.
    let go = |to: LessonPlace| {
        let to = LessonPlace { step: 0, ..to };
        props.on_place.reform(move |_: Event| to)
    };
    let lesson = |(number, lesson): (usize, Lesson)| {
        let title = words::title(lesson);
        let to = LessonPlace { lesson, step: 0, ..place };
        html! {
            <li>
                <button type="button" aria-current={(lesson == place.lesson).then_some("step")} title={title.needs}
                    onclick={props.on_place.reform(move |_: MouseEvent| to)}>
                    <small>{ number }</small><span>{ title.name }</span>
                </button>
            </li>
        }
    };
    let way = |way: Way| {
        html! {
            <label class="option">
                <input type="radio" name="learn-way" checked={place.way == way} onchange={go(LessonPlace { way, ..place })} />
                <span>{ words::way_name(way) }</span>
            </label>
        }
    };
    let compared = |compare: CompareWay| {
        html! {
            <label class="option">
                <input type="radio" name="learn-compare" checked={place.compare == compare}
                    onchange={go(LessonPlace { compare, ..place })} />
                <span>{ compare::name(compare) }</span>
            </label>
        }
    };
    let bitmap = |bits: LessonBits| {
        html! {
            <label class="option">
                <input type="radio" name="learn-bits" checked={place.bits == bits} onchange={go(LessonPlace { bits, ..place })} />
                <span>{ bits::name(bits) }</span>
            </label>
        }
    };
    let on_group = {
        let (on_group, groups) = (props.on_group.clone(), props.groups);
        Callback::from(move |event: Event| {
            let typed = event.target_unchecked_into::<HtmlInputElement>().value();
            let group = number::parse(&typed).and_then(|group| u32::try_from(group).ok());
            if let Some(group) = group.filter(|group| *group < groups) {
                on_group.emit(Some(Group::new(group)));
            }
        })
    };
    let (made, read): (Vec<_>, Vec<_>) =
        LessonBits::ALL.into_iter().partition(|bits| !bits.is_of_image());
    html! {
        <div class="learn-panel">
            <h2 class="panel-heading">{ "Lessons" }</h2>
            <ol class="lessons">{ for (1..).zip(Lesson::ALL).map(lesson) }</ol>
            if place.lesson == Lesson::Scan {
                <h2 class="panel-heading">{ "Way" }</h2>
                <div role="radiogroup" aria-label="Way to find a free inode">{ for Way::ALL.map(way) }</div>
                <label class="option">
                    <input type="checkbox" checked={place.has_cursor}
                        onchange={go(LessonPlace { has_cursor: !place.has_cursor, ..place })} />
                    <span>{ "With a cursor" }</span>
                </label>
            }
            if place.lesson == Lesson::Compare {
                <h2 class="panel-heading">{ "Way" }</h2>
                <div role="radiogroup" aria-label="Way to compare">{ for CompareWay::ALL.map(compared) }</div>
            }
            if place.lesson == Lesson::Split {
                { split_options(props) }
            } else {
                <h2 class="panel-heading">{ "Bitmap used" }</h2>
                <div role="radiogroup" aria-label="Bitmap used">
                    { for made.into_iter().map(bitmap) }
                    { for read.into_iter().map(bitmap) }
                </div>
                if place.bits.is_of_image() {
                    <label class="field learn-panel__group">
                        { "Group" }
                        <input type="text" inputmode="numeric" autocomplete="off" onchange={on_group}
                            value={props.group.map(|group| number::count(group.get().into())).unwrap_or_default()} />
                        { format!("of {}", number::count(props.groups.into())) }
                    </label>
                }
            }
        </div>
    }
}

/// What groups are shared out by, how many there are, to how many workers.
fn split_options(props: &LearnPanelProps) -> Html {
    let place = LessonPlace { step: 0, ..props.place };
    let sharing = |sharing: Sharing| {
        let to = LessonPlace { sharing, ..place };
        html! {
            <label class="option">
                <input type="radio" name="learn-split" checked={place.sharing == sharing}
                    onchange={props.on_place.reform(move |_: Event| to)} />
                <span>{ split::name(sharing) }</span>
            </label>
        }
    };
    let (most_workers, most_groups) = SPLIT_LIMITS;
    let field = |name: &'static str,
                 value: u32,
                 most: u32,
                 to: fn(LessonPlace, u32) -> LessonPlace| {
        let on_place = props.on_place.clone();
        let onchange = Callback::from(move |event: Event| {
            let typed = event.target_unchecked_into::<HtmlInputElement>().value();
            let typed = number::parse(&typed).and_then(|typed| u32::try_from(typed).ok());
            if let Some(typed) = typed.filter(|typed| (1..=most).contains(typed)) {
                on_place.emit(to(place, typed));
            }
        });
        html! {
            <label class="field learn-panel__group">
                { name }
                <input type="number" min="1" max={most.to_string()} value={value.to_string()} {onchange} />
            </label>
        }
    };
    let groups = place.groups.unwrap_or(props.groups).min(most_groups);
    let failing = LessonPlace { has_failure: !place.has_failure, ..place };
    html! {
        <>
            <h2 class="panel-heading">{ "Sharing" }</h2>
            <div role="radiogroup" aria-label="Sharing">{ for Sharing::ALL.map(sharing) }</div>
            <label class="option">
                <input type="checkbox" checked={place.has_failure} onchange={props.on_place.reform(move |_: Event| failing)} />
                <span>{ "Worker 1 fails halfway" }</span>
            </label>
            <h2 class="panel-heading">{ "How many" }</h2>
            { field("Workers", place.workers, most_workers, |place, workers| LessonPlace { workers, ..place }) }
            { field("Groups", groups, most_groups, |place, groups| LessonPlace { groups: Some(groups), ..place }) }
        </>
    }
}
