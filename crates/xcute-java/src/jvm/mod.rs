//! JVMs that run cases: memory shared with them, starting, waiting, ending.
//!
//! One JVM serves as many runs as it is good for; one that hangs, dies or is left with threads of the program is replaced, and the run is
//! recorded all the same. The agent and all classes are in memory: no file is written, so nothing is left behind.
//!
//! **Invariant.** No JVM survives: the kernel ends it when the engine's thread that started it ends, and [`Child`] when it is dropped.

mod block;
pub(crate) mod pack;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use thiserror::Error;
use xcute_process::{Child, Death, Ended, Shared, Spin, wait};
use xcute_term::Interrupt;

use crate::jdk::Jdk;
use crate::wire::{self, Row, flag};
pub(crate) use block::Block;
use pack::Packed;

/// The agent, as a shared library.
pub const AGENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/agent.so"));

/// Budgets of a run, and of the JVM.
#[derive(Clone, Debug)]
pub struct Options {
    /// Words of events that a run may write: its budget of steps.
    pub events: u64,
    /// Wall time of a run, for code that is not followed.
    pub patience: Duration,
    /// Megabytes of heap.
    pub heap: u32,
    /// Kilobytes of stack.
    pub stack: u32,
    /// Bytes of heap that may be in use before garbage is collected between runs.
    pub garbage: u64,
    /// Elements of an input array, and characters of an input string, at most.
    pub longest: u32,
    /// Decisions of a run that are recorded; what comes after them is run, but not explored.
    pub decisions: usize,
    /// Whether the program's output goes where ours goes.
    pub output: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            events: 1 << 22,
            patience: Duration::from_secs(5),
            heap: 1024,
            stack: 1024,
            garbage: 96 << 20,
            longest: 8,
            decisions: 50_000,
            output: false,
        }
    }
}

/// Why no JVM could be started.
#[derive(Debug, Error)]
pub(crate) enum StartError {
    /// The memory or the process could not be made.
    #[error("{0}")]
    System(#[from] std::io::Error),
    /// It ended before it was ready.
    #[error("{java} ended before it was ready ({how}): {said}")]
    Ended { java: String, how: String, said: String },
    /// It is laid out in another way than the runtime relies on.
    #[error("{java} lays out objects in a way that xcute does not know (is it a HotSpot JVM of 64 bits?)")]
    Layout { java: String },
    /// Somebody wants the campaign to end.
    #[error("interrupted")]
    Interrupted,
    /// It did not get ready.
    #[error("{java} was not ready after {0:?}", after)]
    Hung { java: String, after: Duration },
}

/// How a run ended, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunEnd {
    /// The JVM says how: `wire::outcome`.
    Answered,
    /// It is gone.
    Died(Death),
    /// It did not answer in time.
    Hung,
    /// It was gone before the run began.
    NotBegun,
    /// Somebody wants the campaign to end.
    Interrupted,
}

/// Says which task goes on, and which way.
pub(crate) type Pick<'a> = dyn FnMut(&mut dyn Iterator<Item = Row>) -> Option<(u32, u32)> + 'a;

/// A supply of runs: one JVM after the other.
#[derive(Debug)]
pub(crate) struct Jvm {
    pub(crate) block: Block,
    pack: Shared,
    agent: Shared,
    child: Option<Child>,
    jdk: Jdk,
    path: Vec<PathBuf>,
    options: Options,
    spin: Spin,
    starts: u32,
    run: u32,
    fresh: bool,
    interrupt: Interrupt,
}

/// The time that a JVM has to start.
const START: Duration = Duration::from_secs(30);
/// Looks at the bell before the engine sleeps.
const SPIN: u32 = 4000;

impl Jvm {
    pub(crate) fn new(
        jdk: &Jdk,
        path: &[PathBuf],
        (classes, instructions): (&[Packed], usize),
        options: Options,
    ) -> Result<Jvm, StartError> {
        let block = Block::new(&options, instructions)?;
        let pack = Shared::with(c"xcute-java-pack", &pack::pack(classes))?;
        let agent = Shared::with(c"xcute-java-agent.so", AGENT)?;
        let (jdk, path) = (jdk.clone(), path.to_vec());
        Ok(Jvm {
            block,
            pack,
            agent,
            child: None,
            jdk,
            path,
            options,
            spin: Spin::new(SPIN),
            starts: 0,
            run: 0,
            fresh: true,
            interrupt: Interrupt::never().clone(),
        })
    }

