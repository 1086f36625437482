//! Data races repeated on the uninstrumented program.
//!
//! Best are two threads that both stand right before their accesses ([`abreast`]): that takes no sanitizer. Where one access can only come after the other,
//! the sanitizer for threads says whether synchronisation orders the two, in the recorded order. Without an order that fits, it may still report the two places.
//! It knows as little as we do of code that is not instrumented: where such code may order the accesses, its word does not count.
//!
//! **Invariant.** A race counts only if it is the one that is asked for: the two accesses that the order names, or both places in one report. What cannot
//! be confirmed costs a few runs, each with a time limit.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use xcute_trace::{Failure, Frame};

use super::held::{LOST, PATIENCE, Repeated, limits, write_order, write_text};
use super::run::{Limits, Run, THREAD_OPTIONS};
use super::{Verdict, abreast, sanitizers};
use crate::cases::casefile::CaseSchedule;
use crate::instrument::compiled::CompileError;

/// What the runtime says of the two accesses.
const RACED: &str = "replay: data race: ";
const NONE: &str = "replay: no data race: ";
/// How often a program runs freely before a race counts as not seen, and how long each time.
const FREE_RUNS: usize = 2;
const FREE_TIME: Duration = Duration::from_secs(3);

/// Repeats a data race: a run, and whether it was seen.
pub(super) fn confirm(
    program: &mut dyn Repeated,
    failure: &Failure,
    schedule: &CaseSchedule,
    dir: &Path,
) -> Result<(Option<Run>, Verdict), CompileError> {
    let done = |run: Option<Run>, reproduced: bool, how: String| Ok((run, Verdict { reproduced, how }));
    if let Some(order) = abreast::order(schedule) {
        let exe = program.build(None)?;
        match program.start(&exe, &write_text(&order, dir)?, &limits(Some(failure.kind))) {
            Ok(seen) if has_kept(&seen) => {
                return done(Some(seen), true, "both threads of the uninstrumented program stand right before their accesses".to_owned());
            }
            Ok(_) => {}
            Err(why) => return done(None, false, format!("the replay could not be run: {why}")),
        }
    }
    if schedule.unsure {
        return done(None, false, "code that is not instrumented may order the two accesses".to_owned());
    }
    let mut last = None;
    for sanitizer in sanitizers::of(failure.kind) {
        let Ok(exe) = program.build(Some(sanitizer)) else {
            return done(last, false, format!("there is no {} to show it (install libclang-rt-19-dev)", sanitizer.name));
        };
        let limits = Limits { time: PATIENCE, memory: None, leaks: false, stuck: false };
        let order = write_order(schedule, dir)?;
        if schedule.racing().is_some() {
            // Nobody reads the stacks of its reports.
            let quick: Vec<(OsString, OsString)> =
                order.iter().cloned().chain([("TSAN_OPTIONS".into(), format!("{}:symbolize=0", THREAD_OPTIONS).into())]).collect();
            match program.start(&exe, &quick, &limits) {
                Ok(seen) if has_kept(&seen) => {
                    let how = format!(
                        "the {} finds nothing that orders the two accesses, with the threads in the recorded order",
                        sanitizer.name
                    );
                    return done(Some(seen), true, how);
                }
                // Nobody else can come to another result in this order.
                Ok(seen) if !seen.errors.contains(LOST) && seen.errors.contains(NONE) => {
                    let how = format!("the {} finds that the two accesses are ordered, or have no memory in common", sanitizer.name);
                    return done(Some(seen), false, how);
                }
                seen => last = seen.ok(),
            }
        }
        let mut kept = true;
        let limits = Limits { time: FREE_TIME, ..limits };
        for n in 0..=FREE_RUNS {
            let free: &[(OsString, OsString)] = &[];
            let Ok(seen) = program.start(&exe, if n == 0 { &order } else { free }, &limits) else { break };
            let caught = sanitizer.caught(&seen) && names_both(failure, &seen.errors);
            kept &= !seen.errors.contains(LOST);
            last = Some(seen);
            if caught {
                let order = if n == 0 && kept { ", with the threads in the recorded order" } else { "" };
                return done(last, true, format!("the {} reports it{order}", sanitizer.name));
            }
        }
    }
    let how = "nothing shows that the two accesses race, with the threads in the recorded order or in another";
    done(last, false, how.to_owned())
}

/// Whether the two accesses raced in a run that kept its order as far as it went.
fn has_kept(seen: &Run) -> bool {
    seen.errors.contains(RACED) && !seen.errors.contains(LOST)
}

/// Whether one report of the sanitizer for threads names both places of a race; where it names no lines at all, it has to be believed.
fn names_both(failure: &Failure, errors: &str) -> bool {
    let other = failure.notes.first().map(|note| &note.at);
    let place = |frame: Option<&Frame>| {
        frame.filter(|f| f.line > 0).map(|f| format!("{}:{}", Path::new(&f.file).file_name().unwrap_or_default().to_string_lossy(), f.line))
    };
    let places = [place(failure.stack.first()), place(other)];
    let named = |report: &str, at: &str| {
        let mut found = report.match_indices(at);
        found.any(|(from, _)| !report[from + at.len()..].starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut reports = errors.split("==================").filter(|r| r.contains("data race"));
    let lines = errors.lines().any(|l| l.trim_start().starts_with("#0") && l.contains(':'));
    !lines || reports.any(|r| places.iter().flatten().all(|at| named(r, at)))
}
