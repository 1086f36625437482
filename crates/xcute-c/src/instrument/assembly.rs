//! Inline assembly: its operands, and the memory that they lead to.
//!
//! What the text does is not known. Its results are concrete, and the run says so if something symbolic was among its operands or in memory that it
//! can come to. An empty text, as it keeps compilers from optimising, does nothing: its results are the operands that they share a register with. Operands
//! in memory are accesses that other threads may see; a text that does more than one of them at a time is not one step, and the run says that, too.
//!
//! **Invariant.** A text that is empty but for blanks has no effect. Every other one is code that may do everything.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use inkwell::llvm_sys::core::{LLVMGetInlineAsmAsmString, LLVMGetInlineAsmConstraintString};

use super::llvm::{Layout, Type, Value};
use super::walk::{Walker, placed};

/// What it is called in reports.
const NAME: &str = "inline assembly";
/// The same where other threads run.
const AMONG_THREADS: &str = "inline assembly, whose accesses to memory are not steps of its thread";

/// A piece of inline assembly.
pub(super) struct Assembly {
    call: Value,
    text: String,
    /// The constraints of results and operands, outputs first.
    constraints: Vec<String>,
}

/// An operand in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InMemory {
    pub(super) at: Value,
    pub(super) of: Type,
    pub(super) write: bool,
}

impl Assembly {
    /// The inline assembly that a call is; `None` if it is another call.
    pub(super) fn of(call: Value) -> Option<Assembly> {
        let callee = call.callee();
        if !callee.is_inline_asm() {
            return None;
        }
        let read = |get: unsafe extern "C" fn(_, *mut usize) -> *const std::ffi::c_char| {
            let mut length = 0;
            // SAFETY: the value is inline assembly; LLVM's text is as long as it says, and lives as long as the value.
            unsafe { String::from_utf8_lossy(std::slice::from_raw_parts(get(callee.0, &raw mut length).cast::<u8>(), length)).into_owned() }
        };
        let constraints = read(LLVMGetInlineAsmConstraintString);
        Some(Assembly { call, text: read(LLVMGetInlineAsmAsmString), constraints: constraints.split(',').map(str::to_owned).collect() })
    }

    fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The operands with their constraints. Outputs in memory are operands, other outputs are results.
    fn operands(&self) -> impl Iterator<Item = (Value, &str)> {
        let passed = |c: &&String| c.starts_with("=*") || !c.starts_with(['=', '~', '!']);
        self.call.arguments().into_iter().zip(self.constraints.iter().filter(passed).map(String::as_str))
    }

    /// The operands in memory, each once.
    pub(super) fn in_memory(&self) -> Vec<InMemory> {
        let mut out: Vec<InMemory> = Vec::new();
        for (n, (at, constraint)) in (1..).zip(self.operands()).filter(|(_, (_, c))| c.contains('*')) {
            let Some(of) = self.call.call_type_attribute(n, "elementtype") else { continue };
            let write = constraint.starts_with('=');
            match out.iter_mut().find(|known| known.at == at) {
                Some(known) => known.write |= write,
                None => out.push(InMemory { at, of, write }),
            }
        }
        out
    }

    /// Whether the text contains a name.
    fn names(&self, name: &str) -> bool {
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        self.text.split(|c| !part(c)).any(|word| word == name)
    }

    /// Whether it is one instruction that no other processor interrupts.
    pub(super) fn is_locked(&self) -> bool {
        self.is_single() && self.text.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == "lock" || word.starts_with("xchg"))
    }

    fn is_single(&self) -> bool {
        let instructions = self.text.split(['\n', ';']).map(str::trim).filter(|text| !text.is_empty() && *text != "lock");
        instructions.count() == 1
    }

    /// Whether all that it does to memory is one step: an access to one operand, or none at all.
    fn is_step(&self) -> bool {
        let in_memory = self.in_memory();
        let pointers = self.operands().filter(|(operand, c)| operand.ty().is_pointer() && !c.contains('*')).count();
        let updates = in_memory.iter().any(|one| one.write)
            && self.operands().any(|(at, c)| c == "*m" && in_memory.iter().any(|one| one.at == at && one.write));
        let one = in_memory.len() == 1 && self.is_single() && (self.is_locked() || !updates);
        pointers == 0 && (in_memory.is_empty() || one)
    }

    /// The bytes of an operand.
    pub(super) fn bytes(layout: Layout, operand: InMemory) -> u32 {
        u32::try_from(layout.size(operand.of)).unwrap_or(u32::MAX)
    }
}

impl Walker<'_> {
    /// A piece of inline assembly.
    pub(super) fn assembly(&mut self, i: Value, assembly: &Assembly) {
        if assembly.is_empty() {
            return self.empty_assembly(i, assembly);
        }
        let mut operands = i.arguments();
        operands.extend(self.program.variables.iter().filter(|(name, _)| assembly.names(name)).map(|(_, variable)| *variable));
        self.lost(i, NAME);
        if self.program.threads && !assembly.is_step() {
            let index = self.program.unsupported(&placed(i, AMONG_THREADS));
            self.emit.before(i);
            self.emit.hook("xch_unseen", &[self.emit.int(index)]);
        }
        self.emit.before(i);
        self.emit.hook("xch_leaving", &[]);
        self.departs(i, &operands, NAME);
    }

    /// Results of nothing: each is the operand that it shares a register with, or anything.
    fn empty_assembly(&mut self, i: Value, assembly: &Assembly) {
        let outputs: Vec<&String> = assembly.constraints.iter().filter(|c| c.starts_with('=')).collect();
        let results = outputs.iter().filter(|c| !c.contains('*')).count();
        let mut handles = vec![self.emit.zero(); self.leaves(i.ty()).len()];
        if handles.len() != results {
            return self.lost(i, NAME);
        }
        for (operand, constraint) in assembly.operands() {
            let Some(tied) = constraint.parse::<usize>().ok().filter(|&n| n < outputs.len()) else { continue };
            handles[outputs[..tied].iter().filter(|c| !c.contains('*')).count()] = self.one(operand);
        }
        self.set_all(i, handles);
    }
}
