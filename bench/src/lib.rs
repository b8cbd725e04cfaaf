//! Measures extscope.
//!
//! Absolute speeds on a shared machine move by a factor of two from run to run, ratios within one
//! run by a few percent. So everything here is a ratio: each sample of a kernel lies between two
//! of the fastest way to only read the same bytes, and the median of those pairs counts.
//!
//! *Belongs here:* bits and images to measure on, the cases with their goals, and the measuring.
//! *Does not:* tests of whether answers are right; those lie beside the code.

pub mod cases;
#[cfg(unix)]
pub mod checks;
pub mod fill;
#[cfg(unix)]
mod fragment;
#[cfg(unix)]
pub mod image;
#[cfg(unix)]
mod owners;
#[cfg(not(target_arch = "wasm32"))]
pub mod paired;
#[cfg(unix)]
pub mod peers;
pub mod plain;
mod read;
#[cfg(not(target_arch = "wasm32"))]
pub mod threads;
mod truth;
pub mod verdict;

pub use read::read;
pub use truth::Truth;

/// A folder for images that goes away with its owner.
///
/// # Errors
/// The machine's folder for temporary files cannot be written.
#[cfg(not(target_arch = "wasm32"))]
pub fn scratch() -> std::io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("extscope-bench-").tempdir()
}
