//! The block of memory shared with the subject: Rust's view of `runtimes/c/wire.h`.
//!
//! Field names are those of the C structures, where they are explained.
//!
//! **Invariant.** Layouts and numbers are equal on both sides: the tests let clang compare them.

pub mod types;

use self::types::XC_ROOT;
pub use self::types::{XcField, XcType};

/// Marks a block, and a subject that is ready.
pub const MAGIC: u32 = 0x7475_6378;
/// The version of this layout.
pub const VERSION: u32 = 1;
/// Where the subject maps the block.
pub const SHARED: u64 = 0x1000_0000;
/// Where the block must end.
pub const SHARED_END: u64 = 0x6000_0000;
/// Where the coverage map is in the block.
pub const COVERAGE_AT: u64 = 0x1000;
/// Addresses of input objects.
pub const INPUTS: u64 = 0x1_0000_0000;
/// The signal that ends a run that takes too long.
pub const ALARM: i32 = 24;
/// The most frames of a stack.
pub const FRAMES: usize = 64;
/// The most return addresses that say where a heap object comes from.
pub const ORIGIN: usize = 4;
/// The most return addresses that say where a step was made.
pub const STEP_FRAMES: usize = 4;
/// At most this many failures after the first one of a run are recorded.
pub const LATER: usize = 16;
/// The most tasks of a campaign.
pub const TASKS: usize = 1024;
/// The most bytes of a message.
pub const MESSAGE: usize = 512;

/// Commands to the subject.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod command {
    pub const RUN: u32 = 1;
    pub const QUIT: u32 = 2;
    pub const GLANCE: u32 = 3;
}

/// What is said of a run that used up its steps and came back to no state that it was in: it may end later.
pub const OPEN_END: &str = "the run does not end within its steps, and comes back to no state that it was in";

/// How a run ended.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod outcome {
    pub const RUNNING: u32 = 0;
    pub const RETURNED: u32 = 1;
    pub const EXITED: u32 = 2;
    pub const REJECTED: u32 = 3;
    pub const SIGNALLED: u32 = 4;
    pub const ASSERTED: u32 = 5;
    pub const ABORTED: u32 = 6;
    pub const OUT_OF_FUEL: u32 = 7;
    pub const OUT_OF_MEMORY: u32 = 8;
    pub const OUT_OF_TRACE: u32 = 9;
    pub const CHECK_FAILED: u32 = 10;
    pub const STACK_OVERFLOW: u32 = 11;
    pub const TIMED_OUT: u32 = 12;
    pub const UNCAUGHT: u32 = 13;
    pub const STUCK: u32 = 14;
}

/// Checks that the runtime makes.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod check {
    pub const DIVISION: u32 = 1;
    pub const DIV_OVERFLOW: u32 = 2;
    pub const NULL: u32 = 3;
    pub const BOUNDS: u32 = 4;
    pub const UNREACHABLE: u32 = 5;
    pub const FREED: u32 = 6;
    pub const LEFT: u32 = 7;
    pub const DOUBLE_FREE: u32 = 8;
    pub const INVALID_FREE: u32 = 9;
    pub const UNINITIALISED: u32 = 10;
    pub const LEAK: u32 = 11;
    pub const UNLOCK: u32 = 12;
    pub const DESTROYED: u32 = 13;
    pub const JOIN: u32 = 14;
    pub const OVERFLOW: u32 = 32;
    pub const SHIFT: u32 = 33;
    pub const ALIGNMENT: u32 = 34;
    pub const INDEX: u32 = 35;
    pub const UNDEFINED: u32 = 36;
}

/// What an access does.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod access {
    pub const READ: u32 = 0;
    pub const WRITE: u32 = 1;
    pub const FREE: u32 = 2;
    pub const DECIDE: u32 = 3;
    pub const ADDRESS: u32 = 4;
}

/// Kinds of objects.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod object {
    pub const NONE: u32 = 0;
    pub const HEAP: u32 = 1;
    pub const STACK: u32 = 2;
    pub const GLOBAL: u32 = 3;
    pub const INPUT: u32 = 4;
}

