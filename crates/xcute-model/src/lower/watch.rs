//! Properties and monitors in C++: what the program that explores does when something occurs.
//!
//! Each property is an automaton of one or two variables that the hooks of `xm/search.h` drive. A monitor is a capsule of the model that
//! is shown the messages of the capsule that is explored. Both run inside the program, so what they compare is followed as
//! everything else, and the solver drives towards a violation.
//!
//! **Invariant.** For one occurrence, what must not happen is checked before what ends or begins the time in which it must not.

use std::fmt::Write as _;

use super::Context;
use super::options::{SearchOptions, failing};
use super::writer::{Writer, quoted};
use crate::flat::{Flat, Signal};
use crate::ir::{Direction, Place};
use crate::property::{Events, Form, Occurrence, Property, What};

/// The state of a monitor that means that it is violated.
pub const VIOLATED: &str = "Violated";

/// Code for each hook.
#[derive(Default)]
struct Hooks {
    started: String,
    begun: String,
    passed: String,
    ended: String,
    finished: String,
    entered: String,
    left: String,
    took: String,
    sent: String,
    received: String,
}

/// Writes the hooks that properties and monitors need. Those that count elements have been written: `xm_count_entered`, `xm_count_took`.
pub fn watch(writer: &mut Writer, context: &Context<'_>, capsules: &[usize], options: &SearchOptions) {
    let mut hooks = Hooks::default();
    for (nth, at) in capsules.iter().enumerate() {
        let edges = context.flat.capsules[*at].machine.as_ref().map_or(0, |machine| machine.edges.len());
        let Some(texec) = options.texec.filter(|_| edges > 0) else { continue };
        // A sequence that goes round too often ends, after this transition.
        writer.line(&format!("static unsigned xm_times_{nth}[{edges}];"));
        let test = format!("xm_machine == ::{}.machine && ++xm_times_{nth}[xm_number] > {texec}", context.class_object(*at));
        let _ = writeln!(hooks.took, "    if ({test}) xm::world.stopped = true;");
    }
    let mut watch = Watch { writer, context, place: &context.flat.capsules[options.capsule].place, made: 0 };
    for (number, property) in options.properties.iter().enumerate() {
        watch.property(&mut hooks, number, property);
    }
    for (number, monitor) in options.monitors.iter().enumerate() {
        watch.monitor(&mut hooks, number, *monitor, options.capsule);
    }
    let machine = "(const xm::Capsule *xm_of, const xm::MachineInfo *xm_machine, int xm_number)";
    let port = "const xm::Capsule *xm_of = xm_port->owner; (void)xm_of;";
    for (name, parameters, first, code) in [
        ("started", "()", "", &hooks.started),
        ("begun", "()", "", &hooks.begun),
        ("passed", "()", "", &hooks.passed),
        ("ended", "()", "", &hooks.ended),
        ("finished", "()", "", &hooks.finished),
        ("entered", machine, "xm_count_entered(xm_machine, xm_number);", &hooks.entered),
        ("left", machine, "", &hooks.left),
        ("took", machine, "xm_count_took(xm_machine, xm_number);", &hooks.took),
        ("sent", "(const xm::Endpoint *xm_port, const xm::MessageType *xm_type, const void *xm_data)", port, &hooks.sent),
        ("received", "(const xm::Endpoint *xm_port, const xm::Message *xm_message)", port, &hooks.received),
    ] {
        writer.line(&format!("static void xm_{name}{parameters} {{\n    {first}\n{code}}}"));
    }
}

struct Watch<'a, 'c> {
    writer: &'a mut Writer,
    context: &'a Context<'c>,
    place: &'a Place,
    made: usize,
}

impl Watch<'_, '_> {
    fn property(&mut self, hooks: &mut Hooks, number: usize, property: &Property) {
        let text = format!("the property \"{}\" is violated", property.text);
        match &property.form {
            Form::Together(all) => {
                self.writer.line(&format!("static bool xm_seen_{number}[{}];", all.len().max(1)));
                let _ = writeln!(hooks.begun, "    for (bool &seen : xm_seen_{number}) seen = false;");
                let seen: Vec<String> = (0..all.len()).map(|at| format!("xm_seen_{number}[{at}]")).collect();
                let seen = seen.join(" && ");
                for (at, events) in all.iter().enumerate() {
                    for one in events {
                        let fails = self.fails(one, &text, false);
                        self.on(hooks, one, &format!("xm_seen_{number}[{at}] = true; if ({seen}) {{ {fails} }}"));
                    }
                }
            }
            Form::Absent { after, never, until } => {
                self.writer.line(&format!("static bool xm_holds_{number} = {};", after.is_none()));
                for one in never {
                    let fails = self.fails(one, &text, false);
                    self.on(hooks, one, &format!("if (xm_holds_{number}) {{ {fails} }}"));
                }
                self.all(hooks, until.iter().flatten(), &format!("xm_holds_{number} = false;"));
                self.all(hooks, after.iter().flatten(), &format!("xm_holds_{number} = true;"));
            }
            Form::Response { from, to, within } => {
                let broken = to.first().map_or_else(String::new, |one| self.fails(one, &text, true));
                self.response(hooks, number, (from, to), *within, &broken);
            }
        }
    }

