//! How a run counts, and what was not exact about its replay.
//!
//! **Invariant.** The emulator says how a run ended; the replay only says how much of that is known. Where both disagree the search is not complete.

use std::hash::{Hash as _, Hasher as _};

use xcute_trace::{Budget, Failure, FailureKind, Frame, Outcome};

use crate::calls::MODELS;
use crate::etf::{Atom, Atoms, Term};
use crate::program::Program;
use crate::replay::{End, Machine, Val};
use crate::subject::budget_name;
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
        Ended::Raised(crash) | Ended::Exited(crash) => match failure(crash, machine.program, machine.atoms) {
            Some(failure) => Outcome::Failed(failure),
            None => Outcome::Passed,
        },
        Ended::Time => {
            let message = format!("the function did not end within {} s", run.limits.time.as_secs_f64());
            machine.rec.limit("time", &format!("runs were ended after {} s", run.limits.time.as_secs_f64()), true);
            failed(FailureKind::Hang, message, entry_frame(machine.program, machine.atoms))
        }
        Ended::Killed => Outcome::OutOfBudget(Budget::Memory),
        Ended::Steps => unreachable!("seen above"),
        Ended::Halted(status) => match ended_emulator(status.as_ref().and_then(|status| i32::try_from(status).ok())) {
            Some(message) => failed(FailureKind::Abort, message, entry_frame(machine.program, machine.atoms)),
            None => Outcome::Passed,
        },
        Ended::Gone(gone) => {
            machine.rec.limit("unsupported", "a run that ends its emulator: not all of its path is known", true);
            match gone_message(*gone) {
                Some(message) => failed(FailureKind::Abort, message, entry_frame(machine.program, machine.atoms)),
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
        Gone::Hung => Some("the emulator did not answer any more".to_owned()),
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
                && !same_term(machine, value, told)
            {
                machine.rec.limit("divergence", "the replay of a run returns another value than the run", true);
            }
            if matches!(run.ended, Ended::Raised(_) | Ended::Exited(_) | Ended::Halted(_)) {
                machine.rec.limit("divergence", "the replay of a run returns, the run does not", true);
            }
        }
        End::Raised(exception) => {
            let exception = *exception;
            let same = match run.ended {
                Ended::Raised(crash) => crash.class == exception.class && same_term(machine, exception.reason, &crash.reason),
                Ended::Returned(_) | Ended::Halted(_) => false,
                _ => true,
            };
            if !same {
                let place = exception.place.map_or_else(String::new, |place| format!(" at {}", machine.program.code.at(place)));
                machine.rec.limit("divergence", &format!("the replay of a run raises an exception{place}, the run another or none"), true);
            }
        }
    }
}

/// Whether a value is, in this run, what the emulator says. Functions and stacks are not compared.
fn same_term(machine: &mut Machine<'_>, own: Val, told: &Term) -> bool {
    let mut pending = vec![(own, told.clone())];
    while let Some((own, told)) = pending.pop() {
        match (machine.known(own), told) {
            (Val::Stack(_) | Val::Raw(_) | Val::Fun(_) | Val::Other(_), _) => {}
            (Val::Tuple(tuple), Term::Tuple(items)) => {
                let elements = machine.heap.elements(tuple);
                if elements.len() != items.len() {
                    return false;
                }
                pending.extend(elements.iter().copied().zip(items));
            }
            (Val::Cons(cell), Term::List(items, tail)) => {
                let mut at = Val::Cons(cell);
                let mut items = items.into_iter();
                while let (true, Val::Cons(cell)) = (items.len() > 0, machine.known(at)) {
                    let (head, rest) = machine.heap.cell(cell);
                    pending.extend(items.next().map(|item| (head, item)));
                    at = rest;
                }
                let rest: Vec<Term> = items.collect();
                pending.push((at, if rest.is_empty() { *tail } else { Term::List(rest, tail) }));
            }
            (Val::Map(map), Term::Map(pairs)) => {
                let own: Vec<Val> = machine.heap.pairs(map).to_vec();
                if own.len() != 2 * pairs.len() {
                    return false;
                }
                // Keys on the heap may depend on the input; in this run each is one of these.
                for (key, value) in pairs {
                    let key = machine.heap.literal(&key);
                    let found = own.chunks_exact(2).find(|pair| machine.is_now(pair[0], key));
                    let Some(pair) = found else { return false };
                    pending.push((pair[1], value));
                }
            }
            (own, told) => {
                let told = machine.heap.literal(&told);
                let same = match machine.same(own, told) {
                    Ok(Some(conditions)) => conditions.into_iter().all(|condition| machine.rec.holds(condition)),
                    _ => false,
                };
                if !same {
                    return false;
                }
            }
        }
    }
    true
}

