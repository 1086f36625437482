//! A running emulator.
//!
//! Requests and answers are packets with a length of four bytes, over a socket pair that the emulator has as file descriptors 3 and 4: what the
//! program under test prints goes elsewhere. A read that lasts too long ends the emulator.

use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::VmError;
use super::ended::{Answer, Ended, Gone, read_answer};
use super::home::{Home, LEAN, command};
use super::leftovers;
use super::rows::{Lead, Rows};
use xcute_term::Interrupt;

use crate::etf::{Atom, Atoms, Encoder, Term, encode, read};

/// What a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Events after which a run counts as not ending.
    pub steps: u64,
    /// Wall time: a safety net for code without events.
    pub time: Duration,
    /// Words of heap; 0 for any number.
    pub heap: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 100_000, time: Duration::from_secs(5), heap: 1 << 26 }
    }
}

/// What a run tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tell {
    /// Its events: an instrumented function.
    Events,
    /// Its value: a function as it is.
    Value,
    /// Both, to compare the value with that of the replay.
    Both,
}

/// How long the emulator may take to start, and to compile.
const PATIENCE: Duration = Duration::from_secs(400);

/// How much later than at its limit a run is ended together with its emulator.
const MARGIN: Duration = Duration::from_secs(3);

/// How often a read that waits asks whether it has to end.
const TICK: Duration = Duration::from_millis(50);

/// Runs that are sent ahead of their answers; the buffers of the socket hold more.
const AHEAD: usize = 64;

/// How long an emulator whose driver is gone may take to end by itself.
const FAREWELL: Duration = Duration::from_secs(2);

/// The protocol's file descriptors are moved away before the emulator starts, so that nothing it prints gets into them.
const REDIRECT: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null";

/// An emulator that answers.
#[derive(Debug)]
pub struct Vm {
    child: Child,
    stream: UnixStream,
    stderr: std::fs::File,
    packet: Vec<u8>,
    limits: Limits,
    one_zero: bool,
    interrupt: Interrupt,
    /// What the programs that it starts have in their environment.
    mark: String,
}

