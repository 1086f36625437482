//! Symbolic values of a run: a list of nodes that become terms only where a condition needs them.
//!
//! Most of a run repeats decisions that the engine knows already (its promise), so most nodes never become terms. A node costs a few
//! nanoseconds, a term about a hundred.
//!
//! **Invariant.** Arguments of a node come before it. Node 0 stands for a value that no input decides.

use xcute_term::{FloatFormat, Op, TermId, Terms};

/// Names a node of one run; 0 is none.
pub(crate) type Node = u32;

/// A symbolic value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Expr {
    /// A bit-vector: width and bits.
    Const(u32, u64),
    /// `true` or `false`.
    Bool(bool),
    /// A variable, by its number.
    Var(u32),
    /// An operator on up to three nodes; unused ones are 0.
    App(Op, [Node; 3]),
    /// `And` or `Or` of nodes in the side list: first and count.
    Many(Op, u32, u32),
    /// A three-way comparison, of what the JVM's `cmp` instructions compare: -1, 0 or 1.
    Compare(Order, Node, Node),
    /// Not a term: a box with this value, made by the event with this number.
    Boxed(Node, u32),
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Signed numbers.
    Signed,
    /// Floats of this format; unordered ones count as less.
    FloatLess(FloatFormat),
    /// Floats of this format; unordered ones count as greater.
    FloatGreater(FloatFormat),
}

/// The nodes of a run.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    nodes: Vec<Expr>,
    lists: Vec<Node>,
    /// By node: its term, once it is built.
    terms: Vec<Option<TermId>>,
    work: Vec<Node>,
}

impl Nodes {
    /// Forgets everything.
    pub(crate) fn begin(&mut self) {
        self.nodes.clear();
        self.nodes.push(Expr::Bool(false));
        self.lists.clear();
        self.terms.clear();
    }

    pub(crate) fn get(&self, node: Node) -> Expr {
        self.nodes[node as usize]
    }

    fn push(&mut self, expr: Expr) -> Node {
        self.nodes.push(expr);
        u32::try_from(self.nodes.len() - 1).expect("a run has fewer than 2^32 nodes")
    }

    pub(crate) fn constant(&mut self, width: u32, bits: u64) -> Node {
        self.push(Expr::Const(width, bits))
    }

    pub(crate) fn truth(&mut self, holds: bool) -> Node {
        self.push(Expr::Bool(holds))
    }

    pub(crate) fn var(&mut self, number: u32) -> Node {
        self.push(Expr::Var(number))
    }

    pub(crate) fn boxed(&mut self, value: Node, serial: u32) -> Node {
        self.push(Expr::Boxed(value, serial))
    }

    pub(crate) fn compare(&mut self, order: Order, a: Node, b: Node) -> Node {
        self.push(Expr::Compare(order, a, b))
    }

    pub(crate) fn op1(&mut self, op: Op, a: Node) -> Node {
        self.push(Expr::App(op, [a, 0, 0]))
    }

    pub(crate) fn op2(&mut self, op: Op, a: Node, b: Node) -> Node {
        self.push(Expr::App(op, [a, b, 0]))
    }

    pub(crate) fn not(&mut self, a: Node) -> Node {
        match self.get(a) {
            Expr::App(Op::Not, [inner, ..]) => inner,
            Expr::Bool(b) => self.truth(!b),
            _ => self.op1(Op::Not, a),
        }
    }

    pub(crate) fn ite(&mut self, condition: Node, a: Node, b: Node) -> Node {
        if a == b {
            return a;
        }
        self.push(Expr::App(Op::Ite, [condition, a, b]))
    }

    /// `And` or `Or`; of nothing it is `true` or `false`.
    pub(crate) fn many(&mut self, op: Op, of: &[Node]) -> Node {
        match of {
            [] => self.truth(op == Op::And),
            [one] => *one,
            more => {
                let first = u32::try_from(self.lists.len()).expect("fewer than nodes");
                self.lists.extend_from_slice(more);
                self.push(Expr::Many(op, first, u32::try_from(more.len()).expect("fewer than nodes")))
            }
        }
    }

    /// A Boolean as an `int`.
    pub(crate) fn as_int(&mut self, condition: Node) -> Node {
        let (one, zero) = (self.constant(32, 1), self.constant(32, 0));
        self.ite(condition, one, zero)
    }

    /// Whether a node equals a constant.
    pub(crate) fn equals(&mut self, node: Node, width: u32, bits: u64) -> Node {
        let constant = self.constant(width, bits);
        self.op2(Op::Eq, node, constant)
    }

