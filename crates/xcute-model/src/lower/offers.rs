//! What the environment can send: the messages to each class of capsules, with their data as inputs, and its answers.

use super::Context;
use super::inputs::Inputs;
use super::writer::Writer;
use crate::flat::{Capsule, Flat};
use crate::ir::Direction;

/// A message that the environment can send.
pub struct Offer {
    pub port: usize,
    /// Of the protocol; -2 and -1 are a connection that comes or goes.
    pub message: i64,
    pub name: String,
    pub make: Option<String>,
}

/// What the environment can send to a capsule: all that ports with a behaviour receive.
pub fn offers(flat: &Flat, capsule: &Capsule, inputs: &mut Inputs<'_>) -> Vec<Offer> {
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

/// What the functions are called in which a message is chosen.
pub const CHOICES: [&str; 2] = ["xm_choose", "chosen"];

/// Writes the offers to each class, and the function that chooses one.
pub fn tables(writer: &mut Writer, context: &Context<'_>, capsules: &[usize], offers: &[Vec<Offer>], system: bool) {
    for (nth, offers) in offers.iter().enumerate() {
        writer.line(&format!("static const xm::Offer xm_offers_{nth}[] = {{"));
        for offer in offers {
            writer.line(&format!("    {{{}, {}, {}}},", offer.port, offer.message, offer.make.as_deref().unwrap_or("nullptr")));
        }
        writer.line("    {0, 0, nullptr},\n};");
    }
    writer.line("static const xm::Offers xm_offers[] = {");
    for (nth, (capsule, offers)) in capsules.iter().zip(offers).enumerate() {
        writer.line(&format!("    {{&::{}, xm_offers_{nth}, {}}},", context.class_object(*capsule), offers.len()));
    }
    writer.line("};");
    if system {
        let body = "    unsigned message;\n    xcute_input(message);\n    return xm::chosen(message, count);";
        writer.line(&format!("static int xm_choose(int count) {{\n{body}\n}}"));
    } else {
        choice(writer, "xm_choose", "message", offers.iter().map(Vec::len).sum::<usize>() + 2);
    }
}

/// A function that makes one of `count` of an input.
fn choice(writer: &mut Writer, function: &str, input: &str, count: usize) {
    writer.line(&format!("static int {function}(int count) {{\n    unsigned {input};\n    xcute_input({input});"));
    writer.line(&format!("    {input} = xm::within({input}, count);\n    switch ({input}) {{"));
    for at in 0..count.saturating_sub(1) {
        writer.line(&format!("    case {at}: return {at};"));
    }
    writer.line(&format!("    default: return {};\n    }}\n}}", count.saturating_sub(1)));
}

/// What the environment answers to a synchronous message: nothing, or a message of the same port.
pub fn replies(writer: &mut Writer, context: &Context<'_>, capsules: &[usize], offers: &[Vec<Offer>]) {
    writer.line("static void xm_reply(const xm::Endpoint *port, xm::Message *to) {\n    unsigned reply;\n    (void)reply, (void)to;");
    for (nth, (capsule, offers)) in capsules.iter().zip(offers).enumerate() {
        writer.line(&format!("    if (port->owner->xm_class == &::{}) switch (port->number) {{", context.class_object(*capsule)));
        for (number, _) in context.flat.capsules[*capsule].ports.iter().enumerate() {
            let own: Vec<usize> = (0..offers.len()).filter(|at| offers[*at].port == number && offers[*at].message >= 0).collect();
            if own.is_empty() {
                continue;
            }
            writer.line(&format!("    case {number}:\n        xcute_input(reply);\n        reply = xm::within(reply, {});", own.len() + 1));
            for (at, offer) in own.iter().enumerate() {
                writer.line(&format!("        if (reply == {}) return xm::fill(to, port, xm_offers_{nth}[{offer}]);", at + 1));
            }
            writer.line("        return;");
        }
        writer.line("    default: return;\n    }");
    }
    writer.line("}");
}
