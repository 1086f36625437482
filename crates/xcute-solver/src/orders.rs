//! Order constraints: `<`, `<=`, `=` and `!=` between variables and constants, decided as difference constraints.
//!
//! Sorting and searching code compares inputs with each other, and where the last input leaves no gap between two values,
//! several must move at once. Read as integers, such comparisons form a graph whose cycles are the only contradictions
//! ([`difference`]); the last input satisfies all of it but the goal's edge, and only what must rise does. A disequality is not an
//! edge: where the result violates one, it is decided in favour of the first direction that works.
//!
//! **Invariant.** An answer is given only where all constraints are of this form and every variable is read as signed everywhere
//! or as unsigned everywhere. "Unsat" is given only for cycles, never because of a disequality of the path.

mod difference;

use xcute_term::{Model, Op, Sort, TermId, Terms, VarId};

use crate::bound::{mask, sign_bit};
use crate::marks::Slots;
use crate::solver::{Answer, Count, Layer, Query, Solver};
use difference::{Edge, Graph};

/// The node of the number zero, from which constants are measured.
const ZERO: u32 = 0;

/// The position that stands for the goal.
const GOAL: u32 = u32::MAX;

/// The layer of order constraints.
pub struct Orders {
    inner: Box<dyn Solver>,
    count: Count,
    graph: Graph,
    node_of: Slots,
    vars: Vec<Reading>,
    apart: Vec<(Side, Side)>,
}

/// A variable as an integer.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reading {
    var: VarId,
    signed: bool,
}

/// One side of a comparison: a node plus a constant.
#[derive(Clone, Copy)]
struct Side {
    node: u32,
    plus: i128,
}

/// A comparison and its sides.
type Comparison = (Relation, Side, Side);

/// What a comparison says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Less,
    LessOrEqual,
    Equal,
    Apart,
}

