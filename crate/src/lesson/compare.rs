//! Comparing the bitmap that was found with the one on the disk, as pass 5 of e2fsck does.
//!
//! Until November 2012 that went bit by bit: 161 s of CPU for a nearly full filesystem of 4 TB.
//! Comparing a bitmap block at a time, and looking at bits only where it differs, took 10.5 s.
//! Each [`CompareWay`] is run here as it is; all tell the same differences.
//!
//! Ref: `check_block_bitmaps` (e2fsck/pass5.c).

use core::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Tally, Watch};
use crate::bitmap::kernel::kernels;
use crate::bitmap::{Bitmap, Bits, BitsMut};

/// A way to compare two bitmaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CompareWay {
    /// A test of each bit in both, by calls.
    #[default]
    Bits,
    /// The bytes of a group at once, and bit by bit where they differ.
    Blocks,
    /// Words by extscope's kernels, and the bits of the words that differ.
    Words,
}

impl CompareWay {
    /// All of them, the oldest first.
    pub const ALL: [Self; 3] = [Self::Bits, Self::Blocks, Self::Words];
}

/// A step of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareAct {
    /// A bit was tested in both.
    Bit {
        /// The bit.
        bit: u32,
        /// Whether it is set in what was found.
        found: bool,
        /// Whether it is set on the disk.
        disk: bool,
    },
    /// The bytes of a group were compared.
    Block {
        /// The group.
        group: u32,
        /// Whether they are equal; then their set bits were counted.
        is_equal: bool,
    },
    /// Words were compared.
    Words {
        /// The first word.
        word: u32,
        /// How many are equal, one after another.
        equal: u32,
    },
    /// A word that differs: which of its bits do is one operation.
    Differ {
        /// The word.
        word: u32,
    },
    /// Bits that differ, one after another in the same way, are told of.
    Tell {
        /// The first bit.
        first: u32,
        /// The end.
        end: u32,
        /// Whether they are set on the disk only.
        on_disk: bool,
    },
}

/// Bits that differ, one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The bits.
    pub bits: Range<u32>,
    /// Whether they are set on the disk only.
    pub on_disk: bool,
}

/// What was found in a check, and what is on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compare {
    /// What was found.
    pub found: Bitmap,
    /// What is on the disk.
    pub disk: Bitmap,
    /// Bits of a group.
    pub per_group: u32,
}

/// Two bits by calls, two loads, and the questions: the end? in range, twice? different?
const TWO_BITS: Tally = Tally { tests: 2, calls: 4, branches: 4, ..Tally::NONE };
/// The end? equal?
const COMPARED: Tally = Tally::branches(2);

impl Compare {
    /// A bitmap beside itself with some bits turned round: what a crash may leave.
    #[must_use]
    pub fn with_faults(disk: Bitmap, per_group: u32, faults: &[Range<u32>]) -> Self {
        let mut found = disk.clone();
        for bit in faults.iter().cloned().flatten() {
            if disk.test(bit.into()) {
                found.unmark(bit.into());
            } else {
                found.mark(bit.into());
            }
        }
        Self { found, disk, per_group: per_group.max(1) }
    }

    /// Compares them; gives the differences in order.
    pub fn run(&self, way: CompareWay, watch: &mut impl Watch<CompareAct>) -> Vec<Difference> {
        let mut telling = Telling::default();
        let len = u32::try_from(self.found.len().min(self.disk.len())).unwrap_or(u32::MAX);
        match way {
            CompareWay::Bits => self.by_bits(0..len, &mut telling, watch),
            CompareWay::Blocks => {
                for group in 0..len.div_ceil(self.per_group) {
                    let first = group.saturating_mul(self.per_group);
                    let end = first.saturating_add(self.per_group).min(len);
                    let is_equal = self.is_equal_group(first..end, watch);
                    watch.act(CompareAct::Block { group, is_equal });
                    if !is_equal {
                        self.by_bits(first..end, &mut telling, watch);
                    }
                }
            }
            CompareWay::Words => self.by_words(&mut telling, watch),
        }
        telling.end(watch);
        telling.differences
    }

