//! Tiles of the map: which are wanted, and their pixels.

use extscope::units::Ino;
use extscope_picture::{Kinds, Layer, Layout, Scale, Theme};
use serde::{Deserialize, Serialize};

use super::{CheckMode, ShrinkRequest};

/// What the map shows, apart from where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapLook {
    /// What the colours say.
    pub layer: Layer,
    /// How blocks follow one another.
    pub layout: Layout,
    /// The colours.
    pub theme: Theme,
    /// Kinds that are filtered out.
    pub hidden: Kinds,
    /// Groups of a row.
    pub columns: u32,
    /// Whether all inodes were gone through, so that the kind of every block is known.
    pub has_owners: bool,
    /// Whose blocks are looked for.
    pub owner: Option<Ino>,
    /// The check that is over, so that what it complains of is known.
    pub checked: Option<CheckMode>,
    /// The shrink that is planned.
    pub planned: Option<ShrinkRequest>,
    /// Whether cells that have room show the bits of bitmaps and not letters.
    pub bits: bool,
}

/// Tiles that are wanted, in place of all that were wanted before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapOrder {
    /// Its number; tiles of earlier ones are still of use.
    pub number: u32,
    /// What the map shows.
    pub look: MapLook,
    /// Width and height of a cell in pixels, and pixels of a CSS pixel.
    pub scale: (f64, f64, f64),
    /// Columns and rows of the tiles, the most wanted first.
    pub tiles: Vec<(u32, u32)>,
}

impl MapOrder {
    /// How large a cell is drawn.
    #[must_use]
    pub fn scale(&self) -> Scale {
        let (x, y, ratio) = self.scale;
        Scale { x, y, ratio }
    }
}

/// A picture of a part of the map that is wanted, in one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapPicture {
    /// What the map shows.
    pub look: MapLook,
    /// Width and height of a cell in pixels, and pixels of a CSS pixel.
    pub scale: (f64, f64, f64),
    /// The pixel of the world at its left upper corner; before the world's where that is in sight.
    pub corner: (i64, i64),
    /// Width and height in pixels.
    pub size: (u32, u32),
}

/// A picture of a part of the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapPixels {
    /// Width in pixels.
    pub width: u32,
    /// Its pixels: red, green, blue and 255, row by row.
    #[serde(with = "serde_bytes")]
    pub pixels: Vec<u8>,
}

/// A tile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapTile {
    /// The order that it answers.
    pub order: u32,
    /// Column and row.
    pub at: (u32, u32),
    /// Its pixels: red, green, blue and 255, row by row.
    #[serde(with = "serde_bytes")]
    pub pixels: Vec<u8>,
}