impl Orders {
    /// The procedure in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Orders {
        Orders {
            inner,
            count: Count { layer: "orders", ..Count::default() },
            graph: Graph::default(),
            node_of: Slots::default(),
            vars: Vec::new(),
            apart: Vec::new(),
        }
    }

    /// Enters the path and reads the goal. `None` where a constraint is of another form, or does not hold under the hint.
    fn build(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Comparison> {
        let mut goal = None;
        self.graph.clear();
        self.graph.node(0);
        self.node_of.clear(terms.var_count());
        self.vars.clear();
        self.apart.clear();
        // Equalities last: they are read as the other constraints read their variables.
        for equalities in [false, true] {
            for (i, &c) in query.path.iter().enumerate() {
                if is_equality(terms, c) == equalities && terms.as_u64(c).is_none() {
                    self.enter(terms, query.hint, c, u32::try_from(i).ok())?;
                }
            }
            if is_equality(terms, query.goal) == equalities {
                goal = Some(self.read(terms, query.hint, query.goal)?);
            }
        }
        goal
    }

    fn enter(&mut self, terms: &Terms, hint: &Model, c: TermId, reason: Option<u32>) -> Option<()> {
        let (relation, a, b) = self.read(terms, hint, c)?;
        let holds = match relation {
            Relation::Apart => {
                self.apart.push((a, b));
                true
            }
            Relation::Equal => self.graph.hold(edge(a, b, 0, reason)) && self.graph.hold(edge(b, a, 0, reason)),
            Relation::Less => self.graph.hold(edge(a, b, 1, reason)),
            Relation::LessOrEqual => self.graph.hold(edge(a, b, 0, reason)),
        };
        holds.then_some(())
    }

    fn read(&mut self, terms: &Terms, hint: &Model, c: TermId) -> Option<Comparison> {
        let (t, holds) = if terms.op(c) == Op::Not { (terms.args(c)[0], false) } else { (c, true) };
        let (signed, relation) = match (terms.op(t), holds) {
            (Op::BvUlt | Op::BvSlt, true) | (Op::BvUle | Op::BvSle, false) => (None, Relation::Less),
            (Op::BvUle | Op::BvSle, true) | (Op::BvUlt | Op::BvSlt, false) => (None, Relation::LessOrEqual),
            (Op::Eq, true) => (self.reading(terms, t), Relation::Equal),
            (Op::Eq, false) => (self.reading(terms, t), Relation::Apart),
            _ => return None,
        };
        let signed = signed.unwrap_or(matches!(terms.op(t), Op::BvSlt | Op::BvSle));
        let (a, b) = (terms.args(t)[0], terms.args(t)[1]);
        if !matches!(terms.sort(a), Sort::BitVec(1..=64)) {
            return None;
        }
        let (a, b) = (self.side(terms, hint, a, signed)?, self.side(terms, hint, b, signed)?);
        // The negation of a < b is b <= a: the sides change places.
        Some(if holds || terms.op(t) == Op::Eq { (relation, a, b) } else { (relation, b, a) })
    }

    /// An equality is read as its variables are read elsewhere; signed where they are not.
    fn reading(&self, terms: &Terms, equality: TermId) -> Option<bool> {
        let known = terms.vars(equality).iter().find_map(|v| self.node_of.get(v.index()));
        Some(known.is_none_or(|n| self.vars[n as usize - 1].signed))
    }

    fn side(&mut self, terms: &Terms, hint: &Model, t: TermId, signed: bool) -> Option<Side> {
        let number = |word: u64, width: u32, signed: bool| {
            let high = signed && word & sign_bit(width) != 0;
            i128::from(word) - if high { 1i128 << width } else { 0 }
        };
        if let Some(word) = terms.as_u64(t) {
            return Some(Side { node: ZERO, plus: number(word, terms.width(t), signed) });
        }
        let (t, signed) = match (terms.op(t), signed) {
            (Op::SignExt(_), true) => (terms.args(t)[0], true),
            (Op::ZeroExt(w), _) if w > terms.width(terms.args(t)[0]) => (terms.args(t)[0], false),
            _ => (t, signed),
        };
        let Op::Var(var) = terms.op(t) else { return None };
        if let Some(node) = self.node_of.get(var.index()) {
            let same = self.vars[node as usize - 1] == Reading { var, signed };
            return same.then_some(Side { node, plus: 0 });
        }
        if terms.info(var).is_restricted() {
            return None;
        }
        let width = terms.width(t);
        let node = self.graph.node(number(hint.word(var).unwrap_or(0), width, signed));
        self.node_of.set(var.index(), node);
        self.vars.push(Reading { var, signed });
        let half = if signed { 1i128 << (width - 1) } else { 0 };
        let (least, most) = (-half, (1i128 << width) - 1 - half);
        let zero = |plus| Side { node: ZERO, plus };
        let held = self.graph.hold(edge(zero(least), Side { node, plus: 0 }, 0, None));
        (held && self.graph.hold(edge(Side { node, plus: 0 }, zero(most), 0, None))).then_some(Side { node, plus: 0 })
    }

    /// Adds the goal and repairs the values.
    fn decide(&mut self, terms: &Terms, query: &Query<'_>, (relation, a, b): Comparison) -> Option<Answer> {
        let goal = Some(GOAL);
        let outcome = match relation {
            Relation::Less => self.graph.add(edge(a, b, 1, goal)),
            Relation::LessOrEqual => self.graph.add(edge(a, b, 0, goal)),
            Relation::Equal => self.graph.add(edge(a, b, 0, goal)).and_then(|()| self.graph.add(edge(b, a, 0, goal))),
            Relation::Apart => self.part(a, b, goal),
        };
        if let Err(reasons) = outcome {
            let constraint = |&r: &u32| if r == GOAL { query.goal } else { query.path[r as usize] };
            let mut core: Vec<TermId> = reasons.iter().map(constraint).collect();
            if !core.contains(&query.goal) {
                core.push(query.goal);
            }
            return Some(Answer::Unsat(core));
        }
        for i in 0..self.apart.len() {
            if query.interrupt.raised() {
                return None;
            }
            let (a, b) = self.apart[i];
            self.part(a, b, None).ok()?;
        }
        // Decisions for later disequalities can only raise further, never close a gap that an edge keeps open.
        Some(Answer::Sat(self.patch(terms, query.hint)))
    }

    /// Makes two sides differ, by an edge in the first direction that works.
    fn part(&mut self, a: Side, b: Side, reason: Option<u32>) -> Result<(), Vec<u32>> {
        let number = |s: Side, graph: &Graph| graph.value(s.node) + s.plus;
        let upwards = number(a, &self.graph) <= number(b, &self.graph);
        let (first, second) = if upwards { ((a, b), (b, a)) } else { ((b, a), (a, b)) };
        let Err(mut core) = self.graph.add(edge(first.0, first.1, 1, reason)) else { return Ok(()) };
        self.graph.undo();
        let Err(other) = self.graph.add(edge(second.0, second.1, 1, reason)) else { return Ok(()) };
        core.extend(other);
        core.sort_unstable();
        core.dedup();
        Err(core)
    }

    fn patch(&self, terms: &Terms, hint: &Model) -> Model {
        let mut patch = Model::new();
        let zero = self.graph.value(ZERO);
        for (i, reading) in self.vars.iter().enumerate() {
            let number = self.graph.value(u32::try_from(i + 1).expect("few nodes")) - zero;
            let width = terms.width(terms.var_term(reading.var));
            let word = u64::try_from(number & i128::from(mask(width))).expect("masked to at most 64 bits");
            if hint.word(reading.var).unwrap_or(0) != word {
                patch.set_word(reading.var, word);
            }
        }
        patch
    }
}

/// Whether a constraint is an equality or a disequality.
fn is_equality(terms: &Terms, c: TermId) -> bool {
    let t = if terms.op(c) == Op::Not { terms.args(c)[0] } else { c };
    terms.op(t) == Op::Eq
}

/// `a + gap <= b`.
fn edge(a: Side, b: Side, gap: i128, reason: Option<u32>) -> Edge {
    Edge { from: a.node, to: b.node, gap: gap + a.plus - b.plus, reason }
}

impl Layer for Orders {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn attempt(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Answer> {
        // Bounds on single variables are the shortcut's.
        let several = |t: &TermId| terms.vars(*t).len() > 1;
        if !several(&query.goal) && !query.path.iter().any(several) {
            return None;
        }
        let goal = self.build(terms, query)?;
        self.decide(terms, query, goal)
    }
}
