//! The opening page: everything before an image is open, and what keeps it from being.
//!
//! *Belongs here:* a card for each phase. *Does not:* opening.

mod backdrop;
mod backups;
mod failure;
mod from_byte;
mod idle;
mod offline;
mod partitions;
mod progress;
mod samples;
mod scenarios;

use std::rc::Rc;

use yew::prelude::*;

use self::backdrop::Backdrop;
use self::backups::Backups;
use self::failure::FailureCard;
use self::idle::Idle;
use self::offline::Keep;
use self::partitions::PartitionsCard;
use self::progress::OpeningCard;
use self::samples::Samples;
use self::scenarios::Scenarios;
use crate::protocol::SuperblockChoice;
use crate::state::{DiskPart, Offline, Phase, Sample, Theme};

/// What the page shows.
#[derive(Properties, PartialEq)]
pub(crate) struct OpenPageProps {
    /// Where the image is between dropped and read.
    pub phase: Phase,
    /// The theme.
    pub theme: Theme,
    /// Whether a file is being dragged over the page.
    pub is_over: bool,
    /// Choose a file.
    pub on_pick: Callback<()>,
    /// Open a sample.
    pub on_sample: Callback<&'static Sample>,
    /// Make up a scenario, from its recipe as text.
    pub on_scenario: Callback<Rc<str>>,
    /// Open from this superblock.
    pub on_choose: Callback<SuperblockChoice>,
    /// Open a part of the same file, or all of it.
    pub on_part: Callback<Option<DiskPart>>,
    /// Open the same file again.
    pub on_reopen: Callback<()>,
    /// Whether the page is kept, to open without a network.
    pub offline: Offline,
    /// Keep it, or no longer.
    pub on_keep: Callback<bool>,
    /// Give up.
    pub on_cancel: Callback<()>,
}

/// The opening page.
#[component]
pub(crate) fn OpenPage(props: &OpenPageProps) -> Html {
    let (on_pick, on_cancel) = (props.on_pick.clone(), props.on_cancel.clone());
    let card = match &props.phase {
        Phase::Empty | Phase::Ready(_) => {
            html! {
                <>
                    <Idle is_over={props.is_over} {on_pick} />
                    <Keep offline={props.offline.clone()} on_keep={props.on_keep.clone()} />
                </>
            }
        }
        Phase::Opening(opening) => {
            html! { <OpeningCard opening={opening.clone()} {on_cancel} /> }
        }
        Phase::Partitions(partitions) => html! {
            <PartitionsCard partitions={partitions.clone()} on_part={props.on_part.clone()} {on_pick} {on_cancel} />
        },
        Phase::Choosing(choosing) => html! {
            <Backups choosing={choosing.clone()} on_choose={props.on_choose.clone()} {on_cancel} />
        },
        Phase::Failed(failure) => html! {
            <FailureCard
                failure={failure.clone()}
                {on_pick}
                on_part={props.on_part.clone()}
                on_reopen={props.on_reopen.clone()}
                {on_cancel}
            />
        },
    };
    html! {
        <main id="main" class="open" tabindex="-1">
            <Backdrop theme={props.theme} />
            <div class="open__columns">
                <div class="open__main">{ card }</div>
                <div class="open__offers">
                    <Samples on_sample={props.on_sample.clone()} />
                    <Scenarios on_scenario={props.on_scenario.clone()} />
                </div>
            </div>
        </main>
    }
}
