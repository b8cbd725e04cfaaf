//! Who says that a block is theirs, and what follows when several do.

use core::ops::Range;

use super::class::{BlockClass, Owner};
use crate::error::{Error, ErrorKind, Result};
use crate::fs::Geometry;
use crate::limits;
use crate::units::{Fsblk, Lblk};

/// Somebody says that blocks are theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    start: u64,
    len: u32,
    /// Block of the file that the first one is; [`UNMAPPED`] where that does not matter.
    lblk: u32,
    /// Who, and what the blocks are to them.
    pub owner: Owner,
}

const _: () = assert!(size_of::<Claim>() == 24);

impl Claim {
    /// The blocks, from the start of the filesystem.
    #[must_use]
    pub fn blocks(&self) -> Range<u64> {
        self.start..self.end()
    }

    fn end(&self) -> u64 {
        self.start.saturating_add(u64::from(self.len))
    }

    /// Block of the file that a claimed block is, where that matters.
    fn lblk_of(&self, block: u64) -> Option<u64> {
        let skip = block.checked_sub(self.start)?;
        (self.lblk != UNMAPPED).then(|| u64::from(self.lblk).saturating_add(skip))
    }
}

/// Claims that are sorted at once; of more, the lower half is told from the upper first.
const SORTED_AT_ONCE: usize = 1 << 16;

/// Of claims on what is no block of a file, and of all where clusters are single blocks.
const UNMAPPED: u32 = u32::MAX;

/// Claims kept beyond what a filesystem can need, so that what is wrong in a small one is told.
const SPARE_CLAIMS: usize = 1 << 16;

/// Claims as they come.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    list: Vec<Claim>,
    /// Most that are kept.
    most: usize,
    is_bigalloc: bool,
}

/// Claims held against one another.
#[derive(Clone, Debug, Default)]
pub(super) struct Settled {
    /// In order.
    claims: Vec<Claim>,
    /// Blocks that are claimed more than once, in order.
    contested: Vec<Range<u64>>,
    /// Claims on blocks that are claimed more than once, by their first block.
    pub(super) conflicts: Vec<Claim>,
}

