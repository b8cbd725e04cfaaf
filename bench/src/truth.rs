//! What bitmaps say, counted bit by bit: slow, and too simple to be wrong.

/// Free runs of a filesystem whose groups come in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// Groups.
    pub groups: u64,
    /// Bitmaps that lie on the disk.
    pub on_disk: u64,
    /// Runs of those that lie side by side, in the order of groups.
    pub bitmap_runs: u64,
    /// Where the next bitmap would lie beside the last.
    next_bitmap: u64,
    /// Free blocks.
    pub free: u64,
    /// Runs of free blocks that ended.
    pub runs: u64,
    /// Runs whose length has so many digits in base two, less one, and their blocks.
    pub lengths: [(u64, u64); 64],
    /// Blocks of the run that goes on.
    run: u64,
}

impl Default for Truth {
    fn default() -> Self {
        let lengths = [(0, 0); 64];
        Self {
            groups: 0,
            on_disk: 0,
            bitmap_runs: 0,
            next_bitmap: 0,
            free: 0,
            runs: 0,
            lengths,
            run: 0,
        }
    }
}

impl Truth {
    /// Counts a group's bitmap of so many bits, which lies in block `at` or nowhere.
    pub fn add(&mut self, at: Option<u64>, bitmap: &[u8], bits: u64) {
        self.groups += 1;
        if let Some(at) = at {
            self.on_disk += 1;
            self.bitmap_runs += u64::from(at != self.next_bitmap);
            self.next_bitmap = at + 1;
        }
        for bit in 0..bits {
            if bitmap[(bit / 8) as usize] >> (bit % 8) & 1 == 0 {
                self.run += 1;
                self.free += 1;
            } else {
                self.end_run();
            }
        }
    }

    /// Ends the last run.
    #[must_use]
    pub fn finish(mut self) -> Self {
        self.end_run();
        self
    }

    fn end_run(&mut self) {
        if let Some(log) = self.run.checked_ilog2() {
            self.runs += 1;
            let (runs, blocks) = &mut self.lengths[log as usize];
            *runs += 1;
            *blocks += self.run;
        }
        self.run = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_go_on_from_group_to_group() {
        let mut truth = Truth::default();
        truth.add(Some(20), &[0b0000_0001, 0xff], 8);
        truth.add(Some(21), &[0b1100_0000], 8);
        truth.add(None, &[0], 4);
        let truth = truth.finish();
        assert_eq!((truth.free, truth.runs), (17, 2));
        assert_eq!((truth.lengths[3], truth.lengths[2]), ((1, 13), (1, 4)));
        assert_eq!((truth.groups, truth.on_disk, truth.bitmap_runs), (3, 2, 1));
    }
}
