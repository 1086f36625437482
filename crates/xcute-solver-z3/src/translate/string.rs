//! Strings.

use std::fmt::Write;

use xcute_term::Op;
use z3_sys as z3;

use super::Translation;
use crate::ffi::{Ast, Context, Decl};

/// An SMT-LIB script that has `str.to_code` where [`Context::function_of`] looks.
pub(crate) const TO_CODE: &str = "(declare-const s String) (declare-const i Int) (assert (= i (str.to_code s)))";

/// Functions that Z3 has but for which its older C interfaces have no constructor; found by parsing, on first use.
#[derive(Default)]
pub(super) struct Functions {
    to_code: Option<Decl>,
    from_code: Option<Decl>,
    replace_all: Option<Decl>,
}

impl Translation {
    /// An operator on strings, or from integers to strings; `None` if it is none of these.
    pub(super) fn string_operator(&mut self, op: Op, args: &[Ast]) -> Option<Ast> {
        let (c, functions) = (&self.context, &mut self.functions);
        match (op, args) {
            (Op::StrConcat, args) => c.many(z3::Z3_mk_seq_concat, args),
            (Op::StrLen, &[s]) => c.one(z3::Z3_mk_seq_length, s),
            (Op::StrAt, &[s, i]) => c.two(z3::Z3_mk_seq_at, s, i),
            (Op::StrSubstr, &[s, i, n]) => c.three(z3::Z3_mk_seq_extract, s, i, n),
            (Op::StrContains, &[s, t]) => c.two(z3::Z3_mk_seq_contains, s, t),
            (Op::StrPrefixOf, &[t, s]) => c.two(z3::Z3_mk_seq_prefix, t, s),
            (Op::StrSuffixOf, &[t, s]) => c.two(z3::Z3_mk_seq_suffix, t, s),
            (Op::StrIndexOf, &[s, t, i]) => c.three(z3::Z3_mk_seq_index, s, t, i),
            (Op::StrReplace, &[s, t, u]) => c.three(z3::Z3_mk_seq_replace, s, t, u),
            (Op::StrLt, &[s, t]) => c.two(z3::Z3_mk_str_lt, s, t),
            (Op::StrLe, &[s, t]) => c.two(z3::Z3_mk_str_le, s, t),
            (Op::StrToInt, &[s]) => c.one(z3::Z3_mk_str_to_int, s),
            (Op::StrFromInt, &[n]) => c.one(z3::Z3_mk_int_to_str, n),
            (Op::StrToCode, args) => c.apply(function(c, &mut functions.to_code, TO_CODE)?, args),
            (Op::StrFromCode, args) => {
                let script = "(declare-const s String) (declare-const i Int) (assert (= s (str.from_code i)))";
                c.apply(function(c, &mut functions.from_code, script)?, args)
            }
            (Op::StrReplaceAll, args) => {
                let script = "(declare-const s String) (declare-const t String) (assert (= s (str.replace_all t t s)))";
                c.apply(function(c, &mut functions.replace_all, script)?, args)
            }
            _ => None,
        }
    }
}

fn function(c: &Context, known: &mut Option<Decl>, script: &str) -> Option<Decl> {
    if known.is_none() {
        *known = c.function_of(script);
    }
    *known
}

/// SMT-LIB's notation: everything but printable ASCII as `\u{…}`, and the backslash too.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if (' '..='~').contains(&c) && c != '\\' {
            out.push(c);
        } else {
            write!(out, "\\u{{{:x}}}", u32::from(c)).expect("writing to a string does not fail");
        }
    }
    out
}
