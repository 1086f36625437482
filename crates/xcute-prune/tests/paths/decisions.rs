//! The decisions of the machine: branches, switches, assumptions, symbolic addresses, and what foreign code pins.

use xcute_prune::{Arm, Choice, Decision, End, Point, PointId};
use xcute_term::{Op, TermId, Value};

use crate::code::Expr;
use crate::machine::{Fault, INT, Machine, Val};

impl Machine<'_> {
    /// Decides the symbolic addresses that these expressions load from.
    pub fn addresses(&mut self, pc: usize, exprs: &[&Expr]) -> Result<(), End> {
        let mut n = 1;
        while let Some(address) = exprs.iter().find_map(|expr| self.symbolic_address(expr)) {
            let segment = self.close();
            let address = self.eval(&address);
            let own = std::mem::take(&mut self.equalities);
            let value = address.value.cast_unsigned();
            self.decided.insert(address.input, value);
            if self.world.fault == Some(Fault::AddressConcretised) {
                // As if nothing had happened.
                self.reopen();
                continue;
            }
            let constant = self.world.terms.bv(32, u64::from(value));
            let same = self.world.terms.mk(Op::Eq, &[address.input, constant]);
            let decision = Decision {
                point: self.point(pc, n),
                segment,
                own,
                choice: Choice::Address(address.cell),
                taken: Arm::Value(value.into()),
                in_trace: true,
                counted: true,
            };
            self.decide(decision, pc, same, vec![(Arm::Rest, address.input)])?;
            n += 1;
        }
        Ok(())
    }

    /// The first address in evaluation order that is symbolic and not decided.
    fn symbolic_address(&mut self, expr: &Expr) -> Option<Expr> {
        match expr {
            Expr::Load(address) => self.symbolic_address(address).or_else(|| {
                let term = self.peek(address).input;
                let open = !self.world.terms.is_const(term) && !self.decided.contains_key(&term);
                open.then(|| (**address).clone())
            }),
            Expr::Binary(_, a, b) => self.symbolic_address(a).or_else(|| self.symbolic_address(b)),
            Expr::Num(_) | Expr::Global(_) | Expr::Local(_) => None,
        }
    }

    pub fn branch(&mut self, pc: usize, condition: &Expr, assume: bool) -> Result<bool, End> {
        self.addresses(pc, &[condition])?;
        let before = self.peek(condition);
        if self.world.fault == Some(Fault::ConcreteUntraced) && self.world.terms.is_const(before.input) {
            return Ok(before.value != 0);
        }
        let segment = self.close();
        let value = self.eval(condition);
        let own = std::mem::take(&mut self.equalities);
        let (yes, no) = self.truth(value.cell);
        let (holds, fails) = self.truth(value.input);
        let taken = value.value != 0;
        let arms = vec![no, yes];
        let choice = if assume && self.world.assumes { Choice::Assume(arms, 1) } else { Choice::Branch(arms) };
        let (point, arm) = (self.point(pc, 0), Arm::Nth(u32::from(taken)));
        // Nobody asks for the arm on which runs are rejected.
        let closed = taken && matches!(choice, Choice::Assume(..));
        let decision = Decision { point, segment, own, choice, taken: arm, in_trace: true, counted: true };
        let (this, other) = if taken { (holds, fails) } else { (fails, holds) };
        let others = if closed || self.world.terms.is_const(other) { vec![] } else { vec![(Arm::Nth(u32::from(!taken)), other)] };
        self.decide(decision, pc, this, others)?;
        Ok(taken)
    }

    pub fn switch(&mut self, pc: usize, value: &Expr, count: usize) -> Result<usize, End> {
        self.addresses(pc, &[value])?;
        let segment = self.close();
        let value = self.eval(value);
        let own = std::mem::take(&mut self.equalities);
        let taken = usize::try_from(value.value).map_or(count - 1, |value| value.min(count - 1));
        let [arms, inputs] = [value.cell, value.input].map(|term| self.cases(term, count));
        let arm = |n: usize| Arm::Nth(u32::try_from(n).expect("few"));
        let others = (0..count).filter(|&n| n != taken && !self.world.terms.is_const(inputs[n])).map(|n| (arm(n), inputs[n])).collect();
        let decision = Decision {
            point: self.point(pc, 0),
            segment,
            own,
            choice: Choice::Branch(arms),
            taken: arm(taken),
            in_trace: true,
            counted: true,
        };
        self.decide(decision, pc, inputs[taken], others)?;
        Ok(taken)
    }

    /// The conditions of a switch.
    fn cases(&mut self, term: TermId, count: usize) -> Vec<TermId> {
        let terms = &mut self.world.terms;
        let mut arms = Vec::new();
        for n in 0..count as u64 - 1 {
            let n = terms.bv(32, n);
            arms.push(terms.mk(Op::Eq, &[term, n]));
        }
        let others: Vec<TermId> = arms.clone().into_iter().map(|arm| terms.not(arm)).collect();
        arms.push(terms.mk(Op::And, &others));
        arms
    }

    /// Evaluates without noting anything.
    fn peek(&mut self, expr: &Expr) -> Val {
        let noted = self.equalities.len();
        let value = self.eval(expr);
        self.equalities.truncate(noted);
        value
    }

    /// Not zero, and zero.
    fn truth(&mut self, term: TermId) -> (TermId, TermId) {
        let zero = self.world.terms.bv(32, 0);
        let no = self.world.terms.mk(Op::Eq, &[term, zero]);
        (self.world.terms.not(no), no)
    }

    /// Code that is not followed: its result is a symbol, and what it depends on is pinned.
    pub fn ext(&mut self, pc: usize, address: &Expr, argument: &Expr) -> Result<(), End> {
        self.addresses(pc, &[&Expr::Load(Box::new(address.clone())), argument])?;
        let before = self.peek(argument);
        if !self.world.terms.is_const(before.input) && self.world.fault != Some(Fault::ForeignConstant) {
            let segment = self.close();
            let value = self.eval(argument);
            let own = std::mem::take(&mut self.equalities);
            let constant = self.world.terms.bv(32, u64::from(value.value.cast_unsigned()));
            let [cell, input] = [value.cell, value.input].map(|term| self.world.terms.mk(Op::Eq, &[term, constant]));
            let other = self.world.terms.not(cell);
            let decision = Decision {
                point: self.point(pc, 9),
                segment,
                own,
                choice: Choice::Pin(vec![other, cell]),
                taken: Arm::Nth(1),
                in_trace: true,
                counted: true,
            };
            self.decide(decision, pc, input, vec![])?;
        }
        let at = self.place(address);
        let value = before.value.wrapping_mul(2);
        let constant = self.world.terms.bv(32, u64::from(value.cast_unsigned()));
        let mut cell = constant;
        if self.world.fault != Some(Fault::ForeignConstant) {
            cell = self.world.terms.var(&format!("ext{}", self.foreign.len()), INT);
            let Op::Var(symbol) = self.world.terms.op(cell) else { unreachable!("a variable") };
            self.foreign.push((symbol, Value::bits(32, u64::from(value.cast_unsigned()))));
        }
        self.store(at, Val { value, cell, input: constant });
        Ok(())
    }

    fn point(&mut self, pc: usize, n: u32) -> PointId {
        let stack = if self.world.fault == Some(Fault::SiteOnly) {
            Vec::new()
        } else {
            self.frames.iter().map(|&(_, base, site, _)| (site, u64::from(base))).collect()
        };
        let site = u32::try_from(pc).expect("short") * 10 + n;
        self.world.points.id(&Point { site, stack, thread: 0 })
    }

    fn decide(&mut self, decision: Decision, pc: usize, taken: TermId, others: Vec<(Arm, TermId)>) -> Result<(), End> {
        if self.world.bound.is_some_and(|bound| self.decisions.len() >= bound) {
            // What happened until here is the last segment.
            self.reopen();
            return Err(End::Bound);
        }
        self.decisions.push(decision);
        self.taken.push((u32::try_from(pc).expect("short"), taken));
        self.others.push(others);
        Ok(())
    }
}
