//! Models as Art text, as they are, before inheritance is resolved.
//!
//! **Invariant.** Reading what was printed gives the same model. The one exception is C++ that ends in a backslash, which Art cannot
//! express: a space is added.

use std::fmt::Write;

use crate::ir::{
    Bound, Capsule, Class, Code, ConnectorEnd, Dialect, Direction, End, Event, Mode, Model, Multiplicity, Param, Part, PartKind, Port,
    Protocol, PseudoKind, Region, Registration, Snippet, State, Transition, Trigger, Wiring,
};

/// The whole model as one text.
#[must_use]
pub fn print(model: &Model) -> String {
    let mut printer = Printer { out: String::new(), depth: 0 };
    if model.dialect != Dialect::Art {
        printer.line(&format!("// xcute:dialect {}", model.dialect.name()));
    }
    if let Some(top) = &model.top {
        printer.line(&format!("// xcute:top {top}"));
    }
    for file in &model.files {
        printer.line(&format!("// xcute:file {}", file.name));
        printer.snippets(&file.snippets);
    }
    for protocol in &model.protocols {
        printer.protocol(protocol);
    }
    for class in &model.classes {
        printer.class(class);
    }
    for capsule in &model.capsules {
        printer.capsule(capsule);
    }
    printer.out
}

struct Printer {
    out: String,
    depth: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", 4 * self.depth);
    }

    fn block(&mut self, head: &str, end: &str, inside: impl FnOnce(&mut Printer)) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line(&format!("}}{end}"));
    }

    fn snippets(&mut self, snippets: &[Snippet]) {
        for snippet in snippets {
            self.line(&format!("[[rt::{}]]", snippet.kind.name()));
            self.line(&code(&snippet.code));
        }
    }

    fn protocol(&mut self, protocol: &Protocol) {
        let base = protocol.base.as_ref().map_or(String::new(), |base| format!(" : {base}"));
        self.block(&format!("protocol {}{base}", protocol.name), ";", |printer| {
            printer.snippets(&protocol.snippets);
            for message in &protocol.messages {
                let direction = if message.direction == Direction::In { "in" } else { "out" };
                printer.line(&format!("{direction} {}{}{};", mode(message.mode), message.name, params(&message.params)));
            }
        });
    }

    fn class(&mut self, class: &Class) {
        let kind = if class.is_struct { " [[rt::properties(kind=struct)]]" } else { "" };
        let bases = list(" : ", class.bases.iter().map(|base| quoted(base)));
        self.block(&format!("{}class {}{kind}{bases}", abstracted(class.is_abstract), class.name), ";", |printer| {
            printer.snippets(&class.snippets);
            for operation in &class.operations {
                printer.line(&format!("trigger {}{};", operation.name, params(&operation.params)));
            }
            if let Some(machine) = &class.machine {
                printer.block("statemachine", ";", |printer| printer.region(machine));
            }
        });
    }

    fn capsule(&mut self, capsule: &Capsule) {
        let bases = list(" : ", capsule.base.iter().cloned().chain(capsule.cpp_bases.iter().map(|base| quoted(base))));
        self.block(&format!("{}capsule {}{bases}", abstracted(capsule.is_abstract), capsule.name), ";", |printer| {
            printer.snippets(&capsule.snippets);
            for port in &capsule.ports {
                printer.port(port);
            }
            for part in &capsule.parts {
                printer.part(part);
            }
            for connector in &capsule.connectors {
                let [first, second] = connector.ends.each_ref().map(connector_end);
                printer.line(&format!("connect {}{first} with {second};", mode(connector.mode)));
            }
            if let Some(machine) = &capsule.machine {
                printer.block("statemachine", ";", |printer| printer.region(machine));
            }
        });
    }

    fn port(&mut self, port: &Port) {
        let mut words = Vec::new();
        match port.wiring {
            Wiring::Wired => {}
            Wiring::Unwired => words.push("unwired"),
            Wiring::Publish => words.push("publish"),
            Wiring::Subscribe => words.push("subscribe"),
        }
        for (word, there) in [("service", port.service), ("behavior", port.behavior), ("notify", port.notify)] {
            if there {
                words.push(word);
            }
        }
        words.push("port");
        let mut properties = Vec::new();
        match port.registration {
            Registration::Automatic => {}
            Registration::AutomaticLocked => properties.push("registration=automatic_locked".to_owned()),
            Registration::Application => properties.push("registration=application".to_owned()),
        }
        if let Some(name) = &port.service_name {
            properties.push(format!("registration_name=\"{name}\""));
        }
        let properties = if properties.is_empty() { String::new() } else { format!(" [[rt::properties({})]]", properties.join(", ")) };
        let conjugated = if port.conjugated { "~" } else { "" };
        let ty = match port.mode {
            Mode::Exclude => String::new(),
            _ => format!(" : {}{}", port.protocol, multiplicity(&port.multiplicity)),
        };
        self.line(&format!("{} {}{}{conjugated}{properties}{ty};", words.join(" "), mode(port.mode), port.name));
    }

    fn part(&mut self, part: &Part) {
        let kind = match part.kind {
            PartKind::Fixed => "fixed part",
            PartKind::Optional => "optional part",
            PartKind::Plugin => "plugin part",
        };
        let mut line = format!("{kind} {}{}", mode(part.mode), part.name);
        if part.mode != Mode::Exclude {
            let _ = write!(line, " : {}{}", part.capsule, multiplicity(&part.multiplicity));
        }
        for (name, snippet) in [("create", &part.create), ("destroy", &part.destroy)] {
            if let Some(snippet) = snippet {
                let _ = write!(line, " [[rt::{name}]] {}", code(snippet));
            }
        }
        self.line(&format!("{line};"));
    }

    fn region(&mut self, region: &Region) {
        for state in &region.states {
            self.state(state);
        }
        for pseudo in &region.pseudos {
            let kind = if pseudo.kind == PseudoKind::Choice { "choice" } else { "junction" };
            self.line(&format!("{kind} {};", pseudo.name));
        }
        for transition in &region.transitions {
            self.transition(transition);
        }
    }

    fn state(&mut self, state: &State) {
        let head = format!("state {}{}", mode(state.mode), state.name);
        let (none, no_points) = (state.entry.is_none() && state.exit.is_none(), state.points.is_empty());
        if none && no_points && state.internal.is_empty() && state.region.is_empty() {
            return self.line(&format!("{head};"));
        }
        self.block(&head, ";", |printer| {
            for point in &state.points {
                printer.line(&format!("{} {};", if point.entry { "entrypoint" } else { "exitpoint" }, point.name));
            }
            for (name, action) in [("entry", &state.entry), ("exit", &state.exit)] {
                if let Some(action) = action {
                    printer.line(&format!("{name} {};", code(action)));
                }
            }
            for transition in &state.internal {
                printer.transition(transition);
            }
            printer.region(&state.region);
        });
    }

    fn transition(&mut self, transition: &Transition) {
        let mut line = mode(transition.mode).to_owned();
        if transition.mode == Mode::Exclude {
            line.push_str(transition.name.as_deref().unwrap_or_default());
            return self.line(&format!("{line};"));
        }
        if let Some(name) = &transition.name {
            let _ = write!(line, "{name}: ");
        }
        if transition.mutable_data {
            line.push_str("[[rt::properties(const_rtdata=false)]] ");
        }
        if let (Some(source), Some(target)) = (&transition.source, &transition.target) {
            let _ = write!(line, "{} -> {}", end(source), end(target));
        }
        if !transition.triggers.is_empty() {
            let space = if transition.source.is_some() { " " } else { "" };
            let _ = write!(line, "{}", list(&format!("{space}on "), transition.triggers.iter().map(trigger)));
        }
        if let Some(guard) = &transition.guard {
            let _ = write!(line, " when {}", code(guard));
        }
        if let Some(effect) = &transition.effect {
            let _ = write!(line, " {}", code(effect));
        }
        self.line(&format!("{line};"));
    }
}