    /// Code that fails because of an occurrence: what is sent, where the code sends it; all else, and what did not occur, at its element.
    fn fails(&mut self, one: &Occurrence, text: &str, absent: bool) -> String {
        let flat = self.context.flat;
        let capsule = &flat.capsules[one.capsule];
        let vertex = |number: usize| {
            let machine = capsule.machine.as_ref()?;
            machine.states().nth(number).map(|id| machine.vertex(id).place.clone())
        };
        let message =
            |port: usize, at: usize| flat.protocols[capsule.ports[port].protocol].messages.get(at).map(|message| message.place.clone());
        let place = match one.what {
            What::Sent { .. } if !absent => return format!("__xcute_assert(0, {}, \"\", 0);", quoted(text)),
            What::Sent { port, message: at } | What::Received { port, signal: Signal::Message(at) } => message(port, at),
            What::Received { .. } => None,
            What::Entered(number) | What::Left(number) => vertex(number),
            What::Taken(number) => capsule.machine.as_ref().and_then(|machine| machine.edges.get(number)).map(|edge| edge.place.clone()),
        };
        let place = place.filter(|place| place.line > 0).unwrap_or_else(|| self.place.clone());
        let function = format!("xm_broken_{}()", self.made);
        self.made += 1;
        failing(self.writer, &format!("static void {function}"), &place, text);
        format!("{function};")
    }

    fn response(&mut self, hooks: &mut Hooks, number: usize, (from, to): (&Events, &Events), within: Option<i64>, broken: &str) {
        self.writer.line(&format!("static bool xm_asked_{number};\nstatic int64_t xm_deadline_{number};"));
        self.all(hooks, to.iter(), &format!("xm_asked_{number} = false;"));
        let deadline = within.map_or_else(String::new, |within| format!(" xm_deadline_{number} = xm::world.now + {within};"));
        self.all(hooks, from.iter(), &format!("if (!xm_asked_{number}) {{ xm_asked_{number} = true;{deadline} }}"));
        if within.is_none() {
            let _ = writeln!(hooks.begun, "    if (xm_asked_{number}) {broken}");
            let _ = writeln!(hooks.ended, "    if (xm_asked_{number}) {broken}");
            return;
        }
        let _ = writeln!(hooks.passed, "    if (xm_asked_{number} && xm::world.now > xm_deadline_{number}) {broken}");
        // If the environment stays silent, only timers bring the answer.
        let late = format!("!xm::world.timers || xm::world.timers->due > xm_deadline_{number}");
        let _ = writeln!(hooks.ended, "    if (xm_asked_{number} && ({late})) {broken}");
    }

