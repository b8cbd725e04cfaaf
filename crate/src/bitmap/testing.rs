//! The bit-by-bit oracle, and the laws that every form of bitmap keeps.

use core::ops::Range;

use proptest::prelude::*;

use super::{
    Bitmap, BitmapRef, Bits, BitsMut, Comparison, Differences, RunBitmap, Runs, compare,
    first_difference,
};

/// Bits one by one: slow, and too simple to be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Naive(pub(super) Vec<bool>);

impl Naive {
    fn position(&self, from: u64, set: bool) -> Option<u64> {
        (from..self.len()).find(|&bit| self.test(bit) == set)
    }

    fn fill(&mut self, range: Range<u64>, set: bool) {
        let len = self.len();
        range.take_while(|&bit| bit < len).for_each(|bit| self.0[bit as usize] = set);
    }
}

impl Bits for Naive {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn test(&self, bit: u64) -> bool {
        bit < self.len() && self.0[bit as usize]
    }

    fn next_set(&self, from: u64) -> Option<u64> {
        self.position(from, true)
    }

    fn next_clear(&self, from: u64) -> Option<u64> {
        self.position(from, false)
    }

    fn count_range(&self, range: Range<u64>) -> u64 {
        range.take_while(|&bit| bit < self.len()).filter(|&bit| self.test(bit)).count() as u64
    }
}

impl BitsMut for Naive {
    fn mark_range(&mut self, range: Range<u64>) -> bool {
        let seen = self.count_range(range.clone()) > 0;
        self.fill(range, true);
        seen
    }

    fn unmark_range(&mut self, range: Range<u64>) -> bool {
        let seen = self.count_range(range.clone()) > 0;
        self.fill(range, false);
        seen
    }
}

/// One change of a bitmap.
#[derive(Clone, Debug)]
enum Change {
    Mark(u64),
    Unmark(u64),
    MarkRange(Range<u64>),
    UnmarkRange(Range<u64>),
}

impl Change {
    fn apply(&self, bits: &mut impl BitsMut) -> bool {
        match self.clone() {
            Self::Mark(bit) => bits.mark(bit),
            Self::Unmark(bit) => bits.unmark(bit),
            Self::MarkRange(range) => bits.mark_range(range),
            Self::UnmarkRange(range) => bits.unmark_range(range),
        }
    }
}

/// Lengths around the borders of words and vectors, and past them.
fn any_len() -> impl Strategy<Value = u64> {
    prop_oneof![0..=4 * 512_u64, Just(0), Just(63), Just(64), Just(65), Just(512), Just(2048)]
}

/// Ranges inside, across the end, empty and reversed; short ones and long ones.
fn any_range() -> impl Strategy<Value = Range<u64>> {
    prop_oneof![
        (0..2200_u64, 0..70_u64).prop_map(|(start, len)| start..start + len),
        (0..2200_u64, 0..2200_u64).prop_map(|(start, end)| start..end),
        (0..2200_u64).prop_map(|start| start..u64::MAX),
    ]
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (0..2200_u64).prop_map(Change::Mark),
        (0..2200_u64).prop_map(Change::Unmark),
        any_range().prop_map(Change::MarkRange),
        any_range().prop_map(Change::UnmarkRange),
    ]
}

/// The same bits in all forms, after the same changes.
struct Forms {
    naive: Naive,
    dense: Bitmap,
    run: RunBitmap,
    /// The dense one's bytes at an odd address, and then padding that is set.
    bytes: Vec<u8>,
}

impl Forms {
    fn new(len: u64, changes: &[Change]) -> Self {
        let mut naive = Naive(vec![false; len as usize]);
        let mut dense = Bitmap::new(len).expect("small");
        let mut run = RunBitmap::new(len);
        for change in changes {
            let seen = change.apply(&mut naive);
            assert_eq!(change.apply(&mut dense), seen, "dense: {change:?}");
            assert_eq!(change.apply(&mut run), seen, "run: {change:?}");
        }
        let mut bytes = vec![0xff];
        bytes.extend(dense.as_bytes());
        bytes.push(0xff);
        for bit in len..dense.as_bytes().len() as u64 * 8 {
            bytes[1 + bit as usize / 8] |= 1 << (bit % 8);
        }
        Self { naive, dense, run, bytes }
    }

    fn view(&self) -> BitmapRef<'_> {
        BitmapRef::new(&self.bytes[1..], self.naive.len()).expect("enough bytes")
    }
}

