//! One row of the table of groups.

use extscope::units::Group;
use yew::prelude::*;

use super::super::shared::Icon;
use super::profile_line::ProfileLine;
use crate::protocol::{BgFlags, BlockStats, CsumState, GroupRow};
use crate::state::{Known, Theme, free_clusters};
use crate::text::{number, size};

/// What the row shows.
#[derive(Properties)]
pub(super) struct RowProps {
    /// The group.
    pub group: Group,
    /// What the descriptor says.
    pub row: GroupRow,
    /// What the bitmap says.
    pub stats: BlockStats,
    /// First block of the group.
    pub first_block: u64,
    /// Bytes of a cluster.
    pub cluster_bytes: u64,
    /// What the line shows.
    pub known: Known,
    /// The theme.
    pub theme: Theme,
    /// Its place in the table, counted from 1.
    pub index: usize,
    /// Whether it is selected.
    pub is_selected: bool,
    /// The person selected it.
    pub on_select: Callback<Option<Group>>,
}

/// Not what is known of other groups.
impl PartialEq for RowProps {
    fn eq(&self, other: &Self) -> bool {
        let shown =
            |row: &Self| (row.group, row.row, row.stats, row.theme, row.index, row.is_selected);
        shown(self) == shown(other) && self.known.is_same_image(&other.known)
    }
}

/// One row of the table of groups.
#[component]
pub(super) fn Row(props: &RowProps) -> Html {
    let RowProps { row, stats, group, .. } = props;
    let group = *group;
    let exact = stats.state.is_exact();
    let figure = |n: u32| number::count(n.into());
    let or_unknown = |text: String| if exact { text } else { "·".to_owned() };
    let largest = size::bytes(u64::from(stats.largest_free).saturating_mul(props.cluster_bytes));
    html! {
        <tr
            id={format!("group-{}", group.get())}
            class={props.is_selected.then_some("table__chosen")}
            aria-rowindex={(props.index + 1).to_string()}
            aria-selected={props.is_selected.to_string()}
            onclick={props.on_select.reform(move |_| Some(group))}
        >
            <th scope="row" class="num">{ figure(group.get()) }</th>
            <td class="num mono">{ number::count(props.first_block) }</td>
            <td>
                <ProfileLine
                    known={props.known.clone()}
                    group={group.get()}
                    stats={*stats}
                    theme={props.theme}
                />
            </td>
            <td class="num">{ free(row, stats) }</td>
            <td class="num">{ or_unknown(figure(stats.fragments)) }</td>
            <td class="num">{ or_unknown(largest) }</td>
            <td class="num">{ figure(row.free_inodes) }</td>
            <td class="num">{ figure(row.used_dirs) }</td>
            <td class="num">{ figure(row.itable_unused) }</td>
            <td>{ flags(row.flags) }</td>
            <td>{ csum(row.csum) }</td>
        </tr>
    }
}

fn free(row: &GroupRow, stats: &BlockStats) -> Html {
    let free = free_clusters(row, stats);
    let shown = number::count(free.into());
    if free == row.free_clusters {
        return html! { { shown } };
    }
    let said = format!("The descriptor says {}", number::count(row.free_clusters.into()));
    html! {
        <span class="verdict verdict--err" title={said.clone()}>
            { Icon::Err.view() }{ shown }<span class="visually-hidden">{ ". " }{ said }</span>
        </span>
    }
}

fn flags(flags: BgFlags) -> Html {
    let letters = [
        (BgFlags::INODE_UNINIT, "I", "INODE_UNINIT: the inode bitmap and table were never written"),
        (BgFlags::BLOCK_UNINIT, "B", "BLOCK_UNINIT: the block bitmap was never written"),
        (BgFlags::INODE_ZEROED, "Z", "ITABLE_ZEROED: the inode table is zeroed"),
    ];
    let letter = |(_, letter, title): (BgFlags, &'static str, &'static str)| {
        html! { <abbr class="flag" {title}>{ letter }</abbr> }
    };
    let set = letters.into_iter().filter(|(flag, ..)| flags.contains(*flag));
    html! { { for set.map(letter) } }
}

fn csum(verdict: CsumState) -> Html {
    match verdict {
        CsumState::None => html! { <span class="dimmer" title="None stored">{ "–" }</span> },
        CsumState::Good => html! {
            <span class="verdict verdict--ok" title="Right">
                { Icon::Ok.view() }<span class="visually-hidden">{ "right" }</span>
            </span>
        },
        CsumState::Bad => html! {
            <span class="verdict verdict--err" title="Wrong">{ Icon::Err.view() }{ "wrong" }</span>
        },
    }
}
