//! What stands around every view.
//!
//! *Belongs here:* the header, the lists of views, the status bar, the keyboard. *Does not:* views.

mod header;
mod keys;
mod reads;
mod shortcuts;
mod side_bar;
mod status_bar;
mod tab_bar;

pub(super) use header::Header;
pub(super) use keys::{Command, use_keys};
pub(super) use reads::Reads;
pub(super) use shortcuts::Shortcuts;
pub(super) use side_bar::SideBar;
pub(super) use status_bar::StatusBar;
pub(super) use tab_bar::TabBar;
