//! Types whose terms only functions of their module make: inputs of them come out of such a function, see [`crate::universe::made`].
//!
//! **Invariant.** Where a definition can be made exact instead, it is.

use super::{Association, Type, TypeId, Types};
use crate::etf::Atoms;
use crate::universe::made::{Constructor, Maker, Parts, TAG, constructor, find, of_tag};

/// What makes a term.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// A function of the library, of one term.
    Library(&'static Maker),
    /// A function of the program, of its arguments.
    Program(Constructor<'a>),
}

/// The maker of the terms of a type, if that is one of tagged tuples: its tag, and what it makes them of.
#[must_use]
pub fn made<'a>(types: &'a Types, id: TypeId, atoms: &'a Atoms) -> Option<(By<'a>, &'a str, &'a [TypeId])> {
    let Type::Tuple(items) = types.get(id) else { return None };
    let (tag, of) = items.split_first()?;
    let Type::AtomIs(tag) = types.get(*tag) else { return None };
    let tag = atoms.name(*tag);
    let library = || of_tag(tag).filter(|_| of.len() == 1).map(By::Library);
    constructor(tag).map(By::Program).or_else(library).map(|by| (by, tag, of))
}

/// For each type, whether something in its terms has to be made.
#[must_use]
pub fn needing(types: &Types, atoms: &Atoms) -> Vec<bool> {
    let mut needs: Vec<bool> = types.ids().map(|id| made(types, id, atoms).is_some()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for id in types.ids() {
            let of = |id: &TypeId| needs[id.0 as usize];
            let inside = match types.get(id) {
                Type::Cons(head, tail) => of(head) || of(tail),
                Type::Tuple(items) | Type::Union(items) => items.iter().any(of),
                Type::Map(associations) => associations.iter().any(|association| of(&association.key) || of(&association.value)),
                Type::Fun(_, result) => of(result),
                _ => false,
            };
            changed |= inside && !needs[id.0 as usize];
            needs[id.0 as usize] |= inside;
        }
    }
    needs
}

impl Types {
    /// Leaves out functions that may have any number of arguments and return something that has to be made: nothing can stand between them and the program.
    pub(super) fn without_makers(&mut self, atoms: &Atoms) {
        let needs = needing(self, atoms);
        for id in self.ids() {
            if matches!(self.get(id), Type::Fun(None, result) if needs[result.0 as usize]) {
                self.set(id, Type::Union([].into()));
                self.notes.push("functions of any number of arguments that return terms of the library are not made".to_owned());
            }
        }
    }

    /// The type of a module of the library with these parameters, as inputs of it are made; `None` if its definition says all.
    pub(super) fn of_library(&mut self, (module, name): (&str, &str), args: &[TypeId], atoms: &mut Atoms) -> Option<TypeId> {
        match (module, name, args) {
            ("sets", "set", [item]) => {
                self.bound("sets of version 2");
                let nil = self.add(Type::Nil);
                Some(self.add(Type::Map([Association { exact: false, key: *item, value: nil }].into())))
            }
            ("queue", "queue", [item]) => Some(self.queue(*item)),
            _ => {
                let maker = find(module, name, args.len())?;
                maker.bound.into_iter().for_each(|bound| self.bound(bound));
                if let Some(limit) = maker.limit.filter(|limit| !self.notes.iter().any(|note| note == limit)) {
                    self.notes.push(limit.to_owned());
                }
                let of = match (maker.parts, args) {
                    (Parts::Items, [item]) => self.list_of(*item),
                    (Parts::Pairs, [key, value]) => {
                        let pair = self.add(Type::Tuple([*key, *value].into()));
                        self.list_of(pair)
                    }
                    (Parts::Map, [key, value]) => self.add(Type::Map([Association { exact: false, key: *key, value: *value }].into())),
                    _ => self.add(Type::Nil),
                };
                let tag = self.add(Type::AtomIs(atoms.intern(&format!("{TAG}{module}:{name}"))));
                Some(self.add(Type::Tuple([tag, of].into())))
            }
        }
    }

    /// Says which of several terms are inputs.
    pub(super) fn bound(&mut self, bound: &str) {
        if !self.bounds.iter().any(|known| known == bound) {
            self.bounds.push(bound.to_owned());
        }
    }

    fn list_of(&mut self, item: TypeId) -> TypeId {
        let (nil, list) = (self.add(Type::Nil), self.add(Type::Union([].into())));
        let cell = self.add(Type::Cons(item, list));
        self.set(list, Type::Union([nil, cell].into()));
        list
    }

    /// Two lists, the rear one and the front one: where one of them is empty, the other has at most one element.
    fn queue(&mut self, item: TypeId) -> TypeId {
        let nil = self.add(Type::Nil);
        let (one, list) = (self.add(Type::Cons(item, nil)), self.list_of(item));
        let some = self.add(Type::Cons(item, list));
        let pairs = [[nil, nil], [one, nil], [nil, one], [some, some]].map(|pair| self.add(Type::Tuple(pair.into())));
        self.add(Type::Union(pairs.into()))
    }
}
