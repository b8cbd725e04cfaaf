//! The superblock is of no use; the person chooses a backup.

use yew::prelude::*;

use super::super::shared::{Chip, Icon};
use crate::protocol::{Backup, CsumState, SuperblockChoice};
use crate::select::header::Tone;
use crate::state::Choosing;
use crate::text::{number, size};

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct BackupsProps {
    /// The backups that were found.
    pub choosing: Choosing,
    /// Open from this superblock.
    pub on_choose: Callback<SuperblockChoice>,
    /// Give up.
    pub on_cancel: Callback<()>,
}

/// The superblock is of no use; the person chooses a backup.
#[component]
pub(super) fn Backups(props: &BackupsProps) -> Html {
    let choosing = &props.choosing;
    let chosen = use_state(|| 0_usize);
    let row = |(index, backup): (usize, &Backup)| {
        let choose = {
            let chosen = chosen.clone();
            Callback::from(move |_: Event| chosen.set(index))
        };
        backup_row(backup, index, index == *chosen, choose)
    };
    let backup = choosing.backups.get(*chosen).or(choosing.backups.first());
    html! {
        <section class="card" aria-labelledby="backups-title">
            <header>
                <h1 id="backups-title" class="card__title card__title--warn">
                    { Icon::Warn.view() }{ "The superblock is of no use. There are backups." }
                </h1>
                <p><b>{ &*choosing.name }</b>{ format!(": {}.", choosing.error) }</p>
            </header>
            <div class="card__table">
                <table class="table backups">
                    <thead>
                        <tr>
                            <th scope="col">{ "Copy" }</th>
                            <th scope="col" class="num">{ "Block" }</th>
                            <th scope="col">{ "Checksum" }</th>
                            <th scope="col" class="num">{ "Blocks" }</th>
                            <th scope="col">{ "UUID" }</th>
                            <th scope="col">{ "Written" }</th>
                        </tr>
                    </thead>
                    <tbody>{ for choosing.backups.iter().enumerate().map(row) }</tbody>
                </table>
            </div>
            { backup.map(|backup| chosen_backup(backup, props)) }
        </section>
    }
}

fn backup_row(backup: &Backup, index: usize, is_chosen: bool, on_change: Callback<Event>) -> Html {
    let id = format!("backup-{index}");
    let short: String = backup.uuid.chars().take(8).collect();
    html! {
        <tr class={is_chosen.then_some("table__chosen")}>
            <td>
                <input type="radio" name="backup" id={id.clone()} checked={is_chosen} onchange={on_change} />
                <label for={id}>{ format!("Group {}", number::count(backup.group.get().into())) }</label>
            </td>
            <td class="num mono">{ number::count(backup.at.superblock.get()) }</td>
            <td>{ verdict(backup) }</td>
            <td class="num">{ number::count(backup.blocks_count) }</td>
            <td class="mono" title={backup.uuid.clone()}>{ short }{ "…" }</td>
            <td>{ &backup.written }</td>
        </tr>
    }
}

fn verdict(backup: &Backup) -> Html {
    let (tone, word) = match backup.csum {
        CsumState::Bad => (Tone::Err, "wrong"),
        _ if !backup.is_plausible => (Tone::Warn, "doubtful"),
        CsumState::Good => (Tone::Ok, "right"),
        CsumState::None => (Tone::Neutral, "none"),
    };
    html! { <Chip {tone}>{ word }</Chip> }
}

fn chosen_backup(backup: &Backup, props: &BackupsProps) -> Html {
    let SuperblockChoice { superblock, block_size } = backup.at;
    let at = backup.at;
    html! {
        <>
            if !backup.is_plausible {
                <p class="card__doubts">
                    { "Its numbers make no sense, or it says that it lies elsewhere." }
                </p>
            }
            <pre class="code card__code">
                <span class="code__comment">
                    { format!(
                        "the same for e2fsprogs, {} blocks; -n writes nothing\n",
                        size::round(block_size.into())
                    ) }
                </span>
                { "e2fsck -b " }<b>{ superblock.get() }</b>{ format!(" -B {block_size} -n IMAGE") }
            </pre>
            <footer>
                <button
                    type="button"
                    class="button button--primary"
                    onclick={props.on_choose.reform(move |_: MouseEvent| at)}
                >
                    { format!("Use the backup at block {}", number::count(superblock.get())) }
                </button>
                <button
                    type="button"
                    class="button button--quiet"
                    onclick={props.on_cancel.reform(|_| ())}
                >
                    { "Cancel" }
                </button>
            </footer>
        </>
    }
}
