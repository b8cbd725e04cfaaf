//! Bytes as they lie, sixteen a line.

/// Bytes of a line.
pub const LINE: usize = 16;

/// A byte as a letter, where it is one that can be seen.
#[must_use]
pub fn letter(byte: u8) -> char {
    if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '·' }
}

/// Bytes in hexadecimal with their letters beside them; the first is at `offset`.
#[must_use]
pub fn dump(bytes: &[u8], offset: u64) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(LINE) * 80);
    for (line, at) in bytes.chunks(LINE).zip((offset..).step_by(LINE)) {
        text.push_str(&format!("{at:08x} "));
        for place in 0..LINE {
            text.push_str(if place == LINE / 2 { "  " } else { " " });
            match line.get(place) {
                Some(byte) => text.push_str(&format!("{byte:02x}")),
                None => text.push_str("  "),
            }
        }
        text.push_str("  ");
        text.extend(line.iter().copied().map(letter));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_of_sixteen_bytes_and_the_last_may_be_short() {
        let shown = dump(b"0123456789abcdef\x1b~", 0x400);
        let due = "00000400  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef\n\
                   00000410  1b 7e                                             ·~\n";
        assert_eq!(shown, due);
    }
}
