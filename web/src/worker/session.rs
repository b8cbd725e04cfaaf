//! The image at hand and the work on it.

use extscope::io::{ByteSource, Overlay};
use extscope::{Error, ErrorKind};

use super::image::Image;
use super::opening::{Opening, Outcome, join};
use crate::protocol::{Epoch, Reply, ReplyMessage, Request, RequestId, RequestMessage};

/// Milliseconds between two tidings of how far the work is, at least and at most.
const PACE: (f64, f64) = (100.0, 400.0);

/// The share of the time so far after which there are tidings again: each costs the page, and whoever
/// draws, time that reading needs.
const RARER: f64 = 0.1;

/// What the engine cannot know by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vitals {
    /// Milliseconds on a clock that only goes forward.
    pub now: f64,
    /// Memory of the engine, bytes.
    pub memory_bytes: u64,
    /// Seconds since 1970, where the host has a clock.
    pub time: Option<u64>,
}

/// The image at hand and the work on it: at most one image, and one step at a time.
#[derive(Debug)]
pub struct Session<S> {
    epoch: Epoch,
    /// The question that the work answers.
    id: RequestId,
    work: Work<S>,
    /// When the page was last told how far the work is; `None` tells it with the next step.
    told: Option<f64>,
    /// When the work that is left began, or when the person looked elsewhere meanwhile.
    begun: Option<f64>,
}

#[derive(Debug)]
enum Work<S> {
    None,
    Opening(Opening<S>),
    Open(Box<Image<Overlay<S>>>),
}

impl<S> Default for Session<S> {
    fn default() -> Self {
        Self {
            epoch: Epoch::FIRST,
            id: RequestId::default(),
            work: Work::None,
            told: None,
            begun: None,
        }
    }
}

