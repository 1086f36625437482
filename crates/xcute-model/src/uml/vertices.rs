//! Names for the vertices and transitions of all state machines, and where they are.
//!
//! UML refers by id, Art by name. Before machines are read, every vertex gets a name that is unique in its region, inherited regions
//! included, and every transition that is redefined or excluded somewhere.

use std::collections::{HashMap, HashSet};

use super::document::El;
use super::names::fresh;
use super::with_redefined;
use crate::error::Result;

/// The state machine of a capsule.
pub fn machine_of<'d, 'a>(class: El<'d, 'a>) -> Result<Option<El<'d, 'a>>> {
    let behavior = class.here("classifierBehavior")?;
    let first = || class.children("ownedBehavior").find(|behavior| behavior.kind() == "StateMachine");
    Ok(behavior.filter(|behavior| behavior.kind() == "StateMachine").or_else(first))
}

/// States nested deeper than this are refused.
const DEEPEST: u32 = 64;

/// What a vertex is, and where.
#[derive(Clone, Debug)]
pub struct Known {
    pub name: String,
    pub kind: Kind,
    /// The names of the states around it; for a point that of its state is the last one.
    pub path: Vec<String>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    State,
    Initial,
    Choice,
    Junction,
    Entry,
    Exit,
    DeepHistory,
    ShallowHistory,
}

/// All names.
#[derive(Default)]
pub struct Names {
    vertices: HashMap<String, Known>,
    transitions: HashMap<String, String>,
    /// The names that are used in a region, by the region's id.
    used: HashMap<String, HashSet<String>>,
    /// Transitions that others redefine.
    redefined: HashSet<String>,
}

impl Names {
    /// Names everything in the machines of these capsules.
    pub fn new(capsules: &[El<'_, '_>]) -> Result<Names> {
        let mut names = Names::default();
        let mut machines = Vec::new();
        for capsule in capsules {
            if let Some(machine) = machine_of(*capsule)? {
                redefined(machine, &mut names.redefined)?;
                machines.push(machine);
            }
        }
        // A machine that extends another one needs its names first.
        for machine in machines {
            for base in with_redefined(machine, "extendedStateMachine")?.into_iter().rev() {
                for region in base.children("region") {
                    names.region(region, &[], 0)?;
                }
            }
        }
        Ok(names)
    }

    /// A vertex.
    pub fn vertex(&self, element: El<'_, '_>) -> Option<&Known> {
        self.vertices.get(element.id())
    }

    /// The name of a transition; none if it has none and needs none.
    pub fn transition(&self, element: El<'_, '_>) -> Option<&str> {
        self.transitions.get(element.id()).map(String::as_str)
    }

    fn region(&mut self, region: El<'_, '_>, path: &[String], depth: u32) -> Result<()> {
        if depth > DEEPEST {
            return region.error(format!("states are nested deeper than {DEEPEST} levels"));
        }
        if self.used.contains_key(region.id()) {
            return Ok(());
        }
        let mut used = match region.here("extendedRegion")? {
            Some(base) => self.used.get(base.id()).cloned().unwrap_or_default(),
            None => HashSet::new(),
        };
        for vertex in region.children("subvertex") {
            self.subvertex(vertex, path, &mut used, depth)?;
        }
        for transition in region.children("transition") {
            self.name_transition(transition, &mut used)?;
        }
        self.used.insert(region.id().to_owned(), used);
        Ok(())
    }

    fn subvertex(&mut self, vertex: El<'_, '_>, path: &[String], used: &mut HashSet<String>, depth: u32) -> Result<()> {
        let (kind, otherwise) = match (vertex.kind(), vertex.get("kind")) {
            ("State" | "FinalState", _) => (Kind::State, "State"),
            ("Pseudostate", None | Some("initial")) => (Kind::Initial, "initial"),
            ("Pseudostate", Some("choice")) => (Kind::Choice, "choice"),
            ("Pseudostate", Some("junction")) => (Kind::Junction, "junction"),
            ("Pseudostate", Some("deepHistory")) => (Kind::DeepHistory, "history"),
            ("Pseudostate", Some("shallowHistory")) => (Kind::ShallowHistory, "history"),
            ("Pseudostate", Some(other)) => return vertex.error(format!("the pseudo-state {other} is not supported")),
            (other, _) => return vertex.error(format!("{other} is not supported in a state machine")),
        };
        let redefines = vertex.here("redefinedState")?.and_then(|base| self.vertices.get(base.id())).map(|base| base.name.clone());
        let unnamed = matches!(kind, Kind::Initial | Kind::DeepHistory | Kind::ShallowHistory);
        let name = match redefines {
            Some(name) => name,
            None if unnamed => otherwise.to_owned(),
            None => fresh(used, vertex.name(), otherwise),
        };
        self.vertices.insert(vertex.id().to_owned(), Known { name: name.clone(), kind, path: path.to_vec() });
        if kind != Kind::State {
            return Ok(());
        }
        let inside = [path, &[name]].concat();
        let regions: Vec<_> = vertex.children("region").collect();
        if let [_, second, ..] = regions[..] {
            return second.error("a state with several regions is not supported");
        }
        // Points share the names of the region inside: there both can be ends of a transition.
        let mut points = match vertex.here("redefinedState")? {
            Some(base) => self.used.get(&format!("points {}", base.id())).cloned().unwrap_or_default(),
            None => HashSet::new(),
        };
        points.extend(
            regions.iter().flat_map(|region| region.children("subvertex")).filter_map(|vertex| vertex.name().map(super::names::identifier)),
        );
        for point in vertex.children("connectionPoint") {
            let (kind, otherwise) = match point.get("kind") {
                Some("entryPoint") => (Kind::Entry, "entry"),
                Some("exitPoint") => (Kind::Exit, "exit"),
                _ => return point.error("a connection point must be an entry or exit point"),
            };
            let name = fresh(&mut points, point.name(), otherwise);
            self.vertices.insert(point.id().to_owned(), Known { name, kind, path: inside.clone() });
        }
        self.used.insert(format!("points {}", vertex.id()), points);
        for region in regions {
            self.region(region, &inside, depth + 1)?;
        }
        Ok(())
    }

    fn name_transition(&mut self, transition: El<'_, '_>, used: &mut HashSet<String>) -> Result<()> {
        let base = transition.here("redefinedTransition")?;
        let name = match base.and_then(|base| self.transitions.get(base.id()).cloned()) {
            Some(name) => Some(name),
            None if self.redefined.contains(transition.id()) => {
                // The names of transitions are a space of their own.
                let mut own: HashSet<String> = used.iter().filter_map(|name| name.strip_prefix("t ").map(str::to_owned)).collect();
                let name = fresh(&mut own, transition.name(), "t");
                used.extend(own.into_iter().map(|name| format!("t {name}")));
                Some(name)
            }
            None => transition.name().map(super::names::identifier).filter(|name| !name.is_empty()),
        };
        if let Some(name) = name {
            used.insert(format!("t {name}"));
            self.transitions.insert(transition.id().to_owned(), name);
        }
        Ok(())
    }
}

/// The ids of all transitions that the transitions of a machine redefine.
fn redefined(element: El<'_, '_>, found: &mut HashSet<String>) -> Result<()> {
    let mut open = vec![element];
    while let Some(element) = open.pop() {
        for child in element.all_children() {
            match child.tag() {
                "region" | "subvertex" => open.push(child),
                "transition" => {
                    if let Some(base) = child.here("redefinedTransition")? {
                        found.insert(base.id().to_owned());
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}
