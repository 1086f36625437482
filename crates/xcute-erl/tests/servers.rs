//! Servers of OTP: `gen_server`, `gen_statem` and `supervisor` are followed, and what goes into a call comes out of it.

use crate::support::{Found, load, modules, search, search_text, subject, subject_file};
use xcute_erl::program::Source;

/// The failures that were found, confirmed or not.
fn failing(found: &Found, text: &str) -> bool {
    found.results.failures.iter().any(|failed| failed.failure.message.contains(text))
}

#[test]
fn a_failure_in_a_call_of_a_server_is_found() {
    let modules = load(&[Source::File(subject_file("stock.erl"), Vec::new())]);
    let found = search(&mut subject(&modules, "stock", "price", 1, Some(2)), 60);
    assert!(failing(&found, "arithmetic"), "{:?} {:?}", found.inputs(), found.incomplete());
    assert!(found.results.complete, "{:?} {:?}", found.inputs(), found.incomplete());
}

#[test]
fn replies_carry_what_depends_on_the_input() {
    let text = "-behaviour(gen_server).\n\
        -spec f(integer()) -> term().\n\
        f(X) -> {ok, P} = gen_server:start(?MODULE, X, []), gen_server:cast(P, {add, 3}),\n  case gen_server:call(P, get) of 45 -> error(bug); _ -> ok end.\n\
        init(X) -> {ok, X}.\n\
        handle_call(get, _, S) -> {reply, S, S}.\n\
        handle_cast({add, N}, S) -> {noreply, S + N}.\n";
    let found = search_text(text, "f", 1, None, 40);
    assert!(failing(&found, "bug"), "{:?} {:?}", found.inputs(), found.incomplete());
    assert_eq!(found.failing("bug"), Some("42"));
}

#[test]
fn state_machines_are_followed() {
    let text = "-behaviour(gen_statem).\n\
        -spec f({code, integer()}) -> term().\n\
        f(E) -> {ok, P} = gen_statem:start(?MODULE, [], []),\n  case gen_statem:call(P, E) of ok -> error(open); no -> ok end.\n\
        callback_mode() -> state_functions.\n\
        init([]) -> {ok, locked, 0}.\n\
        locked({call, F}, {code, 777}, N) -> {next_state, unlocked, N, [{reply, F, ok}]};\n\
        locked({call, F}, _, N) -> {keep_state, N + 1, [{reply, F, no}]}.\n\
        unlocked({call, F}, _, N) -> {keep_state, N, [{reply, F, no}]}.\n";
    let found = search_text(text, "f", 1, None, 40);
    assert!(failing(&found, "open"), "{:?} {:?}", found.inputs(), found.incomplete());
}

#[test]
fn supervisors_are_followed() {
    let server = "-behaviour(gen_server).\nstart_link() -> gen_server:start_link({local, s}, ?MODULE, 0, []).\n\
        init(N) -> {ok, N}.\nhandle_call({set, X}, _, _) -> {reply, ok, X};\nhandle_call(get, _, X) -> {reply, X, X}.\nhandle_cast(_, X) -> {noreply, X}.\n";
    let top = "-behaviour(supervisor).\n\
        -spec f(integer()) -> term().\n\
        f(X) -> {ok, _} = supervisor:start_link(?MODULE, []), ok = gen_server:call(s, {set, X}),\n  case gen_server:call(s, get) of 17 -> error(bug); _ -> ok end.\n\
        init([]) -> {ok, {#{}, [#{id => s, start => {s, start_link, []}}]}}.\n";
    let loaded = modules(&[("top", top), ("s", server)]);
    let found = search(&mut subject(&loaded, "top", "f", 1, None), 40);
    assert!(failing(&found, "bug"), "{:?} {:?}", found.inputs(), found.incomplete());
}

#[test]
fn tables_that_processes_share_are_a_limit() {
    let text = "-spec f(boolean()) -> term().\n\
        f(B) -> T = ets:new(t, [public]), S = self(), spawn(fun() -> ets:insert(T, {k, 1}), S ! done end),\n  L = ets:lookup(T, k), receive done -> ok end, {B, L}.\n";
    let found = search_text(text, "f", 1, None, 40);
    assert!(!found.results.complete, "{:?}", found.inputs());
    assert!(found.incomplete().iter().any(|limit| limit.contains("ets:") && limit.contains("in other orders")), "{:?}", found.incomplete());
}

