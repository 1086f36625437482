//! UML-RT models as Papyrus-RT and its relatives write them: `.uml` files.
//!
//! What an element is, its stereotype says, never its name. Attributes, operations and data types become C++ text, as Art would have them.
//! Where UML and Art express the same thing differently, the model gets Art's form: a transition that ends at the inner side of a
//! composite state's border leads to its deep history; one that starts there starts at an entry point.

mod capsule;
mod declarations;
mod document;
mod machine;
mod names;
mod protocol;
mod types;
mod values;
mod vertices;

use std::collections::HashSet;

use crate::error::{ModelError, Result};
use crate::ir::{Dialect, File, Model, Place};
use document::{Docs, El};

pub use document::Source;

/// Packages nested deeper than this are refused.
const DEEPEST: u32 = 100;

/// Elements of a model by what they are.
#[derive(Default)]
struct Elements<'d, 'a> {
    capsules: Vec<El<'d, 'a>>,
    protocols: Vec<El<'d, 'a>>,
    types: Vec<El<'d, 'a>>,
    artifacts: Vec<El<'d, 'a>>,
}

impl<'d, 'a> Elements<'d, 'a> {
    /// Adds what these elements need of other files.
    fn close(&mut self) -> Result<()> {
        let all = self.capsules.iter().chain(&self.protocols).chain(&self.types);
        let mut seen: HashSet<_> = all.map(|element| (element.document(), element.id().to_owned())).collect();
        let mut open: Vec<_> = self.capsules.iter().chain(&self.protocols).chain(&self.types).copied().collect();
        while let Some(element) = open.pop() {
            let typed =
                element.children("ownedAttribute").chain(element.children("ownedOperation").flat_map(|o| o.children("ownedParameter")));
            let messages = element.parent().into_iter().filter(|_| element.kind() == "Collaboration").flat_map(|container| {
                let interfaces = container.children("packagedElement").filter(|other| other.kind() == "Interface");
                interfaces.flat_map(|interface| interface.children("ownedOperation")).flat_map(|o| o.children("ownedParameter"))
            });
            let mut needed = Vec::new();
            for typed in typed.chain(messages) {
                needed.extend(typed.here("type")?);
            }
            for generalization in element.children("generalization") {
                needed.extend(generalization.here("general")?);
            }
            for other in needed {
                if seen.insert((other.document(), other.id().to_owned())) {
                    open.push(other);
                    self.add(other);
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, element: El<'d, 'a>) {
        match element.kind() {
            "Class" | "Component" if element.stereotype("Capsule").is_some() => self.capsules.push(element),
            "Collaboration" if element.stereotype("Protocol").is_some() => self.protocols.push(element),
            "Class" | "DataType" | "Enumeration" | "PrimitiveType" => self.types.push(element),
            "Artifact" => self.artifacts.push(element),
            // Diagrams, dependencies, interactions and the like have no behaviour.
            _ => {}
        }
    }
}

/// Reads the files of one model.
///
/// # Errors
/// The first thing that is not understood.
pub fn read(sources: &[Source]) -> Result<Model> {
    let docs = Docs::parse(sources)?;
    let mut elements = Elements::default();
    let mut top = None;
    for root in docs.roots().filter(|root| !sources[root.document()].referred) {
        top = top.or_else(|| default_top(root));
        collect(root, &mut elements, 0)?;
    }
    elements.close()?;
    if elements.capsules.is_empty() {
        let file = sources.first().map_or("", |source| &source.file);
        let place = Place { file: file.into(), ..Place::default() };
        return Err(ModelError::new(&place, "there is no capsule in this model (is it a UML-RT model?)"));
    }
    let mut model = Model { dialect: Dialect::Papyrus, top, ..Model::default() };
    model.files.extend(elements.artifacts.iter().filter_map(|artifact| declarations::artifact(*artifact)));
    let snippets = declarations::types(&elements.types)?;
    if !snippets.is_empty() {
        model.files.push(File { name: crate::lower::TYPES.to_owned(), snippets });
    }
    for protocol in &elements.protocols {
        model.protocols.extend(protocol::read(*protocol)?);
    }
    let vertices = vertices::Names::new(&elements.capsules)?;
    for capsule in &elements.capsules {
        model.capsules.push(capsule::read(*capsule, &vertices, &mut model.notes.0)?);
    }
    // A top capsule that is not there is that of another model.
    model.top = model.top.filter(|top| model.capsules.iter().any(|capsule| capsule.name == *top));
    Ok(model)
}

/// The capsule that the modeller has marked as the top.
fn default_top(root: El<'_, '_>) -> Option<String> {
    let annotation = root.children("eAnnotations").find(|annotation| annotation.get("source") == Some("UMLRT_Default_top"))?;
    let detail = annotation.children("details").find(|detail| detail.get("key") == Some("top_name"))?;
    detail.get("value").map(names::identifier)
}

fn collect<'d, 'a>(package: El<'d, 'a>, elements: &mut Elements<'d, 'a>, depth: u32) -> Result<()> {
    if depth > DEEPEST {
        return package.error(format!("packages are nested deeper than {DEEPEST} levels"));
    }
    for element in package.children("packagedElement") {
        match element.kind() {
            "Package" | "Model" => collect(element, elements, depth + 1)?,
            _ => elements.add(element),
        }
    }
    Ok(())
}

/// Whether a redefining element removes what it redefines: its stereotype names no root.
fn is_excluded(element: El<'_, '_>) -> bool {
    element
        .stereotype("RTRedefinedElement")
        .is_some_and(|applied| applied.get("rootFragment").is_none() && applied.children("rootFragment").next().is_none())
}

/// An element and those that it redefines, directly and indirectly.
fn with_redefined<'d, 'a>(element: El<'d, 'a>, by: &'static str) -> Result<Vec<El<'d, 'a>>> {
    let mut chain = vec![element];
    while let Some(next) = chain[chain.len() - 1].here(by)? {
        if chain.iter().any(|other| other.id() == next.id()) {
            return element.error("the element redefines itself");
        }
        chain.push(next);
    }
    Ok(chain)
}
