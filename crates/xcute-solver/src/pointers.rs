//! Pointer constraints: equalities and disequalities over input pointers and NULL, decided by the equivalence graph.
//!
//! [sen-marinov-agha-2006 §4.1.5, Fig. 12]. The nodes are the classes of `=` in the path, an edge is a `!=`; the
//! goal `x = y` contradicts an edge, the goal `x != y` a common class; otherwise `solve_pointer` changes one class of the old
//! input and nothing else, so consecutive inputs stay similar. We deviate in two points. Constants are nodes (the paper has
//! NULL only), so a goal may name any object. And a pointer may only take the words of its domain, which list NULL, the
//! objects that it may alias and, as the largest word, its own fresh object (the paper's `non-NULL`): where the paper's value
//! is not allowed for the whole class, the other words are tried, and if none fits the query is passed on, because then
//! changing one class is not enough.
//!
//! **Invariant.** An answer is given only where every constraint of the query is a pointer constraint.

use xcute_term::{Model, Op, TermId, Terms, VarId};

use crate::marks::Slots;
use crate::solver::{Answer, Count, Layer, Query, Solver};

/// `a = b` or `a != b` over pointer variables and constants.
#[derive(Clone, Copy, Debug)]
struct Literal {
    a: TermId,
    b: TermId,
    equal: bool,
}

/// The layer of pointer constraints.
pub struct Pointers {
    inner: Box<dyn Solver>,
    count: Count,
    graph: Graph,
}

/// The equivalence graph of one query.
#[derive(Default)]
struct Graph {
    /// Per term: its node.
    node_of: Slots,
    nodes: Vec<TermId>,
    /// Union-find over nodes; once all are entered, the class of each.
    parent: Vec<u32>,
    /// By class: the word of a constant in it.
    constants: Vec<Option<u64>>,
    /// Disequalities of the path, with their constraints.
    edges: Vec<(u32, u32, TermId)>,
    /// Equalities of the path, with their constraints.
    equalities: Vec<(u32, TermId)>,
    /// The members of the class that is changed.
    members: Vec<VarId>,
    tried: Vec<u64>,
    /// The words of the classes beyond an edge from it, sorted.
    beyond: Vec<u64>,
}

impl Pointers {
    /// The procedure in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Pointers {
        Pointers { inner, count: Count { layer: "pointers", ..Count::default() }, graph: Graph::default() }
    }
}

impl Layer for Pointers {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn attempt(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Answer> {
        let goal = literal(terms, query.goal)?;
        if self.graph.build(terms, query.path, goal) { self.graph.decide(terms, query, goal) } else { None }
    }
}

/// The pointer constraint that a term is, if it is one.
fn literal(terms: &Terms, t: TermId) -> Option<Literal> {
    let (t, equal) = if terms.op(t) == Op::Not { (terms.args(t)[0], false) } else { (t, true) };
    if terms.op(t) != Op::Eq {
        return None;
    }
    let (a, b) = (terms.args(t)[0], terms.args(t)[1]);
    let node = |n: TermId| match terms.op(n) {
        Op::Var(v) => terms.info(v).is_restricted(),
        _ => terms.as_u64(n).is_some(),
    };
    let pointer = |n: TermId| matches!(terms.op(n), Op::Var(_));
    (node(a) && node(b) && (pointer(a) || pointer(b))).then_some(Literal { a, b, equal })
}

impl Graph {
    /// Enters the path and the goal's nodes; false where a constraint is not about pointers.
    fn build(&mut self, terms: &Terms, path: &[TermId], goal: Literal) -> bool {
        self.node_of.clear(terms.len());
        self.nodes.clear();
        self.parent.clear();
        self.edges.clear();
        self.equalities.clear();
        for &c in path {
            let Some(l) = literal(terms, c) else { return false };
            let (a, b) = (self.node(l.a), self.node(l.b));
            if l.equal {
                self.equalities.push((a, c));
                let (a, b) = (self.find(a), self.find(b));
                self.parent[a.max(b) as usize] = a.min(b);
            } else {
                self.edges.push((a, b, c));
            }
        }
        self.node(goal.a);
        self.node(goal.b);
        self.constants.clear();
        self.constants.resize(self.nodes.len(), None);
        for n in 0..self.nodes.len() {
            let class = self.find(u32::try_from(n).expect("fewer nodes than terms"));
            self.parent[n] = class;
            if let Some(word) = terms.as_u64(self.nodes[n]) {
                self.constants[class as usize].get_or_insert(word);
            }
        }
        true
    }

    fn node(&mut self, t: TermId) -> u32 {
        if let Some(n) = self.node_of.get(t.index()) {
            return n;
        }
        let n = u32::try_from(self.nodes.len()).expect("fewer nodes than terms");
        self.node_of.set(t.index(), n);
        self.nodes.push(t);
        self.parent.push(n);
        n
    }

    fn find(&mut self, mut n: u32) -> u32 {
        while self.parent[n as usize] != n {
            self.parent[n as usize] = self.parent[self.parent[n as usize] as usize];
            n = self.parent[n as usize];
        }
        n
    }

