//! The checked plan of `xcute model`: the model is read and resolved, and the capsule and all messages are in it.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use xcute_model::flat::Flat;
use xcute_model::load;
use xcute_model::lower::{SearchOptions, observed};
use xcute_model::property::Property;
use xcute_model::sequence::Mode;

use super::arguments::ModelArguments;
use crate::language::c::plan::{RunningPlan, running};

/// What is asked for.
pub enum Asked {
    /// A campaign.
    Search(Box<ModelPlan>),
    /// A text.
    Show(String),
}

/// A campaign over a capsule.
pub struct ModelPlan {
    pub origin: Origin,
    pub flat: Flat,
    pub options: SearchOptions,
    pub run: RunningPlan,
    /// The program of another tool.
    pub compare: Option<PathBuf>,
    /// How often a set of transitions is run before others.
    pub iexec: Option<u32>,
}

/// All that is needed to read a model and make its program again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The files of the model.
    pub files: Vec<PathBuf>,
    pub capsule: String,
    pub length: u32,
    pub text: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texec: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub system: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub monitors: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_unexpected: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_message: bool,
    /// Whether inputs are random.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub random: bool,
    /// Flags for clang.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

impl Origin {
    /// What runs together.
    pub fn mode(&self) -> Mode {
        if self.system { Mode::System } else { Mode::Unit }
    }

    /// Reads the model; paths are meant in this directory.
    pub fn load(&self, directory: &Path) -> Result<(Flat, SearchOptions)> {
        let files: Vec<PathBuf> = self.files.iter().map(|file| directory.join(file)).collect();
        let flat = load::load(&files)?;
        let options = self.options(&flat)?;
        Ok((flat, options))
    }

    /// What is explored, checked.
    pub fn options(&self, flat: &Flat) -> Result<SearchOptions> {
        let capsule = flat.capsule(&self.capsule)?;
        let found = &flat.capsules[capsule];
        if flat.model.capsules[capsule].is_abstract {
            bail!("{}: capsule {} is abstract (name one that is derived from it)", found.place, found.name);
        }
        if found.machine.is_none() && !self.system {
            let hint = if found.parts.is_empty() { "" } else { " (--system runs the capsules in its parts)" };
            bail!("{}: capsule {} has no state machine, so there is nothing to test{hint}", found.place, found.name);
        }
        let never = self.never.iter().map(|text| Property::together(text, flat, capsule, self.system));
        let others = self.properties.iter().map(|text| Property::read(text, flat, capsule, self.system));
        let properties = never.chain(others).collect::<Result<Vec<_>, String>>().map_err(anyhow::Error::msg)?;
        let monitors = self.monitors.iter().map(|name| monitor(flat, capsule, name)).collect::<Result<_>>()?;
        let (length, text, unexpected, system) = (self.length, self.text, !self.allow_unexpected, self.system);
        let (any_message, random, texec) = (self.any_message, self.random, self.texec);
        Ok(SearchOptions { capsule, length, texec, text, unexpected, any_message, random, system, properties, monitors })
    }
}

/// A capsule that can watch another one.
fn monitor(flat: &Flat, of: usize, name: &str) -> Result<usize> {
    let monitor = flat.capsule(name)?;
    let found = &flat.capsules[monitor];
    if flat.model.capsules[monitor].is_abstract || found.machine.is_none() {
        bail!("{}: capsule {name} has no state machine, so it cannot be a monitor", found.place);
    }
    if !(0..found.ports.len()).any(|port| observed(flat, of, monitor, port).is_some()) {
        let of = &flat.capsules[of].name;
        bail!("{}: the monitor {name} has no port with the name and protocol of a port of {of}, so it sees nothing", found.place);
    }
    Ok(monitor)
}

/// Checks a `xcute model`.
pub fn model(low: ModelArguments) -> Result<Asked> {
    let flat = load::load(&low.files)?;
    if low.print {
        return Ok(Asked::Show(xcute_model::art::print(&flat.model)));
    }
    if let Some(directory) = &low.cpp {
        xcute_model::run::write(&xcute_model::lower::lower(&flat), directory)?;
        return Ok(Asked::Show(String::new()));
    }
    let capsule = match (low.capsule, &flat.model.top) {
        (Some(capsule), _) => capsule,
        (None, Some(top)) if low.system => top.clone(),
        (None, None) if low.system => bail!("the model names no top capsule (choose one with --capsule)"),
        (None, _) => return Ok(Asked::Show(list(&flat))),
    };
    let origin = Origin {
        files: low.files,
        capsule,
        length: low.length,
        text: low.text,
        texec: low.texec,
        system: low.system,
        never: low.never,
        properties: low.property,
        monitors: low.monitor,
        allow_unexpected: low.allow_unexpected,
        any_message: low.any_message,
        random: false,
        flags: low.flags,
    };
    let options = origin.options(&flat)?;
    Ok(Asked::Search(Box::new(ModelPlan { origin, flat, options, run: running(&low.run)?, compare: low.compare, iexec: low.iexec })))
}

/// The capsules of a model, one a line.
fn list(flat: &Flat) -> String {
    let mut out = String::new();
    for (capsule, declared) in flat.capsules.iter().zip(&flat.model.capsules) {
        let what = match &capsule.machine {
            _ if declared.is_abstract => "abstract".to_owned(),
            None => "no state machine".to_owned(),
            Some(machine) => {
                let many = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
                format!("{}, {}", many(machine.states().count(), "state"), many(machine.edges.len(), "transition"))
            }
        };
        out += &format!("{}: {what}\n", capsule.name);
    }
    out
}
