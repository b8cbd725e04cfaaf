//! What the map can show of what is known.

use extscope_picture::{Kinds, Layer};

use crate::protocol::MapLook;
use crate::state::{Look, MapStyle, OpenImage};

/// What the map shows in a style, but for where it stands and in which theme.
#[must_use]
pub fn map_look(open: &OpenImage, style: MapStyle) -> MapLook {
    let layer = style.layer;
    MapLook {
        layer,
        layout: style.layout,
        has_owners: layer.asks_for_owners() && open.survey.here().is_some(),
        owner: match open.owner.as_deref() {
            Some((ino, Look::Here(_))) if layer == Layer::Owner => Some(*ino),
            _ => None,
        },
        hidden: if layer == Layer::Kind { style.hidden } else { Kinds::default() },
        checked: open.checked().filter(|_| layer == Layer::Problems),
        bits: style.bits,
        planned: open.planned().filter(|_| layer == Layer::Shrink),
        ..MapLook::default()
    }
}
