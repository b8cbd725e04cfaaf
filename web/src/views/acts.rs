//! What the person can have done: callbacks that are the same for as long as the page, so that a view
//! is drawn anew only when something that it shows is.

use extscope::units::{Fsblk, Group, Ino};
use yew::prelude::*;

use super::shared::Aside;
use crate::client::{Engine, keep};
use crate::protocol::{
    CheckMode, Export, LabOrder, Like, MapPicture, MapPixels, RaceOrder, ShrinkRequest, StepsOrder,
    Stretch,
};
use crate::select::jump::Jump;
use crate::state::{
    Action, AppState, FileList, FilePath, FileSort, GroupTable, LessonBits, LessonPlace, MapPlace,
    MapStyle, ProblemId, Selection, Setting, View,
};

/// What the person can have done.
pub(super) struct Acts {
    pub(super) on_select: Callback<Option<Selection>>,
    pub(super) on_select_group: Callback<Option<Group>>,
    pub(super) on_in_view: Callback<(Group, u32)>,
    pub(super) on_place: Callback<MapPlace>,
    pub(super) on_style: Callback<MapStyle>,
    pub(super) on_pointer: Callback<Option<String>>,
    pub(super) on_survey: Callback<bool>,
    pub(super) on_block: Callback<Fsblk>,
    pub(super) on_inode: Callback<Ino>,
    pub(super) on_group: Callback<Group>,
    pub(super) on_show: Callback<Selection>,
    pub(super) on_to_groups: Callback<()>,
    pub(super) on_to_map: Callback<()>,
    pub(super) on_to_features: Callback<()>,
    pub(super) on_list: Callback<FileList>,
    pub(super) on_sort: Callback<FileSort>,
    pub(super) on_toggle_dir: Callback<(FilePath, Ino)>,
    pub(super) on_file: Callback<Option<(FilePath, Ino)>>,
    pub(super) on_path: Callback<FilePath>,
    pub(super) on_want: Callback<Vec<Stretch>>,
    pub(super) on_save: Callback<(Ino, String, u64)>,
    pub(super) on_export: Callback<(Export, String)>,
    pub(super) on_picture: Callback<(MapPicture, Callback<MapPixels>)>,
    pub(super) on_table: Callback<GroupTable>,
    pub(super) on_chunk: Callback<Option<u64>>,
    pub(super) on_target: Callback<Option<u64>>,
    pub(super) on_plan: Callback<Option<ShrinkRequest>>,
    pub(super) on_sizes: Callback<Option<Like>>,
    pub(super) on_check: Callback<Option<CheckMode>>,
    pub(super) on_problem: Callback<Option<ProblemId>>,
    pub(super) on_field: Callback<Option<String>>,
    pub(super) on_lesson: Callback<LessonPlace>,
    pub(super) on_race: Callback<(LessonBits, Box<RaceOrder>)>,
    pub(super) on_stop_race: Callback<()>,
    pub(super) on_weigh: Callback<Option<u8>>,
    pub(super) on_try: Callback<Box<LabOrder>>,
    pub(super) on_steps: Callback<Box<StepsOrder>>,
    pub(super) on_find: Callback<String>,
    pub(super) on_jump: Callback<Jump>,
    pub(super) on_pause: Callback<bool>,
    pub(super) on_setting: Callback<Setting>,
    pub(super) on_keep: Callback<bool>,
    pub(super) on_home: Callback<()>,
    pub(super) on_partitions: Callback<()>,
    pub(super) on_replay: Callback<bool>,
}

