//! Tables of `ets` that are bags: a list of objects, in the order in which they were inserted.
//!
//! Which objects have a key is decided for each of them, and so is whether an object is already there. The objects of one key come out as they went in; the
//! order of keys is the emulator's.
//!
//! **Invariant.** As for other tables: what the replay gives has, in this run, the value that the emulator gave.

use super::tables::{APART, Called, KEY, Kind, READERS};
use super::value::Val;
use super::{Ctx, Machine, Res};
use crate::etf::Atom;

impl Machine<'_> {
    /// A call for a bag whose objects are known; `None` if it only reads, as for any other table.
    pub(super) fn of_bag(&mut self, function: &str, at: usize, args: &[Val], called: Called<'_>) -> Res<Option<Val>> {
        let ctx = self.body(called.place);
        let truth = |holds| Val::Atom(if holds { Atom::TRUE } else { Atom::FALSE });
        let before = self.bag(at)?;
        let value = match (function, &args[1..]) {
            ("insert" | "insert_new", &[objects]) => {
                let Some(new) = self.objects(&ctx, at, objects)? else { return self.unknown(at, args, called).map(Some) };
                let unique = self.table_kind(at) == Kind::Bag;
                if unique && new.len() > 1 {
                    // What is there already changes the order of what comes with it.
                    return self.unknown(at, args, called).map(Some);
                }
                let mut is_new = true;
                if function == "insert_new" {
                    for &(key, _) in &new {
                        is_new &= self.keyed_apart(&ctx, at, key)?.0.is_empty();
                    }
                }
                let mut objects = before;
                for &(_, object) in new.iter().filter(|_| is_new) {
                    if !unique || !self.among(&ctx, &objects, object)? {
                        objects.push(object);
                    }
                }
                self.set_bag(at, &objects);
                truth(is_new)
            }
            ("delete_object", &[object]) => {
                let mut left = Vec::new();
                for own in before {
                    if !self.decided_same(&ctx, own, object)? {
                        left.push(own);
                    }
                }
                self.set_bag(at, &left);
                truth(true)
            }
            ("member" | "lookup" | "take" | "delete", &[key]) => {
                let (found, others) = self.keyed_apart(&ctx, at, key)?;
                if matches!(function, "take" | "delete") {
                    self.set_bag(at, &others);
                }
                match function {
                    "delete" => truth(true),
                    "member" => truth(!found.is_empty()),
                    _ => self.heap.list(&found, Val::Nil),
                }
            }
            ("lookup_element", &[key, position]) => {
                let (found, _) = self.keyed_apart(&ctx, at, key)?;
                // Where nothing is found, or an object is too small, it fails as the emulator says.
                let given = self.opaque(called.id, called.place, &args[2..], called.what)?;
                let position = self.index(position);
                let parts: Option<Vec<Val>> = found.iter().map(|&object| self.parts(object).get(position?).copied()).collect();
                let own = parts.map_or(given, |parts| self.heap.list(&parts, Val::Nil));
                return self.checked(at, (own, given), called).map(Some);
            }
            ("delete" | "delete_all_objects", []) => {
                self.set_bag(at, &[]);
                truth(true)
            }
            ("tab2list", []) => {
                self.fix_bag(&ctx, at)?;
                let given = self.opaque(called.id, called.place, &[], called.what)?;
                let own = self.in_order(&ctx, at, given)?;
                return self.checked(at, (own, given), called).map(Some);
            }
            ("first" | "last" | "next" | "prev", others) => {
                self.fix_bag(&ctx, at)?;
                let keys = others.iter().map(|&key| self.fixed(&ctx, key, KEY)).collect::<Res<Vec<Val>>>()?;
                return self.opaque(called.id, called.place, &keys, called.what).map(Some);
            }
            (of, _) if APART.contains(&of) || READERS.contains(&of) => return Ok(None),
            _ => return self.unknown(at, args, called).map(Some),
        };
        let given = self.opaque(called.id, called.place, &[], called.what)?;
        self.checked(at, (value, given), called).map(Some)
    }

    /// The objects of a bag.
    fn bag(&mut self, at: usize) -> Res<Vec<Val>> {
        let (mut objects, mut rest) = (Vec::new(), self.rows(at));
        while let Val::Cons(cell) = rest {
            let (object, tail) = self.heap.cell(cell);
            objects.push(object);
            rest = tail;
        }
        Ok(objects)
    }

    fn set_bag(&mut self, at: usize, objects: &[Val]) {
        let rows = self.heap.list(objects, Val::Nil);
        self.set_rows(at, rows);
    }

    /// The objects with a key, and the others.
    fn keyed_apart(&mut self, ctx: &Ctx, at: usize, key: Val) -> Res<(Vec<Val>, Vec<Val>)> {
        let (mut found, mut others) = (Vec::new(), Vec::new());
        for object in self.bag(at)? {
            let own = self.key_of(at, object);
            let same = self.decided_same(ctx, own, key)?;
            if same { &mut found } else { &mut others }.push(object);
        }
        Ok((found, others))
    }

    /// Whether an object is one of these.
    fn among(&mut self, ctx: &Ctx, objects: &[Val], object: Val) -> Res<bool> {
        for &own in objects {
            if self.decided_same(ctx, own, object)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The order of what is in a bag depends on its keys.
    fn fix_bag(&mut self, ctx: &Ctx, at: usize) -> Res<()> {
        let mut objects = Vec::new();
        let position = self.key_position(at);
        for object in self.bag(at)? {
            let mut parts = self.parts(object);
            parts[position] = self.fixed(ctx, parts[position], "a key of a table that is gone through")?;
            objects.push(self.heap.tuple(&parts));
        }
        self.set_bag(at, &objects);
        Ok(())
    }

    /// The objects of a bag whose keys are fixed, in the order in which the emulator gave them: those of one key come as they went in.
    fn in_order(&mut self, ctx: &Ctx, at: usize, given: Val) -> Res<Val> {
        let (mut left, mut ordered) = (self.bag(at)?, Vec::new());
        for object in self.list_items(&mut { *ctx }, given)? {
            let key = self.key_of(at, object);
            match left.iter().position(|&own| self.heap.identical(self.key_of(at, own), key)) {
                Some(found) => ordered.push(left.remove(found)),
                None => return Ok(given),
            }
        }
        Ok(if left.is_empty() { self.heap.list(&ordered, Val::Nil) } else { Val::Nil })
    }
}
