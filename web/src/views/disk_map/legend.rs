//! What the colours of the map mean.

use yew::prelude::*;

use super::groups;
use crate::state::Sums;
use crate::text::number;

/// What the legend shows.
#[derive(Properties, PartialEq)]
pub(super) struct LegendProps {
    /// Groups by how full they are, and by what is known of them.
    pub sums: Sums,
}

/// The legend in the side panel.
#[component]
pub(super) fn Legend(props: &LegendProps) -> Html {
    let Sums { by_fullness: classes, unread, failed, .. } = props.sums;
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
        <div class="legend">
            <h2 class="panel-heading">{ "Share of blocks in use" }</h2>
            <div class="ramp" />
            <div class="ramp-labels"><span>{ "0 %" }</span><span>{ "50" }</span><span>{ "100 %" }</span></div>
            <h2 class="panel-heading">{ "Groups by share in use" }</h2>
            <figure class="histogram" role="img" aria-label={summary}>
                { for classes.into_iter().enumerate().map(bar) }
            </figure>
            <div class="ramp-labels"><span>{ "empty" }</span><span>{ "full" }</span></div>
            <h2 class="panel-heading">{ "Known from" }</h2>
            <ul class="legend__kinds">{ for kinds(&props.sums) }</ul>
            if unread > 0 {
                <p class="fine">
                    { "Hatched groups show what their descriptor says. They turn exact as their \
                       bitmaps are read." }
                </p>
            }
            if failed > 0 {
                <p class="fine">{ "A group that cannot be read says why when it is selected." }</p>
            }
        </div>
    }
}

/// The legend as a row under the map.
#[component]
pub(super) fn LegendRow(props: &LegendProps) -> Html {
    html! {
        <div class="legend-row" role="group" aria-label="Legend">
            <span class="legend-row__ramp">{ "0 %" }<i class="ramp" />{ "100 % in use" }</span>
            <ul class="legend__kinds">{ for kinds(&props.sums) }</ul>
        </div>
    }
}

fn kinds(sums: &Sums) -> Vec<Html> {
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
