//! The superblock: what this filesystem is, field by field, and the features it has.
//!
//! *Belongs here:* sections, chips, the explanation beside them. *Does not:* the words; they come with the
//! fields.

mod explanation;
mod features;
mod section;

use yew::prelude::*;

use self::explanation::Explanation;
use self::features::Features;
use self::section::Section;
use super::shared::Address;
use crate::protocol::Section as SectionKind;
use crate::state::{Image, Settings};

/// How fields are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// In plain words.
    Plain,
    /// As the kernel calls them.
    Kernel,
}

/// What the view shows.
#[derive(Properties, PartialEq)]
pub(crate) struct SuperblockProps {
    /// The image.
    pub image: Address<Image>,
    /// What is folded away.
    pub settings: Settings,
    /// The chosen field or feature, by its kernel name.
    pub chosen: Option<String>,
    /// The person chose another, or none.
    pub on_choose: Callback<Option<String>>,
}

/// The superblock.
#[component]
pub(crate) fn Superblock(props: &SuperblockProps) -> Html {
    let names = use_state(|| Names::Plain);
    let info = &props.image.info;
    let mut sections: Vec<SectionKind> = Vec::new();
    for field in &info.superblock {
        if !sections.contains(&field.section) {
            sections.push(field.section);
        }
    }
    let on_choose = props.on_choose.reform(Some);
    let section = |section: &SectionKind| {
        let fields: Vec<_> =
            info.superblock.iter().filter(|field| field.section == *section).cloned().collect();
        html! {
            <Section
                id={section_id(*section)}
                title={section.title()}
                {fields}
                names={*names}
                chosen={props.chosen.clone()}
                on_choose={on_choose.clone()}
            />
        }
    };
    let jump = |section: &SectionKind| {
        let id = section_id(*section);
        let on_click = Callback::from(move |_: MouseEvent| scroll_to(&id));
        html! {
            <li>
                <button type="button" class="option" onclick={on_click}>{ section.title() }</button>
            </li>
        }
    };
    let name = |(value, label): (Names, &'static str)| {
        let names = names.clone();
        html! {
            <label>
                <input
                    type="radio"
                    name="field-names"
                    checked={*names == value}
                    onchange={Callback::from(move |_: Event| names.set(value))}
                />
                <span>{ label }</span>
            </label>
        }
    };
    html! {
        <>
            if props.settings.side_bar {
                <nav class="side-panel" aria-label="Sections">
                    <h2 class="panel-heading">{ "Sections" }</h2>
                    <ul>{ for sections.iter().map(jump) }</ul>
                </nav>
            }
            <main id="main" class="view view--inspected" tabindex="-1">
                <div class="superblock">
                    <header class="toolbar">
                        <h1 class="toolbar__title">{ "Superblock" }</h1>
                        <span class="grow" />
                        <div class="segmented" role="radiogroup" aria-label="Names of the fields">
                            { for [(Names::Plain, "Plain names"), (Names::Kernel, "Kernel names")].map(name) }
                        </div>
                    </header>
                    <div class="superblock__body" tabindex="0" role="region" aria-label="Fields">
                        <Features
                            features={info.features.clone()}
                            chosen={props.chosen.clone()}
                            on_choose={on_choose.clone()}
                        />
                        <div class="superblock__sections">{ for sections.iter().map(section) }</div>
                    </div>
                </div>
                if props.settings.inspector {
                    <Explanation
                        image={props.image.clone()}
                        chosen={props.chosen.clone()}
                        on_close={props.on_choose.reform(|()| None)}
                    />
                }
            </main>
        </>
    }
}

fn section_id(section: SectionKind) -> String {
    format!("section-{section:?}").to_lowercase()
}

fn scroll_to(id: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    if let Some(element) = document.and_then(|document| document.get_element_by_id(id)) {
        element.scroll_into_view();
    }
}
