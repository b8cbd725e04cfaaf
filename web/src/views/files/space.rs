//! Where the space went, as rows with bars.

use extscope::units::Ino;
use yew::prelude::*;

use super::super::shared::{Address, Column, LongTable, plain_heads};
use crate::protocol::SurveyDetail;
use crate::select::space_rows::{SpaceRow, space_rows};
use crate::state::FileList;
use crate::text::{number, size};

/// What the list shows.
#[derive(Properties, PartialEq)]
pub(super) struct SpaceListProps {
    /// The survey.
    pub detail: Address<SurveyDetail>,
    /// Which list.
    pub list: FileList,
    /// Bytes of a block.
    pub block_size: u32,
    /// The person looks at a directory.
    pub on_inode: Callback<Ino>,
}

/// The columns behind the first; inodes follow where they are counted.
const COLUMNS: [Column<()>; 3] = [
    Column::amounts("Size").meaning("Data, and the blocks that map it"),
    Column::words("Beside the largest"),
    Column::amounts("Of the disk"),
];

/// Where the space went.
#[component]
pub(super) fn SpaceList(props: &SpaceListProps) -> Html {
    let rows =
        use_memo((props.detail.clone(), props.list), |(detail, list)| space_rows(detail, *list));
    let first = match props.list {
        FileList::Directories => "Directory, with everything below",
        FileList::Users => "User",
        _ => "What the blocks are",
    };
    let row = {
        let (rows, on_inode, block_size) =
            (std::rc::Rc::clone(&rows), props.on_inode.clone(), props.block_size);
        Callback::from(move |at: usize| {
            rows.get(at).map(|it| row(at, it, block_size, &on_inode)).unwrap_or_default()
        })
    };
    let has_inodes = rows.iter().any(|row| row.inodes.is_some());
    let heads = html! {
        <>
            { plain_heads(&[Column::words(first)]) }
            { plain_heads(&COLUMNS) }
            if has_inodes { { plain_heads(&[Column::amounts("Inodes")]) } }
        </>
    };
    html! {
        <LongTable
            label={props.list.name()}
            table_class="files__table space__table"
            {heads}
            count={rows.len()}
            {row}
        />
    }
}

fn row(at: usize, row: &SpaceRow, block_size: u32, on_inode: &Callback<Ino>) -> Html {
    let bytes = row.blocks.saturating_mul(block_size.into());
    let name = html! { <bdi title={row.name.clone()}>{ row.name.clone() }</bdi> };
    let name = match row.ino {
        None => name,
        Some(ino) => html! {
            <button type="button" class="link link--path" title="Look at the directory"
                onclick={on_inode.reform(move |_: MouseEvent| ino)}>{ name }</button>
        },
    };
    html! {
        <tr key={at} aria-rowindex={(at + 2).to_string()}>
            <th scope="row">{ name }</th>
            <td class="num" title={number::count_of(row.blocks, "block", "blocks")}>{ size::bytes(bytes) }</td>
            <td><i class="space__bar" style={format!("--share:{:.4}", row.bar)} /></td>
            <td class="num">{ number::percent(row.blocks, row.of) }</td>
            if let Some(inodes) = row.inodes { <td class="num">{ number::count(inodes) }</td> }
        </tr>
    }
}
