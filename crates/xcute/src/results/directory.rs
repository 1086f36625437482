//! The results directory.
//!
//! ```text
//! xcute-out/
//!   summary.json      the summary
//!   index.html        the same to look at, with the source and its coverage
//!   coverage.lcov     coverage of the generated suite
//!   sources.json      which texts of the sources it was made from: a digest of each
//!   campaign.json     the command line, to continue with it
//!   journal           what was done so far, likewise
//!   cases/000001.json what was run, by the number of the run (000001-2.json: the second run of greedy confirmation after it)
//!   failures/f1.json  the case of a failure, for `xcute replay`
//!   failures/f1.c     the same as a standalone test (f1.inputs: the values of its inputs, where there are many)
//!   failures/u1.json  the same of a failure that could not be confirmed
//!   …                 what else a language writes: tests of all paths, subsets of clauses
//! ```
//!
//! **Invariant.** Only a directory that xcute made, or an empty one, is ever cleared, and only one campaign at a time writes to it. `summary.json` comes last: where
//! it is, everything is.

use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xcute_report::{Report, html, lcov};

use super::sources::{SOURCES, Sources};
use crate::front::Text;

/// Marks a directory as ours, from before the first run on. After its first line come the names of files that languages added.
const MARK: &str = ".xcute";

/// The summary.
pub const SUMMARY: &str = "summary.json";

/// Where the campaign comes from.
pub const ORIGIN: &str = "campaign.json";

/// What was done so far.
const JOURNAL: &str = "journal";

/// What we write, and may delete.
const OWN: &[&str] = &[SUMMARY, "index.html", "coverage.lcov", SOURCES, ORIGIN, JOURNAL, "cases", "failures"];

/// A results directory that is ready to be filled.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    /// Locked as long as somebody writes; `None` for who reads only.
    _lock: Option<File>,
}

impl Directory {
    /// Makes the directory, or clears an earlier one.
    pub fn create(path: &Path) -> Result<Directory> {
        let shown = path.display();
        if path.exists() && !path.is_dir() {
            bail!("cannot write results to {shown}: it is a file (choose another with --out)");
        }
        fs::create_dir_all(path).with_context(|| format!("cannot create {shown}"))?;
        let empty = fs::read_dir(path).with_context(|| format!("cannot read {shown}"))?.next().is_none();
        if !empty && !path.join(MARK).exists() {
            bail!("cannot write results to {shown}: it holds files that are not xcute's (choose another with --out)");
        }
        let lock = Some(locked(path)?);
        clear(path)?;
        let directory = Directory { path: path.to_owned(), _lock: lock };
        for name in ["cases", "failures"] {
            fs::create_dir(path.join(name)).with_context(|| format!("cannot create {}/{name}", path.display()))?;
        }
        Ok(directory)
    }

    /// A directory above those of several campaigns: made, or cleared where it holds a campaign of its own. A directory that is not ours stays as it is.
    pub fn above(path: &Path) -> Result<Directory> {
        let cannot = || format!("cannot create {}", path.display());
        fs::create_dir_all(path).with_context(cannot)?;
        if path.join(MARK).exists() || fs::read_dir(path).with_context(cannot)?.next().is_none() {
            let _lock = locked(path)?;
            clear(path)?;
        }
        Ok(Directory { path: path.to_owned(), _lock: None })
    }

    /// Whether a campaign began in a directory, and not only in those below it.
    pub fn holds_campaign(path: &Path) -> bool {
        path.join(MARK).exists() && path.join(JOURNAL).exists()
    }

    /// The directory of a campaign that is to go on.
    pub fn reopen(path: &Path) -> Result<Directory> {
        let directory = Directory::of(path)?;
        Ok(Directory { _lock: Some(locked(path)?), ..directory })
    }

    /// The directory of a campaign that is looked at.
    pub fn of(path: &Path) -> Result<Directory> {
        let directory = Directory { path: path.to_owned(), _lock: None };
        if !Directory::holds_campaign(path) {
            bail!("cannot resume {}: it holds no campaign", path.display());
        }
        Ok(directory)
    }

    /// The path of the journal.
    pub fn journal(&self) -> PathBuf {
        self.path.join(JOURNAL)
    }

    /// Writes where the campaign comes from.
    pub fn origin(&self, text: &str) -> Result<()> {
        self.write(ORIGIN, text)
    }

