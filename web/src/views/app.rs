//! The page: the state, the engine behind it, and what is shown of them.

use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

use super::acts::{Acts, ask, dispatch};
use super::banners::{Banners, BannersProps};
use super::check::Check;
use super::disk_map::DiskMap;
use super::drop::use_drop;
use super::export::ExportDialog;
use super::files::Files;
use super::free_space::FreeSpace;
use super::groups::Groups;
use super::hex::Hex;
use super::jump::JumpBox;
use super::landing::{skip_to_main, use_landing};
use super::learn::Learn;
use super::open::OpenPage;
use super::shared::{Address, Aside, Icon};
use super::shell::{Command, Header, Shortcuts, SideBar, StatusBar, TabBar, use_keys};
use super::shrink::Shrink;
use super::superblock::Superblock;
use crate::client::{Engine, use_engine};
use crate::select::figures::figures;
use crate::select::header::heading;
use crate::select::jump::Jump;
use crate::select::status::Status;
use crate::state::{Action, AppState, OpenImage, Setting, View};

/// A dialog over the page; one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Help,
    Jump,
    Export,
}

/// The page.
#[component]
pub fn App() -> Html {
    let (state, engine) = use_engine();
    let picker = use_node_ref();
    let over = use_state(|| None::<Over>);
    let sent = use_state(|| 0_u32);
    let is_over = use_state(|| false);
    let pointed = (*use_memo((), |()| Aside::<String>::default())).clone();
    let acts = use_memo((), |()| Acts::new(&state.dispatcher(), &engine, &pointed));

    let on_pick = use_callback((), {
        let picker = picker.clone();
        move |(), ()| {
            if let Some(input) = picker.cast::<HtmlElement>() {
                input.click();
            }
        }
    });
    let on_command = {
        let (state, acts, over) = (state.clone(), acts.clone(), over.clone());
        let (on_pick, sent) = (on_pick.clone(), sent.clone());
        Callback::from(move |command| match command {
            Command::Open => on_pick.emit(()),
            Command::Help => over.set(Some(Over::Help)),
            Command::Jump => over.set(state.image().map(|_| Over::Jump)),
            Command::Export => over.set(state.image().map(|_| Over::Export)),
            Command::Leave if over.is_some() => over.set(None),
            Command::Leave => state.dispatch(Action::Deselect),
            Command::Go(view) => {
                state.dispatch(Action::Show(view));
                sent.set(sent.wrapping_add(1));
            }
            Command::Turn(setting) => acts.on_setting.emit(setting),
        })
    };
    use_keys(state.settings.single_keys, over.is_some(), on_command);
    use_landing(state.route.view, &state.phase, *sent);
    // What stands over an image belongs to it.
    use_effect_with(state.epoch, {
        let over = over.setter();
        move |_| over.set(None)
    });

    let drop = use_drop(&engine, &is_over);
    let shows = |what: Over| {
        let over = over.setter();
        Callback::from(move |()| over.set(Some(what)))
    };
    let on_close = use_callback((), {
        let over = over.setter();
        move |(), ()| over.set(None)
    });
    let on_jump = {
        let (acts, over, sent) = (acts.clone(), over.setter(), sent.clone());
        Callback::from(move |to: Jump| {
            // A search leads nowhere yet, and what it finds is shown in the box.
            if !matches!(to, Jump::Find(_)) {
                over.set(None);
                sent.set(sent.wrapping_add(1));
            }
            acts.on_jump.emit(to);
        })
    };
    let on_export = shows(Over::Export);
    let on_search = shows(Over::Jump);
    let open = state.image();
    let contents = match open {
        None => open_page(&state, &engine, &acts, *is_over, &on_pick),
        Some(open) => html! {
            <>
                { ready(open, &state, &engine, &acts, &pointed, &on_search) }
                if *over == Some(Over::Jump) {
                    <JumpBox image={Address::from(&open.image)} search={open.search.clone()}
                        has_names={open.has_names} on_close={on_close.clone()}
                        on_find={acts.on_find.clone()} {on_jump} />
                }
                if *over == Some(Over::Export) {
                    <ExportDialog open={open.clone()} route={state.route.clone()} theme={state.settings.theme}
                        on_picture={acts.on_picture.clone()}
                        on_export={acts.on_export.clone()} on_close={on_close.clone()} />
                }
            </>
        },
    };
    let class = classes!(
        "app",
        open.is_none().then_some("app--open"),
        (!state.settings.inspector).then_some("app--no-inspector"),
    );
    let on_read = dispatch(&state.dispatcher(), |()| Action::Notice(None));
    let on_known = dispatch(&state.dispatcher(), |()| Action::NewerBuild(false));
    html! {
        <div
            {class}
            ondragenter={drop.on_drag.clone()}
            ondragover={drop.on_drag}
            ondragleave={drop.on_leave}
            ondrop={drop.on_drop}
        >
            <a class="skip-link" href="#main" onclick={Callback::from(skip_to_main)}>{ "Skip to the contents" }</a>
            <input
                ref={picker}
                type="file"
                hidden=true
                aria-label="Image file"
                onchange={chosen(&engine)}
            />
            <Header
                heading={open.map(|open| {
                    let image = &open.image;
                    heading(&image.name, open.part, &image.info, image.is_replayed())
                })}
                theme={state.settings.theme}
                on_home={acts.on_home.clone()}
                on_open={on_pick}
                on_partitions={acts.on_partitions.clone()}
                on_replay={acts.on_replay.clone()}
                on_features={acts.on_to_features.clone()}
                on_theme={acts.on_setting.reform(|()| Setting::Theme)}
                on_jump={on_search}
                {on_export}
                on_help={shows(Over::Help)}
            />
            { contents }
            <Banners ..BannersProps::of(&state, &engine, on_read, on_known) />
            if *is_over && open.is_some() {
                <div class="drop-cover"><p>{ "Let go to open" }</p></div>
            }
            if *over == Some(Over::Help) {
                <Shortcuts
                    single_keys={state.settings.single_keys}
                    on_single_keys={acts.on_setting.reform(|()| Setting::SingleKeys)}
                    {on_close}
                />
            }
        </div>
    }
}

