//! The lab: bits to turn round, and what a check says of it.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::frame::{Frame, framed};
use super::no_bits;
use crate::protocol::{LabOrder, LabReport};
use crate::select::header::Tone;
use crate::select::lesson::lab::{
    BitCell, Chart, Experiment, Finding, WordCell, about, experiments, findings, kind_name,
    problem_count, verdict,
};
use crate::state::{Flips, LabPlace, LessonPlace, Work};
use crate::text::number;

/// What the lesson shows.
#[derive(Properties, PartialEq)]
pub(super) struct LabLessonProps {
    /// The place in it.
    pub place: LessonPlace,
    /// What was tried last, and what came of it.
    pub tried: Option<(Box<LabOrder>, Work<LabReport>)>,
    /// The person goes elsewhere.
    pub on_place: Callback<LessonPlace>,
    /// The person tries something.
    pub on_try: Callback<Box<LabOrder>>,
}

/// The lab.
#[component]
pub(super) fn LabLesson(props: &LabLessonProps) -> Html {
    let place = props.place;
    let lab = place.lab;
    let on_lab = props.on_place.reform(move |lab| LessonPlace { lab, ..place });
    {
        let on_try = props.on_try.clone();
        use_effect_with(lab.order(), move |order| on_try.emit(Box::new(order.clone())));
    }
    // While the next check runs, what the last one said stays: it is over in a moment.
    let last = use_mut_ref(|| None);
    let order = lab.order();
    let work = props.tried.as_ref().filter(|(tried, _)| **tried == order).map(|(_, work)| work);
    if let Some(Work::Here(report)) = work {
        *last.borrow_mut() = Some((order.clone(), report.clone()));
    }
    let shown = last
        .borrow()
        .clone()
        .filter(|(of, _): &(LabOrder, _)| of.on == order.on && of.lab.group == order.lab.group);
    let actions = actions(lab, &on_lab);
    if let Some(Work::Failed(error)) = work {
        let why = format!("{error}. {}", error.hint().unwrap_or_default());
        return framed(place.lesson, Frame { stage: no_bits(&why), actions, ..Frame::default() });
    }
    let Some((of, report)) = shown else {
        return framed(
            place.lesson,
            Frame { stage: no_bits("The check is running."), ..Frame::default() },
        );
    };
    // What is shown is what was checked; what is turned round since then is marked the moment after.
    let checked = LabPlace { flips: of.lab.flips.iter().copied().collect(), ..lab };
    let chart = match Chart::new(checked, &report) {
        Ok(chart) => chart,
        Err(why) => {
            return framed(place.lesson, Frame { stage: no_bits(&why), ..Frame::default() });
        }
    };
    let (tone, said) = verdict(&report);
    let found = findings(&report);
    let go = |to: LabPlace| on_lab.reform(move |_: MouseEvent| to);
    let figures = vec![
        (number::count(lab.flips.len() as u64), "bits turned round"),
        (number::count(problem_count(&report)), "problems"),
        (number::count(report.check.outcome.e2fsck.exit.into()), "e2fsck -fn ends with"),
    ];
    let stage = html! {
        <>
            { overview(&chart, lab, &on_lab) }
            { word(&chart, lab, &on_lab) }
            { results(tone, &said, &found) }
        </>
    };
    let experiment = |it: Experiment| {
        html! {
            <details class="lesson__question">
                <summary>{ it.title }</summary>
                <p>{ it.ask }</p>
                <button type="button" class="button button--small" onclick={go(it.place)}>{ "Try it" }</button>
            </details>
        }
    };
    let side = html! {
        <>
            <h2>{ format!("{} of group {}", kind_name(lab.kind), number::count(lab.group.into())) }</h2>
            <p>{ format!("The filesystem has {}.", number::count_of(report.groups.into(), "group", "groups")) }</p>
            { for about(&chart).into_iter().map(|text| html! { <p>{ text }</p> }) }
            if lab.flips.is_full() {
                <p role="status">{ "No more bits can be turned round at once: turn one back before." }</p>
            }
            <h3>{ "Try, and predict before" }</h3>
            { for experiments(checked, &report).into_iter().map(experiment) }
            <h3>{ "What happens here" }</h3>
            <p>{ "The bits are turned round in memory and lie over the filesystem. The check reads through them as if they \
                  were on the disk: the same check as in the panel Check. Nothing is written." }</p>
            <p class="fine">{ "With checksums made right, it is as if the kernel had written the bits; otherwise as if the disk \
                               had turned them round. Group 2 of the small filesystem with checksums was never written; the last group is short." }</p>
        </>
    };
    framed(place.lesson, Frame { figures, actions, stage, side, ..Frame::default() })
}

