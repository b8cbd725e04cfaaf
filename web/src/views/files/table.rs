//! The tree of files as a table: only the rows that can be seen exist.

use std::rc::Rc;

use extscope::units::Ino;
use yew::prelude::*;

use super::super::shared::{Address, Column, Icon, LongTable, heads};
use crate::protocol::{DirRow, FileType, NodeRow, permissions, type_name};
use crate::select::file_rows::{FileLine, FileRow, file_type};
use crate::state::{FileColumn, FilePath, FileSort};
use crate::text::{number, size, time};

/// What the table shows.
#[derive(Properties, Clone, PartialEq)]
pub(super) struct FilesTableProps {
    /// The rows, in order.
    pub rows: Address<Vec<FileRow>>,
    /// The order.
    pub sort: FileSort,
    /// The path of the file that is looked at.
    pub chosen: Option<FilePath>,
    /// The person clicked the head of a column.
    pub on_sort: Callback<FileColumn>,
    /// The person opened or closed a directory.
    pub on_toggle: Callback<(FilePath, Ino)>,
    /// The person selected a file.
    pub on_select: Callback<(FilePath, Ino)>,
}

/// The columns.
const COLUMNS: [Column<FileColumn>; 8] = [
    Column::words("Name").by(FileColumn::Name),
    Column::amounts("Size").by(FileColumn::Size),
    Column::amounts("Extents")
        .by(FileColumn::Extents)
        .meaning("As FIEMAP and filefrag -v list them"),
    Column::amounts("Slowdown").by(FileColumn::Slowdown).meaning(
        "How many times as long a disk takes to read the file as it would in one piece, \
         at 12 ms a seek and 160 MiB a second",
    ),
    Column::amounts("Inode").by(FileColumn::Inode),
    Column::words("Mode"),
    Column::amounts("Owner").meaning("uid and gid"),
    Column::amounts("Changed, UTC").by(FileColumn::Changed).meaning("Last change of the contents"),
];

/// The tree of files as a table.
#[component]
pub(super) fn FilesTable(props: &FilesTableProps) -> Html {
    let rows = &props.rows;
    let chosen_at = props.chosen.as_ref().and_then(|path| {
        let (parent, name) = (path.parent(), path.name()?);
        rows.iter()
            .position(|row| row.parent == parent && row.name().is_some_and(|row| row.name == name))
    });
    let on_key = {
        let rows = rows.clone();
        let (on_select, on_toggle) = (props.on_select.clone(), props.on_toggle.clone());
        Callback::from(move |(event, page): (KeyboardEvent, usize)| {
            match moved(&event.key(), &rows, chosen_at, page) {
                None => return false,
                Some(Move::To(at)) => {
                    if let Some((path, ino)) = rows.get(at).and_then(file) {
                        on_select.emit((path, ino));
                    }
                }
                Some(Move::Toggle(path, ino)) => on_toggle.emit((path, ino)),
            }
            true
        })
    };
    let row = {
        let props = props.clone();
        Callback::from(move |at: usize| {
            let is_chosen = chosen_at == Some(at);
            props.rows.get(at).map(|row| table_row(&props, at, row, is_chosen)).unwrap_or_default()
        })
    };
    html! {
        <LongTable
            label="Tree of files"
            table_class="files__table"
            role="treegrid"
            heads={heads(&COLUMNS, (props.sort.column, props.sort.descending), &props.on_sort)}
            count={rows.len()}
            {row}
            at={chosen_at}
            active={chosen_at.map(row_id)}
            follow={format!("{:?} {:?}", props.chosen, props.sort)}
            {on_key}
        />
    }
}

fn row_id(at: usize) -> AttrValue {
    format!("file-{at}").into()
}

/// What a key does.
enum Move {
    /// Selects another row.
    To(usize),
    /// Opens or closes a directory.
    Toggle(FilePath, Ino),
}

fn moved(key: &str, rows: &[FileRow], at: Option<usize>, page: usize) -> Option<Move> {
    let names: Vec<usize> =
        rows.iter().enumerate().filter(|(_, row)| row.name().is_some()).map(|(at, _)| at).collect();
    let last = names.len().checked_sub(1)?;
    let here = at.and_then(|at| names.binary_search(&at).ok());
    let to = |place: usize| names.get(place.min(last)).copied().map(Move::To);
    let toggle = |row: &FileRow| file(row).map(|(path, ino)| Move::Toggle(path, ino));
    let dir = at.and_then(|at| rows.get(at)).filter(|row| is_dir(row));
    let is_open = dir.is_some_and(is_open);
    match (key, here) {
        ("Home", _) | ("ArrowDown" | "j" | "PageDown", None) => to(0),
        ("End", _) => to(last),
        ("ArrowDown" | "j", Some(here)) => to(here + 1),
        ("ArrowUp" | "k", Some(here)) => to(here.saturating_sub(1)),
        ("PageDown", Some(here)) => to(here + page),
        ("PageUp", Some(here)) => to(here.saturating_sub(page)),
        ("Enter" | " ", Some(_)) => toggle(dir?),
        ("ArrowRight", Some(_)) if !is_open => toggle(dir?),
        ("ArrowRight", Some(here)) => to(here + 1),
        ("ArrowLeft", Some(_)) if is_open => toggle(dir?),
        ("ArrowLeft", Some(_)) => {
            let depth = rows.get(at?)?.depth;
            let above = rows.get(..at?)?.iter().rposition(|row| row.depth < depth)?;
            Some(Move::To(above))
        }
        _ => None,
    }
}

