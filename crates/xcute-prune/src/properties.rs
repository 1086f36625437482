//! Properties of weakest preconditions, generalisation and the cap, over small cells and all their values.

use fastrand::Rng;
use xcute_solver::{Chain, ChainOptions};
use xcute_solver_bits::BitBlaster;
use xcute_term::eval::Evaluator;
use xcute_term::{Interrupt, Model, Op, Sort, TermId, Terms, VarId};

use crate::context::Context;
use crate::counters::Counters;
use crate::history::History;
use crate::implied::Walk;
use crate::interpolant::{Clause, Interpolant};
use crate::options::Options;
use crate::symbols::Symbols;
use xcute_trace::segments::{Arm, Choice, Decision, End, Run, Segment};
use xcute_trace::segments::{Point, Points};

const WIDTH: u32 = 3;
const VALUES: u64 = 1 << WIDTH;

struct World {
    terms: Terms,
    cells: Vec<TermId>,
    symbol: TermId,
    random: Rng,
}

impl World {
    fn new(seed: u64) -> World {
        let mut terms = Terms::new();
        let cells = ["x", "y"].map(|name| terms.var(name, Sort::BitVec(WIDTH))).to_vec();
        let symbol = terms.var("n", Sort::BitVec(WIDTH));
        World { terms, cells, symbol, random: Rng::with_seed(seed) }
    }

    fn var(&self, term: TermId) -> VarId {
        self.terms.vars(term).first().expect("a variable")
    }

    fn word(&mut self) -> TermId {
        let word = self.random.u64(..VALUES);
        self.terms.bv(WIDTH, word)
    }

    /// A sum of a cell (or, with `symbols`, the symbol) and something.
    fn sum(&mut self, symbols: bool) -> TermId {
        let any = |world: &mut World| match world.random.u8(..5) {
            0 if symbols => world.symbol,
            1..4 => world.cells[world.random.usize(..2)],
            _ => world.word(),
        };
        let (a, b) = (any(self), any(self));
        self.terms.mk(Op::BvAdd, &[a, b])
    }

    fn literal(&mut self) -> TermId {
        let op = [Op::BvSlt, Op::BvSle, Op::BvUlt, Op::BvUle, Op::Eq][self.random.usize(..5)];
        let a = self.sum(false);
        let b = if self.random.u8(..3) == 0 { self.sum(false) } else { self.word() };
        let (a, b) = if self.random.bool() { (a, b) } else { (b, a) };
        self.terms.mk(op, &[a, b])
    }

    fn interpolant(&mut self) -> Interpolant {
        let mut all = Interpolant::default();
        for _ in 0..self.random.usize(1..5) {
            let literals: Vec<TermId> = (0..self.random.usize(1..4)).map(|_| self.literal()).collect();
            all.add_literals(&mut self.terms, &literals);
        }
        all
    }

    /// The truth of an interpolant under values of the cells, for all values of other variables.
    fn holds(&mut self, interpolant: &Interpolant, values: &[u64]) -> bool {
        interpolant.clauses().iter().all(|clause| self.clause_holds(clause, values))
    }

    fn clause_holds(&mut self, clause: &Clause, values: &[u64]) -> bool {
        let term = clause.term(&mut self.terms);
        let mut eval = Evaluator::new();
        let cells: Vec<VarId> = self.cells.iter().map(|&cell| self.var(cell)).collect();
        let others: Vec<VarId> = self.terms.vars(term).iter().filter(|var| !cells.contains(var)).collect();
        (0..VALUES.pow(u32::try_from(others.len()).expect("few"))).all(|mut code| {
            for (cell, &value) in cells.iter().zip(values) {
                eval.set_word(*cell, value);
            }
            for other in &others {
                eval.set_word(*other, code % VALUES);
                code /= VALUES;
            }
            eval.eval_bool(&self.terms, term)
        })
    }