/// Kinds of events.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod event {
    pub const BRANCH: u16 = 1;
    pub const SWITCH: u16 = 2;
    pub const CHECK: u16 = 3;
    pub const ASSUME: u16 = 4;
    pub const PIN: u16 = 5;
    pub const INPUT: u16 = 6;
    pub const FOREIGN: u16 = 7;
    pub const UNSUPPORTED: u16 = 8;
    pub const STALE: u16 = 9;
    pub const STEP: u16 = 10;
    pub const LOAD: u16 = 11;
    pub const STORE: u16 = 12;
    pub const EQUAL: u16 = 13;
    pub const ENTER: u16 = 14;
    pub const FRAME: u16 = 15;
    pub const TOUCH: u16 = 16;
    pub const COPY: u16 = 17;
    pub const BLANK: u16 = 18;
    pub const LOCAL: u16 = 19;
    pub const ALLOC: u16 = 20;
    pub const FREE: u16 = 21;
    pub const LOST: u16 = 22;
    pub const ASKED: u16 = 23;
    pub const MADE: u16 = 24;
    pub const PLACE: u16 = 25;
}

/// What cannot be recorded when memory is followed.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod untold {
    pub const CONSTRUCT: u32 = 0;
    pub const FOREIGN: u32 = 1;
    pub const SIZE: u32 = 2;
    pub const VARIADIC: u32 = 3;
    pub const STACK: u32 = 4;
    pub const BLOCK: u32 = 5;
}

/// Visible operations.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod operation {
    pub const READ: u16 = 1;
    pub const WRITE: u16 = 2;
    pub const LOAD: u16 = 3;
    pub const STORE: u16 = 4;
    pub const UPDATE: u16 = 5;
    pub const COMPARE_EXCHANGE: u16 = 6;
    pub const LOCK: u16 = 7;
    pub const TRY_LOCK: u16 = 8;
    pub const UNLOCK: u16 = 9;
    pub const SEM_WAIT: u16 = 10;
    pub const SEM_TRY_WAIT: u16 = 11;
    pub const SEM_POST: u16 = 12;
    pub const READ_LOCK: u16 = 13;
    pub const TRY_READ_LOCK: u16 = 14;
    pub const READ_UNLOCK: u16 = 15;
    pub const WRITE_LOCK: u16 = 16;
    pub const TRY_WRITE_LOCK: u16 = 17;
    pub const WRITE_UNLOCK: u16 = 18;
    pub const WAIT: u16 = 19;
    pub const REACQUIRE: u16 = 20;
    pub const NOTIFY: u16 = 21;
    pub const NOTIFY_ALL: u16 = 22;
    pub const ARRIVE: u16 = 23;
    pub const PASS: u16 = 24;
    pub const JOIN: u16 = 25;
    pub const YIELD: u16 = 26;
    pub const AWAIT: u16 = 27;
    pub const FENCE: u16 = 28;
    pub const PARK: u16 = 29;
    pub const RESUME: u16 = 30;
    pub const BEGIN: u16 = 31;
    /// A flag of `REACQUIRE`.
    pub const ALONE: u16 = 1;
    /// Another one.
    pub const SPURIOUS: u16 = 2;
    /// A flag of `UNLOCK`.
    pub const DESTROYS: u16 = 4;
    /// A flag of `COMPARE_EXCHANGE`: it depends on the input whether it writes.
    pub const UNSURE: u16 = 16;
    /// In an atomic section.
    pub const SECTION: u16 = 32;
    /// What an atomic operation or a fence orders.
    pub const ACQUIRES: u16 = 64;
    /// The same.
    pub const RELEASES: u16 = 128;
    /// The same for a compare-exchange that fails.
    pub const ACQUIRES_FAILED: u16 = 256;
    /// Its order is weaker than sequential consistency.
    pub const WEAKER: u16 = 512;
    /// A flag of `AWAIT`: an assumption does not hold.
    pub const ASSUMES: u16 = 1024;
    /// It is code that is not instrumented which does it.
    pub const ELSEWHERE: u16 = 2048;
}

/// How a step was made ([`XcStep::how`]).
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod step {
    pub const GLUED: u32 = 1;
    pub const OUTSIDE: u32 = 2;
    pub const OUTSIDE_BEFORE: u32 = 4;
}

