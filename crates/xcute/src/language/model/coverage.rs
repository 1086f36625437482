//! What a search covered of a model: its elements, and lines and branches of its action code.

use xcute_model::elements::{Element, Elements};
use xcute_model::flat::{Machine, VertexKind};
use xcute_model::ir::Place;
use xcute_model::lower::{BodyInfo, GUARDS, STATES, TRANSITIONS};
use xcute_report::{MachineCoverage, Ratio, SourceCoverage};

/// Takes the elements of the machine of a capsule, which stands here, out of what was covered, and puts them where they stand.
pub fn elements(
    coverage: &mut SourceCoverage,
    (capsule, machine): (&Place, &Machine),
    bodies: &[BodyInfo],
    shown: impl Fn(&str) -> String,
) -> Elements {
    let covered = |file: &str, line: u32| coverage.files.get(file).is_some_and(|file| file.lines.get(&line) == Some(&true));
    let elements = Elements::of(machine, covered);
    for file in [STATES, TRANSITIONS, GUARDS] {
        coverage.files.remove(file);
    }
    // Failures that no action code causes stand at states, choices and the capsule, which are not code.
    let is_code = |file: &str, line: u32| {
        let holds = |body: &&BodyInfo| *body.place.file == *file && (body.place.line..body.place.line + body.lines.max(1)).contains(&line);
        bodies.iter().any(|body| holds(&body))
    };
    let states = machine.vertices.iter().filter(|vertex| !matches!(vertex.kind, VertexKind::EntryPoint | VertexKind::ExitPoint));
    for place in states.map(|vertex| &vertex.place).chain([capsule]) {
        let (file, line) = (&place.file, place.line);
        if !is_code(file, line)
            && let Some(known) = coverage.files.get_mut(&shown(file))
        {
            known.lines.remove(&line);
        }
    }
    for element in elements.states.iter().chain(&elements.transitions) {
        coverage.files.entry(shown(&element.place.file)).or_default().line(element.place.line, element.covered);
    }
    coverage.machine = Some(counted(&elements));
    elements
}

/// How many elements were covered.
fn counted(elements: &Elements) -> MachineCoverage {
    let ratio = |all: &[Element]| {
        let covered = all.iter().filter(|element| element.covered).count();
        Ratio { covered: covered as u64, total: all.len() as u64 }
    };
    MachineCoverage { states: ratio(&elements.states), transitions: ratio(&elements.transitions), guards: ratio(&elements.guards) }
}

/// What was not covered, in one line; `None` if everything was.
pub fn missing(elements: &Elements, shown: impl Fn(&str) -> String) -> Option<String> {
    let missing: Vec<String> = elements
        .missing()
        .map(|(kind, element)| format!("{kind} {} ({}:{})", element.name, shown(&element.place.file), element.place.line))
        .collect();
    let rest = missing.len().saturating_sub(MISSING);
    let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    (!missing.is_empty()).then(|| format!("not covered: {}{more}", missing[..missing.len() - rest].join(", ")))
}

/// At most this many elements that are not covered are named.
const MISSING: usize = 12;
