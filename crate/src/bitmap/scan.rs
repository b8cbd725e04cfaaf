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
        let mut scan = ClearRuns { start: None, see: &mut see };
        let words = bits.words();
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            // What is open goes on as it is; where runs are short this costs next to nothing.
            at += (kernels().skip)(rest, if scan.is_set() { u64::MAX } else { 0 });
            let part = bits.words_from(at);
            let part = part.get(..EDGE_WORDS).unwrap_or(part);
            (kernels().edges)(part, scan.is_set(), &mut self.edges);
            scan.edges(bit_at(at), self.edges.places());
            at += part.len();
        }
        if !bits.len().is_multiple_of(64) {
            // Set padding ends a run at the end.
            let tail = (bits.tail() | u64::MAX << (bits.len() % 64)).to_le_bytes();
            (kernels().edges)(&[tail], scan.is_set(), &mut self.edges);
            scan.edges(bit_at(words.len()), self.edges.places());
        }
        if let Some(start) = scan.start {
            see(start..bits.len());
        }
    }
}

/// Makes runs of edges.
struct ClearRuns<'a, F> {
    /// Where the run of clear bits began that has not ended.
    start: Option<u64>,
    see: &'a mut F,
}

impl<F: FnMut(Range<u64>)> ClearRuns<'_, F> {
    /// Whether the last bit was set; before the first one it counts as set.
    fn is_set(&self) -> bool {
        self.start.is_none()
    }

    /// Takes edges, counted from bit `base`.
    fn edges(&mut self, base: u64, mut places: &[u16]) {
        let bit = |place: u16| base + u64::from(place);
        if let (Some(start), Some((first, rest))) = (self.start, places.split_first()) {
            (self.see)(start..bit(*first));
            self.start = None;
            places = rest;
        }
        let (runs, open) = places.as_chunks();
        for [start, end] in runs {
            (self.see)(bit(*start)..bit(*end));
        }
        if let [start] = open {
            self.start = Some(bit(*start));
        }
    }
}
