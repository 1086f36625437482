//! Changing an input at random: a few small changes on top of each other ("havoc").
//!
//! Bytes next to each other are a text: it is overwritten, shifted, filled, mixed with another one, and byte strings of the dictionary are put into it. All other inputs are numbers.
//!
//! **Invariant.** An input keeps its variables; each has a word of its width, and of its domain if it has one.

use fastrand::Rng;
use rustc_hash::FxHashMap;
use xcute_term::{Model, Terms, VarId};

use super::dictionary::Dictionary;

/// Numbers at which something often changes.
const EDGES: [u64; 14] = [0, 1, 2, 7, 8, 16, 31, 32, 63, 64, 100, 127, 255, 4096];
/// The longest piece of a text that is moved, removed or repeated.
const PIECE: usize = 16;

/// What changes inputs.
#[derive(Debug)]
pub(super) struct Mutator {
    random: Rng,
    /// The texts, and in which of them each input is.
    texts: Vec<Vec<VarId>>,
    text_of: FxHashMap<VarId, usize>,
    /// The bits of each input, by variable.
    bits: Vec<u32>,
}

/// An input that is being changed.
struct Draft<'a> {
    terms: &'a Terms,
    words: Vec<(VarId, u64)>,
}

impl Draft<'_> {
    fn get(&self, var: VarId) -> Option<u64> {
        self.words.binary_search_by_key(&var, |entry| entry.0).ok().map(|at| self.words[at].1)
    }

    fn set(&mut self, var: VarId, word: u64) {
        let Ok(at) = self.words.binary_search_by_key(&var, |entry| entry.0) else { return };
        if self.terms.domain(var).is_none_or(|domain| domain.binary_search(&word).is_ok()) {
            self.words[at].1 = word;
        }
    }
}

impl Mutator {
    pub(super) fn new(seed: u64) -> Mutator {
        Mutator { random: Rng::with_seed(seed), texts: Vec::new(), text_of: FxHashMap::default(), bits: Vec::new() }
    }

    pub(super) fn random(&mut self) -> &mut Rng {
        &mut self.random
    }

    /// Takes over the inputs that are known now.
    pub(super) fn learn(&mut self, texts: Vec<Vec<VarId>>, terms: &Terms) {
        self.text_of = texts.iter().enumerate().flat_map(|(at, text)| text.iter().map(move |&var| (var, at))).collect();
        self.texts = texts;
        let bits = |var| terms.info(VarId(u32::try_from(var).expect("fewer than 2^32 inputs"))).sort.width().unwrap_or(1).min(64);
        self.bits = (0..terms.var_count()).map(bits).collect();
    }

    /// Another input: this one, changed.
    pub(super) fn change(&mut self, terms: &Terms, base: &Model, other: &Model, dictionary: &Dictionary) -> Model {
        let mut draft = Draft { terms, words: base.words().to_vec() };
        for _ in 0..1 << self.random.u32(0..4) {
            let at = self.random.usize(..draft.words.len());
            let var = draft.words[at].0;
            match self.text_of.get(&var).copied() {
                _ if !dictionary.placed.is_empty() && self.random.u32(..16) == 0 => {
                    let values = &dictionary.placed[self.random.usize(..dictionary.placed.len())];
                    values.iter().for_each(|&(var, word)| draft.set(var, word));
                }
                Some(text) if self.random.u32(..4) != 0 => self.change_text(&mut draft, text, var, other, dictionary),
                _ => self.change_word(&mut draft, var, dictionary),
            }
        }
        let mut input = Model::from_words(draft.words);
        base.others().iter().for_each(|(var, value)| input.set(*var, value.clone()));
        input
    }

    /// Changes a number, or one byte.
    fn change_word(&mut self, draft: &mut Draft<'_>, var: VarId, dictionary: &Dictionary) {
        let word = draft.get(var).unwrap_or(0);
        let bits = self.bits.get(var.index()).copied().unwrap_or(1);
        if let Some(domain) = draft.terms.domain(var) {
            let word = domain[self.random.usize(..domain.len())];
            return draft.set(var, word);
        }
        let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        let known = dictionary.values.get(&var).filter(|values| !values.is_empty());
        let new = match (self.random.u32(..8), known) {
            (0..=2, Some(values)) => values[self.random.usize(..values.len())],
            (0 | 3, _) => word ^ 1 << self.random.u32(..bits),
            (1 | 4, _) => word.wrapping_add(self.random.u64(1..=35)),
            (2 | 5, _) => word.wrapping_sub(self.random.u64(1..=35)),
            (6, _) => {
                let edge = EDGES[self.random.usize(..EDGES.len())];
                if self.random.u32(..4) == 0 { edge.wrapping_neg() } else { edge }
            }
            _ => self.random.u64(..) >> self.random.u32(..bits),
        };
        draft.set(var, new & mask);
    }

