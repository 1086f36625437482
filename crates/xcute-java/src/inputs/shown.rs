//! Inputs for people: each input and each part of an object that a run read, by its name, as Java writes values.

use xcute_classfile::{Kind, descriptor};
use xcute_term::{Model, VarId};

use super::candidate::Candidate;
use super::literal;
use super::variable::{Key, Registry, Variables, owner};
use crate::program::making::Making;
use crate::program::plan::Sequence;
use crate::program::{Program, names};

/// The names and values of an input, in the order in which a run takes them; parts come after the object they belong to. Calls of a sequence have no names.
#[must_use]
pub fn shown(program: &Program, variables: &Variables, input: &Model) -> Vec<(String, String)> {
    let registry = variables.lock();
    if let Some(sequence) = &program.plan.sequence {
        return calls(program, sequence, &registry, input);
    }
    let mut roots: Vec<(u32, u32)> = registry
        .roots()
        .iter()
        .filter(|&&root| input.word(VarId(root)).is_some())
        .filter_map(|&root| match registry.all()[root as usize].key {
            Key::Root { ordinal, .. } => Some((ordinal, root)),
            _ => None,
        })
        .collect();
    roots.sort_unstable();
    let mut out = Vec::new();
    let makings = program.plan.entry.makings();
    for (ordinal, root) in roots {
        let at = out.len();
        show(program, &registry, input, root, &mut out);
        if let (Some(Some(making)), Some((_, value))) = (makings.get(ordinal as usize), out.get_mut(at)) {
            *value = made(*making, value);
        }
    }
    out
}

/// The calls of a sequence, each as the source writes it; objects among the arguments are described after it.
fn calls(program: &Program, sequence: &Sequence, registry: &Registry, input: &Model) -> Vec<(String, String)> {
    let root = |place: usize| {
        let (of, _) = &program.plan.inputs[place];
        registry.find(&Key::Root { ordinal: u32::try_from(place).expect("few inputs"), of: of.clone() })
    };
    let mut out = Vec::new();
    for step in sequence.steps(|place| root(place).and_then(|choice| input.word(VarId(choice)))) {
        let (mut arguments, mut parts) = (Vec::new(), Vec::new());
        let makings = step.callee.makings();
        for (place, making) in (step.first..).zip(&makings[usize::from(!step.callee.is_static)..]) {
            let mut described = Vec::new();
            if let Some(root) = root(place) {
                show(program, registry, input, root, &mut described);
            }
            if let (Some(making), Some((_, value))) = (making, described.first_mut()) {
                *value = made(*making, value);
            }
            match described.as_slice() {
                [] => arguments.push("0".to_owned()),
                [(_, value)] => arguments.push(value.clone()),
                [(name, _), ..] => arguments.push(name.clone()),
            }
            parts.extend(if described.len() > 1 { described } else { Vec::new() });
        }
        let (class, arguments) = (names::readable(&step.callee.class).replace('$', "."), arguments.join(", "));
        let call = match (step.callee.is_constructor(), step.callee.is_static) {
            (true, _) => format!("it = new {class}({arguments});"),
            (_, true) => format!("{class}.{}({arguments});", step.callee.name),
            _ => format!("it.{}({arguments});", step.callee.name),
        };
        out.push((String::new(), call));
        out.extend(parts);
    }
    out
}

/// What is made of an input, for people.
fn made(making: Making, of: &str) -> String {
    if of == "null" && making != Making::Optional { of.to_owned() } else { format!("{} of {of}", making.name()) }
}

fn show(program: &Program, registry: &Registry, input: &Model, number: u32, out: &mut Vec<(String, String)>) {
    let variable = &registry.all()[number as usize];
    let word = registry.value(input, number);
    if variable.kind != Kind::Reference {
        out.push((variable.name.clone(), literal::plain(variable.kind, word)));
        return;
    }
    let address = u32::try_from(word).unwrap_or(0);
    // The variable that the object was made for may hold another one.
    let made_for = owner(address).map(|(other, _)| other).filter(|&other| other == number || registry.value(input, other) != word);
    let of = made_for.unwrap_or(number);
    let part = |key: Key| registry.find(&key).map_or(0, |part| registry.value(input, part));
    let value = match (owner(address), registry.constant_at(address)) {
        (Some((other, _)), _) if made_for.is_none() => registry.all().get(other as usize).map_or("null", |other| &other.name).to_owned(),
        (Some((other, choice)), _) => {
            match registry.all().get(other as usize).and_then(|other| other.candidates.all.get(choice as usize)) {
                Some(Candidate::Text) => {
                    let length = u32::try_from(part(Key::Length(of))).unwrap_or(0);
                    let units: Vec<u16> = (0..length).map(|at| part(Key::Element(of, at)) as u16).collect();
                    literal::text(&units)
                }
                Some(Candidate::Box(class)) => {
                    let kind = super::candidate::BOXES.iter().find(|b| b.0 == class).map_or(Kind::Int, |b| b.1);
                    literal::plain(kind, part(Key::Value(of)))
                }
                Some(Candidate::Array(element)) => array(registry, input, of, element, part(Key::Length(of))),
                Some(Candidate::Object(class)) => format!("new {}", names::readable(class)),
                Some(Candidate::Constant(class, ordinal)) => program.constant(class, *ordinal),
                None => "null".to_owned(),
            }
        }
        (None, Some((class, ordinal))) => program.constant(class, ordinal),
        (None, None) => "null".to_owned(),
    };
    out.push((variable.name.clone(), value));
    if made_for != Some(number) {
        return;
    }
    for &part in registry.parts(number) {
        let variable = &registry.all()[part as usize];
        let separate =
            matches!(variable.key, Key::Field(..)) || (matches!(variable.key, Key::Element(..)) && variable.kind == Kind::Reference);
        if separate && input.word(VarId(part)).is_some() {
            show(program, registry, input, part, out);
        }
    }
}

/// An array of numbers with all that it holds; the elements of others are named apart.
fn array(registry: &Registry, input: &Model, owner: u32, element: &str, length: u64) -> String {
    let of = names::readable_type(element);
    let kind = Kind::of(element).filter(|kind| *kind != Kind::Reference);
    match kind {
        Some(kind) => {
            let at = |index: u64| registry.find(&Key::Element(owner, u32::try_from(index).unwrap_or(u32::MAX)));
            let values: Vec<String> =
                (0..length).map(|index| literal::plain(kind, at(index).map_or(0, |n| registry.value(input, n)))).collect();
            format!("new {of}[] {{{}}}", values.join(", "))
        }
        None => match descriptor::class_of(element).filter(|class| class.starts_with('[')) {
            Some(_) => format!("new {}", of.replacen("[]", &format!("[{length}][]"), 1)),
            None => format!("new {of}[{length}]"),
        },
    }
}
