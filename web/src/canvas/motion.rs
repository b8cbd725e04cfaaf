//! Motion: what time it is, and whether the person wants to see any.

/// Milliseconds on a clock that only goes forward.
#[must_use]
pub fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// Whether the person wants as little motion as can be.
#[must_use]
pub fn wants_stillness() -> bool {
    let list = web_sys::window().map(|it| it.match_media("(prefers-reduced-motion: reduce)"));
    matches!(list, Some(Ok(Some(list))) if list.matches())
}
