//! Types of inputs: what `-spec` and `-type` say, and what follows for inputs.
//!
//! [`parse`] reads declarations, [`domain`] says step by step what a replay may assume of the parts of an input that it looks at, [`fit`] makes an input that a
//! solver left open one of its type. A type is a node of a table, so recursive types are cycles.
//!
//! **Invariant.** An input that a run begins with is of its type. What a replay assumes of it is never more than that.

mod bytes;
pub mod domain;
pub(crate) mod entries;
pub mod fit;
mod fit_function;
mod fit_map;
mod functions;
pub mod layout;
pub mod made;
pub mod parse;

pub use domain::Domain;
pub use layout::{Association, Layout};

use num_bigint::BigInt;
use xcute_term::CtorId;

use crate::etf::Atom;

/// A type of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Any term.
    Any,
    /// Any atom.
    Atom,
    /// This atom.
    AtomIs(Atom),
    /// An integer between these bounds.
    Integer(Option<BigInt>, Option<BigInt>),
    /// A float.
    Float,
    /// The empty list.
    Nil,
    /// A list cell.
    Cons(TypeId, TypeId),
    /// A tuple of this many elements.
    Tuple(Box<[TypeId]>),
    /// Any tuple.
    AnyTuple,
    /// A bitstring of this many bits, and multiples of the unit more.
    Bits(usize, usize),
    /// A map with these associations.
    Map(Box<[Association]>),
    /// A function of this many arguments, if that is said, with results of this type.
    Fun(Option<u32>, TypeId),
    /// A term out of the table of a kind: one of these places, or any.
    Tabled(CtorId, Option<Box<[u32]>>),
    /// One of these; none of them is a union, and `Any` is alone.
    Union(Box<[TypeId]>),
}

/// Depths above this are not told apart.
const DEEP: u32 = 1_000;

/// Types, and how deep their smallest terms are.
#[derive(Clone, Debug)]
pub struct Types {
    nodes: Vec<Type>,
    /// The least depth of a term of each type; [`DEEP`] where there is none.
    depths: Vec<u32>,
    /// What maps have, for types of maps.
    layouts: Vec<Option<Layout>>,
    any_map: Layout,
    /// What was not taken as it is written, for people.
    pub notes: Vec<String>,
    /// Which of several forms terms of the library have: a part of the verdict.
    pub bounds: Vec<String>,
    /// Opaque types whose terms are made from their definitions: there may be no such terms.
    pub assumed: Vec<String>,
}

impl Types {
    /// Any term.
    pub const ANY: TypeId = TypeId(0);

    /// The table with [`Types::ANY`].
    #[must_use]
    pub fn new() -> Types {
        Types {
            nodes: vec![Type::Any],
            depths: Vec::new(),
            layouts: Vec::new(),
            any_map: Layout::default(),
            notes: Vec::new(),
            bounds: Vec::new(),
            assumed: Vec::new(),
        }
    }

    /// A type.
    #[must_use]
    pub fn get(&self, id: TypeId) -> &Type {
        &self.nodes[id.0 as usize]
    }