fn abstracted(is_abstract: bool) -> &'static str {
    if is_abstract { "abstract " } else { "" }
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::New => "",
        Mode::Redefine => "redefine ",
        Mode::Exclude => "exclude ",
    }
}

fn list(before: &str, elements: impl Iterator<Item = String>) -> String {
    let elements: Vec<_> = elements.collect();
    if elements.is_empty() { String::new() } else { format!("{before}{}", elements.join(", ")) }
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('`', "\\`");
    if escaped.ends_with('\\') { format!("`{escaped} `") } else { format!("`{escaped}`") }
}

fn code(code: &Code) -> String {
    quoted(&code.text)
}

fn params(params: &[Param]) -> String {
    let one = |param: &Param| match &param.name {
        Some(name) => format!("{} {name}", quoted(&param.ty)),
        None => quoted(&param.ty),
    };
    format!("({})", params.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn bound(bound: &Bound) -> String {
    match bound {
        Bound::Number(number) => number.to_string(),
        Bound::Expression(text) => quoted(text),
    }
}

fn multiplicity(multiplicity: &Multiplicity) -> String {
    match (&multiplicity.lower, &multiplicity.upper) {
        (None, Bound::Number(1)) => String::new(),
        (None, upper) => format!("[{}]", bound(upper)),
        (Some(lower), upper) => format!("[{}..{}]", bound(lower), bound(upper)),
    }
}

fn connector_end(end: &ConnectorEnd) -> String {
    match &end.part {
        Some(part) => format!("{part}.{}", end.port),
        None => end.port.clone(),
    }
}

fn end(end: &End) -> String {
    match end {
        End::Initial => "initial".to_owned(),
        End::History { deep: true } => "history*".to_owned(),
        End::History { deep: false } => "history".to_owned(),
        End::Vertex(name) => name.clone(),
        End::Point { state, point } => format!("{state}.{point}"),
    }
}

fn trigger(trigger: &Trigger) -> String {
    let event = match &trigger.event {
        Event::Message { port, message } => format!("{port}.{message}"),
        Event::Any { port } => format!("{port}.*"),
        Event::Call { operation, params: types } => format!("{operation}{}", params(types)),
    };
    match &trigger.guard {
        Some(guard) => format!("{event}[{}]", code(guard)),
        None => event,
    }
}
