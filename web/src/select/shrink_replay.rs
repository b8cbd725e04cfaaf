//! The moves of a shrink, played one after another as the tool makes them.

use std::collections::HashMap;

use extscope::units::Ino;

use crate::protocol::{OwnedMove, OwnedPart};
use crate::text::number;

/// Steps in which all moves are played.
const STEPS: usize = 150;

/// Where a replay stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// Moves made.
    pub at: usize,
    /// Moves that there are.
    pub len: usize,
    /// Whether it goes on by itself.
    pub is_playing: bool,
}

/// What happens to a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayAct {
    /// Another plan, of so many moves; all are made.
    Load(usize),
    /// It stands after so many moves, and rests there.
    Go(usize),
    /// It plays, from the start where it is at its end; or rests.
    Toggle,
    /// It rests where it stands.
    Rest,
    /// Time goes on.
    Tick,
}

impl Replay {
    /// What becomes of it.
    #[must_use]
    pub fn after(self, act: ReplayAct) -> Self {
        match act {
            ReplayAct::Load(len) => Self { at: len, len, is_playing: false },
            ReplayAct::Go(at) => Self { at: at.min(self.len), is_playing: false, ..self },
            ReplayAct::Rest => Self { is_playing: false, ..self },
            ReplayAct::Toggle if self.is_playing => Self { is_playing: false, ..self },
            ReplayAct::Toggle => {
                let at = if self.at >= self.len { 0 } else { self.at };
                Self { at, is_playing: self.len > 0, ..self }
            }
            ReplayAct::Tick if self.is_playing => {
                let at = self.at.saturating_add(self.len.div_ceil(STEPS)).min(self.len);
                Self { at, is_playing: at < self.len, ..self }
            }
            ReplayAct::Tick => self,
        }
    }

    /// Whether anything is still to be moved.
    #[must_use]
    pub const fn is_under_way(self) -> bool {
        self.at < self.len
    }
}

/// How far the copying is: it goes through the old places and the new ones from the first block on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Front {
    /// Old places before this block are copied.
    pub from: u64,
    /// New places before this block are filled.
    pub to: u64,
}

/// How far it is after so many moves. Where free blocks ran short, new places begin anew from the
/// first block; what was filled stays filled.
#[must_use]
pub fn front(moves: &[OwnedMove], at: usize) -> Front {
    let made = moves.get(..at).unwrap_or(moves);
    made.iter().fold(Front::default(), |front, moved| Front {
        from: front.from.max(moved.from.saturating_add(moved.len)),
        to: front.to.max(moved.to.saturating_add(moved.len)),
    })
}

/// How full each part of the disk is in the midst of it, in 255ths: new places are filled up to the
/// front, and what lies past the new `end` leaves.
#[must_use]
pub fn during((before, after): (&[u8], &[u8]), blocks: u64, end: u64, front: Front) -> Vec<u8> {
    let parts = before.len() as u128;
    let part_end = |part: usize| {
        let at = u128::from(blocks) * (part as u128 + 1) / parts.max(1);
        u64::try_from(at).unwrap_or(blocks)
    };
    let both = before.iter().zip(after).enumerate();
    both.map(|(part, (&before, &after))| {
        let last = part_end(part);
        let is_done = if last <= end { last <= front.to } else { last <= front.from };
        if is_done { after } else { before }
    })
    .collect()
}

/// The move of a stream's file that comes first at or after a block.
#[must_use]
pub fn first_move(moves: &[OwnedMove], ino: Ino, from: u64) -> Option<usize> {
    let first = moves.partition_point(|moved| moved.from < from);
    let rest = moves.get(first..)?;
    rest.iter().position(|moved| moved.ino == ino).map(|at| first + at)
}

/// What a part of a file is called.
#[must_use]
pub const fn part_name(part: OwnedPart) -> &'static str {
    match part {
        OwnedPart::Data => "contents",
        OwnedPart::Node => "map",
        OwnedPart::Xattr => "attributes",
    }
}

/// The name of a file, or its number where that is not known.
#[must_use]
pub fn file_name(paths: &HashMap<Ino, String>, ino: Ino) -> String {
    let unnamed = || format!("inode {}", number::count(ino.get().into()));
    paths.get(&ino).cloned().unwrap_or_else(unnamed)
}

