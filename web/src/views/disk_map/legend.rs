//! What the colours of the map mean, and which there are.

use extscope::units::Ino;
use extscope_picture::{Ink, Kind, Kinds, Layer, Look, Palette, Rgb, Theme};
use yew::prelude::*;

use super::groups;
use crate::protocol::{CheckMode, ShrinkRequest, SurveyDetail};
use crate::select::map_legend;
use crate::state::{MapStyle, Sums, Work};
use crate::text::{number, size};

/// Layers that a key of their own shows.
const KEYS: usize = 9;

/// What the legend shows.
#[derive(Clone, Properties, PartialEq)]
pub(super) struct LegendProps {
    /// Groups by how full they are, and by what is known of them.
    pub sums: Sums,
    /// What every block is, once all inodes were gone through.
    pub survey: Work<SurveyDetail>,
    /// Bytes of a block.
    pub block_size: u32,
    /// The theme.
    pub theme: Theme,
    /// What the map shows.
    pub style: MapStyle,
    /// The inode whose blocks are looked for.
    pub owner: Option<Ino>,
    /// The check that is over.
    pub checked: Option<CheckMode>,
    /// The shrink that is planned.
    pub planned: Option<ShrinkRequest>,
    /// How much there is of each colour of the layer, where that is known.
    pub amounts: Vec<(Ink, String)>,
    /// Bytes that the image is too short by.
    pub missing_bytes: u64,
    /// The person wants other colours or kinds.
    pub on_style: Callback<MapStyle>,
    /// The person wants to know whose every block is.
    pub on_survey: Callback<bool>,
}

/// The layers and the legend in the side panel.
#[component]
pub(super) fn Legend(props: &LegendProps) -> Html {
    let style = props.style;
    let layer = |(layer, number): (Layer, usize)| {
        let on_style = props.on_style.reform(move |_: Event| MapStyle { layer, ..style });
        html! {
            <label class="choice">
                <input type="radio" name="map-layer" checked={style.layer == layer} onchange={on_style} />
                { layer.name() }
                if number <= KEYS {
                    <small>{ number }</small>
                }
            </label>
        }
    };
    html! {
        <div class="legend">
            <fieldset class="choices">
                <legend class="panel-heading">{ "Colour by" }</legend>
                { for Layer::ALL.into_iter().zip(1..).map(layer) }
            </fieldset>
            { meaning(props) }
        </div>
    }
}

/// The legend as a row under the map.
#[component]
pub(super) fn LegendRow(props: &LegendProps) -> Html {
    let style = props.style;
    let on_layer = props.on_style.reform(move |event: Event| {
        let select: web_sys::HtmlSelectElement = event.target_unchecked_into();
        MapStyle { layer: Layer::parse(&select.value()).unwrap_or_default(), ..style }
    });
    let option = |layer: Layer| {
        html! {
            <option value={layer.slug()} selected={layer == style.layer}>{ layer.name() }</option>
        }
    };
    html! {
        <div class="legend-row" role="group" aria-label="Legend">
            <select class="field" aria-label="Colour by" onchange={on_layer}>
                { for Layer::ALL.into_iter().map(option) }
            </select>
            if style.layer == Layer::Kind {
                { kind_rows(props) }
            } else {
                { ramp_row(style.layer) }
                <ul class="legend__kinds">{ for inks(props) }</ul>
            }
            <ul class="legend__kinds">{ for known_from(&props.sums) }</ul>
        </div>
    }
}

/// The ramp of a layer in one line, if it has one, with what is at its ends.
fn ramp_row(layer: Layer) -> Html {
    let ends = layer.marks().first().zip(layer.marks().last());
    let row = |((_, first), (_, last)): (&(f32, &'static str), &(f32, &'static str))| {
        html! {
            <span class="legend-row__ramp">
                { *first }<i class={classes!("ramp", ramp_class(layer))} />{ *last }
            </span>
        }
    };
    ends.map(row).unwrap_or_default()
}

/// What the colours of the layer mean.
fn meaning(props: &LegendProps) -> Html {
    let layer = props.style.layer;
    match layer {
        Layer::Kind => html! {
            <>
                <h2 class="panel-heading">{ "Legend and filter" }</h2>
                { kind_rows(props) }
                { survey(props) }
                { known(&props.sums) }
                <p class="fine">{ "Small structures are drawn larger than they are." }</p>
            </>
        },
        Layer::Occupancy => occupancy(props),
        Layer::Owner if props.owner.is_none() => html! {
            <p class="fine">{ "Select a file in Files and show it on the map to see its blocks here." }</p>
        },
        layer => html! {
            <>
                <h2 class="panel-heading">{ layer.heading() }</h2>
                { ramp(layer) }
                <ul class="legend__kinds">{ for inks(props) }</ul>
                if layer.asks_for_owners() { { survey(props) } }
                { note(props).map(|note| html! { <p class="fine">{ note }</p> }).unwrap_or_default() }
                if layer == Layer::FreeRuns { { known(&props.sums) } }
            </>
        },
    }
}

