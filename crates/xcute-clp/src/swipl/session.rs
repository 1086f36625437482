//! One SWI-Prolog process with a program loaded, which answers goals.
//!
//! **Invariant.** A session is either ready for the next goal or has no process; the next goal then starts one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;
use xcute_term::Interrupt;

use super::answer::{self, Answer, Ending};
use super::process::{Line, Process};
use super::{SwiplError, find};
use crate::syntax::{Arena, Atoms, Operators, Style, Term, TermRef, Writer, pack_root, quoted};

/// How long a goal may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// After this many solutions no further one is asked for.
    pub solutions: u64,
    /// Inferences: the same on every machine, so this is the limit that decides.
    pub inferences: u64,
    /// A safety net for goals that hang inside one inference.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { solutions: 1, inferences: 10_000_000, time: Duration::from_secs(20) }
    }
}

/// A goal as [`Session::solve`] takes it: every variable has a name, so that the answer has a value for each, in the order in which they first occur.
pub fn goal_text(terms: &Arena, goal: TermRef, atoms: &Atoms) -> String {
    let numbers = terms.refs().filter_map(|term| match *terms.get(term) {
        Term::Var(number) => Some(number),
        _ => None,
    });
    let names: Vec<Option<Arc<str>>> = (0..=numbers.max().unwrap_or(0)).map(|number| Some(Arc::from(format!("V{number}")))).collect();
    // Without the program's own operators the text is read under any.
    let operators = Operators::new(&mut atoms.clone());
    Writer::new(atoms, &operators, Style::Operators).term(terms, goal, &names)
}

/// A running SWI-Prolog.
pub struct Session {
    swipl: PathBuf,
    server: NamedTempFile,
    program: PathBuf,
    declarations: bool,
    process: Option<Process>,
    messages: Vec<String>,
    interrupt: Interrupt,
}

/// What comes from the server; all else is the program's.
const MARK: char = '\x01';

/// How much later than at its limit a goal is ended by force, at least.
const MARGIN: Duration = Duration::from_secs(2);

/// How often it is asked whether to go on waiting.
const TICK: Duration = Duration::from_millis(50);

/// How long starting and loading may take.
const PATIENCE: Duration = Duration::from_secs(120);

impl Session {
    /// Starts SWI-Prolog and loads a program.
    pub fn start(program: &Path) -> Result<Session, SwiplError> {
        Session::declaring(program, false)
    }

    /// The same for a program with declarations, `:- pred` and `:- mode`: SWI-Prolog, which does not know them, passes them over.
    pub fn declaring(program: &Path, declarations: bool) -> Result<Session, SwiplError> {
        let swipl = find().unwrap_or_else(|| PathBuf::from("swipl"));
        let server = tempfile::Builder::new().prefix("xcute-server").suffix(".pl").tempfile()?;
        std::fs::write(server.path(), include_str!("../../swipl/server.pl"))?;
        let program = std::path::absolute(program)?;
        let mut session =
            Session { swipl, server, program, declarations, process: None, messages: Vec::new(), interrupt: Interrupt::never().clone() };
        session.ready()?;
        Ok(session)
    }

    /// Goals end when this flag is raised, with the process that runs them.
    pub fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
    }

    /// Whether goals are to end at once.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.raised()
    }

    /// What SWI-Prolog said while it loaded the program: errors and warnings, one line each.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    /// Runs a goal, whose text has no full stop. Atoms of the answer are those of `atoms`.
    pub fn solve(&mut self, goal: &str, limits: Limits, atoms: &mut Atoms) -> Result<Answer, SwiplError> {
        let request = format!(
            "solve({}, {}, {}, {}).",
            quoted(&format!("{goal} ."), '"'),
            limits.solutions,
            limits.inferences,
            limits.time.as_secs_f64().max(0.1)
        );
        let interrupt = self.interrupt.clone();
        let process = self.ready()?;
        let sent = process.send(&request);
        // The limit inside comes first, unless SWI-Prolog cannot be interrupted.
        match if sent { reply(process, limits.time + limits.time.max(MARGIN), &interrupt) } else { Line::Ended } {
            Line::Text(line) => answer::read(&line, atoms),
            Line::Ended => {
                self.process = None;
                Ok(Answer::without_solutions(Ending::Died))
            }
            Line::Late => {
                self.process = None;
                Ok(Answer::without_solutions(Ending::Hung))
            }
        }
    }

    fn ready(&mut self) -> Result<&mut Process, SwiplError> {
        if self.process.is_none() {
            let (process, messages) = self.load()?;
            self.messages = messages;
            self.process = Some(process);
        }
        Ok(self.process.as_mut().expect("it was started"))
    }

    fn load(&self) -> Result<(Process, Vec<String>), SwiplError> {
        let mut command = Command::new(&self.swipl);
        command.args(["-q", "-f", "none", "--no-tty", "--no-packs", "--stack-limit=512m", "-g", "xcute_server:main", "-t", "halt"]);
        if let Some(root) = pack_root(&self.program, &|path| std::fs::read_to_string(path)) {
            command.arg("-p").arg(format!("library={}", root.display()));
        }
        command.arg(self.server.path());
        // A program's own directives may depend on where it is.
        if let Some(directory) = self.program.parent() {
            command.current_dir(directory);
        }
        let start = |reason| SwiplError::Start { program: self.swipl.display().to_string(), reason };
        let mut process = Process::start(&mut command).map_err(start)?;
        let name = self.program.display().to_string();
        let first = if self.declarations { "declarations.\n" } else { "" };
        let load = format!("{first}load({}).", quoted(&name, '\''));
        process.send(&load);
        let mut last = String::new();
        for _ in 0..1 + usize::from(self.declarations) {
            match reply(&mut process, PATIENCE, &self.interrupt) {
                Line::Text(line) => last = line,
                Line::Ended => return Err(SwiplError::Load(name, "it ended".to_owned())),
                Line::Late => return Err(SwiplError::Load(name, "it did not come back".to_owned())),
            }
        }
        Ok((process, answer::messages(&last)?))
    }
}

/// The next line that the server says.
fn reply(process: &mut Process, patience: Duration, interrupt: &Interrupt) -> Line {
    let end = Instant::now() + patience;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match process.line(left.min(TICK)) {
            Line::Text(line) => {
                // The program may have printed something without an end of line.
                if let Some((_, line)) = line.split_once(MARK) {
                    return Line::Text(line.to_owned());
                }
            }
            Line::Late if left > TICK && !interrupt.raised() => {}
            other => return other,
        }
    }
}
