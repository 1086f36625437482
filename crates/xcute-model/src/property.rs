//! Properties of runs: what must never happen, or must happen in time.
//!
//! A property is a line of text about occurrences: a message is sent or received, a state is entered or left, a transition is taken.
//! The forms are those of the specification patterns of Dwyer, Avrunin and Corbett (ICSE 1999) that a finite run can violate:
//! absence (`never A and B within one step`, `after A never B until C`), precedence (`never B until A`) and bounded response
//! (`A leads to B within 50 ms`).
//!
//! **Invariant.** All names are resolved: a property that was read can be watched.

use xcute_suggest::meant;

use crate::flat::{Capsule, Flat, Signal};
use crate::ir::Direction;

/// A property.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// As the user wrote it, with single spaces.
    pub text: String,
    /// What it says.
    pub form: Form,
}

/// What a property says.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// These do not all occur in one step.
    Together(Vec<Events>),
    /// `never` does not occur after `after`, or from the beginning if there is none, until `until` occurs.
    Absent {
        /// What begins the time.
        after: Option<Events>,
        /// What must not occur.
        never: Events,
        /// What ends the time.
        until: Option<Events>,
    },
    /// After `from`, `to` occurs in time.
    Response {
        /// What asks.
        from: Events,
        /// What answers.
        to: Events,
        /// Nanoseconds; none: before the step ends.
        within: Option<i64>,
    },
}

/// Any of several occurrences.
pub type Events = Vec<Occurrence>;

/// Something that happens in a capsule.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// The parts that lead to the capsule, each with an index if only one of several is meant.
    pub path: Vec<(usize, Option<usize>)>,
    /// The class of the capsule.
    pub capsule: usize,
    /// What happens.
    pub what: What,
    /// A condition in C++ about the data of the message.
    pub when: Option<String>,
}

/// What happens.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum What {
    /// A message leaves a port.
    Sent {
        /// The port.
        port: usize,
        /// The message of its protocol.
        message: usize,
    },
    /// A message is received.
    Received {
        /// The port.
        port: usize,
        /// What arrives.
        signal: Signal,
    },
    /// A state is entered, by its number among the states.
    Entered(usize),
    /// It is left.
    Left(usize),
    /// A transition is taken, by its number.
    Taken(usize),
}

/// How to write a property.
const FORMS: &str =
    "write \"never A and B within one step\", \"never B until A\", \"after A never B until C\" or \"A leads to B within 50 ms\"";

impl Property {
    /// Reads a property of a capsule and, in a system, of those in its parts.
    ///
    /// # Errors
    /// What cannot be understood, or names something that does not exist.
    pub fn read(text: &str, flat: &Flat, root: usize, system: bool) -> Result<Property, String> {
        let words = words(text)?;
        let reader = Reader { flat, root, system };
        let form = reader.form(&words).map_err(|error| format!("cannot use the property \"{}\": {error}", text.trim()))?;
        Ok(Property { text: words.join(" "), form })
    }

    /// The messages that must not all be sent in one step: `PORT.MESSAGE,PORT.MESSAGE`.
    ///
    /// # Errors
    /// What cannot be understood, or names something that does not exist.
    pub fn together(text: &str, flat: &Flat, root: usize, system: bool) -> Result<Property, String> {
        let reader = Reader { flat, root, system };
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        if names.iter().any(|name| !name.contains('.')) {
            return Err(format!("cannot understand --never {text} (write it as in --never steer.vibrate,steer.reverse)"));
        }
        let one = |name: &&str| reader.occurrence(&["send".to_owned(), (*name).to_owned()]).map(|found| vec![found]);
        let all: Vec<Events> =
            names.iter().map(one).collect::<Result<_, _>>().map_err(|error| format!("cannot use --never {text}: {error}"))?;
        Ok(Property { text: format!("never {} within one step", names.join(" and ")), form: Form::Together(all) })
    }
}

