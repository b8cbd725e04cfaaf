//! Letters of five by seven pixels, for cells.

/// Width and height of a letter, in its own pixels.
pub(crate) const SIZE: (u32, u32) = (5, 7);

/// Whether a letter has ink at a column and row.
pub(crate) fn has_ink(letter: char, x: u32, y: u32) -> bool {
    let rows = rows(letter);
    let row = rows.get(y as usize).copied().unwrap_or(0);
    x < SIZE.0 && row >> (SIZE.0 - 1 - x) & 1 == 1
}

/// The rows of a letter from above, its left pixel the highest of five bits.
fn rows(letter: char) -> [u8; 7] {
    match letter {
        '0' => [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
        '1' => [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        'B' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
        'D' => [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
        'E' => [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
        'F' => [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000],
        'G' => [0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01110],
        'I' => [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        'J' => [0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100],
        'O' => [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        'R' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001],
        'S' => [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
        'T' => [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
        'X' => [0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001],
        '!' => [0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00000, 0b00100],
        _ => [0; 7],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;

    #[test]
    fn every_letter_of_a_kind_is_drawn_and_no_two_are_alike() {
        let mut drawn = vec![rows('0'), rows('1')];
        for kind in Kind::ALL {
            // In use and free have no letter: there the colour says all.
            if !matches!(kind, Kind::Used | Kind::Free) {
                assert!(!drawn.contains(&rows(kind.letter())), "{kind:?}");
                assert_ne!(rows(kind.letter()), [0; 7], "{kind:?}");
                drawn.push(rows(kind.letter()));
            }
        }
        assert!(has_ink('T', 0, 0) && !has_ink('T', 0, 1) && !has_ink('T', 5, 0));
    }
}
