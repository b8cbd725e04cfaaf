//! The theme's colours.

use crate::render::palette::Palette;

/// The palette of the theme that the page has now.
#[must_use]
pub fn palette() -> Palette {
    let style = web_sys::window().and_then(|window| {
        let root = window.document()?.document_element()?;
        window.get_computed_style(&root).ok()?
    });
    Palette::from_tokens(|name| {
        style
            .as_ref()
            .and_then(|style| style.get_property_value(name).ok())
            .unwrap_or_default()
            .trim()
            .to_owned()
    })
}
