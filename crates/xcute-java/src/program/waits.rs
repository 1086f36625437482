//! Loops that only wait: they read one cell of memory again and again, until it has another value. Or they try to change it, as `compareAndSet` does, until
//! they succeed; whether an attempt changed something, the runtime sees.
//!
//! To go round such a loop once more makes no difference as long as nobody writes the cell, so a thread that does is one that waits for a write. Nothing in the
//! loop may have an effect, and nothing else that another thread can change may decide when it ends.
//!
//! **Invariant.** A loop is named by the `goto` that closes it: whoever comes there goes round once more. Other loops are left as they are.

use xcute_classfile::access::FINAL;
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassFile, Instruction, MemberRef, Operand};

use super::names;

/// The loops that only wait: the number of each `goto`, and that of the instruction that reads, perhaps by calling a method that does nothing else.
pub(super) fn waits(instructions: &[Instruction], class: &ClassFile) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (close, instruction) in instructions.iter().enumerate().filter(|(_, instruction)| instruction.opcode == GOTO) {
        let Operand::Jump(target) = instruction.operand else { continue };
        let Some(open) = instructions[..close].iter().position(|instruction| instruction.pc == target) else { continue };
        let inside = &instructions[open..close];
        let mut reads = (open..close).filter(|&at| is_read(&instructions[at], class));
        if let (Some(read), None) = (reads.next(), reads.next())
            && inside.iter().all(|instruction| is_read(instruction, class) || has_no_effect(instruction, class))
        {
            found.push((close, read));
        }
    }
    found
}

fn is_read(instruction: &Instruction, class: &ClassFile) -> bool {
    match instruction.opcode {
        GETSTATIC | GETFIELD => !is_constant(instruction, class),
        IALOAD..=SALOAD => true,
        INVOKEVIRTUAL => member(instruction, class).is_some_and(|member| {
            let atomic = names::original(member.class).strip_prefix("java/util/concurrent/atomic/");
            matches!(member.name, "get" | "compareAndSet" | "getAndSet")
                && matches!(atomic, Some("AtomicBoolean" | "AtomicInteger" | "AtomicLong" | "AtomicReference"))
        }),
        _ => false,
    }
}

/// Whether it calls the method that reads.
pub(super) fn is_call(instruction: &Instruction) -> bool {
    instruction.opcode == INVOKEVIRTUAL
}

/// Whether it reads a field of this class that never changes.
fn is_constant(instruction: &Instruction, class: &ClassFile) -> bool {
    let is_final = |member: MemberRef<'_>| {
        let named = |field: &xcute_classfile::Member| class.name_of(field).is_ok_and(|(name, _)| name == member.name);
        member.class == class.name() && class.fields.iter().any(|field| field.access & FINAL != 0 && named(field))
    };
    member(instruction, class).is_some_and(is_final)
}

fn member<'a>(instruction: &Instruction, class: &'a ClassFile) -> Option<MemberRef<'a>> {
    class.pool.member(instruction.constant()?).ok()
}

fn has_no_effect(instruction: &Instruction, class: &ClassFile) -> bool {
    match instruction.opcode {
        NOP..=ALOAD | POP..=SWAP | IADD..=LXOR | I2L..=DCMPG | ARRAYLENGTH | INSTANCEOF => true,
        _ if instruction.is_conditional() => true,
        GETSTATIC | GETFIELD => is_constant(instruction, class),
        INVOKESTATIC => member(instruction, class).is_some_and(|member| {
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
        let class = ClassFile::new(61, 0, "T", "java/lang/Object").unwrap();
        let loops = |code: &[u8]| waits(&decode(code).unwrap(), &class);
        // while (f != 1) {}
        assert_eq!(loops(&[GETSTATIC, 0, 1, ICONST_1, IF_ICMPEQ, 0, 6, GOTO, 255, 249, RETURN]), [(3, 0)]);
        // The same with i++, and with two reads.
        assert_eq!(loops(&[GETSTATIC, 0, 1, ICONST_1, IF_ICMPEQ, 0, 9, IINC, 0, 1, GOTO, 255, 246, RETURN]), []);
        assert_eq!(loops(&[GETSTATIC, 0, 1, GETSTATIC, 0, 2, IF_ICMPEQ, 0, 6, GOTO, 255, 247, RETURN]), []);
    }
}
