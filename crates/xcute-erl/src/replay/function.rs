//! Functions of the input that are called: each call is a row of their table.
//!
//! The n-th call of a function, in the order of the run, is row n. That row has the arguments of the call, and its result is a part of the input like others: what
//! the program does with it is decided later. Equal arguments give equal results, which is assumed for each pair of rows (Ackermann, *Solvable Cases of the Decision
//! Problem*, 1954), so that it costs no decision; pairs that cannot be equal are left out.
//!
//! **Invariant.** The table of a run's input has a row for each call that was followed, in their order, with the result that the emulator gave.

use rustc_hash::FxHashMap;
use xcute_term::{CtorId, DataValue, Op, Sort, TermId, Value, VarId};

use super::control::Next;
use super::look::Kind;
use super::value::Val;
use super::{Ctx, Machine, Res};
use crate::etf::Atom;
use crate::flat::PlaceId;
use crate::types::domain::or;
use crate::universe::functions::{MOST_PARAMETERS, function, result, rows};
use crate::universe::{FUN, MORE, NO_MORE, ROW, TERM, data, is, parts, select};

/// An input, and how a part lies in it.
type Path = (TermId, Vec<(CtorId, usize)>);

/// The calls of functions of the input in a run.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// The functions that were called.
    functions: Vec<Called>,
    /// What inputs are now, where a table got rows.
    pub(crate) changed: Vec<(VarId, Value)>,
    /// Whether some function of the input was called.
    pub(crate) any: bool,
}

/// A function of the input and its rows.
#[derive(Debug)]
struct Called {
    term: TermId,
    /// Arguments and result of each row, in the order of the calls.
    rows: Vec<(TermId, TermId)>,
    /// The result for arguments that were given before.
    known: FxHashMap<TermId, TermId>,
    /// The rows whose arguments depend on the input.
    symbolic: Vec<(TermId, TermId)>,
    /// The row of the next call.
    next: TermId,
}

