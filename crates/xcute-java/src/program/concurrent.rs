//! What threads need in the code: before each access to memory a word to the runtime, which may let others run first; monitors that are the runtime's; and
//! calls that start threads, wait and wake.
//!
//! Only programs that mention threads have it. A place is the number of an instruction among those of all methods.
//!
//! **Invariant.** Inserted code has no effect on the stack; a replacement has that of what it replaces.

use xcute_classfile::assemble::{Assembler, Body};
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, ClassFile, Kind, MemberRef, Pool, access};

use super::body::Call;
use super::tables::Tables;

pub(crate) const RUNTIME: &str = "java/lang/XcuteThreads";
/// The part of it that is about permits, and locks for readers and a writer.
pub(crate) const LOCKS: &str = "java/lang/XcuteLocks";

/// Whether a program that mentions this class has threads.
pub(super) fn is_about_threads(class: &str) -> bool {
    matches!(class, "java/lang/Thread" | "java/lang/invoke/VarHandle" | "java/util/Timer") || class.starts_with("java/util/concurrent/")
}

/// Which accesses are special.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Special {
    /// To a field of an object that nobody else can have yet, because its constructor has not begun.
    pub(super) fresh: bool,
    /// In the initialiser of a class. Its accesses are not steps, so what they write is not said; some are nearly as long as methods can be.
    pub(super) initial: bool,
}

/// Before an access to memory.
pub(super) fn before_access(pool: &mut Pool, opcode: u8, kind: Kind, place: u32, special: Special) -> Result<Vec<u8>, ClassError> {
    let mut code = Assembler::new();
    let wide = kind.places() == 2;
    let (name, descriptor) = match opcode {
        GETSTATIC | PUTSTATIC => {
            code.op(ACONST_NULL);
            ("p", "(Ljava/lang/Object;I)V")
        }
        GETFIELD => {
            code.op(DUP);
            ("f", "(Ljava/lang/Object;I)V")
        }
        PUTFIELD if special.fresh => return Ok(Vec::new()),
        PUTFIELD => {
            if wide {
                code.op(DUP2_X1).op(POP2).op(DUP_X2);
            } else {
                code.op(DUP2).op(POP);
            }
            ("f", "(Ljava/lang/Object;I)V")
        }
        IALOAD..=SALOAD => {
            code.op(DUP2);
            ("q", "(Ljava/lang/Object;II)V")
        }
        IASTORE..=SASTORE => {
            if matches!(opcode, LASTORE | DASTORE) {
                code.op(DUP2_X2).op(POP2).op(DUP2_X2);
            } else {
                code.op(DUP_X2).op(POP).op(DUP2_X1);
            }
            ("q", "(Ljava/lang/Object;II)V")
        }
        _ => return Ok(Vec::new()),
    };
    call(&mut code, pool, name, descriptor, place)?;
    if !special.initial {
        written(&mut code, pool, opcode, kind)?;
    }
    Ok(code.finish())
}

/// Says which value is about to be written, which is on top of the stack.
fn written(code: &mut Assembler, pool: &mut Pool, opcode: u8, kind: Kind) -> Result<(), ClassError> {
    let kind = match opcode {
        PUTSTATIC | PUTFIELD => kind,
        IASTORE | BASTORE..=SASTORE => Kind::Int,
        LASTORE => Kind::Long,
        FASTORE => Kind::Float,
        DASTORE => Kind::Double,
        AASTORE => Kind::Reference,
        _ => return Ok(()),
    };
    let descriptor = match kind {
        Kind::Long => "(J)V",
        Kind::Float => "(F)V",
        Kind::Double => "(D)V",
        Kind::Reference => "(Ljava/lang/Object;)V",
        _ => "(I)V",
    };
    code.op(if kind.places() == 2 { DUP2 } else { DUP });
    code.call_static(pool, RUNTIME, "v", descriptor)?;
    Ok(())
}

fn call(code: &mut Assembler, pool: &mut Pool, name: &str, descriptor: &str, place: u32) -> Result<(), ClassError> {
    code.int(pool, place.cast_signed())?;
    code.call_static(pool, RUNTIME, name, descriptor)?;
    Ok(())
}

/// In place of `monitorenter` and `monitorexit`.
pub(super) fn monitor(pool: &mut Pool, opcode: u8, place: u32) -> Result<Vec<u8>, ClassError> {
    let mut code = Assembler::new();
    call(&mut code, pool, if opcode == MONITORENTER { "enter" } else { "exit" }, "(Ljava/lang/Object;I)V", place)?;
    Ok(code.finish())
}