/// Words, and conditions between backticks as one word.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    for (number, piece) in text.split('`').enumerate() {
        if number % 2 == 0 {
            words.extend(piece.split_whitespace().map(str::to_owned));
        } else {
            words.push(format!("`{}`", piece.trim()));
        }
    }
    match text.matches('`').count() % 2 {
        0 => Ok(words),
        _ => Err(format!("a condition of the property \"{}\" is not closed by a backtick", text.trim())),
    }
}

/// What names refer to.
struct Reader<'a> {
    flat: &'a Flat,
    root: usize,
    system: bool,
}

impl Reader<'_> {
    fn form(&self, words: &[String]) -> Result<Form, String> {
        let at = |word: &str| words.iter().position(|other| other == word);
        match words.first().map(String::as_str) {
            Some("never") => {
                if let Some(until) = at("until") {
                    let until_events = Some(self.events(&words[until + 1..])?);
                    return Ok(Form::Absent { after: None, never: self.events(&words[1..until])?, until: until_events });
                }
                let end = at("within").unwrap_or(words.len());
                if end < words.len() && words[end + 1..] != ["one", "step"] {
                    return Err(format!("what must never happen together does so within one step ({FORMS})"));
                }
                let all = words[1..end].split(|word| word == "and").map(|one| self.events(one)).collect::<Result<_, _>>()?;
                Ok(Form::Together(all))
            }
            Some("after") => {
                let never = at("never").ok_or_else(|| format!("there is no \"never\" ({FORMS})"))?;
                let end = at("until").unwrap_or(words.len());
                let until = if end < words.len() { Some(self.events(&words[end + 1..])?) } else { None };
                let (after, never) = (self.events(&words[1..never])?, self.events(words.get(never + 1..end).unwrap_or_default())?);
                Ok(Form::Absent { after: Some(after), never, until })
            }
            _ => {
                let leads = words.windows(2).position(|pair| pair == ["leads", "to"]).ok_or_else(|| FORMS.to_owned())?;
                let within = at("within")
                    .filter(|within| *within > leads)
                    .ok_or_else(|| "a response needs its time: add \"within one step\" or, for example, \"within 50 ms\"".to_owned())?;
                let (from, to) = (self.events(&words[..leads])?, self.events(&words[leads + 2..within])?);
                Ok(Form::Response { from, to, within: time(&words[within + 1..])? })
            }
        }
    }

    fn events(&self, words: &[String]) -> Result<Events, String> {
        words.split(|word| word == "or").map(|one| self.occurrence(one)).collect()
    }

    fn occurrence(&self, words: &[String]) -> Result<Occurrence, String> {
        let (words, when) = match words {
            [rest @ .., when, condition] if when == "when" && condition.starts_with('`') => {
                (rest, Some(condition.trim_matches('`').to_owned()))
            }
            _ => (words, None),
        };
        let (verb, name) = match words {
            [name] => (None, name),
            [verb, name] if ["send", "receive", "enter", "leave", "take"].contains(&verb.as_str()) => (Some(verb.as_str()), name),
            _ => return Err(format!("\"{}\" is not something that happens ({FORMS})", words.join(" "))),
        };
        let (path, class, rest) = self.descend(name)?;
        let capsule = &self.flat.capsules[class];
        let what = match verb {
            Some("enter" | "leave") => {
                let number = state(capsule, rest)?;
                if verb == Some("enter") { What::Entered(number) } else { What::Left(number) }
            }
            Some("take") => {
                let edges = capsule.machine.as_ref().map(|machine| &machine.edges[..]).unwrap_or_default();
                let number = edges.iter().position(|edge| edge.label == rest || edge.name.as_deref() == Some(rest));
                let hint = || meant(rest, edges.iter().map(|edge| edge.label.as_str()));
                What::Taken(number.ok_or_else(|| format!("capsule {} has no transition {rest}{}", capsule.name, hint()))?)
            }
            _ => self.message(capsule, rest, verb)?,
        };
        if when.is_some() && self.carried(class, what) == 0 {
            return Err(format!("{name} carries no data, so there is nothing that a condition could be about"));
        }
        Ok(Occurrence { path, capsule: class, what, when })
    }

    /// How many parameters a message has.
    fn carried(&self, class: usize, what: What) -> usize {
        let (port, message) = match what {
            What::Sent { port, message } | What::Received { port, signal: Signal::Message(message) } => (port, message),
            _ => return 0,
        };
        let protocol = &self.flat.protocols[self.flat.capsules[class].ports[port].protocol];
        if protocol.predefined { 0 } else { protocol.messages[message].params.len() }
    }

    /// The capsule that a name leads to through parts, and the rest of the name.
    #[allow(clippy::type_complexity, reason = "a path, a class and a name")]
    fn descend<'n>(&self, name: &'n str) -> Result<(Vec<(usize, Option<usize>)>, usize, &'n str), String> {
        let (mut path, mut class, mut rest) = (Vec::new(), self.root, name);
        while let Some((first, after)) = rest.split_once('.').filter(|_| self.system) {
            let (part, index) = match first.split_once('[') {
                Some((part, index)) => (part, Some(index.trim_end_matches(']').parse().map_err(|_| format!("{first} has no index"))?)),
                None => (first, None),
            };
            let parts = &self.flat.capsules[class].parts;
            let Some(number) = parts.iter().position(|other| other.name == part && !other.excluded) else { break };
            path.push((number, index));
            (class, rest) = (parts[number].capsule, after);
        }
        Ok((path, class, rest))
    }

    fn message(&self, capsule: &Capsule, name: &str, verb: Option<&str>) -> Result<What, String> {
        let Some((port, message)) = name.split_once('.') else {
            return Err(format!("{name} is not a message (write PORT.MESSAGE, or \"enter {name}\" for a state)"));
        };
        let known = |at: &usize| capsule.ports[*at].name == port && !capsule.ports[*at].excluded;
        let Some(at) = (0..capsule.ports.len()).find(known) else {
            let hint = meant(port, capsule.ports.iter().map(|port| port.name.as_str()));
            return Err(format!("capsule {} has no port {port}{hint}", capsule.name));
        };
        if !capsule.ports[at].behavior {
            return Err(format!("port {port} of {} only relays messages (name the port of the capsule that handles them)", capsule.name));
        }
        let (protocol, conjugated) = (&self.flat.protocols[capsule.ports[at].protocol], capsule.ports[at].conjugated);
        let received = match message {
            "rtBound" => Some(Signal::Bound),
            "rtUnbound" => Some(Signal::Unbound),
            _ => protocol.message(message, Direction::In, conjugated).map(Signal::Message),
        };
        let sent = protocol.message(message, Direction::Out, conjugated).filter(|_| !protocol.predefined);
        match (verb, sent, received) {
            (Some("send") | None, Some(number), None) | (Some("send"), Some(number), _) => Ok(What::Sent { port: at, message: number }),
            (Some("receive") | None, None, Some(signal)) | (Some("receive"), _, Some(signal)) => Ok(What::Received { port: at, signal }),
            (None, Some(_), Some(_)) => Err(format!("{name} is sent and received (write \"send {name}\" or \"receive {name}\")")),
            (Some("receive"), ..) => Err(format!("no message {message} is received at port {port}")),
            (Some(_), None, _) => Err(format!("no message {message} is sent through port {port}")),
            _ => Err(format!("port {port} has no message {message}")),
        }
    }
}

