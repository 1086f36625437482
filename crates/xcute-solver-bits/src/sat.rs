//! The SAT solver below the circuit: batsat (MiniSat in Rust), with a budget of conflicts.

use batsat::{Callbacks, ClauseKind, Solver, SolverInterface, SolverOpts, lbool};

use crate::lit::Lit;

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A model; ask [`Sat::value`].
    Sat,
    /// None under these assumptions; ask [`Sat::in_core`].
    Unsat,
    /// The budget is used up.
    OutOfBudget,
}

/// Counts conflicts and stops the search when they are used up.
#[derive(Default)]
struct Budget {
    left: u64,
}

impl Callbacks for Budget {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.left = self.left.saturating_sub(1);
        }
    }

    fn stop(&self) -> bool {
        self.left == 0
    }
}

/// An incremental SAT solver.
pub(crate) struct Sat {
    solver: Solver<Budget>,
    clause: Vec<batsat::Lit>,
    assumptions: Vec<batsat::Lit>,
}

impl Sat {
    /// A solver that knows only the constant.
    pub(crate) fn new() -> Sat {
        let mut sat = Sat { solver: Solver::new(SolverOpts::default(), Budget::default()), clause: Vec::new(), assumptions: Vec::new() };
        let constant = sat.new_var();
        debug_assert_eq!(constant, Lit::TRUE);
        sat.clause(&[Lit::TRUE]);
        sat
    }

    /// A fresh variable.
    pub(crate) fn new_var(&mut self) -> Lit {
        Lit::positive(self.solver.new_var_default().idx())
    }

    /// Adds a clause for good.
    pub(crate) fn clause(&mut self, lits: &[Lit]) {
        self.clause.clear();
        self.clause.extend(lits.iter().map(|&l| to_batsat(l)));
        self.solver.add_clause_reuse(&mut self.clause);
    }

    /// Looks for a model in which all assumptions hold, with at most so many conflicts.
    pub(crate) fn solve(&mut self, assumptions: &[Lit], conflicts: u64) -> Verdict {
        self.assumptions.clear();
        self.assumptions.extend(assumptions.iter().map(|&l| to_batsat(l)));
        self.solver.cb_mut().left = conflicts.max(1);
        let verdict = self.solver.solve_limited(&self.assumptions);
        if verdict == lbool::TRUE {
            Verdict::Sat
        } else if verdict == lbool::FALSE {
            Verdict::Unsat
        } else {
            Verdict::OutOfBudget
        }
    }

    /// The value of a literal in the model just found.
    pub(crate) fn value(&self, lit: Lit) -> bool {
        self.solver.value_lit(to_batsat(lit)) == lbool::TRUE
    }

    /// Whether an assumption takes part in the contradiction just found.
    pub(crate) fn in_core(&self, assumption: Lit) -> bool {
        self.solver.unsat_core_contains_var(to_batsat(assumption).var())
    }

    /// How many variables there are.
    pub(crate) fn var_count(&self) -> u32 {
        self.solver.num_vars()
    }
}

fn to_batsat(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.var()), !lit.negated())
}