/// The abstract objects of code that is not instrumented: their first address, and what they are.
pub const OUTSIDE: u64 = 0x1800_000a_0000;
/// See [`OUTSIDE`].
pub const OUTSIDE_NAMES: [&str; 6] =
    ["code that is not instrumented", "files", "the environment", "random numbers", "buffers of the C library", "the process"];

/// How the schedule of a run ended.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod run_end {
    pub const FINISHED: u32 = 0;
    pub const ASLEEP: u32 = 1;
    pub const CUT: u32 = 2;
}

/// Which thread runs when the plan is used up.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod choose {
    pub const LOWEST: u32 = 0;
    pub const CURRENT: u32 = 1;
    pub const WALK: u32 = 2;
    pub const PCT: u32 = 3;
    pub const POS: u32 = 4;
}

/// Reserved indices of `UNSUPPORTED` events.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod lost {
    pub const THREAD: u32 = 0xffff_ff00;
    pub const INPUT: u32 = 0xffff_ff01;
    pub const FILE: u32 = 0xffff_ff02;
    pub const FUTEX: u32 = 0xffff_ff03;
    pub const REACH: u32 = 0xffff_ff04;
    pub const CHILD: u32 = 0xffff_ff05;
    pub const MEMORY: u32 = 0xffff_ff06;
    pub const NAME: u32 = 0xffff_ff07;
    pub const MAPPING: u32 = 0xffff_ff08;
    pub const DIRECTORY: u32 = 0xffff_ff09;
    pub const SIZE: u32 = 0xffff_ff0a;
    pub const WIDE: u32 = 0xffff_ff0b;
    pub const BUFFERED: u32 = 0xffff_ff0c;
    pub const PROCESS: u32 = 0xffff_ff0d;
}

/// Why a subject cannot start.
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod start {
    pub const NO_MEMORY: u32 = 1;
    pub const TOO_BIG: u32 = 2;
    pub const NOTHING_MAPPED: i32 = 71;
}

/// Options in [`XcControl::flags`].
#[allow(missing_docs, reason = "explained in wire.h")]
pub mod flag {
    pub const SNAPSHOT_LIBC: u32 = 1;
    pub const RANDOM_DEFAULTS: u32 = 2;
    pub const SIGNALS: u32 = 4;
    pub const FILES: u32 = 8;
    pub const OUTPUT: u32 = 16;
    pub const FORK: u32 = 32;
    pub const LEAKS: u32 = 64;
    pub const INITIALISED: u32 = 128;
    pub const FOLLOW: u32 = 256;
    pub const UNIFORM: u32 = 512;
}

macro_rules! mirrored {
    ($($(#[$doc:meta])* $rust:ident = $c:literal { $($field:ident : $type:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[repr(C)]
            #[derive(Clone, Copy, Debug)]
            #[allow(missing_docs, reason = "explained in wire.h")]
            pub struct $rust { $(pub $field: $type),* }
        )*

        /// For each structure its C name, its size, and the offset of each field.
        #[must_use]
        pub fn layout() -> Vec<(&'static str, usize, Vec<(&'static str, usize)>)> {
            vec![$(($c, size_of::<$rust>(), vec![$((stringify!($field), std::mem::offset_of!($rust, $field))),*])),*]
        }
    };
}