impl Machine<'_> {
    /// A part of the input is applied: whether it is a function, and one of this many arguments, is decided.
    pub(super) fn apply_input(&mut self, term: TermId, args: &[Val], place: PlaceId) -> Res<Next> {
        let mut ctx = self.body(place);
        let fun = Val::Sym(term);
        let is = self.is_kind(fun, Kind::Fun);
        let reason = self.heap.tuple(&[Val::Atom(Atom::BADFUN), fun]);
        self.require(&mut ctx, is, reason)?;
        if args.len() > MOST_PARAMETERS as usize {
            self.rec.limit("unsupported", &format!("functions of the input with more than {MOST_PARAMETERS} arguments"), true);
        }
        let arity = self.domain.look_at_arity(&mut self.rec, term);
        let wanted = self.rec.terms.value(Value::Int(args.len().into()));
        let same = self.mk(Op::Eq, &[arity, wanted]);
        let list = self.heap.list(args, Val::Nil);
        let pair = self.heap.tuple(&[fun, list]);
        let reason = self.heap.tuple(&[Val::Atom(Atom::BADARITY), pair]);
        self.require(&mut ctx, same, reason)?;
        let value = self.call_input(&ctx, term, args)?;
        Ok(self.give(value))
    }

    /// What a function of the input returns.
    fn call_input(&mut self, ctx: &Ctx, term: TermId, args: &[Val]) -> Res<Val> {
        self.calls.any = true;
        let Some(given) = args.iter().map(|&arg| self.term(arg)).collect::<Option<Vec<TermId>>>() else {
            // Such arguments are in no row, so this is what the emulator gave.
            let what = format!("a function of the input is called with a function or process of the program at {}", self.at(ctx));
            self.rec.limit("unsupported", &what, true);
            return Ok(Val::Sym(select(self.rec.terms, FUN, 2, term)));
        };
        let none = self.rec.terms.value(data(NO_MORE, vec![]));
        let arguments = given.iter().rev().fold(none, |rest, &item| self.rec.terms.mk(Op::Construct(MORE), &[item, rest]));
        let Some(path) = self.path(term) else {
            // A constant, or a choice between functions.
            let (table, arguments) =
                (self.pin(ctx, term, "a function that was chosen by the input is called")?, self.fixed_term(ctx, arguments)?);
            let value = result(parts(&table), &arguments).clone();
            return Ok(Val::Sym(self.rec.terms.value(value)));
        };
        self.look_at_parts(&given);
        let number = match self.calls.functions.iter().position(|called| called.term == term) {
            Some(number) => number,
            None => {
                let next = select(self.rec.terms, FUN, 1, term);
                self.calls.functions.push(Called { term, rows: Vec::new(), known: FxHashMap::default(), symbolic: Vec::new(), next });
                self.calls.functions.len() - 1
            }
        };
        if let Some(&known) = self.calls.functions[number].known.get(&arguments) {
            return Ok(Val::Sym(known));
        }
        self.insert_row(term, &path, self.calls.functions[number].rows.len(), arguments);
        let row = self.calls.functions[number].next;
        let (own, given) = (select(self.rec.terms, ROW, 0, row), select(self.rec.terms, ROW, 1, row));
        let mut conditions = vec![is(self.rec.terms, ROW, row), self.mk(Op::Eq, &[own, arguments])];
        self.agree(number, (arguments, given), &mut conditions);
        self.domain.called(&mut self.rec, &conditions);
        let next = select(self.rec.terms, ROW, 2, row);
        let constant = self.rec.terms.is_const(arguments);
        let called = &mut self.calls.functions[number];
        called.rows.push((arguments, given));
        called.known.insert(arguments, given);
        if !constant {
            called.symbolic.push((arguments, given));
        }
        called.next = next;
        Ok(Val::Sym(given))
    }

    /// Equal arguments give equal results: a new row agrees with all rows that can have its arguments. Two constants cannot, since they are not the same one.
    fn agree(&mut self, number: usize, (arguments, given): (TermId, TermId), conditions: &mut Vec<TermId>) {
        let called = &self.calls.functions[number];
        let before = if self.rec.terms.is_const(arguments) { called.symbolic.clone() } else { called.rows.clone() };
        for (others, returned) in before {
            let same = self.mk(Op::Eq, &[others, arguments]);
            if self.rec.facts.holds(self.rec.terms, same) == Some(false) {
                continue;
            }
            let (differ, equal) = (self.not(same), self.mk(Op::Eq, &[returned, given]));
            conditions.push(or(self.rec.terms, &[differ, equal]));
        }
    }

    /// What the types of inputs say counts for arguments: they are compared with those of rows.
    fn look_at_parts(&mut self, arguments: &[TermId]) {
        let mut pending = arguments.to_vec();
        while let Some(part) = pending.pop() {
            match self.rec.terms.op(part) {
                Op::Select(..) | Op::Var(_) if self.rec.terms.sort(part) == Sort::Data(TERM) => {
                    self.domain.look_inside(&mut self.rec, part)
                }
                Op::Construct(_) => pending.extend(self.rec.terms.args(part)),
                _ => {}
            }
        }
    }

    fn fixed_term(&mut self, ctx: &Ctx, term: TermId) -> Res<Value> {
        if self.rec.terms.is_const(term) {
            return Ok(self.rec.value(term));
        }
        self.pin(ctx, term, "arguments of a function that was chosen by the input")
    }

    /// Which input a part belongs to, and how it lies there, from the outside in; `None` for what is not a part of one.
    fn path(&self, part: TermId) -> Option<Path> {
        let (mut path, mut at) = (Vec::new(), part);
        while let Op::Select(ctor, field) = self.rec.terms.op(at) {
            path.push((ctor, field as usize));
            at = self.rec.terms.args(at)[0];
        }
        path.reverse();
        matches!(self.rec.terms.op(at), Op::Var(_)).then_some((at, path))
    }

    /// Makes a row of a call, where the table of this run's input does not have it there.
    fn insert_row(&mut self, term: TermId, path: &Path, place: usize, arguments: TermId) {
        let (table, arguments) = (self.rec.value(term), self.rec.value(arguments));
        let table = parts(&table);
        let given = result(table, &arguments).clone();
        let mut all: Vec<(Value, Value)> = rows(table).into_iter().map(|(own, given)| (own.clone(), given.clone())).collect();
        if all.get(place).is_some_and(|row| *row == (arguments.clone(), given.clone())) {
            return;
        }
        if let Some(later) = (place..all.len()).find(|&later| all[later].0 == arguments) {
            all.remove(later);
        }
        // A shorter table than calls before would need cannot be: they made their rows.
        all.insert(place.min(all.len()), (arguments, given));
        let arity = crate::universe::functions::arity(table).unwrap_or(0);
        self.put_part(path, function(arity, all, table.fields[2].clone()));
    }

    /// Changes a part of this run's input.
    fn put_part(&mut self, (input, path): &Path, value: Value) {
        let mut around: Vec<DataValue> = Vec::with_capacity(path.len());
        let mut at = self.rec.value(*input);
        for &(ctor, field) in path {
            let outer = parts(&at).clone();
            debug_assert_eq!(outer.ctor, ctor, "the part is there");
            at = outer.fields[field].clone();
            around.push(outer);
        }
        let made = around.into_iter().zip(path).rev().fold(value, |inner, (mut outer, &(_, field))| {
            outer.fields[field] = inner;
            data(outer.ctor, outer.fields)
        });
        let Op::Var(variable) = self.rec.terms.op(*input) else { unreachable!("an input is a variable") };
        self.rec.change(variable, made.clone());
        self.calls.changed.retain(|(known, _)| *known != variable);
        self.calls.changed.push((variable, made));
    }

    /// Drops the rows that no call used.
    pub(crate) fn drop_rows(&mut self) {
        for Called { term, rows: calls, .. } in std::mem::take(&mut self.calls.functions) {
            let Some(path) = self.path(term) else { continue };
            let table = self.rec.value(term);
            let table = parts(&table);
            let all = rows(table);
            if table.ctor == FUN && all.len() > calls.len() {
                let kept = all[..calls.len()].iter().map(|(own, given)| ((*own).clone(), (*given).clone())).collect();
                let arity = crate::universe::functions::arity(table).unwrap_or(0);
                self.put_part(&path, function(arity, kept, table.fields[2].clone()));
            }
        }
    }
}
