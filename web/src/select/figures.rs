//! What is known of each view in a word or two, beside its name.

use crate::select::header::Tone;
use crate::state::{OpenImage, View};
use crate::text::{number, size};

/// What is known of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The view.
    pub view: View,
    /// Whether it asks to be looked at.
    pub tone: Tone,
    /// The word.
    pub text: String,
    /// The same in full.
    pub title: String,
}

/// What is known of each view; nothing is said of one that has nothing to say yet.
#[must_use]
pub fn figures(open: &OpenImage) -> Vec<Figure> {
    let groups = u64::from(open.known.groups());
    let groups = Figure {
        view: View::Groups,
        tone: Tone::Neutral,
        text: number::count(groups),
        title: number::count_of(groups, "group", "groups"),
    };
    let minimum = open.shrink.minimum.here();
    let least = minimum.filter(|minimum| minimum.minimum_blocks < minimum.blocks_count);
    let least = least.map(|minimum| Figure {
        view: View::Shrink,
        tone: Tone::Neutral,
        text: format!("to {}", size::bytes(minimum.minimum_bytes)),
        title: number::count_of(minimum.minimum_blocks, "block", "blocks"),
    });
    let damage = open.check.as_ref().map(|check| check.damage()).filter(|damage| *damage > 0);
    let check = damage.map(|damage| Figure {
        view: View::Check,
        tone: Tone::Err,
        text: if damage > 9999 { "> 9,999".to_owned() } else { number::count(damage) },
        title: number::count_of(damage, "problem makes it unclean", "problems make it unclean"),
    });
    [Some(groups), least, check].into_iter().flatten().collect()
}
