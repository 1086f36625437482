//! One type for those that several compilation units repeat, and the full type where one unit knows only the name.
//!
//! Two types are the same if their keys are: a named record is its tag, size, and its members' names, offsets and kinds (the standard's compatible
//! types, nearly), everything else is its structure. Circles in C always pass through a tag, so keys are finite.
//!
//! **Invariant.** After the merge, equal keys have equal ids.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::{Program, Record, Type, TypeId};

/// How deep keys follow types that are not tagged; what is deeper is only equal to itself.
const DEPTH: usize = 32;

/// Makes equal types one.
pub(super) fn merge(program: &mut Program) {
    let completed = complete(&program.types);
    let find = |id: TypeId| completed.get(&id).copied().unwrap_or(id);
    let mut keys = Keys { types: &program.types, completed: &completed, memo: FxHashMap::default() };
    let mut first: FxHashMap<String, TypeId> = FxHashMap::default();
    let mut canonical = Vec::with_capacity(program.types.len());
    for index in 0..program.types.len() {
        let id = find(TypeId(index as u32));
        let key = keys.key(id, 0);
        canonical.push(*first.entry(key).or_insert(id));
    }
    let map = |id: &mut TypeId| *id = canonical.get(id.0 as usize).copied().unwrap_or(TypeId::VOID);
    for description in &mut program.types {
        rename(description, map);
    }
    for function in &mut program.functions {
        map(&mut function.result);
        function.params.iter_mut().for_each(|p| map(&mut p.of));
        function.class.iter_mut().for_each(map);
    }
    for class in &mut program.classes {
        map(&mut class.of);
        class.bases.iter_mut().for_each(map);
        class.constructors.iter_mut().flat_map(|c| &mut c.params).for_each(|p| map(&mut p.of));
    }
    let mut met = rustc_hash::FxHashSet::default();
    program.classes.retain(|class| met.insert(class.of));
    program.globals.iter_mut().for_each(|g| map(&mut g.of));
    program.inputs.iter_mut().for_each(|i| map(&mut i.of));
}

/// For each record known only by name, the full one with that name.
fn complete(types: &[Type]) -> FxHashMap<TypeId, TypeId> {
    let records = || types.iter().enumerate().filter_map(|(i, t)| if let Type::Record(r) = t { Some((TypeId(i as u32), r)) } else { None });
    let mut full: FxHashMap<(bool, &str), TypeId> = FxHashMap::default();
    for (id, record) in records().filter(|(_, r)| !r.incomplete) {
        if let Some(name) = &record.name {
            full.entry((record.union, name)).or_insert(id);
        }
    }
    let named = |record: &Record| record.name.as_deref().and_then(|name| full.get(&(record.union, name)).copied());
    records().filter(|(_, r)| r.incomplete).filter_map(|(id, record)| Some((id, named(record)?))).collect()
}

fn rename(description: &mut Type, map: impl Fn(&mut TypeId)) {
    match description {
        Type::Void | Type::Base { .. } | Type::Enum { .. } | Type::Unknown { .. } => {}
        Type::Pointer { to } | Type::Typedef { to, .. } | Type::Reference { to, .. } => map(to),
        Type::Qualified { of, .. } | Type::Array { of, .. } | Type::Vector { of, .. } => map(of),
        Type::Record(record) => record.members.iter_mut().for_each(|m| map(&mut m.of)),
        Type::Function { result, params, .. } => {
            map(result);
            params.iter_mut().for_each(map);
        }
    }
}

/// As much of a member's type as distinguishes tagged records of different meaning, without following it.
fn shallow(types: &[Type], id: TypeId) -> String {
    match types.get(id.0 as usize).unwrap_or(&Type::Void) {
        Type::Base { name, size, .. } => format!(":{name}{size}"),
        Type::Typedef { name, .. } => format!(":{name}"),
        Type::Pointer { .. } => ":*".to_owned(),
        Type::Reference { .. } => ":&".to_owned(),
        Type::Array { count, .. } => format!(":{count:?}"),
        _ => String::new(),
    }
}

struct Keys<'a> {
    types: &'a [Type],
    completed: &'a FxHashMap<TypeId, TypeId>,
    memo: FxHashMap<TypeId, String>,
}

impl Keys<'_> {
    fn key(&mut self, id: TypeId, depth: usize) -> String {
        let id = self.completed.get(&id).copied().unwrap_or(id);
        if let Some(known) = self.memo.get(&id) {
            return known.clone();
        }
        if depth > DEPTH {
            return format!("#{}", id.0);
        }
        let key = self.build(id, depth);
        // A key cut off by the depth is right only from there, so it is not kept.
        if !key.contains('#') {
            self.memo.insert(id, key.clone());
        }
        key
    }

    fn build(&mut self, id: TypeId, depth: usize) -> String {
        let types = self.types;
        let inner = depth + 1;
        match types.get(id.0 as usize).unwrap_or(&Type::Void) {
            Type::Void => "v".to_owned(),
            Type::Base { name, size, encoding } => format!("b<{name}:{size}:{encoding:?}>"),
            Type::Enum { name, size, signed, enumerators } => format!("e<{name:?}:{size}:{signed}:{enumerators:?}>"),
            Type::Pointer { to } => format!("p<{}>", self.key(*to, inner)),
            Type::Reference { to, rvalue } => format!("&{}<{}>", u8::from(*rvalue), self.key(*to, inner)),
            Type::Typedef { name, to } => format!("t<{name}={}>", self.key(*to, inner)),
            Type::Qualified { by, of } => format!("{by:?}<{}>", self.key(*of, inner)),
            Type::Array { of, count } => format!("a<{count:?}:{}>", self.key(*of, inner)),
            Type::Vector { of, size } => format!("x<{size}:{}>", self.key(*of, inner)),
            Type::Unknown { what, size } => format!("u<{what}:{size}>"),
            Type::Function { result, params, variadic, prototyped } => {
                let params: Vec<_> = params.iter().map(|p| self.key(*p, inner)).collect();
                format!("f<{}({params:?}){variadic}{prototyped}>", self.key(*result, inner))
            }
            Type::Record(record) => {
                let mut key = format!("r<{}{:?}:{}:{}", u8::from(record.union), record.name, record.size, record.incomplete);
                for member in &record.members {
                    let _ = write!(key, ";{:?}@{}{:?}", member.name, member.offset, member.bits);
                    key += &if record.name.is_none() { self.key(member.of, inner) } else { shallow(types, member.of) };
                }
                key + ">"
            }
        }
    }
}