impl Acts {
    /// They tell the state, the engine, and `pointed` what the pointer is over.
    pub(super) fn new(
        state: &UseReducerDispatcher<AppState>,
        engine: &Engine,
        pointed: &Aside<String>,
    ) -> Self {
        Self {
            on_select: dispatch(state, Action::Select),
            on_select_group: dispatch(state, |group: Option<Group>| {
                Action::Select(group.map(Selection::Group))
            }),
            on_in_view: ask(engine, |engine, (first, count)| engine.prioritise(first, count)),
            on_place: dispatch(state, Action::MoveMap),
            on_style: dispatch(state, Action::StyleMap),
            on_pointer: pointed.speaker(),
            on_survey: dispatch(state, Action::Survey),
            on_block: dispatch(state, Action::ShowBlock),
            on_inode: dispatch(state, Action::ShowInode),
            on_group: dispatch(state, Action::ShowGroup),
            on_show: dispatch(state, Action::ShowOnMap),
            on_to_groups: dispatch(state, |()| Action::Show(View::Groups)),
            on_to_map: dispatch(state, |()| Action::Show(View::Map)),
            on_to_features: dispatch(state, |()| Action::Show(View::Superblock)),
            on_list: dispatch(state, Action::List),
            on_sort: dispatch(state, Action::SortFiles),
            on_toggle_dir: dispatch(state, |(path, ino)| Action::ToggleDir { path, ino }),
            on_file: dispatch(state, Action::SelectFile),
            on_path: dispatch(state, Action::ShowPath),
            on_want: dispatch(state, Action::Want),
            on_save: ask(engine, |engine, (ino, name, size)| engine.save(ino, name, size)),
            on_export: ask(engine, |engine, (export, name)| engine.export(export, name)),
            on_picture: ask(engine, |engine, (picture, then)| engine.picture(picture, then)),
            on_table: dispatch(state, Action::Table),
            on_chunk: dispatch(state, Action::Chunk),
            on_target: dispatch(state, Action::Target),
            on_plan: dispatch(state, Action::Plan),
            on_sizes: dispatch(state, Action::Sizes),
            on_check: dispatch(state, Action::Check),
            on_problem: dispatch(state, Action::SelectProblem),
            on_field: dispatch(state, Action::SelectField),
            on_lesson: dispatch(state, Action::Learn),
            on_race: dispatch(state, |(on, order)| Action::Race(on, order)),
            on_stop_race: dispatch(state, |()| Action::StopRace),
            on_weigh: dispatch(state, Action::Weigh),
            on_try: dispatch(state, Action::Try),
            on_steps: dispatch(state, Action::Steps),
            on_find: dispatch(state, Action::Find),
            on_jump: dispatch(state, to),
            on_pause: ask(engine, |engine, is_paused| engine.pause_sweep(is_paused)),
            on_setting: dispatch(state, Action::Turn),
            on_keep: {
                let tell = dispatch(state, |action| action);
                Callback::from(move |is_wanted| keep(is_wanted, tell.clone()))
            },
            on_home: ask(engine, |engine, ()| engine.close()),
            on_partitions: ask(engine, |engine, ()| engine.choose_part(None)),
            on_replay: ask(engine, |engine, replayed| engine.replay(replayed)),
        }
    }
}

/// What leads to a place.
fn to(jump: Jump) -> Action {
    match jump {
        Jump::Byte(byte) => Action::ShowByte(byte),
        Jump::Find(text) => Action::Find(text),
        Jump::Block(fsblk) => Action::ShowBlock(fsblk),
        Jump::Group(group) => Action::ShowOnMap(Selection::Group(group)),
        Jump::Inode(ino) => Action::ShowInode(ino),
        Jump::Path(path) => Action::ShowPath(path),
    }
}

/// A callback that has the engine do something.
pub(super) fn ask<T: 'static>(engine: &Engine, act: impl Fn(&Engine, T) + 'static) -> Callback<T> {
    let engine = engine.clone();
    Callback::from(move |value| act(&engine, value))
}

/// A callback that tells the state what the person did.
pub(super) fn dispatch<T: 'static>(
    state: &UseReducerDispatcher<AppState>,
    action: impl Fn(T) -> Action + 'static,
) -> Callback<T> {
    let state = state.clone();
    Callback::from(move |value| state.dispatch(action(value)))
}
