//! The page: the state, the engine behind it, and what is shown of them.

use extscope::units::{Group, Ino};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

use super::check::Check;
use super::disk_map::DiskMap;
use super::drop::use_drop;
use super::export::ExportDialog;
use super::files::Files;
use super::free_space::FreeSpace;
use super::groups::Groups;
use super::hex::Hex;
use super::jump::JumpBox;
use super::open::OpenPage;
use super::shared::{Address, Icon};
use super::shell::{Command, Header, Shortcuts, SideBar, StatusBar, TabBar, use_keys};
use super::shrink::Shrink;
use super::superblock::Superblock;
use crate::client::{Engine, use_engine};
use crate::select::figures::figures;
use crate::select::header::heading;
use crate::select::jump::Jump;
use crate::select::status::Status;
use crate::state::{Action, AppState, OpenImage, Route, Selection, Settings, View};

/// The page.
#[component]
pub fn App() -> Html {
    let (state, engine) = use_engine();
    let picker = use_node_ref();
    let shows_help = use_state(|| false);
    let shows_jump = use_state(|| false);
    let shows_export = use_state(|| false);
    let wanted = use_state(|| None::<View>);
    let is_over = use_state(|| false);
    let pointer = use_state(|| None::<String>);

    let on_pick = {
        let picker = picker.clone();
        Callback::from(move |()| {
            if let Some(input) = picker.cast::<HtmlElement>() {
                input.click();
            }
        })
    };
    let on_command = {
        let (state, on_pick) = (state.clone(), on_pick.clone());
        let (wanted, shows_help) = (wanted.clone(), shows_help.clone());
        let (shows_jump, shows_export) = (shows_jump.clone(), shows_export.clone());
        Callback::from(move |command| match command {
            Command::Help => shows_help.set(true),
            Command::Open => on_pick.emit(()),
            Command::Jump => shows_jump.set(state.image().is_some()),
            Command::Export => shows_export.set(state.image().is_some()),
            Command::Leave if *shows_help => shows_help.set(false),
            Command::Leave if *shows_jump => shows_jump.set(false),
            Command::Leave if *shows_export => shows_export.set(false),
            Command::Leave => {
                state.dispatch(Action::Select(None));
                state.dispatch(Action::SelectField(None));
                state.dispatch(Action::SelectFile(None));
            }
            Command::Go(view) => {
                wanted.set(Some(view));
                state.dispatch(Action::Show(view));
            }
            Command::Theme => set(&state, |was| Settings { theme: was.theme.other(), ..was }),
            Command::SideBar => set(&state, |was| Settings { side_bar: !was.side_bar, ..was }),
            Command::Inspector => set(&state, |was| Settings { inspector: !was.inspector, ..was }),
        })
    };
    {
        // What is wanted exists only once its view does.
        use_effect_with((*wanted, state.route.view), move |&(wants, view)| {
            if wants == Some(view) {
                focus_on(main_element());
                wanted.set(None);
            }
        });
    }
    use_keys(state.settings.single_keys, on_command);

    let drop = use_drop(&engine, &is_over);
    let on_home = callback(&engine, |engine, ()| engine.close());
    let on_theme = change(&state, |was, ()| Settings { theme: was.theme.other(), ..was });
    let open = state.image();
    let header = html! {
        <Header
            heading={open.map(|open| heading(&open.image.name, open.part, &open.image.info))}
            theme={state.settings.theme}
            {on_home}
            on_open={on_pick.clone()}
            on_partitions={callback(&engine, |engine, ()| engine.choose_part(None))}
            on_features={show(&state, View::Superblock)}
            {on_theme}
            on_jump={shown(&shows_jump, true)}
            on_export={shown(&shows_export, true)}
            on_help={shown(&shows_help, true)}
        />
    };
    let contents = match open {
        None => open_page(&state, &engine, *is_over, &on_pick),
        Some(open) => html! {
            <>
                { ready(open, &state, &engine, &shows_jump, &pointer) }
                if *shows_export {
                    <ExportDialog open={open.clone()} route={state.route.clone()} theme={state.settings.theme}
                        on_picture={callback(&engine, |engine, (picture, then)| engine.picture(picture, then))}
                        on_export={callback(&engine, |engine, (export, name)| engine.export(export, name))}
                        on_close={shown(&shows_export, false)} />
                }
            </>
        },
    };
    let class = classes!(
        "app",
        open.is_none().then_some("app--open"),
        (!state.settings.inspector).then_some("app--no-inspector"),
    );
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
            { header }
            { contents }
            { banners(&state, &engine) }
            if *is_over && open.is_some() {
                <div class="drop-cover"><p>{ "Let go to open" }</p></div>
            }
            if *shows_help {
                <Shortcuts
                    single_keys={state.settings.single_keys}
                    on_single_keys={change(&state, |was, single_keys| Settings { single_keys, ..was })}
                    on_close={shown(&shows_help, false)}
                />
            }
        </div>
    }
}