/// The failure that an exception is; `None` for those with which processes end as they should.
pub(crate) fn failure(crash: &Crash, program: &Program, atoms: &Atoms) -> Option<Failure> {
    let normal = |term: &Term| matches!(term, Term::Atom(Atom::NORMAL | Atom::SHUTDOWN));
    let shutdown = |term: &Term| matches!(term.tuple(), Some([Term::Atom(Atom::SHUTDOWN), _]));
    if crash.class == Atom::EXIT && (normal(&crash.reason) || shutdown(&crash.reason)) {
        return None;
    }
    let asserted = crash.reason.tuple().and_then(|items| items.first()?.atom()).is_some_and(|tag| atoms.name(tag).starts_with("assert"));
    let kind = if asserted && crash.class == Atom::ERROR { FailureKind::Assertion } else { FailureKind::UncaughtException };
    let own: Vec<Atom> =
        program.modules.followed.iter().filter(|followed| followed.own).map(|followed| followed.normal.module.name).collect();
    // From the innermost place in the program's own modules on. After a tail call there may be none; our models are nobody's business.
    let first = crash.stack.iter().position(|frame| own.contains(&frame.module));
    let foreign = |frame: &StackFrame| first.is_none() && frame.line != 0 && atoms.name(frame.module) != MODELS;
    let frames = crash.stack.iter().skip(first.unwrap_or(0)).filter(|frame| own.contains(&frame.module) || foreign(frame));
    let mut stack: Vec<Frame> = frames
        .map(|frame| Frame {
            function: format!("{}:{}/{}", atoms.name(frame.module), atoms.name(frame.function), frame.arity),
            file: frame.file.clone(),
            line: frame.line,
            ..Frame::default()
        })
        .collect();
    if stack.is_empty() {
        stack = entry_frame(program, atoms);
    }
    // Erlang knows lines only: what was raised tells failures of one line apart.
    stack[0].nth = raised(crash, atoms);
    Some(Failure { kind, message: crash.text.clone(), stack, notes: Vec::new(), interleaving: Vec::new() })
}

/// A number for the class of an exception and the tag of its reason.
fn raised(crash: &Crash, atoms: &Atoms) -> u32 {
    let tag = crash.reason.atom().or_else(|| crash.reason.tuple()?.first()?.atom());
    let mut hasher = rustc_hash::FxHasher::default();
    (atoms.name(crash.class), tag.map(|tag| atoms.name(tag))).hash(&mut hasher);
    // The lower bits of this hash are the better ones to drop.
    u32::try_from(hasher.finish() >> 32).unwrap_or(0)
}

fn failed(kind: FailureKind, message: String, stack: Vec<Frame>) -> Outcome {
    Outcome::Failed(Failure { kind, message, stack, notes: Vec::new(), interleaving: Vec::new() })
}

/// The function under test as a frame.
fn entry_frame(program: &Program, atoms: &Atoms) -> Vec<Frame> {
    let function = program.code.function(program.entry);
    let site = program.sites.get(function.pin);
    let name = format!("{}:{}/{}", atoms.name(program.call.0), atoms.name(program.call.1), function.arity);
    vec![Frame { function: name, file: site.file.clone(), line: site.line, ..Frame::default() }]
}
