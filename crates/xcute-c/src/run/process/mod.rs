//! The subject's process: memory shared with it, starting, waiting, ending.
//!
//! [`Block`] is the shared memory, [`xcute_process::Bell`] the hand-over, [`Child`] the process; [`Worker`] keeps a process alive for as many runs as it is
//! good for, and takes a fresh one where it is not.
//!
//! **Invariant.** Variables live in the engine and are written to the block before a process starts, so a fresh process knows
//! all that its predecessors knew. Nothing that the process does blocks the engine for longer than its patience.

mod block;
mod child;
mod layout;
mod threads;

use std::fs::File;
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xcute_process::Spin;
use xcute_sandbox::{Crowd, Refusal, Sandbox};
use xcute_term::Interrupt;

pub use block::{Block, Inherited};
pub use child::Child;
pub use layout::Tables;
pub use threads::Recorded;
pub use xcute_process::Death;

use crate::run::libraries;
use crate::run::usage::Usage;
use crate::tools::scratch::{Scratch, ScratchError};
use crate::wire::{self, start};

/// Budgets of a run and sizes of the tables.
#[derive(Clone, Debug)]
pub struct Options {
    /// Loop iterations and calls of instrumented code.
    pub fuel: u64,
    /// Time of the processor, for code that is not instrumented. What waits for something uses none, and is left after the same time.
    pub patience: Duration,
    /// Bytes of heap.
    pub heap: u64,
    /// Nodes; there are as many events and elements of tables.
    pub nodes: u32,
    /// Decisions of a run that are recorded; what comes after them is run, but not explored.
    pub decisions: u32,
    /// Variables, over all runs.
    pub variables: u32,
    /// Steps of a run with several threads.
    pub steps: u32,
    /// How often each wait for a condition may wake up by itself.
    pub spurious: u32,
    /// Symbolic accesses to objects of at most this many bytes are exact.
    pub exact_object: u32,
    /// Bytes of a `char *` input, the final NUL not counted.
    pub default_string: u32,
    /// Random values, from this seed, for inputs without a value.
    pub random: Option<u64>,
    /// Whether the subject's output goes where ours goes.
    pub output: bool,
    /// Whether each run has a process of its own, forked from one that has run nothing.
    pub isolated: bool,
    /// What has to be restored after each run: `wire::flag`.
    pub flags: u32,
    /// The subject runs in a copy of this directory; `None`: where we run.
    pub copied: Option<PathBuf>,
    /// What confines it.
    pub sandbox: Sandbox,
    /// What it may change all the same.
    pub writable: Vec<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            fuel: 1_000_000,
            patience: Duration::from_secs(2),
            heap: 1 << 30,
            nodes: 1 << 21,
            decisions: 50_000,
            variables: 1 << 20,
            steps: 1 << 17,
            spurious: 0,
            exact_object: 256,
            default_string: 8,
            random: None,
            output: false,
            isolated: false,
            flags: 0,
            copied: None,
            sandbox: Sandbox::default(),
            writable: Vec::new(),
        }
    }
}

/// How the wait for a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The subject rang: the outcome is in the block.
    Answered,
    /// The process is gone.
    Died(Death),
    /// It neither rang nor reacted to the alarm.
    Hung,
    /// It waited for something from outside, which did not come.
    Waited,
    /// We were interrupted while it ran.
    Interrupted,
    /// The process was gone before it began: it died of what an earlier run had done. The run can be tried again.
    NotBegun,
}

/// Why no process could be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The shared memory or the process could not be made.
    #[error("{0}")]
    System(#[from] std::io::Error),
    /// It ended before it was ready.
    #[error("it ended {how} before the entry was called: is there a constructor that ends the program?")]
    Ended {
        /// Its status, in words.
        how: String,
    },
    /// The loader does not find libraries that it needs.
    #[error("the loader does not find {} (name its directory in LD_LIBRARY_PATH, or link with -Wl,-rpath,DIRECTORY)", names.join(", "))]
    Missing {
        /// Their names.
        names: Vec<String>,
    },
    /// The tables do not fit.
    #[error("the tables of the subject need {0} bytes, more than the block holds: lower the number of nodes")]
    TooBig(u64),
    /// The subject could not map its memory.
    #[error(
        "the subject cannot map its memory (256 GiB of address space are reserved, not used): is overcommit or `ulimit -v` restricted, or are more than 200 MiB of static data declared?"
    )]
    NoMemory,
    /// Too much static data to restore.
    #[error("the subject has too much static data to restore it after each run")]
    TooMuchData,
    /// The directory that it shall run in a copy of cannot be copied.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// We were to end before it was ready.
    #[error("it was not ready when the search had to end")]
    Interrupted,
    /// A constructor did not return.
    #[error("the subject was not ready after {0:?}: a constructor does not return?")]
    Hung(Duration),
}

