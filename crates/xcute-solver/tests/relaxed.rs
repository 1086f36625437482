//! Relaxation against brute force: with a backend that gives up where too many inputs are free, models are models of the whole query, and nothing is ever called impossible.

use std::cell::Cell;
use std::rc::Rc;

use crate::common::{Brute, words};
use fastrand::Rng;
use xcute_solver::{Answer, Chain, ChainOptions, Count, Effort, Query, Relaxed, Solver, Why};
use xcute_term::eval::Evaluator;
use xcute_term::{Model, Op, Sort, TermId, Terms, VarId};

/// Brute force that gives up where more inputs are free than it can count on one hand, as a solver does before a hash.
struct Weak {
    free: usize,
    asked: Rc<Cell<u64>>,
}

impl Solver for Weak {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.asked.set(self.asked.get() + 1);
        let all: Vec<TermId> = query.path.iter().copied().chain([query.goal]).collect();
        let fixed = |var: &VarId| {
            let term = terms.var_term(*var);
            all.iter()
                .any(|&c| terms.op(c) == Op::Eq && terms.args(c).contains(&term) && terms.args(c).iter().any(|&arg| terms.is_const(arg)))
        };
        let mut vars: Vec<VarId> = all.iter().flat_map(|&c| terms.vars(c)).collect();
        vars.sort_unstable();
        vars.dedup();
        if vars.iter().filter(|var| !fixed(var)).count() > self.free { Answer::Unknown(Why::Effort) } else { Brute.solve(terms, query) }
    }

    fn count(&self, _: &mut dyn FnMut(&Count)) {}
}

/// `((b0 * 3 ^ b1) * 3 ^ b2 ...) == sum`, over inputs of four bits, of which `sum` is one.
fn checksum(terms: &mut Terms, length: usize) -> (Vec<VarId>, TermId) {
    let var = |terms: &mut Terms, name: String| {
        let term = terms.var(&name, Sort::BitVec(4));
        let Op::Var(id) = terms.op(term) else { unreachable!("a variable") };
        (term, id)
    };
    let bytes: Vec<(TermId, VarId)> = (0..length).map(|at| var(terms, format!("b{at}"))).collect();
    let (sum, stored) = var(terms, "sum".into());
    let three = terms.bv(4, 3);
    let hash = bytes.iter().fold(terms.bv(4, 7), |hash, &(byte, _)| {
        let product = terms.mk(Op::BvMul, &[hash, three]);
        terms.mk(Op::BvXor, &[product, byte])
    });
    let goal = terms.mk(Op::Eq, &[hash, sum]);
    (bytes.iter().map(|byte| byte.1).chain([stored]).collect(), goal)
}

fn holds(terms: &Terms, constraints: &[TermId], model: &Model) -> bool {
    let mut eval = Evaluator::new();
    eval.load(model);
    constraints.iter().all(|&c| eval.eval_bool(terms, c))
}

#[test]
fn models_are_those_of_the_query_and_its_contradictions_are_not_ours() {
    let mut random = Rng::with_seed(5);
    let (mut found, mut given_up) = (0, 0);
    for _ in 0..300 {
        let mut terms = Terms::new();
        let (vars, goal) = checksum(&mut terms, 3);
        let hint = Model::from_words(vars.iter().map(|&var| (var, random.u64(..16))).collect());
        let mut path = Vec::new();
        for &var in vars.iter().filter(|_| random.bool()) {
            let (term, limit) = (terms.var_term(var), terms.bv(4, hint.word(var).expect("set above")));
            path.push(terms.mk(Op::BvUle, &[term, limit]));
        }
        let goal = if random.bool() { goal } else { terms.not(goal) };
        let query = Query::new(&path, goal, &hint, Effort(1000));
        let asked = Rc::new(Cell::new(0));
        let mut solver = Relaxed::new(Box::new(Weak { free: 1, asked: Rc::clone(&asked) }));
        match solver.solve(&mut terms, &query) {
            Answer::Sat(patch) => {
                let model = hint.patched(&patch);
                assert!(holds(&terms, &[&path[..], &[goal]].concat(), &model));
                assert!(vars.iter().all(|&var| words(&terms, var).contains(&model.word(var).expect("set above"))));
                found += 1;
            }
            Answer::Unsat(_) => panic!("nobody knows that"),
            Answer::Unknown(_) => given_up += 1,
        }
        assert!(asked.get() <= 8, "{} attempts", asked.get());
    }
    assert!(found > 150 && given_up > 0, "{found} found, {given_up} given up");
}

#[test]
fn a_checksum_that_is_stored_beside_a_message_is_found_by_the_whole_chain() {
    let mut terms = Terms::new();
    let (vars, goal) = checksum(&mut terms, 3);
    let hint = Model::from_words(vars.iter().map(|&var| (var, 9)).collect());
    assert!(!holds(&terms, &[goal], &hint));
    let layers = ChainOptions { shortcut: false, ..ChainOptions::all(true) };
    for (relaxed, known) in [(true, true), (false, false)] {
        let backend = Box::new(Weak { free: 1, asked: Rc::default() });
        let mut chain = Chain::build(ChainOptions { relaxed, ..layers }, vec![backend]);
        let answer = chain.solve(&mut terms, &Query::new(&[], goal, &hint, Effort(1000)));
        assert_eq!(matches!(answer, Answer::Sat(_)), known, "{answer:?}");
    }
}
