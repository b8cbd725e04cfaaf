//! Tables as text for other programs. Ref: RFC 4180.

/// A table: the names of its columns, and its rows.
#[must_use]
pub fn csv(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        for (at, cell) in cells.enumerate() {
            if at > 0 {
                text.push(',');
            }
            if cell.contains([',', '"', '\n', '\r']) {
                text.push('"');
                text.push_str(&cell.replace('"', "\"\""));
                text.push('"');
            } else {
                text.push_str(cell);
            }
        }
        text.push_str("\r\n");
    };
    line(&mut head.iter().copied());
    for row in rows {
        line(&mut row.iter().map(String::as_str));
    }
    text
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