mirrored! {
    /// The head of the block.
    XcControl = "xc_control" {
        fuel: i64, n_nodes: u32, n_events: u32, n_aux: u32, recording: u32, ret: u32, n_args: u32, concurrent: u32, pad0: u32, tag: u64, args: [u32; 512],
        magic: u32, version: u32, bell_subject: u32, bell_engine: u32, subject_sleeps: u32, engine_sleeps: u32, command: u32, run: u32,
        fuel_limit: i64, heap_limit: u64, max_nodes: u32, max_events: u32, max_aux: u32, max_vars: u32,
        exact_object: u32, default_string: u32, flags: u32, coverage_bytes: u32, seed: u64, spin: u32, engine_pid: u32,
        nodes_at: u64, events_at: u64, aux_at: u64, vars_at: u64, coverage_at: u64, types_at: u64, fields_at: u64, inputs_at: u64, size: u64, threads_at: u64,
        max_decisions: u32, pad1: u32, n_types: u32, n_fields: u32, n_inputs: u32, ready: u32,
        n_vars: u32, outcome: u32, signal: u32, check: u32, status: i64, fault_address: u64, pc: u64, n_frames: u32, site: u32, n_decisions: u32, started: u32, full: u32, open_end: u32,
        frames: [u64; FRAMES], message: [u8; MESSAGE],
        access: u32, object_kind: u32, object_name: u32, object_freed: u32, access_bytes: u64, object_base: u64, object_size: u64,
        allocated: [u32; ORIGIN], freed: [u32; ORIGIN],
    }
    /// A node: an operation with a symbolic operand, and its value in this run.
    XcNode = "xc_node" { op: u8, flags: u8, width: u16, a: u32, b: u32, c: u32, k: u64 }
    /// An element of a table.
    XcAux = "xc_aux" { handle: u32, flags: u32, value: u64 }
    /// Something that happened.
    XcEvent = "xc_event" { kind: u16, more: u16, site: u32, handle: u32, taken: u32, value: u64 }
    /// The head of the tables about threads.
    XcThreads = "xc_threads" {
        n_choices: u32, n_asleep: u32, choose: u32, spurious: u32,
        max_steps: u32, max_nexts: u32, max_forks: u32, max_choices: u32, max_shared: u32, changes: u32,
        choices_at: u64, steps_at: u64, nexts_at: u64, forks_at: u64, tasks_at: u64, shared_at: u64,
        seed: u64, expected: u32, strict: u32, failing: u32, pad: u32,
        n_tasks: u32, n_shared: u32, n_steps: u32, n_nexts: u32, n_forks: u32, n_pending: u32, end: u32, strayed: u32,
        failed: u32, n_later: u32, later: [XcLater; LATER],
    }
    /// A task that failed after another one had.
    XcLater = "xc_later" { task: u32, step: u32, what: u64 }
    /// The next visible operation of a task.
    XcNext = "xc_next" { task: u32, op: u16, flags: u16, arms: u32, bytes: u32, object: u64, other: u64, before: u64 }
    /// A visible operation that was executed.
    XcStep = "xc_step" { first: u32, count: u32, chosen: u32, arm: u32, hook: u32, frames: [u32; STEP_FRAMES], how: u32, after: u64 }
    /// A task that was forked.
    XcFork = "xc_fork" { step: u32, parent: u32, child: u32, start: u32 }
    /// A task of the campaign.
    XcTask = "xc_task" { parent: u32, nth: u32 }
    /// Memory that more than one task has touched.
    XcRange = "xc_range" { at: u64, bytes: u64 }
    /// What to do at a choice.
    XcChoice = "xc_choice" { task: u32, arm: u32 }
    /// A symbolic input.
    XcVar = "xc_var" { parent: u32, of: u32, offset: u64, bits: u16, bit: u16, stamp: u32, value: u64, own: u64, nth: u32, pad: u32 }
}

impl XcVar {
    /// The key of the input this is (a part of), if it is not held by another input's object.
    #[must_use]
    pub fn root(&self) -> Option<u32> {
        (self.parent & XC_ROOT != 0).then_some(self.parent & !XC_ROOT)
    }

    /// Whether it is the same variable: the same place, with the same address for its object.
    #[must_use]
    pub fn same(&self, other: &XcVar) -> bool {
        let key = |v: &XcVar| (v.parent, v.nth, v.of, v.offset, v.bit, v.bits, v.own);
        key(self) == key(other)
    }
}

/// Operators of nodes: `runtimes/c/ops.def`.
pub mod op {
    include!(concat!(env!("OUT_DIR"), "/op.rs"));
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::*;

    const RUNTIME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../runtimes/c");

