//! One run of a native program, limited in time, memory and output.
//!
//! Time is that of the processor: on a machine that has other things to do, and in a program that sleeps, it does not pass. A program that waits for something
//! that does not come is noticed by that.
//!
//! It runs in the sandbox. Where that refuses to change files of the working directory, the program is run once more, in a copy of the directory which it may change.
//!
//! **Invariant.** When [`start`] returns, the program and its process group are gone.

use std::ffi::OsString;
use std::fmt;
use std::io::Read;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::asleep;
use crate::run::usage::{self, Usage};
use crate::tools::scratch::Scratch;
use crate::wire::ALARM;
use xcute_sandbox::{Crowd, Guard, Place, Refusal, Rlimits, SWARM, Sandbox, processes, send};
use xcute_term::Interrupt;

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time of the processor.
    pub time: Duration,
    /// Address space in bytes; sanitizers need it unlimited.
    pub memory: Option<u64>,
    /// Whether the address sanitizer looks for leaks when the run ends.
    pub leaks: bool,
    /// Whether it counts as not ending when all its threads wait for each other.
    pub stuck: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It exited with this status.
    Exited(i32),
    /// A signal ended it.
    Signalled(i32),
    /// It was still running, or its threads wait for each other.
    TimedOut,
    /// It waited for something from outside, which did not come.
    Waited,
    /// It started processes without end.
    Swarmed,
    /// Whoever asked for it has no more time.
    Stopped,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exited(0) => write!(f, "returns"),
            End::Exited(status) => write!(f, "exits with status {status}"),
            End::Signalled(signal) => write!(f, "ends with signal {signal}{}", signal_name(*signal)),
            End::TimedOut => write!(f, "does not end"),
            End::Waited => write!(f, "waits for something that does not come"),
            End::Swarmed => write!(f, "starts more than {SWARM} processes"),
            End::Stopped => write!(f, "was stopped: the time is up"),
        }
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGABRT => " (SIGABRT)",
        libc::SIGSEGV => " (SIGSEGV)",
        libc::SIGFPE => " (SIGFPE)",
        libc::SIGILL => " (SIGILL)",
        libc::SIGTRAP => " (SIGTRAP)",
        libc::SIGBUS => " (SIGBUS)",
        libc::SIGKILL => " (SIGKILL)",
        libc::SIGALRM => " (SIGALRM)",
        _ => "",
    }
}

/// What a run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// What it wrote to its standard output, as far as it was kept.
    pub output: String,
    /// The same of its standard error.
    pub errors: String,
    /// What the sandbox refused.
    pub refused: Vec<Refusal>,
}

impl Run {
    /// What the sandbox refused, in one line; `None`: nothing.
    #[must_use]
    pub fn refusals(&self) -> Option<String> {
        let list: Vec<String> = self.refused.iter().map(Refusal::to_string).collect();
        (!list.is_empty()).then(|| format!("the sandbox refused: {}", list.join(", ")))
    }
}

/// How a program is started.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The program.
    pub exe: &'a Path,
    /// Its arguments.
    pub arguments: &'a [OsString],
    /// The file that is its standard input; `None`: there is none.
    pub stdin: Option<&'a Path>,
    /// Where it runs; `None`: here.
    pub directory: Option<&'a Path>,
    /// Variables that are added to its environment.
    pub environment: &'a [(OsString, OsString)],
    /// A library that is loaded before its own.
    pub preload: Option<&'a Path>,
    /// What confines it.
    pub sandbox: &'a Sandbox,
    /// What it may change: directories and files.
    pub writable: &'a [&'a Path],
}

/// Options of the thread sanitizer: every pair of places counts, not only the first one of each address, and nobody is waited for at the end.
pub(crate) const THREAD_OPTIONS: &str =
    "suppress_equal_addresses=0:suppress_equal_stacks=0:report_thread_leaks=0:history_size=7:atexit_sleep_ms=0";
/// The largest file that it may write.
const FILE: u64 = 256 << 20;
/// So much of each stream is kept.
const KEPT: usize = 256 << 10;
/// A program of which no process had anything to do for so long waits for something from outside.
const IDLE: Duration = Duration::from_secs(5);
/// A program that has used up its time may say where it is.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Runs a program.
///
/// # Errors
/// If it cannot be started.
pub fn start(how: &Start<'_>, limits: &Limits, stop: &Interrupt) -> std::io::Result<Run> {
    let run = once(how, limits, stop)?;
    if how.directory.is_some() || run.refused.is_empty() || stop.raised() {
        return Ok(run);
    }
    let here = std::env::current_dir()?.canonicalize()?;
    let about = format!(" {}/", here.display());
    if !run.refused.iter().any(|refusal| refusal.what.contains(&about)) {
        return Ok(run);
    }
    // A directory that cannot be copied stays as it is; then the refusal is reported.
    let Ok(copy) = Scratch::copy_of(&here, how.sandbox) else { return Ok(run) };
    let writable: Vec<&Path> = how.writable.iter().copied().chain([copy.path()]).collect();
    once(&Start { directory: Some(copy.path()), writable: &writable, ..*how }, limits, stop)
}

