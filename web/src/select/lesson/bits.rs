//! The bitmap that a lesson is run on.

use extscope::bitmap::{Bitmap, BitmapRef, Bits};

use crate::protocol::{BitmapDetail, GroupDetail, Pattern, RaceOrder};
use crate::state::{Detail, LessonBits};
use crate::text::number;

/// Bits of a made-up bitmap on the stage, and inodes of each of its groups.
const STAGE: (u64, u32) = (4096, 1024);

/// The same where two bitmaps are compared.
const WIDE_STAGE: (u64, u32) = (16_384, 1024);

/// The same in a race: the bitmaps of 128 groups as mke2fs makes them.
const TRACK: (u64, u32) = (1 << 20, 8192);

/// Inodes that are found in a race.
const RACE_WANTED: u32 = 16;

/// A bitmap to learn on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonMap {
    /// The bits.
    pub bits: Bitmap,
    /// Inodes of a group.
    pub per_group: u32,
}

/// What a bitmap is called.
#[must_use]
pub const fn name(bits: LessonBits) -> &'static str {
    match bits {
        LessonBits::Made(Pattern::HalfFull) => "Half full, without a gap",
        LessonBits::Made(Pattern::Scattered) => "Nearly full, scattered",
        LessonBits::Made(Pattern::EverySecond) => "Every second bit",
        LessonBits::Made(Pattern::Full) => "Full but for the last bits",
        LessonBits::Inodes => "Inode bitmap",
        LessonBits::Blocks => "Block bitmap",
    }
}

/// The bitmap for the stage.
///
/// # Errors
/// Why there is none yet, in words for the person.
pub fn stage(bits: LessonBits, detail: &Detail) -> Result<LessonMap, String> {
    made_or_read(bits, STAGE, detail)
}

/// The bitmap for a stage that shows groups.
///
/// # Errors
/// As of [`stage`].
pub fn wide_stage(bits: LessonBits, detail: &Detail) -> Result<LessonMap, String> {
    made_or_read(bits, WIDE_STAGE, detail)
}

/// What a race is run on.
///
/// # Errors
/// As of [`stage`].
pub fn race(bits: LessonBits, detail: &Detail) -> Result<RaceOrder, String> {
    let map = made_or_read(bits, TRACK, detail)?;
    Ok(RaceOrder {
        bytes: map.bits.as_bytes().to_vec(),
        bits: u32::try_from(map.bits.len()).unwrap_or(u32::MAX),
        inodes_per_group: map.per_group,
        wanted: RACE_WANTED,
    })
}

fn made_or_read(
    bits: LessonBits,
    (len, per_group): (u64, u32),
    detail: &Detail,
) -> Result<LessonMap, String> {
    let of = |bitmap: fn(&GroupDetail) -> &Result<BitmapDetail, extscope::Error>| match detail {
        Detail::None => Err("Choose a group: its bitmap is then used here.".to_owned()),
        Detail::Asked(group) => {
            Err(format!("The bitmap of group {} is being read.", number::count(group.get().into())))
        }
        Detail::Here(detail) => read(bitmap(detail)),
    };
    match bits {
        LessonBits::Made(pattern) => {
            let bits = pattern.bitmap(len).map_err(|error| error.to_string())?;
            Ok(LessonMap { bits, per_group })
        }
        LessonBits::Inodes => of(|detail| &detail.inode_bitmap),
        LessonBits::Blocks => of(|detail| &detail.block_bitmap),
    }
}

fn read(bitmap: &Result<BitmapDetail, extscope::Error>) -> Result<LessonMap, String> {
    let bitmap = bitmap.as_ref().map_err(ToString::to_string)?;
    let bits = BitmapRef::new(&bitmap.bytes, bitmap.bits.into())
        .ok_or("The bitmap is shorter than its bits.")?;
    Ok(LessonMap { bits: bits.into(), per_group: bitmap.bits })
}

#[cfg(test)]
mod tests {
    use extscope::units::Group;

    use super::*;

    #[test]
    fn a_made_up_bitmap_needs_no_group_and_one_of_the_image_does() {
        let made = stage(LessonBits::Made(Pattern::HalfFull), &Detail::None).expect("made");
        assert_eq!((made.bits.len(), made.bits.count(), made.per_group), (4096, 2085, 1024));
        assert!(stage(LessonBits::Inodes, &Detail::None).is_err());
        let asked = Detail::Asked(Group::new(7));
        let error = stage(LessonBits::Blocks, &asked).expect_err("it is not there yet");
        assert!(error.contains("group 7"), "{error}");
    }

    #[test]
    fn a_race_is_run_on_more_than_the_stage_shows() {
        let order = race(LessonBits::default(), &Detail::None).expect("made");
        assert_eq!((order.bytes.len(), order.bits, order.wanted), (131_072, 1 << 20, 16));
    }
}
