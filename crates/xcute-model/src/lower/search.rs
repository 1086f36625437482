//! The program that explores one capsule alone: what its environment decides are inputs of xcute.
//!
//! It includes the lowered model and adds what `runtimes/model/xm/search.h` asks for: the messages that can be sent, with their data as
//! inputs; how states, transitions and guards are counted; and what is a failure beside what the action code does. Each state,
//! transition and outcome of a guard is a line of a file that does not exist ([`STATES`], [`TRANSITIONS`], [`GUARDS`]), so
//! that whoever counts lines counts them. A failure that no action code causes stands at its model element.

use std::fmt::Write as _;

use super::inputs::Inputs;
use super::writer::{Writer, line_directive, quoted};
use super::{Context, prelude, reads_clock, types};
use crate::flat::{Capsule, Flat, Machine, Port, VertexKind};
use crate::ir::{Direction, Place};
use crate::table::Table;

/// The name of the program.
pub const SEARCH: &str = "search.cpp";
/// The function that is explored.
pub const ENTRY: &str = "xm_explore";
/// Line `i + 1` is state `i` of [`Machine::states`].
pub const STATES: &str = "/xcute-model/states";
/// Line `i + 1` is edge `i`.
pub const TRANSITIONS: &str = "/xcute-model/transitions";
/// Line `2 i + 1` is the guard of edge `i` where it does not hold, line `2 i + 2` where it does.
pub const GUARDS: &str = "/xcute-model/guards";

/// What is explored.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The capsule.
    pub capsule: usize,
    /// How many messages and timeouts a sequence has.
    pub length: u32,
    /// The longest text.
    pub text: u32,
    /// Whether a message that nothing is triggered by is a failure.
    pub unexpected: bool,
    /// Messages that must not all be sent in one step.
    pub never: Vec<Vec<Sent>>,
}

/// A message that the capsule sends.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sent {
    /// The port.
    pub port: usize,
    /// The message of its protocol.
    pub message: usize,
    /// Both, as the user names them.
    pub name: String,
}

/// The program.
#[derive(Clone, Debug)]
pub struct Search {
    /// Its text; [`super::Lowered::files`] stand beside it.
    pub text: String,
    /// What the search does not vary, in words that fit after "for".
    pub fixed: Vec<String>,
}

/// A message that the environment can send.
struct Offer {
    port: usize,
    /// Of the protocol; -2 and -1 are a connection that comes or goes.
    message: i64,
    name: String,
    make: Option<String>,
}

/// Writes the program.
#[must_use]
pub fn search(flat: &Flat, options: &SearchOptions) -> Search {
    let context = Context { flat, prelude: prelude(flat) };
    let types = types(flat);
    let capsule = &flat.capsules[options.capsule];
    let mut writer = Writer::new(SEARCH);
    let clock = reads_clock(flat);
    if clock {
        writer.line("#define XM_CLOCK");
    }
    writer.line("#define XM_SEARCH\n#define XM_NO_MAIN\n#include \"model.cpp\"\n#include \"xm/search.h\"");
    let mut inputs = Inputs::new(&types, options.text);
    let offers = offers(flat, capsule, &mut inputs);
    writer.line(inputs.text());
    writer.line("static const xm::Offer xm_offers[] = {");
    for offer in &offers {
        writer.line(&format!("    {{{}, {}, {}}},", offer.port, offer.message, offer.make.as_deref().unwrap_or("nullptr")));
    }
    writer.line("    {0, 0, nullptr},\n};");
    choice(&mut writer, "xm_choose", "message", offers.len() + 2);
    replies(&mut writer, &offers, capsule);
    writer.line("static bool xm_granted(const char *) {\n    bool granted;\n    xcute_input(granted);\n    return granted;\n}");
    let machine = capsule.machine.clone().unwrap_or_default();
    counters(&mut writer, &machine);
    unexpected(&mut writer, capsule, &machine, &offers, options.unexpected);
    stuck(&mut writer, &machine);
    never(&mut writer, &options.never);
    failing(&mut writer, "static void xm_endless()", &capsule.place, &format!("{} does not come to rest", capsule.name));
    let object = context.class_object(options.capsule);
    let hooks = "xm_entered, xm_took, xm_held, xm_unexpected, xm_stuck, xm_endless, xm_begun, xm_sent, xm_reply, xm_granted";
    writer.line(&format!("extern \"C\" void {ENTRY}(void) {{"));
    writer.line(&format!("    static const xm::Search search = {{::{object}.machine, {hooks}}};"));
    writer.line("    xm::world.search = &search;");
    writer.line(&format!("    xm::Explorer(xm_offers, {}, xm_choose).run(&::{object}, {});", offers.len(), options.length));
    writer.line("}");
    let waits = clock.then(|| "waits of up to a day".to_owned());
    Search { text: writer.finish().1, fixed: inputs.fixed().into_iter().chain(waits).collect() }
}

