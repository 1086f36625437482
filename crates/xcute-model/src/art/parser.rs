//! The parser of Art: files, protocols, capsules and classes. State machines are in [`super::machine`].
//!
//! Recursive descent over the whole list of tokens; nested states are the only recursion, and bounded. Beyond Art, messages may have
//! several parameters with names, and inherited connectors and messages may be excluded: models from UML need that.
//!
//! **Invariant.** What is not understood is an error with its place; nothing is passed over but properties that change neither
//! behaviour nor code ([`IGNORED`]).

use std::sync::Arc;

use super::lexer::{Kind, Token, tokens};
use crate::cpp::{joined, lex};
use crate::error::{ModelError, Result};
use crate::ir::{
    Bound, Capsule, Class, Code, Connector, ConnectorEnd, Dialect, Direction, File, Message, Mode, Model, Multiplicity, Operation, Param,
    Part, PartKind, Place, Port, Protocol, Registration, Snippet, SnippetKind, Wiring,
};

/// Properties of pictures, of validation and of the versions of interfaces.
const IGNORED: &[&str] = &["color", "rule_config", "version", "generate_descriptor"];

/// Reads one file into a model.
pub fn read(model: &mut Model, file: &str, text: &str) -> Result<()> {
    let name = std::path::Path::new(file).file_stem().map_or_else(|| file.to_owned(), |stem| stem.to_string_lossy().into_owned());
    let mut tokens = tokens(&Arc::from(file), text)?;
    // Whoever reads the end and steps back is at the end.
    tokens.extend(tokens.last().cloned());
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    parser.file(model, name)
}

pub struct Parser {
    tokens: Vec<Token>,
    at: usize,
    pub depth: u32,
}

/// A property: its name, its value as text, its place.
pub struct Property {
    pub name: String,
    pub value: String,
    pub place: Place,
}

impl Parser {
    pub fn peek(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    pub fn ahead(&self, by: usize) -> &Kind {
        &self.tokens[(self.at + by).min(self.tokens.len() - 1)].kind
    }

    pub fn place(&self) -> Place {
        self.tokens[self.at].place.clone()
    }

    pub fn next(&mut self) -> Kind {
        let kind = self.tokens[self.at].kind.clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        kind
    }

    pub fn is(&self, mark: &str) -> bool {
        matches!(self.peek(), Kind::Mark(m) if *m == mark)
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Kind::Word(w) if w == word)
    }

    pub fn accept(&mut self, mark: &str) -> bool {
        let there = self.is(mark);
        if there {
            self.next();
        }
        there
    }