impl<S: ByteSource + Clone + 'static> Session<S> {
    /// Takes in a question, with the image that an opening brings, or why it cannot be had. What takes no time is answered
    /// at once, the rest by [`Self::step`].
    pub fn ask(
        &mut self,
        message: RequestMessage,
        source: Option<Result<S, Error>>,
        vitals: Vitals,
    ) -> Vec<ReplyMessage> {
        let RequestMessage { epoch, id, request } = message;
        let given = || {
            let missing = || Error::new(ErrorKind::Io, "no file came with the request to open one");
            source.ok_or_else(missing).flatten()
        };
        let answer = match request {
            Request::Open { superblock, replayed } => {
                *self = Self { epoch, id, ..Self::default() };
                match given() {
                    Ok(source) => {
                        self.work = Work::Opening(Opening::new(source, superblock, replayed));
                        None
                    }
                    Err(error) => Some(Reply::NotOpened(error)),
                }
            }
            Request::Join { superblock } => {
                *self = Self { epoch, id, ..Self::default() };
                match given().and_then(|source| join(&source, superblock)) {
                    Ok(filesystem) => {
                        self.work = Work::Open(Box::new(Image::joined(filesystem)));
                        None
                    }
                    Err(error) => Some(Reply::SweepFailed(error)),
                }
            }
            request => self.ask_image(epoch, request, vitals),
        };
        answer.map(|reply| ReplyMessage { epoch, id, reply }).into_iter().collect()
    }

    /// Takes in a question about the open image.
    fn ask_image(&mut self, epoch: Epoch, request: Request, vitals: Vitals) -> Option<Reply> {
        let image = match &mut self.work {
            Work::Open(image) if epoch == self.epoch => image,
            _ => return None,
        };
        if matches!(request, Request::Prioritise { .. }) {
            (self.told, self.begun) = (None, None);
        }
        image.ask(request, vitals)
    }

    /// Whether there is something left to do.
    #[must_use]
    pub fn has_work(&self) -> bool {
        match &self.work {
            Work::None => false,
            Work::Opening(_) => true,
            Work::Open(image) => image.has_work(),
        }
    }

    /// Does one step of what there is to do.
    pub fn step(&mut self, vitals: Vitals) -> Vec<ReplyMessage> {
        let begun = *self.begun.get_or_insert(vitals.now);
        let pace = ((vitals.now - begun) * RARER).clamp(PACE.0, PACE.1);
        let due = self.told.is_none_or(|told| vitals.now - told >= pace);
        let replies = match core::mem::replace(&mut self.work, Work::None) {
            Work::None => Vec::new(),
            Work::Opening(opening) => self.step_open(opening, vitals, due),
            Work::Open(mut image) => {
                let replies = image.step(vitals, due);
                self.work = Work::Open(image);
                replies
            }
        };
        if !replies.is_empty() {
            self.told = Some(vitals.now);
        }
        if !self.has_work() {
            self.begun = None;
        }
        replies.into_iter().map(|reply| self.reply(reply)).collect()
    }

    fn step_open(&mut self, mut opening: Opening<S>, vitals: Vitals, due: bool) -> Vec<Reply> {
        match opening.step() {
            Outcome::More => {
                let told = due.then(|| opening.progress(vitals));
                self.work = Work::Opening(opening);
                told.into_iter().collect()
            }
            Outcome::Filesystem(filesystem, replay) => {
                let image = Box::new(Image::new(*filesystem, replay));
                let reply = image.opened(vitals);
                self.work = Work::Open(image);
                vec![reply]
            }
            Outcome::Disk(disk) => vec![Reply::Disk(disk)],
            Outcome::Choose(error, backups) => vec![Reply::Choose { error, backups }],
            Outcome::Refused(error) => vec![Reply::NotOpened(error)],
        }
    }

    fn reply(&self, reply: Reply) -> ReplyMessage {
        ReplyMessage { epoch: self.epoch, id: self.id, reply }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use extscope::units::{Fsblk, Group, Ino};
    use extscope_picture::{Ink, Layer, Look, Palette, Rgb};

    use super::*;
    use crate::protocol::testing::{self, image};
    use crate::protocol::{
        BitmapState, BytesOf, CheckMode, CheckPart, Export, ExportPart, ExportPlace, MapLook,
        MapOrder, MapPicture, Piece, ReadKind, Stretch, SuperblockChoice, decode, encode,
    };

    type TestSession = Session<Rc<Vec<u8>>>;

    const EPOCH: Epoch = Epoch::FIRST.next();

    fn ask(session: &mut TestSession, epoch: Epoch, request: Request) -> Vec<Reply> {
        let message = RequestMessage { epoch, id: RequestId::default(), request };
        let replies = session.ask(message, None, Vitals::default());
        replies.into_iter().map(sent).collect()
    }

    fn open(bytes: Rc<Vec<u8>>) -> TestSession {
        let mut session = Session::default();
        let request = Request::Open { superblock: None, replayed: false };
        let message = RequestMessage { epoch: EPOCH, id: RequestId::default(), request };
        assert_eq!(session.ask(message, Some(Ok(bytes)), Vitals::default()), []);
        session
    }

    /// Steps to the end of the opening, then has all `groups` swept.
    fn run_all(session: &mut TestSession, pace: f64) -> Vec<Reply> {
        let mut replies = run(session, pace);
        let opened = replies.iter().find_map(|reply| match reply {
            Reply::Opened(opened) => Some(Rc::clone(&opened.groups)),
            _ => None,
        });
        let groups = Box::new((*opened.expect("it opens")).clone());
        let begun = ask(session, EPOCH, Request::Sweep { first: Group::new(0), groups });
        replies.extend(begun);
        replies.extend(run(session, pace));
        replies
    }

    /// The answer as the page gets it.
    fn sent(message: ReplyMessage) -> Reply {
        assert_eq!(message.epoch, EPOCH);
        let bytes = encode(&message).expect("it can be sent");
        assert_eq!(decode(&bytes), Ok(message.clone()));
        message.reply
    }

    /// Steps until there is nothing left to do, `pace` milliseconds a step.
    fn run(session: &mut TestSession, pace: f64) -> Vec<Reply> {
        let mut replies = Vec::new();
        let mut now = 0.0;
        while session.has_work() {
            let step = session.step(Vitals { now, memory_bytes: 7, time: None });
            replies.extend(step.into_iter().map(sent));
            now += pace;
        }
        replies
    }

    /// Opens, and begins to sweep all `groups`.
    fn begin(session: &mut TestSession, groups: u32) {
        run(session, 1.0);
        let groups = Box::new((*testing::opened(groups).groups).clone());
        let first = Group::new(0);
        assert_eq!(ask(session, EPOCH, Request::Sweep { first, groups }), []);
    }

    fn free(replies: &[Reply], groups: usize) -> Vec<u32> {
        let mut all = vec![0; groups];
        for reply in replies {
            let Reply::Swept(batch) = reply else { continue };
            for (&group, row) in batch.groups.iter().zip(0..) {
                let stats = batch.stats.row(Group::new(row)).expect("a row for each group");
                if stats.state == BitmapState::Read {
                    all[group as usize] = stats.free;
                }
            }
        }
        all
    }

    #[test]
    fn an_image_is_described_and_then_swept_to_its_last_group() {
        let replies = run_all(&mut open(image(3)), 1.0);
        let opened = replies.iter().find_map(|reply| match reply {
            Reply::Opened(opened) => Some(opened),
            _ => None,
        });
        let opened = opened.expect("it opens");
        assert_eq!(opened.info.volume_name, "test");
        assert_eq!(opened.groups.row(Group::new(2)).map(|row| row.free_clusters), Some(8180));
        assert_eq!(opened.activity.memory_bytes, 7);
        assert_eq!(free(&replies, 3), [8182, 8181, 8180]);
        assert_eq!(replies.last(), Some(&Reply::PartSwept));
    }

    #[test]
    fn a_worker_that_joins_sweeps_its_part_and_reads_no_descriptor() {
        let all = Rc::clone(&testing::opened(3).groups);
        let mut session = TestSession::default();
        let request = Request::Join { superblock: None };
        let message = RequestMessage { epoch: EPOCH, id: RequestId::default(), request };
        assert_eq!(session.ask(message, Some(Ok(image(3))), Vitals::default()), []);
        let mut replies = Vec::new();
        for part in [1..3, 0..1] {
            let sweep =
                Request::Sweep { first: Group::new(part.start), groups: Box::new(all.part(part)) };
            assert_eq!(ask(&mut session, EPOCH, sweep), []);
            replies.extend(run(&mut session, 1.0));
            assert_eq!(replies.last(), Some(&Reply::PartSwept));
        }
        assert_eq!(free(&replies, 3), [8182, 8181, 8180]);
        let activity = replies.iter().rev().find_map(|reply| match reply {
            Reply::Activity(activity) => Some(activity),
            _ => None,
        });
        let reads = &activity.expect("it tells what it read").reads;
        let descriptors = reads.iter().find(|read| read.kind == ReadKind::GroupDesc);
        assert_eq!(descriptors.map_or(0, |read| read.count.requests), 0);
    }

    #[test]
    fn a_file_that_is_no_image_cannot_be_joined() {
        let mut session = TestSession::default();
        let request = Request::Join { superblock: None };
        let message = RequestMessage { epoch: EPOCH, id: RequestId::default(), request };
        let replies = session.ask(message, Some(Ok(Rc::new(vec![0; 4096]))), Vitals::default());
        assert!(matches!(replies.as_slice(), [ReplyMessage { reply: Reply::SweepFailed(_), .. }]));
    }

    #[test]
    fn bitmaps_past_the_end_of_the_image_are_told_of() {
        let mut bytes = image(3).to_vec();
        bytes.truncate(2 * 8192 * 1024);
        let replies = run_all(&mut open(Rc::new(bytes)), 1.0);
        let is_failed = |reply: &Reply| match reply {
            Reply::Swept(batch) => {
                let at = batch.groups.iter().position(|&group| group == 2);
                let row = at.and_then(|at| batch.stats.row(Group::new(at as u32)));
                row.is_some_and(|row| row.state == BitmapState::Failed)
            }
            _ => false,
        };
        assert!(replies.iter().any(is_failed));
    }

    #[test]
    fn how_far_it_is_is_told_no_more_often_than_the_pace() {
        let mut session = open(image(600));
        let replies = run_all(&mut session, 0.0);
        let told = replies.iter().filter(|reply| matches!(reply, Reply::Activity(_))).count();
        assert!(told <= 3, "told {told} times in no time at all");
        assert_eq!(free(&replies, 600).iter().filter(|&&free| free > 0).count(), 600);
    }

    fn parts(replies: &[Reply]) -> Vec<&CheckPart> {
        let part = |reply| match reply {
            &Reply::Checking { part: Ok(ref part), .. } => Some(&**part),
            _ => None,
        };
        replies.iter().filter_map(part).collect()
    }

    #[test]
    fn a_check_tells_each_problem_once_and_in_the_end_what_it_comes_to() {
        let mut session = open(image(3));
        begin(&mut session, 3);
        let before = run(&mut session, 1.0);
        let mode = Some(CheckMode::Thorough);
        assert_eq!(ask(&mut session, EPOCH, Request::Check { run: 1, mode }), []);
        let replies = run(&mut session, 200.0);
        let parts = parts(&replies);
        let (last, earlier) = parts.split_last().expect("it tells");
        let outcome = last.outcome.as_ref().expect("the last part ends it");
        assert!(earlier.iter().all(|part| part.outcome.is_none()));
        assert_eq!(outcome.e2fsck.exit, 8, "{}", outcome.sentence);
        let told: u64 = parts.iter().map(|part| part.problems.len() as u64).sum();
        assert_eq!(told, last.counts.iter().map(|count| count.count).sum::<u64>());
        assert!(last.counts.iter().all(|count| !count.title.is_empty()), "words come along");
        let bytes = |replies: &[Reply]| {
            let activity = replies.iter().rev().find_map(|reply| match reply {
                Reply::Activity(activity) => Some(activity.bytes_read()),
                _ => None,
            });
            activity.expect("it tells what was read")
        };
        assert!(bytes(&replies) > bytes(&before), "what the check read is counted");
    }

    #[test]
    fn a_check_that_is_stopped_says_nothing_more() {
        let mut session = open(image(3));
        begin(&mut session, 3);
        run(&mut session, 1.0);
        ask(&mut session, EPOCH, Request::Check { run: 1, mode: Some(CheckMode::LikeE2fsck) });
        assert!(session.has_work());
        session.step(Vitals::default());
        assert_eq!(ask(&mut session, EPOCH, Request::Check { run: 1, mode: None }), []);
        assert!(!session.has_work());
    }

    #[test]
    fn a_long_job_and_the_sweep_go_on_beside_each_other_and_both_tell_how_far_they_are() {
        let mut session = open(image(600));
        begin(&mut session, 600);
        ask(&mut session, EPOCH, Request::Free { chunk_kib: None });
        let replies = run(&mut session, 60.0);
        let first = |is: fn(&Reply) -> bool| replies.iter().position(is).expect("it is told");
        let over = first(|reply| matches!(reply, Reply::Free { .. }));
        assert!(first(|reply| matches!(reply, Reply::Swept(_))) < over, "the sweep waits");
        assert!(
            first(|reply| matches!(reply, Reply::FreeGoing { .. })) < over,
            "the job is silent"
        );
        assert_eq!(free(&replies, 600).iter().filter(|&&free| free > 0).count(), 600);
    }

    #[test]
    fn a_paused_sweep_rests_until_it_may_go_on() {
        let mut session = open(image(2));
        begin(&mut session, 2);
        let replies = ask(&mut session, EPOCH, Request::Pause(true));
        assert!(matches!(replies.as_slice(), [Reply::Activity(_)]));
        assert!(!session.has_work());
        ask(&mut session, EPOCH, Request::Pause(false));
        assert_eq!(free(&run(&mut session, 1.0), 2), [8182, 8181]);
    }

    #[test]
    fn a_group_is_told_of_while_the_sweep_goes_on() {
        let mut session = open(image(2));
        begin(&mut session, 2);
        let replies = ask(&mut session, EPOCH, Request::Inspect { group: Group::new(1) });
        let [Reply::Inspected(detail)] = replies.as_slice() else { panic!("{replies:?}") };
        let bitmap = detail.block_bitmap.as_ref().expect("it can be read");
        assert_eq!(bitmap.fsblk, Fsblk::new(8197));
        assert_eq!((bitmap.test(10), bitmap.test(11)), (Some(true), Some(false)));
        assert!(session.has_work());
        assert_eq!(ask(&mut session, EPOCH, Request::Inspect { group: Group::new(2) }), []);
    }

    #[test]
    fn what_cannot_be_read_of_files_is_said() {
        let mut session = open(image(1));
        run(&mut session, 1.0);
        let [list, look] = [Request::List { dir: Ino::new(2) }, Request::Look { ino: Ino::new(0) }];
        let replies = ask(&mut session, EPOCH, list);
        let [Reply::Listed(part)] = replies.as_slice() else { panic!("{replies:?}") };
        assert_eq!((part.rows.len(), part.faults.len(), part.is_last), (0, 1, true));
        let replies = ask(&mut session, EPOCH, look);
        assert!(matches!(replies.as_slice(), [Reply::NotLooked { .. }]), "{replies:?}");
        let replies = ask(&mut session, EPOCH, Request::Walk { path: b"/etc".to_vec() });
        assert!(matches!(replies.as_slice(), [Reply::Walked { found: Err(_), .. }]));
        let stretch = Stretch { of: BytesOf::Image, offset: 1024 + 0x38, len: 2 };
        let replies = ask(&mut session, EPOCH, Request::Read(stretch));
        let piece = Ok(Piece::Bytes(vec![0x53, 0xef]));
        assert_eq!(replies, [Reply::Read { stretch, piece }]);
    }

    #[test]
    fn a_file_is_told_of_ahead_of_the_sweep() {
        let mut session = open(image(600));
        begin(&mut session, 600);
        assert_eq!(ask(&mut session, EPOCH, Request::Look { ino: Ino::new(3) }), []);
        let replies = session.step(Vitals::default());
        let told = replies.into_iter().map(sent).next();
        assert!(matches!(told, Some(Reply::Looked(detail)) if detail.ino.get() == 3));
        assert_eq!(
            free(&run(&mut session, 1.0), 600).iter().filter(|&&free| free > 0).count(),
            600
        );
    }

    fn export(number: u32, at: u64) -> Request {
        let export = Export::Folder(Ino::new(2));
        Request::Export { export, place: ExportPlace { number, at } }
    }

    /// Asks for a piece of an archive.
    fn piece(session: &mut TestSession, number: u32, at: u64) -> Result<ExportPart, Error> {
        let mut replies = ask(session, EPOCH, export(number, at));
        replies.extend(run(session, 1000.0));
        let place = ExportPlace { number, at };
        let parts = replies.into_iter().filter_map(|reply| match reply {
            Reply::Exported { place: of, part } if of == place => Some(part),
            _ => None,
        });
        let mut parts: Vec<_> = parts.collect();
        assert_eq!(parts.len(), 1, "each question has one answer");
        parts.remove(0)
    }

    #[test]
    fn a_folder_is_made_an_archive_a_piece_for_each_question() {
        let mut session = open(testing::image_with_files(40));
        run(&mut session, 1.0);
        let (mut bytes, mut pieces) = (Vec::new(), 0);
        loop {
            let part = piece(&mut session, 1, bytes.len() as u64).expect("it can be read");
            assert!(!session.has_work(), "nothing is made that was not asked for");
            bytes.extend(part.bytes);
            pieces += 1;
            if part.is_last {
                assert_eq!((part.progress.cur, part.remarks), (41, Vec::new()));
                break;
            }
        }
        assert!(pieces > 1);
        assert!(bytes.len().is_multiple_of(512) && bytes.ends_with(&[0; 1024]));
        assert_eq!(bytes.windows(6).filter(|it| it == b"hello\0").count(), 1);
    }

    #[test]
    fn files_are_found_by_a_part_of_their_names() {
        let mut session = open(testing::image_with_files(40));
        run(&mut session, 1.0);
        let mut find = |text: &str| {
            let text = text.to_owned();
            let mut replies = ask(&mut session, EPOCH, Request::Find { text: text.clone() });
            replies.extend(run(&mut session, 1.0));
            let found = replies.into_iter().find_map(|reply| match reply {
                Reply::Found { text: of, found } if of == text => found.ok(),
                _ => None,
            });
            let found = found.expect("it is answered");
            let paths = found.files.iter().map(|file| String::from_utf8_lossy(&file.path).into());
            (found.count, paths.collect::<Vec<String>>())
        };
        // All names are those of one inode, which is found by its first.
        assert_eq!(find("F0"), (1, vec!["/f00".to_owned()]));
        assert_eq!(find("/f0"), (1, vec!["/f00".to_owned()]));
        assert_eq!(find("x/f0"), (0, Vec::new()));
        assert_eq!(find("nothing"), (0, Vec::new()));
    }

    #[test]
    fn a_piece_that_follows_none_is_refused() {
        let mut session = open(testing::image_with_files(40));
        run(&mut session, 1.0);
        let first = piece(&mut session, 1, 0).expect("it can be read").bytes.len() as u64;
        assert!(piece(&mut session, 2, first).is_err(), "that is of another making");
        assert!(piece(&mut session, 1, first).is_err(), "which gave up the first");
        assert!(piece(&mut session, 3, 0).is_ok());
        assert_eq!(ask(&mut session, EPOCH, Request::StopExport), []);
        assert!(piece(&mut session, 3, first).is_err());
    }

    #[test]
    fn what_belongs_to_another_epoch_is_not_answered() {
        let mut session = open(image(1));
        run(&mut session, 1.0);
        let inspect = Request::Inspect { group: Group::new(0) };
        assert_eq!(ask(&mut session, Epoch::FIRST, inspect.clone()), []);
        assert_eq!(ask(&mut session, EPOCH, inspect).len(), 1);
    }

    #[test]
    fn a_question_before_anything_is_open_is_not_answered() {
        let mut session = TestSession::default();
        assert!(!session.has_work());
        assert_eq!(ask(&mut session, Epoch::FIRST, Request::Pause(true)), []);
        assert_eq!(session.step(Vitals::default()), []);
    }

    #[test]
    fn tiles_of_a_small_image_read_no_bitmap_again() {
        let mut session = open(image(2));
        let requests = |session: &mut TestSession| {
            let told = ask(session, EPOCH, Request::Pause(false));
            let [Reply::Activity(activity)] = &told[..] else { panic!("{told:?}") };
            let of = |kind| activity.reads.iter().find(|read| read.kind == kind);
            of(ReadKind::BlockBitmap).map_or(0, |read| read.count.requests)
        };
        run(&mut session, 1.0);
        let look = MapLook { columns: 2, ..MapLook::default() };
        let order = MapOrder { number: 1, look, scale: (2.0, 2.0, 1.0), tiles: vec![(0, 0)] };
        begin(&mut session, 2);
        assert_eq!(ask(&mut session, EPOCH, Request::Map(order)), []);
        let replies = run(&mut session, 1.0);
        assert!(matches!(replies.last(), Some(Reply::MapTile(_))), "swept first, drawn once");
        assert_eq!(requests(&mut session), 2, "the test's bitmaps lie apart");
    }

    #[test]
    fn tiles_and_pictures_agree_on_what_was_read() {
        let mut session = open(image(2));
        run_all(&mut session, 1.0);
        let look = MapLook { layer: Layer::Reads, columns: 2, ..MapLook::default() };
        let scale = (2.0, 2.0, 1.0);
        let picture = MapPicture { look, scale, corner: (-10, -4), size: (300, 100) };
        assert_eq!(ask(&mut session, EPOCH, Request::MapPicture(picture)), []);
        let order = MapOrder { number: 7, look, scale, tiles: vec![(0, 0), (1, 0)] };
        assert_eq!(ask(&mut session, EPOCH, Request::Map(order)), []);
        let replies = run(&mut session, 1.0);
        let [Reply::MapTile(first), Reply::MapTile(_), Reply::MapPicture(all)] = &replies[..]
        else {
            panic!("tiles come first, as they are seen")
        };
        assert_eq!((all.width, all.pixels.len()), (300, 300 * 100 * 4));
        let at = |pixels: &[u8], wide: usize, x: usize, y: usize| {
            let [r, g, b] = [0, 1, 2].map(|i| pixels[(y * wide + x) * 4 + i]);
            Rgb(r, g, b)
        };
        let look = Look::new(Palette::of(look.theme), look.layer, look.hidden);
        assert_eq!(at(&all.pixels, 300, 3, 50), look.palette().well, "left of the world");
        for (x, y) in [(0, 0), (1, 0), (9, 0), (200, 90)] {
            assert_eq!(at(&all.pixels, 300, x + 10, y + 4), at(&first.pixels, 256, x, y));
        }
        // Block 1 has the superblock; at two pixels a block it is the first of group 0.
        assert_eq!(at(&first.pixels, 256, 0, 0), look.colour(Ink::READ));
        assert_eq!(at(&first.pixels, 256, 200, 90), look.colour(Ink::NOT_READ));
    }

    #[test]
    fn a_file_that_is_no_image_is_refused() {
        let replies = run(&mut open(Rc::new(vec![0xff; 4096])), 1.0);
        let Some(Reply::NotOpened(error)) = replies.last() else { panic!("{replies:?}") };
        assert_eq!(error.kind(), ErrorKind::NotExt);
    }

    #[test]
    fn backups_are_offered_when_the_superblock_is_of_no_use_and_open_it() {
        let mut bytes = image(2).to_vec();
        let (head, copy) = bytes.split_at_mut(8193 * 1024);
        copy[..2048].copy_from_slice(&head[1024..][..2048]);
        copy[0x5a] = 1;
        head[1024..2048].fill(0);
        let bytes = Rc::new(bytes);
        let replies = run(&mut open(Rc::clone(&bytes)), 1.0);
        let Some(Reply::Choose { error, backups }) = replies.last() else { panic!("{replies:?}") };
        assert_eq!(error.kind(), ErrorKind::NotExt);
        let [backup] = backups.as_slice() else { panic!("{backups:?}") };
        assert_eq!((backup.at.superblock.get(), backup.group.get()), (8193, 1));

        let mut session = TestSession::default();
        let request = Request::Open { superblock: Some(backup.at), replayed: false };
        let message = RequestMessage { epoch: EPOCH, id: RequestId::default(), request };
        session.ask(message, Some(Ok(bytes)), Vitals::default());
        assert_eq!(free(&run_all(&mut session, 1.0), 2), [8182, 8181]);
    }

    #[test]
    fn the_partitions_of_a_disk_are_offered() {
        let filesystem = image(1);
        let mut disk = vec![0; 4096];
        disk[510..512].copy_from_slice(&[0x55, 0xaa]);
        disk[446 + 4] = 0x83;
        disk[446 + 8] = 8;
        disk[446 + 12..][..4].copy_from_slice(&(filesystem.len() as u32 / 512).to_le_bytes());
        disk.extend(filesystem.iter());
        let replies = run(&mut open(Rc::new(disk)), 1.0);
        let Some(Reply::Disk(disk)) = replies.last() else { panic!("{replies:?}") };
        let [partition] = disk.partitions.as_slice() else { panic!("{disk:?}") };
        assert_eq!((partition.is_ext, partition.offset), (true, 4096));
        assert_eq!(partition.volume_name, "test");
    }

    #[test]
    fn a_chosen_superblock_that_is_none_is_refused_without_a_search() {
        let mut session = TestSession::default();
        let at = SuperblockChoice { superblock: Fsblk::new(99), block_size: 1024 };
        let request = Request::Open { superblock: Some(at), replayed: false };
        let message = RequestMessage { epoch: EPOCH, id: RequestId::default(), request };
        session.ask(message, Some(Ok(image(2))), Vitals::default());
        let replies = run(&mut session, 1.0);
        assert!(matches!(replies.as_slice(), [Reply::NotOpened(_)]), "{replies:?}");
    }

    #[test]
    fn opening_nothing_is_refused() {
        let request = Request::Open { superblock: None, replayed: false };
        let replies = ask(&mut Session::default(), EPOCH, request);
        assert!(matches!(replies.as_slice(), [Reply::NotOpened(_)]));
    }
}
