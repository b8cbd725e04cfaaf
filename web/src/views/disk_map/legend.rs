//! What the colours of the map mean, and which there are.

use extscope::units::Ino;
use extscope_picture::{Ink, Kind, Kinds, Layer, Look, Palette, Rgb, Theme};
use yew::prelude::*;

use super::groups;
use crate::protocol::SurveyDetail;
use crate::select::map_legend;
use crate::state::{MapStyle, Sums, Work};
use crate::text::{number, size};

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
                { layer_name(layer) }
                <small>{ number }</small>
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
            <option value={layer.slug()} selected={layer == style.layer}>{ layer_name(layer) }</option>
        }
    };
    html! {
        <div class="legend-row" role="group" aria-label="Legend">
            <select class="field" aria-label="Colour by" onchange={on_layer}>
                { for Layer::ALL.into_iter().map(option) }
            </select>
            if style.layer == Layer::Kind {
                { kind_rows(props) }
            } else if style.layer == Layer::Occupancy {
                <span class="legend-row__ramp">{ "0 %" }<i class="ramp" />{ "100 % in use" }</span>
            }
            <ul class="legend__kinds">{ for known_from(&props.sums) }</ul>
        </div>
    }
}

fn layer_name(layer: Layer) -> &'static str {
    match layer {
        Layer::Kind => "Block kind",
        Layer::Occupancy => "Occupancy",
        Layer::FreeRuns => "Free runs",
        Layer::Owner => "One owner",
        Layer::Checksums => "Checksums",
        Layer::Inodes => "Inodes in use",
    }
}

/// What the colours of the layer mean.
fn meaning(props: &LegendProps) -> Html {
    match props.style.layer {
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
        Layer::FreeRuns => html! {
            <>
                <h2 class="panel-heading">{ "Run of free blocks" }</h2>
                <div class="ramp ramp--fragments" />
                <div class="ramp-labels"><span>{ "long" }</span><span>{ "1 block" }</span></div>
                { known(&props.sums) }
            </>
        },
        Layer::Owner => match props.owner {
            Some(ino) => html! {
                <>
                    <h2 class="panel-heading">{ "Legend" }</h2>
                    { inks(props, &[(Ink::OWNER, "Of the inode"), (Ink::OTHER_OWNER, "Of others"), (Ink::kind(Kind::Free), "Free")]) }
                    <p class="fine">{ format!("The blocks of inode {}.", number::count(ino.get().into())) }</p>
                </>
            },
            None => html! {
                <p class="fine">{ "Select a file in Files and show it on the map to see its blocks here." }</p>
            },
        },
        Layer::Checksums => html! {
            <>
                <h2 class="panel-heading">{ "Upper half descriptor, lower half block bitmap" }</h2>
                { inks(props, &[(Ink::GOOD, "Right"), (Ink::BAD, "Wrong"), (Ink::NO_CSUM, "None stored"), (Ink::UNKNOWN, "Not read yet")]) }
            </>
        },
        Layer::Inodes => html! {
            <>
                <h2 class="panel-heading">{ "Share of inodes in use" }</h2>
                <div class="ramp" />
                <div class="ramp-labels"><span>{ "0 %" }</span><span>{ "50" }</span><span>{ "100 %" }</span></div>
            </>
        },
    }
}

/// The kinds of blocks: each a switch, with how much there is of it where that is known.
fn kind_rows(props: &LegendProps) -> Html {
    let style = props.style;
    let palette = Palette::of(props.theme);
    let bytes = props.survey.here().map(|it| map_legend::bytes_by_kind(it, props.block_size));
    let is_known = props.survey.here().is_some();
    // Before the inodes were gone through, nobody knows of files; after, everything is known.
    let shown = Kind::ALL.into_iter().filter(|kind| {
        let of_files = matches!(
            kind,
            Kind::Data
                | Kind::Dir
                | Kind::Node
                | Kind::Xattr
                | Kind::Journal
                | Kind::Unowned
                | Kind::Problem
        );
        if *kind == Kind::Used { !is_known } else { is_known || !of_files }
    });
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
    html! { <ul class="legend__kinds">{ for shown.map(row) }</ul> }
}

/// Some inks of the layer, with what they mean.
fn inks(props: &LegendProps, inks: &[(Ink, &'static str)]) -> Html {
    let look = Look::new(Palette::of(props.theme), props.style.layer, Kinds::default());
    let row = |(ink, name): &(Ink, &'static str)| {
        let colour = look.colour(*ink);
        html! { <li>{ swatch(colour, colour, String::new()) }{ *name }</li> }
    };
    html! { <ul class="legend__kinds">{ for inks.iter().map(row) }</ul> }
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
            <div class="ramp" />
            <div class="ramp-labels"><span>{ "0 %" }</span><span>{ "50" }</span><span>{ "100 %" }</span></div>
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
