//! The lab: what each bit stands for, what can be tried, what came of it.

use core::ops::Range;

use crate::protocol::{
    Bench, BitmapDetail, BitmapKind, BitmapOrigin, CsumState, Flip, LabOn, LabReport, Problem,
    Verdict,
};
use crate::select::header::Tone;
use crate::select::problem::place;
use crate::select::problem_rows::is_problem;
use crate::state::{Flips, LabPlace};
use crate::text::{number, size};

/// Bits of a word.
pub const WORD_BITS: u32 = 64;

/// Problems that are told with their places.
const TOLD: usize = 6;

/// What a bit stands for, as it was before anything was turned round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The superblock or a copy of it.
    Superblock,
    /// Descriptors.
    Gdt,
    /// Reserved GDT blocks.
    ReservedGdt,
    /// A bitmap.
    Bitmap,
    /// A part of an inode table.
    InodeTable,
    /// A bitmap or an inode table of another group.
    Others,
    /// Blocks or an inode in use.
    Used,
    /// A reserved inode.
    Reserved,
    /// Free.
    Free,
    /// Nothing: the bitmap ends before.
    Padding,
}

impl Meaning {
    /// In a few words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Superblock => "superblock",
            Self::Gdt => "descriptors",
            Self::ReservedGdt => "reserved GDT blocks",
            Self::Bitmap => "bitmap",
            Self::InodeTable => "inode table",
            Self::Others => "metadata of another group",
            Self::Used => "in use",
            Self::Reserved => "reserved inode",
            Self::Free => "free",
            Self::Padding => "padding",
        }
    }

    /// Its name as the end of a class.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Superblock => "super",
            Self::Gdt | Self::ReservedGdt => "gdt",
            Self::Bitmap => "bitmap",
            Self::InodeTable | Self::Others => "itable",
            Self::Used | Self::Reserved => "used",
            Self::Free => "free",
            Self::Padding => "padding",
        }
    }
}

/// A bit of the word that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitCell {
    /// The bit.
    pub flip: Flip,
    /// Whether it is set now.
    pub is_set: bool,
    /// Whether it is turned round.
    pub is_turned: bool,
    /// What it stands for.
    pub meaning: Meaning,
    /// What it stands for, with its number.
    pub name: String,
}

/// A word in the overview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordCell {
    /// Of a hundred bits, how many are set.
    pub percent: u32,
    /// What most of it stands for.
    pub meaning: Meaning,
    /// Whether a bit of it is turned round.
    pub is_turned: bool,
}

/// A bitmap of the lab.
pub struct Chart<'a> {
    place: LabPlace,
    report: &'a LabReport,
    bitmap: &'a BitmapDetail,
}

impl<'a> Chart<'a> {
    /// The bitmap that is looked at.
    ///
    /// # Errors
    /// Why there is none.
    pub fn new(place: LabPlace, report: &'a LabReport) -> Result<Self, String> {
        let bitmap = match place.kind {
            BitmapKind::Block => &report.detail.block_bitmap,
            BitmapKind::Inode => &report.detail.inode_bitmap,
        };
        let bitmap = bitmap.as_ref().map_err(ToString::to_string)?;
        Ok(Self { place, report, bitmap })
    }

    /// Bits of the block, padding and all.
    fn len(&self) -> u32 {
        u32::try_from(self.bitmap.bytes.len()).unwrap_or(u32::MAX).saturating_mul(8)
    }

