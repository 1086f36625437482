//! The results that concern a file: which there are, and whether they were made from the text it has now.
//!
//! **Invariant.** A results directory is read again only if its summary changed. While a campaign repeats one, what it held before stays.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use xcute_report::exchange::{Campaign, Change, Project, Remark, remarks};

use crate::plan::{Form, Show};
use crate::results::{Sources, digest};
use crate::talk;
use crate::verbs::exchange;

/// The results that are known.
#[derive(Default)]
pub struct Shelf {
    kept: BTreeMap<PathBuf, Kept>,
}

struct Kept {
    stamp: SystemTime,
    /// `None` where it cannot be read.
    results: Option<Results>,
}

struct Results {
    campaign: Campaign,
    /// The digests of its sources, by whole paths.
    digests: BTreeMap<String, String>,
    /// All its files, likewise.
    files: BTreeSet<String>,
}

/// How results are read.
const SHOW: Show = Show { json: false, quiet: true, verbose: false, style: xcute_report::Style::PLAIN, ignore_unconfirmed: false };

impl Shelf {
    /// Looks at all results directories at or below these; whether something changed.
    pub fn look(&mut self, places: &BTreeSet<PathBuf>) -> bool {
        let (mut seen, mut changed) = (BTreeSet::new(), false);
        for place in places {
            let (found, open) = exchange::gathered(place);
            seen.extend(open);
            for dir in found {
                let stamp = std::fs::metadata(dir.join("summary.json")).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
                if self.kept.get(&dir).is_none_or(|kept| kept.stamp != stamp) {
                    self.kept.insert(dir.clone(), Kept { stamp, results: read(&dir) });
                    changed = true;
                }
                seen.insert(dir);
            }
        }
        let before = self.kept.len();
        self.kept.retain(|dir, _| seen.contains(dir));
        changed || self.kept.len() < before
    }

    /// The remarks on a file, whose text and those of others `text` knows.
    pub fn remarks(&self, file: &Path, text: &dyn Fn(&Path) -> Option<String>) -> Vec<Remark> {
        let file = file.display().to_string();
        let mut found: Vec<(&Kept, &Results)> = self.kept.values().filter_map(|kept| Some((kept, kept.results.as_ref()?))).collect();
        found.retain(|(_, results)| results.files.contains(&file));
        found.sort_by_key(|(kept, _)| std::cmp::Reverse(kept.stamp));
        let campaigns: Vec<_> = found.iter().map(|(_, results)| (&results.campaign, results.change(&file, text))).collect();
        remarks(&file, &campaigns)
    }

    /// The files with failures of a results directory and those below it.
    pub fn failing(&self, dir: &Path) -> BTreeSet<PathBuf> {
        let below = self.kept.iter().filter(|(place, _)| place.starts_with(dir)).filter_map(|(_, kept)| kept.results.as_ref());
        let files = |results: &Results| {
            let campaign = &results.campaign;
            let placed = campaign.failures().filter(|(failure, _)| !failure.file.is_empty());
            placed.map(|(failure, _)| Project::whole(&campaign.origin, &failure.file).into()).collect::<Vec<PathBuf>>()
        };
        below.flat_map(files).collect()
    }
}

impl Results {
    /// What became of the sources.
    fn change(&self, file: &str, text: &dyn Fn(&Path) -> Option<String>) -> Change {
        let same = |path: &String| {
            let old = self.digests.get(path);
            old.is_some() && text(Path::new(path)).map(|text| digest(&text)).as_ref() == old
        };
        if !same(&file.to_owned()) {
            return Change::Itself;
        }
        let others: Vec<String> = self.digests.keys().filter(|path| *path != file && !same(path)).map(|path| name(path)).collect();
        if others.is_empty() { Change::None } else { Change::Others(others) }
    }
}

/// A path without its directory.
fn name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

fn read(dir: &Path) -> Option<Results> {
    let campaign = exchange::campaign(dir, Form::Sarif, SHOW).inspect_err(talk::error).ok()?;
    let whole = |path: &str| Project::whole(&campaign.origin, path);
    let digests: BTreeMap<String, String> = Sources::read(dir).digests.into_iter().map(|(path, digest)| (whole(&path), digest)).collect();
    let failing = campaign.failures().filter(|(failure, _)| !failure.file.is_empty()).map(|(failure, _)| whole(&failure.file));
    let files = campaign.report.coverage.files.keys().map(|path| whole(path)).chain(failing).chain(digests.keys().cloned()).collect();
    Some(Results { digests, files, campaign })
}
