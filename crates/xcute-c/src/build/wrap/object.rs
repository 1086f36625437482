//! Objects of classes, built by their constructors.
//!
//! Where several constructors (or, for a class with virtual functions, several classes) will do, a parameter of an enumeration decides: its
//! values are named after them, so that a case says `self = new_Stack_int`.
//!
//! **Invariant.** Only what everybody may call is called, and nesting ends: an object in an object in an object is built at most.

use std::fmt::Write as _;

use super::{Build, Made, Unbuilt};
use crate::types::dwarf::{Class, Constructor, Type, TypeId};

/// How deep arguments of constructors are objects again.
const DEPTH: usize = 2;

/// One way to make an object.
struct Way {
    /// The name of its enumerator.
    label: String,
    /// Statements before it.
    before: String,
    /// A pointer to the object.
    value: String,
}

impl Build<'_> {
    /// A pointer to an object of a class or of one derived from it.
    pub(super) fn object(&mut self, of: TypeId, name: &str, nullable: bool, depth: usize) -> Result<Made, Unbuilt> {
        let program = self.program;
        let shown = program.type_name(of);
        let class = program.class(of).cloned();
        let Some(class) = class else {
            if nullable {
                return Ok(Made { before: String::new(), value: "nullptr".to_owned() });
            }
            return Err((shown, "it is not a class of the program".to_owned()));
        };
        let candidates: Vec<Class> = program.concrete(of).into_iter().cloned().collect();
        let mut ways = Vec::new();
        let position = self.params.len();
        if nullable {
            ways.push(Way { label: "no_object".to_owned(), before: String::new(), value: "nullptr".to_owned() });
        }
        let abstract_ = "it is abstract, and no class is derived from it";
        let mut why = if candidates.is_empty() { abstract_ } else { "no constructor is public" }.to_owned();
        for candidate in candidates.iter().filter(|_| depth <= DEPTH) {
            for constructor in constructors(candidate) {
                match self.construct(candidate, &constructor, name, depth) {
                    Ok(way) => ways.push(way),
                    Err((of, reason)) => why = format!("{of}: {reason}"),
                }
            }
        }
        if depth > DEPTH {
            why = "objects in objects are too deep".to_owned();
        }
        let Some(first) = ways.first() else { return Err((shown, why)) };
        let text = program.declare(class.of, "").map_err(|why| (shown.clone(), why.to_string()))?;
        let pointer = self.unique(&format!("{name}_object"));
        let exact = candidates.iter().all(|c| c.of == class.of);
        let _ = writeln!(self.objects, "  {text} *{pointer} = nullptr;");
        if nullable {
            // Whoever is given a pointer may own its object: it is not ours to delete.
            let _ = writeln!(self.after, "  xcute_kept[{}] = (void *){pointer};", self.kept);
            self.kept += 1;
        } else if class.destructible && (exact || class.virtual_destructor) {
            self.after = format!("  delete {pointer};\n{}", self.after);
        }
        let mut before = String::new();
        if ways.len() == 1 {
            let _ = writeln!(before, "{}  {pointer} = {};", first.before, first.value);
            return Ok(Made { before, value: pointer });
        }
        let labels: Vec<String> = ways.iter().map(|w| w.label.clone()).collect();
        let (choice, names) = self.choice(class.of, nullable, name, &labels, position);
        let _ = writeln!(before, "  switch ({choice}) {{");
        for (n, way) in ways.iter().enumerate().rev() {
            let case = if n == 0 { "default".to_owned() } else { format!("case {}", names[n]) };
            let _ = writeln!(before, "  {case}: {{\n{}  {pointer} = {};\n  break; }}", way.before, way.value);
        }
        before += "  }\n";
        Ok(Made { before, value: pointer })
    }

    fn construct(&mut self, class: &Class, constructor: &Constructor, name: &str, depth: usize) -> Result<Way, Unbuilt> {
        let program = self.program;
        let before = (self.params.len(), self.objects.clone(), self.after.clone(), self.enums.clone(), self.found.clone(), self.kept);
        let mut way = Way { label: format!("new_{}", last(&program.type_name(class.of))), before: String::new(), value: String::new() };
        let mut values = Vec::new();
        for (k, param) in constructor.params.iter().enumerate() {
            let _ = write!(way.label, "_{}", identifier(&program.type_name(param.of)));
            let of = param.name.clone().unwrap_or_else(|| (k + 1).to_string());
            match self.value(param.of, &format!("{name}_{of}"), depth + 1) {
                Ok(made) => {
                    way.before += &made.before;
                    values.push(made.value);
                }
                Err(why) => {
                    self.params.truncate(before.0);
                    (_, self.objects, self.after, self.enums, self.found, self.kept) = before;
                    return Err(why);
                }
            }
        }
        let text = program.declare(class.of, "").map_err(|why| (program.type_name(class.of), why.to_string()))?;
        way.value = format!("new {text}({})", values.join(", "));
        Ok(way)
    }

    /// A parameter that names one of several ways, before those of the ways; the enumeration of a class is written once.
    fn choice(&mut self, of: TypeId, nullable: bool, name: &str, labels: &[String], position: usize) -> (String, Vec<String>) {
        let known = self.found.iter().find(|f| f.0 == of && f.1 == nullable && f.3.len() == labels.len()).cloned();
        let (tag, names) = match known {
            Some((_, _, tag, names)) => (tag, names),
            None => {
                let tag = self.unique(&format!("xcute_{}", identifier(&self.program.type_name(of))));
                let names: Vec<String> = labels.iter().map(|label| self.unique(label)).collect();
                let _ = writeln!(self.enums, "enum {tag} : unsigned char {{ {} }};", names.join(", "));
                self.found.push((of, nullable, tag.clone(), names.clone()));
                (tag, names)
            }
        };
        let name = self.unique(name);
        self.params.insert(position, format!("{tag} {name}"));
        (name, names)
    }
}

/// The constructors that everybody may call; where a class declares none, the compiler's.
fn constructors(class: &Class) -> Vec<Constructor> {
    if !class.destructible {
        return Vec::new();
    }
    if !class.declares {
        return vec![Constructor { params: Vec::new(), public: true }];
    }
    class.constructors.iter().filter(|c| c.public).cloned().collect()
}

/// The last part of a qualified name.
fn last(name: &str) -> String {
    identifier(name.split('<').next().unwrap_or(name).rsplit("::").next().unwrap_or(name))
}

/// A name as one word: `const int &` as `int`.
pub(super) fn identifier(name: &str) -> String {
    let short = name.replace("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "string");
    let short = short.replace('*', " pointer");
    let words = short.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|w| !matches!(*w, "" | "const" | "std"));
    words.collect::<Vec<_>>().join("_")
}

/// Whether a type is a class that constructors build.
pub(super) fn is_class(build: &Build<'_>, of: TypeId) -> bool {
    matches!(build.program.get(build.program.strip(of)), Type::Record(_)) && !build.program.is_plain(of)
}
