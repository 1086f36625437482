//! The machine: runs a program on an input and writes down what a front end would: decisions, and segments over cells.
//!
//! Every value is held three times: as it is, as a term over cells at the begin of the segment, and as a term over inputs.

use std::collections::BTreeMap;

use xcute_prune::{Arm, Choice, Decision, End, Point, PointId, Points, Run, Segment};
use xcute_term::{Model, Op, Sort, TermId, Terms, Value, VarId};

use crate::arithmetic::{apply, symbolic};
use crate::code::{Expr, Instr, MAIN, Program};

const INT: Sort = Sort::BitVec(32);
const STEPS: usize = 3000;

/// Ways in which the machine, as a front end, can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Points are sites, without the calls that led there.
    SiteOnly,
    /// Branches that no input decides are left out.
    ConcreteUntraced,
    /// The result of foreign code is a constant.
    ForeignConstant,
    /// A symbolic address is what it was, and nobody is told.
    AddressConcretised,
}

/// What stays from run to run.
pub struct World {
    pub program: Program,
    pub terms: Terms,
    pub points: Points,
    pub bound: Option<usize>,
    pub fault: Option<Fault>,
    /// Assumptions as such, instead of as branches.
    pub assumes: bool,
}

/// A run, and its conditions over inputs.
#[derive(Clone)]
pub struct Trace {
    pub run: Run,
    /// Per decision: the site, and what the arm that was taken demands.
    pub taken: Vec<(u32, TermId)>,
    /// Per decision: the other arms, or the address.
    pub others: Vec<Vec<(Arm, TermId)>>,
}

#[derive(Clone, Copy)]
struct Val {
    value: i32,
    cell: TermId,
    input: TermId,
}

struct Machine<'a> {
    world: &'a mut World,
    input: Model,
    memory: BTreeMap<u32, (i32, TermId)>,
    /// Written in this segment.
    cells: BTreeMap<u32, TermId>,
    touched: BTreeMap<u32, VarId>,
    equalities: Vec<TermId>,
    /// Addresses that were decided, by their term over inputs.
    decided: BTreeMap<TermId, u32>,
    reads: usize,
    foreign: Vec<(VarId, Value)>,
    decisions: Vec<Decision>,
    taken: Vec<(u32, TermId)>,
    others: Vec<Vec<(Arm, TermId)>>,
    /// Return address, base, call site, result slot.
    frames: Vec<(usize, u32, u32, u32)>,
    base: u32,
}

impl World {
    pub fn new(program: Program) -> World {
        World { program, terms: Terms::new(), points: Points::default(), bound: None, fault: None, assumes: false }
    }

    pub fn run(&mut self, input: &Model) -> Trace {
        let mut machine = Machine {
            world: self,
            input: input.clone(),
            memory: BTreeMap::new(),
            cells: BTreeMap::new(),
            touched: BTreeMap::new(),
            equalities: Vec::new(),
            decided: BTreeMap::new(),
            reads: 0,
            foreign: Vec::new(),
            decisions: Vec::new(),
            taken: Vec::new(),
            others: Vec::new(),
            frames: Vec::new(),
            base: MAIN,
        };
        let end = machine.execute();
        let last = machine.close();
        let zero = machine.world.terms.bv(32, 0);
        let initial = machine.touched.values().map(|&cell| (cell, zero)).collect();
        let Machine { input, foreign, decisions, taken, others, .. } = machine;
        Trace { run: Run { input, initial, foreign, decisions, last, end }, taken, others }
    }
}

