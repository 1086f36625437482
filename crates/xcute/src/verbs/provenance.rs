//! What the page says of a campaign besides its results: what was typed, how to go on, and which case took each arm first.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use xcute_report::{ArmCase, FileCoverage, Provenance, SourceCoverage, Summary};
use xcute_trace::{Site, SiteId, Sites};

use super::profile;
use crate::here::seen_from_here;
use crate::plan::OutputPlan;
use crate::results::Directory;
use crate::results::origin::typed;
use crate::version;

/// The runs that came first, each with its number among the runs alongside that one, if it was such a run.
#[derive(Clone, Debug, Default)]
pub struct FirstRuns {
    /// To an arm.
    pub arms: BTreeMap<(SiteId, u32), (u64, Option<usize>)>,
    /// To a place of the source, in numbers of the front end.
    pub places: BTreeMap<u64, (u64, Option<usize>)>,
}

/// How to go on, and where all of it comes from. What is resumed gets as much time again, or as many runs.
pub fn of(summary: &Summary, output: &OutputPlan) -> Provenance {
    let dir = seen_from_here(&output.dir).display().to_string();
    let words = output.words.clone().unwrap_or_else(typed);
    let mut go_on = vec!["xcute".to_owned(), "resume".to_owned(), dir.clone()];
    match summary.stop.as_str() {
        "runs" => go_on.extend(["--runs".to_owned(), (2 * summary.runs).to_string()]),
        "first-failure" | "full-coverage" => go_on.extend(["--stop-at".to_owned(), "complete".to_owned()]),
        _ => {}
    }
    Provenance {
        command: line([&["xcute".to_owned()][..], &words].concat()),
        go_on: line(go_on),
        explain: line(vec!["xcute".to_owned(), "explain".to_owned(), dir]),
        version: version::SHORT.to_owned(),
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        profile: output.profile.then(|| profile::GRAPH.to_owned()),
    }
}

/// A command line that a shell understands.
fn line(words: Vec<String>) -> String {
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// The arms that count as branches, each with the case that took it first.
pub fn arms(sites: &Sites, first: &FirstRuns, directory: &Directory) -> BTreeMap<(SiteId, u32), ArmCase> {
    let mut files = BTreeMap::new();
    let mut arms = BTreeMap::new();
    for (id, site) in (0..).map(SiteId).zip(&sites.sites).filter(|(_, site)| site.counts()) {
        for arm in 0..site.arms {
            let run = first.arms.get(&(id, arm));
            let case = run.and_then(|run| files.entry(*run).or_insert_with(|| directory.kept_case(run.0, run.1)).clone());
            arms.insert((id, arm), ArmCase { name: site.arm_name(arm), case });
        }
    }
    arms
}

/// The arms that no run took, of decisions that some run met, where branches do not stand at lines of their own.
pub fn missed(sites: &Sites, first: &FirstRuns) -> u64 {
    let taken = |id: SiteId, site: &Site| (0..site.arms).filter(|arm| first.arms.contains_key(&(id, *arm))).count() as u64;
    let counted = (0..).map(SiteId).zip(&sites.sites).filter(|(_, site)| site.counts());
    counted.map(|(id, site)| (taken(id, site), u64::from(site.arms))).filter(|(taken, _)| *taken > 0).map(|(taken, all)| all - taken).sum()
}

/// The case that came to each line first: the first one that is kept.
pub fn reached(coverage: &SourceCoverage, first: &FirstRuns, directory: &Directory) -> BTreeMap<String, BTreeMap<u32, String>> {
    let mut files = BTreeMap::new();
    let mut case = |run: (u64, Option<usize>)| files.entry(run).or_insert_with(|| directory.kept_case(run.0, run.1)).clone();
    let mut line = |places: &Vec<u64>| {
        let runs: BTreeSet<_> = places.iter().filter_map(|place| first.places.get(place).copied()).collect();
        runs.into_iter().find_map(&mut case)
    };
    let mut of = |file: &FileCoverage| file.places.iter().filter_map(|(at, places)| Some((*at, line(places)?))).collect();
    coverage.files.iter().map(|(path, file)| (path.clone(), of(file))).collect()
}

/// The files of all failures, by id.
pub fn files(summary: &Summary, directory: &Directory) -> BTreeMap<String, Vec<String>> {
    let unconfirmed = summary.unconfirmed.iter().map(|unconfirmed| &unconfirmed.failure);
    let all = summary.failures.iter().chain(unconfirmed);
    all.map(|failure| (failure.id.clone(), directory.files_of(&failure.id))).filter(|(_, files)| !files.is_empty()).collect()
}
