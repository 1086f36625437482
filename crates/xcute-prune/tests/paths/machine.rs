//! The machine: runs a program on an input and writes down what a front end would: decisions, and segments over cells.
//!
//! Every value is held three times: as it is, as a term over cells at the begin of the segment, and as a term over inputs.

use std::collections::BTreeMap;

use xcute_prune::{Arm, Decision, End, Points, Run, Segment};
use xcute_term::{Model, Op, Sort, TermId, Terms, Value, VarId};

use crate::arithmetic::{apply, symbolic};
use crate::code::{Expr, Instr, MAIN, Program};

pub const INT: Sort = Sort::BitVec(32);
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
    /// Every cell is a byte, instead of an int.
    pub bytes: bool,
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
pub struct Val {
    pub value: i32,
    pub cell: TermId,
    pub input: TermId,
}

pub struct Machine<'a> {
    pub world: &'a mut World,
    pub input: Model,
    pub memory: BTreeMap<u32, (i32, TermId)>,
    /// Written in this segment.
    pub cells: BTreeMap<u32, TermId>,
    /// What the last segment wrote and noted, to go on with it.
    pub closed: (BTreeMap<u32, TermId>, Vec<TermId>),
    pub touched: BTreeMap<u32, Vec<VarId>>,
    pub equalities: Vec<TermId>,
    /// Addresses that were decided, by their term over inputs.
    pub decided: BTreeMap<TermId, u32>,
    pub reads: usize,
    pub foreign: Vec<(VarId, Value)>,
    pub decisions: Vec<Decision>,
    pub taken: Vec<(u32, TermId)>,
    pub others: Vec<Vec<(Arm, TermId)>>,
    /// Return address, base, call site, result slot.
    pub frames: Vec<(usize, u32, u32, u32)>,
    pub base: u32,
}

impl World {
    pub fn new(program: Program) -> World {
        World { program, terms: Terms::new(), points: Points::default(), bound: None, fault: None, assumes: false, bytes: false }
    }

    pub fn run(&mut self, input: &Model) -> Trace {
        let mut machine = Machine {
            world: self,
            input: input.clone(),
            memory: BTreeMap::new(),
            cells: BTreeMap::new(),
            closed: Default::default(),
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
        let zero = if machine.world.bytes { machine.world.terms.bv(8, 0) } else { machine.world.terms.bv(32, 0) };
        let initial = machine.touched.values().flatten().map(|&cell| (cell, zero)).collect();
        let Machine { input, foreign, decisions, taken, others, .. } = machine;
        Trace { run: Run { partition: 0, input, initial, foreign, decisions, last, end }, taken, others }
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
            Instr::Switch(value, targets) => {
                let arm = self.switch(pc, &value, targets.len())?;
                return Ok(targets[arm]);
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
    pub fn close(&mut self) -> Segment {
        let (cells, equalities) = (std::mem::take(&mut self.cells), std::mem::take(&mut self.equalities));
        let mut writes = Vec::new();
        for (&at, &term) in &cells {
            for (byte, var) in (0..).zip(self.cell(at)) {
                let part = if self.world.bytes { self.world.terms.mk(Op::Extract(8 * byte + 7, 8 * byte), &[term]) } else { term };
                writes.push((var, part));
            }
        }
        self.closed = (cells, equalities.clone());
        Segment { writes, equalities }
    }

    /// Takes the end of the last segment back.
    pub fn reopen(&mut self) {
        (self.cells, self.equalities) = std::mem::take(&mut self.closed);
    }

    /// The variables of a place, the lowest byte first.
    fn cell(&mut self, at: u32) -> Vec<VarId> {
        if let Some(known) = self.touched.get(&at) {
            return known.clone();
        }
        let names = &self.world.program.names;
        let name = match names.get(&at) {
            Some(name) if !name.is_empty() && names.values().filter(|other| *other == name).count() == 1 => name.clone(),
            _ => format!("m{at}"),
        };
        let terms = &mut self.world.terms;
        let mut declare = |name: &str, sort| {
            let term = terms.var(name, sort);
            terms.vars(term).first().expect("a variable")
        };
        let vars: Vec<VarId> = if self.world.bytes {
            (0..4).map(|byte| declare(&format!("{name}[{byte}]"), Sort::BitVec(8))).collect()
        } else {
            vec![declare(&name, INT)]
        };
        self.touched.insert(at, vars.clone());
        vars
    }

    /// What a place holds, over cells at the begin of the segment.
    fn held(&mut self, at: u32) -> TermId {
        let vars = self.cell(at);
        if let Some(&term) = self.cells.get(&at) {
            return term;
        }
        let terms = &mut self.world.terms;
        let parts: Vec<TermId> = vars.into_iter().map(|var| terms.var_term(var)).collect();
        parts.into_iter().reduce(|low, high| terms.mk(Op::Concat, &[high, low])).expect("at least one")
    }

    pub fn store(&mut self, at: u32, value: Val) {
        self.cell(at);
        self.memory.insert(at, (value.value, value.input));
        self.cells.insert(at, value.cell);
    }

    /// The address that an expression gives; its equation is noted where another state could give another.
    pub fn place(&mut self, address: &Expr) -> u32 {
        let address = self.eval(address);
        if !self.world.terms.is_const(address.cell) {
            let value = self.world.terms.bv(32, u64::from(address.value.cast_unsigned()));
            let equation = self.world.terms.mk(Op::Eq, &[address.cell, value]);
            self.equalities.push(equation);
        }
        address.value.cast_unsigned()
    }

    pub fn eval(&mut self, expr: &Expr) -> Val {
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
                let cell = self.held(at);
                let zero = self.world.terms.bv(32, 0);
                let (value, input) = self.memory.get(&at).copied().unwrap_or((0, zero));
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
}
