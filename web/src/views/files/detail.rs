//! Everything about the file that is looked at.

use std::rc::Rc;

use extscope::units::{Fsblk, Ino};
use yew::prelude::*;

use super::super::shared::{Address, Icon};
use super::extents::Extents;
use super::inode::InodeFields;
use super::place::Place;
use super::preview::Preview;
use super::table;
use crate::protocol::{Export, FileDetail, FileType, Stretch};
use crate::select::file_facts::how_it_lies;
use crate::state::transfer::save_name;
use crate::state::{Chosen, Look, OpenImage, Selection, Theme};
use crate::text::{number, size};

/// What is shown below the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tab {
    Extents,
    Inode,
    Contents,
}

const TABS: [(Tab, &str); 3] =
    [(Tab::Extents, "Extents"), (Tab::Inode, "Inode"), (Tab::Contents, "Contents")];

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct FileDetailsProps {
    /// The image.
    pub open: OpenImage,
    /// The file.
    pub chosen: Chosen,
    /// The theme.
    pub theme: Theme,
    /// The person wants to see it no longer.
    pub on_close: Callback<()>,
    /// Show blocks on the map.
    pub on_show: Callback<Selection>,
    /// Show the bytes of a block.
    pub on_block: Callback<Fsblk>,
    /// These bytes are to be shown.
    pub on_want: Callback<Vec<Stretch>>,
    /// Save the file under a name; its size.
    pub on_save: Callback<(Ino, String, u64)>,
    /// Save something made of the image under a name.
    pub on_export: Callback<(Export, String)>,
}

/// Everything about the file that is looked at.
#[component]
pub(super) fn FileDetails(props: &FileDetailsProps) -> Html {
    let tab = use_state(|| Tab::Extents);
    let chosen = &props.chosen;
    let contents = match &chosen.file {
        Look::Asked => html! { <p class="file-detail__wait" aria-busy="true">{ "Reading…" }</p> },
        Look::Failed(error) => html! {
            <div class="notice notice--err" role="alert">
                { Icon::Err.view() }
                <div>
                    <p><b>{ error.to_string() }</b></p>
                    { error.hint().map(|hint| html! { <p>{ hint.to_owned() }</p> }) }
                </div>
            </div>
        },
        Look::Here(detail) => here(props, detail, &tab),
    };
    let name = match (&chosen.path, chosen.ino) {
        (Some(path), _) => path.name().map_or_else(|| "/".to_owned(), extscope::report::escaped),
        (None, Some(ino)) => format!("Inode {}", number::count(ino.get().into())),
        (None, None) => String::new(),
    };
    html! {
        <section class="file-detail" aria-label="Selected file">
            <header class="file-detail__header">
                <h2><bdi title={name.clone()}>{ name.clone() }</bdi></h2>
                { actions(props) }
                <button
                    type="button"
                    class="icon-button icon-button--small"
                    aria-label="Look at no file"
                    title="Look at no file (Esc)"
                    onclick={props.on_close.reform(|_| ())}
                >
                    { Icon::Close.view() }
                </button>
            </header>
            { contents }
        </section>
    }
}

fn actions(props: &FileDetailsProps) -> Html {
    let Look::Here(detail) = &props.chosen.file else { return Html::default() };
    let first = detail.extents.row(0).map(|extent| Fsblk::new(extent.fsblk));
    let ino = detail.ino;
    let save = save(props, detail);
    html! {
        <>
            if let Some(fsblk) = first {
                <button
                    type="button"
                    class="button button--small"
                    title="Its blocks on the map"
                    onclick={props.on_show.reform(move |_: MouseEvent| Selection::Inode(ino))}
                >
                    { Icon::Map.view() }{ "Show on map" }
                </button>
                <button
                    type="button"
                    class="button button--small"
                    title="The bytes of its first block"
                    onclick={props.on_block.reform(move |_: MouseEvent| fsblk)}
                >
                    { Icon::Hex.view() }{ "Bytes" }
                </button>
            }
            if let Some((label, onclick)) = save {
                <button type="button" class="button button--small button--primary" {onclick}>
                    { Icon::Save.view() }{ label }
                </button>
            }
        </>
    }
}

/// What saves the file, and what that is called; nothing where there is nothing to save.
fn save(
    props: &FileDetailsProps,
    detail: &FileDetail,
) -> Option<(&'static str, Callback<MouseEvent>)> {
    let ino = detail.ino;
    let name = match &props.chosen.path {
        Some(path) => path.name().map_or_else(|| props.open.image.name.to_string(), save_name),
        None => format!("inode-{ino}"),
    };
    match FileType::from_mode(detail.inode.i_mode)? {
        FileType::RegFile => {
            let save = (ino, name, detail.inode.size);
            Some(("Save a copy", props.on_save.reform(move |_| save.clone())))
        }
        FileType::Dir => {
            let save = (Export::Folder(ino), format!("{name}.tar"));
            Some(("Save as tar", props.on_export.reform(move |_| save.clone())))
        }
        _ => None,
    }
}

fn here(props: &FileDetailsProps, detail: &Rc<FileDetail>, tab: &UseStateHandle<Tab>) -> Html {
    let inode = &detail.inode;
    let (icon, kind) = table::icon(FileType::from_mode(inode.i_mode));
    let path = props.chosen.path.as_ref().map(|path| path.parent().shown());
    let radio = |(value, label): (Tab, &'static str)| {
        let tab = tab.clone();
        html! {
            <label>
                <input
                    type="radio"
                    name="file-tab"
                    checked={*tab == value}
                    onchange={Callback::from(move |_: Event| tab.set(value))}
                />
                <span>{ label }</span>
            </label>
        }
    };
    let below = match **tab {
        Tab::Extents => html! {
            <Extents detail={Address::from(detail)} image={Address::from(&props.open.image)}
                on_show={props.on_show.clone()} on_block={props.on_block.clone()} />
        },
        Tab::Inode => html! { <InodeFields detail={Address::from(detail)} /> },
        Tab::Contents => html! {
            <Preview detail={Address::from(detail)} bytes={Address::from(&props.open.bytes)}
                on_want={props.on_want.clone()} />
        },
    };
    html! {
        <>
            <ul class="file-detail__facts">
                <li>{ icon.view() }{ kind }</li>
                if let Some(path) = path {
                    <li>{ "in " }<bdi class="file-detail__path">{ path }</bdi></li>
                }
                <li>{ "inode " }<b class="mono">{ number::count(inode.ino.into()) }</b></li>
                <li title={size::exact(inode.size)}><b>{ size::bytes(inode.size) }</b></li>
                <li>{ how_it_lies(detail) }</li>
                <li class="mono">{ &inode.permissions }</li>
                if let Some(target) = &inode.symlink_target {
                    <li>{ "leads to " }<bdi>{ target.clone() }</bdi></li>
                }
            </ul>
            <Place open={props.open.clone()} detail={Address::from(detail)} theme={props.theme} />
            <div class="file-detail__tabs">
                <div class="segmented" role="radiogroup" aria-label="What is shown of the file">
                    { for TABS.into_iter().map(radio) }
                </div>
            </div>
            <div class="file-detail__body">{ below }</div>
        </>
    }
}
