//! UML documents: XML with ids, stereotypes that are applied at its end, and references within and across files.
//!
//! **Invariant.** Document type declarations are refused, so no entity is ever expanded. Places are found by a table of line starts: asking
//! for many of them is not quadratic.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use roxmltree::{Document, Node, NodeId, ParsingOptions};

use crate::error::{ModelError, Result};
use crate::ir::{Code, Lines, Place};

/// The text of a model file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file as the caller names it.
    pub file: String,
    /// What is in it.
    pub text: String,
    /// Whether it is only there because another file refers to it.
    pub referred: bool,
}

/// One document.
struct Doc<'a> {
    file: Arc<str>,
    xml: Document<'a>,
    lines: Vec<usize>,
    ids: HashMap<String, NodeId>,
    /// The applied stereotypes of each element: local name and application.
    stereotypes: HashMap<String, Vec<(String, NodeId)>>,
    /// Attributes with a value, by their class and name.
    valued: HashMap<(String, String), NodeId>,
}

/// All documents of a model.
pub struct Docs<'a> {
    docs: Vec<Doc<'a>>,
}

/// An element of a document.
#[derive(Clone, Copy)]
pub struct El<'d, 'a> {
    docs: &'d Docs<'a>,
    doc: usize,
    node: Node<'d, 'a>,
}

/// What a reference leads to.
pub enum Ref<'d, 'a> {
    /// An element that was read.
    Here(El<'d, 'a>),
    /// An element of a library.
    Library {
        /// The file, with everything before `#`.
        file: String,
        /// What is after it.
        fragment: String,
    },
}

impl<'a> Docs<'a> {
    /// Parses all files.
    pub fn parse(sources: &'a [Source]) -> Result<Docs<'a>> {
        Ok(Docs { docs: sources.iter().map(Doc::parse).collect::<Result<_>>()? })
    }

    /// The roots of all documents: the model, or what stands in its place.
    pub fn roots(&self) -> impl Iterator<Item = El<'_, 'a>> {
        self.docs.iter().enumerate().flat_map(move |(at, doc)| {
            let root = doc.xml.root_element();
            let inside = root.tag_name().name() == "XMI";
            let children: Vec<_> = if inside { root.children().filter(Node::is_element).collect() } else { vec![root] };
            let models = children.into_iter().filter(|node| matches!(node.tag_name().name(), "Model" | "Package"));
            models.map(move |node| El { docs: self, doc: at, node })
        })
    }
}

impl<'a> Doc<'a> {
    fn parse(source: &'a Source) -> Result<Doc<'a>> {
        let file: Arc<str> = source.file.as_str().into();
        let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
        let xml = Document::parse_with_options(&source.text, options).map_err(|error| {
            let place = Place { file: file.clone(), line: error.pos().row, column: error.pos().col, id: None };
            let message = match error {
                roxmltree::Error::DtdDetected => "document type declarations are not allowed in a model".to_owned(),
                // The parser adds the position, which is known already.
                error => format!("not well-formed XML: {}", error.to_string().split(" at ").next().unwrap_or_default()),
            };
            ModelError::new(&place, message)
        })?;
        let lines = std::iter::once(0).chain(source.text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let elements = xml.descendants().filter(Node::is_element);
        let ids = elements.filter_map(|node| xmi(node, "id").map(|id| (id.to_owned(), node.id()))).collect();
        let mut stereotypes: HashMap<String, Vec<(String, NodeId)>> = HashMap::new();
        for node in xml.root_element().children().filter(|node| node.tag_name().namespace().is_some_and(|ns| ns.contains("umlrt"))) {
            for base in node.attributes().filter(|attribute| attribute.name().starts_with("base_")) {
                stereotypes.entry(base.value().to_owned()).or_default().push((node.tag_name().name().to_owned(), node.id()));
            }
        }
        let named = |node: Node<'_, '_>| node.attribute("name").map(str::to_owned);
        let defaults = xml.descendants().filter(|node| node.has_tag_name("defaultValue"));
        let valued = defaults.filter_map(|node| {
            let property = node.parent_element()?;
            Some(((named(property.parent_element()?)?, named(property)?), property.id()))
        });
        let valued = valued.collect();
        Ok(Doc { file, xml, lines, ids, stereotypes, valued })
    }
}

/// A path without `.` and `..`, as far as that is possible.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// An attribute of XMI itself, in whatever version.
fn xmi<'d>(node: Node<'d, '_>, name: &str) -> Option<&'d str> {
    let of_xmi = |attribute: &roxmltree::Attribute<'_, '_>| attribute.namespace().is_some_and(|ns| ns.contains("XMI"));
    node.attributes().find(|attribute| attribute.name() == name && of_xmi(attribute)).map(|attribute| attribute.value())
}

impl<'d, 'a> El<'d, 'a> {
    /// The `xmi:id`.
    pub fn id(self) -> &'d str {
        xmi(self.node, "id").unwrap_or_default()
    }

    /// The number of its document.
    pub fn document(self) -> usize {
        self.doc
    }

    /// The name of the tag.
    pub fn tag(self) -> &'d str {
        self.node.tag_name().name()
    }