fn is_dir(row: &FileRow) -> bool {
    row.name().and_then(file_type) == Some(FileType::Dir)
}

fn is_open(row: &FileRow) -> bool {
    matches!(row.line, FileLine::Name { is_open: true, .. })
}

fn file(row: &FileRow) -> Option<(FilePath, Ino)> {
    Some((row.path()?, row.name()?.ino))
}

fn table_row(props: &FilesTableProps, at: usize, row: &FileRow, is_chosen: bool) -> Html {
    let index = (at + 2).to_string();
    let indent = format!("--depth:{}", row.depth);
    let Some((name, path)) = row.name().zip(row.path()) else {
        let (class, text) = match &row.line {
            FileLine::Waiting => ("files__aside", "Reading…".to_owned()),
            FileLine::Empty => ("files__aside", "Empty".to_owned()),
            FileLine::Fault(why) => ("files__aside files__aside--err", why.clone()),
            FileLine::Cut(shown) => (
                "files__aside",
                format!("There are more than these {} names", number::count(*shown as u64)),
            ),
            // A name has a path.
            FileLine::Name { .. } => return Html::default(),
        };
        return html! {
            <tr key={at} aria-rowindex={index} aria-level={(row.depth + 1).to_string()}>
                <td colspan="8"><span {class} style={indent}>{ text }</span></td>
            </tr>
        };
    };
    let select = (path.clone(), name.ino);
    let toggle = select.clone();
    let is_dir = is_dir(row);
    let on_toggle = props.on_toggle.reform(move |event: MouseEvent| {
        event.stop_propagation();
        toggle.clone()
    });
    let shown = extscope::report::escaped(&name.name);
    let (icon, kind) = icon(file_type(name));
    html! {
        <tr
            key={at}
            id={row_id(at)}
            class={is_chosen.then_some("table__chosen")}
            aria-rowindex={index}
            aria-level={(row.depth + 1).to_string()}
            aria-expanded={is_dir.then(|| is_open(row).to_string())}
            aria-selected={is_chosen.to_string()}
            onclick={props.on_select.reform(move |_| select.clone())}
        >
            <th scope="row">
                <span class="files__name" style={indent}>
                    if is_dir {
                        <button
                            type="button"
                            class="files__toggle"
                            tabindex="-1"
                            aria-label={format!("{} {shown}", if is_open(row) { "Close" } else { "Open" })}
                            onclick={on_toggle}
                        >
                            { if is_open(row) { Icon::Down } else { Icon::Right }.view() }
                        </button>
                    }
                    <span class={classes!("files__icon", is_dir.then_some("files__icon--dir"))} title={kind}>
                        { icon.view() }
                    </span>
                    <bdi title={shown.clone()}>{ shown.clone() }</bdi>
                </span>
            </th>
            { match &name.node {
                Ok(node) => cells(name, node, is_dir),
                Err(error) => html! { <td colspan="7" class="files__fault">{ error.to_string() }</td> },
            } }
        </tr>
    }
}

fn cells(name: &DirRow, node: &NodeRow, is_dir: bool) -> Html {
    let frag = node.frag;
    let extents = frag.map_or_else(|| "·".to_owned(), |frag| number::count(frag.extents));
    let slowdown = match frag {
        Some(frag) if !is_dir && frag.extents > 1 => number::times(frag.slowdown),
        _ => String::new(),
    };
    html! {
        <>
            <td class="num" title={size::exact(node.size)}>{ size::bytes(node.size) }</td>
            <td class="num">{ extents }</td>
            <td class="num">{ slowdown }</td>
            <td class="num mono">{ number::count(name.ino.get().into()) }</td>
            <td class="mono">{ permissions(node.mode) }</td>
            <td class="num">{ format!("{}:{}", node.uid, node.gid) }</td>
            <td class="num">{ time::date(node.mtime) }</td>
        </>
    }
}

/// The icon of a type of file, and its name.
pub(super) fn icon(file_type: Option<FileType>) -> (Icon, &'static str) {
    let icon = match file_type {
        Some(FileType::Dir) => Icon::Folder,
        Some(FileType::RegFile) => Icon::File,
        Some(FileType::Symlink) => Icon::Link,
        Some(FileType::Fifo | FileType::Chrdev | FileType::Blkdev | FileType::Sock) => Icon::Device,
        None => Icon::Help,
    };
    (icon, file_type.map_or("no type that means anything", type_name))
}

/// The rows, kept while neither the directories nor the order change.
#[hook]
pub(super) fn use_rows(tree: &Rc<crate::state::Tree>, sort: FileSort) -> Address<Vec<FileRow>> {
    let rows = use_memo((Address::from(tree), sort), |(tree, sort)| {
        crate::select::file_rows::file_rows(tree, *sort)
    });
    Address::from(&rows)
}
