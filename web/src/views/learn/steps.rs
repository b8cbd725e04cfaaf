//! The lessons of what a shrink does and what the passes of a check leave, step by step.

use yew::prelude::*;

use super::super::shared::Address;
use super::code::code;
use super::frame::{Frame, framed, narrated};
use super::no_bits;
use super::player::{Controls, use_deck};
use crate::protocol::{StepsOrder, StepsReport, Told};
use crate::select::lesson::steps::{
    self as words, GroupRow, Look, MapRow, Near, Part, Strip, View, next_event, question, view,
};
use crate::state::{LessonPlace, Settings, Work};
use crate::text::number;

/// What the lesson shows.
#[derive(Properties, PartialEq)]
pub(super) struct StepsLessonProps {
    /// The place in it.
    pub place: LessonPlace,
    /// What was told last, and its steps.
    pub told: Option<(Box<StepsOrder>, Work<StepsReport>)>,
    /// The person's settings.
    pub settings: Settings,
    /// The person goes elsewhere.
    pub on_place: Callback<LessonPlace>,
    /// The person looks at something else.
    pub on_steps: Callback<Box<StepsOrder>>,
}

/// The lesson, once there are its steps.
#[component]
pub(super) fn StepsLesson(props: &StepsLessonProps) -> Html {
    let place = props.place;
    let order = place.steps();
    {
        let on_steps = props.on_steps.clone();
        use_effect_with(order.clone(), move |order| {
            if let Some(order) = order {
                on_steps.emit(Box::new(order.clone()));
            }
        });
    }
    let told = props.told.as_ref().filter(|(told, _)| Some(&**told) == order.as_ref());
    match told.map(|(_, work)| work) {
        Some(Work::Here(report)) => html! {
            <Steps {place} report={Address::from(report)} settings={props.settings} on_place={props.on_place.clone()} />
        },
        Some(Work::Failed(error)) => {
            let why = format!("{error}. {}", error.hint().unwrap_or_default());
            framed(place.lesson, Frame { stage: no_bits(&why), ..Frame::default() })
        }
        _ => framed(
            place.lesson,
            Frame { stage: no_bits("The steps are being worked out."), ..Frame::default() },
        ),
    }
}

#[derive(Properties, PartialEq)]
struct StepsProps {
    place: LessonPlace,
    report: Address<StepsReport>,
    settings: Settings,
    on_place: Callback<LessonPlace>,
}

/// The steps, played.
#[component]
fn Steps(props: &StepsProps) -> Html {
    let (place, report) = (props.place, &props.report);
    let on_step = props.on_place.reform(move |step| LessonPlace { step, ..place });
    let deck = use_deck(report.clone(), words::len(report), place.step, on_step);
    let asked = use_memo(report.clone(), |report| question(report));
    let (ask, answer) = &*asked;
    let step = deck.player.step.min(words::len(report));
    let View { title, said, line, figures, rows, near, parts, maps } = view(report, step);
    let ratio = report.blocks_per_cluster;
    let stage = html! {
        <>
            { legend(report) }
            <div class="course" role="img" aria-label={format!("Blocks and inodes by group. {said}")}>
                { for rows.iter().map(|row| html! { <Group key={row.group} row={row.clone()} /> }) }
            </div>
            { closely(&near, ratio) }
            { list(&parts) }
        </>
    };
    let side = html! {
        <>
            <h2>{ title }</h2>
            <p class="lesson__said">{ &said }</p>
            { code(words::code(report), line) }
            if !maps.is_empty() {
                <h3>{ "What is left for whom" }</h3>
                { made(&maps) }
            }
            <details class="lesson__question"><summary>{ ask }</summary><p>{ answer }</p></details>
            { about(report) }
            { narrated(&deck, &said) }
        </>
    };
    let controls = html! {
        <Controls deck={deck.clone()} next_event={next_event(report, step)} single_keys={props.settings.single_keys} />
    };
    framed(place.lesson, Frame { figures, stage, controls, side, ..Frame::default() })
}

/// What the colours mean.
fn legend(report: &StepsReport) -> Html {
    let keys: &[(Look, &str)] = match report.told {
        Told::Shrink(_) => &[
            (Look::Metadata, "metadata"),
            (Look::Used, "in use"),
            (Look::Bad, "must move"),
            (Look::New, "new here"),
            (Look::Left, "given up"),
        ],
        Told::Check(_) => &[
            (Look::Metadata, "metadata"),
            (Look::Used, "found in use"),
            (Look::Dir, "directory"),
            (Look::New, "done with"),
            (Look::Bad, "several have it, or a count differs"),
        ],
    };
    let key = |(look, name): &(Look, &'static str)| {
        html! { <span class="split__key"><i class={look.class()}></i>{ *name }</span> }
    };
    html! { <p class="course__legend">{ for keys.iter().map(key) }</p> }
}

