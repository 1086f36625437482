//! Loops that only wait: they read one cell of memory again and again, until it has another value.
//!
//! To go round such a loop once more makes no difference as long as nobody writes the cell, so a thread that does is one that waits for a write. Nothing in the
//! loop may have an effect, and nothing else that another thread can change may decide when it ends.
//!
//! **Invariant.** A loop is named by the `goto` that closes it: whoever comes there goes round once more. Other loops are left as they are.

use xcute_classfile::opcode::*;
use xcute_classfile::{Instruction, Operand, Pool};

/// The loops that only wait: the number of each `goto`, and that of the instruction that reads.
pub(super) fn waits(instructions: &[Instruction], pool: &Pool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (close, instruction) in instructions.iter().enumerate().filter(|(_, instruction)| instruction.opcode == GOTO) {
        let Operand::Jump(target) = instruction.operand else { continue };
        let Some(open) = instructions[..close].iter().position(|instruction| instruction.pc == target) else { continue };
        let inside = &instructions[open..close];
        let mut reads = (open..close).filter(|&at| is_read(&instructions[at]));
        if let (Some(read), None) = (reads.next(), reads.next())
            && inside.iter().all(|instruction| is_read(instruction) || has_no_effect(instruction, pool))
        {
            found.push((close, read));
        }
    }
    found
}

fn is_read(instruction: &Instruction) -> bool {
    matches!(instruction.opcode, GETSTATIC | GETFIELD | IALOAD..=SALOAD)
}

fn has_no_effect(instruction: &Instruction, pool: &Pool) -> bool {
    match instruction.opcode {
        NOP..=ALOAD | POP..=SWAP | IADD..=LXOR | I2L..=DCMPG | ARRAYLENGTH | INSTANCEOF => true,
        _ if instruction.is_conditional() => true,
        INVOKESTATIC => instruction.constant().and_then(|constant| pool.member(constant).ok()).is_some_and(|member| {
            member.class == "java/lang/Thread"
                && matches!((member.name, member.descriptor), ("yield" | "onSpinWait", "()V") | ("sleep", "(J)V"))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_classfile::decode;

    #[test]
    fn only_loops_without_effects_wait() {
        let pool = Pool::default();
        let loops = |code: &[u8]| waits(&decode(code).unwrap(), &pool);
        // while (f != 1) {}
        assert_eq!(loops(&[GETSTATIC, 0, 1, ICONST_1, IF_ICMPEQ, 0, 6, GOTO, 255, 249, RETURN]), [(3, 0)]);
        // The same with i++, and with two reads.
        assert_eq!(loops(&[GETSTATIC, 0, 1, ICONST_1, IF_ICMPEQ, 0, 9, IINC, 0, 1, GOTO, 255, 246, RETURN]), []);
        assert_eq!(loops(&[GETSTATIC, 0, 1, GETSTATIC, 0, 2, IF_ICMPEQ, 0, 6, GOTO, 255, 247, RETURN]), []);
    }
}
