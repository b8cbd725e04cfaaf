//! How reports are laid out as text.

use extscope::fs::CsumState;
use extscope::report::BlockRange;

/// `7-12`, or `7` for one.
pub(crate) fn range(range: &BlockRange) -> String {
    if range.first == range.last {
        range.first.to_string()
    } else {
        format!("{}-{}", range.first, range.last)
    }
}

/// All ranges, or `none`.
pub(crate) fn ranges(all: &[BlockRange]) -> String {
    if all.is_empty() {
        return "none".to_owned();
    }
    all.iter().map(range).collect::<Vec<_>>().join(", ")
}

/// A checksum of `digits` digits with what it is worth; nothing where none is kept.
pub(crate) fn csum(state: CsumState, stored: u32, expected: Option<u32>, digits: usize) -> String {
    match (state, expected) {
        (CsumState::Good, _) => format!(", checksum 0x{stored:0digits$x} good"),
        (CsumState::Bad, Some(expected)) => {
            format!(", checksum 0x{stored:0digits$x} BAD, expected 0x{expected:0digits$x}")
        }
        _ => String::new(),
    }
}

/// What a checksum is worth, as JSON has it.
pub(crate) fn csum_word(state: CsumState) -> &'static str {
    match state {
        CsumState::None => "none",
        CsumState::Good => "good",
        CsumState::Bad => "bad",
    }
}

/// `1 free block`, `2 free blocks`.
pub(crate) fn count(n: u32, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_one_are_a_number() {
        let all = [BlockRange { first: 3, last: 3 }, BlockRange { first: 5, last: 9 }];
        assert_eq!(ranges(&all), "3, 5-9");
        assert_eq!(ranges(&[]), "none");
    }

    #[test]
    fn a_wrong_checksum_cannot_be_missed() {
        assert_eq!(csum(CsumState::None, 5, None, 4), "");
        assert_eq!(csum(CsumState::Good, 5, Some(5), 4), ", checksum 0x0005 good");
        assert_eq!(csum(CsumState::Bad, 5, Some(6), 4), ", checksum 0x0005 BAD, expected 0x0006");
    }
}
