//! Ends of processes: who hears of them, in which order, and with which reason.

use crate::support::{Found, search_text};

fn search(text: &str) -> Found {
    search_text(text, "f", 1, None, 500)
}

/// Failures that the original program does not show.
fn not_confirmed(found: &Found) -> Vec<String> {
    found.results.failures.iter().filter(|found| !found.confirmed).map(|found| found.failure.message.clone()).collect()
}

#[test]
fn a_link_comes_before_a_monitor() {
    let found = search(
        "-spec f(integer()) -> term().
         f(X) -> process_flag(trap_exit, true),
             P = spawn_link(fun() -> receive go -> exit({x, X}) end end), R = monitor(process, P), P ! go,
             First = receive M -> element(1, M) end,
             receive
                 {'DOWN', R, _, _, {x, 9}} when First =:= 'EXIT' -> error(nine);
                 {'DOWN', R, _, _, _} -> ok;
                 {'EXIT', _, _} -> error(never)
             end.",
    );
    assert_eq!(found.failures(), ["exception error: nine"]);
    assert_eq!(not_confirmed(&found), [""; 0]);
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn the_end_of_a_server_ends_its_linked_caller() {
    let found = search(
        "init(X) -> {ok, X}.
         handle_call(get, _, S) -> {reply, 100 div (S - 17), S}.
         handle_cast(_, S) -> {noreply, S}.
         -spec f(integer()) -> term().
         f(X) -> {ok, P} = gen_server:start_link(t, X, []), R = gen_server:call(P, get), gen_server:stop(P), R.",
    );
    assert_eq!(found.failing("badarith"), Some("17"), "{:?}", found.cases);
    // The caller never hears of it by its call: its link comes first.
    assert_eq!(not_confirmed(&found), [""; 0]);
}

#[test]
fn a_process_that_ends_itself_is_heard_of() {
    for (reason, heard) in [("kill", "killed"), ("normal", "normal"), ("{x, 1}", "{x, 1}")] {
        let found = search(&format!(
            "-spec f(integer()) -> term().
             f(X) -> {{P, R}} = spawn_monitor(fun() -> exit(self(), {reason}) end),
                 receive {{'DOWN', R, process, P, {heard}}} -> 100 div (X - 5) end."
        ));
        assert_eq!(found.failing("arithmetic"), Some("5"), "{reason}: {:?}", found.cases);
        assert_eq!(not_confirmed(&found), [""; 0], "{reason}");
        assert!(found.results.complete, "{reason}: {:?}", found.incomplete());
    }
}

#[test]
fn the_function_under_test_may_end_itself() {
    let found = search(
        "-spec f(integer()) -> term().
         f(3) -> exit(self(), kill), receive after infinity -> ok end;
         f(4) -> exit(self(), normal), receive after infinity -> ok end;
         f(5) -> exit(self(), oops), receive after infinity -> ok end;
         f(_) -> ok.",
    );
    assert_eq!(found.failures(), ["exception exit: killed", "exception exit: oops"]);
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn a_monitor_of_a_name_speaks_of_the_name() {
    let found = search(
        "-spec f(integer()) -> term().
         f(X) -> P = spawn(fun() -> receive stop -> ok end end), register(srv, P),
             R = monitor(process, srv), Q = monitor(process, {srv, node()}), srv ! stop,
             receive {'DOWN', R, process, {srv, N}, normal} when N =:= node() -> ok end,
             receive {'DOWN', Q, process, {srv, _}, _} -> ok end,
             S = monitor(process, srv),
             receive {'DOWN', S, process, {srv, _}, noproc} -> 100 div X end.",
    );
    assert_eq!(found.failing("arithmetic"), Some("0"), "{:?}", found.cases);
    assert_eq!(found.failures().len(), 1, "{:?}", found.cases);
}

#[test]
fn reasons_carry_what_depends_on_the_input() {
    for (raised, heard) in [
        ("error({bad, X})", "{{bad, 77}, _}"),
        ("throw({bad, X})", "{{nocatch, {bad, 77}}, _}"),
        ("exit({bad, X})", "{bad, 77}"),
        ("exit(self(), {bad, X})", "{bad, 77}"),
    ] {
        let found = search(&format!(
            "-spec f(integer()) -> term().
             f(X) -> {{P, R}} = spawn_monitor(fun() -> {raised} end),
                 receive {{'DOWN', R, process, P, {heard}}} -> exit(hit); {{'DOWN', R, process, P, _}} -> ok end."
        ));
        // What is not followed is named.
        let hit = found.results.failures.iter().any(|found| found.failure.message.contains("hit"));
        assert!(hit || found.incomplete().iter().any(|why| why.contains("exit/2")), "{raised}: {:?} {:?}", found.cases, found.incomplete());
        assert!(hit || raised.starts_with("exit(self()"), "{raised}: {:?}", found.cases);
    }
}
