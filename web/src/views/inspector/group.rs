//! All about one group.

use std::rc::Rc;

use extscope::units::Group;
use yew::prelude::*;

use super::super::shared::{Chip, Icon, KeyValue, KeyValues};
use super::bitmap::BitmapSection;
use crate::protocol::{
    BitmapDetail, BlockRange, CsumState, GroupDetail, GroupReport, GroupRow, SuperblockRole,
    flag_names,
};
use crate::select::header::Tone;
use crate::state::{Detail, Fullness, OpenImage, Theme};
use crate::text::{number, size};

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct GroupInspectorProps {
    /// The image.
    pub open: OpenImage,
    /// The group.
    pub group: Group,
    /// The theme.
    pub theme: Theme,
}

/// All about one group: what is known at once, then what the worker brings.
#[component]
pub(super) fn GroupInspector(props: &GroupInspectorProps) -> Html {
    let GroupInspectorProps { open, group, theme } = props;
    let Some(row) = open.image.groups.row(*group) else { return Html::default() };
    let geometry = &open.image.geometry;
    let cluster = u64::from(geometry.block_size()) * u64::from(geometry.blocks_per_cluster());
    let Fullness { used, of, .. } = open.known.fullness(*group);
    let detail = match &open.detail {
        Detail::Here(detail) if detail.group == *group => Some(Rc::clone(detail)),
        _ => None,
    };
    html! {
        <>
            { occupancy(used, of, cluster) }
            if !row.readable {
                { problem("The group descriptor could not be read.", None) }
            }
            { bitmap(detail.as_ref(), *theme, geometry.clusters_per_group()) }
            <section class="inspector__section">
                <h3>{ "Group descriptor" }</h3>
                <KeyValues rows={descriptor(open, *group, row, cluster)} />
            </section>
            { detail.as_ref().map(|detail| metadata(&detail.report)) }
            { detail.as_ref().map(|detail| checksums(row.csum, detail)) }
            { detail.as_ref().map(|detail| fields(detail)) }
        </>
    }
}

/// A bar with the share in use, and what is free, where anything is known.
pub(super) fn occupancy(used: u64, of: u64, cluster_bytes: u64) -> Html {
    if of == 0 {
        return html! {
            <section class="inspector__section inspector__hint">
                { "How much is in use is not known." }
            </section>
        };
    }
    let permille = (u128::from(used) * 1000).checked_div(u128::from(of)).unwrap_or(0);
    let free = of.saturating_sub(used);
    html! {
        <section class="inspector__section">
            <div class="meter"><i style={format!("width:{}.{}%", permille / 10, permille % 10)} /></div>
            <p class="meter__figures">
                <span>{ number::percent(used, of) }{ " in use" }</span>
                <span title={size::exact(free.saturating_mul(cluster_bytes))}>
                    { size::bytes(free.saturating_mul(cluster_bytes)) }{ " free" }
                </span>
            </p>
        </section>
    }
}

fn problem(what: &str, hint: Option<&str>) -> Html {
    html! {
        <section class="inspector__section">
            <div class="notice notice--err" role="alert">
                { Icon::Err.view() }
                <div>
                    <p><b>{ what }</b></p>
                    { hint.map(|hint| html! { <p>{ hint }</p> }) }
                </div>
            </div>
        </section>
    }
}

fn bitmap(detail: Option<&Rc<GroupDetail>>, theme: Theme, full: u32) -> Html {
    let Some(detail) = detail else {
        return html! {
            <section class="inspector__section" aria-busy="true">
                <h3>{ "Block bitmap" }</h3>
                <div class="bitmap-picture bitmap-picture--waits" />
            </section>
        };
    };
    match &detail.block_bitmap {
        Ok(_) => {
            html! { <BitmapSection detail={Rc::clone(detail)} {theme} bits_of_full_group={full} /> }
        }
        Err(error) => problem(&error.to_string(), error.hint()),
    }
}

