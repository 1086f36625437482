//! Lowers a model to C++: one translation unit, with a header for each protocol, capsule and class as models expect them.
//!
//! The generated code holds what the modeller wrote, in functions with the names in scope that the format promises, and tables. All that
//! acts is in `runtimes/model`, which is written next to it.

mod bodies;
mod capsule;
mod class;
mod constructors;
mod counters;
mod inputs;
mod offers;
mod options;
mod protocol;
mod runtime;
mod search;
mod signature;
mod tables;
mod value;
mod watch;
mod writer;

use crate::cpp::{Types, lex};
use crate::flat::Flat;
use crate::ir::{Code, Dialect, Snippet, SnippetKind};
use crate::table::Table;
use bodies::{Bodies, Scoped};
use writer::Writer;

pub use bodies::BodyInfo;
pub use counters::{explored, guarded, triggers};
pub use offers::CHOICES;
pub use options::{GUARDS, STATES, SearchOptions, TRANSITIONS, TRIGGERS};
pub use runtime::RUNTIME;
pub use search::{ENTRY, SEARCH, Search, search};
pub use watch::{VIOLATED, observed};
pub use writer::{GENERATED, real};

/// The name of the translation unit.
pub const MAIN: &str = "model.cpp";

/// A model in C++.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// All files but those of the run-time system, by name. [`MAIN`] is the one to compile.
    pub files: Vec<(String, String)>,
    /// All action code.
    pub bodies: Vec<BodyInfo>,
    /// The types that messages carry.
    pub types: Types,
}

/// What is needed everywhere.
pub struct Context<'a> {
    flat: &'a Flat,
    prelude: String,
}

/// Lowers a model. Headers next to it are read for the types they declare.
#[must_use]
pub fn lower(flat: &Flat) -> Lowered {
    let types = types(flat);
    let context = Context { flat, prelude: prelude(flat) };
    let capsules = capsule_bodies(&context);
    let classes = class_bodies(&context);
    let model = &flat.model;
    let mut files = Vec::new();
    for file in &model.files {
        let mut writer = Writer::new(&format!("{}.art.h", file.name));
        writer.line("#pragma once");
        writer.line(&context.prelude());
        context.snippets(&mut writer, &file.snippets, SnippetKind::Decl);
        descriptors(&mut writer, &file.snippets);
        files.push(writer.finish());
    }
    files.extend((0..model.protocols.len()).map(|at| protocol::header(&context, at)));
    files.extend((0..model.classes.len()).map(|at| class::header(&context, at, &classes)));
    files.extend((0..model.capsules.len()).map(|at| capsule::header(&context, at, &capsules)));

    let mut main = Writer::new(MAIN);
    // In UML the types of a package are visible everywhere; otherwise one includes what one uses.
    let papyrus = model.dialect == Dialect::Papyrus;
    let (first, last): (Vec<_>, Vec<_>) = model.files.iter().partition(|file| papyrus && file.name == TYPES);
    let headers = first.iter().map(|file| format!("{}.art.h", file.name));
    if papyrus {
        files.extend(forwarding(&context, &types));
    }
    let named = model.classes.iter().map(|c| &c.name).chain(model.capsules.iter().map(|c| &c.name));
    let headers = headers.chain(model.protocols.iter().map(|protocol| context.protocol_header(&protocol.name)));
    let headers = headers
        .chain(named.map(|name| context.header_name(name)))
        .chain(last.iter().filter(|_| !papyrus).map(|file| format!("{}.art.h", file.name)));
    main.line(&context.prelude());
    for header in headers {
        main.line(&format!("#include \"{header}\""));
    }
    let carried = flat.protocols.iter().flat_map(|protocol| &protocol.messages).flat_map(|message| &message.params);
    value::values(&mut main, &types, carried.map(|param| param.ty.as_str()));
    for protocol in flat.protocols.iter().filter(|protocol| !protocol.predefined) {
        protocol::definitions(&mut main, protocol);
    }
    for file in &model.files {
        context.snippets(&mut main, &file.snippets, SnippetKind::Impl);
    }
    for at in 0..model.classes.len() {
        class::definitions(&mut main, &context, at, &classes);
    }
    for at in 0..model.capsules.len() {
        capsule::definitions(&mut main, &context, at, &capsules);
    }
    let objects: Vec<_> = (0..model.capsules.len()).map(|at| format!("&::{}", context.class_object(at))).collect();
    main.line(&format!(
        "static const xm::CapsuleClass *const xm_classes[] = {{{}nullptr}};",
        objects.iter().map(|o| format!("{o}, ")).collect::<String>()
    ));
    main.line("#ifndef XM_NO_MAIN");
    main.line("#include \"xm/driver.h\"");
    main.line("int main(int argc, char **argv) { return xm::drive(argc, argv, xm_classes); }");
    main.line("#endif");
    files.push(main.finish());
    let bodies = capsules.infos().chain(classes.infos()).collect();
    Lowered { files, bodies, types }
}