    /// All types.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..u32::try_from(self.nodes.len()).expect("few types")).map(TypeId)
    }

    /// A new type.
    pub fn add(&mut self, of: Type) -> TypeId {
        self.nodes.push(of);
        TypeId(u32::try_from(self.nodes.len() - 1).expect("few types"))
    }

    /// Makes a type that was added as something else, for recursive ones.
    pub fn set(&mut self, id: TypeId, of: Type) {
        self.nodes[id.0 as usize] = of;
    }

    /// The alternatives of a type: none of them is a union.
    #[must_use]
    pub fn alternatives(&self, id: TypeId) -> Vec<TypeId> {
        let (mut found, mut seen, mut pending) = (Vec::new(), Vec::new(), vec![id]);
        while let Some(next) = pending.pop() {
            if seen.contains(&next) {
                continue;
            }
            seen.push(next);
            match self.get(next) {
                Type::Union(of) => pending.extend(of.iter().rev()),
                Type::Any => return vec![next],
                _ => found.push(next),
            }
        }
        found
    }

    /// The least depth of a term of this type; `None` if there is no such term.
    #[must_use]
    pub fn depth(&self, id: TypeId) -> Option<u32> {
        self.depths.get(id.0 as usize).copied().filter(|&depth| depth < DEEP)
    }

    /// The atoms that types mention.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> {
        self.nodes.iter().filter_map(|node| if let Type::AtomIs(atom) = node { Some(*atom) } else { None })
    }

    /// The keys that types of maps name.
    pub fn keys(&self) -> impl Iterator<Item = crate::etf::Term> {
        let associations = self.nodes.iter().filter_map(|node| if let Type::Map(associations) = node { Some(associations) } else { None });
        associations.flat_map(|associations| associations.iter().filter_map(|association| self.only(association.key)))
    }

    /// Computes the depths, once all types are there.
    pub fn finish(&mut self) {
        self.depths = vec![DEEP; self.nodes.len()];
        // The least fixed point: depths only fall.
        let mut changed = true;
        while changed {
            changed = false;
            for node in 0..self.nodes.len() {
                let of = |id: &TypeId| self.depths[id.0 as usize];
                let depth = match &self.nodes[node] {
                    Type::Cons(head, tail) => of(head).max(of(tail)) + 1,
                    Type::Tuple(items) => items.iter().map(|item| of(item) + 1).max().unwrap_or(0),
                    // What it returns counts as a part of it, like an element of a list.
                    Type::Fun(_, result) => of(result) + u32::from(of(result) > 0),
                    Type::Bits(least, _) => u32::try_from(least.div_ceil(8)).unwrap_or(DEEP),
                    Type::Map(associations) => {
                        let must = associations.iter().filter(|association| association.exact);
                        must.map(|association| of(&association.key).max(of(&association.value)) + 1).max().unwrap_or(0)
                    }
                    Type::Union(alternatives) => alternatives.iter().map(of).min().unwrap_or(DEEP),
                    Type::Integer(Some(low), Some(high)) if low > high => DEEP,
                    _ => 0,
                };
                if depth < self.depths[node] {
                    self.depths[node] = depth;
                    changed = true;
                }
            }
        }
    }
}

impl Default for Types {
    fn default() -> Types {
        Types::new()
    }
}

/// The types of a function's arguments, for each clause of its specification.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The table.
    pub types: Types,
    /// For each clause, a type for each argument. At least one clause.
    pub clauses: Vec<Vec<TypeId>>,
    /// How deep inputs may be, if that is bounded: a constant has depth 0.
    pub depth: Option<u32>,
    /// Tuples of inputs have at most this many elements, if their depth is bounded and nothing else says more.
    pub widest: u32,
}

impl Inputs {
    /// Any terms.
    #[must_use]
    pub fn any(arguments: usize) -> Inputs {
        let mut types = Types::new();
        types.finish();
        Inputs { types, clauses: vec![vec![Types::ANY; arguments]], depth: None, widest: u32::MAX }
    }
}

impl Inputs {
    /// The same inputs up to a depth, with tuples that are as wide as the program's own or as the depth.
    ///
    /// # Errors
    /// Where no term of some argument's type is within the depth.
    pub fn within(&self, depth: Option<u32>, widest: u32) -> Result<Inputs, String> {
        let fits = |of: &TypeId| self.types.depth(*of).is_some_and(|least| depth.is_none_or(|depth| least <= depth));
        let clauses: Vec<Vec<TypeId>> = self.clauses.iter().filter(|types| types.iter().all(fits)).cloned().collect();
        if clauses.is_empty() {
            return Err(match depth {
                Some(depth) => format!("no input has a depth of at most {depth} (try a larger --term-depth)"),
                None => self.types.notes.first().cloned().unwrap_or_else(|| "no term is of these types".to_owned()),
            });
        }
        let widest = depth.map_or(u32::MAX, |depth| depth.max(widest));
        Ok(Inputs { types: self.types.clone(), clauses, depth, widest })
    }
}
