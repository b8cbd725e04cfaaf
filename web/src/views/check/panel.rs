//! Beside the list: which problems are shown, how far the check goes, what it does not look at.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::super::shared::{Address, Icon};
use crate::protocol::CheckMode;
use crate::select::check_words::{command, coverage_words};
use crate::select::problem_rows::{ProblemFilter, Weight, shown_count};
use crate::state::{Check, Image};
use crate::text::number;

/// What the panel shows.
#[derive(Properties, PartialEq)]
pub(super) struct CheckPanelProps {
    /// The check.
    pub check: Option<Address<Check>>,
    /// The image.
    pub image: Address<Image>,
    /// How far the next check goes.
    pub mode: CheckMode,
    /// Which problems are shown.
    pub filter: ProblemFilter,
    /// The person wants the next check to go so far.
    pub on_mode: Callback<CheckMode>,
    /// The person wants the filesystem as after its journal is replayed, or as it lies there.
    pub on_replay: Callback<bool>,
    /// The person wants other problems to be shown.
    pub on_filter: Callback<ProblemFilter>,
}

/// Which problems are shown, how far the check goes, what it does not look at.
#[component]
pub(super) fn CheckPanel(props: &CheckPanelProps) -> Html {
    let weight = |weight: Weight| {
        let count = props.check.as_ref().map(|check| shown_count(check, |it| weight.holds(it)));
        let to = ProblemFilter { weight, ..props.filter.clone() };
        html! {
            <label class="option">
                <input type="radio" name="check-weight" checked={props.filter.weight == weight}
                    onchange={props.on_filter.reform(move |_: Event| to.clone())} />
                <span>{ weight.name() }</span>
                <small>{ count.map(number::count).unwrap_or_default() }</small>
            </label>
        }
    };
    let on_search = {
        let filter = props.filter.clone();
        props.on_filter.reform(move |event: InputEvent| {
            let search = event.target_unchecked_into::<HtmlInputElement>().value();
            ProblemFilter { search, ..filter.clone() }
        })
    };
    let mode = |(mode, name): (CheckMode, &'static str)| {
        html! {
            <label class="option">
                <input type="radio" name="check-mode" checked={props.mode == mode}
                    onchange={props.on_mode.reform(move |_: Event| mode)} />
                <span>{ name }</span>
            </label>
        }
    };
    let modes = [(CheckMode::Thorough, "Thorough"), (CheckMode::LikeE2fsck, "Like e2fsck 1.47.0")];
    html! {
        <div class="check-panel">
            <h2 class="panel-heading">{ "Show" }</h2>
            <label class="field">
                { Icon::Search.view() }
                <input type="search" autocomplete="off" spellcheck="false" placeholder="Words, inode, block, group"
                    aria-label="Look for problems by words or by the number of an inode, a block or a group"
                    value={props.filter.search.clone()} oninput={on_search} />
            </label>
            <div role="radiogroup" aria-label="Weight of the problems shown">{ for Weight::ALL.map(weight) }</div>
            { views(props) }
            <h2 class="panel-heading">{ "How far it goes" }</h2>
            <div role="radiogroup" aria-label="How far it goes">{ for modes.map(mode) }</div>
            <p class="fine">
                { match props.mode {
                    CheckMode::Thorough => "Goes on where e2fsck gives up, and says what that would not tell.",
                    CheckMode::LikeE2fsck => "Ends where e2fsck -fn gives up.",
                } }
            </p>
            <pre class="code">{ command(props.mode, &props.image) }</pre>
            { not_checked() }
        </div>
    }
}

/// Which view of the filesystem is checked, where its journal makes two of it.
fn views(props: &CheckPanelProps) -> Html {
    let image = &props.image;
    let is_replayed = image.is_replayed();
    if !is_replayed && !image.needs_recovery() {
        return Html::default();
    }
    // A button, as the image is opened anew: arrow keys between two choices should not do that.
    let (checked, other) = if is_replayed {
        ("The filesystem as after its journal is replayed.", "Check it as it lies on the disk")
    } else {
        ("The filesystem as it lies on the disk.", "Check it as after the replay")
    };
    let onclick = props.on_replay.reform(move |_: MouseEvent| !is_replayed);
    html! {
        <>
            <h2 class="panel-heading">{ "What is checked" }</h2>
            <p>{ checked }</p>
            <button type="button" class="button button--small" {onclick}>{ other }</button>
            <p class="fine">
                { "The journal holds changes that are not in place. The other view opens the image anew." }
            </p>
        </>
    }
}

/// What is not looked at, whatever the verdict says.
fn not_checked() -> Html {
    let coverage = coverage_words();
    let missing = |(name, title): &(&'static str, &'static str)| {
        html! { <li><span>{ *title }</span><code>{ *name }</code></li> }
    };
    html! {
        <>
            <h2 class="panel-heading">{ "Not checked" }</h2>
            <p class="fine">
                { format!("{} of the {} kinds of problem that e2fsck -fn tells of are looked for. Contents of files \
                    are nobody's to judge.",
                    number::count(coverage.looked_for), number::count(coverage.told)) }
            </p>
            <details class="check-panel__missing">
                <summary>{ format!("The {} that are not", number::count(coverage.missing.len() as u64)) }</summary>
                <ul>{ for coverage.missing.iter().map(missing) }</ul>
            </details>
        </>
    }
}
