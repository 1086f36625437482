//! Compares what another program made of a sequence with what the model does: code that another tool generated from the same model.
//!
//! Compared is what can be seen from outside, in its order: the messages that are sent, with their data. States that are entered are compared as well where the other
//! program reports them, and so are messages that no transition waits for.

use crate::trace::{Event, Kind, Trace};

/// Where two traces part.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What the model does; nothing where its trace ends.
    pub model: Option<Event>,
    /// What the other program does; nothing where its trace ends.
    pub other: Option<Event>,
}

/// The first difference, if there is one.
#[must_use]
pub fn difference(model: &Trace, other: &Trace) -> Option<Difference> {
    let reports = |kind: Kind| other.events.iter().any(|event| event.kind == kind);
    let mut kinds = vec![Kind::Send];
    kinds.extend([Kind::Enter, Kind::Unexpected].into_iter().filter(|kind| reports(*kind)));
    let seen = |trace: &Trace| -> Vec<Event> { trace.events.iter().filter(|event| kinds.contains(&event.kind)).map(outside).collect() };
    let (model, other) = (seen(model), seen(other));
    let at = model.iter().zip(&other).position(|(one, another)| one != another).unwrap_or(model.len().min(other.len()));
    let (model, other) = (model.get(at).cloned(), other.get(at).cloned());
    (model.is_some() || other.is_some()).then_some(Difference { model, other })
}

/// An event without what depends on how a program is built: where a message goes, and with which priority.
fn outside(event: &Event) -> Event {
    Event { to: None, priority: None, index: event.index.filter(|index| *index != 0), ..event.clone() }
}

impl Difference {
    /// In a line.
    #[must_use]
    pub fn message(&self) -> String {
        let shown = |event: &Option<Event>| event.as_ref().map_or_else(|| "nothing more".to_owned(), |event| format!("\"{event}\""));
        format!("the model does {}, the other program {}", shown(&self.model), shown(&self.other))
    }

    /// What differences with the same cause have in common: all but the data.
    #[must_use]
    pub fn cause(&self) -> String {
        let without = |event: &Option<Event>| event.as_ref().map(|event| Event { args: None, ..event.clone() }.to_string());
        format!("{:?} {:?}", without(&self.model), without(&self.other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = r#"{"event":"enter","capsule":"C","state":"A"}
{"event":"send","capsule":"C","port":"p","message":"m","args":{"x":1},"to":"q"}
{"event":"send","capsule":"C","port":"p","message":"n"}"#;

    fn between(other: &str) -> Option<Difference> {
        difference(&Trace::parse(MODEL), &Trace::parse(other))
    }

    #[test]
    fn what_is_sent_is_compared_and_states_where_they_are_reported() {
        assert_eq!(between(MODEL), None);
        let sends: String = MODEL.lines().skip(1).collect::<Vec<_>>().join("\n").replace(r#","to":"q""#, "");
        assert_eq!(between(&sends), None);
        let other = between(&sends.replace("1", "2")).unwrap();
        assert_eq!(other.message(), r#"the model does "C: send p.m(x=1)", the other program "C: send p.m(x=2)""#);
        assert_eq!(other.cause(), between(&sends.replace("1", "3")).unwrap().cause());
        let short = between(sends.lines().next().unwrap()).unwrap();
        assert_eq!(short.message(), r#"the model does "C: send p.n()", the other program nothing more"#);
        assert!(between(&MODEL.replace('A', "B")).is_some());
    }
}
