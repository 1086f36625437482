//! The data of messages as inputs of xcute: a function for each message that makes it.
//!
//! Numbers, enumerations, structures and arrays of them are inputs as they are. Texts of a class are made of an input of characters. What
//! has another type stays as its constructor leaves it, and is listed: a search does not vary it.

use std::fmt::Write as _;

use super::writer::quoted;
use crate::cpp::{Shape, Types};
use crate::flat::Message;

/// The functions so far.
pub struct Inputs<'a> {
    types: &'a Types,
    /// The longest text.
    longest: u32,
    text: String,
    made: usize,
    fixed: Vec<String>,
    texts: bool,
}

/// A part of a message's data.
struct Datum<'a> {
    /// Where it is, in C++.
    at: &'a str,
    /// What it is called.
    name: &'a str,
    ty: &'a str,
    /// The message.
    of: &'a str,
    depth: u32,
}

impl<'a> Inputs<'a> {
    pub fn new(types: &'a Types, longest: u32) -> Inputs<'a> {
        Inputs { types, longest, text: String::new(), made: 0, fixed: Vec::new(), texts: false }
    }

    /// All functions.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is not varied, or only up to a size.
    pub fn fixed(self) -> Vec<String> {
        let texts = self.texts.then(|| format!("texts of up to {} characters", self.longest));
        self.fixed.into_iter().chain(texts).collect()
    }

    /// Writes the function that makes the data of a message; its name.
    pub fn message(&mut self, protocol: &str, at: usize, message: &Message, shown: &str) -> String {
        let function = format!("xm_make_{}", self.made);
        self.made += 1;
        let data = format!("{protocol}::xm_{at}_{}", message.name);
        let mut body = String::new();
        for (number, param) in message.params.iter().enumerate() {
            let name = param.name.clone().unwrap_or_else(|| if number == 0 { "rtdata".to_owned() } else { format!("rtdata{number}") });
            self.input(&mut body, Datum { at: &format!("data->p{number}"), name: &name, ty: &param.ty, of: shown, depth: 0 });
        }
        let _ = write!(self.text, "static void *{function}() {{\n    auto *data = new {data}();\n{body}    return data;\n}}\n");
        function
    }

    fn input(&mut self, body: &mut String, Datum { at, name, ty, of, depth }: Datum<'_>) {
        if self.is_plain(ty, 0) {
            let _ = writeln!(body, "    XCUTE_INPUT_(&({at}), __typeof__({at}), sizeof({at}), {}, __COUNTER__);", quoted(name));
            self.assume(body, at, ty, depth);
            return;
        }
        match self.types.shape(ty) {
            Shape::Struct { fields, .. } if depth < 16 => {
                for field in fields {
                    let (at, name) = (format!("{at}.{}", field.name), format!("{name}.{}", field.name));
                    self.input(body, Datum { at: &at, name: &name, ty: &field.ty, of, depth: depth + 1 });
                }
            }
            Shape::Array { element, .. } if depth < 16 => {
                let _ = writeln!(body, "    for (auto &xm_e{depth} : {at}) {{");
                let (at, name) = (format!("xm_e{depth}"), format!("{name}[]"));
                self.input(body, Datum { at: &at, name: &name, ty: &element, of, depth: depth + 1 });
                body.push_str("    }\n");
            }
            _ if is_text(ty) => {
                self.texts = true;
                let _ = writeln!(body, "    {{\n        char xm_text[{}];", self.longest + 1);
                let _ = writeln!(
                    body,
                    "        XCUTE_INPUT_(&(xm_text), __typeof__(xm_text), sizeof(xm_text), {}, __COUNTER__);",
                    quoted(name)
                );
                let _ = writeln!(body, "#ifdef XM_RANDOM\n        xm_text[{}] = 0;\n#endif", self.longest);
                let _ = writeln!(body, "        xcute_assume(!xm_text[{}]);\n        {at} = xm_text;\n    }}", self.longest);
            }
            _ => self.fixed.push(format!("{name} of {of} as its constructor makes it")),
        }
    }

    /// Whether all bits of a type can be one input.
    fn is_plain(&self, ty: &str, depth: u32) -> bool {
        match self.types.shape(ty) {
            Shape::Bool | Shape::Integer { .. } | Shape::Float(_) | Shape::Enum { .. } => true,
            Shape::Text => ty.contains('*') || ty.trim() == "RTpchar",
            Shape::Struct { fields, .. } => depth < 16 && fields.iter().all(|field| self.is_plain(&field.ty, depth + 1)),
            Shape::Array { element, .. } => self.is_plain(&element, depth),
            Shape::Opaque => false,
        }
    }

    /// An enumeration has one of its literals.
    fn assume(&self, body: &mut String, at: &str, ty: &str, depth: u32) {
        match self.types.shape(ty) {
            Shape::Enum { literals, .. } if !literals.is_empty() => {
                let any: Vec<String> = literals.iter().map(|literal| format!("({at} == ::{literal})")).collect();
                let list: Vec<String> = literals.iter().map(|literal| format!("::{literal}")).collect();
                let _ = writeln!(body, "#ifdef XM_RANDOM\n    {{");
                let _ = writeln!(body, "        const __typeof__({at}) xm_all[] = {{{}}};", list.join(", "));
                let _ = writeln!(body, "        {at} = xm_all[static_cast<unsigned>({at}) % {}u];\n    }}\n#endif", literals.len());
                let _ = writeln!(body, "    xcute_assume({});", any.join(" | "));
            }
            Shape::Struct { fields, .. } if depth < 16 => {
                fields.iter().for_each(|field| self.assume(body, &format!("{at}.{}", field.name), &field.ty, depth + 1));
            }
            Shape::Array { element, .. } if depth < 16 && self.has_enum(&element, depth) => {
                let _ = writeln!(body, "    for (auto &xm_a{depth} : {at}) {{");
                self.assume(body, &format!("xm_a{depth}"), &element, depth + 1);
                body.push_str("    }\n");
            }
            _ => {}
        }
    }

    fn has_enum(&self, ty: &str, depth: u32) -> bool {
        match self.types.shape(ty) {
            Shape::Enum { .. } => true,
            Shape::Struct { fields, .. } => depth < 16 && fields.iter().any(|field| self.has_enum(&field.ty, depth + 1)),
            Shape::Array { element, .. } => self.has_enum(&element, depth),
            _ => false,
        }
    }
}

/// Whether a type is a class for texts.
fn is_text(ty: &str) -> bool {
    matches!(ty.split_whitespace().last().unwrap_or_default(), "std::string" | "string" | "RTString")
}