/// A supply of runs: one process after the other.
#[derive(Debug)]
pub struct Worker {
    exe: PathBuf,
    /// Keeps the executable open: its path is that of this descriptor, so a subject that deletes its own file does no harm.
    file: File,
    /// The memory shared with the process.
    pub block: Block,
    child: Option<Child>,
    options: Options,
    spin: Spin,
    starts: u32,
    scratch: Option<Scratch>,
    /// What the sandbox refused to processes that are gone.
    refused: Vec<Refusal>,
    interrupt: Interrupt,
}

/// The time that a subject has to start.
const START: Duration = Duration::from_secs(20);
/// The exit code of a program that the loader cannot load.
const LOADER_FAILED: i32 = 127;
/// The time that a run has to end itself after the alarm.
const GRACE: Duration = Duration::from_millis(200);

impl Worker {
    /// Makes the shared memory. The first process starts with the first run.
    ///
    /// # Errors
    /// Where the tables do not fit or the system refuses.
    pub fn new(exe: &Path, tables: &Tables<'_>, options: Options) -> Result<Worker, StartError> {
        let file = File::open(exe)?;
        let exe = PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()));
        let block = Block::new(tables, &options)?;
        let spin = Spin::new(block.spin());
        let scratch = options.copied.as_deref().map(|from| Scratch::copy_of(from, &options.sandbox)).transpose()?;
        let interrupt = Interrupt::never().clone();
        Ok(Worker { exe, file, block, child: None, options, spin, starts: 0, scratch, refused: Vec::new(), interrupt })
    }

    /// Ends runs under way when this flag is raised.
    pub fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
    }

    /// Sets how long to spin where this many workers run at once.
    pub fn among(&mut self, workers: usize) {
        self.block.set_spin(xcute_process::most_looks(workers));
        self.spin = Spin::new(self.block.spin());
    }

    /// The executable.
    #[must_use]
    pub fn exe(&self) -> &Path {
        &self.exe
    }

    /// How many processes were started so far.
    #[must_use]
    pub fn starts(&self) -> u32 {
        self.starts
    }

    /// Budgets and sizes.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Makes sure that a process waits for a run. It gets what is known from earlier ones.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn ready(&mut self, inherited: &Inherited<'_>) -> Result<(), StartError> {
        if let Some(scratch) = &mut self.scratch {
            scratch.restore()?;
        }
        if let Some(child) = &self.child {
            child.tidy();
        }
        if self.child.is_some() && self.block.ready() == wire::MAGIC {
            return Ok(());
        }
        self.stop();
        self.block.prepare(inherited);
        let seen = self.block.engine_bell().seen();
        let mut child = Child::spawn(&self.file, &self.block, &self.options, self.scratch.as_ref().map(Scratch::path))?;
        self.starts += 1;
        let ended = wait(&self.block, &mut child, seen, START, &mut Spin::new(0), &self.interrupt);
        match (ended, self.block.ready()) {
            (Ended::Answered, wire::MAGIC) => {
                self.child = Some(child);
                Ok(())
            }
            (Ended::Hung | Ended::Waited, _) => Err(StartError::Hung(START)),
            (_, start::NO_MEMORY) => Err(StartError::NoMemory),
            (_, start::TOO_BIG) => Err(StartError::TooMuchData),
            // It cannot even map what it would say so in.
            (Ended::Died(Death::Exit(start::NOTHING_MAPPED)), _) => Err(StartError::NoMemory),
            (Ended::Died(Death::Exit(code)), _) => {
                let names = if code == LOADER_FAILED { libraries::missing(&self.exe) } else { Vec::new() };
                Err(if names.is_empty() {
                    StartError::Ended { how: format!("with exit code {code}") }
                } else {
                    StartError::Missing { names }
                })
            }
            (Ended::Died(Death::Signal(signal)), _) => Err(StartError::Ended { how: format!("with signal {signal}") }),
            (Ended::Interrupted, _) => Err(StartError::Interrupted),
            (Ended::Answered | Ended::NotBegun, _) => Err(StartError::Ended { how: "without saying why".to_owned() }),
        }
    }

    /// Lets the process do run number `run`, and waits. [`Worker::ready`] comes before it.
    pub fn run(&mut self, run: u32) -> Ended {
        self.command(wire::command::RUN, run)
    }

    /// The same, with inputs that are concrete.
    pub fn glance(&mut self, run: u32) -> Ended {
        self.command(wire::command::GLANCE, run)
    }

    fn command(&mut self, command: u32, run: u32) -> Ended {
        let Some(child) = &mut self.child else { return Ended::Died(Death::Exit(0)) };
        let seen = self.block.engine_bell().seen();
        self.block.command(command, run);
        self.block.subject_bell().ring();
        let mut ended = wait(&self.block, child, seen, self.options.patience, &mut self.spin, &self.interrupt);
        if matches!(ended, Ended::Hung | Ended::Waited) {
            child.alarm();
            ended = match (ended, wait(&self.block, child, seen, GRACE, &mut self.spin, &self.interrupt)) {
                (Ended::Waited, _) => Ended::Waited,
                // A program that replaced itself (exec) knows nothing of the alarm.
                (_, Ended::Died(Death::Signal(wire::ALARM)) | Ended::Waited) => Ended::Hung,
                (_, ended) => ended,
            };
        }
        if matches!(ended, Ended::Died(_)) && self.block.started() != run {
            ended = Ended::NotBegun;
        }
        if ended != Ended::Answered || self.block.ready() != wire::MAGIC {
            self.stop();
        }
        ended
    }

    /// Ends the process; the next [`Worker::ready`] starts another one.
    pub fn stop(&mut self) {
        if let Some(child) = self.child.take() {
            self.refused.extend(child.refused());
        }
    }

    /// What the sandbox refused since this was last asked.
    pub fn refused(&mut self) -> Vec<Refusal> {
        let mut all = std::mem::take(&mut self.refused);
        all.extend(self.child.iter().flat_map(Child::refused));
        all
    }
}

