//! Coverage as an lcov tracefile, for `genhtml` and editors, written and read back. Format: geninfo(1).

use std::fmt::Write;

use crate::coverage::{BranchArm, FileCoverage, FunctionCoverage, SourceCoverage};

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

/// Reads a tracefile that [`render`] wrote. Lines that say nothing that is kept, or that are not understood, are passed over.
#[must_use]
pub fn parse(text: &str) -> SourceCoverage {
    let mut coverage = SourceCoverage::default();
    let mut file = FileCoverage::default();
    let mut path = "";
    for line in text.lines() {
        let (what, rest) = line.split_once(':').unwrap_or((line, ""));
        match what {
            "SF" => path = rest,
            "end_of_record" => _ = coverage.files.insert(path.to_owned(), std::mem::take(&mut file)),
            _ => _ = take(&mut file, what, rest),
        }
    }
    coverage
}

fn take(file: &mut FileCoverage, what: &str, rest: &str) -> Option<()> {
    let (first, name) = rest.split_once(',')?;
    let number = first.parse().ok()?;
    match what {
        "FN" => file.functions.push(FunctionCoverage { name: name.to_owned(), line: number, entered: false, called: None }),
        "FNDA" => {
            // Functions come in the same order twice, and one name may be that of several.
            let next = file.functions.iter_mut().filter(|function| !function.entered).find(|function| function.name == name)?;
            next.entered = number > 0;
        }
        "BRDA" => {
            let mut parts = name.split(',');
            let (branch, arm, hits) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?);
            file.branches.push(BranchArm { line: number, branch, arm, taken: hits == "1", site: None });
        }
        "DA" => file.line(number, name != "0"),
        _ => {}
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let arm = |branch, arm, taken| BranchArm { line: 3, branch, arm, taken, site: None };
        let function = |name: &str, entered| FunctionCoverage { name: name.into(), line: 2, entered, called: None };
        let mut file = FileCoverage {
            functions: vec![function("f/1", true), function("g,h", false)],
            branches: vec![arm(0, 0, true), arm(0, 1, false), arm(1, 0, false)],
            ..FileCoverage::default()
        };
        file.line(3, true);
        file.line(5, false);
        let mut coverage = SourceCoverage::default();
        coverage.files.insert("a:b.c".to_owned(), file);
        coverage.files.insert("empty.c".to_owned(), FileCoverage::default());
        assert_eq!(parse(&render(&coverage)), coverage);
        assert_eq!(parse("SF:a.c\nnonsense\nDA:x,1\nend_of_record\n").files["a.c"], FileCoverage::default());
    }
}
