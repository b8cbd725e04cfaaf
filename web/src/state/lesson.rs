//! Which lesson is looked at, and what it is run on.

use super::LabPlace;
use crate::protocol::{
    CompareWay, DiskModel, LoadWay, Pattern, Question, Sharing, StepsOrder, Way,
};

/// A lesson.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lesson {
    /// Finding a free inode, step by step.
    #[default]
    Scan,
    /// The ways to find one, against the clock.
    Race,
    /// Comparing two bitmaps.
    Compare,
    /// A bitmap as an array, and as runs.
    Forms,
    /// Sharing groups out to workers.
    Split,
    /// Loading bitmaps, all or on demand.
    Load,
    /// What a shrink does in its five phases.
    Shrink,
    /// What the passes of a check leave for each other.
    Passes,
    /// What the bits mean: a lab.
    Lab,
    /// A sheet to print.
    Sheet,
}

impl Lesson {
    /// The lessons, in the order of the list.
    pub const ALL: [Self; 10] = [
        Self::Scan,
        Self::Race,
        Self::Compare,
        Self::Forms,
        Self::Split,
        Self::Load,
        Self::Shrink,
        Self::Passes,
        Self::Lab,
        Self::Sheet,
    ];

    /// The lesson's name in the address bar.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::Race => "race",
            Self::Compare => "compare",
            Self::Forms => "forms",
            Self::Split => "split",
            Self::Load => "load",
            Self::Shrink => "shrink",
            Self::Passes => "passes",
            Self::Lab => "lab",
            Self::Sheet => "sheet",
        }
    }
}

/// The bitmap that a lesson is run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LessonBits {
    /// A made-up one.
    Made(Pattern),
    /// The inode bitmap of the selected group.
    Inodes,
    /// The block bitmap of the selected group.
    Blocks,
}

impl Default for LessonBits {
    fn default() -> Self {
        Self::Made(Pattern::default())
    }
}

impl LessonBits {
    /// All of them, the made-up ones first.
    pub const ALL: [Self; 6] = [
        Self::Made(Pattern::HalfFull),
        Self::Made(Pattern::Scattered),
        Self::Made(Pattern::EverySecond),
        Self::Made(Pattern::Full),
        Self::Inodes,
        Self::Blocks,
    ];

    /// Its name in the address bar.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Made(Pattern::HalfFull) => "half",
            Self::Made(Pattern::Scattered) => "scattered",
            Self::Made(Pattern::EverySecond) => "second",
            Self::Made(Pattern::Full) => "full",
            Self::Inodes => "inodes",
            Self::Blocks => "blocks",
        }
    }

    /// Whether it is one of the image's.
    #[must_use]
    pub const fn is_of_image(self) -> bool {
        matches!(self, Self::Inodes | Self::Blocks)
    }
}

/// What is looked at of the lessons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LessonPlace {
    /// The lesson. Key `l`.
    pub lesson: Lesson,
    /// The way to find a free inode. Key `way`.
    pub way: Way,
    /// Whether a search begins where the last one ended. Key `cursor`.
    pub has_cursor: bool,
    /// The bitmap. Key `w`.
    pub bits: LessonBits,
    /// How bitmaps are compared. Key `compare`.
    pub compare: CompareWay,
    /// Of a hundred bits, how many are set where two forms are measured. Key `fill`.
    pub fill: u8,
    /// How groups are shared out. Key `split`.
    pub sharing: Sharing,
    /// Workers. Key `workers`.
    pub workers: u32,
    /// Groups, if not as many as the image has. Key `groups`.
    pub groups: Option<u32>,
    /// Whether a worker fails. Key `fail`.
    pub has_failure: bool,
    /// How bitmaps are loaded. Key `load`.
    pub load: LoadWay,
    /// Who asks for them. Key `ask`.
    pub question: Question,
    /// Groups of a flex group, if the filesystem is not the image. Key `flex`.
    pub flex: Option<u32>,
    /// How long the disk takes. Key `disk`.
    pub disk: DiskModel,
    /// KiB between two bitmaps that are read through. Key `gap`.
    pub gap_kib: u32,
    /// Of a hundred blocks, how many are kept of what is shrunk. Key `keep`.
    pub kept_percent: u8,
    /// Whether what is shrunk is the image. Key `image`.
    pub shrinks_image: bool,
    /// What is tried in the lab, and checked pass by pass.
    pub lab: LabPlace,
    /// Whether the sheet has its answers. Key `key`.
    pub has_key: bool,
    /// Steps done. Key `step`.
    pub step: usize,
}

