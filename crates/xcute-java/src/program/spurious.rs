//! Loops that wait: whether a wait that ends without a notification (JLS 17.2.1) is followed by another look, and what comes before such a loop.
//!
//! A loop is what a jump back closes. On the way from the wait to that jump, and from its target to the wait, nothing may be written; and nothing called after
//! the wait. A local that is set on the way must be set again by each look.
//!
//! **Invariant.** Where this is not clear, it makes a difference.

use xcute_classfile::opcode::*;

use super::body::{Body, Insn};

/// What comes right before a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// A lock is taken: the number of the instruction.
    Lock(u32),
    /// The method begins.
    Start,
    /// Something that may depend on when it is done.
    Work,
}

/// Where the loop begins that only waits, for the wait that an instruction calls.
pub(crate) fn looks_again(body: &Body, at: u32) -> Option<u32> {
    let mut next = at + 1;
    for _ in 0..body.insns.len() {
        let &insn = body.insns.get(next as usize)?;
        if is_jump(insn) && insn.arg <= at {
            return only_waits(body, insn.arg, at).then_some(insn.arg);
        }
        match insn.op {
            GOTO => next = insn.arg,
            _ if leaves(insn) || writes(insn) => return None,
            _ => next += 1,
        }
    }
    None
}

/// Whether a loop that begins at `head`, and ends where it is last jumped back into, does nothing but wait.
fn only_waits(body: &Body, head: u32, at: u32) -> bool {
    let (before, after) = body.insns.split_at(at as usize + 1);
    let end = after.iter().rposition(|insn| is_jump(*insn) && (head..=at).contains(&insn.arg)).map_or(0, |last| last + 1);
    let before = &before[head as usize..at as usize];
    let looks = before.iter().position(|insn| is_jump(*insn)).unwrap_or(before.len());
    let kept = |(set, insn): (usize, &Insn)| {
        let loads = |other: &Insn| matches!(other.op, ILOAD..=ALOAD) && other.arg == insn.arg;
        sets(*insn) && (set > looks || before[..set].iter().any(loads))
    };
    let caught = |offset: usize| body.catches.iter().any(|catch| catch.handler as usize == at as usize + 1 + offset);
    !before.iter().any(|insn| writes(*insn))
        && !before.iter().enumerate().any(kept)
        && !after[..end].iter().enumerate().any(|(offset, insn)| writes(*insn) || leaves(*insn) || sets(*insn) && !caught(offset))
}

/// What comes right before an instruction. What only uses locals and constants is passed over; `is_final` says so of fields.
pub(crate) fn before(body: &Body, head: u32, is_final: impl Fn(u32) -> bool) -> Before {
    let enters = |from: u32| {
        let outside = |(number, insn): (u32, &Insn)| is_jump(*insn) && number < from && insn.arg > from && insn.arg <= head;
        (0..).zip(&body.insns).any(outside)
    };
    for at in (0..head).rev() {
        let insn = body.insns[at as usize];
        match insn.op {
            NOP..=ALOAD | ISTORE..=ASTORE | POP..=SWAP | I2L..=I2S => {}
            GETSTATIC | GETFIELD if is_final(insn.arg) => {}
            MONITORENTER => return if enters(at) { Before::Work } else { Before::Lock(at) },
            INVOKEVIRTUAL | INVOKEINTERFACE => {
                let call = &body.calls[insn.arg as usize];
                let locks = matches!(call.name.as_str(), "lock" | "lockInterruptibly") && call.descriptor == "()V";
                return if locks && !enters(at) { Before::Lock(at) } else { Before::Work };
            }
            _ => return Before::Work,
        }
    }
    Before::Start
}

/// Whether an instruction calls something, chooses among many ways, or ends the method.
fn leaves(insn: Insn) -> bool {
    matches!(insn.op, INVOKEVIRTUAL..=INVOKEDYNAMIC | TABLESWITCH..=RETURN | ATHROW)
}

fn is_jump(insn: Insn) -> bool {
    matches!(insn.op, GOTO | IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL)
}

fn writes(insn: Insn) -> bool {
    matches!(insn.op, PUTFIELD | PUTSTATIC | IINC | IASTORE..=SASTORE)
}

/// Whether an instruction sets a local.
fn sets(insn: Insn) -> bool {
    matches!(insn.op, ISTORE..=ASTORE)
}

#[cfg(test)]
mod tests {
    use super::super::body::Leads;
    use super::*;

    fn body(code: &[(u8, u32)]) -> Body {
        let insn = |&(op, arg): &(u8, u32)| Insn { op, arg, leads: Leads::Nothing, pc: 0, site: 0 };
        Body { insns: code.iter().map(insn).collect(), ..Body::default() }
    }

