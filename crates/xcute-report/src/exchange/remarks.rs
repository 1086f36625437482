//! Remarks on one source file, for editors: what fails there, and which branches were not taken.
//!
//! Several campaigns may know the same failure: the newest one describes it.
//!
//! **Invariant.** A remark stands at a line only if the campaign was made from the text that the file has now. Nothing is called unreachable by a campaign of which
//! another source changed.

use std::collections::BTreeSet;

use xcute_trace::Frame;

use super::combined::Untaken;
use super::{Campaign, Combined, Project, brief, fingerprint};
use crate::groups::groups;
use crate::summary::Failure;

/// What became of the sources of a campaign since it ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    None,
    /// The file is as it was, but these others changed.
    Others(Vec<String>),
    /// The file itself changed, or nobody knows whether it did.
    Itself,
}

/// How much a remark matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A failure.
    Error,
    /// A failure that could not be confirmed.
    Warning,
    /// Something to know.
    Note,
    /// Branches that no run took.
    Missed,
    /// Branches that no input takes.
    Unreachable,
}

/// A remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 where it is the whole line.
    pub column: u32,
    /// How much it matters.
    pub level: Level,
    /// Of which kind: `assertion`, `not-covered`.
    pub kind: String,
    /// What there is to say, in a few lines.
    pub message: String,
    /// Other places that have to do with it, with absolute paths, and what happens there.
    pub related: Vec<(Frame, String)>,
    /// The results directory and the id of a failure.
    pub failure: Option<(String, String)>,
}

/// The remarks on the file with this absolute path, in the order of its lines. Campaigns come newest first, each with what changed since.
#[must_use]
pub fn remarks(file: &str, campaigns: &[(&Campaign, Change)]) -> Vec<Remark> {
    let mut all = Vec::new();
    let mut known = BTreeSet::new();
    for (campaign, change) in campaigns.iter().filter(|(_, change)| *change != Change::Itself) {
        failures(file, campaign, change, &mut known, &mut all);
    }
    let current = campaigns.iter().filter(|(_, change)| *change == Change::None).map(|(campaign, _)| *campaign);
    let everywhere = Project { root: "/".to_owned() };
    let combined = Combined::of(current, &everywhere);
    if let Some(coverage) = combined.files.get(&everywhere.path("/", file)) {
        all.extend(coverage.untaken().into_iter().filter(|(line, _)| *line > 0).flat_map(|(line, untaken)| branches(line, untaken)));
        all.extend(coverage.idle().filter(|(line, _)| *line > 0).map(|(line, proved)| idle(line, proved)));
    }
    all.extend(older(campaigns));
    all.sort_by_key(|remark| (remark.line, remark.column, remark.level));
    all
}

/// Adds the failures of a campaign at places of the file, but for those that are known already.
fn failures(file: &str, campaign: &Campaign, change: &Change, known: &mut BTreeSet<String>, all: &mut Vec<Remark>) {
    let everywhere = Project { root: "/".to_owned() };
    let prints = fingerprint::all(std::slice::from_ref(campaign), &everywhere);
    let new: BTreeSet<&str> = campaign
        .failures()
        .zip(prints)
        .filter(|(_, print)| known.insert(print.clone()))
        .map(|((failure, _), _)| failure.id.as_str())
        .collect();
    let here = |failure: &Failure| failure.line > 0 && Project::whole(&campaign.origin, &failure.file) == file;
    let remark = |failure: &Failure, why: Option<&str>, ways: usize| {
        let ways = if ways > 1 { format!("\nreached in {ways} ways") } else { String::new() };
        let since = match change {
            Change::Others(others) => format!("\nfound before {} changed", others.join(", ")),
            Change::None | Change::Itself => String::new(),
        };
        Remark {
            line: failure.line,
            column: failure.column,
            level: if why.is_none() { Level::Error } else { Level::Warning },
            kind: failure.kind.name().to_owned(),
            message: format!("{}{ways}{since}\nreplay: {}", brief::failure(campaign, failure, why), failure.replay),
            related: related(campaign, failure),
            failure: Some((campaign.directory.clone(), failure.id.clone())),
        }
    };
    let confirmed: Vec<Failure> =
        campaign.report.summary.failures.iter().filter(|failure| new.contains(failure.id.as_str())).cloned().collect();
    all.extend(groups(&confirmed).iter().filter(|group| here(group.first)).map(|group| remark(group.first, None, 1 + group.more.len())));
    let open = campaign.report.summary.unconfirmed.iter().filter(|open| new.contains(open.failure.id.as_str()) && here(&open.failure));
    all.extend(open.map(|open| remark(&open.failure, Some(&open.why), 1)));
}