    fn all<'e>(&mut self, hooks: &mut Hooks, events: impl Iterator<Item = &'e Occurrence>, code: &str) {
        for one in events {
            self.on(hooks, one, code);
        }
    }

    /// Runs code when something occurs.
    fn on(&mut self, hooks: &mut Hooks, one: &Occurrence, code: &str) {
        let at = self.at(&one.path);
        let class = format!("xm_of->xm_class == &::{}", self.context.class_object(one.capsule));
        let when = self.condition(one);
        let (hook, test) = match one.what {
            What::Sent { port, message } => {
                let signal = Signal::Message(message).number();
                (&mut hooks.sent, format!("xm_port->number == {port} && xm_type->signal == {signal} && {at}{}", called(&when, "xm_data")))
            }
            What::Received { port, signal } => {
                let test = format!("xm_port->number == {port} && xm_message->signal == {} && {at}", signal.number());
                (&mut hooks.received, format!("{test}{}", called(&when, "xm_message->data")))
            }
            What::Entered(state) => (&mut hooks.entered, format!("xm_of && xm_number == {state} && {class} && {at}")),
            What::Left(state) => (&mut hooks.left, format!("xm_of && xm_number == {state} && {class} && {at}")),
            What::Taken(edge) => (&mut hooks.took, format!("xm_of && xm_number == {edge} && {class} && {at}")),
        };
        let _ = writeln!(hook, "    if ({test}) {{ {code} }}");
    }

    /// Whether a capsule is where a path leads to.
    fn at(&mut self, path: &[(usize, Option<usize>)]) -> String {
        if path.is_empty() {
            return "xm_of == xm::world.root".to_owned();
        }
        let function = format!("xm_at_{}", self.made);
        self.made += 1;
        self.writer.line(&format!("static bool {function}(const xm::Capsule *of) {{"));
        for (part, index) in path.iter().rev() {
            self.writer.line(&format!("    if (!of->xm_slot || of->xm_slot->number != {part}) return false;"));
            if let Some(index) = index {
                self.writer.line(&format!("    if (of->xm_index != {index}) return false;"));
            }
            self.writer.line("    of = of->xm_slot->owner;");
        }
        self.writer.line("    return of == xm::world.root;\n}");
        format!("{function}(xm_of)")
    }

    /// A function for the condition about the data of a message, with the names that action code has for them.
    fn condition(&mut self, one: &Occurrence) -> Option<String> {
        let when = one.when.as_ref()?;
        let (port, message) = match one.what {
            What::Sent { port, message } | What::Received { port, signal: Signal::Message(message) } => (port, message),
            _ => return None,
        };
        let flat: &Flat = self.context.flat;
        let protocol = &flat.protocols[flat.capsules[one.capsule].ports[port].protocol];
        let declared = &protocol.messages[message];
        let function = format!("xm_when_{}", self.made);
        self.made += 1;
        let mut scope = String::new();
        for (number, param) in declared.params.iter().enumerate() {
            if number == 0 {
                scope += "    auto *rtdata = &xm_sent->p0;\n    (void)rtdata;\n";
            }
            if let Some(name) = &param.name {
                let _ = writeln!(scope, "    auto &{name} = xm_sent->p{number};\n    (void){name};");
            }
        }
        let data = format!("{}::xm_{message}_{}", protocol.name, declared.name);
        self.writer.line(&format!(
            "static bool {function}(const void *xm_data) {{\n    if (!xm_data) return false;\n    auto *xm_sent = static_cast<const {data} *>(xm_data);\n{scope}    return static_cast<bool>({when});\n}}"
        ));
        Some(function)
    }

    /// A capsule that watches.
    fn monitor(&mut self, hooks: &mut Hooks, number: usize, monitor: usize, of: usize) {
        let (flat, variable) = (self.context.flat, format!("xm_monitor_{number}"));
        self.writer.line(&format!("static xm::Capsule *{variable};"));
        let object = self.context.class_object(monitor);
        let _ = writeln!(
            hooks.started,
            "    {variable} = xm::make(&::{object}, nullptr, 0);\n    {variable}->xm_monitor = true;\n    xm::Message {variable}_none;"
        );
        let _ = writeln!(hooks.started, "    xm::begin({variable}, &{variable}_none);");
        let _ = writeln!(hooks.finished, "    xm::destroy({variable});");
        let capsule = &flat.capsules[monitor];
        for (at, port) in capsule.ports.iter().enumerate() {
            let Some((seen, sent)) = observed(flat, of, monitor, at) else { continue };
            for (message, _) in
                flat.protocols[port.protocol].messages.iter().enumerate().filter(|(_, m)| m.passes(Direction::In, port.conjugated))
            {
                let signal = Signal::Message(message).number();
                let (hook, of_type, name, data, ty) = match sent {
                    true => (&mut hooks.sent, "xm_type->signal", "xm_type->name", "xm_data", "xm_type"),
                    false => (&mut hooks.received, "xm_message->signal", "xm_message->name", "xm_message->data", "xm_message->type"),
                };
                let test = format!("xm_of == xm::world.root && xm_port->number == {seen} && {of_type} == {signal}");
                let _ = writeln!(hook, "    if ({test}) xm::show({variable}, {at}, {name}, {signal}, {ty}, {data});");
            }
        }
        let machine = capsule.machine.iter().flat_map(|machine| machine.states().enumerate().map(move |(at, id)| (at, machine.vertex(id))));
        for (state, vertex) in machine.filter(|(_, vertex)| vertex.name == VIOLATED) {
            let function = format!("xm_violated_{number}_{state}()");
            let text = format!("the monitor {} is violated", capsule.name);
            failing(self.writer, &format!("static void {function}"), &vertex.place, &text);
            let _ = writeln!(hooks.entered, "    if (xm_of == {variable} && xm_number == {state}) {function};");
        }
    }
}

/// The port of a capsule that a port of its monitor observes, and whether it sees what is sent.
///
/// Both have the same protocol, and the same name; `_` and anything may follow the name of the monitor's port, because it needs two ports
/// to see both directions. One that is conjugated the other way round sees what is sent.
#[must_use]
pub fn observed(flat: &Flat, of: usize, monitor: usize, port: usize) -> Option<(usize, bool)> {
    let own = &flat.capsules[monitor].ports[port];
    if own.excluded || flat.protocols[own.protocol].predefined {
        return None;
    }
    let named = |name: &str| own.name == name || own.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'));
    let ports = flat.capsules[of].ports.iter().enumerate();
    let seen = ports.filter(|(_, other)| !other.excluded && other.protocol == own.protocol && named(&other.name));
    let (number, other) = seen.max_by_key(|(_, other)| other.name.len())?;
    Some((number, other.conjugated != own.conjugated))
}

/// The call of a condition.
fn called(when: &Option<String>, data: &str) -> String {
    when.as_ref().map_or_else(String::new, |function| format!(" && {function}({data})"))
}
