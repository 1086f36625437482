//! Loops that may only wait: they look at what other threads can change, and do nothing else. Or they try to change it, as `compareAndSet` and `tryLock` do,
//! until they succeed.
//!
//! To go round such a loop once more makes no difference as long as nobody changes what it looked at, so a thread that does is one that waits for that. Whether
//! a round did nothing, the runtime sees: it knows what was written, and which locks are held. Here is what it cannot see: that the next round does the
//! same. So all that a loop keeps in locals is set again before it is used, and before a call of code that is not followed, the runtime learns of it: a round
//! with such a call may have done anything.
//!
//! **Invariant.** A loop is named by the instruction that it begins with. Other loops are left as they are. When its method ends, a loop is over: what a
//! method calls may be that method, whose loop says nothing of the rounds of its caller.

use rustc_hash::FxHashSet;
use xcute_classfile::access::NATIVE;
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, ClassFile, Code, Instruction, MemberRef, Operand, decode};

use super::body::{Call, Target, Way};
use super::concurrent::{LOCKS, RUNTIME};

/// A loop, by the numbers of its first instruction and of the jump that closes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    pub(super) head: usize,
    pub(super) close: usize,
}

/// A method by its name and descriptor, of whatever class: who is called is known at run time.
type Key = (String, String);

/// Methods that are followed: what they do, the runtime sees. Of calls of others it learns that they were made ([`Seen::hides`]).
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Empty where no loop of the program calls anything.
    methods: FxHashSet<Key>,
}

