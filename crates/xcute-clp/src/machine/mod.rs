//! The machine: runs a goal by the deterministic concolic semantics of [mesnard-payet-vidal-2020 Fig. 1].
//!
//! The concrete state is a ground instance of the goal, the symbolic state the same terms with `cell::Cell::Sym` for what depends on the input;
//! both are one heap, because a symbolic term knows its value under the input. Rules by name: [`choice`](mod@choice) has `choice` and `unfold`,
//! `step` has `backtrack` and `next`. What the paper keeps in its configurations [mesnard-payet-vidal-2020 Fig. 2], the engine keeps: pending cases are
//! the open arms of the path tree, visited traces are its paths, `skip` is a promise that is followed, `alts` is the opening of arms, `restart` is the next run.
//!
//! Without symbolic terms the same machine is the plain one, on which cases are repeated.
//!
//! **Invariant.** No Rust recursion over terms or goals: everything that grows with the subject is on the heap and under a budget.

pub(crate) mod arith;
mod bound;
pub(crate) mod builtins;
pub(crate) mod cell;
pub mod choice;
pub mod code;
mod constrain;
pub(crate) mod control;
pub(crate) mod error;
pub(crate) mod export;
pub(crate) mod fd;
pub(crate) mod goals;
pub(crate) mod heap;
pub(crate) mod later;
pub(crate) mod number;
mod numbering;
pub(crate) mod shape;
pub(crate) mod step;
pub(crate) mod symbols;
pub(crate) mod tabling;
pub(crate) mod unify;
pub(crate) mod universe;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_match::Recorder;
use xcute_term::{Interrupt, TermId};
use xcute_trace::{Budget, Frame, SiteId};

use crate::syntax::{Atom, Flags, Indicator, Operators};
use builtins::Builtins;
use cell::Cell;
use choice::Transition;
use code::{ClauseCode, Code, PredicateId};
use error::Stop;
use goals::Choice;
use heap::{Frozen, Heap};
use symbols::Symbols;
use universe::Universe;

/// This many bytes of a name count as a cell.
const BYTES: usize = 8;

/// How many frames of a stack are shown.
const STACK: usize = 16;

/// What bounds a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Steps: choices, unfoldings and calls of builtin predicates, which take more for long lists.
    pub steps: u64,
    /// Cells of the heap and frames of the goal stack.
    pub cells: usize,
    /// Solutions that are asked for.
    pub solutions: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { steps: 100_000, cells: 4_000_000, solutions: 1 }
    }
}

/// The clause that a goal is of, and where its instance is on the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The clause, by its number in the run; 0 is the query.
    pub(crate) clause: u32,
    pub(crate) base: u32,
}

/// A predicate as it is now: clauses may have been added or removed.
#[derive(Clone)]
pub(crate) struct Current {
    pub(crate) clauses: Arc<Vec<Arc<ClauseCode>>>,
    /// The site of choices among exclusive clauses; `None` once clauses were added or removed.
    pub(crate) index: Option<SiteId>,
    /// The clauses have the numbers from 0 on, without gaps: what is added gets the next one.
    pub(crate) dense: bool,
}

/// What all runs of a program share.
pub struct Program {
    /// Its clauses.
    pub code: Arc<Code>,
    /// What its inputs are made of.
    pub universe: Universe,
    /// Builtin predicates by name.
    pub builtins: Arc<Builtins>,
    /// The operators, to write terms with.
    pub operators: Operators,
    /// The module of its predicates.
    pub module: Atom,
}

