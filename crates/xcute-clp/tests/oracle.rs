//! Random small programs against brute force: the set of traces that a campaign finds must be that of all ground inputs, and every case must take its own
//! trace (Theorem 2, checked for each case in `support`).
//!
//! The interpreter here shares nothing with the machine: terms are trees, substitutions are maps, and it recurses.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::support::{Sets, explore, seeds, subject};
use xcute_clp::machine::Bounds;

/// A term: a variable, or a symbol with arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Tree {
    Var(usize),
    App(&'static str, Vec<Tree>),
}

struct Clause {
    head: Vec<Tree>,
    body: Vec<(usize, Vec<Tree>)>,
}

struct Random {
    /// Predicates by number, with their arities.
    predicates: Vec<(usize, Vec<Clause>)>,
}

const CONSTANTS: [&str; 2] = ["a", "b"];
const FUNCTORS: [(&str, usize); 2] = [("f", 1), ("g", 2)];

impl Tree {
    fn random(random: &mut fastrand::Rng, depth: u32, vars: usize) -> Tree {
        match random.u8(0..10) {
            0..4 => Tree::Var(random.usize(0..vars)),
            4..8 if depth > 0 => {
                let (name, arity) = FUNCTORS[random.usize(0..FUNCTORS.len())];
                Tree::App(name, (0..arity).map(|_| Tree::random(random, depth - 1, vars)).collect())
            }
            _ => Tree::App(CONSTANTS[random.usize(0..CONSTANTS.len())], vec![]),
        }
    }

    fn show(&self, out: &mut String) {
        match self {
            Tree::Var(n) => write!(out, "X{n}").expect("a string"),
            Tree::App(name, args) => {
                out.push_str(name);
                show_args(args, out);
            }
        }
    }

    fn symbols(&self, found: &mut BTreeSet<(&'static str, usize)>) {
        if let Tree::App(name, args) = self {
            found.insert((name, args.len()));
            args.iter().for_each(|arg| arg.symbols(found));
        }
    }

    fn shifted(&self, by: usize) -> Tree {
        match self {
            Tree::Var(n) => Tree::Var(n + by),
            Tree::App(name, args) => Tree::App(name, args.iter().map(|arg| arg.shifted(by)).collect()),
        }
    }
}

fn show_args(args: &[Tree], out: &mut String) {
    for (i, arg) in args.iter().enumerate() {
        out.push(if i == 0 { '(' } else { ',' });
        arg.show(out);
    }
    if !args.is_empty() {
        out.push(')');
    }
}

impl Random {
    fn new(random: &mut fastrand::Rng) -> Random {
        let arities: Vec<usize> = (0..3).map(|_| random.usize(1..=2)).collect();
        let mut predicates = Vec::new();
        for (number, &arity) in arities.iter().enumerate() {
            let clauses = (0..random.usize(1..=6)).map(|_| {
                let depth = random.u32(0..=2);
                let head = (0..arity).map(|_| Tree::random(random, depth, 3)).collect();
                let calls = if number + 1 < arities.len() { random.usize(0..=2) } else { 0 };
                let body = (0..calls)
                    .map(|_| {
                        let callee = random.usize(number + 1..arities.len());
                        (callee, (0..arities[callee]).map(|_| Tree::random(random, 1, 4)).collect())
                    })
                    .collect();
                Clause { head, body }
            });
            let clauses = clauses.collect();
            predicates.push((arity, clauses));
        }
        Random { predicates }
    }

    fn text(&self) -> String {
        let mut out = ":- set_prolog_flag(occurs_check, true).\n".to_owned();
        for (number, (_, clauses)) in self.predicates.iter().enumerate() {
            for clause in clauses {
                write!(out, "p{number}").expect("a string");
                show_args(&clause.head, &mut out);
                for (i, (callee, args)) in clause.body.iter().enumerate() {
                    write!(out, "{}p{callee}", if i == 0 { " :- " } else { ", " }).expect("a string");
                    show_args(args, &mut out);
                }
                out.push_str(".\n");
            }
        }
        out
    }

    /// All ground terms up to a depth: symbols of the program and two constants that are not.
    fn inputs(&self, depth: u32) -> Vec<Tree> {
        let mut found = BTreeSet::from([("o1", 0), ("o2", 0)]);
        for clause in self.predicates.iter().flat_map(|(_, clauses)| clauses) {
            clause.head.iter().chain(clause.body.iter().flat_map(|(_, args)| args)).for_each(|tree| tree.symbols(&mut found));
        }
        let constants: Vec<Tree> = found.iter().filter(|(_, arity)| *arity == 0).map(|(name, _)| Tree::App(name, vec![])).collect();
        let mut all = constants.clone();
        for _ in 0..depth {
            let below = std::mem::replace(&mut all, constants.clone());
            for &(name, arity) in found.iter().filter(|(_, arity)| *arity > 0) {
                if arity == 1 {
                    all.extend(below.iter().map(|t| Tree::App(name, vec![t.clone()])));
                } else {
                    all.extend(below.iter().flat_map(|s| below.iter().map(move |t| Tree::App(name, vec![s.clone(), t.clone()]))));
                }
            }
        }
        all
    }
}

/// SLD resolution, leftmost and depth first.
struct Sld<'a> {
    program: &'a Random,
    bindings: Vec<Option<Tree>>,
    log: Sets,
    left: u64,
}

