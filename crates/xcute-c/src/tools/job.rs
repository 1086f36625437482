//! A compiler at work: a child of ours, or of its [fork server](super::fork_server).

use std::io::{self, Read};
use std::process::Child;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use xcute_term::{Interrupt, profile};

use super::fork_server::Served;
use super::made::Call;
use super::toolchain_error::ToolchainError;

/// How often somebody who waits looks whether to stop.
const LOOK: Duration = Duration::from_millis(10);

/// A compiler at work, or what it made before.
#[derive(Debug)]
pub struct Job {
    pub(super) work: Work,
    /// What its result is kept as.
    pub(super) call: Option<Call>,
}

/// Who does the work.
#[derive(Debug)]
pub(super) enum Work {
    /// A process that was started.
    Child(Child),
    /// A process that was forked.
    Served(Served),
    /// Nobody: it is done, and this is what the compiler said.
    Done(String),
}

/// Its messages, and whether it did its work.
type Ended = io::Result<(Vec<u8>, bool)>;

impl Job {
    /// Waits for its end; the result is its warnings.
    ///
    /// # Errors
    /// [`ToolchainError::Refused`] with its messages.
    pub fn wait(self, what: &str) -> Result<String, ToolchainError> {
        let _phase = profile::phase("clang");
        let Job { work, call } = self;
        kept(call.as_ref(), result(what, work.end()))
    }

    /// The same, as long as nobody says to stop: then it is ended.
    ///
    /// # Errors
    /// As [`Job::wait`]; [`ToolchainError::Stopped`].
    pub fn wait_until(self, what: &str, stop: &Interrupt) -> Result<String, ToolchainError> {
        let _phase = profile::phase("clang");
        let Job { work, call } = self;
        let process = match &work {
            Work::Child(child) => child.id(),
            Work::Served(served) => served.process,
            Work::Done(_) => return result(what, work.end()),
        };
        let (send, ended) = channel();
        std::thread::spawn(move || {
            let _ = send.send(work.end());
        });
        loop {
            match ended.recv_timeout(LOOK) {
                Ok(ended) => return kept(call.as_ref(), result(what, ended)),
                Err(RecvTimeoutError::Timeout) if !stop.raised() => {}
                Err(_) => {
                    kill(process);
                    // Nothing of it writes once it has ended.
                    let _ = ended.recv();
                    return Err(ToolchainError::Stopped { what: what.to_owned() });
                }
            }
        }
    }
}

impl Work {
    fn end(self) -> Ended {
        match self {
            Work::Done(messages) => Ok((messages.into_bytes(), true)),
            Work::Child(child) => child.wait_with_output().map(|output| (output.stderr, output.status.success())),
            Work::Served(mut served) => {
                let (mut messages, mut status) = (Vec::new(), [0; 4]);
                served.messages.read_to_end(&mut messages)?;
                served.status.read_exact(&mut status).map_err(|_| io::Error::other("the compiler was stopped"))?;
                Ok((messages, status == [0; 4]))
            }
        }
    }
}

fn kept(call: Option<&Call>, result: Result<String, ToolchainError>) -> Result<String, ToolchainError> {
    if let (Some(call), Ok(messages)) = (call, &result) {
        call.keep(messages);
    }
    result
}

fn result(what: &str, ended: Ended) -> Result<String, ToolchainError> {
    let text = |messages: &[u8]| String::from_utf8_lossy(messages).trim_end().to_owned();
    let refused = |messages| ToolchainError::Refused { what: what.to_owned(), messages };
    match ended {
        Ok((messages, true)) => Ok(text(&messages)),
        Ok((messages, false)) => Err(refused(text(&messages))),
        Err(error) => Err(refused(error.to_string())),
    }
}

/// Ends a process that nobody has waited for.
#[allow(unsafe_code, reason = "the standard library ends only children of its own")]
fn kill(process: u32) {
    // SAFETY: no memory is involved.
    unsafe { libc::kill(process.cast_signed(), libc::SIGKILL) };
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_job_that_is_stopped_ends_at_once() {
        let child = Command::new("sleep").arg("100").stderr(Stdio::piped()).spawn().unwrap();
        let stop = Interrupt::default();
        stop.raise();
        let ended = Job { work: Work::Child(child), call: None }.wait_until("a file", &stop);
        assert_eq!(ended.unwrap_err().to_string(), "a file was not compiled: the time is up");
    }
}
