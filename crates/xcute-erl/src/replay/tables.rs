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
    kind: Kind,
    /// A map of its objects, of a bag a list, as long as it is known what they are.
    rows: Option<Val>,
}

/// What a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Set,
    /// Keys are the same if they are equal.
    Ordered,
    Bag,
    /// An object may be there several times.
    Duplicates,
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
const OF_KEYS: &[&str] = &["first", "last", "next", "prev"];
/// Functions that change nothing that is in a table, and show nothing of it.
pub(super) const APART: &[&str] = &["safe_fixtable", "give_away", "setopts", "info", "whereis", "rename"];
/// Functions that read.
pub(super) const READERS: &[&str] =
    &["tab2list", "match", "match_object", "select", "select_count", "select_reverse", "slot", "tab2file", "to_dets", "i"];

pub(super) const KEY: &str = "a key of a table";

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
        let mut table = Table { names: vec![name], key: 0, kind: Kind::Set, rows: None };
        for option in self.list_items(&mut ctx, options)? {
            match option {
                Val::Atom(atom) => match self.atoms.name(atom) {
                    "set" => table.kind = Kind::Set,
                    "ordered_set" => table.kind = Kind::Ordered,
                    "bag" => table.kind = Kind::Bag,
                    "duplicate_bag" => table.kind = Kind::Duplicates,
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
        let is_bag = matches!(table.kind, Kind::Bag | Kind::Duplicates);
        table.rows = Some(if is_bag { Val::Nil } else { self.heap.map(&[]) });
        self.tables.0.push(table);
        Ok(())
    }

    /// A position from 0, of one from 1.
    pub(super) fn index(&self, value: Val) -> Option<usize> {
        self.small(value).and_then(|position| usize::try_from(position - 1).ok())
    }

    /// A call for a table whose objects are known.
    fn of_table(&mut self, function: &str, at: usize, args: &[Val], called: Called<'_>) -> Res<Val> {
        let mut ctx = self.body(called.place);
        if matches!(self.table_kind(at), Kind::Bag | Kind::Duplicates)
            && let Some(value) = self.of_bag(function, at, args, called)?
        {
            return Ok(value);
        }
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
            ("delete_object", &[object]) => {
                let Some(&[(key, object)]) = self.object(&ctx, at, object)?.as_deref() else { return self.unknown(at, args, called) };
                let rows = self.rows(at);
                if let Found::Yes(own) = self.find(&ctx, rows, key)?
                    && self.decided_same(&ctx, own, object)?
                {
                    self.tables.0[at].rows = Some(self.removed(&ctx, rows, key)?);
                }
                Val::Atom(Atom::TRUE)
            }
            ("update_counter", &[key, by]) if self.table_kind(at) != Kind::Duplicates => {
                return self.counted(at, (key, by, None), args, called);
            }
            ("update_counter", &[key, by, default]) => return self.counted(at, (key, by, Some(default)), args, called),
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

    pub(super) fn rows(&self, at: usize) -> Val {
        self.tables.0[at].rows.expect("the objects are known")
    }

    pub(super) fn set_rows(&mut self, at: usize, rows: Val) {
        self.tables.0[at].rows = Some(rows);
    }

    pub(super) fn table_kind(&self, at: usize) -> Kind {
        self.tables.0[at].kind
    }

    /// Where objects of a table have their key, from 0.
    pub(super) fn key_position(&self, at: usize) -> usize {
        self.tables.0[at].key
    }

    /// The key of an object that is in a table.
    pub(super) fn key_of(&self, at: usize, object: Val) -> Val {
        self.parts(object).get(self.key_position(at)).copied().unwrap_or(Val::Nil)
    }

    /// The elements of an object.
    pub(super) fn parts(&self, object: Val) -> Vec<Val> {
        if let Val::Tuple(tuple) = object { self.heap.elements(tuple).to_vec() } else { Vec::new() }
    }

    /// A key as the table has it. In an ordered one, numbers that are equal are the same key.
    pub(super) fn key(&mut self, ctx: &Ctx, at: usize, key: Val) -> Res<Val> {
        let key = self.resolved(key);
        if self.table_kind(at) == Kind::Ordered && !matches!(key, Val::SymInt(_)) { self.fixed(ctx, key, KEY) } else { Ok(key) }
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
    pub(super) fn checked(&mut self, at: usize, (value, given): (Val, Val), called: Called<'_>) -> Res<Val> {
        if !self.is_now(value, given) {
            let what = format!("{} at {}: the table is not what the program made of it", called.what, self.spot(called.place));
            self.rec.limit("uninstrumented", &what, true);
        } else if self.is_small(self.rows(at)) {
            return Ok(value);
        }
        self.forget_rows(at, called);
        Ok(given)
    }

    /// Whether there are few enough objects.
    fn is_small(&self, rows: Val) -> bool {
        let (mut count, mut rest) = (0, rows);
        while let (Val::Cons(cell), true) = (rest, count <= MOST) {
            (count, rest) = (count + 1, self.heap.cell(cell).1);
        }
        count <= MOST && !matches!(rows, Val::Map(rows) if self.heap.pairs(rows).len() > 2 * MOST)
    }

    /// A call that does with a table what is not followed.
    pub(super) fn unknown(&mut self, at: usize, args: &[Val], called: Called<'_>) -> Res<Val> {
        self.forget_rows(at, called);
        self.opaque(called.id, called.place, args, called.what)
    }

    /// It is no longer known what is in a table.
    fn forget_rows(&mut self, at: usize, called: Called<'_>) {
        let rows = self.tables.0[at].rows.take();
        if rows.is_some_and(|rows| self.heap.is_symbolic(rows)) {
            let what = format!("{} at {}, with inputs in a table", called.what, self.spot(called.place));
            self.rec.limit("uninstrumented", &what, true);
        }
    }

    /// The keys of objects that go into a table, and the objects; `None` where their shape depends on the input, or is wrong.
    pub(super) fn objects(&mut self, ctx: &Ctx, at: usize, objects: Val) -> Res<Option<Vec<(Val, Val)>>> {
        let objects = match objects {
            Val::Nil | Val::Cons(_) => self.list_items(&mut { *ctx }, objects)?,
            other => vec![other],
        };
        self.keyed(ctx, at, objects)
    }

    /// The same for one object.
    fn object(&mut self, ctx: &Ctx, at: usize, object: Val) -> Res<Option<Vec<(Val, Val)>>> {
        self.keyed(ctx, at, vec![object])
    }

    fn keyed(&mut self, ctx: &Ctx, at: usize, objects: Vec<Val>) -> Res<Option<Vec<(Val, Val)>>> {
        let mut all = Vec::new();
        for object in objects {
            let object = self.resolved(object);
            let Some(&key) = self.parts(object).get(self.tables.0[at].key) else { return Ok(None) };
            let key = self.key(ctx, at, key)?;
            if self.table_kind(at) == Kind::Ordered && matches!(key, Val::Float(_)) {
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
}
