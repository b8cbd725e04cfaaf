//! A bitmap as a picture, and one word of it as bits.

use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::word::WordBits;
use crate::canvas::{Frame, Surface, palette};
use crate::protocol::{BitmapOrigin, GroupDetail};
use crate::render::bits::{Word, picture, picture_width, telling_word};
use crate::state::Theme;
use crate::text::number;

/// What is shown.
#[derive(Properties)]
pub(super) struct BitmapSectionProps {
    /// The group, its block bitmap known.
    pub detail: Rc<GroupDetail>,
    /// The theme.
    pub theme: Theme,
    /// Bits of a group that is not the short last one; decides the picture's width.
    pub bits_of_full_group: u32,
}

impl PartialEq for BitmapSectionProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.detail, &other.detail)
            && (self.theme, self.bits_of_full_group) == (other.theme, other.bits_of_full_group)
    }
}

/// A bitmap as a picture, and one word of it as bits.
#[component]
pub(super) fn BitmapSection(props: &BitmapSectionProps) -> Html {
    let node = use_node_ref();
    let frame = use_memo((), |()| Frame::default());
    let width = picture_width(props.bits_of_full_group);
    let chosen = use_state(|| None::<(extscope::units::Group, u32)>);
    {
        let (node, detail) = (node.clone(), Rc::clone(&props.detail));
        let frame = Rc::clone(&frame);
        let shown = (Rc::as_ptr(&props.detail), props.theme, width);
        use_effect_with(shown, move |&(_, _, width)| {
            let surface = node.cast::<HtmlCanvasElement>().and_then(Surface::new);
            if let Some(surface) = surface {
                frame.request(move || {
                    let Ok(bitmap) = &detail.block_bitmap else { return };
                    let pixels = picture(&bitmap.bytes, bitmap.bits, width, &palette());
                    surface.set_pixels(&pixels);
                });
            }
        });
    }
    let Ok(bitmap) = &props.detail.block_bitmap else { return Html::default() };
    let group = props.detail.group;
    let index = match *chosen {
        Some((of, index)) if of == group => index,
        _ => telling_word(&bitmap.bytes, bitmap.bits),
    };
    let on_click = {
        let (chosen, node) = (chosen.setter(), node.clone());
        Callback::from(move |event: MouseEvent| {
            let Some(canvas) = node.cast::<HtmlCanvasElement>() else { return };
            let scale = f64::from(width) / f64::from(canvas.client_width().max(1));
            let across = (f64::from(event.offset_x()) * scale) as u32;
            let down = (f64::from(event.offset_y()) * scale) as u32;
            chosen.set(Some((group, (down * width + across.min(width - 1)) / 64)));
        })
    };
    let on_word = {
        let chosen = chosen.setter();
        Callback::from(move |index| chosen.set(Some((group, index))))
    };
    let bits = number::count(bitmap.bits.into());
    let origin = match bitmap.origin {
        BitmapOrigin::Read => number::count(bitmap.fsblk.get()),
        BitmapOrigin::Synthesised => "never written".to_owned(),
    };
    let is_address = bitmap.origin == BitmapOrigin::Read;
    let word = Word::at(&bitmap.bytes, bitmap.bits, index);
    let set: u32 = bitmap_set(&bitmap.bytes, bitmap.bits);
    let described = format!(
        "Picture of the block bitmap: {} of {bits} bits are set.",
        number::count(set.into())
    );
    html! {
        <section class="inspector__section">
            <h3>
                { format!("Block bitmap, {bits} bits") }
                <span
                    class={is_address.then_some("mono")}
                    title={if is_address { "The block it lies in" } else { "Made as the kernel would make it" }}
                >
                    { origin }
                </span>
            </h3>
            <canvas
                ref={node}
                class="bitmap-picture"
                role="img"
                aria-label={described}
                title="Click to see the word there"
                onclick={on_click}
            />
            if let Some(word) = word {
                <WordBits {word} last={(bitmap.bits - 1) / 64} {on_word} />
            }
        </section>
    }
}

fn bitmap_set(bytes: &[u8], bits: u32) -> u32 {
    (0..bits.div_ceil(64)).filter_map(|index| Word::at(bytes, bits, index)).map(Word::set).sum()
}
