//! A child process whose lines are waited for, but not for ever.
//!
//! **Invariant.** The child is ended and waited for when this is dropped.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// What came of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Text(String),
    /// The process has ended.
    Ended,
    /// Nothing came in time.
    Late,
}

pub(super) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    /// Starts it; what it says on standard error is thrown away.
    pub fn start(command: &mut Command) -> std::io::Result<Process> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                if send.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
        Ok(Process { child, stdin, lines })
    }

    /// Sends a line; `false` if the process takes none.
    pub fn send(&mut self, line: &str) -> bool {
        let Some(stdin) = &mut self.stdin else { return false };
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_ok()
    }

    /// Waits for a line.
    pub fn line(&mut self, patience: Duration) -> Line {
        match self.lines.recv_timeout(patience) {
            Ok(line) => Line::Text(line),
            Err(RecvTimeoutError::Disconnected) => Line::Ended,
            Err(RecvTimeoutError::Timeout) => Line::Late,
        }
    }

    /// Sends nothing more: whoever reads comes to the end.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// Sends nothing more, and waits for the end: the exit code, or `None` if it was ended by force.
    pub fn finish(&mut self) -> Option<i32> {
        self.close();
        self.child.wait().ok().and_then(|status| status.code())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