    /// Changes the text that a byte is in, from there on.
    fn change_text(&mut self, draft: &mut Draft<'_>, text: usize, from: VarId, other: &Model, dictionary: &Dictionary) {
        let vars = &self.texts[text];
        let mut bytes: Vec<u8> = vars.iter().map(|&var| draft.get(var).unwrap_or(0).to_le_bytes()[0]).collect();
        let at = vars.iter().position(|&var| var == from).unwrap_or(0);
        let random = &mut self.random;
        let piece = random.usize(1..=PIECE.min(bytes.len() - at));
        match random.u32(..9) {
            0 | 1 if !dictionary.words.is_empty() => {
                let word = &dictionary.words[random.usize(..dictionary.words.len())];
                let word = &word[..word.len().min(bytes.len() - at)];
                if random.bool() {
                    bytes[at..].rotate_right(word.len());
                }
                bytes[at..at + word.len()].copy_from_slice(word);
            }
            2 => {
                // What is removed is gone, and zeros follow at the end.
                bytes[at..].rotate_left(piece);
                let end = bytes.len() - piece;
                bytes[end..].fill(0);
            }
            3 => {
                let byte = if random.bool() { bytes[at] } else { random.u8(..) };
                bytes[at..].rotate_right(piece);
                bytes[at..at + piece].fill(byte);
            }
            4 => {
                let source = random.usize(..=bytes.len() - piece);
                bytes.copy_within(source..source + piece, at);
            }
            5 => {
                // The end of another input.
                for (byte, &var) in bytes.iter_mut().zip(vars).skip(at) {
                    *byte = other.word(var).unwrap_or(0).to_le_bytes()[0];
                }
            }
            6 => bytes[at..at + piece].fill_with(|| random.u8(..)),
            7 => bytes[at..at + piece].fill_with(|| random.u8(b'0'..=b'9')),
            _ => {
                let size = [2, 4, 8][random.usize(..3)].min(bytes.len() - at);
                let edge = EDGES[random.usize(..EDGES.len())];
                let edge = if random.bool() { edge.wrapping_neg() } else { edge };
                let word = if random.bool() { edge.to_le_bytes() } else { edge.swap_bytes().rotate_left(8 * size as u32).to_le_bytes() };
                bytes[at..at + size].copy_from_slice(&word[..size]);
            }
        }
        for (&var, byte) in vars.iter().zip(bytes) {
            draft.set(var, u64::from(byte));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use xcute_term::{Op, Sort};

    fn declare(terms: &mut Terms, name: &str, bits: u32) -> VarId {
        let term = terms.var(name, Sort::BitVec(bits));
        let Op::Var(var) = terms.op(term) else { unreachable!("a variable") };
        var
    }

    #[test]
    fn changed_inputs_keep_their_variables_and_domains_and_the_seed_decides() {
        let mut terms = Terms::new();
        let text: Vec<VarId> = (0..10).map(|at| declare(&mut terms, &format!("t{at}"), 8)).collect();
        let (flag, size, pointer) = (declare(&mut terms, "f", 1), declare(&mut terms, "n", 64), declare(&mut terms, "p", 64));
        terms.set_domain(pointer, vec![0, 4096, 8192]);
        let all = || text.iter().copied().chain([flag, size, pointer]);
        let base = Model::from_words(all().map(|var| (var, 0)).collect());
        let dictionary = Dictionary::new(vec![b"token".to_vec()]);
        let changed = |seed| {
            let mut mutator = Mutator::new(seed);
            mutator.learn(vec![text.clone()], &terms);
            std::iter::repeat_with(|| mutator.change(&terms, &base, &base, &dictionary)).take(3000).collect::<Vec<_>>()
        };
        let inputs = changed(1);
        assert_eq!(inputs, changed(1));
        assert_ne!(inputs, changed(2));
        for input in &inputs {
            assert!(input.words().iter().map(|entry| entry.0).eq(all()));
            assert!(text.iter().all(|&var| input.word(var).unwrap() < 256) && input.word(flag).unwrap() < 2);
            assert!([0, 4096, 8192].contains(&input.word(pointer).unwrap()));
        }
        let seen = |var| inputs.iter().map(|input| input.word(var).unwrap()).collect::<BTreeSet<u64>>().len();
        assert_eq!((seen(flag), seen(pointer)), (2, 3));
        assert!(seen(size) > 100 && text.iter().all(|&var| seen(var) > 50));
        let spells = |input: &&Model| (0..6).any(|at| (0..5).all(|i| input.word(text[at + i]) == Some(u64::from(b"token"[i]))));
        assert!(inputs.iter().filter(spells).count() > 20, "words of the dictionary are put in");
    }
}