/// What undoes. The buttons stay when there is nothing to undo, or the focus would have nowhere to be.
fn actions(lab: LabPlace, on_lab: &Callback<LabPlace>) -> Html {
    let button = |label: &'static str, flips: Flips| {
        let onclick = on_lab.reform(move |_: MouseEvent| LabPlace { flips, ..lab });
        let is_idle = lab.flips.is_empty().to_string();
        html! { <button type="button" class="button" aria-disabled={is_idle} {onclick}>{ label }</button> }
    };
    html! { <>{ button("Undo", lab.flips.undone()) }{ button("Reset", Flips::default()) }</> }
}

/// All words of the bitmap, and which one is looked at.
fn overview(chart: &Chart<'_>, lab: LabPlace, on_lab: &Callback<LabPlace>) -> Html {
    let here = chart.word();
    let cell = |(word, it): (u32, WordCell)| {
        let class = classes!(
            format!("lab__is-{}", it.meaning.class()),
            it.is_turned.then_some("lab__turned"),
            (word == here).then_some("split__here"),
        );
        let style = format!("--set: {}%", it.percent);
        let onclick = on_lab.reform(move |_: MouseEvent| LabPlace { word, ..lab });
        html! { <i {class} {style} {onclick}></i> }
    };
    let on_word = on_lab.reform(move |event: InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
        LabPlace { word: value.max(0.0) as u32, ..lab }
    });
    let key = |class: &'static str, name: &'static str| html! { <span class="split__key"><i {class}></i>{ name }</span> };
    html! {
        <figure class="split lab">
            <figcaption>
                { "Words of 64 bits, filled as far as they are set" }
                { key("lab__is-itable", "metadata") }
                { key("lab__is-used", "in use") }
                { key("lab__is-padding", "padding") }
                { key("lab__turned", "turned round") }
            </figcaption>
            <div class="lab__words" aria-hidden="true">{ for (0..).zip(chart.overview()).map(cell) }</div>
            <label class="lab__seek">
                { "Word" }
                <input type="range" min="0" max={chart.words().saturating_sub(1).to_string()} step="1"
                    value={here.to_string()} oninput={on_word} />
                <span>{ number::count(here.into()) }</span>
            </label>
        </figure>
    }
}

/// The word that is looked at, a button a bit.
fn word(chart: &Chart<'_>, lab: LabPlace, on_lab: &Callback<LabPlace>) -> Html {
    let bit = |cell: BitCell| {
        let to = lab.with(cell.flip);
        let class = classes!(
            "lab__bit",
            format!("lab__is-{}", cell.meaning.class()),
            cell.is_set.then_some("lab__bit--set"),
            cell.is_turned.then_some("lab__turned"),
        );
        let off = lab.flips.is_full() && !cell.is_turned;
        html! {
            <button type="button" {class} aria-pressed={cell.is_set.to_string()} aria-label={cell.name.clone()}
                title={cell.name} disabled={off} onclick={on_lab.reform(move |_: MouseEvent| to)}>
                { if cell.is_set { "1" } else { "0" } }
            </button>
        }
    };
    let stretch = |(bits, meaning): (String, crate::select::lesson::lab::Meaning)| {
        html! { <span class="split__key"><i class={format!("lab__is-{}", meaning.class())}></i>{ format!("{bits} {}", meaning.name()) }</span> }
    };
    html! {
        <div class="word">
            <p class="word__title">{ format!("Word {}, bit 0 first: click a bit to turn it round", number::count(chart.word().into())) }</p>
            <div class="lab__bits" role="group" aria-label="Bits of the word">{ for chart.bits().into_iter().map(bit) }</div>
            <p class="lab__legend">{ for chart.legend().into_iter().map(stretch) }</p>
        </div>
    }
}

/// What the check says.
fn results(tone: Tone, said: &str, found: &[Finding]) -> Html {
    let class = match tone {
        Tone::Ok => "lab__said lab__said--ok",
        Tone::Warn => "lab__said lab__said--warn",
        _ => "lab__said lab__said--err",
    };
    let finding = |it: &Finding| {
        let more = (it.more > 0)
            .then(|| format!("and {}", number::count_of(it.more, "more place", "more places")));
        html! {
            <li>
                <h2>{ it.title }<code>{ &it.code }</code></h2>
                <p class="lab__places">{ it.places.join("; ") }{ more.map(|more| format!("; {more}")).unwrap_or_default() }</p>
                <p>{ it.explanation }</p>
                <p>{ "e2fsck, told yes: " }{ it.remedy }</p>
            </li>
        }
    };
    html! {
        <section class="lab__results" aria-label="What the check says">
            <p {class} role="status">{ said }</p>
            <ul>{ for found.iter().map(finding) }</ul>
        </section>
    }
}
