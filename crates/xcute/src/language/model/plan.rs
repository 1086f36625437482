//! The checked plan of `xcute model`: the model is read and resolved, and the capsule and all messages are in it.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use xcute_model::flat::Flat;
use xcute_model::ir::Direction;
use xcute_model::load;
use xcute_model::lower::{SearchOptions, Sent};

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
}

/// All that is needed to read a model and make its program again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The files of the model.
    pub files: Vec<PathBuf>,
    pub capsule: String,
    pub length: u32,
    pub text: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_unexpected: bool,
    /// Flags for clang.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

impl Origin {
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
        if found.machine.is_none() {
            bail!("{}: capsule {} has no state machine, so there is nothing to test", found.place, found.name);
        }
        let never = self.never.iter().map(|text| sent(flat, capsule, text)).collect::<Result<_>>()?;
        Ok(SearchOptions { capsule, length: self.length, text: self.text, unexpected: !self.allow_unexpected, never })
    }
}

/// Reads `PORT.MESSAGE,PORT.MESSAGE`.
fn sent(flat: &Flat, capsule: usize, text: &str) -> Result<Vec<Sent>> {
    let capsule = &flat.capsules[capsule];
    let one = |name: &str| {
        let Some((port, message)) = name.trim().split_once('.') else {
            bail!("cannot understand --never {text} (write it as in --never steer.vibrate,steer.reverse)");
        };
        let known = |at: &usize| capsule.ports[*at].name == port && !capsule.ports[*at].excluded;
        let Some(at) = (0..capsule.ports.len()).find(known) else {
            bail!("cannot use --never {text}: capsule {} has no port {port}", capsule.name);
        };
        let messages = &flat.protocols[capsule.ports[at].protocol].messages;
        let passes =
            |number: &usize| messages[*number].name == message && messages[*number].passes(Direction::Out, capsule.ports[at].conjugated);
        let Some(number) = (0..messages.len()).find(passes) else {
            bail!("cannot use --never {text}: no message {message} is sent through port {port}");
        };
        Ok(Sent { port: at, message: number, name: name.trim().to_owned() })
    };
    text.split(',').map(one).collect()
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
    let Some(capsule) = low.capsule else { return Ok(Asked::Show(list(&flat))) };
    let (length, text, never, allow_unexpected) = (low.length, low.text, low.never, low.allow_unexpected);
    let origin = Origin { files: low.files, capsule, length, text, never, allow_unexpected, flags: low.flags };
    let options = origin.options(&flat)?;
    Ok(Asked::Search(Box::new(ModelPlan { origin, flat, options, run: running(&low.run) })))
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
