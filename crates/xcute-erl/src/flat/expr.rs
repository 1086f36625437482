//! Expressions: whatever is not a pattern gets a variable of its own.
//!
//! Literals that are built, not matched, stay whole: they are made once, before the first run.

use super::code::{Case, Clause, Expr, ExprId, Pat, PatId, Primop, Segment, Slot};
use super::lower::Lowering;
use crate::calls::{Bif, Callee};
use crate::core::ast::{self, SILENT};
use crate::etf::Atom;
use xcute_trace::SiteKind;

/// Right-hand sides that must come before an expression, outermost first.
type Before = Vec<(Slot, ExprId)>;

impl Lowering<'_> {
    /// Lowers an expression.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> ExprId {
        let mut before = Vec::new();
        let made = self.computed(expr, &mut before);
        self.wrap(before, made)
    }

    fn wrap(&mut self, before: Before, made: ExprId) -> ExprId {
        before.into_iter().rev().fold(made, |body, (slot, arg)| self.add(Expr::Let { vars: Some([slot].into()), arg, body }))
    }

    /// A pattern for an expression; what must be computed for it comes before.
    fn operand(&mut self, expr: &ast::Expr, before: &mut Before) -> PatId {
        if let Some(pat) = self.simple(expr) {
            return pat;
        }
        let pat = match expr {
            ast::Expr::Cons(_, head, tail) => Pat::Cons(self.operand(head, before), self.operand(tail, before)),
            ast::Expr::Tuple(_, items) => Pat::Tuple(items.iter().map(|item| self.operand(item, before)).collect()),
            _ => {
                let arg = self.expr(expr);
                let slot = self.temporary();
                before.push((slot, arg));
                Pat::Var(slot)
            }
        };
        self.add_pat(pat)
    }

    fn operands(&mut self, exprs: &[ast::Expr], before: &mut Before) -> Box<[PatId]> {
        exprs.iter().map(|expr| self.operand(expr, before)).collect()
    }

    fn bind_all(&mut self, vars: &[ast::Expr]) -> Box<[Slot]> {
        vars.iter().map(|var| self.bind(var.name().expect("a variable"))).collect()
    }

    fn computed(&mut self, expr: &ast::Expr, before: &mut Before) -> ExprId {
        let made = match expr {
            ast::Expr::Values(_, items) => Expr::Values(self.operands(items, before)),
            ast::Expr::Let { vars, arg, body, .. } => {
                let arg = self.expr(arg);
                let mark = self.mark();
                let vars = self.bind_all(vars);
                let body = self.expr(body);
                self.leave(mark);
                Expr::Let { vars: Some(vars), arg, body }
            }
            ast::Expr::Seq(_, first, rest) => Expr::Let { vars: None, arg: self.expr(first), body: self.expr(rest) },
            ast::Expr::Fun(..) => {
                let (fun, captured) = self.closure(expr);
                Expr::Fun(fun, captured)
            }
            ast::Expr::Letrec { functions, body, .. } => self.letrec(functions, body),
            ast::Expr::Case { anno, arg, clauses, id } => self.case(anno, arg, clauses, *id, before),
            ast::Expr::Try { arg, vars, body, evars, handler, id, .. } => {
                let arg = self.expr(arg);
                let mark = self.mark();
                let vars = self.bind_all(vars);
                let body = self.expr(body);
                self.leave(mark);
                let evars = self.bind_all(evars);
                let handler = self.expr(handler);
                self.leave(mark);
                Expr::Try { arg, vars, body, evars, handler, id: self.event(*id) }
            }
            ast::Expr::Apply { anno, op, args, id } => self.apply(anno, op, args, *id, before),
            ast::Expr::Call { anno, module, name, args, id } => self.call(anno, (module, name), args, *id, before),
            ast::Expr::Primop { anno, name, args, id } => self.primop(anno, *name, args, *id, before),
            ast::Expr::Map { anno, arg, pairs, .. } => {
                let base = self.operand(arg, before);
                let pairs = pairs.iter().map(|pair| (pair.assoc, self.operand(&pair.key, before), self.operand(&pair.value, before)));
                let pairs = pairs.collect();
                Expr::Map(base, pairs, self.place(anno, true))
            }
            ast::Expr::Binary { anno, segments, id } => {
                let mut list = Vec::new();
                for segment in segments {
                    let value = self.operand(&segment.value, before);
                    let (whole, unit, of, little, signed) = self.segment_form(segment);
                    let size = if whole { None } else { Some(self.operand(&segment.size, before)) };
                    list.push(Segment { value, size, unit, of, little, signed });
                }
                Expr::Bits(list.into(), self.event(*id), self.place(anno, true))
            }
            ast::Expr::Receive { anno, .. } => Expr::Unfollowed("a receive of an old compiler", self.place(anno, false)),
            ast::Expr::Catch(anno, _) => Expr::Unfollowed("a catch that is not a try", self.place(anno, false)),
            ast::Expr::Literal(..)
            | ast::Expr::Var(..)
            | ast::Expr::Cons(..)
            | ast::Expr::Tuple(..)
            | ast::Expr::Alias(..)
            | ast::Expr::Opaque(..) => Expr::Values([self.operand(expr, before)].into()),
        };
        let made = self.add(made);
        self.spot(made, expr.anno());
        made
    }

    fn letrec(&mut self, functions: &[ast::Function], body: &ast::Expr) -> Expr {
        let mark = self.mark();
        let slots: Vec<Slot> = functions.iter().map(|function| self.bind(ast::Name::Function(function.name, function.arity))).collect();
        let mut closures = Vec::new();
        for (&slot, function) in slots.iter().zip(functions) {
            let (fun, captured) = self.closure(&function.fun);
            closures.push((slot, fun, captured));
        }
        let body = self.expr(body);
        self.leave(mark);
        Expr::Letrec(closures.into(), body)
    }

    fn case(&mut self, anno: &ast::Anno, arg: &ast::Expr, clauses: &[ast::Clause], id: u32, before: &mut Before) -> Expr {
        let args = match arg {
            ast::Expr::Values(_, items) => self.operands(items, before),
            one => [self.operand(one, before)].into(),
        };
        let total = clauses.last().is_some_and(ast::Clause::is_irrefutable);
        let arms = u32::try_from(clauses.len()).expect("few clauses") + u32::from(!total);
        // What tells no events is nothing that a program chooses: parts of guards and of `receive`, and a single clause for everything.
        let site = self.site(if id == SILENT { SiteKind::Library } else { SiteKind::Switch }, anno, arms);
        self.clause_lines(site, clauses);
        let place = self.place(anno, false);
        let mut list = Vec::new();
        for clause in clauses {
            let mark = self.mark();
            let patterns = clause.patterns.iter().map(|pattern| self.matched(pattern)).collect();
            let guard = (clause.guard.literal_atom() != Some(Atom::TRUE)).then(|| self.expr(&clause.guard));
            let body = self.expr(&clause.body);
            self.leave(mark);
            list.push(Clause { patterns, guard, body });
        }
        Expr::Case(Box::new(Case { args, clauses: list.into(), site, id: self.event(id), place }))
    }

    fn apply(&mut self, anno: &ast::Anno, op: &ast::Expr, args: &[ast::Expr], id: u32, before: &mut Before) -> Expr {
        let fun = self.operand(op, before);
        let args = self.operands(args, before);
        if let Pat::Function(fun) = *self.out.code.pat(fun) {
            return Expr::Call(fun, args);
        }
        let id = self.event(id);
        let place = self.place(anno, id != SILENT);
        Expr::Apply { fun, args, id, place }
    }

    fn call(&mut self, anno: &ast::Anno, of: (&ast::Expr, &ast::Expr), args: &[ast::Expr], id: u32, before: &mut Before) -> Expr {
        let (module, name) = (self.operand(of.0, before), self.operand(of.1, before));
        let args = self.operands(args, before);
        let id = self.event(id);
        let arity = u32::try_from(args.len()).expect("few arguments");
        let mut list = false;
        if let (Some(of), Some(function)) = (of.0.literal_atom(), of.1.literal_atom()) {
            let known = |module, function| self.out.functions.get(&(module, function, arity)).copied();
            match self.linkage.callee(of, function, arity) {
                Callee::Bif(bif) => return Expr::Bif(bif, args, self.place(anno, bif.can_fail())),
                Callee::Followed => {
                    if let Some(fun) = known(of, function) {
                        return Expr::Call(fun, args);
                    }
                }
                Callee::Model(model) => {
                    if let Some(fun) = known(self.linkage.models_module(), model) {
                        return Expr::Call(fun, args);
                    }
                }
                Callee::Apply2 => return Expr::ApplyList { fun: args[0], args: args[1], id, place: self.place(anno, true) },
                Callee::Apply3 => list = true,
                Callee::Told(_) | Callee::Process(_) | Callee::Dictionary | Callee::Runtime | Callee::Opaque => {}
            }
        }
        let place = self.place(anno, true);
        if id == SILENT {
            return Expr::Unfollowed("a call in a guard", place);
        }
        match *args {
            [module, name, arguments] if list => Expr::Remote { module, name, args: [arguments].into(), list, id, place },
            _ => Expr::Remote { module, name, args, list, id, place },
        }
    }

    fn primop(&mut self, anno: &ast::Anno, name: Atom, args: &[ast::Expr], id: u32, before: &mut Before) -> Expr {
        let args = self.operands(args, before);
        let (id, place) = (self.event(id), self.place(anno, false));
        let op = match self.atoms.name(name) {
            "match_fail" => Primop::MatchFail,
            "raise" => Primop::Raise,
            "build_stacktrace" => Primop::BuildStacktrace,
            "recv_peek_message" => Primop::PeekMessage,
            "remove_message" => Primop::RemoveMessage,
            "recv_next" => Primop::NextMessage,
            "recv_wait_timeout" => Primop::WaitTimeout,
            "xcute_timed_out" => Primop::TimedOut,
            "bs_init_writable" => Primop::BsInitWritable,
            _ => return Expr::Unfollowed("a primitive operation that is not known", place),
        };
        Expr::Primop(op, args, id, place)
    }
}

impl Bif {
    /// Whether some arguments make it fail.
    #[must_use]
    pub fn can_fail(self) -> bool {
        !matches!(
            self,
            Bif::IsAtom
                | Bif::IsBinary
                | Bif::IsBitstring
                | Bif::IsBoolean
                | Bif::IsFloat
                | Bif::IsFunction
                | Bif::IsInteger
                | Bif::IsList
                | Bif::IsMap
                | Bif::IsNumber
                | Bif::IsPid
                | Bif::IsPort
                | Bif::IsReference
                | Bif::IsTuple
                | Bif::Equal
                | Bif::NotEqual
                | Bif::Same
                | Bif::NotSame
                | Bif::Less
                | Bif::Greater
                | Bif::LessEqual
                | Bif::GreaterEqual
                | Bif::Min
                | Bif::Max
        )
    }
}
