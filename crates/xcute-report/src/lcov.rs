//! Coverage as an lcov tracefile, for `genhtml` and editors. Format: geninfo(1).

use std::fmt::Write;

use crate::coverage::{FileCoverage, SourceCoverage};

/// The tracefile. Hit counts are 0 or 1: the suite is counted, not its runs.
#[must_use]
pub fn render(coverage: &SourceCoverage) -> String {
    let mut text = String::new();
    for (path, file) in &coverage.files {
        // Writing to a string cannot fail.
        let _ = record(&mut text, path, file);
    }
    text
}

fn record(out: &mut String, path: &str, file: &FileCoverage) -> std::fmt::Result {
    writeln!(out, "TN:\nSF:{path}")?;
    for function in &file.functions {
        writeln!(out, "FN:{},{}", function.line, function.name)?;
    }
    for function in &file.functions {
        writeln!(out, "FNDA:{},{}", u8::from(function.entered), function.name)?;
    }
    writeln!(out, "FNF:{}\nFNH:{}", file.functions.len(), file.functions.iter().filter(|function| function.entered).count())?;
    for arm in &file.branches {
        // A branch whose line never ran is written `-`: not "not taken" but "not come by".
        let ran = file.lines.get(&arm.line).copied().unwrap_or(true);
        let hits = if !ran {
            "-"
        } else if arm.taken {
            "1"
        } else {
            "0"
        };
        writeln!(out, "BRDA:{},{},{},{hits}", arm.line, arm.branch, arm.arm)?;
    }
    writeln!(out, "BRF:{}\nBRH:{}", file.branches.len(), file.branches.iter().filter(|arm| arm.taken).count())?;
    for (line, ran) in &file.lines {
        writeln!(out, "DA:{line},{}", u8::from(*ran))?;
    }
    writeln!(out, "LF:{}\nLH:{}", file.lines.len(), file.lines.values().filter(|ran| **ran).count())?;
    writeln!(out, "end_of_record")
}
