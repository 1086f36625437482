//! Numbers the sites and the coverage bytes of a function, before it is rewritten.
//!
//! **Invariant.** The order is that of the module's text, so ids are equal in every build of the same sources. Every arm of a branch or
//! switch has a block of its own (critical edges are broken), whose coverage byte is the arm's.

use std::collections::BTreeSet;

use inkwell::llvm_sys::LLVMOpcode;
use rustc_hash::FxHashMap;
use xcute_trace::{SiteId, SiteKind};

use super::hooks;
use super::intrinsics::{self, Model};
use super::landings;
use super::llvm::{Block, Value};
use super::logical::last_operand;
use super::opcodes::{Group, group};
use super::ops;
use super::ours;
use super::runtime::ALLOCATORS;
use super::steps::{Flow, Step};
use super::walk::Walker;
use crate::instrument::compiled::{CoverageItem, FunctionInfo};

impl Walker<'_> {
    /// Numbers everything in the function.
    pub(super) fn number(&mut self, function: Value) {
        let name = function.name();
        let mut arms: FxHashMap<Block, Vec<(SiteId, u32)>> = FxHashMap::default();
        for block in function.blocks() {
            for i in block.instructions() {
                self.number_instruction(i, &name, &mut arms);
            }
        }
        let flow = self.flow(function, &arms);
        self.program.flows.push(flow);
        if !ours::is_generated(&name) && !ours::is_model(&name) {
            self.number_coverage(function, &arms);
        }
    }

    fn flow(&self, function: Value, arms: &FxHashMap<Block, Vec<(SiteId, u32)>>) -> Flow {
        let blocks = function.blocks();
        let position: FxHashMap<Block, usize> = blocks.iter().enumerate().map(|(n, &b)| (b, n)).collect();
        let steps = |block: &Block| block.instructions().into_iter().flat_map(|i| self.steps(i, arms, &position)).collect();
        Flow { function, blocks: blocks.iter().map(steps).collect() }
    }

    fn steps(&self, i: Value, arms: &FxHashMap<Block, Vec<(SiteId, u32)>>, position: &FxHashMap<Block, usize>) -> Vec<Step> {
        let goto = || Step::Goto(i.successors().iter().map(|b| position[b]).collect());
        let site = self.sites.get(&i).copied();
        match (group(i.opcode()), site) {
            (Group::Call, _) => {
                let called = self.program.instrumented.contains(&i.callee()).then(|| Step::Call(i.callee()));
                let invokes = i.opcode() == LLVMOpcode::LLVMInvoke;
                called.into_iter().chain(invokes.then(goto)).collect()
            }
            (Group::Select, Some(site)) => vec![Step::Select(site)],
            (Group::Branch, Some(site)) if !i.is_conditional() => vec![Step::Select(site), goto()],
            (Group::Branch, Some(site)) if self.program.sites.get(site).kind == SiteKind::Check => vec![goto()],
            (Group::Branch | Group::Switch, Some(site)) => {
                let mut to = vec![Vec::new(); self.program.sites.get(site).arms as usize];
                for block in i.successors() {
                    let arm = arms.get(&block).and_then(|of| of.iter().find(|(s, _)| *s == site));
                    if let Some(&(_, arm)) = arm {
                        to[arm as usize].push(position[&block]);
                    }
                }
                vec![Step::Decision(site, to)]
            }
            (Group::Branch | Group::Switch | Group::IndirectBranch, _) => vec![goto()],
            (Group::Return, _) => vec![Step::Return],
            _ => vec![],
        }
    }

    fn number_instruction(&mut self, i: Value, function: &str, arms: &mut FxHashMap<Block, Vec<(SiteId, u32)>>) {
        use SiteKind::{Branch, Check, Concretised};
        let symbolic = |v: Value| v.is_argument() || self.maybe.contains(&v);
        let access = |pointer: Value| if symbolic(pointer) { vec![Check, Concretised] } else { vec![] };
        let kinds = match group(i.opcode()) {
            Group::Branch if i.is_conditional() && i.has_metadata(self.program.check) => {
                let site = self.program.site(Check, i.place(), function, 2);
                self.sites.insert(i, site);
                return;
            }
            Group::Branch if is_decision(i) => {
                let site = self.program.site(Branch, i.place(), function, 2);
                self.sites.insert(i, site);
                let successors = i.successors();
                // The first successor is the one of "true", which is arm 1.
                arms.entry(successors[0]).or_default().push((site, 1));
                arms.entry(successors[1]).or_default().push((site, 0));
                return;
            }
            Group::Switch if !i.operand(0).is_constant_int() => return self.number_switch(i, function, arms),
            Group::Branch if last_operand(i).is_some() => {
                let place = last_operand(i).filter(|o| o.is_instruction()).map_or_else(|| i.place(), Value::place);
                let site = self.program.site(Branch, place, function, 2);
                self.sites.insert(i, site);
                return;
            }
            Group::Select if !i.has_metadata(self.program.plain_select) && i.operand(0).ty().width().is_some() && !is_first_set(i) => {
                let site = self.program.site(Branch, i.place(), function, 2);
                self.sites.insert(i, site);
                return;
            }
            Group::IndirectBranch if symbolic(i.operand(0)) => {
                let site = self.program.site(Concretised, landings::place(self.function, i), function, 2);
                self.sites.insert(i, site);
                return;
            }
            Group::Local if symbolic(i.operand(0)) => vec![Concretised],
            Group::Integer(op) if needs_check(op, i) => vec![Check],
            Group::Load => access(i.operand(0)),
            Group::Store => access(i.operand(1)),
            Group::Call => self.call_kinds(i, &symbolic),
            _ => vec![],
        };
        let place = if kinds.is_empty() { None } else { Some(i.place()) };
        for (n, kind) in kinds.into_iter().enumerate() {
            let site = self.program.site(kind, place.clone().unwrap_or_default(), function, 2);
            if n == 0 {
                self.sites.insert(i, site);
            }
        }
    }

    fn call_kinds(&self, i: Value, symbolic: &dyn Fn(Value) -> bool) -> Vec<SiteKind> {
        use SiteKind::{Assume, Check, Concretised};
        let callee = i.callee();
        let arguments = i.arguments();
        if callee.is_inline_asm() {
            return vec![];
        }
        if !callee.is_function() {
            return if symbolic(callee) { vec![Check, Concretised] } else { vec![] };
        }
        let name = callee.name();
        let block = matches!(intrinsics::model(&name), Some(Model::Copy | Model::Fill))
            || matches!(&*name, "memcpy" | "memmove" | "mempcpy" | "memset");
        let any = arguments.iter().any(|&a| symbolic(a));
        match &*name {
            _ if self.program.instrumented.contains(&callee) => vec![],
            "__xcute_assume" => vec![Assume],
            name if name == hooks::EXPLORED.again => vec![Assume],
            "__xcute_assert" => vec![Check],
            "__xcute_choose" if any => vec![Concretised],
            "__xcute_block" | "__xcute_text" => vec![Check, Concretised],
            _ if block && any => vec![Check, Concretised],
            _ if ALLOCATORS.contains(&&*name) && any => vec![Concretised],
            _ => vec![],
        }
    }

    /// Arms are the distinct destinations in the order of the cases, the default last.
    fn number_switch(&mut self, i: Value, function: &str, arms: &mut FxHashMap<Block, Vec<(SiteId, u32)>>) {
        let operands = i.operands();
        let edges = i.successors();
        let default = through(edges[0]);
        let mut targets: Vec<Block> = Vec::new();
        let mut values: Vec<Vec<u64>> = Vec::new();
        let mut of_edge = Vec::new();
        for (n, &edge) in edges.iter().enumerate().skip(1) {
            let target = through(edge);
            if target == default {
                of_edge.push((edge, None));
                continue;
            }
            let arm = targets.iter().position(|&t| t == target).unwrap_or_else(|| {
                targets.push(target);
                values.push(Vec::new());
                targets.len() - 1
            });
            values[arm].push(operands[2 * n].constant().unwrap_or(0));
            of_edge.push((edge, Some(arm)));
        }
        let count = u32::try_from(targets.len()).expect("few arms");
        let site = self.program.site(SiteKind::Switch, i.place(), function, count + 1);
        self.sites.insert(i, site);
        self.program.switches.insert(site, values);
        arms.entry(edges[0]).or_default().push((site, count));
        for (edge, arm) in of_edge {
            let arm = arm.map_or(count, |a| u32::try_from(a).expect("few arms"));
            arms.entry(edge).or_default().push((site, arm));
        }
    }

    fn number_coverage(&mut self, function: Value, arms: &FxHashMap<Block, Vec<(SiteId, u32)>>) {
        let place = function.place();
        let (calls, outside) = (Vec::new(), false);
        self.program.functions.push(FunctionInfo { name: function.name(), file: place.file, line: place.line, calls, outside });
        let index = u32::try_from(self.program.functions.len() - 1).expect("few functions");
        for (n, block) in function.blocks().into_iter().enumerate() {
            let mut lines = BTreeSet::new();
            for i in block.instructions() {
                let place = i.place();
                if place.line != 0 && i.opcode() != LLVMOpcode::LLVMPHI {
                    lines.insert((self.program.file(&place.file), place.line));
                }
            }
            let item = CoverageItem {
                function: index,
                entry: n == 0,
                arms: arms.get(&block).cloned().unwrap_or_default(),
                lines: lines.into_iter().collect(),
            };
            let byte = self.program.byte(item);
            self.block_bytes.insert(block, byte);
            let in_place = |i: &Value| i.opcode() == LLVMOpcode::LLVMSelect || (i.opcode() == LLVMOpcode::LLVMBr && !i.is_conditional());
            for i in block.instructions().into_iter().filter(in_place) {
                let Some(&site) = self.sites.get(&i) else { continue };
                let arm = |arm| CoverageItem { function: index, arms: vec![(site, arm)], ..CoverageItem::default() };
                let first = self.program.byte(arm(0));
                self.program.byte(arm(1));
                self.select_bytes.insert(i, first);
            }
        }
    }
}