    pub(crate) fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
    }

    pub(crate) fn starts(&self) -> u32 {
        self.starts
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Whether the next run is the first of its JVM.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh || self.child.is_none()
    }

    /// Makes sure that a JVM waits for a run.
    pub(crate) fn ready(&mut self) -> Result<(), StartError> {
        if self.child.is_some() {
            return Ok(());
        }
        self.block.prepare();
        let seen = self.block.engine_bell().seen();
        let mut child = Child::spawn(&mut self.command())?;
        self.starts += 1;
        let interrupt = self.interrupt.clone();
        let ended = wait(self.block.engine_bell(), &mut child, seen, START, (&mut Spin::new(0), &|| interrupt.raised()));
        let java = self.jdk.java().display().to_string();
        match (ended, self.block.ready()) {
            (Ended::Answered, wire::MAGIC) => {
                self.child = Some(child);
                self.fresh = true;
                Ok(())
            }
            (Ended::Answered, _) => Err(StartError::Layout { java }),
            (Ended::Stopped, _) => Err(StartError::Interrupted),
            (Ended::Hung, _) => Err(StartError::Hung { java, after: START }),
            (Ended::Died(death), _) => {
                let said = self.complaint();
                Err(StartError::Ended { java, how: format!("{death:?}"), said })
            }
        }
    }

    /// Runs a case whose input is in the block; [`Jvm::ready`] comes before it. `pick` says which task goes on, and which way; `None` ends the run.
    pub(crate) fn run(&mut self, flags: u32, pick: &mut Pick<'_>) -> RunEnd {
        let Some(child) = &mut self.child else { return RunEnd::NotBegun };
        self.run += 1;
        let mut seen = self.block.engine_bell().seen();
        let flags = if self.fresh { flags | flag::FRESH_COPIES | flag::FRESH_PROGRAM } else { flags };
        self.block.command(wire::command::RUN, self.run, flags);
        self.block.jvm_bell().ring();
        let interrupt = &self.interrupt;
        let ended = loop {
            let ended = wait(self.block.engine_bell(), child, seen, self.options.patience, (&mut self.spin, &|| interrupt.raised()));
            if ended != Ended::Answered || !self.block.wants_pick() {
                break ended;
            }
            let chosen = pick(&mut self.block.rows());
            self.block.answer(chosen);
            seen = self.block.engine_bell().seen();
            self.block.jvm_bell().ring();
        };
        self.fresh = false;
        let end = match ended {
            Ended::Answered => RunEnd::Answered,
            Ended::Died(_) if self.block.started() != self.run => RunEnd::NotBegun,
            Ended::Died(death) => RunEnd::Died(death),
            Ended::Hung => RunEnd::Hung,
            Ended::Stopped => RunEnd::Interrupted,
        };
        if end != RunEnd::Answered {
            self.stop();
        }
        end
    }

    /// What the JVM says of all characters of 16 bits; see `XcuteHost.table`.
    pub(crate) fn table(&mut self) -> Result<Vec<u64>, String> {
        self.ready().map_err(|error| error.to_string())?;
        let Some(child) = &mut self.child else { return Err("there is no JVM".into()) };
        let seen = self.block.engine_bell().seen();
        self.block.command(wire::command::TABLE, self.run, 0);
        self.block.jvm_bell().ring();
        match wait(self.block.engine_bell(), child, seen, START, (&mut self.spin, &|| false)) {
            Ended::Answered => Ok(self.block.events().to_vec()),
            other => {
                self.stop();
                Err(format!("the JVM does not say what characters are ({other:?})"))
            }
        }
    }

    /// Ends the JVM; the next [`Jvm::ready`] starts another one.
    pub(crate) fn stop(&mut self) {
        self.child = None;
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.jdk.java());
        command.args(flags(&self.options));
        let options = format!("{},{},{}", std::process::id(), self.block.path(), self.pack.path());
        command.arg(format!("-agentpath:{}={options}", self.agent.path()));
        let path: Vec<_> = self.path.iter().map(|entry| entry.display().to_string()).collect();
        command.args(["-cp", &path.join(":"), "java.lang.XcuteHost"]);
        let talk = || if self.options.output { Stdio::inherit() } else { Stdio::null() };
        command.stdin(Stdio::null()).stdout(talk()).stderr(talk());
        command
    }

    /// What a JVM that does not start says, in one line.
    fn complaint(&self) -> String {
        let output = self.command().stdout(Stdio::piped()).stderr(Stdio::piped()).output();
        let text = output.map(|o| [o.stdout, o.stderr].concat()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        text.lines().take(3).collect::<Vec<_>>().join(" / ")
    }
}

/// How the JVM is to be: small, quick to start, with garbage collection that happens rarely and between runs.
fn flags(options: &Options) -> Vec<String> {
    let mut flags: Vec<String> = [
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:-UsePerfData",
        "-XX:+DisableExplicitGC",
        // New threads are the program's.
        "-XX:-UseDynamicNumberOfCompilerThreads",
        "-XX:MetaspaceSize=512m",
        "-XX:ErrorFile=/dev/null",
        "-XX:+UseCompressedOops",
        "-XX:+UseCompressedClassPointers",
        "-XX:-UseCompactObjectHeaders",
        "-Xlog:disable",
        "-Xlog:all=error:stderr",
        "-Djava.awt.headless=true",
    ]
    .map(str::to_owned)
    .into();
    flags.push(format!("-Xmx{}m", options.heap));
    // Most of the heap is young, so that a run seldom meets a collection.
    flags.push(format!("-Xmn{}m", options.heap / 2));
    flags.push(format!("-Xss{}k", options.stack));
    flags
}
