//! The three spaces of a canvas.
//!
//! * *map*: cells in reading order, columns and rows; the same whatever the window.
//! * *view*: CSS pixels from the canvas' top left corner; what pointers speak.
//! * *device*: the canvas' own pixels; what is painted, always whole numbers.
//!
//! A name says its space: `tile_device`, `pointer_view`. Functions are `to_from`.

/// A length or place in CSS pixels.
pub type ViewPx = f64;
/// A length or place in the canvas' own pixels.
pub type DevicePx = u32;

/// More than this many pixels of canvas cost more than sharpness brings.
const MOST_PIXELS: f64 = 8_000_000.0;
/// Density for canvases that would exceed [`MOST_PIXELS`].
const COARSE: f64 = 1.5;
/// Density past which no eye sees a difference.
const FINEST: f64 = 3.0;

/// How many device pixels a CSS pixel has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Density(f64);

impl Density {
    /// The density for a canvas of `width` by `height` CSS pixels on a screen of `ratio`.
    #[must_use]
    pub fn for_canvas(width: ViewPx, height: ViewPx, ratio: f64) -> Self {
        let ratio = if ratio.is_finite() { ratio.clamp(0.5, FINEST) } else { 1.0 };
        if width * height * ratio * ratio > MOST_PIXELS && ratio > COARSE {
            Self(COARSE)
        } else {
            Self(ratio)
        }
    }

    /// Just so many device pixels for a CSS pixel.
    #[must_use]
    pub fn exactly(ratio: f64) -> Self {
        Self(if ratio.is_finite() { ratio.clamp(0.5, FINEST) } else { 1.0 })
    }

    /// Device pixels of a CSS pixel.
    #[must_use]
    pub fn ratio(self) -> f64 {
        self.0
    }

    /// The nearest device pixel.
    #[must_use]
    pub fn device_from_view(self, view: ViewPx) -> DevicePx {
        // Saturates; canvases are far smaller than the type.
        (view * self.0).round().max(0.0) as DevicePx
    }

    /// The device pixel that a pointer is over; none left of or above the canvas.
    #[must_use]
    pub fn device_at(self, pointer_view: ViewPx) -> Option<DevicePx> {
        let device = (pointer_view * self.0).floor();
        (device >= 0.0).then_some(device as DevicePx)
    }

    /// The CSS pixel at which a device pixel begins.
    #[must_use]
    pub fn view_from_device(self, device: DevicePx) -> ViewPx {
        f64::from(device) / self.0
    }
}

/// A rectangle in device pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Left edge.
    pub x: DevicePx,
    /// Upper edge.
    pub y: DevicePx,
    /// Width.
    pub w: DevicePx,
    /// Height.
    pub h: DevicePx,
}

impl Rect {
    /// One past the last column.
    #[must_use]
    pub fn right(self) -> DevicePx {
        self.x.saturating_add(self.w)
    }

    /// One past the last row.
    #[must_use]
    pub fn bottom(self) -> DevicePx {
        self.y.saturating_add(self.h)
    }

    /// Whether the pixel lies inside.
    #[must_use]
    pub fn contains(self, x: DevicePx, y: DevicePx) -> bool {
        (self.x..self.right()).contains(&x) && (self.y..self.bottom()).contains(&y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_canvas_is_painted_coarser() {
        assert_eq!(Density::for_canvas(900.0, 800.0, 2.0).ratio(), 2.0);
        assert_eq!(Density::for_canvas(3000.0, 2000.0, 2.0).ratio(), 1.5);
        assert_eq!(Density::for_canvas(5000.0, 2000.0, 1.0).ratio(), 1.0);
        assert_eq!(Density::for_canvas(300.0, 200.0, 9.0).ratio(), 3.0);
        assert_eq!(Density::for_canvas(300.0, 200.0, f64::NAN).ratio(), 1.0);
    }

    #[test]
    fn device_and_view_are_inverse_on_whole_pixels() {
        for ratio in [1.0, 1.25, 1.5, 2.0, 3.0] {
            let density = Density(ratio);
            for device in 0..500 {
                assert_eq!(density.device_from_view(density.view_from_device(device)), device);
            }
        }
    }

    #[test]
    fn a_pointer_is_over_the_pixel_it_has_entered() {
        let density = Density(2.0);
        assert_eq!(density.device_at(10.4), Some(20));
        assert_eq!(density.device_at(10.5), Some(21));
        assert_eq!(density.device_at(-0.1), None);
    }
}
