//! What each kind of limit means, and what to do about it: the table of `docs/not-complete.md`, also for the page.
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

/// All kinds, by name.
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
        name: "disagreement",
        meaning: "SWI-Prolog, or without it a run with values, did something else than the run of the search.",
        advice: "The failures of this kind say what. Please report them: that is a bug of xcute.",
    },
    LimitKind {
        name: "divergence",
        meaning: "A run did something else than the replay of its record.",
        advice: "Please report it with the case: that is a bug of xcute, or a program that uses time or random numbers.",
    },
    LimitKind {
        name: "environment",
        meaning: "The program asked for something that is not an input: the time, a random number, the environment, an identity hash.",
        advice: "Hand the value in as a parameter.",
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
        name: "memory-order",
        meaning: "Atomic operations with weak orders run in sequentially consistent interleavings only. The search can be complete for these.",
        advice: "Nothing. Bugs of weak memory need another tool.",
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
        name: "order",
        meaning: "A tabled predicate of Prolog has several answers, whose order SWI-Prolog leaves open. The search can be complete all the same.",
        advice: "Nothing.",
    },
    LimitKind {
        name: "overwritten",
        meaning: "Code that is not followed changed an input, or what was computed from it.",
        advice: "Give that code to xcute as well, or put a model of it in its place.",
    },
    LimitKind {
        name: "pruning",
        meaning: "A run failed where pruning had promised that none can.",
        advice: "Please report it; --prune off does without.",
    },
    LimitKind { name: "races", meaning: "--races off or --races only: something was not looked for.", advice: "Leave the option out." },
    LimitKind {
        name: "sandbox",
        meaning: "The program wanted to do something outside of its scratch directory, and was refused.",
        advice: "If you trust it with your files: --no-sandbox.",
    },
    LimitKind { name: "steps", meaning: "Runs were ended by --steps or --run-time.", advice: "Give more, or smaller inputs." },
    LimitKind { name: "time", meaning: "Runs were ended by --steps or --run-time.", advice: "Give more, or smaller inputs." },
    LimitKind { name: "trace", meaning: "A very long run was not recorded to its end.", advice: "Smaller inputs, or --depth." },
    LimitKind {
        name: "type",
        meaning: "A predicate of Prolog refused inputs whose types are not declared, with a type error. The search can be complete all the same.",
        advice: "Declare the types. --strict makes failures of such errors.",
    },
    LimitKind {
        name: "uninstrumented",
        meaning: "A function that is not followed got something that depends on inputs. What it gives back is that of this run only.",
        advice: "Add its source to the command line. Libraries lists what has models; -l brings code that cannot be followed.",
    },
    LimitKind {
        name: "universe",
        meaning: "A program of Prolog compared an input with something that inputs are not made of, or took terms of any functor apart.",
        advice: "Declare the types of its arguments.",
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

/// The kind of this name.
#[must_use]
pub fn limit_kind(name: &str) -> Option<&'static LimitKind> {
    LIMIT_KINDS.binary_search_by(|kind| kind.name.cmp(name)).ok().map(|at| &LIMIT_KINDS[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_by_name() {
        assert!(LIMIT_KINDS.iter().all(|kind| limit_kind(kind.name) == Some(kind)), "they are sorted");
        assert_eq!(limit_kind("nothing"), None);
    }
}
