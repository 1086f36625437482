//! A run in words: what the environment did, step by step, and what the capsule did then.
//!
//! `lidar.measured(cd = 0, threat = 11): Idle -> Warn, sends panel.warning(11)`

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::sequence::{Answer, Mode, Sequence, Step};
use crate::trace::{Event, Kind, Trace, time};

/// The steps of a run of the capsule, in words. Without `reactions` only what the environment does.
#[must_use]
pub fn steps(trace: &Trace, capsule: &str, reactions: bool) -> Vec<String> {
    let mut told = Vec::new();
    let (mut states, mut at) = (BTreeMap::new(), 0);
    for (step, events) in split(trace) {
        let now = step.and_then(|step| step.now).unwrap_or_default();
        let when = if now == at { String::new() } else { format!(" at {}", time(now)) };
        at = now;
        let did = reaction(events, capsule, &mut states);
        let Some(step) = step else { continue };
        let what = match step.kind {
            Kind::Timeout => format!("{}.timeout", step.port.as_deref().unwrap_or_default()),
            _ => message(step),
        };
        let what = format!("{}{what}", inside(step, capsule));
        let answers: Vec<String> = events.iter().filter_map(answer).collect();
        let answers = if answers.is_empty() { String::new() } else { format!(", {}", answers.join(", ")) };
        let did = if reactions && !did.is_empty() { format!(": {did}") } else { String::new() };
        told.push(format!("{what}{when}{answers}{did}"));
    }
    told
}

/// The same as a sequence that repeats it.
#[must_use]
pub fn sequence(trace: &Trace, capsule: &str, mode: Mode) -> Sequence {
    let mut sequence = Sequence { capsule: capsule.to_owned(), mode, ..Sequence::default() };
    // The timers of a monitor are not the model's: for it time passes.
    let started: BTreeSet<&str> =
        trace.events.iter().filter(|event| event.kind == Kind::Start).filter_map(|event| event.capsule.as_deref()).collect();
    let own = |path: &str| path == capsule || (mode == Mode::System && started.contains(path));
    let mut at = 0;
    for (step, events) in split(trace) {
        let answers: Vec<Answer> = events.iter().filter_map(answered).collect();
        let Some(step) = step else {
            sequence.start.answers = answers;
            continue;
        };
        let now = step.now.unwrap_or_default();
        if step.kind == Kind::Timeout && step.capsule.as_deref().is_none_or(own) {
            sequence.steps.push(Step::Timeout { timeout: true, answers });
        } else {
            if now > at || step.kind == Kind::Timeout {
                sequence.steps.push(Step::Advance { advance: Value::from(now - at), answers: Vec::new() });
            }
            if step.kind == Kind::Timeout {
                at = now;
                continue;
            }
            let to = step.capsule.clone().filter(|path| path != capsule);
            let send = format!("{}.{}", step.port.as_deref().unwrap_or_default(), step.message.as_deref().unwrap_or_default());
            let index = step.index.and_then(|index| u32::try_from(index).ok()).unwrap_or_default();
            let args = step.args.clone().unwrap_or_default();
            sequence.steps.push(Step::Send { send, to, index, args, priority: None, answers });
        }
        at = now;
    }
    sequence
}

/// The events of each step; those before the first one have none.
fn split(trace: &Trace) -> Vec<(Option<&Event>, &[Event])> {
    let is_step = |event: &Event| matches!(event.kind, Kind::Step | Kind::Timeout);
    let starts: Vec<usize> = (0..trace.events.len()).filter(|at| is_step(&trace.events[*at])).collect();
    let first = starts.first().copied().unwrap_or(trace.events.len());
    let mut all = vec![(None, &trace.events[..first])];
    for (nth, start) in starts.iter().enumerate() {
        let end = starts.get(nth + 1).copied().unwrap_or(trace.events.len());
        all.push((Some(&trace.events[*start]), &trace.events[start + 1..end]));
    }
    all
}

/// The parts that lead to a capsule inside of the one that is run, with a dot.
fn inside(event: &Event, capsule: &str) -> String {
    event.capsule.as_deref().filter(|path| *path != capsule).map_or_else(String::new, |path| format!("{path}."))
}

