//! The functions of the program that a harness calls: declared by their symbols, with types from the debugging information.
//!
//! **Invariant.** A declaration has the calling convention of the definition: a function without a prototype gets promoted arguments.

use std::fmt::Write as _;

use super::c_string;
use crate::build::unit::symbol;
use crate::types::dwarf::{Definitions, Encoding, Function, Program, Type, TypeId, Undeclarable};

/// Declarations of functions, as far as they were asked for.
#[derive(Debug)]
pub(super) struct Callees<'a> {
    pub(super) definitions: Definitions<'a>,
    program: &'a Program,
    /// Symbols, and whether their types are declared.
    declared: Vec<String>,
    text: String,
}

impl<'a> Callees<'a> {
    pub(super) fn new(program: &'a Program) -> Callees<'a> {
        Callees { definitions: Definitions::opaque(program), program, declared: Vec::new(), text: String::new() }
    }

    /// What a function is called in the harness.
    pub(super) fn name(&mut self, function: &Function) -> Result<String, Undeclarable> {
        let symbol = symbol(function);
        if let Some(known) = self.declared.iter().position(|other| *other == symbol) {
            return Ok(callee(known));
        }
        let name = callee(self.declared.len());
        let mut params = Vec::new();
        for param in &function.params {
            params.push(match promoted(self.program, param.of).filter(|_| !function.prototyped) {
                Some(promoted) => promoted.to_owned(),
                None => self.definitions.declare(param.of, "")?,
            });
        }
        let dots = if function.variadic && !params.is_empty() { ", ..." } else { "" };
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let declared = self.definitions.declare(function.result, &format!("{name}({params}{dots})"))?;
        let _ = writeln!(self.text, "{declared} __asm__({});", c_string(symbol.as_bytes()));
        self.declared.push(symbol);
        Ok(name)
    }

    /// The name of a function whose address is all that is needed.
    pub(super) fn address(&mut self, function: &Function) -> String {
        let symbol = symbol(function);
        let known = self.declared.iter().position(|other| *other == symbol);
        callee(known.unwrap_or_else(|| {
            let at = self.declared.len();
            let _ = writeln!(self.text, "void {}(void) __asm__({});", callee(at), c_string(symbol.as_bytes()));
            self.declared.push(symbol);
            at
        }))
    }

    /// All types and functions.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.definitions.text(), self.text)
    }
}

fn callee(n: usize) -> String {
    format!("xcute_callee_{n}")
}

/// What an argument of a type becomes where there is no prototype; `None` if it stays what it is.
fn promoted(program: &Program, of: TypeId) -> Option<&'static str> {
    match program.get(program.strip(of)) {
        Type::Base { encoding: Encoding::Float, size: 4, .. } => Some("double"),
        Type::Base { encoding: Encoding::Int { .. } | Encoding::Char { .. } | Encoding::Bool, size: 1 | 2, .. } => Some("int"),
        Type::Enum { size: 1 | 2, .. } => Some("int"),
        _ => None,
    }
}
