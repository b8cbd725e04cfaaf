//! Finding a free inode, in the six ways in which it has been done.
//!
//! Debian's bug 663237 of March 2012 tells the story: shrinking a filesystem took 3400 s of CPU to
//! look for free inodes, bit by bit, each search from the start. It measured what moving the
//! division out of the loop, one call less, bytes and words came to. Each is a [`Way`] here.
//!
//! Ref: `ext2fs_new_inode` (lib/ext2fs/alloc.c), `ext2fs_find_first_zero_inode_bitmap2`.

use serde::{Deserialize, Serialize};

use super::{Tally, Watch};
use crate::bitmap::kernel::kernels;
use crate::bitmap::{Bitmap, Bits, BitsMut};

/// A way to find the first free inode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Way {
    /// Bit by bit, with a division for each to see whether a group begins.
    #[default]
    Modulo,
    /// Bit by bit, counting down to where a group begins.
    Hoisted,
    /// The same without the functions for bitmaps of 32 bits between.
    Direct,
    /// Bytes compared with 0xff.
    Bytes,
    /// Words of 64 bits compared with all ones, where they are aligned.
    Words,
    /// Vectors: extscope's own kernels.
    Vectors,
}

impl Way {
    /// All of them, the oldest first.
    pub const ALL: [Self; 6] =
        [Self::Modulo, Self::Hoisted, Self::Direct, Self::Bytes, Self::Words, Self::Vectors];
}

/// A step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A search begins at this bit.
    Search {
        /// The bit.
        from: u32,
    },
    /// A bit was tested by itself.
    Bit {
        /// The bit.
        bit: u32,
        /// Whether it is set.
        is_set: bool,
    },
    /// A byte was compared with 0xff.
    Byte {
        /// The byte.
        byte: u32,
        /// Whether all its bits are set.
        is_full: bool,
    },
    /// A word was compared with all ones.
    Word {
        /// The word.
        word: u32,
        /// Whether all its bits are set.
        is_full: bool,
    },
    /// Vectors went over words that are full.
    Vectors {
        /// The first word.
        word: u32,
        /// How many are full.
        words: u32,
    },
    /// A free inode was found and is taken.
    Found {
        /// Its bit.
        bit: u32,
        /// Its group.
        group: u32,
    },
    /// There is no free inode.
    Nothing,
}

/// Taking free inodes, one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Take {
    /// How each is found.
    pub way: Way,
    /// Whether a search begins where the last one ended, and not at the start.
    pub has_cursor: bool,
    /// How many are wanted.
    pub wanted: u32,
}

/// Bits that are looked at, so that rounding up to words stays below 2³².
const MOST_BITS: u32 = 1 << 31;

impl Take {
    /// Takes them: marks them, and gives their bits. Only finding them counts as work.
    ///
    /// Of a bitmap no more than 2³¹ bits are looked at.
    pub fn run(
        self,
        bits: &mut Bitmap,
        inodes_per_group: u32,
        watch: &mut impl Watch<Act>,
    ) -> Vec<u32> {
        let mut found = Vec::new();
        let mut from = 0;
        while found.len() < self.wanted as usize {
            watch.act(Act::Search { from });
            let map = Map::new(bits, inodes_per_group);
            let Some(Place { bit, group }) = map.first_clear(self.way, from, watch) else {
                watch.act(Act::Nothing);
                break;
            };
            watch.act(Act::Found { bit, group });
            bits.mark(bit.into());
            found.push(bit);
            if self.has_cursor {
                from = bit + 1;
            }
        }
        found
    }
}

/// Where a free inode is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    bit: u32,
    /// Its group, whose descriptor must be changed, too.
    group: u32,
}

/// An inode bitmap of all groups.
#[derive(Clone, Copy)]
struct Map<'a> {
    bits: &'a Bitmap,
    bytes: &'a [u8],
    len: u32,
    per_group: u32,
    /// Ref: `test_bmap` of `struct ext2_bitmap_ops`.
    test: TestBit,
}

