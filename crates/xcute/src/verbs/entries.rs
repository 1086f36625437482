//! The entries of a project, searched one after the other, each by a process of its own; what `xcute test` and `xcute ci` have in common.
//!
//! **Invariant.** What is reported of an entry is of this search: what an earlier one left is gone before it begins. An entry that left no results could not be
//! tested, whatever its process ended with.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use xcute_report::{Failure, Report};

use super::progress::Progress;
use super::show::exit;
use super::{exchange, reread};
use crate::arguments::ProjectArguments;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::plan::{self, Drawn, ReportPlan, Show};
use crate::project::{self, Again, Budget, Entry, Manifest};
use crate::results::discard;
use crate::results::origin::Origin;
use crate::talk;

/// A project that is about to be searched.
pub struct Project {
    pub manifest: Manifest,
    pub interrupt: Interrupt,
    pub show: Show,
    pub progress: Drawn,
    reports: Vec<ReportPlan>,
}

/// What became of an entry.
pub struct Ran {
    pub name: String,
    pub exit: Exit,
    /// In one line.
    pub verdict: String,
    /// Whether the search ended by itself, and left results.
    pub whole: bool,
    /// The results directories of its campaigns, and what they hold.
    pub dirs: Vec<PathBuf>,
    pub reports: Vec<Report>,
    words: Vec<String>,
    took: Duration,
}

impl Project {
    /// Reads the file, and goes to its directory.
    pub fn open(low: &ProjectArguments) -> Result<Project> {
        let file = project::find(low.manifest.as_deref())?;
        let manifest = Manifest::read(&file)?;
        let whole = |plan: &ReportPlan| Ok(ReportPlan { file: std::path::absolute(&plan.file)?, ..plan.clone() });
        let reports = low.report.iter().map(whole).collect::<Result<Vec<_>>>()?;
        if std::env::current_dir().ok().as_deref() != Some(&manifest.root) {
            talk::say(&format!("the project is {}", manifest.root.display()));
        }
        std::env::set_current_dir(&manifest.root).with_context(|| format!("cannot go to {}", manifest.root.display()))?;
        let (show, progress) = plan::project(low);
        Ok(Project { manifest, interrupt: Interrupt::listen(), show, progress, reports })
    }

    /// The entries of these names, in the order of the file; all, where none is named.
    pub fn chosen(&self, names: &[String]) -> Result<Vec<&Entry>> {
        let all = &self.manifest.entries;
        if let Some(unknown) = names.iter().find(|name| all.iter().all(|entry| entry.name != **name)) {
            let known: Vec<&str> = all.iter().map(|entry| entry.name.as_str()).collect();
            bail!("there is no entry {unknown:?} in {} (there are {})", project::FILE, known.join(", "));
        }
        Ok(all.iter().filter(|entry| names.is_empty() || names.contains(&entry.name)).collect())
    }

    /// Where the results of an entry go.
    pub fn directory(&self, entry: &Entry) -> PathBuf {
        self.manifest.out.join(&entry.name)
    }

    /// Searches an entry, with its share of the time; `if_changed`: only if it is not what it was.
    pub fn search(&self, entry: &Entry, budget: &mut Budget, if_changed: bool) -> Result<Ran> {
        let dir = self.directory(entry);
        if !if_changed {
            discard(&dir)?;
        }
        let time = match (budget.share(), entry.time) {
            (Some(share), Some(own)) => Some(share.min(own)),
            (Some(share), None) => Some(share),
            (None, own) => own,
        };
        let mut more = vec!["-q".to_owned(), format!("--out={}", dir.display())];
        more.extend(time.filter(|time| entry.time != Some(*time)).map(|time| format!("--time={}ms", time.as_millis())));
        more.extend(if_changed.then(|| "--if-changed".to_owned()));
        let words = entry.line.words(&more);
        let line = Progress::new(self.progress, &entry.name);
        line.say("searching");
        let begin = Instant::now();
        let again = project::run(&words, &self.manifest.root, &self.interrupt)?;
        drop(line);
        // What comes before a search and after it takes nothing from others.
        budget.spent(time.map_or_else(|| begin.elapsed(), |time| begin.elapsed().min(time)));
        Ok(self.concluded(entry, &dir, words, again))
    }

