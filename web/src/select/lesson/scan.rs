//! The search for a free inode on the stage: rows of words, the code, what happens.

use core::ops::Range;

use extscope::bitmap::{Bitmap, Bits};

use crate::protocol::{Act, Course, Tally, Way};
use crate::text::number;

/// Words that the stage shows at once.
pub const ROWS: u32 = 20;

/// Inodes that are taken on the stage.
pub const WANTED: u32 = 3;

/// A word on the stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub word: u32,
    /// Its bits, those taken so far included.
    pub value: u64,
    /// Bits that stand for something, from the lowest on.
    pub len: u32,
    /// Bits that this course has taken.
    pub taken: u64,
    /// Where it lies to the pointer.
    pub place: Place,
    /// The bits that are looked at.
    pub looked_at: Range<u32>,
    /// What this search did with it.
    pub done: String,
}

/// Where a word lies to the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// This search has been here.
    Past,
    /// Here.
    Here,
    /// This search has not come here.
    Ahead,
}

/// The bits that a step looks at.
#[must_use]
pub fn looked_at(act: Act) -> Range<u32> {
    let at = |first: u32, len: u32| first..first.saturating_add(len);
    match act {
        Act::Search { from } => at(from, 0),
        Act::Bit { bit, .. } | Act::Found { bit, .. } => at(bit, 1),
        Act::Byte { byte, .. } => at(byte.saturating_mul(8), 8),
        Act::Word { word, .. } => at(word.saturating_mul(64), 64),
        Act::Vectors { word, words } => at(word.saturating_mul(64), words.saturating_mul(64)),
        Act::Nothing => at(u32::MAX, 0),
    }
}

/// Whether a person who skips steps wants to stop here.
#[must_use]
pub const fn is_event(act: &Act) -> bool {
    match act {
        Act::Bit { is_set, .. } => !*is_set,
        Act::Byte { is_full, .. } | Act::Word { is_full, .. } => !*is_full,
        Act::Vectors { .. } | Act::Found { .. } | Act::Search { .. } | Act::Nothing => true,
    }
}

/// The word that the pointer is in after so many steps.
fn here(course: &Course<Act>, step: usize, bits: &Bitmap) -> u32 {
    let last = u32::try_from(bits.len().div_ceil(64).saturating_sub(1)).unwrap_or(u32::MAX);
    let word = course.at(step).map_or(0, |act| match act {
        Act::Vectors { word, words } => word.saturating_add(words.saturating_sub(1)),
        act => looked_at(act).start / 64,
    });
    word.min(last)
}

/// The rows around the pointer after so many steps.
#[must_use]
pub fn rows(course: &Course<Act>, step: usize, bits: &Bitmap) -> Vec<Row> {
    let len = u32::try_from(bits.len()).unwrap_or(u32::MAX);
    let words = len.div_ceil(64);
    let here = here(course, step, bits);
    // The window moves by half of itself, so that rows stand still for a while.
    let half = ROWS / 2;
    let first = (here / half * half).saturating_sub(half).min(words.saturating_sub(ROWS));
    let end = words.min(first.saturating_add(ROWS));
    let at = course.at(step);
    let seen = Seen::of(course, step, first..end);
    let taken = taken(course, step);
    (first..end)
        .map(|word| {
            let base = word.saturating_mul(64);
            let mask = |bits: &mut dyn Iterator<Item = u32>| {
                bits.filter(|bit| bit / 64 == word).fold(0_u64, |mask, bit| mask | 1 << (bit % 64))
            };
            let taken = mask(&mut taken.iter().copied());
            let value = (0..64)
                .filter(|bit| bits.test(u64::from(base) + bit))
                .fold(taken, |value, bit| value | 1 << bit);
            let inside = at.map_or(0..0, |act| {
                let range = looked_at(act);
                let cut = |bit: u32| bit.clamp(base, base.saturating_add(64)) - base;
                cut(range.start)..cut(range.end)
            });
            Row {
                word,
                value,
                len: len.saturating_sub(base).min(64),
                taken,
                place: match word.cmp(&here) {
                    core::cmp::Ordering::Less => Place::Past,
                    core::cmp::Ordering::Equal => Place::Here,
                    core::cmp::Ordering::Greater => Place::Ahead,
                },
                looked_at: inside,
                done: seen.words(word),
            }
        })
        .collect()
}

/// The inodes taken in so many steps.
fn taken(course: &Course<Act>, step: usize) -> Vec<u32> {
    let found = course.until(step).iter().filter_map(|step| match step.act {
        Act::Found { bit, .. } => Some(bit),
        _ => None,
    });
    found.collect()
}

