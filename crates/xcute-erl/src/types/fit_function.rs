//! Functions made to fit: results of their type, rows with as many arguments as the function takes, each once.

use xcute_term::{DataValue, Value};

use super::fit::Fit;
use super::{TypeId, Types};
use crate::universe::functions::{arity, function, rows};
use crate::universe::{MORE, NO_MORE};
use crate::universe::{data, elements};

impl Fit<'_> {
    /// Whether a function is of a type.
    pub(super) fn is_function(&self, value: &DataValue, (wanted, result): (Option<u32>, TypeId), below: Option<u32>) -> bool {
        let Some(arity) = arity(value) else { return false };
        let row = |(arguments, given): (&Value, &Value)| {
            let arguments = elements(arguments);
            arguments.len() == arity as usize
                && arguments.iter().all(|argument| self.is(argument, Types::ANY, None))
                && self.is(given, result, below)
        };
        wanted.is_none_or(|wanted| wanted == arity) && self.is(&value.fields[2], result, below) && rows(value).into_iter().all(row)
    }

    /// A function of the type: the given one as far as it is.
    pub(super) fn fitted_function(&self, value: &DataValue, (wanted, result): (Option<u32>, TypeId), below: Option<u32>) -> Value {
        let own = wanted.or_else(|| arity(value)).unwrap_or(0);
        let mut all: Vec<(Value, Value)> = Vec::new();
        for (arguments, given) in rows(value) {
            let arguments = elements(arguments);
            if arguments.len() == own as usize {
                let arguments = arguments.into_iter().map(|argument| self.fitted(argument, Types::ANY, None));
                let none = data(NO_MORE, vec![]);
                let arguments: Vec<Value> = arguments.collect();
                let arguments = arguments.into_iter().rev().fold(none, |rest, item| data(MORE, vec![item, rest]));
                if all.iter().all(|(known, _)| *known != arguments) {
                    all.push((arguments, self.fitted(given, result, below)));
                }
            }
        }
        function(own, all, self.fitted(&value.fields[2], result, below))
    }
}