fn once(how: &Start<'_>, limits: &Limits, stop: &Interrupt) -> std::io::Result<Run> {
    let mut command = Command::new(how.exe);
    // Nobody reads the stack in a report of a sanitizer that we added, and to name it takes longer than the run. What leaks by intention is known by its name.
    let symbolize = u8::from(limits.memory.is_some() || limits.leaks);
    let leaks = u8::from(limits.leaks);
    let options = format!(
        "detect_leaks={leaks}:symbolize={symbolize}:abort_on_error=0:handle_abort=0:detect_stack_use_after_return=1:allocator_may_return_null=1:hard_rss_limit_mb=4096"
    );
    command.args(how.arguments);
    // Its children do not have the library: it sees to that by the second variable.
    command.envs(how.preload.into_iter().flat_map(|library| [("LD_PRELOAD", library), ("XCUTE_PRELOAD", library)]));
    command.env("TSAN_OPTIONS", THREAD_OPTIONS);
    command.env("MSAN_OPTIONS", format!("symbolize={symbolize}"));
    command.env("ASAN_OPTIONS", options).env("LIBC_FATAL_STDERR_", "1");
    command.envs(how.environment.iter().map(|(name, value)| (name, value)));
    if let Some(directory) = how.directory {
        command.current_dir(directory);
    }
    let stdin = how.stdin.map(std::fs::File::open).transpose()?.map_or_else(Stdio::null, Stdio::from);
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    let limited = Rlimits { memory: limits.memory, file: Some(FILE), processes: Some(processes() + SWARM).filter(|n| *n > SWARM) };
    let place = Place { writable: how.writable, limits: limited, terminal: false, counted: true };
    let (mut child, guard) = how.sandbox.spawn(&mut command, &place)?;
    let (out, err) = (child.stdout.take().map(keep), child.stderr.take().map(keep));
    let end = wait(&mut child, &guard, limits, stop)?;
    let text = |stream: Option<std::thread::JoinHandle<Vec<u8>>>| {
        let bytes = stream.and_then(|s| s.join().ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(Run { end, output: text(out), errors: text(err), refused: guard.refused() })
}

/// Reads a stream to its end and keeps its beginning, so that a talkative program neither blocks nor fills memory.
fn keep(mut stream: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let (mut kept, mut buffer) = (Vec::new(), [0u8; 8192]);
        while let Ok(n @ 1..) = stream.read(&mut buffer) {
            let room = KEPT.saturating_sub(kept.len()).min(n);
            kept.extend_from_slice(&buffer[..room]);
        }
        kept
    })
}

fn wait(child: &mut Child, guard: &Guard, limits: &Limits, stop: &Interrupt) -> std::io::Result<End> {
    let crowd = Crowd::now();
    let (mut pause, mut slept) = (Duration::from_millis(1), None);
    let (mut used, mut busy) = (Usage::default(), Instant::now());
    let mut end = loop {
        if let Some(status) = child.try_wait()? {
            break status.signal().map_or_else(|| End::Exited(status.code().unwrap_or(0)), End::Signalled);
        }
        if stop.raised() {
            break End::Stopped;
        }
        let sleeps = if limits.stuck { asleep::look(child.id()) } else { None };
        if sleeps.is_some() && sleeps == slept {
            break End::TimedOut;
        }
        slept = sleeps;
        let now = usage::of_group(child.id());
        if now.time >= limits.time {
            break End::TimedOut;
        }
        if now.wants || now.time != used.time {
            (used, busy) = (now, Instant::now());
        }
        if busy.elapsed() >= IDLE {
            break End::Waited;
        }
        if guard.swarms(child.id(), crowd) {
            break End::Swarmed;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let group = i32::try_from(child.id()).ok().filter(|&pid| pid > 1);
    if end == End::TimedOut
        && let Some(process) = group
    {
        send(process, ALARM);
        let asked = Instant::now();
        while asked.elapsed() < LAST_WORDS && child.try_wait()?.is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    // Children of the program would keep the streams open.
    if let Some(group) = group {
        send(-group, libc::SIGKILL);
    }
    let _ = child.kill();
    child.wait()?;
    if end == End::Signalled(libc::SIGKILL) && stop.raised() {
        end = End::Stopped;
    }
    Ok(end)
}
