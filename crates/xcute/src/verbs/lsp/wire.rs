//! Messages on stdin and stdout, as the protocol frames them (JSON-RPC 2.0 after a header with the length).
//!
//! **Invariant.** A message that cannot be understood is answered with an error, and the next one is read.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, channel};

use anyhow::{Context, Result};
use lsp_types::notification::Notification;
use lsp_types::request::Request;
use serde_json::{Value, json};

/// A longer message is passed over.
const LONGEST: u64 = 64 << 20;

/// What an editor sent.
#[derive(Debug, PartialEq)]
pub enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// An answer to a request of ours.
    Answer,
    /// Something else, and why it is not understood; the id is null where there is none.
    Wrong {
        id: Value,
        refusal: Refusal,
    },
}

/// Why a request is not answered: a code of the protocol, and a sentence.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    pub code: i64,
    pub why: String,
}

impl Refusal {
    pub const PARSE: i64 = -32700;
    pub const REQUEST: i64 = -32600;
    pub const METHOD: i64 = -32601;
    pub const PARAMS: i64 = -32602;
    pub const EARLY: i64 = -32002;
    pub const CANCELLED: i64 = -32800;
    pub const FAILED: i64 = -32803;

    pub fn new(code: i64, why: impl ToString) -> Refusal {
        Refusal { code, why: why.to_string() }
    }
}

/// Reads messages on a thread of its own. The channel is closed where the input ends.
pub fn listen(input: impl Read + Send + 'static) -> Receiver<Incoming> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut input = io::BufReader::new(input);
        while let Ok(Some(incoming)) = read(&mut input) {
            if sender.send(incoming).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The next message; `None` at the end.
fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let wrong = |why: &str| Some(Incoming::Wrong { id: Value::Null, refusal: Refusal::new(Refusal::PARSE, why) });
    let Some(length) = length else { return Ok(wrong("a message has no Content-Length")) };
    if length > LONGEST {
        io::copy(&mut input.take(length), &mut io::sink())?;
        return Ok(wrong("the message is too long"));
    }
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
    input.read_exact(&mut bytes)?;
    Ok(Some(understood(&bytes)))
}

fn understood(bytes: &[u8]) -> Incoming {
    let wrong = |id: Value, code: i64, why: String| Incoming::Wrong { id, refusal: Refusal { code, why } };
    let mut value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => return wrong(Value::Null, Refusal::PARSE, format!("the message is not JSON: {error}")),
    };
    let id = value.get("id").cloned().filter(|id| id.is_string() || id.is_number());
    let params = value.get_mut("params").map(Value::take).unwrap_or_default();
    match (value.get("method"), id) {
        (Some(Value::String(method)), Some(id)) => Incoming::Request { id, method: method.clone(), params },
        (Some(Value::String(method)), None) => Incoming::Notification { method: method.clone(), params },
        (None, Some(_)) if value.get("result").is_some() || value.get("error").is_some() => Incoming::Answer,
        (_, id) => wrong(id.unwrap_or_default(), Refusal::REQUEST, "the message is neither a request nor an answer".to_owned()),
    }
}

/// Writes messages.
pub struct Speaker<W> {
    out: W,
    asked: u64,
}

impl<W: Write> Speaker<W> {
    pub fn new(out: W) -> Speaker<W> {
        Speaker { out, asked: 0 }
    }

    /// Answers a request.
    pub fn answer(&mut self, id: &Value, answer: Result<Value, Refusal>) -> Result<()> {
        self.write(&match answer {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(Refusal { code, why }) => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } }),
        })
    }

    /// Says something.
    pub fn notify<N: Notification>(&mut self, params: N::Params) -> Result<()> {
        self.write(&json!({ "jsonrpc": "2.0", "method": N::METHOD, "params": serde_json::to_value(params)? }))
    }

    /// Asks for something whose answer does not matter.
    pub fn ask<R: Request>(&mut self, params: R::Params) -> Result<()> {
        self.asked += 1;
        let id = format!("xcute-{}", self.asked);
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": R::METHOD, "params": serde_json::to_value(params)? }))
    }

    fn write(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        let written = write!(self.out, "Content-Length: {}\r\n\r\n{text}", text.len()).and_then(|()| self.out.flush());
        written.context("cannot write to the editor")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(body: &str) -> String {
        format!("Content-Type: x\r\ncontent-length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn wrong_messages_do_not_end_the_conversation() {
        let good = framed(r#"{"jsonrpc":"2.0","id":7,"method":"shutdown"}"#);
        let bodies = ["{", "[]", "7", r#"{"id":1}"#, r#"{"id":1,"method":2}"#, "\u{7f}"];
        let wrong: String = bodies.iter().map(|body| framed(body)).collect();
        let text = format!("nonsense\r\n\r\n{wrong}Content-Length: -1\r\n\r\n{good}");
        let all: Vec<Incoming> = listen(io::Cursor::new(text)).into_iter().collect();
        let (last, wrong) = all.split_last().unwrap();
        assert_eq!(*last, Incoming::Request { id: json!(7), method: "shutdown".to_owned(), params: Value::Null });
        assert_eq!(wrong.len(), bodies.len() + 2, "{wrong:?}");
        assert!(wrong.iter().all(|one| matches!(one, Incoming::Wrong { .. })), "{wrong:?}");
        assert!(matches!(&wrong[4], Incoming::Wrong { id, refusal } if *id == json!(1) && refusal.code == Refusal::REQUEST), "{wrong:?}");
    }

    #[test]
    fn messages_that_are_too_long_are_passed_over() {
        let long = LONGEST + 1;
        let header = format!("Content-Length: {long}\r\n\r\n");
        let input = io::Cursor::new(header).chain(io::repeat(b' ').take(long)).chain(io::Cursor::new(framed(r#"{"method":"exit"}"#)));
        let all: Vec<Incoming> = listen(input).into_iter().collect();
        assert!(matches!(&all[..], [Incoming::Wrong { .. }, Incoming::Notification { method, .. }] if method == "exit"), "{all:?}");
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut speaker = Speaker::new(Vec::new());
        speaker.answer(&json!("ä"), Err(Refusal::new(Refusal::METHOD, "no"))).unwrap();
        speaker.ask::<lsp_types::request::CodeLensRefresh>(()).unwrap();
        let all: Vec<Incoming> = listen(io::Cursor::new(speaker.out)).into_iter().collect();
        assert!(matches!(&all[..], [Incoming::Answer, Incoming::Request { .. }]), "{all:?}");
    }
}
