//! What a search covered of a model: its elements, and lines and branches of its action code.

use xcute_model::elements::Elements;
use xcute_model::flat::{Machine, VertexKind};
use xcute_model::ir::Place;
use xcute_model::lower::{BodyInfo, GUARDS, STATES, TRANSITIONS};
use xcute_report::SourceCoverage;

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
    elements
}

/// What to say of the elements, in one line each.
pub fn told(elements: &Elements, shown: impl Fn(&str) -> String) -> Vec<String> {
    let counts: Vec<String> =
        elements.counts().iter().filter(|(.., all)| *all > 0).map(|(what, some, all)| format!("{what} {some}/{all}")).collect();
    let mut lines = vec![counts.join(", ")];
    let missing: Vec<String> = elements
        .missing()
        .map(|(kind, element)| format!("{kind} {} ({}:{})", element.name, shown(&element.place.file), element.place.line))
        .collect();
    if !missing.is_empty() {
        let rest = missing.len().saturating_sub(MISSING);
        let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
        lines.push(format!("not covered: {}{more}", missing[..missing.len() - rest].join(", ")));
    }
    lines
}

/// So many elements that are not covered are named.
const MISSING: usize = 12;
