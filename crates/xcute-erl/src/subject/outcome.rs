//! How a run counts, and what was not exact about its replay.
//!
//! **Invariant.** The emulator says how a run ended; the replay only says how much of that is known. Where both disagree the search is not complete.

use std::hash::{Hash as _, Hasher as _};

use xcute_trace::{Budget, Failure, FailureKind, Frame, Note, Outcome};

use crate::calls::MODELS;
use crate::etf::{Atom, Atoms, Term};
use crate::program::{BROKEN, Program, REJECTED};
use crate::replay::{End, Machine};
use crate::subject::budget_name;
use crate::universe::shown;
use crate::vm::{Crash, Ended, Gone, Limits, StackFrame};

/// What is known of a run.
pub(super) struct Reported<'a> {
    /// How it ended on the emulator.
    pub ended: &'a Ended,
    /// How its replay ended.
    pub end: &'a End,
    /// What it was allowed.
    pub limits: Limits,
}

/// The outcome of a run; limits are taken down.
pub(super) fn outcome(machine: &mut Machine<'_>, run: &Reported<'_>) -> Outcome {
    compare(machine, run);
    if machine.domain.violated {
        return Outcome::Rejected;
    }
    let steps = matches!(run.end, End::Budget(Budget::Steps)) || matches!(run.ended, Ended::Steps);
    if steps {
        machine.rec.limit("steps", &format!("runs were ended after {} steps", run.limits.steps), true);
        let message = format!("the function did not end within {} steps", run.limits.steps);
        return failed(FailureKind::Hang, message, entry_frame(machine.program, machine.atoms));
    }
    match run.ended {
        Ended::Returned(_) => Outcome::Passed,
        Ended::Raised(crash) if rejects(crash, machine.atoms) => Outcome::Rejected,
        Ended::Raised(crash) | Ended::Exited(crash) => match failure(crash, machine.program, machine.atoms) {
            Some(mut failure) => {
                failure.values = machine.arguments_of(&failure);
                Outcome::Failed(failure)
            }
            None => Outcome::Passed,
        },
        Ended::Time => {
            let message = format!("the function did not end within {} s", run.limits.time.as_secs_f64());
            machine.rec.limit("time", &format!("runs were ended after {} s", run.limits.time.as_secs_f64()), true);
            failed(FailureKind::Hang, message, entry_frame(machine.program, machine.atoms))
        }
        Ended::Killed => Outcome::OutOfBudget(Budget::Memory),
        // Whether that is a failure depends on why nothing could go on.
        Ended::Stopped => Outcome::Passed,
        Ended::Steps => unreachable!("seen above"),
        Ended::Halted(status) => match ended_emulator(status.as_ref().and_then(|status| i32::try_from(status).ok())) {
            Some(message) => failed(FailureKind::Abort, message, last_frame(machine)),
            None => Outcome::Passed,
        },
        Ended::Gone(gone) => {
            machine.rec.limit("unsupported", "a run that ends its emulator: not all of its path is known", true);
            match gone_message(*gone) {
                Some(message) => failed(FailureKind::Abort, message, last_frame(machine)),
                None => Outcome::Passed,
            }
        }
    }
}

/// What a status of the emulator says, if it is not a success.
fn ended_emulator(status: Option<i32>) -> Option<String> {
    match status {
        Some(0) => None,
        Some(status) => Some(format!("the program ended the emulator with status {status}")),
        None => Some("the program aborted the emulator".to_owned()),
    }
}

/// What the end of an emulator says, if it is not a success.
pub(super) fn gone_message(gone: Gone) -> Option<String> {
    match gone {
        Gone::Status(status) => ended_emulator(Some(status)),
        Gone::Signal(signal) => Some(format!("the emulator was ended by signal {signal}")),
        Gone::Driver => Some("the program ended all processes".to_owned()),
        Gone::Hung => Some("the emulator no longer answered".to_owned()),
        Gone::Interrupted => None,
    }
}

