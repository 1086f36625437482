//! What inputs are compared with: values of single inputs, values of several neighbours at once, and byte strings that may stand anywhere.
//!
//! Conditions of the tree are read, those of each decision once. `x == 7` says that 7 is a value of `x` that makes a difference, and 6 and 8 with it; a comparison of some
//! bytes together says where a text or a number of several bytes stands; every other constant is one that may be written into a text.
//!
//! **Invariant.** A term is looked at once, and at most [`TERMS`] of them before a turn. Lists are bounded, and what is in them does not depend on hashes.

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_term::{Op, Sort, TermId, Terms, VarId};
use xcute_tree::{ArmId, NodeId, PathTree};

/// Terms that are looked at before a turn.
const TERMS: usize = 20_000;
/// Bounds of the lists: values of one input, values of neighbours, byte strings.
const VALUES: usize = 64;
const PLACED: usize = 1024;
const WORDS: usize = 4096;

/// What inputs are compared with.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    /// Values that make a difference, by input.
    pub(super) values: FxHashMap<VarId, Vec<u64>>,
    /// Values of several inputs that make one together.
    pub(super) placed: Vec<Vec<(VarId, u64)>>,
    /// Byte strings.
    pub(super) words: Vec<Vec<u8>>,
    known: FxHashSet<Vec<u8>>,
    seen: FxHashSet<TermId>,
    /// The decisions that were read.
    read: usize,
}

impl Dictionary {
    /// A dictionary of these byte strings.
    pub(super) fn new(words: Vec<Vec<u8>>) -> Dictionary {
        let mut dictionary = Dictionary::default();
        words.into_iter().for_each(|word| dictionary.add(word));
        dictionary
    }

    fn add(&mut self, word: Vec<u8>) {
        if !word.is_empty() && self.words.len() < WORDS && self.known.insert(word.clone()) {
            self.words.push(word);
        }
    }

    /// Reads the decisions that are new in the tree.
    pub(super) fn learn(&mut self, terms: &Terms, tree: &PathTree) {
        if self.read > tree.len() {
            // The search restarted.
            self.read = 0;
        }
        let mut left = TERMS;
        while self.read < tree.len() && left > 0 {
            let node = NodeId(u32::try_from(self.read).expect("fewer than 2^32 decisions"));
            for arm in 0..tree.arm_count(node) {
                self.read_term(terms, tree.cond(ArmId { node, arm }), &mut left);
            }
            self.read += 1;
        }
    }

    /// Several inputs make a difference together.
    fn place(&mut self, values: Vec<(VarId, u64)>) {
        if values.len() > 1 && self.placed.len() < PLACED {
            self.placed.push(values);
        }
    }

    fn read_term(&mut self, terms: &Terms, condition: TermId, left: &mut usize) {
        let mut pending = vec![condition];
        while let Some(term) = pending.pop() {
            if *left == 0 || !self.seen.insert(term) {
                continue;
            }
            *left -= 1;
            let args = terms.args(term);
            if let (Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, &[a, b]) = (terms.op(term), args) {
                match (terms.as_u64(a), terms.as_u64(b)) {
                    (None, Some(word)) => self.compared(terms, a, word),
                    (Some(word), None) => self.compared(terms, b, word),
                    _ => {}
                }
            }
            if terms.op(term) == Op::And {
                self.place(args.iter().filter_map(|&arg| equality(terms, arg)).flatten().collect());
            }
            pending.extend(args.iter().filter(|&&arg| !terms.is_const(arg)));
        }
    }

    /// A term is compared with a word.
    fn compared(&mut self, terms: &Terms, term: TermId, word: u64) {
        let Sort::BitVec(width) = terms.sort(term) else { return };
        match parts(terms, term).as_deref() {
            Some(&[(var, at, bits)]) => {
                let word = cut(word >> at, bits);
                let values = self.values.entry(var).or_default();
                for near in [word, word.wrapping_add(1), word.wrapping_sub(1)].map(|near| cut(near, bits)) {
                    if values.len() < VALUES && !values.contains(&near) {
                        values.push(near);
                    }
                }
            }
            Some(several) => self.place(several.iter().map(|&(var, at, bits)| (var, cut(word >> at, bits))).collect()),
            None => {}
        }
        let bytes = (width / 8) as usize;
        if (2..=8).contains(&bytes) && width.is_multiple_of(8) && word > 0xff {
            let little = &word.to_le_bytes()[..bytes];
            self.add(little.to_vec());
            self.add(little.iter().rev().copied().collect());
        }
    }
}

