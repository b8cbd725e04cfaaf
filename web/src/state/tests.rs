//! The state, driven by actions alone.

use extscope::task::Progress;
use extscope::units::{Fsblk, Group};
use extscope::{Error, ErrorKind};

use super::testing::check_part as testing_part;
use super::*;
use crate::protocol::testing;
use crate::protocol::{
    Activity, Backup, BitmapState, BlockStats, CheckMode, CsumState, Like, OpenStep, Recipe, Reply,
    StatsBatch, StatsColumns, SuperblockChoice,
};

fn opening(name: &str, epoch: Epoch) -> Action {
    Action::Opening { epoch, opening: Opening::new(name, Some(4096)) }
}

fn replied(epoch: Epoch, reply: Reply) -> Action {
    Action::Replied { epoch, reply }
}

fn after(actions: impl IntoIterator<Item = Action>) -> AppState {
    actions.into_iter().fold(AppState::default(), AppState::after)
}

/// A state with an image of three groups open, and its epoch.
fn ready() -> (AppState, Epoch) {
    let epoch = Epoch::FIRST.next();
    let opened = Reply::Opened(Box::new(testing::opened(3)));
    (after([opening("a.img", epoch), replied(epoch, opened)]), epoch)
}

fn not_ext() -> Error {
    Error::new(ErrorKind::NotExt, "no superblock")
}

#[test]
fn the_address_names_a_scenario_for_as_long_as_it_is_open() {
    let recipe: Rc<str> = "half-full,seed=3".into();
    let opening = |epoch, opening| Action::Opening { epoch, opening };
    let first = opening(Epoch::FIRST, Opening::of_scenario(Rc::clone(&recipe)));
    let state =
        AppState { route: Route::parse("#/map?sel=g:3"), ..AppState::default() }.after(first);
    assert_eq!(state.phase.name().map(str::to_owned), Some(format!("scenario:{recipe}")));
    assert_eq!(state.route.to_string(), format!("#/map?sel=g:3&scenario={recipe}"));
    let closed = state.clone().after(Action::Closed(Epoch::FIRST.next()));
    assert_eq!(closed.route.scenario, None);
    let other = opening(Epoch::FIRST.next(), Opening::new("a.img", None));
    assert_eq!(state.after(other).route.to_string(), "#/map");
}

#[test]
fn a_scenario_that_there_is_none_like_is_told_and_stays_in_the_address() {
    let route = Route::parse("#/map?scenario=fill=300");
    let recipe = route.scenario.clone().expect("it is kept as it came");
    let opening = Opening::of_scenario(Rc::clone(&recipe));
    let error = recipe.parse::<Recipe>().expect_err("no filesystem is as full");
    let state = AppState { route, ..AppState::default() }
        .after(Action::Opening { epoch: Epoch::FIRST, opening })
        .after(replied(Epoch::FIRST, Reply::NotOpened(error.clone())));
    let Phase::Failed(failure) = &state.phase else { panic!("{:?}", state.phase) };
    assert_eq!(failure.reason, Reason::Scenario { recipe, error });
    assert_eq!(state.route.to_string(), "#/map?scenario=fill=300");
    assert_eq!(state.after(Action::Closed(Epoch::FIRST.next())).route.to_string(), "#/map");
}

#[test]
fn an_image_opens_step_by_step() {
    let epoch = Epoch::FIRST.next();
    let state = after([opening("a.img", epoch)]);
    assert_eq!(state.phase, Phase::Opening(Opening::new("a.img", Some(4096))));
    let progress = Progress { cur: 1, max: 3 };
    let (step, activity) = (OpenStep::GroupDescriptors, Activity::default());
    let state = state.after(replied(epoch, Reply::Opening { step, progress, activity }));
    let Phase::Opening(opening) = &state.phase else { panic!("{:?}", state.phase) };
    assert_eq!((opening.step, opening.progress), (Some(step), progress));
    let state = state.after(replied(epoch, Reply::Opened(Box::new(testing::opened(3)))));
    let image = state.image().expect("it is open");
    assert_eq!((&*image.image.name, image.image.groups.len()), ("a.img", 3));
    assert_eq!(image.known.stats(Group::new(0)).state, BitmapState::Unread);
}

