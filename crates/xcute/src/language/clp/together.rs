//! One file of tests for each file of a program whose predicates are tested one after the other: a unit for each predicate.
//!
//! **Invariant.** A file that xcute has not written is not overwritten.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use xcute_clp::plunit::{Suite, Test};
use xcute_clp::syntax::{Atoms, Operators};

use super::plan::{self, ClpPlan};

/// What the first line of such a file says.
const WRITTEN: &str = "written by xcute clp";
/// Where the tests of a predicate begin.
const BEGIN: &str = ":- begin_tests(";

/// Where the file of tests goes.
#[derive(Clone, Debug)]
pub enum Where {
    /// Next to the file of the program.
    Beside,
    /// Into the results directory, as the file of the program lies below this one.
    Below(PathBuf),
}

/// The file of tests of a file.
pub struct Together {
    source: PathBuf,
    place: Where,
    made: Mutex<Made>,
}

struct Made {
    left: usize,
    tests: usize,
    text: String,
}

/// The tests that are in a file after the last of its predicates.
pub struct Written {
    pub file: PathBuf,
    pub tests: usize,
}

/// A file of tests for each file of these campaigns.
pub fn of(plans: &[ClpPlan], place: &Where) -> Result<BTreeMap<PathBuf, Arc<Together>>> {
    let mut counts: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for plan in plans {
        *counts.entry(plan.file.clone()).or_insert(0) += 1;
    }
    let mut made = BTreeMap::new();
    for (source, left) in counts {
        let together =
            Together { source: source.clone(), place: place.clone(), made: Mutex::new(Made { left, tests: 0, text: String::new() }) };
        let file = together.file(Path::new(""));
        if let (Where::Beside, Ok(text)) = (place, std::fs::read_to_string(&file))
            && !text.lines().next().is_some_and(|line| line.contains(WRITTEN))
        {
            bail!("cannot write tests to {}: it is there, and xcute has not written it (leave out --beside)", file.display());
        }
        made.insert(source, Arc::new(together));
    }
    Ok(made)
}

impl Together {
    /// The file, where results go to this directory.
    fn file(&self, results: &Path) -> PathBuf {
        match &self.place {
            Where::Beside => self.source.with_extension("plt"),
            Where::Below(root) => results.join(self.source.strip_prefix(root).unwrap_or(&self.source)).with_extension("plt"),
        }
    }

    /// Takes in the tests of a predicate, whose own results directory is below that of all; what is there when all are done.
    pub fn add(
        &self,
        suite: &Suite,
        (name, out): (&str, &Path),
        tests: &[Test],
        atoms: &Atoms,
        operators: &Operators,
    ) -> Result<Option<Written>> {
        let file = self.file(out.parent().unwrap_or(out));
        let directory = file.parent().unwrap_or(out).to_owned();
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.left = made.left.saturating_sub(1);
        if !tests.is_empty() {
            std::fs::create_dir_all(&directory).with_context(|| format!("cannot make {}", directory.display()))?;
            let stem = plan::stem(&self.source);
            let title = format!("Tests of {}, {WRITTEN}", self.source.display());
            let unit = Some(format!("{stem}_{}", name.replace('/', "_")));
            let text = Suite { title, file: stem, unit, ..suite.clone() }.text(tests, &directory, atoms, operators);
            if !made.text.is_empty() {
                made.text.push('\n');
            }
            let from = if made.text.is_empty() { 0 } else { text.find(BEGIN).unwrap_or(0) };
            made.text.push_str(&text[from..]);
            made.tests += tests.len();
            let new = file.with_extension("plt.new");
            let written = std::fs::write(&new, &made.text).and_then(|()| std::fs::rename(&new, &file));
            written.with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok((made.left == 0 && made.tests > 0).then_some(Written { file, tests: made.tests }))
    }
}