    #[test]
    fn only_a_loop_that_waits_looks_again() {
        for (code, at, expected) in [
            // while (!f) wait();
            (&[(GETSTATIC, 0), (IFNE, 5), (ALOAD, 0), (INVOKEVIRTUAL, 0), (GOTO, 0), (RETURN, 0)][..], 3, true),
            // if (!f) wait();
            (&[(GETSTATIC, 0), (IFNE, 4), (ALOAD, 0), (INVOKEVIRTUAL, 0), (RETURN, 0)][..], 3, false),
            // while (!f) { n = 1; wait(); }
            (&[(GETSTATIC, 0), (IFNE, 5), (PUTSTATIC, 0), (INVOKEVIRTUAL, 0), (GOTO, 0), (RETURN, 0)][..], 3, false),
            // while (true) { wait(); work(); }
            (&[(ALOAD, 0), (INVOKEVIRTUAL, 0), (INVOKESTATIC, 0), (GOTO, 0)][..], 1, false),
            // while (!f) { wait(); if (g) n = 1; }, where the compiler jumps from the condition to the head
            (
                &[
                    (GETSTATIC, 0),
                    (IFNE, 8),
                    (ALOAD, 0),
                    (INVOKEVIRTUAL, 0),
                    (GETSTATIC, 0),
                    (IFEQ, 0),
                    (PUTSTATIC, 0),
                    (GOTO, 0),
                    (RETURN, 0),
                ][..],
                3,
                false,
            ),
            // for (;;) { while (!f) wait(); work(); }
            (&[(GETSTATIC, 0), (IFNE, 5), (ALOAD, 0), (INVOKEVIRTUAL, 0), (GOTO, 0), (INVOKESTATIC, 0), (GOTO, 0)][..], 3, false),
            // The same with something before the inner loop.
            (
                &[(INVOKESTATIC, 0), (GETSTATIC, 0), (IFNE, 6), (ALOAD, 0), (INVOKEVIRTUAL, 0), (GOTO, 1), (INVOKESTATIC, 0), (GOTO, 0)][..],
                4,
                true,
            ),
            // while ((x = f) == 0) wait();
            (&[(GETSTATIC, 0), (ISTORE, 1), (ILOAD, 1), (IFNE, 6), (INVOKEVIRTUAL, 0), (GOTO, 0), (RETURN, 0)][..], 4, true),
            // while ((x = x + f) == 0) wait();
            (
                &[(ILOAD, 1), (GETSTATIC, 0), (IADD, 0), (ISTORE, 1), (ILOAD, 1), (IFNE, 8), (INVOKEVIRTUAL, 0), (GOTO, 0), (RETURN, 0)][..],
                6,
                false,
            ),
            // while (!f) { x = 1; wait(); }
            (&[(GETSTATIC, 0), (IFNE, 6), (ICONST_1, 0), (ISTORE, 1), (INVOKEVIRTUAL, 0), (GOTO, 0), (RETURN, 0)][..], 4, false),
            // while (!f) { wait(); x = g; }
            (&[(GETSTATIC, 0), (IFNE, 6), (INVOKEVIRTUAL, 0), (GETSTATIC, 1), (ISTORE, 1), (GOTO, 0), (RETURN, 0)][..], 2, false),
            // do wait(); while (!f);
            (&[(ALOAD, 0), (INVOKEVIRTUAL, 0), (GETSTATIC, 0), (IFEQ, 0), (RETURN, 0)][..], 1, true),
        ] {
            assert_eq!(looks_again(&body(code), at).is_some(), expected, "{code:?}");
        }
    }
    #[test]
    fn a_lock_right_before_a_loop_is_found() {
        for (code, head, expected) in [
            // synchronized (m) { while (...
            (&[(ALOAD, 0), (DUP, 0), (ASTORE, 1), (MONITORENTER, 0), (GETSTATIC, 0)][..], 4, Before::Lock(3)),
            // The same with n = 1 in between, with a read, and where something else leads into the middle.
            (&[(ALOAD, 0), (MONITORENTER, 0), (ICONST_1, 0), (PUTSTATIC, 0), (GETSTATIC, 0)][..], 4, Before::Work),
            (&[(ALOAD, 0), (MONITORENTER, 0), (GETSTATIC, 0), (ISTORE, 1), (GETSTATIC, 0)][..], 4, Before::Work),
            (&[(ALOAD, 0), (IFNULL, 4), (ALOAD, 0), (MONITORENTER, 0), (GETSTATIC, 0)][..], 4, Before::Work),
            // synchronized void f() { int n = 0; while (...
            (&[(ICONST_0, 0), (ISTORE, 1), (GETSTATIC, 0)][..], 2, Before::Start),
        ] {
            assert_eq!(before(&body(code), head, |_| false), expected, "{code:?}");
        }
    }
}
