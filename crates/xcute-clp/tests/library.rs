//! The library against SWI-Prolog's own predicates: both are called by SWI-Prolog with the same goals, and must give the same solutions in the same
//! order, leave a choice point or none after the last, and throw the same errors.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use xcute_clp::library;

/// Calls each goal in both modules and prints those that differ.
const COMPARE: &str = r"
answers(Module, Goal, Answers) :-
    term_variables(Goal, Vars),
    catch(findall(Vars-Det, limit(12, ( call_cleanup(@(Module:Goal, user), Cleanup = true), ( Cleanup == true -> Det = last ; Det = more ) )), Answers),
          error(Error, _), Answers = Error).
compare(Goal) :-
    copy_term(Goal, Copy), answers(ours, Goal, Ours), answers(user, Copy, Theirs),
    ( Ours =@= Theirs -> true ; print_message(silent, x), format('~q~n  SWI-Prolog: ~q~n  xcute:      ~q~n', [Goal, Theirs, Ours]) ).
main :- forall(goal(Goal), compare(Goal)), aggregate_all(count, goal(_), Count), format('compared ~d~n', [Count]).
even(X) :- 0 is X mod 2.
add(X, Y, Z) :- Z is X + Y.
add(X, Y, A, B) :- B is X + Y + A.
order(O, X, Y) :- compare(O, X, Y).
sign(X, O) :- compare(O, X, 0).
digits --> [D], { D >= 0'0, D =< 0'9 }, digits.
digits --> [].
";

/// Defined in both modules, so that each makes trees by its own predicates.
const BOTH: &str = r"
tree(Keys, Tree) :- empty_assoc(Empty), tree(Keys, Empty, Tree).
tree([], Tree, Tree).
tree([Key|Keys], Tree0, Tree) :- put_assoc(Key, Tree0, v(Key), Tree1), tree(Keys, Tree1, Tree).
";

/// What the library asks the machine for.
const CORE: &str = r"
'$must_be_word'(X) :- ( X >= -9223372036854775808, X =< 9223372036854775807 -> true ; throw(error(representation_error(int64_t), _)) ).
";

const GOALS: &str = include_str!("corpus/library.pl");

#[test]
fn the_library_does_what_swi_prologs_does() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("compare.pl");
    let ours = directory.path().join("ours.pl");
    let texts: String = library::TEXTS.iter().map(|(_, text)| *text).collect();
    // What SWI-Prolog has in its core is redefined in the module only.
    let header = ":- module(ours, []).\n:- redefine_system_predicate(once(_)), redefine_system_predicate(ignore(_)), redefine_system_predicate(forall(_, _)),\
                  redefine_system_predicate(apply(_, _)), redefine_system_predicate(memberchk(_, _)), redefine_system_predicate(phrase(_, _)),\
                  redefine_system_predicate(phrase(_, _, _)).\n:- style_check(-discontiguous).\n";
    std::fs::write(&ours, format!("{header}{texts}{CORE}{BOTH}")).unwrap();
    std::fs::write(&file, format!(":- use_module('{}').\n{COMPARE}{BOTH}{GOALS}", ours.display())).unwrap();
    let output = Command::new("swipl")
        .args(["-q", "-g", "main", "-t", "halt"])
        .arg(&file)
        .output()
        .expect("the tests need SWI-Prolog (run \"./x setup\")");
    let (printed, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!((printed.as_str(), said.as_str()), ("compared 211\n", ""));
}
