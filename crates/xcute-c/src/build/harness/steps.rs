//! The calls of a case: what the choices of a [`Sequence`] come to.
//!
//! The harness (`calls`) chooses while it runs; here the same choices are made from the values alone, to print the case as plain calls.
//!
//! **Invariant.** The rule of choice is that of the harness: the candidate that was named, else the last one there is. NULL is the first.

use super::families::Origin;
use super::sequence::{Role, Sequence, Slot};

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The input with this number.
    Input(usize),
    /// An object: its family, and which one.
    Object(usize, usize),
    /// NULL instead of one.
    Null,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The function, by its place in [`Sequence::functions`].
    pub function: usize,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The object that it makes or replaces: its family, and which one.
    pub gives: Option<(usize, usize)>,
}

impl Step {
    /// The objects of a family after the call: those it got, and the one it made.
    pub fn objects(&self, family: usize) -> impl Iterator<Item = usize> {
        let got = self.arguments.iter().filter_map(|a| if let Argument::Object(f, n) = a { Some((*f, *n)) } else { None });
        let made = self.gives.filter(|given| !self.arguments.contains(&Argument::Object(given.0, given.1)));
        got.chain(made).filter(move |(f, _)| *f == family).map(|(_, n)| n)
    }
}

impl Sequence {
    /// The calls of a case; `value` gives the number that a choice has, `None` if the run did not come to it.
    #[must_use]
    pub fn steps(&self, value: impl Fn(usize) -> Option<u64>) -> Vec<Step> {
        let mut steps = self.preparation();
        // The steps whose call was a maker, by family.
        let mut made: Vec<Vec<usize>> = vec![Vec::new(); self.families.len()];
        for step in 1..=self.calls.length as usize {
            let read = |slot| self.parameter(step, slot).and_then(&value);
            let Some(chosen) = read(Slot::Call) else { break };
            let callable: Vec<usize> = (0..self.functions.len()).filter(|&f| self.callable(f, |family| made[family].len())).collect();
            let Some(function) = pick(&callable, Some(chosen)) else { break };
            let mut arguments = Vec::new();
            for (k, role) in self.functions[function].roles.iter().enumerate() {
                let Role::Object(family) = *role else {
                    arguments.push(Argument::Input(self.parameter(step, Slot::Argument(function, k)).unwrap_or(usize::MAX)));
                    continue;
                };
                let all = if self.families[family].origin == Origin::Made {
                    made[family].clone()
                } else {
                    (0..self.families[family].count).collect()
                };
                let left = all.into_iter().filter(|&n| !arguments.contains(&Argument::Object(family, n)));
                let null = self.families[family].null();
                let Some(object) = pick(&null.into_iter().chain(left).collect::<Vec<_>>(), read(Slot::Argument(function, k))) else {
                    return steps;
                };
                arguments.push(if Some(object) == null { Argument::Null } else { Argument::Object(family, object) });
            }
            let gives = self.functions[function].gives.map(|family| {
                let replaced =
                    arguments.iter().find_map(|a| if let Argument::Object(f, n) = a { (*f == family).then_some(*n) } else { None });
                (family, replaced.unwrap_or(step))
            });
            if let Some((family, object)) = gives.filter(|(family, _)| self.families[*family].origin == Origin::Made) {
                made[family].push(object);
            }
            steps.push(Step { function, arguments, gives });
        }
        steps
    }

    /// The calls before the sequence: each object of a family is prepared by each function that is there for it.
    pub(super) fn preparation(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for (function, listed) in self.functions.iter().enumerate().filter(|(_, l)| l.first) {
            let family = listed.roles.iter().find_map(|r| if let Role::Object(f) = r { Some(*f) } else { None });
            for object in 0..family.map_or(1, |f| self.families[f].count) {
                let argument = |(k, role): (usize, &Role)| match role {
                    Role::Input => Argument::Input(self.parameter(0, Slot::Argument(function, k)).unwrap_or(usize::MAX)),
                    Role::Object(family) => Argument::Object(*family, object),
                };
                steps.push(Step { function, arguments: listed.roles.iter().enumerate().map(argument).collect(), gives: None });
            }
        }
        steps
    }

    /// Whether a function can be called when this many objects of each family were made.
    fn callable(&self, function: usize, made: impl Fn(usize) -> usize) -> bool {
        let listed = &self.functions[function];
        !listed.first && (0..self.families.len()).all(|family| made(family) >= self.needs(function, family))
    }

    /// How many made objects of a family a function needs.
    pub(super) fn needs(&self, function: usize, family: usize) -> usize {
        let roles = &self.functions[function].roles;
        if self.families[family].origin == Origin::Made && !self.families[family].nullable {
            roles.iter().filter(|r| **r == Role::Object(family)).count()
        } else {
            0
        }
    }
}

/// The candidate that was named, else the last one.
fn pick(candidates: &[usize], named: Option<u64>) -> Option<usize> {
    candidates.iter().copied().find(|&c| Some(c as u64) == named).or(candidates.last().copied())
}
