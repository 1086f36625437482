//! The walk over a function: every instruction gets the code that computes the handles of its result.
//!
//! A scalar has one handle, an aggregate or vector one for each leaf. Handles are ordinary values of the function, so they need no stack
//! of their own and survive exceptions and `longjmp`. What cannot be symbolic has the constant handle 0, and code that would only
//! compute zeros is not emitted.
//!
//! **Invariant.** Blocks are visited in reverse post-order, so handles of operands exist before their users, phis excepted, which are
//! completed at the end.

use inkwell::llvm_sys::LLVMOpcode;
use rustc_hash::{FxHashMap, FxHashSet};
use xcute_trace::SiteId;

use super::emit::Emit;
use super::flow;
use super::hooks;
use super::llvm::{Block, Place, Type, Value};
use super::logical::last_operand;
use super::maybe::maybe_symbolic;
use super::opcodes::{Group, group};
use super::program::Program;
use super::slots;
use super::{cold, zones};
use crate::names::ASSUMPTIONS;
use crate::tools::demangle::demangled;

/// A scalar within a type: where it lies and how it is reached.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) ty: Type,
    pub(super) offset: u64,
    pub(super) path: Vec<u32>,
}

/// The walk over one function.
pub(super) struct Walker<'p> {
    pub(super) emit: &'p Emit,
    pub(super) program: &'p mut Program,
    pub(super) function: Value,
    pub(super) handles: FxHashMap<Value, Vec<Value>>,
    pub(super) maybe: FxHashSet<Value>,
    pub(super) sites: FxHashMap<Value, SiteId>,
    /// Coverage bytes: of blocks, and the first of two of selects.
    pub(super) block_bytes: FxHashMap<Block, u32>,
    pub(super) select_bytes: FxHashMap<Value, u32>,
    /// What the last operands of `&&` and `||` are, by the ends of their blocks.
    pub(super) last_operands: FxHashMap<Value, Value>,
    /// The number of stack objects at entry, if this function has some.
    pub(super) frame: Option<Value>,
    /// Where a variadic function keeps the handles of its variadic arguments.
    pub(super) variadic: Option<Value>,
    /// The allocas that get zones in the end.
    pub(super) locals: Vec<Value>,
    /// The foreign call that called this function, if one may have.
    pub(super) inside: Option<Value>,
}

/// The numbers of a function's sites and coverage bytes.
#[derive(Default)]
pub(super) struct Numbered {
    sites: FxHashMap<Value, SiteId>,
    block_bytes: FxHashMap<Block, u32>,
    select_bytes: FxHashMap<Value, u32>,
    /// What the last operands of `&&` and `||` are, by the ends of their blocks.
    last_operands: FxHashMap<Value, Value>,
}

/// Numbers a function that is not rewritten yet.
pub(super) fn number(emit: &Emit, program: &mut Program, function: Value) -> Numbered {
    let order = flow::reverse_post_order(function);
    let original: Vec<(Block, Vec<Value>)> = order.iter().map(|&b| (b, program.own(b))).collect();
    let program_follows = program.follow;
    let mut walker = Walker::new(emit, program, function, &original);
    walker.number(function);
    let ends = function.blocks().into_iter().map(Block::terminator);
    let keep = |end, operand| if program_follows { slots::keep(emit, end, operand) } else { operand };
    let last_operands = ends.filter_map(|end| Some((end, last_operand(end)?))).map(|(end, operand)| (end, keep(end, operand))).collect();
    let Walker { sites, block_bytes, select_bytes, .. } = walker;
    Numbered { sites, block_bytes, select_bytes, last_operands }
}

