//! An oracle and a generator for the layers' tests: brute force over small variables, and random queries over them.

use fastrand::Rng;
use xcute_solver::{Answer, Count, Effort, Query, Solver, Why};
use xcute_term::eval::Evaluator;
use xcute_term::{Model, Op, Sort, TermId, Terms, VarId};

/// Tries every assignment.
pub struct Brute;

impl Solver for Brute {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let mut all = query.path.to_vec();
        all.push(query.goal);
        if assignments(terms, &all) > LIMIT {
            return Answer::Unknown(Why::Unsupported);
        }
        match brute(terms, &all, query.hint) {
            Some(model) => Answer::Sat(model),
            None => Answer::Unsat(all),
        }
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        visit(&Count { layer: "brute", ..Count::default() });
    }
}

/// The words a variable can have.
pub fn words(terms: &Terms, v: VarId) -> Vec<u64> {
    let info = terms.info(v);
    match terms.domain(v) {
        Some(domain) => domain.to_vec(),
        None => (0..1u64 << info.sort.width().unwrap_or(1)).collect(),
    }
}

/// How many assignments brute force tries.
const LIMIT: u64 = 1 << 17;

fn variables(terms: &Terms, constraints: &[TermId]) -> Vec<VarId> {
    let mut vars: Vec<VarId> = constraints.iter().flat_map(|&c| terms.vars(c)).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

fn assignments(terms: &Terms, constraints: &[TermId]) -> u64 {
    let size = |v: VarId| match (terms.domain(v), terms.info(v).sort) {
        (Some(domain), _) => domain.len() as u64,
        (None, Sort::Bool) => 2,
        (None, Sort::BitVec(w)) if w < 32 => 1 << w,
        _ => u64::MAX,
    };
    variables(terms, constraints).into_iter().fold(1, |product, v| product.saturating_mul(size(v)))
}

/// A model of all constraints, if there is one.
pub fn brute(terms: &Terms, constraints: &[TermId], hint: &Model) -> Option<Model> {
    assert!(assignments(terms, constraints) <= LIMIT, "too many assignments for brute force");
    let vars = variables(terms, constraints);
    let choices: Vec<Vec<u64>> = vars.iter().map(|&v| words(terms, v)).collect();
    let total: usize = choices.iter().map(Vec::len).product();
    let mut eval = Evaluator::new();
    eval.load(hint);
    for n in 0..total {
        let (mut rest, mut model) = (n, Model::new());
        for (&v, words) in vars.iter().zip(&choices) {
            model.set_word(v, words[rest % words.len()]);
            eval.set_word(v, words[rest % words.len()]);
            rest /= words.len();
        }
        if constraints.iter().all(|&c| eval.eval_bool(terms, c)) {
            return Some(model);
        }
    }
    None
}

/// Compares an answer with brute force; the effort is enough for an answer.
pub fn judge(terms: &Terms, query: &Query<'_>, answer: &Answer) {
    let mut all = query.path.to_vec();
    all.push(query.goal);
    let expect = brute(terms, &all, query.hint);
    match answer {
        Answer::Sat(patch) => {
            assert!(expect.is_some(), "sat, but brute force finds nothing");
            let model = query.hint.patched(patch);
            let mut eval = Evaluator::new();
            eval.load(&model);
            for &(v, word) in model.words() {
                assert!(words(terms, v).contains(&word), "{v:?} = {word} is out of range or domain");
            }
            for (i, &c) in all.iter().enumerate() {
                assert!(eval.eval_bool(terms, c), "constraint {i} does not hold under the model");
            }
        }
        Answer::Unsat(core) => {
            assert!(expect.is_none(), "unsat, but {expect:?} is a model");
            assert!(core.iter().all(|c| all.contains(c)), "the core has constraints that the query has not");
            assert!(brute(terms, core, query.hint).is_none(), "the core is satisfiable");
        }
        Answer::Unknown(why) => panic!("unknown: {why:?}"),
    }
}

/// Random terms over a few small variables.
pub struct Gen {
    pub rng: Rng,
    pub vars: Vec<TermId>,
}

impl Gen {
    pub fn new(terms: &mut Terms, seed: u64) -> Gen {
        let mut rng = Rng::with_seed(seed);
        let width = rng.u32(3..=4);
        let other = rng.u32(2..=3);
        let mut vars = vec![terms.var("x", Sort::BitVec(width)), terms.var("y", Sort::BitVec(width)), terms.var("z", Sort::BitVec(other))];
        if rng.bool() {
            vars.push(terms.var("p", Sort::Bool));
        }
        Gen { rng, vars }
    }

    fn constant(&mut self, terms: &mut Terms, width: u32) -> TermId {
        let word = if self.rng.bool() { self.rng.u64(0..4) } else { self.rng.u64(..) };
        terms.bv(width, word & (u64::MAX >> (64 - width)))
    }

    /// A bit-vector of the given width.
    pub fn word(&mut self, terms: &mut Terms, width: u32, depth: u32) -> TermId {
        let fits = |terms: &Terms, v: TermId| terms.sort(v) == Sort::BitVec(width);
        if depth == 0 || self.rng.u32(0..5) == 0 {
            let candidates: Vec<TermId> = self.vars.iter().copied().filter(|&v| fits(terms, v)).collect();
            if !candidates.is_empty() && self.rng.u32(0..4) > 0 {
                return candidates[self.rng.usize(0..candidates.len())];
            }
            if depth == 0 {
                return self.constant(terms, width);
            }
        }
        match self.rng.u32(0..12) {
            0 => {
                let a = self.word(terms, width, depth - 1);
                let op = if self.rng.bool() { Op::BvNot } else { Op::BvNeg };
                terms.mk(op, &[a])
            }
            1 if width > 2 => {
                let from = self.rng.u32(1..width);
                let a = self.word(terms, from, depth - 1);
                let op = if self.rng.bool() { Op::ZeroExt(width) } else { Op::SignExt(width) };
                terms.mk(op, &[a])
            }
            2 => {
                let (low, more) = (self.rng.u32(0..3), self.rng.u32(0..3));
                let a = self.word(terms, width + low + more, depth - 1);
                terms.mk(Op::Extract(low + width - 1, low), &[a])
            }
            3 | 4 if width > 1 => {
                let low = self.rng.u32(1..width);
                let (a, b) = (self.word(terms, width - low, depth - 1), self.word(terms, low, depth - 1));
                terms.mk(Op::Concat, &[a, b])
            }
            5 => {
                let c = self.condition(terms, depth - 1);
                let (a, b) = (self.word(terms, width, depth - 1), self.word(terms, width, depth - 1));
                terms.mk(Op::Ite, &[c, a, b])
            }
            _ => {
                let op = Op::BINARY[self.rng.usize(0..Op::BINARY.len())];
                let a = self.word(terms, width, depth - 1);
                let b = if self.rng.bool() { self.constant(terms, width) } else { self.word(terms, width, depth - 1) };
                if self.rng.u32(0..4) == 0 { terms.mk(op, &[b, a]) } else { terms.mk(op, &[a, b]) }
            }
        }
    }

    /// A Boolean.
    pub fn condition(&mut self, terms: &mut Terms, depth: u32) -> TermId {
        match self.rng.u32(0..10) {
            0 if depth > 0 => {
                let n = self.rng.usize(2..4);
                let args: Vec<TermId> = (0..n).map(|_| self.condition(terms, depth - 1)).collect();
                terms.mk(if self.rng.bool() { Op::And } else { Op::Or }, &args)
            }
            1 if depth > 0 => {
                let a = self.condition(terms, depth - 1);
                terms.not(a)
            }
            2 if depth > 0 => {
                let (a, b) = (self.condition(terms, depth - 1), self.condition(terms, depth - 1));
                terms.mk(Op::Eq, &[a, b])
            }
            3 if self.vars.len() > 3 => self.vars[3],
            n => {
                let v = self.vars[self.rng.usize(0..3)];
                let width = terms.width(v);
                let op = [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle][self.rng.usize(0..5)];
                let a = if n < 6 { v } else { self.word(terms, width, depth) };
                let b = match n {
                    4 | 5 => self.vars[self.rng.usize(0..2)],
                    6 => self.word(terms, width, depth),
                    _ => self.constant(terms, width),
                };
                let b = if terms.sort(b) == terms.sort(a) { b } else { self.constant(terms, width) };
                let t = if self.rng.bool() { terms.mk(op, &[a, b]) } else { terms.mk(op, &[b, a]) };
                if self.rng.bool() { terms.not(t) } else { t }
            }
        }
    }

    /// Random words for the variables.
    pub fn hint(&mut self, terms: &Terms) -> Model {
        let mut hint = Model::new();
        for &t in &self.vars {
            let v = terms.vars(t).first().expect("a variable");
            let words = words(terms, v);
            hint.set_word(v, words[self.rng.usize(0..words.len())]);
        }
        hint
    }

    /// Constraints that hold under the hint.
    pub fn path(&mut self, terms: &mut Terms, hint: &Model, len: usize, depth: u32) -> Vec<TermId> {
        let mut eval = Evaluator::new();
        eval.load(hint);
        (0..len)
            .map(|_| {
                let c = self.condition(terms, depth);
                if eval.eval_bool(terms, c) { c } else { terms.not(c) }
            })
            .collect()
    }
}

/// The query, asked and judged.
pub fn ask(solver: &mut dyn Solver, terms: &mut Terms, path: &[TermId], goal: TermId, hint: &Model) -> Answer {
    let query = Query::new(path, goal, hint, Effort(1_000_000));
    let answer = solver.solve(terms, &query);
    judge(terms, &query, &answer);
    answer
}
