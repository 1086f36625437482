//! The contract between the engine, the agent and `XcuteHost.java`: the layout of the shared memory.
//!
//! One file for both Rust sides: the front end includes it. The numbers that Java needs are repeated in `XcuteHost.java` and `XcuteRt.java`, and a
//! test of the front end compares them.
//!
//! **Invariant.** The block begins with the [`Control`]; everything else is where the control says.

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
}

/// What a string or array may hold at most to be reported.
pub const LONGEST_CONTENTS: u32 = 4096;

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
    /// A reference: an object's number, 0 for null. The second word has its class in the upper half, and an array's length in the lower.
    pub const REF: u8 = 7;
    /// The same, of an exception that a handler caught.
    pub const CAUGHT: u8 = 8;
    /// The same, of an object that is complete: made and initialised.
    pub const MADE: u8 = 9;
    /// The same, of an object that is an input.
    pub const INPUT: u8 = 10;
    /// Added to the kind of a reference: after its two words come the number of further words, and these, with what the object holds.
    pub const CONTENTS: u8 = 0x40;
}
