//! The objects and arguments of a case, built with `calloc` and assignments.
//!
//! **Invariant.** An object is one variable, named after the pointer that owns it; no variable hides a name of the program.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Standalone;
use super::functions::{Declared, library};
use super::place::{Base, place};
use crate::build::harness::{MAIN, c_string};
use crate::cases::graph::{InputGraph, Leaf, LeafValue, Object};
use crate::cases::readable::{string, trimmed};
use crate::types::dwarf::{self, Program, Type, TypeId};
use crate::types::inputs::{XC_TY_ARRAY, XC_TY_OPAQUE, XC_TY_POINTER, XC_TY_STRUCT, XC_TY_UNION};
use crate::types::value;

/// The variables of the test.
pub(super) struct Names {
    /// Of each object.
    pub objects: Vec<String>,
    /// Of each argument, for those that need one.
    pub arguments: Vec<String>,
    /// Whether each object is reached from an argument, so that its types are visible to the test.
    pub typed: Vec<bool>,
    /// All names that mean something already.
    pub taken: BTreeSet<String>,
}

impl Names {
    pub(super) fn new(test: &Standalone<'_>) -> Names {
        let mut taken = taken(test.program);
        let mut unique = |wanted: &str| unique(&mut taken, wanted);
        // An argument by value and the object of a pointer argument are named like the argument.
        let by_value = |k: usize| test.entry.name != MAIN && !is_pointer(test, k);
        let names: Vec<String> =
            test.entry.params.iter().enumerate().map(|(k, p)| p.name.clone().unwrap_or_else(|| format!("arg{}", k + 1))).collect();
        let arguments = names.iter().enumerate().map(|(k, n)| if by_value(k) { unique(n) } else { String::new() }).collect();
        let objects = test.graph.objects.iter().map(|o| unique(&o.owner)).collect();
        Names { objects, arguments, typed: reached(test), taken }
    }
}

/// A name that is not taken, and is now.
pub(super) fn unique(taken: &mut BTreeSet<String>, wanted: &str) -> String {
    let plain = identifier(wanted);
    let mut name = plain.clone();
    let mut n = 1;
    while !taken.insert(name.clone()) {
        n += 1;
        name = format!("{plain}_{n}");
    }
    name
}

fn is_pointer(test: &Standalone<'_>, k: usize) -> bool {
    matches!(test.program.get(test.program.strip(test.entry.params[k].of)), Type::Pointer { .. })
}

/// Which objects are reached from arguments.
fn reached(test: &Standalone<'_>) -> Vec<bool> {
    let graph = test.graph;
    let mut typed = vec![false; graph.objects.len()];
    let from_arguments = graph.roots.iter().filter(|r| InputGraph::is_argument(test.table, r.key)).flat_map(|r| &r.leaves);
    let mut open: Vec<usize> = from_arguments.filter_map(target).collect();
    while let Some(index) = open.pop() {
        if typed.get(index) == Some(&false) {
            typed[index] = true;
            open.extend(graph.objects[index].leaves.iter().filter_map(target));
        }
    }
    typed
}

fn target(leaf: &Leaf) -> Option<usize> {
    if let LeafValue::Object(index) = leaf.value { Some(index) } else { None }
}

/// The names that the test must not hide.
fn taken(program: &Program) -> BTreeSet<String> {
    let mut out: BTreeSet<String> = library().chain(["xcute_records".to_owned()]).collect();
    out.extend(program.functions.iter().map(|f| dwarf::identifier(&f.name)));
    for id in 0..program.len() as u32 {
        match program.get(TypeId(id)) {
            Type::Typedef { name, .. } => _ = out.insert(dwarf::identifier(name)),
            Type::Enum { enumerators, .. } => out.extend(enumerators.iter().map(|(name, _)| dwarf::identifier(name))),
            _ => {}
        }
    }
    out
}

/// `p->next` as `p_next`, `*q` as `q_0`.
fn identifier(name: &str) -> String {
    let plain = dwarf::identifier(name);
    if name.starts_with('*') { plain + "_0" } else { plain }
}

