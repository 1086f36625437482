//! The conformance suite: what every adapter to a real solver must get right.
//!
//! An adapter instantiates it in one line, `xcute_solver::solver_conformance!(MySolver::new(), Theories::BITS);`, and gets one test
//! per group. Expected results come from the evaluator: operands are chosen, the result computed, and the solver must find
//! operands for the result and must not find any for another one.
//!
//! **Invariant.** "Unknown" is wrong for a theory that the adapter claims and right for one that it does not.

mod ignorant;
mod theories;

use xcute_term::eval::Evaluator;
use xcute_term::{Interrupt, Model, Op, Sort, TermId, Terms, Value};

use crate::solver::{Answer, Effort, Query, Solver, Why};

pub use ignorant::Ignorant;
pub use theories::{algebraic_data, floats, integers, strings};

/// Which theories besides Booleans and bit-vectors of up to 64 bits an adapter claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, clippy::struct_excessive_bools, reason = "one flag per theory, named after it")]
pub struct Theories {
    pub wide: bool,
    pub floats: bool,
    pub integers: bool,
    pub strings: bool,
    pub data: bool,
}

impl Theories {
    /// Booleans and bit-vectors only.
    pub const BITS: Theories = Theories { wide: false, floats: false, integers: false, strings: false, data: false };
    /// All sorts.
    pub const ALL: Theories = Theories { wide: true, floats: true, integers: true, strings: true, data: true };
}

/// Instantiates the suite for an adapter: an expression that makes one, and the theories it claims.
#[macro_export]
macro_rules! solver_conformance {
    ($make:expr, $theories:expr) => {
        #[test]
        fn conforms_on_booleans() {
            $crate::conformance::booleans(&mut $make);
        }
        #[test]
        fn conforms_on_words() {
            $crate::conformance::words(&mut $make);
        }
        #[test]
        fn conforms_on_widths() {
            $crate::conformance::widths(&mut $make);
        }
        #[test]
        fn conforms_on_sequences() {
            $crate::conformance::sequences(&mut $make);
            $crate::conformance::no_effort(&mut $make);
        }
        #[test]
        fn conforms_on_other_theories() {
            let theories: $crate::conformance::Theories = $theories;
            $crate::conformance::wide_words(&mut $make, theories.wide);
            $crate::conformance::floats(&mut $make, theories.floats);
            $crate::conformance::integers(&mut $make, theories.integers);
            $crate::conformance::strings(&mut $make, theories.strings);
            $crate::conformance::algebraic_data(&mut $make, theories.data);
        }
    };
}

const EFFORT: Effort = Effort(1_000_000);

/// Values with which all conditions hold, as a change of an input that meets all but the last; `None` where there are none. What front ends give
/// to their own suite, whose programs are small enough for every solver.
///
/// # Panics
/// Where the solver does not know.
pub fn witness(solver: &mut dyn Solver, terms: &mut Terms, conditions: &[TermId], input: &Model) -> Option<Model> {
    let (goal, path) = conditions.split_last()?;
    match solver.solve(terms, &Query::new(path, *goal, input, Effort(10_000_000))) {
        Answer::Sat(patch) => Some(patch),
        Answer::Unsat(_) => None,
        Answer::Unknown(why) => panic!("the solver does not know: {why:?}"),
    }
}

/// One solver under examination.
pub struct Exam<'a> {
    solver: &'a mut dyn Solver,
    /// Where the questions are built.
    pub terms: Terms,
    /// Whether "unknown" is wrong.
    claimed: bool,
    /// The hint of the next questions.
    pub hint: Model,
}