/// Takes down what the replay could not follow, and where it differs from the run.
fn compare(machine: &mut Machine<'_>, run: &Reported<'_>) {
    match run.end {
        End::Lost(why) => machine.rec.limit("unsupported", &format!("not followed any further: {why}"), true),
        End::Diverged(what) => machine.rec.limit("divergence", &format!("the replay of a run differs from it: {what}"), true),
        End::Budget(Budget::Steps) | End::Over => {}
        End::Budget(budget) => machine.rec.limit("trace", &format!("a replay used up its budget of {}", budget_name(*budget)), true),
        End::Returned(value) => {
            let value = *value;
            if let Ended::Returned(Some(told)) = run.ended
                && !machine.is_term(value, told)
            {
                machine.rec.limit("divergence", "the replay of a run returns another value than the run", true);
            }
            // Another process can end the emulator afterwards.
            let halted = matches!(run.ended, Ended::Halted(_)) && !machine.is_led();
            if halted || matches!(run.ended, Ended::Raised(_) | Ended::Exited(_)) {
                machine.rec.limit("divergence", "the replay of a run returns, the run does not", true);
            }
        }
        End::Raised(exception) => {
            let exception = *exception;
            let same = match run.ended {
                Ended::Raised(crash) => crash.class == exception.class && machine.is_term(exception.reason, &crash.reason),
                Ended::Returned(_) => false,
                Ended::Halted(_) => machine.is_led(),
                _ => true,
            };
            if !same {
                let place = exception.place.map_or_else(String::new, |place| format!(" at {}", machine.program.code.at(place)));
                machine.rec.limit("divergence", &format!("the replay of a run raises an exception{place}, the run another or none"), true);
            }
        }
    }
}

/// The failure that an exception is; `None` for those with which processes end as they should.
pub(crate) fn failure(crash: &Crash, program: &Program, atoms: &Atoms) -> Option<Failure> {
    let normal = |term: &Term| matches!(term, Term::Atom(Atom::NORMAL | Atom::SHUTDOWN));
    let shutdown = |term: &Term| matches!(term.tuple(), Some([Term::Atom(Atom::SHUTDOWN), _]));
    if crash.class == Atom::EXIT && (normal(&crash.reason) || shutdown(&crash.reason)) {
        return None;
    }
    if rejects(crash, atoms) {
        return None;
    }
    if let Some(value) = broken(crash, atoms) {
        let message = format!("the postcondition does not hold for the value {}", shown(value, atoms));
        let stack = entry_frame(program, atoms);
        return Some(Failure {
            kind: FailureKind::Assertion,
            message,
            stack,
            notes: Vec::new(),
            interleaving: Vec::new(),
            values: Vec::new(),
        });
    }
    let asserted = crash.reason.tuple().and_then(|items| items.first()?.atom()).is_some_and(|tag| atoms.name(tag).starts_with("assert"));
    let kind = if asserted && crash.class == Atom::ERROR { FailureKind::Assertion } else { FailureKind::UncaughtException };
    let own: Vec<Atom> = program.modules.own().map(|followed| followed.normal.module.name).collect();
    // From the innermost place in the program's own modules on. After a tail call there may be none; our models are nobody's business.
    let first = crash.stack.iter().position(|frame| own.contains(&frame.module));
    let foreign = |frame: &StackFrame| first.is_none() && frame.line != 0 && atoms.name(frame.module) != MODELS;
    let frames = crash.stack.iter().skip(first.unwrap_or(0)).filter(|frame| own.contains(&frame.module) || foreign(frame));
    let mut stack: Vec<Frame> = frames
        .map(|frame| Frame {
            function: format!("{}:{}", atoms.name(frame.module), written(atoms.name(frame.function), frame.arity)),
            file: frame.file.clone(),
            line: frame.line,
            ..Frame::default()
        })
        .collect();
    if stack.is_empty() {
        stack = entry_frame(program, atoms);
    }
    // Erlang knows lines only: what was raised, and by which call, distinguishes failures of one line.
    let called = first.and_then(|first| crash.stack.get(first.checked_sub(1)?));
    stack[0].nth = raised(crash, called, atoms);
    Some(Failure { kind, message: crash.text.clone(), stack, notes: Vec::new(), interleaving: Vec::new(), values: Vec::new() })
}