/// What there is to say of what the layer shows now.
fn note(props: &LegendProps) -> Option<String> {
    match props.style.layer {
        Layer::Owner => props
            .owner
            .map(|ino| format!("The blocks of inode {}.", number::count(ino.get().into()))),
        Layer::Age => Some("Seen from the time the filesystem was written last.".to_owned()),
        Layer::Problems if props.checked.is_none() => {
            Some("What a check finds is drawn here once one is over: see Check.".to_owned())
        }
        Layer::Shrink if props.planned.is_none() => {
            Some("Plan a shrink to see what it would move: see Shrink.".to_owned())
        }
        Layer::Reads => Some(
            "Bitmaps, tables and what you looked at; the rest of the image was never read."
                .to_owned(),
        ),
        _ => None,
    }
}

/// The ramp of a layer, if it has one, with what is written along it.
fn ramp(layer: Layer) -> Html {
    let mark = |(place, text): &(f32, &'static str)| {
        html! { <span style={format!("left:{:.1}%", place * 100.0)}>{ *text }</span> }
    };
    html! {
        if !layer.marks().is_empty() {
            <div class={classes!("ramp", ramp_class(layer))} />
            <div class="ramp-labels ramp-labels--placed">{ for layer.marks().iter().map(mark) }</div>
        }
    }
}

/// The style of the ramp of a layer that is not occupancy's.
const fn ramp_class(layer: Layer) -> Option<&'static str> {
    match layer {
        Layer::FreeRuns | Layer::FileRuns => Some("ramp--fragments"),
        Layer::Age => Some("ramp--age"),
        _ => None,
    }
}

/// The kinds of blocks: each a switch, with how much there is of it where that is known.
fn kind_rows(props: &LegendProps) -> Html {
    let style = props.style;
    let palette = Palette::of(props.theme);
    let bytes = props.survey.here().map(|it| map_legend::bytes_by_kind(it, props.block_size));
    let is_known = props.survey.here().is_some();
    let shown = Kind::ALL.into_iter().filter(|kind| kind.is_told(is_known));
    let row = |kind: Kind| {
        let colour = palette.kind(kind);
        let amount = bytes.as_ref().map(|bytes| bytes[kind as usize]);
        if amount == Some(0) {
            return Html::default();
        }
        let hidden = style.hidden;
        let on_style = props.on_style.reform(move |event: MouseEvent| {
            let alone = Kinds::all_but(kind);
            let next = match event.alt_key() {
                true if hidden == alone => Kinds::default(),
                true => alone,
                false => hidden.toggled(kind),
            };
            MapStyle { hidden: next, ..style }
        });
        let letter = if kind == Kind::Free || kind == Kind::Used {
            String::new()
        } else {
            kind.letter().to_string()
        };
        html! {
            <li>
                <button
                    type="button"
                    class="legend__kind"
                    aria-pressed={(!hidden.has(kind)).to_string()}
                    title="Show or hide; with Alt only this"
                    onclick={on_style}
                >
                    { swatch(colour, palette.ink_on(colour), letter) }
                    <span>{ kind.name() }</span>
                    if let Some(bytes) = amount {
                        <small title={size::exact(bytes)}>{ size::bytes(bytes) }</small>
                    }
                </button>
            </li>
        }
    };
    let uninit = (props.sums.never_written > 0)
        .then(|| plain_row(props, Ink::UNINIT, "Free, bitmap never written", Html::default()));
    html! { <ul class="legend__kinds">{ for shown.map(row) }{ uninit.unwrap_or_default() }{ missing(props) }</ul> }
}

/// The colours of the layer with what they mean, and how much there is where that is known.
fn inks(props: &LegendProps) -> Vec<Html> {
    let layer = props.style.layer;
    let look = Look::new(Palette::of(props.theme), layer, Kinds::default());
    let row = |(ink, name): &(Ink, &'static str)| {
        let colour = look.colour(*ink);
        let amount = props.amounts.iter().find(|(of, _)| of == ink);
        html! {
            <li>
                { swatch(colour, colour, String::new()) }{ *name }
                if let Some((_, amount)) = amount {
                    <small>{ amount }</small>
                }
            </li>
        }
    };
    layer.inks().iter().map(row).chain([missing(props)]).collect()
}

