//! What an input of a type can be, other than null.
//!
//! The world is closed: a reference is null or an object of a class of the program, a string, a box of a number, an array, an enum constant. Objects of
//! other classes of the JDK only their own code can build; such inputs stay null, which is counted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xcute_classfile::{Kind, access, descriptor};

use crate::program::entry::DRIVER;
use crate::program::functional::TABLES;
use crate::program::hierarchy::Hierarchy;
use crate::program::{Program, names};

/// One thing that an input can be.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Candidate {
    /// An object of this class.
    Object(String),
    /// An array with elements of this descriptor.
    Array(String),
    /// A string.
    Text,
    /// A box of a primitive value, by its class.
    Box(String),
    /// An enum constant: the class and its number.
    Constant(String, u32),
}

impl Candidate {
    /// The class in internal form, as objects have it at run time (constants with a body of their own apart).
    pub(crate) fn class(&self) -> String {
        match self {
            Candidate::Object(class) | Candidate::Box(class) | Candidate::Constant(class, _) => class.clone(),
            Candidate::Array(element) => format!("[{element}"),
            Candidate::Text => "java/lang/String".to_owned(),
        }
    }
}

/// All that an input of a type can be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Candidates {
    pub(crate) all: Vec<Candidate>,
    /// Why there may be more that are not tried.
    pub(crate) limit: Option<String>,
    /// Why there are more that are not tried, where it matters of which class an object is: the type is one of the JDK's, whose classes are not all tried.
    #[serde(default)]
    pub(crate) open: Option<String>,
}

/// The classes that box primitive values.
pub(crate) const BOXES: [(&str, Kind); 8] = [
    ("java/lang/Boolean", Kind::Boolean),
    ("java/lang/Byte", Kind::Byte),
    ("java/lang/Character", Kind::Char),
    ("java/lang/Short", Kind::Short),
    ("java/lang/Integer", Kind::Int),
    ("java/lang/Long", Kind::Long),
    ("java/lang/Float", Kind::Float),
    ("java/lang/Double", Kind::Double),
];

/// No more candidates than the lower part of an address can tell apart.
pub(crate) const MOST: usize = 255;

/// Finds candidates.
#[derive(Debug)]
pub(crate) struct Finder {
    /// Classes of the program, by name.
    program: Vec<String>,
    /// Types that the program asks for.
    mentioned: Vec<String>,
    known: BTreeMap<String, Candidates>,
}

impl Program {
    /// What finds the candidates of its inputs: among its own classes.
    pub(crate) fn finder(&self) -> Finder {
        let made = |name: &str| name.starts_with(names::COPIES) || crate::api::class(name).is_some() || name.starts_with(TABLES);
        let classes = self.pack.iter().map(|class| class.name.clone()).filter(|name| !made(name)).collect();
        Finder::new(classes, &self.types)
    }
}

impl Finder {
    pub(crate) fn new(program: Vec<String>, mentioned: &[String]) -> Finder {
        let mut mentioned = mentioned.to_vec();
        mentioned.sort();
        Finder { program, mentioned, known: BTreeMap::new() }
    }

    /// The candidates for a type, by its descriptor.
    pub(crate) fn of(&mut self, hierarchy: &mut Hierarchy, of: &str) -> Candidates {
        if let Some(known) = self.known.get(of) {
            return known.clone();
        }
        let found = self.find(hierarchy, of);
        self.known.insert(of.to_owned(), found.clone());
        found
    }

    fn find(&self, hierarchy: &mut Hierarchy, of: &str) -> Candidates {
        let Some(class) = descriptor::class_of(of) else { return Candidates::default() };
        if let Some(element) = class.strip_prefix('[') {
            return Candidates { all: vec![Candidate::Array(element.to_owned())], limit: None, open: None };
        }
        if class == "java/lang/String" {
            return Candidates { all: vec![Candidate::Text], limit: None, open: None };
        }
        if let Some((name, _)) = BOXES.iter().find(|(name, _)| *name == class) {
            return Candidates { all: vec![Candidate::Box((*name).to_owned())], limit: None, open: None };
        }
        let info = hierarchy.get(class);
        if info.access & access::ENUM != 0 && info.followed {
            let constants = info.fields.iter().filter(|f| f.access & access::ENUM != 0).count();
            let all = (0..u32::try_from(constants).unwrap_or(0)).map(|n| Candidate::Constant(class.to_owned(), n)).collect();
            return Candidates { all, limit: None, open: None };
        }
        let mut all = Vec::new();
        let mut unbuilt = Vec::new();
        if class == "java/lang/Object" {
            all.push(Candidate::Object(class.to_owned()));
        }
        // The class itself comes first.
        let own = self.program.iter().filter(|name| *name == class);
        let below = self.program.iter().filter(|name| *name != class);
        for name in own.chain(below).filter(|name| !name.ends_with(DRIVER)) {
            let info = hierarchy.get(name);
            let made = info.access & (access::ENUM | access::SYNTHETIC) != 0;
            if info.is_abstract() || info.is_interface() || made || !hierarchy.is_subclass(name, class) {
                continue;
            }
            let foreign = hierarchy.ancestry(name).into_iter().find(|above| !hierarchy.get(above).followed);
            match foreign.as_deref() {
                None | Some("java/lang/Object" | "java/lang/Record") => all.push(Candidate::Object(name.clone())),
                Some(_) => unbuilt.push(names::readable(name)),
            }
        }
        // Of the JDK's own classes those that the program asks for.
        for name in &self.mentioned {
            let found = match name.as_str() {
                "java/lang/String" => Some(Candidate::Text),
                name => BOXES.iter().find(|b| b.0 == name).map(|b| Candidate::Box(b.0.to_owned())),
            };
            if let Some(found) = found.filter(|_| hierarchy.is_subclass(name, class)) {
                all.push(found);
            }
        }
        let readable = names::readable(class);
        let limit = if all.is_empty() {
            Some(format!("inputs of type {readable} stay null: only the JDK's own code can build one"))
        } else if all.len() > MOST {
            all.truncate(MOST);
            Some(format!("inputs of type {readable} are of {MOST} classes at most"))
        } else if unbuilt.is_empty() {
            None
        } else {
            Some(format!("inputs of type {readable} are never of class {}, which extends a class of the JDK", unbuilt.join(", ")))
        };
        let open = (!hierarchy.get(class).followed)
            .then(|| format!("inputs of type {readable} are of classes of the program, strings and boxes only"));
        Candidates { all, limit, open }
    }
}
