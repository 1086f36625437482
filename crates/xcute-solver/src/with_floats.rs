//! Which terms have floats inside of them.

use xcute_term::{Sort, TermId, Terms};

/// Remembers of each term whether a float is part of it.
#[derive(Default)]
pub(crate) struct WithFloats {
    /// By term: 0 not looked at, 1 without floats, 2 with floats.
    known: Vec<u8>,
    stack: Vec<TermId>,
}

impl WithFloats {
    /// Whether a float is part of a term.
    pub(crate) fn has(&mut self, terms: &Terms, root: TermId) -> bool {
        self.known.resize(terms.len(), 0);
        self.stack.push(root);
        while let Some(&t) = self.stack.last() {
            let args = terms.args(t);
            let waiting = self.stack.len();
            if self.known[t.index()] == 0 {
                if matches!(terms.sort(t), Sort::Float(..)) || args.iter().any(|a| self.known[a.index()] == 2) {
                    self.known[t.index()] = 2;
                } else {
                    self.stack.extend(args.iter().filter(|a| self.known[a.index()] == 0));
                }
            }
            if self.stack.len() == waiting {
                self.known[t.index()] = self.known[t.index()].max(1);
                self.stack.pop();
            }
        }
        self.known[root.index()] == 2
    }
}
