//! The dialog that saves tables, charts, reports and archives.

use extscope_picture::Ink;
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::shared::Dialog;
use crate::canvas::{data_url, png};
use crate::client::ObjectUrl;
use crate::protocol::{Export, MapLook, MapPicture, MapPixels, NamesTold};
use crate::render::butterfly::{self, Butterfly, ButterflyRow};
use crate::render::map_shot::MapShot;
use crate::select::exports::{Form, Offer, OfferKind, file_name, offers};
use crate::select::free_space::{FreeClass, free_classes};
use crate::select::map_legend;
use crate::select::map_look::map_look;
use crate::state::{OpenImage, Route, Theme};
use crate::text::{number, size, time};

/// What the dialog shows.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct ExportDialogProps {
    /// The image.
    pub open: OpenImage,
    /// What is looked at behind it.
    pub route: Route,
    /// The theme.
    pub theme: Theme,
    /// Have the engine make something, under a name.
    pub on_export: Callback<(Export, String)>,
    /// Have the engine draw a picture of the map, and hand it over.
    pub on_picture: Callback<(MapPicture, Callback<MapPixels>)>,
    /// The person closed it.
    pub on_close: Callback<()>,
}

/// The dialog that saves things.
#[component]
pub(crate) fn ExportDialog(props: &ExportDialogProps) -> Html {
    let (here, rest) = offers(props.route.view, &props.open);
    let chosen = use_state(|| here.first().or(rest.first()).map(|offer| offer.kind));
    let form = use_state(|| None::<Form>);
    // Until the person says, names are left out of what is meant to be sent to others.
    let hides = use_state(|| None::<bool>);
    let Some(kind) = *chosen else { return Html::default() };
    let shown_form = form.unwrap_or_else(|| kind.forms().first().copied().unwrap_or(Form::Csv));
    let hides_names = hides.unwrap_or(kind == OfferKind::Report);
    let now = (js_sys::Date::now() / 1000.0) as i64;
    let name = file_name(&props.open, kind, shown_form, now);
    let on_save = {
        let (props, name) = (props.clone(), name.clone());
        Callback::from(move |_: MouseEvent| {
            let names = if hides_names { NamesTold::Hidden } else { NamesTold::Plain };
            let day = time::day(now);
            match kind.export(shown_form, names) {
                Some(export) => props.on_export.emit((export, name.clone())),
                None if kind == OfferKind::Map => save_map(&props, shown_form, name.clone(), &day),
                None => save_chart(&props.open, shown_form, name.clone(), &day),
            }
            props.on_close.emit(());
        })
    };
    let on_choose = {
        let (chosen, form) = (chosen.clone(), form.clone());
        Callback::from(move |(kind, picked)| {
            chosen.set(Some(kind));
            form.set(picked);
        })
    };
    let row = |offer: &Offer| offer_row(offer, kind, shown_form, &on_choose);
    let section = |title: &'static str, offers: &[Offer]| {
        html! {
            if !offers.is_empty() {
                <fieldset class="export__section">
                    <legend>{ title }</legend>
                    { for offers.iter().map(row) }
                </fieldset>
            }
        }
    };
    let on_hide = {
        let hides = hides.clone();
        Callback::from(move |_: Event| hides.set(Some(!hides_names)))
    };
    html! {
        <Dialog title="Export" on_close={props.on_close.clone()}>
            <div class="export">
                <div class="export__offers">
                    { section("This view", &here) }
                    { section("Whole image", &rest) }
                </div>
                <label class="check">
                    <input type="checkbox" checked={kind.has_names() && hides_names}
                        disabled={!kind.has_names()} onchange={on_hide} />
                    <span>{ "Leave out names of files and directories" }</span>
                </label>
                <footer class="export__footer">
                    <bdi class="export__name" title={name.clone()}>{ name.clone() }</bdi>
                    <button type="button" class="button button--quiet" onclick={props.on_close.reform(|_| ())}>
                        { "Cancel" }
                    </button>
                    <button type="button" class="button button--primary" onclick={on_save}>{ "Save" }</button>
                </footer>
            </div>
        </Dialog>
    }
}