/// A run.
pub struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) universe: &'a Universe,
    /// Names.
    pub symbols: &'a mut Symbols,
    /// Terms.
    pub heap: Heap,
    /// Decisions.
    pub rec: Recorder<'a>,
    pub(crate) bounds: Bounds,
    pub(crate) frames: Vec<goals::Frame>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) goals: u32,
    pub(crate) steps: u64,
    /// What was walked through inside of builtin predicates.
    pub(crate) walked: u64,
    /// The size of all names when the run began.
    pub(crate) names_before: usize,
    /// Ends the run.
    pub(crate) interrupt: Interrupt,
    /// Clauses that a [`Place`] may name.
    pub(crate) placed: Vec<Arc<ClauseCode>>,
    pub(crate) place_of: FxHashMap<*const ClauseCode, u32>,
    /// Predicates that were changed in this run.
    pub(crate) changed: FxHashMap<Indicator, Current>,
    pub(crate) findings: Vec<Vec<Frozen>>,
    /// How large they are together.
    pub(crate) found_cells: usize,
    /// What tabled predicates have found.
    pub(crate) tables: tabling::Tables,
    /// What is written while somebody collects it, the innermost last.
    pub(crate) outputs: Vec<String>,
    /// The operators, where the run has changed them.
    pub(crate) own_operators: Option<Box<Operators>>,
    /// How texts are read.
    pub(crate) flags: Flags,
    /// Global variables that survive backtracking.
    pub(crate) globals: FxHashMap<Atom, Frozen>,
    /// Goals that waited for variables which are bound now, and their places.
    pub(crate) resumed: Vec<(Cell, Place)>,
    /// A waking that decides nothing is going on.
    pub(crate) trial: Option<fd::trial::Trial>,
    /// Whether there is, or was, something to be cleaned up when choices are removed.
    pub(crate) cleans_up: bool,
    /// What the run did, by the rules of [mesnard-payet-vidal-2020 Fig. 1].
    pub derivation: Vec<Transition>,
    /// Arms of sites that were passed.
    pub(crate) covered: Vec<(SiteId, u32)>,
    /// The clause of the goal that was called last.
    pub(crate) here: Place,
    /// Whether the first solution left choice points.
    pub(crate) first_left_choices: bool,
    /// What is assumed of inputs when the run comes to it, and how many decisions there were when that was looked at.
    pub(crate) later: Vec<later::Later>,
    pub(crate) looked: usize,
    /// Whether the order of some input was decided: it is taken for one that has a place there.
    pub(crate) ordered: bool,
    /// Inputs that were taken for numbers because they were evaluated: they could have been other expressions.
    pub(crate) taken_for_numbers: FxHashSet<TermId>,
    /// Codes in lists that were evaluated: each of them stands for the characters, too.
    pub(crate) taken_for_characters: FxHashSet<TermId>,
    /// An input met a term that is too large, or the run was to end meanwhile.
    pub(crate) too_large: bool,
    /// Inputs that were evaluated, and are not numbers.
    pub(crate) not_numbers: Vec<TermId>,
    /// A cyclic term would have been made: what would follow is not known.
    pub(crate) cyclic: bool,
    /// Inputs whose kind was looked at.
    pub(crate) looked_at: FxHashSet<TermId>,
}

impl<'a> Machine<'a> {
    /// A machine that has nothing to do.
    #[must_use]
    pub fn new(program: &'a Program, symbols: &'a mut Symbols, rec: Recorder<'a>, bounds: Bounds) -> Machine<'a> {
        let names_before = symbols.bytes();
        Machine {
            program,
            universe: &program.universe,
            symbols,
            heap: Heap::default(),
            rec,
            bounds,
            frames: Vec::new(),
            choices: Vec::new(),
            goals: goals::NONE,
            steps: 0,
            walked: 0,
            names_before,
            interrupt: Interrupt::never().clone(),
            placed: Vec::new(),
            place_of: FxHashMap::default(),
            changed: FxHashMap::default(),
            findings: Vec::new(),
            found_cells: 0,
            tables: tabling::Tables::default(),
            outputs: Vec::new(),
            own_operators: None,
            flags: Flags::default(),
            globals: FxHashMap::default(),
            resumed: Vec::new(),
            trial: None,
            later: Vec::new(),
            looked: 0,
            ordered: false,
            taken_for_numbers: FxHashSet::default(),
            taken_for_characters: FxHashSet::default(),
            too_large: false,
            not_numbers: Vec::new(),
            looked_at: FxHashSet::default(),
            cyclic: false,
            cleans_up: false,
            derivation: Vec::new(),
            covered: Vec::new(),
            here: Place { clause: 0, base: 0 },
            first_left_choices: false,
        }
    }

    /// The same, ended by this flag.
    #[must_use]
    pub(crate) fn until(self, interrupt: &Interrupt) -> Machine<'a> {
        Machine { interrupt: interrupt.clone(), ..self }
    }

    /// The operators, to write terms with.
    pub(crate) fn operators(&self) -> &Operators {
        self.own_operators.as_deref().unwrap_or(&self.program.operators)
    }