#[test]
fn what_an_earlier_worker_still_says_changes_nothing() {
    let (state, epoch) = ready();
    let other = opening("b.img", epoch.next());
    let state = state.after(other);
    let before = state.clone();
    let state = state.after(replied(epoch, Reply::Opened(Box::new(testing::opened(9)))));
    let state = state.after(replied(epoch, Reply::Broke("late".into())));
    let reason = Reason::Program("late".into());
    assert_eq!(state.after(Action::Broke { epoch, reason }), before);
}

#[test]
fn answers_that_do_not_fit_the_phase_change_nothing() {
    let batch = Reply::Swept(StatsBatch::default());
    let state = after([replied(Epoch::FIRST, batch)]);
    assert_eq!(state, AppState::default());
}

#[test]
fn backups_are_chosen_from_only_when_there_are_some() {
    let epoch = Epoch::FIRST.next();
    let backup = Backup {
        at: SuperblockChoice { superblock: Fsblk::new(8193), block_size: 1024 },
        group: Group::new(1),
        volume_name: String::new(),
        uuid: String::new(),
        blocks_count: 9,
        written: String::new(),
        csum: CsumState::None,
        is_plausible: true,
    };
    let choose = |backups: Vec<Backup>| {
        let reply = Reply::Choose { error: not_ext(), backups };
        after([opening("a.img", epoch), replied(epoch, reply)]).phase
    };
    assert!(
        matches!(choose(vec![backup]), Phase::Choosing(choosing) if choosing.backups.len() == 1)
    );
    let failure = Failure { name: "a.img".into(), part: None, reason: Reason::Image(not_ext()) };
    assert_eq!(choose(Vec::new()), Phase::Failed(failure));
}

#[test]
fn the_first_reason_for_a_failure_stays() {
    let (state, epoch) = ready();
    let state = state.after(replied(epoch, Reply::Broke("panic at line 3".into())));
    let reason = Reason::Program("unreachable executed".into());
    let state = state.after(Action::Broke { epoch, reason });
    let reason = Reason::Program("panic at line 3".into());
    assert_eq!(state.phase, Phase::Failed(Failure { name: "a.img".into(), part: None, reason }));
}

#[test]
fn an_engine_that_cannot_start_is_told_before_anything_is_opened() {
    let reason = Reason::Program("no module workers".into());
    let state = after([Action::Broke { epoch: Epoch::FIRST, reason }]);
    assert_eq!(state.phase, Phase::Empty);
    assert_eq!(state.notice.as_deref(), Some("no module workers"));
}

#[test]
fn a_page_that_was_renewed_is_no_fault_of_the_program() {
    let broke = |epoch| Action::Broke { epoch, reason: Reason::Renewed };
    let state = after([broke(Epoch::FIRST)]);
    assert_eq!(state.notice.as_deref(), Some(crate::text::words::RENEWED));
    let epoch = Epoch::FIRST.next();
    let state = after([opening("a.img", epoch), broke(epoch)]);
    assert!(matches!(state.phase, Phase::Failed(Failure { reason: Reason::Renewed, .. })));
}

#[test]
fn a_late_answer_to_another_question_of_the_same_kind_changes_nothing() {
    let (state, epoch) = ready();
    let error = || Error::new(ErrorKind::Io, "late");
    let late = |state: AppState, reply| state.after(replied(epoch, reply));
    let state = state.after(Action::Chunk(Some(4096))).after(Action::Chunk(Some(64)));
    let state = late(state, Reply::Free { chunk_kib: Some(4096), free: Err(error()) });
    let image = state.image().expect("it is open");
    assert_eq!(image.free, Work::Going(Progress::default()));
    let mode = CheckMode::Thorough;
    let state = state.after(Action::Check(Some(mode))).after(Action::Check(None));
    let state = state.after(Action::Check(Some(mode)));
    let state = late(state, Reply::Checking { run: 1, part: Ok(Box::new(testing_part())) });
    let check = state.image().and_then(|image| image.check.clone()).expect("it was asked for");
    assert!(check.is_going() && check.found.is_empty());
    let state = state.after(Action::Sizes(Some(Like::default()))).after(Action::Sizes(None));
    let state = late(state, Reply::Sizes { like: Like::default(), sizes: Err(error()) });
    assert_eq!(state.image().expect("it is open").shrink.sizes, Work::Idle);
    let state = late(state, Reply::Checking { run: 2, part: Ok(Box::new(testing_part())) });
    let state = late(state, Reply::Free { chunk_kib: Some(64), free: Err(error()) });
    let image = state.image().expect("it is open");
    assert_eq!(image.free, Work::Failed(error()));
    assert_eq!(image.check.as_ref().map(|check| check.found.len()), Some(3));
}