impl Claims {
    /// None yet. No more are kept than the filesystem can need: one for each block, and one for the
    /// attribute block of each inode.
    pub(super) fn new(geometry: &Geometry) -> Self {
        let needed = geometry.blocks_count().saturating_add(u64::from(geometry.inodes_count()));
        let most = usize::try_from(needed).unwrap_or(usize::MAX).saturating_add(SPARE_CLAIMS);
        let is_bigalloc = geometry.blocks_per_cluster() > 1;
        Self { list: Vec::new(), most: most.min(limits::CLAIMS), is_bigalloc }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Notes a claim; one that goes on where the last one of the same owner ended makes it longer.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when there are more than are kept, or no memory.
    pub(super) fn add(&mut self, blocks: Range<u64>, owner: Owner) -> Result<()> {
        self.add_from(blocks, UNMAPPED, owner)
    }

    /// Notes a claim on blocks of a file, of which the first is `lblk`.
    ///
    /// # Errors
    /// Those of [`Self::add`].
    pub(super) fn add_mapped(
        &mut self,
        blocks: Range<u64>,
        lblk: Lblk,
        owner: Owner,
    ) -> Result<()> {
        self.add_from(blocks, if self.is_bigalloc { lblk.get() } else { UNMAPPED }, owner)
    }

    fn add_from(&mut self, blocks: Range<u64>, mut lblk: u32, owner: Owner) -> Result<()> {
        let mut rest = blocks;
        if let Some(last) = self.list.last_mut()
            && last.owner == owner
            && last.end() == rest.start
            && last.lblk_of(rest.start) == (lblk != UNMAPPED).then_some(u64::from(lblk))
        {
            let len = rest.end.saturating_sub(rest.start);
            let longer = u32::try_from(len).ok().and_then(|len| last.len.checked_add(len));
            if let Some(longer) = longer {
                last.len = longer;
                return Ok(());
            }
        }
        while !rest.is_empty() {
            let len = rest.end.saturating_sub(rest.start);
            let len = u32::try_from(len).unwrap_or(u32::MAX);
            self.push(Claim { start: rest.start, len, lblk, owner })?;
            if lblk != UNMAPPED {
                lblk = lblk.saturating_add(len);
            }
            rest.start = rest.start.saturating_add(u64::from(len));
        }
        Ok(())
    }

    fn push(&mut self, claim: Claim) -> Result<()> {
        let no_room = |cause: String| {
            Error::new(ErrorKind::Limit, "too many pieces of files to say whose each block is")
                .with_cause(cause)
        };
        if self.list.len() >= self.most {
            return Err(no_room(format!("over {} pieces", self.most)));
        }
        self.list.try_reserve(1).map_err(|cause| no_room(cause.to_string()))?;
        self.list.push(claim);
        Ok(())
    }

    /// Sorts some claims more; false when all are in order. Ranges that are left to sort are kept
    /// in `unsorted`, which starts as the one of all claims.
    pub(super) fn sort_more(&mut self, unsorted: &mut Vec<Range<usize>>) -> bool {
        let Some(range) = unsorted.pop() else { return false };
        let key = |claim: &Claim| (claim.start, claim.len, claim.owner);
        let Some(claims) = self.list.get_mut(range.clone()) else { return true };
        if claims.len() <= SORTED_AT_ONCE {
            claims.sort_unstable_by_key(key);
            return true;
        }
        let middle = claims.len() / 2;
        claims.select_nth_unstable_by_key(middle, key);
        let middle = range.start.saturating_add(middle);
        unsorted.extend([middle..range.end, range.start..middle]);
        true
    }

    /// What is to be sorted before anything is.
    pub(super) fn unsorted(&self) -> Vec<Range<usize>> {
        core::iter::once(0..self.list.len()).collect()
    }

    /// Holds claims that are in order against one another.
    pub(super) fn settle(mut self, geometry: &Geometry) -> Settled {
        self.drop_shared();
        let contested = self.contested(geometry);
        let conflicts = self.list.iter().copied().filter(|claim| touches(&contested, claim));
        let conflicts = conflicts.collect();
        Settled { claims: self.list, contested, conflicts }
    }

    /// Leaves one claim on each attribute block: inodes may share it.
    fn drop_shared(&mut self) {
        self.list.dedup_by(|claim, kept| {
            let is_same = (claim.start, claim.len) == (kept.start, kept.len);
            is_same && [claim, kept].iter().all(|one| one.owner.class == BlockClass::Xattr)
        });
    }

    /// Blocks claimed more than once, in order; of a cluster that two cannot both have, all of it.
    fn contested(&self, geometry: &Geometry) -> Vec<Range<u64>> {
        let mut contested = Vec::new();
        let mut furthest = None::<&Claim>;
        for claim in &self.list {
            if let Some(before) = furthest {
                merge(&mut contested, claim.start..claim.end().min(before.end()));
                merge(&mut contested, shared_cluster(geometry, before, claim));
            }
            if furthest.is_none_or(|furthest| claim.end() >= furthest.end()) {
                furthest = Some(claim);
            }
        }
        contested
    }
}

impl Settled {
    /// Claims in order of which no two are at odds.
    #[cfg(test)]
    pub(super) fn uncontested(claims: &[(Range<u64>, Owner)]) -> Self {
        let claim = |(blocks, owner): &(Range<u64>, Owner)| Claim {
            start: blocks.start,
            len: (blocks.end - blocks.start) as u32,
            lblk: UNMAPPED,
            owner: *owner,
        };
        Self { claims: claims.iter().map(claim).collect(), ..Self::default() }
    }

