//! Bytes that were asked for, the last ones kept.

use std::collections::VecDeque;
use std::rc::Rc;

use extscope::Error;

use super::Asks;
use crate::protocol::{Piece, Request, Stretch};

/// Bytes kept.
const KEPT: u64 = 32 << 20;

/// Stretches that were asked for, the last ones kept. A clone has the same bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bytes {
    stretches: VecDeque<Kept>,
}

/// A stretch, and what it holds once that is here.
type Kept = (Stretch, Option<Rc<Result<Piece, Error>>>);

impl Bytes {
    /// What a stretch holds, once it is here.
    #[must_use]
    pub fn get(&self, stretch: Stretch) -> Option<&Result<Piece, Error>> {
        let found = self.stretches.iter().rev().find(|(known, _)| *known == stretch);
        found.and_then(|(_, piece)| piece.as_deref())
    }

    /// Whether a stretch was asked for.
    pub(super) fn knows(&self, stretch: Stretch) -> bool {
        self.stretches.iter().any(|(known, _)| *known == stretch)
    }

    /// Asks for a stretch, once.
    pub(super) fn want(&mut self, stretch: Stretch, asks: &mut Asks) {
        if self.knows(stretch) {
            return;
        }
        self.stretches.push_back((stretch, None));
        let kept =
            |bytes: &Self| bytes.stretches.iter().map(|(it, _)| u64::from(it.len)).sum::<u64>();
        while self.stretches.len() > 1 && kept(self) > KEPT {
            self.stretches.pop_front();
        }
        asks.push(Request::Read(stretch));
    }

    /// Takes in a stretch, if it is still wanted.
    pub(super) fn read(&mut self, stretch: Stretch, piece: Result<Piece, Error>) {
        let wanted = self.stretches.iter_mut().find(|(known, _)| *known == stretch);
        if let Some((_, here)) = wanted {
            *here = Some(Rc::new(piece));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::BytesOf;

    fn stretch(offset: u64) -> Stretch {
        Stretch { of: BytesOf::Image, offset, len: 16_384 }
    }

    #[test]
    fn a_stretch_is_asked_for_once_and_the_oldest_makes_room() {
        let (mut bytes, mut asks) = (Bytes::default(), Asks::default());
        let most = KEPT / 16_384;
        for offset in (0..=most).chain([5, 6]) {
            bytes.want(stretch(offset), &mut asks);
        }
        assert_eq!(asks.from(0).count() as u64, most + 1);
        assert!(!bytes.knows(stretch(0)) && bytes.knows(stretch(1)));
        bytes.read(stretch(0), Ok(Piece::End));
        bytes.read(stretch(1), Ok(Piece::Bytes(vec![7])));
        assert_eq!(bytes.get(stretch(0)), None);
        assert_eq!(bytes.get(stretch(1)), Some(&Ok(Piece::Bytes(vec![7]))));
        assert_eq!(bytes.get(stretch(2)), None);
    }
}