#[test]
fn closing_forgets_the_image_and_what_was_selected_in_it() {
    let (state, epoch) = ready();
    let state = state.after(Action::Select(Some(Selection::Group(Group::new(2)))));
    let state = state.after(Action::Closed(epoch.next()));
    assert_eq!((state.phase, state.epoch), (Phase::Empty, epoch.next()));
    assert_eq!(state.route.selection, None);
}

#[test]
fn cancelling_keeps_the_group_that_the_address_named() {
    let route = Route::parse("#/map?g=2");
    let epoch = Epoch::FIRST.next();
    let cancelled = Action::Closed(epoch.next());
    let state = after([Action::Navigated(route.clone()), opening("a.img", epoch), cancelled]);
    assert_eq!(state.route, route);
}

#[test]
fn statistics_land_while_a_view_holds_the_old_ones() {
    let (state, epoch) = ready();
    let old = state.image().expect("it is open").known.clone();
    let row = BlockStats { state: BitmapState::Read, free: 5, ..BlockStats::default() };
    let batch = StatsBatch {
        groups: vec![1].into(),
        stats: StatsColumns::from_rows(&[row]),
        profiles: vec![1, 2].into(),
        reads: Vec::new(),
    };
    let changed = state.clone().after(replied(epoch, Reply::Swept(batch)));
    let image = changed.image().expect("it is open");
    assert_eq!(image.known.stats(Group::new(1)), row);
    assert_eq!(image.known.profile(Group::new(1)), [1, 2]);
    assert_eq!(old.stats(Group::new(1)), BlockStats::default());
    assert_ne!(changed, state);
}

#[test]
fn what_workers_did_is_told_apart_and_outlasts_them() {
    let (state, epoch) = ready();
    let worked = |worker, memory_bytes| Action::Worked {
        epoch,
        worker,
        activity: Activity { memory_bytes, ..Activity::default() },
    };
    let broke = Some("panic".to_owned());
    let state = state.after(worked(1, 5)).after(worked(2, 7)).after(worked(2, 8));
    let state = state.after(Action::WorkerEnded { epoch, worker: 1, broke });
    let late = Action::WorkerEnded { epoch: Epoch::FIRST, worker: 2, broke: None };
    let state = state.after(late);
    let workers = &state.image().expect("it is open").workers;
    let told: Vec<_> =
        workers.all().iter().map(|it| (it.activity.memory_bytes, it.has_ended)).collect();
    assert_eq!(told, [(0, false), (5, true), (8, false)]);
    assert_eq!(workers.all()[1].broke.as_deref(), Some("panic"));
}

#[test]
fn a_pause_and_a_silence_end_with_the_image() {
    let (state, epoch) = ready();
    let state = state.after(Action::Paused(true)).after(Action::Silent(true));
    assert!(state.image().expect("it is open").is_paused && state.is_silent);
    let state = state.after(opening("b.img", epoch.next()));
    let opened = Reply::Opened(Box::new(testing::opened(3)));
    let state = state.after(replied(epoch.next(), opened));
    assert!(!state.image().expect("it is open").is_paused && !state.is_silent);
}

#[test]
fn a_group_is_asked_for_when_it_is_selected_and_forgotten_when_it_is_not() {
    let (state, epoch) = ready();
    let group = Group::new(2);
    let state = state.after(Action::Select(Some(Selection::Group(group))));
    let detail = |state: &AppState| state.image().expect("it is open").detail.clone();
    assert_eq!(detail(&state), Detail::Asked(group));
    let other = Reply::Inspected(Box::new(testing::group_detail(Group::new(1))));
    let state = state.after(replied(epoch, other));
    assert_eq!(detail(&state), Detail::Asked(group));
    let answer = Reply::Inspected(Box::new(testing::group_detail(group)));
    let state = state.after(replied(epoch, answer));
    assert!(matches!(detail(&state), Detail::Here(detail) if detail.group == group));
    assert_eq!(detail(&state.after(Action::Select(None))), Detail::None);
}

