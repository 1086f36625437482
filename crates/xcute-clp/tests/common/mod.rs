//! Random terms: all kinds of leaves, and operators in places where they need brackets.

use num_bigint::BigInt;
use xcute_clp::syntax::{Arena, Atom, Atoms, Fixity, Operators, Term, TermRef};

/// The operators that random terms are written with: the usual ones, and some of each kind that the usual ones have none of.
pub fn operators(atoms: &mut Atoms) -> Operators {
    let mut operators = Operators::new(atoms);
    let more = [(700, Fixity::Xf, "!!"), (650, Fixity::Yf, "post"), (800, Fixity::Xfy, "post"), (300, Fixity::Fx, "pre")];
    for (priority, fixity, name) in more {
        let atom = atoms.intern(name);
        operators.add(atoms, priority, fixity, atom).expect("no reserved names");
    }
    operators
}

const NAMES: &[&str] = &[
    "a",
    "b",
    "foo",
    "-",
    "+",
    "*",
    "\\+",
    ":-",
    "dynamic",
    "is",
    "=",
    ",",
    "|",
    ";",
    "->",
    "[]",
    "{}",
    "!",
    "mod",
    "^",
    "**",
    "$",
    "post",
    "pre",
    "!!",
    "hello world",
    "it's",
    "X",
    "_x",
    "",
    ".",
    "/*",
    "\n",
    "é",
    "λ",
    "0",
    "-->",
    "=>",
    ":",
    "[|]",
    "?-",
    "table",
];

/// A term with up to a dozen compounds.
pub fn random_term(random: &mut fastrand::Rng, atoms: &mut Atoms) -> (Arena, TermRef) {
    let mut terms = Arena::default();
    let mut pool: Vec<TermRef> = (0..random.usize(1..6)).map(|_| leaf(random, atoms, &mut terms)).collect();
    for _ in 0..random.usize(0..12) {
        let arity = random.choice([1, 1, 2, 2, 2, 3]).unwrap_or(1);
        let args: Vec<TermRef> = (0..arity).map(|_| pool[random.usize(0..pool.len())]).collect();
        let name = name(random, atoms);
        pool.push(terms.compound(name, &args));
        if random.u8(0..4) == 0 {
            pool.push(leaf(random, atoms, &mut terms));
        }
    }
    let root = *pool.last().expect("there is a leaf");
    (terms, root)
}

fn name(random: &mut fastrand::Rng, atoms: &mut Atoms) -> Atom {
    if random.u8(0..8) == 0 { Atom::DOT } else { atoms.intern(NAMES[random.usize(0..NAMES.len())]) }
}

fn leaf(random: &mut fastrand::Rng, atoms: &mut Atoms, terms: &mut Arena) -> TermRef {
    match random.u8(0..10) {
        0 => terms.var(random.u32(0..3)),
        1 => terms.integer(random.i32(-3..3)),
        2 => terms.integer(BigInt::from(random.i64(..)) * random.i64(..)),
        3 => {
            terms.push(Term::Float(f64::from(random.u16(..)) * 10f64.powi(random.i32(-30..30)) * random.choice([1.0, -1.0]).unwrap_or(1.0)))
        }
        4 => terms.push(Term::String("a \"quoted\" \\ text\n".into())),
        5 => terms.atom(Atom::NIL),
        _ => {
            let name = name(random, atoms);
            terms.atom(name)
        }
    }
}
