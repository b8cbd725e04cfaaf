//! How a field's value is shown.

use serde::{Deserialize, Serialize};

use crate::report::format::{bytes, grouped, hex, padded_text, time, uuid};

/// A field's value as data: bare, in the unit of the field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FieldValue {
    /// A number.
    Number(u64),
    /// A number below 0.
    Signed(i64),
    /// Text or a UUID.
    Text(String),
    /// Several numbers.
    List(Vec<u64>),
}

/// A number that may be below 0, in the one form that JSON gives back.
impl From<i16> for FieldValue {
    fn from(n: i16) -> Self {
        u64::try_from(n).map_or(Self::Signed(n.into()), Self::Number)
    }
}

/// A value as data and for people.
pub(in crate::report) struct Shown {
    pub(in crate::report) value: FieldValue,
    pub(in crate::report) text: String,
}

/// A number with a text of its own.
pub(in crate::report) fn number(n: impl Into<u64>, text: impl Into<String>) -> Shown {
    Shown { value: FieldValue::Number(n.into()), text: text.into() }
}

/// An amount.
pub(in crate::report) fn count(n: impl Into<u64>) -> Shown {
    let n = n.into();
    number(n, grouped(n))
}

/// An amount of bytes.
pub(super) fn size(n: impl Into<u64>) -> Shown {
    let n = n.into();
    let text = if n < 1024 { bytes(n) } else { format!("{} ({} bytes)", bytes(n), grouped(n)) };
    number(n, text)
}

/// An amount of blocks, and what that is in bytes.
pub(super) fn blocks(n: u64, log_block_size: u32) -> Shown {
    let size = Some(1024_u64 << log_block_size.min(6)).filter(|_| log_block_size <= 6);
    let size = size.and_then(|size| size.checked_mul(n));
    match size {
        Some(size) if n > 0 => number(n, format!("{} ({})", grouped(n), bytes(size))),
        _ => count(n),
    }
}

/// A place or a bare number: no commas.
pub(in crate::report) fn block(n: impl Into<u64>) -> Shown {
    let n = n.into();
    number(n, n.to_string())
}

/// A place of which 0 means that there is none.
pub(super) fn place(n: impl Into<u64>) -> Shown {
    let n = n.into();
    number(n, if n == 0 { "none".to_owned() } else { n.to_string() })
}

/// A checksum or a word of bits.
pub(super) fn word(n: u32) -> Shown {
    number(n, hex(n.into(), 8))
}

/// Seconds since 1970; 0 is `never`.
pub(super) fn moment(seconds: u64) -> Shown {
    number(seconds, if seconds == 0 { "never".to_owned() } else { time(seconds) })
}

/// An interval in seconds; 0 is `never`.
pub(super) fn interval(seconds: u32) -> Shown {
    let text = match seconds {
        0 => "never".to_owned(),
        s if s.is_multiple_of(86_400) => format!("every {} days", grouped(u64::from(s / 86_400))),
        s => format!("every {} seconds", grouped(s.into())),
    };
    number(seconds, text)
}

/// NUL-padded text.
pub(super) fn text(bytes: &[u8]) -> Shown {
    let text = padded_text(bytes);
    let shown = if text.is_empty() { "none".to_owned() } else { text.clone() };
    Shown { value: FieldValue::Text(text), text: shown }
}

/// A UUID; all zeros are `none`.
pub(super) fn id(bytes: [u8; 16]) -> Shown {
    let written = uuid(bytes);
    let text = if bytes == [0; 16] { "none".to_owned() } else { written.clone() };
    Shown { value: FieldValue::Text(written), text }
}

/// A number that stands for one of some names.
pub(super) fn one_of(n: impl Into<u64>, names: &[(u64, &str)]) -> Shown {
    let n = n.into();
    let name = names.iter().find(|(number, _)| *number == n).map(|(_, name)| *name);
    number(n, name.map_or_else(|| format!("unknown ({n})"), str::to_owned))
}

/// A word of bits with names; unknown bits in hexadecimal.
pub(super) fn flags(n: u64, names: &[(u64, &str)]) -> Shown {
    let mut set: Vec<String> =
        names.iter().filter(|(bit, _)| n & bit != 0).map(|(_, name)| (*name).to_owned()).collect();
    let unknown = names.iter().fold(n, |rest, (bit, _)| rest & !bit);
    if unknown != 0 {
        set.push(format!("0x{unknown:x}"));
    }
    number(n, if set.is_empty() { "none".to_owned() } else { set.join(", ") })
}

/// Several numbers.
pub(super) fn list(numbers: impl IntoIterator<Item = u64>) -> Shown {
    let numbers: Vec<u64> = numbers.into_iter().collect();
    let text = if numbers.iter().all(|n| *n == 0) {
        "none".to_owned()
    } else {
        numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
    };
    Shown { value: FieldValue::List(numbers), text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_name_what_is_known_and_keep_the_rest() {
        let names = [(1, "one"), (2, "two")];
        assert_eq!(flags(0, &names).text, "none");
        assert_eq!(flags(3, &names).text, "one, two");
        assert_eq!(flags(0x12, &names).text, "two, 0x10");
    }

    #[test]
    fn nothing_is_said_in_a_word() {
        assert_eq!(moment(0).text, "never");
        assert_eq!(place(0_u32).text, "none");
        assert_eq!(id([0; 16]).text, "none");
        assert_eq!(text(&[0; 4]).text, "none");
        assert_eq!(list([0, 0]).text, "none");
    }

    #[test]
    fn amounts_and_places_are_written_apart() {
        assert_eq!(count(65_536_u32).text, "65,536");
        assert_eq!(block(65_536_u32).text, "65536");
        assert_eq!(blocks(1024, 2).text, "1,024 (4 MiB)");
        assert_eq!(blocks(u64::MAX, 60).text, "18,446,744,073,709,551,615");
    }

    #[test]
    fn values_are_bare_data() {
        let one = one_of(7_u32, &[(1, "one")]);
        assert_eq!((one.value, one.text), (FieldValue::Number(7), "unknown (7)".to_owned()));
        assert_eq!(interval(86_400 * 180).text, "every 180 days");
        assert_eq!(interval(90).text, "every 90 seconds");
    }
}
