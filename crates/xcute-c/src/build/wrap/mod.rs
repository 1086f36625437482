//! The wrapper: a function with parameters as in C that builds what an entry of C++ needs, and calls it.
//!
//! A method needs an object, a parameter may be a class, a reference, a string or a container. The wrapper takes the numbers and arrays that
//! these are made of; which constructor is used is a number, too. From there on everything is as in C: inputs, harness, tests, replays.
//! `object` builds objects by their constructors, `library` strings and containers.
//!
//! **Invariant.** The text compiles with clang and g++ after the source, and every parameter of the wrapper is plain.

mod enter;
mod library;
mod object;

pub(crate) use enter::{Entered, enter};

use std::collections::BTreeSet;
use std::fmt::Write as _;

use thiserror::Error;
use xcute_trace::Bound;

use crate::names::{FUZZED, MAIN, WRAPPER};
use crate::types::dwarf::{Function, Program, Type, TypeId};
use crate::types::inputs::Lengths;

/// Words of the language that a program may have made macros.
const WORDS: &str = "break bool case char const default delete do double else enum extern false float for if int long new nullptr return short signed \
                     sizeof static static_cast struct switch true unsigned void while";

/// A wrapper that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapped {
    /// Its text, which comes after the source.
    pub text: String,
    /// The sizes, with those of the arrays that it takes.
    pub lengths: Lengths,
    /// Up to which sizes it builds strings and containers.
    pub bounds: Vec<Bound>,
}

/// Why an entry cannot be called.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WrapError {
    /// Something cannot be built.
    #[error("{what} of {name}: cannot build {of}: {why} (write a function that builds it, and make that the entry)")]
    Unbuildable {
        /// The entry.
        name: String,
        /// The parameter, or the object.
        what: String,
        /// Its type.
        of: String,
        /// What is in the way.
        why: String,
    },
    /// The entry is not for everybody.
    #[error("{name} is private or protected: make a public method the entry, or a friend")]
    Private {
        /// The entry.
        name: String,
    },
}

/// Whether an entry is more than a function of C could be.
#[must_use]
pub fn is_needed(program: &Program, entry: &Function) -> bool {
    let direct = entry.name == MAIN || entry.name == FUZZED;
    let overloaded = || program.functions.iter().any(|f| f.name == entry.name && f.linkage != entry.linkage);
    let like_c = |of: TypeId| match program.get(program.strip(of)) {
        Type::Pointer { to } => program.is_plain(*to),
        _ => program.is_plain(of),
    };
    let special = || !entry.external || entry.class.is_some() || entry.name.contains("::") || entry.name.contains('<') || overloaded();
    program.cxx && !direct && (special() || !entry.params.iter().all(|p| like_c(p.of)))
}

/// Writes the wrapper of an entry.
///
/// # Errors
/// If a parameter or the object cannot be built.
pub fn wrap(program: &Program, entry: &Function, lengths: &Lengths) -> Result<Wrapped, WrapError> {
    if !entry.public {
        return Err(WrapError::Private { name: entry.name.clone() });
    }
    let mut build = Build {
        program,
        lengths: lengths.clone(),
        bounds: Vec::new(),
        params: Vec::new(),
        enums: String::new(),
        objects: String::new(),
        after: String::new(),
        kept: 0,
        taken: BTreeSet::new(),
        found: Vec::new(),
    };
    let error = |what: String| move |(of, why): Unbuilt| WrapError::Unbuildable { name: entry.name.clone(), what, of, why };
    let mut body = String::new();
    let mut values = Vec::new();
    let object = match entry.class {
        Some(class) => {
            let made = build.object(class, "self", false, 0).map_err(error("the object".to_owned()))?;
            body += &made.before;
            Some(made.value)
        }
        None => None,
    };
    for (k, param) in entry.params.iter().enumerate() {
        let name = param.name.clone().unwrap_or_else(|| format!("arg{}", k + 1));
        let made = build.value(param.of, &name, 0).map_err(error(format!("parameter {name}")))?;
        body += &made.before;
        values.push(made.value);
    }
    let last = entry.name.rsplit("::").next().unwrap_or(&entry.name);
    let values = values.join(", ");
    match object {
        // Building the object is the call.
        Some(_) if program.class(entry.class.unwrap_or(TypeId::VOID)).is_some() && is_constructor(&entry.name) => {}
        Some(object) => _ = writeln!(body, "  {object}->{last}({values});"),
        None => _ = writeln!(body, "  {}({values});", entry.name),
    }
    let params = build.params.join(", ");
    let mut text: String = WORDS.split_whitespace().map(|word| format!("#undef {word}\n")).collect();
    let _ = write!(text, "#include <string.h>\n\n/* Made by xcute: builds what {} needs, and calls it. */\n", entry.name);
    text += &build.enums;
    if build.kept > 0 {
        let _ = writeln!(text, "void *xcute_kept[{}];", build.kept);
    }
    let _ = writeln!(text, "extern \"C\" void {WRAPPER}({params}) {{\n{}{body}{}}}", build.objects, build.after);
    Ok(Wrapped { text, lengths: build.lengths, bounds: build.bounds })
}

