//! Waits that may end without a notification (JLS 17.2.1): whether that makes a difference.
//!
//! It makes none where the thread looks again and waits once more: in a loop that does nothing else. A loop is what a jump back closes. On the way from the wait
//! to that jump, and from its target to the wait, nothing may be written; and nothing called after the wait.
//!
//! **Invariant.** Where this is not clear, it makes a difference.

use xcute_classfile::opcode::*;

use super::body::{Body, Insn};

/// Whether the wait that an instruction calls is in a loop that only waits.
pub(crate) fn is_looked_at_again(body: &Body, at: u32) -> bool {
    let mut next = at + 1;
    for _ in 0..body.insns.len() {
        let Some(&insn) = body.insns.get(next as usize) else { return false };
        if is_jump(insn) && insn.arg <= at {
            return only_waits(body, insn.arg, at);
        }
        match insn.op {
            GOTO => next = insn.arg,
            _ if leaves(insn) || writes(insn) => return false,
            _ => next += 1,
        }
    }
    false
}

/// Whether a loop that begins at `head`, and ends where it is last jumped back into, does nothing but wait.
fn only_waits(body: &Body, head: u32, at: u32) -> bool {
    let (before, after) = body.insns.split_at(at as usize + 1);
    let end = after.iter().rposition(|insn| is_jump(*insn) && (head..=at).contains(&insn.arg)).map_or(0, |last| last + 1);
    !before[head as usize..at as usize].iter().any(|insn| writes(*insn)) && !after[..end].iter().any(|insn| writes(*insn) || leaves(*insn))
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
            // do wait(); while (!f);
            (&[(ALOAD, 0), (INVOKEVIRTUAL, 0), (GETSTATIC, 0), (IFEQ, 0), (RETURN, 0)][..], 1, true),
        ] {
            assert_eq!(is_looked_at_again(&body(code), at), expected, "{code:?}");
        }
    }
}
