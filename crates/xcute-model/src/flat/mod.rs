//! Models with inheritance resolved, names bound to what they mean, and everything checked.
//!
//! **Invariant.** Indices are stable under inheritance: port, part and message `i` of a base are port, part and message `i` of whatever is
//! derived from it, redefined or not. Code that was compiled for a base can so be used in a derived capsule.

mod check;
mod machine;
mod merge;
mod port;
mod protocol;
mod structure;

use xcute_suggest::meant;

use crate::error::{ModelError, Result};
use crate::ir::{self, Place};

pub use machine::{Body, BodyId, BodyKind, Edge, EdgeId, Event, Machine, Target, Trigger, Vertex, VertexId, VertexKind};
pub use port::Port;
pub use protocol::{Message, Protocol, Signal};
pub use structure::{Capsule, Class, Connector, ConnectorEnd, Part};

/// A resolved model.
#[derive(Clone, Debug)]
pub struct Flat {
    /// What it was made from.
    pub model: ir::Model,
    /// All protocols: those of the model in their order, then the predefined ones.
    pub protocols: Vec<Protocol>,
    /// The capsules, in the order of the model.
    pub capsules: Vec<Capsule>,
    /// The passive classes, in the order of the model.
    pub classes: Vec<Class>,
}

impl Flat {
    /// Resolves a model.
    ///
    /// # Errors
    /// The first thing in it that has no meaning.
    pub fn new(model: ir::Model) -> Result<Flat> {
        let protocols = model.protocols.iter().map(|p| (&p.name, &p.place));
        let classes = model.capsules.iter().map(|c| (&c.name, &c.place)).chain(model.classes.iter().map(|c| (&c.name, &c.place)));
        // In UML a protocol may have the name of a capsule.
        match model.dialect {
            ir::Dialect::Art => unique("name", protocols.chain(classes))?,
            ir::Dialect::Papyrus => unique("name", protocols).and_then(|()| unique("name", classes))?,
        }
        let protocols = protocol::resolve(&model)?;
        let mut flat = Flat { model, protocols, capsules: Vec::new(), classes: Vec::new() };
        let mut notes = Vec::new();
        flat.capsules = structure::capsules(&flat, &mut notes)?;
        flat.model.notes.0.append(&mut notes);
        flat.classes = structure::classes(&flat)?;
        if let Some(top) = &flat.model.top {
            flat.capsule(top)?;
        }
        Ok(flat)
    }

    /// The index of a capsule.
    ///
    /// # Errors
    /// There is no capsule of this name.
    pub fn capsule(&self, name: &str) -> Result<usize> {
        self.capsules.iter().position(|capsule| capsule.name == name).ok_or_else(|| {
            let hint = meant(name, self.capsules.iter().map(|capsule| capsule.name.as_str()));
            let file = self.model.capsules.first().map(|capsule| capsule.place.file.clone()).unwrap_or_default();
            ModelError::new(&Place { file, ..Place::default() }, format!("there is no capsule \"{name}\"{hint}"))
        })
    }

    /// Whether a capsule is another one or inherits from it.
    #[must_use]
    pub fn inherits(&self, capsule: usize, base: usize) -> bool {
        std::iter::successors(Some(capsule), |at| self.capsules[*at].base).any(|at| at == base)
    }
}

/// An order in which every element comes after its base.
///
/// `base` gives the name and place of an element's base.
fn in_order<T>(
    elements: &[T],
    what: &str,
    name: impl Fn(&T) -> &str,
    base: impl Fn(&T) -> (Option<&str>, &Place),
) -> Result<Vec<(usize, Option<usize>)>> {
    let index: std::collections::HashMap<&str, usize> = elements.iter().enumerate().map(|(at, element)| (name(element), at)).collect();
    let mut order = Vec::new();
    // 0: not seen, 1: on the way to its bases, 2: in the order.
    let mut state = vec![0; elements.len()];
    for start in 0..elements.len() {
        let mut way = vec![start];
        while let Some(&at) = way.last() {
            let (base_name, place) = base(&elements[at]);
            let base = match base_name {
                None => None,
                Some(base) => Some(*index.get(base).ok_or_else(|| {
                    let hint = meant(base, index.keys().copied());
                    ModelError::new(place, format!("{what} {} inherits from \"{base}\", which is not a {what}{hint}", name(&elements[at])))
                })?),
            };
            match base {
                Some(base) if state[base] == 0 && state[at] != 2 => {
                    state[at] = 1;
                    way.push(base);
                }
                Some(base) if state[base] == 1 && state[at] != 2 => {
                    return Err(ModelError::new(place, format!("{what} {} inherits from itself", name(&elements[at]))));
                }
                base => {
                    if state[at] != 2 {
                        state[at] = 2;
                        order.push((at, base));
                    }
                    way.pop();
                }
            }
        }
    }
    Ok(order)
}

/// Two of the same name are an error.
fn unique<'a>(what: &str, named: impl Iterator<Item = (&'a String, &'a Place)>) -> Result<()> {
    let mut seen = std::collections::HashSet::new();
    for (name, place) in named {
        if !seen.insert(name) {
            return Err(ModelError::new(place, format!("the {what} \"{name}\" is used twice")));
        }
    }
    Ok(())
}
