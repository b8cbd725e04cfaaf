//! The fields of a block as a table.

use yew::prelude::*;

use super::super::shared::{Address, Chip, Column, LongTable, plain_heads};
use crate::protocol::{BlockDetail, CsumState, Lead};
use crate::select::header::Tone;
use crate::select::hex::{HexLine, TINTS, hex_lines};

/// Height of a row in CSS pixels, as the style sheet has it.
const ROW: f64 = 24.0;

/// The columns.
const COLUMNS: [Column<()>; 3] =
    [Column::amounts("At"), Column::words("Field"), Column::amounts("Value")];

/// What is shown.
#[derive(Properties, Clone, PartialEq)]
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
    if lines.is_empty() {
        return html! { <p class="hex__none">{ "No structure of the filesystem lies here." }</p> };
    }
    let place = |field: usize| lines.iter().position(|line| *line == HexLine::Field(field));
    let at = props.chosen.and_then(place);
    let on_key = {
        let (props, lines) = (props.clone(), lines.clone());
        Callback::from(move |(event, page): (KeyboardEvent, usize)| {
            let key = event.key();
            if key == "Enter" {
                let field = props.chosen.and_then(|at| props.detail.structure.fields.get(at));
                let lead = field.and_then(|field| field.lead);
                lead.inspect(|lead| props.on_lead.emit(*lead)).is_some()
            } else {
                let to = moved(&key, &lines, at, page);
                to.inspect(|field| props.on_choose.emit(Some(*field))).is_some()
            }
        })
    };
    let row = {
        let (props, lines) = (props.clone(), lines.clone());
        Callback::from(move |at: usize| {
            lines.get(at).map(|line| row(&props, at, *line)).unwrap_or_default()
        })
    };
    html! {
        <LongTable
            label="Fields"
            class="hex__fields"
            table_class="hex__table"
            role="grid"
            row_height={ROW}
            heads={plain_heads(&COLUMNS)}
            count={lines.len()}
            {row}
            {at}
            active={at.map(row_id)}
            follow={format!("{:?}", props.chosen)}
            {on_key}
        />
    }
}

fn row_id(at: usize) -> AttrValue {
    format!("field-{at}").into()
}

/// The field to which a key leads from the line `at`.
fn moved(key: &str, lines: &[HexLine], at: Option<usize>, page: usize) -> Option<usize> {
    let field = |line: &HexLine| match line {
        HexLine::Field(field) => Some(*field),
        HexLine::Part(_) => None,
    };
    let after = |from: usize| lines.get(from..)?.iter().find_map(field);
    let before = |to: usize| lines.get(..to)?.iter().rev().find_map(field);
    match (key, at) {
        ("Home", _) | ("ArrowDown" | "j" | "PageDown", None) => after(0),
        ("End", _) => before(lines.len()),
        ("ArrowDown" | "j", Some(at)) => after(at + 1),
        ("ArrowUp" | "k", Some(at)) => before(at),
        ("PageDown", Some(at)) => after(at + page).or_else(|| before(lines.len())),
        ("PageUp", Some(at)) => before(at.saturating_sub(page)).or_else(|| after(0)),
        _ => None,
    }
}

fn row(props: &FieldsProps, at: usize, line: HexLine) -> Html {
    let structure = &props.detail.structure;
    let index = (at + 2).to_string();
    match line {
        HexLine::Part(part) => {
            let Some(part) = structure.parts.get(part) else { return Html::default() };
            let csum = match part.csum {
                CsumState::None => Html::default(),
                CsumState::Good => html! { <Chip tone={Tone::Ok}>{ "csum right" }</Chip> },
                CsumState::Bad => html! { <Chip tone={Tone::Err}>{ "csum wrong" }</Chip> },
            };
            html! {
                <tr key={at} aria-rowindex={index} class="hex__part">
                    <th scope="rowgroup" colspan="3"><span>{ part.name.clone() }{ csum }</span></th>
                </tr>
            }
        }
        HexLine::Field(place) => {
            let Some(field) = structure.fields.get(place) else { return Html::default() };
            let is_chosen = props.chosen == Some(place);
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
                    key={at}
                    id={row_id(at)}
                    aria-rowindex={index}
                    aria-selected={is_chosen.to_string()}
                    class={is_chosen.then_some("table__chosen")}
                    onclick={props.on_choose.reform(move |_| Some(place))}
                >
                    <td class="num mono">
                        <i class={format!("hex__swatch hex__byte--{}", place % TINTS)} />
                        { format!("{:03x}", field.at) }
                    </td>
                    <th scope="row" class="mono">{ field.name.clone() }</th>
                    <td class="num hex__value">{ value }</td>
                </tr>
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_from_field_to_field_past_the_names_of_structures() {
        use HexLine::{Field, Part};
        let lines = [Part(0), Field(0), Field(1), Part(1), Field(2)];
        let to = |key: &str, at| moved(key, &lines, at, 2);
        assert_eq!(
            [to("j", None), to("Home", Some(4)), to("End", None)],
            [Some(0), Some(0), Some(2)]
        );
        assert_eq!([to("ArrowDown", Some(2)), to("k", Some(4))], [Some(2), Some(1)]);
        assert_eq!([to("ArrowDown", Some(4)), to("ArrowUp", Some(1))], [None, None]);
        assert_eq!([to("PageDown", Some(1)), to("PageUp", Some(2))], [Some(2), Some(0)]);
        assert_eq!(to("x", Some(1)), None);
    }
}
