//! A picture of the map as it is seen, to be kept: what to ask the engine for, and what to make of
//! its pixels.

use extscope_picture::poster::{self, LegendRow, Poster};
use extscope_picture::{Ink, Look, Palette};

use super::draw;
use super::map_marks::{self, Margins, Marks};
use super::map_view::MapView;
use crate::protocol::{MapLook, MapPicture};
use crate::state::{Known, MapPlace, Selection};

/// Width and height of the map with its numbers, in CSS pixels.
const FRAME: (f64, f64) = (1200.0, 800.0);

/// A picture of the map.
#[derive(Clone, Debug)]
pub struct MapShot {
    view: MapView,
    margins: Margins,
    look: MapLook,
    known: Known,
    selection: Option<Selection>,
}

impl MapShot {
    /// The map at a place, each CSS pixel so many pixels wide and high.
    #[must_use]
    pub fn new(
        known: &Known,
        place: &MapPlace,
        selection: Option<&Selection>,
        look: MapLook,
        times: u32,
    ) -> Self {
        let margins = Margins::of(known, FRAME.0);
        let geometry = &known.image().geometry;
        let mut view = MapView::new(geometry, look.layout, margins.inside(FRAME), times.into());
        view.go(place, selection);
        let look = MapLook { columns: view.world().columns(), ..look };
        Self { view, margins, look, known: known.clone(), selection: selection.cloned() }
    }

    /// What the engine is to draw.
    #[must_use]
    pub fn picture(&self) -> MapPicture {
        let (width, height) = self.view.size();
        let scale = self.view.scale();
        let device = |view: f64| (view * self.view.ratio()).round() as u32;
        MapPicture {
            look: self.look,
            scale: (scale.x, scale.y, scale.ratio),
            // Whole numbers by the view's own rule.
            corner: (self.view.corner().0 as i64, self.view.corner().1 as i64),
            size: (device(width), device(height)),
        }
    }

    /// Width and height of the drawing in CSS pixels.
    #[must_use]
    pub fn size(&self, amount: impl Fn(Ink) -> Option<String>) -> (u32, u32) {
        let (width, height) = self.poster("", "", amount).whole(self.look.layer);
        (width as u32, height as u32)
    }

    /// The drawing around the pixels at `url`; `note` says who made it, and when.
    #[must_use]
    pub fn svg(&self, url: &str, note: &str, amount: impl Fn(Ink) -> Option<String>) -> String {
        let look = Look::new(Palette::of(self.look.theme), self.look.layer, self.look.hidden);
        self.poster(url, note, amount).svg(&look, self.look.layer)
    }

    fn poster(&self, url: &str, note: &str, amount: impl Fn(Ink) -> Option<String>) -> Poster {
        let image = self.known.image();
        let label = image.info.volume_name.trim();
        let palette = Palette::of(self.look.theme);
        let marks = Marks { hovered: None, selection: self.selection.clone() };
        let draws = map_marks::draws(&self.view, self.margins, &self.known, &marks, &palette);
        let corner = (self.margins.left, self.margins.top);
        Poster {
            title: if label.is_empty() { image.name.to_string() } else { label.to_owned() },
            subtitle: poster::subtitle(&image.info),
            scale: poster::scale(&image.geometry, self.view.scale()),
            note: note.to_owned(),
            size: FRAME,
            map: poster::image(url, corner, self.view.size()) + &draw::svg(&draws, &palette),
            legend: LegendRow::of(self.look.layer, self.look.has_owners, amount),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::testing::alike;

    #[test]
    fn a_shot_of_twice_the_size_asks_for_the_same_place_in_twice_the_pixels() {
        let known = alike(3, 100);
        let place =
            MapPlace { at: Some(extscope::units::Fsblk::new(9000)), zoom: "4".parse().ok() };
        let shot = |times| MapShot::new(&known, &place, None, MapLook::default(), times);
        let (one, two) = (shot(1).picture(), shot(2).picture());
        assert_eq!((one.size.0 * 2, one.size.1 * 2), two.size);
        assert!((one.corner.0 * 2).abs_diff(two.corner.0) <= 2, "{one:?} {two:?}");
        assert_eq!(one.scale.0 * 2.0, two.scale.0);
        let svg = shot(2).svg("data:,x", "2026-02-19", |_| None);
        assert!(svg.contains("href=\"data:,x\"") && svg.contains(">2026-02-19</text>"));
        assert!(svg.contains("<text") && shot(1).size(|_| None) == shot(2).size(|_| None));
    }
}