fn offer_row(
    offer: &Offer,
    chosen: OfferKind,
    form: Form,
    on_choose: &Callback<(OfferKind, Option<Form>)>,
) -> Html {
    let kind = offer.kind;
    let is_chosen = kind == chosen;
    let option = |known: &Form| {
        let is_picked =
            if is_chosen { *known == form } else { kind.forms().first() == Some(known) };
        html! { <option selected={is_picked}>{ known.name() }</option> }
    };
    let on_form = on_choose.reform(move |event: Event| {
        let name = event.target_unchecked_into::<HtmlSelectElement>().value();
        (kind, kind.forms().iter().copied().find(|form| form.name() == name))
    });
    html! {
        <div class={classes!("export__offer", is_chosen.then_some("export__offer--chosen"))}>
            <label>
                <input type="radio" name="export" checked={is_chosen}
                    onchange={on_choose.reform(move |_: Event| (kind, None))} />
                <span><b>{ offer.name }</b><small>{ offer.note.clone() }</small></span>
            </label>
            if kind.forms().len() > 1 {
                <select aria-label={format!("Form of: {}", offer.name)} onchange={on_form}>
                    { for kind.forms().iter().map(option) }
                </select>
            } else {
                <span class="export__form">{ for kind.forms().iter().map(|form| form.name()) }</span>
            }
        </div>
    }
}

/// Draws the free extents by length, and saves that.
fn save_chart(open: &OpenImage, form: Form, name: String, day: &str) {
    let Some(detail) = open.free.here() else { return };
    let chart = free_chart(open, &free_classes(&detail.report), day);
    save_drawing(&chart.svg(), (butterfly::WIDTH, chart.height()), form, name);
}

/// Saves a drawing, or a picture of it.
fn save_drawing(svg: &str, size: (u32, u32), form: Form, name: String) {
    let Some(url) = ObjectUrl::of_bytes(svg.as_bytes(), "image/svg+xml") else { return };
    if form == Form::Svg {
        return url.save(&name);
    }
    spawn_local(async move {
        let png = png(url.get(), size, form.times()).await;
        // The browser has taken the bytes by the time the address is given up.
        if let Some(url) = png.and_then(|png| ObjectUrl::of_bytes(&png, "image/png")) {
            url.save(&name);
        }
    });
}

/// Has the engine draw the map at the place that is seen, and saves that.
fn save_map(props: &ExportDialogProps, form: Form, name: String, day: &str) {
    let (open, route) = (&props.open, &props.route);
    let look = MapLook { theme: props.theme, ..map_look(open, route.style) };
    let selection = open.selection.as_ref();
    let shot = MapShot::new(&open.known, &route.map, selection, look, form.times());
    let amounts = map_legend::all_amounts(open, look.layer);
    let amount = move |ink: Ink| {
        let known = amounts.iter().find(|(of, _)| *of == ink);
        known.map(|(_, amount)| amount.clone())
    };
    let note = format!("extscope {}, {day}", env!("CARGO_PKG_VERSION"));
    let picture = shot.picture();
    let then = Callback::from(move |MapPixels { width, pixels }| {
        if let Some(url) = data_url(width, &pixels) {
            let svg = shot.svg(&url, &note, &amount);
            save_drawing(&svg, shot.size(&amount), form, name.clone());
        }
    });
    props.on_picture.emit((picture, then));
}

fn free_chart(open: &OpenImage, classes: &[FreeClass], day: &str) -> Butterfly {
    let info = &open.image.info;
    let block_size = u64::from(open.image.geometry.block_size());
    let label = info.volume_name.trim();
    let name = if label.is_empty() { &*open.image.name } else { label };
    let row = |class: &FreeClass| {
        let bytes = size::bytes(class.blocks.saturating_mul(block_size));
        ButterflyRow {
            label: class.range.clone(),
            left: (number::count(class.extents), class.extents_share),
            right: (format!("{bytes}, {}", class.percent), class.blocks_share),
        }
    };
    Butterfly {
        title: format!("Free extents of {name}"),
        subtitle: format!("{}, UUID {}", size::whole(info.filesystem_bytes), info.uuid),
        heads: ["free extents", "length", "free space"],
        rows: classes.iter().map(row).collect(),
        note: format!(
            "extscope {}, {day}. Each row doubles, as in e2freefrag.",
            env!("CARGO_PKG_VERSION")
        ),
    }
}
