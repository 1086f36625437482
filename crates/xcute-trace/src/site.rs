//! Sites: the places of a program where runs can part.
//!
//! **Invariant.** A site is named by file, function and ordinal, never by an address, so ids are equal in every build.

use serde::{Deserialize, Serialize};

/// Names a site of one subject: its position in [`Sites`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SiteId(pub u32);

/// What kind of place it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteKind {
    /// A condition: `if`, a loop test, an operand of `&&` or `||`, `?:`. Arm 0 is false, arm 1 true.
    Branch,
    /// A choice among several: `switch`, clauses, rules. The last arm of a `switch` is its default.
    Switch,
    /// A check that xcute adds (division by zero, NULL, bounds). Arm 1: it holds. Arm 0: the failure.
    Check,
    /// An assumption. Arm 1: it holds. Arm 0: the run is rejected.
    Assume,
    /// A value fixed to what the run had (an address, a size, an argument of foreign code). Arm 1: the same value.
    Concretised,
    /// A decision in the model of a library function: followed like those of the program, but no part of its coverage.
    Library,
    /// A choice of which task runs next.
    Schedule,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// The kind.
    pub kind: SiteKind,
    /// Source file, as it was named to the compiler.
    pub file: String,
    /// Line, from 1; 0 where unknown.
    pub line: u32,
    /// Column, from 1; 0 where unknown.
    pub column: u32,
    /// The function it stands in.
    pub function: String,
    /// Its number among the sites of that function.
    pub ordinal: u32,
    /// How many arms it has.
    pub arms: u32,
    /// For each arm, the sites that can be reached next without passing another (control-flow successors),
    /// for search that is directed by the control-flow graph. Empty where unknown.
    pub next: Vec<Vec<SiteId>>,
}

impl Site {
    /// Whether its arms count as branches in coverage figures.
    #[must_use]
    pub fn counts(&self) -> bool {
        matches!(self.kind, SiteKind::Branch | SiteKind::Switch)
    }

    /// An arm in one word, for people.
    #[must_use]
    pub fn arm_name(&self, arm: u32) -> String {
        let names = match self.kind {
            SiteKind::Branch | SiteKind::Library if self.arms == 2 => ["false", "true"],
            SiteKind::Check => ["fails", "holds"],
            SiteKind::Assume => ["rejected", "holds"],
            SiteKind::Concretised => ["other", "same"],
            SiteKind::Switch if arm + 1 == self.arms => return "default".to_owned(),
            _ => return (arm + 1).to_string(),
        };
        names.get(arm as usize).map_or_else(|| (arm + 1).to_string(), |&name| name.to_owned())
    }
}

/// All sites of a subject.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sites {
    /// The sites, by id.
    pub sites: Vec<Site>,
}

impl Sites {
    /// The site with this id.
    #[must_use]
    pub fn get(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }
}
