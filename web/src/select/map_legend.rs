//! How much there is of each colour of the map.

use extscope_picture::{Ink, Kind, Layer};

use crate::protocol::{BlockClass, InfoReport, SurveyDetail};
use crate::state::OpenImage;
use crate::text::{number, size};

/// Bytes of each kind, in the order of [`Kind::ALL`].
#[must_use]
pub fn bytes_by_kind(survey: &SurveyDetail, block_size: u32) -> [u64; Kind::ALL.len()] {
    let mut bytes = [0_u64; Kind::ALL.len()];
    for class in &survey.classes {
        if let Some(kind) = Kind::of(class.class) {
            let slot = &mut bytes[kind as usize];
            *slot = slot.saturating_add(class.blocks.saturating_mul(block_size.into()));
        }
    }
    bytes
}

/// The same with the kinds of blocks, once they are known.
#[must_use]
pub fn all_amounts(open: &OpenImage, layer: Layer) -> Vec<(Ink, String)> {
    match open.survey.here() {
        Some(survey) if layer == Layer::Kind => {
            let bytes = bytes_by_kind(survey, open.image.geometry.block_size());
            let amount = |kind: Kind| (Ink::kind(kind), size::bytes(bytes[kind as usize]));
            Kind::ALL.into_iter().map(amount).collect()
        }
        _ => amounts(open, layer),
    }
}

/// How much there is of each colour of a layer, as far as that is known.
#[must_use]
pub fn amounts(open: &OpenImage, layer: Layer) -> Vec<(Ink, String)> {
    let block_size = u64::from(open.image.geometry.block_size());
    let of_blocks = |blocks: u64| size::bytes(blocks.saturating_mul(block_size));
    match layer {
        Layer::Reads => vec![(Ink::READ, size::bytes(open.workers.bytes_read()))],
        Layer::Problems => {
            let mut amounts = Vec::new();
            if let Some(check) = open.check.as_ref().filter(|_| open.checked().is_some()) {
                amounts.push((Ink::FAULTY, number::count(check.damage())));
            }
            if let Some(survey) = open.survey.here() {
                let of_class = |class: BlockClass| {
                    let row = survey.classes.iter().find(|row| row.class == class);
                    row.map_or(0, |row| row.blocks)
                };
                let contested = of_class(BlockClass::MultiplyClaimed)
                    .saturating_add(of_class(BlockClass::BadBlock));
                amounts.extend([
                    (Ink::UNOWNED, of_blocks(of_class(BlockClass::Unowned))),
                    (Ink::FREE_BUT_OWNED, of_blocks(survey.free_but_owned)),
                    (Ink::CONTESTED, of_blocks(contested)),
                ]);
            }
            amounts
        }
        Layer::Shrink => {
            let plan = open.shrink.plan.as_ref().filter(|_| open.planned().is_some());
            let changes = plan.and_then(|plan| plan.changes.as_ref());
            changes
                .map(|changes| (Ink::ARRIVES, of_blocks(changes.moved_blocks)))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Bytes of the filesystem that the image is too short to have.
#[must_use]
pub fn missing_bytes(info: &InfoReport) -> u64 {
    info.filesystem_bytes.saturating_sub(info.image_bytes)
}
