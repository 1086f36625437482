//! Tables of `ets`: a table that the program made is followed as a map from keys to objects.
//!
//! The table is the emulator's, and so is the order of what is in it. Beside it the replay has the same objects as values that may depend on the input. Which
//! of them a key finds is decided as for maps.
//!
//! **Invariant.** What the replay gives has, in this run, the value that the emulator gave. Where that is not so, or a table is changed in a way that is not
//! followed, it is no longer known what is in it; if there were inputs, that is a limit.

use super::control::Next;
use super::maps::Found;
use super::value::Val;
use super::{Ctx, Machine, Res};
use crate::calls::Bif;
use crate::etf::Atom;
use crate::flat::PlaceId;

/// The tables that the program made.
#[derive(Debug, Default)]
pub(crate) struct Tables(Vec<Table>);

#[derive(Debug)]
struct Table {
    /// What it is called: its reference, its name.
    names: Vec<Val>,
    /// Where objects have their key, from 0.
    key: usize,
    /// Whether keys are the same if they are equal.
    ordered: bool,
    /// A map of its objects, as long as it is known what they are; bags never are.
    rows: Option<Val>,
}

/// A call: what it is called in messages, its number among the events, and its place.
#[derive(Clone, Copy)]
pub(super) struct Called<'a> {
    pub what: &'a str,
    pub id: u32,
    pub place: PlaceId,
}

/// Larger tables are not followed.
const MOST: usize = 256;

/// Functions that only read, and whose value depends on keys alone.
const OF_KEYS: &[&str] = &["first", "last", "next", "prev", "slot"];
/// Functions that change nothing that is in a table, and show nothing of it.
const APART: &[&str] = &["safe_fixtable", "give_away", "setopts", "info", "whereis", "rename"];
/// Functions that read.
const READERS: &[&str] = &["tab2list", "match", "match_object", "select", "select_count", "select_reverse", "tab2file", "to_dets", "i"];

const KEY: &str = "a key of a table";

