//! The inputs of a corpus as cases of a fuzzer's entry.

use xcute_c::fuzzed;
use xcute_c::inputs::TypeTable;
use xcute_engine::Seed;

use super::super::corpus::Corpus;

/// The cases, and how many of them had to be cut because the entry takes fewer bytes.
pub fn seeds(corpus: &Corpus, table: &TypeTable) -> (Vec<Seed>, usize) {
    let most = fuzzed::most(table).unwrap_or(0);
    let cut = corpus.inputs().iter().filter(|input| input.len() > most).count();
    let seed = |input: &Vec<u8>| {
        let mut seed = Seed::new();
        for (name, bits, word) in fuzzed::values(table, &input[..input.len().min(most)]) {
            seed.set(name, bits, word);
        }
        seed
    };
    (corpus.inputs().iter().map(seed).collect(), cut)
}
