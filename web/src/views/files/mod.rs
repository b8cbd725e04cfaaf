//! Directories and files: the tree, and the file that is looked at.
//!
//! *Belongs here:* the tree as a table, what is known of a file, its contents. *Does not:* sorting, and
//! which directories are open; that is `select` and `state`.

mod deleted;
mod detail;
mod extents;
mod inode;
mod place;
mod preview;
mod space;
mod survey;
mod table;

use extscope::units::{Fsblk, Ino};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use self::deleted::DeletedList;
use self::detail::FileDetails;
use self::space::SpaceList;
use self::survey::{SurveyList, SurveyPanel, SurveyWanted};
use self::table::{FilesTable, use_rows};
use super::shared::{Address, Icon, NO_SIDE_PANEL, use_media};
use crate::protocol::{Export, Stretch};
use crate::state::{FileList, FilePath, FileSort, OpenImage, Selection, Settings, Work};
use crate::text::number;

/// What the view shows.
#[derive(Properties, PartialEq)]
pub(crate) struct FilesProps {
    /// The image.
    pub open: OpenImage,
    /// Which files are listed.
    pub list: FileList,
    /// How the tree is sorted.
    pub sort: FileSort,
    /// The theme, and what is folded away.
    pub settings: Settings,
    /// The person wants another list.
    pub on_list: Callback<FileList>,
    /// The person sorted.
    pub on_sort: Callback<FileSort>,
    /// The person opened or closed a directory.
    pub on_toggle: Callback<(FilePath, Ino)>,
    /// The person selected a file, or none.
    pub on_select: Callback<Option<(FilePath, Ino)>>,
    /// The person named a path.
    pub on_path: Callback<FilePath>,
    /// The person looks at a file by its inode.
    pub on_inode: Callback<Ino>,
    /// The person wants all inodes to be gone through, or no longer.
    pub on_survey: Callback<bool>,
    /// Show the bytes of a block.
    pub on_block: Callback<Fsblk>,
    /// Show blocks on the map.
    pub on_show: Callback<Selection>,
    /// These bytes are to be shown.
    pub on_want: Callback<Vec<Stretch>>,
    /// Save a file under a name; its size.
    pub on_save: Callback<(Ino, String, u64)>,
    /// Save something made of the image under a name.
    pub on_export: Callback<(Export, String)>,
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
    let geometry = &props.open.image.geometry;
    let list = match (props.list, &props.open.survey) {
        (FileList::Tree, _) => html! {
            <FilesTable
                {rows}
                sort={props.sort}
                chosen={chosen.and_then(|chosen| chosen.path.clone())}
                {on_sort}
                on_toggle={props.on_toggle.clone()}
                on_select={props.on_select.reform(Some)}
            />
        },
        (list @ (FileList::Scattered | FileList::Largest), Work::Here(detail)) => html! {
            <SurveyList detail={Address::from(detail)} {list} on_inode={props.on_inode.clone()} />
        },
        (FileList::Deleted, Work::Here(detail)) => html! {
            <DeletedList detail={Address::from(detail)} on_inode={props.on_inode.clone()} />
        },
        (list, Work::Here(detail)) => html! {
            <SpaceList detail={Address::from(detail)} {list} block_size={geometry.block_size()}
                on_inode={props.on_inode.clone()} />
        },
        (list, survey) => html! {
            <SurveyWanted survey={survey.clone()} {list} on_survey={props.on_survey.clone()}
                on_list={props.on_list.clone()} />
        },
    };
    let panel = html! {
        <SurveyPanel survey={props.open.survey.clone()} block_size={geometry.block_size()}
            list={props.list} on_list={props.on_list.clone()} on_survey={props.on_survey.clone()} />
    };
    let note = match props.list {
        FileList::Tree => {
            let names = number::count_of(names, "name", "names");
            format!("{names} read so far; a directory is read when it is opened")
        }
        list => list.name().to_owned(),
    };
    // What stands in place of a list says the same as the panel.
    let is_wanted = props.list.is_of_survey() && props.open.survey.here().is_none();
    let has_panel = props.settings.side_bar && !use_media(NO_SIDE_PANEL);
    let class = classes!("files", chosen.is_some().then_some("files--chosen"));
    html! {
        <>
        if has_panel {
            <aside class="side-panel" aria-label="All files">{ panel.clone() }</aside>
        }
        <main id="main" class="view view--whole" tabindex="-1">
            <div {class}>
                <header class="toolbar">
                    <h1 class="toolbar__title">{ "Files" }</h1>
                    <span class="toolbar__note">{ note }</span>
                    <span class="grow" />
                    <PathField
                        path={chosen.and_then(|chosen| chosen.path.clone())}
                        on_path={props.on_path.clone()}
                    />
                </header>
                if !has_panel && !is_wanted {
                    <div class="files__survey">{ panel }</div>
                }
                { list }
                if let Some(chosen) = chosen {
                    <FileDetails
                        open={props.open.clone()}
                        chosen={chosen.clone()}
                        theme={props.settings.theme}
                        on_close={props.on_select.reform(|()| None)}
                        on_show={props.on_show.clone()}
                        on_block={props.on_block.clone()}
                        on_want={props.on_want.clone()}
                        on_save={props.on_save.clone()}
                        on_export={props.on_export.clone()}
                    />
                }
            </div>
        </main>
        </>
    }
}

/// What the field shows.
#[derive(Properties, PartialEq)]
struct PathFieldProps {
    /// The file that is looked at.
    path: Option<FilePath>,
    /// The person named a path.
    on_path: Callback<FilePath>,
}

/// The path of the file that is looked at, to be typed over. What is typed stays until another file
/// is looked at.
#[component]
fn PathField(props: &PathFieldProps) -> Html {
    let text = use_state(String::new);
    {
        let text = text.setter();
        use_effect_with(props.path.clone(), move |path| {
            text.set(path.as_ref().map(FilePath::shown).unwrap_or_default());
        });
    }
    let on_input = {
        let text = text.setter();
        Callback::from(move |event: InputEvent| {
            text.set(event.target_unchecked_into::<HtmlInputElement>().value());
        })
    };
    let on_key = {
        let (text, on_path) = (text.clone(), props.on_path.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" {
                on_path.emit(FilePath::new(text.trim().as_bytes()));
            }
        })
    };
    html! {
        <label class="field files__path">
            { Icon::Search.view() }
            <input
                type="search"
                autocomplete="off"
                spellcheck="false"
                placeholder="/path/of/a/file"
                aria-label="Path of a file; Enter looks at it"
                value={(*text).clone()}
                oninput={on_input}
                onkeydown={on_key}
            />
        </label>
    }
}
