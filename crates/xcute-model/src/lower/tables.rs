//! The tables of a state machine in C++: a copy of [`crate::table`].

use std::collections::HashMap;

use super::bodies::Bodies;
use super::writer::Writer;
use crate::flat::{BodyId, Event, Machine, VertexId};
use crate::table::{Next, Table, Way};

/// Writes the tables; their names begin with `xm_CLASS_`.
pub fn machine(writer: &mut Writer, bodies: &Bodies, class: usize, name: &str, machine: &Machine) {
    let table = Table::new(machine);
    // States and pseudo-states are numbered separately.
    let states: Vec<_> = machine.states().collect();
    let numbers: HashMap<_, _> = states.iter().enumerate().map(|(number, id)| (*id, number)).collect();
    let ways: HashMap<_, _> = table.branches.keys().enumerate().map(|(number, way)| (*way, number)).collect();
    let number = |id: Option<VertexId>| id.map_or_else(|| "-1".to_owned(), |id| numbers[&id].to_string());
    let pseudo = |way: Option<Way>| way.map_or_else(|| "-1".to_owned(), |way| ways[&way].to_string());
    let outer = |through: Option<VertexId>| pseudo(through.map(|through| Way { through, inwards: false }));
    let function = |ty: &str, body: Option<BodyId>| {
        body.map_or_else(|| "nullptr".to_owned(), |body| format!("static_cast<xm::{ty}>(&{})", bodies.called(class, body)))
    };
    let text = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let rows: HashMap<_, _> = table.rows.iter().map(|row| (row.state, &row.candidates)).collect();

    let (mut state_lines, mut candidate_lines) = (Vec::new(), Vec::new());
    for id in &states {
        let vertex = machine.vertex(*id);
        let candidates = rows.get(id).map_or(&[][..], |candidates| candidates);
        state_lines.push(format!(
            "{{{}, {}, {}, {}, {}, {}, {}, {}}}",
            text(&vertex.path),
            number(vertex.parent),
            table.composite[id.0],
            outer(table.initials[id.0]),
            function("Action", vertex.entry),
            function("Action", vertex.exit),
            candidate_lines.len(),
            candidates.len()
        ));
        for candidate in candidates {
            let (port, signal) = match candidate.event {
                Event::Signal { port, signal } => (port.to_string(), signal.number().to_string()),
                Event::Any { port } => (port.to_string(), "-1".to_owned()),
                Event::Call(operation) => ("0".to_owned(), operation.to_string()),
            };
            let guard = function("Guard", machine.edge(candidate.edge).triggers[candidate.trigger].guard);
            candidate_lines.push(format!("{{{port}, {signal}, {guard}, {}}}", candidate.edge.0));
        }
    }
    let segment_lines = machine.edges.iter().zip(&table.segments).map(|(edge, segment)| {
        let (next, to) = match segment.next {
            Next::Rest(state) => ("REST", number(Some(state))),
            Next::Static(way) => ("STATIC", pseudo(Some(way))),
            Next::Dynamic(choice) => ("DYNAMIC", outer(Some(choice))),
            Next::History { state, deep: true } => ("DEEP", number(Some(state))),
            Next::History { state, deep: false } => ("SHALLOW", number(Some(state))),
            Next::Internal => ("INTERNAL", "-1".to_owned()),
        };
        let (guard, effect) = (function("Guard", edge.guard), function("Action", edge.effect));
        let (owner, enters) = (number(segment.owner), number(segment.enters));
        format!("{{{}, {guard}, {effect}, {owner}, {enters}, xm::{next}, {to}}}", text(&edge.label))
    });
    let segment_lines: Vec<_> = segment_lines.collect();
    let (mut pseudo_lines, mut branches) = (Vec::new(), Vec::new());
    for (way, edges) in &table.branches {
        pseudo_lines.push(format!("{{{}, {}, {}}}", text(&machine.vertex(way.through).path), branches.len(), edges.len()));
        branches.extend(edges.iter().map(|edge| edge.0.to_string()));
    }
    let mut array = |ty: &str, part: &str, lines: &[String]| {
        if lines.is_empty() {
            return "nullptr".to_owned();
        }
        writer.line(&format!("static const {ty} xm_{name}_{part}[] = {{"));
        for line in lines {
            writer.line(&format!("    {line},"));
        }
        writer.line("};");
        format!("xm_{name}_{part}")
    };
    let states_name = array("xm::StateInfo", "states", &state_lines);
    let candidates_name = array("xm::CandidateInfo", "candidates", &candidate_lines);
    let segments_name = array("xm::SegmentInfo", "segments", &segment_lines);
    let pseudos_name = array("xm::PseudoInfo", "pseudos", &pseudo_lines);
    let branches_name = array("int", "branches", &branches);
    writer.line(&format!(
        "static const xm::MachineInfo xm_{name}_machine = {{{states_name}, {}, {candidates_name}, {segments_name}, {pseudos_name}, {}, {branches_name}, {}}};",
        state_lines.len(),
        pseudo_lines.len(),
        outer(table.start)
    ));
}
