//! Tables as text for other programs. Ref: RFC 4180.

/// A table: the names of its columns, and its rows.
#[must_use]
pub fn csv(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let written = writer.write_record(head);
    let written =
        rows.into_iter().fold(written, |so_far, row| so_far.and(writer.write_record(row)));
    // Memory takes every byte, and all rows have as many cells as the head.
    let bytes = written.ok().and_then(|()| writer.into_inner().ok());
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_signs_are_quoted() {
        let rows =
            [vec!["1".to_owned(), "a \"b\", c".to_owned()], vec!["2".to_owned(), String::new()]];
        assert_eq!(csv(&["ino", "path"], rows), "ino,path\r\n1,\"a \"\"b\"\", c\"\r\n2,\r\n");
    }
}
