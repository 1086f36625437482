//! What a driver does: one call of a method, or a sequence of calls on one object, between the checkers that a user names.
//!
//! Every input has a place of its own, whether or not a run takes it: in a sequence, each call has places for the choice of a method and for the
//! parameters of all methods. So the type and the name of an input do not depend on what was chosen before it.
//!
//! **Invariant.** Search, replay and tests choose alike: the method that a number names, else the last one.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use xcute_trace::Frame;

use super::entry::Entry;
use super::making::Making;

/// What is asked for in addition to a method, or instead of one. Methods are written as `com.acme.Foo$Bar.name(descriptor)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checks {
    /// Only inputs that this method accepts are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre: Option<String>,
    /// This method must hold after each call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<String>,
    /// Sequences of calls of these methods are tested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// How many calls a sequence has.
    #[serde(default)]
    pub length: u32,
    /// Parameters may be what their annotations forbid.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_annotations: bool,
}

/// What a driver does.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The method that is called; of a sequence, the first one.
    pub(crate) entry: Entry,
    pub(crate) pre: Option<Entry>,
    pub(crate) post: Option<Entry>,
    pub(crate) sequence: Option<Sequence>,
    /// By place: the descriptor and the name of an input.
    pub(crate) inputs: Vec<(String, String)>,
}

/// Calls on one object.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    /// How the object is made; empty if all methods are static.
    pub(crate) constructors: Vec<Entry>,
    pub(crate) methods: Vec<Entry>,
    pub(crate) length: u32,
}

/// A call of a sequence: what is called, and the place of the first argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    pub(crate) callee: &'a Entry,
    pub(crate) first: usize,
}

impl Plan {
    pub(crate) fn new(entry: Entry, checkers: [Option<Entry>; 2], sequence: Option<Sequence>) -> Plan {
        let inputs = match &sequence {
            Some(sequence) => sequence.inputs(),
            None => Entry::places(entry.asked(), entry.names.iter().cloned()).collect(),
        };
        let [pre, post] = checkers;
        Plan { entry, pre, post, sequence, inputs }
    }

    /// Whether an input is the object that the method is called on.
    pub(crate) fn is_receiver(&self, place: u32) -> bool {
        self.sequence.is_none() && place == 0 && !self.entry.is_static
    }

    /// Everything that the driver calls.
    pub(crate) fn callees(&self) -> impl Iterator<Item = &Entry> {
        let calls = self.sequence.iter().flat_map(|sequence| sequence.constructors.iter().chain(&sequence.methods));
        [&self.entry].into_iter().chain(&self.pre).chain(&self.post).chain(calls)
    }

    /// How parameters are made that are not inputs themselves, each way once.
    pub(crate) fn makings(&self) -> BTreeSet<Making> {
        let called = self.sequence.iter().flat_map(|sequence| sequence.constructors.iter().chain(&sequence.methods));
        let called = called.chain(self.sequence.is_none().then_some(&self.entry).filter(|entry| !entry.is_main()));
        called.flat_map(Entry::makings).flatten().collect()
    }

    /// What annotations of parameters say, and is assumed.
    pub(crate) fn assumed(&self) -> Vec<String> {
        let called = self.sequence.iter().flat_map(|sequence| sequence.constructors.iter().chain(&sequence.methods));
        let mut all: Vec<String> = called.chain(self.sequence.is_none().then_some(&self.entry)).flat_map(Entry::assumed).collect();
        all.dedup();
        all
    }

    /// What is tested, as the source names it.
    pub(crate) fn title(&self) -> String {
        let Some(sequence) = &self.sequence else { return self.entry.full() };
        let names: Vec<&str> = sequence.methods.iter().map(|method| method.name.as_str()).collect();
        format!("calls of {} in {}", names.join(", "), self.entry.class.replace(['/', '$'], "."))
    }

    /// What is said when the checker does not hold after a call.
    pub(crate) fn complaint(&self, callee: &Entry) -> String {
        format!("{} does not hold after {}", self.post.as_ref().map_or("", |post| &post.name), called(callee))
    }

    /// Where a complaint belongs: the method after which the checker did not hold.
    pub(crate) fn blamed(&self, message: &str) -> Option<Frame> {
        self.post.as_ref()?;
        let callee = self.callees().find(|callee| self.complaint(callee) == message)?;
        Some(Frame { function: callee.full(), file: callee.file.clone(), line: callee.line, ..Frame::default() })
    }

    /// The lines that `xcute.Plan` reads.
    pub(crate) fn text(&self) -> String {
        let line = |what: &str, callee: &Entry| {
            let Entry { class, name, descriptor, .. } = callee;
            format!("{what}\t{}\t{name}\t{descriptor}\t{}\n", class.replace('/', "."), called(callee))
        };
        let checkers = [("pre", &self.pre), ("post", &self.post)];
        let mut text: String = checkers.iter().filter_map(|(what, checker)| Some(line(what, checker.as_ref()?))).collect();
        match &self.sequence {
            None => text += &line("method", &self.entry),
            Some(sequence) => {
                text += &format!("length\t{}\n", sequence.length);
                text.extend(sequence.constructors.iter().map(|constructor| line("new", constructor)));
                text.extend(sequence.methods.iter().map(|method| line("call", method)));
            }
        }
        text
    }
}

/// A callee in a complaint.
fn called(callee: &Entry) -> String {
    let class = callee.class.rsplit(['/', '$']).next().unwrap_or_default();
    if callee.is_constructor() { format!("new {class}") } else { format!("{class}.{}", callee.name) }
}

impl Sequence {
    /// By method or constructor: the place of its first parameter, counted from that of the choice. And how many places there are.
    pub(crate) fn places(callees: &[Entry]) -> (Vec<usize>, usize) {
        let (mut places, mut next) = (Vec::new(), 1);
        for callee in callees {
            places.push(next);
            next += callee.asked_parameters().iter().map(Vec::len).sum::<usize>();
        }
        (places, next)
    }

    /// The place of the choice of each call.
    pub(crate) fn choices(&self) -> Vec<usize> {
        let first = if self.constructors.is_empty() { 0 } else { Sequence::places(&self.constructors).1 };
        let width = Sequence::places(&self.methods).1;
        (0..self.length as usize).map(|call| first + call * width).collect()
    }

    fn inputs(&self) -> Vec<(String, String)> {
        let mut inputs = Vec::new();
        let mut add = |callees: &[Entry], number: u32| {
            inputs.push(("I".to_owned(), format!("call{number}")));
            for callee in callees {
                let of = if callee.is_constructor() { "new" } else { &callee.name };
                let names = callee.parameter_names().iter().map(|name| format!("{of}{number}.{name}"));
                inputs.extend(Entry::places(callee.asked_parameters(), names));
            }
        };
        if !self.constructors.is_empty() {
            add(&self.constructors, 0);
        }
        (1..=self.length).for_each(|number| add(&self.methods, number));
        inputs
    }

    /// The calls that the choices come to, with how the object is made first; `None` for a choice that no run made ends them.
    pub(crate) fn steps(&self, choice: impl Fn(usize) -> Option<u64>) -> Vec<Step<'_>> {
        let places = std::iter::once((0, &self.constructors)).filter(|(_, all)| !all.is_empty());
        let all = places.chain(self.choices().into_iter().map(|at| (at, &self.methods)));
        let chosen = all.map_while(|(at, callees)| {
            let which = usize::try_from(choice(at)?).unwrap_or(usize::MAX).min(callees.len() - 1);
            Some(Step { callee: &callees[which], first: at + Sequence::places(callees).0[which] })
        });
        chosen.collect()
    }
}