/// Tests a bit of one kind of bitmap.
type TestBit = fn(&Map<'_>, u32) -> bool;

/// The work on a bit with a division, three calls, and the questions: the end? a group? inside? set?
const MODULO_BIT: Tally = Tally { divisions: 1, ..HOISTED_BIT };
const HOISTED_BIT: Tally = Tally { calls: 3, branches: 4, ..BIT };
/// Two calls, and a question less.
const DIRECT_BIT: Tally = Tally { calls: 2, branches: 3, ..BIT };
/// The end? set?
const INLINE_BIT: Tally = Tally { branches: 2, ..BIT };
const BIT: Tally = Tally { tests: 1, ..Tally::NONE };
/// The end? full?
const COMPARED: Tally = Tally::branches(2);
const DIVISION: Tally = Tally { divisions: 1, ..Tally::NONE };

/// Vectors that the kernel joins under one question.
const VECTORS_A_BRANCH: u64 = 8;

impl<'a> Map<'a> {
    fn new(bits: &'a Bitmap, inodes_per_group: u32) -> Self {
        let len = u32::try_from(bits.len()).unwrap_or(MOST_BITS).min(MOST_BITS);
        Self {
            bits,
            bytes: bits.as_bytes(),
            len,
            per_group: inodes_per_group.max(1),
            test: test_bit,
        }
    }

    /// The first clear bit at or after `from`.
    fn first_clear(self, way: Way, from: u32, watch: &mut impl Watch<Act>) -> Option<Place> {
        let of_32 = Self { test: test_bitmap, ..self };
        match way {
            Way::Modulo => of_32.by_modulo(from, watch),
            Way::Hoisted => of_32.counting_down(from, HOISTED_BIT, watch),
            Way::Direct => self.counting_down(from, DIRECT_BIT, watch),
            Way::Bytes => self.by_bytes(from, watch),
            Way::Words => self.by_words(from, watch),
            Way::Vectors => self.by_vectors(from, watch),
        }
    }

    fn by_modulo(self, from: u32, watch: &mut impl Watch<Act>) -> Option<Place> {
        watch.work(DIVISION);
        let mut group = from / self.per_group;
        for bit in from..self.len {
            if bit % self.per_group == 0 && bit != from {
                group += 1;
            }
            let is_set = test_bmap(&self, bit);
            watch.work(MODULO_BIT);
            self.tested(bit, is_set, watch);
            if !is_set {
                return Some(Place { bit, group });
            }
        }
        None
    }

    fn counting_down(self, from: u32, work: Tally, watch: &mut impl Watch<Act>) -> Option<Place> {
        watch.work(DIVISION);
        let (mut group, mut left) = (from / self.per_group, self.per_group - from % self.per_group);
        for bit in from..self.len {
            if left == 0 {
                group += 1;
                left = self.per_group;
            }
            left -= 1;
            let is_set = test_bmap(&self, bit);
            watch.work(work);
            self.tested(bit, is_set, watch);
            if !is_set {
                return Some(Place { bit, group });
            }
        }
        None
    }

    fn by_bytes(self, from: u32, watch: &mut impl Watch<Act>) -> Option<Place> {
        let byte = from.div_ceil(8);
        let bit = self.by_bits(from, byte * 8, watch).or_else(|| {
            let byte = self.skip_bytes(byte, self.len.div_ceil(8), watch);
            self.by_bits(byte * 8, self.len, watch)
        });
        self.place(bit?, watch)
    }

    fn by_words(self, from: u32, watch: &mut impl Watch<Act>) -> Option<Place> {
        let byte = from.div_ceil(8);
        let word = byte.div_ceil(8);
        let bit = self.by_bits(from, byte * 8, watch).or_else(|| {
            let end = (word * 8).min(self.len.div_ceil(8));
            let mut byte = self.skip_bytes(byte, end, watch);
            if byte == word * 8 {
                byte = self.skip_words(word, watch) * 8;
                byte = self.skip_bytes(byte, self.len.div_ceil(8), watch);
            }
            self.by_bits(byte * 8, self.len, watch)
        });
        self.place(bit?, watch)
    }

    fn by_vectors(self, from: u32, watch: &mut impl Watch<Act>) -> Option<Place> {
        let view = self.bits.view();
        let word_at = |at: usize| match view.words().get(at) {
            Some(word) => u64::from_le_bytes(*word),
            None => view.tail(),
        };
        let mut at = from as usize / 64;
        let mut clear = !word_at(at) & (u64::MAX << (from % 64));
        watch.work(COMPARED);
        watch.load(at as u64 * 8, 8, 1);
        watch.act(Act::Word { word: at as u32, is_full: clear == 0 });
        if clear == 0 {
            let kernels = kernels();
            let words = view.words().get(at + 1..).unwrap_or_default();
            let full = (kernels.skip)(words, u64::MAX);
            let vectors = (full as u64 + 1).div_ceil(kernels.search_words as u64);
            watch.work(Tally {
                calls: 1,
                branches: vectors.div_ceil(VECTORS_A_BRANCH),
                ..Tally::NONE
            });
            watch.load((at as u64 + 1) * 8, full as u64 * 8, vectors);
            watch.act(Act::Vectors { word: at as u32 + 1, words: full as u32 });
            at += 1 + full;
            clear = !word_at(at);
            watch.work(Tally::branches(1));
            watch.load(at as u64 * 8, 8, 0);
            watch.act(Act::Word { word: at as u32, is_full: clear == 0 });
        }
        let bit = at as u32 * 64 + clear.trailing_zeros();
        self.place(Some(bit).filter(|bit| *bit < self.len)?, watch)
    }

    /// The first clear bit of a range, tested one by one without calls.
    fn by_bits(self, from: u32, end: u32, watch: &mut impl Watch<Act>) -> Option<u32> {
        for bit in from..end.min(self.len) {
            let byte = self.bytes.get(bit as usize / 8).copied().unwrap_or_default();
            let is_set = byte >> (bit % 8) & 1 == 1;
            watch.work(INLINE_BIT);
            self.tested(bit, is_set, watch);
            if !is_set {
                return Some(bit);
            }
        }
        None
    }

    /// The first byte from `from` to `end` that is not full, or `end`.
    fn skip_bytes(self, from: u32, end: u32, watch: &mut impl Watch<Act>) -> u32 {
        for byte in from..end {
            let is_full = self.bytes.get(byte as usize) == Some(&0xff);
            watch.work(COMPARED);
            watch.load(byte.into(), 1, 1);
            watch.act(Act::Byte { byte, is_full });
            if !is_full {
                return byte;
            }
        }
        end
    }

    /// The first word from `from` on that is not full, or where the whole words end.
    fn skip_words(self, from: u32, watch: &mut impl Watch<Act>) -> u32 {
        let words = self.bits.view().words();
        for word in from..words.len() as u32 {
            let is_full = words.get(word as usize) == Some(&[0xff; 8]);
            watch.work(COMPARED);
            watch.load(u64::from(word) * 8, 8, 1);
            watch.act(Act::Word { word, is_full });
            if !is_full {
                return word;
            }
        }
        from.max(words.len() as u32)
    }

    /// Tells of a bit that was tested.
    #[inline(always)]
    fn tested(self, bit: u32, is_set: bool, watch: &mut impl Watch<Act>) {
        watch.load(u64::from(bit) / 8, 1, 1);
        watch.act(Act::Bit { bit, is_set });
    }

    /// A bit with its group.
    fn place(self, bit: u32, watch: &mut impl Watch<Act>) -> Option<Place> {
        watch.work(DIVISION);
        Some(Place { bit, group: bit / self.per_group })
    }
}

/// One place from which every kind of bitmap is tested, so that all ways pay the same for it.
///
/// Ref: `ext2fs_test_generic_bmap`.
#[inline(never)]
fn test_bmap(map: &Map<'_>, bit: u32) -> bool {
    (map.test)(map, bit)
}

/// Ref: `ext2fs_test_generic_bitmap`, for bitmaps of 32 bits.
#[inline(never)]
fn test_bitmap(map: &Map<'_>, bit: u32) -> bool {
    bit < map.len && test_bit(map, bit)
}

/// Ref: `ext2fs_test_bit`.
#[inline(never)]
fn test_bit(map: &Map<'_>, bit: u32) -> bool {
    map.bytes.get(bit as usize / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lesson::{Course, Meter, Pattern, Unwatched};

    /// The bits that are clear, in order, by the definition.
    fn naive(bits: &Bitmap, wanted: u32) -> Vec<u32> {
        let clear = (0..bits.len()).filter(|bit| !bits.test(*bit));
        clear.take(wanted as usize).map(|bit| bit as u32).collect()
    }

    /// What takes inodes, and the work that it is.
    fn taken(take: Take, bits: &Bitmap, per_group: u32) -> (Vec<u32>, Tally) {
        let mut meter = Meter::default();
        let found = take.run(&mut bits.clone(), per_group, &mut meter);
        (found, meter.tally)
    }

    fn bitmap(len: u64, used: u64) -> Bitmap {
        let mut bits = Bitmap::new(len).expect("small");
        bits.mark_range(0..used);
        bits
    }

    /// The work of finding the first free bit after `used` ones.
    fn work(way: Way, used: u64) -> Tally {
        let take = Take { way, has_cursor: false, wanted: 1 };
        taken(take, &bitmap(1 << 16, used), 512).1
    }

    #[test]
    fn the_work_bit_by_bit_is_the_closed_formula() {
        for used in [0, 1, 7, 8, 63, 64, 511, 512, 513, 4096, 5001] {
            let tests = used + 1;
            let lines = used / 512 + 1;
            let bits = Tally { tests, loads: tests, bytes: tests, lines, ..Tally::NONE };
            let modulo =
                Tally { divisions: tests + 1, calls: 3 * tests, branches: 4 * tests, ..bits };
            assert_eq!(work(Way::Modulo, used), modulo, "{used}");
            assert_eq!(work(Way::Hoisted, used), Tally { divisions: 1, ..modulo }, "{used}");
            let direct = Tally { divisions: 1, calls: 2 * tests, branches: 3 * tests, ..bits };
            assert_eq!(work(Way::Direct, used), direct, "{used}");
        }
    }

    #[test]
    fn the_work_by_bytes_is_the_closed_formula() {
        for used in [0, 1, 7, 8, 63, 64, 511, 512, 513, 4096, 5001] {
            let (bytes, tests) = (used / 8 + 1, used % 8 + 1);
            let loads = bytes + tests;
            let branches = 2 * loads;
            let lines = used / 512 + 1;
            let expected =
                Tally { tests, loads, bytes: loads, lines, branches, divisions: 1, calls: 0 };
            assert_eq!(work(Way::Bytes, used), expected, "{used}");
        }
    }

    #[test]
    fn the_work_by_words_is_the_closed_formula() {
        for used in [0, 1, 7, 8, 63, 64, 511, 512, 513, 4096, 5001] {
            let (words, bytes, tests) = (used / 64 + 1, used % 64 / 8 + 1, used % 8 + 1);
            let loads = words + bytes + tests;
            let expected = Tally {
                tests,
                loads,
                bytes: 8 * words + bytes + tests,
                lines: used / 512 + 1,
                branches: 2 * loads,
                divisions: 1,
                calls: 0,
            };
            assert_eq!(work(Way::Words, used), expected, "{used}");
        }
    }

    #[test]
    fn the_work_by_vectors_is_the_closed_formula() {
        let vector = kernels().search_words as u64;
        for used in [0_u64, 1, 63, 64, 511, 512, 513, 4096, 5001] {
            let first =
                Tally { loads: 1, bytes: 8, lines: 1, branches: 2, divisions: 1, ..Tally::NONE };
            let words = used / 64;
            let expected = if words == 0 {
                first
            } else {
                let vectors = words.div_ceil(vector);
                Tally {
                    loads: 1 + vectors,
                    bytes: 8 * (words + 1),
                    lines: words / 8 + 1,
                    branches: 3 + vectors.div_ceil(8),
                    calls: 1,
                    ..first
                }
            };
            assert_eq!(work(Way::Vectors, used), expected, "{used}");
        }
    }

    #[test]
    fn searching_from_the_start_is_quadratic_and_a_cursor_makes_it_linear() {
        let (used, wanted) = (3000, 100);
        let tests = |has_cursor| {
            let take = Take { way: Way::Direct, has_cursor, wanted };
            taken(take, &bitmap(1 << 14, used), 512).1.tests
        };
        let wanted = u64::from(wanted);
        assert_eq!(tests(false), wanted * (used + 1) + wanted * (wanted - 1) / 2);
        assert_eq!(tests(true), used + wanted);
    }

    #[test]
    fn the_group_of_what_is_found_is_told_whatever_the_way() {
        for way in Way::ALL {
            for (used, group) in [(0, 0), (511, 0), (512, 1), (1500, 2)] {
                let mut acts = Vec::new();
                let take = Take { way, has_cursor: true, wanted: 2 };
                let course = Course::record(|watch| {
                    take.run(&mut bitmap(4096, used), 512, watch);
                });
                acts.extend(course.until(usize::MAX).iter().filter_map(|step| match step.act {
                    Act::Found { bit, group } => Some((bit, group)),
                    _ => None,
                }));
                let used = used as u32;
                let next = (used + 1, (used + 1) / 512);
                assert_eq!(acts, [(used, group), next], "{way:?}");
            }
        }
    }

    #[test]
    fn a_full_bitmap_has_nothing_to_give() {
        for way in Way::ALL {
            for len in [0, 1, 63, 64, 65, 200] {
                for has_cursor in [false, true] {
                    let take = Take { way, has_cursor, wanted: 3 };
                    let found = take.run(&mut bitmap(len, len), 10, &mut Unwatched);
                    assert_eq!(found, [0_u32; 0], "{way:?}, {len} bits");
                }
            }
        }
    }

    #[test]
    fn all_ways_find_the_same_in_every_pattern() {
        for pattern in Pattern::ALL {
            let bits = pattern.bitmap(3000).expect("small");
            for way in Way::ALL {
                for has_cursor in [false, true] {
                    let take = Take { way, has_cursor, wanted: 40 };
                    assert_eq!(
                        taken(take, &bits, 512).0,
                        naive(&bits, 40),
                        "{pattern:?}, {take:?}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn every_way_finds_what_the_oracle_finds_and_watching_changes_nothing(
            len in 0_u64..700,
            runs in prop::collection::vec((0_u64..700, 0_u64..200), 0..12),
            wanted in 0_u32..30,
            per_group in 0_u32..300,
            has_cursor: bool,
        ) {
            let mut bits = Bitmap::new(len).expect("small");
            runs.into_iter().for_each(|(at, len)| {
                bits.mark_range(at..at + len);
            });
            let expected = naive(&bits, wanted);
            for way in Way::ALL {
                let take = Take { way, has_cursor, wanted };
                let (found, tally) = taken(take, &bits, per_group);
                prop_assert_eq!(&found, &expected, "{:?}", way);
                let unwatched = take.run(&mut bits.clone(), per_group, &mut Unwatched);
                prop_assert_eq!(&unwatched, &expected, "{:?}", way);
                let course = Course::record(|watch| {
                    take.run(&mut bits.clone(), per_group, watch);
                });
                prop_assert_eq!(course.tally(usize::MAX), tally);
            }
        }
    }
}
