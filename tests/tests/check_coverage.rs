//! What the check says of its own coverage is what its source shows.

use std::collections::BTreeSet;

use extscope::check::{Code, NOT_YET, Reach};
use extscope_tests::source;

/// Names of problems that the passes use; the table and the list of what is missing left out.
fn used() -> BTreeSet<String> {
    let folder = source::root().join("crate/src/check");
    let mut used = BTreeSet::new();
    for file in source::rust_files(&folder) {
        let short = source::short(&file);
        if short.contains("/problem/") || short.ends_with("coverage.rs") {
            continue;
        }
        let mentions = source::identifiers(&source::tokens(&file)).into_iter();
        used.extend(mentions.map(|mention| mention.name).filter(|name| name.starts_with("PR_")));
    }
    used
}

#[test]
fn problems_are_listed_as_missing_exactly_when_no_pass_tells_them() {
    let used = used();
    let missing: BTreeSet<&str> = Code::all()
        .filter(|row| row.reach == Reach::Told && !used.contains(row.name))
        .map(|row| row.name)
        .collect();
    assert_eq!(missing, NOT_YET.iter().copied().collect());
}

#[test]
fn no_pass_tells_what_e2fsck_never_tells_without_writing() {
    for name in used() {
        let code = Code::from_name(&name).unwrap_or_else(|| panic!("{name} is no problem"));
        assert!(matches!(code.row().reach, Reach::Told | Reach::List), "{name}");
    }
}
