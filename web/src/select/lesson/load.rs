//! Loading bitmaps: what is in memory, what the disk did, the code, what happens.

use super::race::nanos;
use crate::protocol::{
    BgFlags, BitmapPlace, BitmapPlaces, Course, DiskModel, GroupRow, Load, LoadAct, LoadWay,
    Loaded, Question, SPLIT_LIMITS, Unwatched,
};
use crate::state::{Image, LessonPlace};
use crate::text::{number, size};

/// Most KiB between two bitmaps that are read through.
pub const MOST_GAP_KIB: u32 = 1024;

/// Most groups of a flex group of a made-up filesystem.
pub const MOST_FLEX: u32 = 64;

/// Groups of a made-up filesystem, if nobody says otherwise.
pub const MADE_GROUPS: u32 = 128;

/// Requests that are listed.
const LISTED: usize = 8;

/// What a place of the lesson is about.
#[must_use]
pub fn load(place: LessonPlace) -> Load {
    Load {
        way: place.load,
        question: place.question,
        disk: place.disk,
        gap_bytes: place.gap_kib.min(MOST_GAP_KIB) << 10,
    }
}

/// Where the bitmaps lie: those of the image's first groups, or of a made-up filesystem.
///
/// # Errors
/// Why there are none, in words for the person.
pub fn places(place: LessonPlace, image: &Image) -> Result<BitmapPlaces, String> {
    let most = SPLIT_LIMITS.1;
    if let Some(flex) = place.flex {
        let flex = flex.clamp(1, MOST_FLEX);
        let groups = place.groups.unwrap_or(MADE_GROUPS).clamp(1, most);
        return BitmapPlaces::made(groups, 1 << flex.ilog2()).map_err(|error| error.to_string());
    }
    let geometry = &image.geometry;
    if image.groups.is_empty() {
        return Err("This image has no groups, so it has no bitmaps.".to_owned());
    }
    let features = &image.info.features;
    let has_uninit = !image.info.superblock_is_backup
        && features.iter().any(|it| ["metadata_csum", "uninit_bg"].contains(&it.name.as_str()));
    let bitmap = |row: GroupRow| {
        if has_uninit && row.flags.contains(BgFlags::BLOCK_UNINIT) {
            return Some(BitmapPlace::Uninit);
        }
        let fsblk = Some(row.block_bitmap).filter(|fsblk| geometry.contains(*fsblk))?;
        row.readable.then_some(BitmapPlace::Disk(fsblk))
    };
    Ok(BitmapPlaces {
        block_size: geometry.block_size(),
        blocks_count: geometry.blocks_count(),
        groups_per_flex: geometry.groups_per_flex(),
        groups: image.groups.rows().take(most as usize).map(bitmap).collect(),
    })
}

/// How a group's bitmap stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BitmapState {
    /// Nobody has read it.
    #[default]
    Unread,
    /// It is in memory, and nobody asked for it so far.
    Kept,
    /// It was asked for and was there.
    Answered,
    /// It was asked for and followed from the layout.
    Computed,
    /// It was asked for and cannot be had.
    Nowhere,
}

/// A request in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestRow {
    /// Which one it is, from 1.
    pub number: u64,
    /// Its blocks.
    pub blocks: String,
    /// Bitmaps among them that are kept.
    pub bitmaps: String,
    /// Whether the disk had to go there.
    pub seeks: bool,
    /// How long it took.
    pub time: String,
}

/// How all stands after some steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The groups.
    pub groups: Vec<BitmapState>,
    /// The group that the step is about.
    pub here: Option<u32>,
    /// The last requests, the newest first.
    pub requests: Vec<RequestRow>,
    /// Where on the disk each request began, from 0 to 1, in order.
    pub marks: Vec<f64>,
    /// What it came to so far.
    pub loaded: Loaded,
}

/// How all stands after so many steps.
#[must_use]
pub fn scene(places: &BitmapPlaces, course: &Course<LoadAct>, step: usize) -> Scene {
    let mut scene =
        Scene { groups: vec![BitmapState::default(); places.groups.len()], ..Scene::default() };
    for step in course.until(step) {
        scene.take(step.act, places);
    }
    scene.requests.reverse();
    scene.requests.truncate(LISTED);
    scene
}

