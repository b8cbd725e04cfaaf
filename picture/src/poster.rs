//! A picture of the map with what it takes to be read alone, as SVG: name, legend, scale, date.

use std::fmt::Write as _;

use extscope::fs::Geometry;
use extscope::report::{self, InfoReport, Plain};

use super::ink::Ink;
use super::kind::Kind;
use super::layer::Layer;
use super::look::Look;
use super::paint::Scale;
use super::palette::{Palette, Rgb};

/// Room at every side.
const SIDE: f64 = 24.0;
/// Room above the map, for names.
const TOP: f64 = 72.0;
/// Height of a row of the legend.
const ROW: f64 = 20.0;
/// Least width of a column of the legend.
const COLUMN: f64 = 190.0;
/// Width and height of a ramp.
const RAMP: (f64, f64) = (300.0, 10.0);
/// Pieces that a ramp is drawn in.
const PIECES: u8 = 64;
/// Room below the legend, for the scale and the date.
const BOTTOM: f64 = 46.0;

/// What a picture of the map says beside its pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Poster {
    /// What the picture is of.
    pub title: String,
    /// Kind and size of the filesystem, and the beginning of its UUID.
    pub subtitle: String,
    /// How large a pixel is.
    pub scale: String,
    /// Who made it, and when.
    pub note: String,
    /// Width and height of the map.
    pub size: (f64, f64),
    /// The map, as SVG from its left upper corner on.
    pub map: String,
    /// What the colours mean.
    pub legend: Vec<LegendRow>,
}

/// A colour and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendRow {
    /// The colour.
    pub ink: Ink,
    /// What it means, and how much there is.
    pub text: String,
}

impl LegendRow {
    /// What the colours of a layer mean; of kinds, those that are told with owners or without, and
    /// of which there is more than `0`.
    #[must_use]
    pub fn of(layer: Layer, has_owners: bool, amount: impl Fn(Ink) -> Option<String>) -> Vec<Self> {
        let row = |ink: Ink, name: &str| {
            let amount = amount(ink).map(|amount| format!(", {amount}")).unwrap_or_default();
            Self { ink, text: format!("{name}{amount}") }
        };
        match layer {
            Layer::Kind => {
                let is_there = |kind: &Kind| amount(Ink::kind(*kind)).is_none_or(|it| it != "0");
                let kinds = Kind::ALL.into_iter().filter(|kind| kind.is_told(has_owners));
                let kinds = kinds.filter(is_there);
                kinds.map(|kind| row(Ink::kind(kind), kind.name())).collect()
            }
            layer => layer.inks().iter().map(|(ink, name)| row(*ink, name)).collect(),
        }
    }
}

impl Poster {
    /// Width and height of the whole.
    #[must_use]
    pub fn whole(&self, layer: Layer) -> (f64, f64) {
        let (width, height) = self.size;
        let rows = self.legend.len().div_ceil(self.columns());
        let ramp = if layer.marks().is_empty() { 0.0 } else { 2.0 * ROW };
        let legend = 2.0 * ROW + rows as f64 * ROW + ramp;
        (width + 2.0 * SIDE, TOP + height + legend + BOTTOM)
    }

    /// Columns of the legend.
    fn columns(&self) -> usize {
        // Saturates, and there is always one.
        ((self.size.0 / COLUMN) as usize).max(1)
    }

    /// The whole as SVG, in the colours of a look.
    #[must_use]
    pub fn svg(&self, look: &Look, layer: Layer) -> String {
        let (width, height) = self.whole(layer);
        let palette = look.palette();
        let ground = palette.app.css();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" font-family=\"system-ui, sans-serif\">\
             <title>{}</title><rect width=\"100%\" height=\"100%\" fill=\"{ground}\"/>",
            Plain(&self.title)
        );
        let (strong, quiet) = (palette.ink_on(palette.app), palette.text);
        text(&mut svg, (SIDE, 32.0), 16, strong, &self.title);
        text(&mut svg, (SIDE, 53.0), 11, quiet, &self.subtitle);
        // Writing to a String cannot fail.
        let _ = write!(svg, "<g transform=\"translate({SIDE} {TOP})\">{}</g>", self.map);
        let mut y = TOP + self.size.1 + ROW * 1.5;
        text(&mut svg, (SIDE, y), 11, quiet, layer.heading());
        y += 8.0;
        y = self.ramp(&mut svg, palette, layer, y);
        let columns = self.columns();
        let column = self.size.0 / columns as f64;
        for (at, row) in self.legend.iter().enumerate() {
            let (x, y) = (SIDE + (at % columns) as f64 * column, y + (at / columns) as f64 * ROW);
            swatch(&mut svg, look, row.ink, (x, y));
            text(&mut svg, (x + 22.0, y + 10.0), 11, strong, &row.text);
        }
        text(&mut svg, (SIDE, height - 18.0), 11, quiet, &self.scale);
        let (x, y) = (width - SIDE, height - 18.0);
        let (colour, note) = (quiet.css(), Plain(&self.note));
        let _ = write!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"11\" fill=\"{colour}\" \
             text-anchor=\"end\">{note}</text></svg>"
        );
        svg.push('\n');
        svg
    }

    /// The ramp with its marks, where there is one; gives where the legend goes on.
    fn ramp(&self, svg: &mut String, palette: &Palette, layer: Layer, y: f64) -> f64 {
        let Some(ramp) = layer.ramp(palette) else { return y };
        let wide = RAMP.0 / f64::from(PIECES);
        for piece in 0..PIECES {
            let share = (u32::from(piece) * 255 / u32::from(PIECES - 1)) as u8;
            let (x, colour) = (SIDE + f64::from(piece) * wide, ramp.at(share).css());
            // A little wider, so that nothing shines through between two.
            let (wide, high) = (wide + 0.3, RAMP.1);
            let _ = write!(
                svg,
                "<rect x=\"{x:.2}\" y=\"{y:.1}\" width=\"{wide:.2}\" height=\"{high}\" fill=\"{colour}\"/>"
            );
        }
        for (place, words) in layer.marks() {
            let anchor = match *place {
                place if place <= 0.0 => "start",
                place if place >= 1.0 => "end",
                _ => "middle",
            };
            let (x, y) = (SIDE + f64::from(*place) * RAMP.0, y + RAMP.1 + 14.0);
            let (colour, words) = (palette.text.css(), Plain(words));
            let _ = write!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"11\" fill=\"{colour}\" \
                 text-anchor=\"{anchor}\">{words}</text>"
            );
        }
        y + 2.0 * ROW
    }
}

