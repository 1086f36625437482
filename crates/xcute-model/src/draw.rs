//! A state machine as Mermaid text, which many viewers draw, with what was covered.

use std::fmt::Write as _;

use crate::diagram::plain as text;
use crate::elements::Elements;
use crate::flat::{Edge, Machine, Target, VertexId, VertexKind};

/// The state machine. What no run covered is red.
#[must_use]
pub fn machine(machine: &Machine, elements: &Elements) -> String {
    let mut out = "stateDiagram-v2\n    classDef missed fill:#fdd,stroke:#c00\n    classDef covered fill:#dfd,stroke:#080\n".to_owned();
    region(&mut out, machine, elements, None, 1);
    for (state, element) in machine.states().zip(&elements.states) {
        let _ = writeln!(out, "    class {} {}", node(state), if element.covered { "covered" } else { "missed" });
    }
    out
}

fn region(out: &mut String, machine: &Machine, elements: &Elements, parent: Option<VertexId>, depth: usize) {
    let indent = "    ".repeat(depth);
    for id in machine.ids().filter(|id| machine.vertex(*id).parent == parent) {
        let vertex = machine.vertex(id);
        match vertex.kind {
            VertexKind::State => {
                let _ = writeln!(out, "{indent}state \"{}\" as {}", text(&vertex.name), node(id));
                // Internal transitions are lines of the state.
                let internal = |(_, edge): &(usize, &Edge)| edge.owner == Some(id) && edge.target == Target::Internal;
                for (number, edge) in machine.edges.iter().enumerate().filter(internal) {
                    let _ = writeln!(out, "{indent}{}: {}", node(id), label(edge, elements, number));
                }
                if machine.ids().any(|inner| machine.vertex(inner).parent == Some(id)) {
                    let _ = writeln!(out, "{indent}state {} {{", node(id));
                    region(out, machine, elements, Some(id), depth + 1);
                    let _ = writeln!(out, "{indent}}}");
                }
            }
            VertexKind::Choice | VertexKind::Junction => {
                let _ = writeln!(out, "{indent}state {} <<choice>>", node(id));
            }
            VertexKind::Initial | VertexKind::EntryPoint | VertexKind::ExitPoint => {}
        }
    }
    for (number, edge) in machine.edges.iter().enumerate().filter(|(_, edge)| edge.owner == parent) {
        let to = match edge.target {
            Target::Vertex(to) => end(machine, to),
            Target::Internal | Target::History { .. } => continue,
        };
        let from = match machine.vertex(edge.source).kind {
            VertexKind::Initial => "[*]".to_owned(),
            _ => end(machine, edge.source),
        };
        let label = label(edge, elements, number);
        let label = if label.is_empty() { label } else { format!(": {label}") };
        let _ = writeln!(out, "{indent}{from} --> {to}{label}");
    }
}

/// The name of a transition, and whether it was taken.
fn label(edge: &Edge, elements: &Elements, number: usize) -> String {
    let taken = elements.transitions.get(number).is_some_and(|element| element.covered);
    let name = edge.name.as_deref().unwrap_or(if edge.target == Target::Internal { "internal" } else { "" });
    format!("{}{}", text(name), if taken { "" } else { " (not taken)" })
}

/// Points are drawn as the states they belong to.
fn end(machine: &Machine, id: VertexId) -> String {
    let vertex = machine.vertex(id);
    match (vertex.kind, vertex.parent) {
        (VertexKind::EntryPoint | VertexKind::ExitPoint, Some(state)) => node(state),
        _ => node(id),
    }
}

fn node(id: VertexId) -> String {
    format!("s{}", id.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flat::Flat;
    use crate::ir::Model;

    #[test]
    fn machines_are_drawn_with_what_is_missing() {
        let art = "capsule C {\n  statemachine {\n    state A { state B; initial -> B; };\n    choice K;\n    initial -> A;\n    t: A -> K on p.m;\n    K -> A;\n  };\n  behavior port p : P;\n};\nprotocol P { in m(); };\n";
        let mut model = Model::default();
        crate::art::read(&mut model, "m.art", art).unwrap();
        let flat = Flat::new(model).unwrap();
        let machine = flat.capsules[0].machine.clone().unwrap();
        let drawn = super::machine(&machine, &Elements::of(&flat, &[0], |file, line| file == crate::lower::STATES && line == 1));
        for line in ["[*] --> s", "state \"A\" as s0", ": t (not taken)", "<<choice>>", "class s0 covered", "missed"] {
            assert!(drawn.contains(line), "{line}: {drawn}");
        }
    }
}
