//! Results in the forms of other tools: what several results directories hold, as one document.
//!
//! **Invariant.** A document holds all campaigns that were asked for, or there is none: a campaign without a summary is an error that says how to go on.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail};
use xcute_report::exchange::{Campaign, Combined, Exchange, Passed, Project, cobertura, fingerprints, github, junit, sarif};
use xcute_report::{Failure, Report, lcov};

use super::reread::read;
use super::show::exit;
use crate::front::CaseText;
use crate::language;
use crate::plan::{Form, ReportPlan, Show};
use crate::results::origin::Origin;
use crate::results::{Directory, case_files};

/// The results directories at or below a path, in the order of their names.
pub fn below(path: &Path) -> Result<Vec<PathBuf>> {
    let (found, open) = gathered(path);
    if let Some(open) = open.first() {
        let open = open.display();
        bail!("cannot report {open}: its campaign has not ended, or was killed (xcute resume {open} continues it)");
    }
    if found.is_empty() {
        bail!("cannot read {} (is {} a results directory?)", path.join("summary.json").display(), path.display());
    }
    Ok(found)
}

/// The same, without an error where there are none, and apart those whose campaign has not ended.
pub fn gathered(path: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    gather(path, &mut found, &mut open);
    (found, open)
}

fn gather(path: &Path, found: &mut Vec<PathBuf>, open: &mut Vec<PathBuf>) {
    if path.join("summary.json").is_file() {
        found.push(path.to_owned());
    } else if Directory::holds_campaign(path) {
        open.push(path.to_owned());
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    let mut inner: Vec<PathBuf> =
        entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()).collect();
    inner.sort();
    // What is below a results directory that is not its own belongs to campaigns of parts.
    for inner in inner.iter().filter(|inner| !inner.ends_with("cases") && !inner.ends_with("failures")) {
        gather(inner, found, open);
    }
}

/// Results directories as one document.
pub fn document(dirs: &[PathBuf], form: Form, root: Option<&Path>, show: Show) -> Result<String> {
    let campaigns = dirs.iter().map(|dir| campaign(dir, form, show)).collect::<Result<Vec<_>>>()?;
    let project = Project { root: project(&campaigns, root)? };
    let rules: Vec<_> = language::ALL.iter().flat_map(|language| language.kinds()).copied().collect();
    let exchange = Exchange {
        campaigns: &campaigns,
        project: &project,
        rules: &rules,
        version: env!("CARGO_PKG_VERSION"),
        ignore_unconfirmed: show.ignore_unconfirmed,
    };
    Ok(match form {
        Form::Sarif => sarif::render(&exchange),
        Form::Junit => junit::render(&exchange),
        Form::Cobertura => cobertura::render(&exchange),
        Form::Lcov => lcov::render(&Combined::of(&campaigns, &project).source()),
        Form::Github => github::render(&exchange),
    })
}

/// The failures of results directories that count, each with what makes it the same in the next search of this project.
pub fn fingerprinted(dirs: &[PathBuf], root: &Path, show: Show) -> Result<Vec<(Failure, String)>> {
    let campaigns = dirs.iter().map(|dir| campaign(dir, Form::Sarif, show)).collect::<Result<Vec<_>>>()?;
    let prints = fingerprints(&campaigns, &Project { root: root.display().to_string() });
    let failures = campaigns.iter().flat_map(Campaign::failures).zip(prints);
    let counted = failures.filter(|((_, doubt), _)| doubt.is_none() || !show.ignore_unconfirmed);
    Ok(counted.map(|((failure, _), print)| (failure.clone(), print)).collect())
}

/// Writes the documents that a search was asked for.
pub fn write_all(dirs: &[PathBuf], reports: &[ReportPlan], show: Show) -> Result<()> {
    for ReportPlan { form, file } in reports {
        write(file, &document(dirs, *form, None, show)?)?;
    }
    Ok(())
}

/// Writes a document to a file.
pub fn write(file: &Path, text: &str) -> Result<()> {
    std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// What a results directory holds.
pub fn campaign(dir: &Path, form: Form, show: Show) -> Result<Campaign> {
    let mut report: Report = read(dir)?;
    let Origin { directory, arguments, .. } = Origin::read(dir)?;
    let text = std::fs::read_to_string(dir.join("coverage.lcov")).unwrap_or_default();
    report.coverage = lcov::parse(&text);
    // Sources are where the campaign found them, wherever this process runs.
    let files: Vec<String> = super::show::shown_files(&report.summary).cloned().collect();
    let texts = files.into_iter().filter_map(|file| Some((file.clone(), std::fs::read(directory.join(&file)).ok()?)));
    report.sources = texts.map(|(file, text)| (file, String::from_utf8_lossy(&text).into_owned())).collect();
    let ended = std::fs::metadata(dir.join("summary.json")).and_then(|data| data.modified()).ok();
    let ended = ended.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |time| time.as_secs());
    Ok(Campaign {
        directory: dir.display().to_string(),
        cases: if form == Form::Junit { passed(dir) } else { Vec::new() },
        exit: exit(&report, show).code(),
        report,
        arguments,
        origin: directory.display().to_string(),
        ended,
    })
}

/// The kept cases that passed. One that cannot be read is a case without input.
fn passed(dir: &Path) -> Vec<Passed> {
    let case = |path: PathBuf| {
        let name = path.file_stem()?.to_string_lossy().into_owned();
        let text = CaseText::read(&path).ok()?;
        let inputs = super::replay::case(&text).map(|case| case.inputs()).unwrap_or_default();
        (text.outcome() == "passed").then_some(Passed { name, inputs })
    };
    case_files(&dir.join("cases")).into_iter().filter_map(case).collect()
}

/// The directory that paths are relative to: the one that was asked for, that of the repository, or that where the campaign ran.
fn project(campaigns: &[Campaign], root: Option<&Path>) -> Result<String> {
    if let Some(root) = root {
        let whole = root.canonicalize().with_context(|| format!("cannot read {}", root.display()))?;
        return Ok(whole.display().to_string());
    }
    let origin = campaigns.first().map_or("/", |campaign| campaign.origin.as_str());
    let repository = Path::new(origin).ancestors().find(|directory| directory.join(".git").exists());
    Ok(repository.map_or_else(|| origin.to_owned(), |directory| directory.display().to_string()))
}
