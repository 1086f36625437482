//! Notes which path the original program takes: the blocks that its threads come to, seen by breakpoints.
//!
//! Each block is written to a file as soon as it is come to, so a program that hangs or ends its JVM has left its path. What happens in static initialisers is
//! left out: a search loads classes once for many runs.
//!
//! **Invariant.** A program that runs for long is slow only at its beginning: after [`MOST`] blocks all breakpoints of blocks are cleared.
#![allow(unsafe_code, reason = "an agent talks to the JVM through C interfaces")]

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::ffi::c_void;
use std::fs::File;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

use crate::jni::Env;
use crate::jvm;
use crate::order::Blocks;
use crate::wire;

/// How many blocks are noted at most. The front end has the same number.
const MOST: usize = 100_000;

/// The path of a program.
pub(crate) struct Trace(Mutex<State>);

struct State {
    file: Option<File>,
    /// By class.
    blocks: HashMap<String, Vec<Blocks>>,
    /// By method and position: the number of a block.
    numbers: HashMap<(usize, i64), u32>,
    /// The first instructions of static initialisers.
    initialisers: HashSet<usize>,
    count: usize,
}

thread_local! {
    /// Static initialisers that a thread is in.
    static INITIALISING: Cell<u32> = const { Cell::new(0) };
}

impl Trace {
    /// A path that is written to a file, if there is one.
    pub(crate) fn new(file: Option<&str>, all: Vec<Blocks>) -> Trace {
        let mut blocks: HashMap<String, Vec<Blocks>> = HashMap::new();
        for method in all {
            blocks.entry(method.class.clone()).or_default().push(method);
        }
        let file = file.and_then(|file| File::create(file).ok());
        Trace(Mutex::new(State { file, blocks, numbers: HashMap::new(), initialisers: HashSet::new(), count: 0 }))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a class has blocks.
    pub(crate) fn has(&self, class: &str) -> bool {
        self.lock().blocks.contains_key(class)
    }

    /// Puts breakpoints into a method that is as the front end knows it.
    pub(crate) fn prepare(&self, jvmti: Env, class: &str, method: usize, (name, descriptor): (&str, &str)) {
        let mut state = self.lock();
        let known = state.blocks.get(class).and_then(|all| all.iter().find(|one| one.method == name && one.descriptor == descriptor));
        let Some(Blocks { code, first, positions, .. }) = known else { return };
        // SAFETY: the JVM gave the method.
        if wire::fingerprint(&unsafe { jvm::code(jvmti, method) }) != *code {
            return;
        }
        let numbered: Vec<((usize, i64), u32)> = positions.iter().map(|at| (method, *at)).zip(*first..).collect();
        for ((method, at), _) in &numbered {
            // SAFETY: as above; the code is the known one, so an instruction begins there.
            unsafe { jvm::set_breakpoint(jvmti, *method, *at) };
        }
        state.numbers.extend(numbered);
        if name == "<clinit>" {
            state.initialisers.insert(method);
        }
    }

    /// A thread comes to an instruction; where breakpoints are to be cleared, these.
    pub(crate) fn comes(&self, jvmti: Env, task: &str, thread: *mut c_void, (method, at): (usize, i64)) -> Vec<(usize, i64)> {
        let mut state = self.lock();
        let Some(number) = state.numbers.get(&(method, at)).copied() else { return Vec::new() };
        if at == 0 && state.initialisers.contains(&method) {
            // SAFETY: this thread stands in the initialiser.
            if unsafe { jvm::notify_frame_pop(jvmti, thread) } {
                INITIALISING.set(INITIALISING.get() + 1);
            }
        }
        if INITIALISING.get() > 0 {
            return Vec::new();
        }
        if let Some(file) = &mut state.file {
            let _ = file.write_all(format!("{task} {number}\n").as_bytes());
        }
        state.count += 1;
        if state.count < MOST { Vec::new() } else { std::mem::take(&mut state.numbers).into_keys().collect() }
    }

    /// A method ends that somebody wanted to know of: a static initialiser.
    pub(crate) fn popped(&self) {
        INITIALISING.set(INITIALISING.get().saturating_sub(1));
    }
}