/// The views of an open image and what stands around them.
fn ready(
    open: &OpenImage,
    state: &UseReducerHandle<AppState>,
    engine: &Engine,
    shows_jump: &UseStateHandle<bool>,
    pointer: &UseStateHandle<Option<String>>,
) -> Html {
    let status = Status::of(open);
    let on_select =
        dispatch(state, |group: Option<Group>| Action::Select(group.map(Selection::Group)));
    let on_in_view = callback(engine, |engine, (first, count)| engine.prioritise(first, count));
    let settings = state.settings;
    let view = match state.route.view {
        View::Map => {
            let pointer = pointer.setter();
            html! {
                <DiskMap open={open.clone()} engine={engine.clone()} {settings} {on_in_view}
                    place={state.route.map.clone()}
                    style={state.route.style}
                    on_select={dispatch(state, Action::Select)}
                    on_place={dispatch(state, Action::MoveMap)}
                    on_style={dispatch(state, Action::StyleMap)}
                    on_survey={dispatch(state, Action::Survey)}
                    on_block={dispatch(state, Action::ShowBlock)}
                    on_inode={to_inode(state)}
                    on_table={show(state, View::Groups)}
                    on_pointer={Callback::from(move |named| pointer.set(named))} />
            }
        }
        View::Files => html! {
            <Files open={open.clone()} list={state.route.list} sort={state.file_sort} {settings}
                on_list={go(state, |route, list| route.list = list)}
                on_sort={dispatch(state, Action::SortFiles)}
                on_toggle={dispatch(state, |(path, ino)| Action::ToggleDir { path, ino })}
                on_select={dispatch(state, Action::SelectFile)}
                on_path={go(state, |route, path| (route.path, route.ino) = (Some(path), None))}
                on_show={dispatch(state, Action::ShowOnMap)}
                on_inode={to_inode(state)}
                on_survey={dispatch(state, Action::Survey)}
                on_block={dispatch(state, Action::ShowBlock)}
                on_want={dispatch(state, Action::Want)}
                on_save={callback(engine, |engine, (ino, name, size)| engine.save(ino, name, size))}
                on_export={callback(engine, |engine, (export, name)| engine.export(export, name))} />
        },
        View::Groups => html! {
            <Groups open={open.clone()} table={state.table.clone()} {settings} {on_select} {on_in_view}
                on_table={dispatch(state, Action::Table)}
                on_map={show(state, View::Map)} />
        },
        View::Hex => html! {
            <Hex open={open.clone()} byte={state.route.byte} on_block={dispatch(state, Action::ShowBlock)}
                on_inode={to_inode(state)} on_jump={shown(shows_jump, true)} />
        },
        View::Free => html! {
            <FreeSpace open={open.clone()} theme={settings.theme}
                on_chunk={dispatch(state, Action::Chunk)}
                on_show={dispatch(state, Action::ShowOnMap)} />
        },
        View::Shrink => html! {
            <Shrink open={open.clone()} {settings} target={state.route.target}
                on_target={go(state, |route, target| route.target = target)}
                on_plan={dispatch(state, Action::Plan)} on_sizes={dispatch(state, Action::Sizes)}
                on_inode={to_inode(state)}
                check={state.route.with_view(View::Check).to_string()} />
        },
        View::Check => html! {
            <Check open={open.clone()} {settings} chosen={state.route.problem}
                on_check={dispatch(state, Action::Check)}
                on_choose={go(state, |route, problem| route.problem = problem)}
                on_block={dispatch(state, Action::ShowBlock)}
                on_group={go(state, |route, group| {
                    (route.selection, route.view) = (Some(Selection::Group(group)), View::Groups);
                })}
                on_map={dispatch(state, Action::ShowOnMap)} on_inode={to_inode(state)}
                on_want={dispatch(state, Action::Want)} />
        },
        View::Superblock => html! {
            <Superblock image={Address::from(&open.image)} {settings} chosen={state.route.field.clone()}
                on_choose={dispatch(state, Action::SelectField)} />
        },
    };
    let figures = figures(open);
    let pointed = (**pointer).clone().filter(|_| state.route.view == View::Map);
    html! {
        <>
            <SideBar route={state.route.clone()} figures={figures.clone()} has_names={settings.side_bar}
                on_names={change(state, |was, ()| Settings { side_bar: true, ..was })} />
            { view }
            if !settings.inspector && has_inspector(state.route.view) {
                <button
                    type="button"
                    class="icon-button inspector-back"
                    aria-label="Show the inspector"
                    title="Show the inspector (])"
                    onclick={change(state, |was, _: MouseEvent| Settings { inspector: true, ..was })}
                >
                    { Icon::Left.view() }
                </button>
            }
            <StatusBar
                status={status.clone()}
                pointer={pointed.map(AttrValue::from)}
                on_pause={callback(engine, |engine, paused| engine.pause_sweep(paused))}
            />
            <TabBar route={state.route.clone()} {figures} />
            if **shows_jump {
                <JumpBox image={Address::from(&open.image)} search={open.search.clone()}
                    has_names={open.has_names} on_close={shown(shows_jump, false)}
                    on_find={dispatch(state, Action::Find)} on_jump={jump(state, shows_jump)} />
            }
            <p class="visually-hidden" role="status">{ status.announcement() }</p>
        </>
    }
}