/// The function in which a frame was written: comprehensions, `receive` and `after` become functions of their own, named `-sum/2-lc$^0/1-0-`.
fn written(name: &str, arity: u32) -> String {
    let inside = name.strip_prefix('-').and_then(|name| Some((name, name.find("$^")?)));
    let outer = inside.and_then(|(name, at)| Some(&name[..name[..at].rfind('-')?])).filter(|outer| outer.contains('/'));
    outer.map_or_else(|| format!("{name}/{arity}"), str::to_owned)
}

/// Whether the precondition does not accept the arguments.
pub(crate) fn rejects(crash: &Crash, atoms: &Atoms) -> bool {
    crash.class == Atom::EXIT && crash.reason.atom().is_some_and(|reason| atoms.name(reason) == REJECTED)
}

/// The value that the postcondition does not accept.
pub(super) fn broken<'a>(crash: &'a Crash, atoms: &Atoms) -> Option<&'a Term> {
    match crash.reason.tuple() {
        Some([Term::Atom(tag), value]) if crash.class == Atom::ERROR && atoms.name(*tag) == BROKEN => Some(value),
        _ => None,
    }
}

/// The failure that the end of another process is; `None` where it says on purpose that it ends (`exit/1`): others hear of that.
pub(super) fn process_failure(crash: &Crash, program: &Program, atoms: &Atoms) -> Option<Failure> {
    if crash.class == Atom::EXIT {
        return None;
    }
    failure(crash, program, atoms)
}

/// A number for the class of an exception, the tag of its reason, and the function that the program called when it was raised.
fn raised(crash: &Crash, called: Option<&StackFrame>, atoms: &Atoms) -> u32 {
    let tag = crash.reason.atom().or_else(|| crash.reason.tuple()?.first()?.atom());
    let mut hasher = rustc_hash::FxHasher::default();
    (atoms.name(crash.class), tag.map(|tag| atoms.name(tag))).hash(&mut hasher);
    called.map(|called| (atoms.name(called.module), atoms.name(called.function), called.arity)).hash(&mut hasher);
    // The lower bits of this hash are the better ones to drop.
    u32::try_from(hasher.finish() >> 32).unwrap_or(0)
}

fn failed(kind: FailureKind, message: String, stack: Vec<Frame>) -> Outcome {
    Outcome::Failed(Failure { kind, message, stack, notes: Vec::new(), interleaving: Vec::new(), values: Vec::new() })
}

/// Says of a failure that an input may be one that the program never makes.
pub(super) fn mark(failure: &mut Failure, assumed: &[String], program: &Program, atoms: &Atoms) {
    for of in assumed {
        let what = format!("an input of the opaque type {of} is made from its definition, perhaps one that its module never makes");
        failure.notes.extend(entry_frame(program, atoms).into_iter().map(|at| Note { what: what.clone(), at }));
    }
}

/// The call that a run did not return from as a frame; the function under test if that is not known.
fn last_frame(machine: &Machine<'_>) -> Vec<Frame> {
    let (program, code) = (machine.program, &machine.program.code);
    let known = machine.last_call().and_then(|(function, expr)| {
        let (file, line) = code.place_of(expr)?;
        let function = program.sites.get(code.function(function).pin).function.clone();
        Some(Frame { function, file: code.files[file as usize].clone(), line, ..Frame::default() })
    });
    known.map_or_else(|| entry_frame(program, machine.atoms), |frame| vec![frame])
}

/// The function under test as a frame.
fn entry_frame(program: &Program, atoms: &Atoms) -> Vec<Frame> {
    let function = program.code.function(program.tested);
    let site = program.sites.get(function.pin);
    let name = format!("{}:{}/{}", atoms.name(program.call.0), atoms.name(program.call.1), function.arity);
    vec![Frame { function: name, file: site.file.clone(), line: site.line, ..Frame::default() }]
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn parts_of_functions_have_their_names() {
        let shown = |name| written(name, 1);
        assert_eq!([shown("f"), shown("-f/2-recv$^3/0-1-"), shown("-f/2-lc$^0/1-0-")], ["f/1", "f/2", "f/2"]);
        assert_eq!([shown("-f/2-fun-0-"), shown("$^"), shown("a-b$^")], ["-f/2-fun-0-/1", "$^/1", "a-b$^/1"]);
        assert_eq!(shown("-a-b/2-lc$^0/1-0-"), "a-b/2");
    }
}
