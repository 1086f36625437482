//! What a function pointer may point to: the functions of the program that have its signature.
//!
//! **Invariant.** Candidates are in order of their definition; addresses come from the linked executable only.

use std::collections::BTreeMap;
use std::path::Path;

use object::{Object as _, ObjectSymbol as _};

use crate::types::dwarf::{DwarfError, Function, Program, Type, TypeId};

/// The functions that some function pointer of the program may lead to, as far as they are in the unit of the entry. In C++ that would be
/// nearly everything: there, only what the program uses anyway can be pointed to.
pub(crate) fn all_candidates<'a>(program: &'a Program, entry: &Function) -> Vec<&'a Function> {
    let mut found: Vec<&Function> = Vec::new();
    for id in (0..program.len() as u32).map(TypeId).filter(|_| !program.cxx) {
        let Type::Pointer { to } = program.get(id) else { continue };
        for name in candidates(program, program.strip(*to), &[&entry.name]) {
            let here = program.functions.iter().find(|f| f.linkage == name && f.unit == entry.unit);
            found.extend(here.filter(|f| !found.contains(f)));
        }
    }
    found
}

/// The names of the functions with the signature of a function type.
pub(super) fn candidates(program: &Program, of: TypeId, excluded: &[&str]) -> Vec<String> {
    let Type::Function { result, params, variadic, prototyped } = program.get(of) else { return Vec::new() };
    let matches = |f: &Function| {
        // A type without a prototype says nothing about parameters.
        let same_params = (!prototyped && params.is_empty())
            || (f.params.len() == params.len()
                && f.params.iter().zip(params).all(|(a, b)| same(program, a.of, *b, 0))
                && f.variadic == *variadic);
        same_params && same(program, f.result, *result, 0)
    };
    // A static function of another file than the entry's is not made callable for this.
    let nameable = |f: &Function| f.external || excluded.first().and_then(|e| program.function(e)).is_none_or(|e| e.unit == f.unit);
    let wanted = |f: &&Function| !excluded.contains(&f.name.as_str()) && !f.name.starts_with("xcute_") && nameable(f);
    let mut names: Vec<String> = Vec::new();
    for function in program.functions.iter().filter(wanted).filter(|f| matches(f)) {
        if !names.contains(&function.linkage) {
            names.push(function.linkage.clone());
        }
    }
    names
}

/// Whether two types are the same but for names and qualifiers.
fn same(program: &Program, a: TypeId, b: TypeId, depth: usize) -> bool {
    let (a, b) = (program.strip(a), program.strip(b));
    if a == b || depth > 16 {
        return a == b;
    }
    match (program.get(a), program.get(b)) {
        (Type::Pointer { to: a }, Type::Pointer { to: b }) => same(program, *a, *b, depth + 1),
        (Type::Array { of: a, count: n }, Type::Array { of: b, count: m }) => n == m && same(program, *a, *b, depth + 1),
        (Type::Function { result: a, params: p, variadic: v, .. }, Type::Function { result: b, params: q, variadic: w, .. }) => {
            v == w
                && p.len() == q.len()
                && same(program, *a, *b, depth + 1)
                && p.iter().zip(q).all(|(a, b)| same(program, *a, *b, depth + 1))
        }
        (a, b) => a == b,
    }
}

/// The addresses of the functions of an executable.
///
/// # Errors
/// If it cannot be read.
pub fn addresses(exe: &Path) -> Result<BTreeMap<String, u64>, DwarfError> {
    let bytes = std::fs::read(exe).map_err(|why| DwarfError::Io { path: exe.to_owned(), why })?;
    let file = object::File::parse(&*bytes).map_err(|e| DwarfError::Object { path: exe.to_owned(), why: e.to_string() })?;
    let text = file.symbols().filter(|s| s.kind() == object::SymbolKind::Text && s.is_definition());
    Ok(text.filter_map(|s| Some((s.name().ok()?.to_owned(), s.address()))).collect())
}