/// The number of a state.
fn state(capsule: &Capsule, name: &str) -> Result<usize, String> {
    let machine = capsule.machine.as_ref().ok_or_else(|| format!("capsule {} has no states", capsule.name))?;
    let number = machine.states().position(|id| machine.vertex(id).path == name);
    let hint = || meant(name, machine.states().map(|id| machine.vertex(id).path.as_str()));
    number.ok_or_else(|| format!("capsule {} has no state {name}{}", capsule.name, hint()))
}

/// `one step`, or a number and a unit.
fn time(words: &[String]) -> Result<Option<i64>, String> {
    let joined = words.concat();
    if words == ["one", "step"] {
        return Ok(None);
    }
    let digits = joined.find(|c: char| !c.is_ascii_digit()).unwrap_or(joined.len());
    let unit = match &joined[digits..] {
        "ns" => Some(1),
        "us" => Some(1_000),
        "ms" => Some(1_000_000),
        "s" => Some(1_000_000_000),
        "min" => Some(60_000_000_000),
        _ => None,
    };
    let value = joined[..digits].parse::<i64>().ok().zip(unit).and_then(|(number, unit)| number.checked_mul(unit));
    value.map(Some).ok_or_else(|| format!("\"{}\" is not a time (write, for example, 50 ms)", words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Model;

    const ART: &str = "protocol P {\n  in ask(`int`);\n  out answer(`int`);\n  in both();\n  out both();\n};\ncapsule C {\n  behavior port p : P;\n  behavior port timer : Timing;\n  statemachine {\n    state A { state B; initial -> B; };\n    initial -> A;\n    t: A -> A on p.ask;\n  };\n};\ncapsule S {\n  part c : C[2];\n  statemachine { state X; initial -> X; };\n};\n";

    fn flat() -> Flat {
        let mut model = Model::default();
        crate::art::read(&mut model, "m.art", ART).unwrap();
        Flat::new(model).unwrap()
    }

    #[test]
    fn forms_are_read() {
        let flat = flat();
        let read = |text: &str| Property::read(text, &flat, 0, false).unwrap().form;
        let Form::Together(all) = read("never p.ask and  p.answer when `*rtdata > 3` within one step") else { panic!() };
        assert_eq!((all.len(), all[1][0].when.as_deref()), (2, Some("*rtdata > 3")));
        let Form::Absent { after, never, until } = read("after enter A.B never take t or leave A until timer.timeout") else { panic!() };
        assert_eq!(after.unwrap()[0].what, What::Entered(1));
        assert_eq!(never.iter().map(|one| one.what).collect::<Vec<_>>()[1], What::Left(0));
        assert!(matches!(until.unwrap()[0].what, What::Received { port: 1, .. }));
        let Form::Response { within, .. } = read("p.ask leads to p.answer within 50 ms") else { panic!() };
        assert_eq!(within, Some(50_000_000));
        assert!(matches!(read("p.ask leads to p.answer within one step"), Form::Response { within: None, .. }));
        assert!(matches!(read("never p.answer until p.ask"), Form::Absent { after: None, .. }));
        let Form::Together(all) = Property::read("never c[1].p.answer", &flat, 1, true).unwrap().form else { panic!() };
        assert_eq!((all[0][0].path.as_slice(), all[0][0].capsule), (&[(0, Some(1))][..], 0));
    }

    #[test]
    fn mistakes_are_named() {
        let flat = flat();
        for (text, wanted) in [
            ("p.ask", "write \"never"),
            ("after p.ask p.answer", "there is no \"never\" (write "),
            ("never p.aks", "port p has no message aks"),
            ("never pp.ask", "capsule C has no port pp (did you mean \"p\"?)"),
            ("never enter D", "capsule C has no state D"),
            ("never p.both", "write \"send p.both\" or \"receive p.both\""),
            ("p.ask leads to p.answer", "a response needs its time"),
            ("p.ask leads to p.answer within 5 parsecs", "\"5 parsecs\" is not a time"),
            ("never send p.ask", "no message ask is sent through port p"),
            ("never enter A when `true`", "carries no data"),
            ("never p.ask when `true", "not closed"),
        ] {
            let error = Property::read(text, &flat, 0, false).unwrap_err();
            assert!(error.contains(wanted), "{text}: {error}");
        }
    }
}