/// A swatch with its letter.
fn swatch(svg: &mut String, look: &Look, ink: Ink, (x, y): (f64, f64)) {
    let colour = look.colour(ink);
    let (fill, line) = (colour.css(), look.palette().line.css());
    let _ = write!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"15\" height=\"13\" rx=\"2\" fill=\"{fill}\" \
         stroke=\"{line}\" stroke-width=\"0.5\"/>"
    );
    if let Some(letter) = ink.letter() {
        let (x, y, on) = (x + 7.5, y + 10.0, look.palette().ink_on(colour).css());
        let letter = Plain(letter);
        let _ = write!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"9\" font-weight=\"600\" fill=\"{on}\" \
             text-anchor=\"middle\">{letter}</text>"
        );
    }
}

fn text(svg: &mut String, (x, y): (f64, f64), size: u32, colour: Rgb, words: &str) {
    let (colour, words) = (colour.css(), Plain(words));
    let _ = write!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\">{words}</text>"
    );
}

/// What a filesystem is, in a line: its kind, size and blocks, and the beginning of its UUID.
#[must_use]
pub fn subtitle(info: &InfoReport) -> String {
    let (size, block) = (info.filesystem_bytes, u64::from(info.geometry.block_size));
    let uuid = info.uuid.split('-').next().unwrap_or_default();
    format!(
        "{}, {}, blocks of {}, UUID {uuid}\u{2026}",
        info.filesystem_type,
        report::bytes(size),
        report::bytes(block)
    )
}

/// How large cells are drawn, in a line.
#[must_use]
pub fn scale(geometry: &Geometry, scale: Scale) -> String {
    let unit = if geometry.blocks_per_cluster() > 1 { "cluster" } else { "block" };
    let css = (scale.x / scale.ratio, scale.y / scale.ratio);
    let area = css.0 * css.1;
    if area >= 1.0 {
        return format!("Each {unit} is {:.1} by {:.1} pixels", css.0, css.1);
    }
    let cells = 1.0 / area;
    let bytes = u64::from(geometry.block_size()) * u64::from(geometry.blocks_per_cluster());
    let bytes = report::bytes((cells * bytes as f64) as u64);
    if cells < 10.0 {
        format!("Each pixel is {cells:.1} {unit}s, {bytes}")
    } else {
        format!("Each pixel is {cells:.0} {unit}s, {bytes}")
    }
}

/// Pixels as a part of a drawing, from its left upper corner on; `url` is where they are.
#[must_use]
pub fn image(url: &str, (x, y): (f64, f64), (width, height): (f64, f64)) -> String {
    let url = Plain(url);
    format!(
        "<image x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
         image-rendering=\"pixelated\" preserveAspectRatio=\"none\" href=\"{url}\"/>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kinds;
    use crate::palette::Theme;

    fn poster(layer: Layer, width: f64) -> String {
        let poster = Poster {
            title: "<b>&".into(),
            subtitle: "ext4".into(),
            scale: "1 block a pixel".into(),
            note: "2026-02-19".into(),
            size: (width, 300.0),
            map: image("data:,", (0.0, 0.0), (width, 300.0)),
            legend: LegendRow::of(layer, true, |_| Some("7".into())),
        };
        let look = Look::new(Palette::of(Theme::Light), layer, Kinds::default());
        poster.svg(&look, layer)
    }

    /// All numbers of an attribute.
    fn numbers(svg: &str, attribute: &str) -> Vec<f64> {
        let parts = svg.split(attribute).skip(1);
        parts.filter_map(|part| part.split('"').next()?.parse().ok()).collect()
    }

    #[test]
    fn everything_lies_within_the_frame_and_nothing_is_markup() {
        for layer in Layer::ALL {
            for width in [120.0, 700.0, 1600.0] {
                let svg = poster(layer, width);
                assert!(svg.contains(">&lt;b&gt;&amp;</text>"));
                let height = numbers(&svg, " height=\"")[0];
                let lowest = numbers(&svg, " y=\"").into_iter().fold(0.0, f64::max);
                assert!(lowest < height - 10.0, "{layer:?}: {lowest} of {height}");
                let rows = layer.inks().len().max(layer.marks().len());
                assert!(svg.matches("<text").count() >= 5 + rows, "{layer:?}");
            }
        }
    }
}
