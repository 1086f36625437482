//! The size of bounds that depend on the input.
//!
//! Each propagation makes a bound of other bounds, with a quotient where a factor is not one; solvers are soon at a loss with quotients of quotients, and domains that shrink without
//! end would make conditions without end. So a bound that is no longer a simple one is replaced by its value: the inputs in it are decided, if each is one of a few
//! numbers, or else fixed, and counted.

use rustc_hash::FxHashSet;
use xcute_term::{Op, Sort, TermId, Value};
use xcute_trace::Budget;

use crate::machine::Machine;
use crate::machine::error::Stop;
use crate::machine::number::Number;

/// Bounds with more operations than this are not simple.
const LARGEST: usize = 40;

/// Bounds with more bits than this are those of a propagation without end.
const BITS: u64 = 1 << 12;

/// What a bound is made of.
struct Parts {
    simple: bool,
    inputs: Vec<TermId>,
}

impl Machine<'_> {
    /// A bound that is simple, or its value.
    pub(super) fn simple_bound(&mut self, bound: Number) -> Result<Number, Stop> {
        if matches!(&bound, Number::Big(value) if value.bits() > BITS) {
            return Err(Stop::Budget(Budget::Steps));
        }
        let Number::Sym(term) = bound else { return Ok(bound) };
        let parts = self.parts(term);
        if parts.simple {
            return Ok(bound);
        }
        for input in parts.inputs {
            let decided = self.decided_number(Number::Sym(input))?;
            self.fixed(decided, "a number in a bound that depends on the input through many constraints");
        }
        // All that it is made of is decided, so its value is.
        match self.rec.value(term) {
            Value::Int(value) => Ok(Number::integer(value)),
            _ => unreachable!("a term of sort Int"),
        }
    }

    fn parts(&self, term: TermId) -> Parts {
        let mut parts = Parts { simple: true, inputs: Vec::new() };
        let (mut pending, mut seen) = (vec![(term, 0)], FxHashSet::default());
        while let Some((term, quotients)) = pending.pop() {
            if !seen.insert((term, quotients)) {
                continue;
            }
            let op = self.rec.terms.op(term);
            let quotients = quotients + u32::from(matches!(op, Op::IntDiv | Op::IntMod));
            parts.simple &= quotients < 2 && seen.len() <= LARGEST;
            let calculates = matches!(op, Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::IntDiv | Op::IntMod | Op::Ite);
            if self.rec.terms.is_const(term) {
                continue;
            }
            if self.rec.terms.sort(term) == Sort::Int && !calculates {
                if !parts.inputs.contains(&term) {
                    parts.inputs.push(term);
                }
                continue;
            }
            pending.extend(self.rec.terms.args(term).iter().map(|&arg| (arg, quotients)));
        }
        parts
    }
}