/// What the present search did with some words.
struct Seen {
    first: u32,
    /// Bit tests, bytes, whole words, words in vectors.
    counts: Vec<[u32; 4]>,
}

impl Seen {
    fn of(course: &Course<Act>, step: usize, words: Range<u32>) -> Self {
        let mut counts = vec![[0; 4]; words.len()];
        let search = course.until(step).iter().rev();
        for step in search.take_while(|step| !matches!(step.act, Act::Search { .. })) {
            let (word, kind) = match step.act {
                Act::Bit { bit, .. } => (bit / 64..bit / 64 + 1, 0),
                Act::Byte { byte, .. } => (byte / 8..byte / 8 + 1, 1),
                Act::Word { word, .. } => (word..word.saturating_add(1), 2),
                Act::Vectors { word, words } => (word..word.saturating_add(words), 3),
                _ => continue,
            };
            for word in word.start.max(words.start)..word.end.min(words.end) {
                let at = (word - words.start) as usize;
                if let Some(count) = counts.get_mut(at).and_then(|counts| counts.get_mut(kind)) {
                    *count += 1;
                }
            }
        }
        Self { first: words.start, counts }
    }

    fn words(&self, word: u32) -> String {
        let counts = self.counts.get((word - self.first) as usize).copied().unwrap_or_default();
        let names = [("bit", "bits"), ("byte", "bytes"), ("word", "words"), ("in a vector", "")];
        let parts = counts.iter().zip(names).filter(|(count, _)| **count > 0).map(
            |(count, (one, many))| match many {
                "" => one.to_owned(),
                many => number::count_of(u64::from(*count), one, many),
            },
        );
        // A word that was passed is told of from the whole to its parts.
        parts.rev().collect::<Vec<_>>().join(", ")
    }
}

/// The code of a way, in plain words of a programming language.
#[must_use]
pub const fn code(way: Way) -> &'static [&'static str] {
    match way {
        Way::Modulo => &[
            "for bit in first..len {",
            "    if bit % per_group == 0 {",
            "        group += 1",
            "    }",
            "    if !test_bitmap(bit) {      // 3 calls",
            "        return bit, group",
            "    }",
            "}",
        ],
        Way::Hoisted => &[
            "for bit in first..len {",
            "    if left == 0 {",
            "        group += 1; left = per_group",
            "    }",
            "    left -= 1",
            "    if !test_bitmap(bit) {      // 3 calls",
            "        return bit, group",
            "    }",
            "}",
        ],
        Way::Direct => &[
            "for bit in first..len {",
            "    if left == 0 {",
            "        group += 1; left = per_group",
            "    }",
            "    left -= 1",
            "    if !test_bit(bit) {         // 2 calls",
            "        return bit, group",
            "    }",
            "}",
        ],
        Way::Bytes => &[
            "byte = first / 8",
            "while bytes[byte] == 0xff {",
            "    byte += 1",
            "}",
            "for bit in byte * 8 .. {",
            "    if bytes[bit / 8] >> bit % 8 & 1 == 0 {",
            "        return bit, bit / per_group",
            "    }",
            "}",
        ],
        Way::Words => &[
            "word = first / 64",
            "while words[word] == 0xffffffff_ffffffff {",
            "    word += 1",
            "}",
            "byte = word * 8",
            "while bytes[byte] == 0xff {",
            "    byte += 1",
            "}",
            "for bit in byte * 8 .. {",
            "    if bytes[bit / 8] >> bit % 8 & 1 == 0 {",
            "        return bit, bit / per_group",
            "    }",
            "}",
        ],
        Way::Vectors => &[
            "word = first / 64",
            "if words[word] == 0xffffffff_ffffffff {",
            "    word += 1",
            "    word += full_words(word)    // vectors",
            "}",
            "bit = word * 64 + zeros(~words[word])",
            "return bit, bit / per_group",
        ],
    }
}

/// The line of [`code`] that a step is of.
#[must_use]
pub const fn line(way: Way, act: Act) -> usize {
    match (way, act) {
        (_, Act::Search { .. }) => 0,
        (Way::Modulo, Act::Found { .. }) => 5,
        (Way::Modulo, Act::Nothing) => 7,
        (Way::Modulo, _) => 4,
        (Way::Hoisted | Way::Direct, Act::Found { .. }) => 6,
        (Way::Hoisted | Way::Direct, Act::Nothing) => 8,
        (Way::Hoisted | Way::Direct, _) => 5,
        (Way::Bytes, Act::Byte { .. }) => 1,
        (Way::Bytes, Act::Found { .. }) => 6,
        (Way::Bytes, Act::Nothing) => 8,
        (Way::Bytes, _) => 5,
        (Way::Words, Act::Word { .. }) => 1,
        (Way::Words, Act::Byte { .. }) => 5,
        (Way::Words, Act::Found { .. }) => 10,
        (Way::Words, Act::Nothing) => 12,
        (Way::Words, _) => 9,
        (Way::Vectors, Act::Vectors { .. }) => 3,
        (Way::Vectors, Act::Word { is_full: true, .. }) => 1,
        (Way::Vectors, Act::Word { .. }) => 5,
        (Way::Vectors, _) => 6,
    }
}