/// What the last move of a replay is, in words; and at its end, what of `all` moves is not told.
#[must_use]
pub fn narration(
    replay: Replay,
    moves: &[OwnedMove],
    all: u64,
    paths: &HashMap<Ino, String>,
) -> String {
    let Some(moved) = replay.at.checked_sub(1).and_then(|at| moves.get(at)) else {
        return "Nothing is moved yet.".to_owned();
    };
    let range = |start: u64| number::range(start, start.saturating_add(moved.len).max(1) - 1);
    let rest = all.saturating_sub(replay.len as u64);
    let untold = if rest > 0 && !replay.is_under_way() {
        format!(" The maps show it with {} after it, too.", number::count_of(rest, "move", "moves"))
    } else {
        String::new()
    };
    format!(
        "Move {} of {}: {} of {}, {} to {}.{untold}",
        number::count(replay.at as u64),
        number::count(all),
        part_name(moved.part),
        file_name(paths, moved.ino),
        range(moved.from),
        range(moved.to)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(from: u64, to: u64, len: u64, ino: u32) -> OwnedMove {
        OwnedMove { from, to, len, ino: Ino::new(ino), part: OwnedPart::Data }
    }

    #[test]
    fn a_replay_plays_to_its_end_and_from_the_start_again() {
        let mut replay = Replay::default().after(ReplayAct::Load(1000));
        assert!(!replay.is_under_way());
        replay = replay.after(ReplayAct::Toggle);
        assert_eq!(replay, Replay { at: 0, len: 1000, is_playing: true });
        for _ in 0..STEPS {
            replay = replay.after(ReplayAct::Tick);
        }
        assert_eq!(replay, Replay { at: 1000, len: 1000, is_playing: false });
        let stopped = replay.after(ReplayAct::Go(7));
        assert_eq!(stopped.after(ReplayAct::Tick), stopped);
        assert_eq!(stopped.after(ReplayAct::Go(2000)).at, 1000);
        let playing = Replay { at: 7, len: 1000, is_playing: true };
        assert_eq!(playing.after(ReplayAct::Rest), stopped);
        assert!(!Replay::default().after(ReplayAct::Toggle).is_playing);
    }

    #[test]
    fn the_front_goes_through_both_places() {
        let moves = [moved(900, 100, 10, 12), moved(950, 200, 20, 13)];
        assert_eq!(front(&moves, 0), Front::default());
        assert_eq!(front(&moves, 1), Front { from: 910, to: 110 });
        assert_eq!(front(&moves, 2), Front { from: 970, to: 220 });
        let anew = [moved(900, 100, 10, 12), moved(950, 20, 20, 13)];
        assert_eq!(front(&anew, 2), Front { from: 970, to: 110 });
        assert_eq!(first_move(&moves, Ino::new(13), 0), Some(1));
        assert_eq!(first_move(&moves, Ino::new(12), 901), None);
    }

    #[test]
    fn in_the_midst_of_it_new_places_fill_up_and_old_ones_leave_later() {
        let both: (&[u8], &[u8]) = (&[10, 0, 50, 60], &[20, 70, 0, 0]);
        let during = |from, to| during(both, 400, 200, Front { from, to });
        assert_eq!(during(0, 0), [10, 0, 50, 60]);
        assert_eq!(during(260, 100), [20, 0, 50, 60]);
        assert_eq!(during(300, 199), [20, 0, 0, 60]);
        assert_eq!(during(400, 200), [20, 70, 0, 0]);
    }

    #[test]
    fn the_last_move_is_told() {
        let moves = [moved(900, 100, 10, 12)];
        let paths = HashMap::from([(Ino::new(12), "/a".to_owned())]);
        let replay = |at| Replay { at, len: 1, is_playing: false };
        let said = narration(replay(1), &moves, 1, &paths);
        assert_eq!(said, "Move 1 of 1: contents of /a, 900–909 to 100–109.");
        assert_eq!(narration(replay(0), &moves, 1, &paths), "Nothing is moved yet.");
        let said = narration(replay(1), &moves, 3, &paths);
        assert!(said.ends_with("to 100–109. The maps show it with 2 moves after it, too."));
    }
}
