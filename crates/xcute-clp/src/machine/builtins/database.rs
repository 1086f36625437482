//! Clauses that are added and removed while the program runs: state of the run, gone after it.
//!
//! The logical update view: a call sees the clauses that were there when it began.

use std::sync::Arc;

use num_traits::Signed;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Builtin;
use crate::machine::cell::Cell;
use crate::machine::code::{self, ClauseCode, PredicateId};
use crate::machine::error::{Step, Stop};
use crate::machine::goals::{Call, ChoiceKind};
use crate::machine::heap::Frozen;
use crate::machine::{Current, Machine};
use crate::syntax::{Atom, Indicator};

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("assert", 1, Builtin::Plain(|m, c| m.add_clause(m.arg(c, 0), true))),
    ("assertz", 1, Builtin::Plain(|m, c| m.add_clause(m.arg(c, 0), true))),
    ("asserta", 1, Builtin::Plain(|m, c| m.add_clause(m.arg(c, 0), false))),
    ("retract", 1, Builtin::Plain(retract)),
    ("retractall", 1, Builtin::Plain(retractall)),
    ("abolish", 1, Builtin::Plain(|m, c| declared(m, c, true))),
    ("clause", 2, Builtin::Plain(clause)),
    ("$retract", 3, Builtin::Plain(remove)),
    ("dynamic", 1, Builtin::Plain(|m, c| declared(m, c, false))),
];

/// Clauses that match, as terms `Head - (Body - Number)`: all that are there now.
fn retract(m: &mut Machine<'_>, call: Call) -> Step {
    let (head, body) = m.head_and_body(m.arg(call, 0))?;
    let indicator = m.indicator_of(head)?;
    if m.program.builtins.get(indicator).is_some() {
        m.check_modifiable(indicator)?;
    }
    let remove = m.symbols.functor_named("$retract", 3);
    let number = m.heap.var();
    let goal = m.heap.compound(remove, &[head, body, number]);
    // The goal is called for each clause in turn: the first that unifies is removed.
    m.push(crate::machine::goals::Goal::Call { goal, barrier: call.barrier, place: call.place });
    m.clauses_of(indicator, head, body, number)
}

fn remove(m: &mut Machine<'_>, call: Call) -> Step {
    let indicator = m.indicator_of(m.arg(call, 0))?;
    let Cell::Int(key) = m.arg(call, 2) else { unreachable!("given by clauses_of") };
    let Some((_, mut current)) = m.predicate(indicator) else { return Ok(false) };
    let before = current.clauses.len();
    let left: Vec<Arc<ClauseCode>> = current.clauses.iter().filter(|clause| i64::from(clause.number) != key).cloned().collect();
    if left.len() == before {
        // Somebody else has removed it meanwhile.
        return Ok(false);
    }
    current.clauses = Arc::new(left);
    m.changed.insert(indicator, Current { index: None, dense: false, ..current });
    Ok(true)
}

/// `abolish/1` and `dynamic/1`: both take predicates by name and arity, the second also several.
fn declared(m: &mut Machine<'_>, call: Call, abolish: bool) -> Step {
    let mut pending = vec![m.pinned(m.arg(call, 0), "the name of a predicate")?];
    let names = [Atom::SLASH, Atom::COLON, Atom::COMMA, Atom::DOT];
    let [slash, colon, comma, dot] = names.map(|name| m.symbols.functor(name, 2));
    while let Some(specification) = pending.pop() {
        let specification = m.heap.deref(specification);
        let (a, b, functor) = match specification {
            Cell::Var(_) if abolish => return Err(m.instantiation_error()),
            variable @ Cell::Var(_) => {
                let functor = m.symbols.functor_named("uninstantiation_error", 1);
                let formal = m.heap.compound(functor, &[variable]);
                return Err(m.error(formal));
            }
            Cell::Atom(Atom::NIL) if !abolish => continue,
            Cell::Struct(address) if m.symbols.arity(m.heap.functor(address)) == 2 => {
                (m.heap.arg(address, 0), m.heap.arg(address, 1), m.heap.functor(address))
            }
            other => return Err(m.type_error("predicate_indicator", other)),
        };
        if functor == colon {
            pending.push(b);
            continue;
        }
        if !abolish && (functor == comma || functor == dot) {
            pending.extend([b, a]);
            continue;
        }
        if functor != slash {
            return Err(m.type_error("predicate_indicator", specification));
        }
        let indicator = match (a, b) {
            (Cell::Var(_), _) | (_, Cell::Var(_)) => return Err(m.instantiation_error()),
            (Cell::Atom(name), Cell::Int(_) | Cell::Big(_)) => {
                let arity = m.symbols.as_integer(b).expect("an integer");
                if abolish && i32::try_from(&arity).is_err() {
                    return Err(m.representation_error("int"));
                }
                if arity.is_negative() {
                    return Err(m.domain_error("not_less_than_zero", b));
                }
                m.fits_size(&arity)?;
                let Ok(arity) = u32::try_from(&arity) else { return Err(m.no_room(&arity)) };
                Indicator { name, arity }
            }
            (Cell::Atom(_), other) => return Err(m.type_error("integer", other)),
            (other, _) => return Err(m.type_error("atom", other)),
        };
        m.check_modifiable(indicator)?;
        if abolish || m.predicate(indicator).is_none() {
            m.changed.insert(indicator, Current { clauses: Arc::default(), index: None, dense: true });
        }
    }
    Ok(true)
}