    /// The term of a node. `variables` are the terms of the variables by number.
    pub(crate) fn term(&mut self, terms: &mut Terms, variables: &[TermId], node: Node) -> TermId {
        if self.terms.len() < self.nodes.len() {
            self.terms.resize(self.nodes.len(), None);
        }
        let mut work = std::mem::take(&mut self.work);
        work.push(node);
        while let Some(&at) = work.last() {
            if self.terms[at as usize].is_some() {
                work.pop();
                continue;
            }
            let before = work.len();
            self.open(at, &mut work);
            if work.len() == before {
                let term = self.build(terms, variables, at);
                self.terms[at as usize] = Some(term);
                work.pop();
            }
        }
        self.work = work;
        self.terms[node as usize].expect("built above")
    }

    /// Puts the arguments that are not built yet on the list.
    fn open(&self, at: Node, work: &mut Vec<Node>) {
        let mut ask = |node: Node| {
            if self.terms[node as usize].is_none() {
                work.push(node);
            }
        };
        match self.get(at) {
            Expr::App(op, args) => args[..arity(op)].iter().for_each(|&a| ask(a)),
            Expr::Many(_, first, count) => self.lists[first as usize..(first + count) as usize].iter().for_each(|&a| ask(a)),
            Expr::Compare(_, a, b) => {
                ask(a);
                ask(b);
            }
            _ => {}
        }
    }

    fn built(&self, node: Node) -> TermId {
        self.terms[node as usize].expect("arguments are built first")
    }

    fn build(&self, terms: &mut Terms, variables: &[TermId], at: Node) -> TermId {
        match self.get(at) {
            Expr::Const(width, bits) => terms.bv(width, bits),
            Expr::Bool(b) => terms.bool(b),
            Expr::Var(number) => variables[number as usize],
            Expr::App(op, args) => {
                let args = args.map(|a| if a == 0 { None } else { self.terms[a as usize] });
                let args: smallvec::SmallVec<[TermId; 3]> =
                    args[..arity(op)].iter().map(|a| a.expect("arguments are built first")).collect();
                terms.mk(op, &args)
            }
            Expr::Many(op, first, count) => {
                let list = &self.lists[first as usize..(first + count) as usize];
                let args: Vec<TermId> = list.iter().map(|&a| self.built(a)).collect();
                terms.mk(op, &args)
            }
            Expr::Compare(order, a, b) => {
                let (a, b) = (self.built(a), self.built(b));
                let (less, equal) = (less(terms, order, a, b), same(terms, order, a, b));
                let [minus, zero, one] = [u64::MAX, 0, 1].map(|bits| terms.bv(32, bits));
                let rest = terms.mk(Op::Ite, &[equal, zero, one]);
                terms.mk(Op::Ite, &[less, minus, rest])
            }
            Expr::Boxed(..) => unreachable!("a box is asked for its value"),
        }
    }
}

/// Whether `a` counts as less than `b`.
pub(crate) fn less(terms: &mut Terms, order: Order, a: TermId, b: TermId) -> TermId {
    match order {
        Order::Signed => terms.mk(Op::BvSlt, &[a, b]),
        Order::FloatGreater(format) => {
            let (a, b) = (terms.mk(Op::FpFromBits(format), &[a]), terms.mk(Op::FpFromBits(format), &[b]));
            terms.mk(Op::FpLt, &[a, b])
        }
        Order::FloatLess(format) => {
            let (a, b) = (terms.mk(Op::FpFromBits(format), &[a]), terms.mk(Op::FpFromBits(format), &[b]));
            let at_least = terms.mk(Op::FpLe, &[b, a]);
            terms.not(at_least)
        }
    }
}

fn same(terms: &mut Terms, order: Order, a: TermId, b: TermId) -> TermId {
    match order {
        Order::Signed => terms.mk(Op::Eq, &[a, b]),
        Order::FloatGreater(format) | Order::FloatLess(format) => {
            let (a, b) = (terms.mk(Op::FpFromBits(format), &[a]), terms.mk(Op::FpFromBits(format), &[b]));
            terms.mk(Op::FpEq, &[a, b])
        }
    }
}

fn arity(op: Op) -> usize {
    match op {
        Op::Ite | Op::FpFma(_) => 3,
        Op::Not
        | Op::BvNot
        | Op::BvNeg
        | Op::Extract(..)
        | Op::ZeroExt(_)
        | Op::SignExt(_)
        | Op::FpFromBits(..)
        | Op::FpToBits
        | Op::FpSqrt(_)
        | Op::FpRound(_)
        | Op::FpNeg
        | Op::FpAbs
        | Op::FpIsNan
        | Op::FpIsInf
        | Op::FpIsZero
        | Op::FpToFp(..)
        | Op::FpFromSbv(..)
        | Op::FpFromUbv(..)
        | Op::FpToSbv(..)
        | Op::FpToUbv(..) => 1,
        _ => 2,
    }
}
