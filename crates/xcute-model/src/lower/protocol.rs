//! Protocols in C++: the classes of their ports, with one function for each message, and what the run-time system must know of them.

use std::fmt::Write;

use super::Context;
use super::writer::Writer;
use crate::flat::{Message, Protocol};
use crate::ir::{Direction, Param, SnippetKind};

/// The header of a protocol.
pub fn header(context: &Context<'_>, at: usize) -> (String, String) {
    let protocol = &context.flat.protocols[at];
    let declared = &context.flat.model.protocols[at];
    let mut writer = Writer::new(&context.protocol_header(&protocol.name));
    writer.line("#pragma once");
    writer.line(&context.prelude());
    context.snippets(&mut writer, &declared.snippets, SnippetKind::HeaderPreface);
    let name = &protocol.name;
    writer.line(&format!("struct {name} {{"));
    let numbers = named_once(protocol).map(|(at, m)| format!("signal_{} = xm::FIRST_SIGNAL + {at}", m.name));
    let numbers: Vec<_> =
        ["signal_rtBound = xm::BOUND".to_owned(), "signal_rtUnbound = xm::UNBOUND".to_owned()].into_iter().chain(numbers).collect();
    writer.line(&format!("    enum SignalId {{ {} }};", numbers.join(", ")));
    for (at, message) in protocol.messages.iter().enumerate().filter(|(_, message)| !message.params.is_empty()) {
        arguments(&mut writer, at, message);
    }
    writer.line(&format!("    static const xm::MessageType xm_messages[{}];", protocol.messages.len().max(1)));
    for (class, conjugated) in [("Base", false), ("Conjugate", true)] {
        port(&mut writer, protocol, class, conjugated);
    }
    writer.line("};");
    context.snippets(&mut writer, &declared.snippets, SnippetKind::HeaderEnding);
    writer.finish()
}

/// A structure that holds the parameters of a message.
fn arguments(writer: &mut Writer, number: usize, message: &Message) {
    writer.line(&format!("    struct {} {{", data(number, message)));
    for (at, param) in message.params.iter().enumerate() {
        writer.line(&format!("        using T{at} = {};", param.ty));
        writer.line(&format!("        T{at} p{at};"));
    }
    let passed: Vec<_> = (0..message.params.len()).map(|at| format!("xm::Passed<T{at}>::Type a{at}")).collect();
    let is_array = |param: &Param| param.ty.trim_end().ends_with(']');
    let kept = message.params.iter().enumerate().filter(|(_, p)| !is_array(p)).map(|(at, _)| format!("p{at}(xm::kept(a{at}))"));
    let kept: Vec<_> = kept.collect();
    let taken = message.params.iter().enumerate().filter(|(_, p)| is_array(p)).map(|(at, _)| format!("xm::take(p{at}, a{at}); "));
    let colon = if kept.is_empty() { "" } else { " : " };
    writer.line(&format!("        {}() = default;", data(number, message)));
    writer.line(&format!(
        "        {}({}){colon}{} {{ {}}}",
        data(number, message),
        passed.join(", "),
        kept.join(", "),
        taken.collect::<String>()
    ));
    writer.line("        static void *param(void *data, int at);");
    writer.line("        static void write(FILE *to, const void *data);");
    writer.line("        static void *read(const xm::Json *from, const char *what);");
    writer.line("    };");
}

/// The class of ports of one conjugation.
fn port(writer: &mut Writer, protocol: &Protocol, class: &str, conjugated: bool) {
    writer.line(&format!("    struct {class} : xm::Port {{"));
    writer.line(&format!("        {class} &operator()() {{ return *this; }}"));
    let rti: Vec<_> = named_once(protocol).map(|(_, m)| format!("rti_{0} = signal_{0}", m.name)).collect();
    if !rti.is_empty() {
        writer.line(&format!("        enum {{ {} }};", rti.join(", ")));
    }
    for (at, message) in protocol.messages.iter().enumerate() {
        let name = &message.name;
        let sent = message.passes(Direction::Out, conjugated);
        if sent && !message.params.is_empty() {
            let params = message.params.iter().enumerate();
            let passed: Vec<_> = params.map(|(i, p)| format!("xm::Passed<{}>::Type {}", p.ty, argument(i, p))).collect();
            let given: Vec<_> = message.params.iter().enumerate().map(|(i, p)| argument(i, p)).collect();
            let data = format!("new {}({})", data(at, message), given.join(", "));
            writer.line(&format!(
                "        xm::Signal {name}({}) const {{ return xm::Signal(xm_end, &xm_messages[{at}], {data}); }}",
                passed.join(", ")
            ));
        }
        // Without arguments: to recall what was received, or to send what carries nothing.
        let other = || protocol.messages.iter().any(|m| m.name == *name && m.passes(Direction::Out, conjugated) && may_be_empty(m));
        if (sent && may_be_empty(message)) || (message.passes(Direction::In, conjugated) && !other()) {
            writer.line(&format!("        xm::Signal {name}() const {{ return xm::Signal(xm_end, &xm_messages[{at}], nullptr); }}"));
        }
    }
    writer.line("    };");
}

