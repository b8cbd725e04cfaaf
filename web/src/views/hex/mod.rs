//! The bytes of a block, and what they mean field by field.
//!
//! *Belongs here:* the bytes and the table of fields beside them. *Does not:* what is a field; that
//! comes with the bytes.

mod dump;
mod fields;

use std::rc::Rc;

use extscope::units::{Fsblk, Ino};
use yew::prelude::*;

use self::dump::Dump;
use self::fields::Fields;
use super::shared::{Address, Chip, Icon, step_button};
use crate::protocol::{BlockDetail, BlockReport, CsumState, Lead, OwnerReport};
use crate::select::header::Tone;
use crate::select::hex::{byte_marks, csums, field_at, next_part};
use crate::state::{DiskPart, Image, Work};
use crate::text::number;

/// What the view shows.
#[derive(Properties, PartialEq)]
pub(crate) struct HexProps {
    /// The image.
    pub image: Address<Image>,
    /// The part of the file that is open, if not the whole.
    pub part: Option<DiskPart>,
    /// The block whose bytes are looked at.
    pub block: Option<(Fsblk, Work<BlockDetail>)>,
    /// The byte of the image that is looked at, if one is.
    pub byte: Option<u64>,
    /// Show another block.
    pub on_block: Callback<Fsblk>,
    /// Look at a file.
    pub on_inode: Callback<Ino>,
    /// The box to go anywhere.
    pub on_jump: Callback<()>,
}

/// What is looked at in a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    /// The field.
    field: Option<usize>,
    /// The byte, counted from the first one of the block.
    byte: Option<usize>,
}

/// The bytes of a block, and what they mean.
#[component]
pub(crate) fn Hex(props: &HexProps) -> Html {
    let place = use_state(Place::default);
    let shows_covered = use_state(|| false);
    let fsblk = props.block.as_ref().map(|(fsblk, _)| *fsblk);
    let work = props.block.as_ref().map(|(_, work)| work);
    let detail = work.and_then(Work::here);
    let byte = detail.and_then(|detail| {
        let byte = props.byte?.checked_sub(detail.structure.offset)?;
        usize::try_from(byte).ok().filter(|byte| *byte < detail.bytes.len())
    });
    {
        let place = place.setter();
        let field = detail.zip(byte).and_then(|(it, byte)| field_at(&it.structure, byte as u64));
        use_effect_with((fsblk, Place { field, byte }), move |(_, named)| place.set(*named));
    }
    let marks = use_memo(detail.map(Address::from), |detail| {
        let marks =
            |detail: &Address<BlockDetail>| byte_marks(&detail.structure, detail.bytes.len());
        detail.as_ref().map(marks).unwrap_or_default()
    });
    let on_choose = use_callback((), {
        let place = place.setter();
        move |field, ()| place.set(Place { field, byte: None })
    });
    let on_byte = use_callback(detail.map(Address::from), {
        let place = place.setter();
        move |byte: usize, detail| {
            let field = detail.as_ref().and_then(|it| field_at(&it.structure, byte as u64));
            place.set(Place { field, byte: Some(byte) });
        }
    });
    let on_lead = {
        let (on_block, on_inode) = (props.on_block.clone(), props.on_inode.clone());
        Callback::from(move |lead| match lead {
            Lead::Block(block) => on_block.emit(Fsblk::new(block)),
            Lead::Inode(ino) => on_inode.emit(Ino::new(ino)),
        })
    };
    let contents = match work {
        None | Some(Work::Idle | Work::Going(_)) => {
            html! { <p class="hex__none" aria-busy="true">{ "Reading…" }</p> }
        }
        Some(Work::Failed(error)) => html! {
            <div class="hex__none notice notice--err" role="alert">
                { Icon::Err.view() }<div><p><b>{ error.to_string() }</b></p></div>
            </div>
        },
        Some(Work::Here(detail)) => html! {
            <div class="hex__panes">
                <Dump detail={Address::from(detail)} marks={Address::from(&marks)} byte={place.byte}
                    chosen={place.field} shows_covered={*shows_covered} {on_byte} />
                <Fields detail={Address::from(detail)} chosen={place.field} on_choose={on_choose.clone()} {on_lead} />
            </div>
        },
    };
    html! {
        <main id="main" class="view view--whole" tabindex="-1">
            <div class="hex">
                { toolbar(props, fsblk, detail, (place.field, &on_choose), &shows_covered) }
                { detail.and_then(|detail| detail.owner.as_ref()).map(|owner| owner_line(owner, &props.on_inode)) }
                { contents }
            </div>
        </main>
    }
}

