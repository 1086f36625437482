//! Every kept case on SWI-Prolog: what it does there is the truth, and where xcute's machine says something else, that is shown.
//!
//! An error that only SWI-Prolog throws is a failure of the program that the search has missed: where it runs out of memory, for example, and the machine out of steps.
//! Any other difference is a fault of xcute, of the kind `disagreement`. Both keep the search from being complete: whatever else such runs decide is in doubt. So does a goal
//! that ends on one side only, which is not a failure.
//!
//! **Invariant.** A difference is in the summary, on the page and in the exit code.

use std::path::Path;

use xcute_clp::constrained::ConstrainedGoal;
use xcute_clp::plunit::Expected;
use xcute_clp::subject::{Answer, Written};
use xcute_report::{Failure, InputValue};
use xcute_trace::{FailureKind, Limit};

use super::behaviour::{self, Behaviour};
use super::case::{ClpCase, LANGUAGE, VERSION};
use super::{ClpFront, Conclusion};
use crate::front::case_file;

/// SWI-Prolog does something else than xcute's machine.
pub const DISAGREEMENT: FailureKind = FailureKind::own("disagreement");

/// Whether SWI-Prolog does the same is not known.
pub const UNDECIDED: &str = "undecided";

/// No more differences are shown one by one.
const SHOWN: usize = 20;

/// The first case of a path.
pub struct KeptCase {
    pub goal: Written,
    /// The goal as SWI-Prolog reads it.
    pub text: String,
    /// What the run with values did.
    pub answer: Answer,
    /// What the run with symbolic terms did.
    pub symbolic: Answer,
    /// The path as a goal with constraints, where that can be written.
    pub constrained: Option<ConstrainedGoal>,
    /// Whether it failed: then it was repeated, and what SWI-Prolog throws is what is reported.
    pub failed: bool,
    /// What SWI-Prolog did with it, where it was asked.
    pub seen: Option<Seen>,
}

/// What a goal did where it counts, and what a test must expect of it.
#[derive(Clone)]
pub struct Seen {
    pub behaviour: Behaviour,
    pub expected: Option<Expected>,
}

/// Runs all kept cases on SWI-Prolog, as long as there is time; what it does differently is added to the conclusion.
pub fn all(front: &ClpFront, stop: &(dyn Fn() -> bool + Sync), conclusion: &mut Conclusion) {
    let mut kept = front.kept();
    let mut prolog = front.prolog();
    let mut atoms = front.plain().atoms().clone();
    let (mut differences, mut undecided) = (0, 0);
    let diverged = kept.cases.iter().filter(|case| !case.symbolic.agrees(&case.answer)).count();
    if diverged > 0 {
        let what = "a run with symbolic terms did something else than the same run with their values; please report the goal".to_owned();
        conclusion.limits.extend(std::iter::repeat_n(Limit { kind: "divergence".to_owned(), what, incomplete: true }, diverged));
    }
    for case in kept.cases.iter_mut().take_while(|_| !stop()) {
        let own = Behaviour::of_machine(&case.symbolic, &atoms);
        let seen = match prolog.observe(&front.suite, &case.text, &mut atoms) {
            Some((behaviour, expected)) => Seen { behaviour, expected },
            None => unseen(case, Behaviour::of_machine(&case.answer, &atoms)),
        };
        let module = front.suite.module.as_deref().unwrap_or("user");
        // What ends on one side only may be different, unless it is an error: that is a failure of the program in any case.
        let open = own.may_agree(&seen.behaviour);
        undecided += usize::from(open);
        let reported = case.failed && own == Behaviour::NoEnd && seen.behaviour.is_error();
        let differs = !open && !reported && !own.agrees(&seen.behaviour) && !own.throws_in(&seen.behaviour, module);
        if differs && differences < SHOWN {
            let (failure, file) = difference(front, case, (&own, &seen.behaviour), differences + 1);
            let input = InputValue { name: "goal".to_owned(), value: case.text.clone() };
            conclusion.files.push(file);
            conclusion.found.push((failure, vec![input]));
        }
        differences += usize::from(differs);
        case.seen = Some(seen);
    }
    if undecided > 0 {
        let what = "whether SWI-Prolog does the same with a goal is not known: one of them did not end within its limits".to_owned();
        conclusion.limits.extend(std::iter::repeat_n(Limit { kind: UNDECIDED.to_owned(), what, incomplete: true }, undecided));
    }
    if differences > 0 {
        let what = "a goal does something else outside of the search; please report it".to_owned();
        conclusion.limits.extend(std::iter::repeat_n(Limit { kind: "disagreement".to_owned(), what, incomplete: true }, differences));
    }
}

/// What a goal does if nobody has looked: what the machine says.
pub fn unseen(case: &KeptCase, own: Behaviour) -> Seen {
    Seen { behaviour: own, expected: behaviour::expected(&case.answer) }
}

/// A difference as a failure, with the file of its case.
fn difference(front: &ClpFront, case: &KeptCase, (own, seen): (&Behaviour, &Behaviour), number: usize) -> (Failure, (String, String)) {
    let kind = if seen.is_error() && !own.is_error() { FailureKind::UncaughtException } else { DISAGREEMENT };
    let message = format!("the goal {seen} outside of the search, where xcute found that it {own}");
    let stack = front.place();
    let failure = xcute_trace::Failure { kind, message, stack, notes: Vec::new(), interleaving: Vec::new(), values: Vec::new() };
    let file = ClpCase {
        xcute: VERSION,
        language: LANGUAGE.to_owned(),
        program: front.suite.program.clone(),
        goal: case.text.clone(),
        constrained: None,
        solutions: front.options.bounds.solutions,
        steps: front.options.bounds.steps,
        outcome: "failed".to_owned(),
        failure: Some(failure.clone()),
    };
    let id = format!("s{number}");
    let name = format!("failures/{id}.json");
    let path = front.out.join(Path::new(&name)).display().to_string();
    let at = failure.stack.first().cloned().unwrap_or_default();
    let found = Failure {
        id,
        kind,
        message: failure.message,
        file: at.file,
        line: at.line,
        column: 0,
        function: at.function,
        stack: failure.stack,
        notes: Vec::new(),
        interleaving: Vec::new(),
        values: Vec::new(),
        flipped: None,
        replay: format!("xcute replay {path}"),
        case: path,
        replayed: true,
    };
    (found, (name, case_file(&file).text))
}
