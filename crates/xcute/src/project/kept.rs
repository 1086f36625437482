//! Cases that are kept with a project, to be repeated before a search: `CASES/ENTRY/passed/*.json` and `CASES/ENTRY/failed/*.json`.
//!
//! **Invariant.** A case is kept only where a repetition agreed with it at once: what is different later is a change of the program. Only files of these
//! directories are ever removed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};

use super::again::run;
use crate::exit::Exit;
use crate::front::CaseText;
use crate::interrupt::Interrupt;
use crate::results::case_files;
use crate::temporary;

/// No more cases that passed are kept for an entry.
const MOST: usize = 20;

/// A case that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub file: PathBuf,
    /// Whether it is one that failed.
    pub failed: bool,
}

/// What became of kept cases.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reruns {
    pub count: usize,
    /// Those that passed and fail now.
    pub failing: Vec<Kept>,
    /// Those that failed and pass now.
    pub passing: Vec<Kept>,
    /// Those that cannot be repeated, and why.
    pub lost: Vec<(Kept, String)>,
    /// How many there was no time for.
    pub left: usize,
}

/// Where the cases of an entry are, and the project they belong to.
pub struct Keeper<'a> {
    pub root: &'a Path,
    pub directory: PathBuf,
    pub interrupt: &'a Interrupt,
}

const FOLDERS: [(&str, bool); 2] = [("failed", true), ("passed", false)];

impl Keeper<'_> {
    /// The cases that are there, those that failed first.
    pub fn list(&self) -> Vec<Kept> {
        let list =
            |(folder, failed): (&str, bool)| case_files(&self.directory.join(folder)).into_iter().map(move |file| Kept { file, failed });
        FOLDERS.into_iter().flat_map(list).collect()
    }

    /// Repeats all of them, until there is no time left.
    pub fn rerun(&self, until: Option<Instant>) -> Result<Reruns> {
        let mut all = Reruns::default();
        for kept in self.list() {
            if self.interrupt.came() || until.is_some_and(|until| Instant::now() >= until) {
                all.left += 1;
                continue;
            }
            all.count += 1;
            let text = CaseText::read(&kept.file).and_then(|case| case.placed(self.root));
            match text.and_then(|text| self.repeat(&text)) {
                Ok((Exit::NoFailure, _)) if kept.failed => all.passing.push(kept),
                Ok((Exit::Failures, _)) if !kept.failed => all.failing.push(kept),
                Ok((Exit::NoFailure | Exit::Failures, _)) => {}
                Ok((_, why)) => all.lost.push((kept, why)),
                Err(error) => all.lost.push((kept, format!("{error:#}"))),
            }
        }
        Ok(all)
    }

    /// Keeps the cases of results directories instead of those that are there; how many, and how many more there are.
    pub fn keep(&self, results: &[PathBuf]) -> Result<(usize, usize)> {
        for kept in self.list() {
            fs::remove_file(&kept.file).with_context(|| format!("cannot remove {}", kept.file.display()))?;
        }
        let (mut number, mut passed, mut more) = (0, 0, 0);
        for dir in results {
            for (folder, failed) in [("failures", true), ("cases", false)] {
                let cases = case_files(&dir.join(folder)).into_iter().filter_map(|file| CaseText::read(&file).ok());
                // Those that could not be confirmed, and those of failing runs among the others, would not agree.
                let wanted = |case: &CaseText| {
                    let doubted = case.path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('u'));
                    !doubted && (failed || case.outcome() != "failed")
                };
                for case in cases.filter(wanted) {
                    if self.interrupt.came() || (!failed && passed == MOST) {
                        more += 1;
                        continue;
                    }
                    let portable = case.portable(self.root)?;
                    let expected = if failed { Exit::Failures } else { Exit::NoFailure };
                    let text = CaseText::of(&case.path, &portable)?.placed(self.root)?;
                    if !matches!(self.repeat(&text), Ok((exit, _)) if exit == expected) {
                        continue;
                    }
                    passed += usize::from(!failed);
                    number += 1;
                    self.write(number, failed, &portable)?;
                }
            }
        }
        Ok((number, more))
    }

    fn write(&self, number: usize, failed: bool, text: &str) -> Result<()> {
        let folder = self.directory.join(if failed { "failed" } else { "passed" });
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let file = folder.join(format!("{number:03}.json"));
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
    }

    /// What a case does now, and why it could not be repeated.
    fn repeat(&self, text: &str) -> Result<(Exit, String)> {
        let place = temporary::directory()?;
        let file = place.path().join("case.json");
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        let again = run(&["replay".to_owned(), file.display().to_string()], self.root, self.interrupt)?;
        let why = again.stderr.lines().last().unwrap_or_default();
        Ok((again.exit, why.strip_prefix("xcute: ").unwrap_or(why).to_owned()))
    }
}