impl Default for LessonPlace {
    fn default() -> Self {
        Self {
            lesson: Lesson::default(),
            way: Way::default(),
            has_cursor: false,
            bits: LessonBits::default(),
            compare: CompareWay::default(),
            fill: 50,
            sharing: Sharing::default(),
            workers: 4,
            groups: None,
            has_failure: false,
            load: LoadWay::default(),
            question: Question::default(),
            flex: None,
            disk: DiskModel::HARD_DISK,
            gap_kib: 128,
            kept_percent: 50,
            shrinks_image: false,
            lab: LabPlace::default(),
            has_key: false,
            step: 0,
        }
    }
}

/// The name of a way to load in the address bar.
const fn load_slug(way: LoadWay) -> &'static str {
    match way {
        LoadWay::All => "all",
        LoadWay::AllJoined => "joined",
        LoadWay::OnDemand => "demand",
        LoadWay::ReadAhead => "ahead",
        LoadWay::Planned => "planned",
    }
}

/// A question's name in the address bar.
const fn question_slug(question: Question) -> &'static str {
    match question {
        Question::Replay => "replay",
        Question::OneBlock => "block",
        Question::Around => "around",
        Question::Everything => "all",
    }
}

/// A disk in the address bar: microseconds of a seek and of a request, and MB/s.
fn disk_slug(disk: DiskModel) -> String {
    format!("{}.{}.{}", disk.seek_us, disk.request_us, disk.mb_per_s)
}

/// The disk of [`disk_slug`].
fn parse_disk(text: &str) -> Option<DiskModel> {
    let mut numbers = text.split('.').map(|number| number.parse().ok());
    let mut next = || numbers.next().flatten();
    let disk = DiskModel { seek_us: next()?, request_us: next()?, mb_per_s: next()? };
    (disk.mb_per_s > 0 && numbers.next().is_none()).then_some(disk)
}

/// The name of a way to compare in the address bar.
const fn compare_slug(way: CompareWay) -> &'static str {
    match way {
        CompareWay::Bits => "bits",
        CompareWay::Blocks => "blocks",
        CompareWay::Words => "words",
    }
}

/// A sharing's name in the address bar.
const fn sharing_slug(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::Divided => "divided",
        Sharing::Libext2fs => "libext2fs",
        Sharing::Parts => "parts",
    }
}

/// A way's name in the address bar.
const fn way_slug(way: Way) -> &'static str {
    match way {
        Way::Modulo => "modulo",
        Way::Hoisted => "hoisted",
        Way::Direct => "direct",
        Way::Bytes => "bytes",
        Way::Words => "words",
        Way::Vectors => "vectors",
    }
}

impl LessonPlace {
    /// What is to be told step by step, where the lesson is one of those.
    #[must_use]
    pub fn steps(&self) -> Option<StepsOrder> {
        match self.lesson {
            Lesson::Shrink => Some(StepsOrder::Shrink {
                of_image: self.shrinks_image,
                percent: self.kept_percent,
            }),
            Lesson::Passes => Some(StepsOrder::Check(self.lab.order())),
            _ => None,
        }
    }

