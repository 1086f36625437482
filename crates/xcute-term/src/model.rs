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
        let mut out = self.clone();
        for &(var, word) in &patch.words {
            out.set_word(var, word);
        }
        for (var, value) in &patch.others {
            out.set(*var, value.clone());
        }
        out
    }
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
            Sort::Float(e, s) => Value::Float(e, s, crate::Bits::new(u32::from(e) + u32::from(s), word)),
            _ => panic!("a word is not a value of sort {sort:?}"),
        }
    }
}
