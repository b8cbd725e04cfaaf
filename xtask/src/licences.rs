//! The licences of everything that is built into the page, the command line and the chores.

use anyhow::{Result, bail};

use crate::{paths, run};

/// Licences that ask for no more than a notice.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "BlueOak-1.0.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Checks the licence of each package that the lock file names and a target is built from.
///
/// # Errors
/// Some package has a licence that is not allowed, or none.
pub(crate) fn check() -> Result<()> {
    let arguments = "tree --workspace --edges normal,build --target all --prefix none --locked \
                     --no-dedupe --format {p}\t{l}";
    let mut command = run::command("cargo");
    let tree = run::output(command.args(arguments.split(' ')).current_dir(paths::root()))?;
    let mut packages: Vec<&str> = tree.lines().filter(|line| !line.is_empty()).collect();
    packages.sort_unstable();
    packages.dedup();
    let refused: Vec<&str> = packages
        .iter()
        .copied()
        .filter(|line| !line.split_once('\t').is_some_and(|(_, licence)| is_allowed(licence)))
        .collect();
    if !refused.is_empty() {
        bail!("not under an allowed licence:\n    {}", refused.join("\n    "));
    }
    println!("{} packages, all under allowed licences", packages.len());
    Ok(())
}

/// Whether an SPDX expression can be met with allowed licences alone.
///
/// Brackets are dropped and each `AND` part needs one allowed licence: that refuses some
/// expressions that could be met and accepts none that cannot.
fn is_allowed(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    plain.split(" AND ").all(|part| part.split(" OR ").any(|one| ALLOWED.contains(&one.trim())))
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn one_allowed_licence_of_a_choice_is_enough() {
        assert!(is_allowed("MIT/Apache-2.0"));
        assert!(is_allowed("MIT OR Apache-2.0 OR LGPL-2.1-or-later"));
        assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
    }

    #[test]
    fn a_licence_that_must_be_met_and_is_not_allowed_is_refused() {
        assert!(!is_allowed("GPL-2.0-only"));
        assert!(!is_allowed("MIT AND GPL-2.0-only"));
        assert!(!is_allowed(""));
    }
}
