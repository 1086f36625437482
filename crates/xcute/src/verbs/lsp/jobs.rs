//! The processes of the server: lists of what can be tested, and one search at a time.
//!
//! **Invariant.** Nothing here waits. A process ends with the server at the latest.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;

use super::documents::saved;
use super::entries::ListedEntry;
use crate::exit::Exit;
use crate::project::{Again, Running};
use crate::results::{SUMMARY, case_files, digest};

/// A search that was asked to end has this long to write what it found.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is to be tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub file: PathBuf,
    pub name: String,
    /// The directory of the project.
    pub root: PathBuf,
    /// Where results go.
    pub results: PathBuf,
}

/// What happened.
#[derive(Debug)]
pub enum Event {
    /// A request for a list can be answered; `of` is the digest of the text when it was made.
    Listed { id: Value, file: PathBuf, of: String, list: Result<Vec<ListedEntry>> },
    /// A search begins.
    Began(Wanted),
    /// It is still at work.
    Goes { done: u32, message: String },
    /// It ended, with a verdict; an error says why it could not be made.
    Ended { wanted: Wanted, verdict: Result<(Exit, String)> },
}

/// All processes.
#[derive(Default)]
pub struct Jobs {
    lists: Vec<List>,
    queue: VecDeque<Wanted>,
    current: Option<Current>,
    /// How long a search may take.
    pub time: Duration,
}

/// A list that is being made.
struct List {
    id: Value,
    file: PathBuf,
    of: String,
    running: Running,
}

struct Current {
    wanted: Wanted,
    running: Running,
    /// Whether the search itself has begun; before that, what it is about is looked for.
    searching: bool,
    cancelled: Option<Instant>,
    /// What was reported last.
    seconds: u64,
}

impl Jobs {
    /// None, for searches of this length.
    pub fn new(time: Duration) -> Jobs {
        Jobs { time, ..Jobs::default() }
    }

    /// Begins to list what can be tested in a file, for this request.
    pub fn list(&mut self, id: Value, file: &Path, root: &Path) -> Result<()> {
        let of = saved(file).map_or_else(String::new, |text| digest(&text));
        self.lists.push(List { id, file: file.to_owned(), of, running: Running::start(&listing(file), root)? });
        Ok(())
    }

    /// Forgets a request for a list; whether there was one.
    pub fn forget(&mut self, id: &Value) -> bool {
        let before = self.lists.len();
        self.lists.retain(|list| list.id != *id);
        self.lists.len() < before
    }

    /// Tests something after all that waits already; whether it does not wait itself.
    pub fn test(&mut self, wanted: Wanted) -> bool {
        if self.current.iter().map(|current| &current.wanted).chain(&self.queue).any(|known| *known == wanted) {
            return false;
        }
        self.queue.push_back(wanted);
        true
    }

    /// Ends the search at work, with what it found.
    pub fn cancel(&mut self) {
        if let Some(current) = &mut self.current
            && current.cancelled.is_none()
        {
            current.running.ask_to_end();
            current.cancelled = Some(Instant::now());
        }
    }

    /// Whether a process is at work.
    pub fn busy(&self) -> bool {
        !self.lists.is_empty() || !self.queue.is_empty() || self.current.is_some()
    }

    /// Looks at all processes once.
    pub fn look(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        for mut list in std::mem::take(&mut self.lists) {
            match list.running.ended() {
                Some(again) => events.push(Event::Listed { id: list.id, file: list.file, of: list.of, list: listed(&again) }),
                None => self.lists.push(list),
            }
        }
        if let Some(current) = self.current.take() {
            self.current = self.follow(current, &mut events);
        }
        if self.current.is_none()
            && let Some(wanted) = self.queue.pop_front()
        {
            events.push(Event::Began(wanted.clone()));
            match Running::start(&listing(&wanted.file), &wanted.root) {
                Ok(running) => self.current = Some(Current { wanted, running, searching: false, cancelled: None, seconds: 0 }),
                Err(error) => events.push(Event::Ended { wanted, verdict: Err(error) }),
            }
        }
        events
    }

    /// Looks at the search at work; `None` when it is over.
    fn follow(&self, mut current: Current, events: &mut Vec<Event>) -> Option<Current> {
        let Some(again) = current.running.ended() else {
            if current.cancelled.is_some_and(|since| since.elapsed() > PATIENCE) {
                events.push(Event::Ended { wanted: current.wanted, verdict: Ok((Exit::Interrupted, "cancelled".to_owned())) });
                return None;
            }
            let seconds = current.running.took().as_secs();
            if current.searching && seconds > current.seconds {
                current.seconds = seconds;
                events.push(self.progress(&current.wanted, seconds));
            }
            return Some(current);
        };
        if current.searching {
            events.push(Event::Ended { verdict: verdict(&again), wanted: current.wanted });
            return None;
        }
        if current.cancelled.is_some() {
            events.push(Event::Ended { wanted: current.wanted, verdict: Ok((Exit::Interrupted, "cancelled".to_owned())) });
            return None;
        }
        match self.search(&current.wanted, &again) {
            Ok(running) => Some(Current { running, searching: true, ..current }),
            Err(error) => {
                events.push(Event::Ended { wanted: current.wanted, verdict: Err(error) });
                None
            }
        }
    }

    fn progress(&self, wanted: &Wanted, seconds: u64) -> Event {
        let whole = self.time.as_secs().max(1);
        // Until the search begins, what is there is of an earlier one.
        let begun = !wanted.results.join(SUMMARY).exists();
        let failures = if begun { case_files(&wanted.results.join("failures")).len() } else { 0 };
        let found = match failures {
            0 => String::new(),
            1 => ", 1 failure".to_owned(),
            many => format!(", {many} failures"),
        };
        let done = u32::try_from((seconds * 100 / whole).min(99)).unwrap_or(99);
        Event::Goes { done, message: format!("{seconds} s of {whole} s{found}") }
    }

    /// Begins the search, when what it is about is known.
    fn search(&self, wanted: &Wanted, again: &Again) -> Result<Running> {
        let list = listed(again)?;
        let entry = list.iter().find(|entry| entry.name == wanted.name);
        let entry = entry.with_context(|| format!("there is nothing to test of the name {} (was it renamed?)", wanted.name))?;
        if let Some(above) = wanted.results.parent() {
            std::fs::create_dir_all(above).with_context(|| format!("cannot create {}", above.display()))?;
        }
        let out = format!("--out={}", wanted.results.display());
        let more = ["-q".to_owned(), "--no-progress".to_owned(), out, format!("--time={}ms", self.time.as_millis())];
        Running::start(&entry.command.words(&more), &wanted.root)
    }
}

fn listing(file: &Path) -> Vec<String> {
    vec!["lsp".to_owned(), "--entries".to_owned(), file.display().to_string()]
}

/// What a process says that lists what can be tested.
fn listed(again: &Again) -> Result<Vec<ListedEntry>> {
    if again.exit == Exit::NoFailure {
        return serde_json::from_str(&again.stdout).context("cannot understand the list of what can be tested");
    }
    anyhow::bail!("{}", last(&again.stderr))
}

/// What a search says in the end.
fn verdict(again: &Again) -> Result<(Exit, String)> {
    if again.exit == Exit::CouldNot {
        anyhow::bail!("{}", last(&again.stderr));
    }
    Ok((again.exit, last(&again.stdout)))
}

/// The last line of what was said.
fn last(text: &str) -> String {
    let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("xcute gave no reason");
    line.strip_prefix("xcute: ").unwrap_or(line).to_owned()
}
