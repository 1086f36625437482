//! A module around functions whose inputs are made by functions of the library, or of the program.
//!
//! What an input stands for lies anywhere in it: in a list, a record, a map, or in what a function returns. For each type with such a part there is a function
//! of the module that replaces it; other parts are not looked at. It is Erlang like the program itself, so it is followed, and it runs in front of the original
//! modules, too.
//!
//! **Invariant.** The function under test never sees a tag.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::contract::{CONTRACT, REJECTED};
use crate::etf::Atoms;
use crate::types::made::{By, made, needing};
use crate::types::{Inputs, Type, TypeId, Types};
use crate::universe::atom_text;
use crate::universe::made::HELPERS;

/// The module around the functions.
pub const MADE: &str = "xcute_made";

/// A function whose inputs may have to be made.
pub(super) struct Function {
    /// Its module.
    pub module: String,
    /// Its name.
    pub name: String,
    /// How many arguments it has.
    pub arity: u32,
    /// What they are.
    pub inputs: Inputs,
}

/// What the function around another one is called; with a contract, it calls that.
pub(super) fn name(module: &str, name: &str, contract: bool) -> String {
    format!("{}{module}:{name}", if contract { "contract " } else { "" })
}

/// The text of the module; `None` if no input has to be made. `contracts` are the numbers of arguments for which there is a contract.
pub(super) fn text(functions: &[Function], contracts: &[u32], atoms: &Atoms) -> Option<String> {
    let (mut exports, mut body) = (Vec::new(), String::new());
    for (number, function) in functions.iter().enumerate() {
        let needs = needing(&function.inputs.types, atoms);
        let arguments: Vec<Vec<TypeId>> = (0..function.arity as usize)
            .map(|at| alternatives(&function.inputs.types, function.inputs.clauses.iter().map(|clause| clause[at])))
            .collect();
        if !arguments.iter().flatten().any(|of| needs[of.0 as usize]) {
            continue;
        }
        let mut writer = Writer { number, types: &function.inputs.types, needs, atoms, known: BTreeMap::new(), pending: Vec::new() };
        let names: Vec<String> = (1..=arguments.len()).map(|at| format!("A{at}")).collect();
        let values: Vec<String> = names.iter().zip(arguments).map(|(name, of)| writer.applied(of, name)).collect();
        let mut targets = vec![(false, atom_text(&function.module), atom_text(&function.name))];
        if contracts.contains(&function.arity) {
            targets.push((true, CONTRACT.to_owned(), "call".to_owned()));
        }
        for (contract, module, target) in targets {
            let around = atom_text(&name(&function.module, &function.name, contract));
            exports.push(format!("{around}/{}", function.arity));
            let _ = writeln!(body, "{around}({}) -> {module}:{target}({}).", names.join(", "), values.join(", "));
        }
        while let Some((of, function)) = writer.pending.pop() {
            writer.function(&of, &function, &mut body);
        }
    }
    let head = format!("-module({MADE}).\n-compile(nowarn_unused_function).\n-export([{}]).\n", exports.join(", "));
    (!exports.is_empty()).then(|| format!("{head}{body}{HELPERS}"))
}