/// The block after a broken critical edge.
fn through(block: Block) -> Block {
    let name = block.name();
    if name.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with("_crit_edge") { block.terminator().successors()[0] } else { block }
}

/// Names of conditions that are not in the source, without the numbers at their ends: clang adds them to read variadic arguments, to find
/// the handler of an exception, to initialise a local `static` once, and to build and destroy arrays. None can be symbolic.
const ADDED: &[&str] = &[
    "fits_in_gp",
    "fits_in_fp",
    "fits_in_regs",
    "matches",
    "guard.uninitialized",
    "cleanup.is_active",
    "cleanup.isactive",
    "arrayctor.done",
    "arraydestroy.done",
    "arraydestroy.isempty",
    "arrayinit.done",
    "arrayinit.endcheck",
    "ctor.isempty",
];

/// Conditions of the source.
fn is_decision(i: Value) -> bool {
    if !i.is_conditional() {
        return false;
    }
    let condition = i.operand(0);
    let name = condition.name();
    !condition.is_constant_int() && !ADDED.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit())) && !is_guard(condition)
}

/// Whether this thread has to initialise a local `static`.
fn is_guard(condition: Value) -> bool {
    let compares = condition.is_instruction() && condition.opcode() == LLVMOpcode::LLVMICmp;
    let left = if compares { condition.operand(0) } else { condition };
    left.is_instruction() && left.is_call() && left.callee().name() == "__cxa_guard_acquire"
}

/// `__builtin_ffs`: clang writes it as `x == 0 ? 0 : cttz(x) + 1`.
fn is_first_set(select: Value) -> bool {
    let found = select.operand(2);
    let is = |v: Value, opcode| v.is_instruction() && v.opcode() == opcode;
    let sum = if is(found, LLVMOpcode::LLVMTrunc) || is(found, LLVMOpcode::LLVMZExt) { found.operand(0) } else { found };
    is(sum, LLVMOpcode::LLVMAdd) && is(sum.operand(0), LLVMOpcode::LLVMCall) && sum.operand(0).callee().name().starts_with("llvm.cttz")
}

/// Divisions that can fail: by what is not a constant, by 0, and by -1 if signed.
fn needs_check(op: u32, i: Value) -> bool {
    let divisor = i.operand(1);
    let signed = matches!(op, ops::SDIV | ops::SREM);
    let width = i.ty().width().unwrap_or(u32::MAX);
    let safe = divisor.constant().is_some_and(|c| c != 0 && !(signed && c == u64::MAX >> (64 - width.min(64))));
    (signed || matches!(op, ops::UDIV | ops::UREM)) && width <= 64 && !safe
}
