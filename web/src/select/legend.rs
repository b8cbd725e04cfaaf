//! The figures beside the map: groups by how full they are.

/// Classes of the histogram, each a tenth.
pub const CLASSES: usize = 10;

/// Groups by the share of their clusters in use; a full group counts to the last class.
#[must_use]
pub fn histogram(groups: impl IntoIterator<Item = (u64, u64)>) -> [u32; CLASSES] {
    let mut counts = [0_u32; CLASSES];
    for (used, of) in groups {
        let class = used.saturating_mul(CLASSES as u64).checked_div(of).unwrap_or(0);
        let class = usize::try_from(class).unwrap_or(usize::MAX).min(CLASSES - 1);
        if let Some(count) = counts.get_mut(class) {
            *count = count.saturating_add(1);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_tenths_and_full_is_the_last() {
        let counts = histogram([(0, 100), (9, 100), (10, 100), (100, 100), (99, 100), (0, 0)]);
        assert_eq!(counts, [3, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
    }
}