fn retractall(m: &mut Machine<'_>, call: Call) -> Step {
    let head = m.unqualified(m.arg(call, 0));
    let indicator = m.indicator_of(head)?;
    m.check_modifiable(indicator)?;
    let Some((_, mut current)) = m.predicate(indicator) else {
        m.changed.insert(indicator, Current { clauses: Arc::default(), index: None, dense: true });
        return Ok(true);
    };
    let mut left = Vec::new();
    for clause in current.clauses.iter() {
        let mark = m.heap.mark();
        let (other, _) = m.clause_terms(clause);
        let matches = match m.unify(head, other) {
            Some(conditions) => m.check(&conditions),
            None => false,
        };
        m.heap.undo(mark);
        if !matches {
            left.push(Arc::clone(clause));
        }
    }
    current.dense = left.is_empty();
    current.clauses = Arc::new(left);
    m.changed.insert(indicator, Current { index: None, ..current });
    Ok(true)
}

fn clause(m: &mut Machine<'_>, call: Call) -> Step {
    let head = m.unqualified(m.arg(call, 0));
    let indicator = m.indicator_of(head)?;
    if m.program.builtins.get(indicator).is_some() {
        let culprit = m.indicator(Cell::Atom(indicator.name), indicator.arity);
        return Err(m.permission_error("access", "private_procedure", culprit));
    }
    let number = m.heap.var();
    m.clauses_of(indicator, head, m.arg(call, 1), number)
}

