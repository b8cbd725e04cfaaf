//! Comparing two bitmaps on the stage: groups, the word that is looked at, what was told.

use core::ops::Range;

use extscope::bitmap::{Bitmap, Bits};

use super::bits::LessonMap;
use crate::protocol::{Compare, CompareAct, CompareWay, Course};
use crate::text::number;

/// Two bitmaps of which the second differs a little, as after a crash: the runs of bits lie in three
/// places, one of them across a border of words.
#[must_use]
pub fn compared(map: LessonMap) -> Compare {
    let len = u32::try_from(map.bits.len()).unwrap_or(u32::MAX);
    let at = |eighths: u32| len / 8 * eighths;
    let faults = [at(3)..at(3).saturating_add(14), at(5)..at(5).saturating_add(1), {
        let border = at(6).next_multiple_of(64).saturating_add(192);
        border.saturating_sub(5)..border.saturating_add(3)
    }];
    Compare::with_faults(map.bits, map.per_group, &faults)
}

/// How a group stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupState {
    /// It was not looked at.
    Ahead,
    /// It is looked at.
    Here,
    /// All of it is equal.
    Equal,
    /// Something in it differs.
    Differs,
}

/// How all stands after some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The groups.
    pub groups: Vec<GroupState>,
    /// The word that is looked at.
    pub word: u32,
    /// The bits of it that are looked at.
    pub looked_at: Range<u32>,
    /// Its bits in what was found, and on the disk.
    pub values: [u64; 2],
    /// Its bits that stand for something.
    pub len: u32,
    /// Differences told of, in e2fsck's form, the last one last.
    pub told: Vec<String>,
}

/// Where a step ends: the bit behind all that was looked at, and the word to show.
fn reach(act: CompareAct, compare: &Compare) -> (u32, u32) {
    match act {
        CompareAct::Bit { bit, .. } => (bit.saturating_add(1), bit / 64),
        CompareAct::Block { group, is_equal } => {
            let first = group.saturating_mul(compare.per_group);
            let end = first.saturating_add(compare.per_group);
            (if is_equal { end } else { first }, first / 64)
        }
        CompareAct::Words { word, equal } => {
            let end = word.saturating_add(equal);
            (end.saturating_mul(64), end.saturating_sub(1).max(word))
        }
        CompareAct::Differ { word } => (word.saturating_add(1).saturating_mul(64), word),
        CompareAct::Tell { first, end, .. } => (end, first / 64),
    }
}

/// How all stands after so many steps.
#[must_use]
pub fn scene(compare: &Compare, course: &Course<CompareAct>, step: usize) -> Scene {
    let len = u32::try_from(compare.disk.len()).unwrap_or(u32::MAX);
    let per_group = compare.per_group.max(1);
    let steps = course.until(step);
    let (end, word) = steps.last().map_or((0, 0), |step| reach(step.act, compare));
    let end = steps.iter().map(|step| reach(step.act, compare).0).max().unwrap_or(end).min(len);
    let word = word.min(len.div_ceil(64).saturating_sub(1));
    let differs: Vec<Range<u32>> = steps.iter().filter_map(|step| difference(step.act)).collect();
    let groups = (0..len.div_ceil(per_group)).map(|group| {
        let first = group.saturating_mul(per_group);
        let last = first.saturating_add(per_group).min(len);
        if differs.iter().any(|bits| bits.start < last && bits.end > first) {
            GroupState::Differs
        } else if end >= last {
            GroupState::Equal
        } else if end > first
            || word.saturating_mul(64) >= first && word.saturating_mul(64) < last && step > 0
        {
            GroupState::Here
        } else {
            GroupState::Ahead
        }
    });
    Scene {
        groups: groups.collect(),
        word,
        looked_at: match course.at(step) {
            Some(CompareAct::Bit { bit, .. }) => bit % 64..bit % 64 + 1,
            Some(_) => 0..64,
            None => 0..0,
        },
        values: [word_of(&compare.found, word), word_of(&compare.disk, word)],
        len: len.saturating_sub(word.saturating_mul(64)).min(64),
        told: steps.iter().filter_map(|step| told(step.act)).collect(),
    }
}

fn word_of(bits: &Bitmap, word: u32) -> u64 {
    let base = u64::from(word) * 64;
    (0..64).filter(|bit| bits.test(base + bit)).fold(0, |value, bit| value | 1 << bit)
}

/// The bits that a step tells of.
const fn difference(act: CompareAct) -> Option<Range<u32>> {
    match act {
        CompareAct::Tell { first, end, .. } => Some(first..end),
        _ => None,
    }
}

/// A difference as e2fsck writes it: `-` for bits that are set on the disk only.
fn told(act: CompareAct) -> Option<String> {
    let CompareAct::Tell { first, end, on_disk } = act else { return None };
    let sign = if on_disk { '-' } else { '+' };
    let last = end.saturating_sub(1);
    Some(if first == last { format!("{sign}{first}") } else { format!("{sign}({first}--{last})") })
}

/// Whether a person who skips steps wants to stop here.
#[must_use]
pub const fn is_event(act: &CompareAct) -> bool {
    match act {
        CompareAct::Bit { found, disk, .. } => *found != *disk,
        _ => true,
    }
}

/// A way, in a few words.
#[must_use]
pub const fn name(way: CompareWay) -> &'static str {
    match way {
        CompareWay::Bits => "Bit by bit",
        CompareWay::Blocks => "A bitmap block at a time",
        CompareWay::Words => "Words, by vectors",
    }
}

