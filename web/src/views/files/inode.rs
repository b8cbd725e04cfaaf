//! The inode of a file, field by field, and its attributes.

use extscope::Error;
use yew::prelude::*;

use super::super::shared::{Address, Icon};
use crate::protocol::{FileDetail, XattrReport};
use crate::select::file_facts::{InodeFact, inode_facts};
use crate::text::{number, size};

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct InodeFieldsProps {
    /// The file.
    pub detail: Address<FileDetail>,
}

/// The inode of a file, field by field, and its attributes.
#[component]
pub(super) fn InodeFields(props: &InodeFieldsProps) -> Html {
    let inode = &props.detail.inode;
    let fact = |fact: InodeFact| {
        html! {
            <div class="key-values__row">
                <dt>{ fact.label }<code>{ fact.name }</code></dt>
                <dd><bdi>{ fact.value }</bdi></dd>
            </div>
        }
    };
    html! {
        <div class="inode-fields" tabindex="0" role="region" aria-label="Fields of the inode">
            <dl class="key-values inode-fields__list">{ for inode_facts(inode).into_iter().map(fact) }</dl>
            if !inode.xattrs.is_empty() {
                <section>
                    <h3>{ "Extended attributes" }</h3>
                    <dl class="key-values">{ for inode.xattrs.iter().map(xattr) }</dl>
                </section>
            }
            { for inode.errors.iter().map(fault) }
        </div>
    }
}

fn xattr(xattr: &XattrReport) -> Html {
    let place = match (xattr.value_inode, xattr.block) {
        (Some(ino), _) => format!("in inode {}", number::count(ino.into())),
        (None, Some(block)) => format!("in block {}", number::count(block)),
        (None, None) => "in the inode".to_owned(),
    };
    html! {
        <div class="key-values__row">
            <dt class="mono"><bdi>{ xattr.name.clone() }</bdi></dt>
            <dd>
                <bdi class="mono">{ xattr.value.clone() }</bdi>
                <span class="dimmer">{ format!("{}, {place}", size::bytes(xattr.size)) }</span>
            </dd>
        </div>
    }
}

fn fault(error: &Error) -> Html {
    html! {
        <p class="verdict verdict--err">{ Icon::Err.view() }{ error.to_string() }</p>
    }
}
