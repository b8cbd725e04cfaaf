//! A canvas and its context.

use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use crate::render::Pixels;
use crate::render::draw::{Align, Draw, Face, ViewRect};
use crate::render::palette::{Palette, Rgb};
use crate::render::space::{Density, DevicePx, ViewPx};

/// Device pixels of a CSS pixel, as the browser says.
#[must_use]
pub fn pixel_ratio() -> f64 {
    web_sys::window().map_or(1.0, |window| window.device_pixel_ratio())
}

/// A canvas of `side` by `side` pixels that is not on the page, to be drawn from.
pub(super) fn picture(side: DevicePx, pixels: &[u8]) -> Option<HtmlCanvasElement> {
    let document = web_sys::window()?.document()?;
    let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    let surface = Surface::new(canvas.clone())?;
    canvas.set_width(side);
    canvas.set_height(side);
    let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(pixels), side, side).ok()?;
    surface.context.put_image_data(&image, 0.0, 0.0).ok()?;
    Some(canvas)
}

/// A canvas and its context.
#[derive(Clone, Debug)]
pub struct Surface {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
}

impl Surface {
    /// The surface of a canvas; `None` where the browser has no context for it.
    #[must_use]
    pub fn new(canvas: HtmlCanvasElement) -> Option<Self> {
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        Some(Self { canvas, context })
    }

    /// The canvas's pixels.
    #[must_use]
    pub fn size(&self) -> (DevicePx, DevicePx) {
        (self.canvas.width(), self.canvas.height())
    }

    /// Gives the canvas its pixels, and a size on the page that makes each of them one of the
    /// screen's. What was drawn is gone.
    pub fn resize(&self, width: DevicePx, height: DevicePx, density: Density) {
        self.canvas.set_width(width);
        self.canvas.set_height(height);
        let style = |device| format!("{}px", density.view_from_device(device));
        // Refused only for names that are no properties.
        let _ = self.canvas.style().set_property("width", &style(width));
        let _ = self.canvas.style().set_property("height", &style(height));
    }

    /// Puts the canvas at a place of what it lies in.
    pub(super) fn place(&self, left: ViewPx, top: ViewPx) {
        let style = self.canvas.style();
        // Refused only for names that are no properties.
        let _ = style.set_property("left", &format!("{left}px"));
        let _ = style.set_property("top", &format!("{top}px"));
    }

    /// Shows `pixels`, one for each of the canvas; the style sheet says how large they are.
    pub fn set_pixels(&self, pixels: &Pixels) {
        self.canvas.set_width(pixels.width());
        self.canvas.set_height(pixels.height());
        self.put(pixels, 0, pixels.height());
    }

    /// Shows the rows `from` to `to` of `pixels`.
    pub fn put(&self, pixels: &Pixels, from: DevicePx, to: DevicePx) {
        let to = to.min(pixels.height());
        if from >= to {
            return;
        }
        let rows = Clamped(pixels.rows(from, to));
        let image = ImageData::new_with_u8_clamped_array_and_sh(rows, pixels.width(), to - from);
        if let Ok(image) = image {
            // Fails only for a detached image.
            let _ = self.context.put_image_data(&image, 0.0, f64::from(from));
        }
    }

    /// Gives every pixel the same colour.
    pub(super) fn fill(&self, colour: Rgb) {
        let (width, height) = (self.canvas.width(), self.canvas.height());
        let _ = self.context.reset_transform();
        self.context.set_fill_style_str(&colour.css());
        self.context.fill_rect(0.0, 0.0, width.into(), height.into());
    }

    /// Draws another canvas at a device pixel, in a size in device pixels.
    pub(super) fn put_canvas(
        &self,
        canvas: &HtmlCanvasElement,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
    ) {
        self.context.set_image_smoothing_enabled(false);
        // Fails only for a canvas without pixels.
        let _ = self
            .context
            .draw_image_with_html_canvas_element_and_dw_and_dh(canvas, x, y, width, height);
    }

    /// Makes everything transparent.
    pub fn clear(&self) {
        let (width, height) = (self.canvas.width(), self.canvas.height());
        let _ = self.context.reset_transform();
        self.context.clear_rect(0.0, 0.0, width.into(), height.into());
    }

    /// Draws, on what is there.
    pub fn draw(&self, draws: &[Draw], density: Density, palette: &Palette) {
        let ratio = density.ratio();
        let _ = self.context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
        self.context.set_text_baseline("middle");
        for draw in draws {
            self.draw_one(draw, palette);
        }
    }

    fn draw_one(&self, draw: &Draw, palette: &Palette) {
        let context = &self.context;
        match draw {
            Draw::Fill { rect: ViewRect { x, y, w, h }, colour } => {
                context.set_fill_style_str(&colour.css());
                context.fill_rect(*x, *y, *w, *h);
            }
            Draw::Outline { rect: ViewRect { x, y, w, h }, colour, width } => {
                context.set_stroke_style_str(&colour.css());
                context.set_line_width(*width);
                context.stroke_rect(*x, *y, *w, *h);
            }
            Draw::Text { x, y, text, colour, face, size, align } => {
                let family = match face {
                    Face::Ui => &palette.font_ui,
                    Face::Mono => &palette.font_mono,
                };
                context.set_font(&format!("{size}px {family}"));
                context.set_fill_style_str(&colour.css());
                context.set_text_align(match align {
                    Align::Start => "left",
                    Align::Middle => "center",
                    Align::End => "right",
                });
                // Fails only for a context that is lost; then nothing is seen anyway.
                let _ = context.fill_text(text, *x, *y);
            }
        }
    }
}