/// The views of an open image and what stands around them.
fn ready(
    open: &OpenImage,
    state: &AppState,
    engine: &Engine,
    acts: &Acts,
    pointed: &Aside<String>,
    on_search: &Callback<()>,
) -> Html {
    let status = Status::of(open);
    let settings = state.settings;
    let route = &state.route;
    let on_block = acts.on_block.clone();
    let on_inode = acts.on_inode.clone();
    let on_survey = acts.on_survey.clone();
    let on_want = acts.on_want.clone();
    let on_show = acts.on_show.clone();
    let view = match route.view {
        View::Map => html! {
            <DiskMap open={open.clone()} engine={engine.clone()} {settings}
                on_in_view={acts.on_in_view.clone()}
                place={route.map.clone()}
                style={route.style}
                on_select={acts.on_select.clone()}
                on_place={acts.on_place.clone()}
                on_style={acts.on_style.clone()}
                {on_survey} {on_block} {on_inode}
                on_table={acts.on_to_groups.clone()}
                on_pointer={acts.on_pointer.clone()} />
        },
        View::Files => html! {
            <Files open={open.clone()} list={route.list} sort={state.file_sort} {settings}
                on_list={acts.on_list.clone()}
                on_sort={acts.on_sort.clone()}
                on_toggle={acts.on_toggle_dir.clone()}
                on_select={acts.on_file.clone()}
                on_path={acts.on_path.clone()}
                on_save={acts.on_save.clone()}
                on_export={acts.on_export.clone()}
                {on_show} {on_inode} {on_survey} {on_block} {on_want} />
        },
        View::Groups => html! {
            <Groups open={open.clone()} table={state.table.clone()} {settings}
                on_select={acts.on_select_group.clone()}
                on_in_view={acts.on_in_view.clone()}
                on_table={acts.on_table.clone()}
                on_map={acts.on_to_map.clone()} />
        },
        View::Hex => html! {
            <Hex image={Address::from(&open.image)} part={open.part} block={open.block.clone()}
                byte={route.byte} {on_block} {on_inode} on_jump={on_search.clone()} />
        },
        View::Free => html! {
            <FreeSpace open={open.clone()} theme={settings.theme}
                on_chunk={acts.on_chunk.clone()} {on_show} />
        },
        View::Shrink => html! {
            <Shrink open={open.clone()} {settings} target={route.target}
                on_target={acts.on_target.clone()}
                on_plan={acts.on_plan.clone()} on_sizes={acts.on_sizes.clone()}
                on_export={acts.on_export.clone()} {on_inode} route={route.clone()} />
        },
        View::Check => html! {
            <Check open={open.clone()} {settings} chosen={route.problem}
                on_check={acts.on_check.clone()}
                on_replay={acts.on_replay.clone()}
                on_choose={acts.on_problem.clone()}
                on_group={acts.on_group.clone()}
                on_map={on_show} {on_block} {on_inode} {on_want} />
        },
        View::Learn => html! {
            <Learn open={open.clone()} {settings} place={route.lesson}
                on_place={acts.on_lesson.clone()} on_group={acts.on_select_group.clone()}
                on_race={acts.on_race.clone()} on_stop={acts.on_stop_race.clone()}
                on_weigh={acts.on_weigh.clone()} on_try={acts.on_try.clone()}
                on_steps={acts.on_steps.clone()} />
        },
        View::Superblock => html! {
            <Superblock image={Address::from(&open.image)} {settings} chosen={route.field.clone()}
                on_choose={acts.on_field.clone()} />
        },
    };
    let figures = figures(open);
    let turn = |setting: Setting| acts.on_setting.reform(move |()| setting);
    html! {
        <>
            <SideBar route={route.clone()} figures={figures.clone()} has_names={settings.side_bar}
                on_names={turn(Setting::SideBar)} />
            { view }
            if !settings.inspector && has_inspector(route.view) {
                <button
                    type="button"
                    class="icon-button inspector-back"
                    aria-label="Show the inspector"
                    title="Show the inspector (])"
                    onclick={turn(Setting::Inspector).reform(|_: MouseEvent| ())}
                >
                    { Icon::Left.view() }
                </button>
            }
            <StatusBar
                status={status.clone()}
                pointed={(route.view == View::Map).then(|| pointed.clone())}
                on_pause={acts.on_pause.clone()}
            />
            <TabBar route={route.clone()} {figures} />
            <p class="visually-hidden" role="status">{ status.announcement() }</p>
        </>
    }
}