#[derive(Properties, PartialEq)]
struct GroupProps {
    row: GroupRow,
}

/// A group: its clusters, and below them its inodes. One that stays as it is is not drawn anew.
#[component]
fn Group(props: &GroupProps) -> Html {
    let GroupRow { group, clusters, inodes, note } = &props.row;
    html! {
        <div class="course__row">
            <span>{ format!("Group {}", number::count(*group as u64)) }</span>
            <div>{ strip(clusters, "course__clusters") }{ strip(inodes, "course__inodes") }</div>
            <span>{ note }</span>
        </div>
    }
}

fn strip(strip: &Strip, class: &'static str) -> Html {
    let rect = |at: u64, width: u64, class: &'static str| {
        html! { <rect x={at.to_string()} width={width.to_string()} height="10" {class} /> }
    };
    html! {
        <svg {class} viewBox={format!("0 0 {} 10", strip.width)} preserveAspectRatio="none" aria-hidden="true">
            { for strip.pieces.iter().map(|piece| rect(piece.at, piece.width, piece.look.class())) }
            { strip.here.map(|(at, width)| rect(at, width.max(strip.width / 160), "course__at")).unwrap_or_default() }
        </svg>
    }
}

/// The clusters around the step, one by one.
fn closely(near: &Near, ratio: u32) -> Html {
    let unit = if ratio > 1 { format!(", {ratio} to a cluster") } else { String::new() };
    html! {
        <figure class="split">
            <figcaption>{ format!("Blocks {}{unit}", number::range(near.blocks.0, near.blocks.1)) }</figcaption>
            <div class="course__near" aria-hidden="true">
                { for near.clusters.iter().map(|cluster| html! {
                    <i class={classes!(cluster.look.class(), cluster.is_here.then_some("split__here"))}></i>
                }) }
            </div>
        </figure>
    }
}

/// The phases or passes, and how far they are.
fn list(parts: &[Part]) -> Html {
    let part = |part: &Part| {
        html! {
            <li aria-current={part.is_here.then_some("step")}>
                <b>{ part.name }</b><span>{ part.about }</span><small>{ &part.done }</small>
            </li>
        }
    };
    html! { <ol class="course__parts">{ for parts.iter().map(part) }</ol> }
}

/// The maps that passes make for each other.
fn made(maps: &[MapRow]) -> Html {
    let row = |row: &MapRow| {
        html! {
            <tr>
                <th scope="row"><code>{ row.name }</code></th>
                <td>{ row.made }</td><td>{ row.used }</td><td>{ &row.holds }</td>
            </tr>
        }
    };
    html! {
        <table class="lesson__counts">
            <thead><tr>
                <td></td><th scope="col">{ "made in" }</th><th scope="col">{ "read in" }</th><th scope="col">{ "holds" }</th>
            </tr></thead>
            <tbody>{ for maps.iter().map(row) }</tbody>
        </table>
    }
}

/// What is to be known about it.
fn about(report: &StepsReport) -> Html {
    match report.told {
        Told::Shrink(_) => html! {
            <>
                <h3>{ "Why this order" }</h3>
                <p>{ "A block is copied before any inode is told, and an inode before any directory is: until the last step, what the \
                      old superblock says is still there to be read. Inode tables move last, for every phase before reads them." }</p>
                <p>{ "The steps are those of the plan in the panel Shrink. Nothing is written." }</p>
                <p class="fine">{ "Source: e2fsprogs 1.47.0, resize/resize2fs.c, whose opening names the five phases." }</p>
            </>
        },
        Told::Check(_) => html! {
            <>
                <h3>{ "Try it with a fault" }</h3>
                <p>{ "Bits that are turned round in the lab are turned round here, too: pass 5 meets them, and no pass before does." }</p>
                <p>{ "The check that runs is the one of the panel Check: its passes take down what they put into the maps. Nothing is \
                      written." }</p>
                <p class="fine">{ "Source: e2fsprogs 1.47.0, e2fsck/e2fsck.h and the openings of pass1.c to pass5.c." }</p>
            </>
        },
    }
}
