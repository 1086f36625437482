//! A program: its clauses by predicate, and what its directives say.
//!
//! **Invariant.** Predicates are in the order of their first clause or declaration, clauses in the order of the text.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Arena, Atom, Atoms, Clause, Declaration, Indicator, Operators, Source, SourceId, Span, TermRef, TypeDefinition};

/// All clauses of one name and arity.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Which.
    pub indicator: Indicator,
    /// In the order of the text.
    pub clauses: Vec<Clause>,
    /// Whether `:- dynamic` was said.
    pub dynamic: bool,
    /// Whether `:- discontiguous` was said.
    pub discontiguous: bool,
    /// What `:- table` said: the modes of the arguments, none where all are a part of the variant.
    pub tabled: Option<Vec<TableMode>>,
    /// Which arguments `:- meta_predicate` calls goals or closures: they are passed on with the module that they are of.
    pub meta: Vec<bool>,
    /// Whether `:- det` was said: it throws where it fails or leaves choice points.
    pub det: bool,
    /// Whether it comes from the library and not from the program.
    pub library: bool,
}

/// What becomes of an argument of the answers to a tabled call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableMode {
    /// It is a part of the variant.
    Index,
    /// The smallest is kept.
    Min,
    /// The largest is kept.
    Max,
    /// The first is kept.
    First,
    /// The last is kept.
    Last,
    /// This predicate makes one of two.
    Lattice(Atom),
    /// The old one is kept where this predicate holds of both.
    Po(Atom),
    /// Something else.
    Other,
}

/// A directive that the reader does not carry out itself.
#[derive(Clone, Debug)]
pub struct Directive {
    /// Its terms.
    pub terms: Arena,
    /// The goal.
    pub goal: TermRef,
    /// The names of its variables.
    pub variables: Vec<Option<Arc<str>>>,
    /// Where it is.
    pub span: Span,
}

/// What was read.
#[derive(Clone, Debug)]
pub struct Program {
    /// The names of all atoms.
    pub atoms: Atoms,
    /// The operators in force at the end of the text.
    pub operators: Operators,
    /// The texts.
    pub sources: Vec<Source>,
    /// All predicates.
    pub predicates: Vec<Predicate>,
    /// What is to be run after loading, in order.
    pub directives: Vec<Directive>,
    /// What is said about modes and types.
    pub declarations: Vec<Declaration>,
    /// The types that `:- type` and `:- regtype` define.
    pub types: Vec<TypeDefinition>,
    /// The module that the text is, and what it exports.
    pub module: Option<(Atom, Vec<Indicator>)>,
    /// The libraries it uses: `clpfd` for `use_module(library(clpfd))`.
    pub libraries: Vec<Atom>,
    /// The units of tests in the text, which were passed over.
    pub units: Vec<Atom>,
    /// Clauses for other modules, which were passed over.
    pub foreign: Vec<Span>,
    /// Predicates that are functions in expressions, by the arities of these.
    pub functions: Vec<Indicator>,
    numbers: FxHashMap<Indicator, usize>,
}

impl Default for Program {
    fn default() -> Self {
        Program::with_atoms(Atoms::default())
    }
}

impl Program {
    /// A program without clauses that shares atoms with others.
    pub(crate) fn with_atoms(mut atoms: Atoms) -> Program {
        let operators = Operators::new(&mut atoms);
        Program {
            atoms,
            operators,
            sources: Vec::new(),
            predicates: Vec::new(),
            directives: Vec::new(),
            declarations: Vec::new(),
            types: Vec::new(),
            module: None,
            libraries: Vec::new(),
            units: Vec::new(),
            foreign: Vec::new(),
            functions: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    /// The predicate, if the program has clauses for it or declares it.
    pub fn predicate(&self, indicator: Indicator) -> Option<&Predicate> {
        self.numbers.get(&indicator).map(|&number| &self.predicates[number])
    }

    /// The predicate, made when it is not there.
    pub(crate) fn predicate_mut(&mut self, indicator: Indicator) -> &mut Predicate {
        let number = *self.numbers.entry(indicator).or_insert(self.predicates.len());
        if number == self.predicates.len() {
            self.predicates.push(Predicate {
                indicator,
                clauses: Vec::new(),
                dynamic: false,
                discontiguous: false,
                tabled: None,
                meta: Vec::new(),
                det: false,
                library: false,
            });
        }
        &mut self.predicates[number]
    }

    /// The declaration of a predicate.
    pub fn declaration(&self, indicator: Indicator) -> Option<&Declaration> {
        self.declarations.iter().find(|declaration| declaration.predicate == indicator)
    }

    /// A source text.
    pub fn source(&self, id: SourceId) -> &Source {
        &self.sources[id.0 as usize]
    }

    /// `name/arity` for people.
    pub fn show(&self, indicator: Indicator) -> String {
        format!("{}/{}", self.atoms.name(indicator.name), indicator.arity)
    }
}
