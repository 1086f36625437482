//! Capsules in C++: a class with its ports, parts, declarations and action code, and the tables that describe it.

use std::fmt::Write;

use super::bodies::Bodies;
use super::tables;
use super::writer::Writer;
use super::{Context, constructors};
use crate::flat::{Capsule, Port};
use crate::ir::{Bound, Dialect, Multiplicity, PartKind, Registration, SnippetKind, Wiring};

/// The header of a capsule.
pub fn header(context: &Context<'_>, at: usize, bodies: &Bodies) -> (String, String) {
    let (capsule, declared) = (&context.flat.capsules[at], &context.flat.model.capsules[at]);
    let class = context.class_name(at);
    let base = capsule.base.map_or_else(|| "xm::Capsule".to_owned(), |base| context.class_name(base));
    let mut writer = Writer::new(&context.header_name(&capsule.name));
    writer.line("#pragma once");
    writer.line(&context.prelude());
    context.snippets(&mut writer, &declared.snippets, SnippetKind::HeaderPreface);
    if let Some(base) = capsule.base {
        writer.line(&format!("#include \"{}\"", context.header_name(&context.flat.capsules[base].name)));
    }
    let mut protocols: Vec<_> = own_ports(capsule, at).map(|(_, port)| port.protocol).collect();
    protocols.sort_unstable();
    protocols.dedup();
    for protocol in protocols.into_iter().map(|protocol| &context.flat.protocols[protocol]).filter(|protocol| !protocol.predefined) {
        writer.line(&format!("#include \"{}\"", context.protocol_header(&protocol.name)));
    }
    let bases: String = declared.cpp_bases.iter().map(|base| format!(", public {base}")).collect();
    writer.line(&format!("class {class} : public {base}{bases} {{"));
    for derived in (0..context.flat.capsules.len()).filter(|other| *other != at && context.flat.inherits(*other, at)) {
        writer.line(&format!("    friend class {};", context.class_name(derived)));
    }
    writer.line("public:");
    writer.line(&format!("    using SUPER = {base};"));
    if !constructors::has(&declared.snippets, &class) {
        writer.line(&format!("    {class}(xm::Controller *rtg_rts, xm::Part *rtg_ref) : {base}(rtg_rts, rtg_ref) {{}}"));
    }
    for (_, port) in own_ports(capsule, at) {
        writer.line(&format!("    {} {};", context.port_class(port.protocol, port.conjugated), port.name));
    }
    for part in capsule.parts.iter().filter(|part| part.declared_in == at && !part.excluded) {
        let view = if context.flat.model.dialect == Dialect::Papyrus { "xm::Part *" } else { "xm::PartView " };
        writer.line(&format!("    {view}{};", part.name));
    }
    writer.line("    void xm_attach() override;");
    writer.line("    const xm::CapsuleClass *xm_own_class() const override;");
    sizes(&mut writer, capsule, at);
    bodies.declarations(&mut writer, at);
    writer.line(if context.flat.model.dialect == Dialect::Papyrus { "protected:" } else { "private:" });
    context.snippets(&mut writer, &declared.snippets, SnippetKind::Decl);
    writer.line("};");
    writer.line(&format!("extern const xm::CapsuleClass {};", context.class_object(at)));
    context.snippets(&mut writer, &declared.snippets, SnippetKind::HeaderEnding);
    writer.finish()
}

fn own_ports(capsule: &Capsule, at: usize) -> impl Iterator<Item = (usize, &Port)> {
    capsule.ports.iter().enumerate().filter(move |(_, port)| port.declared_in == at && !port.excluded)
}

/// Functions for multiplicities that are expressions: they may name what the capsule declares.
fn sizes(writer: &mut Writer, capsule: &Capsule, at: usize) {
    let ports = capsule.ports.iter().enumerate().map(|(i, port)| ("port", i, &port.multiplicity, port.declared_in));
    let parts = capsule.parts.iter().enumerate().map(|(i, part)| ("part", i, &part.multiplicity, part.declared_in));
    for (what, i, multiplicity, declared_in) in ports.chain(parts) {
        if declared_in == at && matches!(multiplicity.upper, Bound::Expression(_)) {
            writer.line(&format!("    static int xm_{what}_size_{i}();"));
        }
    }
}