/// Instruments a function; without numbers it gets them first.
pub(super) fn walk(emit: &Emit, program: &mut Program, function: Value, numbered: Option<Numbered>) {
    let numbered = numbered.unwrap_or_else(|| number(emit, program, function));
    let order = flow::reverse_post_order(function);
    let original: Vec<(Block, Vec<Value>)> = order.iter().map(|&b| (b, program.own(b))).collect();
    let size: usize = original.iter().map(|(_, i)| i.len()).sum();
    let mut walker = Walker::new(emit, program, function, &original);
    walker.take(numbered);
    let spins = if walker.program.threads { walker.program.spins.of(&order) } else { Vec::new() };
    let heads = flow::loop_heads(&order);
    let loops = flow::in_loops(&order);
    let endless = flow::endless(&original);
    // Code that runs seldom need not be fast, but ready soon.
    let inline = size <= LARGE && !walker.program.follow && !walker.program.quick;
    emit.set_inline(inline);
    if walker.program.follow {
        slots::keep_frame(function);
    }
    let cold = !walker.program.follow && cold::is_cold(function, size);
    if cold {
        walker.program.cold.push(function.name());
    }
    if cold || size > LARGE {
        cold::leave(function);
    }
    let phis = walker.phis(&original);
    walker.prologue();
    for (block, instructions) in &original {
        emit.set_inline(inline && (!(cold || walker.program.large) || loops.contains(block)));
        walker.start(*block, heads.contains(block), endless.contains(block));
        for &instruction in instructions {
            walker.instruction(instruction);
        }
    }
    walker.complete(&phis, &order);
    walker.exchanges(&order);
    for spin in spins {
        emit.at_start(spin.head);
        emit.hook("xch_spin_begin", &[]);
        for latch in spin.latches {
            emit.before(latch.terminator());
            emit.hook("xch_spin_end", &[]);
        }
    }
    for local in std::mem::take(&mut walker.locals) {
        zones::widen(emit, local);
    }
}

/// Functions of more instructions call hooks instead of inlining them: code generation would take minutes.
const LARGE: usize = 4000;

impl<'p> Walker<'p> {
    fn new(emit: &'p Emit, program: &'p mut Program, function: Value, original: &[(Block, Vec<Value>)]) -> Walker<'p> {
        Walker {
            emit,
            function,
            handles: FxHashMap::default(),
            maybe: maybe_symbolic(program, original),
            sites: FxHashMap::default(),
            block_bytes: FxHashMap::default(),
            select_bytes: FxHashMap::default(),
            last_operands: FxHashMap::default(),
            frame: None,
            variadic: None,
            locals: Vec::new(),
            inside: None,
            program,
        }
    }

    fn take(&mut self, numbered: Numbered) {
        let Numbered { sites, block_bytes, select_bytes, last_operands } = numbered;
        (self.sites, self.block_bytes, self.select_bytes, self.last_operands) = (sites, block_bytes, select_bytes, last_operands);
    }
}

