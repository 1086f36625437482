//! How the program that explores counts states, transitions, triggers and guards, and what it does where a machine has no way on.
//!
//! Each element is a line of a file that does not exist ([`STATES`] and its like), so that whoever counts lines counts them.
//! Several machines follow each other in the order of [`explored`].

use super::Context;
use super::offers::Offer;
use super::options::{GUARDS, STATES, SearchOptions, TRANSITIONS, TRIGGERS, assertion};
use super::writer::{Writer, line_directive};
use crate::flat::{Capsule, Edge, Flat, Machine, Port, VertexKind};
use crate::ir::PartKind;
use crate::table::{Candidate, Table};

/// The capsules whose machines are explored: the root and, in a system, all that its parts can hold.
#[must_use]
pub fn explored(flat: &Flat, root: usize, system: bool) -> Vec<usize> {
    let mut found = vec![root];
    let mut at = 0;
    while let Some(capsule) = found.get(at).copied().filter(|_| system) {
        at += 1;
        for part in flat.capsules[capsule].parts.iter().filter(|part| !part.excluded) {
            // What is incarnated may be of a derived class.
            let fits = |other: &usize| *other == part.capsule || (part.kind != PartKind::Fixed && flat.inherits(*other, part.capsule));
            for other in (0..flat.capsules.len()).filter(fits) {
                if !found.contains(&other) && !flat.model.capsules[other].is_abstract {
                    found.push(other);
                }
            }
        }
    }
    found
}

/// For each element the numbers that stand for it, and its own.
type Counted = Vec<(Vec<usize>, usize)>;

/// Writes the counters of all machines.
pub fn counters(writer: &mut Writer, context: &Context<'_>, capsules: &[usize]) {
    let none = Machine::default();
    let machines: Vec<&Machine> = capsules.iter().map(|at| context.flat.capsules[*at].machine.as_ref().unwrap_or(&none)).collect();
    let objects: Vec<String> = capsules.iter().map(|at| context.class_object(*at)).collect();
    let mut kind = |name: &str, file: &str, numbers: &dyn Fn(&Machine) -> Counted, size: &dyn Fn(&Machine) -> usize| {
        let mut base = 0;
        for (nth, machine) in machines.iter().enumerate() {
            counter(writer, &format!("static void xm_{name}_{nth}(int number)"), file, base, &numbers(machine));
            base += size(machine);
        }
        writer.line(&format!("static void xm_count_{name}(const xm::MachineInfo *machine, int number) {{"));
        for (nth, object) in objects.iter().enumerate() {
            writer.line(&format!("    if (machine == ::{object}.machine) return xm_{name}_{nth}(number);"));
        }
        writer.line("}");
    };
    let each = |count: usize| (0..count).map(|at| (vec![at], at)).collect::<Vec<_>>();
    kind("entered", STATES, &|machine| each(machine.states().count()), &|machine| machine.states().count());
    kind("took", TRANSITIONS, &|machine| each(machine.edges.len()), &|machine| machine.edges.len());
    let outcomes = |machine: &Machine| guarded(machine).iter().flat_map(|edge| [2 * edge, 2 * edge + 1]).map(|at| (vec![at], at)).collect();
    kind("hold", GUARDS, &outcomes, &|machine| 2 * machine.edges.len());
    let handled = |machine: &Machine| triggers(machine).into_iter().enumerate().map(|(at, (_, _, candidates))| (candidates, at)).collect();
    kind("handled", TRIGGERS, &handled, &|machine| triggers(machine).len());
    writer.line("static void xm_held(const xm::MachineInfo *machine, int segment, bool holds) {\n    if (holds) xm_count_hold(machine, 2 * segment + 1);\n    else xm_count_hold(machine, 2 * segment);\n}");
}

/// What can be triggered in each state: the state's number among the states, the first candidate for the event, and the numbers of
/// all candidates for it.
#[must_use]
pub fn triggers(machine: &Machine) -> Vec<(usize, Candidate, Vec<usize>)> {
    let mut found: Vec<(usize, Candidate, Vec<usize>)> = Vec::new();
    let table = Table::new(machine);
    let rows: std::collections::HashMap<_, _> = table.rows.iter().map(|row| (row.state, row)).collect();
    let mut number = 0;
    for (state, id) in machine.states().enumerate() {
        let first = found.len();
        for candidate in rows.get(&id).iter().flat_map(|row| &row.candidates) {
            match found[first..].iter_mut().find(|(_, other, _)| other.event == candidate.event) {
                Some((_, _, all)) => all.push(number),
                None => found.push((state, *candidate, vec![number])),
            }
            number += 1;
        }
    }
    found
}

/// The edges with a guard of their own or of a trigger.
#[must_use]
pub fn guarded(machine: &Machine) -> Vec<usize> {
    let has = |edge: &Edge| edge.guard.is_some() || edge.triggers.iter().any(|trigger| trigger.guard.is_some());
    (0..machine.edges.len()).filter(|at| has(&machine.edges[*at])).collect()
}

