//! A source file on the page: what ran, which arms were taken by which case, and what no input reaches.
//!
//! **Invariant.** "No input" is said only where the search is complete and no path was left to another.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::place::anchor;
use super::syntax::{Colours, rules};
use crate::coverage::{BranchArm, FileCoverage};
use crate::report::Report;

/// Longer files are folded.
const LONG: usize = 3000;

/// With more lines than this, the script makes elements of lines when they are looked at, and of the others when there is nothing else to do.
const MANY: usize = 3000;

/// Whether a page would be slow to show all lines of its sources at once.
pub(super) fn many(report: &Report) -> bool {
    let texts = report.coverage.files.keys().filter_map(|path| report.sources.get(path));
    texts.map(|text| text.lines().count()).sum::<usize>() > MANY
}

/// The lines of a file with their coverage; nothing where its text is not known. `later`: the script makes elements of them; without scripts they are there at once.
pub(super) fn listing(path: &str, file: &FileCoverage, report: &Report, later: bool) -> Markup {
    let Some(text) = report.sources.get(path) else { return Markup::default() };
    let listing = Listing::of(path, file, report);
    let mut colours = Colours::new(rules(path));
    let lines = html! { @for (number, source) in (1..).zip(text.lines()) { (listing.line(number, &colours.line(source))) } };
    html! {
        details class="file" id=(anchor(path, 0)) open[text.lines().count() <= LONG] { "\n"
            summary { h3 { (path) } } "\n"
            div class="source" data-lines=[later.then(|| text.lines().count())] { "\n"
                @if later { noscript { "\n" (lines) } } @else { (lines) }
            } "\n"
        } "\n"
    }
}

struct Listing<'a> {
    path: &'a str,
    file: &'a FileCoverage,
    report: &'a Report,
    arms: BTreeMap<u32, Vec<&'a BranchArm>>,
    failures: BTreeMap<u32, Vec<&'a str>>,
    /// Decisions of which an arm was taken.
    met: BTreeSet<u32>,
}

impl<'a> Listing<'a> {
    fn of(path: &'a str, file: &'a FileCoverage, report: &'a Report) -> Listing<'a> {
        let mut arms: BTreeMap<u32, Vec<&BranchArm>> = BTreeMap::new();
        for arm in &file.branches {
            arms.entry(arm.line).or_default().push(arm);
        }
        let mut failures: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        for failure in report.summary.failures.iter().filter(|failure| failure.file == path) {
            failures.entry(failure.line).or_default().push(&failure.id);
        }
        let met = file.branches.iter().filter(|arm| arm.taken).map(|arm| arm.branch).collect();
        Listing { path, file, report, arms, failures, met }
    }

    fn line(&self, number: u32, source: &Markup) -> Markup {
        let arms = self.arms.get(&number).map_or(&[][..], Vec::as_slice);
        let taken = arms.iter().filter(|arm| arm.taken).count();
        let settled = self.report.summary.settled();
        let class = match self.file.lines.get(&number) {
            None => "",
            Some(false) if settled => "never",
            Some(false) => "missed",
            Some(true) if taken == arms.len() => "ran",
            Some(true) if settled => "ran never",
            Some(true) => "partly",
        };
        let failed = self.failures.get(&number);
        let class = if failed.is_some() { format!("l {class} fails") } else { format!("l {class}") };
        let id = anchor(self.path, number);
        html! {
            div class=(class.trim()) id=(id) title=[self.title(number)] {
                a class="n" href={ "#" (id) } { (number) }
                @if arms.is_empty() { (self.reached(number)) } @else {
                    button class="a" data-arms=(self.ways(arms)) data-case=[self.case(number)] data-at={ (self.path) ":" (number) } title=(self.described(arms)) { (taken) "/" (arms.len()) }
                }
                code { (source) }
                @for id in failed.into_iter().flatten() { " " a class="to" href={ "#" (id) } { (id) } }
            } "\n"
        }
    }

    /// The case that came to a line first, where it is known.
    fn case(&self, number: u32) -> Option<&'a String> {
        self.report.reached.get(self.path)?.get(&number)
    }

    /// The link to that case, for a line that decides nothing.
    fn reached(&self, number: u32) -> Markup {
        html! { @if let Some(case) = self.case(number) { a class="a" href=(case) title={ "reached by " (case) } { "•" } } @else { span class="a" {} } }
    }

    /// Why a line did not run.
    fn title(&self, number: u32) -> Option<&'static str> {
        match self.file.lines.get(&number) {
            Some(false) if self.report.summary.settled() => Some("No input comes here: the search is complete."),
            Some(false) => Some("No run came here yet."),
            _ => None,
        }
    }

    /// An arm in words: its name, whether it was taken, and the case that took it first.
    fn arm(&self, arm: &BranchArm) -> (String, &'static str, Option<&'a String>) {
        let known = arm.site.and_then(|site| self.report.arms.get(&(site, arm.arm)));
        let name = known.map_or_else(|| (arm.arm + 1).to_string(), |known| known.name.clone());
        let state = match (arm.taken, self.report.summary.settled() && self.met.contains(&arm.branch)) {
            (true, _) => "taken",
            (false, true) => "proved unreachable: no input takes it",
            (false, false) if self.met.contains(&arm.branch) => "not taken yet",
            (false, false) => "not reached",
        };
        (name, state, known.and_then(|known| known.case.as_ref()))
    }

    fn described(&self, arms: &[&BranchArm]) -> String {
        let one = |arm: &&BranchArm| {
            let (name, state, case) = self.arm(arm);
            case.map_or_else(|| format!("{name}: {state}"), |case| format!("{name}: {state}, first by {case}"))
        };
        arms.iter().map(one).collect::<Vec<_>>().join("\n")
    }

    /// The same for the script.
    fn ways(&self, arms: &[&BranchArm]) -> String {
        let all: Vec<_> = arms.iter().map(|arm| self.arm(arm)).collect();
        serde_json::to_string(&all).unwrap_or_default()
    }
}