/// Who does it that way.
#[must_use]
pub const fn origin(way: CompareWay) -> &'static str {
    match way {
        CompareWay::Bits => "e2fsck before November 2012",
        CompareWay::Blocks => "e2fsck since then",
        CompareWay::Words => "extscope",
    }
}

/// What a step does, in a sentence.
#[must_use]
pub fn said(act: Option<CompareAct>) -> String {
    let n = |n: u32| number::count(n.into());
    match act {
        None => "Two bitmaps: what the check found in use, and what the disk says.".to_owned(),
        Some(CompareAct::Bit { bit, found, disk }) if found == disk => {
            format!("Bit {} is {} in both.", n(bit), if found { "set" } else { "clear" })
        }
        Some(CompareAct::Bit { bit, found, .. }) => {
            format!(
                "Bit {} is set {} only: a difference.",
                n(bit),
                if found { "in what was found" } else { "on the disk" }
            )
        }
        Some(CompareAct::Block { group, is_equal: true }) => {
            format!(
                "All bytes of group {} are equal: its set bits are counted, and that is all.",
                n(group)
            )
        }
        Some(CompareAct::Block { group, .. }) => {
            format!("Some byte of group {} differs: now it is gone through bit by bit.", n(group))
        }
        Some(CompareAct::Words { word, equal: 0 }) => format!("Word {} differs at once.", n(word)),
        Some(CompareAct::Words { word, equal }) => format!(
            "Words {} are equal, and their bits are counted in the same pass.",
            number::range(word.into(), (word + equal - 1).into())
        ),
        Some(CompareAct::Differ { word }) => {
            format!("Word {} differs: one exclusive or shows all of its bits that do.", n(word))
        }
        Some(CompareAct::Tell { first, end, on_disk }) => format!(
            "{} {} set {} only. {}",
            number::range(first.into(), u64::from(end.saturating_sub(1))),
            if end - first == 1 { "is" } else { "are" },
            if on_disk { "on the disk" } else { "in what was found" },
            if on_disk {
                "Space that nobody owns."
            } else {
                "Space that somebody owns could be given away."
            },
        ),
    }
}

/// The code of a way.
#[must_use]
pub const fn code(way: CompareWay) -> &'static [&'static str] {
    match way {
        CompareWay::Bits => &[
            "for bit in 0..len {",
            "    if found(bit) != disk(bit) {  // 4 calls",
            "        differs(bit)",
            "    }",
            "}",
        ],
        CompareWay::Blocks => &[
            "for group in groups {",
            "    if found[group] == disk[group] {",
            "        count += set_bits(disk[group])",
            "        continue",
            "    }",
            "    for bit in group {",
            "        if found(bit) != disk(bit) {",
            "            differs(bit)",
            "        }",
            "    }",
            "}",
        ],
        CompareWay::Words => &[
            "while word < words {",
            "    equal, set = compare(found, disk, word)",
            "    word += equal; count += set",
            "    for bit in found[word] ^ disk[word] {",
            "        differs(bit)",
            "    }",
            "    word += 1",
            "}",
        ],
    }
}

/// The line of [`code`] that a step is of.
#[must_use]
pub const fn line(way: CompareWay, act: CompareAct) -> usize {
    match (way, act) {
        (CompareWay::Bits, CompareAct::Tell { .. }) => 2,
        (CompareWay::Bits, _) => 1,
        (CompareWay::Blocks, CompareAct::Block { is_equal: true, .. }) => 2,
        (CompareWay::Blocks, CompareAct::Block { .. }) => 1,
        (CompareWay::Blocks, CompareAct::Tell { .. }) => 7,
        (CompareWay::Blocks, _) => 6,
        (CompareWay::Words, CompareAct::Words { .. }) => 1,
        (CompareWay::Words, CompareAct::Tell { .. }) => 4,
        (CompareWay::Words, _) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Pattern;

    #[test]
    fn every_step_of_every_way_has_a_scene_a_line_and_a_sentence_and_all_tell_the_same() {
        for pattern in Pattern::ALL {
            let mut told = Vec::new();
            for way in CompareWay::ALL {
                let bits = pattern.bitmap(4096).expect("small");
                let compare = compared(LessonMap { bits, per_group: 1024 });
                let course = Course::record(|watch| {
                    compare.run(way, watch);
                });
                for step in 0..=course.len() {
                    let act = course.at(step);
                    assert!(!said(act).is_empty());
                    assert_eq!(scene(&compare, &course, step).groups.len(), 4);
                    assert!(act.is_none_or(|act| line(way, act) < code(way).len()));
                }
                let last = scene(&compare, &course, course.len());
                assert_eq!(
                    last.groups,
                    [
                        GroupState::Equal,
                        GroupState::Differs,
                        GroupState::Differs,
                        GroupState::Differs
                    ],
                    "{pattern:?}, {way:?}"
                );
                told.push(last.told);
            }
            assert!(told.iter().all(|it| *it == told[0]), "{pattern:?}: {told:?}");
        }
    }

    #[test]
    fn differences_are_written_as_e2fsck_writes_them() {
        let tell = |first, end, on_disk| told(CompareAct::Tell { first, end, on_disk });
        assert_eq!(tell(1536, 1550, true).as_deref(), Some("-(1536--1549)"));
        assert_eq!(tell(7, 8, false).as_deref(), Some("+7"));
    }
}
