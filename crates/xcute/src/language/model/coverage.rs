//! What a search covered of a model: its elements, and lines and branches of its action code.

use std::collections::BTreeMap;

use xcute_model::elements::{Element, Elements};
use xcute_model::flat::{Flat, VertexKind};
use xcute_model::lower::{BodyInfo, GUARDS, STATES, TRANSITIONS, TRIGGERS};
use xcute_report::{Counted, Figure, Figures, FunctionCoverage, Line, Ratio, Section, SourceCoverage, Summary, Words};

/// The name of the figures in a summary.
const MACHINE: &str = "machine";

/// Takes the elements of the machines of these capsules out of what was covered, and puts them where they stand.
pub fn elements(
    coverage: &mut SourceCoverage,
    (flat, capsules): (&Flat, &[usize]),
    bodies: &[BodyInfo],
    shown: impl Fn(&str) -> String,
) -> Elements {
    let covered = |file: &str, line: u32| coverage.files.get(file).is_some_and(|file| file.lines.get(&line) == Some(&true));
    let elements = Elements::of(flat, capsules, covered);
    let [states_of, transitions_of] = [STATES, TRANSITIONS].map(|file| coverage.files.remove(file).unwrap_or_default().places);
    for file in [GUARDS, TRIGGERS] {
        coverage.files.remove(file);
    }
    // Failures that no action code causes stand at states, choices and the capsule, which are not code.
    let is_code = |file: &str, line: u32| {
        let holds = |body: &&BodyInfo| *body.place.file == *file && (body.place.line..body.place.line + body.lines.max(1)).contains(&line);
        bodies.iter().any(|body| holds(&body))
    };
    // A monitor is not explored, but fails at its states.
    let vertices = flat.capsules.iter().filter_map(|capsule| capsule.machine.as_ref()).flat_map(|machine| &machine.vertices);
    let states = vertices.filter(|vertex| !matches!(vertex.kind, VertexKind::EntryPoint | VertexKind::ExitPoint));
    let messages = flat.protocols.iter().flat_map(|protocol| &protocol.messages).map(|message| &message.place);
    let edges =
        flat.capsules.iter().filter_map(|capsule| capsule.machine.as_ref()).flat_map(|machine| &machine.edges).map(|edge| &edge.place);
    let capsules = flat.capsules.iter().map(|capsule| &capsule.place);
    for place in states.map(|vertex| &vertex.place).chain(capsules).chain(messages).chain(edges) {
        let (file, line) = (&place.file, place.line);
        if !is_code(file, line)
            && let Some(known) = coverage.files.get_mut(&shown(file))
        {
            known.lines.remove(&line);
        }
    }
    let places = |of: &BTreeMap<u32, Vec<u64>>, number: u32| of.get(&number).cloned().unwrap_or_default();
    let states = (1..).zip(&elements.states).map(|(number, state)| (state, places(&states_of, number)));
    let transitions = (1..).zip(&elements.transitions).map(|(number, transition)| (transition, places(&transitions_of, number)));
    for (element, places) in states.chain(transitions) {
        let file = coverage.files.entry(shown(&element.place.file)).or_default();
        file.line(element.place.line, element.covered);
        file.places.entry(element.place.line).or_default().extend(places);
    }
    for body in bodies {
        let Some(file) = coverage.files.get_mut(&shown(&body.place.file)) else { continue };
        let mut own = file.lines.range(body.place.line..body.place.line + body.lines.max(1)).map(|(_, ran)| *ran).peekable();
        if own.peek().is_none() || file.functions.iter().any(|function| function.line == body.place.line) {
            continue;
        }
        let (name, entered) = (format!("{} of {}", body.kind.name(), body.element), own.any(|ran| ran));
        file.functions.push(FunctionCoverage { name, line: body.place.line, entered, called: None });
    }
    for file in coverage.files.values_mut() {
        file.functions.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
    }
    coverage.own = counted(&elements);
    elements
}

/// How many elements were covered.
fn counted(elements: &Elements) -> Figures {
    let ratio = |all: &[Element]| {
        let covered = all.iter().filter(|element| element.covered).count();
        Figure::Ratio(Ratio { covered: covered as u64, total: all.len() as u64 })
    };
    let all = [
        ("states", ratio(&elements.states)),
        ("transitions", ratio(&elements.transitions)),
        ("guards", ratio(&elements.guards)),
        ("triggers", ratio(&elements.triggers)),
    ];
    Figures::group(MACHINE, all)
}

/// What is said of a campaign: elements of the machine.
pub fn words(summary: &Summary) -> Words {
    let section = |machine: &Figures| {
        let words =
            [("states", "states"), ("transitions", "transitions"), ("guards", "guards both ways"), ("triggers", "triggers by state")];
        let counted = words.map(|(name, words)| Counted::new(words, machine.ratio(name))).to_vec();
        Section { name: "machine".to_owned(), line: Line::Counted(counted), table: None }
    };
    Words { sections: summary.coverage.own.within(MACHINE).map(section).into_iter().collect(), ..Words::default() }
}

/// Why something was not covered.
pub fn reason(complete: bool, length: u32) -> String {
    match complete {
        true => format!("no sequence of up to {length} messages reaches it"),
        false => "no run reached it before the search ended".to_owned(),
    }
}

/// What was not covered, in one line with the reason; `None` if everything was.
pub fn missing(elements: &Elements, reason: &str, shown: impl Fn(&str) -> String) -> Option<String> {
    let missing: Vec<String> = elements
        .missing()
        .map(|(kind, element)| format!("{kind} {} ({}:{})", element.name, shown(&element.place.file), element.place.line))
        .collect();
    let rest = missing.len().saturating_sub(MISSING);
    let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    (!missing.is_empty()).then(|| format!("not covered: {}{more} ({reason})", missing[..missing.len() - rest].join(", ")))
}

/// At most this many elements that are not covered are named.
const MISSING: usize = 12;