/// Waits until the subject rings, dies, or has used up its time. Time is that of the processor: a machine with much to do takes none away, and neither does sleep. A
/// process that does nothing for so long waits for something.
fn wait(block: &Block, child: &mut Child, seen: u32, patience: Duration, spin: &mut Spin, interrupt: &Interrupt) -> Ended {
    let bell = block.engine_bell();
    if spin.wait(bell, seen) {
        return Ended::Answered;
    }
    // Looked at for the first time only where it takes long: most runs are over by then.
    let mut first: Option<(Usage, Instant)> = None;
    let mut last = Usage::default();
    let mut crowd = None;
    // Short sleeps first: a process that dies rings no bell, and most deaths are quick.
    let mut nap = Duration::from_millis(1);
    loop {
        if bell.sleep(seen, nap) {
            return Ended::Answered;
        }
        if let Some(death) = child.ended() {
            // It may have rung right before.
            return if bell.seen() == seen { Ended::Died(death) } else { Ended::Answered };
        }
        if interrupt.raised() {
            return Ended::Interrupted;
        }
        let now = child.usage();
        let (begin, busy) = first.get_or_insert_with(|| (now, Instant::now()));
        if now.wants || now.time != last.time {
            *busy = Instant::now();
        }
        last = now;
        // Code that is not instrumented may start processes without end.
        let crowd = crowd.get_or_insert_with(Crowd::now);
        if now.time.saturating_sub(begin.time) >= patience || child.swarms(*crowd) {
            return Ended::Hung;
        }
        if busy.elapsed() >= patience {
            return Ended::Waited;
        }
        nap = (nap * 2).min(Duration::from_millis(50));
    }
}