/// The types without unions that these are, in order.
fn alternatives(types: &Types, of: impl Iterator<Item = TypeId>) -> Vec<TypeId> {
    let mut all: Vec<TypeId> = of.flat_map(|of| types.alternatives(of)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Writes the functions that replace what stands for something else.
struct Writer<'a> {
    number: usize,
    types: &'a Types,
    needs: Vec<bool>,
    atoms: &'a Atoms,
    known: BTreeMap<Vec<TypeId>, String>,
    pending: Vec<(Vec<TypeId>, String)>,
}

impl Writer<'_> {
    /// A value of one of these types with what it stands for in it.
    fn applied(&mut self, of: Vec<TypeId>, value: &str) -> String {
        if !of.iter().any(|of| self.needs[of.0 as usize]) {
            return value.to_owned();
        }
        let count = self.known.len();
        let pending = &mut self.pending;
        let function = self.known.entry(of).or_insert_with_key(|of| {
            let function = format!("made_{}_{count}", self.number);
            pending.push((of.clone(), function.clone()));
            function
        });
        format!("{function}({value})")
    }

    /// The clause for terms of a type that something makes: what stands for them, and what makes them of it. Arguments that a constructor of the program does
    /// not take make no input.
    fn making(&mut self, of: TypeId) -> Option<(String, String)> {
        let (types, atoms) = (self.types, self.atoms);
        let (by, tag, parts) = made(types, of, atoms)?;
        let names: Vec<String> = (1..=parts.len()).map(|at| format!("A{at}")).collect();
        let inside: Vec<String> =
            parts.iter().zip(&names).map(|(part, name)| self.applied(alternatives(types, [*part].into_iter()), name)).collect();
        let inside = inside.join(", ");
        let head = format!("{{{}}}", [atom_text(tag)].into_iter().chain(names).collect::<Vec<_>>().join(", "));
        let body = match by {
            By::Library(maker) => maker.call.replace("(L)", &format!("({inside})")),
            By::Program(by) => {
                let call = format!("{}:{}({inside})", atom_text(by.module), atom_text(by.function));
                let of = if by.ok { format!(" of {{ok, X}} -> X; _ -> erlang:exit({REJECTED})") } else { String::new() };
                format!("try {call}{of} catch _:_ -> erlang:exit({REJECTED}) end")
            }
        };
        Some((head, body))
    }

    fn function(&mut self, of: &[TypeId], function: &str, out: &mut String) {
        let mut widths: BTreeMap<usize, Vec<TypeId>> = BTreeMap::new();
        let (mut heads, mut tails, mut results) = (Vec::new(), Vec::new(), BTreeMap::<u32, Vec<TypeId>>::new());
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        let needing: Vec<TypeId> = of.iter().copied().filter(|of| self.needs[of.0 as usize]).collect();
        for of in needing {
            if let Some((head, body)) = self.making(of) {
                let _ = writeln!(out, "{function}({head}) -> {body};");
                continue;
            }
            match self.types.get(of) {
                Type::Tuple(items) => widths.entry(items.len()).or_default().push(of),
                Type::Cons(head, tail) => {
                    heads.push(*head);
                    tails.push(*tail);
                }
                Type::Map(associations) => {
                    keys.extend(associations.iter().map(|association| association.key));
                    values.extend(associations.iter().map(|association| association.value));
                }
                Type::Fun(Some(arity), result) => results.entry(*arity).or_default().push(*result),
                _ => {}
            }
        }
        for (width, same) in widths {
            // Tuples of a width are not told apart: what needs nothing stays as it is.
            let names: Vec<String> = (1..=width).map(|at| format!("E{at}")).collect();
            let element = |of: &TypeId, at: usize| if let Type::Tuple(items) = self.types.get(*of) { items[at] } else { Types::ANY };
            let parts: Vec<Vec<TypeId>> = (0..width).map(|at| alternatives(self.types, same.iter().map(|of| element(of, at)))).collect();
            let parts: Vec<String> = parts.into_iter().zip(&names).map(|(of, name)| self.applied(of, name)).collect();
            let _ = writeln!(out, "{function}({{{}}}) -> {{{}}};", names.join(", "), parts.join(", "));
        }
        if !heads.is_empty() {
            let (heads, tails) = (alternatives(self.types, heads.into_iter()), alternatives(self.types, tails.into_iter()));
            let (head, tail) = (self.applied(heads, "H"), self.applied(tails, "T"));
            let _ = writeln!(out, "{function}([H | T]) -> [{head} | {tail}];");
        }
        if !values.is_empty() {
            let value = self.applied(alternatives(self.types, values.into_iter()), "V");
            let key = self.applied(alternatives(self.types, keys.into_iter()), "K");
            let map = match key.as_str() {
                "K" => format!("maps:map(fun(_, V) -> {value} end, M)"),
                _ => format!("maps:from_list([{{{key}, {value}}} || {{K, V}} <- maps:to_list(M)])"),
            };
            let _ = writeln!(out, "{function}(M) when is_map(M) -> {map};");
        }
        for (arity, of) in results {
            let names: Vec<String> = (1..=arity).map(|at| format!("A{at}")).collect();
            let names = names.join(", ");
            let result = self.applied(alternatives(self.types, of.into_iter()), &format!("F({names})"));
            let _ = writeln!(out, "{function}(F) when is_function(F, {arity}) -> fun({names}) -> {result} end;");
        }
        let _ = writeln!(out, "{function}(X) -> X.");
    }
}