    /// Writes the case of a run; `nth`: that was made alongside the search, after the run with this number.
    pub fn case(&self, run: u64, nth: Option<usize>, text: &Text) -> Result<()> {
        self.write(&format!("{}.{}", case_name(run, nth), text.extension), &text.text)
    }

    /// Whether such a case is there already.
    pub fn has_case(&self, run: u64, nth: Option<usize>) -> bool {
        self.path.join(format!("{}.json", case_name(run, nth))).exists()
    }

    /// The path of the case of a failure.
    pub fn failure_path(&self, id: &str) -> PathBuf {
        self.path.join(format!("failures/{id}.json"))
    }

    /// Writes a file of a failure.
    pub fn failure(&self, id: &str, text: &Text) -> Result<()> {
        self.write(&format!("failures/{id}.{}", text.extension), &text.text)
    }

    /// Removes the files of a failure that has another name by now.
    pub fn forget(&self, id: &str) {
        for entry in fs::read_dir(self.path.join("failures")).into_iter().flatten().flatten() {
            let path = entry.path();
            if is_of(&path, id) {
                // What stays is only in the way.
                let _ = fs::remove_file(path);
            }
        }
    }

    /// The files of a failure, seen from the directory.
    pub fn files_of(&self, id: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path.join("failures")).into_iter().flatten().flatten();
        let mut files: Vec<String> = entries
            .filter(|entry| is_of(&entry.path(), id))
            .map(|entry| format!("failures/{}", entry.file_name().to_string_lossy()))
            .collect();
        files.sort();
        files
    }

    /// The file of a kept case, seen from the directory; `None` where it was not kept.
    pub fn kept_case(&self, run: u64, nth: Option<usize>) -> Option<String> {
        self.has_case(run, nth).then(|| format!("{}.json", case_name(run, nth)))
    }

    /// Writes a file that the tests of failures need next to them.
    pub fn beside(&self, name: &str, contents: &[u8]) -> Result<()> {
        let path = self.path.join("failures").join(name);
        let parent = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        self.write(&format!("failures/{name}"), contents)
    }

    /// Writes a file that only this language has, and remembers that it is ours.
    pub fn add(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<PathBuf> {
        let path = self.path.join(name);
        if !added(&self.path).iter().any(|known| known == name) {
            let mark = self.path.join(MARK);
            let noted = File::options().append(true).open(&mark).and_then(|mut file| writeln!(file, "{name}"));
            noted.with_context(|| format!("cannot write {}", mark.display()))?;
        }
        self.write(name, contents)?;
        Ok(path)
    }

    /// Writes everything that is made at the end, but for the summary.
    pub fn finish(&self, report: &Report, sources: &Sources) -> Result<()> {
        self.write(SOURCES, sources.text())?;
        self.write("coverage.lcov", lcov::render(&report.coverage))?;
        self.write("index.html", html::render(report))
    }

    /// Writes the summary, after everything else.
    pub fn conclude(&self, report: &Report) -> Result<()> {
        self.write(SUMMARY, xcute_report::json(&report.summary))
    }

    /// Writes a file as a whole or not at all.
    fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<()> {
        let path = self.path.join(name);
        let draft = self.path.join(format!("{name}.part"));
        let written = fs::write(&draft, contents).and_then(|()| fs::rename(&draft, &path));
        if written.is_err() {
            // On a full disk every byte counts.
            let _ = fs::remove_file(&draft);
        }
        written.with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Whether a file is one of a failure: its name up to the first point.
fn is_of(path: &Path, id: &str) -> bool {
    path.file_name().and_then(|name| name.to_str()).and_then(|name| name.split('.').next()) == Some(id)
}

fn case_name(run: u64, nth: Option<usize>) -> String {
    nth.map_or_else(|| format!("cases/{run:06}"), |nth| format!("cases/{run:06}-{nth}"))
}

/// The files that languages added to a directory: names without a path, so that nothing else can be cleared.
fn added(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path.join(MARK)).unwrap_or_default();
    text.lines().skip(1).filter(|name| Path::new(name).file_name().is_some_and(|plain| plain == *name)).map(str::to_owned).collect()
}

/// Removes what an earlier campaign left.
fn clear(path: &Path) -> Result<()> {
    let added = added(path);
    for name in OWN.iter().copied().chain(added.iter().map(String::as_str)) {
        let old = path.join(name);
        let removed = if old.is_dir() { fs::remove_dir_all(&old) } else { fs::remove_file(&old) };
        if let Err(error) = removed
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(error).with_context(|| format!("cannot clear {}", old.display()));
        }
    }
    Ok(())
}

