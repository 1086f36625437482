//! `xcute lsp`: a language server (protocol 3.17). Results are diagnostics, and what can be tested has a code lens.
//!
//! One thread does everything but reading: it looks at messages, processes and results in turn, and waits for none of them. [`wire`] frames messages, [`documents`] are the
//! texts of the editor, [`places`] says where results are, [`shelf`] what they hold, [`jobs`] runs searches, [`session`] says what each message means, and [`announce`] what the editor
//! hears without asking.
//!
//! **Invariant.** stdout carries the protocol and nothing else. No message ends the server but `exit`.

mod announce;
mod diagnostics;
mod documents;
mod entries;
mod jobs;
mod places;
mod session;
mod shelf;
mod wire;

use std::io;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::arguments::LspArguments;
use crate::exit::Exit;
use session::{End, Session};

/// How often processes are looked at, and results.
const SOON: Duration = Duration::from_millis(50);
const LATER: Duration = Duration::from_secs(1);

/// Serves an editor until it asks for the end, or goes away.
pub fn run(low: &LspArguments) -> Result<u8> {
    if let Some(file) = &low.entries {
        return entries::run(file).map(Exit::code);
    }
    let incoming = wire::listen(io::stdin());
    let mut session = Session::new(io::stdout().lock());
    let mut looked = Instant::now();
    loop {
        let wait = if session.busy() { SOON } else { LATER };
        match incoming.recv_timeout(wait) {
            Ok(message) => {
                if let Some(end) = session.take(message)? {
                    return Ok(if end == End::Asked { 0 } else { 1 });
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(1),
        }
        session.look()?;
        if looked.elapsed() >= LATER {
            session.look_at_results();
            looked = Instant::now();
        }
        session.publish()?;
    }
}