fn capsule_bodies(context: &Context<'_>) -> Bodies {
    let flat = context.flat;
    let scoped = flat.capsules.iter().map(|capsule| {
        let machine = capsule.machine.as_ref()?;
        Some(Scoped { machine, scopes: signature::signatures(flat, &capsule.ports, &[], machine, &Table::new(machine)) })
    });
    let all: Vec<_> = scoped.collect();
    let mut bodies = Bodies::new((0..flat.capsules.len()).map(|at| context.class_name(at)).collect());
    for at in (0..flat.capsules.len()).filter(|at| !flat.model.capsules[*at].is_abstract) {
        bodies.add(at, &all);
    }
    bodies
}

fn class_bodies(context: &Context<'_>) -> Bodies {
    let flat = context.flat;
    let scoped = flat.classes.iter().zip(&flat.model.classes).map(|(class, declared)| {
        let machine = class.machine.as_ref()?;
        Some(Scoped { machine, scopes: signature::signatures(flat, &[], &declared.operations, machine, &Table::new(machine)) })
    });
    let all: Vec<_> = scoped.collect();
    let mut bodies = Bodies::new(flat.classes.iter().map(|class| class.name.clone()).collect());
    for at in 0..flat.classes.len() {
        bodies.add(at, &all);
    }
    bodies
}

impl Context<'_> {
    /// The class of a capsule.
    pub fn class_name(&self, capsule: usize) -> String {
        let name = &self.flat.capsules[capsule].name;
        if self.flat.model.dialect == Dialect::Papyrus { format!("Capsule_{name}") } else { name.clone() }
    }

    /// The object that describes a class of capsules.
    pub fn class_object(&self, capsule: usize) -> String {
        let name = &self.flat.capsules[capsule].name;
        if self.flat.model.dialect == Dialect::Papyrus { name.clone() } else { format!("RTType_{name}") }
    }

    /// The class of ports of a protocol.
    pub fn port_class(&self, protocol: usize, conjugated: bool) -> String {
        let protocol = &self.flat.protocols[protocol];
        let conjugated = conjugated && !protocol.predefined;
        format!("{}::{}", protocol.name, if conjugated { "Conjugate" } else { "Base" })
    }

    /// The header of a protocol.
    pub fn protocol_header(&self, protocol: &str) -> String {
        match self.flat.capsules.iter().any(|capsule| capsule.name == protocol) {
            true => self.header_name(&format!("{protocol}.protocol")),
            false => self.header_name(protocol),
        }
    }

    /// The header of a capsule or class.
    pub fn header_name(&self, element: &str) -> String {
        format!("{element}.{}", if self.flat.model.dialect == Dialect::Papyrus { "hh" } else { "h" })
    }

    /// Whether a message has a parameter of this name.
    pub fn is_param(&self, name: &str) -> bool {
        let mut params = self.flat.protocols.iter().flat_map(|protocol| &protocol.messages).flat_map(|message| &message.params);
        params.any(|param| param.name.as_deref() == Some(name))
    }

    /// What every file begins with.
    pub fn prelude(&self) -> String {
        self.prelude.clone()
    }

    /// All snippets of a kind.
    pub fn snippets(&self, writer: &mut Writer, snippets: &[Snippet], kind: SnippetKind) {
        for snippet in snippets.iter().filter(|snippet| snippet.kind == kind) {
            writer.code(&snippet.code);
        }
    }
}

/// The file of the types of a UML model.
pub(crate) const TYPES: &str = "types";

/// Headers of single types and artifacts, by which code from Papyrus-RT includes them.
fn forwarding(context: &Context<'_>, types: &Types) -> Vec<(String, String)> {
    let own = |name: &&str| context.flat.model.files.iter().any(|file| file.name == TYPES) && !name.contains("::");
    let by_type = types.all().filter(own).map(|name| (context.header_name(name), format!("#pragma once\n#include \"{TYPES}.art.h\"\n")));
    let files = context.flat.model.files.iter().filter(|file| file.name != TYPES);
    let by_file = files.map(|file| (context.header_name(&file.name), format!("#pragma once\n#include \"{}.art.h\"\n", file.name)));
    by_type.chain(by_file).collect()
}