/// The case files of a directory, sorted.
pub fn case_files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
    files.sort();
    files
}

/// Removes what campaigns left in a directory and below it, of one or of several; nothing else.
pub fn discard(path: &Path) -> Result<()> {
    let marked = path.join(MARK).exists();
    if marked || path.join(ORIGIN).is_file() {
        let _lock = locked(path)?;
        clear(path)?;
        fs::remove_file(path.join(MARK)).with_context(|| format!("cannot clear {}", path.display()))?;
    }
    let Ok(entries) = fs::read_dir(path) else { return Ok(()) };
    for inner in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        discard(&inner.path())?;
    }
    // A directory with files of others stays.
    let _ = fs::remove_dir(path);
    Ok(())
}

/// Marks a directory as ours, and keeps others away as long as the file is open.
fn locked(path: &Path) -> Result<File> {
    let mark = path.join(MARK);
    let cannot = || format!("cannot write {}", mark.display());
    let mut file = File::options().create(true).append(true).open(&mark).with_context(cannot)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let shown = path.display();
            bail!(
                "cannot write results to {shown}: another campaign is writing there (wait for it, or choose another directory with --out)"
            )
        }
        // A system without locks has none to respect.
        Err(TryLockError::Error(_)) => {}
    }
    if file.metadata().with_context(cannot)?.len() == 0 {
        file.write_all(b"made by xcute; cleared by its next campaign\n").with_context(cannot)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clears_only_its_own() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let directory = Directory::create(&path).unwrap();
        directory.case(1, None, &Text { extension: "json", text: "{}".into() }).unwrap();
        assert!(path.join("cases/000001.json").exists() && directory.has_case(1, None) && !directory.has_case(1, Some(1)));
        fs::write(path.join("mine.txt"), "kept").unwrap();
        fs::write(path.with_file_name("beside.txt"), "kept").unwrap();
        assert!(directory.add("tests.erl", "ok").unwrap().exists());
        directory.add("tests.erl", "ok").unwrap();
        assert_eq!(added(&path), ["tests.erl"]);
        drop(directory);
        File::options().append(true).open(path.join(MARK)).unwrap().write_all(b"../beside.txt\n").unwrap();
        Directory::create(&path).unwrap();
        assert!(!path.join("tests.erl").exists() && path.with_file_name("beside.txt").exists());
        assert!(!path.join("cases/000001.json").exists());
        assert!(path.join("mine.txt").exists());
    }

    #[test]
    fn one_campaign_and_several_take_turns() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        for _ in 0..2 {
            let one = Directory::create(&path).unwrap();
            fs::write(one.journal(), "").unwrap();
            assert!(Directory::holds_campaign(&path));
            drop(one);
            Directory::above(&path).unwrap().origin("{}").unwrap();
            assert!(!Directory::holds_campaign(&path) && path.join(ORIGIN).exists());
            drop(Directory::create(&path.join("f-1")).unwrap());
        }
    }

    #[test]
    fn discards_campaigns_and_their_parts_only() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        Directory::above(&path).unwrap().origin("{}").unwrap();
        drop(Directory::create(&path.join("f-1")).unwrap());
        fs::create_dir_all(path.join("g-1")).unwrap();
        fs::write(path.join("g-1/summary.json"), "not ours").unwrap();
        discard(&path).unwrap();
        assert!(!path.join("f-1").exists() && !path.join(ORIGIN).exists() && path.join("g-1/summary.json").exists());
        discard(&path.join("nowhere")).unwrap();
    }

    #[test]
    fn one_campaign_at_a_time_writes() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let first = Directory::create(&path).unwrap();
        first.case(1, None, &Text { extension: "json", text: "{}".into() }).unwrap();
        fs::write(first.journal(), "").unwrap();
        for refused in [Directory::create(&path), Directory::reopen(&path)] {
            assert!(refused.unwrap_err().to_string().contains("another campaign is writing there"));
        }
        assert!(path.join("cases/000001.json").exists(), "nothing was cleared");
        assert!(Directory::of(&path).is_ok(), "looking at it is allowed");
        drop(first);
        assert!(Directory::reopen(&path).is_ok());
    }

    #[test]
    fn leaves_other_directories_alone() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("summary.json"), "not ours").unwrap();
        assert!(Directory::create(place.path()).is_err());
        assert!(Directory::create(&place.path().join("summary.json")).is_err());
        assert_eq!(fs::read_to_string(place.path().join("summary.json")).unwrap(), "not ours");
    }
}