/// When a method begins: a synchronized one takes its monitor, a static initialiser says so.
pub(super) fn beginning(class: &mut ClassFile, name: &str, flags: u16, place: u32) -> Result<Vec<u8>, ClassError> {
    let mut code = Assembler::new();
    if flags & access::SYNCHRONIZED != 0 {
        if flags & access::STATIC != 0 {
            let own = class.name().to_owned();
            let constant = class.pool.add_class(&own)?;
            code.with(LDC_W, constant);
        } else {
            code.local(ALOAD, 0);
        }
        call(&mut code, &mut class.pool, "enterMethod", "(Ljava/lang/Object;I)V", place)?;
    }
    if name == "<clinit>" {
        code.op(ICONST_1).call_static(&mut class.pool, RUNTIME, "initialising", "(I)V")?;
    }
    Ok(code.finish())
}

/// When it is left, in whatever way.
pub(super) fn leaving(pool: &mut Pool, name: &str, flags: u16, place: u32) -> Result<Vec<u8>, ClassError> {
    let mut code = Assembler::new();
    if flags & access::SYNCHRONIZED != 0 {
        call(&mut code, pool, "leaveMethod", "(I)V", place)?;
    }
    if name == "<clinit>" {
        code.op(ICONST_M1).call_static(pool, RUNTIME, "initialising", "(I)V")?;
    }
    Ok(code.finish())
}

/// A word to the runtime: `made` after a constructor of `Thread`, because it counts who was made; `hidden` before a call that may do what it does not see;
/// `endsLoops` at the end of a method with loops that may only wait.
pub(super) fn say(pool: &mut Pool, word: &str) -> Result<Vec<u8>, ClassError> {
    let mut code = Assembler::new();
    code.call_static(pool, RUNTIME, word, "()V")?;
    Ok(code.finish())
}

/// For a loop that may only wait, which is named by where it begins: there `again`, before it goes round once more `closes`, and `leaves` where that does not happen.
pub(super) fn looks(pool: &mut Pool, method: &str, head: u32) -> Result<Vec<u8>, ClassError> {
    let mut code = Assembler::new();
    call(&mut code, pool, method, "(I)V", head)?;
    Ok(code.finish())
}

/// Classes whose methods wait for other threads in a way that is not followed: while they wait, nobody would run.
const WAITING: [&str; 16] = [
    "CompletableFuture",
    "CountDownLatch",
    "CyclicBarrier",
    "DelayQueue",
    "Exchanger",
    "FutureTask",
    "LinkedTransferQueue",
    "Phaser",
    "PriorityBlockingQueue",
    "ScheduledThreadPoolExecutor",
    "Semaphore",
    "SynchronousQueue",
    "java/util/Timer",
    "locks/ReentrantLock",
    "locks/ReentrantReadWriteLock",
    "locks/StampedLock",
];

/// Whether the methods of a class wait for other threads.
pub(super) fn waits(class: &str) -> bool {
    WAITING.contains(&class.strip_prefix("java/util/concurrent/").unwrap_or(class))
}

/// The body of a method that a model lacks: the run ends there, and the search knows why.
pub(super) fn lacking(pool: &mut Pool, what: &str) -> Result<Body, ClassError> {
    let mut code = Assembler::new();
    code.string(pool, &format!("{what} is not followed"))?;
    code.call_static(pool, RUNTIME, "unsupported", "(Ljava/lang/String;)Ljava/lang/RuntimeException;")?.op(ATHROW);
    Ok(Body { code, stack: 2, locals: 0 })
}

/// Before an object is made of a class that is not followed and waits for others: the run ends here, and the search knows why.
pub(super) fn refusal(pool: &mut Pool, constant: u16) -> Result<Vec<u8>, ClassError> {
    let member = pool.member(constant)?;
    if member.name != "<init>" || !waits(member.class) {
        return Ok(Vec::new());
    }
    let what = format!("{} is not followed", member.class.replace('/', "."));
    let mut code = Assembler::new();
    code.string(pool, &what)?.call_static(pool, RUNTIME, "unsupported", "(Ljava/lang/String;)Ljava/lang/RuntimeException;")?.op(POP);
    Ok(code.finish())
}

