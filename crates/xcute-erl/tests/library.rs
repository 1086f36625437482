//! Modules of OTP's library under test, although the emulator uses them itself.

mod support;

use support::{load, search, subject};
use xcute_erl::program::Source;

#[test]
fn modules_of_the_library_can_be_tested() {
    let modules = load(&[Source::Module("proplists".to_owned())]);
    let found = search(&mut subject(&modules, "proplists", "is_defined", 2, Some(2)), 200);
    // Its specification says that it gets a list.
    assert!(found.results.failures.is_empty() && found.cases.len() > 2, "{:?} {:?}", found.inputs(), found.results.failures);
    let modules = load(&[Source::Module("lists".to_owned())]);
    let found = search(&mut subject(&modules, "lists", "last", 1, Some(2)), 200);
    assert!(found.results.failures.is_empty() && found.cases.len() > 1, "{:?} {:?}", found.inputs(), found.results.failures);
}

#[test]
fn a_module_with_the_name_of_one_of_the_library_is_refused() {
    let other = support::modules(&[("proplists", "f(X) -> X.\n")]);
    let mut subject = subject(&other, "proplists", "f", 1, None);
    let ran = xcute_trace::Subject::run(&mut subject, &xcute_trace::TestCase::default(), &[], &mut xcute_term::Terms::new());
    let said = ran.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(said.contains("it has the name of a module of OTP, but is another one"), "{said}");
}
