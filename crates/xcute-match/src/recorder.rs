//! The recorder of a run: conditions come in, decisions come out.
//!
//! **Invariant.** A condition that the decisions so far determine is not a decision; every other is exactly one, compared with the promise
//! as long as the run follows it.

use xcute_term::eval::Evaluator;
use xcute_term::{Model, Op, TermId, Terms, Value, VarId};
use xcute_trace::{Decision, DecisionKind, Known, Limit, SiteId};

use crate::facts::Facts;

/// What a run decided.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The decisions after the promised ones.
    pub decisions: Vec<Decision>,
    /// How many decisions of the promise were followed.
    pub known: usize,
    /// What was not exact, each once.
    pub limits: Vec<Limit>,
}

/// Records the decisions of one run.
pub struct Recorder<'a> {
    /// The terms of the campaign.
    pub terms: &'a mut Terms,
    /// What is known of the inputs.
    pub facts: Facts,
    evaluator: Evaluator,
    promise: &'a [Known],
    recorded: Recorded,
    astray: bool,
    met: usize,
}

impl<'a> Recorder<'a> {
    /// A recorder of a run with this input, which is promised to take these decisions first.
    #[must_use]
    pub fn new(terms: &'a mut Terms, input: &Model, promise: &'a [Known]) -> Recorder<'a> {
        let mut evaluator = Evaluator::new();
        evaluator.load(input);
        Recorder { terms, facts: Facts::default(), evaluator, promise, recorded: Recorded::default(), astray: false, met: 0 }
    }

    /// What was decided.
    #[must_use]
    pub fn finish(self) -> Recorded {
        self.recorded
    }

    /// How many decisions there were, the promised ones included.
    #[must_use]
    pub fn met(&self) -> usize {
        self.met
    }

    /// The value of a term under the run's input. Nobody may act on it without a decision that says so.
    pub fn value(&mut self, term: TermId) -> Value {
        self.evaluator.eval(self.terms, term)
    }

    /// Changes an input to one with which the run takes the same decisions so far: what was left open of it is filled in.
    pub fn change(&mut self, variable: VarId, value: Value) {
        self.evaluator.set(variable, value);
    }

    /// Whether a condition holds under the run's input. Nobody may act on it without a decision that says so.
    pub fn holds(&mut self, condition: TermId) -> bool {
        self.evaluator.eval_bool(self.terms, condition)
    }

    /// Decides a conjunction: arm 1 if it holds.
    pub fn decide(&mut self, site: SiteId, conjuncts: &[TermId]) -> bool {
        self.two_armed(site, DecisionKind::Branch, conjuncts)
    }

    /// Takes note of an assumption; whether it holds.
    pub fn assume(&mut self, site: SiteId, conjuncts: &[TermId]) -> bool {
        self.two_armed(site, DecisionKind::Assume, conjuncts)
    }

    /// Fixes a term to the value it has in this run, which is a limit of this kind if it was open.
    pub fn pin(&mut self, site: SiteId, term: TermId, what: &str) -> Value {
        let value = self.value(term);
        let constant = self.terms.value(value.clone());
        let same = self.terms.mk(Op::Eq, &[term, constant]);
        if self.facts.holds(self.terms, same).is_none() {
            self.two_armed(site, DecisionKind::Pin, &[same]);
            self.limit("concretised", what, true);
        }
        value
    }

    fn two_armed(&mut self, site: SiteId, kind: DecisionKind, conjuncts: &[TermId]) -> bool {
        let condition = self.facts.simplify(self.terms, conjuncts);
        if let Some(known) = self.facts.holds(self.terms, condition) {
            return known;
        }
        let taken = self.holds(condition);
        let not = self.terms.not(condition);
        self.record(site, kind, u32::from(taken), |_| vec![not, condition]);
        self.facts.learn(self.terms, condition, taken);
        taken
    }

    /// Decides among arms, of which exactly one holds under every input; the caller tells which does in this run, and takes note of what follows.
    pub fn record(&mut self, site: SiteId, kind: DecisionKind, taken: u32, arms: impl FnOnce(&mut Terms) -> Vec<TermId>) {
        self.met += 1;
        if !self.astray && self.promise.get(self.recorded.known) == Some(&Known { site, taken }) {
            self.recorded.known += 1;
            return;
        }
        self.astray = true;
        let arms = arms(self.terms);
        self.recorded.decisions.push(Decision { site, kind, taken, arms });
    }

    /// A choice between this many ways in which tasks could go on; `strayed`: it is not the one that was planned.
    pub fn schedule(&mut self, site: SiteId, taken: u32, options: u32, strayed: bool) {
        self.astray |= strayed;
        self.record(site, DecisionKind::Schedule, taken, |terms| vec![terms.bool(true); options as usize]);
    }

    /// Takes note of something that is not exact.
    pub fn limit(&mut self, kind: &str, what: &str, incomplete: bool) {
        let limit = Limit { kind: kind.to_owned(), what: what.to_owned(), incomplete };
        if !self.recorded.limits.contains(&limit) {
            self.recorded.limits.push(limit);
        }
    }
}