/// Whether a call asks who stands in a line: for several permits, which one that wants more can have to wait for; or for the line itself.
pub(super) fn needs_lines(call: &Call) -> bool {
    let (name, descriptor) = (call.name.as_str(), call.descriptor.as_str());
    // To try for several, without a time, is not to wait for them.
    let several =
        matches!(name, "acquire" | "acquireUninterruptibly" | "tryAcquire") && descriptor.starts_with("(I") && descriptor != "(I)Z";
    several || matches!(name, "reducePermits" | "hasQueuedThreads" | "hasQueuedThread" | "getQueueLength" | "getQueuedThreads")
}

/// What takes the place of a call; `None` where it is like any other.
pub(super) fn replacement(pool: &mut Pool, tables: &mut Tables, member: MemberRef<'_>, place: u32) -> Result<Option<Vec<u8>>, ClassError> {
    let (name, descriptor) = match (member.name, member.descriptor) {
        ("wait", "()V") => ("await", "(Ljava/lang/Object;I)V"),
        ("wait", "(J)V") => ("await", "(Ljava/lang/Object;JI)V"),
        ("wait", "(JI)V") => ("await", "(Ljava/lang/Object;JII)V"),
        ("notify", "()V") => ("wake", "(Ljava/lang/Object;I)V"),
        ("notifyAll", "()V") => ("wakeAll", "(Ljava/lang/Object;I)V"),
        ("sleep", "(J)V") if member.class == "java/util/concurrent/TimeUnit" => ("sleep", "(Ljava/util/concurrent/TimeUnit;JI)V"),
        _ if member.class == "java/util/concurrent/locks/LockSupport" => match (member.name, member.descriptor) {
            ("park", "()V") => ("park", "(I)V"),
            ("park", "(Ljava/lang/Object;)V") => ("park", "(Ljava/lang/Object;I)V"),
            ("parkNanos" | "parkUntil", "(J)V") => ("parkNanos", "(JI)V"),
            ("parkNanos" | "parkUntil", "(Ljava/lang/Object;J)V") => ("parkNanos", "(Ljava/lang/Object;JI)V"),
            ("unpark", "(Ljava/lang/Thread;)V") => ("unpark", "(Ljava/lang/Thread;I)V"),
            _ => return Ok(None),
        },
        _ => {
            let declared = tables.hierarchy.resolve(member.class, member.name, member.descriptor);
            if declared.is_none_or(|declared| declared.class != "java/lang/Thread") {
                return Ok(None);
            }
            match (member.name, member.descriptor) {
                ("start", "()V") => ("start", "(Ljava/lang/Thread;I)V"),
                ("join", "()V") => ("join", "(Ljava/lang/Thread;I)V"),
                ("join", "(J)V") => ("join", "(Ljava/lang/Thread;JI)V"),
                ("isAlive", "()Z") => ("isAlive", "(Ljava/lang/Thread;I)Z"),
                ("interrupt", "()V") => ("interrupt", "(Ljava/lang/Thread;I)V"),
                ("isInterrupted", "()Z") => ("isInterrupted", "(Ljava/lang/Thread;I)Z"),
                ("interrupted", "()Z") => ("interrupted", "(I)Z"),
                ("sleep", "(J)V") => ("sleep", "(JI)V"),
                ("sleep", "(JI)V") => ("sleep", "(JII)V"),
                ("yield" | "onSpinWait", "()V") => ("yield", "(I)V"),
                ("currentThread", "()Ljava/lang/Thread;") => ("currentThread", "(I)Ljava/lang/Thread;"),
                ("holdsLock", "(Ljava/lang/Object;)Z") => ("holdsLock", "(Ljava/lang/Object;I)Z"),
                _ => return Ok(None),
            }
        }
    };
    let mut code = Assembler::new();
    call(&mut code, pool, name, descriptor, place)?;
    Ok(Some(code.finish()))
}

/// Whether a method of `Thread` can be called as it is, though the threads of a program never run themselves.
pub(crate) fn is_harmless(name: &str) -> bool {
    let known = [
        "<init>",
        "run",
        "getName",
        "setName",
        "getId",
        "threadId",
        "getPriority",
        "setPriority",
        "isDaemon",
        "setDaemon",
        "getThreadGroup",
        "getContextClassLoader",
        "setContextClassLoader",
        "toString",
        "isVirtual",
    ];
    known.contains(&name)
}
