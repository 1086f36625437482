//! The contract between the engine, the agent and `XcuteHost.java`: the layout of the shared memory, and what code is known by.
//!
//! One file for both Rust sides: the front end includes it. The numbers that Java needs are repeated in `XcuteHost.java` and `XcuteRt.java`, and a
//! test of the front end compares them.
//!
//! **Invariant.** The block begins with the [`Control`]; everything else is where the control says.

/// A file of this name next to an answer says that threads were held to their order until its end.
pub const KEPT: &str = ".kept";

/// What code is known by: the hash FNV-1a of its bytes.
#[must_use]
pub fn fingerprint(code: &[u8]) -> u64 {
    code.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Begins every block.
pub const MAGIC: u32 = 0x4a43_5843;

/// Ends every name of a native method's class.
pub const HOST: &str = "java/lang/XcuteHost";

/// What the JVM is asked to do.
pub mod command {
    /// Run the case.
    pub const RUN: u32 = 1;
    /// End.
    pub const QUIT: u32 = 2;
    /// Say what characters are.
    pub const TABLE: u32 = 3;
}

/// How a run ended, as far as the JVM itself knows.
pub mod outcome {
    /// It did not end yet.
    pub const RUNNING: u32 = 0;
    /// The driver returned.
    pub const RETURNED: u32 = 1;
    /// An exception left the driver; text says which.
    pub const THREW: u32 = 2;
    /// `System.exit` or its like was called.
    pub const EXITED: u32 = 3;
    /// An assumption did not hold.
    pub const REJECTED: u32 = 4;
    /// There are more events than the budget allows.
    pub const STEPS: u32 = 5;
    /// `Cute.Assert` failed; text says where.
    pub const ASSERTED: u32 = 6;
    /// The run could not begin; text says why.
    pub const BROKEN: u32 = 7;
    /// The engine ended it: nobody could go on, or was to go on. What became of the tasks is in the text.
    pub const SCHEDULED: u32 = 8;
    /// The runtime does not know what comes; text says what.
    pub const UNSUPPORTED: u32 = 9;
}

/// What the JVM wants from the engine when it rings.
pub mod request {
    /// The run is over.
    pub const DONE: u32 = 0;
    /// Who is to go on?
    pub const PICK: u32 = 1;
}

/// States of tasks.
pub mod task {
    /// Runs, or will be told to.
    pub const RUNS: u32 = 0;
    /// Wants to do its operation.
    pub const WANTS: u32 = 1;
    /// Is at its end.
    pub const ENDED: u32 = 2;
    /// Does nothing more, and keeps what it has.
    pub const HALTED: u32 = 3;
}

/// Operations of tasks.
pub mod operation {
    /// An access to memory: the place says which.
    pub const ACCESS: u32 = 0;
    /// Takes a monitor.
    pub const LOCK: u32 = 1;
    /// Releases it.
    pub const UNLOCK: u32 = 2;
    /// Releases it and begins to wait.
    pub const WAIT: u32 = 3;
    /// Takes it again after waiting.
    pub const REACQUIRE: u32 = 4;
    /// Wakes one that waits.
    pub const NOTIFY: u32 = 5;
    /// Wakes all.
    pub const NOTIFY_ALL: u32 = 6;
    /// Waits for the end of a task: `other`.
    pub const JOIN: u32 = 7;
    /// Takes a monitor if it is free.
    pub const TRY_LOCK: u32 = 8;
    /// Waits for the permit of a task, itself: `other`.
    pub const PARK: u32 = 9;
    /// Takes the permit, if it is there.
    pub const TRY_PARK: u32 = 10;
    /// Gives a task its permit: `other`.
    pub const UNPARK: u32 = 11;
    /// Says that a task is interrupted.
    pub const INTERRUPT: u32 = 12;
    /// Looks whether it is.
    pub const INTERRUPTED: u32 = 13;
    /// Ends the wait of a task: `other`.
    pub const WAKE: u32 = 14;
    /// Looks whether a task lives: `other`.
    pub const LIVES: u32 = 15;
    /// A task begins or ends: `other`.
    pub const ENDS: u32 = 16;
    /// Goes round a loop that only waits once more: until the memory that it looked at changes.
    pub const AGAIN: u32 = 17;
    /// Takes a permit, or a lock to read or to write: `other` says which. Of permits `looks` says how many there are.
    pub const ACQUIRE: u32 = 18;
    /// Takes it if that is possible.
    pub const TRY_ACQUIRE: u32 = 19;
    /// Gives it back.
    pub const RELEASE: u32 = 20;
    /// Looks at it.
    pub const LOOK: u32 = 21;

    /// What is taken: a permit, or a lock to read or to write.
    pub const PERMIT: u32 = 0;
    /// To read.
    pub const READ: u32 = 1;
    /// To write.
    pub const WRITE: u32 = 2;
    /// What is only looked at: a monitor.
    pub const MONITOR: u32 = 3;
}

/// How an operation is done, and by whom: bits of [`Row::how`].
pub mod how {
    /// It may also end because a time has passed.
    pub const ALONE: u32 = 1;
    /// The task is a daemon.
    pub const DAEMON: u32 = 2;
    /// The access is an atomic operation that may write.
    pub const UPDATES: u32 = 4;
    /// The access is a look that comes after another one: it waits until somebody has written.
    pub const AWAITS: u32 = 8;
    /// The access is volatile, whatever it accesses.
    pub const ORDERED: u32 = 16;
    /// The task is one of a pool that has nothing to do: it need not end.
    pub const IDLE: u32 = 32;
    /// What may end because a time has passed does so only when nothing else can go on.
    pub const LATE: u32 = 64;
    /// The last atomic operation of the task changed nothing.
    pub const UNCHANGED: u32 = 128;
    /// The row says which value the memory has that the task accessed last.
    pub const VALUED: u32 = 256;
    /// Where threads stand in a line makes a difference in this run.
    pub const LINES: u32 = 512;
    /// The task has a lock for reading.
    pub const READING: u32 = 1024;
}

/// Tasks of a run at most.
pub const TASKS: usize = 1024;

/// A task, and what it wants to do.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "each has its comment")]
pub struct Row {
    pub state: u32,
    pub operation: u32,
    /// Who started it, and as which of its threads, from 1.
    pub parent: u32,
    pub nth: u32,
    /// The object, by a number that is the same in all runs that begin alike; 0 for static fields.
    pub name: u32,
    /// The index of an element, another task, or the monitor of a condition.
    pub other: u32,
    /// The number of the instruction; of a task that has just been started: where that was.
    pub place: u32,
    pub how: u32,
    /// The task has its permit.
    pub permit: u32,
    /// Of a round of a loop that waits: how many cells it looked at, and in the upper half how many looks it made.
    pub looks: u32,
    /// The value of the memory that the task accessed last, after that.
    pub value: u64,
    /// The cells that it looked at after the first: their names, indices and instructions.
    pub more: [[u32; 3]; LOOKS - 1],
    pub reserved: [u32; 3],
}

/// Cells that a loop which waits may look at.
pub const LOOKS: usize = 4;

/// A [`Row`] in words.
pub const ROW: usize = size_of::<Row>() / 4;

impl Row {
    /// A row of the table.
    #[must_use]
    pub fn of(words: &[u32]) -> Row {
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        Row {
            state: word(0),
            operation: word(1),
            parent: word(2),
            nth: word(3),
            name: word(4),
            other: word(5),
            place: word(6),
            how: word(7),
            permit: word(8),
            looks: word(9),
            value: u64::from(word(10)) | u64::from(word(11)) << 32,
            more: std::array::from_fn(|at| std::array::from_fn(|part| word(12 + 3 * at + part))),
            reserved: [0; 3],
        }
    }
}

/// What a run needs, as bits of [`Control::flags`].
pub mod flag {
    /// Classes of the program are loaded again.
    pub const FRESH_PROGRAM: u32 = 1;
    /// So are the copies of classes of the JDK.
    pub const FRESH_COPIES: u32 = 2;
    /// Objects have numbers that survive garbage collection.
    pub const NUMBERED: u32 = 4;
    /// Collect garbage before the run.
    pub const COLLECT: u32 = 8;
    /// Strings and their builders report what they hold.
    pub const TEXTS: u32 = 16;
    /// So do arrays of numbers, when they are met first.
    pub const ARRAYS: u32 = 32;
    /// Threads of the program are tasks, one of which runs at a time.
    pub const THREADED: u32 = 64;
    /// They interrupt each other.
    pub const INTERRUPTS: u32 = 128;
    /// They interrupt or unpark each other, which works only when they were started.
    pub const SIGNALS: u32 = 256;
    /// They ask whether others live.
    pub const LIVES: u32 = 512;
    /// Threads wait for the monitors of others: the end of one wakes them.
    pub const ENDINGS: u32 = 1024;
    /// What is to be loaded again may be restored instead, where that is possible.
    pub const RESTORE: u32 = 2048;
    /// Threads that wait for permits, and for locks of readers and a writer, stand in a line.
    pub const LINES: u32 = 4096;
}

/// The head of the block. Numbers are of the machine's byte order.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "each has its comment")]
pub struct Control {
    pub magic: u32,
    // The hand-over: who has rung how often, and who sleeps.
    pub bell_jvm: u32,
    pub jvm_sleeps: u32,
    pub bell_engine: u32,
    pub engine_sleeps: u32,
    pub command: u32,
    /// The number of the run that is asked for, and of the one that began last.
    pub run: u32,
    pub started: u32,
    pub flags: u32,
    pub outcome: u32,
    /// Garbage collections so far, counted by the agent.
    pub collections: u32,
    /// Threads that the program made in the run; set when it has ended.
    pub threads: u32,
    /// The JVM is ready: the magic number.
    pub ready: u32,
    /// Times that the table of classes was begun again.
    pub generation: u32,
    // Where things are, and how much of them there is, in bytes.
    pub events_at: u64,
    pub events_size: u64,
    pub events_used: u64,
    pub input_at: u64,
    pub input_size: u64,
    pub text_at: u64,
    pub text_size: u64,
    pub text_used: u64,
    pub classes_at: u64,
    pub classes_size: u64,
    pub classes_used: u64,
    pub types_at: u64,
    pub types_size: u64,
    pub types_count: u64,
    /// Bytes of heap that may be in use before garbage is collected between runs.
    pub collect_above: u64,
    /// What the JVM wants: [`request`].
    pub request: u32,
    /// Who goes on, and which way; all bits are set: nobody.
    pub chosen: u32,
    pub arm: u32,
    /// Tasks of the run so far.
    pub tasks: u32,
    /// The [`Row`]s of the tasks; and a byte for each instruction: whether what it accesses is shared by tasks.
    pub tasks_at: u64,
    pub shared_at: u64,
    /// Static initialisers that began in the run; set when it has ended.
    pub initialisers: u64,
    /// Times that the classes of the program were loaded.
    pub loads: u64,
}

/// Kinds of events: the highest byte of an event's first word. The next three bytes are a position in the code, the rest is the value.
pub mod event {
    /// A block of code begins: the value is the method.
    pub const BLOCK: u8 = 1;
    /// A method begins: the value is the method. Arguments follow where the method can be called by code that is not followed.
    pub const ENTER: u8 = 2;
    /// An exception leaves a method: the value is the method.
    pub const UNWIND: u8 = 3;
    /// A call returned nothing.
    pub const VOID: u8 = 4;
    /// A value of at most 32 bits.
    pub const INT: u8 = 5;
    /// A value of 64 bits: the second word.
    pub const LONG: u8 = 6;
    /// A reference: an object's number, 0 for null. The second word has its class in the upper half, and in the lower an array's length, or the number of an enum constant, from 1.
    pub const REF: u8 = 7;
    /// The same, of an exception that a handler caught.
    pub const CAUGHT: u8 = 8;
    /// The same, of an object that is complete: made and initialised.
    pub const MADE: u8 = 9;
    /// The same, of an object that is an input.
    pub const INPUT: u8 = 10;
    /// A task announces an operation: in the place of the position stands which, the value is the instruction.
    pub const POINT: u8 = 11;
    /// It has done it: the value is the task.
    pub const STEP: u8 = 12;
    /// From here on events are those of another task: the value.
    pub const TURN: u8 = 13;
    /// Added to the kind of a reference: after its two words come the number of further words, and these, with what the object holds.
    pub const CONTENTS: u8 = 0x40;
}