fn descriptor(open: &OpenImage, group: Group, row: GroupRow, cluster: u64) -> Vec<KeyValue> {
    let geometry = &open.image.geometry;
    let stats = open.known.stats(group);
    let free = html! {
        <>
            { number::count(row.free_clusters.into()) }
            if stats.state.is_exact() {
                { " " }
                if stats.free == row.free_clusters {
                    <span class="verdict verdict--ok" title="Counted in the bitmap: the same">
                        { Icon::Ok.view() }<span class="visually-hidden">{ "as in the bitmap" }</span>
                    </span>
                } else {
                    <Chip tone={Tone::Err}>
                        { format!("bitmap: {}", number::count(stats.free.into())) }
                    </Chip>
                }
            }
        </>
    };
    let unit = if geometry.blocks_per_cluster() > 1 { "Free clusters" } else { "Free blocks" };
    let mut rows = vec![KeyValue::html(unit, free)];
    if stats.state.is_exact() {
        let largest = size::bytes(u64::from(stats.largest_free).saturating_mul(cluster));
        let extents = match stats.fragments {
            0 => "none".to_owned(),
            n => format!("{}, largest {largest}", number::count(n.into())),
        };
        rows.push(KeyValue::amount("Free extents", extents));
    }
    let inodes = format!(
        "{} of {}",
        number::count(row.free_inodes.into()),
        number::count(geometry.inodes_per_group().into())
    );
    let table = row.inode_table.get();
    let table_end = table.saturating_add(geometry.itable_blocks().saturating_sub(1));
    let flags = flag_names(row.flags);
    rows.extend([
        KeyValue::amount("Free inodes", inodes),
        KeyValue::amount("Directories", number::count(row.used_dirs.into())),
        KeyValue::address("Block bitmap", number::count(row.block_bitmap.get())),
        KeyValue::address("Inode bitmap", number::count(row.inode_bitmap.get())),
        KeyValue::address("Inode table", number::range(table, table_end)),
        KeyValue::amount("Flags", if flags.is_empty() { "none".into() } else { flags.join(" ") }),
    ]);
    rows
}

/// Copies of the superblock and of the descriptor table that lie in the group.
fn metadata(report: &GroupReport) -> Html {
    let range = |range: BlockRange| number::range(range.first, range.last);
    let superblock = report.superblock.map(|role| match role {
        SuperblockRole::Primary => "Superblock",
        SuperblockRole::Backup => "Backup superblock",
    });
    let rows: Vec<KeyValue> = [
        superblock.zip(report.superblock_at.map(number::count)),
        report.gdt.map(|gdt| ("Descriptor table", range(gdt))),
        report.reserved_gdt.map(|reserved| ("Reserved GDT blocks", range(reserved))),
    ]
    .into_iter()
    .flatten()
    .map(|(name, place)| KeyValue::address(name, place))
    .collect();
    if rows.is_empty() {
        return Html::default();
    }
    html! {
        <section class="inspector__section">
            <h3>{ "Also here" }</h3>
            <KeyValues {rows} />
        </section>
    }
}

fn checksums(descriptor: CsumState, detail: &GroupDetail) -> Html {
    let of_bitmap = |bitmap: &Result<BitmapDetail, extscope::Error>| match bitmap {
        Ok(bitmap) => verdict(bitmap.csum, bitmap.csum_stored, bitmap.csum_expected),
        Err(_) => html! { "unreadable" },
    };
    let rows = vec![
        KeyValue::html("Descriptor", verdict(descriptor, None, None)),
        KeyValue::html("Block bitmap", of_bitmap(&detail.block_bitmap)),
        KeyValue::html("Inode bitmap", of_bitmap(&detail.inode_bitmap)),
    ];
    html! {
        <section class="inspector__section">
            <h3>{ "Checksums" }</h3>
            <KeyValues {rows} />
        </section>
    }
}

fn verdict(verdict: CsumState, stored: Option<u32>, expected: Option<u32>) -> Html {
    let stored = stored.map(|csum| number::hex(csum, 8));
    match verdict {
        CsumState::None => html! { "none stored" },
        CsumState::Good => html! {
            <>
                <span class="mono">{ stored }</span>
                { " " }
                <span class="verdict verdict--ok">{ Icon::Ok.view() }{ "right" }</span>
            </>
        },
        CsumState::Bad => {
            let expected = expected.map(|csum| format!("Its bytes give {}", number::hex(csum, 8)));
            html! {
                <>
                    <span class="mono">{ stored }</span>
                    { " " }
                    <Chip tone={Tone::Err} title={expected.map(AttrValue::from)}>{ "wrong" }</Chip>
                </>
            }
        }
    }
}

/// The descriptor's own fields under their kernel names.
fn fields(detail: &GroupDetail) -> Html {
    let field = |field: &crate::protocol::Field| {
        html! {
            <div class="key-values__row" title={field.explanation.clone()}>
                <dt class="mono">{ &field.name }</dt>
                <dd class="mono">{ &field.raw }</dd>
            </div>
        }
    };
    html! {
        <details class="inspector__section">
            <summary>{ "As it lies on the disk" }</summary>
            <dl class="key-values">{ for detail.descriptor.iter().map(field) }</dl>
        </details>
    }
}