/// The declarations and assignments, in front of the call.
pub(super) fn text(test: &Standalone<'_>, names: &Names, declared: &mut Declared<'_>) -> String {
    let mut out = String::new();
    let typed = || test.graph.objects.iter().enumerate().filter(|(i, _)| names.typed[*i]);
    for (index, object) in typed() {
        let _ = writeln!(out, "  {}", declaration(test, declared, object, &names.objects[index]));
    }
    for (index, object) in typed().filter(|(_, o)| !test.table.is_string(o.of)) {
        let description = test.table.get(object.of);
        let base = Base::Pointer(&names.objects[index], description.count);
        // Of an array that is as long as another input says, only so much is there.
        let end = elements(test, object).map_or(u64::MAX, |n| n * test.table.get(description.elem).size);
        let there: Vec<Leaf> = object.leaves.iter().filter(|leaf| leaf.offset < end).cloned().collect();
        assign(&mut out, test, names, declared, &base, (pointee(test, object.of), &there));
    }
    // A sequence has inputs of calls that this case does not make.
    let used = |k: usize| test.sequence.is_none() || !leaves(test, k).is_empty();
    for k in (0..test.entry.params.len()).filter(|&k| needs_variable(test, names, k) && used(k)) {
        let of = test.program.unqualified(test.entry.params[k].of);
        let name = &names.arguments[k];
        let _ = writeln!(out, "  {} = {{0}};", declared.variable(of, name));
        assign(&mut out, test, names, declared, &Base::Variable(name), (of, leaves(test, k)));
    }
    out
}

/// The type of the elements behind a pointer, if it can be written.
fn pointee(test: &Standalone<'_>, of: u32) -> TypeId {
    let elem = test.table.get(of).elem;
    test.program.unqualified(test.table.origin.get(elem as usize).copied().unwrap_or(TypeId::VOID))
}

/// How many elements an object has, if another input says so.
fn elements(test: &Standalone<'_>, object: &Object) -> Option<u64> {
    test.graph.elements(test.table, object, test.sequence.is_some())
}

fn declaration(test: &Standalone<'_>, declared: &mut Declared<'_>, object: &Object, name: &str) -> String {
    let description = test.table.get(object.of);
    let elem = test.table.get(description.elem);
    let count = elements(test, object).unwrap_or(u64::from(description.count.max(1)));
    let of = pointee(test, object.of);
    let declarator = match test.program.get(of) {
        Type::Array { .. } | Type::Function { .. } => format!("(*{name})"),
        _ => format!("*{name}"),
    };
    if elem.kind == XC_TY_OPAQUE || !declared.assignable(of) {
        return format!("unsigned char *{name} = calloc({count}, {});", elem.size);
    }
    let variable = declared.variable(of, &declarator);
    if test.table.is_string(object.of) {
        let bytes = string(object);
        let bytes = trimmed(&bytes);
        let literal = c_string(bytes);
        // Exactly the bytes: strcpy would stop at a NUL in the middle.
        return if bytes.contains(&0) || !variable.starts_with("char ") {
            format!("{variable} = memcpy(calloc({count}, 1), {literal}, {});", bytes.len())
        } else {
            format!("{variable} = strcpy(calloc({count}, 1), {literal});")
        };
    }
    if count == 0 {
        // The end of another object: no byte after it may be used, where calloc(0) would give one.
        return format!("{variable} = (void *)((char *)calloc(1, 16) + 16);");
    }
    format!("{variable} = calloc({count}, sizeof *{name});")
}

