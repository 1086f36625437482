//! One file of tests for each module whose functions are tested one after the other.
//!
//! **Invariant.** After each function the file has the tests of all functions so far.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};

use super::plan::Tested;
use super::suite::{self, Tests};

/// The tests of a module.
pub struct Together {
    module: String,
    made: Mutex<Made>,
}

struct Made {
    /// Functions that are still to come.
    left: usize,
    tests: Vec<Tests>,
}

/// The tests that are in a file after the last of the functions of its module.
pub struct Written {
    pub file: PathBuf,
    pub tests: Vec<Tests>,
}

/// Tests for each module of these functions.
pub fn of(functions: &[Tested]) -> BTreeMap<String, Arc<Together>> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for tested in functions {
        *counts.entry(&tested.module).or_insert(0) += 1;
    }
    let together = |module: &String, left| Together { module: module.clone(), made: Mutex::new(Made { left, tests: Vec::new() }) };
    counts.into_iter().map(|(module, left)| (module.clone(), Arc::new(together(module, left)))).collect()
}

impl Together {
    /// Takes in the tests of the next function, if there are some, and writes the file to this directory; what is there when all are done.
    pub fn add(&self, tests: Option<Tests>, directory: &Path) -> Result<Option<Written>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.left = made.left.saturating_sub(1);
        let file = directory.join(suite::name(&self.module));
        if let Some(tests) = tests {
            made.tests.push(tests);
            let new = file.with_extension("erl.new");
            let written = std::fs::write(&new, suite::file(&self.module, &made.tests)).and_then(|()| std::fs::rename(&new, &file));
            written.with_context(|| format!("cannot write {}", file.display()))?;
        }
        let all = made.left == 0 && !made.tests.is_empty();
        Ok(all.then(|| Written { file, tests: std::mem::take(&mut made.tests) }))
    }
}
