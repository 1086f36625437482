//! Repeats cases on the original classes: a plain JVM, with inputs built by reflection. An agent notes by breakpoints which path they take; where a case needs an
//! order of threads, it holds them to it.
//!
//! **Invariant.** Nothing of what the search made of the program takes part: neither its classes with events nor copies of the JDK's.

use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use xcute_classfile::bytes::Writer as _;
use xcute_process::{Child, Death};
use xcute_term::Interrupt;
use xcute_trace::{Failure, FailureKind, Frame, Outcome};

use crate::blocks::{BlockPath, Blocks, Followed, PathDigest};
use crate::inputs::candidate::Candidate;
use crate::inputs::recipe::Recipe;
use crate::jdk::Jdk;
use crate::jvm::AGENT;
use crate::outcome::{self, Thrown};
use crate::program::{Program, names};
use crate::threads::held::Held;
use crate::wire::KEPT;

/// What a repeated case came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// How it ended.
    pub outcome: Outcome,
    /// The class of the exception that left the method, as Java writes it.
    pub exception: Option<String>,
    /// Its message.
    pub message: Option<String>,
    /// What the method returned.
    pub returned: Option<Returned>,
    /// How other threads failed afterwards.
    pub also: Vec<Outcome>,
    /// The path that it took.
    pub path: BlockPath,
    /// Its threads were held to their order until its end.
    pub kept: bool,
}

/// What a method returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// `int`, `String`, `null`, `void` and the like; the class of any other object.
    pub of: String,
    /// A number, character, string or boolean as Java prints it; empty for other objects.
    pub text: String,
}

/// Why a failure that needs an order of threads was not seen again.
const ORDER: &str = "the original classes did not show it, with their threads held to its order";

/// Repeats cases of one program.
#[derive(Debug)]
pub struct Confirmer {
    jdk: Jdk,
    path: Vec<PathBuf>,
    patience: Duration,
    /// The classes that build inputs, what is called with them, and where answers go.
    folder: tempfile::TempDir,
    /// The blocks of the program; found when they are needed.
    blocks: OnceLock<Blocks>,
}

impl Confirmer {
    /// Repeats cases of a program; a run has this much time.
    ///
    /// # Errors
    /// Where no temporary folder can be made.
    pub fn new(program: &Program, jdk: &Jdk, patience: Duration) -> io::Result<Confirmer> {
        let folder = tempfile::tempdir()?;
        crate::api::write_api(folder.path())?;
        std::fs::write(folder.path().join(PLAN), program.plan.text())?;
        Ok(Confirmer { jdk: jdk.clone(), path: program.path.clone(), patience, folder, blocks: OnceLock::new() })
    }

    /// Repeats a case; `None` if that had to end before it was over.
    ///
    /// # Errors
    /// Where the JVM cannot be started, or the input cannot be built.
    pub fn repeat(&self, program: &Program, recipe: &Recipe, interrupt: &Interrupt) -> io::Result<Option<Repeated>> {
        self.repeat_held(program, (recipe, None), interrupt)
    }

    /// The same, with threads that are held to an order.
    ///
    /// # Errors
    /// As [`Confirmer::repeat`].
    pub fn repeat_held(
        &self,
        program: &Program,
        (recipe, held): (&Recipe, Option<&Held>),
        interrupt: &Interrupt,
    ) -> io::Result<Option<Repeated>> {
        let (case, answer) = (self.folder.path().join("case"), self.folder.path().join("answer"));
        std::fs::write(&case, encode(recipe))?;
        let kept = self.folder.path().join(format!("answer{KEPT}"));
        let _ = (std::fs::remove_file(&answer), std::fs::remove_file(&kept));
        let [agent, order, trace] = ["agent.so", "order", "trace"].map(|name| self.folder.path().join(name));
        if !agent.exists() {
            std::fs::write(&agent, AGENT)?;
        }
        let _ = std::fs::remove_file(&trace);
        let (free, blocks) = (Held::default(), self.blocks(program));
        let text = format!("{}trace {}\n{}", held.unwrap_or(&free).order("xcute/Ordered"), trace.display(), blocks.text());
        std::fs::write(&order, text)?;
        let options = [
            format!("-agentpath:{}=hold,{},{}", agent.display(), order.display(), answer.display()),
            format!("-Dxcute.held={}", held.is_some()),
        ];
        let mut command = self.java(&format!("{}:{}", self.folder.path().display(), self.joined()), &options);
        command.arg(&case).arg(&answer).arg(self.folder.path().join(PLAN));
        // An order that cannot be kept is given up after a while.
        let patience = if held.is_some() { self.patience + HELD } else { self.patience };
        let Some(death) = wait(&mut command, patience, interrupt)? else { return Ok(None) };
        let text = std::fs::read_to_string(&answer).unwrap_or_default();
        let path = blocks.recorded(&std::fs::read_to_string(&trace).unwrap_or_default());
        Ok(Some(Repeated { path, kept: kept.exists(), ..repeated(program, death, &text)? }))
    }

