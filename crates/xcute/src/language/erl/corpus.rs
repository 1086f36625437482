//! Corpora of fuzzers for functions of one argument: each file is a binary.

use std::path::PathBuf;

use anyhow::{Result, bail};
use xcute_engine::Seed;
use xcute_erl::etf::Term;
use xcute_erl::subject::ErlSubject;
use xcute_term::Terms;

use super::super::corpus::{Corpus, CorpusArguments};
use super::plan::Tested;
use crate::talk;

/// Where inputs come from and go to.
#[derive(Debug, Default)]
pub struct Corpora {
    corpus: Option<Corpus>,
    /// A corpus to add to.
    pub export: Option<PathBuf>,
}

impl Corpora {
    /// Reads what was asked for. The functions must take one argument.
    pub fn of(low: CorpusArguments, functions: &[Tested]) -> Result<Corpora> {
        let option = if low.corpus.is_some() { "--corpus" } else { "--export-corpus" };
        if let Some(other) = functions.iter().find(|tested| tested.arity != 1)
            && (low.corpus.is_some() || low.export_corpus.is_some())
        {
            bail!("cannot use {option}: a file of a corpus is one argument, a binary, and {} has {}", other.name(false), other.arity);
        }
        Ok(Corpora { corpus: low.corpus.as_deref().map(Corpus::read).transpose()?, export: low.export_corpus })
    }

    /// The cases of the corpus. Files with more bytes than an input may have are left out, and counted.
    pub fn seeds(&self, subject: &mut ErlSubject) -> Vec<Seed> {
        let Some(corpus) = &self.corpus else { return Vec::new() };
        let mut terms = Terms::new();
        let case = |input: &Vec<u8>| subject.case_external(&mut terms, &external(input)).map(|case| Seed::of(&terms, &case));
        let seeds: Vec<Seed> = corpus.inputs().iter().filter_map(case).collect();
        let left = corpus.inputs().len() - seeds.len();
        if left > 0 {
            talk::say(&format!(
                "{left} of the corpus's files are left out: they have more bytes than an input may have (--term-depth allows more)"
            ));
        }
        seeds
    }
}

/// The bytes of a case with one argument, if that is a binary.
pub fn bytes(arguments: &[Term]) -> Option<Vec<u8>> {
    match arguments {
        [Term::Bits(bytes, bits)] if *bits == 8 * bytes.len() => Some(bytes.to_vec()),
        _ => None,
    }
}

/// The external term of a list with one binary.
fn external(input: &[u8]) -> Vec<u8> {
    const HEAD: [u8; 7] = [131, 108, 0, 0, 0, 1, 109];
    let length = u32::try_from(input.len()).expect("files of a corpus are small").to_be_bytes();
    [&HEAD[..], &length, input, &[106]].concat()
}