impl Machine<'_> {
    /// Unifies head, body and number with those of each clause in turn.
    fn clauses_of(&mut self, indicator: Indicator, head: Cell, body: Cell, number: Cell) -> Step {
        let Some((_, current)) = self.predicate(indicator) else { return Ok(false) };
        let functor = self.symbols.functor_named("clause", 3);
        let pattern = self.heap.compound(functor, &[head, body, number]);
        let pair = self.symbols.functor(Atom::MINUS, 2);
        let mut pairs = Vec::new();
        for clause in current.clauses.iter() {
            let (other, others_body) = self.clause_terms(clause);
            let answer = self.heap.compound(functor, &[other, others_body, Cell::Int(clause.number.into())]);
            pairs.push(self.heap.compound(pair, &[pattern, answer]));
        }
        self.push_choice(ChoiceKind::Pairs { pairs: pairs.into_iter() });
        Ok(false)
    }

    /// Head and body of a new instance of a clause.
    fn clause_terms(&mut self, clause: &ClauseCode) -> (Cell, Cell) {
        let base = self.heap.instantiate(&clause.cells);
        let relocated = |cell| crate::machine::choice::relocated(cell, base);
        let head = match clause.head {
            Some(at) => Cell::Struct(base + at),
            None => Cell::Atom(self.program.code.predicate(clause.predicate).indicator.name),
        };
        let comma = self.symbols.functor(Atom::COMMA, 2);
        let last = relocated(clause.body);
        let body = clause.constraints.iter().rev().fold(last, |rest, &constraint| {
            let constraint = relocated(constraint);
            if rest == Cell::Atom(Atom::TRUE) { constraint } else { self.heap.compound(comma, &[constraint, rest]) }
        });
        (head, body)
    }

    fn head_and_body(&mut self, clause: Cell) -> Result<(Cell, Cell), Stop> {
        let neck = self.symbols.functor(Atom::NECK, 2);
        Ok(match self.unqualified(self.heap.deref(clause)) {
            Cell::Struct(address) if self.heap.functor(address) == neck => {
                (self.unqualified(self.heap.arg(address, 0)), self.heap.arg(address, 1))
            }
            other => (other, Cell::Atom(Atom::TRUE)),
        })
    }

    /// A clause or head without the module before it.
    fn unqualified(&mut self, mut cell: Cell) -> Cell {
        let colon = self.symbols.functor(Atom::COLON, 2);
        while let Cell::Struct(address) = cell
            && self.heap.functor(address) == colon
        {
            cell = self.heap.arg(address, 1);
        }
        cell
    }

    /// Predicates of the machine, and those of the program that are not dynamic, stay as they are.
    fn check_modifiable(&mut self, indicator: Indicator) -> Result<(), Stop> {
        let fixed = self.program.code.find(indicator).is_some_and(|id| {
            let predicate = self.program.code.predicate(id);
            !predicate.dynamic && !predicate.library && !predicate.clauses.is_empty()
        });
        if !fixed && self.program.builtins.get(indicator).is_none() {
            return Ok(());
        }
        let culprit = self.indicator(Cell::Atom(indicator.name), indicator.arity);
        Err(self.permission_error("modify", "static_procedure", culprit))
    }

    fn indicator_of(&mut self, head: Cell) -> Result<Indicator, Stop> {
        let head = if let Cell::Sym(_) = head { self.pinned(head, "a clause that is an input")? } else { head };
        match head {
            Cell::Atom(name) => Ok(Indicator { name, arity: 0 }),
            Cell::Struct(address) => {
                let functor = self.heap.functor(address);
                Ok(Indicator { name: self.symbols.name(functor), arity: self.symbols.arity(functor) })
            }
            Cell::Var(_) => Err(self.instantiation_error()),
            other => Err(self.type_error("callable", other)),
        }
    }

    /// The body of a clause has no numbers where goals stand.
    fn check_added_body(&mut self, body: Cell) -> Result<(), Stop> {
        match self.heap.deref(body) {
            Cell::Var(_) => Err(self.instantiation_error()),
            number @ (Cell::Int(_) | Cell::Big(_) | Cell::Float(_) | Cell::Str(_)) => Err(self.type_error("callable", number)),
            _ => self.check_body(body),
        }
    }

    fn add_clause(&mut self, clause: Cell, last: bool) -> Step {
        let (head, body) = self.head_and_body(clause)?;
        let indicator = self.indicator_of(head)?;
        self.check_added_body(body)?;
        self.check_modifiable(indicator)?;
        let id = self.program.code.find(indicator);
        let functor = self.symbols.functor(Atom::NECK, 2);
        let both = self.heap.compound(functor, &[head, body]);
        let frozen = self.freeze(both)?;
        let sites = id.map_or_else(|| self.program.code.query_sites(), |id| self.program.code.predicate(id).added);
        let found = self.predicate(indicator).map(|(_, current)| current);
        // Without this the list below would always be one that somebody else has, too, and be copied.
        self.changed.remove(&indicator);
        let mut current = found.unwrap_or_else(|| Current { clauses: Arc::default(), index: None, dense: true });
        let number = current.free_number();
        let code = added(&frozen, self, id.unwrap_or(PredicateId(0)), number, sites);
        let clauses = Arc::make_mut(&mut current.clauses);
        if last {
            clauses.push(Arc::new(code));
        } else {
            clauses.insert(0, Arc::new(code));
        }
        self.changed.insert(indicator, Current { index: None, ..current });
        Ok(true)
    }
}

impl Current {
    /// The smallest number that no clause has.
    fn free_number(&mut self) -> u32 {
        let count = u32::try_from(self.clauses.len()).expect("fewer than 2^32 clauses");
        if self.dense {
            return count;
        }
        let known: FxHashSet<u32> = self.clauses.iter().map(|clause| clause.number).collect();
        let number = (0..).find(|number| !known.contains(number)).expect("some number is free");
        self.dense = number == count;
        number
    }
}

/// The code of a clause that is a term `Head :- Body`, the root of a frozen term.
fn added(frozen: &Frozen, m: &Machine<'_>, predicate: PredicateId, number: u32, sites: code::ClauseSites) -> ClauseCode {
    let cells = frozen.cells.clone();
    let Cell::Struct(root) = cells[0] else { unreachable!("a clause is a compound") };
    let (head, body) = (cells[root as usize + 1], cells[root as usize + 2]);
    let head = if let Cell::Struct(at) = head { Some(at) } else { None };
    let keys = head.map_or_else(Vec::new, |at| code::keys(&cells, at, m.symbols));
    let constraints_end = cells.len();
    let (constraints, tests) = (Vec::new(), FxHashMap::default());
    ClauseCode {
        cells,
        head,
        constraints,
        constraints_end,
        body,
        keys,
        single_sided: false,
        commits: false,
        predicate,
        number,
        line: 0,
        sites,
        tests,
        variables: Vec::new(),
    }
}