    fn blocks(&self, program: &Program) -> &Blocks {
        self.blocks.get_or_init(|| Blocks::of(program))
    }

    /// The digests of the path of a run that the search followed.
    pub fn digest(&self, program: &Program, followed: &Followed) -> PathDigest {
        let blocks = self.blocks(program);
        blocks.digest(&blocks.path(followed))
    }

    /// Whether a repeated case took the path that these digests name.
    pub fn keeps(&self, program: &Program, digest: &PathDigest, repeated: &Repeated) -> bool {
        let theirs = self.blocks(program).digest(&repeated.path);
        is_deep(&repeated.outcome) || digest.agrees(&theirs, is_whole(repeated))
    }

    /// Where a repeated case strays from the path of the run that the search followed.
    pub fn strays(&self, program: &Program, followed: &Followed, repeated: &Repeated) -> Option<String> {
        let blocks = self.blocks(program);
        let strays = || blocks.differ(program, &blocks.path(followed), &repeated.path, is_whole(repeated));
        if is_deep(&repeated.outcome) { None } else { strays() }
    }

    /// Repeats a failure: what came of it, and why it is not the failure again, if it is not. `None` if that had to end before it was over. Threads that are held to an order
    /// may still lose it, on a machine that has other things to do: they get several chances.
    ///
    /// # Errors
    /// As [`Confirmer::repeat`].
    pub fn confirm(
        &self,
        program: &Program,
        failure: &Failure,
        (recipe, held): (&Recipe, Option<&Held>),
        interrupt: &Interrupt,
    ) -> io::Result<Option<(Repeated, Result<(), String>)>> {
        let mut left = if held.is_some() { CHANCES } else { 1 };
        loop {
            left -= 1;
            let Some(repeated) = self.repeat_held(program, (recipe, held), interrupt)? else { return Ok(None) };
            let verdict = agrees(failure, &repeated);
            if verdict.is_ok() || left == 0 {
                return Ok(Some((repeated, verdict)));
            }
        }
    }

    /// Repeats a case that passes, with its threads in an order; `None` if it does not always do the same, on the path with these digests.
    ///
    /// # Errors
    /// As [`Confirmer::repeat`].
    pub fn always(
        &self,
        program: &Program,
        (recipe, held): (&Recipe, &Held),
        digest: &PathDigest,
        interrupt: &Interrupt,
    ) -> io::Result<Option<Repeated>> {
        let mut first = None;
        for _ in 0..TIMES {
            let Some(repeated) = self.repeat_held(program, (recipe, Some(held)), interrupt)? else { return Ok(None) };
            let passes = repeated.kept && repeated.outcome == Outcome::Passed && self.keeps(program, digest, &repeated);
            if !passes || first.as_ref().is_some_and(|first: &Repeated| first.returned != repeated.returned) {
                return Ok(None);
            }
            first = Some(repeated);
        }
        Ok(first)
    }

    /// Repeats many cases in few JVMs, each with classes of its own; `None` for those that do something else with classes that they share with
    /// the others, that end their JVM, or that do not end.
    ///
    /// # Errors
    /// Where the JVM cannot be started.
    pub fn repeat_all(&self, program: &Program, recipes: &[Recipe], interrupt: &Interrupt) -> io::Result<Vec<Option<Repeated>>> {
        let at = |name: &str, number: usize| self.folder.path().join(format!("{name}{number}"));
        for (number, recipe) in recipes.iter().enumerate() {
            std::fs::write(at("case", number), encode(recipe))?;
            let _ = std::fs::remove_file(at("answer", number));
        }
        let (mut all, mut jvms) = (Vec::new(), 0);
        while all.len() < recipes.len() && jvms < JVMS {
            jvms += 1;
            let mut command = self.java(&self.folder.path().display().to_string(), &[]);
            let numbers = [all.len().to_string(), recipes.len().to_string()];
            command.arg("--all").arg(self.folder.path()).args(numbers).arg(self.folder.path().join(PLAN));
            command.arg(self.patience.as_millis().to_string()).arg(self.joined());
            let left = u32::try_from(recipes.len() - all.len()).unwrap_or(u32::MAX);
            if wait(&mut command, self.patience.saturating_mul(left.saturating_mul(2)), interrupt)?.is_none() {
                break;
            }
            while let Ok(text) = std::fs::read_to_string(at("answer", all.len())) {
                let answered = !text.starts_with("late") && !text.starts_with("differs");
                all.push(if answered { repeated(program, Some(Death::Exit(0)), &text).ok() } else { None });
            }
            if all.len() < recipes.len() {
                // The one that the JVM ended with.
                all.push(None);
            }
        }
        all.resize(recipes.len(), None);
        Ok(all)
    }