    /// Takes a key of the address in; says whether it is one of the lessons'. What makes no sense
    /// changes nothing.
    pub(super) fn take(&mut self, key: &str, value: &str) -> bool {
        match key {
            "l" => {
                let lesson = Lesson::ALL.into_iter().find(|it| it.slug() == value);
                self.lesson = lesson.unwrap_or(self.lesson);
            }
            "way" => {
                let way = Way::ALL.into_iter().find(|it| way_slug(*it) == value);
                self.way = way.unwrap_or(self.way);
            }
            "cursor" => self.has_cursor = value == "1",
            "w" => {
                let bits = LessonBits::ALL.into_iter().find(|it| it.slug() == value);
                self.bits = bits.unwrap_or(self.bits);
            }
            "compare" => {
                let way = CompareWay::ALL.into_iter().find(|it| compare_slug(*it) == value);
                self.compare = way.unwrap_or(self.compare);
            }
            "fill" => {
                let fill = value.parse().ok().filter(|fill| (1..=99).contains(fill));
                self.fill = fill.unwrap_or(self.fill);
            }
            "split" => {
                let sharing = Sharing::ALL.into_iter().find(|it| sharing_slug(*it) == value);
                self.sharing = sharing.unwrap_or(self.sharing);
            }
            "workers" => self.workers = value.parse().unwrap_or(self.workers),
            "groups" => self.groups = value.parse().ok(),
            "fail" => self.has_failure = value == "1",
            "load" => {
                let way = LoadWay::ALL.into_iter().find(|it| load_slug(*it) == value);
                self.load = way.unwrap_or(self.load);
            }
            "ask" => {
                let question = Question::ALL.into_iter().find(|it| question_slug(*it) == value);
                self.question = question.unwrap_or(self.question);
            }
            "flex" => self.flex = value.parse().ok(),
            "disk" => self.disk = parse_disk(value).unwrap_or(self.disk),
            "gap" => self.gap_kib = value.parse().unwrap_or(self.gap_kib),
            "keep" => {
                let kept = value.parse().ok().filter(|kept| (1..=99).contains(kept));
                self.kept_percent = kept.unwrap_or(self.kept_percent);
            }
            "image" => self.shrinks_image = value == "1",
            "key" => self.has_key = value == "1",
            "step" => self.step = value.parse().unwrap_or(self.step),
            _ => return self.lab.take(key, value),
        }
        true
    }

    /// The keys that are not as they are anyway.
    pub(super) fn keys(&self) -> impl Iterator<Item = String> {
        let other = Self::default();
        let key = |is_other: bool, text: String| is_other.then_some(text);
        [
            key(self.lesson != other.lesson, format!("l={}", self.lesson.slug())),
            key(self.way != other.way, format!("way={}", way_slug(self.way))),
            key(self.has_cursor, "cursor=1".to_owned()),
            key(self.bits != other.bits, format!("w={}", self.bits.slug())),
            key(self.compare != other.compare, format!("compare={}", compare_slug(self.compare))),
            key(self.fill != other.fill, format!("fill={}", self.fill)),
            key(self.sharing != other.sharing, format!("split={}", sharing_slug(self.sharing))),
            key(self.workers != other.workers, format!("workers={}", self.workers)),
            self.groups.map(|groups| format!("groups={groups}")),
            key(self.has_failure, "fail=1".to_owned()),
            key(self.load != other.load, format!("load={}", load_slug(self.load))),
            key(self.question != other.question, format!("ask={}", question_slug(self.question))),
            self.flex.map(|flex| format!("flex={flex}")),
            key(self.disk != other.disk, format!("disk={}", disk_slug(self.disk))),
            key(self.gap_kib != other.gap_kib, format!("gap={}", self.gap_kib)),
            key(self.kept_percent != other.kept_percent, format!("keep={}", self.kept_percent)),
            key(self.shrinks_image, "image=1".to_owned()),
            key(self.has_key, "key=1".to_owned()),
            key(self.step != other.step, format!("step={}", self.step)),
        ]
        .into_iter()
        .flatten()
        .chain(self.lab.keys())
    }
}
