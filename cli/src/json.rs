//! Reports for programs.

use std::io::Write;

use serde::Serialize;

use crate::failure::Failure;

/// Writes a report as one line of JSON.
pub(crate) fn write(report: &impl Serialize, out: &mut impl Write) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, report)?;
    writeln!(out)?;
    Ok(())
}
