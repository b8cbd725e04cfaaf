//! How much there is of each kind of block.

use extscope_picture::Kind;

use crate::protocol::SurveyDetail;

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