    fn constants() -> Vec<(&'static str, u64)> {
        vec![
            ("XC_MAGIC", u64::from(MAGIC)),
            ("XC_VERSION", u64::from(VERSION)),
            ("XC_SHARED", SHARED),
            ("XC_PRIVATE", SHARED_END),
            ("XC_COVERAGE - XC_SHARED", COVERAGE_AT),
            ("XC_INPUTS", INPUTS),
            ("XC_ALARM", u64::from(ALARM.unsigned_abs())),
            ("XC_ROOT", u64::from(XC_ROOT)),
            ("XC_FRAMES", FRAMES as u64),
            ("XC_MESSAGE", MESSAGE as u64),
            ("XC_CMD_QUIT", u64::from(command::QUIT)),
            ("XC_CMD_GLANCE", u64::from(command::GLANCE)),
            ("XC_RETURNED", u64::from(outcome::RETURNED)),
            ("XC_CHECK_FAILED", u64::from(outcome::CHECK_FAILED)),
            ("XC_TIMED_OUT", u64::from(outcome::TIMED_OUT)),
            ("XC_CHECK_UNREACHABLE", u64::from(check::UNREACHABLE)),
            ("XC_CHECK_OVERFLOW", u64::from(check::OVERFLOW)),
            ("XC_CHECK_SHIFT", u64::from(check::SHIFT)),
            ("XC_CHECK_ALIGNMENT", u64::from(check::ALIGNMENT)),
            ("XC_CHECK_INDEX", u64::from(check::INDEX)),
            ("XC_CHECK_UNDEFINED", u64::from(check::UNDEFINED)),
            ("XC_CHECK_LEAK", u64::from(check::LEAK)),
            ("XC_ORIGIN", ORIGIN as u64),
            ("XC_STEP_FRAMES", STEP_FRAMES as u64),
            ("XC_TASKS", TASKS as u64),
            ("XC_LATER", LATER as u64),
            ("XC_STUCK", u64::from(outcome::STUCK)),
            ("XC_CHECK_JOIN", u64::from(check::JOIN)),
            ("XC_EV_STEP", u64::from(event::STEP)),
            ("XC_EV_LOAD", u64::from(event::LOAD)),
            ("XC_EV_BLANK", u64::from(event::BLANK)),
            ("XC_EV_LOST", u64::from(event::LOST)),
            ("XC_UNTOLD_BLOCK", u64::from(untold::BLOCK)),
            ("XC_DO_COMPARE_EXCHANGE", u64::from(operation::COMPARE_EXCHANGE)),
            ("XC_DO_WRITE_UNLOCK", u64::from(operation::WRITE_UNLOCK)),
            ("XC_DO_YIELD", u64::from(operation::YIELD)),
            ("XC_DO_AWAIT", u64::from(operation::AWAIT)),
            ("XC_DO_FENCE", u64::from(operation::FENCE)),
            ("XC_DO_BEGIN", u64::from(operation::BEGIN)),
            ("XC_SECTION", u64::from(operation::SECTION)),
            ("XC_ACQUIRES", u64::from(operation::ACQUIRES)),
            ("XC_RELEASES", u64::from(operation::RELEASES)),
            ("XC_ACQUIRES_FAILED", u64::from(operation::ACQUIRES_FAILED)),
            ("XC_WEAKER", u64::from(operation::WEAKER)),
            ("XC_ASSUMES", u64::from(operation::ASSUMES)),
            ("XC_ELSEWHERE", u64::from(operation::ELSEWHERE)),
            ("XC_STEP_GLUED", u64::from(step::GLUED)),
            ("XC_STEP_OUTSIDE_BEFORE", u64::from(step::OUTSIDE_BEFORE)),
            ("XC_OUTSIDE", OUTSIDE),
            ("XC_OUTSIDE_PROCESS", OUTSIDE_NAMES.len() as u64 - 1),
            ("XC_SPURIOUS", u64::from(operation::SPURIOUS)),
            ("XC_DESTROYS", u64::from(operation::DESTROYS)),
            ("XC_ALONE", u64::from(operation::ALONE)),
            ("XC_UNSURE", u64::from(operation::UNSURE)),
            ("XC_CURRENT", u64::from(choose::CURRENT)),
            ("XC_CUT", u64::from(run_end::CUT)),
            ("XC_ADDRESS", u64::from(access::ADDRESS)),
            ("XC_OBJ_INPUT", u64::from(object::INPUT)),
            ("XC_EV_BRANCH", u64::from(event::BRANCH)),
            ("XC_EV_INPUT", u64::from(event::INPUT)),
            ("XC_EV_STALE", u64::from(event::STALE)),
            ("XC_LOST_THREAD", u64::from(lost::THREAD)),
            ("XC_LOST_INPUT", u64::from(lost::INPUT)),
            ("XC_LOST_FILE", u64::from(lost::FILE)),
            ("XC_LOST_FUTEX", u64::from(lost::FUTEX)),
            ("XC_LOST_REACH", u64::from(lost::REACH)),
            ("XC_LOST_CHILD", u64::from(lost::CHILD)),
            ("XC_LOST_MEMORY", u64::from(lost::MEMORY)),
            ("XC_LOST_NAME", u64::from(lost::NAME)),
            ("XC_LOST_MAPPING", u64::from(lost::MAPPING)),
            ("XC_LOST_DIRECTORY", u64::from(lost::DIRECTORY)),
            ("XC_LOST_SIZE", u64::from(lost::SIZE)),
            ("XC_LOST_WIDE", u64::from(lost::WIDE)),
            ("XC_LOST_BUFFERED", u64::from(lost::BUFFERED)),
            ("XC_LOST_PROCESS", u64::from(lost::PROCESS)),
            ("XC_EV_PLACE", u64::from(event::PLACE)),
            ("XC_START_TOO_BIG", u64::from(start::TOO_BIG)),
            ("XC_START_NOTHING_MAPPED", u64::from(start::NOTHING_MAPPED.unsigned_abs())),
            ("XC_FLAG_OUTPUT", u64::from(flag::OUTPUT)),
            ("XC_FLAG_FORK", u64::from(flag::FORK)),
            ("XC_FLAG_LEAKS", u64::from(flag::LEAKS)),
            ("XC_FLAG_INITIALISED", u64::from(flag::INITIALISED)),
            ("XC_FLAG_FOLLOW", u64::from(flag::FOLLOW)),
            ("XC_TY_OPAQUE", u64::from(crate::types::inputs::XC_TY_OPAQUE)),
            ("XC_PTR_NONNULL", u64::from(crate::types::inputs::XC_PTR_NONNULL)),
        ]
    }

