//! Tables for spreadsheets and scripts: CSV as RFC 4180 has it, in UTF-8, numbers bare.

use std::fmt::{Display, Write as _};
use std::io::Write;

use crate::failure::Failure;

/// How a report that is a list is written.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Format {
    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,

    /// Write the list as CSV; docs/json.md explains the names
    #[arg(long)]
    pub(crate) csv: bool,
}

/// A table that is written row by row.
pub(crate) struct Table<W: Write> {
    writer: csv::Writer<W>,
    text: String,
}

impl<W: Write> Table<W> {
    /// Writes the names of the columns.
    pub(crate) fn new(out: W, columns: &[&str]) -> Result<Self, Failure> {
        let terminator = csv::Terminator::CRLF;
        let mut writer = csv::WriterBuilder::new().terminator(terminator).from_writer(out);
        writer.write_record(columns).map_err(std::io::Error::from)?;
        Ok(Self { writer, text: String::new() })
    }

    /// Writes a row, with as many cells as there are columns.
    pub(crate) fn row(&mut self, cells: &[&dyn Display]) -> Result<(), Failure> {
        for cell in cells {
            self.text.clear();
            // A string takes whatever is written.
            let _ = write!(self.text, "{cell}");
            self.writer.write_field(&self.text).map_err(std::io::Error::from)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(std::io::Error::from)?;
        Ok(())
    }

    /// Sends off what was written.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.writer.flush()?;
        Ok(())
    }
}

/// What there is, or an empty cell.
pub(crate) fn cell<T: Display>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut out = Vec::new();
        let mut table = Table::new(&mut out, &["name", "size"]).expect("memory takes it");
        table.row(&[&"a, \"b\"\nc", &cell(Some(5))]).expect("memory takes it");
        table.row(&[&"größe", &cell(None::<u8>)]).expect("memory takes it");
        table.finish().expect("memory takes it");
        let text = String::from_utf8(out).expect("text");
        assert_eq!(text, "name,size\r\n\"a, \"\"b\"\"\nc\",5\r\ngröße,\r\n");
    }

    #[test]
    fn a_row_of_another_length_is_refused() {
        let mut table = Table::new(Vec::new(), &["name", "size"]).expect("memory takes it");
        assert!(table.row(&[&1]).is_err());
    }
}
