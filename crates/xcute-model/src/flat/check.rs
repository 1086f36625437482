//! What must hold of a resolved state machine.

use super::machine::{EdgeId, Machine, Target, VertexId, VertexKind};
use crate::error::{ModelError, Result};

/// Checks the machine of a capsule. That of an abstract capsule may be incomplete, but what is there must have a meaning.
pub(super) fn check(machine: &Machine, owner: usize, is_abstract: bool) -> Result<()> {
    for (at, edge) in machine.edges.iter().enumerate() {
        let source = machine.vertex(edge.source);
        let is_point = matches!(source.kind, VertexKind::EntryPoint | VertexKind::ExitPoint);
        let fail = |message: String| Err(ModelError::new(&edge.place, message));
        match source.kind {
            VertexKind::Initial => {
                let other = machine.outgoing(edge.source).find(|other| *other != EdgeId(at));
                if !edge.triggers.is_empty() || edge.guard.is_some() {
                    return fail(format!("the initial transition {} cannot have triggers or a guard", edge.label));
                }
                if let Some(other) = other.filter(|other| other.0 < at) {
                    let message =
                        format!("there are two initial transitions, {} and {} (redefine the first)", machine.edge(other).label, edge.label);
                    return fail(message);
                }
            }
            // An inherited transition may lose its triggers that way; then they count for nothing.
            _ if is_point && !edge.triggers.is_empty() && edge.declared_in == owner && leads_to(machine, edge.source, owner) => {
                return fail(format!("transition {} goes on from another one, so it cannot have triggers", edge.label));
            }
            VertexKind::Choice | VertexKind::Junction if !edge.triggers.is_empty() => {
                return fail(format!("transition {} starts at a pseudo-state, so it cannot have triggers", edge.label));
            }
            _ => {}
        }
    }
    if !is_abstract && let Some(at) = circle(machine) {
        let vertex = machine.vertex(at);
        let message = format!("the transitions through {} lead back to it without passing a state or choice", vertex.path);
        return Err(ModelError::new(&vertex.place, message));
    }
    Ok(())
}

/// Whether a transition that the same capsule declares leads to a vertex.
fn leads_to(machine: &Machine, vertex: VertexId, owner: usize) -> bool {
    machine.edges.iter().any(|edge| edge.target == Target::Vertex(vertex) && edge.declared_in == owner)
}

/// A pseudo-state from which one comes back to it without passing a state or choice.
fn circle(machine: &Machine) -> Option<VertexId> {
    let passed =
        |vertex: VertexId| matches!(machine.vertex(vertex).kind, VertexKind::Junction | VertexKind::EntryPoint | VertexKind::ExitPoint);
    let mut following = vec![Vec::new(); machine.vertices.len()];
    for edge in &machine.edges {
        if let Target::Vertex(target) = edge.target
            && passed(edge.source)
            && passed(target)
        {
            following[edge.source.0].push(target);
        }
    }
    // 0: not seen, 1: on the way, 2: no circle.
    let mut state = vec![0; machine.vertices.len()];
    for start in machine.ids().filter(|id| passed(*id)) {
        let mut way = vec![(start, 0)];
        while let Some((at, next)) = way.last_mut() {
            state[at.0] = state[at.0].max(1);
            match following[at.0].get(*next) {
                Some(&to) => {
                    *next += 1;
                    match state[to.0] {
                        0 => way.push((to, 0)),
                        1 => return Some(to),
                        _ => {}
                    }
                }
                None => {
                    state[at.0] = 2;
                    way.pop();
                }
            }
        }
    }
    None
}
