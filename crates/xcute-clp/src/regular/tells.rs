//! What every built-in predicate can tell apart in its arguments, and which of them meet.
//!
//! A predicate that is not listed may look at everything, and all its arguments meet.

use super::graph::{Class, Looks};
use super::walk::Walk;
use crate::machine::cell::Cell;

/// Predicates that only look at texts: whatever is not one is an error. The number says which argument is a list, from 1.
const TEXT: &[(&str, usize)] = &[
    ("atom_codes", 2),
    ("atom_chars", 2),
    ("char_code", 0),
    ("number_codes", 2),
    ("number_chars", 2),
    ("atom_number", 0),
    ("atom_string", 0),
    ("number_string", 0),
    ("string_chars", 2),
    ("string_codes", 2),
    ("string_to_atom", 0),
    ("text_to_string", 0),
    ("get_string_code", 0),
    ("string_code", 0),
    ("atom_length", 0),
    ("string_length", 0),
    ("upcase_atom", 0),
    ("downcase_atom", 0),
    ("string_upper", 0),
    ("string_lower", 0),
    ("atom_concat", 0),
    ("string_concat", 0),
    ("atomic_list_concat", 1),
    ("sub_atom", 0),
    ("sub_string", 0),
    ("split_string", 4),
    ("term_to_atom", 0),
    ("term_string", 0),
    ("char_type", 0),
    ("code_type", 0),
    ("tab", 0),
    ("put_char", 0),
    ("text_concat", 0),
    ("nb_setval", 0),
    ("b_setval", 0),
    ("nb_getval", 0),
    ("b_getval", 0),
];

/// Of these, the ones that the solver's strings say: what they look at is spelled.
const SPELLED: &[&str] = &[
    "atom_codes",
    "atom_chars",
    "char_code",
    "atom_number",
    "atom_string",
    "string_chars",
    "string_codes",
    "string_to_atom",
    "text_to_string",
    "get_string_code",
    "string_code",
    "atom_length",
    "string_length",
    "upcase_atom",
    "downcase_atom",
    "string_upper",
    "string_lower",
    "atom_concat",
    "string_concat",
    "atomic_list_concat",
    "sub_atom",
    "sub_string",
    "split_string",
];

/// Predicates that do not look at what they get.
const BLIND: &[&str] = &[
    "true",
    "fail",
    "false",
    "!",
    "otherwise",
    "nl",
    "halt",
    "repeat",
    "write",
    "print",
    "writeln",
    "write_canonical",
    "writeq",
    "portray_clause",
    "write_term",
    "var",
    "nonvar",
    "ground",
    "^",
    "print_message",
    "term_variables",
    "$made_compound",
    "is_dict",
    "is_stream",
    "attvar",
    "cyclic_term",
    "acyclic_term",
    "flush_output",
    ",",
    ";",
    "->",
    "*->",
    "|",
    "\\+",
    "not",
    "once",
    "ignore",
    "forall",
    "call",
    "catch",
    "assertion",
    "with_output_to",
    "freeze",
    "when",
    "call_cleanup",
    "$cleanup",
    "setup_call_cleanup",
    "assert",
    "asserta",
    "assertz",
    "retract",
    "retractall",
    "dynamic",
    "#<==>",
    "#==>",
    "#<==",
    "#\\/",
    "#/\\",
    "#\\",
    ":",
    "fd_var",
    "garbage_collect",
    "$assertion_failed",
    "op",
    "set_prolog_flag",
];

