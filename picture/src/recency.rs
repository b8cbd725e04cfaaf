//! How long ago something was, as a place on a ramp.

/// Minutes from which on something is old: ten years.
const OLD: f64 = 10.0 * 365.25 * 24.0 * 60.0;

/// How recent a time is, seen from `now`, both in seconds: 255 at `now` and later, 0 ten years
/// before and earlier; a second is too short to be seen, and three are a step of the ramp. By the cube root of the age, so that days are told apart where they
/// are new and years where they are old.
#[must_use]
pub fn recency(time: i64, now: i64) -> u8 {
    let minutes = (now.saturating_sub(time) as f64 / 60.0).max(0.0);
    let share = (minutes / OLD).cbrt();
    255 - (share * 255.0).round().min(255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_is_told_apart_by_days_and_the_old_by_years() {
        const DAY: i64 = 86_400;
        let now = 1_771_486_860;
        let places: Vec<u8> = [0, DAY, 30 * DAY, 365 * DAY, 1096 * DAY, 3660 * DAY]
            .map(|ago| recency(now - ago, now))
            .to_vec();
        assert_eq!((places[0], places[5]), (255, 0));
        assert!(places.windows(2).all(|pair| pair[0] - pair[1] >= 15), "{places:?}");
        assert_eq!(recency(now + DAY, now), 255, "what is later than now is new");
        assert_eq!(recency(i64::MIN, i64::MAX), 0);
    }
}
