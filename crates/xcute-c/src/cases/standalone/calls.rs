//! The calls of a case, one statement each: `list_add(&l, 3);`.
//!
//! **Invariant.** The statements are the calls that the run came to, in its order; the check of `--post` that failed follows the last one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use xcute_trace::FailureKind;

use super::Standalone;
use super::functions::Declared;
use super::objects::{self, Names};
use crate::build::harness::Sequence;
use crate::build::harness::families::Origin;
use crate::build::harness::steps::{Argument, Step};
use crate::cases::graph::{InputGraph, LeafValue};
use crate::types::inputs::TypeTable;

/// The calls that a graph stands for.
fn steps(table: &TypeTable, graph: &InputGraph, sequence: &Sequence) -> Vec<Step> {
    let value = |k: usize| {
        let of = |r: &&crate::cases::graph::Root| InputGraph::is_argument(table, r.key) && table.roots[r.key as usize].number as usize == k;
        let leaf = graph.roots.iter().find(of).and_then(|r| r.leaves.first())?;
        if let LeafValue::Word(word) = leaf.value { Some(word) } else { None }
    };
    sequence.steps(value)
}

/// The objects as they are called in the statements.
struct Objects<'a> {
    sequence: &'a Sequence,
    names: BTreeMap<(usize, usize), String>,
}

impl<'a> Objects<'a> {
    /// Names for all objects that the steps use.
    fn new(sequence: &'a Sequence, steps: &[Step], others: &Names) -> Objects<'a> {
        let mut taken = others.taken.clone();
        let mut names = BTreeMap::new();
        for step in steps {
            let got = step.arguments.iter().filter_map(|a| if let Argument::Object(f, n) = a { Some((*f, *n)) } else { None });
            for object in got.chain(step.gives) {
                names.entry(object).or_insert_with(|| objects::unique(&mut taken, &sequence.families[object.0].name));
            }
        }
        Objects { sequence, names }
    }

    /// The definitions of the objects that are there from the start.
    fn definitions(&self, declared: &mut Declared<'_>) -> String {
        let mut out = String::new();
        for ((f, _), name) in &self.names {
            let family = &self.sequence.families[*f];
            let text = match family.origin {
                Origin::Shared => family.declare(&mut declared.definitions, name).unwrap_or_else(|_| format!("int {name}")),
                Origin::Threaded | Origin::Made => {
                    let pointer = declared.definitions.declare(family.to, &format!("*{name}"));
                    pointer.unwrap_or_else(|_| format!("void *{name}"))
                }
            };
            let _ = writeln!(out, "  static {text};");
        }
        out
    }

    /// The argument for a parameter of the family.
    fn argument(&self, family: usize, n: usize) -> String {
        let name = self.names.get(&(family, n)).map_or("NULL", String::as_str);
        let of = &self.sequence.families[family];
        if of.origin == Origin::Shared && of.elements == 1 { format!("&{name}") } else { name.to_owned() }
    }

    /// A call of a function that is named so as a statement; `input` gives the text of an input.
    fn call(&self, step: &Step, name: &str, mut input: impl FnMut(usize) -> String) -> String {
        let value = |argument: &Argument| match argument {
            Argument::Input(k) => input(*k),
            Argument::Object(family, n) => self.argument(*family, *n),
            Argument::Null => "NULL".to_owned(),
        };
        let values: Vec<String> = step.arguments.iter().map(value).collect();
        let call = format!("{name}({});", values.join(", "));
        match step.gives.and_then(|object| self.names.get(&object)) {
            Some(name) => format!("{name} = {call}"),
            None => call,
        }
    }

    /// What the checker, which is named so, is asked after a call.
    fn checks(&self, step: &Step, name: &str) -> Vec<String> {
        let Some(post) = &self.sequence.post else { return Vec::new() };
        let text = |n: usize| {
            let object = self.argument(post.family, n);
            let argument = match (post.value, object.strip_prefix('&')) {
                (true, Some(object)) => object.to_owned(),
                (true, None) => format!("*{object}"),
                (false, _) => object,
            };
            format!("assert({name}({argument}));")
        };
        step.objects(post.family).map(text).collect()
    }
}

/// The definitions, and the statements.
pub(super) fn text(test: &Standalone<'_>, names: &Names, sequence: &Sequence, declared: &mut Declared<'_>) -> String {
    let steps = steps(test.table, test.graph, sequence);
    let objects = Objects::new(sequence, &steps, names);
    let mut out = objects.definitions(declared);
    for step in &steps {
        let name = declared.name(&sequence.functions[step.function].function);
        let _ = writeln!(out, "  {}", objects.call(step, &name, |k| objects::argument(test, names, declared, k)));
    }
    // Earlier checks held, and an object may be gone by now.
    let checked = test.failure.is_some_and(|f| f.kind == FailureKind::Assertion);
    let checker = sequence.checker(test.program).filter(|_| checked).map(|checker| declared.name(checker)).unwrap_or_default();
    for check in steps.last().filter(|_| checked).map(|last| objects.checks(last, &checker)).unwrap_or_default() {
        let _ = writeln!(out, "  {check}");
    }
    out
}

/// The statements for people: strings as literals.
pub(super) fn statements(test: &Standalone<'_>, sequence: &Sequence) -> Vec<String> {
    let names = Names::new(test);
    let steps = steps(test.table, test.graph, sequence);
    let objects = Objects::new(sequence, &steps, &names);
    let mut declared = Declared::new(test);
    let mut input = |k: usize| objects::literal(test, k).unwrap_or_else(|| objects::argument(test, &names, &mut declared, k));
    let name = |step: &Step| sequence.functions[step.function].function.name.as_str();
    steps.iter().map(|step| objects.call(step, name(step), &mut input)).collect()
}
