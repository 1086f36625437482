//! Races for memory that one thread publishes: the second finds it by a reference that the first wrote after its own access, without a lock. Both can never stand
//! before their accesses at the same time.
//!
//! Such a race shows on the original classes when the second stands before its access, and the first before the next thing that it does: since its access it
//! has done nothing but read and write, so nothing that it did orders the two.
//!
//! **Invariant.** Where code that is not followed may have run in between, which could have ordered them, there is no answer.

use xcute_classfile::opcode::{INVOKEDYNAMIC, INVOKEVIRTUAL};
use xcute_trace::{Operation, Record, Step};

use crate::program::Program;
use crate::replay::{Steps, Stood};

/// The step before which the first thread is to stand while the second one stands before its access: the next that is more than a read or a write. `first`
/// is a step of a record, as is the result.
pub(super) fn next(program: &Program, record: &Record, steps: &Steps, first: usize) -> Option<usize> {
    let task = record.steps.get(first)?.task();
    let plain = |step: &Step| matches!(step.next().operation, Operation::Read(_) | Operation::Write(_));
    let next = (first + 1..record.steps.len()).find(|&at| record.steps[at].task() == task && !plain(&record.steps[at]))?;
    is_quiet(program, steps.stacks.get(first)?, steps.stacks.get(next)?).then_some(next)
}

/// Whether a thread called nothing on its way from one place to another, but for the constructor of all objects. Innermost frames come first.
fn is_quiet(program: &Program, from: &[Stood], to: &[Stood]) -> bool {
    let common = from.iter().rev().zip(to.iter().rev()).take_while(|(a, b)| a.serial == b.serial).count();
    let calls = |stood: &Stood, range: std::ops::Range<usize>| {
        let body = &program.method(stood.method).body;
        let called = |op: u8, arg: u32| {
            (INVOKEVIRTUAL..=INVOKEDYNAMIC).contains(&op)
                && body.calls.get(arg as usize).is_none_or(|call| call.class != "java/lang/Object" || call.name != "<init>")
        };
        body.insns.get(range).is_none_or(|insns| insns.iter().any(|insn| called(insn.op, insn.arg)))
    };
    let whole = |stood: &Stood| 0..program.method(stood.method).body.insns.len();
    let gone = from[..from.len() - common].iter().chain(&to[..to.len() - common]).any(|stood| calls(stood, whole(stood)));
    // What a frame called at the first place has returned.
    let kept = from
        .iter()
        .rev()
        .zip(to.iter().rev())
        .take(common)
        .any(|(a, b)| b.at < a.at || a.at < b.at && calls(a, a.at as usize + 1..b.at as usize));
    !gone && !kept
}