/// The calls that led to a failure, or what the threads did, and other places that matter.
fn related(campaign: &Campaign, failure: &Failure) -> Vec<(Frame, String)> {
    let whole = |at: &Frame| Frame { file: Project::whole(&campaign.origin, &at.file), ..at.clone() };
    let placed = |at: &&Frame| !at.file.is_empty() && at.line > 0;
    let calls = failure.stack.iter().skip(1).filter(placed).map(|at| (whole(at), format!("called by {}", at.function)));
    let steps = failure.interleaving.iter().filter(|step| placed(&&step.at));
    let steps = steps.map(|step| (whole(&step.at), format!("thread {} {}", step.task, step.what)));
    let notes = failure.notes.iter().filter(|note| placed(&&note.at)).map(|note| (whole(&note.at), note.what.clone()));
    calls.chain(steps).chain(notes).collect()
}

/// What there is to say of branches at a line.
fn branches(line: u32, untaken: Untaken) -> Vec<Remark> {
    let Untaken { arms, missed, infeasible } = untaken;
    let of = |count: u64| format!("{count} of {arms} branches on this line");
    let remark = |level: Level, kind: &str, message: String| hint(line, level, kind, message);
    let (was, takes) = (if missed == 1 { "was" } else { "were" }, of(infeasible));
    let missed = (missed > 0).then(|| remark(Level::Missed, "not-covered", format!("{} {was} not taken", of(missed))));
    let never =
        (infeasible > 0).then(|| remark(Level::Unreachable, "unreachable", format!("no input takes {takes}: every feasible path was run")));
    missed.into_iter().chain(never).collect()
}

/// What there is to say of a line that no run came to.
fn idle(line: u32, proved: bool) -> Remark {
    match proved {
        true => hint(line, Level::Unreachable, "unreachable", "no input comes here: every feasible path was run".to_owned()),
        false => hint(line, Level::Missed, "not-covered", "no run came here".to_owned()),
    }
}

fn hint(line: u32, level: Level, kind: &str, message: String) -> Remark {
    Remark { line, column: 0, level, kind: kind.to_owned(), message, related: Vec::new(), failure: None }
}

/// Says whose results are older than the file, if nothing newer is known of them.
fn older(campaigns: &[(&Campaign, Change)]) -> Option<Remark> {
    let subject = |campaign: &Campaign| (campaign.report.summary.language.clone(), campaign.report.summary.subject.clone());
    let of = |wanted: bool| {
        let some = campaigns.iter().filter(move |(_, change)| (*change == Change::Itself) == wanted);
        some.map(|(campaign, _)| subject(campaign)).collect::<BTreeSet<_>>()
    };
    let current = of(false);
    let names: Vec<String> = of(true).into_iter().filter(|old| !current.contains(old)).map(|(_, name)| name).collect();
    (!names.is_empty()).then(|| Remark {
        line: 1,
        column: 0,
        level: Level::Note,
        kind: "older-results".to_owned(),
        message: format!("results are older than the file: {} (test again to see them)", names.join(", ")),
        related: Vec::new(),
        failure: None,
    })
}