/// Whether a view has an inspector beside it.
const fn has_inspector(view: View) -> bool {
    matches!(view, View::Map | View::Groups | View::Superblock)
}

/// What is worth saying above everything else.
fn banners(state: &UseReducerHandle<AppState>, engine: &Engine) -> Html {
    let transfer = state.transfer.as_ref().map(|transfer| {
        html! {
            <div class="banner">
                <p role="status">
                    { "Saving " }<b><bdi>{ transfer.name.clone() }</bdi></b>
                    { format!(", {}", transfer.words()) }
                </p>
                <button
                    type="button"
                    class="button button--small"
                    onclick={callback(engine, |engine, _: MouseEvent| engine.stop_saving())}
                >
                    { "Stop" }
                </button>
            </div>
        }
    });
    let silence = state.is_silent.then(|| {
        html! {
            <div class="banner">
                <p role="alert">
                    { "The engine has said nothing for a while. It may be at something long, or wait \
                       for the disk, and goes on by itself after that." }
                </p>
                <button
                    type="button"
                    class="button button--small"
                    onclick={callback(engine, |engine, _: MouseEvent| engine.reopen())}
                >
                    { "Open again" }
                </button>
                <button
                    type="button"
                    class="button button--small"
                    onclick={callback(engine, |engine, _: MouseEvent| engine.close())}
                >
                    { "Close" }
                </button>
            </div>
        }
    });
    let notice = state.notice.as_ref().map(|notice| {
        html! {
            <div class="banner">
                <p role="alert">{ notice }</p>
                <button
                    type="button"
                    class="icon-button icon-button--small"
                    aria-label="Close the notice"
                    onclick={dispatch(state, |_: MouseEvent| Action::Notice(None))}
                >
                    { Icon::Close.view() }
                </button>
            </div>
        }
    });
    html! { <div class="banners">{ transfer }{ silence }{ notice }</div> }
}

fn open_page(
    state: &UseReducerHandle<AppState>,
    engine: &Engine,
    is_over: bool,
    on_pick: &Callback<()>,
) -> Html {
    html! {
        <OpenPage
            phase={state.phase.clone()}
            theme={state.settings.theme}
            {is_over}
            on_pick={on_pick.clone()}
            on_sample={callback(engine, |engine, sample| engine.open_sample(sample))}
            on_choose={callback(engine, |engine, at| engine.choose(at))}
            on_part={callback(engine, |engine, part| engine.choose_part(part))}
            on_reopen={callback(engine, |engine, ()| engine.reopen())}
            on_cancel={callback(engine, |engine, ()| engine.close())}
        />
    }
}