#[test]
fn a_link_selects_its_group_once_there_is_an_image() {
    let route = Route::parse("#/groups?g=2");
    let epoch = Epoch::FIRST.next();
    let opened = Reply::Opened(Box::new(testing::opened(3)));
    let state = after([Action::Navigated(route), opening("a.img", epoch), replied(epoch, opened)]);
    assert_eq!(state.route.view, View::Groups);
    assert_eq!(state.image().expect("it is open").detail, Detail::Asked(Group::new(2)));
}

#[test]
fn a_group_that_does_not_exist_selects_none() {
    let (state, _) = ready();
    let state = state.after(Action::Navigated(Route::parse("#/map?g=3")));
    assert_eq!(state.image().expect("it is open").detail, Detail::None);
}

#[test]
fn another_image_starts_without_a_selection_and_the_same_one_keeps_it() {
    let (state, epoch) = ready();
    let state = state.after(Action::Select(Some(Selection::Group(Group::new(2)))));
    let selection = |state: AppState| state.route.selection;
    assert_eq!(selection(state.clone().after(opening("b.img", epoch.next()))), None);
    let again = state.after(opening("a.img", epoch.next()));
    assert_eq!(selection(again), Some(Selection::Group(Group::new(2))));
}

#[test]
fn only_what_is_selected_in_the_view_that_is_shown_is_let_go() {
    let (state, _) = ready();
    let route = Route::parse("#/files?sel=g:2&f=s_uuid&p=/a");
    let state = state.after(Action::Navigated(route)).after(Action::Deselect);
    assert_eq!(state.route.to_string(), "#/files?sel=g:2&f=s_uuid");
    let state = state.after(Action::Show(View::Groups)).after(Action::Deselect);
    assert_eq!(state.route.to_string(), "#/groups?f=s_uuid");
    assert_eq!(state.image().expect("it is open").detail, Detail::None);
    let state = state.after(Action::Show(View::Hex)).after(Action::Deselect);
    assert_eq!(state.route.to_string(), "#/hex?f=s_uuid");
}

#[test]
fn what_is_shown_on_the_map_is_selected_and_stands_in_its_middle() {
    let (state, _) = ready();
    let state = state.after(Action::Show(View::Files));
    let state = state.after(Action::ShowOnMap(Selection::blocks(8200, 8300)));
    assert_eq!(state.route.to_string(), "#/map?at=8200&sel=r:8200-8300");
    let image = state.image().expect("it is open");
    assert_eq!(image.selection, Some(Selection::Blocks(8200..=8300)));
    assert_eq!(image.detail, Detail::Asked(Group::new(1)));
}

#[test]
fn a_partition_of_a_disk_is_chosen_and_another_one_forgets_what_was_selected() {
    let epoch = Epoch::FIRST.next();
    let disk = Reply::Disk(Box::new(testing::disk()));
    let named = Some(Selection::Group(Group::new(1)));
    let state =
        after([Action::Select(named.clone()), opening("disk.img", epoch), replied(epoch, disk)]);
    let Phase::Partitions(partitions) = &state.phase else { panic!("{:?}", state.phase) };
    assert_eq!((partitions.offset, partitions.disk.partitions.len()), (0, 2));
    let part = |number| DiskPart { number: Some(number), offset: 4096, len: 1 << 20, seat: None };
    let open = |state: AppState, number| {
        let opening = Opening { part: Some(part(number)), ..Opening::new("disk.img", None) };
        let opened = Reply::Opened(Box::new(testing::opened(3)));
        state.after(Action::Opening { epoch, opening }).after(replied(epoch, opened))
    };
    let state = open(state, 2);
    assert_eq!(state.image().expect("it is open").part, Some(part(2)));
    assert_eq!(state.route.selection, named, "what the address named");
    let state = open(state, 2);
    assert_eq!(state.route.selection, named);
    assert_eq!(open(state, 1).route.selection, None);
}
