//! Terms as Erlang writes them: what can be typed into the shell.

use std::fmt::Write as _;

use super::functions::Table;
use super::made::written;
use super::quoted::{atom_text, quoted};
use crate::etf::{Atom, Atoms, Term};

/// A term as text.
#[must_use]
pub fn shown(term: &Term, atoms: &Atoms) -> String {
    let mut out = String::new();
    write(term, atoms, &mut out);
    out
}

pub(super) fn write(term: &Term, atoms: &Atoms, out: &mut String) {
    match term {
        Term::Int(value) => push(out, value),
        Term::Big(value) => push(out, value),
        Term::Float(value) => float(*value, out),
        Term::Atom(name) => atom(*name, atoms, out),
        Term::Nil => out.push_str("[]"),
        Term::List(items, tail) => list(items, tail, atoms, out),
        Term::Tuple(items) => match (Table::of(term, atoms), written(term, atoms)) {
            (Some(table), _) => super::clauses::function(&table, atoms, write, out),
            (_, Some((before, parts, after))) => {
                out.push_str(&before);
                separated(parts, atoms, out);
                out.push_str(after);
            }
            _ => {
                out.push('{');
                separated(items, atoms, out);
                out.push('}');
            }
        },
        Term::Map(pairs) => {
            out.push_str("#{");
            for (i, (key, value)) in pairs.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                write(key, atoms, out);
                out.push_str(" => ");
                write(value, atoms, out);
            }
            out.push('}');
        }
        Term::Bits(bytes, bits) => bitstring(bytes, *bits, out),
        Term::External(module, function, arity) => {
            out.push_str("fun ");
            atom(*module, atoms, out);
            out.push(':');
            atom(*function, atoms, out);
            push(out, &format_args!("/{arity}"));
        }
        Term::Other(bytes) => other(bytes, out),
    }
}

fn push(out: &mut String, value: &dyn std::fmt::Display) {
    write!(out, "{value}").expect("a string takes everything");
}

fn separated(items: &[Term], atoms: &Atoms, out: &mut String) {
    for (i, item) in items.iter().enumerate() {
        out.push_str(if i == 0 { "" } else { "," });
        write(item, atoms, out);
    }
}

fn list(items: &[Term], tail: &Term, atoms: &Atoms, out: &mut String) {
    let printable = |item: &Term| match item.int().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32) {
        Some(c) if matches!(c, '\n' | '\t' | '\r' | ' '..='~') => Some(c),
        _ => None,
    };
    if *tail == Term::Nil
        && let Some(text) = items.iter().map(printable).collect::<Option<String>>()
    {
        return quoted(&text, '"', out);
    }
    out.push('[');
    separated(items, atoms, out);
    if *tail != Term::Nil {
        out.push('|');
        write(tail, atoms, out);
    }
    out.push(']');
}

fn atom(name: Atom, atoms: &Atoms, out: &mut String) {
    out.push_str(&atom_text(atoms.name(name)));
}

/// The shortest digits that read back as the same float, with a point.
fn float(value: f64, out: &mut String) {
    let text = format!("{value:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => push(out, &format_args!("{digits}.0e{exponent}")),
        _ => out.push_str(&text),
    }
}

fn bitstring(bytes: &[u8], bits: usize, out: &mut String) {
    out.push_str("<<");
    for (i, byte) in bytes.iter().enumerate() {
        out.push_str(if i == 0 { "" } else { "," });
        let left = bits - 8 * i;
        if left < 8 {
            push(out, &format_args!("{}:{left}", byte >> (8 - left)));
        } else {
            push(out, byte);
        }
    }
    out.push_str(">>");
}

/// Pids, ports and references by the functions that read them.
fn other(bytes: &[u8], out: &mut String) {
    let word = |at: usize| bytes.get(at..at + 4).map_or(0, |word| u32::from_be_bytes([word[0], word[1], word[2], word[3]]));
    let node = |at: usize| 2 + usize::from(bytes.get(at + 1).copied().unwrap_or(0));
    match bytes.first() {
        Some(88) => {
            let at = 1 + node(1);
            push(out, &format_args!("list_to_pid(\"<0.{}.{}>\")", word(at), word(at + 4)));
        }
        Some(89) => push(out, &format_args!("list_to_port(\"#Port<0.{}>\")", word(1 + node(1)))),
        Some(90) => {
            let (count, at) = (usize::from(bytes.get(2).copied().unwrap_or(0)), 3 + node(3));
            let words: Vec<String> = (0..count).rev().map(|i| word(at + 4 + 4 * i).to_string()).collect();
            push(out, &format_args!("list_to_ref(\"#Ref<0.{}>\")", words.join(".")));
        }
        _ => out.push_str("fun() -> ok end"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_written_as_they_are_read() {
        let mut atoms = Atoms::new();
        let odd = Term::Atom(atoms.intern("it's"));
        let of = Term::Atom(atoms.intern("of"));
        let list = |items: &[i64]| Term::list(items.iter().map(|&item| Term::Int(item)).collect());
        let cases = [
            (Term::Tuple(vec![Term::Atom(Atom::OK), odd, of, Term::Atom(Atom::EMPTY)]), r"{ok,'it\'s','of',''}"),
            (list(&[104, 105, 34, 10]), r#""hi\"\n""#),
            (list(&[1, 2]), "[1,2]"),
            (Term::List(vec![Term::Int(-1)], Box::new(Term::Float(1.0))), "[-1|1.0]"),
            (Term::Float(1e300), "1.0e300"),
            (Term::Float(0.1), "0.1"),
            (Term::Bits([1, 0x80].as_slice().into(), 9), "<<1,1:1>>"),
            (Term::Map(vec![(Term::Atom(Atom::A), Term::Nil)]), "#{a => []}"),
            (Term::External(Atom::LISTS, Atom::FILE, 1), "fun lists:file/1"),
        ];
        for (term, text) in cases {
            assert_eq!(shown(&term, &atoms), text);
        }
    }
}