/// Whether a view has an inspector beside it.
const fn has_inspector(view: View) -> bool {
    matches!(view, View::Map | View::Groups | View::Superblock)
}

fn open_page(
    state: &AppState,
    engine: &Engine,
    acts: &Acts,
    is_over: bool,
    on_pick: &Callback<()>,
) -> Html {
    html! {
        <OpenPage
            phase={state.phase.clone()}
            theme={state.settings.theme}
            {is_over}
            on_pick={on_pick.clone()}
            on_sample={ask(engine, |engine, sample| engine.open_sample(sample))}
            on_scenario={ask(engine, |engine, recipe| engine.open_scenario(recipe))}
            on_choose={ask(engine, |engine, at| engine.choose(at))}
            on_part={ask(engine, |engine, part| engine.choose_part(part))}
            on_reopen={ask(engine, |engine, ()| engine.reopen())}
            offline={state.offline.clone()}
            on_keep={acts.on_keep.clone()}
            on_cancel={ask(engine, |engine, ()| engine.close())}
        />
    }
}

/// Opens the file that was chosen, and forgets it, so that it can be chosen again.
fn chosen(engine: &Engine) -> Callback<Event> {
    ask(engine, |engine, event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            engine.open_file(&file);
        }
        input.set_value("");
    })
}