/// The values that inputs have if a term that compares nothing but inputs holds.
fn equality(terms: &Terms, term: TermId) -> Option<Vec<(VarId, u64)>> {
    let (Op::Eq, &[a, b]) = (terms.op(term), terms.args(term)) else { return None };
    let (inputs, word) = terms.as_u64(b).map(|word| (a, word)).or_else(|| Some((b, terms.as_u64(a)?)))?;
    Some(parts(terms, inputs)?.into_iter().map(|(var, at, bits)| (var, cut(word >> at, bits))).collect())
}

fn cut(word: u64, bits: u32) -> u64 {
    if bits >= 64 { word } else { word & ((1 << bits) - 1) }
}

/// The inputs that a term is made of, each with its lowest bit there and its width; `None` if it is anything but inputs next to each other.
fn parts(terms: &Terms, term: TermId) -> Option<Vec<(VarId, u32, u32)>> {
    let (mut found, mut pending) = (Vec::new(), vec![(term, 0)]);
    while let Some((term, at)) = pending.pop() {
        match (terms.op(term), terms.args(term)) {
            (Op::Var(var), _) => found.push((var, at, terms.width(term))),
            (Op::Concat, &[high, low]) => pending.extend([(high, at + terms.width(low)), (low, at)]),
            (Op::ZeroExt(_) | Op::SignExt(_), &[inner]) => pending.push((inner, at)),
            (Op::Const(_), _) => {}
            _ => return None,
        }
        if found.len() > 8 {
            return None;
        }
    }
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_term::Model;
    use xcute_trace::{Decision, DecisionKind, Outcome, SiteId, Trace};
    use xcute_tree::Insertion;

    #[test]
    fn constants_are_found_with_the_inputs_that_they_are_compared_with() {
        let mut terms = Terms::new();
        let bytes = ["a", "b"].map(|name| terms.var(name, Sort::BitVec(8)));
        let var = |terms: &Terms, term| if let Op::Var(var) = terms.op(term) { var } else { unreachable!("a variable") };
        let (a, b) = (var(&terms, bytes[0]), var(&terms, bytes[1]));
        let wide = terms.mk(Op::ZeroExt(32), &[bytes[0]]);
        let seven = terms.bv(32, 7);
        let single = terms.mk(Op::BvSlt, &[wide, seven]);
        let both = terms.mk(Op::Concat, &[bytes[1], bytes[0]]);
        let magic = terms.bv(16, 0x4241);
        let magic = terms.mk(Op::Eq, &[both, magic]);
        let decision = |cond| Decision { site: SiteId(0), kind: DecisionKind::Branch, taken: 1, arms: vec![cond, cond] };
        let decisions = vec![decision(single), decision(magic)];
        let (covered, limits, input) = (Vec::new(), Vec::new(), Model::new());
        let trace = Trace {
            decisions,
            known: 0,
            outcome: Outcome::Passed,
            covered,
            reached: Vec::new(),
            limits,
            input,
            concurrent: None,
            segments: None,
        };
        let mut tree = PathTree::new();
        tree.grow(&terms, &Insertion { promised: None, trace: &trace, number: 1, depth: 9 });
        let mut dictionary = Dictionary::new(vec![b"GET".to_vec(), b"GET".to_vec(), Vec::new()]);
        dictionary.learn(&terms, &tree);
        // That a word has a value is a condition on each of its bytes.
        assert_eq!(dictionary.values[&a], [7, 8, 6, 0x41, 0x42, 0x40]);
        let mut placed = dictionary.placed.clone();
        placed.iter_mut().for_each(|values| values.sort_unstable());
        assert_eq!(placed, [[(a, 0x41), (b, 0x42)]]);
        dictionary.learn(&terms, &tree);
        assert_eq!(dictionary.placed.len(), 1, "every decision is read once");
    }
}