/// Headers that cost time to compile are included only if some text of the model names what they declare.
fn prelude(flat: &Flat) -> String {
    let (mut text, mut streams) = (false, false);
    for code in all_code(flat) {
        for token in lex(&code.text) {
            match token.word() {
                Some("string" | "to_string") => text = true,
                Some("cout" | "cerr" | "clog" | "endl" | "ostream" | "stringstream" | "ostringstream") => streams = true,
                Some("Log") => streams |= code.text.contains("Log::"),
                _ => {}
            }
        }
    }
    let params = flat.protocols.iter().flat_map(|protocol| &protocol.messages).flat_map(|message| &message.params);
    text |= params.into_iter().any(|param| param.ty.contains("string"));
    let mut prelude = String::new();
    if streams {
        prelude.push_str("#define XM_STREAMS\n#include <iostream>\n#include <sstream>\n");
    }
    if text {
        prelude.push_str("#include \"xm/text.h\"\n");
    }
    prelude.push_str(if flat.model.dialect == Dialect::Papyrus { "#include \"xm/papyrus.h\"" } else { "#include \"xm/art.h\"" });
    prelude.replace("#define XM_STREAMS", "#ifndef XM_STREAMS\n#define XM_STREAMS\n#endif")
}

/// Whether some text of the model asks what time it is.
fn reads_clock(flat: &Flat) -> bool {
    let asks = |word: Option<&str>| matches!(word, Some("getclock" | "getClock" | "currentTime" | "now"));
    all_code(flat).any(|code| lex(&code.text).iter().any(|token| asks(token.word())))
}

/// Whether some text of the model names what is called for messages that no transition waits for, or for all.
fn handles_unexpected(flat: &Flat) -> bool {
    let names = |word: Option<&str>| matches!(word, Some("unexpectedMessage" | "unhandledMessage" | "logMsg"));
    // What a class in a header does is not known.
    flat.model.capsules.iter().any(|capsule| !capsule.cpp_bases.is_empty())
        || all_code(flat).any(|code| lex(&code.text).iter().any(|token| names(token.word())))
}

/// All C++ that the modeller wrote.
fn all_code(flat: &Flat) -> impl Iterator<Item = &Code> {
    let model = &flat.model;
    let snippets = model.files.iter().flat_map(|file| &file.snippets).chain(model.protocols.iter().flat_map(|protocol| &protocol.snippets));
    let snippets = snippets
        .chain(model.capsules.iter().flat_map(|capsule| &capsule.snippets))
        .chain(model.classes.iter().flat_map(|class| &class.snippets));
    let capsules = flat.capsules.iter().filter_map(|capsule| capsule.machine.as_ref());
    let machines = capsules.chain(flat.classes.iter().filter_map(|class| class.machine.as_ref()));
    snippets.map(|snippet| &snippet.code).chain(machines.flat_map(|machine| &machine.bodies).map(|body| &body.code))
}

/// Descriptors of types that ask for one.
fn descriptors(writer: &mut Writer, snippets: &[Snippet]) {
    for snippet in snippets.iter().filter(|snippet| snippet.kind == SnippetKind::Decl && snippet.code.text.contains("rt::auto_descriptor"))
    {
        let tokens = lex(&snippet.code.text);
        for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.is("auto_descriptor")) {
            // `[[rt::auto_descriptor]] NAME` or, in a typedef, the same.
            if let Some(name) = tokens.get(at + 3).and_then(|token| token.word()) {
                writer.line(&format!("inline constexpr RTObject_class RTType_{name} = xm::object_class<{name}>(\"{name}\");"));
            }
        }
    }
}

/// The types that the model and the headers next to it declare.
fn types(flat: &Flat) -> Types {
    let mut types = Types::default();
    let model = &flat.model;
    let mut seen = std::collections::HashSet::new();
    let files = model.files.iter().flat_map(|file| &file.snippets).filter(|snippet| snippet.kind == SnippetKind::Decl);
    let prefaces = model.protocols.iter().flat_map(|p| &p.snippets).chain(model.capsules.iter().flat_map(|c| &c.snippets));
    let prefaces =
        prefaces.chain(model.classes.iter().flat_map(|c| &c.snippets)).filter(|snippet| snippet.kind == SnippetKind::HeaderPreface);
    for snippet in files.chain(prefaces) {
        let directory = std::path::Path::new(&*snippet.code.place.file).parent().unwrap_or_else(|| std::path::Path::new(""));
        add_with_headers(&mut types, &mut seen, &snippet.code.text, directory);
    }
    types
}

fn add_with_headers(types: &mut Types, seen: &mut std::collections::HashSet<std::path::PathBuf>, text: &str, directory: &std::path::Path) {
    for name in text.lines().filter_map(writer::included) {
        let path = directory.join(name);
        if seen.insert(path.clone())
            && let Ok(header) = std::fs::read_to_string(&path)
        {
            add_with_headers(types, seen, &header, path.parent().unwrap_or(directory));
        }
    }
    types.add(text);
}
