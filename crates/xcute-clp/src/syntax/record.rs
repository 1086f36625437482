//! `:- record point(x:integer=0, y)` of `library(record)`: the predicates that make, test and change such terms.
//!
//! They are written as text and read like the rest of the program, and do not count for coverage.

use std::fmt::Write as _;

use super::{Arena, Atom, Atoms, Operators, Style, Term, TermRef, Writer, quoted};

/// The types of `must_be/2`; another name is that of a record.
const TYPES: &[&str] = &[
    "any",
    "atom",
    "atomic",
    "between",
    "boolean",
    "bool",
    "callable",
    "char",
    "code",
    "chars",
    "codes",
    "text",
    "compound",
    "constant",
    "float",
    "ground",
    "cyclic",
    "acyclic",
    "integer",
    "nonneg",
    "positive_integer",
    "negative_integer",
    "nonvar",
    "number",
    "oneof",
    "pair",
    "proper_list",
    "list",
    "list_or_partial_list",
    "symbol",
    "var",
    "rational",
    "string",
    "stream",
    "encoding",
    "dict",
    "type",
];

/// A field: its name, its type and its default, as texts.
struct Field {
    name: String,
    type_: Type,
    default: String,
}

enum Type {
    Any,
    /// One of `must_be/2`.
    Checked(String),
    /// Another record.
    Record(String),
}

/// The clauses for the records of a directive; `None` if it is not one.
pub(super) fn clauses(terms: &Arena, atoms: &Atoms, operators: &Operators, specification: TermRef, module: &str) -> Option<String> {
    let (mut text, mut pending) = (String::new(), vec![specification]);
    while let Some(record) = pending.pop() {
        if let Some([first, second]) = terms.matches(record, Atom::COMMA) {
            pending.extend([second, first]);
            continue;
        }
        let (name, args) = terms.callable(record).filter(|(_, args)| !args.is_empty())?;
        let fields = args.iter().map(|&arg| field(terms, atoms, operators, arg)).collect::<Option<Vec<Field>>>()?;
        let declared = Writer::new(atoms, operators, Style::Quoted).bounded(terms, record, &[], 699);
        let known = quoted(atoms.name(name), '\'');
        let _ = writeln!(text, "current_record({known}, T) :- ( nonvar(T), T = _:S -> true ; S = T ), S = {declared}.");
        write_record(atoms.name(name), &fields, module, &mut text);
    }
    Some(text)
}

/// Reads `x:integer=0`, where type and default may be missing.
fn field(terms: &Arena, atoms: &Atoms, operators: &Operators, arg: TermRef) -> Option<Field> {
    let written = |term| Writer::new(atoms, operators, Style::Quoted).bounded(terms, term, &[], 999);
    let (typed, default) = match terms.matches(arg, Atom::EQUALS) {
        Some([typed, default]) => (typed, written(default)),
        None => (arg, "_".to_owned()),
    };
    let (name, type_) = match terms.matches(typed, Atom::COLON) {
        Some([name, of]) => (name, Some(of)),
        None => (typed, None),
    };
    let Term::Atom(name) = *terms.get(name) else { return None };
    let type_ = match type_ {
        None => Type::Any,
        Some(of) => match terms.callable(of)? {
            (name, &[]) if atoms.name(name) == "any" => Type::Any,
            (name, _) if TYPES.contains(&atoms.name(name)) => Type::Checked(written(of)),
            (name, &[inner]) if atoms.name(name) == "record" => match terms.callable(inner)? {
                (record, &[]) => Type::Record(atoms.name(record).to_owned()),
                _ => return None,
            },
            (name, &[]) => Type::Record(atoms.name(name).to_owned()),
            _ => return None,
        },
    };
    Some(Field { name: atoms.name(name).to_owned(), type_, default })
}

fn write_record(name: &str, fields: &[Field], module: &str, out: &mut String) {
    let own = |text: String| quoted(&text, '\'');
    let functor = own(name.to_owned());
    let record = |args: Vec<String>| format!("{functor}({})", args.join(", "));
    // The record with variables, or with something else in one place.
    let with =
        |at: usize, other: &str| record((0..fields.len()).map(|i| if i == at { other.to_owned() } else { format!("A{i}") }).collect());
    let [default, is, make, set_fields, set_field, data] = [
        own(format!("default_{name}")),
        own(format!("is_{name}")),
        own(format!("make_{name}")),
        own(format!("set_{name}_fields")),
        own(format!("set_{name}_field")),
        own(format!("{name}_data")),
    ];
    let _ = writeln!(out, "{default}({}).", record(fields.iter().map(|field| field.default.clone()).collect()));
    let mut tests = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        let (field_name, place) = (own(field.name.clone()), at + 1);
        let (check, test) = match &field.type_ {
            Type::Any => ("true".to_owned(), None),
            Type::Checked(of) => (format!("must_be({of}, V)"), Some(format!("is_of_type({of}, A{at})"))),
            Type::Record(of) => {
                let (test, of) = (own(format!("is_{of}")), own(of.clone()));
                let wrong = format!("throw(error(type_error(record({}:{of}), V), _))", own(module.to_owned()));
                let check = format!("( var(V) -> throw(error(instantiation_error, _)) ; {test}(V) -> true ; {wrong} )");
                (check, Some(format!("{test}(A{at})")))
            }
        };
        tests.extend(test);
        let (get, set, nb_set) = (
            own(format!("{name}_{}", field.name)),
            own(format!("set_{}_of_{name}", field.name)),
            own(format!("nb_set_{}_of_{name}", field.name)),
        );
        let (old, new) = (with(at, "_"), with(at, "V"));
        let _ = writeln!(out, "{get}({new}, V).");
        let _ = writeln!(out, "{data}({field_name}, {new}, V).");
        let _ = writeln!(out, "{set}(V, {old}, {new}) :- {check}.");
        let _ = writeln!(out, "{set}(V, T) :- {check}, setarg({place}, T, V).");
        let _ = writeln!(out, "{nb_set}(V, T) :- {check}, nb_setarg({place}, T, V).");
        let _ = writeln!(out, "{set_field}({field_name}(V), {old}, {new}) :- {check}.");
    }
    let _ = writeln!(out, "{make}(F, R) :- {make}(F, R, []).");
    let _ = writeln!(out, "{make}(F, R, Rest) :- {default}(R0), {set_fields}(F, R0, R, Rest).");
    let _ = writeln!(out, "{set_fields}(F, R0, R) :- {set_fields}(F, R0, R, []).");
    let _ = writeln!(out, "{set_fields}([], R, R, []).");
    let _ = writeln!(
        out,
        "{set_fields}([H|T], R0, R, Rest) :- ( {set_field}(H, R0, R1) -> {set_fields}(T, R1, R, Rest) ; Rest = [H|More], {set_fields}(T, R0, R, More) )."
    );
    let _ = writeln!(out, "{is}(V) :- var(V), !, fail.");
    let body = if tests.is_empty() { "true".to_owned() } else { tests.join(", ") };
    let _ = writeln!(out, "{is}({}) :- {body}.", with(fields.len(), ""));
}
