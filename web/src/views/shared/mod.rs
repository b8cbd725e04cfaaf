//! Pieces that several views are made of.
//!
//! *Belongs here:* a piece once a second view wants it. *Does not:* what belongs to one view alone.

mod address;
mod aside;
mod chip;
mod dialog;
mod icon;
mod key_values;
mod long_table;
mod media;
mod outside;
mod paced;
mod save;
mod scroll;
mod step_button;

pub(super) use address::Address;
pub(super) use aside::{Aside, use_aside};
pub(super) use chip::Chip;
pub(super) use dialog::Dialog;
pub(super) use icon::{Icon, logo};
pub(super) use key_values::{KeyValue, KeyValues};
pub(super) use long_table::{Column, LongTable, heads, plain_heads};
pub(super) use media::{NARROW, NO_SIDE_PANEL, use_media, use_size};
pub(super) use outside::use_outside;
pub(super) use paced::{use_paced, use_settled};
pub(super) use save::save_made;
pub(super) use scroll::{Scroll, space, use_follow, use_scroll};
pub(super) use step_button::step_button;
