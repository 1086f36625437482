//! What reaches the SAT solver, written down and done again: for measuring it on the queries of real campaigns.
//!
//! The text is incremental CNF (`p inccnf`): clauses as they come, and a line `a` for each query with its assumptions. Comments before it say which
//! inputs the query depends on, with the values of its hint, and what the answer was. Other solvers can read it; queries without an answer are
//! left out.
//!
//! **Invariant.** A clause is part of the definition of its highest variable, so the text says what is a gate of what. Variable 1 is the constant
//! true. No I/O here: what happens to the text is the sink's business.

use std::fmt::Write as _;

use xcute_term::Interrupt;

use crate::lit::Lit;
use crate::sat::{Sat, Verdict};

/// Receives text, piece by piece.
pub type Sink = Box<dyn FnMut(&str) + Send>;

/// Writes down what a circuit is asked.
pub(crate) struct Recorder {
    sink: Sink,
    /// How many variables are written; 0 before the beginning.
    vars: usize,
    /// The query that is being answered.
    query: String,
}

impl Recorder {
    pub(crate) fn new(sink: Sink) -> Recorder {
        Recorder { sink, vars: 0, query: String::new() }
    }

    /// Goes on with another circuit.
    pub(crate) fn restarted(self) -> Recorder {
        Recorder { vars: 0, ..self }
    }

    /// Notes a query about these inputs, whose phases are the hint.
    pub(crate) fn asked(&mut self, sat: &Sat, assumptions: &[Lit], inputs: &[u32]) {
        let mut text = String::new();
        if self.vars == 0 {
            text.push_str("p inccnf\n1 0\n");
            self.vars = 1;
        }
        for var in self.vars..sat.var_count() {
            for clause in sat.definition(u32::try_from(var).expect("a variable")) {
                line(&mut text, clause.iter().copied());
            }
        }
        self.vars = sat.var_count();
        (self.sink)(&text);
        self.query.clear();
        self.query.push_str("c hint ");
        line(&mut self.query, inputs.iter().map(|&var| Lit::positive(var) ^ !sat.phase(Lit::positive(var))));
        self.query.push_str("a ");
        line(&mut self.query, assumptions.iter().copied());
    }

    /// Writes the query that was noted last, with its answer.
    pub(crate) fn answered(&mut self, verdict: Verdict) {
        let known = match verdict {
            Verdict::Sat => "c sat\n",
            Verdict::Unsat => "c unsat\n",
            Verdict::OutOfBudget | Verdict::Interrupted => return,
        };
        (self.sink)(known);
        (self.sink)(&self.query);
    }
}

fn line(text: &mut String, lits: impl Iterator<Item = Lit>) {
    for lit in lits {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{} ", if lit.negated() { "-" } else { "" }, lit.var() + 1);
    }
    text.push_str("0\n");
}

/// A literal as the text has it.
pub type Literal = i32;

/// A line of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Another circuit begins.
    Begin,
    /// A clause.
    Clause(Vec<Literal>),
    /// A query.
    Query {
        /// What must hold.
        assumptions: Vec<Literal>,
        /// The inputs that it depends on, with their values under the hint.
        hint: Vec<Literal>,
        /// Whether there is a model.
        sat: bool,
    },
}

/// Reads a recording; `None` if it is not one.
#[must_use]
pub fn read(text: &str) -> Option<Vec<Step>> {
    let literals = |words: &str| -> Option<Vec<Literal>> {
        let all: Vec<Literal> = words.split_ascii_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>()?;
        let (last, rest) = all.split_last()?;
        (*last == 0 && !rest.contains(&0)).then(|| rest.to_vec())
    };
    let (mut steps, mut hint, mut sat) = (Vec::new(), Vec::new(), false);
    for line in text.lines() {
        match line.split_once(' ')? {
            ("p", "inccnf") => steps.push(Step::Begin),
            ("c", "sat") => sat = true,
            ("c", "unsat") => sat = false,
            ("c", words) => hint = literals(words.strip_prefix("hint ")?)?,
            ("a", words) => steps.push(Step::Query { assumptions: literals(words)?, hint: std::mem::take(&mut hint), sat }),
            _ => steps.push(Step::Clause(literals(line)?)),
        }
    }
    Some(steps)
}

/// Our solver, which does a recording again: it includes what a query needs, and begins with the hint, as in a campaign.
pub struct Replay {
    sat: Sat,
    /// By variable: the clauses that define it.
    definitions: Vec<Vec<Vec<Lit>>>,
    /// By variable: the last query that needed it.
    visited: Vec<u32>,
    query: u32,
}

impl Default for Replay {
    fn default() -> Replay {
        Replay { sat: Sat::new(), definitions: vec![Vec::new()], visited: vec![0], query: 0 }
    }
}