impl Scene {
    fn take(&mut self, act: LoadAct, places: &BitmapPlaces) {
        self.loaded = self.loaded.after(act, places.block_size);
        self.here = group_of(act);
        let state = match act {
            LoadAct::Read(request) => {
                let last = request.fsblk + u64::from(request.blocks).saturating_sub(1);
                self.marks.push(request.fsblk as f64 / places.blocks_count.max(1) as f64);
                self.requests.push(RequestRow {
                    number: self.loaded.requests,
                    blocks: number::range(request.fsblk, last),
                    bitmaps: number::count(request.bitmaps.into()),
                    seeks: request.seeks,
                    time: nanos(request.nanos as f64),
                });
                return;
            }
            LoadAct::Ask { .. } => return,
            LoadAct::Keep { .. } => BitmapState::Kept,
            LoadAct::Here { .. } => BitmapState::Answered,
            LoadAct::Uninit { .. } => BitmapState::Computed,
            LoadAct::Nowhere { .. } => BitmapState::Nowhere,
        };
        let group = self.here.and_then(|group| self.groups.get_mut(group as usize));
        group.into_iter().for_each(|it| *it = state);
    }
}

/// The group that a step is about.
const fn group_of(act: LoadAct) -> Option<u32> {
    match act {
        LoadAct::Read(_) => None,
        LoadAct::Keep { group }
        | LoadAct::Ask { group }
        | LoadAct::Here { group }
        | LoadAct::Uninit { group }
        | LoadAct::Nowhere { group } => Some(group),
    }
}

/// Whether a person who skips steps wants to stop here.
#[must_use]
pub const fn is_event(act: &LoadAct) -> bool {
    !matches!(act, LoadAct::Keep { .. } | LoadAct::Here { .. })
}

/// A way, in a few words.
#[must_use]
pub const fn name(way: LoadWay) -> &'static str {
    match way {
        LoadWay::All => "All, one by one",
        LoadWay::AllJoined => "All, neighbours together",
        LoadWay::OnDemand => "On demand",
        LoadWay::ReadAhead => "On demand, flex group ahead",
        LoadWay::Planned => "What is needed, planned",
    }
}

/// Who does it that way.
#[must_use]
pub const fn origin(way: LoadWay) -> &'static str {
    match way {
        LoadWay::All => {
            "libext2fs: e2fsck loads every bitmap before it replays fast commits, and debugfs before it \
             answers anything"
        }
        LoadWay::AllJoined => "extscope, for the map of everything",
        LoadWay::OnDemand => "ext4 before Linux 5.9, and extscope where you choose one group",
        LoadWay::ReadAhead => "ext4 since Linux 5.9, 2020",
        LoadWay::Planned => "extscope, for the groups that you look at",
    }
}

/// A question, in a few words.
#[must_use]
pub const fn question_name(question: Question) -> &'static str {
    match question {
        Question::Replay => "Replay a journal of 24 changes",
        Question::OneBlock => "Is this block free?",
        Question::Around => "What is free around a file?",
        Question::Everything => "The map of everything",
    }
}

/// The disks that have a name.
pub const DISKS: [(&str, DiskModel); 3] = [
    ("Hard disk", DiskModel::HARD_DISK),
    ("Solid state", DiskModel::SOLID_STATE),
    ("File in a browser", DiskModel::BROWSER),
];

/// What a way comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The way.
    pub way: LoadWay,
    /// Its name.
    pub name: &'static str,
    /// Requests.
    pub requests: String,
    /// Seeks.
    pub seeks: String,
    /// Bytes read.
    pub bytes: String,
    /// Time.
    pub time: String,
}

/// What each way comes to with the same question and disk.
#[must_use]
pub fn verdicts(load: Load, places: &BitmapPlaces) -> [Verdict; 5] {
    LoadWay::ALL.map(|way| {
        let loaded = Load { way, ..load }.run(places, &mut Unwatched);
        Verdict {
            way,
            name: name(way),
            requests: number::count(loaded.requests),
            seeks: number::count(loaded.seeks),
            bytes: size::bytes(loaded.bytes),
            time: nanos(loaded.nanos as f64),
        }
    })
}

