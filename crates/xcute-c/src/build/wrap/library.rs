//! Strings, containers and pointers of the C++ library.
//!
//! A string is an array of characters up to the first NUL, a container of numbers an array and its length. Containers of other things have
//! at most [`FEW`] elements, each with parameters of its own.
//!
//! **Invariant.** The text of a type is that of the debugging information, which is C++ in full.

use std::fmt::Write as _;

use xcute_trace::Bound;

use super::object::is_class;
use super::{Build, Made, Unbuilt};
use crate::build::bounds;
use crate::types::dwarf::{Type, TypeId};
use crate::types::inputs::ArrayLength;

/// Elements of a container whose elements are built one by one.
const FEW: usize = 2;

/// Containers of one kind of elements, and how one is added.
const SEQUENCES: &[(&str, &str)] = &[
    ("std::vector<", "push_back"),
    ("std::deque<", "push_back"),
    ("std::__cxx11::list<", "push_back"),
    ("std::list<", "push_back"),
    ("std::set<", "insert"),
    ("std::multiset<", "insert"),
    ("std::unordered_set<", "insert"),
];

/// Containers of keys and values.
const MAPS: &[&str] = &["std::map<", "std::multimap<", "std::unordered_map<"];

impl Build<'_> {
    /// A variable of a type of the library.
    pub(super) fn library(&mut self, text: &str, name: &str, depth: usize) -> Result<Made, Unbuilt> {
        let arguments = template_arguments(text);
        let starts = |with: &str| text.starts_with(with);
        if starts("std::__cxx11::basic_string<char,") || starts("std::basic_string<char,") || starts("std::basic_string_view<char,") {
            return Ok(self.string(text, name));
        }
        let [first, ..] = &arguments[..] else { return Err(unknown(text)) };
        if let Some((_, add)) = SEQUENCES.iter().find(|(with, _)| starts(with)) {
            return self.sequence(text, first, add, name, depth);
        }
        if let ([key, value, ..], true) = (&arguments[..], MAPS.iter().any(|with| starts(with))) {
            return self.map(text, key, value, name, depth);
        }
        if starts("std::unique_ptr<") || starts("std::shared_ptr<") {
            return self.owner(text, first, name, depth);
        }
        if starts("std::optional<") {
            let has = self.scalar("bool", &format!("{name}_has_value")).value;
            let made = self.element(first, name, depth)?;
            let variable = self.unique(&format!("{name}_optional"));
            let before = format!("  {text} {variable};\n  if ({has}) {{\n{}  {variable} = {};\n  }}\n", made.before, made.value);
            return Ok(Made { before, value: variable });
        }
        if let ([a, b], true) = (&arguments[..], starts("std::pair<")) {
            let (a, b) = (self.element(a, &format!("{name}_first"), depth)?, self.element(b, &format!("{name}_second"), depth)?);
            let variable = self.unique(&format!("{name}_pair"));
            let before = format!("{}{}  {text} {variable}({}, {});\n", a.before, b.before, a.value, b.value);
            return Ok(Made { before, value: variable });
        }
        Err(unknown(text))
    }

    /// The characters of an array, up to the first NUL.
    fn string(&mut self, text: &str, name: &str) -> Made {
        let length = self.lengths.string.max(1);
        bounds::add(&mut self.bounds, bounds::strings(length));
        let characters = self.scalar("const char *", name).value;
        self.lengths.arrays.entry(characters.clone()).or_insert(ArrayLength::Fixed(length));
        let variable = self.unique(&format!("{name}_string"));
        // The array has no NUL of its own at its end.
        Made { before: format!("  {text} {variable}({characters}, strnlen({characters}, {length}));\n"), value: variable }
    }

    fn sequence(&mut self, text: &str, of: &str, add: &str, name: &str, depth: usize) -> Result<Made, Unbuilt> {
        let variable = self.unique(&format!("{name}_container"));
        let mut before = format!("  {text} {variable};\n");
        if self.is_number(of) {
            let (array, size) = (self.scalar(&format!("{of} *"), name).value, self.scalar("unsigned", &format!("{name}_size")).value);
            self.lengths.arrays.insert(array.clone(), ArrayLength::Parameter(size.clone()));
            let text = format!("{name} of up to {}", bounds::count(self.lengths.max, "element"));
            bounds::add(&mut self.bounds, Bound::new(name, self.lengths.max.into(), text));
            let _ = writeln!(before, "  for (unsigned xcute_i = 0; xcute_i < {size}; xcute_i++) {variable}.{add}({array}[xcute_i]);");
            return Ok(Made { before, value: variable });
        }
        let size = self.few(name);
        for n in 0..FEW {
            let made = self.element(of, &format!("{name}_{n}"), depth)?;
            let _ = write!(before, "  if ({size} > {n}) {{\n{}  {variable}.{add}({});\n  }}\n", made.before, made.value);
        }
        Ok(Made { before, value: variable })
    }

    fn map(&mut self, text: &str, key: &str, value: &str, name: &str, depth: usize) -> Result<Made, Unbuilt> {
        let variable = self.unique(&format!("{name}_container"));
        let size = self.few(name);
        let mut before = format!("  {text} {variable};\n");
        for n in 0..FEW {
            let k = self.element(key, &format!("{name}_key_{n}"), depth)?;
            let v = self.element(value, &format!("{name}_value_{n}"), depth)?;
            let _ = write!(
                before,
                "  if ({size} > {n}) {{\n{}{}  {variable}.insert({{{}, {}}});\n  }}\n",
                k.before, v.before, k.value, v.value
            );
        }
        Ok(Made { before, value: variable })
    }

    /// The size of a container whose elements are built one by one.
    fn few(&mut self, name: &str) -> String {
        bounds::add(&mut self.bounds, Bound::new("containers", FEW as u64, format!("containers of up to {FEW} elements")));
        self.scalar("unsigned char", &format!("{name}_size")).value
    }

    /// A pointer that owns its object, or none.
    fn owner(&mut self, text: &str, of: &str, name: &str, depth: usize) -> Result<Made, Unbuilt> {
        let variable = self.unique(&format!("{name}_owner"));
        let made = match self.record(of) {
            Some(id) if is_class(self, id) && !of.starts_with("std::") => self.object(id, name, true, depth)?,
            _ => {
                let made = self.element(of, name, depth)?;
                Made { value: format!("new {of}({})", made.value), ..made }
            }
        };
        Ok(Made { before: format!("{}  {text} {variable}({});\n", made.before, made.value), value: variable })
    }

    /// A value of a type that is known by its text.
    fn element(&mut self, of: &str, name: &str, depth: usize) -> Result<Made, Unbuilt> {
        let made = match self.record(of) {
            _ if self.is_number(of) => return Ok(self.scalar(of, name)),
            Some(id) => self.value(id, name, depth + 1)?,
            None if of.starts_with("std::") => self.library(of, name, depth + 1)?,
            None => return Err(unknown(of)),
        };
        let movable = !of.ends_with('*') && !made.value.starts_with("static_cast<");
        Ok(if movable { Made { value: format!("static_cast<{of} &&>({})", made.value), ..made } } else { made })
    }

    /// Whether a type, known by its text, is a number, an enumeration or a plain structure.
    fn is_number(&self, of: &str) -> bool {
        match self.record(of) {
            Some(id) => self.program.is_plain(id),
            None => !of.starts_with("std::") && !of.contains('<') && !of.contains('*') && !of.contains('&'),
        }
    }

    /// The record with this name.
    fn record(&self, of: &str) -> Option<TypeId> {
        let named = |id: &TypeId| matches!(self.program.get(*id), Type::Record(r) if !r.incomplete && r.name.as_deref() == Some(of));
        (0..self.program.len() as u32).map(TypeId).find(named)
    }
}

fn unknown(text: &str) -> Unbuilt {
    (text.to_owned(), "xcute does not know how".to_owned())
}

/// The arguments of a template in a name.
fn template_arguments(text: &str) -> Vec<String> {
    let Some((_, inside)) = text.split_once('<') else { return Vec::new() };
    let (mut depth, mut start, mut out) = (0, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' if depth > 0 => depth -= 1,
            ',' | '>' if depth == 0 => {
                out.push(inside[start..at].trim().to_owned());
                start = at + 1;
                if c == '>' {
                    break;
                }
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::template_arguments;

    #[test]
    fn arguments_of_templates_are_split_at_their_own_commas() {
        assert_eq!(
            template_arguments("std::map<int, std::pair<int, char>, std::less<int> >"),
            ["int", "std::pair<int, char>", "std::less<int>"]
        );
        assert_eq!(template_arguments("std::vector<unsigned long>"), ["unsigned long"]);
        assert_eq!(template_arguments("int"), Vec::<String>::new());
    }
}