impl Seen {
    /// The methods of all classes that are followed, if a loop of the program calls something.
    pub(super) fn of<'a>(mut program: impl Iterator<Item = &'a ClassFile>, all: &[&ClassFile]) -> Result<Seen, ClassError> {
        let calls = |class: &ClassFile| -> Result<bool, ClassError> {
            for method in &class.methods {
                let Some(code) = Code::of(class, method)? else { continue };
                let instructions = decode(&code.bytes)?;
                let mut loops = instructions.iter().enumerate().filter_map(|(close, _)| Some((opens(&instructions, close)?, close)));
                if loops.any(|(head, close)| instructions[head..close].iter().any(is_call)) {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let mut seen = Seen::default();
        let any = program.try_fold(false, |any, class| Ok::<bool, ClassError>(any || calls(class)?))?;
        if !any {
            return Ok(seen);
        }
        let mut hidden = FxHashSet::default();
        for class in all {
            for method in &class.methods {
                let (name, descriptor) = class.name_of(method)?;
                let methods = if method.access & NATIVE != 0 { &mut hidden } else { &mut seen.methods };
                methods.insert((name.to_owned(), descriptor.to_owned()));
            }
        }
        hidden.iter().for_each(|key| {
            seen.methods.remove(key);
        });
        Ok(seen)
    }

    /// Whether a loop that waits may call a method.
    fn sees(&self, member: MemberRef<'_>) -> bool {
        is_known(member) || self.has(member)
    }

    /// Whether a method is followed, of whatever class its receiver is. Receivers of most types of the JDK, such as a stream of bytes, are its own.
    fn has(&self, member: MemberRef<'_>) -> bool {
        const OPEN: [&str; 7] = ["AutoCloseable", "CharSequence", "Comparable", "Iterable", "Number", "Object", "Runnable"];
        let class = member.class;
        let closed = match class.strip_prefix("java/lang/") {
            Some(simple) => !OPEN.contains(&simple),
            None => ["[", "java/io/", "java/net/", "java/nio/", "javax/", "jdk/", "sun/"].iter().any(|start| class.starts_with(start)),
        };
        !closed && self.methods.contains(&(member.name.to_owned(), member.descriptor.to_owned()))
    }

    /// Whether a call may do something that the runtime does not see.
    pub(super) fn hides(&self, call: &Call) -> bool {
        let member = MemberRef { class: &call.class, name: &call.name, descriptor: &call.descriptor, interface: false };
        let seen = match call.target {
            Target::Followed(_) | Target::Thread => true,
            Target::Selected => is_known(member) || self.has(member),
            Target::Foreign => call.way != Way::Dynamic && is_known(member),
            _ => false,
        };
        !seen && !self.methods.is_empty()
    }
}

/// Whether it is a method of the runtime, or one that changes nothing because its objects never change.
fn is_known(member: MemberRef<'_>) -> bool {
    const CONSTANT: [&str; 10] = ["Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Math", "Short", "String"];
    match member.class {
        RUNTIME | LOCKS | "java/util/concurrent/locks/LockSupport" => true,
        "java/lang/Thread" => {
            let followed = ["currentThread", "interrupted", "isAlive", "isInterrupted", "join", "onSpinWait", "sleep", "yield"];
            followed.contains(&member.name) && !member.descriptor.contains("Duration")
        }
        "java/lang/Object" => matches!(member.name, "<init>" | "getClass" | "notify" | "notifyAll" | "wait"),
        "java/util/concurrent/TimeUnit" => {
            let computes = ["convert", "toDays", "toHours", "toMicros", "toMillis", "toMinutes", "toNanos", "toSeconds"];
            member.name == "sleep" || computes.contains(&member.name)
        }
        class => {
            // Properties of the system, and random numbers.
            let varies = ["getBoolean", "getInteger", "getLong", "random"].contains(&member.name);
            !varies && class.strip_prefix("java/lang/").is_some_and(|simple| CONSTANT.contains(&simple))
        }
    }
}

/// The loops that may only wait.
pub(super) fn waits(instructions: &[Instruction], handlers: &FxHashSet<u32>, class: &ClassFile, seen: &Seen) -> Vec<Wait> {
    let all = (0..instructions.len()).filter_map(|close| Some(Wait { head: opens(instructions, close)?, close }));
    let mut found: Vec<Wait> = all.filter(|wait| only_waits(instructions, *wait, (handlers, class, seen))).collect();
    // Each is closed once.
    found.dedup_by_key(|wait| wait.close);
    found
}

/// Where the loop begins that a jump closes.
fn opens(instructions: &[Instruction], close: usize) -> Option<usize> {
    let jump = &instructions[close];
    let Operand::Jump(target) = jump.operand else { return None };
    if target > jump.pc || !(jump.opcode == GOTO || jump.is_conditional()) {
        return None;
    }
    instructions.binary_search_by_key(&target, |instruction| instruction.pc).ok()
}

fn only_waits(
    instructions: &[Instruction],
    Wait { head, close }: Wait,
    (handlers, class, seen): (&FxHashSet<u32>, &ClassFile, &Seen),
) -> bool {
    let (first, last) = (instructions[head].pc, instructions[close].pc);
    let enters =
        |at: usize| !(head..=close).contains(&at) && instructions[at].targets().iter().any(|target| (first + 1..=last).contains(target));
    if handlers.contains(&first) || (0..instructions.len()).any(enters) {
        return false;
    }
    let Some(leaving) = leaving(instructions, (head, close), handlers) else { return false };
    let inside: Vec<usize> = (head..close).filter(|at| !leaving.contains(at)).collect();
    let looks = |at: &usize| matches!(instructions[*at].opcode, IALOAD..=SALOAD | GETSTATIC | GETFIELD | INVOKEVIRTUAL..=INVOKEINTERFACE);
    let fine = |&at: &usize| {
        let instruction = &instructions[at];
        match instruction.opcode {
            ISTORE..=ASTORE | IINC => sets_first(instructions, (head, close), &inside, at),
            // A loop within the loop, too: what it counts in is set before.
            GOTO => true,
            _ if is_call(instruction) => {
                instruction.constant().and_then(|constant| class.pool.member(constant).ok()).is_some_and(|member| seen.sees(member))
            }
            _ => has_no_effect(instruction),
        }
    };
    inside.iter().any(looks) && inside.iter().all(fine)
}

/// The instructions of handlers within a loop that only throw on what they catch, after they gave back a monitor; `None` where a handler does more.
fn leaving(instructions: &[Instruction], (head, close): (usize, usize), handlers: &FxHashSet<u32>) -> Option<FxHashSet<usize>> {
    let mut all = FxHashSet::default();
    for handler in (head..=close).filter(|&at| handlers.contains(&instructions[at].pc)) {
        for at in handler.. {
            let instruction = instructions.get(at).filter(|_| at < close)?;
            all.insert(at);
            match instruction.opcode {
                ATHROW => break,
                ASTORE | ALOAD | MONITOREXIT => {}
                _ => return None,
            }
        }
    }
    Some(all)
}

/// Whether a local is set here in each round before it is used.
fn sets_first(instructions: &[Instruction], (head, close): (usize, usize), inside: &[usize], at: usize) -> bool {
    let Some(local) = local(&instructions[at]) else { return false };
    let uses = |other: &&usize| self::local(&instructions[**other]) == Some(local);
    let Some(&first) = inside.iter().find(uses) else { return false };
    let skips = |&&before: &&usize| {
        let to = instructions[before].targets().into_iter();
        before < first && to.into_iter().any(|target| (instructions[first].pc + 1..=instructions[close].pc).contains(&target))
    };
    let sets = matches!(instructions[first].opcode, ISTORE..=ASTORE);
    sets && !inside.iter().filter(|before| **before >= head).any(|before| skips(&before))
}

/// The local that an instruction uses.
fn local(instruction: &Instruction) -> Option<u16> {
    match (instruction.opcode, &instruction.operand) {
        (ILOAD..=ALOAD | ISTORE..=ASTORE, Operand::Local(local)) | (IINC, Operand::Increment(local, _)) => Some(*local),
        _ => None,
    }
}

fn is_call(instruction: &Instruction) -> bool {
    (INVOKEVIRTUAL..=INVOKEINTERFACE).contains(&instruction.opcode)
}

/// Whether an instruction changes nothing that the next round could see, but for what the runtime is told.
fn has_no_effect(instruction: &Instruction) -> bool {
    match instruction.opcode {
        NOP..=SALOAD | POP..=SWAP | IADD..=LXOR | I2L..=DCMPG | IRETURN..=GETSTATIC | GETFIELD => true,
        ARRAYLENGTH | ATHROW | CHECKCAST | INSTANCEOF | MONITORENTER | MONITOREXIT => true,
        _ => instruction.is_conditional(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loops_without_effects_wait() {
        let class = ClassFile::new(61, 0, "T", "java/lang/Object").unwrap();
        let loops = |code: &[u8]| waits(&decode(code).unwrap(), &FxHashSet::default(), &class, &Seen::default());
        let wait = |head, close| Wait { head, close };
        // while (f != 1) {}
        assert_eq!(loops(&[GETSTATIC, 0, 1, ICONST_1, IF_ICMPEQ, 0, 6, GOTO, 255, 249, RETURN]), [wait(0, 3)]);
        // do {} while (f == 0)
        assert_eq!(loops(&[NOP, GETSTATIC, 0, 1, IFEQ, 255, 253, RETURN]), [wait(1, 2)]);
        // The same with i++, and with a call of who knows what.
        assert_eq!(loops(&[GETSTATIC, 0, 1, ICONST_1, IF_ICMPEQ, 0, 9, IINC, 0, 1, GOTO, 255, 246, RETURN]), []);
        assert_eq!(loops(&[NOP, INVOKESTATIC, 0, 1, IFEQ, 255, 253, RETURN]), []);
        // do { x = f; } while (x == 0), and the same where the last x is looked at first.
        assert_eq!(loops(&[GETSTATIC, 0, 1, ISTORE, 5, ILOAD, 5, IFEQ, 255, 249, RETURN]), [wait(0, 3)]);
        assert_eq!(loops(&[ILOAD, 5, POP, GETSTATIC, 0, 1, ISTORE, 5, ILOAD, 5, IFEQ, 255, 246, RETURN]), []);
        // do { x = 0; for (y = 0; y < 2; y++) x = x | f; } while (x == 0): a loop within it. Where y is not set before, the next round does something else.
        let nested = |[a, b, c]: [u8; 3]| {
            let before = [ICONST_0, ISTORE, 5, a, b, c, ILOAD, 6, ICONST_2, IF_ICMPGE, 0, 18, ILOAD, 5, GETSTATIC, 0, 1, IOR];
            let after = [ISTORE, 5, IINC, 6, 1, NOP, GOTO, 255, 238, ILOAD, 5, IFEQ, 255, 227, RETURN];
            [&before[..], &after[..]].concat()
        };
        let closing = |code: &[u8]| loops(code).iter().map(|wait| wait.head).collect::<Vec<_>>();
        assert_eq!(closing(&nested([ICONST_0, ISTORE, 6])), [0]);
        assert!(closing(&nested([NOP, NOP, NOP])).is_empty());
        // Something jumps into it.
        assert_eq!(loops(&[GOTO, 0, 4, NOP, GETSTATIC, 0, 1, IFEQ, 255, 252, RETURN]), []);
    }
}
