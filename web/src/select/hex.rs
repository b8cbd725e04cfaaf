//! A block's bytes and fields, as the page shows them.

use crate::protocol::{CsumState, StructureReport};

/// Turns of tints for fields that lie beside one another.
pub const TINTS: usize = 5;

/// A line of the table of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HexLine {
    /// A structure begins; its place among the parts.
    Part(usize),
    /// A field; its place among the fields.
    Field(usize),
}

/// What is known of each byte of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteMarks {
    /// The field that a byte is of.
    pub field: Vec<Option<usize>>,
    /// Whether a checksum covers it.
    pub is_covered: Vec<bool>,
}

/// The lines of the table of fields: each structure ahead of its fields.
#[must_use]
pub fn hex_lines(structure: &StructureReport) -> Vec<HexLine> {
    let mut lines = Vec::with_capacity(structure.fields.len() + structure.parts.len());
    let mut part = None;
    for (at, field) in structure.fields.iter().enumerate() {
        if part != Some(field.part) {
            part = Some(field.part);
            lines.push(HexLine::Part(field.part as usize));
        }
        lines.push(HexLine::Field(at));
    }
    lines
}

/// The field that a byte of the block is of, if it is of any.
#[must_use]
pub fn field_at(structure: &StructureReport, byte: u64) -> Option<usize> {
    structure.fields.iter().position(|field| {
        let at = u64::from(field.at);
        (at..at.saturating_add(field.len.into())).contains(&byte)
    })
}

/// The first field of the structure behind that of the chosen field, or ahead of it; of the first
/// or the last where none is chosen.
#[must_use]
pub fn next_part(
    structure: &StructureReport,
    chosen: Option<usize>,
    forward: bool,
) -> Option<usize> {
    let part = |at: usize| structure.fields.get(at).map(|field| field.part);
    let here = chosen.and_then(part);
    let mut starts = hex_lines(structure).into_iter().scan(false, |is_start, line| {
        let was_start = core::mem::replace(is_start, matches!(line, HexLine::Part(_)));
        Some(match line {
            HexLine::Field(at) if was_start => Some(at),
            _ => None,
        })
    });
    let starts: Vec<usize> = starts.by_ref().flatten().collect();
    let at = starts.iter().position(|start| here.is_some() && part(*start) == here);
    match (at, forward) {
        (None, true) => starts.first().copied(),
        (None, false) => starts.last().copied(),
        (Some(at), true) => starts.get(at + 1).copied(),
        (Some(at), false) => at.checked_sub(1).and_then(|at| starts.get(at).copied()),
    }
}

/// What is known of each of `len` bytes.
#[must_use]
pub fn byte_marks(structure: &StructureReport, len: usize) -> ByteMarks {
    let mut marks = ByteMarks { field: vec![None; len], is_covered: vec![false; len] };
    let range = |at: u32, of: u32| at as usize..(at as usize).saturating_add(of as usize).min(len);
    for (index, field) in structure.fields.iter().enumerate() {
        if let Some(bytes) = marks.field.get_mut(range(field.at, field.len)) {
            bytes.fill(Some(index));
        }
    }
    for (at, of) in structure.parts.iter().flat_map(|part| &part.covered) {
        if let Some(bytes) = marks.is_covered.get_mut(range(*at, *of)) {
            bytes.fill(true);
        }
    }
    marks
}

/// What the checksums of a block say together, where there are any.
#[must_use]
pub fn csums(structure: &StructureReport) -> Option<(CsumState, usize)> {
    let count = |state| structure.parts.iter().filter(|part| part.csum == state).count();
    match (count(CsumState::Bad), count(CsumState::Good)) {
        (0, 0) => None,
        (0, good) => Some((CsumState::Good, good)),
        (bad, _) => Some((CsumState::Bad, bad)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{FieldReport, PartReport};

    fn structure() -> StructureReport {
        let part = |at, csum| PartReport {
            name: "inode".into(),
            at,
            len: 8,
            csum,
            covered: vec![(at, 4)],
        };
        let field = |part, at, len| FieldReport {
            part,
            at,
            len,
            name: "field".into(),
            value: "0".into(),
            lead: None,
        };
        StructureReport {
            fsblk: 5,
            offset: 5120,
            name: "Inode table".into(),
            by_looks: false,
            parts: vec![part(0, CsumState::Good), part(8, CsumState::Bad)],
            fields: vec![field(0, 0, 4), field(0, 6, 2), field(1, 8, 100)],
        }
    }

    #[test]
    fn each_structure_stands_ahead_of_its_fields() {
        use HexLine::{Field, Part};
        assert_eq!(hex_lines(&structure()), [Part(0), Field(0), Field(1), Part(1), Field(2)]);
        assert_eq!(csums(&structure()), Some((CsumState::Bad, 1)));
    }

    #[test]
    fn structures_are_gone_through_from_one_to_the_next() {
        let structure = structure();
        let next = |chosen, forward| next_part(&structure, chosen, forward);
        assert_eq!(
            [next(None, true), next(Some(1), true), next(Some(2), true)],
            [Some(0), Some(2), None]
        );
        assert_eq!(
            [next(None, false), next(Some(2), false), next(Some(1), false)],
            [Some(2), Some(0), None]
        );
        assert_eq!(
            [0, 4, 7, 50].map(|byte| field_at(&structure, byte)),
            [Some(0), None, Some(1), Some(2)]
        );
    }

    #[test]
    fn bytes_know_their_field_and_nothing_lies_past_the_block() {
        let marks = byte_marks(&structure(), 12);
        let due = [Some(0), None, Some(1), Some(2), Some(2)];
        assert_eq!([3, 4, 7, 8, 11].map(|at: usize| marks.field[at]), due);
        let covered: Vec<usize> = (0..12).filter(|&at| marks.is_covered[at]).collect();
        assert_eq!(covered, [0, 1, 2, 3, 8, 9, 10, 11]);
    }
}
