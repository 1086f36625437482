//! Sequences of messages: what a model is run on, and what repeats a run.
//!
//! A sequence is a JSON file. The generated program reads it itself (`runtimes/model/xm/driver.h`), so that a failure can be repeated
//! without xcute; this is the same file for the Rust side. Everything that the environment decides is in it: which messages come, with
//! which data, when time passes, and what it answers where the model asks.
//!

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A run of a capsule.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// The model it is for, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The capsule that is run.
    pub capsule: String,
    /// What is run with it.
    #[serde(default)]
    pub mode: Mode,
    /// What the environment answers while the capsule starts.
    #[serde(default, skip_serializing_if = "Start::is_empty")]
    pub start: Start,
    /// What happens then.
    #[serde(default)]
    pub steps: Vec<Step>,
}

/// What is run with a capsule.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nothing: all its neighbours, and the capsules in its parts, are the environment.
    #[default]
    Unit,
    /// All capsules in its parts. Ports that no connector leads to belong to the environment.
    System,
}

/// The beginning of a run.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// What the environment answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
}

impl Start {
    fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }
}

/// One thing that the environment does. The model comes to rest before the next one.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Step {
    /// It sends a message.
    Send {
        /// `port.message`.
        send: String,
        /// The capsule, as a path of parts; the one that is run if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
        /// The index of the port, where it has several ends.
        #[serde(default, skip_serializing_if = "is_zero")]
        index: u32,
        /// The parameters: an object by their names, or an array in their order. What is left out is zero.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        args: Value,
        /// `panic`, `high`, `normal`, `low` or `background`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        priority: Option<String>,
        /// What it answers meanwhile.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        answers: Vec<Answer>,
    },
    /// The timer that is due next fires; time passes until then.
    Timeout {
        /// Always true.
        timeout: bool,
        /// What it answers meanwhile.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        answers: Vec<Answer>,
    },
    /// Time passes. Timers that are due meanwhile fire.
    Advance {
        /// Nanoseconds, or a number with a unit: `"50ms"`.
        advance: Value,
        /// What it answers meanwhile.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        answers: Vec<Answer>,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(index: &u32) -> bool {
    *index == 0
}

/// What the environment answers when the model asks for something that is not run. Answers of a kind are used in their order.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Answer {
    /// Whether a capsule could be created; without an answer it can if there is room.
    Incarnate(bool),
    /// Whether a capsule could be imported; without an answer it can if there is room.
    Import(bool),
    /// The reply to a synchronous message; without an answer there is none.
    Reply {
        /// The message.
        message: String,
        /// Its parameters.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        args: Value,
    },
}

impl Step {
    /// A message without parameters.
    #[must_use]
    pub fn send(message: &str) -> Step {
        Step::send_with(message, Value::Null)
    }

    /// A message with parameters.
    #[must_use]
    pub fn send_with(message: &str, args: Value) -> Step {
        Step::Send { send: message.to_owned(), to: None, index: 0, args, priority: None, answers: Vec::new() }
    }

    /// The next timer.
    #[must_use]
    pub fn timeout() -> Step {
        Step::Timeout { timeout: true, answers: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sequences_are_read_as_they_are_written() {
        let text = r#"{"capsule":"C","mode":"system","start":{"answers":[{"incarnate":false}]},"steps":[
            {"send":"p.m","args":{"x":3},"index":2},{"timeout":true},{"advance":"50ms","answers":[{"reply":{"message":"r","args":[1]}}]}]}"#;
        let sequence: Sequence = serde_json::from_str(text).unwrap();
        assert_eq!(sequence.steps.len(), 3);
        let written = serde_json::to_value(&sequence).unwrap();
        assert_eq!(serde_json::from_value::<Sequence>(written.clone()).unwrap(), sequence);
        assert_eq!(written["steps"][0], json!({"send": "p.m", "args": {"x": 3}, "index": 2}));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for text in [r#"{"capsule":"C","step":[]}"#, r#"{"capsule":"C","steps":[{"sent":"p.m"}]}"#, r#"{"steps":[]}"#] {
            assert!(serde_json::from_str::<Sequence>(text).is_err(), "{text}");
        }
    }
}
