//! Words within HTML, SVG and XML.

use core::fmt::{self, Display, Write};

/// Text in which nothing is markup. What no such document may hold, as most control characters, is
/// shown as U+FFFD.
///
/// Ref: <https://www.w3.org/TR/xml/#charsets>.
#[derive(Clone, Copy, Debug)]
pub struct Plain<T>(pub T);

impl<T: Display> Display for Plain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.to_string().chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' | '\r' => f.write_char(letter)?,
                '\0'..' ' | '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                letter => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        let text = Plain("<b a=\"1\" c='2'>&</b>").to_string();
        assert_eq!(text, "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&lt;/b&gt;");
    }

    #[test]
    fn what_a_document_may_not_hold_is_replaced() {
        assert_eq!(Plain("a\u{1}\tb]]>\u{ffff}").to_string(), "a\u{fffd}\tb]]&gt;\u{fffd}");
    }
}
