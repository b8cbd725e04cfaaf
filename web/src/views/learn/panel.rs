//! The list of lessons, and what the lesson is run on.

use extscope::units::Group;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::fields::Going;
use crate::protocol::{
    BitmapKind, CompareWay, DiskModel, LabOn, LoadWay, Question, SPLIT_LIMITS, Sharing, Way,
};
use crate::select::lesson::forms::FILLS;
use crate::select::lesson::load::{self, DISKS, MOST_FLEX, MOST_GAP_KIB};
use crate::select::lesson::{bits, compare, lab, split, words};
use crate::state::{Flips, LabPlace, Lesson, LessonBits, LessonPlace};
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
    let going = Going { place, on_place: props.on_place.clone() };
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
    let options = match place.lesson {
        Lesson::Scan => html! { <>{ scan_options(&going) }{ bitmap_options(&going, props) }</> },
        Lesson::Race => bitmap_options(&going, props),
        Lesson::Compare => {
            html! { <>{ compare_options(&going) }{ bitmap_options(&going, props) }</> }
        }
        Lesson::Forms => forms_options(&going),
        Lesson::Split => split_options(&going, props.groups),
        Lesson::Load => load_options(&going),
        Lesson::Shrink => shrink_options(&going),
        Lesson::Passes => passes_options(&going),
        Lesson::Lab => lab_options(&going),
        Lesson::Sheet => made_options(&going),
    };
    html! {
        <div class="learn-panel">
            <h2 class="panel-heading">{ "Lessons" }</h2>
            <ol class="lessons">{ for (1..).zip(Lesson::ALL).map(lesson) }</ol>
            { options }
        </div>
    }
}

/// How a free inode is found.
fn scan_options(going: &Going) -> Html {
    let place = going.place;
    let ways = Way::ALL.map(|way| (way, words::way_name(way)));
    let with_cursor = LessonPlace { has_cursor: !place.has_cursor, ..place };
    html! {
        <>
            { going.choices("Way", ways, place.way, |way| LessonPlace { way, ..place }) }
            { going.checkbox("With a cursor", place.has_cursor, with_cursor) }
        </>
    }
}

/// How two bitmaps are compared.
fn compare_options(going: &Going) -> Html {
    let place = going.place;
    let ways = CompareWay::ALL.map(|way| (way, compare::name(way)));
    going.choices("Way", ways, place.compare, |compare| LessonPlace { compare, ..place })
}

/// The bitmap that a lesson is run on.
fn bitmap_options(going: &Going, props: &LearnPanelProps) -> Html {
    let place = going.place;
    let bitmaps = LessonBits::ALL.map(|bits| (bits, bits::name(bits)));
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
    html! {
        <>
            { going.choices("Bitmap used", bitmaps, place.bits, |bits| LessonPlace { bits, ..place }) }
            if place.bits.is_of_image() {
                <label class="field learn-panel__group">
                    { "Group" }
                    <input type="text" inputmode="numeric" autocomplete="off" onchange={on_group}
                        value={props.group.map(|group| number::count(group.get().into())).unwrap_or_default()} />
                    { format!("of {}", number::count(props.groups.into())) }
                </label>
            }
        </>
    }
}

/// How many bits are set where two forms are measured.
fn forms_options(going: &Going) -> Html {
    let place = going.place;
    going.choices("Bits set", FILLS, place.fill, |fill| LessonPlace { fill, ..place })
}

/// The made-up bitmap of a sheet.
fn made_options(going: &Going) -> Html {
    let place = going.place;
    let bitmaps = LessonBits::ALL.into_iter().filter(|bits| !bits.is_of_image());
    let bitmaps = bitmaps.map(|bits| (bits, bits::name(bits)));
    going.choices("Bitmap used", bitmaps, place.bits, |bits| LessonPlace { bits, ..place })
}

/// What groups are shared out by, how many there are, to how many workers.
fn split_options(going: &Going, groups: u32) -> Html {
    let place = going.place;
    let (most_workers, most_groups) = SPLIT_LIMITS;
    let sharings = Sharing::ALL.map(|sharing| (sharing, split::name(sharing)));
    let failing = LessonPlace { has_failure: !place.has_failure, ..place };
    let groups = place.groups.unwrap_or(groups).min(most_groups);
    html! {
        <>
            { going.choices("Sharing", sharings, place.sharing, |sharing| LessonPlace { sharing, ..place }) }
            { going.checkbox("Worker 1 fails halfway", place.has_failure, failing) }
            <h2 class="panel-heading">{ "How many" }</h2>
            { going.number("Workers", "", place.workers, 1..=most_workers, move |workers| LessonPlace { workers, ..place }) }
            { going.number("Groups", "", groups, 1..=most_groups, move |groups| LessonPlace { groups: Some(groups), ..place }) }
        </>
    }
}

