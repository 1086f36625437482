//! What a program assigns: global variables, and arguments of terms.
//!
//! **Invariant.** What `b_setval/2` and `setarg/3` do is undone by backtracking, what the others do is not; all of it is gone after the run.

use num_traits::ToPrimitive;

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::goals::Call;
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("b_setval", 2, Builtin::Plain(b_setval)),
    ("nb_setval", 2, Builtin::Plain(nb_setval)),
    ("b_getval", 2, Builtin::Plain(getval)),
    ("nb_getval", 2, Builtin::Plain(getval)),
    ("nb_current", 2, Builtin::Plain(nb_current)),
    ("setarg", 3, Builtin::Plain(|m, c| set_argument(m, c, true))),
    ("nb_setarg", 3, Builtin::Plain(|m, c| set_argument(m, c, false))),
    ("freeze", 2, Builtin::Plain(freeze)),
    ("frozen", 2, Builtin::Plain(frozen)),
];

fn b_setval(m: &mut Machine<'_>, call: Call) -> Step {
    let key = m.key(m.arg(call, 0))?;
    let value = m.arg(call, 1);
    m.heap.store.set_global(key, Some(value));
    Ok(true)
}

fn nb_setval(m: &mut Machine<'_>, call: Call) -> Step {
    let key = m.key(m.arg(call, 0))?;
    let copy = m.keep(m.arg(call, 1))?;
    m.globals.insert(key, copy);
    m.heap.store.set_global(key, None);
    Ok(true)
}

fn getval(m: &mut Machine<'_>, call: Call) -> Step {
    let key = m.key(m.arg(call, 0))?;
    match m.global(key) {
        Some(value) => m.unify_now(m.arg(call, 1), value),
        None => {
            let (what, functor) = (m.symbols.atom("variable"), m.symbols.functor_named("existence_error", 2));
            let formal = m.heap.compound(functor, &[what, Cell::Atom(key)]);
            Err(m.error(formal))
        }
    }
}

fn nb_current(m: &mut Machine<'_>, call: Call) -> Step {
    let key = m.key(m.arg(call, 0))?;
    match m.global(key) {
        Some(value) => m.unify_now(m.arg(call, 1), value),
        None => Ok(false),
    }
}

fn set_argument(m: &mut Machine<'_>, call: Call, backtrackable: bool) -> Step {
    let number = m.integer_argument(m.arg(call, 0))?;
    let number = m.pinned_integer(number, "the number of setarg/3")?;
    let (term, value) = (m.arg(call, 1), m.arg(call, 2));
    if number.sign() == num_bigint::Sign::Minus {
        let culprit = m.symbols.integer(number);
        return Err(m.domain_error("not_less_than_zero", culprit));
    }
    m.fits_size(&number)?;
    let address = match term {
        // No argument has this number, whatever the term is.
        _ if number.sign() == num_bigint::Sign::NoSign => return Ok(false),
        Cell::Struct(address) => address,
        Cell::Var(_) => return Err(m.instantiation_error()),
        Cell::Atom(name) if name != Atom::NIL => return Ok(false),
        // An input is a value: to assign to a part of it is to have a copy that nobody else sees.
        Cell::Sym(_) => return m.unsupported("setarg/3 of an input"),
        other => return Err(m.type_error("compound", other)),
    };
    let arity = m.symbols.arity(m.heap.functor(address));
    let Some(number) = number.to_u32().filter(|&number| number >= 1 && number <= arity) else { return Ok(false) };
    let place = address + number;
    if m.heap.at(place) == Cell::Var(place) {
        // The variable itself lives here, and others refer to it.
        return m.unsupported("setarg/3 of a variable");
    }
    if backtrackable {
        m.heap.assign(place, value);
        return Ok(true);
    }
    if let Cell::Struct(_) | Cell::Var(_) = value {
        // It would have to survive what it is made of.
        return m.unsupported("nb_setarg/3 with a compound");
    }
    m.heap.replace(place, value);
    Ok(true)
}

fn freeze(m: &mut Machine<'_>, call: Call) -> Step {
    let goal = m.arg(call, 1);
    match m.arg(call, 0) {
        Cell::Var(variable) => {
            m.suspend(variable, goal, call.place);
            m.wake()
        }
        _ => {
            m.check_body(goal)?;
            m.push(crate::machine::goals::Goal::Call { goal, barrier: m.height(), place: call.place });
            Ok(true)
        }
    }
}

/// `frozen(Term, Goal)`: the goals that wait for the variables of a term.
fn frozen(m: &mut Machine<'_>, call: Call) -> Step {
    let (functor, colon, comma) =
        (m.symbols.functor_named("freeze", 2), m.symbols.functor(Atom::COLON, 2), m.symbols.functor(Atom::COMMA, 2));
    let user = m.symbols.atom("user");
    let mut all: Option<Cell> = None;
    for variable in m.variables(m.arg(call, 0)).into_iter().rev() {
        let Cell::Var(address) = variable else { unreachable!("variables are variables") };
        for goal in m.heap.store.goals_of(address).into_iter().rev() {
            let qualified = m.heap.compound(colon, &[user, goal]);
            let waiting = m.heap.compound(functor, &[variable, qualified]);
            all = Some(match all {
                Some(rest) => m.heap.compound(comma, &[waiting, rest]),
                None => waiting,
            });
        }
    }
    m.unify_now(m.arg(call, 1), all.unwrap_or(Cell::Atom(Atom::TRUE)))
}

impl Machine<'_> {
    fn key(&mut self, cell: Cell) -> Result<Atom, Stop> {
        match self.pinned(cell, "the name of a global variable")? {
            Cell::Atom(name) => Ok(name),
            Cell::Var(_) => Err(self.instantiation_error()),
            other => Err(self.type_error("atom", other)),
        }
    }

    /// The value of a global variable. One that survives backtracking is shared from here on until then.
    fn global(&mut self, key: Atom) -> Option<Cell> {
        if let Some(value) = self.heap.store.global(key) {
            return Some(value);
        }
        let kept = self.globals.get(&key)?.clone();
        let value = self.restore(&kept);
        self.heap.store.set_global(key, Some(value));
        Some(value)
    }

    /// Ends the run: what would follow is not known.
    pub(crate) fn unsupported(&mut self, what: &str) -> Step {
        Err(self.not_supported(what))
    }
}