#[test]
fn state_machines_take_several_events() {
    let text = "-behaviour(gen_statem).\n\
        -spec f([1..3]) -> term().\n\
        f(Es) -> {ok, P} = gen_statem:start(?MODULE, [], []), [P ! {ev, E} || E <- Es],\n  case gen_statem:call(P, later) of {5, _} -> error(bug); _ -> ok end.\n\
        callback_mode() -> [handle_event_function, state_enter].\n\
        init([]) -> {ok, {s, 0}, []}.\n\
        handle_event(enter, _, {s, N}, D) -> {keep_state, [N | D]};\n\
        handle_event(info, {ev, 1}, {s, N}, _) when N < 2 -> {keep_state_and_data, postpone};\n\
        handle_event(info, {ev, 3}, {s, N}, D) -> {next_state, {s, N + 2}, D, [{next_event, internal, bump}]};\n\
        handle_event(info, {ev, E}, {s, N}, D) -> {next_state, {s, N + E}, D};\n\
        handle_event(internal, bump, {s, N}, D) -> {next_state, {s, N + 1}, D};\n\
        handle_event({call, F}, later, {s, N}, D) -> spawn(fun() -> gen_statem:reply(F, {N, D}) end), keep_state_and_data.\n";
    let found = search_text(text, "f", 1, Some(3), 400);
    assert!(failing(&found, "bug"), "{:?} {:?}", found.inputs(), found.incomplete());
    assert!(found.results.complete, "{:?} {:?}", found.inputs(), found.incomplete());
}

#[test]
fn a_timer_that_nobody_waits_for_does_not_hold_up_runs() {
    let text = "-behaviour(gen_statem).\n\
        -spec f(boolean()) -> term().\n\
        f(B) -> {ok, P} = gen_statem:start_link(?MODULE, B, []), gen_statem:call(P, get).\n\
        callback_mode() -> state_functions.\n\
        init(true) -> {ok, on, 1, [{state_timeout, 60000, late}]};\n\
        init(false) -> {ok, on, 0}.\n\
        on(state_timeout, late, N) -> {keep_state, N};\n\
        on({call, F}, get, N) -> {keep_state_and_data, [{reply, F, N}]}.\n";
    let begin = std::time::Instant::now();
    let found = search_text(text, "f", 1, None, 40);
    // Whatever the timer does later is left out, and that is said; no run counts as one that does not end.
    assert!(found.results.failures.is_empty(), "{:?}", found.results.failures);
    assert!(found.incomplete().iter().any(|limit| limit.contains("not followed")), "{:?}", found.incomplete());
    assert!(found.incomplete().iter().all(|limit| !limit.contains("did not end")), "{:?}", found.incomplete());
    assert!(begin.elapsed().as_secs() < 60, "it took {:?}", begin.elapsed());
}

#[test]
fn what_happens_between_a_message_and_an_end_is_confirmed() {
    // The starter goes on with the answer before the server that gave it has ended, and with it the link.
    let text = "init(X) when X < 0 -> {stop, {shutdown, small}};
         init(X) -> {ok, X}.
         handle_call(_, _, S) -> {reply, S, S}.
         handle_cast(_, S) -> {noreply, S}.
         -spec f(integer()) -> ok.
         f(X) -> {ok, P} = gen_server:start_link(t, X, []), gen_server:stop(P).";
    let found = search_text(text, "f", 1, None, 100);
    assert_eq!(found.failures(), ["exception error: no match of right hand side value {error,{shutdown,small}}"], "{:?}", found.cases);
    // The same without the library.
    let text = "-spec f(integer()) -> ok.
         f(X) -> Self = self(), spawn_link(fun() -> Self ! {got, X}, exit(shutdown) end),
             receive {got, 5} -> error(five); {got, _} -> ok end.";
    let found = search_text(text, "f", 1, None, 100);
    assert_eq!(found.failures(), ["exception error: five"], "{:?}", found.cases);
}