    /// A JVM that does not know of the search.
    fn java(&self, path: &str, options: &[String]) -> Command {
        let mut command = Command::new(self.jdk.java());
        command.args(options);
        command.args(["-ea", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-XX:ErrorFile=/dev/null"]);
        // Virtual threads keep their carriers, so that they can be held.
        command.args(["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UnlockExperimentalVMOptions", "-XX:-VMContinuations"]);
        command.args(["--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-cp", path, "xcute.Replay"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn joined(&self) -> String {
        self.path.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(":")
    }
}

/// Waits until a JVM ends by itself, or, in the inner `None`, is ended because it does not; `None` if somebody wants it to stop.
fn wait(command: &mut Command, patience: Duration, interrupt: &Interrupt) -> io::Result<Option<Option<Death>>> {
    let mut child = Child::spawn(command)?;
    let began = Instant::now();
    let mut nap = Duration::from_millis(2);
    loop {
        if let Some(death) = child.ended() {
            return Ok(Some(Some(death)));
        }
        if interrupt.raised() {
            return Ok(None);
        }
        if began.elapsed() > patience + START + child.starved().min(patience * 9) {
            return Ok(Some(None));
        }
        std::thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(20));
    }
}

/// The file that says what is called.
const PLAN: &str = "plan";
/// How often a case is repeated that is to do the same each time.
const TIMES: u32 = 2;
/// How often an order of threads is tried.
const CHANCES: u32 = 3;
/// How many JVMs may be needed to repeat many cases.
const JVMS: u32 = 5;
/// The time that threads may be held in vain, and a little more.
const HELD: Duration = Duration::from_millis(2500);
/// The time that a JVM has to start.
const START: Duration = Duration::from_secs(1);

/// What the answer says.
fn repeated(program: &Program, death: Option<Death>, text: &str) -> io::Result<Repeated> {
    if let Some((first, more)) = text.split_once('\u{1}') {
        let failed = |text: &str| outcome::failed(Thrown::parse(text.trim_start_matches("threw\0"), program), false);
        return Ok(Repeated { also: more.split('\u{1}').map(failed).collect(), ..repeated(program, death, first)? });
    }
    let plain = |outcome| Repeated {
        outcome,
        exception: None,
        message: None,
        returned: None,
        also: Vec::new(),
        path: BlockPath::default(),
        kept: false,
    };
    let failed = |kind, message: &str| {
        let (message, stack) = (message.to_owned(), Vec::new());
        Outcome::Failed(Failure { kind, message, stack, notes: Vec::new(), interleaving: Vec::new(), values: Vec::new() })
    };
    let mut parts = text.split('\0');
    Ok(match (parts.next().unwrap_or_default(), death) {
        ("returned", _) => {
            let mut part = || parts.next().unwrap_or_default().to_owned();
            Repeated { returned: Some(Returned { of: part(), text: part() }), ..plain(Outcome::Passed) }
        }
        ("rejected", _) => plain(Outcome::Rejected),
        ("stuck", _) => plain(failed(FailureKind::Hang, "its threads wait, and nobody is left to wake them")),
        ("raced", _) => plain(failed(FailureKind::DataRace, "both threads stand right before their accesses")),
        ("broken", _) => {
            let why = parts.next().unwrap_or_default();
            return Err(io::Error::other(format!("the input cannot be built from the original classes: {why}")));
        }
        (how @ ("threw" | "asserted"), _) => {
            let thrown = Thrown::parse(&text[how.len() + 1..], program);
            let (exception, message) = (Some(thrown.class.clone()), thrown.message.clone());
            Repeated { exception, message, ..plain(outcome::failed(thrown, how == "asserted")) }
        }
        (_, None) => plain(failed(FailureKind::Hang, "the run does not end within its time")),
        (_, Some(Death::Exit(_))) => plain(Outcome::Passed),
        (_, Some(Death::Signal(signal))) => plain(failed(FailureKind::Signal, &format!("the JVM dies by signal {signal}"))),
    })
}

/// The bytes that `xcute.Replay` reads.
fn encode(recipe: &Recipe) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let number = |out: &mut Vec<u8>, value: usize| out.u4(u32::try_from(value).expect("inputs are small"));
    let text = |out: &mut Vec<u8>, text: &str| {
        let bytes = xcute_classfile::text::encode(text);
        out.u2(u16::try_from(bytes.len()).expect("names are short"));
        out.extend(bytes);
    };
    number(&mut out, recipe.objects.len());
    for object in &recipe.objects {
        let binary = |name: &str| name.replace('/', ".");
        let (kind, name) = match &object.what {
            Candidate::Object(class) => (0, binary(class)),
            Candidate::Array(element) if element.starts_with('L') => (1, binary(&element[1..element.len() - 1])),
            Candidate::Array(element) => (1, binary(element)),
            Candidate::Text => (2, String::new()),
            Candidate::Box(class) => (3, binary(class)),
            Candidate::Constant(class, _) => (4, binary(class)),
        };
        number(&mut out, kind);
        out.u4(object.length);
        text(&mut out, &name);
        match &object.what {
            Candidate::Text => object.text.iter().for_each(|&unit| out.u2(unit)),
            Candidate::Box(..) => out.u8(object.value),
            _ => {}
        }
    }
    let stores: usize = recipe.objects.iter().map(|o| o.fields.len() + o.elements.len()).sum();
    number(&mut out, stores);
    for (at, object) in recipe.objects.iter().enumerate() {
        for (class, name, value) in &object.fields {
            number(&mut out, at);
            out.u4(u32::MAX);
            text(&mut out, &class.replace('/', "."));
            text(&mut out, name);
            out.u8(*value);
        }
        for &(index, value) in &object.elements {
            number(&mut out, at);
            out.u4(index);
            text(&mut out, "");
            text(&mut out, "");
            out.u8(value);
        }
    }
    number(&mut out, recipe.slots.len());
    recipe.slots.iter().for_each(|&slot| out.u8(slot));
    out
}

/// Whether a run overflows its stack: a little deeper or less deep, each time.
fn is_deep(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(failure) if failure.kind == FailureKind::StackOverflow)
}

/// Whether a repeated case came to its end. One that was ended did not; of several threads, some may have gone on.
fn is_whole(repeated: &Repeated) -> bool {
    let ended = match &repeated.outcome {
        Outcome::Passed | Outcome::Rejected => true,
        Outcome::Failed(failure) => !matches!(failure.kind, FailureKind::Hang | FailureKind::Signal | FailureKind::DataRace),
        Outcome::OutOfBudget(_) => false,
    };
    ended && repeated.path.tasks() == 1
}

/// Whether a repeated case fails as the search says; why not, if it does not.
///
/// # Errors
/// In one line, what happened instead.
pub fn agrees(failure: &Failure, repeated: &Repeated) -> Result<(), String> {
    let why = match is_like(failure, &repeated.outcome) {
        Ok(()) => return Ok(()),
        Err(why) => why,
    };
    if repeated.also.iter().any(|outcome| is_like(failure, outcome).is_ok()) { Ok(()) } else { Err(why) }
}

fn is_like(failure: &Failure, outcome: &Outcome) -> Result<(), String> {
    let Outcome::Failed(again) = outcome else {
        return Err(match outcome {
            _ if !failure.interleaving.is_empty() => ORDER.to_owned(),
            Outcome::Rejected => "on the original classes an assumption does not hold".to_owned(),
            _ => "on the original classes nothing goes wrong".to_owned(),
        });
    };
    // Threads that wait for each other do so for ever.
    let waits = matches!(failure.kind, FailureKind::Deadlock | FailureKind::LostWakeup | FailureKind::Livelock);
    if waits && again.kind == FailureKind::Hang {
        return Ok(());
    }
    // What was recorded may name the whole path of a file.
    let at = |frame: &Frame, again: &Frame| std::path::Path::new(&frame.file).ends_with(&again.file) && frame.line == again.line;
    let same_place = match (failure.stack.first(), again.stack.first()) {
        (Some(frame), Some(again)) => at(frame, again),
        (None, _) => true,
        (Some(_), None) => false,
    };
    // Who hangs or is killed cannot say where, and a stack overflows a little deeper or less deep.
    let nowhere = matches!(again.kind, FailureKind::Hang | FailureKind::Signal | FailureKind::StackOverflow | FailureKind::DataRace);
    // Exceptions that have no kind of their own are distinguished by their class.
    let class = |failure: &Failure| failure.message.split(": ").next().map(|class| names::original(class).to_owned());
    let same_class = failure.kind != FailureKind::UncaughtException || class(failure) == class(again);
    let same = again.kind == failure.kind && same_class && (nowhere || same_place);
    if same { Ok(()) } else { Err(format!("on the original classes it is {}", again.message)) }
}