    /// How many words there are.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.len().div_ceil(WORD_BITS)
    }

    /// The word that is looked at.
    #[must_use]
    pub fn word(&self) -> u32 {
        self.place.word.min(self.words().saturating_sub(1))
    }

    fn flip(&self, bit: u32) -> Flip {
        Flip { kind: self.place.kind, bit }
    }

    fn is_set(&self, bit: u32) -> bool {
        let byte = self.bitmap.bytes.get(bit as usize / 8).copied().unwrap_or_default();
        byte >> (bit % 8) & 1 == 1
    }

    /// Whether a bit is turned round; where the bitmap is worked out that changes nothing.
    fn is_turned(&self, bit: u32) -> bool {
        self.place.flips.contains(self.flip(bit))
    }

    /// Whether the block on the disk is not looked at.
    #[must_use]
    pub fn is_uninit(&self) -> bool {
        self.bitmap.origin == BitmapOrigin::Synthesised
    }

    /// Whether a bit was set before anything was turned round.
    fn was_set(&self, bit: u32) -> bool {
        self.is_set(bit) != (self.is_turned(bit) && !self.is_uninit())
    }

    /// The blocks of a bit.
    fn blocks(&self, bit: u32) -> Range<u64> {
        let ratio = u64::from(self.report.blocks_per_cluster.max(1));
        let first = self.report.detail.report.blocks.first + u64::from(bit) * ratio;
        first..first + ratio
    }

    /// The inode of a bit.
    fn ino(&self, bit: u32) -> u64 {
        u64::from(self.place.group) * u64::from(self.bitmap.bits) + u64::from(bit) + 1
    }

    /// What a bit stands for.
    #[must_use]
    pub fn meaning(&self, bit: u32) -> Meaning {
        if bit >= self.bitmap.bits {
            return Meaning::Padding;
        }
        let own = match self.place.kind {
            BitmapKind::Block => metadata(self.report, &self.blocks(bit)),
            BitmapKind::Inode => {
                (self.ino(bit) < self.report.first_ino.into()).then_some(Meaning::Reserved)
            }
        };
        match own {
            Some(meaning) => meaning,
            None if self.was_set(bit) => Meaning::Used,
            None => Meaning::Free,
        }
    }

    /// What a bit stands for, with its number.
    fn name(&self, bit: u32) -> String {
        let meaning = self.meaning(bit);
        let what = match (meaning, self.place.kind) {
            (Meaning::Padding, _) => return format!("bit {}: padding", number::count(bit.into())),
            (_, BitmapKind::Inode) => format!("inode {}", number::count(self.ino(bit))),
            (_, BitmapKind::Block) => {
                let blocks = self.blocks(bit);
                let range = number::range(blocks.start, blocks.end - 1);
                if blocks.end - blocks.start > 1 {
                    format!("blocks {range}")
                } else {
                    format!("block {range}")
                }
            }
        };
        let turned = if self.is_turned(bit) { ", turned round" } else { "" };
        format!("{what}: {}{turned}", meaning.name())
    }

    /// The bits of the word that is looked at.
    #[must_use]
    pub fn bits(&self) -> Vec<BitCell> {
        let first = self.word() * WORD_BITS;
        let cell = |bit: u32| BitCell {
            flip: self.flip(bit),
            is_set: self.is_set(bit),
            is_turned: self.is_turned(bit),
            meaning: self.meaning(bit),
            name: self.name(bit),
        };
        (first..self.len().min(first + WORD_BITS)).map(cell).collect()
    }

    /// All words.
    #[must_use]
    pub fn overview(&self) -> Vec<WordCell> {
        let word = |word: u32| {
            let bits = || word * WORD_BITS..self.len().min((word + 1) * WORD_BITS);
            let set = bits().filter(|bit| self.is_set(*bit)).count();
            WordCell {
                percent: u32::try_from(set * 100 / bits().len().max(1)).unwrap_or(100),
                meaning: self.meaning(word * WORD_BITS + WORD_BITS / 2),
                is_turned: bits().any(|bit| self.is_turned(bit)),
            }
        };
        (0..self.words()).map(word).collect()
    }

    /// What the word that is looked at stands for, stretch by stretch.
    #[must_use]
    pub fn legend(&self) -> Vec<(String, Meaning)> {
        let mut stretches: Vec<(Range<u32>, Meaning)> = Vec::new();
        for cell in self.bits() {
            let bit = cell.flip.bit;
            match stretches.last_mut() {
                Some((bits, meaning)) if *meaning == cell.meaning => bits.end = bit + 1,
                _ => stretches.push((bit..bit + 1, cell.meaning)),
            }
        }
        let told = |(bits, meaning): (Range<u32>, Meaning)| {
            (number::range(bits.start.into(), u64::from(bits.end) - 1), meaning)
        };
        stretches.into_iter().map(told).collect()
    }

    /// What the bitmap's checksum says.
    #[must_use]
    pub fn csum(&self) -> Option<String> {
        let expected = self.bitmap.csum_expected?;
        let stored = number::hex(self.bitmap.csum_stored.unwrap_or_default(), 8);
        Some(match self.bitmap.csum {
            CsumState::Bad => {
                format!("the descriptor says {stored}, and it is {}", number::hex(expected, 8))
            }
            _ => format!("{stored}, as the descriptor says"),
        })
    }

    /// The first bit that stands for something of a kind.
    fn first(&self, meaning: Meaning) -> Option<Flip> {
        (0..self.len()).find(|bit| self.meaning(*bit) == meaning).map(|bit| self.flip(bit))
    }
}

