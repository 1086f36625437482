//! Guards: first as a condition without deciding anything; if that cannot be written, step by step.
//!
//! A guard that fails is false. As a condition, what fails is part of it: a guard holds if its value is `true` and nothing in it fails.

use xcute_term::{Op, TermId};

use super::value::Val;
use super::{Ctx, Machine, Mode, Res, Stop};
use crate::etf::Atom;
use crate::flat::{Case, Expr, ExprId};

/// Guards that are nested deeper are not followed.
const DEEPEST: u32 = 2_000;

impl Machine<'_> {
    /// A guard as a condition; [`Stop::Split`] if it cannot be written as one.
    pub(super) fn guard_condition(&mut self, guard: ExprId) -> Res<TermId> {
        let mut ctx = Ctx { mode: Mode::Pure, fails: self.no() };
        let value = self.guarded(guard, &mut ctx, 0)?;
        let value = self.is_true(value);
        let fine = self.not(ctx.fails);
        Ok(self.and(&[fine, value]))
    }

    /// Whether a guard holds, deciding what is needed for that.
    pub(super) fn guard_holds(&mut self, guard: ExprId) -> Res<bool> {
        let mut ctx = Ctx { mode: Mode::Guard, fails: self.no() };
        let value = match self.guarded(guard, &mut ctx, 0) {
            Ok(value) => value,
            Err(Stop::Raise(_)) => return Ok(false),
            Err(stop) => return Err(stop),
        };
        let condition = self.is_true(value);
        let site = self.current().split;
        Ok(self.rec.decide(site, &[condition]))
    }

    fn is_true(&mut self, value: Val) -> TermId {
        match self.known(value) {
            Val::Cond(condition) => condition,
            Val::Atom(atom) => self.rec.terms.bool(atom == Atom::TRUE),
            Val::Sym(term) => self.is_atom(term, Atom::TRUE),
            _ => self.no(),
        }
    }

    fn guarded(&mut self, guard: ExprId, ctx: &mut Ctx, depth: u32) -> Res<Val> {
        if depth > DEEPEST {
            return Err(Stop::Lost("a guard that is nested too deep".to_owned()));
        }
        let mut at = guard;
        loop {
            match self.program.code.expr(at) {
                Expr::Values(values) => return Ok(values.first().map_or(Val::Nil, |&value| self.build(value))),
                Expr::Let { vars, arg, body } => {
                    let value = self.guarded(*arg, ctx, depth + 1)?;
                    if let Some([var]) = vars.as_deref() {
                        self.set_slot(*var, value);
                    }
                    at = *body;
                }
                Expr::Bif(bif, args, _) => {
                    let args: Vec<Val> = args.iter().map(|&arg| self.build(arg)).collect();
                    return self.bif(ctx, *bif, &args);
                }
                Expr::Case(case) => return self.guarded_case(case, ctx, depth),
                Expr::Try { arg, vars, body, handler, .. } => {
                    let mut inner = Ctx { mode: ctx.mode, fails: self.no() };
                    let value = match self.guarded(*arg, &mut inner, depth + 1) {
                        Ok(value) => value,
                        Err(Stop::Raise(_)) => {
                            at = *handler;
                            continue;
                        }
                        Err(stop) => return Err(stop),
                    };
                    if let Some(&var) = vars.first() {
                        self.set_slot(var, value);
                    }
                    let value = self.guarded(*body, ctx, depth + 1)?;
                    if self.rec.facts.holds(self.rec.terms, inner.fails) == Some(false) {
                        return Ok(value);
                    }
                    let otherwise = self.guarded(*handler, ctx, depth + 1)?;
                    return self.merged(inner.fails, otherwise, value);
                }
                Expr::Map(base, pairs, _) => {
                    let base = self.build(*base);
                    return self.build_map(ctx, base, pairs);
                }
                Expr::Bits(segments, ..) => return self.computed_bits(ctx, segments),
                Expr::Primop(crate::flat::Primop::MatchFail, ..) => return self.fail(ctx, Val::Atom(Atom::BADARG), Val::Nil),
                Expr::Unfollowed(what, _) => return Err(Stop::Lost((*what).to_owned())),
                _ => return Err(Stop::Lost("a guard that does more than guards do".to_owned())),
            }
        }
    }

    /// A choice inside of a guard: `andalso`, `orelse`. As a condition it is a choice between values.
    fn guarded_case(&mut self, case: &Case, ctx: &mut Ctx, depth: u32) -> Res<Val> {
        let args: Vec<Val> = case.args.iter().map(|&arg| self.build(arg)).collect();
        let mut open: Vec<(TermId, Val, TermId)> = Vec::new();
        let mut last = None;
        for clause in &case.clauses {
            let Some(mut conditions) = self.matches(&clause.patterns, &args)? else { continue };
            if let Some(guard) = clause.guard {
                let mut inner = Ctx { mode: ctx.mode, fails: self.no() };
                let value = self.guarded(guard, &mut inner, depth + 1)?;
                let (value, fine) = (self.is_true(value), self.not(inner.fails));
                conditions.extend([fine, value]);
            }
            let condition = self.and(&conditions);
            let known = self.rec.facts.holds(self.rec.terms, condition);
            if known == Some(false) {
                continue;
            }
            if known.is_none() && matches!(ctx.mode, Mode::Guard) {
                let site = self.current().split;
                if !self.rec.decide(site, &[condition]) {
                    continue;
                }
                return self.guarded(clause.body, ctx, depth + 1);
            }
            let mut inner = Ctx { mode: ctx.mode, fails: self.no() };
            let value = self.guarded(clause.body, &mut inner, depth + 1)?;
            if known == Some(true) {
                last = Some((value, inner.fails));
                break;
            }
            open.push((condition, value, inner.fails));
        }
        // If no clause matches, it fails.
        let (mut value, mut fails) = last.unwrap_or((Val::Atom(Atom::FALSE), self.yes()));
        for (condition, other, failing) in open.into_iter().rev() {
            value = self.merged(condition, other, value)?;
            fails = self.mk(Op::Ite, &[condition, failing, fails]);
        }
        ctx.fails = self.or(&[ctx.fails, fails]);
        if self.rec.facts.holds(self.rec.terms, ctx.fails) == Some(true) && !matches!(ctx.mode, Mode::Pure) {
            return self.fail(ctx, Val::Atom(Atom::BADARG), value);
        }
        Ok(value)
    }

    /// One of two values, by a condition.
    fn merged(&mut self, condition: TermId, yes: Val, no: Val) -> Res<Val> {
        match self.rec.facts.holds(self.rec.terms, condition) {
            Some(true) => return Ok(yes),
            Some(false) => return Ok(no),
            None => {}
        }
        let truth = |machine: &mut Self, value: Val| match value {
            Val::Cond(condition) => Some(condition),
            Val::Atom(Atom::TRUE) => Some(machine.yes()),
            Val::Atom(Atom::FALSE) => Some(machine.no()),
            _ => None,
        };
        if let (Some(a), Some(b)) = (truth(self, yes), truth(self, no)) {
            let chosen = self.mk(Op::Ite, &[condition, a, b]);
            return Ok(self.truth(chosen));
        }
        match (self.term(yes), self.term(no)) {
            (Some(a), Some(b)) => Ok(Val::Sym(self.mk(Op::Ite, &[condition, a, b]))),
            _ => Err(Stop::Split),
        }
    }
}
