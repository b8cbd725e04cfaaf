//! What is tried in the lab of the lessons.

use extscope::units::Group;

use crate::protocol::{Bench, BitmapKind, Flip, Lab, LabOn, LabOrder};

/// Most bits that are turned round at once.
const MOST_FLIPS: usize = 16;

/// Bits of a word.
const WORD_BITS: u32 = 64;

/// The bits that are turned round, in the order in which that was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flips {
    flips: [Option<Flip>; MOST_FLIPS],
}

impl Flips {
    /// One bit.
    #[must_use]
    pub fn of(flip: Flip) -> Self {
        Self::default().with(flip)
    }

    /// The bits.
    pub fn iter(&self) -> impl Iterator<Item = Flip> {
        self.flips.into_iter().flatten()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no more can be turned round.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.len() == MOST_FLIPS
    }

    /// Whether a bit is turned round.
    #[must_use]
    pub fn contains(&self, flip: Flip) -> bool {
        self.iter().any(|it| it == flip)
    }

    /// With a bit turned round: one that was is as before again. More than can be changes nothing.
    #[must_use]
    pub fn with(self, flip: Flip) -> Self {
        if self.contains(flip) {
            return self.iter().filter(|it| *it != flip).collect();
        }
        self.iter().chain([flip]).collect()
    }

    /// Without the last one.
    #[must_use]
    pub fn undone(self) -> Self {
        self.iter().take(self.len().saturating_sub(1)).collect()
    }
}

impl FromIterator<Flip> for Flips {
    fn from_iter<I: IntoIterator<Item = Flip>>(flips: I) -> Self {
        let mut it = Self::default();
        it.flips.iter_mut().zip(flips).for_each(|(to, flip)| *to = Some(flip));
        it
    }
}

/// What is tried, and what of it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabPlace {
    /// On what. Key `on`.
    pub on: LabOn,
    /// The group. Key `in`.
    pub group: u32,
    /// Which of its bitmaps is looked at. Key `word`.
    pub kind: BitmapKind,
    /// The word of it that is looked at. Key `word`.
    pub word: u32,
    /// Bits that are turned round. Key `flips`.
    pub flips: Flips,
    /// Whether checksums are made right. Key `csums`.
    pub mends_csums: bool,
}

impl Default for LabPlace {
    fn default() -> Self {
        Self {
            on: LabOn::Bench(Bench::Checksums),
            group: 0,
            kind: BitmapKind::Block,
            word: 0,
            flips: Flips::default(),
            mends_csums: true,
        }
    }
}

/// What things are tried on in the address bar.
const fn on_slug(on: LabOn) -> &'static str {
    match on {
        LabOn::Bench(Bench::Checksums) => "csums",
        LabOn::Bench(Bench::Clusters) => "clusters",
        LabOn::Bench(Bench::Plain) => "plain",
        LabOn::Image => "image",
    }
}

/// A number of a bitmap as `b12` or `i12`.
fn slug(kind: BitmapKind, number: u32) -> String {
    let letter = match kind {
        BitmapKind::Block => 'b',
        BitmapKind::Inode => 'i',
    };
    format!("{letter}{number}")
}

/// What [`slug`] wrote.
fn parse(text: &str) -> Option<(BitmapKind, u32)> {
    let kinds = [("b", BitmapKind::Block), ("i", BitmapKind::Inode)];
    kinds
        .into_iter()
        .find_map(|(letter, kind)| Some((kind, text.strip_prefix(letter)?.parse().ok()?)))
}

impl LabPlace {
    /// What the worker is asked.
    #[must_use]
    pub fn order(&self) -> LabOrder {
        LabOrder {
            on: self.on,
            lab: Lab {
                group: Group::new(self.group),
                flips: self.flips.iter().collect(),
                mends_csums: self.mends_csums,
            },
        }
    }

    /// With a bit turned round, and its word looked at.
    #[must_use]
    pub fn with(self, flip: Flip) -> Self {
        Self { flips: self.flips.with(flip), kind: flip.kind, word: flip.bit / WORD_BITS, ..self }
    }

    /// Takes a key of the address in; says whether it is one of the lab's.
    pub(super) fn take(&mut self, key: &str, value: &str) -> bool {
        match key {
            "on" => {
                let on = LabOn::ALL.into_iter().find(|it| on_slug(*it) == value);
                self.on = on.unwrap_or(self.on);
            }
            "in" => self.group = value.parse().unwrap_or(self.group),
            "word" => (self.kind, self.word) = parse(value).unwrap_or((self.kind, self.word)),
            "flips" => {
                let flips = value.split('.').filter_map(parse);
                let flips = flips.map(|(kind, bit)| Flip { kind, bit });
                // A bit that is named twice is as it was.
                self.flips = flips.fold(Flips::default(), Flips::with);
            }
            "csums" => self.mends_csums = value != "0",
            _ => return false,
        }
        true
    }

    /// The keys that are not as they are anyway.
    pub(super) fn keys(&self) -> impl Iterator<Item = String> {
        let other = Self::default();
        let key = |is_other: bool, text: String| is_other.then_some(text);
        let flips: Vec<String> = self.flips.iter().map(|flip| slug(flip.kind, flip.bit)).collect();
        let word = (self.kind, self.word);
        [
            key(self.on != other.on, format!("on={}", on_slug(self.on))),
            key(self.group != other.group, format!("in={}", self.group)),
            key(word != (other.kind, other.word), format!("word={}", slug(self.kind, self.word))),
            key(!self.flips.is_empty(), format!("flips={}", flips.join("."))),
            key(!self.mends_csums, "csums=0".to_owned()),
        ]
        .into_iter()
        .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bit(bit: u32) -> Flip {
        Flip { kind: BitmapKind::Block, bit }
    }

    #[test]
    fn a_bit_turned_round_twice_is_as_it_was_and_the_last_one_can_be_undone() {
        let flips = Flips::of(bit(1)).with(bit(2)).with(bit(3)).with(bit(2));
        assert!(flips.iter().eq([bit(1), bit(3)]));
        assert!(flips.undone().iter().eq([bit(1)]));
        assert!(flips.undone().undone().undone().is_empty());
    }

    #[test]
    fn more_bits_than_there_is_room_for_change_nothing() {
        let full: Flips = (0..99).map(bit).collect();
        assert!(full.is_full());
        assert_eq!(full.with(bit(99)), full);
        assert_eq!(full.with(bit(0)).len(), MOST_FLIPS - 1);
    }

    #[test]
    fn what_is_tried_is_asked_of_the_worker() {
        let place = LabPlace { group: 2, ..LabPlace::default() }.with(bit(130));
        assert_eq!((place.word, place.order().lab.flips), (2, vec![bit(130)]));
    }
}
