//! Which lesson is looked at, and what it is run on.

use crate::protocol::{CompareWay, Pattern, Sharing, Way};

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
    /// Sharing groups out to workers.
    Split,
}

impl Lesson {
    /// The lessons, in the order of the list.
    pub const ALL: [Self; 4] = [Self::Scan, Self::Race, Self::Compare, Self::Split];

    /// The lesson's name in the address bar.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::Race => "race",
            Self::Compare => "compare",
            Self::Split => "split",
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
    /// How groups are shared out. Key `split`.
    pub sharing: Sharing,
    /// Workers. Key `workers`.
    pub workers: u32,
    /// Groups, if not as many as the image has. Key `groups`.
    pub groups: Option<u32>,
    /// Whether a worker fails. Key `fail`.
    pub has_failure: bool,
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
            sharing: Sharing::default(),
            workers: 4,
            groups: None,
            has_failure: false,
            step: 0,
        }
    }
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
            "split" => {
                let sharing = Sharing::ALL.into_iter().find(|it| sharing_slug(*it) == value);
                self.sharing = sharing.unwrap_or(self.sharing);
            }
            "workers" => self.workers = value.parse().unwrap_or(self.workers),
            "groups" => self.groups = value.parse().ok(),
            "fail" => self.has_failure = value == "1",
            "step" => self.step = value.parse().unwrap_or(self.step),
            _ => return false,
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
            key(self.sharing != other.sharing, format!("split={}", sharing_slug(self.sharing))),
            key(self.workers != other.workers, format!("workers={}", self.workers)),
            self.groups.map(|groups| format!("groups={groups}")),
            key(self.has_failure, "fail=1".to_owned()),
            key(self.step != other.step, format!("step={}", self.step)),
        ]
        .into_iter()
        .flatten()
    }
}
