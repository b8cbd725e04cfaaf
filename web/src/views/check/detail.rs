//! One problem: what it means, what shows it, what e2fsck would do, where to look.

use extscope::report::problem_value;
use extscope::units::{Fsblk, Group, Ino};
use yew::prelude::*;

use super::super::shared::{Address, Chip, Icon, KeyValue, KeyValues, step_button};
use super::differences::BitDifferences;
use crate::protocol::{Problem, Stretch};
use crate::select::claimants::{Claimant, claimants};
use crate::select::header::Tone;
use crate::select::problem::{
    bytes_at, facts, group_of, inode_of, is_of_others, on_map, pass_title, weight,
};
use crate::state::{Bytes, Check, Found, Image, ProblemId, Selection};
use crate::text::number;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct ProblemDetailProps {
    /// The check.
    pub check: Address<Check>,
    /// The image.
    pub image: Address<Image>,
    /// The problem that is looked at.
    pub chosen: Option<ProblemId>,
    /// Bytes that were asked for.
    pub bytes: Address<Bytes>,
    /// The person looks at another problem, or at none.
    pub on_choose: Callback<Option<ProblemId>>,
    /// Show the bytes of a block.
    pub on_block: Callback<Fsblk>,
    /// Show a group in the table of groups.
    pub on_group: Callback<Group>,
    /// Show something on the map.
    pub on_map: Callback<Selection>,
    /// Look at a file.
    pub on_inode: Callback<Ino>,
    /// These bytes are to be shown.
    pub on_want: Callback<Vec<Stretch>>,
}

/// The problem that is looked at.
#[component]
pub(super) fn ProblemDetail(props: &ProblemDetailProps) -> Html {
    let chosen = props
        .chosen
        .and_then(|id| Some((id, props.check.of_code(id.code)?, props.check.problem(id)?)));
    let Some((id, found, problem)) = chosen else {
        return html! {
            <section class="problem problem--none" aria-label="Problem">
                <p>{ "A problem that is chosen is explained here, with what was found and what e2fsck would do." }</p>
            </section>
        };
    };
    let (tone, word) = weight(found.count.severity);
    html! {
        <section class="problem" tabindex="0" aria-labelledby="problem-title">
            <header class="problem__head">
                <h2 id="problem-title">{ found.count.title }</h2>
                { steps(props, id, found) }
            </header>
            <p class="problem__chips">
                <Chip title={pass_title(problem.pass)}>{ format!("Pass {}", problem.pass.name()) }</Chip>
                <Chip><span class="mono">{ problem.code.name() }</span></Chip>
                <Chip {tone}>{ word }</Chip>
                if problem.beyond_e2fsck {
                    <Chip tone={Tone::Warn}>{ "e2fsck gives up before it comes here" }</Chip>
                }
            </p>
            <p class="problem__text">{ found.count.explanation }</p>
            <KeyValues rows={rows(problem)} />
            { leads(props, problem) }
            { whose(props, problem) }
            <BitDifferences problem={problem.clone()} image={props.image.clone()} bytes={props.bytes.clone()}
                on_want={props.on_want.clone()} />
            <h3>{ "What e2fsck -y would do" }</h3>
            <p class="problem__text">{ found.count.remedy }</p>
        </section>
    }
}

/// Where the problem is, and what is found and expected.
fn rows(problem: &Problem) -> Vec<KeyValue> {
    let fact = |(name, value): (&'static str, String)| KeyValue::address(name, value);
    let mut rows: Vec<KeyValue> = facts(problem).into_iter().map(fact).collect();
    let value = |value| problem_value(problem.code, value);
    let found = if is_of_others(problem.code) { "With" } else { "Found" };
    rows.extend(problem.found.map(|number| KeyValue::address(found, value(number))));
    rows.extend(problem.expected.map(|expected| KeyValue::address("Expected", value(expected))));
    rows
}

/// To the other problems of the same code.
fn steps(props: &ProblemDetailProps, id: ProblemId, found: &Found) -> Html {
    let kept = found.problems.len() as u64;
    if kept < 2 {
        return Html::default();
    }
    let step = |icon: Icon, name: &'static str, at: Option<u32>| {
        let to = at.filter(|at| u64::from(*at) < kept).map(|at| ProblemId { at, ..id });
        step_button(icon, name, to.map(|to| props.on_choose.reform(move |_: MouseEvent| Some(to))))
    };
    html! {
        <span class="problem__steps">
            { format!("{} of {}", number::count(u64::from(id.at) + 1), number::count(found.count.count)) }
            { step(Icon::Left, "Previous of this kind", id.at.checked_sub(1)) }
            { step(Icon::Right, "Next of this kind", id.at.checked_add(1)) }
        </span>
    }
}

/// Claims to blocks that are shown.
const CLAIMANTS: usize = 24;

/// Who has the blocks, where several do or the bitmap says that nobody does.
fn whose(props: &ProblemDetailProps, problem: &Problem) -> Html {
    let claimants = claimants(problem, &props.check);
    if claimants.is_empty() {
        return Html::default();
    }
    let row = |Claimant { blocks: (first, last), ino }: &Claimant| {
        let who = match *ino {
            None => html! { "the filesystem itself" },
            Some(ino) => html! {
                <button type="button" class="link" onclick={props.on_inode.reform(move |_: MouseEvent| ino)}>
                    { format!("inode {}", number::count(ino.get().into())) }
                </button>
            },
        };
        html! { <li>{ who }<span class="mono">{ number::range(*first, *last) }</span></li> }
    };
    let left = claimants.len().saturating_sub(CLAIMANTS) as u64;
    html! {
        <>
            <h3>{ "Who has these blocks" }</h3>
            <ul class="problem__claims">{ for claimants.iter().take(CLAIMANTS).map(row) }</ul>
            if left > 0 {
                <p class="fine">{ format!("and {}", number::count_of(left, "more range", "more ranges")) }</p>
            }
        </>
    }
}

/// Buttons to where the problem can be seen.
fn leads(props: &ProblemDetailProps, problem: &Problem) -> Html {
    let button = |icon: Icon, label: &'static str, onclick: Callback<MouseEvent>| {
        html! { <button type="button" class="button" {onclick}>{ icon.view() }{ label }</button> }
    };
    let image = &props.image;
    let bytes = bytes_at(problem, image)
        .map(|block| button(Icon::Hex, "Show the bytes", props.on_block.reform(move |_| block)));
    let file = inode_of(problem, image)
        .map(|ino| button(Icon::Folder, "Show in Files", props.on_inode.reform(move |_| ino)));
    let group = group_of(problem, image)
        .map(|group| button(Icon::Groups, "Show in Groups", props.on_group.reform(move |_| group)));
    let map = on_map(problem, image).map(|selection| {
        let onclick = props.on_map.reform(move |_| selection.clone());
        button(Icon::Map, "Show on the map", onclick)
    });
    html! { <p class="problem__leads">{ bytes }{ file }{ group }{ map }</p> }
}
