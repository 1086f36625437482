//! Types that a program defines, as predicates: `:- type tree(T) ---> leaf ; node(tree(T), T, tree(T))` becomes clauses that accept trees, where the parameters are closures that
//! accept terms of the types they stand for.
//!
//! **Invariant.** The predicates have names that no program has.

use std::fmt::Write as _;

use crate::syntax::{Arena, Indicator, Problem, Program, Style, SyntaxError, Term, TermRef, TypeBody, TypeDefinition, Writer, quoted};
use crate::types::Type;

/// The closure that accepts the terms of a type that the program does not define.
pub(crate) type Other = fn(&Program, &Arena, TermRef) -> Option<String>;

/// How the names of the predicates begin.
const PREFIX: &str = "$is ";

/// The closure that accepts the terms of a type that the program defines; `None` if it is not one, or if a part of it is not known.
pub(crate) fn closure(program: &Program, terms: &Arena, of: TermRef, parameters: &[u32], other: Other) -> Option<String> {
    let (name, args) = terms.callable(of)?;
    let fits = |definition: &&TypeDefinition| definition.name == name && definition.parameters.len() == args.len();
    program.types.iter().find(fits).filter(|definition| definition.body != TypeBody::Predicate)?;
    let inner: Option<Vec<String>> = args.iter().map(|&arg| part(program, terms, arg, parameters, other)).collect();
    let name = predicate(program.atoms.name(name));
    Some(match inner?.join(", ") {
        none if none.is_empty() => name,
        inner => format!("{name}({inner})"),
    })
}

fn predicate(name: &str) -> String {
    quoted(&format!("{PREFIX}{name}"), '\'')
}

/// The closure that accepts the terms of a type inside of a definition.
fn part(program: &Program, terms: &Arena, of: TermRef, parameters: &[u32], other: Other) -> Option<String> {
    if let Term::Var(number) = terms.get(of) {
        return Some(if parameters.contains(number) { format!("T{number}") } else { "'$has_type'(any)".to_owned() });
    }
    let (name, args) = terms.callable(of)?;
    let text = program.atoms.name(name);
    if let ("list" | "list_of", &[element]) = (text, args) {
        return Some(format!("maplist({})", part(program, terms, element, parameters, other)?));
    }
    if let ("::", &[_, of]) = (text, args) {
        return part(program, terms, of, parameters, other);
    }
    if let Some(known) = closure(program, terms, of, parameters, other).or_else(|| other(program, terms, of)) {
        return Some(known);
    }
    Type::read(terms, &program.atoms, of).ok()?;
    let known = match text {
        "int" => "integer",
        "nat" | "natural" => "nonneg",
        "pos" => "positive_integer",
        "atm" => "atom",
        "bool" => "boolean",
        "term" | "gnd" => "any",
        other => other,
    };
    Some(format!("'$has_type'({known})"))
}

/// The parts of a definition that are types.
fn parts(definition: &TypeDefinition) -> Vec<TermRef> {
    match &definition.body {
        TypeBody::Alternatives(all) => {
            all.iter().flat_map(|&one| definition.terms.callable(one).map(|(_, args)| args.to_vec()).unwrap_or_default()).collect()
        }
        TypeBody::Same(of) => vec![*of],
        TypeBody::Predicate => Vec::new(),
    }
}

/// What is wrong with the definitions of a program.
#[must_use]
pub(crate) fn mistakes(program: &Program, other: Other) -> Vec<SyntaxError> {
    let mut found = Vec::new();
    for definition in &program.types {
        for of in parts(definition).into_iter().filter(|&of| part(program, &definition.terms, of, &definition.parameters, other).is_none())
        {
            let text = written(program, &definition.terms, of);
            let span = definition.terms.span(of, definition.span).unwrap_or(definition.span);
            found.push(SyntaxError { problem: Problem::Type(text, String::new()), span });
        }
    }
    found
}

fn written(program: &Program, terms: &Arena, term: TermRef) -> String {
    Writer::new(&program.atoms, &program.operators, Style::Canonical).term(terms, term, &[])
}

/// The clauses of all definitions, and the predicates that they are of.
pub(crate) fn clauses(program: &mut Program, other: Other) -> (String, Vec<Indicator>) {
    let (mut text, mut predicates) = (String::new(), Vec::new());
    for definition in program.types.clone().iter().filter(|definition| definition.body != TypeBody::Predicate) {
        let arity = u32::try_from(definition.parameters.len() + 1).expect("few parameters");
        let own = format!("{PREFIX}{}", program.atoms.name(definition.name));
        predicates.push(Indicator { name: program.atoms.intern(&own), arity });
        let head: String = definition.parameters.iter().map(|number| format!("T{number}, ")).collect();
        let name = quoted(&own, '\'');
        let of = |part_of: TermRef, argument: &str| {
            let closure = part(program, &definition.terms, part_of, &definition.parameters, other);
            format!("call({}, {argument})", closure.unwrap_or_else(|| "'$has_type'(any)".to_owned()))
        };
        match &definition.body {
            TypeBody::Same(same) => {
                let _ = writeln!(text, "{name}({head}X) :- {}.", of(*same, "X"));
            }
            TypeBody::Alternatives(all) => {
                for &one in all {
                    let args = definition.terms.callable(one).map(|(_, args)| args.to_vec()).unwrap_or_default();
                    let names: Vec<String> = (0..args.len()).map(|number| format!("A{number}")).collect();
                    let shape = match definition.terms.callable(one) {
                        Some((functor, [_, ..])) => format!("{}({})", quoted(program.atoms.name(functor), '\''), names.join(", ")),
                        _ => written(program, &definition.terms, one),
                    };
                    let goals: Vec<String> = args.iter().zip(&names).map(|(&arg, name)| of(arg, name)).collect();
                    let body = if goals.is_empty() { "true".to_owned() } else { goals.join(", ") };
                    let _ = writeln!(text, "{name}({head}{shape}) :- {body}.");
                }
            }
            TypeBody::Predicate => {}
        }
    }
    (text, predicates)
}
