//! Valgrind, which counts the instructions of the kernels.

use crate::run;

/// The package that brings it where it is missing.
pub(super) fn missing_packages() -> &'static [&'static str] {
    if run::find("valgrind").is_some() { &[] } else { &["valgrind"] }
}