/// What a step does, in a sentence or two.
#[must_use]
pub fn said(act: Option<Act>, bits: &Bitmap) -> String {
    let n = |n: u32| number::count(n.into());
    let Some(act) = act else {
        return "Nothing is looked at yet. The first search begins with the first step.".to_owned();
    };
    match act {
        Act::Search { from: 0 } => "A search begins at bit 0, the very start.".to_owned(),
        Act::Search { from } => {
            format!(
                "A search begins at bit {}, behind what was found last: that is the cursor.",
                n(from)
            )
        }
        Act::Bit { bit, is_set: true } => {
            format!("Bit {} is set: in use. On to the next.", n(bit))
        }
        Act::Bit { bit, .. } => format!("Bit {} is clear: free.", n(bit)),
        Act::Byte { byte, is_full: true } => {
            format!("Byte {} is 0xff: eight in use, seen with one load.", n(byte))
        }
        Act::Byte { byte, .. } => {
            format!(
                "Byte {} is not 0xff, so one of its bits is clear. They are tested one by one.",
                n(byte)
            )
        }
        Act::Word { word, is_full: true } => {
            format!("Word {} is all ones: 64 in use, seen with one load.", n(word))
        }
        Act::Word { word, .. } => {
            format!("Word {} is not all ones: there is a clear bit in it.", n(word))
        }
        Act::Vectors { word, words: 0 } => {
            format!("The vectors stop at once: word {} is not full.", n(word))
        }
        Act::Vectors { word, words } => format!(
            "Vectors go over words {}: {} in use. One question serves eight vectors.",
            number::range(word.into(), (word + words - 1).into()),
            number::count(u64::from(words) * 64),
        ),
        Act::Found { bit, group } => format!(
            "Found: bit {} in group {}. It is marked as in use, and {}.",
            n(bit),
            n(group),
            if bits.next_clear(0).is_none() {
                "nothing is left"
            } else {
                "the next search will pass it"
            },
        ),
        Act::Nothing => "There is no clear bit left.".to_owned(),
    }
}

/// What the processor holds after a step: names and values.
#[must_use]
pub fn registers(act: Option<Act>, row: &Row) -> Vec<(&'static str, String)> {
    let word = ("w", number::hex_word(row.value));
    let Some(act) = act else { return vec![word] };
    match act {
        Act::Byte { byte, .. } => {
            let value = row.value >> (byte % 8 * 8) & 0xff;
            vec![("byte", number::count(byte.into())), ("value", number::hex(value, 2))]
        }
        Act::Bit { bit, is_set } => vec![
            ("byte", number::count((bit / 8).into())),
            ("bit in it", (bit % 8).to_string()),
            ("mask", number::hex(1_u32 << (bit % 8), 2)),
            ("value", u32::from(is_set).to_string()),
        ],
        Act::Found { bit, group } => {
            vec![word, ("bit", number::count(bit.into())), ("group", number::count(group.into()))]
        }
        Act::Word { is_full: false, .. } => {
            let inverse = !row.value;
            vec![
                word,
                ("~w", number::hex_word(inverse)),
                ("trailing zeros of ~w", inverse.trailing_zeros().to_string()),
            ]
        }
        Act::Word { .. } | Act::Vectors { .. } | Act::Search { .. } | Act::Nothing => vec![word],
    }
}

