//! Chance in tests: the same in every ordinary run, new in every long one.

/// A number from the environment.
///
/// # Panics
/// When the variable is set to something else.
#[must_use]
pub fn number(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")))
}

/// The seed of a run, printed: `EXTSCOPE_SEED`, or a new one when the run is a long one that
/// somebody asked for, or always the same, so that a change is judged by itself.
#[must_use]
pub fn seed(long: bool) -> u64 {
    let new = || if long { fastrand::u64(..) } else { 20_261_130 };
    let seed = number("EXTSCOPE_SEED").unwrap_or_else(new);
    println!("EXTSCOPE_SEED={seed}");
    seed
}
