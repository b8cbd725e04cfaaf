//! What was read, by kind of metadata.

use yew::prelude::*;

use crate::select::status::Status;
use crate::text::{number, size};

/// What the table shows.
#[derive(Properties, PartialEq)]
pub(crate) struct ReadsProps {
    /// The status.
    pub status: Status,
}

/// What was read, by kind of metadata.
#[component]
pub(crate) fn Reads(props: &ReadsProps) -> Html {
    let status = &props.status;
    let row = |(kind, requests, bytes): &(&'static str, u64, u64)| {
        html! {
            <tr>
                <th scope="row">{ *kind }</th>
                <td class="num">{ number::count(*requests) }</td>
                <td class="num" title={size::exact(*bytes)}>{ size::bytes(*bytes) }</td>
            </tr>
        }
    };
    html! {
        <div class="reads">
            <table class="table">
                <caption>{ "What was read" }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ "Kind" }</th>
                        <th scope="col" class="num">{ "Requests" }</th>
                        <th scope="col" class="num">{ "Bytes" }</th>
                    </tr>
                </thead>
                <tbody>{ for status.kinds.iter().map(row) }</tbody>
                <tfoot>
                    <tr>
                        <th scope="row">{ "In all" }</th>
                        <td class="num">{ number::count(status.requests) }</td>
                        <td class="num" title={size::exact(status.read)}>{ status.read_text() }</td>
                    </tr>
                </tfoot>
            </table>
            <p class="fine">
                { format!("{} of the image. ", status.share_read()) }
                { "Only what a view needs is read; the rest of the file is never touched." }
            </p>
        </div>
    }
}