/// The counts of work, with what they are called.
#[must_use]
pub fn counts(tally: &Tally) -> [(&'static str, u64); 7] {
    [
        ("bit tests", tally.tests),
        ("loads", tally.loads),
        ("divisions", tally.divisions),
        ("calls", tally.calls),
        ("branches", tally.branches),
        ("bytes looked at", tally.bytes),
        ("cache lines", tally.lines),
    ]
}

/// A question to answer before the course is run, with its answer, which comes from the run.
#[must_use]
pub fn question(way: Way, course: &Course<Act>) -> (&'static str, String) {
    let all = course.tally(usize::MAX);
    let count = |n: u64, one: &str, many: &str| number::count_of(n, one, many);
    match way {
        Way::Modulo => (
            "How many divisions will all searches together do?",
            format!(
                "{}: one for each bit tested, and one a search.",
                count(all.divisions, "division", "divisions")
            ),
        ),
        Way::Hoisted => (
            "Divisions leave the loop. How many are left, and how many bit tests?",
            format!(
                "{} and {}: the loop itself is as long as before.",
                count(all.divisions, "division", "divisions"),
                count(all.tests, "bit test", "bit tests")
            ),
        ),
        Way::Direct => (
            "A call less for each bit: how many calls are left?",
            format!("{}, two for each bit tested.", count(all.calls, "call", "calls")),
        ),
        Way::Bytes => (
            "How many loads will it take, when eight bits are seen at once?",
            format!(
                "{}: the bytes, and the bits of the last ones.",
                count(all.loads, "load", "loads")
            ),
        ),
        Way::Words => (
            "And with 64 bits at once?",
            format!("{}: words, then bytes, then bits.", count(all.loads, "load", "loads")),
        ),
        Way::Vectors => (
            "How many questions with two outcomes are left?",
            format!(
                "{}: one serves eight vectors, and no bit is tested by itself.",
                count(all.branches, "branch", "branches")
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Pattern, Take};

    fn course(way: Way, pattern: Pattern) -> (Bitmap, Course<Act>) {
        let bits = pattern.bitmap(4096).expect("small");
        let take = Take { way, has_cursor: false, wanted: WANTED };
        let course = Course::record(|watch| {
            take.run(&mut bits.clone(), 1024, watch);
        });
        (bits, course)
    }

    #[test]
    fn every_step_of_every_way_has_a_row_a_line_and_a_sentence() {
        for pattern in Pattern::ALL {
            for way in Way::ALL {
                let (bits, course) = course(way, pattern);
                assert!(!course.is_cut());
                for step in 0..=course.len() {
                    let act = course.at(step);
                    assert!(!said(act, &bits).is_empty());
                    let rows = rows(&course, step, &bits);
                    let here: Vec<&Row> =
                        rows.iter().filter(|row| row.place == Place::Here).collect();
                    assert_eq!(here.len(), 1, "{way:?}, step {step}");
                    assert!(!registers(act, here[0]).is_empty());
                    if let Some(act) = act {
                        assert!(line(way, act) < code(way).len());
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_shown_after_a_step_is_the_same_whichever_way_one_came() {
        let (bits, course) = course(Way::Words, Pattern::HalfFull);
        let forth: Vec<_> = (0..=course.len()).map(|step| rows(&course, step, &bits)).collect();
        for step in (0..=course.len()).rev() {
            assert_eq!(rows(&course, step, &bits), forth[step]);
        }
    }

    #[test]
    fn what_was_taken_is_set_from_then_on() {
        let (bits, course) = course(Way::Vectors, Pattern::HalfFull);
        let last = rows(&course, course.len(), &bits);
        let taken: u32 = last.iter().map(|row| row.taken.count_ones()).sum();
        assert_eq!(taken, WANTED);
        assert!(last.iter().all(|row| row.value & row.taken == row.taken));
        let first = rows(&course, 0, &bits);
        assert!(first.iter().all(|row| row.taken == 0));
    }

    #[test]
    fn a_row_tells_what_its_search_did() {
        let (bits, course) = course(Way::Words, Pattern::HalfFull);
        let found = course.next_event(1, |act| matches!(act, Act::Found { .. }));
        let rows = rows(&course, found, &bits);
        let done: Vec<&str> = rows.iter().map(|row| row.done.as_str()).collect();
        // 2085 bits are set: 32 words, then 4 bytes and 5 bits of the next.
        let here = rows.iter().position(|row| row.place == Place::Here).expect("one is");
        assert_eq!(rows[here].word, 32);
        assert_eq!(done[here], "1 word, 5 bytes, 6 bits");
        assert_eq!(done[here - 1], "1 word");
        assert_eq!(done[here + 1], "");
    }

    #[test]
    fn a_short_bitmap_has_short_rows() {
        let bits = Pattern::Full.bitmap(70).expect("small");
        let course = Course::record(|watch| {
            let take = Take { way: Way::Bytes, has_cursor: true, wanted: 100 };
            take.run(&mut bits.clone(), 70, watch);
        });
        let rows = rows(&course, course.len(), &bits);
        assert_eq!(rows.iter().map(|row| row.len).collect::<Vec<_>>(), [64, 6]);
        assert_eq!(course.at(course.len()), Some(Act::Nothing));
    }
}