/// A callback that has the engine do something.
fn callback<T: 'static>(engine: &Engine, act: impl Fn(&Engine, T) + 'static) -> Callback<T> {
    let engine = engine.clone();
    Callback::from(move |value| act(&engine, value))
}

/// A callback that tells the state what the person did.
fn dispatch<T: 'static>(
    state: &UseReducerHandle<AppState>,
    action: impl Fn(T) -> Action + 'static,
) -> Callback<T> {
    let dispatcher = state.dispatcher();
    Callback::from(move |value| dispatcher.dispatch(action(value)))
}

/// A callback that shows something, or shows it no longer.
fn shown(state: &UseStateHandle<bool>, is_shown: bool) -> Callback<()> {
    let state = state.setter();
    Callback::from(move |()| state.set(is_shown))
}

/// A callback that shows a group on the map.
fn to_group(state: &UseReducerHandle<AppState>) -> Callback<Group> {
    dispatch(state, |group| Action::ShowOnMap(Selection::Group(group)))
}

/// A callback that looks at a file by its inode.
fn to_inode(state: &UseReducerHandle<AppState>) -> Callback<Ino> {
    go(state, |route, ino| {
        (route.path, route.ino, route.view) = (None, Some(ino), View::Files);
    })
}

/// A callback that goes where the person wants to, and closes the box.
fn jump(state: &UseReducerHandle<AppState>, shows_jump: &UseStateHandle<bool>) -> Callback<Jump> {
    let shows_jump = shows_jump.setter();
    let (to_group, to_inode) = (to_group(state), to_inode(state));
    let to_block = dispatch(state, Action::ShowBlock);
    let to_path = go(state, |route, path| {
        (route.path, route.ino, route.view) = (Some(path), None, View::Files);
    });
    let to_byte = go(state, |route, byte| {
        (route.block, route.byte, route.view) = (None, Some(byte), View::Hex);
    });
    let find = dispatch(state, Action::Find);
    Callback::from(move |to| {
        // A search leads nowhere yet, and what it finds is shown in the box.
        shows_jump.set(matches!(to, Jump::Find(_)));
        match to {
            Jump::Byte(byte) => to_byte.emit(byte),
            Jump::Find(text) => find.emit(text),
            Jump::Block(fsblk) => to_block.emit(fsblk),
            Jump::Group(group) => to_group.emit(group),
            Jump::Inode(ino) => to_inode.emit(ino),
            Jump::Path(path) => to_path.emit(path),
        }
    })
}

/// A callback that leads to another place.
fn go<T: 'static>(
    state: &UseReducerHandle<AppState>,
    to: impl Fn(&mut Route, T) + 'static,
) -> Callback<T> {
    let from = state.route.clone();
    dispatch(state, move |value| {
        let mut route = from.clone();
        to(&mut route, value);
        Action::Navigated(route)
    })
}

fn show(state: &UseReducerHandle<AppState>, view: View) -> Callback<()> {
    dispatch(state, move |()| Action::Show(view))
}

fn set(state: &UseReducerHandle<AppState>, change: impl FnOnce(Settings) -> Settings) {
    state.dispatch(Action::Set(change(state.settings)));
}

/// A callback that changes the settings.
fn change<T: 'static>(
    state: &UseReducerHandle<AppState>,
    change: impl Fn(Settings, T) -> Settings + 'static,
) -> Callback<T> {
    let was = state.settings;
    dispatch(state, move |value| Action::Set(change(was, value)))
}

/// Opens the file that was chosen, and forgets it, so that it can be chosen again.
fn chosen(engine: &Engine) -> Callback<Event> {
    callback(engine, |engine, event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            engine.open_file(&file);
        }
        input.set_value("");
    })
}

/// Moves the focus without touching the address, which names the view.
fn skip_to_main(event: MouseEvent) {
    event.prevent_default();
    focus_on(main_element());
}

fn main_element() -> Option<HtmlElement> {
    let document = web_sys::window()?.document()?;
    document.get_element_by_id("main")?.dyn_into().ok()
}

fn focus_on(element: Option<HtmlElement>) {
    if let Some(element) = element {
        // Fails only for an element that is gone.
        let _ = element.focus();
    }
}
