//! Functions in the domain of inputs: how many arguments they take, and what is known of a table once it is called.

use xcute_match::Recorder;
use xcute_term::{Op, TermId, Terms, Value};

use super::domain::{Domain, and};
use crate::universe::functions::MOST_PARAMETERS;
use crate::universe::{FUN, is, select};

impl Domain<'_> {
    /// The shape of functions of this many arguments.
    #[allow(clippy::unused_self, reason = "as the shapes of other types")]
    pub(super) fn function_shape(&self, terms: &mut Terms, part: TermId, arity: Option<u32>) -> TermId {
        let test = is(terms, FUN, part);
        match arity {
            None => test,
            Some(arity) => {
                let (own, arity) = (select(terms, FUN, 0, part), terms.value(Value::Int(arity.into())));
                let same = terms.mk(Op::Eq, &[own, arity]);
                and(terms, &[test, same])
            }
        }
    }

    /// Looks at how many arguments a part takes that is known, or about to be known, to be a function.
    pub fn look_at_arity(&mut self, rec: &mut Recorder<'_>, part: TermId) -> TermId {
        let arity = select(rec.terms, FUN, 0, part);
        if !rec.terms.is_const(arity) && self.seen.insert(arity) {
            let (least, most) = (rec.terms.value(Value::Int(0.into())), rec.terms.value(Value::Int(MOST_PARAMETERS.into())));
            let bounds = [rec.terms.mk(Op::Le, &[least, arity]), rec.terms.mk(Op::Le, &[arity, most])];
            self.assume(rec, &bounds);
        }
        arity
    }

    /// Takes note of what a call says about the table of a function.
    pub fn called(&mut self, rec: &mut Recorder<'_>, conditions: &[TermId]) {
        self.assume(rec, conditions);
    }
}