/// What the capsule, and those inside it, did: the states they went through, and what was sent.
fn reaction(events: &[Event], capsule: &str, states: &mut BTreeMap<String, String>) -> String {
    let mut said: Vec<String> = Vec::new();
    // Where each capsule was before, and where that is said.
    let mut moved: BTreeMap<&str, (String, Option<usize>)> = BTreeMap::new();
    for event in events {
        let Some(path) =
            event.capsule.as_deref().filter(|path| *path == capsule || states.contains_key(*path) || event.kind == Kind::Start)
        else {
            continue;
        };
        let prefix = inside(event, capsule);
        match event.kind {
            Kind::Start => {
                states.entry(path.to_owned()).or_default();
            }
            Kind::Enter => {
                let now = event.state.clone().unwrap_or_default();
                let before = states.insert(path.to_owned(), now.clone()).unwrap_or_default();
                let (first, at) = moved.entry(path).or_insert((before, None));
                if first.is_empty() {
                    continue;
                }
                let text = format!("{prefix}{first} -> {now}");
                match at {
                    Some(at) => said[*at] = text,
                    // The capsule that is run goes first.
                    None if prefix.is_empty() => {
                        *at = Some(0);
                        said.insert(0, text);
                        moved.values_mut().filter(|(_, at)| at.is_some_and(|at| at > 0)).for_each(|(_, at)| *at = at.map(|at| at + 1));
                    }
                    None => {
                        *at = Some(said.len());
                        said.push(text);
                    }
                }
            }
            Kind::Send | Kind::Invoke | Kind::Reply => said.push(format!("{}{}", who(&prefix), sends(event))),
            Kind::Unexpected if prefix.is_empty() => said.push("unexpected".to_owned()),
            Kind::Unexpected => said.push(format!("{}does not expect {}", who(&prefix), message(event))),
            _ => {}
        }
    }
    said.join(", ")
}

/// The subject of a sentence; none for the capsule that is run.
fn who(prefix: &str) -> String {
    prefix.strip_suffix('.').map_or_else(String::new, |path| format!("{path} "))
}

/// A message that leaves the model is sent; one to another capsule says where it goes.
fn sends(event: &Event) -> String {
    let to = event.to.as_ref().map_or_else(String::new, |to| format!(" to {to}"));
    format!("sends {}{to}", message(event))
}

fn message(event: &Event) -> String {
    let index = event.index.map_or_else(String::new, |index| format!("[{index}]"));
    let args = event.args.as_ref().map_or_else(String::new, arguments);
    format!("{}{index}.{}({args})", event.port.as_deref().unwrap_or_default(), event.message.as_deref().unwrap_or_default())
}

/// The answer of the environment that an event was about.
fn answer(event: &Event) -> Option<String> {
    match event.kind {
        Kind::Answer => Some(format!("answered by {}", message(event))),
        Kind::Incarnate | Kind::Import if event.done == Some(false) => {
            let verb = if event.kind == Kind::Incarnate { "incarnated" } else { "imported" };
            Some(format!("{} cannot be {verb}", event.part.as_deref().unwrap_or_default()))
        }
        _ => None,
    }
}

fn answered(event: &Event) -> Option<Answer> {
    match event.kind {
        Kind::Answer => Some(Answer::Reply { message: event.message.clone()?, args: event.args.clone().unwrap_or_default() }),
        Kind::Incarnate => event.done.map(Answer::Incarnate),
        Kind::Import => event.done.map(Answer::Import),
        _ => None,
    }
}

/// Arguments as in a call. A structure that is the only one is shown by its fields.
fn arguments(args: &Value) -> String {
    match args {
        Value::Array(values) => match &values[..] {
            [only @ Value::Object(_)] => arguments(only),
            values => values.iter().map(value).collect::<Vec<_>>().join(", "),
        },
        Value::Object(fields) => fields.iter().map(|(name, one)| format!("{name} = {}", value(one))).collect::<Vec<_>>().join(", "),
        other => value(other),
    }
}

fn value(one: &Value) -> String {
    match one {
        Value::Object(_) => format!("{{{}}}", arguments(one)),
        Value::Array(values) => format!("[{}]", values.iter().map(value).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = r#"{"event":"start","capsule":"C"}
{"event":"enter","capsule":"C","state":"Idle"}
{"event":"step","now":0,"port":"lidar","message":"measured","args":[{"threat":11,"cd":0}]}
{"event":"receive","capsule":"C","port":"lidar","message":"measured"}
{"event":"exit","capsule":"C","state":"Idle"}
{"event":"send","capsule":"C","port":"panel","message":"warning","args":[11]}
{"event":"enter","capsule":"C","state":"Warn"}
{"event":"timeout","now":50000000,"port":"timer"}
{"event":"step","now":50000000,"port":"panel","index":1,"message":"off"}
{"event":"incarnate","capsule":"C","part":"unit","index":0,"done":false}
"#;

    #[test]
    fn steps_are_told_with_what_follows() {
        let trace = Trace::parse(TRACE);
        let expected = [
            "lidar.measured(cd = 0, threat = 11): Idle -> Warn, sends panel.warning(11)",
            "timer.timeout at 50ms",
            "panel[1].off(), unit cannot be incarnated",
        ];
        assert_eq!(steps(&trace, "C", true), expected);
        assert_eq!(steps(&trace, "C", false)[0], "lidar.measured(cd = 0, threat = 11)");
    }

    #[test]
    fn a_sequence_repeats_the_run() {
        let sequence = sequence(&Trace::parse(TRACE), "C", Mode::Unit);
        let written = serde_json::to_string(&sequence).unwrap();
        assert!(written.contains(r#"{"send":"lidar.measured","args":[{"cd":0,"threat":11}]}"#), "{written}");
        assert!(written.contains(r#"{"timeout":true},{"send":"panel.off","index":1,"answers":[{"incarnate":false}]}"#), "{written}");
    }
}
