//! Corpora of fuzzers, for every language with bytes as inputs: directories with one file per input, named by its SHA-1 as libFuzzer does.
//!
//! **Invariant.** Files are read in the order of their names, and a file that is there already is not written again.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use crate::hash::sha1;

/// The most bytes of a file that count if nobody says how many.
const LONGEST: usize = 4096;

/// Which corpora, as they are typed.
#[derive(Debug, Default, Args)]
pub struct CorpusArguments {
    /// Start with the inputs in this directory: a corpus of a fuzzer
    #[arg(hide_short_help = true, long, visible_alias = "seeds", value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Add the inputs that covered something new to this directory, named as libFuzzer does
    #[arg(hide_short_help = true, long, value_name = "DIR")]
    pub export_corpus: Option<PathBuf>,
}

/// The inputs of a corpus.
#[derive(Debug, Default)]
pub struct Corpus {
    inputs: Vec<Vec<u8>>,
}

impl Corpus {
    /// Reads all files of a directory and of those below it.
    pub fn read(directory: &Path) -> Result<Corpus> {
        let mut files = Vec::new();
        list(directory, &mut files)?;
        files.sort();
        let read = |path: &PathBuf| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        Ok(Corpus { inputs: files.iter().map(read).collect::<Result<_>>()? })
    }

    /// The length of its longest input, as far as it counts.
    pub fn longest(&self) -> u32 {
        let longest = self.inputs.iter().map(Vec::len).max().unwrap_or(0).min(LONGEST);
        u32::try_from(longest).expect("LONGEST is small")
    }

    /// Its inputs.
    pub fn inputs(&self) -> &[Vec<u8>] {
        &self.inputs
    }
}

fn list(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let cannot = || format!("cannot read the corpus {}", directory.display());
    for entry in fs::read_dir(directory).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Adds an input to a corpus.
pub fn add(directory: &Path, input: &[u8]) -> Result<()> {
    let path = directory.join(sha1(input));
    if path.exists() {
        return Ok(());
    }
    fs::create_dir_all(directory)
        .and_then(|()| fs::write(&path, input))
        .with_context(|| format!("cannot write {} (choose another directory with --export-corpus)", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_is_read_once() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("corpus");
        add(&directory, b"abc").unwrap();
        add(&directory, b"abc").unwrap();
        add(&directory.join("more"), b"abcd").unwrap();
        assert!(directory.join("a9993e364706816aba3e25717850c26c9cd0d89d").exists());
        let corpus = Corpus::read(&directory).unwrap();
        assert_eq!((corpus.inputs.len(), corpus.longest()), (2, 4));
        assert!(Corpus::read(&directory.join("nowhere")).unwrap_err().to_string().contains("nowhere"));
    }
}