/// The definitions of a capsule: what the modeller wrote, action code, tables.
pub fn definitions(writer: &mut Writer, context: &Context<'_>, at: usize, all: &Bodies) {
    let (capsule, declared) = (&context.flat.capsules[at], &context.flat.model.capsules[at]);
    let class = context.class_name(at);
    context.snippets(writer, &declared.snippets, SnippetKind::ImplPreface);
    context.snippets(writer, &declared.snippets, SnippetKind::Impl);
    all.definitions(writer, context, at);
    size_definitions(writer, capsule, at, &class);
    let base = capsule.base.map_or_else(|| "xm::Capsule".to_owned(), |base| context.class_name(base));
    writer.line(&format!("void {class}::xm_attach() {{"));
    writer.line(&format!("    {base}::xm_attach();"));
    for (i, port) in own_ports(capsule, at) {
        writer.line(&format!("    {}.xm_attach(&xm_ends[{i}]);", port.name));
    }
    for (i, part) in capsule.parts.iter().enumerate().filter(|(_, part)| part.declared_in == at && !part.excluded) {
        match context.flat.model.dialect {
            Dialect::Papyrus => writer.line(&format!("    {} = &xm_parts[{i}];", part.name)),
            Dialect::Art => writer.line(&format!("    {}.xm_attach(&xm_parts[{i}]);", part.name)),
        }
    }
    writer.line("}");
    writer.line(&format!("const xm::CapsuleClass *{class}::xm_own_class() const {{ return &::{}; }}", context.class_object(at)));
    factories(writer, capsule, &class);
    let machine = match &capsule.machine {
        Some(machine) if !declared.is_abstract => {
            tables::machine(writer, all, at, &class, machine);
            format!("&xm_{class}_machine")
        }
        _ => "nullptr".to_owned(),
    };
    info(writer, context, at, &machine);
    context.snippets(writer, &declared.snippets, SnippetKind::ImplEnding);
}

fn size_definitions(writer: &mut Writer, capsule: &Capsule, at: usize, class: &str) {
    let ports = capsule.ports.iter().enumerate().map(|(i, port)| ("port", i, &port.multiplicity, port.declared_in));
    let parts = capsule.parts.iter().enumerate().map(|(i, part)| ("part", i, &part.multiplicity, part.declared_in));
    for (what, i, multiplicity, declared_in) in ports.chain(parts) {
        if let (true, Bound::Expression(text)) = (declared_in == at, &multiplicity.upper) {
            writer.line(&format!("int {class}::xm_{what}_size_{i}() {{ return static_cast<int>({text}); }}"));
        }
    }
}

/// How the capsules of a part are made and destroyed, where the model says so.
fn factories(writer: &mut Writer, capsule: &Capsule, class: &str) {
    for (i, part) in capsule.parts.iter().enumerate() {
        if let Some(create) = &part.create {
            let head = format!(
                "static xm::Capsule *xm_{class}_create_{i}(void *rtg_controller, xm::Part *rtg_ref, int index) {{\n    xm::Controller *rtg_rts = static_cast<xm::Controller *>(rtg_controller);\n    (void)rtg_rts, (void)rtg_ref, (void)index;"
            );
            writer.code_with(create, &head, "}");
        }
        if let Some(destroy) = &part.destroy {
            writer.code_with(destroy, &format!("static void xm_{class}_destroy_{i}(xm::Capsule *actor) {{\n    (void)actor;"), "}");
        }
    }
}

fn size(context: &Context<'_>, what: &str, i: usize, multiplicity: &Multiplicity, declared_in: usize) -> String {
    match &multiplicity.upper {
        Bound::Number(number) => format!("xm::constant<{number}>"),
        Bound::Expression(_) => format!("{}::xm_{what}_size_{i}", context.class_name(declared_in)),
    }
}

