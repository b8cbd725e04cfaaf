//! Code with the running line lit.

use yew::prelude::*;

/// Lines of code; the one that runs is lit.
pub(super) fn code(lines: &[&'static str], lit: Option<usize>) -> Html {
    let line = |(at, line): (usize, &&'static str)| {
        let is_lit = lit == Some(at);
        html! {
            <span class={is_lit.then_some("learn-code__lit")} aria-current={is_lit.then_some("true")}>
                { *line }{ "\n" }
            </span>
        }
    };
    html! { <pre class="code learn-code" tabindex="0" aria-label="Code">{ for lines.iter().enumerate().map(line) }</pre> }
}
