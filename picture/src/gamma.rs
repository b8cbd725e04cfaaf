//! From sRGB to linear light and back, by tables: powers are slow, and a picture asks for many.
//!
//! Ref: IEC 61966-2-1.

use std::sync::LazyLock;

/// Steps of linear light: enough that every colour comes back as it went in.
const STEPS: u16 = 16_384;

/// Linear light of each value of a channel.
static LINEAR: LazyLock<[f32; 256]> =
    LazyLock::new(|| core::array::from_fn(|value| to_light(value as f32 / 255.0)));

/// The value of a channel at each step of linear light.
static VALUES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut value = 0;
    let mut until = to_light(0.5 / 255.0);
    let at = |step| {
        let light = f32::from(step) / f32::from(STEPS);
        while value < u8::MAX && light >= until {
            value += 1;
            until = to_light((f32::from(value) + 0.5) / 255.0);
        }
        value
    };
    (0..=STEPS).map(at).collect()
});

/// Linear light of a channel's value, from 0 to 1.
pub(crate) fn linear(value: u8) -> f32 {
    LINEAR[usize::from(value)]
}

/// The value of a channel that has so much linear light.
pub(crate) fn value(light: f32) -> u8 {
    let step = (light * f32::from(STEPS)).round();
    VALUES.get(step as usize).copied().unwrap_or(u8::MAX)
}

/// A channel from 0 to 1 in linear light.
fn to_light(channel: f32) -> f32 {
    if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back_as_it_went_in() {
        for value in 0..=u8::MAX {
            assert_eq!(super::value(linear(value)), value);
        }
    }

    #[test]
    fn between_two_values_the_nearer_one_is_given() {
        for step in 0..=STEPS {
            let light = f32::from(step) / f32::from(STEPS);
            let channel = if light <= 0.003_130_8 {
                light * 12.92
            } else {
                1.055 * light.powf(1.0 / 2.4) - 0.055
            };
            let exact = channel * 255.0;
            assert!((exact - f32::from(value(light))).abs() < 0.501, "{exact} at step {step}");
        }
    }
}