    fn by_bits(&self, bits: Range<u32>, telling: &mut Telling, watch: &mut impl Watch<CompareAct>) {
        for bit in bits {
            let (found, disk) = (test(&self.found, bit), test(&self.disk, bit));
            watch.work(TWO_BITS);
            watch.load(u64::from(bit) / 8, 1, 2);
            watch.act(CompareAct::Bit { bit, found, disk });
            telling.take(bit, found, disk, watch);
        }
    }

    /// Compares the bytes of a group and counts the set ones where they are equal. Groups do not
    /// end amid a byte, as on the disk; the last one may.
    fn is_equal_group(&self, bits: Range<u32>, watch: &mut impl Watch<CompareAct>) -> bool {
        let bytes = bits.start as usize / 8..bits.end.div_ceil(8) as usize;
        let (found, disk) = (self.found.as_bytes(), self.disk.as_bytes());
        let (found, disk) = (found.get(bytes.clone()), disk.get(bytes.clone()));
        let is_equal = found == disk;
        let len = bytes.len() as u64;
        watch.work(Tally { calls: 1, branches: 1, ..Tally::NONE });
        watch.load(bytes.start as u64, len, 2 * len.div_ceil(8));
        if is_equal {
            core::hint::black_box(self.disk.count_range(bits.start.into()..bits.end.into()));
            watch.work(Tally { calls: 1, ..Tally::NONE });
        }
        is_equal
    }

    fn by_words(&self, telling: &mut Telling, watch: &mut impl Watch<CompareAct>) {
        let (found, disk) =
            (self.found.as_bytes().as_chunks().0, self.disk.as_bytes().as_chunks().0);
        let words = found.len().min(disk.len());
        let vector = kernels().search_words as u64;
        let mut at = 0;
        while at < words {
            let (a, b) = (found.get(at..).unwrap_or_default(), disk.get(at..).unwrap_or_default());
            let (equal, count) = (kernels().compare)(a, b);
            core::hint::black_box(count);
            let vectors = (equal as u64 + 1).div_ceil(vector);
            watch.work(Tally { calls: 1, branches: vectors, ..Tally::NONE });
            watch.load(at as u64 * 8, equal as u64 * 8, 2 * vectors);
            watch.act(CompareAct::Words { word: at as u32, equal: equal as u32 });
            at += equal;
            let (Some(a), Some(b)) = (found.get(at), disk.get(at)) else { break };
            watch.work(COMPARED);
            watch.load(at as u64 * 8, 8, 2);
            watch.act(CompareAct::Differ { word: at as u32 });
            let (a, b) = (u64::from_le_bytes(*a), u64::from_le_bytes(*b));
            let mut differ = a ^ b;
            while differ != 0 {
                let bit = differ.trailing_zeros();
                telling.take(at as u32 * 64 + bit, a >> bit & 1 == 1, b >> bit & 1 == 1, watch);
                differ &= differ - 1;
            }
            at += 1;
        }
    }
}

/// Ref: `ext2fs_fast_test_block_bitmap2`.
#[inline(never)]
fn test(bits: &Bitmap, bit: u32) -> bool {
    bits.test(bit.into())
}

/// Joins bits that differ in the same way, one after another.
#[derive(Default)]
struct Telling {
    open: Option<Difference>,
    differences: Vec<Difference>,
}

impl Telling {
    fn take(&mut self, bit: u32, found: bool, disk: bool, watch: &mut impl Watch<CompareAct>) {
        let goes_on = |it: &Difference| found != disk && it.bits.end == bit && it.on_disk == disk;
        if let Some(open) = self.open.as_mut().filter(|open| goes_on(open)) {
            open.bits.end = bit + 1;
            return;
        }
        self.end(watch);
        if found != disk {
            self.open = Some(Difference { bits: bit..bit + 1, on_disk: disk });
        }
    }

