//! What was read, by kind of metadata and by worker.

use yew::prelude::*;

use crate::select::status::{Read, Status};
use crate::text::{number, size};

/// What the table shows.
#[derive(Properties, PartialEq)]
pub(crate) struct ReadsProps {
    /// The status.
    pub status: Status,
}

/// What was read, by kind of metadata and by worker.
#[component]
pub(crate) fn Reads(props: &ReadsProps) -> Html {
    let status = &props.status;
    let all = Read { of: "In all".into(), requests: status.requests, bytes: status.read };
    html! {
        <div class="reads">
            <table class="table">
                <caption>{ "What was read" }</caption>
                { head("Kind") }
                <tbody>{ for status.kinds.iter().map(row) }</tbody>
                <tfoot>{ row(&all) }</tfoot>
            </table>
            <table class="table">
                <caption class="visually-hidden">{ "By whom it was read" }</caption>
                { head("By") }
                <tbody>{ for status.workers.iter().map(row) }</tbody>
            </table>
            <p class="fine">
                { format!("{} of the image. ", status.share_read()) }
                { "Only what a view needs is read; the rest of the file is never touched." }
            </p>
        </div>
    }
}

fn head(of: &'static str) -> Html {
    html! {
        <thead>
            <tr>
                <th scope="col">{ of }</th>
                <th scope="col" class="num">{ "Requests" }</th>
                <th scope="col" class="num">{ "Bytes" }</th>
            </tr>
        </thead>
    }
}

fn row(read: &Read) -> Html {
    html! {
        <tr>
            <th scope="row">{ &read.of }</th>
            <td class="num">{ number::count(read.requests) }</td>
            <td class="num" title={size::exact(read.bytes)}>{ size::bytes(read.bytes) }</td>
        </tr>
    }
}
