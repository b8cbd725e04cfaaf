//! Sentences that appear in more than one place, or that tests look for.

/// On the opening page.
pub const NOTHING_LEAVES: &str = "Nothing is uploaded and nothing is written.";
/// At the right of the status bar.
pub const LOCAL_ONLY: &str = "Local only, read only";
/// When the worker trapped.
pub const CRASHED: &str = "This is a fault of the program, not of your image.";

/// When the worker is of another build than the page.
pub const RENEWED: &str = "The page was renewed while it was open, and its engine is of another build. \
                           Load the page again.";

/// A sentence with a capital letter and a full stop; a field's name at its start stays as it is.
#[must_use]
pub fn sentence(what: &str) -> String {
    let what = what.trim_end_matches('.');
    let mut letters = what.chars();
    let is_name = what.split(' ').next().is_some_and(|word| word.contains('_'));
    match letters.next().filter(|_| !is_name) {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => format!("{what}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_begins_with_a_capital_or_a_fields_name_and_ends_with_one_stop() {
        assert_eq!(sentence("no superblock"), "No superblock.");
        assert_eq!(sentence("The end."), "The end.");
        assert_eq!(sentence("s_desc_size is 1"), "s_desc_size is 1.");
        assert_eq!(sentence(""), ".");
    }
}
