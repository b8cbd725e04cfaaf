//! The contents of a file: words, a picture, or bytes.

use extscope::units::Ino;
use yew::prelude::*;

use super::super::shared::Address;
use crate::client::ObjectUrl;
use crate::protocol::{BytesOf, FileDetail, FileType, Piece, Stretch};
use crate::select::file_facts::{Looks, as_text, looks};
use crate::state::Bytes;
use crate::text::dump::dump;
use crate::text::size;

/// Bytes from the start of a file by which it is told what they are, and that are shown.
const HEAD: u32 = 64 << 10;

/// The largest picture that is shown, in bytes.
const LARGEST_PICTURE: u64 = 16 << 20;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct PreviewProps {
    /// The file.
    pub detail: Address<FileDetail>,
    /// Bytes that were asked for.
    pub bytes: Address<Bytes>,
    /// These bytes are to be shown.
    pub on_want: Callback<Vec<Stretch>>,
}

/// The contents of a file.
#[component]
pub(super) fn Preview(props: &PreviewProps) -> Html {
    let detail = &props.detail;
    let has_contents = matches!(
        FileType::from_mode(detail.inode.i_mode),
        Some(FileType::RegFile | FileType::Symlink | FileType::Dir)
    );
    let head = stretch(detail.ino, HEAD);
    let looks = match props.bytes.get(head) {
        Some(Ok(Piece::Bytes(bytes))) => Some(looks(bytes)),
        _ => None,
    };
    let size = detail.inode.size;
    let picture = match looks {
        Some(Looks::Picture(kind)) if size <= LARGEST_PICTURE => {
            u32::try_from(size).ok().map(|size| (kind, stretch(detail.ino, size)))
        }
        _ => None,
    };
    let wanted: Vec<Stretch> = [has_contents.then_some(head), picture.map(|picture| picture.1)]
        .into_iter()
        .flatten()
        .collect();
    use_effect_with(wanted, {
        let on_want = props.on_want.clone();
        move |wanted| on_want.emit(wanted.clone())
    });
    let is_here = picture.is_some_and(|(_, whole)| props.bytes.get(whole).is_some());
    let url = use_memo((picture, is_here), |(picture, _)| {
        let (kind, whole) = (*picture)?;
        match props.bytes.get(whole)? {
            Ok(Piece::Bytes(bytes)) => ObjectUrl::of_bytes(bytes, kind),
            _ => None,
        }
    });
    if !has_contents {
        return html! { <p class="file-detail__none">{ "It has no contents." }</p> };
    }
    if let Some(url) = &*url {
        return html! {
            <div class="preview preview--picture" tabindex="0" role="region" aria-label="Contents">
                <img src={url.get().to_owned()} alt="The picture that the file holds" />
            </div>
        };
    }
    let shown = match props.bytes.get(head) {
        None => html! { <p class="file-detail__none" aria-busy="true">{ "Reading…" }</p> },
        Some(Err(error)) => html! { <p class="file-detail__none">{ error.to_string() }</p> },
        Some(Ok(Piece::End | Piece::Zeros(_))) => {
            html! { <p class="file-detail__none">{ "It is empty." }</p> }
        }
        Some(Ok(Piece::Bytes(bytes))) => {
            let text = match looks {
                Some(Looks::Text) => as_text(bytes),
                _ => dump(bytes, 0),
            };
            let rest = size.saturating_sub(bytes.len() as u64);
            html! {
                <>
                    <pre class={(looks != Some(Looks::Text)).then_some("preview__bytes")}>{ text }</pre>
                    if rest > 0 {
                        <p class="fine">{ format!("{} more are not shown.", size::bytes(rest)) }</p>
                    }
                </>
            }
        }
    };
    html! {
        <div class="preview" tabindex="0" role="region" aria-label="Contents">{ shown }</div>
    }
}

fn stretch(ino: Ino, len: u32) -> Stretch {
    Stretch { of: BytesOf::File(ino), offset: 0, len }
}
