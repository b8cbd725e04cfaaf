//! A bitmap as a picture, and its 64-bit words.

use super::Pixels;
use super::palette::Palette;
use super::space::{DevicePx, Rect};

/// Bits of a row of the picture: the power of two that makes it nearest to two wide, one high.
#[must_use]
pub fn picture_width(bits: u32) -> u32 {
    let log = bits.max(1).ilog2();
    1 << (log / 2 + 1)
}

/// The picture of a bitmap: a pixel a bit, bit 0 first, `width` bits a row.
#[must_use]
pub fn picture(bytes: &[u8], bits: u32, width: u32, palette: &Palette) -> Pixels {
    let width = width.max(1);
    let height = bits.div_ceil(width).max(1);
    let mut pixels = Pixels::filled(width, height, palette.well);
    pixels.paint(Rect { x: 0, y: 0, w: width, h: height }, |x, y| {
        match bit(bytes, bits, y * width + x) {
            Some(true) => palette.used,
            Some(false) => palette.free,
            None => palette.well,
        }
    });
    pixels
}

/// Whether bit `n` is set, or `None` past the last.
fn bit(bytes: &[u8], bits: u32, n: DevicePx) -> Option<bool> {
    let byte = bytes.get(n as usize / 8)?;
    (n < bits).then_some(byte >> (n % 8) & 1 == 1)
}

/// 64 bits of a bitmap; the last word may have fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Which word, counted from 0.
    pub index: u32,
    /// Its bits; bit 0 is the bitmap's bit `64 * index`.
    pub value: u64,
    /// Bits that stand for something.
    pub bits: u32,
}

impl Word {
    /// The word `index` of a bitmap, or `None` past the last.
    #[must_use]
    pub fn at(bytes: &[u8], bits: u32, index: u32) -> Option<Self> {
        let first = index.checked_mul(64)?;
        let here = bits.checked_sub(first).filter(|&left| left > 0)?.min(64);
        let mut word = [0; 8];
        let from = bytes.get(first as usize / 8..).unwrap_or_default();
        for (to, &byte) in word.iter_mut().zip(from) {
            *to = byte;
        }
        let value = u64::from_le_bytes(word);
        let mask = u64::MAX >> (64 - here);
        Some(Self { index, value: value & mask, bits: here })
    }

    /// First bit of the bitmap in this word.
    #[must_use]
    pub fn first(self) -> u32 {
        self.index * 64
    }

    /// Bits that are set.
    #[must_use]
    pub fn set(self) -> u32 {
        self.value.count_ones()
    }

    /// Whether bit `n` of the word is set, or `None` past the last.
    #[must_use]
    pub fn test(self, n: u32) -> Option<bool> {
        (n < self.bits).then_some(self.value >> n & 1 == 1)
    }
}

/// The first word that is neither empty nor full, or else the first: the one worth showing.
#[must_use]
pub fn telling_word(bytes: &[u8], bits: u32) -> u32 {
    (0..bits.div_ceil(64))
        .find(|&index| {
            Word::at(bytes, bits, index).is_some_and(|word| (1..word.bits).contains(&word.set()))
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::palette::Theme;

    #[test]
    fn pictures_are_about_twice_as_wide_as_high() {
        let widths = [8192, 32_768, 131_072, 524_288].map(picture_width);
        assert_eq!(widths, [128, 256, 512, 1024]);
        assert_eq!(picture_width(0), 2);
    }

    #[test]
    fn a_pixel_is_a_bit_in_reading_order() {
        let palette = Palette::of(Theme::Light);
        let pixels = picture(&[0b0000_0010, 0b0000_0001], 12, 4, &palette);
        assert_eq!(pixels.height(), 3);
        let at = |x, y| pixels.at(x, y);
        assert_eq!(at(1, 0), Some(palette.used));
        assert_eq!(at(0, 0), Some(palette.free));
        assert_eq!(at(0, 2), Some(palette.used));
        let short = picture(&[0xff], 6, 4, &palette);
        assert_eq!(short.at(3, 1), Some(palette.well), "padding is no block");
    }

    #[test]
    fn words_are_little_endian_and_end_with_the_bitmap() {
        let bytes = [1, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0xff];
        let first = Word::at(&bytes, 70, 0).expect("first");
        assert_eq!((first.value, first.bits, first.set()), (0x8000_0000_0000_0001, 64, 2));
        let last = Word::at(&bytes, 70, 1).expect("last");
        assert_eq!((last.value, last.bits, last.first()), (0x3f, 6, 64));
        assert_eq!((last.test(5), last.test(6)), (Some(true), None));
        assert_eq!(Word::at(&bytes, 70, 2), None);
        assert_eq!(Word::at(&[], 0, 0), None);
        assert_eq!(Word::at(&[], 64, u32::MAX), None);
    }

    #[test]
    fn the_word_shown_first_is_a_mixed_one() {
        let mut bytes = vec![0xff; 24];
        assert_eq!(telling_word(&bytes, 192), 0);
        bytes[17] = 0x0f;
        assert_eq!(telling_word(&bytes, 192), 2);
        assert_eq!(telling_word(&[0xff], 6), 0, "padding does not make a word mixed");
    }
}
