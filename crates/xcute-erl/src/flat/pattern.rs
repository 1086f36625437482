//! Patterns: what clauses match, and the constructors around variables that values are built with.

use super::code::{Pat, PatId, Segment};
use super::lower::Lowering;
use crate::core::ast;
use crate::etf::{Atom, Term};

/// Literals with more parts stay as they are; smaller ones become patterns of their parts, so that each part is looked at by itself.
const LARGE: usize = 256;

impl Lowering<'_> {
    /// A pattern to match with. Its variables are bound from here on.
    pub(super) fn matched(&mut self, pattern: &ast::Expr) -> PatId {
        let pat = match pattern {
            ast::Expr::Var(_, name) => Pat::Var(self.bind(*name)),
            ast::Expr::Literal(_, term) => return self.literal_pattern(term),
            ast::Expr::Cons(_, head, tail) => Pat::Cons(self.matched(head), self.matched(tail)),
            ast::Expr::Tuple(_, items) => Pat::Tuple(items.iter().map(|item| self.matched(item)).collect()),
            ast::Expr::Alias(_, name, inner) => Pat::Alias(self.matched(name), self.matched(inner)),
            ast::Expr::Map { pairs, .. } => {
                // Keys are values: variables in them are bound already.
                let keys: Vec<PatId> = pairs.iter().map(|pair| self.simple(&pair.key).expect("a key is simple")).collect();
                Pat::Map(keys.into_iter().zip(pairs).map(|(key, pair)| (key, self.matched(&pair.value))).collect())
            }
            ast::Expr::Binary { segments, .. } => {
                let mut list = Vec::new();
                for segment in segments {
                    // A size may be a variable of a segment before it.
                    let (size, unit, of, little, signed) = self.segment(segment);
                    let value = self.matched(&segment.value);
                    list.push(Segment { value, size, unit, of, little, signed });
                }
                Pat::Bits(list.into())
            }
            // Nothing else is a pattern of Core Erlang; it matches nothing that it should not.
            _ => Pat::Bits(Box::default()),
        };
        self.add_pat(pat)
    }

    fn segment(&mut self, segment: &ast::Segment) -> (Option<PatId>, u32, Atom, bool, bool) {
        let (whole, unit, of, little, signed) = self.segment_form(segment);
        let size = if whole { None } else { self.simple(&segment.size) };
        (size, unit, of, little, signed)
    }

    /// Whether a segment takes all that is left, or has no size; its unit, type, endianness and sign.
    pub(super) fn segment_form(&self, segment: &ast::Segment) -> (bool, u32, Atom, bool, bool) {
        let [unit, of, flags] = &segment.rest;
        let whole = matches!(segment.size.literal_atom(), Some(Atom::ALL | Atom::UNDEFINED));
        let unit = match unit {
            ast::Expr::Literal(_, Term::Int(unit)) => u32::try_from(*unit).unwrap_or(1),
            _ => 1,
        };
        let has =
            |flag| matches!(flags, ast::Expr::Literal(_, list) if list.items().is_some_and(|items| items.contains(&Term::Atom(flag))));
        let native = has(Atom::NATIVE) && cfg!(target_endian = "little");
        (whole, unit, of.literal_atom().unwrap_or(Atom::INTEGER), has(Atom::LITTLE) || native, has(Atom::SIGNED))
    }

    /// An expression that is a pattern: variables, literals and constructors around them. `None` if something has to be computed.
    pub(super) fn simple(&mut self, expr: &ast::Expr) -> Option<PatId> {
        let pat = match expr {
            ast::Expr::Literal(_, term) => Pat::Lit(self.literal(term)),
            ast::Expr::Var(_, name) => match self.lookup(*name) {
                Some(slot) => Pat::Var(slot),
                None => {
                    let ast::Name::Function(function, arity) = *name else { return None };
                    let module = self.module_name();
                    Pat::Function(*self.out.functions.get(&(module, function, arity))?)
                }
            },
            ast::Expr::Cons(_, head, tail) => Pat::Cons(self.simple(head)?, self.simple(tail)?),
            ast::Expr::Tuple(_, items) => Pat::Tuple(items.iter().map(|item| self.simple(item)).collect::<Option<_>>()?),
            _ => return None,
        };
        Some(self.add_pat(pat))
    }

    fn literal_pattern(&mut self, term: &Term) -> PatId {
        let mut left = LARGE;
        if !small(term, &mut left) {
            let id = self.literal(term);
            return self.add_pat(Pat::Lit(id));
        }
        self.parts(term)
    }

    fn parts(&mut self, term: &Term) -> PatId {
        let pat = match term {
            Term::List(items, tail) => {
                let mut list = self.parts(tail);
                for item in items.iter().rev() {
                    let head = self.parts(item);
                    list = self.add_pat(Pat::Cons(head, list));
                }
                return list;
            }
            Term::Tuple(items) => Pat::Tuple(items.iter().map(|item| self.parts(item)).collect()),
            _ => Pat::Lit(self.literal(term)),
        };
        self.add_pat(pat)
    }
}

/// Whether a term has no more parts than are left.
fn small(term: &Term, left: &mut usize) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    match term {
        Term::List(items, tail) => items.iter().all(|item| small(item, left)) && small(tail, left),
        Term::Tuple(items) => items.iter().all(|item| small(item, left)),
        _ => true,
    }
}