    /// A run that is at a decision with these values of cells.
    fn walk(&mut self, symbols: &mut Symbols, values: &[u64]) -> Walk {
        let mut initial = Vec::new();
        for (at, &value) in values.iter().enumerate() {
            let constant = self.terms.bv(WIDTH, value);
            let cell = self.var(self.cells[at]);
            symbols.add_cell(cell, constant);
            initial.push((cell, constant));
        }
        let point = Points::default().id(&Point { site: 0, stack: Vec::new(), thread: 0 });
        let choice = Choice::Branch(vec![self.terms.bool(false), self.terms.bool(true)]);
        let decision =
            Decision { point, segment: Segment::default(), own: Vec::new(), choice, taken: Arm::Nth(1), in_trace: true, counted: true };
        let decisions = vec![decision];
        let run =
            Run { partition: 0, input: Model::new(), initial, foreign: Vec::new(), decisions, last: Segment::default(), end: End::Passed };
        let mut history = History::new(&mut self.terms, &run);
        history.advance(&mut self.terms, symbols, &run);
        Walk { run, history }
    }

    fn with<T>(&mut self, symbols: &mut Symbols, options: &Options, act: impl FnOnce(&mut Context<'_>) -> T) -> T {
        let mut solver = Chain::build(ChainOptions::default(), vec![Box::new(BitBlaster::new())]);
        let (mut counters, mut eval) = (Counters::default(), Evaluator::new());
        let (terms, interrupt) = (&mut self.terms, Interrupt::never());
        act(&mut Context {
            terms,
            solver: &mut solver,
            options,
            symbols,
            counters: &mut counters,
            eval: &mut eval,
            interrupt,
            allowed: u64::MAX,
        })
    }
}

fn states() -> impl Iterator<Item = [u64; 2]> {
    (0..VALUES).flat_map(|x| (0..VALUES).map(move |y| [x, y]))
}

#[test]
fn the_weakest_precondition_of_a_segment_is_exact() {
    for seed in 0..300 {
        let mut world = World::new(seed);
        let mut symbols = Symbols::default();
        world.walk(&mut symbols, &[0, 0]);
        let after = world.interpolant();
        let writes: Vec<(VarId, TermId)> = (0..2).map(|at| (world.var(world.cells[at]), world.sum(true))).collect();
        let segment = Segment { writes: writes.clone(), equalities: Vec::new() };
        let before = world.with(&mut symbols, &Options::default(), |context| context.wp_segment(&after, &segment, &Model::new()));
        let (x, y, n) = (world.var(world.cells[0]), world.var(world.cells[1]), world.var(world.symbol));
        for [a, b] in states() {
            let expected = (0..VALUES).all(|value| {
                let mut eval = Evaluator::new();
                eval.set_word(x, a);
                eval.set_word(y, b);
                eval.set_word(n, value);
                let next: Vec<u64> = writes.iter().map(|write| eval.eval_word(&world.terms, write.1)).collect();
                world.holds(&after, &next)
            });
            assert_eq!(world.holds(&before, &[a, b]), expected, "seed {seed}: {}", after.human(&world.terms));
        }
    }
}

/// Stronger than before, and still true of the state it was true of.
fn strengthens(seed: u64, change: impl FnOnce(&mut Context<'_>, &Walk, Interpolant) -> Option<Interpolant>, options: &Options) -> bool {
    let mut world = World::new(seed);
    let before = world.interpolant();
    let Some(state) = states().skip(usize::try_from(seed % 40).expect("small")).find(|state| world.holds(&before, state)) else {
        return true;
    };
    let mut symbols = Symbols::default();
    let walk = world.walk(&mut symbols, &state);
    let Some(after) = world.with(&mut symbols, options, |context| change(context, &walk, before.clone())) else { return false };
    assert!(world.holds(&after, &state), "seed {seed}: no longer implied: {}", after.human(&world.terms));
    for state in states() {
        let sound = !world.holds(&after, &state) || world.holds(&before, &state);
        assert!(sound, "seed {seed}: {} became {}", before.human(&world.terms), after.human(&world.terms));
    }
    true
}

#[test]
fn generalisation_strengthens() {
    for seed in 0..600 {
        strengthens(seed, |context, walk, before| Some(context.generalise(walk, 0, before)), &Options::default());
    }
}

#[test]
fn the_cap_strengthens() {
    let options = Options { cap: 6, ..Options::default() };
    let there = (0..600).filter(|&seed| strengthens(seed, |context, walk, before| context.cap(walk, 0, before), &options)).count();
    assert!(there > 400, "of 600 interpolants {there} were brought to size");
}

/// Cells of sorts that have no bounds here: everything goes through, and what is kept is true of the state.
#[test]
fn cells_of_any_sort() {
    let mut world = World::new(0);
    let terms = &mut world.terms;
    let wide = terms.var("wide", Sort::BitVec(128));
    let float = terms.var("float", Sort::F64);
    let flag = terms.var("flag", Sort::Bool);
    let (k, one) = (terms.bv(128, 7), terms.value(xcute_term::Value::from_word(Sort::F64, 1f64.to_bits())));
    let sum = terms.mk(Op::BvAdd, &[wide, k]);
    let literals = [terms.mk(Op::BvSlt, &[sum, k]), terms.mk(Op::FpLe, &[float, one]), terms.not(flag)];
    let mut before = Interpolant::default();
    before.add_literals(terms, &literals[..1]);
    before.add_literals(terms, &literals[1..]);
    let start: Vec<(VarId, TermId)> = [wide, float, flag]
        .map(|cell| {
            let initial = if cell == wide { terms.bv(128, 1) } else { terms.value(terms.default_value(terms.sort(cell))) };
            (terms.vars(cell).first().expect("a variable"), initial)
        })
        .to_vec();
    // 1 + 7 < 7 does not hold of the state; the other clause does.
    let mut symbols = Symbols::default();
    assert!(start.iter().all(|&(cell, initial)| symbols.add_cell(cell, initial)));
    let walk = world.walk(&mut symbols, &[0, 0]);
    let options = Options { cap: 1, ..Options::default() };
    let writes = vec![(start[0].0, world.terms.var("n", Sort::BitVec(WIDTH)))];
    let writes = writes.into_iter().map(|(cell, n)| (cell, world.terms.mk(Op::ZeroExt(128), &[n]))).collect();
    world.with(&mut symbols, &options, |context| {
        assert!(!context.implies_all(crate::counters::Purpose::Implied, &walk, 0, &before));
        let after = context.generalise(&walk, 0, before.clone());
        assert_eq!(after.clauses().len(), 2);
        assert!(context.cap(&walk, 0, after).is_none());
        let segment = Segment { writes, equalities: Vec::new() };
        let wp = context.wp_segment(&before, &segment, &Model::new());
        assert!(wp.is_false(), "0 + 7 < 7 does not hold: {}", wp.human(context.terms));
    });
}

#[test]
fn elimination_is_stronger_and_keeps_what_the_state_implies() {
    let mut eliminated = 0;
    for seed in 0..2000 {
        let mut world = World::new(seed);
        let other = world.terms.var("m", Sort::BitVec(WIDTH));
        let mut before = Interpolant::default();
        for _ in 0..2 {
            let mut literals = Vec::new();
            // Guards of the symbols, and a bound on a sum with them.
            for symbol in [world.symbol, other] {
                for _ in 0..world.random.usize(..3) {
                    let (op, k) = ([Op::BvSlt, Op::BvUlt, Op::BvSle][world.random.usize(..3)], world.word());
                    let args = if world.random.bool() { [symbol, k] } else { [k, symbol] };
                    literals.push(world.terms.mk(op, &args));
                }
            }
            let mut sum = world.sum(true);
            for symbol in [world.symbol, other].into_iter().take(world.random.usize(..3)) {
                sum = world.terms.mk(Op::BvAdd, &[sum, symbol]);
            }
            let (op, k) = ([Op::BvSlt, Op::BvUlt, Op::BvSle, Op::BvUle][world.random.usize(..4)], world.word());
            let args = if world.random.bool() { [sum, k] } else { [k, sum] };
            literals.push(world.terms.mk(op, &args));
            if world.random.u8(..4) == 0 {
                literals.push(world.literal());
            }
            before.add_literals(&mut world.terms, &literals);
        }
        let state = [world.random.u64(..VALUES), world.random.u64(..VALUES)];
        let mut symbols = Symbols::default();
        let walk = world.walk(&mut symbols, &state);
        let after = world.with(&mut symbols, &Options::default(), |context| context.eliminate(&walk, 0, &before));
        eliminated += u32::from(after != before);
        for at in states() {
            assert!(!world.holds(&after, &at) || world.holds(&before, &at), "seed {seed}: stronger at {at:?}");
        }
        assert!(!world.holds(&before, &state) || world.holds(&after, &state), "seed {seed}: useful at {state:?}");
    }
    assert!(eliminated > 200, "{eliminated} of 2000");
}