/// What metadata lies in some blocks of a group: its own before that of others.
fn metadata(report: &LabReport, blocks: &Range<u64>) -> Option<Meaning> {
    let group = &report.detail.report;
    let one = |block: u64| block..block.saturating_add(1);
    let gdt = |range: &Option<crate::protocol::BlockRange>| {
        range.map(|it| it.first..it.last.saturating_add(1))
    };
    let itable = group.inode_table;
    let own = [
        (group.superblock_at.map(one), Meaning::Superblock),
        (gdt(&group.gdt), Meaning::Gdt),
        (gdt(&group.reserved_gdt), Meaning::ReservedGdt),
        (Some(one(group.bg_block_bitmap)), Meaning::Bitmap),
        (Some(one(group.bg_inode_bitmap)), Meaning::Bitmap),
        (Some(itable.first..itable.last.saturating_add(1)), Meaning::InodeTable),
    ];
    let meets = |it: &Range<u64>| it.start < blocks.end && it.end > blocks.start;
    let others = report.metadata.iter().map(|&(first, end)| (Some(first..end), Meaning::Others));
    let mut all = own.into_iter().chain(others);
    all.find_map(|(range, meaning)| range.filter(meets).map(|_| meaning))
}

/// What the filesystem is called that things are tried on.
#[must_use]
pub const fn on_name(on: LabOn) -> &'static str {
    match on {
        LabOn::Bench(Bench::Checksums) => "Small, with checksums",
        LabOn::Bench(Bench::Clusters) => "Small, clusters of 4 blocks",
        LabOn::Bench(Bench::Plain) => "Small, without checksums",
        LabOn::Image => "This image, if it is small",
    }
}

/// What a bitmap is called.
#[must_use]
pub const fn kind_name(kind: BitmapKind) -> &'static str {
    match kind {
        BitmapKind::Block => "Block bitmap",
        BitmapKind::Inode => "Inode bitmap",
    }
}

/// Something to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// What is done.
    pub title: &'static str,
    /// What one should think about before.
    pub ask: &'static str,
    /// Where it is done.
    pub place: LabPlace,
}