/// What the image lacks of the filesystem, if it lacks any.
fn missing(props: &LegendProps) -> Html {
    if props.missing_bytes == 0 {
        return Html::default();
    }
    let bytes = props.missing_bytes;
    let amount = html! { <small title={size::exact(bytes)}>{ size::bytes(bytes) }</small> };
    plain_row(props, Ink::MISSING, "Not in the image", amount)
}

/// A colour that is no filter, with what it means.
fn plain_row(props: &LegendProps, ink: Ink, name: &'static str, amount: Html) -> Html {
    let look = Look::new(Palette::of(props.theme), props.style.layer, Kinds::default());
    let colour = look.colour(ink);
    html! { <li>{ swatch(colour, colour, String::new()) }{ name }{ amount }</li> }
}

fn swatch(colour: Rgb, ink: Rgb, letter: String) -> Html {
    let style = format!("background:{};color:{}", colour.css(), ink.css());
    html! { <i class="swatch" {style} aria-hidden="true">{ letter }</i> }
}

/// Asks before all inodes are gone through.
fn survey(props: &LegendProps) -> Html {
    match &props.survey {
        Work::Idle => html! {
            <div class="legend__survey">
                <p class="fine">{ "Which blocks are of files, directories and the journal is known once all inodes were gone through." }</p>
                <button type="button" class="button button--small" onclick={props.on_survey.reform(|_: MouseEvent| true)}>
                    { "Go through all inodes" }
                </button>
            </div>
        },
        Work::Going(progress) => html! {
            <div class="legend__survey">
                <p class="fine" role="status">
                    { format!("Reading inodes, {}", number::percent(progress.cur, progress.max.max(1))) }
                </p>
                <button type="button" class="button button--small" onclick={props.on_survey.reform(|_: MouseEvent| false)}>
                    { "Stop" }
                </button>
            </div>
        },
        Work::Here(_) => Html::default(),
        Work::Failed(error) => html! { <p class="fine" role="alert">{ error.to_string() }</p> },
    }
}

/// Share in use: the ramp, and how many groups have which.
fn occupancy(props: &LegendProps) -> Html {
    let classes = props.sums.by_fullness;
    let most = classes.into_iter().max().unwrap_or(1).max(1);
    let bar = |(class, count): (usize, u32)| {
        let height = if count == 0 { 0.0 } else { f64::from(count) * 100.0 / f64::from(most) };
        let (from, to) = (class * 10, class * 10 + 10);
        let title = format!("{from} to {to} % in use: {}", groups(count));
        let height = height.max(if count > 0 { 4.0 } else { 0.0 });
        html! { <i style={format!("--class:{class};height:{height:.1}%")} {title} /> }
    };
    let summary = format!(
        "Groups by share in use, from empty to full, in tenths: {}.",
        classes.map(|count| count.to_string()).join(", ")
    );
    html! {
        <>
            <h2 class="panel-heading">{ "Share of blocks in use" }</h2>
            { ramp(Layer::Occupancy) }
            <h2 class="panel-heading">{ "Groups by share in use" }</h2>
            <figure class="histogram" role="img" aria-label={summary}>
                { for classes.into_iter().enumerate().map(bar) }
            </figure>
            <div class="ramp-labels"><span>{ "empty" }</span><span>{ "full" }</span></div>
            { known(&props.sums) }
        </>
    }
}

/// What the colours are known from.
fn known(sums: &Sums) -> Html {
    html! {
        <>
            <h2 class="panel-heading">{ "Known from" }</h2>
            <ul class="legend__kinds">{ for known_from(sums) }</ul>
            if sums.unread > 0 {
                <p class="fine">
                    { "Hatched groups show what their descriptor says. They turn exact as their \
                       bitmaps are read." }
                </p>
            }
            if sums.failed > 0 {
                <p class="fine">{ "A group that cannot be read says why when it is selected." }</p>
            }
        </>
    }
}

fn known_from(sums: &Sums) -> Vec<Html> {
    let total: u32 = sums.by_fullness.iter().sum();
    let exact = total.saturating_sub(sums.unread);
    let kinds = [
        ("swatch swatch--exact", "Block bitmap", exact),
        ("swatch swatch--unread", "Descriptor alone", sums.unread),
        ("swatch swatch--failed", "Nothing: unreadable", sums.failed),
    ];
    kinds
        .into_iter()
        .filter(|(_, name, count)| *count > 0 || *name == "Block bitmap")
        .map(|(class, name, count)| {
            html! {
                <li><i {class} />{ name }<small>{ number::count(count.into()) }</small></li>
            }
        })
        .collect()
}