impl Sld<'_> {
    fn walk(&self, tree: &Tree) -> Tree {
        let mut tree = tree.clone();
        while let Tree::Var(n) = tree {
            match &self.bindings[n] {
                Some(bound) => tree = bound.clone(),
                None => break,
            }
        }
        tree
    }

    fn occurs(&self, var: usize, tree: &Tree) -> bool {
        match self.walk(tree) {
            Tree::Var(n) => n == var,
            Tree::App(_, args) => args.iter().any(|arg| self.occurs(var, arg)),
        }
    }

    fn unify(&mut self, a: &Tree, b: &Tree) -> bool {
        match (self.walk(a), self.walk(b)) {
            (Tree::Var(x), Tree::Var(y)) if x == y => true,
            (Tree::Var(x), t) | (t, Tree::Var(x)) => {
                if self.occurs(x, &t) {
                    return false;
                }
                self.bindings[x] = Some(t);
                true
            }
            (Tree::App(f, s), Tree::App(g, t)) => f == g && s.len() == t.len() && s.iter().zip(&t).all(|(s, t)| self.unify(s, t)),
        }
    }

    fn matches(&mut self, clause: &Clause, args: &[Tree]) -> Option<usize> {
        let base = self.bindings.len();
        self.bindings.resize(base + 8, None);
        let head: Vec<Tree> = clause.head.iter().map(|tree| tree.shifted(base)).collect();
        head.iter().zip(args).all(|(h, a)| self.unify(h, a)).then_some(base)
    }

    /// Solves goals; true when no more solutions are asked for.
    fn solve(&mut self, goals: &[(usize, Vec<Tree>)]) -> bool {
        let Some(((predicate, args), rest)) = goals.split_first() else {
            self.left -= 1;
            return self.left == 0;
        };
        let clauses = &self.program.predicates[*predicate].1;
        let saved = self.bindings.clone();
        let mut matching = Vec::new();
        for (number, clause) in (1..).zip(clauses) {
            if self.matches(clause, args).is_some() {
                matching.push(number);
            }
            self.bindings.clone_from(&saved);
        }
        self.log.push(matching.clone());
        for number in matching {
            let clause = &clauses[number as usize - 1];
            let base = self.matches(clause, args).expect("it did before");
            let mut next: Vec<(usize, Vec<Tree>)> =
                clause.body.iter().map(|(p, args)| (*p, args.iter().map(|arg| arg.shifted(base)).collect())).collect();
            next.extend_from_slice(rest);
            if self.solve(&next) {
                return true;
            }
            self.bindings.clone_from(&saved);
        }
        false
    }
}

fn brute_force(program: &Random, ground: &[bool], depth: u32, solutions: u64) -> BTreeSet<Sets> {
    let inputs = program.inputs(depth);
    let positions = ground.iter().filter(|ground| **ground).count();
    let mut traces = BTreeSet::new();
    for choice in 0..inputs.len().pow(u32::try_from(positions).expect("two")) {
        let (mut left, mut free) = (choice, 0);
        let args = ground
            .iter()
            .map(|&ground| {
                if ground {
                    let input = inputs[left % inputs.len()].clone();
                    left /= inputs.len();
                    input
                } else {
                    free += 1;
                    Tree::Var(free - 1)
                }
            })
            .collect();
        let mut sld = Sld { program, bindings: vec![None; free], log: Vec::new(), left: solutions };
        sld.solve(&[(0, args)]);
        traces.insert(sld.log);
    }
    traces
}

#[test]
fn random_programs_have_the_traces_of_brute_force() {
    let mut total = 0;
    for seed in seeds(300) {
        let mut random = fastrand::Rng::with_seed(seed);
        let program = Random::new(&mut random);
        let arity = program.predicates[0].0;
        let (ground, depth) = if arity == 1 { (vec![true], 2) } else { (vec![true, random.bool()], 1) };
        let solutions = if random.bool() { 1 } else { u64::MAX };
        let expected = brute_force(&program, &ground, depth, solutions);
        let text = program.text();
        let positions: Vec<u32> = (1..).zip(&ground).filter(|(_, ground)| **ground).map(|(position, _)| position).collect();
        let bounds = Bounds { solutions, ..Bounds::default() };
        let (source, mut subject) = subject(&text, &format!("p0/{arity}"), Some(&positions), Some(depth), bounds);
        let outcome = explore(&source, &mut subject, xcute_engine::Options::default());
        let what = format!("seed {seed}, ground {positions:?}, depth {depth}, {solutions} solutions:\n{text}{:?}", outcome.goals());
        let found: BTreeSet<Sets> = outcome.traces().into_iter().collect();
        assert_eq!(found, expected, "{what}");
        assert_eq!((outcome.results.paths, outcome.results.complete), (expected.len() as u64, true), "{what}");
        total += expected.len();
    }
    assert!(total >= 1000 || seeds(0) != (0..0), "{total} traces are few: the programs are too simple");
}
