//! Tables as text.

use std::fmt;

use extscope::task::{Progress, Step};
use extscope::{Error, ErrorKind, Result};
use serde::Serialize;

use super::Output;
use crate::protocol::TableFormat;

/// The rows of a table as they come.
pub(super) trait Rows {
    /// A row; its fields are the columns.
    type Row: Serialize;

    /// Adds the rows of one step; tells at the end what is missing from them all.
    ///
    /// # Errors
    /// Whatever keeps the rest from coming.
    fn step(&mut self, rows: &mut Vec<Self::Row>) -> Result<Step<Vec<String>>>;

    /// How far they are.
    fn progress(&self) -> Progress;
}

/// Rows that are all here.
impl<R: Serialize> Rows for Vec<R> {
    type Row = R;

    fn step(&mut self, rows: &mut Vec<R>) -> Result<Step<Vec<String>>> {
        rows.append(self);
        Ok(Step::Done(Vec::new()))
    }

    fn progress(&self) -> Progress {
        Progress::default()
    }
}

/// A table being written.
#[derive(Debug)]
pub(super) struct Written<R> {
    rows: R,
    format: TableFormat,
    has_begun: bool,
}

impl<R: Rows> Written<R> {
    /// Nothing is written yet.
    pub(super) const fn new(rows: R, format: TableFormat) -> Self {
        Self { rows, format, has_begun: false }
    }

    fn write(&mut self, rows: &[R::Row], bytes: &mut Vec<u8>) -> Result<()> {
        match self.format {
            TableFormat::Csv => {
                let mut writer = csv::WriterBuilder::new()
                    .terminator(csv::Terminator::CRLF)
                    .has_headers(!self.has_begun)
                    .from_writer(bytes);
                for row in rows {
                    writer.serialize(row).map_err(unwritten)?;
                }
                writer.flush().map_err(unwritten)?;
            }
            TableFormat::Json => {
                for (at, row) in rows.iter().enumerate() {
                    let is_first = !self.has_begun && at == 0;
                    bytes.extend(if is_first { b"[\n" } else { b",\n" });
                    serde_json::to_writer(&mut *bytes, row).map_err(unwritten)?;
                }
            }
        }
        self.has_begun |= !rows.is_empty();
        Ok(())
    }
}

impl<R: Rows> Output for Written<R> {
    fn step(&mut self, bytes: &mut Vec<u8>) -> Result<Step<Vec<String>>> {
        let mut rows = Vec::new();
        let step = self.rows.step(&mut rows)?;
        self.write(&rows, bytes)?;
        if self.format == TableFormat::Json && step != Step::More {
            bytes.extend(if self.has_begun { b"\n]\n".as_slice() } else { b"[]\n" });
        }
        Ok(step)
    }

    fn progress(&self) -> Progress {
        self.rows.progress()
    }
}

/// Why something could not be put into words for programs.
pub(super) fn unwritten(cause: impl fmt::Display) -> Error {
    Error::new(ErrorKind::Io, "what was read cannot be written down").with_cause(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Row {
        ino: u32,
        path: Option<String>,
    }

    fn written(format: TableFormat, paths: &[Option<&str>]) -> String {
        let row = |(ino, path): (u32, &Option<&str>)| Row { ino, path: path.map(Into::into) };
        let rows: Vec<_> = (1..).zip(paths).map(row).collect();
        let (mut table, mut bytes) = (Written::new(rows, format), Vec::new());
        assert_eq!(table.step(&mut bytes).expect("it can be written"), Step::Done(Vec::new()));
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn a_table_is_quoted_where_its_format_asks() {
        let paths = [Some("a \"b\", c"), None];
        assert_eq!(written(TableFormat::Csv, &paths), "ino,path\r\n1,\"a \"\"b\"\", c\"\r\n2,\r\n");
        let json = "[\n{\"ino\":1,\"path\":\"a \\\"b\\\", c\"},\n{\"ino\":2,\"path\":null}\n]\n";
        assert_eq!(written(TableFormat::Json, &paths), json);
    }

    #[test]
    fn a_table_without_rows_is_one_all_the_same() {
        assert_eq!(written(TableFormat::Csv, &[]), "");
        assert_eq!(written(TableFormat::Json, &[]), "[]\n");
    }
}