impl Replay {
    /// Adds a clause.
    pub fn clause(&mut self, clause: &[Literal]) {
        self.sat.begin();
        let lits: Vec<Lit> = clause.iter().map(|&literal| lit(literal)).collect();
        let highest = lits.iter().map(|lit| lit.var()).max().unwrap_or(0);
        if highest > 0 {
            self.grow(highest);
            self.sat.clause(&lits);
            self.definitions[highest as usize].push(lits);
        }
    }

    fn grow(&mut self, var: u32) {
        while self.sat.var_count() <= var as usize {
            self.sat.new_var();
            self.definitions.push(Vec::new());
            self.visited.push(0);
        }
    }

    /// Whether there is a model.
    pub fn solve(&mut self, assumptions: &[Literal], hint: &[Literal]) -> bool {
        self.sat.begin();
        self.query += 1;
        let assumptions: Vec<Lit> = assumptions.iter().map(|&literal| lit(literal)).collect();
        let hint: Vec<Lit> = hint.iter().map(|&literal| lit(literal)).collect();
        self.grow(hint.iter().map(|lit| lit.var()).max().unwrap_or(0));
        let needed = self.needed(&assumptions);
        if self.sat.included() > 2 * needed.len() + 256 {
            self.sat.exclude_all();
        }
        for lit in &hint {
            self.sat.include(lit.var());
            self.sat.set_phase(lit.var(), !lit.negated());
        }
        // Gates come after what they are made of, so their values under the hint follow.
        for &var in &needed {
            self.sat.include(var);
            let own = Lit::positive(var);
            let forced = |clause: &Vec<Lit>| clause.contains(&own) && clause.iter().all(|&other| other == own || !self.sat.phase(other));
            let phase = self.definitions[var as usize].iter().any(forced);
            self.sat.set_phase(var, phase);
        }
        let inputs: Vec<u32> = hint.iter().map(|lit| lit.var()).collect();
        self.sat.solve(&assumptions, &inputs, u64::MAX, Interrupt::never()) == Verdict::Sat
    }

    /// The gates that a query needs, in order.
    fn needed(&mut self, roots: &[Lit]) -> Vec<u32> {
        let mut needed = Vec::new();
        let mut open: Vec<u32> = roots.iter().map(|lit| lit.var()).collect();
        while let Some(var) = open.pop() {
            if std::mem::replace(&mut self.visited[var as usize], self.query) != self.query && !self.definitions[var as usize].is_empty() {
                needed.push(var);
                open.extend(self.definitions[var as usize].iter().flatten().map(|lit| lit.var()));
            }
        }
        needed.sort_unstable();
        needed
    }
}

fn lit(literal: Literal) -> Lit {
    Lit::positive(literal.unsigned_abs() - 1) ^ (literal < 0)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use xcute_solver::{Answer, Effort, Query, Solver as _};
    use xcute_term::{Model, Op, Sort, Terms};

    use super::*;
    use crate::BitBlaster;

    #[test]
    fn what_is_recorded_can_be_done_again() {
        let text = Arc::new(Mutex::new(String::new()));
        let sink = Arc::clone(&text);
        let mut blaster = BitBlaster::new().recorded(Box::new(move |piece| sink.lock().unwrap().push_str(piece)));
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::BitVec(8)), terms.var("y", Sort::BitVec(8)));
        let product = terms.mk(Op::BvMul, &[x, y]);
        let mut expected = Vec::new();
        for (number, value) in [(35, 5), (35, 6), (13, 13), (8, 3)] {
            let (product_is, factor_is) = (terms.bv(8, number), terms.bv(8, value));
            let path = [terms.mk(Op::Eq, &[product, product_is])];
            let even = terms.bv(8, 255);
            let odd = terms.mk(Op::BvUlt, &[y, even]);
            let goal = terms.mk(Op::Eq, &[x, factor_is]);
            let answer = blaster.solve(&mut terms, &Query::new(&[path[0], odd], goal, &Model::new(), Effort(1_000_000)));
            expected.push(matches!(answer, Answer::Sat(_)));
        }
        let text = text.lock().unwrap().clone();
        let steps = read(&text).expect("what was written");
        let mut replay = Replay::default();
        let mut found = Vec::new();
        for step in &steps {
            match step {
                Step::Begin => replay = Replay::default(),
                Step::Clause(clause) => replay.clause(clause),
                Step::Query { assumptions, hint, sat } => {
                    assert_eq!(replay.solve(assumptions, hint), *sat);
                    found.push(*sat);
                }
            }
        }
        assert_eq!(found, expected, "{text}");
        assert!(found.contains(&true) && found.contains(&false), "{found:?}");
    }
}