fn toolbar(
    props: &HexProps,
    fsblk: Option<Fsblk>,
    detail: Option<&Rc<BlockDetail>>,
    (chosen, on_choose): (Option<usize>, &Callback<Option<usize>>),
    shows_covered: &UseStateHandle<bool>,
) -> Html {
    let blocks = props.image.geometry.blocks_count();
    let step = |icon: Icon, name: &'static str, to: Option<u64>| {
        let to = to.filter(|to| *to < blocks).map(Fsblk::new);
        let on_block = |to| props.on_block.reform(move |_: MouseEvent| to);
        step_button(icon, name, to.map(on_block))
    };
    let number = fsblk.map_or(0, Fsblk::get);
    let name = detail.map_or("Hex", |detail| &detail.structure.name).to_owned();
    let note = detail.map(|detail| {
        let looks = if detail.structure.by_looks { ", by its looks" } else { "" };
        let at = detail.structure.offset;
        // Of a part of a file there are two counts of bytes.
        let of_file = props.part.map(|part| {
            format!(
                " of the filesystem, {} of the file",
                number::hex(part.offset.saturating_add(at), 1)
            )
        });
        format!(
            "block {}, byte {}{}{looks}",
            number::count(number),
            number::hex(at, 1),
            of_file.unwrap_or_default()
        )
    });
    let csum = detail.and_then(|detail| csums(&detail.structure)).map(|(state, count)| {
        let toggle = {
            let shows_covered = shows_covered.clone();
            Callback::from(move |_: MouseEvent| shows_covered.set(!*shows_covered))
        };
        let text = match state {
            CsumState::Bad => number::count_of(count as u64, "wrong checksum", "wrong checksums"),
            _ => number::count_of(count as u64, "checksum right", "checksums right"),
        };
        let tone = if state == CsumState::Bad { Tone::Err } else { Tone::Ok };
        html! {
            <button
                type="button"
                class="hex__csum"
                aria-pressed={shows_covered.to_string()}
                title="Mark the bytes that a checksum covers"
                onclick={toggle}
            >
                <Chip {tone}>{ text }</Chip>
            </button>
        }
    });
    let structure = detail.map(|detail| &detail.structure).filter(|it| it.parts.len() > 1);
    let part_step = |icon: Icon, name: &'static str, forward: bool| {
        structure.map(|structure| {
            let to = next_part(structure, chosen, forward);
            let choose = |to| on_choose.reform(move |_: MouseEvent| Some(to));
            step_button(icon, name, to.map(choose))
        })
    };
    html! {
        <header class="toolbar">
            <h1 class="toolbar__title">{ name }</h1>
            <span class="toolbar__note" role="status">{ note }</span>
            { csum }
            <span class="grow" />
            { part_step(Icon::Up, "Previous structure", false) }
            { part_step(Icon::Down, "Next structure", true) }
            { step(Icon::Left, "Previous block", number.checked_sub(1)) }
            { step(Icon::Right, "Next block", number.checked_add(1)) }
            <button type="button" class="button button--small" onclick={props.on_jump.reform(|_| ())}>
                { "Go to…" }
            </button>
        </header>
    }
}

fn owner_line(report: &BlockReport, on_inode: &Callback<Ino>) -> Html {
    let owner = |owner: &OwnerReport| {
        let blocks = number::range(owner.blocks.first, owner.blocks.last);
        let file = owner.ino.map(|ino| {
            let name = owner.path.clone().unwrap_or_else(|| format!("inode {ino}"));
            html! {
                <button type="button" class="link" onclick={on_inode.reform(move |_: MouseEvent| Ino::new(ino))}>
                    <bdi>{ name }</bdi>
                </button>
            }
        });
        html! {
            <span>{ &owner.name }{ " " }{ file }{ " " }<span class="dimmer">{ format!("blocks {blocks}") }</span></span>
        }
    };
    html! {
        <p class="hex__owner">
            { owner(&report.owner) }
            { for report.claims.iter().map(owner) }
            if report.free_but_owned {
                <Chip tone={Tone::Err}>{ "free in the bitmap" }</Chip>
            }
        </p>
    }
}
