//! Whether a value of the replay is, in this run, what the emulator says.

use super::Machine;
use super::value::Val;
use crate::etf::Term;

impl Machine<'_> {
    /// Whether a value is, in this run, what the emulator says. Functions and stacks are not compared.
    pub(crate) fn is_term(&mut self, own: Val, told: &Term) -> bool {
        let mut pending = vec![(own, told.clone())];
        while let Some((own, told)) = pending.pop() {
            match (self.known(own), told) {
                (Val::Stack(_) | Val::Raw(_) | Val::Fun(_) | Val::Other(_), _) => {}
                (Val::Tuple(tuple), Term::Tuple(items)) => {
                    let elements = self.heap.elements(tuple);
                    if elements.len() != items.len() {
                        return false;
                    }
                    pending.extend(elements.iter().copied().zip(items));
                }
                (Val::Cons(cell), Term::List(items, tail)) => {
                    let mut at = Val::Cons(cell);
                    let mut items = items.into_iter();
                    while let (true, Val::Cons(cell)) = (items.len() > 0, self.known(at)) {
                        let (head, rest) = self.heap.cell(cell);
                        pending.extend(items.next().map(|item| (head, item)));
                        at = rest;
                    }
                    let rest: Vec<Term> = items.collect();
                    pending.push((at, if rest.is_empty() { *tail } else { Term::List(rest, tail) }));
                }
                (Val::Map(map), Term::Map(pairs)) => {
                    let own: Vec<Val> = self.heap.pairs(map).to_vec();
                    if own.len() != 2 * pairs.len() {
                        return false;
                    }
                    // Keys on the heap may depend on the input; in this run each is one of these.
                    for (key, value) in pairs {
                        let key = self.heap.literal(&key);
                        let found = own.chunks_exact(2).find(|pair| self.is_now(pair[0], key));
                        let Some(pair) = found else { return false };
                        pending.push((pair[1], value));
                    }
                }
                // A function of the input comes back as the closure that it is there.
                (own @ Val::Sym(_), Term::Other(bytes)) if bytes.first() == Some(&112) => {
                    let is = self.is_kind(own, super::look::Kind::Fun);
                    if !self.rec.holds(is) {
                        return false;
                    }
                }
                (own, told) => {
                    let told = self.heap.literal(&told);
                    let same = match self.same(own, told) {
                        Ok(Some(conditions)) => conditions.into_iter().all(|condition| self.rec.holds(condition)),
                        _ => false,
                    };
                    if !same {
                        return false;
                    }
                }
            }
        }
        true
    }
}
