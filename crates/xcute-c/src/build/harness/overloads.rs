//! Names of C++: a function may be named without its scope, without its template's arguments, and with its parameters' types.
//!
//! **Invariant.** A name is accepted only if it means one function.

use super::HarnessError;
use crate::types::dwarf::{Function, Program};

/// The function that a name means: of those whose name fits best, the only one. `None` if no name fits.
pub(super) fn find<'a>(program: &Program, functions: &[&'a Function], wanted: &str) -> Result<Option<&'a Function>, HarnessError> {
    let (name, params) = match wanted.find('(').filter(|_| wanted.ends_with(')')) {
        Some(at) => (wanted[..at].trim(), Some(squeezed(&wanted[at..]))),
        None => (wanted, None),
    };
    let scoped = format!("::{name}");
    let plain = |f: &Function| f.name.split('<').next().unwrap_or(&f.name).to_owned();
    let fits: [&dyn Fn(&Function) -> bool; 4] =
        [&|f| f.name == name, &|f| f.name.ends_with(&scoped), &|f| plain(f) == name, &|f| plain(f).ends_with(&scoped)];
    for fit in fits {
        let mut found: Vec<&Function> = Vec::new();
        for function in functions.iter().filter(|f| fit(f) && params.as_ref().is_none_or(|p| *p == squeezed(&signature(program, f)))) {
            // Constructors have several symbols.
            if !found.iter().any(|f| f.name == function.name && f.params == function.params) {
                found.push(function);
            }
        }
        // All constructors of a class are tried anyway.
        let constructors = found.iter().all(|f| f.class.is_some() && f.class == found[0].class && is_constructor(&f.name));
        match found[..] {
            [] => {}
            [one] => return Ok(Some(one)),
            [first, ..] if constructors => return Ok(Some(first)),
            _ => {
                let candidates = found.iter().map(|f| format!("{}{}", f.name, signature(program, f))).collect();
                return Err(HarnessError::Overloaded { name: wanted.to_owned(), candidates });
            }
        }
    }
    Ok(None)
}

fn is_constructor(name: &str) -> bool {
    let mut parts = name.rsplit("::");
    let last = parts.next();
    parts.next().and_then(|class| class.split('<').next()) == last
}

/// The types of the parameters as a list.
pub(super) fn signature(program: &Program, function: &Function) -> String {
    let types: Vec<String> = function.params.iter().map(|p| short(&program.type_name(p.of))).collect();
    format!("({})", types.join(", "))
}

/// A type as people write it.
fn short(name: &str) -> String {
    name.replace("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string")
}

fn squeezed(text: &str) -> String {
    short(text).chars().filter(|c| !c.is_whitespace()).collect()
}