impl Machine<'_> {
    /// A call of something else may do anything with all tables.
    pub(super) fn forget_tables(&mut self, called: Called<'_>) {
        (0..self.tables.0.len()).for_each(|at| self.forget_rows(at, called));
    }

    /// A call of a function of `ets`.
    pub(super) fn table(&mut self, name: Atom, args: &[Val], called: Called<'_>) -> Res<Next> {
        let args: Vec<Val> = args.iter().map(|&arg| self.resolved(arg)).collect();
        let function = self.atoms.name(name).to_owned();
        let known = args.first().and_then(|&table| self.table_named(table));
        let value = match known {
            Some(at) if self.tables.0[at].rows.is_some() => self.of_table(&function, at, &args, called)?,
            _ => {
                let made = self.opaque(called.id, called.place, &args, called.what)?;
                if function == "new" && !args.iter().any(|&arg| self.heap.is_symbolic(arg)) {
                    self.make_table(made, args[1], called.place)?;
                }
                made
            }
        };
        Ok(self.give(value))
    }

    /// The table of this name.
    fn table_named(&self, name: Val) -> Option<usize> {
        self.tables.0.iter().rposition(|table| table.names.iter().any(|&own| self.heap.identical(own, name)))
    }

    fn make_table(&mut self, name: Val, options: Val, place: PlaceId) -> Res<()> {
        let mut ctx = self.body(place);
        let mut table = Table { names: vec![name], key: 0, ordered: false, rows: Some(self.heap.map(&[])) };
        for option in self.list_items(&mut ctx, options)? {
            match option {
                Val::Atom(atom) => match self.atoms.name(atom) {
                    "ordered_set" => table.ordered = true,
                    "bag" | "duplicate_bag" => table.rows = None,
                    _ => {}
                },
                Val::Tuple(pair) => {
                    if let [Val::Atom(what), position] = *self.heap.elements(pair)
                        && self.atoms.name(what) == "keypos"
                    {
                        table.key = self.index(position).unwrap_or(0);
                    }
                }
                _ => {}
            }
        }
        self.tables.0.push(table);
        Ok(())
    }

    /// A position from 0, of one from 1.
    fn index(&self, value: Val) -> Option<usize> {
        self.small(value).and_then(|position| usize::try_from(position - 1).ok())
    }

    /// A call for a table whose objects are known.
    fn of_table(&mut self, function: &str, at: usize, args: &[Val], called: Called<'_>) -> Res<Val> {
        let mut ctx = self.body(called.place);
        let value = match (function, &args[1..]) {
            ("insert" | "insert_new", &[objects]) => {
                let Some(objects) = self.objects(&ctx, at, objects)? else { return self.unknown(at, args, called) };
                let before = self.rows(at);
                let (mut rows, mut is_new) = (before, true);
                for &(key, object) in &objects {
                    is_new &= function == "insert" || matches!(self.find(&ctx, before, key)?, Found::No);
                    rows = self.put(&mut ctx, rows, key, object, false)?;
                }
                if is_new {
                    self.tables.0[at].rows = Some(rows);
                }
                Val::Atom(if is_new { Atom::TRUE } else { Atom::FALSE })
            }
            ("member" | "lookup" | "take" | "lookup_element" | "delete", &[key, ..]) => {
                let key = self.key(&ctx, at, key)?;
                let rows = self.rows(at);
                let found = self.find(&ctx, rows, key)?;
                if matches!(function, "take" | "delete") {
                    self.tables.0[at].rows = Some(self.removed(&ctx, rows, key)?);
                }
                match (function, found) {
                    ("delete", _) => Val::Atom(Atom::TRUE),
                    ("member", Found::Yes(_)) => Val::Atom(Atom::TRUE),
                    ("member", _) => Val::Atom(Atom::FALSE),
                    ("lookup_element", Found::Yes(object)) if args.len() == 3 => {
                        // A position that is not there fails as the emulator says.
                        let given = self.opaque(called.id, called.place, &args[2..], called.what)?;
                        let own = self.index(args[2]).and_then(|position| self.parts(object).get(position).copied());
                        return self.checked(at, (own.unwrap_or(given), given), called);
                    }
                    ("lookup" | "take", Found::Yes(object)) => self.heap.list(&[object], Val::Nil),
                    ("lookup" | "take", _) => Val::Nil,
                    _ => return self.opaque(called.id, called.place, &args[2..], called.what),
                }
            }
            ("update_element", &[key, updates]) => {
                let key = self.key(&ctx, at, key)?;
                let rows = self.rows(at);
                let Some(updates) = self.updates(&ctx, updates)? else { return self.unknown(at, args, called) };
                let given = self.opaque(called.id, called.place, &[], called.what)?;
                if let Found::Yes(object) = self.find(&ctx, rows, key)? {
                    let mut elements = self.parts(object);
                    updates.into_iter().for_each(|(position, value)| elements[position] = value);
                    let object = self.heap.tuple(&elements);
                    self.tables.0[at].rows = Some(self.put(&mut ctx, rows, key, object, false)?);
                    return self.checked(at, (Val::Atom(Atom::TRUE), given), called);
                }
                return self.checked(at, (Val::Atom(Atom::FALSE), given), called);
            }
            ("update_counter", &[key, by]) => return self.counted(at, (key, by), args, called),
            ("delete" | "delete_all_objects", []) => {
                self.tables.0[at].rows = Some(self.heap.map(&[]));
                Val::Atom(Atom::TRUE)
            }
            ("tab2list", []) => {
                self.fix_keys(&ctx, at)?;
                let given = self.opaque(called.id, called.place, &[], called.what)?;
                let (mut objects, rows) = (Vec::new(), self.rows(at));
                for object in self.list_items(&mut ctx, given)? {
                    let key = self.parts(object)[self.tables.0[at].key];
                    objects.push(match self.find(&ctx, rows, key)? {
                        Found::Yes(own) => own,
                        _ => object,
                    });
                }
                let own = self.heap.list(&objects, Val::Nil);
                return self.checked(at, (own, given), called);
            }
            (of, others) if OF_KEYS.contains(&of) => {
                self.fix_keys(&ctx, at)?;
                let keys = others.iter().map(|&key| self.fixed(&ctx, key, KEY)).collect::<Res<Vec<Val>>>()?;
                return self.opaque(called.id, called.place, &keys, called.what);
            }
            (of, others) if APART.contains(&of) => {
                let given = self.opaque(called.id, called.place, others, called.what)?;
                if matches!(given, Val::Other(_)) || of == "rename" {
                    // Another name of it.
                    self.tables.0[at].names.push(given);
                }
                return Ok(given);
            }
            (of, _) if READERS.contains(&of) => {
                let rows = self.rows(at);
                return self.opaque(called.id, called.place, &[args, &[rows]].concat(), called.what);
            }
            _ => return self.unknown(at, args, called),
        };
        let given = self.opaque(called.id, called.place, &[], called.what)?;
        self.checked(at, (value, given), called)
    }

    fn rows(&self, at: usize) -> Val {
        self.tables.0[at].rows.expect("the objects are known")
    }

    /// The elements of an object.
    fn parts(&self, object: Val) -> Vec<Val> {
        if let Val::Tuple(tuple) = object { self.heap.elements(tuple).to_vec() } else { Vec::new() }
    }

    /// A key as the table has it. In an ordered one, numbers that are equal are the same key.
    fn key(&mut self, ctx: &Ctx, at: usize, key: Val) -> Res<Val> {
        let key = self.resolved(key);
        if self.tables.0[at].ordered && !matches!(key, Val::SymInt(_)) { self.fixed(ctx, key, KEY) } else { Ok(key) }
    }

    /// The order of what is in a table depends on its keys.
    fn fix_keys(&mut self, ctx: &Ctx, at: usize) -> Res<()> {
        let mut rows = Vec::new();
        let all = self.rows(at);
        for [key, object] in self.all_pairs(ctx, all)? {
            rows.push([self.fixed(ctx, key, "a key of a table that is gone through")?, object]);
        }
        self.tables.0[at].rows = Some(self.map_of(&rows));
        Ok(())
    }

    /// What the replay gives, if it is what the emulator gave.
    fn checked(&mut self, at: usize, (value, given): (Val, Val), called: Called<'_>) -> Res<Val> {
        if !self.is_now(value, given) {
            let what = format!("{} at {}: the table is not what the program made of it", called.what, self.program.code.at(called.place));
            self.rec.limit("uninstrumented", &what, true);
        } else if matches!(self.rows(at), Val::Map(rows) if self.heap.pairs(rows).len() <= 2 * MOST) {
            return Ok(value);
        }
        self.forget_rows(at, called);
        Ok(given)
    }

    /// A call that does with a table what is not followed.
    fn unknown(&mut self, at: usize, args: &[Val], called: Called<'_>) -> Res<Val> {
        self.forget_rows(at, called);
        self.opaque(called.id, called.place, args, called.what)
    }

    /// It is no longer known what is in a table.
    fn forget_rows(&mut self, at: usize, called: Called<'_>) {
        let rows = self.tables.0[at].rows.take();
        if rows.is_some_and(|rows| self.heap.is_symbolic(rows)) {
            let what = format!("{} at {}, with inputs in a table", called.what, self.program.code.at(called.place));
            self.rec.limit("uninstrumented", &what, true);
        }
    }

    /// The keys of objects that go into a table, and the objects; `None` where their shape depends on the input, or is wrong.
    fn objects(&mut self, ctx: &Ctx, at: usize, objects: Val) -> Res<Option<Vec<(Val, Val)>>> {
        let objects = match objects {
            Val::Nil | Val::Cons(_) => self.list_items(&mut { *ctx }, objects)?,
            other => vec![other],
        };
        let mut all = Vec::new();
        for object in objects {
            let object = self.resolved(object);
            let Some(&key) = self.parts(object).get(self.tables.0[at].key) else { return Ok(None) };
            let key = self.key(ctx, at, key)?;
            if self.tables.0[at].ordered && matches!(key, Val::Float(_)) {
                return Ok(None);
            }
            all.push((key, object));
        }
        Ok(Some(all))
    }

    /// The positions and values of an update; `None` where its shape depends on the input.
    fn updates(&mut self, ctx: &Ctx, updates: Val) -> Res<Option<Vec<(usize, Val)>>> {
        let updates = match updates {
            Val::Nil | Val::Cons(_) => self.list_items(&mut { *ctx }, updates)?,
            other => vec![other],
        };
        let mut all = Vec::new();
        for update in updates {
            let update = self.resolved(update);
            let &[position, value] = &self.parts(update)[..] else { return Ok(None) };
            let Some(position) = self.index(position) else { return Ok(None) };
            all.push((position, value));
        }
        Ok(Some(all))
    }

    /// `update_counter` with one increment and no threshold.
    fn counted(&mut self, at: usize, (key, by): (Val, Val), args: &[Val], called: Called<'_>) -> Res<Val> {
        let mut ctx = self.body(called.place);
        let (position, by) = match self.parts(by)[..] {
            [] => (Some(self.tables.0[at].key + 1), by),
            [position, by] => (self.index(position), self.resolved(by)),
            _ => (None, by),
        };
        let is_integer = |machine: &Self, value| matches!(value, Val::SymInt(_)) || machine.small(value).is_some();
        let (key, rows) = (self.key(&ctx, at, key)?, self.rows(at));
        let found = self.find(&ctx, rows, key)?;
        let (Some(position), Found::Yes(object), true) = (position, found, is_integer(self, by)) else {
            return self.unknown(at, args, called);
        };
        let mut elements = self.parts(object);
        let before = elements.get(position).map(|&before| self.resolved(before));
        let Some(before) = before.filter(|&before| is_integer(self, before)) else { return self.unknown(at, args, called) };
        let given = self.opaque(called.id, called.place, &[], called.what)?;
        let sum = self.bif(&mut ctx, Bif::Add, &[before, by])?;
        elements[position] = sum;
        let object = self.heap.tuple(&elements);
        self.tables.0[at].rows = Some(self.put(&mut ctx, rows, key, object, false)?);
        self.checked(at, (sum, given), called)
    }
}