/// The structure that holds the parameters of a message.
fn data(at: usize, message: &Message) -> String {
    format!("xm_{at}_{}", message.name)
}

/// All messages but those that have the name of an earlier one.
fn named_once(protocol: &Protocol) -> impl Iterator<Item = (usize, &Message)> {
    let messages = &protocol.messages;
    messages.iter().enumerate().filter(|(at, message)| messages[..*at].iter().all(|other| other.name != message.name))
}

fn argument(at: usize, param: &Param) -> String {
    param.name.clone().unwrap_or_else(|| format!("a{at}"))
}

fn may_be_empty(message: &Message) -> bool {
    message.params.is_empty() || (message.params.len() == 1 && message.params[0].ty.replace(' ', "") == "void*")
}

/// The definitions of a protocol.
pub fn definitions(writer: &mut Writer, protocol: &Protocol) {
    let name = &protocol.name;
    for (at, message) in protocol.messages.iter().enumerate().filter(|(_, message)| !message.params.is_empty()) {
        message_functions(writer, &format!("{name}::{}", data(at, message)), message);
    }
    writer.line(&format!("const xm::MessageType {name}::xm_messages[{}] = {{", protocol.messages.len().max(1)));
    for (at, message) in protocol.messages.iter().enumerate() {
        let Message { name: event, params, received, sent, .. } = message;
        let data = format!("{name}::{}", data(at, message));
        let functions = match params.len() {
            0 => "nullptr, nullptr, nullptr, nullptr, nullptr".to_owned(),
            _ => {
                format!("xm::copy_data<{data}>, xm::destroy_data<{data}>, {data}::param, XM_WRITER({data}::write), XM_READER({data}::read)")
            }
        };
        writer.line(&format!("    {{\"{event}\", xm::FIRST_SIGNAL + {at}, {}, {received}, {sent}, {functions}}},", params.len()));
    }
    if protocol.messages.is_empty() {
        writer.line("    {},");
    }
    writer.line("};");
}

fn message_functions(writer: &mut Writer, data: &str, message: &Message) {
    let all = message.params.iter().enumerate();
    let cases = all.clone().fold(String::new(), |mut cases, (at, _)| {
        let _ = write!(cases, "case {at}: return &static_cast<{data} *>(data)->p{at}; ");
        cases
    });
    writer.line(&format!("void *{data}::param(void *data, int at) {{ switch (at) {{ {cases}default: return nullptr; }} }}"));
    // With names it is an object, without an array.
    let named = message.params.iter().all(|param| param.name.is_some());
    let (open, close) = if named { ("{", "}") } else { ("[", "]") };
    writer.line("#if XM_TRACE");
    writer.line(&format!("void {data}::write(FILE *to, const void *data) {{"));
    for (at, param) in all.clone() {
        let comma = if at == 0 { open } else { "," };
        let key = if named { format!("\\\"{}\\\":", param.name.as_deref().unwrap_or_default()) } else { String::new() };
        writer.line(&format!("    fputs(\"{comma}{key}\", to);"));
        writer.line(&format!("    xm::Value<T{at}>::write(to, static_cast<const {data} *>(data)->p{at});"));
    }
    writer.line(&format!("    fputs(\"{close}\", to);"));
    writer.line("}");
    writer.line("#endif");
    writer.line("#ifndef XM_SEARCH");
    writer.line(&format!("void *{data}::read(const xm::Json *from, const char *what) {{"));
    writer.line(&format!("    if constexpr (!__is_constructible({data})) {{"));
    writer.line("        xm::refuse(\"%s has a parameter without a default constructor\", what);");
    writer.line("    } else {");
    writer.line(&format!("        {data} *data = new {data}();"));
    let names = message.params.iter().map(|param| param.name.as_ref().map_or("nullptr".to_owned(), |name| format!("\"{name}\"")));
    writer.line(&format!("        static const char *const names[] = {{{}}};", names.collect::<Vec<_>>().join(", ")));
    writer.line(&format!("        xm::check_names(from, names, {}, what);", message.params.len()));
    for (at, param) in all {
        let key = param.name.as_ref().map_or_else(|| "nullptr".to_owned(), |name| format!("\"{name}\""));
        writer.line(&format!("        if (const xm::Json *given = xm::argument(from, {at}, {key}))"));
        writer.line(&format!("            xm::Value<T{at}>::read(given, data->p{at}, what);"));
    }
    writer.line("        return data;");
    writer.line("    }");
    writer.line("}");
    writer.line("#endif");
}
