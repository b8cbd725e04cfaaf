//! Inodes that were deleted, and what is still known of them.

use extscope::units::Ino;
use yew::prelude::*;

use super::super::shared::{Address, Column, LongTable, plain_heads};
use crate::protocol::{DeletedReport, SurveyDetail};
use crate::text::{number, size, time};

/// The columns.
const COLUMNS: [Column<()>; 8] = [
    Column::words("Inode"),
    Column::words("Type"),
    Column::amounts("Size").meaning("The kernel makes it 0 as it deletes"),
    Column::amounts("Blocks").meaning("That its map still leads to"),
    Column::amounts("Still free").meaning("Of these, so that maybe nobody wrote to them since"),
    Column::words("Mode"),
    Column::amounts("Owner").meaning("uid and gid"),
    Column::amounts("Deleted, UTC"),
];

/// What the list shows.
#[derive(Properties, PartialEq)]
pub(super) struct DeletedListProps {
    /// The survey.
    pub detail: Address<SurveyDetail>,
    /// The person looks at an inode.
    pub on_inode: Callback<Ino>,
}

/// Inodes that were deleted, the last ones first.
#[component]
pub(super) fn DeletedList(props: &DeletedListProps) -> Html {
    let shown = props.detail.deleted.len();
    let row = {
        let (detail, on_inode) = (props.detail.clone(), props.on_inode.clone());
        Callback::from(move |at: usize| {
            detail.deleted.get(at).map(|it| row(at, it, &on_inode)).unwrap_or_default()
        })
    };
    let below = if shown == 0 {
        html! { <p class="file-detail__none">{ "No inode says that it was deleted." }</p> }
    } else if props.detail.deleted_count > shown as u64 {
        let all = number::count(props.detail.deleted_count);
        html! { <p class="file-detail__none">{ format!("These are the last ones of {all}.") }</p> }
    } else {
        Html::default()
    };
    html! {
        <LongTable label="Deleted inodes" table_class="files__table deleted__table"
            heads={plain_heads(&COLUMNS)} count={shown} {row} {below} />
    }
}

fn row(at: usize, deleted: &DeletedReport, on_inode: &Callback<Ino>) -> Html {
    let ino = Ino::new(deleted.ino);
    let file_type = deleted.file_type.clone().unwrap_or_default();
    html! {
        <tr key={deleted.ino} aria-rowindex={(at + 2).to_string()} onclick={on_inode.reform(move |_| ino)}>
            <th scope="row" class="mono">
                <button type="button" class="link">{ number::count(deleted.ino.into()) }</button>
            </th>
            <td>{ file_type }</td>
            <td class="num" title={size::exact(deleted.size)}>{ size::bytes(deleted.size) }</td>
            <td class="num">{ number::count(deleted.blocks) }</td>
            <td class="num">{ number::count(deleted.free_blocks) }</td>
            <td class="mono">{ deleted.permissions.clone() }</td>
            <td class="num">{ format!("{}:{}", deleted.uid, deleted.gid) }</td>
            <td class="num">{ time::date(deleted.i_dtime.into()) }</td>
        </tr>
    }
}