/// What the environment can send: all that ports with a behaviour receive.
fn offers(flat: &Flat, capsule: &Capsule, inputs: &mut Inputs<'_>) -> Vec<Offer> {
    let mut offers = Vec::new();
    for (number, port) in capsule.ports.iter().enumerate().filter(|(_, port)| port.behavior && !port.excluded) {
        let protocol = &flat.protocols[port.protocol];
        if protocol.predefined {
            // Code outside of the model raises its one event.
            if protocol.name == "External" {
                offers.push(Offer { port: number, message: 0, name: format!("{}.event", port.name), make: None });
            }
            continue;
        }
        for (at, message) in protocol.messages.iter().enumerate().filter(|(_, m)| m.passes(Direction::In, port.conjugated)) {
            let name = format!("{}.{}", port.name, message.name);
            let make = (!message.params.is_empty()).then(|| inputs.message(&protocol.name, at, message, &name));
            offers.push(Offer { port: number, message: i64::try_from(at).unwrap_or(i64::MAX), name, make });
        }
        if port.notify {
            for (message, name) in [(-2, "rtBound"), (-1, "rtUnbound")] {
                offers.push(Offer { port: number, message, name: format!("{}.{name}", port.name), make: None });
            }
        }
    }
    offers
}

/// A function that makes one of `count` of an input.
fn choice(writer: &mut Writer, function: &str, input: &str, count: usize) {
    writer.line(&format!("static int {function}(int count) {{\n    unsigned {input};\n    xcute_input({input});"));
    writer.line(&format!("    xcute_assume({input} < static_cast<unsigned>(count));\n    switch ({input}) {{"));
    for at in 0..count.saturating_sub(1) {
        writer.line(&format!("    case {at}: return {at};"));
    }
    writer.line(&format!("    default: return {};\n    }}\n}}", count.saturating_sub(1)));
}

/// What the environment answers to a synchronous message: nothing, or a message of the same port.
fn replies(writer: &mut Writer, offers: &[Offer], capsule: &Capsule) {
    writer.line("static void xm_reply(const xm::Endpoint *port, xm::Message *to) {\n    unsigned reply;");
    writer.line("    switch (port->number) {");
    for (number, _) in capsule.ports.iter().enumerate() {
        let own: Vec<usize> = (0..offers.len()).filter(|at| offers[*at].port == number && offers[*at].message >= 0).collect();
        if own.is_empty() {
            continue;
        }
        writer.line(&format!("    case {number}:\n        xcute_input(reply);\n        xcute_assume(reply <= {});", own.len()));
        for (nth, offer) in own.iter().enumerate() {
            writer.line(&format!("        if (reply == {}) return xm::fill(to, port, xm_offers[{offer}]);", nth + 1));
        }
        writer.line("        return;");
    }
    writer.line("    default: return;\n    }\n}");
}

/// How states, transitions and guards are counted.
fn counters(writer: &mut Writer, machine: &Machine) {
    let states: Vec<usize> = (0..machine.states().count()).collect();
    counter(writer, "static void xm_entered(int number)", STATES, &states);
    counter(writer, "static void xm_took(int number)", TRANSITIONS, &(0..machine.edges.len()).collect::<Vec<_>>());
    let guarded = guarded(machine);
    let outcomes: Vec<usize> = guarded.iter().flat_map(|edge| [2 * edge, 2 * edge + 1]).collect();
    writer.line("static void xm_hold(int number);");
    writer.line(
        "static void xm_held(int segment, bool holds) {\n    if (holds) xm_hold(2 * segment + 1);\n    else xm_hold(2 * segment);\n}",
    );
    counter(writer, "static void xm_hold(int number)", GUARDS, &outcomes);
}

/// The edges with a guard of their own or of a trigger.
#[must_use]
pub fn guarded(machine: &Machine) -> Vec<usize> {
    let has = |edge: &crate::flat::Edge| edge.guard.is_some() || edge.triggers.iter().any(|trigger| trigger.guard.is_some());
    (0..machine.edges.len()).filter(|at| has(&machine.edges[*at])).collect()
}

