//! Names as a shell takes them.

/// A file's name as one word of a command, which no command takes for an option.
#[must_use]
pub fn quoted(name: &str) -> String {
    let name = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"._-/+,:@%".contains(&b);
    if !name.is_empty() && name.bytes().all(is_plain) {
        name
    } else {
        format!("'{}'", name.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_quoted_where_a_shell_would_take_it_apart() {
        assert_eq!(quoted("a.img"), "a.img");
        assert_eq!(quoted("my disk's.img"), r"'my disk'\''s.img'");
        assert_eq!(quoted("$(rm x)"), "'$(rm x)'");
        assert_eq!(quoted("-f"), "./-f");
        assert_eq!(quoted(""), "''");
    }
}