impl Vm {
    /// Starts an emulator.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn start(home: &Home) -> Result<Vm, VmError> {
        let start = |reason: String| VmError::Start { erl: home.erl().display().to_string(), reason };
        let (ours, theirs) = UnixStream::pair()?;
        let input: OwnedFd = theirs.try_clone()?.into();
        let stderr = tempfile::tempfile()?;
        let mut shell = command("/bin/sh".as_ref());
        let mark = leftovers::mark();
        shell.env(leftovers::VARIABLE, &mark);
        shell.arg("-c").arg(REDIRECT).arg(home.erl());
        // No break handler, no log.
        shell.args(LEAN).args(["+Bi", "-noinput", "-boot", "no_dot_erlang", "-kernel", "logger", "[{handler,default,undefined}]"]);
        shell.arg("-pa").arg(home.ebin()).args(["-s", "xcute_drv"]);
        shell.stdin(Stdio::from(input)).stdout(Stdio::from(OwnedFd::from(theirs))).stderr(Stdio::from(stderr.try_clone()?));
        let child = shell.spawn().map_err(|error| start(error.to_string()))?;
        drop(shell);
        let mut vm = Vm {
            child,
            stream: ours,
            stderr,
            packet: Vec::new(),
            limits: Limits::default(),
            one_zero: true,
            interrupt: Interrupt::never().clone(),
            mark,
        };
        let mut atoms = Atoms::new();
        let version = Term::Atom(atoms.intern("version"));
        match vm.request(&version, &mut atoms).map(|answer| answer.tuple().and_then(|items| items.get(1)?.atom())) {
            Ok(Some(equal)) => vm.one_zero = equal == Atom::TRUE,
            Ok(None) => return Err(start("it answers something else than it was asked".to_owned())),
            Err(error) => {
                let said = vm.said();
                return Err(start(if said.is_empty() { error.to_string() } else { said }));
            }
        }
        Ok(vm)
    }

    /// Whether it still answers.
    pub(crate) fn answers(&mut self) -> bool {
        let mut atoms = Atoms::new();
        let version = Term::Atom(atoms.intern("version"));
        self.request(&version, &mut atoms).is_ok()
    }

    /// Asks something; the answer.
    ///
    /// # Errors
    /// Where the emulator does not answer; it is of no use from then on.
    pub fn request(&mut self, request: &Term, atoms: &mut Atoms) -> Result<Term, VmError> {
        let mut out = Encoder::new();
        encode(request, atoms, &mut out);
        let answer = self.request_bytes(&out.finish())?;
        read(answer, atoms).map_err(|error| VmError::Protocol(error.to_string()))
    }

    /// The same with bytes.
    ///
    /// # Errors
    /// As [`Vm::request`].
    pub fn request_bytes(&mut self, request: &[u8]) -> Result<&[u8], VmError> {
        self.exchange(request, PATIENCE).map_err(|gone| VmError::Protocol(describe(gone)))?;
        Ok(&self.packet)
    }

    /// Says what the next runs call, what they tell, and within which limits.
    ///
    /// # Errors
    /// Where the emulator does not answer.
    pub fn set_up(&mut self, call: (Atom, Atom), tell: Tell, limits: Limits, atoms: &mut Atoms) -> Result<(), VmError> {
        self.limits = limits;
        let truth = |holds| Term::Atom(if holds { Atom::TRUE } else { Atom::FALSE });
        let number = |value: u64| Term::Int(i64::try_from(value).unwrap_or(i64::MAX));
        let time = u64::try_from(limits.time.as_millis()).unwrap_or(u64::MAX);
        let setup = [
            Term::Atom(atoms.intern("setup")),
            Term::Atom(call.0),
            Term::Atom(call.1),
            truth(tell != Tell::Value),
            truth(tell != Tell::Events),
            // Values take more than numbers.
            number(limits.steps.saturating_mul(16).saturating_add(1 << 20)),
            number(time.min(u64::from(u32::MAX) - 1)),
            number(limits.heap.min(1 << 58)),
        ];
        self.request(&Term::Tuple(setup.into()), atoms).map(|_| ())
    }

    /// The next runs are of this trial: they say how the processes ended that they started, and each trial holds others of these back for a moment.
    ///
    /// # Errors
    /// Where the emulator does not answer.
    pub fn set_trial(&mut self, trial: u32, atoms: &mut Atoms) -> Result<(), VmError> {
        let request = Term::Tuple(vec![Term::Atom(atoms.intern("trial")), Term::Int(i64::from(trial))]);
        self.request(&request, atoms).map(|_| ())
    }

    /// Runs a case: a packet whose first byte is 0, then the list of arguments as an external term. Where its processes want to do something that others can
    /// notice, `lead` says which of them does. The events are of the last run.
    ///
    /// # Errors
    /// Where the answer is none that the driver gives.
    pub fn run(&mut self, packet: &[u8], atoms: &mut Atoms, lead: &mut dyn FnMut(&Rows) -> Lead) -> Result<Answer<'_>, VmError> {
        debug_assert!(matches!(packet.first(), Some(0 | &crate::universe::functions::PACKET)), "that is how a run begins");
        let patience = self.limits.time + MARGIN;
        let mut exchanged = self.exchange(packet, patience);
        while exchanged.is_ok()
            && let Some(rows) = Rows::read(&self.packet)
        {
            let reply = lead(&rows).packet();
            exchanged = self.exchange(&reply, patience);
        }
        match exchanged {
            Ok(()) => read_answer(&self.packet, atoms),
            Err(gone) => Ok((Ended::Gone(gone), &[], Vec::new())),
        }
    }

    /// Runs many small cases of one process each: all packets are sent before the first answer is read, which saves waking up for each of them.
    ///
    /// # Errors
    /// Where the emulator is gone before all are answered, or a run starts processes.
    pub fn run_all(&mut self, packets: &[Vec<u8>], atoms: &mut Atoms, each: &mut dyn FnMut(Ended, &[u8], &Atoms)) -> Result<(), VmError> {
        let patience = self.limits.time + MARGIN;
        for packets in packets.chunks(AHEAD) {
            for packet in packets {
                self.send(packet).map_err(|error| VmError::Protocol(error.to_string()))?;
            }
            for _ in packets {
                self.receive(patience).map_err(|error| VmError::Protocol(error.to_string()))?;
                let (ended, events, _) = read_answer(&self.packet, atoms)?;
                each(ended, events, atoms);
            }
        }
        Ok(())
    }

    /// Ends runs under way, together with the emulator, when this flag is raised.
    pub fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
    }

    /// Ends the programs that runs have started and left.
    pub fn sweep(&mut self) {
        leftovers::end(&self.mark, Some(self.child.id()));
    }

    /// Whether `0.0 =:= -0.0`, as in all versions before OTP 27.
    #[must_use]
    pub fn one_zero(&self) -> bool {
        self.one_zero
    }

    /// The number of its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it can still be asked anything.
    pub fn alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// What the emulator wrote to its standard error: the reason of its end.
    pub fn said(&mut self) -> String {
        let mut bytes = Vec::new();
        let read = self.stderr.seek(SeekFrom::Start(0)).and_then(|_| (&self.stderr).take(1 << 16).read_to_end(&mut bytes));
        drop(read);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("").to_owned()
    }

    /// Sends a packet and waits for the answer, which is then in `packet`.
    fn exchange(&mut self, request: &[u8], patience: Duration) -> Result<(), Gone> {
        match self.try_exchange(request, patience) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.bury(error.kind())),
        }
    }

    fn try_exchange(&mut self, request: &[u8], patience: Duration) -> std::io::Result<()> {
        self.send(request)?;
        self.receive(patience)
    }

    fn send(&mut self, request: &[u8]) -> std::io::Result<()> {
        let length = u32::try_from(request.len()).map_err(|_| std::io::Error::from(ErrorKind::InvalidInput))?;
        // In one write, as far as it is small: the other side then wakes up once.
        if request.len() < 1 << 16 {
            self.packet.clear();
            self.packet.extend_from_slice(&length.to_be_bytes());
            self.packet.extend_from_slice(request);
            self.stream.write_all(&self.packet)
        } else {
            self.stream.write_all(&length.to_be_bytes())?;
            self.stream.write_all(request)
        }
    }

    /// Waits for an answer, which is then in `packet`.
    fn receive(&mut self, patience: Duration) -> std::io::Result<()> {
        let end = Instant::now() + patience;
        let mut head = [0; 4];
        self.fill(&mut head, end)?;
        let mut packet = std::mem::take(&mut self.packet);
        packet.clear();
        packet.resize(u32::from_be_bytes(head) as usize, 0);
        let filled = self.fill(&mut packet, end);
        self.packet = packet;
        filled
    }

    fn fill(&mut self, mut place: &mut [u8], end: Instant) -> std::io::Result<()> {
        while !place.is_empty() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ErrorKind::TimedOut.into());
            }
            if self.interrupt.raised() {
                return Err(ErrorKind::ConnectionAborted.into());
            }
            self.stream.set_read_timeout(Some(left.min(TICK)))?;
            match self.stream.read(place) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => place = &mut place[count..],
                Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Ends what no longer answers; how it went.
    fn bury(&mut self, kind: ErrorKind) -> Gone {
        if kind == ErrorKind::TimedOut {
            let _ = self.child.kill();
            let _ = self.child.wait();
            return Gone::Hung;
        }
        if kind == ErrorKind::ConnectionAborted {
            let _ = self.child.kill();
            let _ = self.child.wait();
            return Gone::Interrupted;
        }
        let end = Instant::now() + FAREWELL;
        while Instant::now() < end {
            if let Ok(Some(status)) = self.child.try_wait() {
                return match (status.code(), status.signal()) {
                    (Some(code), _) => Gone::Status(code),
                    (None, signal) => Gone::Signal(signal.unwrap_or(0)),
                };
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        Gone::Driver
    }
}

fn describe(gone: Gone) -> String {
    match gone {
        Gone::Status(status) => format!("it ended with status {status}"),
        Gone::Signal(signal) => format!("it was ended by signal {signal}"),
        Gone::Driver => "the process that answers was ended".to_owned(),
        Gone::Hung => "it took too long".to_owned(),
        Gone::Interrupted => "the run was interrupted".to_owned(),
    }
}

impl Drop for Vm {
    fn drop(&mut self) {
        // It may have ended by itself, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
        leftovers::end(&self.mark, None);
    }
}
