//! What is where in the shared block: its head, and the tables after it.
#![allow(unsafe_code, reason = "a head of zeros")]

use super::Options;
use crate::wire::{
    self, XcAux, XcChoice, XcControl, XcEvent, XcField, XcFork, XcLater, XcNext, XcNode, XcRange, XcStep, XcTask, XcThreads, XcType, XcVar,
};

/// The threads that could run, over all steps of a run.
const NEXTS: u32 = 1 << 20;
/// Ranges of memory that threads share.
const SHARED: u32 = 1 << 16;

/// What the subject gets once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables<'a> {
    /// Types of inputs.
    pub types: &'a [XcType],
    /// Their fields.
    pub fields: &'a [XcField],
    /// For each key of an input its type.
    pub inputs: &'a [u32],
    /// Bytes of the coverage map.
    pub coverage: usize,
    /// Whether it can create threads.
    pub threads: bool,
}

/// The head of a block: budgets, and the tables one after the other; those about threads have a head of their own.
pub(super) fn plan(tables: &Tables<'_>, options: &Options) -> (XcControl, Option<XcThreads>) {
    // SAFETY: plain numbers, for which zero is valid.
    let mut head: XcControl = unsafe { std::mem::zeroed() };
    let count = |n: usize| u32::try_from(n).expect("tables have fewer than 2^32 entries");
    head.magic = wire::MAGIC;
    head.version = wire::VERSION;
    head.fuel_limit = i64::try_from(options.fuel).unwrap_or(i64::MAX);
    head.heap_limit = options.heap;
    (head.max_nodes, head.max_events, head.max_aux) = (options.nodes, options.nodes, options.nodes);
    head.max_decisions = options.decisions;
    head.max_vars = options.variables;
    head.exact_object = options.exact_object;
    head.default_string = options.default_string;
    head.flags = options.flags | if options.output { wire::flag::OUTPUT } else { 0 };
    head.flags |= if options.isolated { wire::flag::FORK } else { 0 };
    if let Some(seed) = options.random {
        head.seed = seed;
        head.flags |= wire::flag::RANDOM_DEFAULTS;
    }
    head.spin = xcute_process::most_looks(1);
    head.engine_pid = std::process::id();
    (head.n_types, head.n_fields, head.n_inputs) = (count(tables.types.len()), count(tables.fields.len()), count(tables.inputs.len()));
    head.coverage_bytes = count(tables.coverage);
    let mut end = wire::COVERAGE_AT;
    let mut place = |bytes: usize| {
        let at = end;
        end = (end + bytes as u64).next_multiple_of(4096);
        at
    };
    head.coverage_at = place(tables.coverage);
    head.types_at = place(size_of_val(tables.types));
    head.fields_at = place(size_of_val(tables.fields));
    head.inputs_at = place(size_of_val(tables.inputs));
    head.vars_at = place(size_of::<XcVar>() * options.variables as usize);
    head.events_at = place(size_of::<XcEvent>() * options.nodes as usize);
    head.nodes_at = place(size_of::<XcNode>() * options.nodes as usize);
    head.aux_at = place(size_of::<XcAux>() * options.nodes as usize);
    let threads = tables.threads.then(|| {
        head.threads_at = place(size_of::<XcThreads>());
        threads(options, &mut place)
    });
    head.size = end;
    (head, threads)
}

/// The head of the tables about threads, and their places.
fn threads(options: &Options, place: &mut impl FnMut(usize) -> u64) -> XcThreads {
    let (steps, tasks) = (options.steps.max(1), wire::TASKS);
    // After the steps is where each thread stands at the end.
    let rows = steps as usize + tasks;
    XcThreads {
        n_choices: 0,
        n_asleep: 0,
        choose: 0,
        spurious: options.spurious,
        max_steps: steps,
        max_nexts: NEXTS,
        max_forks: tasks as u32,
        max_choices: steps,
        max_shared: SHARED,
        changes: 0,
        choices_at: place(size_of::<XcChoice>() * steps as usize + size_of::<u32>() * tasks),
        steps_at: place(size_of::<XcStep>() * rows),
        nexts_at: place(size_of::<XcNext>() * NEXTS as usize),
        forks_at: place(size_of::<XcFork>() * tasks),
        tasks_at: place(size_of::<XcTask>() * tasks),
        shared_at: place(size_of::<XcRange>() * SHARED as usize),
        seed: 0,
        expected: 0,
        strict: 0,
        failing: 0,
        pad: 0,
        n_tasks: 0,
        n_shared: 0,
        n_steps: 0,
        n_nexts: 0,
        n_forks: 0,
        n_pending: 0,
        end: 0,
        strayed: 0,
        failed: 0,
        n_later: 0,
        later: [XcLater { task: 0, step: 0, what: 0 }; wire::LATER],
    }
}
