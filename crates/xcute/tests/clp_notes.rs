//! What a Prolog programmer has found wrong with `xcute clp`, case by case. Those that are about one built-in predicate are in the tables of `xcute-clp`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const COMPLETE: &str = "every feasible path was run";

fn place(source: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("prog.pl"), source).unwrap();
    place
}

fn xcute(place: &TempDir, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place.path()).args(["clp", "prog.pl", "--goal"]).args(arguments.split_whitespace());
    command
}

/// Searches, and looks for what must be said. SWI-Prolog passes the tests, always.
fn says(source: &str, arguments: &str, code: i32, wanted: &[&str]) {
    let place = place(source);
    let output = xcute(&place, arguments).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{source}{said}");
    for wanted in wanted {
        assert!(said.contains(wanted), "{wanted} is missing:\n{source}{said}");
    }
    assert!(!said.contains("disagreement") && !said.contains("NOT pass") && !said.contains("outside of the search"), "{source}{said}");
}

#[test]
fn terms_that_are_not_in_the_file_are_tried() {
    for body in ["msort(X, [a, b])", "arg(X, f(a, b), b)", "is_assoc(X)", "maplist(integer, X)"] {
        let code = i32::from(body.starts_with("arg"));
        says(&format!("p(X) :- {body}.\n"), "p/1 --term-depth 2 --goals", code, &[COMPLETE, " succeeds"]);
    }
    says("p(N) :- float(N), N =:= 2.5, throw(oops).\n", "p/1", 1, &[COMPLETE, "uncaught oops", "p(2.5)"]);
    says("p(X) :- integer(X).\n", "p/1 --goals", 0, &[COMPLETE, "A in inf..sup, p(A)", "freeze(A, \\+ integer(A)), p(A)"]);
}

#[test]
fn no_failure_is_lost() {
    let empty = "p(A) :- A = [], atom_codes(A, _).\n";
    says(empty, "p/1 --strict", 1, &["uncaught type_error(atom, [])", "p([])"]);
    says(empty, "p/1", 0, &[COMPLETE]);
    says("%! p(+int) is semidet.\np(X) :- succ(X, _).\n", "p/1", 1, &["domain_error(not_less_than_zero, -1)", COMPLETE]);
}

#[test]
fn answers_are_the_same_up_to_names() {
    says("p(a, X, X).\np(b, X, Y) :- X = [1|Y].\n", "p/3 --ground 1", 0, &[COMPLETE]);
    says("p(X, L) :- L = [a|_], memberchk(X, L).\n", "p/2 --ground 1", 0, &[COMPLETE]);
    says("p(X, N, R) :- '$skip_list'(N, X, R).\n", "p/3 --ground 1 --term-depth 2", 0, &[COMPLETE]);
    let order = ":- use_module(library(clpfd)).\n%! p(+int, -list) is nondet.\np(X, [A, B]) :- A in 0..2, B in 0..1, A #>= X, labeling([ff], [A, B]).\n";
    says(order, "p/2 --solutions all", 0, &[COMPLETE]);
}

#[test]
fn moded_tables_are_tables() {
    let program = ":- table path(_, _, lattice(shorter/3)).\npath(X, Y, [X, Y]) :- edge(X, Y).\n\
                   path(X, Y, P) :- path(X, Z, P0), edge(Z, Y), append(P0, [Y], P).\n\
                   shorter(A, B, C) :- length(A, N), length(B, M), ( N =< M -> C = A ; C = B ).\nedge(a, b).\nedge(b, c).\nedge(c, a).\nedge(a, c).\n";
    says(program, "path/3 --ground 1,2 --term-depth 0", 0, &[COMPLETE]);
}

#[test]
fn what_is_shown_is_for_people() {
    let constraints = ":- use_module(library(clpfd)).\n%! p(+int) is semidet.\np(A) :- A #= 2*Y, Y #> 0.\n";
    says(constraints, "p/1 --goals", 0, &["A #= 2*B, B #> 0, p(A)"]);
    says("% one\n\n%! p(+shap) is det.\np(_).\n", "p/1", 0, &["prog.pl:3: no type is called shap"]);
    let place = place("p(X, Y) :- X = a.\n");
    let output = xcute(&place, "p/2").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr).matches("Singleton").count(), 1);
}

#[test]
fn programs_have_their_own_flags_and_characters() {
    says(":- set_prolog_flag(double_quotes, atom).\np(X) :- X = \"abc\".\n", "p/1", 0, &[COMPLETE]);
    says("p('é').\np(日本).\np(X) :- X == '\\x1F600\\'.\n", "p/1", 0, &[COMPLETE, "4 tests"]);
    says("%! p(+codes) is semidet.\np([0'é, C]) :- C > 0x1F000.\n", "p/1", 0, &[COMPLETE]);
}

#[test]
fn shared_terms_are_not_compared_as_trees() {
    let program =
        "p(X) :- d(60, a, T), d(60, a, U), T == U, T = U, X = b.\nd(0, T, T) :- !.\nd(N, T0, T) :- N1 is N - 1, d(N1, f(T0, T0), T).\n";
    says(program, "p/1", 0, &[COMPLETE]);
}

#[test]
fn what_doubles_in_each_step_ends() {
    for step in ["M is N * N", "string_concat(N, N, M)", "append(N, N, M)"] {
        let first = if step.starts_with('M') {
            "2"
        } else if step.starts_with('s') {
            "\"ab\""
        } else {
            "[a]"
        };
        let begin = Instant::now();
        let place = place(&format!("p(X) :- d(X, {first}).\nd(X, N) :- {step}, d(X, M).\n"));
        let output = xcute(&place, "p/1 --time 2s").output().unwrap();
        assert!(output.status.code().is_some_and(|code| code < 2), "{step}: {output:?}");
        assert!(begin.elapsed() < Duration::from_secs(60), "{step} took {:?}", begin.elapsed());
    }
}

#[test]
fn a_signal_reaches_a_running_goal() {
    let place = place("p(X) :- length(L, _), L = [z|_], X = b, fail.\n");
    let mut child = xcute(&place, "p/1 --steps 18446744073709551615").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The goal is running as soon as the campaign has begun.
    while !place.path().join("xcute-out/journal").exists() {
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let begin = Instant::now();
    let status = child.wait().unwrap();
    assert!(begin.elapsed() < Duration::from_secs(30), "it took {:?}, {status}", begin.elapsed());
}

#[test]
fn what_swi_prolog_does_not_have_is_missing() {
    says("p(X) :- transpose([[1, 2], [3, 4]], X).\n", "p/1", 1, &["existence_error(procedure, transpose/2)"]);
    says("p(X) :- ord_insert([a], b, X).\n", "p/1", 1, &["existence_error(procedure, ord_insert/3)"]);
}

#[test]
fn types_without_any_input_are_said_to_be_so() {
    let empty = "%! p(+X:empty) is semidet.\np(a).\nempty(X) :- X = b, fail.\n";
    says(empty, "p/1", 0, &["the search is not complete", "no input of the declared types was found"]);
    let added = ":- multifile error:has_type/2.\nerror:has_type(even, X) :- integer(X), X mod 2 =:= 0.\n%! p(+X:oneof([a, b])) is semidet.\np(a).\nq(X) :- must_be(even, X).\n";
    says(added, "p/1", 0, &[COMPLETE, "2 tests"]);
    says(added, "q/1 --strict", 1, &["type_error(even"]);
}
