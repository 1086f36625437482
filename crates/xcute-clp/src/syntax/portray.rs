//! Clauses as people write them: a goal per line, if-then-else in columns.
//!
//! **Invariant.** What is written is read as the same clause.

use std::sync::Arc;

use super::names::Names;
use super::{Arena, Atom, Term, TermRef, Writer};

/// Nested control is written in columns down to this depth, and in one line below.
const DEEPEST: usize = 12;

impl Writer<'_> {
    /// A clause or directive with its full stop, as `portray_clause/1` writes it.
    pub fn clause(&self, terms: &Arena, root: TermRef, variables: &[Option<Arc<str>>]) -> String {
        let names = Names::given(terms, root, variables);
        let mut out = String::new();
        match (terms.matches(root, Atom::NECK), terms.matches::<1>(root, Atom::NECK)) {
            (Some([head, body]), _) => {
                out.push_str(&self.named(terms, head, &names, 1199));
                if *terms.get(body) != Term::Atom(Atom::TRUE) {
                    out.push_str(" :-\n");
                    self.body(terms, body, &names, 1, &mut out);
                }
            }
            (None, Some([goal])) => {
                out.push_str(":- ");
                out.push_str(&self.named(terms, goal, &names, 1199));
            }
            (None, None) => out.push_str(&self.named(terms, root, &names, 1200)),
        }
        // A full stop would become part of a symbol.
        if out.ends_with(super::lexer::is_symbol) {
            out.push(' ');
        }
        out.push_str(".\n");
        out
    }

    /// A conjunction, one goal per line, each indented so far.
    fn body(&self, terms: &Arena, mut body: TermRef, names: &Names, indent: usize, out: &mut String) {
        loop {
            let (goal, rest) = match terms.matches(body, Atom::COMMA) {
                Some([goal, rest]) => (goal, Some(rest)),
                None => (body, None),
            };
            out.push_str(&"    ".repeat(indent));
            self.goal(terms, goal, names, indent, out);
            let Some(rest) = rest else { return };
            out.push_str(",\n");
            body = rest;
        }
    }

    /// A goal at a place that is indented already.
    fn goal(&self, terms: &Arena, goal: TermRef, names: &Names, indent: usize, out: &mut String) {
        let control = |name| terms.matches::<2>(goal, name).is_some();
        let columns = [Atom::SEMICOLON, Atom::IF_THEN, Atom::SOFT_IF, Atom::COMMA].into_iter().any(control);
        if !columns || indent > DEEPEST {
            out.push_str(&self.named(terms, goal, names, 999));
            return;
        }
        out.push_str("(   ");
        self.column(terms, goal, names, indent, out);
        out.push('\n');
        out.push_str(&"    ".repeat(indent));
        out.push(')');
    }

    fn column(&self, terms: &Arena, mut goal: TermRef, names: &Names, indent: usize, out: &mut String) {
        let margin = "    ".repeat(indent);
        loop {
            let (branch, rest) = match terms.matches(goal, Atom::SEMICOLON) {
                Some([branch, rest]) => (branch, Some(rest)),
                None => (goal, None),
            };
            let arrow = [(Atom::IF_THEN, "->  "), (Atom::SOFT_IF, "*-> ")];
            match arrow.iter().find_map(|&(name, text)| terms.matches(branch, name).map(|parts: [TermRef; 2]| (text, parts))) {
                Some((text, [condition, then])) => {
                    self.inner(terms, condition, names, indent, out);
                    out.push_str(&format!("\n{margin}{text}"));
                    self.inner(terms, then, names, indent, out);
                }
                None => self.inner(terms, branch, names, indent, out),
            }
            let Some(rest) = rest else { return };
            out.push_str(&format!("\n{margin};   "));
            goal = rest;
        }
    }

    /// A conjunction in a column, whose first goal stands after the mark.
    fn inner(&self, terms: &Arena, body: TermRef, names: &Names, indent: usize, out: &mut String) {
        let mut text = String::new();
        self.body(terms, body, names, indent + 1, &mut text);
        out.push_str(text.trim_start());
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::{Atoms, Flags, Operators, Reader, SourceId, Style, Writer};

    #[test]
    fn clauses_are_laid_out() {
        let mut atoms = Atoms::default();
        let operators = Operators::new(&mut atoms);
        for text in [
            "p(X, [a|_]).\n",
            "p(X) :-\n    q(X, Y),\n    \\+ r(Y),\n    !.\n",
            ":- dynamic a/1.\n",
            "p :-\n    (   a,\n        b\n    ->  c\n    ;   d\n    ->  e\n    ;   f\n    ),\n    g.\n",
            "p :-\n    (   a\n    ;   (   b\n        ->  c\n        ),\n        d\n    ).\n",
            "a --> b, {c}.\n",
            "p :-\n    a = (:-) .\n",
        ] {
            let sentence = Reader::new(SourceId(0), text).next(&mut atoms, &operators, Flags::default()).unwrap().unwrap();
            let written = Writer::new(&atoms, &operators, Style::Operators).clause(&sentence.terms, sentence.root, &sentence.variables);
            assert_eq!(written, text.replace("= (:-) .", "= (:-)."));
        }
    }
}
