//! The file of `--log-queries`: what the layers of the solver leave for the backends, in SMT-LIB, with the answers.
//!
//! Each query stands on its own: other solvers can read the file as it is, and their answers can be compared with ours, which stand above the queries.
//!
//! **Invariant.** All workers and all parts of a search write to one file, a whole query at a time. A file that cannot be written ends no search.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use xcute_solver::{Answer, Sink, Why};

use crate::talk;

/// Where queries go.
#[derive(Clone, Debug)]
pub struct QueryLog {
    path: PathBuf,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// Made with the first query, so that a command that asks nothing leaves an earlier file as it is.
    file: Option<File>,
    written: u64,
    broken: bool,
}

impl QueryLog {
    /// A log in this file, which is replaced.
    pub fn new(path: &Path) -> QueryLog {
        QueryLog { path: path.to_owned(), state: Arc::default() }
    }

    /// What a chain of solvers writes to.
    pub fn sink(&self) -> Sink {
        let log = self.clone();
        Box::new(move |text, answer| log.write(text, answer))
    }

    fn write(&self, text: &str, answer: &Answer) {
        let state = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.broken {
            return;
        }
        if let Err(error) = state.append(&self.path, text, answer) {
            state.broken = true;
            talk::say(&format!("queries are no longer recorded: cannot write to {}: {error}", self.path.display()));
        }
    }
}

impl State {
    fn append(&mut self, path: &Path, text: &str, answer: &Answer) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(File::create(path)?),
        };
        self.written += 1;
        file.write_all(format!("; query {}: {}\n{text}(reset)\n", self.written, said(answer)).as_bytes())
    }
}

fn said(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(Why::Effort) => "unknown, the effort was used up",
        Answer::Unknown(Why::Unsupported) => "unknown, not supported",
        Answer::Unknown(Why::WrongModel) => "unknown, the model was wrong",
        Answer::Unknown(Why::Contradicted) => "unknown, the solvers disagree",
        Answer::Unknown(Why::Interrupted) => "unknown, interrupted",
    }
}
