//! Writes generated C++, with `#line` wherever the modeller's own text begins and ends.
//!
//! **Invariant.** A line of the modeller's text is reported by the compiler with the file, line and, in the first line of a piece, column it
//! has in the model.

use crate::ir::{Code, Lines, Place};

/// Where generated files lie, for whoever reads places: nobody looks for his mistakes there.
pub const GENERATED: &str = "/xcute-generated";

/// A file under construction.
pub struct Writer {
    name: String,
    text: String,
    line: u32,
}

impl Writer {
    /// An empty file.
    pub fn new(name: &str) -> Writer {
        Writer { name: name.to_owned(), text: String::new(), line: 1 }
    }

    /// Its name and text.
    pub fn finish(self) -> (String, String) {
        (self.name, self.text)
    }

    /// Adds text and ends the line.
    pub fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
        self.line += 1 + u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX);
    }

    /// What follows is of the generated file again.
    pub fn back(&mut self) {
        self.line(&format!("#line {} \"{GENERATED}/{}\"", self.line + 1, self.name));
    }

    /// Adds the modeller's text.
    pub fn code(&mut self, code: &Code) {
        self.code_with(code, "", "");
    }

    /// The same with something of ours before and after it, in lines of their own.
    pub fn code_with(&mut self, code: &Code, before: &str, after: &str) {
        if !before.is_empty() {
            self.line(before);
        }
        let text = without_system_includes(&code.text);
        let directive = line_directive(&code.place);
        match code.lines {
            Lines::Below => {
                self.line(&directive);
                let indent = usize::try_from(code.place.column.saturating_sub(1)).unwrap_or(0);
                self.line(&format!("{:indent$}{text}", ""));
            }
            Lines::Folded | Lines::Composed => {
                for (number, line) in text.lines().enumerate() {
                    // The directive before the first line holds until the line after it.
                    if number == 0 || !text_continues(&text, number) {
                        self.line(&directive);
                    }
                    self.line(line);
                }
            }
        }
        self.back();
        if !after.is_empty() {
            self.line(after);
        }
    }
}

/// The place of what follows is that of an element. The path is absolute, wherever the compiler runs.
pub fn line_directive(place: &Place) -> String {
    format!("#line {} {}", place.line.max(1), quoted(&real(&place.file)))
}

/// The path of a model file, without anything relative in it.
pub fn real(file: &str) -> String {
    std::fs::canonicalize(file).map_or_else(|_| file.to_owned(), |path| path.display().to_string())
}

/// A text as C++ has it.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Whether the line before this one ends in a backslash: no directive may come between the two.
fn text_continues(text: &str, number: usize) -> bool {
    number > 0 && text.lines().nth(number - 1).is_some_and(|line| line.ends_with('\\'))
}

/// Headers of the run-time systems are not there; what they declare is.
fn without_system_includes(text: &str) -> String {
    if !text.contains("#") || !text.contains("include") {
        return text.to_owned();
    }
    text.split('\n').map(include_line).collect::<Vec<_>>().join("\n")
}

/// The header with a type's descriptor stands for the header with the type.
fn include_line(line: &str) -> String {
    match included(line).and_then(|name| name.strip_prefix("RTType_")) {
        Some(name) => format!("#include \"{name}\""),
        None if is_system_include(line) => String::new(),
        None => line.to_owned(),
    }
}

fn is_system_include(line: &str) -> bool {
    let Some(name) = included(line) else { return false };
    let name = name.rsplit('/').next().unwrap_or(name);
    let rose = name.strip_prefix("RT").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase())) && name.ends_with(".h");
    let papyrus = (name.starts_with("umlrt") || name.starts_with("UMLRT")) && (name.ends_with(".hh") || name.ends_with(".h"));
    rose || papyrus
}

/// The name that a line includes.
pub fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    let close = match rest.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    let rest = &rest[1..];
    Some(&rest[..rest.find(close)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Place;

    #[test]
    fn lines_are_those_of_the_model() {
        let mut writer = Writer::new("gen.cpp");
        writer.line("one");
        let place = Place { file: "m.art".into(), line: 7, column: 4, id: None };
        writer.code_with(&Code::new("a;\nb;", place), "{", "}");
        writer.line("last");
        let (_, text) = writer.finish();
        assert_eq!(text, "one\n{\n#line 7 \"m.art\"\n   a;\nb;\n#line 7 \"/xcute-generated/gen.cpp\"\n}\nlast\n");
    }

    #[test]
    fn folded_text_stays_in_one_line() {
        let mut writer = Writer::new("gen.cpp");
        let place = Place { file: "m.uml".into(), line: 3, column: 9, id: None };
        writer.code(&Code { text: "a\nb".into(), place, lines: Lines::Folded });
        assert_eq!(writer.finish().1, "#line 3 \"m.uml\"\na\n#line 3 \"m.uml\"\nb\n#line 6 \"/xcute-generated/gen.cpp\"\n");
    }

    #[test]
    fn headers_of_run_time_systems_are_left_out() {
        assert_eq!(
            without_system_includes("#include <RTLogStream.h>\n#include \"Rover.h\"\n # include \"umlrtcapsule.hh\""),
            "\n#include \"Rover.h\"\n"
        );
    }
}
