//! Lazy constraints against trying all lists: the same answers, and a backend that is given few constraints.

use std::cell::Cell;
use std::rc::Rc;

use fastrand::Rng;
use xcute_solver::{Answer, Chain, ChainOptions, Count, Effort, Query, Solver};
use xcute_term::eval::Evaluator;
use xcute_term::{CtorId, DataSort, DataValue, Field, Model, Op, Sort, TermId, Terms, Value, VarId};

/// Lists of up to three elements from 0 to 3.
fn lists(nil: CtorId, cons: CtorId) -> Vec<Value> {
    let mut all = vec![Value::Data(DataValue { ctor: nil, fields: vec![] }.into())];
    let mut last = 0;
    for _ in 0..3 {
        let from = std::mem::replace(&mut last, all.len());
        for at in from..last {
            for head in 0..4 {
                let fields = vec![Value::bits(8, head), all[at].clone()];
                all.push(Value::Data(DataValue { ctor: cons, fields }.into()));
            }
        }
    }
    all
}

/// Tries all lists, and remembers with how many constraints it was asked at most.
struct Tries {
    lists: Vec<Value>,
    most: Rc<Cell<usize>>,
}

impl Solver for Tries {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.most.set(self.most.get().max(query.path.len()));
        let all: Vec<TermId> = query.path.iter().copied().chain([query.goal]).collect();
        let mut eval = Evaluator::new();
        for list in &self.lists {
            let mut model = Model::new();
            model.set(VarId(0), list.clone());
            eval.load(&model);
            if all.iter().all(|&c| eval.eval_bool(terms, c)) {
                return Answer::Sat(model);
            }
        }
        Answer::Unsat(all)
    }

    fn count(&self, _: &mut dyn FnMut(&Count)) {}
}

/// A condition on an element of the list, if it has it, or on its length.
fn condition(terms: &mut Terms, rng: &mut Rng, list: TermId, cons: CtorId) -> TermId {
    let mut at = list;
    for _ in 0..rng.u32(0..3) {
        at = terms.mk(Op::Select(cons, 1), &[at]);
    }
    let full = terms.mk(Op::IsCtor(cons), &[at]);
    let empty = terms.not(full);
    if rng.u32(0..4) == 0 {
        return if rng.bool() { full } else { empty };
    }
    let head = terms.mk(Op::Select(cons, 0), &[at]);
    let limit = terms.bv(8, rng.u64(0..4));
    let op = [Op::Eq, Op::BvUlt][rng.usize(0..2)];
    let compared = terms.mk(op, &[head, limit]);
    let compared = if rng.bool() { terms.not(compared) } else { compared };
    terms.mk(Op::Or, &[empty, compared])
}

#[test]
fn few_constraints_are_enough_and_the_answers_are_the_same() {
    let (mut sat, mut unsat, mut spared) = (0, 0, 0);
    for seed in 0..200 {
        let mut rng = Rng::with_seed(seed);
        let mut terms = Terms::new();
        let id = terms.next_data();
        let field = |name: &str, sort| Field { name: name.to_owned(), sort };
        let fields = vec![field("head", Sort::BitVec(8)), field("tail", Sort::Data(id))];
        terms.declare_data(DataSort { name: "list".to_owned(), ctors: vec![("nil".to_owned(), vec![]), ("cons".to_owned(), fields)] });
        let (nil, cons) = (CtorId { sort: id, index: 0 }, CtorId { sort: id, index: 1 });
        let list = terms.var("l", Sort::Data(id));
        let all = lists(nil, cons);
        let mut hint = Model::new();
        hint.set(VarId(0), all[rng.usize(0..all.len())].clone());
        let mut eval = Evaluator::new();
        eval.load(&hint);
        let mut path = Vec::new();
        while path.len() < 300 {
            let c = condition(&mut terms, &mut rng, list, cons);
            path.push(if eval.eval_bool(&terms, c) { c } else { terms.not(c) });
        }
        // Few of them differ; in some paths most are about something that any list has.
        let goal = condition(&mut terms, &mut rng, list, cons);
        if rng.bool() {
            let kept = rng.usize(0..12);
            let full = terms.mk(Op::IsCtor(cons), &[list]);
            let empty = terms.not(full);
            let any = terms.mk(Op::Or, &[full, empty]);
            path[kept..].fill(any);
        }
        let query = Query::new(&path, goal, &hint, Effort(1));
        let expected = Tries { lists: all.clone(), most: Rc::default() }.solve(&mut terms, &query);
        let most = Rc::new(Cell::new(0));
        let only = ChainOptions { lazy: true, ..ChainOptions::all(false) };
        let mut chain = Chain::build(only, vec![Box::new(Tries { lists: all, most: Rc::clone(&most) })]);
        match (chain.solve(&mut terms, &query), expected) {
            (Answer::Sat(patch), Answer::Sat(_)) => {
                eval.load(&hint.patched(&patch));
                assert!(path.iter().chain([&goal]).all(|&c| eval.eval_bool(&terms, c)), "seed {seed}");
                sat += 1;
            }
            (Answer::Unsat(core), Answer::Unsat(_)) => {
                assert!(core.iter().all(|c| path.contains(c) || *c == goal), "seed {seed}");
                unsat += 1;
            }
            (lazy, all) => panic!("seed {seed}: {lazy:?}, and {all:?} with all constraints"),
        }
        spared += usize::from(most.get() < 100);
    }
    assert!(sat > 20 && unsat > 20 && spared > 100, "{sat} {unsat} {spared}");
}