impl Walk<'_> {
    /// Takes in what a built-in predicate does with its arguments; `own`: it is called by the program itself.
    pub(super) fn tells(&mut self, name: &str, args: &[Class], own: bool) {
        match (name, args) {
            _ if BLIND.contains(&name) => {}
            ("throw", &[ball]) if own => self.graph.merge(ball, self.thrown),
            ("throw", _) => {}
            ("=" | "==" | "\\=" | "\\==" | "dif" | "=@=" | "\\=@=" | "?=" | "unify_with_occurs_check" | "subsumes_term", &[a, b]) => {
                self.graph.merge(a, b);
            }
            ("copy_term" | "duplicate_term" | "copy_term_nat", &[a, b, ..]) => self.graph.merge(a, b),
            ("integer", &[a]) => self.graph.look(a, Looks::INTEGER),
            ("float", &[a]) => self.graph.look(a, Looks::FLOAT),
            ("number", &[a]) => self.graph.look(a, Looks::NUMBER),
            ("string", &[a]) => self.graph.look(a, Looks { any_string: true, ..Looks::STRING }),
            ("atom" | "callable", &[a]) => self.graph.look(a, Looks { atom: true, ..Looks::COMPOUND }),
            ("atomic" | "compound", &[a]) => self.graph.look(a, Looks { integer: true, ..Looks::COMPOUND }),
            ("is_list", &[a]) => {
                self.items(a);
            }
            ("is", &[a, b]) => {
                self.graph.look(a, Looks::NUMBER);
                self.graph.look(b, Looks::EVALUATED);
            }
            ("<" | ">" | "=<" | ">=" | "=:=" | "=\\=", &[a, b]) => {
                [a, b].into_iter().for_each(|arg| self.graph.look(arg, Looks::EVALUATED))
            }
            ("#=" | "#\\=" | "#<" | "#>" | "#=<" | "#>=", &[a, b]) => {
                [a, b].into_iter().for_each(|arg| self.graph.look(arg, Looks { evaluated: true, ..Looks::INTEGER }));
            }
            ("@<" | "@>" | "@=<" | "@>=", &[a, b]) => self.ordered(a, b),
            ("compare", &[order, a, b]) => {
                self.ordered(a, b);
                ["<", "=", ">"].into_iter().for_each(|sign| self.name(order, sign));
            }
            ("functor", &[term, name, arity]) => {
                self.graph.look(term, Looks { integer: true, ..Looks::COMPOUND });
                self.graph.look(arity, Looks::INTEGER);
                self.graph.look(name, Looks::INTEGER);
                self.made(term, name, arity);
            }
            ("arg", &[number, term, arg]) => {
                self.graph.look(number, Looks::INTEGER);
                self.graph.look(term, Looks { integer: true, ..Looks::COMPOUND });
                self.taken_apart(term, arg);
                let any = self.graph.fresh();
                self.made(term, any, number);
            }
            ("=..", &[term, list]) => {
                self.graph.look(term, Looks { integer: true, ..Looks::COMPOUND });
                let item = self.items(list);
                self.taken_apart(term, item);
            }
            ("between" | "plus" | "succ" | "divmod", _) => args.iter().for_each(|&arg| self.graph.look(arg, Looks::INTEGER)),
            ("length", &[list, number]) => {
                self.items(list);
                self.graph.look(number, Looks::INTEGER);
            }
            ("msort" | "sort" | "keysort" | "predsort", &[a, b]) | ("sort", &[_, _, a, b]) => {
                let (x, y) = (self.items(a), self.items(b));
                self.graph.merge(x, y);
                // Where it is not known by which argument, it may be by the whole.
                let whole = match args {
                    &[key, _, _, _] => self.graph.constants(key).iter().all(|&cell| cell == Cell::Int(0)),
                    _ => name != "keysort",
                };
                self.graph.look(x, if whole { Looks::ORDERED } else { Looks::KEYED });
            }
            ("findall" | "bagof" | "setof", &[template, _, result]) => {
                let item = self.items(result);
                self.graph.merge(item, template);
                if name != "findall" {
                    self.graph.look(item, Looks::ORDERED);
                }
            }
            ("findall", &[template, _, result, tail]) => {
                let item = self.items(result);
                self.graph.merge(item, template);
                self.graph.merge(result, tail);
            }
            ("in" | "ins" | "label" | "$labeling" | "indomain" | "all_different" | "all_distinct", &[first, ..]) => {
                self.graph.look(first, Looks::INTEGER);
                if !matches!(name, "in" | "indomain") {
                    let item = self.items(first);
                    self.graph.look(item, Looks::INTEGER);
                }
            }
            // Some directives evaluate what they write.
            ("format", &[.., given]) => {
                args.iter().for_each(|&arg| self.graph.look(arg, Looks { evaluated: true, ..Looks::ALL }));
                let item = self.items(given);
                self.graph.look(item, Looks { evaluated: true, ..Looks::ALL });
            }
            _ => match TEXT.iter().find(|(known, _)| *known == name) {
                Some(&(_, list)) => {
                    let looks = if own && self.texts && SPELLED.contains(&name) { Looks::TEXT } else { Looks::ALL };
                    args.iter().for_each(|&arg| self.graph.look(arg, looks));
                    if let Some(&list) = list.checked_sub(1).and_then(|at| args.get(at)) {
                        let item = self.items(list);
                        self.graph.look(item, looks);
                    }
                }
                None => self.anything(args),
            },
        }
    }

    /// Nothing is known of a predicate: it may look at everything, and all its arguments meet.
    fn anything(&mut self, args: &[Class]) {
        for pair in args.windows(2) {
            self.graph.merge(pair[0], pair[1]);
        }
        if let Some(&any) = args.first() {
            self.graph.look(any, Looks::ALL);
            self.items(any);
        }
    }

    /// Two terms are compared by the standard order.
    fn ordered(&mut self, a: Class, b: Class) {
        self.graph.merge(a, b);
        self.graph.look(a, Looks::ORDERED);
    }
}