    /// What a process left.
    fn concluded(&self, entry: &Entry, dir: &Path, words: Vec<String>, again: Again) -> Ran {
        let mut said: Vec<&str> = again.stderr.lines().map(|line| line.strip_prefix("xcute: ").unwrap_or(line)).collect();
        let read = exchange::below(dir).and_then(|mut dirs| {
            // What an earlier search left may be of a function that is gone.
            let parts = Origin::read(dir).map(|origin| origin.parts).unwrap_or_default();
            dirs.retain(|found| parts.is_empty() || parts.iter().any(|part| *found == dir.join(part)));
            let reports = dirs.iter().map(|dir| reread::read(dir)).collect::<Result<Vec<_>>>()?;
            Ok((dirs, reports))
        });
        let why = match &read {
            _ if again.exit == Exit::CouldNot => Some(said.pop().unwrap_or("xcute gave no reason").to_owned()),
            Err(_) if !dir.exists() => Some("its command line asks for no search".to_owned()),
            Err(error) => Some(format!("{error:#}")),
            Ok(_) => None,
        };
        said.iter().for_each(|line| talk::say(&format!("{}: {line}", entry.name)));
        let (dirs, reports) = read.unwrap_or_default();
        // What was found before it ended counts.
        let found = reports.iter().any(|report| exit(report, self.show) == Exit::Failures);
        let exit = match (found, &why) {
            (true, _) => Exit::Failures,
            (false, Some(_)) => Exit::CouldNot,
            (false, None) if again.exit == Exit::Failures => Exit::NoFailure,
            (false, None) => again.exit,
        };
        let verdict = why
            .clone()
            .map_or_else(|| again.stdout.lines().last().unwrap_or_default().to_owned(), |why| format!("could not be tested: {why}"));
        Ran { name: entry.name.clone(), exit, verdict, whole: why.is_none(), dirs, reports, words, took: again.took }
    }

    /// Writes what other tools read.
    pub fn write_reports(&self, ran: &[&Ran]) -> Result<()> {
        let dirs: Vec<PathBuf> = ran.iter().flat_map(|ran| ran.dirs.clone()).collect();
        if dirs.is_empty() && !self.reports.is_empty() {
            bail!("there is nothing to report: no entry could be tested");
        }
        exchange::write_all(&dirs, &self.reports, self.show)
    }
}

impl Ran {
    /// The failures that count, each with the reason why it is not confirmed.
    pub fn failures(&self, show: Show) -> impl Iterator<Item = (&Failure, Option<&str>)> {
        self.reports.iter().flat_map(move |report| {
            let doubted = report.summary.unconfirmed.iter().filter(move |_| !show.ignore_unconfirmed);
            let doubted = doubted.map(|open| (&open.failure, Some(open.why.as_str())));
            report.summary.failures.iter().map(|failure| (failure, None)).chain(doubted)
        })
    }

    /// Whether all its searches are complete.
    pub fn complete(&self) -> bool {
        self.whole && !self.reports.is_empty() && self.reports.iter().all(|report| report.summary.complete)
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let summaries = self.reports.iter().map(|report| serde_json::from_str::<Value>(&xcute_report::json(&report.summary)));
        json!({
            "name": self.name,
            "command": self.words,
            "exit": self.exit.code(),
            "verdict": self.verdict,
            "complete": self.complete(),
            "seconds": self.took.as_secs_f64(),
            "results": self.dirs.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>(),
            "campaigns": summaries.filter_map(Result::ok).collect::<Vec<_>>(),
        })
    }
}

/// A failure in two lines: what and where, and the command that repeats it.
pub fn brief(failure: &Failure, doubt: Option<&str>) -> String {
    let mut out = format!("  {} {}: {}", failure.id, failure.kind.name(), failure.message.lines().next().unwrap_or_default());
    if !failure.file.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(out, ", at {}:{} in {}", failure.file, failure.line, failure.function);
    }
    if let Some(why) = doubt {
        let _ = write!(out, " (not confirmed: {why})");
    }
    out + "\n    " + &failure.replay + "\n"
}

/// `insert, path`: names in one line.
pub fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}