/// A function with one line for each element: the numbers that stand for it, and its own.
fn counter(writer: &mut Writer, head: &str, file: &str, base: usize, elements: &[(Vec<usize>, usize)]) {
    writer.line(&format!("{head} {{\n    static volatile int xm_counted;\n    (void)number, (void)xm_counted;"));
    if let [most @ .., (_, last)] = elements {
        writer.line("    switch (number) {");
        for (numbers, element) in most {
            let cases: String = numbers.iter().map(|number| format!("case {number}: ")).collect();
            writer.line(&format!("#line {} \"{file}\"\n    {cases}xm_counted = 1; break;", base + element + 1));
        }
        writer.line(&format!("#line {} \"{file}\"\n    default: xm_counted = 1; break;", base + last + 1));
        writer.back();
        writer.line("    }");
    }
    writer.line("}");
}

/// What is done with a message that nothing is triggered by.
pub fn unexpected(writer: &mut Writer, context: &Context<'_>, capsules: &[usize], offers: &[Vec<Offer>], options: &SearchOptions) {
    writer.line("static void xm_unexpected(const xm::MachineInfo *machine, int state, int port, int signal) {");
    writer.line("    (void)machine, (void)state, (void)port, (void)signal;");
    for (capsule, offers) in capsules.iter().zip(offers).filter(|_| options.unexpected) {
        writer.line(&format!("    if (machine == ::{}.machine) {{", context.class_object(*capsule)));
        let (whose, capsule) = (whose(context.flat, *capsule, options), &context.flat.capsules[*capsule]);
        let signals = signals(context.flat, capsule, offers, options.system);
        let machine = capsule.machine.clone().unwrap_or_default();
        writer.line("    switch (state) {");
        for (number, state) in machine.states().enumerate() {
            let vertex = machine.vertex(state);
            writer.line(&format!("    case {number}:"));
            for (nth, (port, signal, name)) in signals.iter().enumerate() {
                writer.line(&format!("        if (port == {port} && signal == {signal})"));
                // Each has a column of its own: failures are told apart by their places.
                let text = format!("{name} is not expected in state {}{whose}", vertex.path);
                writer.line(&line_directive(&vertex.place));
                writer.line(&format!("{:1$}{2};", "", nth + 1, assertion(&vertex.place, &text)));
                writer.back();
            }
            writer.line("        break;");
        }
        writer.line("    default: break;\n    }\n    }");
    }
    writer.line("}");
}

/// Says whose element it is, where several capsules are explored.
fn whose(flat: &Flat, capsule: usize, options: &SearchOptions) -> String {
    if options.system { format!(" of {}", flat.capsules[capsule].name) } else { String::new() }
}

/// What can arrive at a capsule: port, signal and name.
fn signals(flat: &Flat, capsule: &Capsule, offers: &[Offer], system: bool) -> Vec<(usize, i64, String)> {
    let offered = offers.iter().map(|offer| (offer.port, offer.message + 2, offer.name.clone()));
    let own = |port: &Port| port.behavior && !port.excluded && flat.protocols[port.protocol].predefined;
    let system_ports = capsule.ports.iter().enumerate().filter(|(_, port)| own(port));
    // The run-time system sends the messages of its protocols itself; that of External is offered.
    let predefined = system_ports.flat_map(|(at, port)| {
        let messages = flat.protocols[port.protocol].messages.iter().enumerate();
        messages
            .map(move |(number, message)| (at, i64::try_from(number + 2).unwrap_or(i64::MAX), format!("{}.{}", port.name, message.name)))
    });
    let mut all: Vec<_> = offered.collect();
    for (at, signal, name) in predefined {
        if !all.iter().any(|(other, known, _)| (*other, *known) == (at, signal)) {
            all.push((at, signal, name));
        }
    }
    // Connections come and go inside of a system.
    for (at, port) in capsule.ports.iter().enumerate().filter(|(_, port)| system && port.behavior && !port.excluded) {
        for (signal, name) in [(0, "rtBound"), (1, "rtUnbound")] {
            if !all.iter().any(|(other, known, _)| (*other, *known) == (at, signal)) {
                all.push((at, signal, format!("{}.{name}", port.name)));
            }
        }
    }
    all
}

/// What is done where no way leads on.
pub fn stuck(writer: &mut Writer, context: &Context<'_>, capsules: &[usize], options: &SearchOptions) {
    writer.line("static void xm_stuck(const xm::MachineInfo *machine, int pseudo) {\n    (void)machine, (void)pseudo;");
    for at in capsules {
        writer.line(&format!("    if (machine == ::{}.machine) switch (pseudo) {{", context.class_object(*at)));
        let machine = context.flat.capsules[*at].machine.clone().unwrap_or_default();
        for (number, way) in Table::new(&machine).branches.keys().enumerate() {
            let vertex = machine.vertex(way.through);
            let what = match vertex.kind {
                VertexKind::Choice => "choice",
                VertexKind::Initial => "initial state",
                _ => "junction",
            };
            let text = format!("no way leads on from the {what} {}{}", vertex.path, whose(context.flat, *at, options));
            writer.line(&format!("    case {number}:"));
            writer.line(&line_directive(&vertex.place));
            writer.line(&format!("        {};", assertion(&vertex.place, &text)));
            writer.back();
            writer.line("        break;");
        }
        writer.line("    default: break;\n    }");
    }
    writer.line("}");
}