/// What a step does, in a sentence or two.
#[must_use]
pub fn said(act: Option<LoadAct>, load: Load, places: &BitmapPlaces) -> String {
    let n = |n: u32| number::count(n.into());
    match act {
        None => format!(
            "{}, and the descriptors are read: they say where each bitmap lies. No bitmap is in memory yet.",
            number::count_of(places.len().into(), "group", "groups")
        ),
        Some(LoadAct::Read(request)) => {
            let through = request.blocks.saturating_sub(request.bitmaps);
            let through = match through {
                0 => String::new(),
                n => format!(", {} read through", number::count_of(n.into(), "block", "blocks")),
            };
            let way = if request.seeks {
                "the disk goes there first"
            } else {
                "it goes on where the last one ended"
            };
            let bitmaps = number::count_of(request.bitmaps.into(), "bitmap", "bitmaps");
            format!("A request for {bitmaps}{through}: {way}. {}.", nanos(request.nanos as f64))
        }
        Some(LoadAct::Keep { group }) => format!("The bitmap of group {} is kept.", n(group)),
        Some(LoadAct::Ask { group }) => match load.question {
            Question::Replay => {
                format!("A change of the journal marks blocks in group {}.", n(group))
            }
            _ => format!("The bitmap of group {} is asked for.", n(group)),
        },
        Some(LoadAct::Here { group }) => format!("Group {}: its bitmap is in memory.", n(group)),
        Some(LoadAct::Uninit { group }) => format!(
            "Group {} is BLOCK_UNINIT: what is in use there follows from the layout, and nothing is read.",
            n(group)
        ),
        Some(LoadAct::Nowhere { group }) => {
            format!(
                "The descriptor of group {} leads nowhere: there is no bitmap to read.",
                n(group)
            )
        }
    }
}

/// The code of a way.
#[must_use]
pub const fn code(way: LoadWay) -> &'static [&'static str] {
    match way {
        LoadWay::All => &[
            "for group in groups {",
            "    bitmap[group] = read(place(group))",
            "}",
            "for group in asked { answer(bitmap[group]) }",
        ],
        LoadWay::AllJoined => &[
            "for run in join(places(groups), gap) {",
            "    blocks = read(run)",
            "    for group in run { bitmap[group] = blocks[..] }",
            "}",
            "for group in asked { answer(bitmap[group]) }",
        ],
        LoadWay::OnDemand => &[
            "for group in asked {",
            "    if bitmap[group] is missing {",
            "        bitmap[group] = read(place(group))",
            "    }",
            "    answer(bitmap[group])",
            "}",
        ],
        LoadWay::ReadAhead => &[
            "for group in asked {",
            "    if bitmap[group] is missing {",
            "        rest = group .. flex_end(group)",
            "        for run in join(places(rest), 0) {",
            "            blocks = read(run)",
            "            keep(blocks)",
            "        }",
            "    }",
            "    answer(bitmap[group])",
            "}",
        ],
        LoadWay::Planned => &[
            "for run in join(places(asked), gap) {",
            "    blocks = read(run)",
            "    keep(those of asked)",
            "}",
            "for group in asked { answer(bitmap[group]) }",
        ],
    }
}

/// The line of [`code`] that a step is of.
#[must_use]
pub const fn line(way: LoadWay, act: LoadAct) -> usize {
    match (way, act) {
        (LoadWay::All, LoadAct::Read(_) | LoadAct::Keep { .. }) => 1,
        (LoadWay::All, _) => 3,
        (LoadWay::AllJoined | LoadWay::Planned, LoadAct::Read(_)) => 1,
        (LoadWay::AllJoined | LoadWay::Planned, LoadAct::Keep { .. }) => 2,
        (LoadWay::AllJoined | LoadWay::Planned, _) => 4,
        (LoadWay::OnDemand, LoadAct::Read(_) | LoadAct::Keep { .. }) => 2,
        (LoadWay::OnDemand, LoadAct::Ask { .. }) => 1,
        (LoadWay::OnDemand, _) => 4,
        (LoadWay::ReadAhead, LoadAct::Read(_)) => 4,
        (LoadWay::ReadAhead, LoadAct::Keep { .. }) => 5,
        (LoadWay::ReadAhead, LoadAct::Ask { .. }) => 1,
        (LoadWay::ReadAhead, _) => 8,
    }
}

