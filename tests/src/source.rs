//! The project's own source, as its tests look at it.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The project's folder.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace")
}

/// All files below `folder` that git does not ignore, sorted.
///
/// # Panics
/// When a folder cannot be listed.
#[must_use]
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let walk = WalkBuilder::new(folder)
        .hidden(false)
        .require_git(false)
        .git_global(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .sort_by_file_name(Ord::cmp)
        .build();
    walk.map(|entry| entry.expect("the project's folders can be listed"))
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(ignore::DirEntry::into_path)
        .collect()
}

/// The Rust files below `folder`.
#[must_use]
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = files(folder);
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files
}

/// A file's path from the project's folder on, for messages.
#[must_use]
pub fn short(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

/// The text of a file.
///
/// # Panics
/// When it is not text.
#[must_use]
pub fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", short(file)))
}

/// One mention of a name in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mention {
    /// The name.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
}

/// The tokens of a Rust file: what the compiler sees, without comments, strings apart.
///
/// # Panics
/// When it is not Rust.
#[must_use]
pub fn tokens(file: &Path) -> TokenStream {
    text(file).parse().unwrap_or_else(|error| panic!("{}: {error}", short(file)))
}

/// Every identifier.
#[must_use]
pub fn identifiers(tokens: &TokenStream) -> Vec<Mention> {
    let mut found = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => found.extend(identifiers(&group.stream())),
            TokenTree::Ident(ident) => {
                found.push(Mention { name: ident.to_string(), line: ident.span().start().line });
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

/// What is named directly below the root `krate`: `fs` of `krate::fs::Geometry`, `fs` and `io` of
/// `krate::{fs, io::ByteSource}`; in attributes, macros and bodies alike.
///
/// `depth` is how many `super`s lead from the file to its crate's root; with `krate` = `crate`,
/// such paths count, too.
#[must_use]
pub fn below_root(tokens: &TokenStream, krate: &str, depth: usize) -> Vec<Mention> {
    let mut found = Vec::new();
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut supers = 0;
    for (i, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            let is_module = i >= 2 && is_ident(&tokens[i - 2], "mod");
            found.extend(below_root(&group.stream(), krate, depth + usize::from(is_module)));
        }
        let follows_path = i >= 2 && is_colon(&tokens[i - 1]) && is_colon(&tokens[i - 2]);
        supers = match (is_ident(token, "super"), follows_path) {
            (true, true) => supers + 1,
            (true, false) => 1,
            (false, _) if is_colon(token) => supers,
            (false, _) => 0,
        };
        let at_root = is_ident(token, krate) && !follows_path
            || krate == "crate" && supers == depth && is_ident(token, "super");
        if at_root && tokens.get(i + 1).is_some_and(is_colon) {
            found.extend(tokens.get(i + 3).map(heads).unwrap_or_default());
        }
    }
    found
}

/// The first names of what follows a path: one, or the start of each branch in braces.
fn heads(token: &TokenTree) -> Vec<Mention> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let mut at_start = true;
            let mut found = Vec::new();
            for token in group.stream() {
                if at_start {
                    found.extend(heads(&token));
                }
                at_start = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == ',');
            }
            found
        }
        TokenTree::Ident(ident) => {
            vec![Mention { name: ident.to_string(), line: ident.span().start().line }]
        }
        _ => Vec::new(),
    }
}

fn is_ident(token: &TokenTree, name: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == name)
}

fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == ':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str, krate: &str, depth: usize) -> Vec<String> {
        let tokens = source.parse().expect("Rust");
        below_root(&tokens, krate, depth).into_iter().map(|mention| mention.name).collect()
    }

    #[test]
    fn finds_paths_in_uses_bodies_and_macros() {
        let source = "use crate::{a, b::{c, d}, e as f}; fn g() { h!(crate::i::j) } // crate::k";
        assert_eq!(names(source, "crate", 1), ["a", "b", "e", "i"]);
        assert_eq!(names("use extscope::io::File;", "extscope", 1), ["io"]);
        assert_eq!(names("use other::crate_like; let crates = a::b;", "crate", 1), [""; 0]);
    }

    #[test]
    fn finds_paths_that_climb_to_the_root() {
        assert_eq!(names("use super::a; use super::super::b::c;", "crate", 2), ["b"]);
        assert_eq!(names("mod t { use super::a; use super::super::b; }", "crate", 1), ["b"]);
        assert_eq!(names("use super::{a, b};", "crate", 1), ["a", "b"]);
    }
}
