//! The clock of the host.

/// Milliseconds on a clock that only goes forward.
#[cfg(target_arch = "wasm32")]
pub(super) fn now() -> f64 {
    super::scope().performance().map_or(0.0, |performance| performance.now())
}

/// Milliseconds on a clock that only goes forward.
#[cfg(not(target_arch = "wasm32"))]
#[allow(clippy::disallowed_methods, reason = "natively there is a clock")]
pub(super) fn now() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;

    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed().as_secs_f64() * 1000.0
}
