//! Inputs of all types: names, values, domains, and a shadow that agrees with memory.

use std::sync::Arc;

use xcute_term::{Terms, VarId};
use xcute_trace::{FailureKind, Outcome, Site, SiteKind, Sites, Subject as _, TestCase, Trace};

use super::fixture;
use crate::instrument::compiled::Compiled;
use crate::run::subject::{CSubject, RunOptions};
use crate::types::dwarf::Program;
use crate::types::inputs::{ArrayLength, Builder, InputCall, Lengths, TypeTable, addresses};

fn table() -> TypeTable {
    let exe = fixture("graph");
    let program = Program::read(&[exe.with_file_name("fixture-graph.o")]).unwrap();
    let arrays = [("numbers".to_owned(), ArrayLength::Fixed(4))].into();
    let lengths = Lengths { arrays, string: 3, ..Lengths::default() };
    let mut builder = Builder::new(&program, &lengths, &["entry"]);
    for parameter in &program.function("entry").unwrap().params {
        let name = parameter.name.as_deref().unwrap();
        builder.input(InputCall { name, function: "xcute_harness", number: 0, line: 1 }, parameter.of);
    }
    let mut table = builder.finish();
    let addresses = addresses(&exe).unwrap();
    table.bind(|name| addresses.get(name).copied());
    table
}

struct Graph {
    subject: CSubject,
    terms: Terms,
    case: TestCase,
}

impl Graph {
    fn new() -> Graph {
        let site = Site {
            kind: SiteKind::Branch,
            file: "graph.c".into(),
            line: 1,
            column: 1,
            function: "look".into(),
            ordinal: 0,
            arms: 2,
            next: Vec::new(),
        };
        let compiled = Compiled { exe: fixture("graph"), sites: Sites { sites: vec![site] }, ..Compiled::default() };
        let subject = CSubject::start(Arc::new(compiled), table(), RunOptions::default()).expect("the fixture starts");
        Graph { subject, terms: Terms::new(), case: TestCase::default() }
    }

    fn id(&self, name: &str) -> VarId {
        self.terms.find_var(name).unwrap_or_else(|| panic!("there is {name}"))
    }

    fn own(&self, name: &str) -> u64 {
        let id = self.id(name);
        self.subject.variables().all().iter().find(|(var, _)| *var == id).map(|(_, variable)| variable.own).unwrap()
    }

    fn set(&mut self, name: &str, value: u64) {
        self.case.input.set_word(self.id(name), value);
    }

    fn run(&mut self) -> Trace {
        let trace = self.subject.run(&self.case, &[], &mut self.terms).unwrap();
        assert_eq!(trace.limits, [], "conditions agree with the run");
        assert!(!trace.decisions.is_empty());
        trace
    }
}

#[test]
fn leaves_of_all_types_are_inputs_and_their_shadow_is_exact() {
    let mut graph = Graph::new();
    assert_eq!(graph.run().outcome, Outcome::Passed);
    for (name, value) in [
        ("input.bits.a", 5),
        ("input.bits.b", 0x55),
        ("input.bits.c", 0xabc),
        ("input.bits.d", 0x12_3456_789a),
        ("input.bits.e", 1),
        ("input.bits.f", 200),
        ("input.flag", 1),
        ("input.real", 0x4009_21fb_5444_2d18),
        ("input.single", 0x4049_0fdb),
        ("input.array[1][2]", 0xfffe),
        ("input.both.whole", 0x0102_0304_0506_0708),
    ] {
        graph.set(name, value);
    }
    let trace = graph.run();
    for &(var, word) in graph.case.input.words() {
        assert_eq!(trace.input.word(var), Some(word), "{}", graph.terms.info(var).name);
    }
    // The bytes of all leaves: padding is concrete, five bits of padding share a byte with a field. Four numbers, as their array is
    // never NULL.
    assert_eq!(trace.decisions.len(), 8 + 8 + 9 + 1 + 8 + 4 + 8 + 12 + 8 + 16 + 8 + 8 + 16);
}

#[test]
fn pointers_grow_alias_and_form_cycles() {
    let mut graph = Graph::new();
    graph.run();
    let (list, other) = (graph.own("input.list"), graph.own("input.other"));
    let domain = |graph: &Graph, name: &str| graph.terms.domain(graph.id(name)).unwrap().to_vec();
    assert_eq!(domain(&graph, "input.list"), [0, list]);
    assert_eq!(domain(&graph, "input.other"), [0, list, other]);
    assert_eq!(domain(&graph, "input.third").len(), 4, "qualifiers do not keep pointers apart");
    assert_eq!(domain(&graph, "input.function").len(), 3, "NULL and two candidates");

    graph.set("input.list", list);
    graph.run();
    let next = graph.own("input.list->next");
    assert_eq!(domain(&graph, "input.list->next").last(), Some(&next));
    assert_eq!(domain(&graph, "input.list->next").len(), 5);
    graph.set("input.list->next", list);
    graph.run();
    graph.set("input.list->next", next);
    graph.run();
    assert!(graph.terms.find_var("input.list->next->next").is_some());

    graph.set("input.other", list);
    graph.set("input.list->v", 77);
    let trace = graph.run();
    assert!(matches!(&trace.outcome, Outcome::Failed(f) if f.kind == FailureKind::Trap), "{:?}", trace.outcome);
    // NULL where the owner is not: the object exists because somebody points to it.
    graph.set("input.list", 0);
    graph.run();
}

#[test]
fn strings_arrays_and_functions_are_inputs() {
    let mut graph = Graph::new();
    let few = graph.run().decisions.len();
    graph.set("input.text", graph.own("input.text"));
    let functions = graph.terms.domain(graph.id("input.function")).unwrap();
    graph.set("input.function", functions[2]);
    let trace = graph.run();
    assert_eq!(trace.outcome, Outcome::Passed);
    assert_eq!(trace.decisions.len(), few + 1, "the empty string's first byte");
    for (name, letter) in [("input.text[0]", b'a'), ("input.text[1]", b'b'), ("input.text[2]", b'c')] {
        graph.set(name, u64::from(letter));
    }
    assert!(graph.terms.find_var("input.text[3]").is_none(), "the final NUL is not an input");
    assert_eq!(graph.run().decisions.len(), few + 3);
}

#[test]
fn variables_survive_their_process() {
    let mut graph = Graph::new();
    graph.run();
    graph.set("input.list", graph.own("input.list"));
    graph.run();
    graph.set("input.list->next", graph.own("input.list->next"));
    let before = graph.run();
    let variables = graph.subject.variables().all();
    graph.subject.worker.stop();
    let after = graph.run();
    assert_eq!(graph.subject.processes(), 2);
    assert_eq!(before, after);
    assert_eq!(variables, graph.subject.variables().all());
}

#[test]
fn a_case_with_values_for_unmet_variables_meets_them() {
    let mut first = Graph::new();
    first.run();
    first.set("input.list", first.own("input.list"));
    first.run();
    first.set("input.list->v", 77);
    first.set("input.other", first.own("input.list"));
    first.run();
    // A second subject knows no variable, but the arena and the case do.
    let mut second = Graph { subject: Graph::new().subject, terms: first.terms, case: first.case };
    let trace = second.run();
    assert!(matches!(&trace.outcome, Outcome::Failed(f) if f.kind == FailureKind::Trap), "{:?}", trace.outcome);
}