/// Assignments of the leaves that are not zero.
fn assign(
    out: &mut String,
    test: &Standalone<'_>,
    names: &Names,
    declared: &mut Declared<'_>,
    base: &Base<'_>,
    (of, leaves): (TypeId, &[Leaf]),
) {
    for leaf in leaves.iter().filter(|l| !matches!(l.value, LeafValue::Null | LeafValue::Word(0))) {
        let text = expression(test, names, declared, leaf);
        if let Some(place) = place(test.program, declared, base, of, leaf.offset, leaf.bit) {
            let other = matches!(leaf.value, LeafValue::Object(i) if differs(test, i, place.of));
            let text = if other { format!("(void *){text}") } else { text };
            let _ = writeln!(out, "  {} = {text};", place.text);
            continue;
        }
        // No expression of the type reaches it: by address.
        let start = match base {
            Base::Variable(name) => format!("&{name}"),
            Base::Pointer(name, _) => (*name).to_owned(),
        };
        let word = match (leaf.bits, test.table.get(leaf.of).kind) {
            (_, XC_TY_POINTER) => "void *",
            (0..=8, _) => "unsigned char",
            (9..=16, _) => "unsigned short",
            (17..=32, _) => "unsigned int",
            _ => "unsigned long",
        };
        let by_bits = if let LeafValue::Word(bits) = leaf.value { format!("{bits:#x}") } else { text };
        if leaf.bit == 0 && leaf.bits.is_multiple_of(8) {
            let _ = writeln!(out, "  *({word} *)((char *){start} + {}) = {by_bits}; /* {} */", leaf.offset, leaf.name);
        } else {
            let _ = writeln!(
                out,
                "  *(unsigned long *)((char *){start} + {}) |= {by_bits}ul << {}; /* {} */",
                leaf.offset, leaf.bit, leaf.name
            );
        }
    }
}

/// Whether an object's variable has another type than the pointer it is assigned to.
fn differs(test: &Standalone<'_>, object: usize, pointer: TypeId) -> bool {
    let variable = pointee(test, test.graph.objects[object].of);
    let Type::Pointer { to } = test.program.get(test.program.strip(pointer)) else { return true };
    test.program.strip(*to) != test.program.strip(variable)
}

/// The value of a leaf.
fn expression(test: &Standalone<'_>, names: &Names, declared: &mut Declared<'_>, leaf: &Leaf) -> String {
    match &leaf.value {
        LeafValue::Null => "NULL".to_owned(),
        LeafValue::Function(name) => format!("(void *){}", declared.pointed(name)),
        LeafValue::Object(index) => names.objects.get(*index).cloned().unwrap_or_else(|| "NULL".to_owned()),
        LeafValue::Word(word) if test.table.get(leaf.of).kind == XC_TY_POINTER => format!("(void *){word:#x}ul"),
        LeafValue::Word(word) => value::literal(test.program, test.table, leaf.of, leaf.bits, *word, &|name| {
            declared.definitions.enumerator(name).map(str::to_owned)
        }),
    }
}

/// The leaves of the argument with this number.
fn leaves<'a>(test: &Standalone<'a>, k: usize) -> &'a [Leaf] {
    let root = |r: &&crate::cases::graph::Root| {
        let described = &test.table.roots[r.key as usize];
        InputGraph::is_argument(test.table, r.key) && described.number as usize == k
    };
    test.graph.roots.iter().find(root).map_or(&[], |r| &r.leaves)
}

/// Whether an argument is not just a number or a pointer.
fn needs_variable(test: &Standalone<'_>, names: &Names, k: usize) -> bool {
    if names.arguments.get(k).is_none_or(String::is_empty) {
        return false;
    }
    let key = test.table.roots.iter().position(|r| r.function == crate::names::HARNESS && r.number as usize == k);
    let of = key.and_then(|key| test.table.inputs.get(key)).copied().unwrap_or(u32::MAX);
    matches!(test.table.get(of).kind, XC_TY_STRUCT | XC_TY_UNION | XC_TY_ARRAY | XC_TY_OPAQUE)
}

/// The literal of an argument that is a string.
pub(super) fn literal(test: &Standalone<'_>, k: usize) -> Option<String> {
    let [Leaf { value: LeafValue::Object(index), .. }] = leaves(test, k) else { return None };
    let object = test.graph.objects.get(*index).filter(|o| test.table.is_string(o.of))?;
    Some(c_string(trimmed(&string(object))))
}

/// The argument as it stands in the call.
pub(super) fn argument(test: &Standalone<'_>, names: &Names, declared: &mut Declared<'_>, k: usize) -> String {
    if needs_variable(test, names, k) {
        return names.arguments[k].clone();
    }
    match leaves(test, k) {
        [leaf] => {
            let text = expression(test, names, declared, leaf);
            let cast = matches!(leaf.value, LeafValue::Object(i) if differs(test, i, test.entry.params[k].of));
            if cast { format!("(void *){text}") } else { text }
        }
        _ if is_pointer(test, k) => "NULL".to_owned(),
        _ => "0".to_owned(),
    }
}