/// What can be tried here.
#[must_use]
pub fn experiments(place: LabPlace, report: &LabReport) -> Vec<Experiment> {
    let chart = |kind| Chart::new(LabPlace { kind, ..place }, report).ok();
    let (blocks, inodes) = (chart(BitmapKind::Block), chart(BitmapKind::Inode));
    let block = |meaning| blocks.as_ref()?.first(meaning);
    let inode = |meaning| inodes.as_ref()?.first(meaning);
    let all = [
        (
            "Give away a block that a file has",
            "Which pass finds out, and what could happen before it does?",
            block(Meaning::Used),
        ),
        ("Take a free block out of use", "Is anything lost, or only space?", block(Meaning::Free)),
        (
            "Give away the inode table",
            "How does the check know that these blocks are not free?",
            block(Meaning::InodeTable),
        ),
        (
            "Clear a bit of padding",
            "No block belongs to it. Why must it be set all the same?",
            block(Meaning::Padding).or_else(|| inode(Meaning::Padding)),
        ),
        (
            "Give away an inode in use",
            "What would the next new file be?",
            inode(Meaning::Used).or_else(|| inode(Meaning::Reserved)),
        ),
        ("Take a free inode out of use", "Which counts are wrong now?", inode(Meaning::Free)),
    ];
    all.into_iter()
        .filter_map(|(title, ask, flip)| {
            let place = LabPlace { flips: Flips::default(), ..place }.with(flip?);
            Some(Experiment { title, ask, place })
        })
        .collect()
}

/// What a check says, in a line.
#[must_use]
pub fn verdict(report: &LabReport) -> (Tone, String) {
    let outcome = &report.check.outcome;
    let tone = match outcome.verdict {
        Verdict::Clean => Tone::Ok,
        Verdict::Minor => Tone::Warn,
        Verdict::Damaged | Verdict::NotChecked => Tone::Err,
    };
    (tone, format!("{} e2fsck -fn ends with {}.", outcome.sentence, outcome.e2fsck.exit))
}

/// A kind of problem that the check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its name.
    pub code: String,
    /// In one line.
    pub title: &'static str,
    /// What it means.
    pub explanation: &'static str,
    /// What e2fsck would do if told yes.
    pub remedy: &'static str,
    /// Where it was found.
    pub places: Vec<String>,
    /// Places that are not listed.
    pub more: u64,
}

/// What the check found, in the order of the codes.
#[must_use]
pub fn findings(report: &LabReport) -> Vec<Finding> {
    let check = &report.check;
    let finding = |count: &crate::protocol::CodeCount| {
        let is_one = |problem: &&Problem| problem.code == count.code;
        let places: Vec<String> =
            check.problems.iter().filter(is_one).take(TOLD).map(place).collect();
        Finding {
            code: count.code.to_string(),
            title: count.title,
            explanation: count.explanation,
            remedy: count.remedy,
            more: count.count.saturating_sub(places.len() as u64),
            places,
        }
    };
    check.counts.iter().filter(|it| is_problem(it)).map(finding).collect()
}

/// How many problems the check found.
#[must_use]
pub fn problem_count(report: &LabReport) -> u64 {
    let counts = report.check.counts.iter().filter(|it| is_problem(it));
    counts.map(|it| it.count).fold(0, u64::saturating_add)
}

