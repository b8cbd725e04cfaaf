//! The fields of a block as a table.

use web_sys::Element;
use yew::prelude::*;

use super::super::shared::{Address, Chip, Scroll, scroll_to, space, use_scroll};
use crate::protocol::{BlockDetail, CsumState, Lead};
use crate::select::header::Tone;
use crate::select::hex::{HexLine, TINTS, hex_lines};

/// Height of a row in CSS pixels, as the style sheet has it.
const ROW: f64 = 24.0;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct FieldsProps {
    /// The block.
    pub detail: Address<BlockDetail>,
    /// The chosen field.
    pub chosen: Option<usize>,
    /// The person chose a field, or none.
    pub on_choose: Callback<Option<usize>>,
    /// The person follows a value.
    pub on_lead: Callback<Lead>,
}

/// The fields of a block.
#[component]
pub(super) fn Fields(props: &FieldsProps) -> Html {
    let lines = use_memo(props.detail.clone(), |detail| hex_lines(&detail.structure));
    let Scroll { node, window, on_scroll } = use_scroll(lines.len(), ROW);
    {
        let (node, lines) = (node.clone(), lines.clone());
        use_effect_with(props.chosen, move |chosen| {
            let at = chosen
                .and_then(|chosen| lines.iter().position(|line| *line == HexLine::Field(chosen)));
            if let (Some(at), Some(element)) = (at, node.cast::<Element>()) {
                scroll_to(&element, at, lines.len(), ROW);
            }
        });
    }
    if lines.is_empty() {
        return html! { <p class="hex__none">{ "No structure of the filesystem lies here." }</p> };
    }
    let shown = lines.get(window.range()).unwrap_or_default();
    html! {
        <div class="hex__fields" ref={node} tabindex="0" role="region" aria-label="Fields" onscroll={on_scroll}>
            <table class="table hex__table" aria-rowcount={(lines.len() + 1).to_string()}>
                <thead>
                    <tr>
                        <th scope="col" class="num">{ "At" }</th>
                        <th scope="col">{ "Field" }</th>
                        <th scope="col" class="num">{ "Value" }</th>
                    </tr>
                </thead>
                <tbody>
                    { space("above", window.above()) }
                    { for (window.range().start..).zip(shown).map(|(at, line)| row(props, at, *line)) }
                    { space("below", window.below()) }
                </tbody>
            </table>
        </div>
    }
}

fn row(props: &FieldsProps, key: usize, line: HexLine) -> Html {
    let structure = &props.detail.structure;
    let index = (key + 2).to_string();
    match line {
        HexLine::Part(at) => {
            let Some(part) = structure.parts.get(at) else { return Html::default() };
            let csum = match part.csum {
                CsumState::None => Html::default(),
                CsumState::Good => html! { <Chip tone={Tone::Ok}>{ "csum right" }</Chip> },
                CsumState::Bad => html! { <Chip tone={Tone::Err}>{ "csum wrong" }</Chip> },
            };
            html! {
                <tr {key} aria-rowindex={index} class="hex__part">
                    <th scope="rowgroup" colspan="3"><span>{ part.name.clone() }{ csum }</span></th>
                </tr>
            }
        }
        HexLine::Field(at) => {
            let Some(field) = structure.fields.get(at) else { return Html::default() };
            let is_chosen = props.chosen == Some(at);
            let value = html! { <bdi title={field.value.clone()}>{ field.value.clone() }</bdi> };
            let value = match field.lead {
                None => value,
                Some(lead) => html! {
                    <button type="button" class="link" onclick={props.on_lead.reform(move |_: MouseEvent| lead)}>
                        { value }
                    </button>
                },
            };
            html! {
                <tr
                    {key}
                    aria-rowindex={index}
                    class={is_chosen.then_some("table__chosen")}
                    onclick={props.on_choose.reform(move |_| Some(at))}
                >
                    <td class="num mono">
                        <i class={format!("hex__swatch hex__byte--{}", at % TINTS)} />
                        { format!("{:03x}", field.at) }
                    </td>
                    <th scope="row" class="mono">{ field.name.clone() }</th>
                    <td class="num hex__value">{ value }</td>
                </tr>
            }
        }
    }
}
