//! Traces: what happened in a run, event by event, as the generated program writes it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The events in their order.
    pub events: Vec<Event>,
}

/// An event.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Event {
    /// What happened.
    #[serde(rename = "event")]
    pub kind: Kind,
    /// The capsule it happened in: a path of parts, or the name of the class for the one that is run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capsule: Option<String>,
    /// A state: that was entered or left, or in which a message was unexpected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// A transition that was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The transition of a guard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transition: Option<String>,
    /// Whether a guard holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// The pseudo-state in which a machine is stuck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// A port.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// The index of a port or part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<i64>,
    /// A message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Its parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    /// Where it was sent to; none for the environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Its priority, unless it is the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i64>,
    /// The number of a timer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer: Option<u64>,
    /// When it fires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<i64>,
    /// How often it fires again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<i64>,
    /// What was logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The class of a capsule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Whether something could be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<bool>,
    /// A call of a passive class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// How much time passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<i64>,
    /// The time at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<i64>,
    /// How many messages were too many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<i64>,
}

/// What happened.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The behaviour of a capsule began.
    Start,
    /// The environment of a capsule that is explored sends a message.
    Step,
    /// It waits until the next timer fires.
    Timeout,
    /// A message was received.
    Receive,
    /// A guard was evaluated.
    Guard,
    /// A state was left.
    Exit,
    /// A transition was taken.
    Transition,
    /// A state was entered.
    Enter,
    /// A message was sent.
    Send,
    /// A message was sent and handled before its sender went on.
    Invoke,
    /// The reply to such a message.
    Reply,
    /// The environment's reply.
    Answer,
    /// A message was sent to nobody.
    Lost,
    /// Nothing was triggered by a message.
    Unexpected,
    /// Nothing was triggered by a call of a passive class.
    #[serde(rename = "unexpected call")]
    UnexpectedCall,
    /// No way leads on from a choice.
    Stuck,
    /// A message was put aside.
    Defer,
    /// And came back.
    Recall,
    /// A timer was set.
    Set,
    /// And cancelled.
    Cancel,
    /// A capsule was created, or could not be.
    Incarnate,
    /// A capsule was destroyed.
    Destroy,
    /// A capsule was imported, or could not be.
    Import,
    /// A capsule was deported, or could not be.
    Deport,
    /// Something was logged.
    Log,
    /// Time passed.
    Advance,
    /// The model did not come to rest.
    Endless,
    /// The end of the sequence.
    End,
}

impl Trace {
    /// Reads a trace. A line that the end of the process cut off is left out.
    #[must_use]
    pub fn parse(text: &str) -> Trace {
        Trace { events: text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect() }
    }

    /// How often each transition of a capsule's class was taken, and each state entered, by name.
    #[must_use]
    pub fn hits(&self, capsule: &str) -> std::collections::BTreeMap<(Kind, String), u64> {
        let mut hits = std::collections::BTreeMap::new();
        for event in self.events.iter().filter(|event| event.capsule.as_deref() == Some(capsule)) {
            let name = match event.kind {
                Kind::Transition => event.name.clone(),
                Kind::Enter => event.state.clone(),
                _ => None,
            };
            if let Some(name) = name {
                *hits.entry((event.kind, name)).or_default() += 1;
            }
        }
        hits
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for event in &self.events {
            writeln!(f, "{event}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(capsule) = &self.capsule {
            write!(f, "{capsule}: ")?;
        }
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let number = |number: Option<i64>| number.unwrap_or_default();
        let index = self.index.map_or_else(String::new, |index| format!("[{index}]"));
        let args = self.args.as_ref().map_or_else(|| "()".to_owned(), arguments);
        let message = || format!("{}{index}.{}{args}", text(&self.port), text(&self.message));
        match self.kind {
            Kind::Start => write!(f, "start"),
            Kind::Step => write!(f, "step {} at {}", message(), time(number(self.now))),
            Kind::Timeout => write!(f, "timeout at {}", time(number(self.now))),
            Kind::Receive => write!(f, "receive {}", message()),
            Kind::Guard => write!(f, "guard {} {}", text(&self.transition), if self.holds == Some(true) { "holds" } else { "fails" }),
            Kind::Exit => write!(f, "exit {}", text(&self.state)),
            Kind::Transition => write!(f, "transition {}", text(&self.name)),
            Kind::Enter => write!(f, "enter {}", text(&self.state)),
            Kind::Send => {
                write!(f, "send {}", message())?;
                self.to.as_ref().map_or(Ok(()), |to| write!(f, " to {to}"))?;
                self.priority.map_or(Ok(()), |priority| write!(f, " priority {priority}"))
            }
            Kind::Invoke => write!(f, "invoke {}", message()),
            Kind::Reply => write!(f, "reply {}", message()),
            Kind::Answer => write!(f, "answer {}", message()),
            Kind::Lost => write!(f, "lost {}", message()),
            Kind::Unexpected => write!(f, "unexpected {} in {}", message(), text(&self.state)),
            Kind::UnexpectedCall => write!(f, "unexpected call of {} in {}", text(&self.operation), text(&self.state)),
            Kind::Stuck => write!(f, "stuck in {}", text(&self.at)),
            Kind::Defer => write!(f, "defer {}", message()),
            Kind::Recall => write!(f, "recall {}", message()),
            Kind::Set => {
                write!(f, "set {} due {}", text(&self.port), time(number(self.due)))?;
                self.period.map_or(Ok(()), |period| write!(f, " every {}", time(period)))
            }
            Kind::Cancel => write!(f, "cancel {}", text(&self.port)),
            Kind::Incarnate | Kind::Import | Kind::Deport => {
                let verb = match self.kind {
                    Kind::Incarnate => "incarnate",
                    Kind::Import => "import",
                    _ => "deport",
                };
                write!(f, "{verb} {}{index}", text(&self.part))?;
                self.class.as_ref().map_or(Ok(()), |class| write!(f, " as {class}"))?;
                if self.done == Some(true) { Ok(()) } else { write!(f, " failed") }
            }
            Kind::Destroy => write!(f, "destroy"),
            Kind::Log => write!(f, "log {}", text(&self.text)),
            Kind::Advance => write!(f, "advance {}", time(number(self.by))),
            Kind::Endless => write!(f, "endless after {} messages", number(self.messages)),
            Kind::End => write!(f, "end at {}", time(number(self.now))),
        }
    }
}

/// Parameters as in a call: `(threat=3, cd={"angle":1})`.
pub(crate) fn arguments(args: &Value) -> String {
    let joined = match args {
        Value::Object(fields) => fields.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", "),
        Value::Array(values) => values.iter().map(Value::to_string).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    };
    format!("({joined})")
}

/// A time in the largest unit that leaves it whole.
pub(crate) fn time(nanoseconds: i64) -> String {
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")];
    let unit = units.iter().find(|(size, _)| nanoseconds % size == 0);
    unit.map_or_else(|| format!("{nanoseconds}ns"), |(size, name)| format!("{}{name}", nanoseconds / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_shown_in_a_line() {
        let text = r#"{"event":"receive","capsule":"CA","port":"lidar","message":"threat","args":{"level":3}}
{"event":"set","capsule":"CA","port":"timer","timer":1,"due":50000000}
{"event":"incarnate","capsule":"F","part":"units","index":0,"class":"Unit","done":false}
{"event":"cut"#;
        let shown = Trace::parse(text).to_string();
        assert_eq!(shown, "CA: receive lidar.threat(level=3)\nCA: set timer due 50ms\nF: incarnate units[0] as Unit failed\n");
    }
}