impl<'a> Exam<'a> {
    /// An exam of a solver; `claimed` says whether it claims to know the theory.
    pub fn new(solver: &'a mut dyn Solver, claimed: bool) -> Exam<'a> {
        Exam { solver, terms: Terms::new(), claimed, hint: Model::new() }
    }

    /// Asks for a model of the constraints, the last of them being the goal and the others holding under the hint.
    ///
    /// # Panics
    /// Where the answer is wrong: that is the test.
    pub fn expect(&mut self, constraints: &[TermId], sat: bool) {
        let (&goal, path) = constraints.split_last().expect("a goal");
        match self.ask(path, goal) {
            Answer::Sat(patch) => {
                assert!(sat, "a model of contradicting constraints");
                assert!(self.satisfies(&patch, constraints), "the model does not satisfy the query");
                for &(v, word) in patch.words() {
                    let width = self.terms.info(v).sort.width().unwrap_or(1);
                    assert!(width >= 64 || word >> width == 0, "a word beyond the width of its variable");
                }
            }
            Answer::Unsat(core) => {
                assert!(!sat, "no model, but there is one");
                assert!(core.iter().all(|c| constraints.contains(c)), "the core has constraints that the query has not");
                assert!(core.contains(&goal), "the core blames the path, which holds under the hint");
                let rest: Vec<TermId> = core.into_iter().filter(|&c| c != goal).collect();
                let again = self.ask(&rest, goal);
                assert!(matches!(again, Answer::Unsat(_)), "the core is not contradictory: {again:?}");
            }
            Answer::Unknown(why) => assert!(!self.claimed, "unknown ({why:?}) for a claimed theory"),
        }
    }

    fn ask(&mut self, path: &[TermId], goal: TermId) -> Answer {
        debug_assert!(self.satisfies(&Model::new(), path), "the suite gives hints that satisfy the path");
        self.solver.solve(&mut self.terms, &Query::new(path, goal, &self.hint, EFFORT))
    }

    fn satisfies(&self, patch: &Model, constraints: &[TermId]) -> bool {
        let mut eval = Evaluator::new();
        eval.load(&self.hint.patched(patch));
        constraints.iter().all(|&c| eval.eval_bool(&self.terms, c))
    }

    /// With the operands fixed, `t` has its value and no other.
    fn operands(&mut self, vars: &[TermId], args: &[u64], t: TermId) {
        let terms = &mut self.terms;
        let mut constraints = Vec::new();
        for (&x, &a) in vars.iter().zip(args) {
            let Op::Var(v) = terms.op(x) else { panic!("operands are variables") };
            self.hint.set_word(v, a);
            let value = terms.value(Value::from_word(terms.sort(x), a));
            constraints.push(terms.mk(Op::Eq, &[x, value]));
        }
        let is = self.has_its_value(t);
        let not = self.terms.not(is);
        for (goal, sat) in [(is, true), (not, false)] {
            constraints.push(goal);
            self.expect(&constraints, sat);
            constraints.pop();
        }
    }

    /// That `t` has the value it has under the hint.
    fn has_its_value(&mut self, t: TermId) -> TermId {
        let mut eval = Evaluator::new();
        eval.load(&self.hint);
        let value = eval.eval(&self.terms, t);
        let value = self.terms.value(value);
        self.terms.mk(Op::Eq, &[t, value])
    }

    /// With one operand and the result fixed, there is another operand, since `a` is one.
    fn inverse(&mut self, x: TermId, y: TermId, a: u64, t: TermId) {
        let width = self.terms.width(x);
        let b = (a.rotate_left(7) ^ 0x55) & low(width);
        self.hint.set_word(self.terms.vars(x).first().expect("a variable"), a);
        self.hint.set_word(self.terms.vars(y).first().expect("a variable"), b);
        let result = self.has_its_value(t);
        self.hint.set_word(self.terms.vars(x).first().expect("a variable"), !a & low(width));
        let b = self.terms.bv(width, b);
        let fixed = self.terms.mk(Op::Eq, &[y, b]);
        self.expect(&[fixed, result], true);
    }
}

/// Connectives, by truth table.
pub fn booleans(solver: &mut dyn Solver) {
    let mut exam = Exam::new(solver, true);
    let vars: Vec<TermId> = ["p", "q", "r"].map(|n| exam.terms.var(n, Sort::Bool)).to_vec();
    let mut formulas = vec![exam.terms.not(vars[0])];
    for (op, arity) in [(Op::And, 2), (Op::Or, 2), (Op::Eq, 2), (Op::And, 3), (Op::Or, 3), (Op::Ite, 3)] {
        formulas.push(exam.terms.mk(op, &vars[..arity]));
    }
    for f in formulas {
        for row in 0..8u64 {
            exam.operands(&vars, &[row & 1, row >> 1 & 1, row >> 2], f);
        }
    }
}

/// Every operator on words, at the widths of machine words and some others.
pub fn words(solver: &mut dyn Solver) {
    use Op::{BvMul, BvNeg, BvNot, BvSdiv, BvSrem, BvUdiv, BvUrem};
    for width in [1, 5, 8, 16, 32, 64] {
        let mut exam = Exam::new(solver, true);
        let x = exam.terms.var("x", Sort::BitVec(width));
        let y = exam.terms.var("y", Sort::BitVec(width));
        for op in [BvNot, BvNeg] {
            let t = exam.terms.mk(op, &[x]);
            for a in samples(width) {
                exam.operands(&[x], &[a], t);
            }
        }
        for op in Op::BINARY.into_iter().chain(Op::COMPARISONS).chain([Op::Eq]) {
            let t = exam.terms.mk(op, &[x, y]);
            let hard = matches!(op, BvMul | BvUdiv | BvSdiv | BvUrem | BvSrem) && width > 16;
            for a in samples(width) {
                for b in samples(width).chain([u64::from(width)]) {
                    exam.operands(&[x, y], &[a, b & low(width)], t);
                }
                if !hard {
                    exam.inverse(x, y, a, t);
                }
            }
        }
    }
}

/// Operators between widths, and choices.
pub fn widths(solver: &mut dyn Solver) {
    for width in [8, 16, 32] {
        let mut exam = Exam::new(solver, true);
        let x = exam.terms.var("x", Sort::BitVec(width));
        let y = exam.terms.var("y", Sort::BitVec(width));
        let p = exam.terms.var("p", Sort::Bool);
        let unary = [Op::ZeroExt(width * 2), Op::SignExt(width * 2), Op::Extract(width / 2, 0), Op::Extract(width - 1, 3)];
        let mut formulas: Vec<TermId> = unary.iter().map(|&op| exam.terms.mk(op, &[x])).collect();
        formulas.push(exam.terms.mk(Op::Concat, &[x, y]));
        formulas.push(exam.terms.mk(Op::Ite, &[p, x, y]));
        for f in formulas {
            for a in samples(width) {
                exam.operands(&[x, y, p], &[a, a.wrapping_mul(3) & low(width), a & 1], f);
            }
        }
    }
}

/// Bit-vectors of more than 64 bits.
pub fn wide_words(solver: &mut dyn Solver, claimed: bool) {
    let mut exam = Exam::new(solver, claimed);
    let terms = &mut exam.terms;
    let x = terms.var("x", Sort::BitVec(100));
    let (one, zero) = (terms.bv(100, 1), terms.bv(100, 0));
    let next = terms.mk(Op::BvAdd, &[x, one]);
    let wraps = terms.mk(Op::BvUlt, &[next, x]);
    let end = terms.mk(Op::Eq, &[next, zero]);
    let other = terms.not(end);
    exam.expect(&[wraps], true);
    exam.expect(&[other, wraps], false);
}

/// A solver serves many queries, over terms that come later, in any order, with other hints.
pub fn sequences(solver: &mut dyn Solver) {
    let mut exam = Exam::new(solver, true);
    for round in 1..20u64 {
        let terms = &mut exam.terms;
        let x = terms.var(&format!("x{}", round % 3), Sort::BitVec(32));
        let y = terms.var(&format!("y{round}"), Sort::BitVec(32));
        let k = terms.bv(32, round * 7);
        let sum = terms.mk(Op::BvAdd, &[x, y]);
        let is = terms.mk(Op::Eq, &[sum, k]);
        let not = terms.not(is);
        let below = terms.mk(Op::BvUlt, &[x, k]);
        let above = terms.not(below);
        exam.hint = Model::new();
        exam.expect(&[below, is], true);
        exam.expect(&[not, below], true);
        exam.hint.set_word(exam.terms.vars(y).first().expect("a variable"), round * 7);
        exam.expect(&[is, above], true);
        exam.expect(&[is, below, not], false);
        exam.expect(&[is, below, above], false);
    }
}

/// With no effort at all an answer may be "unknown", but not wrong.
pub fn no_effort(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", Sort::BitVec(32)), terms.var("y", Sort::BitVec(32)));
    let product = terms.mk(Op::BvMul, &[x, y]);
    let (k, one) = (terms.bv(32, 0x00ff_f1b5), terms.bv(32, 1));
    let goal = [terms.mk(Op::Eq, &[product, k]), terms.mk(Op::BvUlt, &[one, x]), terms.mk(Op::BvUlt, &[one, y])];
    let goal = terms.mk(Op::And, &goal);
    match solver.solve(&mut terms, &Query::new(&[], goal, &Model::new(), Effort(0))) {
        Answer::Sat(patch) => {
            let mut eval = Evaluator::new();
            eval.load(&patch);
            assert!(eval.eval_bool(&terms, goal), "the model does not satisfy the query");
        }
        Answer::Unsat(_) => panic!("no model, but there is one"),
        Answer::Unknown(_) => {}
    }
}

/// A query that would take for ever ends when it is interrupted, and the solver can be asked again. For real solvers only: it never ends otherwise.
pub fn interrupts(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", Sort::BitVec(64)), terms.var("y", Sort::BitVec(64)));
    let product = terms.mk(Op::BvMul, &[x, y]);
    // The product of two primes of 31 bits, and of numbers that cannot be larger.
    let (k, one, half) = (terms.bv(64, 2_147_483_647 * 2_147_483_629), terms.bv(64, 1), terms.bv(64, 1 << 32));
    let mut path = vec![terms.mk(Op::Eq, &[product, k])];
    for factor in [x, y] {
        path.extend([terms.mk(Op::BvUlt, &[one, factor]), terms.mk(Op::BvUlt, &[factor, half])]);
    }
    let goal = terms.mk(Op::BvUlt, &[x, y]);
    let (hint, interrupt) = (Model::new(), Interrupt::new());
    let answer = std::thread::scope(|scope| {
        let flag = &interrupt;
        // Long enough for the query to be under way; how long does not matter for the result.
        scope.spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            flag.raise();
        });
        solver.solve(&mut terms, &Query::new(&path, goal, &hint, Effort(u64::MAX)).until(&interrupt))
    });
    assert!(matches!(answer, Answer::Unknown(Why::Interrupted) | Answer::Sat(_)), "{answer:?}");
    let again = solver.solve(&mut terms, &Query::new(&[], goal, &hint, EFFORT));
    assert!(matches!(again, Answer::Sat(_)), "asked again: {again:?}");
}

/// The low bits.
fn low(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// Words that matter: the ends of both orders and something between.
fn samples(width: u32) -> impl Iterator<Item = u64> {
    [0, 1, low(width), low(width) >> 1, (low(width) >> 1) + 1, 0x9e37_79b9_7f4a_7c15 & low(width)].into_iter()
}