    /// The `xmi:type` without its prefix.
    pub fn kind(self) -> &'d str {
        xmi(self.node, "type").map_or("", |kind| kind.rsplit(':').next().unwrap_or(kind))
    }

    /// A plain attribute; an empty one counts as none.
    pub fn get(self, name: &str) -> Option<&'d str> {
        self.node
            .attributes()
            .find(|attribute| attribute.name() == name && attribute.namespace().is_none())
            .map(|a| a.value())
            .filter(|value| !value.is_empty())
    }

    /// Whether an attribute is `true`.
    pub fn flag(self, name: &str, otherwise: bool) -> bool {
        self.get(name).map_or(otherwise, |value| value == "true")
    }

    /// The name, if it is not empty.
    pub fn name(self) -> Option<&'d str> {
        self.get("name")
    }

    /// All children with a tag.
    pub fn children(self, tag: &'static str) -> impl Iterator<Item = El<'d, 'a>> {
        self.node.children().filter(move |node| node.is_element() && node.tag_name().name() == tag).map(move |node| El { node, ..self })
    }

    /// All children that are elements.
    pub fn all_children(self) -> impl Iterator<Item = El<'d, 'a>> {
        self.node.children().filter(Node::is_element).map(move |node| El { node, ..self })
    }

    /// The element around it.
    pub fn parent(self) -> Option<El<'d, 'a>> {
        self.node.parent_element().map(|node| El { node, ..self })
    }

    /// Where it stands.
    pub fn place(self) -> Place {
        Place { id: Some(self.id().into()), ..self.place_at(self.node.range().start) }
    }

    fn place_at(self, offset: usize) -> Place {
        let doc = &self.docs.docs[self.doc];
        let line = doc.lines.partition_point(|start| *start <= offset);
        let start = doc.lines[line - 1];
        let column = doc.xml.input_text()[start..offset].chars().count() + 1;
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Place { file: doc.file.clone(), line: number(line), column: number(column), id: None }
    }

    /// An error about it.
    pub fn error<T>(self, message: impl Into<String>) -> Result<T> {
        Err(ModelError::new(&self.place(), message))
    }

    /// The attribute of a class that has a value, in whatever file.
    pub fn attribute_of(self, class: &str, name: &str) -> Option<El<'d, 'a>> {
        let key = (class.to_owned(), name.to_owned());
        self.docs.docs.iter().enumerate().find_map(|(at, doc)| {
            let node = doc.xml.get_node(*doc.valued.get(&key)?)?;
            Some(El { docs: self.docs, doc: at, node })
        })
    }

    /// What applies a stereotype to it.
    pub fn stereotype(self, name: &str) -> Option<El<'d, 'a>> {
        let doc = &self.docs.docs[self.doc];
        let (_, application) = doc.stereotypes.get(self.id())?.iter().find(|(other, _)| other == name)?;
        Some(El { node: doc.xml.get_node(*application)?, ..self })
    }

    /// Its text.
    pub fn text(self) -> String {
        self.node.children().filter(Node::is_text).filter_map(|node| node.text()).collect()
    }

    /// Its text as C++.
    pub fn code(self) -> Code {
        let Some(first) = self.node.children().find(Node::is_text) else { return Code::new("", self.place()) };
        let raw = &self.docs.docs[self.doc].xml.input_text()[first.range()];
        let place = Place { id: Some(self.id().into()), ..self.place_at(first.range().start) };
        let folded = raw.contains("&#xA;") || raw.contains("&#10;") || raw.contains("&#xa;");
        let lines = if folded { Lines::Folded } else { Lines::Below };
        Code { lines, ..Code::new(&self.text(), place) }
    }

    /// An attribute as C++: its lines are escaped, so they all stand in one line of the file.
    pub fn attribute_code(self, name: &str) -> Option<Code> {
        let attribute = self.node.attributes().find(|attribute| attribute.name() == name)?;
        if attribute.value().trim().is_empty() {
            return None;
        }
        let place = Place { id: Some(self.id().into()), ..self.place_at(attribute.range_value().start) };
        Some(Code { lines: Lines::Folded, ..Code::new(attribute.value(), place) })
    }

    /// What an attribute or child of this name refers to; several if it is a list.
    pub fn refs(self, name: &'static str) -> Result<Vec<Ref<'d, 'a>>> {
        let mut found = Vec::new();
        for id in self.get(name).unwrap_or_default().split_whitespace() {
            found.push(Ref::Here(self.lookup(id, name)?));
        }
        for child in self.children(name) {
            if let Some(id) = xmi(child.node, "idref") {
                found.push(Ref::Here(self.lookup(id, name)?));
            } else if let Some(href) = child.get("href") {
                found.push(child.href(href)?);
            }
        }
        Ok(found)
    }

    /// The one thing that an attribute or child refers to.
    pub fn reference(self, name: &'static str) -> Result<Option<Ref<'d, 'a>>> {
        Ok(self.refs(name)?.into_iter().next())
    }

    /// The same, if it was read.
    pub fn here(self, name: &'static str) -> Result<Option<El<'d, 'a>>> {
        Ok(self.refs(name)?.into_iter().find_map(|found| match found {
            Ref::Here(element) => Some(element),
            Ref::Library { .. } => None,
        }))
    }

    fn lookup(self, id: &str, name: &str) -> Result<El<'d, 'a>> {
        let doc = &self.docs.docs[self.doc];
        let node = doc.ids.get(id).and_then(|node| doc.xml.get_node(*node));
        node.map(|node| El { node, ..self })
            .ok_or_else(|| ModelError::new(&self.place(), format!("{name} refers to \"{id}\", which is not there")))
    }

    fn href(self, href: &str) -> Result<Ref<'d, 'a>> {
        let (file, fragment) = href.split_once('#').unwrap_or((href, ""));
        let id = fragment.split('?').next().unwrap_or(fragment);
        let docs = &self.docs.docs;
        let own = Path::new(&*docs[self.doc].file);
        let wanted = normal(&own.parent().unwrap_or_else(|| Path::new("")).join(file));
        // Models that were moved still refer to each other by their names.
        let name = |path: &Path| path.file_name().map(std::ffi::OsStr::to_owned);
        let exact = docs.iter().position(|doc| normal(Path::new(&*doc.file)) == wanted);
        let named = || (0..docs.len()).find(|at| *at != self.doc && name(Path::new(&*docs[*at].file)) == name(&wanted));
        let other = if file.is_empty() { Some(self.doc) } else { exact.or_else(named) };
        let Some(doc) = other else { return Ok(Ref::Library { file: file.to_owned(), fragment: fragment.to_owned() }) };
        let found = &self.docs.docs[doc];
        match found.ids.get(id).and_then(|node| found.xml.get_node(*node)) {
            Some(node) => Ok(Ref::Here(El { docs: self.docs, doc, node })),
            None => self.error(format!("\"{href}\" is not in {}", found.file)),
        }
    }
}