/// What is to be known about the bitmap that is looked at.
#[must_use]
pub fn about(chart: &Chart<'_>) -> Vec<String> {
    let (bitmap, report) = (chart.bitmap, chart.report);
    let bits = number::count(bitmap.bits.into());
    let ratio = report.blocks_per_cluster;
    let mut about = vec![match chart.place.kind {
        BitmapKind::Block if ratio > 1 => format!(
            "The group has {bits} clusters of {ratio} blocks, a bit each: set when any block of the cluster is in use."
        ),
        BitmapKind::Block => {
            format!("The group has {bits} blocks, a bit each: set when the block is in use.")
        }
        BitmapKind::Inode => {
            format!("The group has {bits} inodes, a bit each: set when the inode is in use.")
        }
    }];
    let padding = chart.len().saturating_sub(bitmap.bits);
    if padding > 0 {
        about.push(format!(
            "The other {} of its block of {} are padding, and set, so that a search for a clear bit never finds one there.",
            number::count_of(padding.into(), "bit", "bits"),
            size::round(bitmap.bytes.len() as u64),
        ));
    }
    if chart.is_uninit() {
        about.push(
            "It was never written: the descriptor says so, and what it would hold follows from the layout. Its block on \
             the disk is not looked at, whatever bits are turned round there."
                .to_owned(),
        );
    }
    if let Some(csum) = chart.csum() {
        about.push(format!("Checksum: {csum}."));
    }
    about
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::testing::lab_report;

    fn report(place: LabPlace) -> LabReport {
        lab_report(&place.order())
    }

    fn at(group: u32, kind: BitmapKind) -> LabPlace {
        LabPlace { group, kind, ..LabPlace::default() }
    }

    #[test]
    fn every_bit_stands_for_something_and_metadata_comes_first() {
        let place = at(0, BitmapKind::Block);
        let report = report(place);
        let chart = Chart::new(place, &report).expect("there is one");
        let bits = chart.bits();
        assert_eq!((bits.len(), chart.words(), chart.overview().len()), (64, 128, 128));
        assert_eq!(
            (bits[0].meaning, bits[0].name.as_str()),
            (Meaning::Superblock, "block 1: superblock")
        );
        assert_eq!([bits[1].meaning, bits[2].meaning], [Meaning::Gdt, Meaning::Bitmap]);
        assert!(chart.legend().iter().any(|(_, meaning)| *meaning == Meaning::InodeTable));
        let place = at(3, BitmapKind::Block);
        let report = self::report(place);
        let chart = Chart::new(place, &report).expect("there is one");
        assert_eq!(chart.meaning(8191), Meaning::Padding);
        assert!(!chart.is_uninit(), "the last group is always written");
    }

    #[test]
    fn metadata_of_other_groups_is_no_files() {
        let place = at(0, BitmapKind::Block);
        let mut report = report(place);
        let used = |report: &LabReport| {
            let chart = Chart::new(place, report).expect("there is one");
            chart.first(Meaning::Used).expect("a file's").bit
        };
        let bit = used(&report);
        let first = report.detail.report.blocks.first + u64::from(bit);
        report.metadata.push((first, first + 2));
        let chart = Chart::new(place, &report).expect("there is one");
        assert_eq!(chart.meaning(bit), Meaning::Others);
        assert!(used(&report) > bit + 1);
    }

    #[test]
    fn what_a_bit_stands_for_is_what_it_stood_for_before_it_was_turned_round() {
        let place = at(1, BitmapKind::Block);
        let before = report(place);
        for experiment in experiments(place, &before) {
            let after = report(experiment.place);
            let flip = experiment.place.flips.iter().next().expect("one bit");
            let on = |place, report| {
                let chart = Chart::new(LabPlace { kind: flip.kind, ..place }, report)
                    .expect("there is one");
                (chart.meaning(flip.bit), chart.is_set(flip.bit))
            };
            let ((was, was_set), (is, is_set)) = (on(place, &before), on(experiment.place, &after));
            assert_eq!((was, was_set), (is, !is_set), "{}", experiment.title);
            assert!(!findings(&after).is_empty(), "{}", experiment.title);
            assert_ne!(verdict(&after).0, Tone::Ok, "{}", experiment.title);
        }
        assert_eq!(experiments(place, &before).len(), 6);
        assert_eq!((findings(&before), verdict(&before).0), (Vec::new(), Tone::Ok));
    }

    #[test]
    fn a_bitmap_that_was_never_written_says_so_and_nothing_is_found() {
        let place = at(2, BitmapKind::Block).with(Flip { kind: BitmapKind::Block, bit: 5000 });
        let report = report(place);
        let chart = Chart::new(place, &report).expect("there is one");
        assert!(about(&chart).iter().any(|text| text.contains("never written")));
        assert_eq!((chart.meaning(5000), findings(&report)), (Meaning::Free, Vec::new()));
    }

    #[test]
    fn a_checksum_that_is_left_is_told() {
        let flip = Flip { kind: BitmapKind::Inode, bit: 200 };
        let place = LabPlace { mends_csums: false, ..at(1, BitmapKind::Inode) }.with(flip);
        let report = report(place);
        let csum = Chart::new(place, &report).expect("there is one").csum();
        assert!(csum.expect("there are checksums").starts_with("the descriptor says"));
    }
}
