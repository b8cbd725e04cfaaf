//! What the page knows and how it changes.
//!
//! *Belongs here:* the state, the actions, and the pure step from one state to the next. *Does
//! not:* the engine, storage, clocks, drawing; `client` does what an action asks of the world.
//! *May use:* `protocol`, `text`.
//!
//! Big data is held by `Rc` and compared by address.

mod action;
mod image;
mod known;
mod phase;
mod route;
mod sample;
mod settings;
mod sums;
mod table;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use std::rc::Rc;

pub use action::Action;
pub use image::{Detail, Image, OpenImage, Sweep};
pub use known::{Fullness, Known};
pub use phase::{Choosing, Failure, Opening, Phase, Reason};
pub use route::{Route, View};
pub use sample::{SAMPLES, Sample};
pub use settings::{Settings, Theme};
pub use sums::{CLASSES, Sums};
pub use table::{Filter, FilterChip, GroupSort, GroupTable, SortColumn, free_clusters};

use crate::protocol::Epoch;

/// All that the page knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AppState {
    /// Where the image is between dropped and read.
    pub phase: Phase,
    /// The opening that `phase` speaks of; answers of another are dropped.
    pub epoch: Epoch,
    /// What is looked at: the part of the state that the address bar holds.
    pub route: Route,
    /// How the table of groups is sorted and filtered.
    pub table: GroupTable,
    /// What the person set for good.
    pub settings: Settings,
    /// What keeps the page from working at all, when something does.
    pub notice: Option<String>,
}

impl AppState {
    /// The image, once it is open.
    #[must_use]
    pub fn image(&self) -> Option<&OpenImage> {
        match &self.phase {
            Phase::Ready(image) => Some(image),
            _ => None,
        }
    }

    /// The state after `action`.
    #[must_use]
    pub fn after(mut self, action: Action) -> Self {
        match action {
            Action::Opening { epoch, opening } => {
                // What was selected in one image means nothing in another.
                if self.phase.name().is_some_and(|name| *name != *opening.name) {
                    self.route.group = None;
                }
                self.epoch = epoch;
                self.notice = None;
                self.phase = Phase::Opening(opening);
                self.table = GroupTable::default();
            }
            Action::Closed(epoch) => {
                // What the address named outlasts an opening that is cancelled.
                if !matches!(self.phase, Phase::Opening(_)) {
                    self.route.group = None;
                }
                self.epoch = epoch;
                self.phase = Phase::Empty;
            }
            Action::Replied { epoch, reply } => {
                if epoch == self.epoch {
                    self.phase = self.phase.after(reply);
                    self.follow_route();
                }
            }
            Action::Broke { epoch, reason } => {
                if epoch == self.epoch {
                    if let (Phase::Empty, Reason::Program(text)) = (&self.phase, &reason) {
                        self.notice = Some(text.clone());
                    }
                    self.phase = self.phase.broken(reason);
                }
            }
            Action::Navigated(route) => {
                self.route = route;
                self.follow_route();
            }
            Action::Show(view) => self.route.view = view,
            Action::Select(group) => {
                self.route.group = group;
                self.follow_route();
            }
            Action::SelectField(field) => self.route.field = field,
            Action::Table(table) => self.table = table,
            Action::Set(settings) => self.settings = settings,
            Action::Notice(notice) => self.notice = notice,
        }
        self
    }

    /// Brings the image's selection to what the route names, as far as there is such a group.
    fn follow_route(&mut self) {
        if let Phase::Ready(image) = &mut self.phase {
            image.select(self.route.group);
        }
    }
}

impl yew::Reducible for AppState {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(Rc::unwrap_or_clone(self).after(action))
    }
}