/// What the run-time system must know of the structure.
fn info(writer: &mut Writer, context: &Context<'_>, at: usize, machine: &str) {
    let capsule = &context.flat.capsules[at];
    let class = context.class_name(at);
    let array = |writer: &mut Writer, ty: &str, name: &str, elements: &[String]| {
        if elements.is_empty() {
            return "nullptr".to_owned();
        }
        writer.line(&format!("static const xm::{ty} xm_{class}_{name}[] = {{"));
        for element in elements {
            writer.line(&format!("    {element},"));
        }
        writer.line("};");
        format!("xm_{class}_{name}")
    };
    let ports: Vec<_> = capsule.ports.iter().enumerate().map(|(i, port)| port_info(context, i, port)).collect();
    let ports_name = array(writer, "PortInfo", "ports", &ports);
    let parts = capsule.parts.iter().enumerate().map(|(i, part)| {
        let kind = match part.kind {
            PartKind::Fixed => "FIXED",
            PartKind::Optional => "OPTIONAL",
            PartKind::Plugin => "PLUGIN",
        };
        let factory = |there: bool, what: &str| if there { format!("xm_{class}_{what}_{i}") } else { "nullptr".to_owned() };
        let (create, destroy) = (factory(part.create.is_some(), "create"), factory(part.destroy.is_some(), "destroy"));
        let (held, size) = (context.class_object(part.capsule), size(context, "part", i, &part.multiplicity, part.declared_in));
        format!("{{\"{}\", &::{held}, xm::PartKind::{kind}, {}, {size}, {create}, {destroy}}}", part.name, part.excluded)
    });
    let parts: Vec<_> = parts.collect();
    let parts_name = array(writer, "PartInfo", "parts", &parts);
    let number = |part: Option<usize>| part.map_or(-1, |part| i64::try_from(part).unwrap_or(-1));
    let connectors = capsule.connectors.iter().map(|connector| {
        let [a, b] = connector.ends;
        format!("{{{{{}, {}}}, {{{}, {}}}}}", number(a.part), number(b.part), a.port, b.port)
    });
    let connectors: Vec<_> = connectors.collect();
    let connectors_name = array(writer, "ConnectorInfo", "connectors", &connectors);
    let base = capsule.base.map_or_else(|| "nullptr".to_owned(), |base| format!("&::{}", context.class_object(base)));
    let mut line =
        format!("const xm::CapsuleClass {} = {{\"{}\", {base}, xm::make_capsule<{class}>, ", context.class_object(at), capsule.name);
    let _ = write!(line, "{ports_name}, {}, {parts_name}, {}, ", ports.len(), parts.len());
    let _ = write!(line, "{connectors_name}, {}, {machine}}};", connectors.len());
    writer.line(&line);
}

fn port_info(context: &Context<'_>, i: usize, port: &Port) -> String {
    let protocol = &context.flat.protocols[port.protocol];
    let messages = if protocol.predefined { "nullptr".to_owned() } else { format!("{}::xm_messages", protocol.name) };
    let wiring = match port.wiring {
        Wiring::Wired => "WIRED",
        Wiring::Unwired => "UNWIRED",
        Wiring::Publish => "PUBLISH",
        Wiring::Subscribe => "SUBSCRIBE",
    };
    let registration = match port.registration {
        Registration::Automatic => "AUTOMATIC",
        Registration::AutomaticLocked => "LOCKED",
        Registration::Application => "APPLICATION",
    };
    let count = if protocol.predefined { 0 } else { protocol.messages.len() };
    let flags = [port.conjugated, protocol.predefined, port.behavior, port.notify, port.excluded].map(|flag| flag.to_string()).join(", ");
    let size = size(context, "port", i, &port.multiplicity, port.declared_in);
    format!(
        "{{\"{}\", \"{}\", {messages}, {count}, {flags}, xm::Wiring::{wiring}, xm::Registration::{registration}, \"{}\", {size}}}",
        port.name, protocol.name, port.service_name
    )
}
