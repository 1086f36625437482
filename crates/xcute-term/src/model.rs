//! Models: which value each variable has. Also the input of a run, and the patch a solver answers with.
//!
//! Sparse and sorted, because a campaign keeps one per path: a word per small variable, a [`Value`] for the others.

use crate::{Sort, Terms, Value, VarId};

/// A partial assignment of values to variables. A variable that is not assigned has the default value of its sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    words: Vec<(VarId, u64)>,
    others: Vec<(VarId, Value)>,
}

impl Model {
    /// The model that assigns nothing.
    #[must_use]
    pub fn new() -> Model {
        Model::default()
    }

    /// The model that assigns these words, in any order; of several words for a variable the last one counts.
    #[must_use]
    pub fn from_words(mut words: Vec<(VarId, u64)>) -> Model {
        if !words.is_sorted_by(|a, b| a.0 < b.0) {
            words.sort_by_key(|entry| entry.0);
            words.dedup_by(|later, earlier| {
                later.0 == earlier.0 && {
                    earlier.1 = later.1;
                    true
                }
            });
        }
        Model { words, others: Vec::new() }
    }

    /// Assigns the word of a Boolean, bit-vector or float of at most 64 bits.
    pub fn set_word(&mut self, var: VarId, word: u64) {
        match self.words.last() {
            Some(&(last, _)) if last >= var => match self.words.binary_search_by_key(&var, |e| e.0) {
                Ok(i) => self.words[i].1 = word,
                Err(i) => self.words.insert(i, (var, word)),
            },
            _ => self.words.push((var, word)),
        }
    }

    /// Assigns a value.
    pub fn set(&mut self, var: VarId, value: Value) {
        if let Some(word) = value.as_u64() {
            return self.set_word(var, word);
        }
        match self.others.binary_search_by_key(&var, |e| e.0) {
            Ok(i) => self.others[i].1 = value,
            Err(i) => self.others.insert(i, (var, value)),
        }
    }

    /// The word of a variable, if it is assigned and small.
    #[must_use]
    pub fn word(&self, var: VarId) -> Option<u64> {
        self.words.binary_search_by_key(&var, |e| e.0).ok().map(|i| self.words[i].1)
    }

    /// The value of a variable; the default of its sort if it is not assigned.
    #[must_use]
    pub fn value(&self, terms: &Terms, var: VarId) -> Value {
        let sort = terms.info(var).sort;
        if let Some(word) = self.word(var) {
            return Value::from_word(sort, word);
        }
        match self.others.binary_search_by_key(&var, |e| e.0) {
            Ok(i) => self.others[i].1.clone(),
            Err(_) => terms.default_value(sort),
        }
    }

    /// Whether a variable is assigned.
    #[must_use]
    pub fn has(&self, var: VarId) -> bool {
        self.word(var).is_some() || self.others.binary_search_by_key(&var, |e| e.0).is_ok()
    }

    /// The assigned words, by variable.
    #[must_use]
    pub fn words(&self) -> &[(VarId, u64)] {
        &self.words
    }

    /// The assigned values that are not words, by variable.
    #[must_use]
    pub fn others(&self) -> &[(VarId, Value)] {
        &self.others
    }

    /// Whether nothing is assigned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.others.is_empty()
    }

    /// This model overwritten by `patch`: the paper's I' = I[I''].
    #[must_use]
    pub fn patched(&self, patch: &Model) -> Model {
        Model { words: overwritten(&self.words, &patch.words), others: overwritten(&self.others, &patch.others) }
    }
}

/// Two sorted lists as one; where both have a variable the second counts.
fn overwritten<T: Clone>(old: &[(VarId, T)], new: &[(VarId, T)]) -> Vec<(VarId, T)> {
    let mut out = Vec::with_capacity(old.len() + new.len());
    let mut rest = old;
    for entry in new {
        let before = rest.partition_point(|other| other.0 < entry.0);
        out.extend_from_slice(&rest[..before]);
        rest = &rest[before..];
        rest = if rest.first().is_some_and(|other| other.0 == entry.0) { &rest[1..] } else { rest };
        out.push(entry.clone());
    }
    out.extend_from_slice(rest);
    out
}

impl Value {
    /// The value of a small sort that has this word.
    ///
    /// # Panics
    /// For a sort without words.
    #[must_use]
    pub fn from_word(sort: Sort, word: u64) -> Value {
        match sort {
            Sort::Bool => Value::Bool(word & 1 == 1),
            Sort::BitVec(w) => Value::bits(w, word),
            Sort::Float(format) => Value::Float(format, crate::Bits::new(format.width(), word)),
            _ => panic!("a word is not a value of sort {sort:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(words: &[(u32, u64)]) -> Model {
        Model::from_words(words.iter().map(|&(var, word)| (VarId(var), word)).collect())
    }

    #[test]
    fn words_in_any_order() {
        let words = model(&[(5, 1), (2, 7), (9, 3), (2, 8), (5, 2)]);
        assert_eq!(words.words(), [(VarId(2), 8), (VarId(5), 2), (VarId(9), 3)]);
    }

    #[test]
    fn a_patch_overwrites_and_adds() {
        let (old, patch) = (model(&[(1, 1), (3, 3), (5, 5), (7, 7)]), model(&[(0, 10), (3, 13), (6, 16), (8, 18)]));
        let all = [(0, 10), (1, 1), (3, 13), (5, 5), (6, 16), (7, 7), (8, 18)];
        assert_eq!(old.patched(&patch), model(&all));
        assert_eq!((old.patched(&Model::new()), Model::new().patched(&old)), (old.clone(), old.clone()));
    }
}