impl Machine<'_> {
    fn execute(&mut self) -> End {
        let main = *self.world.program.functions.last().expect("main");
        let mut pc = main.0;
        for _ in 0..STEPS {
            match self.step(pc) {
                Ok(next) => pc = next,
                Err(end) => return end,
            }
        }
        End::Cut
    }

    fn step(&mut self, pc: usize) -> Result<usize, End> {
        let instr = self.world.program.code[pc].clone();
        match instr {
            Instr::Store(address, value) => {
                self.addresses(pc, &[&Expr::Load(Box::new(address.clone())), &value])?;
                let (at, value) = (self.place(&address), self.eval(&value));
                self.store(at, value);
            }
            Instr::Read(address) => {
                self.addresses(pc, &[&Expr::Load(Box::new(address.clone()))])?;
                let at = self.place(&address);
                let term = self.world.terms.var(&format!("in{}", self.reads), INT);
                let Op::Var(var) = self.world.terms.op(term) else { unreachable!("a variable") };
                self.reads += 1;
                let word = self.input.word(var).unwrap_or(0);
                self.input.set_word(var, word);
                self.store(at, Val { value: (word as u32).cast_signed(), cell: term, input: term });
            }
            Instr::Ext(address, argument) => self.ext(pc, &address, &argument)?,
            Instr::Branch(condition, target) => {
                let holds = self.branch(pc, &condition, false)?;
                return Ok(if holds { pc + 1 } else { target });
            }
            Instr::Assume(condition) => {
                if !self.branch(pc, &condition, true)? {
                    return Err(End::Rejected);
                }
            }
            Instr::Jump(target) => return Ok(target),
            Instr::Call(function, arguments, slot) => {
                self.addresses(pc, &arguments.iter().collect::<Vec<_>>())?;
                let values: Vec<Val> = arguments.iter().map(|argument| self.eval(argument)).collect();
                let (start, _) = self.world.program.functions[function];
                self.frames.push((pc + 1, self.base, u32::try_from(pc).expect("short"), slot));
                // Frames are spaced evenly, so a stack of calls determines its bases.
                self.base += 100;
                for (at, value) in (self.base..).zip(values) {
                    self.store(at, value);
                }
                return Ok(start);
            }
            Instr::Return(value) => {
                self.addresses(pc, &[&value])?;
                let value = self.eval(&value);
                let (back, base, _, slot) = self.frames.pop().ok_or(End::Passed)?;
                self.base = base;
                self.store(base + slot, value);
                return Ok(back);
            }
            Instr::Bug => return Err(End::Failed),
        }
        Ok(pc + 1)
    }

    /// The end of a segment.
    fn close(&mut self) -> Segment {
        let writes = std::mem::take(&mut self.cells).into_iter().map(|(at, term)| (self.cell(at), term)).collect();
        Segment { writes, equalities: std::mem::take(&mut self.equalities) }
    }

    fn cell(&mut self, at: u32) -> VarId {
        let names = &self.world.program.names;
        let name = match names.get(&at) {
            Some(name) if !name.is_empty() && names.values().filter(|other| *other == name).count() == 1 => name.clone(),
            _ => format!("m{at}"),
        };
        let term = self.world.terms.var(&name, INT);
        let Op::Var(var) = self.world.terms.op(term) else { unreachable!("a variable") };
        self.touched.insert(at, var);
        var
    }

    fn store(&mut self, at: u32, value: Val) {
        self.cell(at);
        self.memory.insert(at, (value.value, value.input));
        self.cells.insert(at, value.cell);
    }

    /// The address that an expression gives; its equation is noted where another state could give another.
    fn place(&mut self, address: &Expr) -> u32 {
        let address = self.eval(address);
        if !self.world.terms.is_const(address.cell) {
            let value = self.world.terms.bv(32, u64::from(address.value.cast_unsigned()));
            let equation = self.world.terms.mk(Op::Eq, &[address.cell, value]);
            self.equalities.push(equation);
        }
        address.value.cast_unsigned()
    }

    fn eval(&mut self, expr: &Expr) -> Val {
        let number = |terms: &mut Terms, value: i32| {
            let term = terms.bv(32, u64::from(value.cast_unsigned()));
            Val { value, cell: term, input: term }
        };
        match expr {
            Expr::Num(value) => number(&mut self.world.terms, *value),
            Expr::Global(at) => number(&mut self.world.terms, at.cast_signed()),
            Expr::Local(slot) => number(&mut self.world.terms, (self.base + slot).cast_signed()),
            Expr::Load(address) => {
                let at = self.place(address);
                let cell = self.cell(at);
                let zero = self.world.terms.bv(32, 0);
                let (value, input) = self.memory.get(&at).copied().unwrap_or((0, zero));
                let cell = self.cells.get(&at).copied().unwrap_or_else(|| self.world.terms.var_term(cell));
                Val { value, cell, input }
            }
            Expr::Binary(operator, a, b) => {
                let (a, b) = (self.eval(a), self.eval(b));
                let value = apply(operator, a.value, b.value);
                let cell = symbolic(&mut self.world.terms, operator, a.cell, b.cell);
                let input = symbolic(&mut self.world.terms, operator, a.input, b.input);
                Val { value, cell, input }
            }
        }
    }

    /// Decides the symbolic addresses that these expressions load from.
    fn addresses(&mut self, pc: usize, exprs: &[&Expr]) -> Result<(), End> {
        let mut n = 1;
        while let Some(address) = exprs.iter().find_map(|expr| self.symbolic_address(expr)) {
            let segment = self.close();
            let address = self.eval(&address);
            let own = std::mem::take(&mut self.equalities);
            let value = address.value.cast_unsigned();
            self.decided.insert(address.input, value);
            if self.world.fault == Some(Fault::AddressConcretised) {
                // As if nothing had happened.
                self.cells = segment.writes.iter().map(|write| (self.at(write.0), write.1)).collect();
                self.equalities = segment.equalities;
                continue;
            }
            let constant = self.world.terms.bv(32, u64::from(value));
            let same = self.world.terms.mk(Op::Eq, &[address.input, constant]);
            let decision =
                Decision { point: self.point(pc, n), segment, own, choice: Choice::Address(address.cell), taken: Arm::Value(value.into()) };
            self.decide(decision, pc, same, vec![(Arm::Rest, address.input)])?;
            n += 1;
        }
        Ok(())
    }

    fn at(&self, cell: VarId) -> u32 {
        *self.touched.iter().find(|touched| *touched.1 == cell).expect("it was touched").0
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

    fn branch(&mut self, pc: usize, condition: &Expr, assume: bool) -> Result<bool, End> {
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
        let closed = matches!(choice, Choice::Assume(..));
        let decision = Decision { point, segment, own, choice, taken: arm };
        let (this, other) = if taken { (holds, fails) } else { (fails, holds) };
        let others = if closed || self.world.terms.is_const(other) { vec![] } else { vec![(Arm::Nth(u32::from(!taken)), other)] };
        self.decide(decision, pc, this, others)?;
        Ok(taken)
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
    fn ext(&mut self, pc: usize, address: &Expr, argument: &Expr) -> Result<(), End> {
        self.addresses(pc, &[&Expr::Load(Box::new(address.clone())), argument])?;
        let before = self.peek(argument);
        if !self.world.terms.is_const(before.input) && self.world.fault != Some(Fault::ForeignConstant) {
            let segment = self.close();
            let value = self.eval(argument);
            let own = std::mem::take(&mut self.equalities);
            let constant = self.world.terms.bv(32, u64::from(value.value.cast_unsigned()));
            let [cell, input] = [value.cell, value.input].map(|term| self.world.terms.mk(Op::Eq, &[term, constant]));
            let other = self.world.terms.not(cell);
            let decision = Decision { point: self.point(pc, 9), segment, own, choice: Choice::Pin(vec![other, cell]), taken: Arm::Nth(1) };
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
            let Segment { writes, equalities } = decision.segment;
            self.cells = writes.into_iter().map(|(cell, term)| (self.at(cell), term)).collect();
            self.equalities = equalities;
            return Err(End::Bound);
        }
        self.decisions.push(decision);
        self.taken.push((u32::try_from(pc).expect("short"), taken));
        self.others.push(others);
        Ok(())
    }
}
