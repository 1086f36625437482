//! The functions of `erlang` about processes that are followed.
//!
//! In instrumented code they are those of `xcute_tasks`: one process at a time does what others can notice. The events of a call say which of its operations
//! were granted; the replay knows the rest.

use rustc_hash::FxHashMap;

use crate::etf::{Atom, Atoms};

/// What a function does with processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// Starts one that runs a function without parameters.
    SpawnFun,
    /// Starts one that runs a function by module, name and arguments.
    SpawnCall,
    /// Sends its second argument to its first.
    Send,
    /// Something else, whose value is told.
    Other,
}

const ALL: &[(&str, u32, Process)] = &[
    ("spawn", 1, Process::SpawnFun),
    ("spawn_link", 1, Process::SpawnFun),
    ("spawn_monitor", 1, Process::SpawnFun),
    ("spawn", 3, Process::SpawnCall),
    ("spawn_link", 3, Process::SpawnCall),
    ("spawn_monitor", 3, Process::SpawnCall),
    ("!", 2, Process::Send),
    ("send", 2, Process::Send),
    ("send", 3, Process::Send),
    ("register", 2, Process::Other),
    ("unregister", 1, Process::Other),
    ("whereis", 1, Process::Other),
    ("monitor", 2, Process::Other),
    ("demonitor", 1, Process::Other),
    ("demonitor", 2, Process::Other),
    ("link", 1, Process::Other),
    ("unlink", 1, Process::Other),
    ("exit", 2, Process::Other),
    ("process_flag", 2, Process::Other),
    ("is_process_alive", 1, Process::Other),
];

/// The functions by name.
#[derive(Clone, Debug)]
pub struct Processes(FxHashMap<(Atom, u32), Process>);

impl Processes {
    /// The table, in terms of these atoms.
    #[must_use]
    pub fn new(atoms: &mut Atoms) -> Processes {
        Processes(ALL.iter().map(|&(name, arity, process)| ((atoms.intern(name), arity), process)).collect())
    }

    /// The function of `erlang` with this name.
    #[must_use]
    pub fn get(&self, name: Atom, arity: u32) -> Option<Process> {
        self.0.get(&(name, arity)).copied()
    }
}
