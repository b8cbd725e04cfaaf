//! Playing the steps of a lesson.

/// Steps a second that can be chosen.
pub const SPEEDS: [u32; 10] = [1, 2, 4, 8, 16, 30, 60, 240, 1000, 4000];

/// Milliseconds between two steps at least: a frame.
const FRAME_MS: u32 = 16;

/// Where the playing of a lesson stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// Steps done.
    pub step: usize,
    /// Steps in all.
    pub len: usize,
    /// Whether it goes on by itself.
    pub is_playing: bool,
    /// Which of [`SPEEDS`].
    pub speed: usize,
}

/// What happens to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerAct {
    /// Another course begins, of so many steps, at this one.
    Load {
        /// Steps in all.
        len: usize,
        /// Steps done.
        step: usize,
    },
    /// Play, or pause. At the end, play from the start.
    Toggle,
    /// Steps forward, or back; whatever plays stops.
    Move(isize),
    /// So many steps are to be done; whatever plays stops.
    Go(usize),
    /// Time went by.
    Tick,
    /// Faster, or slower.
    Speed(isize),
}

impl Default for Player {
    fn default() -> Self {
        Self { step: 0, len: 0, is_playing: false, speed: 3 }
    }
}

impl Player {
    /// Steps a second.
    #[must_use]
    pub fn steps_per_second(&self) -> u32 {
        SPEEDS.get(self.speed).copied().unwrap_or(1)
    }

    /// Milliseconds between two ticks, and the steps of each.
    #[must_use]
    pub fn tick(&self) -> (u32, usize) {
        let speed = self.steps_per_second();
        let ms = (1000 / speed).max(FRAME_MS);
        (ms, (speed * ms / 1000).max(1) as usize)
    }

    /// The player after something happened.
    #[must_use]
    pub fn after(self, act: PlayerAct) -> Self {
        let still = Self { is_playing: false, ..self };
        match act {
            PlayerAct::Load { len, step } => Self { len, step: step.min(len), ..still },
            PlayerAct::Toggle if self.is_playing => still,
            PlayerAct::Toggle => {
                let step = if self.step == self.len { 0 } else { self.step };
                Self { step, is_playing: self.len > 0, ..self }
            }
            PlayerAct::Move(by) => {
                Self { step: self.step.saturating_add_signed(by).min(self.len), ..still }
            }
            PlayerAct::Go(step) => Self { step: step.min(self.len), ..still },
            PlayerAct::Tick => {
                let step = (self.step + self.tick().1).min(self.len);
                Self { step, is_playing: step < self.len, ..self }
            }
            PlayerAct::Speed(by) => {
                Self { speed: self.speed.saturating_add_signed(by).min(SPEEDS.len() - 1), ..self }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded() -> Player {
        Player::default().after(PlayerAct::Load { len: 10, step: 0 })
    }

    #[test]
    fn it_plays_to_the_end_and_then_from_the_start() {
        let mut player = loaded().after(PlayerAct::Toggle);
        for _ in 0..10 {
            assert!(player.is_playing);
            player = player.after(PlayerAct::Tick);
        }
        assert_eq!((player.step, player.is_playing), (10, false));
        let again = player.after(PlayerAct::Toggle);
        assert_eq!((again.step, again.is_playing), (0, true));
    }

    #[test]
    fn a_step_by_hand_stops_it_and_stays_inside() {
        let player = loaded().after(PlayerAct::Toggle).after(PlayerAct::Move(3));
        assert_eq!((player.step, player.is_playing), (3, false));
        assert_eq!(player.after(PlayerAct::Move(-9)).step, 0);
        assert_eq!(player.after(PlayerAct::Move(99)).step, 10);
        assert_eq!(player.after(PlayerAct::Go(99)).step, 10);
        assert_eq!(player.after(PlayerAct::Load { len: 2, step: 7 }).step, 2);
    }

    #[test]
    fn speeds_are_kept_whatever_a_frame_takes() {
        for (speed, wanted) in SPEEDS.into_iter().enumerate() {
            let player = Player { speed, ..Player::default() };
            let (ms, steps) = player.tick();
            let per_second = f64::from(steps as u32) * 1000.0 / f64::from(ms);
            let ratio = per_second / f64::from(wanted);
            assert!((0.75..1.35).contains(&ratio), "{wanted}: {per_second}");
        }
        let fastest = (0..20).fold(loaded(), |it, _| it.after(PlayerAct::Speed(1)));
        assert_eq!(fastest.steps_per_second(), 4000);
        let slowest = (0..20).fold(fastest, |it, _| it.after(PlayerAct::Speed(-1)));
        assert_eq!(slowest.steps_per_second(), 1);
    }

    #[test]
    fn nothing_plays_where_there_is_nothing() {
        assert!(!Player::default().after(PlayerAct::Toggle).is_playing);
    }
}