    type Layout = (&'static str, usize, Vec<(&'static str, usize)>);

    fn layout_of_types() -> [Layout; 2] {
        macro_rules! offsets {
            ($of:ty: $($field:ident)*) => { vec![$((stringify!($field), std::mem::offset_of!($of, $field))),*] };
        }
        [
            ("xc_type", size_of::<XcType>(), offsets!(XcType: kind flags elem size count first n)),
            ("xc_field", size_of::<XcField>(), offsets!(XcField: offset of bit bits)),
        ]
    }

    #[test]
    fn clang_agrees_with_every_size_offset_and_number() {
        let mut text = String::from("#include <stddef.h>\n#include \"wire.h\"\n#define SAME(a, b) _Static_assert((a) == (b), #a)\n");
        let types = layout_of_types();
        for (name, size, fields) in layout().into_iter().chain(types) {
            writeln!(text, "SAME(sizeof(struct {name}), {size});").unwrap();
            for (field, offset) in fields {
                writeln!(text, "SAME(offsetof(struct {name}, {}), {offset});", if field == "of" { "type" } else { field }).unwrap();
            }
        }
        for (name, value) in constants() {
            writeln!(text, "SAME({name}, {value}ull);").unwrap();
        }
        let clang = std::env::var("XCUTE_CLANG").unwrap_or_else(|_| "clang-19".into());
        let mut run = Command::new(clang);
        run.args(["-x", "c", "-fsyntax-only", "-I", RUNTIME, "-"]).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = run.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn the_control_block_leaves_room_for_coverage_at_its_place() {
        assert!(size_of::<XcControl>() as u64 <= COVERAGE_AT);
    }

    #[test]
    fn the_operators_are_those_of_ops_def() {
        let text = std::fs::read_to_string(format!("{RUNTIME}/ops.def")).unwrap();
        let listed = text.lines().filter_map(|line| {
            let (name, rest) = line.strip_prefix("XC_OP(")?.split_once(", ")?;
            Some((name, rest.split_once(')')?.0.parse::<u8>().ok()?))
        });
        assert_eq!(listed.collect::<Vec<_>>(), op::ALL);
    }
}
