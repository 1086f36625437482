//! What pruning found: the interpolants of program points, in terms of the source.
//!
//! **Invariant.** Each is reported once for a place, however many paths it was found on.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use xcute_engine::{Campaign, NodeState};
use xcute_trace::{SiteId, Sites};

use crate::front::FrontEnd;

/// The name by which all of them are asked for.
pub const NAME: &str = "interpolants";

/// What is known at a site.
#[derive(Debug, Default)]
pub struct Known {
    place: String,
    /// Full interpolants, and how many nodes have each; those that another one subsumes last.
    full: BTreeMap<(bool, String), usize>,
    half: usize,
}

/// The interpolants by site.
pub fn of<F: FrontEnd>(front: &F, sites: &Sites, campaign: &Campaign<'_>) -> BTreeMap<SiteId, Known> {
    let mut all: BTreeMap<SiteId, Known> = BTreeMap::new();
    for node in campaign.annotated(usize::MAX).unwrap_or_default() {
        let Some((id, site)) = node.site.and_then(|id| Some((id, sites.sites.get(id.0 as usize)?))) else { continue };
        let known = all.entry(id).or_default();
        known.place = match site.line {
            // A branch that is nowhere in the source: the end of a scope that was left on several ways.
            0 => format!("in {}", site.function),
            line => format!("{}:{line}:{}", front.file(&site.file), site.column),
        };
        if node.state == NodeState::Half {
            known.half += 1;
            continue;
        }
        let mut text = match &node.interpolant {
            Some(text) => front.readable(text),
            None => "(too large to be kept)".to_owned(),
        };
        if let Some(decisions) = node.horizon {
            text += &format!(" (for {decisions} branches)");
        }
        *known.full.entry((node.state == NodeState::Subsumed, text)).or_insert(0) += 1;
    }
    all
}

/// All of them, in the order of the source.
pub fn all(known: &BTreeMap<SiteId, Known>) -> Result<String> {
    if known.is_empty() {
        bail!("nothing was pruned (begin the campaign with --prune interpolation)");
    }
    Ok(at(known, &known.keys().copied().collect()))
}

/// Those of these sites.
pub fn at(known: &BTreeMap<SiteId, Known>, sites: &BTreeSet<SiteId>) -> String {
    let mut text = String::new();
    for known in sites.iter().filter_map(|site| known.get(site)) {
        let mut paths: BTreeMap<&str, usize> = BTreeMap::new();
        for ((_, interpolant), count) in &known.full {
            *paths.entry(interpolant).or_insert(0) += count;
        }
        for (interpolant, count) in paths {
            text += &format!("{}: cannot fail from here if {interpolant} ({})\n", known.place, nodes(count));
        }
        if known.half > 0 {
            text += &format!("{}: not known ({})\n", known.place, nodes(known.half));
        }
    }
    text
}

/// In one line.
pub fn overview(known: &BTreeMap<SiteId, Known>) -> String {
    let places = known.values().filter(|known| !known.full.is_empty()).count();
    let different: usize = known.values().map(|known| known.full.keys().map(|key| &key.1).collect::<BTreeSet<_>>().len()).sum();
    format!("{different} interpolants at {places} places (xcute explain DIR {NAME} shows them)")
}

fn nodes(count: usize) -> String {
    if count == 1 { "on one path".to_owned() } else { format!("on {count} paths") }
}