    /// Forgets how it came here, but not what was changed. The next goal is the first.
    pub(crate) fn start_over(&mut self) {
        if let Some(first) = self.choices.first() {
            self.heap.undo(first.mark);
        }
        self.frames.clear();
        self.choices.clear();
        self.goals = goals::NONE;
        self.steps = 0;
        self.findings.clear();
        self.found_cells = 0;
        self.tables = tabling::Tables::default();
        self.outputs.clear();
        self.resumed.clear();
        self.cyclic = false;
        self.cleans_up = false;
        self.derivation.clear();
        self.covered.clear();
        self.here = Place { clause: 0, base: 0 };
        self.first_left_choices = false;
    }

    /// A copy of a term that survives backtracking.
    pub(crate) fn freeze(&self, cell: Cell) -> Result<Frozen, Stop> {
        let symbols = &self.symbols;
        self.heap.freeze(cell, |functor| symbols.arity(functor), self.bounds.cells).ok_or(Stop::Budget(Budget::Memory))
    }

    /// Whether this many cells more are too many. Names that the run has made count as well: texts and large integers.
    pub(crate) fn is_too_large(&self, more: usize) -> bool {
        let names = self.symbols.bytes().saturating_sub(self.names_before) / BYTES;
        let cells = self.heap.size() + self.frames.len() + self.found_cells + names;
        cells.saturating_add(more) > self.bounds.cells
    }

    /// There must be room for this many cells more.
    pub(crate) fn room_for(&self, more: usize) -> Result<(), Stop> {
        if self.is_too_large(more) { Err(Stop::Budget(Budget::Memory)) } else { Ok(()) }
    }

    /// A predicate as it is now; `None` if there is none.
    pub(crate) fn predicate(&self, indicator: Indicator) -> Option<(Option<PredicateId>, Current)> {
        let id = self.program.code.find(indicator);
        if let Some(current) = self.changed.get(&indicator) {
            return Some((id, current.clone()));
        }
        let predicate = self.program.code.predicate(id?);
        Some((id, Current { clauses: Arc::clone(&predicate.clauses), index: Some(predicate.index), dense: true }))
    }

    /// The number by which places name a clause.
    pub(crate) fn place_number(&mut self, clause: &Arc<ClauseCode>) -> u32 {
        *self.place_of.entry(Arc::as_ptr(clause)).or_insert_with(|| {
            self.placed.push(Arc::clone(clause));
            u32::try_from(self.placed.len()).expect("fewer than 2^32 clauses")
        })
    }

    /// The clause of a place; `None` for the query.
    pub(crate) fn clause_at(&self, place: Place) -> Option<&Arc<ClauseCode>> {
        place.clause.checked_sub(1).map(|index| &self.placed[index as usize])
    }

    /// Where the goal that was called last is, innermost first. Predicates of the library are shown only where there are no others.
    pub(crate) fn stack(&self) -> Vec<Frame> {
        let own = self.frames_of(false);
        if own.is_empty() { self.frames_of(true) } else { own }
    }

    fn frames_of(&self, library: bool) -> Vec<Frame> {
        let mut frames = Vec::new();
        for (_, frame) in self.places(library) {
            if frames.len() == STACK {
                break;
            }
            if frames.last() != Some(&frame) {
                frames.push(frame);
            }
        }
        frames
    }

    /// The instances of clauses whose goals are called or still to be called, innermost first: those of the library, or those of the program.
    pub(crate) fn places(&self, library: bool) -> impl Iterator<Item = (Place, Frame)> {
        let goal = |at: u32| (at != goals::NONE).then(|| self.frames[at as usize]);
        let later = std::iter::successors(goal(self.goals), move |frame| goal(frame.next));
        let of = |frame: goals::Frame| if let goals::Goal::Call { place, .. } = frame.goal { Some(place) } else { None };
        std::iter::once(self.here).chain(later.filter_map(of)).filter_map(move |place| {
            let clause = self.clause_at(place)?;
            let predicate = Some(self.program.code.predicate(clause.predicate)).filter(|of| of.library == library)?;
            Some((place, Frame { function: predicate.name.clone(), file: predicate.file.clone(), line: clause.line, ..Frame::default() }))
        })
    }

    /// The sites of the clause of the goal that was called last.
    pub(crate) fn sites_here(&self) -> code::ClauseSites {
        match self.clause_at(self.here) {
            Some(clause) => clause.sites,
            None => self.program.code.query_sites(),
        }
    }
}
