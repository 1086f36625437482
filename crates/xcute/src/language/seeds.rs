//! Cases of an earlier campaign that a search begins with.
//!
//! **Invariant.** Files are read in the order in which they are named, those of a directory by their names. A file that is not a case of the language is an error.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::front::CaseText;

/// Which cases, as they are typed.
#[derive(Debug, Default, Args)]
pub struct SeedArguments {
    /// Start with the input of a case file, or of all in a directory, such as xcute-out/cases of an earlier campaign; may be repeated
    #[arg(hide_short_help = true, long = "seed-case", value_name = "FILE|DIR")]
    pub seed_cases: Vec<PathBuf>,
}

impl SeedArguments {
    /// Reads the files, which have to be cases of this language.
    pub fn read(&self, language: &str) -> Result<Vec<CaseText>> {
        let mut files = Vec::new();
        for path in &self.seed_cases {
            if path.is_dir() { files.extend(list(path)?) } else { files.push(path.clone()) }
        }
        let case = |file: &PathBuf| {
            let case = CaseText::read(file)?;
            if case.language() != language {
                bail!("cannot begin with {}: it is not a case of xcute {language}", file.display());
            }
            Ok(case)
        };
        files.iter().map(case).collect()
    }
}

fn list(directory: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read {}", directory.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_read_in_order_and_those_of_other_languages_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let cases = place.path().join("cases");
        std::fs::create_dir(&cases).unwrap();
        for (name, language) in [("2.json", "toy"), ("1.json", "toy"), ("1.txt", "c")] {
            std::fs::write(cases.join(name), format!("{{\"xcute\": 1, \"language\": \"{language}\"}}")).unwrap();
        }
        let read = |paths: &[PathBuf]| SeedArguments { seed_cases: paths.to_vec() }.read("toy");
        let names: Vec<PathBuf> = read(&[cases.join("2.json"), cases.clone()]).unwrap().into_iter().map(|case| case.path).collect();
        assert_eq!(names, [cases.join("2.json"), cases.join("1.json"), cases.join("2.json")]);
        let refused = read(&[cases.join("1.txt")]).err().unwrap().to_string();
        assert!(refused.ends_with("1.txt: it is not a case of xcute toy"), "{refused}");
        assert!(read(&[cases.join("3.json")]).is_err());
    }
}
