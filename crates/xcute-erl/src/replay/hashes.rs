//! Hashes of terms that depend on the input: `erlang:phash/2` and `erlang:phash2`, which dictionaries and sets put their keys in order by.
//!
//! What nobody can compute is which terms have a hash. But a term may be one that was hashed before in this run, or one that the program writes where it uses
//! such a table: each is a way of its own, and has the hash that the run says. So a key is found, and another one is not.
//!
//! **Invariant.** The hash of any other term is what it was in this run, and that is counted.

use super::control::Next;
use super::value::Val;
use super::{Machine, Res};
use crate::flat::PlaceId;

/// A term is compared with this many others.
const MOST: usize = 24;

impl Machine<'_> {
    /// A hash of the first argument; the second one, if there is one, says how many there are.
    pub(super) fn hash(&mut self, args: &[Val], what: &str, id: u32, place: PlaceId) -> Res<Next> {
        let told = self.skip(id, place)?;
        let ctx = self.body(place);
        let of = args[0];
        let known = self.hashed.contains(&of);
        if !known && self.hashed.len() < MOST {
            self.hashed.push(of);
        }
        let range = args.get(1).is_some_and(|&range| self.heap.is_symbolic(range));
        if self.heap.is_symbolic(of) && !known || range {
            let program = self.program;
            let written: Vec<Val> = program.hashed.iter().map(|term| self.heap.literal(term)).collect();
            let mut same = false;
            for other in [self.hashed.clone(), written].concat().into_iter().filter(|&other| other != of).take(MOST) {
                same = self.decided_same(&ctx, of, other)?;
                if same {
                    break;
                }
            }
            if !same || range {
                let what = format!("{what} at {}", self.spot(place));
                self.rec.limit("uninstrumented", &what, true);
            }
        }
        self.as_told(told, place).map(|value| self.give(value))
    }
}