    /// Shows the blocks that are claimed, each once, in order, each with the one who claims it; or
    /// as multiply claimed. Runs of one owner that follow one another may be several.
    pub(super) fn each_run(&self, see: &mut dyn FnMut(Range<u64>, Owner)) {
        let mut covered = 0;
        let alone = self.claims.iter().filter_map(|claim| {
            let alone = claim.start.max(covered)..claim.end();
            covered = covered.max(claim.end());
            (!alone.is_empty()).then_some((alone, claim.owner))
        });
        cut(alone, &self.contested, see);
    }
}

/// The cluster that two claims have blocks of and cannot both have: of different files, or of two
/// clusters of one file. Empty where there is none.
fn shared_cluster(geometry: &Geometry, before: &Claim, claim: &Claim) -> Range<u64> {
    let is_file = |claim: &Claim| claim.owner.ino().is_some() && !claim.owner.class.is_fixed();
    let cluster = geometry.cluster_blocks(Fsblk::new(claim.start));
    let is_shared = geometry.blocks_per_cluster() > 1
        && cluster.start < before.end()
        && is_file(before)
        && is_file(claim)
        && (before.owner.ino() != claim.owner.ino() || !is_same_cluster(geometry, before, claim));
    if is_shared { cluster } else { 0..0 }
}

/// Whether two claims of one file, whose blocks lie in one cluster, are of one cluster of the file.
fn is_same_cluster(geometry: &Geometry, before: &Claim, claim: &Claim) -> bool {
    let ratio = u64::from(geometry.blocks_per_cluster());
    let lcluster = |lblk: Option<u64>| lblk.and_then(|lblk| lblk.checked_div(ratio));
    let last = lcluster(before.lblk_of(before.end().saturating_sub(1)));
    last.is_some() && last == lcluster(claim.lblk_of(claim.start))
}

/// Adds a range to ranges in order, of which it starts at most a cluster before the end.
fn merge(ranges: &mut Vec<Range<u64>>, mut more: Range<u64>) {
    if more.is_empty() {
        return;
    }
    while let Some(last) = ranges.pop_if(|last| last.end >= more.start) {
        more = last.start.min(more.start)..last.end.max(more.end);
    }
    ranges.push(more);
}

/// Whether a claim meets one of some ranges in order.
fn touches(ranges: &[Range<u64>], claim: &Claim) -> bool {
    let behind = ranges.partition_point(|range| range.end <= claim.start);
    ranges.get(behind).is_some_and(|range| range.start < claim.end())
}

/// Shows runs, with what is contested of them as such. They cover all that is contested.
fn cut(
    runs: impl Iterator<Item = (Range<u64>, Owner)>,
    contested: &[Range<u64>],
    see: &mut dyn FnMut(Range<u64>, Owner),
) {
    let mut contested = contested.iter().cloned().peekable();
    let mut push = |blocks: Range<u64>, owner: Owner| {
        if !blocks.is_empty() {
            see(blocks, owner);
        }
    };
    for (mut run, owner) in runs {
        while let Some(conflict) = contested.peek_mut().filter(|conflict| conflict.start < run.end)
        {
            push(run.start..conflict.start, owner);
            let end = conflict.end.min(run.end);
            let both = conflict.start.max(run.start)..end;
            push(both, Owner::nobody(BlockClass::MultiplyClaimed));
            run.start = end.max(run.start);
            if conflict.end > end {
                conflict.start = end;
                break;
            }
            contested.next();
        }
        push(run, owner);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use proptest::prelude::*;

    use super::*;
    use crate::fs::testing::Files;
    use crate::units::{Group, Ino};

    fn data(ino: u32) -> Owner {
        Owner::of_inode(BlockClass::Data, Ino::new(ino))
    }

    fn sorted(mut claims: Claims) -> Claims {
        let mut unsorted = claims.unsorted();
        while claims.sort_more(&mut unsorted) {}
        claims
    }

    #[test]
    fn many_claims_are_sorted_in_steps() {
        let mut claims = Claims { most: usize::MAX, ..Claims::new(&geometry()) };
        for at in 0..3 * SORTED_AT_ONCE as u64 {
            let start = at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
            claims.add(start..start + 1, data(12)).expect("few");
        }
        let mut unsorted = claims.unsorted();
        let mut steps = 0;
        while claims.sort_more(&mut unsorted) {
            steps += 1;
        }
        assert!(claims.list.is_sorted_by_key(|claim| claim.start));
        assert!((4..20).contains(&steps), "{steps} steps");
    }

    fn settle(claims: &[(Range<u64>, Owner)]) -> Settled {
        let mut all = Claims::new(&geometry());
        for (blocks, owner) in claims {
            all.add(blocks.clone(), *owner).expect("few");
        }
        sorted(all).settle(&geometry())
    }

    fn runs(settled: &Settled) -> Vec<(Range<u64>, Owner)> {
        let mut runs = Vec::new();
        settled.each_run(&mut |run, owner| runs.push((run, owner)));
        runs
    }

    /// Clusters of one block.
    fn geometry() -> Geometry {
        static GEOMETRY: OnceLock<Geometry> = OnceLock::new();
        *GEOMETRY.get_or_init(|| *Files::new().filesystem().geometry())
    }

    const TWICE: Owner = Owner::nobody(BlockClass::MultiplyClaimed);

    #[test]
    fn a_claim_that_goes_on_is_one() {
        let mut claims = Claims::new(&geometry());
        for blocks in [5..7, 7..9, 10..11] {
            claims.add(blocks, data(12)).expect("few");
        }
        claims.add(11..12, data(13)).expect("few");
        assert_eq!(claims.list.len(), 3);
        let settled = sorted(claims).settle(&geometry());
        assert_eq!(runs(&settled), [(5..9, data(12)), (10..11, data(12)), (11..12, data(13))]);
    }

    #[test]
    fn blocks_of_two_are_kept_apart_with_both_claims() {
        let settled = settle(&[(0..10, data(12)), (4..6, data(13)), (20..21, data(14))]);
        let due = [(0..4, data(12)), (4..6, TWICE), (6..10, data(12)), (20..21, data(14))];
        assert_eq!(runs(&settled), due);
        let owners: Vec<_> = settled.conflicts.iter().map(|claim| claim.owner).collect();
        assert_eq!(owners, [data(12), data(13)]);
    }

    #[test]
    fn attribute_blocks_are_shared_rightly() {
        let xattr = |ino| Owner::of_inode(BlockClass::Xattr, Ino::new(ino));
        let settled = settle(&[(7..8, xattr(12)), (7..8, xattr(14)), (7..8, xattr(13))]);
        assert_eq!(runs(&settled), [(7..8, xattr(12))]);
        assert_eq!(settled.conflicts, []);
        let settled = settle(&[(7..8, xattr(12)), (7..8, data(13))]);
        assert_eq!(runs(&settled), [(7..8, TWICE)]);
    }

    #[test]
    fn a_file_that_has_a_block_twice_conflicts_with_itself() {
        let settled = settle(&[(3..5, data(12)), (3..5, data(12))]);
        assert_eq!(runs(&settled), [(3..5, TWICE)]);
        assert_eq!(settled.conflicts.len(), 2);
    }

    #[test]
    fn no_more_claims_are_kept_than_a_filesystem_needs() {
        let mut claims = Claims::new(&geometry());
        let most = claims.most;
        assert!(most < 100_000);
        let add = |claims: &mut Claims, at: usize| claims.add(0..1, data(at as u32));
        (0..most).for_each(|at| add(&mut claims, at).expect("room"));
        assert_eq!(add(&mut claims, most).map_err(|error| error.kind()), Err(ErrorKind::Limit));
    }

    #[test]
    fn the_longest_claim_is_cut_into_several() {
        let whole = 0..(1 << 33);
        let table = Owner::of_group(BlockClass::Itable, Group::new(0));
        let runs = runs(&settle(&[(whole.clone(), table)]));
        assert_eq!((runs[0].0.start, runs[2].0.end, runs.len()), (0, 1 << 33, 3));
        assert!(runs.iter().all(|(_, owner)| *owner == table));
    }

    proptest! {
        #[test]
        fn every_block_has_the_owners_that_claim_it(
            claims in proptest::collection::vec((0_u64..60, 1_u64..12), 0..20),
        ) {
            let claims: Vec<_> = (12..)
                .zip(claims)
                .map(|(ino, (start, len))| (start..start + len, data(ino)))
                .collect();
            let settled = settle(&claims);
            let runs = runs(&settled);
            for block in 0..80 {
                let owners: Vec<_> = claims
                    .iter()
                    .filter(|(blocks, _)| blocks.contains(&block))
                    .map(|(_, owner)| *owner)
                    .collect();
                let told: Vec<_> =
                    runs.iter().filter(|(run, _)| run.contains(&block)).collect();
                match owners.as_slice() {
                    [] => prop_assert!(told.is_empty()),
                    [owner] => prop_assert_eq!(&told[0].1, owner),
                    owners => {
                        prop_assert_eq!(told[0].1, TWICE);
                        let mut found: Vec<_> = settled
                            .conflicts
                            .iter()
                            .filter(|claim| claim.blocks().contains(&block))
                            .map(|claim| claim.owner)
                            .collect();
                        found.sort_unstable();
                        prop_assert_eq!(found, owners);
                    }
                }
                prop_assert!(told.len() <= 1);
            }
            prop_assert!(runs.is_sorted_by(|a, b| a.0.end <= b.0.start), "{runs:?}");
        }
    }
}