impl Walker<'_> {
    fn start(&mut self, block: Block, head: bool, endless: bool) {
        self.emit.at_start(block);
        if let Some(&byte) = self.block_bytes.get(&block) {
            self.emit.hook("xch_cover", &[self.emit.int(byte)]);
        }
        if head && self.rejects(block) {
            self.emit.hook("xch_reject", &[]);
        } else if head {
            if endless {
                self.emit.hook("xch_endless", &[]);
            }
            self.emit.hook("xch_fuel", &[]);
        }
    }

    /// Whether a block is how an assumption that the program defines ends a run: a loop that nothing leaves.
    fn rejects(&self, block: Block) -> bool {
        block.terminator().successors() == [block] && ASSUMPTIONS.contains(&&*demangled(&self.function.name()))
    }

    fn instruction(&mut self, i: Value) {
        match group(i.opcode()) {
            Group::Integer(op) => self.integer(i, op),
            Group::Float(op) => self.float(i, op),
            Group::Compare => self.compare(i),
            Group::Cast => self.cast(i),
            Group::Load => self.load(i),
            Group::Store => self.store(i),
            Group::Address => self.address(i),
            Group::Local => self.local(i),
            Group::Select => self.select(i),
            Group::Branch => self.branch(i),
            Group::Switch => self.switch(i),
            Group::IndirectBranch => self.indirect_branch(i),
            Group::Return => self.ret(i),
            Group::Call => self.call(i),
            Group::Landing => self.landed(i),
            Group::Move => self.moved(i),
            Group::Phi | Group::Nothing | Group::Lowered => {}
            Group::Unreachable => self.unreachable(i),
            Group::Unsupported => self.lost(i, &format!("{:?}", i.opcode()).trim_start_matches("LLVM").to_lowercase()),
        }
    }

    /// The phis of handles, still empty.
    fn phis(&mut self, original: &[(Block, Vec<Value>)]) -> Vec<Value> {
        let mut phis = Vec::new();
        for (_, instructions) in original {
            for &i in instructions.iter().take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI) {
                if !self.maybe.contains(&i) {
                    continue;
                }
                let handles = self.leaves(i.ty()).iter().map(|_| self.emit.handle_phi(i)).collect();
                self.handles.insert(i, handles);
                phis.push(i);
            }
        }
        phis
    }

    fn complete(&mut self, phis: &[Value], order: &[Block]) {
        let reachable: FxHashSet<Block> = order.iter().copied().collect();
        for &phi in phis {
            let handles = self.handles[&phi].clone();
            for (value, from) in phi.incoming() {
                let incoming = if reachable.contains(&from) { self.all(value) } else { vec![self.emit.zero(); handles.len()] };
                for (&handle, h) in handles.iter().zip(incoming) {
                    self.emit.add_incoming(handle, h, from);
                }
            }
        }
    }

    /// A compare-exchange that expects a symbolic value counts as one that writes.
    fn exchanges(&self, order: &[Block]) {
        let hooks = order.iter().flat_map(|block| block.instructions()).filter(|i| self.program.hooks.contains(i));
        for call in hooks.collect::<Vec<_>>() {
            let handle = hooks::expected(call).map_or_else(|| self.emit.zero(), |value| self.one(value));
            if !self.emit.is_zero(handle) {
                self.emit.before(call);
                let operation = self.emit.hook("xch_exchange", &[handle, call.operand(hooks::OPERATION)]);
                self.emit.set_operand(call, hooks::OPERATION, operation);
            }
        }
    }

    /// The handles of a value's leaves.
    pub(super) fn all(&self, v: Value) -> Vec<Value> {
        match self.handles.get(&v) {
            Some(handles) => handles.clone(),
            None => vec![self.emit.zero(); self.leaves(v.ty()).len()],
        }
    }

    /// The handle of a scalar.
    pub(super) fn one(&self, v: Value) -> Value {
        self.handles.get(&v).and_then(|h| h.first().copied()).unwrap_or_else(|| self.emit.zero())
    }

    pub(super) fn set(&mut self, v: Value, handle: Value) {
        if !self.emit.is_zero(handle) {
            self.handles.insert(v, vec![handle]);
        }
    }

    pub(super) fn set_all(&mut self, v: Value, handles: Vec<Value>) {
        if handles.iter().any(|&h| !self.emit.is_zero(h)) {
            self.handles.insert(v, handles);
        }
    }

    /// Whether some handle of these values may be other than 0.
    pub(super) fn any_symbolic(&self, values: &[Value]) -> bool {
        values.iter().any(|v| self.handles.contains_key(v))
    }

    /// The scalars of a type, in memory order.
    pub(super) fn leaves(&self, ty: Type) -> Vec<Leaf> {
        let mut all = Vec::new();
        self.flatten(ty, 0, &mut Vec::new(), &mut all);
        if all.len() > MAX_LEAVES { vec![Leaf { ty, offset: 0, path: Vec::new() }] } else { all }
    }

    fn flatten(&self, ty: Type, offset: u64, path: &mut Vec<u32>, all: &mut Vec<Leaf>) {
        if all.len() > MAX_LEAVES || ty.is_void() {
            return;
        }
        let Some(parts) = ty.parts() else {
            all.push(Leaf { ty, offset, path: path.clone() });
            return;
        };
        for (i, part) in (0..).zip(parts) {
            path.push(i);
            self.flatten(part, offset + self.emit.layout.offset(ty, i), path, all);
            path.pop();
        }
    }

    /// The scalar of a value that a leaf names.
    pub(super) fn leaf(&self, v: Value, leaf: &Leaf) -> Value {
        leaf.path.iter().fold(v, |part, &i| self.emit.part(part, i))
    }

    /// A construct that is not modelled: it is counted when it meets something symbolic, and its result is concrete.
    pub(super) fn lost(&mut self, i: Value, what: &str) {
        self.untold_construct(i, what);
        let operands = if i.is_call() { i.arguments() } else { i.operands() };
        let handles: Vec<Value> = operands.iter().filter_map(|v| self.handles.get(v)).flatten().copied().collect();
        if handles.is_empty() {
            return;
        }
        let index = self.program.unsupported(&placed(i, what));
        self.emit.before(i);
        for handle in handles.into_iter().filter(|&h| !self.emit.is_zero(h)) {
            self.emit.hook("xch_lost", &[handle, self.emit.int(index)]);
        }
    }
}

/// Something that an instruction does, and where.
pub(super) fn placed(i: Value, what: &str) -> String {
    let Place { file, line, .. } = i.place();
    if line == 0 { what.to_owned() } else { format!("{what} at {file}:{line}") }
}

/// Values of more scalars are not tracked as values (in memory they are).
const MAX_LEAVES: usize = 64;
