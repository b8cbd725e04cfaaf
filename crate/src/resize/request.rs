//! What a shrink is asked for.

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, Result};

/// Whose behaviour a plan follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Like {
    /// e2fsprogs 1.47.0.
    #[default]
    #[serde(rename = "1.47.0")]
    V1_47_0,
    /// e2fsprogs 1.47.4.
    #[serde(rename = "1.47.4")]
    V1_47_4,
}

/// How large the filesystem shall be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// As small as the estimate: `resize2fs -M`.
    Minimum,
    /// So many blocks.
    Blocks(u64),
}

/// What a shrink is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Request {
    /// How large it shall be.
    pub target: Target,
    /// Whether `-f` is given: no questions about the state, none about the estimate.
    pub force: bool,
    /// Whose behaviour.
    pub like: Like,
}

impl Target {
    /// Reads a size as `resize2fs` does: a whole number, decimal, hexadecimal after `0x` or octal
    /// after `0`, of blocks, or with one letter of KiB, MiB, GiB, TiB, or sectors (`s`). What is
    /// less than a block is dropped. `min` is the estimate.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] for what is no such size, and for nothing at all.
    pub fn parse(text: &str, block_size: u32) -> Result<Self> {
        if text == "min" {
            return Ok(Self::Minimum);
        }
        parse_blocks(text, block_size).filter(|blocks| *blocks > 0).map(Self::Blocks).ok_or_else(
            || {
                Error::new(ErrorKind::OutOfBounds, format!("{text:?} is no size"))
                    .with_hint("Give blocks, or a number with K, M, G, T or s, or min.")
            },
        )
    }
}

fn parse_blocks(text: &str, block_size: u32) -> Option<u64> {
    let (number, unit) = match text.char_indices().next_back()? {
        (at, letter) if letter.is_ascii_alphabetic() && !is_hex(text) => {
            (text.get(..at)?, Some(letter))
        }
        (at, letter) if "sKkMmGgTt".contains(letter) => (text.get(..at)?, Some(letter)),
        _ => (text, None),
    };
    let number = parse_number(number)?;
    let block_bits = block_size.checked_ilog2()?;
    let byte_bits = match unit {
        None => return Some(number),
        Some('s') => 9,
        Some('K' | 'k') => 10,
        Some('M' | 'm') => 20,
        Some('G' | 'g') => 30,
        Some('T' | 't') => 40,
        Some(_) => return None,
    };
    let bytes = u128::from(number).checked_shl(byte_bits)?;
    u64::try_from(bytes.checked_shr(block_bits)?).ok()
}

fn is_hex(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0X")
}

fn parse_number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (text.get(2..)?, 16),
        [b'0', _, ..] => (text.get(1..)?, 8),
        _ => (text, 10),
    };
    let is_plain = digits.chars().all(|digit| digit.is_digit(radix));
    is_plain.then(|| u64::from_str_radix(digits, radix).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Option<u64> {
        match Target::parse(text, 4096) {
            Ok(Target::Blocks(blocks)) => Some(blocks),
            Ok(Target::Minimum) => panic!("{text} is a size"),
            Err(_) => None,
        }
    }

    #[test]
    fn sizes_are_blocks_or_have_one_letter() {
        for (text, due) in [
            ("1000", 1000),
            ("0x10", 16),
            ("010", 8),
            ("5K", 1),
            ("8k", 2),
            ("1M", 256),
            ("2g", 1 << 19),
            ("1T", 1 << 28),
            ("15s", 1),
            ("0x10s", 2),
        ] {
            assert_eq!(blocks(text), Some(due), "{text}");
        }
        assert_eq!(Target::parse("min", 4096), Ok(Target::Minimum));
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in
            ["", "0", "3K", "7s", "MB", "5MB", "12b", "12S", "-5", "+5", "1.5G", "08", "1 G", "é"]
        {
            assert_eq!(blocks(text), None, "{text}");
        }
    }
}
