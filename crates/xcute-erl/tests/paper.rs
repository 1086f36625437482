//! Palacios & Vidal, "Concolic execution in functional programming by program instrumentation": Examples 2 and 3, and the four cases of section 5.

use crate::support::{load, search, subject, subject_file};
use xcute_erl::etf::{Atom, Term};
use xcute_erl::paper::Bound;
use xcute_erl::program::Source;
use xcute_term::Terms;
use xcute_trace::Subject as _;

/// Example 2, as it is printed.
const EVENTS: [&str; 9] = [
    "call([X],[W],W,[X,X])",
    "case([X,Y],[W1,W2],2,X,[H|T],[(1,X,[]),(2,X,[H|T])])",
    "call([X,Y],[W1,W2],W2,[T,Y])",
    "case([X,Y],[W1,W2],1,X,[],[(1,X,[]),(2,X,[H|T])])",
    "exitcase([X,Y],[W1,W2],W1,Y)",
    "exit([X,Y],[W1,W2],W1)",
    "exitcase([X,Y],[W1,W2],W1,[H|W2])",
    "exit([X,Y],[W1,W2],W1)",
    "exit([X],[W],W)",
];

#[test]
fn the_nine_events_of_example_2() {
    let modules = load(&[Source::Core(subject_file("app.core"))]);
    let mut subject = subject(&modules, "app", "main", 1, None);
    let mut terms = Terms::new();
    let input = Term::list(vec![Term::Atom(Atom::A)]);
    let case = subject.case(&mut terms, &[input]).expect("a list of atoms");
    subject.log(true);
    let trace = subject.run(&case, &[], &mut terms).expect("an emulator");
    let last = subject.last();
    let code = &subject.program().code;
    assert_eq!(last.paper.lines(code, subject.atoms(), Bound::Lets), EVENTS);
    assert_eq!(last.paper.trace(), [2, 1]);
    // As Definition 1 and Fig. 9 have it, variables of patterns are bound as well.
    let all = last.paper.lines(code, subject.atoms(), Bound::All);
    assert_eq!(all[2], "call([X,Y],[W1,W2,H,T],W2,[T,Y])");
    // Res = [X,X], Vars = [X]: the input is a list of one element, the result has it twice.
    let result = xcute_term::print::human(&terms, last.result.expect("it returned"));
    assert_eq!(result, "cons(head(arg1), cons(head(arg1), nil))");
    let conditions: Vec<String> =
        trace.decisions.iter().map(|decision| xcute_term::print::human(&terms, decision.arms[decision.taken as usize])).collect();
    assert_eq!(conditions, ["is_cons(arg1)", "is_nil(tail(arg1))"]);
}

#[test]
fn the_four_cases_of_section_5() {
    let modules = load(&[Source::File(subject_file("append.erl"), Vec::new())]);
    let found = search(&mut subject(&modules, "append", "main", 1, Some(3)), u64::MAX);
    assert!(found.results.complete, "{:?}", found.incomplete());
    let mut lengths: Vec<usize> = found.inputs().iter().map(|input| if *input == "[]" { 0 } else { input.split(',').count() }).collect();
    lengths.sort_unstable();
    assert_eq!(lengths, [0, 1, 2, 3], "{:?}", found.inputs());
    assert!(found.failures().is_empty());
}

#[test]
fn without_a_specification_there_are_improper_lists_too() {
    let modules = load(&[Source::File(subject_file("append.erl"), Vec::new())]);
    let found = search(&mut subject(&modules, "append", "any", 1, Some(3)), u64::MAX);
    assert!(found.results.complete, "{:?}", found.incomplete());
    // Four proper lists, and four terms in which a list ends in something else.
    assert_eq!(found.cases.len(), 8, "{:?}", found.cases);
    assert_eq!(found.cases.iter().filter(|case| case.1.is_some()).count(), 4);
    // One place, one failure.
    assert_eq!(found.results.confirmed().count(), 1);
}
