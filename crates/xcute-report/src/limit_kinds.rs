//! What each kind of limit means, and what to do about it: the table of `docs/not-complete.md`, also for the page. Those that only one language has are said by that
//! language (`Words::limits`).
//!
//! **Invariant.** The texts are plain words without markup; a test compares them with the page of the documentation.

/// A kind of limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitKind {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What to do about it.
    pub advice: &'static str,
}

/// The kinds that the engine has, or several languages, by name.
pub const LIMIT_KINDS: &[LimitKind] = &[
    LimitKind {
        name: "concretised",
        meaning: "A value that depends on inputs was replaced by the one of this run, for example an address or a size. Other values were not tried.",
        advice: "Look at the place. A bound on the value often helps; a table in place of computed addresses always does.",
    },
    LimitKind {
        name: "cut",
        meaning: "A run was stopped: it hung, used up a budget, or read an uninitialised value. What comes after that was not explored.",
        advice: "Mend the hang or the value. If the run only takes long: --steps N, --hang T.",
    },
    LimitKind {
        name: "depth",
        meaning: "Decisions beyond --depth or --horizon were not explored.",
        advice: "Give a larger number, or none.",
    },
    LimitKind {
        name: "divergence",
        meaning: "A run did something else than the replay of its record.",
        advice: "Please report it with the case: that is a bug of xcute, or a program that uses time or random numbers.",
    },
    LimitKind { name: "fuzzing", meaning: "--fuzz did nothing: programs with threads are not fuzzed.", advice: "--fuzz off." },
    LimitKind {
        name: "inexact",
        meaning: "A decision depends on inputs in a way that its recorded condition does not express exactly.",
        advice: "Nothing, or look at the place: mostly floating-point conversions, or threads of code that is not followed.",
    },
    LimitKind {
        name: "later-failure",
        meaning: "A task failed after another one had failed in the same run, and never in a run of its own.",
        advice: "Mend the first failure, and search again.",
    },
    LimitKind {
        name: "memory",
        meaning: "A process used too much memory.",
        advice: "Smaller inputs; or it is a failure: look at the run.",
    },
    LimitKind {
        name: "no-input",
        meaning: "Nothing is an input, so there is one run.",
        advice: "The limit itself says what to do: name an entry with parameters, or use xcute run for a main.",
    },
    LimitKind {
        name: "nondeterminism",
        meaning: "The same decisions led to something else in another run.",
        advice: "Look for time, random numbers, addresses that are compared, and state that outlives a run. --isolation fork gives each run of C a process of its own.",
    },
    LimitKind {
        name: "not-reproduced",
        meaning: "A failure of the search did not come again when its input was repeated, and xcute may have caused it.",
        advice: "Please report it with the case; or look for time, random numbers and state that outlives a run.",
    },
    LimitKind {
        name: "overwritten",
        meaning: "Code that is not followed changed an input, or what was computed from it.",
        advice: "Give that code to xcute as well, or put a model of it in its place.",
    },
    LimitKind {
        name: "preemptions",
        meaning: "With --preemptions N, schedules with more preemptions were not run.",
        advice: "Give a larger number, or leave the option out.",
    },
    LimitKind {
        name: "pruning",
        meaning: "A run failed where pruning had promised that none can.",
        advice: "Please report it; --prune off does without.",
    },
    LimitKind { name: "races", meaning: "--races off or --races only: something was not looked for.", advice: "Leave the option out." },
    LimitKind {
        name: "random",
        meaning: "Schedules were run at random, not all that can make a difference.",
        advice: "Leave --schedules out: the default runs them all.",
    },
    LimitKind {
        name: "sandbox",
        meaning: "The program wanted to do something outside of its scratch directory, and was refused.",
        advice: "If you trust it with your files: --no-sandbox.",
    },
    LimitKind {
        name: "solvers",
        meaning: "With --cross-check, Z3 found an input for a condition that the solver calls infeasible.",
        advice: "Please report it: one of the two is wrong. --log-queries FILE keeps what they were asked.",
    },
    LimitKind { name: "steps", meaning: "Runs were ended by --steps or --run-time.", advice: "Give more, or smaller inputs." },
    LimitKind { name: "time", meaning: "Runs were ended by --steps or --run-time.", advice: "Give more, or smaller inputs." },
    LimitKind { name: "trace", meaning: "A very long run was not recorded to its end.", advice: "Smaller inputs, or --depth." },
    LimitKind {
        name: "uninstrumented",
        meaning: "A function that is not followed got something that depends on inputs. What it gives back is that of this run only.",
        advice: "Add its source to the command line. Libraries lists what has models; -l brings code that cannot be followed.",
    },
    LimitKind {
        name: "unknown",
        meaning: "The solver, or the machine for constraints, could not decide a condition.",
        advice: "More effort: --solver-effort N; for Prolog, a domain for the variable.",
    },
    LimitKind {
        name: "unsupported",
        meaning: "A construct that xcute does not model.",
        advice: "The text names it. Often a small wrapper function helps; please report what you miss.",
    },
    LimitKind {
        name: "waits",
        meaning: "A run waited for something from outside that did not come.",
        advice: "Hand it in as an input, or let the program not wait for it.",
    },
];

/// The kind of this name: one of the language's own, or of all.
#[must_use]
pub(crate) fn limit_kind(name: &str, own: &'static [LimitKind]) -> Option<&'static LimitKind> {
    own.iter().chain(LIMIT_KINDS).find(|kind| kind.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_by_name() {
        const OWN: &[LimitKind] = &[LimitKind { name: "own", meaning: "Mine.", advice: "Nothing." }];
        assert!(LIMIT_KINDS.is_sorted_by_key(|kind| kind.name));
        assert!(LIMIT_KINDS.iter().all(|kind| limit_kind(kind.name, OWN) == Some(kind)));
        assert_eq!((limit_kind("own", OWN), limit_kind("own", &[]), limit_kind("nothing", OWN)), (Some(&OWN[0]), None, None));
    }
}
