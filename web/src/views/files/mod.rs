//! Directories and files: the tree, and the file that is looked at.
//!
//! *Belongs here:* the tree as a table, what is known of a file, its contents. *Does not:* sorting, and
//! which directories are open; that is `select` and `state`.

mod detail;
mod extents;
mod inode;
mod place;
mod preview;
mod table;

use extscope::units::{Group, Ino};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use self::detail::FileDetails;
use self::table::{FilesTable, use_rows};
use super::shared::Icon;
use crate::protocol::Stretch;
use crate::state::{FilePath, FileSort, OpenImage, Settings};
use crate::text::number;

/// What the view shows.
#[derive(Properties, PartialEq)]
pub(crate) struct FilesProps {
    /// The image.
    pub open: OpenImage,
    /// How the tree is sorted.
    pub sort: FileSort,
    /// The theme, and what is folded away.
    pub settings: Settings,
    /// The field for a path, so that a shortcut can go there.
    pub search: NodeRef,
    /// The person sorted.
    pub on_sort: Callback<FileSort>,
    /// The person opened or closed a directory.
    pub on_toggle: Callback<(FilePath, Ino)>,
    /// The person selected a file, or none.
    pub on_select: Callback<Option<(FilePath, Ino)>>,
    /// The person named a path.
    pub on_path: Callback<FilePath>,
    /// Show a group on the map.
    pub on_group: Callback<Group>,
    /// These bytes are to be shown.
    pub on_want: Callback<Vec<Stretch>>,
    /// Save a file under a name; its size.
    pub on_save: Callback<(Ino, String, u64)>,
}

/// Directories and files.
#[component]
pub(crate) fn Files(props: &FilesProps) -> Html {
    let files = &props.open.files;
    let rows = use_rows(&files.tree, props.sort);
    let chosen = files.chosen.as_ref();
    let on_sort = {
        let sort = props.sort;
        props.on_sort.reform(move |column| sort.clicked(column))
    };
    let names = rows.iter().filter(|row| row.name().is_some()).count() as u64;
    let class = classes!("files", chosen.is_some().then_some("files--chosen"));
    html! {
        <main id="main" class="view view--whole" tabindex="-1">
            <div {class}>
                <header class="toolbar">
                    <h1 class="toolbar__title">{ "Files" }</h1>
                    <span class="toolbar__note" role="status">
                        { number::count_of(names, "name", "names") }{ " read so far; a directory is read when it is opened" }
                    </span>
                    <span class="grow" />
                    <PathField
                        node={props.search.clone()}
                        path={chosen.and_then(|chosen| chosen.path.clone())}
                        on_path={props.on_path.clone()}
                    />
                </header>
                <FilesTable
                    {rows}
                    sort={props.sort}
                    chosen={chosen.and_then(|chosen| chosen.path.clone())}
                    {on_sort}
                    on_toggle={props.on_toggle.clone()}
                    on_select={props.on_select.reform(Some)}
                />
                if let Some(chosen) = chosen {
                    <FileDetails
                        open={props.open.clone()}
                        chosen={chosen.clone()}
                        theme={props.settings.theme}
                        on_close={props.on_select.reform(|()| None)}
                        on_group={props.on_group.clone()}
                        on_want={props.on_want.clone()}
                        on_save={props.on_save.clone()}
                    />
                }
            </div>
        </main>
    }
}

/// What the field shows.
#[derive(Properties, PartialEq)]
struct PathFieldProps {
    /// The field.
    node: NodeRef,
    /// The file that is looked at.
    path: Option<FilePath>,
    /// The person named a path.
    on_path: Callback<FilePath>,
}

/// The path of the file that is looked at, to be typed over.
#[component]
fn PathField(props: &PathFieldProps) -> Html {
    let on_key = {
        let on_path = props.on_path.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" {
                let typed = event.target_unchecked_into::<HtmlInputElement>().value();
                on_path.emit(FilePath::new(typed.trim().as_bytes()));
            }
        })
    };
    html! {
        <label class="field files__path">
            { Icon::Search.view() }
            <input
                ref={props.node.clone()}
                type="search"
                autocomplete="off"
                spellcheck="false"
                placeholder="/path/of/a/file"
                aria-label="Path of a file; Enter looks at it"
                value={props.path.as_ref().map(FilePath::shown).unwrap_or_default()}
                onkeydown={on_key}
            />
        </label>
    }
}