/// How bitmaps are loaded, for whom, of which filesystem, from what disk.
fn load_options(going: &Going) -> Html {
    let place = going.place;
    let ways = LoadWay::ALL.map(|way| (way, load::name(way)));
    let questions = Question::ALL.map(|question| (question, load::question_name(question)));
    let filesystems = [(None, "This image"), (Some(()), "A made-up one")];
    let made = place.flex.map(|_| ());
    let groups = place.groups.unwrap_or(load::MADE_GROUPS);
    let with_disk = move |disk: DiskModel| LessonPlace { disk, ..place };
    let disks = DISKS.map(|(name, disk)| (disk, name));
    let DiskModel { seek_us, request_us, mb_per_s } = place.disk;
    html! {
        <>
            { going.choices("Way", ways, place.load, |load| LessonPlace { load, ..place }) }
            { going.number("Gaps up to", "KiB", place.gap_kib, 0..=MOST_GAP_KIB, move |gap_kib| LessonPlace { gap_kib, ..place }) }
            { going.choices("Who asks", questions, place.question, |question| LessonPlace { question, ..place }) }
            { going.choices("Filesystem", filesystems, made, |made| LessonPlace { flex: made.map(|()| 16), ..place }) }
            if let Some(flex) = place.flex {
                { going.number("Groups", "", groups, 1..=SPLIT_LIMITS.1, move |groups| LessonPlace { groups: Some(groups), ..place }) }
                { going.number("Flex group", "groups", flex, 1..=MOST_FLEX, move |flex| LessonPlace { flex: Some(flex), ..place }) }
            }
            { going.choices("Disk", disks, place.disk, with_disk) }
            { going.number("Seek", "µs", seek_us, 0..=1_000_000, move |seek_us| with_disk(DiskModel { seek_us, ..place.disk })) }
            { going.number("Each request", "µs", request_us, 0..=1_000_000, move |request_us| with_disk(DiskModel { request_us, ..place.disk })) }
            { going.number("Speed", "MB/s", mb_per_s, 1..=100_000, move |mb_per_s| with_disk(DiskModel { mb_per_s, ..place.disk })) }
        </>
    }
}

/// What is shrunk, and how much of it is kept.
fn shrink_options(going: &Going) -> Html {
    let place = going.place;
    let filesystems = [(false, "A made-up one"), (true, "This image, where it is small")];
    let kept = place.kept_percent.into();
    let keep = move |kept: u32| LessonPlace {
        kept_percent: u8::try_from(kept).unwrap_or(place.kept_percent),
        ..place
    };
    html! {
        <>
            { going.choices("Filesystem", filesystems, place.shrinks_image, |shrinks_image| LessonPlace { shrinks_image, ..place }) }
            { going.number("Keep", "%", kept, 1..=99, keep) }
        </>
    }
}

/// What is checked, with what was turned round in the lab.
fn passes_options(going: &Going) -> Html {
    let here = going.place.lab;
    let flips = here.flips.len() as u64;
    html! {
        <>
            { lab_filesystems(going) }
            if flips > 0 {
                <p class="fine learn-panel__note">{ format!("With {} as in the lab.", number::count_of(flips, "bit turned round", "bits turned round")) }</p>
            }
        </>
    }
}

/// The filesystems of the lab. Bits of one mean nothing in another.
fn lab_filesystems(going: &Going) -> Html {
    let place = going.place;
    let filesystems = LabOn::ALL.map(|on| (on, lab::on_name(on)));
    going.choices("Filesystem", filesystems, place.lab.on, |on| LessonPlace {
        lab: LabPlace { on, group: 0, flips: Flips::default(), word: 0, ..place.lab },
        ..place
    })
}

/// What things are tried on, and which bitmap of it is looked at.
fn lab_options(going: &Going) -> Html {
    let place = going.place;
    let here = place.lab;
    let to = move |lab: LabPlace| LessonPlace { lab, ..place };
    let kinds = [BitmapKind::Block, BitmapKind::Inode].map(|kind| (kind, lab::kind_name(kind)));
    // Bits of one group mean nothing in another.
    let elsewhere = move |lab: LabPlace| to(LabPlace { flips: Flips::default(), word: 0, ..lab });
    let mending = to(LabPlace { mends_csums: !here.mends_csums, ..here });
    html! {
        <>
            { lab_filesystems(going) }
            { going.number("Group", "", here.group, 0..=u32::MAX, move |group| elsewhere(LabPlace { group, ..here })) }
            { going.choices("Bitmap", kinds, here.kind, |kind| to(LabPlace { kind, word: 0, ..here })) }
            <h2 class="panel-heading">{ "Checksums" }</h2>
            { going.checkbox("Make them right again", here.mends_csums, mending) }
        </>
    }
}
