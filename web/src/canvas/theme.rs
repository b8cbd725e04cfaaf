//! The theme's colours.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::Element;

use crate::render::palette::Palette;

thread_local! {
    /// The palette read last, and the theme that it is of.
    static LAST: RefCell<Option<(Option<String>, Rc<Palette>)>> = const { RefCell::new(None) };
}

/// The palette of the theme that the page has now; the style sheet is asked once a theme.
#[must_use]
pub fn palette() -> Rc<Palette> {
    let root = web_sys::window().and_then(|window| window.document()?.document_element());
    let theme = root.as_ref().and_then(|root| root.get_attribute("data-theme"));
    LAST.with_borrow_mut(|last| match last {
        Some((of, palette)) if *of == theme => Rc::clone(palette),
        _ => {
            let palette = Rc::new(read(root.as_ref()));
            *last = Some((theme, Rc::clone(&palette)));
            palette
        }
    })
}

fn read(root: Option<&Element>) -> Palette {
    let style = web_sys::window()
        .zip(root)
        .and_then(|(window, root)| window.get_computed_style(root).ok()?);
    Palette::from_tokens(|name| {
        style
            .as_ref()
            .and_then(|style| style.get_property_value(name).ok())
            .unwrap_or_default()
            .trim()
            .to_owned()
    })
}