/// What is to be known about a way, with these numbers.
#[must_use]
pub fn about(load: Load, places: &BitmapPlaces) -> String {
    let flex = places.groups_per_flex;
    let block = size::round(places.block_size.into());
    match load.way {
        LoadWay::All => format!(
            "Every bitmap is a request of {block} of its own, whoever asks for what. Where flex_bg puts {} side by \
             side the disk need not seek between them, but each is still asked for by itself.",
            number::count_of(flex.into(), "bitmap", "bitmaps")
        ),
        LoadWay::AllJoined if flex > 1 => format!(
            "Bitmaps that lie side by side are one request: flex_bg puts {flex} of them in a row, so one request \
             serves {flex} groups."
        ),
        LoadWay::AllJoined => {
            "Without flex_bg each bitmap lies in its own group, far from the next: nothing can be joined, and the \
             disk seeks for every one."
                .to_owned()
        }
        LoadWay::OnDemand => {
            "A bitmap is read when somebody first asks for it, and stays. Whoever needs few reads few; whoever needs \
             all waits for each."
                .to_owned()
        }
        LoadWay::ReadAhead if flex > 1 => format!(
            "Where a seek costs more than {flex} bitmaps they come for nothing, and who asks for a group often asks for \
             its neighbours: so the rest of its flex group comes with it."
        ),
        LoadWay::ReadAhead => {
            "Without flex_bg there is nothing beside a bitmap to read ahead: it is loading on demand.".to_owned()
        }
        LoadWay::Planned => format!(
            "The log of a journal, or the map in the window, says beforehand which groups are needed. They are read \
             in the order of the disk, and gaps of up to {} are read through, which costs less than another request.",
            size::bytes(load.gap_bytes.into())
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::THIN_SPACE;

    #[test]
    fn every_step_of_every_way_has_a_scene_a_line_and_a_sentence() {
        let mut places = BitmapPlaces::made(40, 16).expect("small");
        (places.groups[13], places.groups[14]) = (Some(BitmapPlace::Uninit), None);
        for way in LoadWay::ALL {
            for question in Question::ALL {
                let place = LessonPlace { load: way, question, ..LessonPlace::default() };
                let load = load(place);
                let course = Course::record(|watch| {
                    load.run(&places, watch);
                });
                for step in 0..=course.len() {
                    let act = course.at(step);
                    assert!(!said(act, load, &places).is_empty());
                    assert_eq!(scene(&places, &course, step).groups.len(), 40);
                    assert!(act.is_none_or(|act| line(way, act) < code(way).len()));
                }
                let last = scene(&places, &course, course.len());
                assert_eq!(last.loaded, load.run(&places, &mut Unwatched));
                assert_eq!(last.marks.len() as u64, last.loaded.requests);
                assert!(last.marks.iter().all(|at| (0.0..1.0).contains(at)));
                assert!(!about(load, &places).is_empty());
            }
        }
    }

    #[test]
    fn a_step_is_told_as_it_was() {
        let places = BitmapPlaces::made(40, 16).expect("small");
        let load = load(LessonPlace { load: LoadWay::AllJoined, ..LessonPlace::default() });
        let course = Course::record(|watch| {
            load.run(&places, watch);
        });
        let told = said(course.at(1), load, &places);
        let told = told.replace(THIN_SPACE, " ");
        assert_eq!(told, "A request for 16 bitmaps: the disk goes there first. 12.4 ms.");
        let row = &scene(&places, &course, 1).requests[0];
        assert_eq!((row.number, row.bitmaps.as_str(), row.seeks), (1, "16", true));
    }

    #[test]
    fn an_address_cannot_ask_for_more_than_can_be_shown() {
        let wild = LessonPlace { gap_kib: u32::MAX, ..LessonPlace::default() };
        assert_eq!(load(wild).gap_bytes, 1 << 20);
    }
}
