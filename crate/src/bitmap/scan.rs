//! Going over the runs of whole bitmaps.

use core::ops::Range;

use super::kernel::{EDGE_WORDS, Edges, kernels};
use super::view::bit_at;
use super::{BitmapRef, Bits};

/// Goes over runs by the edges kernel: several times faster than [`super::Runs`] where there are
/// many, and holds room for edges that is worth keeping from one bitmap to the next.
#[derive(Clone, Debug, Default)]
pub struct RunScan {
    edges: Box<Edges>,
}

impl RunScan {
    /// Shows the longest ranges of clear bits, in order.
    pub fn clear_runs(&mut self, bits: BitmapRef<'_>, mut see: impl FnMut(Range<u64>)) {
        self.scan(bits, &mut see);
    }

    /// The same for whoever takes many runs at once.
    pub(super) fn scan(&mut self, bits: BitmapRef<'_>, sink: &mut impl RunSink) {
        let mut scan = ClearRuns { start: None, sink };
        let words = bits.words();
        let mut at = 0;
        let mut is_uniform = true;
        while at < words.len() {
            // Where the last words had no edge, more of that kind are likely.
            if is_uniform {
                at += (kernels().skip)(bits.words_from(at), scan.uniform());
            }
            let part = bits.words_from(at);
            let part = part.get(..EDGE_WORDS).unwrap_or(part);
            (kernels().edges)(part, scan.is_set(), &mut self.edges);
            scan.edges(bit_at(at), self.edges.places());
            is_uniform = self.edges.places().is_empty();
            at += part.len();
        }
        if !bits.len().is_multiple_of(64) {
            // Set padding ends a run at the end.
            let tail = (bits.tail() | u64::MAX << (bits.len() % 64)).to_le_bytes();
            (kernels().edges)(&[tail], scan.is_set(), &mut self.edges);
            scan.edges(bit_at(words.len()), self.edges.places());
        }
        if let Some(start) = scan.start {
            scan.sink.run(start..bits.len());
        }
    }
}

/// Takes runs of clear bits, in order.
pub(super) trait RunSink {
    /// Takes one.
    fn run(&mut self, run: Range<u64>);

    /// Takes those of a part that begins at bit `base`, by their starts and ends.
    #[inline]
    fn runs(&mut self, base: u64, runs: &[[u16; 2]]) {
        for [start, end] in runs {
            self.run(base + u64::from(*start)..base + u64::from(*end));
        }
    }
}

impl<F: FnMut(Range<u64>)> RunSink for F {
    #[inline]
    fn run(&mut self, run: Range<u64>) {
        self(run);
    }
}

/// Makes runs of edges.
struct ClearRuns<'a, S> {
    /// Where the run of clear bits began that has not ended.
    start: Option<u64>,
    sink: &'a mut S,
}

impl<S: RunSink> ClearRuns<'_, S> {
    /// Whether the last bit was set; before the first one it counts as set.
    fn is_set(&self) -> bool {
        self.start.is_none()
    }

    /// A word in which nothing changes.
    fn uniform(&self) -> u64 {
        if self.is_set() { u64::MAX } else { 0 }
    }

    /// Takes edges, counted from bit `base`.
    fn edges(&mut self, base: u64, mut places: &[u16]) {
        let bit = |place: u16| base + u64::from(place);
        if let (Some(start), Some((first, rest))) = (self.start, places.split_first()) {
            self.sink.run(start..bit(*first));
            self.start = None;
            places = rest;
        }
        let (runs, open) = places.as_chunks();
        self.sink.runs(base, runs);
        if let [start] = open {
            self.start = Some(bit(*start));
        }
    }
}
