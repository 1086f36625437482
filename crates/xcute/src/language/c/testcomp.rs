//! Test suites in the exchange format of Test-Comp: `metadata.xml`, and one `testcase-N.xml` for each test.
//!
//! After the format's document type definitions, version 1.1 (<https://gitlab.com/sosy-lab/software/test-format>).
//!
//! **Invariant.** Inputs stand in the order in which the program takes them. A directory that holds something else is left alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use maud::{Markup, html};
use xcute_c::graph::InputGraph;
use xcute_c::replay::Replayer;
use xcute_c::sequence::{self, Taken};
use xcute_markup::document;

use crate::hash::sha256;

/// A suite that is being written.
#[derive(Debug)]
pub struct TestSuite {
    directory: PathBuf,
    /// The digests of the tests that there are: no two are the same. Holding it, one test is made at a time.
    tests: Mutex<BTreeSet<String>>,
}

impl TestSuite {
    /// Begins a suite for a program.
    pub fn create(directory: &Path, replayer: &Replayer) -> Result<TestSuite> {
        if let Some(name) = sequence::other_input(&replayer.table) {
            bail!("cannot use --testcomp: the input {name} does not come from __VERIFIER_nondet_…, and the format knows no others");
        }
        clear(directory)?;
        replayer.compiled()?;
        let suite = TestSuite { directory: directory.to_owned(), tests: Mutex::default() };
        suite.write("metadata.xml", &metadata(replayer)?)?;
        Ok(suite)
    }

    /// Adds a test.
    pub fn add(&self, replayer: &Replayer, graph: &InputGraph, covers_error: bool) -> Result<()> {
        let mut tests = self.tests.lock().unwrap_or_else(PoisonError::into_inner);
        let inputs = sequence::inputs(replayer, graph)?;
        let text = testcase(&inputs, covers_error);
        if !tests.insert(sha256(text.as_bytes())) {
            return Ok(());
        }
        self.write(&format!("testcase-{}.xml", tests.len()), &text)
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.directory.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {} (choose another directory with --testcomp)", path.display()))
    }
}

/// Makes the directory, or takes an earlier suite out of it.
fn clear(directory: &Path) -> Result<()> {
    let shown = directory.display();
    fs::create_dir_all(directory).with_context(|| format!("cannot create {shown}"))?;
    let ours = fs::read_to_string(directory.join("metadata.xml")).is_ok_and(|text| text.contains(&producer().0));
    for entry in fs::read_dir(directory).with_context(|| format!("cannot read {shown}"))? {
        let path = entry.with_context(|| format!("cannot read {shown}"))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !ours || !(name == "metadata.xml" || name.starts_with("testcase-")) {
            bail!("cannot write a test suite to {shown}: it holds files that are not xcute's (choose another with --testcomp)");
        }
        fs::remove_file(&path).with_context(|| format!("cannot clear {}", path.display()))?;
    }
    Ok(())
}

const PRODUCER: &str = concat!("xcute ", env!("CARGO_PKG_VERSION"));

/// What Test-Comp calls coverage of branches.
const SPECIFICATION: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";

fn metadata(replayer: &Replayer) -> Result<String> {
    let program = fs::read(replayer.source()).with_context(|| format!("cannot read {}", replayer.source().display()))?;
    let text = html! {
        test-metadata { "\n"
            "  " sourcecodelang { "C" } "\n"
            "  " (producer()) "\n"
            "  " specification { (SPECIFICATION) } "\n"
            "  " programfile { (replayer.source().display().to_string()) } "\n"
            "  " programhash { (sha256(&program)) } "\n"
            "  " entryfunction { (replayer.entry.shown()) } "\n"
            "  " architecture { "64bit" } "\n"
            "  " creationtime { (now()) } "\n"
        } "\n"
    };
    Ok(head("test-metadata") + &document(text))
}

fn producer() -> Markup {
    html! { producer { (PRODUCER) } }
}

fn testcase(inputs: &[Taken], covers_error: bool) -> String {
    let text = html! {
        testcase coversError=[covers_error.then_some("true")] { "\n"
            @for Taken { of, value } in inputs { "  " input type=(of) { (value) } "\n" }
        } "\n"
    };
    head("testcase") + &document(text)
}

fn head(root: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <!DOCTYPE {root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN\" \"https://sosy-lab.org/test-format/{root}-1.1.dtd\">\n"
    )
}

/// The time in UTC, as ISO 8601 has it.
fn now() -> String {
    iso(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

fn iso(seconds: u64) -> String {
    let (mut days, within) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}T{:02}:{:02}:{:02}Z", days + 1, within / 3600, within / 60 % 60, within % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(iso(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso(1_735_689_599), "2024-12-31T23:59:59Z");
    }

    #[test]
    fn tests_are_xml() {
        let inputs = [Taken { of: "int", value: "-5".into() }, Taken { of: "a<b>&\"c\"", value: "1".into() }];
        let text = testcase(&inputs, true);
        assert!(text.contains("<testcase coversError=\"true\">\n  <input type=\"int\">-5</input>\n"), "{text}");
        assert!(text.contains("<input type=\"a&lt;b&gt;&amp;&quot;c&quot;\">1</input>"), "{text}");
        assert!(testcase(&[], false).ends_with("<testcase>\n</testcase>\n"));
    }
}