fn is_constructor(name: &str) -> bool {
    let mut parts = name.rsplit("::");
    let last = parts.next();
    parts.next().and_then(|class| class.split('<').next()) == last
}

/// The type that cannot be built, and why.
type Unbuilt = (String, String);

/// Something that is built: statements that come before its use, and an expression.
struct Made {
    before: String,
    value: String,
}

/// A wrapper in the making.
struct Build<'a> {
    program: &'a Program,
    lengths: Lengths,
    bounds: Vec<Bound>,
    /// Declarations of the wrapper's parameters.
    params: Vec<String>,
    /// The enumerations that name constructors.
    enums: String,
    /// Declarations of pointers to the objects.
    objects: String,
    /// What follows the call.
    after: String,
    /// How many objects are not deleted in the end.
    kept: usize,
    /// Names of parameters and enumerations.
    taken: BTreeSet<String>,
    /// The enumerations by class: name and enumerators.
    found: Vec<(TypeId, bool, String, Vec<String>)>,
}

impl Build<'_> {
    /// A value of a type, for a parameter of this name.
    fn value(&mut self, of: TypeId, name: &str, depth: usize) -> Result<Made, Unbuilt> {
        let program = self.program;
        match program.get(program.strip(of)) {
            Type::Reference { to, rvalue } => {
                let made = self.referred(*to, name, depth)?;
                let value = if *rvalue { self.moved(*to, &made.value)? } else { made.value };
                Ok(Made { value, ..made })
            }
            Type::Pointer { to } if !program.is_plain(*to) => self.object(*to, name, true, depth),
            Type::Record(_) if !program.is_plain(of) => {
                let made = self.referred(of, name, depth)?;
                // What cannot be copied can be moved.
                let value = self.moved(of, &made.value)?;
                Ok(Made { value, ..made })
            }
            _ => self.plain(of, name),
        }
    }

    /// A variable of a type.
    fn referred(&mut self, of: TypeId, name: &str, depth: usize) -> Result<Made, Unbuilt> {
        if self.program.is_plain(of) {
            return self.plain(of, name);
        }
        if let Type::Record(record) = self.program.get(self.program.strip(of))
            && let Some(text) = record.name.clone().filter(|n| n.starts_with("std::"))
        {
            return self.library(&text, name, depth);
        }
        let made = self.object(of, name, false, depth)?;
        Ok(Made { value: format!("*{}", made.value), ..made })
    }

    /// A parameter of the wrapper itself.
    fn plain(&mut self, of: TypeId, name: &str) -> Result<Made, Unbuilt> {
        let of = self.program.unqualified(of);
        let name = self.unique(name);
        let declared = self.program.declare(of, &name).map_err(|why| (self.program.type_name(of), why.to_string()))?;
        self.params.push(declared);
        Ok(Made { before: String::new(), value: name })
    }

    /// A parameter whose type is given as text.
    fn scalar(&mut self, of: &str, name: &str) -> Made {
        let name = self.unique(name);
        self.params.push(format!("{of} {name}"));
        Made { before: String::new(), value: name }
    }

    fn moved(&self, of: TypeId, value: &str) -> Result<String, Unbuilt> {
        let of = self.program.unqualified(of);
        let text = self.program.declare(of, "").map_err(|why| (self.program.type_name(of), why.to_string()))?;
        Ok(format!("static_cast<{text} &&>({value})"))
    }

    /// A name that no other parameter has.
    fn unique(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut n = 1;
        while !self.taken.insert(name.clone()) {
            n += 1;
            name = format!("{wanted}_{n}");
        }
        name
    }
}

#[cfg(test)]
mod tests;
