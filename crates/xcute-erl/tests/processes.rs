//! Processes: what they do is followed, messages carry what depends on the input, and all orders are tried.

use crate::support::{Found, search_text};

fn search(text: &str, arity: u32) -> Found {
    search_text(text, "f", arity, None, 2000)
}

/// The messages of all failures, confirmed or not, sorted.
fn all(found: &Found) -> Vec<String> {
    let mut all: Vec<String> = found.results.failures.iter().map(|found| found.failure.message.clone()).collect();
    all.sort();
    all
}

#[test]
fn a_process_is_followed_and_messages_carry_inputs() {
    let found = search(
        "-spec f(integer()) -> ok.
         f(X) -> Self = self(), spawn(fun() -> Self ! {answer, X * 2} end),
             receive {answer, 84} -> error(found); {answer, _} -> ok end.",
        1,
    );
    assert_eq!(found.failing("found"), Some("42"), "{:?}", found.cases);
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn all_orders_of_two_senders_are_tried() {
    let found = search(
        "f() -> Self = self(), spawn(fun() -> Self ! a end), spawn(fun() -> Self ! b end),
             receive X -> receive Y -> case {X, Y} of {b, a} -> error(turned); {a, b} -> ok end end end.",
        0,
    );
    assert_eq!(all(&found), ["exception error: turned"]);
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn a_receive_takes_the_first_message_that_matches() {
    let found = search(
        "-spec f(0..3) -> ok.
         f(N) -> self() ! {m, N}, self() ! {m, 2},
             receive {m, 2} -> receive {m, K} -> 100 div (K - 2) end end.",
        1,
    );
    // The first is the second if N is 2.
    assert_eq!(found.failures(), ["exception error: an error occurred when evaluating an arithmetic expression"]);
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn a_process_that_waits_for_ever_is_a_failure() {
    let found = search(
        "-spec f(boolean()) -> ok.
         f(B) -> Self = self(), spawn(fun() -> case B of true -> Self ! done; false -> ok end end), receive done -> ok end.",
        1,
    );
    assert_eq!(all(&found), ["process 1 waits for ever for a message"]);
    assert_eq!(found.failing("waits for ever"), Some("false"));
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn messages_that_match_no_clause_are_lost() {
    let found = search("f() -> spawn(fun() -> receive stop -> ok end end) ! stpo, ok.", 0);
    assert_eq!(all(&found), ["process 1.1 waits for ever: no clause matches the messages in its mailbox"]);
}

#[test]
fn a_timeout_races_with_the_message() {
    let found = search("f() -> Self = self(), spawn(fun() -> Self ! done end), receive done -> ok after 100 -> error(late) end.", 0);
    assert_eq!(all(&found), ["exception error: late"]);
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn a_crash_of_another_process_is_a_failure() {
    let found = search("-spec f(integer()) -> ok.\n f(X) -> spawn(fun() -> 10 div (X - 5) end), ok.", 1);
    assert_eq!(found.failing("arithmetic"), Some("5"));
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn monitors_tell_of_ends() {
    let found = search(
        "-spec f(integer()) -> ok.
         f(X) -> {Pid, Ref} = spawn_monitor(fun() -> exit({bad, X}) end),
             receive {'DOWN', Ref, process, Pid, {bad, 7}} -> error(seven); {'DOWN', Ref, process, Pid, _} -> ok end.",
        1,
    );
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert_eq!(found.failing("seven"), Some("7"), "{:?}", found.cases);
}

#[test]
fn links_and_names_are_followed() {
    let found = search(
        "f() -> process_flag(trap_exit, true), register(xcute_test_name, self()),
             Pid = spawn_link(fun() -> xcute_test_name ! hello, exit(gone) end),
             receive hello -> ok end,
             receive {'EXIT', Pid, gone} -> unregister(xcute_test_name), error(seen) end.",
        0,
    );
    assert_eq!(all(&found), ["exception error: seen"]);
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn a_message_to_a_name_that_nobody_has_goes_nowhere() {
    let found = search(
        "-spec f(integer()) -> ok.
         f(X) -> spawn(fun() -> register(xcute_test_late, self()), receive 7 -> error(seven); _ -> ok end end), xcute_test_late ! X, ok.",
        1,
    );
    assert_eq!(all(&found), ["exception error: bad argument", "exception error: seven"]);
    // The original may always be too early for one of them; nothing else is left out.
    assert!(found.incomplete().iter().all(|limit| limit.starts_with("not-reproduced")), "{:?}", found.incomplete());
}

#[test]
fn a_server_answers_calls() {
    let found = search(
        "-spec f(integer()) -> integer().
         f(X) -> S = spawn(t, loop, [0]), call(S, {add, X}), call(S, {add, 3}), V = call(S, get), 100 div (V - 10).
         loop(N) -> receive {P, R, {add, K}} -> P ! {R, ok}, loop(N + K); {P, R, get} -> P ! {R, N}, loop(N) end.
         call(S, M) -> R = make_ref(), S ! {self(), R, M}, receive {R, A} -> A end.",
        1,
    );
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert_eq!(found.failing("arithmetic"), Some("7"));
    assert_eq!(found.failures(), ["exception error: an error occurred when evaluating an arithmetic expression"]);
}

#[test]
fn a_process_that_ends_the_emulator_ends_the_run() {
    let found = search(
        "-spec f(integer()) -> ok.
         f(X) -> Self = self(), spawn(fun() -> case X of 7 -> halt(1); 8 -> halt(); _ -> Self ! X end end),
             receive 9 -> error(nine); _ -> ok end.",
        1,
    );
    assert_eq!(found.failing("ended the emulator with status 1"), Some("7"), "{:?}", found.cases);
    assert_eq!(found.failing("nine"), Some("9"), "{:?}", found.cases);
    assert!(found.cases.iter().any(|(input, failure)| input == "8" && failure.is_none()), "{:?}", found.cases);
    let limits = found.incomplete();
    assert!(limits.iter().any(|why| why.contains("a process that ends the emulator")), "{limits:?}");
    assert!(!limits.iter().any(|why| why.contains("divergence")), "{limits:?}");
}

#[test]
fn a_receive_without_clauses_is_where_it_is() {
    let found = search(
        "g(X) ->\n receive\n X -> ok end.\n-spec f(integer()) -> ok.\nf(3) ->\n\n receive after infinity -> ok end;\nf(_) -> ok.\n",
        1,
    );
    assert_eq!(found.failing("waits for ever"), Some("3"), "{:?}", found.cases);
    let lines: Vec<u32> = found.results.failures.iter().map(|found| found.failure.stack[0].line).collect();
    // The text begins in line 3.
    assert_eq!(lines, [7], "{:?}", found.results.failures);
}
