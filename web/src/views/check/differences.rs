//! The bits of a bitmap that differ: as they should be, as they are on the disk, and where.

use yew::prelude::*;

use super::super::shared::Address;
use crate::protocol::{Piece, Problem, Stretch};
use crate::select::problem::{BitDifference, BitRow, BitmapOf, bit_difference};
use crate::state::{Bytes, Image};
use crate::text::number;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct BitDifferencesProps {
    /// The problem that is looked at.
    pub problem: Problem,
    /// The image.
    pub image: Address<Image>,
    /// Bytes that were asked for.
    pub bytes: Address<Bytes>,
    /// These bytes are to be shown.
    pub on_want: Callback<Vec<Stretch>>,
}

/// The bits that differ; nothing for a problem that is about none.
#[component]
pub(super) fn BitDifferences(props: &BitDifferencesProps) -> Html {
    let difference = bit_difference(&props.problem, &props.image);
    {
        let on_want = props.on_want.clone();
        use_effect_with(difference.as_ref().map(|it| it.stretch), move |stretch| {
            if let Some(stretch) = *stretch {
                on_want.emit(vec![stretch]);
            }
        });
    }
    let Some(difference) = difference else { return Html::default() };
    let rows = match props.bytes.get(difference.stretch) {
        None => html! { <p class="fine" aria-busy="true">{ "Reading…" }</p> },
        Some(Err(error)) => html! { <p class="fine" role="alert">{ error.to_string() }</p> },
        Some(Ok(Piece::Bytes(bytes))) => table(&difference, &difference.rows(bytes)),
        Some(Ok(Piece::Zeros(_) | Piece::End)) => {
            html! { <p class="fine">{ "The image ends before the bitmap." }</p> }
        }
    };
    let kind = match difference.of {
        BitmapOf::Blocks => "block",
        BitmapOf::Inodes => "inode",
    };
    let last = difference.bits.end.saturating_sub(1);
    html! {
        <>
            <h3>
                { format!("Bits {} of the {kind} bitmap of group {}",
                    number::range(difference.bits.start, last), number::count(difference.group.get().into())) }
            </h3>
            { rows }
        </>
    }
}

fn table(difference: &BitDifference, rows: &[BitRow]) -> Html {
    let bits = |word: u64, class: &'static str| {
        let bit = |n: u32| {
            let is_set = word >> n & 1 == 1;
            html! { <i class={is_set.then_some(class)}>{ if is_set { "1" } else { "0" } }</i> }
        };
        html! { <span class="bits" aria-hidden="true">{ for (0..64).map(bit) }</span> }
    };
    let line = |name: &'static str, word: u64, class: &'static str| {
        html! {
            <tr>
                <th scope="row">{ name }</th>
                <td>
                    { bits(word, class) }
                    <span class="visually-hidden">{ number::hex_word(word) }</span>
                </td>
            </tr>
        }
    };
    let word = |row: &BitRow| {
        html! {
            <tbody>
                <tr><th scope="row">{ "from" }</th><td class="mono">{ number::count(row.first) }</td></tr>
                { line("should be", row.disk ^ row.differ, "bits__set") }
                { line("on disk", row.disk, "bits__set") }
                { line("differ", row.differ, "bits__differ") }
            </tbody>
        }
    };
    html! {
        <>
            <div class="differences" tabindex="0" role="region" aria-label="Bits that differ">
                <table>{ for rows.iter().map(word) }</table>
            </div>
            if difference.left() > 0 {
                <p class="fine">{ format!("and {} further on", number::count_of(difference.left(), "bit", "bits")) }</p>
            }
        </>
    }
}
