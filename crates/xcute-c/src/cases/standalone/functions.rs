//! The types and functions of the program that a test names, declared.
//!
//! **Invariant.** A function is called by its symbol, whatever it is called here; its name is the program's, where that can be.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Standalone;
use crate::build::harness::{MAIN, c_string};
use crate::build::unit::symbol;
use crate::types::dwarf::{Definitions, Function, Program, Type, TypeId, identifier};

/// What is declared so far.
#[derive(Debug)]
pub(super) struct Declared<'a> {
    pub(super) definitions: Definitions<'a>,
    program: &'a Program,
    /// Symbols and names of functions.
    functions: Vec<(String, String)>,
    text: String,
}

impl<'a> Declared<'a> {
    pub(super) fn new(test: &Standalone<'a>) -> Declared<'a> {
        let taken: BTreeSet<String> = test.program.functions.iter().map(|f| identifier(&f.name)).chain(library()).collect();
        Declared { definitions: Definitions::new(test.program, taken), program: test.program, functions: Vec::new(), text: String::new() }
    }

    /// What a function is called in the test.
    pub(super) fn name(&mut self, function: &Function) -> String {
        let symbol = if function.name == MAIN { "__real_main".to_owned() } else { symbol(function) };
        if let Some((_, name)) = self.functions.iter().find(|(known, _)| *known == symbol) {
            return name.clone();
        }
        let wanted = if function.name == MAIN { "program_main".to_owned() } else { identifier(&function.name) };
        let taken = |name: &str| self.functions.iter().any(|(_, known)| known == name);
        let name = if taken(&wanted) { format!("{wanted}_{}", self.functions.len()) } else { wanted };
        let params: Option<Vec<String>> = function
            .params
            .iter()
            .map(|p| self.definitions.declare(p.of, p.name.as_deref().map(identifier).as_deref().unwrap_or("")).ok())
            .collect();
        let params = match params {
            // Arguments are promoted then, as the definition wants them.
            _ if !function.prototyped => String::new(),
            None => String::new(),
            Some(params) if params.is_empty() => "void".to_owned(),
            Some(params) => params.join(", ") + if function.variadic { ", ..." } else { "" },
        };
        let declarator = format!("{name}({params})");
        let declared = self.definitions.declare(function.result, &declarator).unwrap_or_else(|_| format!("void {declarator}"));
        let label = if symbol == name { String::new() } else { format!(" __asm__({})", c_string(symbol.as_bytes())) };
        let _ = writeln!(self.text, "{declared}{label};");
        self.functions.push((symbol, name.clone()));
        name
    }

    /// The name of a function that a pointer leads to, by its symbol in the program.
    pub(super) fn pointed(&mut self, linkage: &str) -> String {
        let program = self.program;
        match program.functions.iter().find(|f| f.linkage == linkage) {
            Some(function) => self.name(function),
            None => linkage.to_owned(),
        }
    }

    /// The declaration of a variable; bytes where C has no name for its type.
    pub(super) fn variable(&mut self, of: TypeId, name: &str) -> String {
        self.definitions.declare(of, name).unwrap_or_else(|_| format!("unsigned char {name}[{}]", self.program.size(of).max(1)))
    }

    /// Whether a pointer to a type is one to values that can be assigned; their members are known then.
    pub(super) fn assignable(&mut self, of: TypeId) -> bool {
        !matches!(self.program.get(self.program.strip(of)), Type::Void | Type::Unknown { .. }) && self.definitions.complete(of).is_ok()
    }

    /// All of it.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.definitions.text(), self.text)
    }
}

/// Names of the C library that tests use.
pub(super) fn library() -> impl Iterator<Item = String> {
    "main calloc memcpy strcpy memset dprintf exit abort assert NULL".split(' ').map(str::to_owned)
}