/// A function with one line for each number.
fn counter(writer: &mut Writer, head: &str, file: &str, numbers: &[usize]) {
    writer.line(&format!("{head} {{\n    static volatile int xm_counted;\n    (void)number, (void)xm_counted;"));
    if let [most @ .., last] = numbers {
        writer.line("    switch (number) {");
        for number in most {
            writer.line(&format!("#line {} \"{file}\"\n    case {number}: xm_counted = 1; break;", number + 1));
        }
        writer.line(&format!("#line {} \"{file}\"\n    default: xm_counted = 1; break;", last + 1));
        writer.back();
        writer.line("    }");
    }
    writer.line("}");
}

/// What is done with a message that nothing is triggered by.
fn unexpected(writer: &mut Writer, capsule: &Capsule, machine: &Machine, offers: &[Offer], is_failure: bool) {
    writer.line("static void xm_unexpected(int state, int port, int signal) {\n    (void)state, (void)port, (void)signal;");
    if is_failure {
        let signals = offers.iter().map(|offer| (offer.port, offer.message + 2, offer.name.clone()));
        let timers = capsule.ports.iter().enumerate().filter(|(_, port)| port.behavior && !port.excluded && is_timing(port, offers));
        let signals: Vec<_> = signals.chain(timers.map(|(at, port)| (at, 2, format!("{}.timeout", port.name)))).collect();
        writer.line("    switch (state) {");
        for (number, state) in machine.states().enumerate() {
            let vertex = machine.vertex(state);
            writer.line(&format!("    case {number}:"));
            for (nth, (port, signal, name)) in signals.iter().enumerate() {
                writer.line(&format!("        if (port == {port} && signal == {signal})"));
                // Each has a column of its own: failures are told apart by their places.
                let text = format!("{name} is not expected in state {}", vertex.path);
                writer.line(&line_directive(&vertex.place));
                writer.line(&format!("{:1$}{2};", "", nth + 1, assertion(&vertex.place, &text)));
                writer.back();
            }
            writer.line("        break;");
        }
        writer.line("    default: break;\n    }");
    }
    writer.line("}");
}

/// Whether timeouts arrive at a port: it has no messages of its own.
fn is_timing(port: &Port, offers: &[Offer]) -> bool {
    !offers.iter().any(|offer| offer.name.starts_with(&format!("{}.", port.name)))
}

/// What is done where no way leads on.
fn stuck(writer: &mut Writer, machine: &Machine) {
    writer.line("static void xm_stuck(int pseudo) {\n    (void)pseudo;\n    switch (pseudo) {");
    for (number, way) in Table::new(machine).branches.keys().enumerate() {
        let vertex = machine.vertex(way.through);
        let what = match vertex.kind {
            VertexKind::Choice => "choice",
            VertexKind::Initial => "initial state",
            _ => "junction",
        };
        let text = format!("no way leads on from the {what} {}", vertex.path);
        writer.line(&format!("    case {number}:"));
        writer.line(&line_directive(&vertex.place));
        writer.line(&format!("        {};", assertion(&vertex.place, &text)));
        writer.back();
        writer.line("        break;");
    }
    writer.line("    default: break;\n    }\n}");
}

/// Messages that must not all be sent in one step.
fn never(writer: &mut Writer, never: &[Vec<Sent>]) {
    writer.line(&format!("static bool xm_seen[{}];", never.iter().map(Vec::len).sum::<usize>().max(1)));
    writer.line("static void xm_begun() {\n    for (bool &seen : xm_seen) seen = false;\n}");
    writer.line("static void xm_sent(int port, int message) {\n    (void)port, (void)message;");
    let mut first = 0;
    for all in never {
        let mut text = String::new();
        for (at, sent) in all.iter().enumerate() {
            writer.line(&format!("    if (port == {} && message == {}) xm_seen[{}] = true;", sent.port, sent.message, first + at));
            let _ = write!(text, "{}{}", if at == 0 { "" } else { " and " }, sent.name);
        }
        let seen: Vec<String> = (first..first + all.len()).map(|at| format!("xm_seen[{at}]")).collect();
        let text = format!("{text} {} sent in one step", if all.len() == 1 { "is" } else { "are both" });
        let text = if all.len() > 2 { text.replace("are both", "are all") } else { text };
        writer.line(&format!("    if ({}) __xcute_assert(0, {}, \"\", 0);", seen.join(" && "), quoted(&text)));
        first += all.len();
    }
    writer.line("}");
}

/// A function that fails at an element.
fn failing(writer: &mut Writer, head: &str, place: &Place, text: &str) {
    writer.line(&format!("{head} {{"));
    writer.line(&line_directive(place));
    writer.line(&format!("    {};", assertion(place, text)));
    writer.back();
    writer.line("}");
}

fn assertion(place: &Place, text: &str) -> String {
    format!("__xcute_assert(0, {}, {}, {})", quoted(text), quoted(&place.file), place.line)
}
