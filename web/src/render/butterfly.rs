//! A chart with two bars a row, back to back, as a drawing that stands by itself.

use std::fmt::Write as _;

use extscope::report::Plain;

/// Width of the drawing in CSS pixels.
pub const WIDTH: u32 = 760;

const ROW: u32 = 20;
const TOP: u32 = 92;
const BOTTOM: u32 = 44;

/// Where the bars to the left end and those to the right begin.
const LEFT: f64 = 290.0;
const RIGHT: f64 = 420.0;
const MIDDLE: f64 = (LEFT + RIGHT) / 2.0;
/// The longest bars.
const LEFT_BAR: f64 = 200.0;
const RIGHT_BAR: f64 = 210.0;

/// What a drawing looks like: dark on white, as paper is.
const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#131816}\
                     .s{font-size:11px;fill:#46514c}.t{font-size:15px;font-weight:600}\
                     .e{text-anchor:end}.m{text-anchor:middle}";

/// What a chart shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Butterfly {
    /// What it is called.
    pub title: String,
    /// What of.
    pub subtitle: String,
    /// What the bars to the left are, the middle, the bars to the right.
    pub heads: [&'static str; 3],
    /// The rows.
    pub rows: Vec<ButterflyRow>,
    /// What is said below.
    pub note: String,
}

/// A row of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct ButterflyRow {
    /// What stands between the bars.
    pub label: String,
    /// The bar to the left: its amount, and its length, 0 to 1 of the longest.
    pub left: (String, f64),
    /// The bar to the right.
    pub right: (String, f64),
}

impl Butterfly {
    /// Height of the drawing in CSS pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        let rows = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        rows.saturating_mul(ROW).saturating_add(TOP + BOTTOM)
    }

    /// The drawing as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let (width, height) = (WIDTH, self.height());
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\"><title>{}</title>\
             <style>{STYLE}</style><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
            Plain(&self.title)
        );
        text(&mut svg, 24.0, 30, "t", &self.title);
        text(&mut svg, 24.0, 50, "s", &self.subtitle);
        let [left, middle, right] = self.heads;
        text(&mut svg, LEFT, TOP - 12, "s e", left);
        text(&mut svg, MIDDLE, TOP - 12, "s m", middle);
        text(&mut svg, RIGHT, TOP - 12, "s", right);
        for (row, y) in self.rows.iter().zip((TOP..).step_by(ROW as usize)) {
            let (left, right) = (row.left.1 * LEFT_BAR, row.right.1 * RIGHT_BAR);
            bar(&mut svg, LEFT - left, y, left, "#7b8781");
            bar(&mut svg, RIGHT, y, right, "#659ae1");
            text(&mut svg, LEFT - left - 6.0, y + 10, "e", &row.left.0);
            text(&mut svg, MIDDLE, y + 10, "s m", &row.label);
            text(&mut svg, RIGHT + right + 6.0, y + 10, "", &row.right.0);
        }
        text(&mut svg, 24.0, height - 18, "s", &self.note);
        svg.push_str("</svg>\n");
        svg
    }
}

fn text(svg: &mut String, x: f64, y: u32, class: &str, words: &str) {
    // Writing to a String cannot fail.
    let words = Plain(words);
    let _ = write!(svg, "<text x=\"{x:.1}\" y=\"{y}\" class=\"{class}\">{words}</text>");
}

fn bar(svg: &mut String, x: f64, y: u32, width: f64, colour: &str) {
    let width = width.max(1.0);
    let _ = write!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"11\" rx=\"2\" fill=\"{colour}\"/>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(shares: &[f64]) -> Butterfly {
        let row = |share: &f64| ButterflyRow {
            label: "4 KiB … 8 KiB".into(),
            left: ("12".into(), *share),
            right: ("48 KiB".into(), *share),
        };
        Butterfly {
            title: "<b>&".into(),
            subtitle: String::new(),
            heads: ["", "", ""],
            rows: shares.iter().map(row).collect(),
            note: "2026-02-19".into(),
        }
    }

    #[test]
    fn a_drawing_has_two_bars_a_row_and_stays_within_its_frame() {
        let chart = chart(&[1.0, 0.25, 0.0]);
        let svg = chart.svg();
        assert_eq!(svg.matches("<rect x=").count(), 6);
        assert!(svg.contains("x=\"90.0\" y=\"92\" width=\"200.0\""));
        assert!(svg.contains("x=\"420.0\" y=\"112\" width=\"52.5\""));
        assert!(svg.contains("width=\"1.0\""), "what is least is seen");
        assert!(svg.contains(&format!("height=\"{}\"", chart.height())));
    }

    #[test]
    fn a_label_is_no_markup() {
        assert!(chart(&[]).svg().contains(">&lt;b&gt;&amp;</text>"));
    }
}