    /// The class of a node, once all are entered.
    fn class_of(&self, n: u32) -> u32 {
        self.parent[n as usize]
    }

    fn class(&self, t: TermId) -> u32 {
        self.class_of(self.node_of.get(t.index()).expect("the goal's nodes are entered"))
    }

    /// The paper's check and `solve_pointer`.
    fn decide(&mut self, terms: &Terms, query: &Query<'_>, goal: Literal) -> Option<Answer> {
        let (x, y) = (self.class(goal.a), self.class(goal.b));
        if goal.equal {
            if x == y {
                return Some(Answer::Sat(Model::new()));
            }
            let edge = self.edges.iter().find(|e| [(x, y), (y, x)].contains(&(self.class_of(e.0), self.class_of(e.1))));
            let clash = edge.map(|e| e.2);
            let constants = self.constant(x).zip(self.constant(y));
            if clash.is_some() || constants.is_some_and(|(a, b)| a != b) {
                return Some(Answer::Unsat(self.core(x, y, clash, query.goal)));
            }
            // x = y and x = NULL: the class that moves gets the other's value; the paper moves y's.
            let (vx, vy) = (self.value(terms, query.hint, x), self.value(terms, query.hint, y));
            let moved = if self.constant(y).is_some() { [vy, vx] } else { [vx, vy] };
            return self.assign(terms, query.hint, &[x, y], &moved, None);
        }
        if x == y {
            return Some(Answer::Unsat(self.core(x, y, None, query.goal)));
        }
        // x != NULL and x != y: a fresh object for y's class, or for x's where y is a constant or that fails.
        let order = if self.constant(y).is_some() { [(x, y), (y, x)] } else { [(y, x), (x, y)] };
        order.into_iter().find_map(|(moved, other)| {
            let apart = self.value(terms, query.hint, other);
            self.assign(terms, query.hint, &[moved], &[], Some(apart))
        })
    }

    /// The word of a constant in a class.
    fn constant(&self, class: u32) -> Option<u64> {
        self.constants[class as usize]
    }

    /// The word that a class has under the hint.
    fn value(&self, terms: &Terms, hint: &Model, class: u32) -> u64 {
        self.word(terms, hint, self.nodes[class as usize])
    }

    fn word(&self, terms: &Terms, hint: &Model, node: TermId) -> u64 {
        match terms.op(node) {
            Op::Var(v) => hint.word(v).unwrap_or(0),
            _ => terms.as_u64(node).unwrap_or(0),
        }
    }

    /// Gives the pointers of `classes` one common word: the first that fits of `wanted`, then their own fresh objects, then
    /// any of the domain. It must differ from `apart` and from the words of all classes beyond an edge.
    fn assign(&mut self, terms: &Terms, hint: &Model, classes: &[u32], wanted: &[u64], apart: Option<u64>) -> Option<Answer> {
        if apart.is_some() && classes.iter().any(|&c| self.constant(c).is_some()) {
            return None;
        }
        self.members.clear();
        for n in 0..self.nodes.len() {
            if let Op::Var(v) = terms.op(self.nodes[n])
                && classes.contains(&self.parent[n])
            {
                self.members.push(v);
            }
        }
        let domain = |v: VarId| terms.domain(v).unwrap_or(&[]);
        self.tried.clear();
        self.tried.extend_from_slice(wanted);
        self.tried.extend(self.members.iter().filter_map(|&v| domain(v).last().copied()));
        self.tried.extend(domain(*self.members.first()?).iter().rev());
        self.beyond.clear();
        for &(a, b, _) in &self.edges {
            let inside = |n: u32| classes.contains(&self.class_of(n));
            let other = match (inside(a), inside(b)) {
                (true, false) => b,
                (false, true) => a,
                _ => continue,
            };
            self.beyond.push(self.word(terms, hint, self.nodes[other as usize]));
        }
        self.beyond.sort_unstable();
        let fits = |w: u64| {
            apart != Some(w)
                && self.members.iter().all(|&v| domain(v).binary_search(&w).is_ok())
                && classes.iter().all(|&c| self.constant(c).is_none_or(|k| k == w))
                && self.beyond.binary_search(&w).is_err()
        };
        let word = self.tried.iter().copied().find(|&w| fits(w))?;
        let mut patch = Model::new();
        for &v in &self.members {
            if hint.word(v).unwrap_or(0) != word {
                patch.set_word(v, word);
            }
        }
        Some(Answer::Sat(patch))
    }

    /// The equalities of two classes, the edge between them and the goal.
    fn core(&self, x: u32, y: u32, clash: Option<TermId>, goal: TermId) -> Vec<TermId> {
        let within = |n: u32| [x, y].contains(&self.class_of(n));
        let equalities = self.equalities.iter().filter(|e| within(e.0)).map(|e| e.1);
        equalities.chain(clash).chain([goal]).collect()
    }
}