    pub fn accept_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        if there {
            self.next();
        }
        there
    }

    pub fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(ModelError::new(&self.place(), message))
    }

    pub fn expected<T>(&self, what: &str) -> Result<T> {
        self.error(format!("expected {what}, found {}", describe(self.peek())))
    }

    pub fn expect(&mut self, mark: &str) -> Result<()> {
        if self.accept(mark) { Ok(()) } else { self.expected(&format!("\"{mark}\"")) }
    }

    pub fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.accept_word(word) { Ok(()) } else { self.expected(&format!("\"{word}\"")) }
    }

    pub fn name(&mut self, what: &str) -> Result<String> {
        match self.peek() {
            Kind::Word(word) => {
                let word = word.clone();
                self.next();
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    pub fn code(&mut self, what: &str) -> Result<Code> {
        match self.next() {
            Kind::Code(code) => Ok(code),
            _ => {
                self.at -= 1;
                self.expected(&format!("{what} between backticks"))
            }
        }
    }

    pub fn optional_code(&mut self) -> Option<Code> {
        let Kind::Code(code) = self.peek() else { return None };
        let code = code.clone();
        self.next();
        Some(code)
    }

    /// `,` and what follows it, as often as there is a comma; then `;`.
    pub fn list(&mut self, mut element: impl FnMut(&mut Parser) -> Result<()>) -> Result<()> {
        loop {
            element(self)?;
            if !self.accept(",") {
                return self.expect(";");
            }
        }
    }

    fn file(&mut self, model: &mut Model, name: String) -> Result<()> {
        let mut snippets = File { name, snippets: Vec::new() };
        loop {
            let place = self.place();
            match self.next() {
                Kind::End => break,
                Kind::Pragma(key, value) => match (key.as_str(), value.as_str()) {
                    ("top", _) => model.top = Some(value),
                    ("dialect", "art") => model.dialect = Dialect::Art,
                    ("dialect", "papyrus-rt") => model.dialect = Dialect::Papyrus,
                    ("file", _) => keep(model, std::mem::replace(&mut snippets, File { name: value, snippets: Vec::new() })),
                    _ => return Err(ModelError::new(&place, format!("unknown comment for xcute: \"{key} {value}\""))),
                },
                Kind::Mark("[[") => snippets.snippets.extend(self.snippet(&[SnippetKind::Decl, SnippetKind::Impl])?),
                Kind::Mark(";") => {}
                Kind::Word(word) => match word.as_str() {
                    "protocol" => model.protocols.push(self.protocol(place)?),
                    "capsule" => model.capsules.push(self.capsule(place, false)?),
                    "class" => model.classes.push(self.class(place, false)?),
                    "abstract" if self.accept_word("capsule") => model.capsules.push(self.capsule(place, true)?),
                    "abstract" if self.accept_word("class") => model.classes.push(self.class(place, true)?),
                    "template" => {
                        let message = "templates are not supported (write the class in C++, or one class for each instance)";
                        return Err(ModelError::new(&place, message));
                    }
                    _ => {
                        self.at -= 1;
                        return self.expected("\"capsule\", \"protocol\", \"class\" or a snippet \"[[rt::decl]]\"");
                    }
                },
                _ => {
                    self.at -= 1;
                    return self.expected("\"capsule\", \"protocol\", \"class\" or a snippet \"[[rt::decl]]\"");
                }
            }
        }
        keep(model, snippets);
        Ok(())
    }

    /// `rt::KIND ]] code`, after `[[`.
    fn snippet(&mut self, kinds: &[SnippetKind]) -> Result<Option<Snippet>> {
        self.expect_word("rt")?;
        self.expect("::")?;
        let place = self.place();
        let name = self.name("the kind of a snippet")?;
        let Some(kind) = kinds.iter().copied().find(|kind| kind.name() == name) else {
            let known: Vec<_> = kinds.iter().map(|kind| format!("rt::{}", kind.name())).collect();
            return Err(ModelError::new(&place, format!("\"rt::{name}\" is not possible here (known: {})", known.join(", "))));
        };
        self.expect("]]")?;
        let code = self.code("C++")?;
        Ok(if code.is_blank() { None } else { Some(Snippet { kind, code }) })
    }

    /// `[[rt::properties(…)]]`, `[[rt::no_descriptor]]`, or nothing.
    pub fn properties(&mut self) -> Result<Vec<Property>> {
        let mut found = Vec::new();
        while self.is("[[")
            && matches!((self.ahead(1), self.ahead(3)), (Kind::Word(rt), Kind::Word(what)) if rt == "rt" && (what == "properties" || what == "no_descriptor"))
        {
            self.next();
            self.next();
            self.expect("::")?;
            if self.accept_word("properties") {
                self.expect("(")?;
                while !self.accept(")") {
                    let place = self.place();
                    let name = self.name("a property")?;
                    let value = if self.accept("=") {
                        match self.next() {
                            Kind::Word(value) | Kind::Text(value) => value,
                            Kind::Number(value) => value.to_string(),
                            _ => {
                                self.at -= 1;
                                return self.expected("the value of a property");
                            }
                        }
                    } else {
                        "true".to_owned()
                    };
                    if !IGNORED.contains(&name.as_str()) {
                        found.push(Property { name, value, place });
                    }
                    if !self.is(")") {
                        self.expect(",")?;
                    }
                }
            } else {
                self.next();
            }
            self.expect("]]")?;
        }
        Ok(found)
    }

    /// No properties but those without meaning.
    pub fn no_properties(&mut self, of: &str) -> Result<()> {
        refuse(&self.properties()?, of, |_, _| false)
    }

    fn protocol(&mut self, place: Place) -> Result<Protocol> {
        let name = self.name("the name of the protocol")?;
        self.no_properties("a protocol")?;
        let base = if self.accept(":") { Some(self.name("the name of a protocol")?) } else { None };
        let mut protocol = Protocol { name, base, messages: Vec::new(), snippets: Vec::new(), place };
        self.expect("{")?;
        while !self.accept("}") {
            if self.accept("[[") {
                protocol.snippets.extend(self.snippet(&[SnippetKind::HeaderPreface, SnippetKind::HeaderEnding])?);
                continue;
            }
            let direction = match self.peek() {
                Kind::Word(word) if word == "in" => Direction::In,
                Kind::Word(word) if word == "out" => Direction::Out,
                _ => return self.expected("\"in\", \"out\" or \"}\""),
            };
            self.next();
            self.list(|parser| {
                let mode = parser.mode();
                let place = parser.place();
                let name = parser.name("the name of an event")?;
                parser.no_properties("an event")?;
                let params = parser.params()?;
                protocol.messages.push(Message { name, direction, mode, params, place });
                parser.no_properties("an event")
            })?;
        }
        self.accept(";");
        Ok(protocol)
    }

    /// `redefine`, `exclude` or neither.
    pub fn mode(&mut self) -> Mode {
        if self.accept_word("redefine") {
            Mode::Redefine
        } else if self.accept_word("exclude") {
            Mode::Exclude
        } else {
            Mode::New
        }
    }

    /// `(` types with optional names `)`.
    pub fn params(&mut self) -> Result<Vec<Param>> {
        let mut params = Vec::new();
        self.expect("(")?;
        while !self.accept(")") {
            self.no_properties("a parameter")?;
            let ty = plain_type(&self.code("the type of a parameter")?.text);
            let name = if matches!(self.peek(), Kind::Word(_)) { Some(self.name("a name")?) } else { None };
            self.no_properties("a parameter")?;
            params.push(Param { name, ty });
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        Ok(params)
    }

    fn capsule(&mut self, place: Place, is_abstract: bool) -> Result<Capsule> {
        let name = self.name("the name of the capsule")?;
        let properties = self.properties()?;
        generated(&properties, "a capsule")?;
        let (mut base, mut cpp_bases) = (None, Vec::new());
        if self.accept(":") {
            loop {
                match self.optional_code() {
                    Some(code) => cpp_bases.push(code.text.trim().to_owned()),
                    None if base.is_some() => return self.error("a capsule has at most one base capsule"),
                    None => base = Some(self.name("the name of a capsule")?),
                }
                if !self.accept(",") {
                    break;
                }
            }
        }
        let (ports, parts, connectors) = (Vec::new(), Vec::new(), Vec::new());
        let mut capsule =
            Capsule { name, is_abstract, base, cpp_bases, snippets: Vec::new(), ports, parts, connectors, machine: None, place };
        self.expect("{")?;
        while !self.accept("}") {
            self.member(&mut capsule)?;
        }
        self.accept(";");
        Ok(capsule)
    }

    fn member(&mut self, capsule: &mut Capsule) -> Result<()> {
        let place = self.place();
        if self.accept("[[") {
            capsule.snippets.extend(self.snippet(&SnippetKind::ALL)?);
            return Ok(());
        }
        if self.accept_word("statemachine") {
            if capsule.machine.is_some() {
                return Err(ModelError::new(&place, format!("capsule {} has two state machines", capsule.name)));
            }
            capsule.machine = Some(self.machine()?);
            return Ok(());
        }
        if self.accept_word("connect") {
            return self.list(|parser| {
                let (mode, place) = (parser.mode(), parser.place());
                let first = parser.connector_end()?;
                parser.expect_word("with")?;
                let second = parser.connector_end()?;
                capsule.connectors.push(Connector { ends: [first, second], mode, place });
                Ok(())
            });
        }
        let mut words = Vec::new();
        loop {
            let place = self.place();
            let Kind::Word(word) = self.peek().clone() else {
                return self.expected("a port, a part, \"connect\", \"statemachine\", a snippet or \"}\"");
            };
            self.next();
            match word.as_str() {
                "port" => return self.ports(capsule, &words),
                "part" => return self.parts(capsule, &words),
                _ => words.push((word, place)),
            }
        }
    }

    fn connector_end(&mut self) -> Result<ConnectorEnd> {
        let first = self.name("a port or part")?;
        Ok(if self.accept(".") {
            ConnectorEnd { part: Some(first), port: self.name("a port")? }
        } else {
            ConnectorEnd { part: None, port: first }
        })
    }

    fn ports(&mut self, capsule: &mut Capsule, words: &[(String, Place)]) -> Result<()> {
        let (mut service, mut behavior, mut notify, mut wiring) = (false, false, false, Wiring::Wired);
        for (word, place) in words {
            match word.as_str() {
                "service" => service = true,
                "behavior" => behavior = true,
                "notify" => notify = true,
                "unwired" if wiring == Wiring::Wired => wiring = Wiring::Unwired,
                "unwired" => {}
                "publish" => wiring = Wiring::Publish,
                "subscribe" => wiring = Wiring::Subscribe,
                _ => return Err(ModelError::new(place, format!("\"{word}\" is not a property of a port"))),
            }
        }
        self.list(|parser| {
            let (mode, place) = (parser.mode(), parser.place());
            let name = parser.name("the name of a port")?;
            let conjugated = parser.accept("~");
            let (mut registration, mut service_name) = (Registration::Automatic, None);
            refuse(&parser.properties()?, "a port", |property, value| {
                match (property, value) {
                    ("registration_name", _) => service_name = Some(value.to_owned()),
                    ("registration", "automatic") => registration = Registration::Automatic,
                    ("registration", "automatic_locked") => registration = Registration::AutomaticLocked,
                    ("registration", "application") => registration = Registration::Application,
                    _ => return false,
                }
                true
            })?;
            let (mut protocol, mut multiplicity) = (String::new(), Multiplicity::default());
            if mode != Mode::Exclude {
                parser.expect(":")?;
                protocol = parser.name("the name of a protocol")?;
                multiplicity = parser.multiplicity()?.unwrap_or_default();
                parser.no_properties("a port")?;
            }
            // An unwired port cannot be relayed, so it always is one of the behaviour.
            let behavior = behavior || wiring != Wiring::Wired;
            capsule.ports.push(Port {
                name,
                protocol,
                conjugated,
                service,
                behavior,
                notify,
                wiring,
                registration,
                service_name,
                multiplicity,
                mode,
                place,
            });
            Ok(())
        })
    }

    fn parts(&mut self, capsule: &mut Capsule, words: &[(String, Place)]) -> Result<()> {
        let mut given = None;
        for (word, place) in words {
            given = match word.as_str() {
                "fixed" => Some(PartKind::Fixed),
                "optional" => Some(PartKind::Optional),
                "plugin" => Some(PartKind::Plugin),
                _ => return Err(ModelError::new(place, format!("\"{word}\" is not a property of a part"))),
            };
        }
        self.list(|parser| {
            let (mode, place) = (parser.mode(), parser.place());
            let name = parser.name("the name of a part")?;
            parser.no_properties("a part")?;
            let (mut class, mut multiplicity) = (String::new(), None);
            if mode != Mode::Exclude {
                parser.expect(":")?;
                class = parser.name("the name of a capsule")?;
                multiplicity = parser.multiplicity()?;
            }
            // The presence of zero in the multiplicity is what makes a part optional.
            let zero = multiplicity.as_ref().is_some_and(|m| m.lower == Some(Bound::Number(0)));
            let kind = given.unwrap_or(if zero { PartKind::Optional } else { PartKind::Fixed });
            let (mut create, mut destroy) = (None, None);
            while parser.accept("[[") {
                parser.expect_word("rt")?;
                parser.expect("::")?;
                let slot = if parser.accept_word("create") {
                    &mut create
                } else if parser.accept_word("destroy") {
                    &mut destroy
                } else {
                    return parser.expected("\"create\" or \"destroy\"");
                };
                parser.expect("]]")?;
                *slot = Some(parser.code("C++")?);
            }
            let multiplicity = multiplicity.unwrap_or_default();
            capsule.parts.push(Part { name, capsule: class, kind, multiplicity, create, destroy, mode, place });
            Ok(())
        })
    }

    /// `[4]`, `[0..4]`, or C++ in place of the numbers.
    fn multiplicity(&mut self) -> Result<Option<Multiplicity>> {
        if !self.accept("[") {
            return Ok(None);
        }
        let first = self.bound()?;
        let multiplicity = if self.accept("..") {
            Multiplicity { lower: Some(first), upper: self.bound()? }
        } else {
            Multiplicity { lower: None, upper: first }
        };
        self.expect("]")?;
        Ok(Some(multiplicity))
    }

    fn bound(&mut self) -> Result<Bound> {
        match self.next() {
            Kind::Number(number) => Ok(Bound::Number(number)),
            Kind::Code(code) => Ok(Bound::Expression(code.text.trim().to_owned())),
            _ => {
                self.at -= 1;
                self.expected("a number, or C++ between backticks")
            }
        }
    }

    fn class(&mut self, place: Place, is_abstract: bool) -> Result<Class> {
        let name = self.name("the name of the class")?;
        let (mut is_struct, mut informal) = (false, false);
        let properties = self.properties()?;
        refuse(&properties, "a class", |property, value| {
            match (property, value) {
                ("kind", "struct" | "_class") => is_struct = value == "struct",
                ("generate_statemachine", "true" | "false") => informal = value == "false",
                ("generate_file_header" | "generate_file_impl", _) => {}
                _ => return false,
            }
            true
        })?;
        generated_files(&properties, "a class")?;
        let mut bases = Vec::new();
        if self.accept(":") {
            loop {
                match self.optional_code() {
                    Some(code) => bases.push(code.text.trim().to_owned()),
                    None => bases.push(self.name("the name of a class")?),
                }
                if !self.accept(",") {
                    break;
                }
            }
        }
        let mut class = Class { name, is_abstract, bases, is_struct, operations: Vec::new(), snippets: Vec::new(), machine: None, place };
        self.expect("{")?;
        while !self.accept("}") {
            if self.accept("[[") {
                class.snippets.extend(self.snippet(&SnippetKind::ALL)?);
            } else if self.accept_word("trigger") {
                self.list(|parser| {
                    let place = parser.place();
                    let name = parser.name("the name of a trigger operation")?;
                    class.operations.push(Operation { name, params: parser.params()?, place });
                    Ok(())
                })?;
            } else if self.accept_word("statemachine") {
                let machine = self.machine()?;
                class.machine = if informal { None } else { Some(machine) };
            } else {
                return self.expected("\"trigger\", \"statemachine\", a snippet or \"}\"");
            }
        }
        self.accept(";");
        Ok(class)
    }
}

/// Properties that `known` does not take are errors.
fn refuse(properties: &[Property], of: &str, mut known: impl FnMut(&str, &str) -> bool) -> Result<()> {
    for Property { name, value, place } in properties {
        if !known(name, value) {
            return Err(ModelError::new(place, format!("the property {name}={value} of {of} is not supported")));
        }
    }
    Ok(())
}

/// Code is always generated.
fn generated(properties: &[Property], of: &str) -> Result<()> {
    refuse(properties, of, |name, _| name.starts_with("generate_file_"))?;
    generated_files(properties, of)
}

fn generated_files(properties: &[Property], of: &str) -> Result<()> {
    refuse(properties, of, |name, value| !name.starts_with("generate_file_") || value == "true")
}

fn keep(model: &mut Model, file: File) {
    if file.snippets.is_empty() {
        return;
    }
    match model.files.iter_mut().find(|other| other.name == file.name) {
        Some(other) => other.snippets.extend(file.snippets),
        None => model.files.push(file),
    }
}

/// A type without comments and attributes.
fn plain_type(text: &str) -> String {
    let tokens = lex(text);
    let attribute = |at: usize| tokens[at].is("[") && tokens.get(at + 1).is_some_and(|next| next.is("["));
    match (0..tokens.len()).find(|at| attribute(*at)) {
        Some(open) => {
            let close = tokens.iter().rposition(|token| token.is("]")).unwrap_or(open);
            joined(&[&tokens[..open], tokens.get(close + 1..).unwrap_or_default()].concat())
        }
        None => joined(&tokens),
    }
}

fn describe(kind: &Kind) -> String {
    match kind {
        Kind::Word(word) => format!("\"{word}\""),
        Kind::Number(number) => format!("\"{number}\""),
        Kind::Text(text) => format!("the text \"{text}\""),
        Kind::Code(_) => "C++ code".to_owned(),
        Kind::Mark(mark) => format!("\"{mark}\""),
        Kind::Pragma(..) => "a comment for xcute".to_owned(),
        Kind::End => "the end of the file".to_owned(),
    }
}