    fn end(&mut self, watch: &mut impl Watch<CompareAct>) {
        if let Some(difference) = self.open.take() {
            let Range { start: first, end } = difference.bits;
            watch.act(CompareAct::Tell { first, end, on_disk: difference.on_disk });
            self.differences.push(difference);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lesson::{Meter, Pattern, Unwatched};

    fn work(way: CompareWay, faults: &[Range<u32>]) -> Tally {
        let disk = Pattern::HalfFull.bitmap(1 << 15).expect("small");
        let mut meter = Meter::default();
        Compare::with_faults(disk, 1 << 12, faults).run(way, &mut meter);
        meter.tally
    }

    #[test]
    fn the_work_bit_by_bit_is_the_closed_formula() {
        let bits = 1 << 15;
        let expected = Tally {
            tests: 2 * bits,
            calls: 4 * bits,
            branches: 4 * bits,
            loads: 2 * bits,
            bytes: bits,
            lines: bits / 512,
            divisions: 0,
        };
        assert_eq!(work(CompareWay::Bits, &[]), expected);
        assert_eq!(work(CompareWay::Bits, &[5..9, 10_000..10_001]), expected);
    }

    #[test]
    fn the_work_by_blocks_is_that_of_bits_only_where_a_group_differs() {
        let group = 1 << 12;
        for (faults, differing) in
            [(vec![], 0), (vec![5..9, 20..21], 1), (vec![5..9, 4095..4097], 2)]
        {
            let tally = work(CompareWay::Blocks, &faults);
            assert_eq!(tally.tests, 2 * group * differing, "{faults:?}");
            assert_eq!(tally.loads, 8 * group / 32 + 2 * group * differing, "{faults:?}");
            assert_eq!(tally.calls, 16 - differing + 4 * group * differing, "{faults:?}");
        }
    }

    #[test]
    fn by_words_no_bit_is_tested_and_words_that_differ_are_looked_at_once_more() {
        let words = (1 << 15) / 64;
        for (faults, differing) in
            [(vec![], 0), (vec![5..9, 20..21], 1), (vec![60..70, 9000..9001], 3)]
        {
            let tally = work(CompareWay::Words, &faults);
            assert_eq!((tally.tests, tally.bytes), (0, 8 * words), "{faults:?}");
            assert_eq!(tally.calls, differing + 1, "{faults:?}");
        }
    }

    proptest! {
        #[test]
        fn all_ways_tell_the_same_differences(
            len in 0_u64..3000,
            used in prop::collection::vec((0_u64..3000, 0_u64..300), 0..10),
            faults in prop::collection::vec((0_u32..3000, 0_u32..100), 0..8),
            groups in 1_u32..60,
        ) {
            let mut disk = Bitmap::new(len).expect("small");
            used.into_iter().for_each(|(at, len)| {
                disk.mark_range(at..at + len);
            });
            let faults: Vec<_> = faults.into_iter().map(|(at, len)| at..at + len).collect();
            let compare = Compare::with_faults(disk, groups * 8, &faults);
            let mut naive = Vec::new();
            for bit in 0..len as u32 {
                let (found, disk) = (compare.found.test(bit.into()), compare.disk.test(bit.into()));
                if found != disk {
                    naive.push((bit, disk));
                }
            }
            for way in CompareWay::ALL {
                let told = compare.run(way, &mut Unwatched);
                let bits: Vec<_> = told
                    .iter()
                    .flat_map(|it| it.bits.clone().map(|bit| (bit, it.on_disk)))
                    .collect();
                prop_assert_eq!(&bits, &naive, "{:?}", way);
                // As long as they can be: no two follow one another in the same way.
                let joined = told.windows(2).all(|pair| {
                    pair[0].bits.end != pair[1].bits.start || pair[0].on_disk != pair[1].on_disk
                });
                prop_assert!(joined, "{told:?}");
            }
        }
    }
}