/// Asserts that a form answers every question as the oracle does.
fn assert_same(form: &impl Bits, naive: &Naive, ranges: &[Range<u64>]) {
    assert_eq!(form.len(), naive.len());
    assert_eq!(form.count(), naive.count());
    assert!(form.set_runs().eq(naive.set_runs()));
    assert!(form.clear_runs().eq(naive.clear_runs()));
    for range in ranges {
        let at = range.start;
        assert_eq!(form.test(at), naive.test(at), "test {at}");
        assert_eq!(form.next_set(at), naive.next_set(at), "next_set {at}");
        assert_eq!(form.next_clear(at), naive.next_clear(at), "next_clear {at}");
        assert_eq!(form.count_range(range.clone()), naive.count_range(range.clone()), "{range:?}");
        for set in [false, true] {
            assert!(Runs::new(form, set, range.clone()).eq(Runs::new(naive, set, range.clone())));
        }
    }
}

proptest! {
    #[test]
    fn all_forms_are_one_set_of_bits(
        len in any_len(),
        changes in prop::collection::vec(any_change(), 0..40),
        ranges in prop::collection::vec(any_range(), 1..20),
    ) {
        let forms = Forms::new(len, &changes);
        assert_same(&forms.dense, &forms.naive, &ranges);
        assert_same(&forms.run, &forms.naive, &ranges);
        assert_same(&forms.view(), &forms.naive, &ranges);
        prop_assert_eq!(&Bitmap::from(forms.view()), &forms.dense);
    }

    #[test]
    fn claims_mark_and_show_what_was_marked(
        len in any_len(),
        changes in prop::collection::vec(any_change(), 0..20),
        ranges in prop::collection::vec(any_range(), 1..10),
    ) {
        let Forms { mut naive, mut dense, .. } = Forms::new(len, &changes);
        for range in ranges {
            let mut twice = Vec::new();
            dense.claim(range.clone(), |range| twice.push(range));
            prop_assert!(Runs::new(&naive, true, range.clone()).eq(twice));
            naive.mark_range(range);
            assert_same(&dense, &naive, &[]);
        }
    }

    #[test]
    fn set_runs_and_clear_runs_cover_all_once(
        len in any_len(),
        changes in prop::collection::vec(any_change(), 0..40),
    ) {
        let Forms { dense, .. } = Forms::new(len, &changes);
        let mut runs: Vec<_> = dense.set_runs().chain(dense.clear_runs()).collect();
        runs.sort_by_key(|run| run.start);
        let end = runs.iter().try_fold(0, |at, run| (run.start == at).then_some(run.end));
        prop_assert_eq!(end, Some(len));
    }

    #[test]
    fn marking_then_unmarking_leaves_nothing(
        len in any_len(),
        changes in prop::collection::vec(any_change(), 0..10),
        range in any_range(),
    ) {
        fn law(mut bits: impl BitsMut, range: Range<u64>) {
            let inside = bits.clip(range.clone());
            bits.mark_range(range.clone());
            assert_eq!(bits.count_range(range.clone()), inside.end - inside.start);
            bits.unmark_range(range.clone());
            assert_eq!(bits.count_range(range), 0);
        }
        let forms = Forms::new(len, &changes);
        law(forms.dense, range.clone());
        law(forms.run, range);
    }

    #[test]
    fn counts_are_those_of_the_parts(
        len in any_len(),
        changes in prop::collection::vec(any_change(), 0..20),
        each in prop_oneof![1..200_u64, Just(64), Just(512), Just(1024)],
    ) {
        let forms = Forms::new(len, &changes);
        let parts = (0..len).step_by(each as usize);
        let expected = parts.map(|at| forms.naive.count_range(at..at + each));
        let counts = forms.view().counts(each);
        prop_assert!(expected.eq(counts.into_iter().map(u64::from)));
    }

    #[test]
    fn differences_are_the_bits_that_differ(
        lens in (any_len(), any_len()),
        changes in prop::collection::vec(any_change(), 0..20),
        more in prop::collection::vec(any_change(), 0..3),
        ranges in prop::collection::vec(any_range(), 1..10),
    ) {
        let a = Forms::new(lens.0, &changes);
        let b = Forms::new(lens.1, &[changes, more].concat());
        let differ = a.naive.0.iter().zip(&b.naive.0).map(|(a, b)| a != b).collect();
        let differ = Naive(differ);
        assert_same(&Differences(&a.dense, &b.run), &differ, &ranges);
        assert_same(&Differences(a.view(), b.view()), &differ, &ranges);
        prop_assert_eq!(first_difference(&a.run, &b.dense), differ.next_set(0));
        let expected = match differ.next_set(0) {
            Some(bit) => Comparison::Differ(bit),
            None => Comparison::Equal(a.naive.count_range(0..differ.len())),
        };
        prop_assert_eq!(compare(a.view(), b.view()), expected);
        prop_assert_eq!(compare(a.dense.view(), b.view()), expected);
    }
}
