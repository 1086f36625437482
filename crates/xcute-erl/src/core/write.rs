//! From [`ast`](super::ast) to the compiler's records.

use super::ast::{Clause, Expr, Function, Module, Name, Pair, Segment};
use crate::etf::{Atom, Atoms, Encoder, Term, encode};

/// Appends the records of a module.
pub fn write(module: &Module, atoms: &Atoms, out: &mut Encoder) {
    let mut writer = Writer { atoms, out };
    writer.record(Atom::C_MODULE, 5, &module.anno.0);
    writer.expr(&Expr::atom(module.name));
    writer.list(&module.exports, |writer, &(name, arity)| writer.variable(&Term::Nil, Name::Function(name, arity)));
    writer.list(&module.attributes, |writer, (name, value)| {
        writer.out.tuple(2);
        writer.expr(name);
        writer.expr(value);
    });
    writer.list(&module.functions, Writer::function);
}

struct Writer<'a> {
    atoms: &'a Atoms,
    out: &'a mut Encoder,
}

impl Writer<'_> {
    fn term(&mut self, term: &Term) {
        encode(term, self.atoms, self.out);
    }

    fn atom(&mut self, atom: Atom) {
        self.out.atom(self.atoms.name(atom));
    }

    /// The beginning of a record with this many fields, its annotation included.
    fn record(&mut self, tag: Atom, fields: usize, anno: &Term) {
        self.out.tuple(fields + 1);
        self.atom(tag);
        self.term(anno);
    }

    fn list<T>(&mut self, items: &[T], each: impl Fn(&mut Self, &T)) {
        if !items.is_empty() {
            self.out.list(items.len());
            for item in items {
                each(self, item);
            }
        }
        self.out.nil();
    }

    fn exprs(&mut self, items: &[Expr]) {
        self.list(items, Writer::expr);
    }

    fn variable(&mut self, anno: &Term, name: Name) {
        self.record(Atom::C_VAR, 2, anno);
        match name {
            Name::Number(number) => self.out.int(number),
            Name::Atom(atom) => self.atom(atom),
            Name::Function(atom, arity) => {
                self.out.tuple(2);
                self.atom(atom);
                self.out.int(i64::from(arity));
            }
        }
    }

    fn function(&mut self, function: &Function) {
        self.out.tuple(2);
        self.variable(&function.anno.0, Name::Function(function.name, function.arity));
        self.expr(&function.fun);
    }

    fn clause(&mut self, clause: &Clause) {
        self.record(Atom::C_CLAUSE, 4, &clause.anno.0);
        self.exprs(&clause.patterns);
        self.expr(&clause.guard);
        self.expr(&clause.body);
    }

    fn pair(&mut self, pair: &Pair) {
        self.record(Atom::C_MAP_PAIR, 4, &pair.anno.0);
        self.expr(&Expr::atom(if pair.assoc { Atom::ASSOC } else { Atom::EXACT }));
        self.expr(&pair.key);
        self.expr(&pair.value);
    }

    fn segment(&mut self, segment: &Segment) {
        self.record(Atom::C_BITSTR, 6, &segment.anno.0);
        self.expr(&segment.value);
        self.expr(&segment.size);
        segment.rest.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Literal(anno, value) => {
                self.record(Atom::C_LITERAL, 2, &anno.0);
                self.term(value);
            }
            Expr::Var(anno, name) => self.variable(&anno.0, *name),
            Expr::Cons(anno, head, tail) | Expr::Alias(anno, head, tail) | Expr::Seq(anno, head, tail) => {
                let tag = match expr {
                    Expr::Cons(..) => Atom::C_CONS,
                    Expr::Alias(..) => Atom::C_ALIAS,
                    _ => Atom::C_SEQ,
                };
                self.record(tag, 3, &anno.0);
                self.expr(head);
                self.expr(tail);
            }
            Expr::Tuple(anno, items) | Expr::Values(anno, items) => {
                self.record(if matches!(expr, Expr::Tuple(..)) { Atom::C_TUPLE } else { Atom::C_VALUES }, 2, &anno.0);
                self.exprs(items);
            }
            Expr::Map { anno, arg, pairs, pattern, .. } => {
                self.record(Atom::C_MAP, 4, &anno.0);
                self.expr(arg);
                self.list(pairs, Writer::pair);
                self.atom(if *pattern { Atom::TRUE } else { Atom::FALSE });
            }
            Expr::Binary { anno, segments, .. } => {
                self.record(Atom::C_BINARY, 2, &anno.0);
                self.list(segments, Writer::segment);
            }
            Expr::Fun(anno, vars, body) => {
                self.record(Atom::C_FUN, 3, &anno.0);
                self.exprs(vars);
                self.expr(body);
            }
            Expr::Let { anno, vars, arg, body } => {
                self.record(Atom::C_LET, 4, &anno.0);
                self.exprs(vars);
                self.expr(arg);
                self.expr(body);
            }
            Expr::Letrec { anno, functions, body } => {
                self.record(Atom::C_LETREC, 3, &anno.0);
                self.list(functions, Writer::function);
                self.expr(body);
            }
            Expr::Case { anno, arg, clauses, .. } => {
                self.record(Atom::C_CASE, 3, &anno.0);
                self.expr(arg);
                self.list(clauses, Writer::clause);
            }
            _ => self.effect(expr),
        }
    }

    /// Calls and what has to do with exceptions and messages.
    fn effect(&mut self, expr: &Expr) {
        match expr {
            Expr::Apply { anno, op, args, .. } => {
                self.record(Atom::C_APPLY, 3, &anno.0);
                self.expr(op);
                self.exprs(args);
            }
            Expr::Call { anno, module, name, args, .. } => {
                self.record(Atom::C_CALL, 4, &anno.0);
                self.expr(module);
                self.expr(name);
                self.exprs(args);
            }
            Expr::Primop { anno, name, args, .. } => {
                self.record(Atom::C_PRIMOP, 3, &anno.0);
                self.expr(&Expr::atom(*name));
                self.exprs(args);
            }
            Expr::Try { anno, arg, vars, body, evars, handler, .. } => {
                self.record(Atom::C_TRY, 6, &anno.0);
                self.expr(arg);
                self.exprs(vars);
                self.expr(body);
                self.exprs(evars);
                self.expr(handler);
            }
            Expr::Catch(anno, body) => {
                self.record(Atom::C_CATCH, 2, &anno.0);
                self.expr(body);
            }
            Expr::Receive { anno, clauses, timeout, action } => {
                self.record(Atom::C_RECEIVE, 4, &anno.0);
                self.list(clauses, Writer::clause);
                self.expr(timeout);
                self.expr(action);
            }
            Expr::Opaque(anno, value) => {
                self.record(Atom::C_OPAQUE, 2, &anno.0);
                self.term(value);
            }
            _ => unreachable!("written by expr"),
        }
    }
}
