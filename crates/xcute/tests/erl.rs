//! `xcute erl` from the command line: EUnit tests, replay, resume, explain, and what is said when something is wrong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const SHAPES: &str = include_str!("../../../subjects/erl/shapes.erl");

/// A directory with one module.
fn place(name: &str, source: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join(name), source).unwrap();
    place
}

fn xcute(place: &TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place.path()).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("stdout is not one JSON object ({error}): {}", stderr(output)))
}

#[test]
fn a_failure_is_replayed_and_its_test_fails() {
    let place = place("shapes.erl", SHAPES);
    let output = xcute(&place, &["erl", "shapes.erl", "area"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    // Two reasons in one line are two failures.
    assert!(stdout(&output).starts_with("2 failures in shapes:area/1;"), "{}", stdout(&output));
    let replayed = (1..=2).map(|n| xcute(&place, &["replay", &format!("xcute-out/failures/f{n}.json")])).collect::<Vec<_>>();
    let told: String = replayed.iter().map(stdout).collect();
    assert!(told.contains("exception error: an error occurred when evaluating an arithmetic expression"), "{told}");
    assert!(replayed.iter().all(|output| output.status.code() == Some(1)));
    // The standalone test needs nothing but Erlang, and fails.
    let script = "cd xcute-out/failures && erlc ../../shapes.erl f1.erl && erl -noshell -eval 'eunit:test(f1)' -s init stop";
    let ran = Command::new("sh").args(["-c", script]).current_dir(place.path()).output().unwrap();
    assert!(stdout(&ran).contains("Failed: 1"), "{}{}", stdout(&ran), stderr(&ran));
}

/// A function whose name needs quotes, for which the shell and the list of inputs need them as well.
const QUOTED: &str = "-module(quoted).\n-export(['Get it'/2]).\n-spec 'Get it'(maybe | {ok, integer()}, fun((integer()) -> boolean())) -> integer().\n\
                      'Get it'({ok, N}, F) -> case F(N) of true -> 1 div (N - 4); false -> 0 end;\n'Get it'(maybe, _) -> 0.\n";

#[test]
fn a_shell_has_the_call() {
    let place = place("quoted.erl", QUOTED);
    let output = xcute(&place, &["erl", "quoted.erl", "Get it/2"]);
    assert!(stdout(&output).contains("with call = quoted:'Get it'({ok,4}, fun("), "{}{}", stdout(&output), stderr(&output));
    let script = "printf 'again().\\nq().\\n' | \"$0\" replay xcute-out/failures/f1.json --debugger";
    let ran = Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_xcute")]).current_dir(place.path()).output().unwrap();
    let said = stdout(&ran);
    assert!(said.starts_with("quoted:'Get it'({ok,4}, fun(") && said.contains("quoted.erl, line 4"), "{said}{}", stderr(&ran));
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
}

#[test]
fn the_inputs_of_all_paths_are_a_list() {
    let place = place("quoted.erl", QUOTED);
    xcute(&place, &["erl", "quoted.erl", "Get it/2"]);
    // Each of them is a list of arguments.
    let script = "cd xcute-out && erlc ../quoted.erl quoted_xcute_tests.erl && erl -noshell -eval '
        Inputs = quoted_xcute_tests:inputs(list_to_atom(\"Get it\"), 2), 4 = length(Inputs),
        [true = is_function(F, 1) || [_, F] <- Inputs], [_] = [x || [{ok, 4}, _] <- Inputs], [_] = [x || [maybe, _] <- Inputs], halt(7).'";
    let ran = Command::new("sh").args(["-c", script]).current_dir(place.path()).output().unwrap();
    assert_eq!(ran.status.code(), Some(7), "{}{}", stdout(&ran), stderr(&ran));
}

#[test]
fn a_module_may_use_a_feature() {
    let source = "-module(m).\n-feature(maybe_expr, enable).\n-export([f/1]).\n-spec f({ok, integer()} | error | {error, atom()}) -> term().\n\
                  f(X) -> maybe {ok, Y} ?= X, true ?= Y > 3, 1 div (Y - 9) else error -> e; false -> f; {error, z} -> error(z); {error, _} -> g end.\n";
    let place = place("m.erl", source);
    let output = xcute(&place, &["erl", "m.erl", "f/1", "--format", "json"]);
    let summary = summary(&output);
    assert_eq!(summary["failures"].as_array().unwrap().len(), 2, "{summary} {}", stderr(&output));
    assert!(summary["complete"] == true && stderr(&output).contains("EUnit passes them"), "{summary} {}", stderr(&output));
}

#[test]
fn all_exported_functions_are_tested() {
    let source = "-module(m).\n-export([a/1, b/1]).\n-spec a(integer()) -> integer().\na(X) -> 1 div X.\n-spec b(boolean()) -> atom().\nb(true) -> yes;\nb(false) -> no.\n";
    let place = place("m.erl", source);
    let output = xcute(&place, &["erl", "m.erl"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 of 2 functions of m can fail: a/1"), "{}", stdout(&output));
    assert!(place.path().join("xcute-out/a-1/summary.json").is_file());
    // The tests of all are one file.
    let tests = fs::read_to_string(place.path().join("xcute-out/m_xcute_tests.erl")).unwrap();
    assert_eq!(tests.matches("_test() ->").count(), 4, "{tests}");
    assert!(stderr(&output).contains("4 tests in xcute-out/m_xcute_tests.erl: EUnit passes them"), "{}", stderr(&output));
    let all = summary(&xcute(&place, &["erl", "m.erl", "--format", "json"]));
    let campaigns = all["campaigns"].as_array().unwrap();
    assert_eq!((all["of"].as_str(), campaigns.len()), (Some("m"), 2), "{all}");
    assert_eq!((campaigns[0]["subject"].as_str(), campaigns[0]["failures"].as_array().unwrap().len()), (Some("m:a/1"), 1), "{all}");
    // Each directory is a campaign of its own, which goes on by itself.
    let again = xcute(&place, &["resume", "xcute-out/b-1"]);
    assert!(stderr(&again).contains("already complete"), "{}", stderr(&again));
    let why = xcute(&place, &["explain", "xcute-out/a-1"]);
    assert_eq!(why.status.code(), Some(0), "{}", stderr(&why));
}

#[test]
fn tests_whose_results_change_are_left_out() {
    let source = "-module(m).\n-export([f/1]).\n-spec f(boolean()) -> integer().\nf(true) -> erlang:system_time();\nf(false) -> 1.\n";
    let place = place("m.erl", source);
    let output = xcute(&place, &["erl", "m.erl", "f/1"]);
    assert!(
        stderr(&output).contains("EUnit passes it (1 more is left out: what it expects changes from run to run)"),
        "{}",
        stderr(&output)
    );
    let tests = fs::read_to_string(place.path().join("xcute-out/m_xcute_tests.erl")).unwrap();
    assert_eq!(tests.matches("_test() ->").count(), 1, "{tests}");
}

#[test]
fn tests_may_be_in_the_way_of_each_other() {
    let source = "-module(m).\n-export([f/1]).\n-spec f(0..9) -> integer().\nf(X) -> register(me, self()), timer:sleep(20), if X < 3 -> 1; X < 5 -> 2; true -> 3 end.\n";
    let output = xcute(&place("m.erl", source), &["erl", "m.erl", "f/1"]);
    assert!(stderr(&output).contains("3 tests in xcute-out/m_xcute_tests.erl: EUnit passes them"), "{}", stderr(&output));
}

#[test]
fn several_campaigns_go_on_with_one_command() {
    let source = "-module(m).\n-export([a/1, b/1]).\n-spec a(integer()) -> integer().\na(X) -> 1 div X.\n-spec b(boolean()) -> atom().\nb(true) -> yes;\nb(false) -> no.\n";
    let place = place("m.erl", source);
    let first = xcute(&place, &["erl", "m.erl", "--runs", "1", "-q", "--out", "all"]);
    assert!(stdout(&first).contains("the search is not complete"), "{}{}", stdout(&first), stderr(&first));
    // As if the search had been ended before it came to the second.
    fs::remove_dir_all(place.path().join("all/b-1")).unwrap();
    let rest = summary(&xcute(&place, &["resume", "all", "--runs", "1000", "--format", "json"]));
    let campaigns = rest["campaigns"].as_array().unwrap();
    assert!(campaigns.len() == 2 && campaigns.iter().all(|campaign| campaign["complete"] == true), "{rest}");
    assert_eq!(rest["failing"].as_array().unwrap().len(), 1, "{rest}");
    // What a resumed search began can be resumed by itself, and all of it reported together.
    let again = xcute(&place, &["resume", "all/b-1", "-q"]);
    assert!(again.status.success() && stderr(&again).contains("already complete"), "{}", stderr(&again));
    let together = summary(&xcute(&place, &["report", "all", "--format", "json"]));
    assert_eq!((together["campaigns"].as_array().unwrap().len(), &together["failing"][0]), (2, &Value::from("m:a/1")), "{together}");
    let why = xcute(&place, &["explain", "all"]);
    assert!(stderr(&why).contains("cannot explain several campaigns at once"), "{}", stderr(&why));
}

#[test]
fn an_application_is_tested_as_a_whole() {
    let place = tempfile::tempdir().unwrap();
    for directory in ["shop/src", "shop/include"] {
        fs::create_dir_all(place.path().join(directory)).unwrap();
    }
    let write = |name: &str, text: &str| fs::write(place.path().join("shop").join(name), text).unwrap();
    write("include/shop.hrl", "-define(LIMIT, 3).\n");
    write(
        "src/cart.erl",
        "-module(cart).\n-export([add/2]).\n-include(\"shop.hrl\").\n-spec add(0..9, #{count := 0..9}) -> map().\nadd(N, #{count := C} = M) -> price:check(N), M#{count := C + N}.\n",
    );
    write(
        "src/price.erl",
        "-module(price).\n-export([check/1]).\n-include(\"shop.hrl\").\n-spec check(0..9) -> ok.\ncheck(N) when N =< ?LIMIT -> ok.\n",
    );
    let output = xcute(&place, &["erl", "shop"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("2 of 2 functions of shop can fail"), "{}", stdout(&output));
    assert!(place.path().join("xcute-out/cart-add-2/summary.json").is_file());
    let one = xcute(&place, &["erl", "shop", "price:check/1", "--out", "one"]);
    assert!(stdout(&one).starts_with("1 failure in price:check/1"), "{}{}", stdout(&one), stderr(&one));
    let none = xcute(&place, &["erl", "shop/include"]);
    assert!(stderr(&none).contains("it has no modules in src"), "{}", stderr(&none));
}

#[test]
fn an_application_of_a_project_is_compiled_as_rebar3_does() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = place.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write("rebar.config", "{erl_opts, [debug_info, {d, 'LIMIT', 3}, {i, \"common\"}, {parse_transform, renamed}]}.\n");
    write("common/common.hrl", "-define(FEW, 1).\n");
    write("apps/store/include/store.hrl", "-record(item, {count = 0 :: 0..9}).\n");
    write(
        "apps/shop/src/cart.erl",
        "-module(cart).\n-export([add/1]).\n-include(\"common.hrl\").\n-include(\"store.hrl\").\n-include_lib(\"dep/include/dep.hrl\").\n\
         -spec add(#item{}) -> ok.\nadd(#item{count = N}) when N =< ?LIMIT + ?FEW + ?MORE -> renamed_below.\n",
    );
    write("_build/default/lib/dep/include/dep.hrl", "-define(MORE, 1).\n");
    fs::create_dir_all(place.path().join("_build/default/lib/dep/ebin")).unwrap();
    let transform = "-module(renamed).\n-export([parse_transform/2]).\n\
                     parse_transform(Forms, _) -> renamed(Forms).\n\
                     renamed({atom, At, renamed_below}) -> {atom, At, ok};\nrenamed(T) when is_tuple(T) -> list_to_tuple(renamed(tuple_to_list(T)));\n\
                     renamed([H | T]) -> [renamed(H) | renamed(T)];\nrenamed(Other) -> Other.\n";
    write("_build/default/lib/renamed/ebin/renamed.erl", transform);
    let ebin = place.path().join("_build/default/lib/renamed/ebin");
    let status = std::process::Command::new("erlc").arg("renamed.erl").current_dir(&ebin).status().unwrap();
    assert!(status.success());
    let output = xcute(&place, &["erl", "apps/shop"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("no function clause matching cart:add({item,6})"), "{}{}", stdout(&output), stderr(&output));
    let tests = fs::read_to_string(place.path().join("xcute-out/cart_xcute_tests.erl")).unwrap();
    assert!(tests.contains("{returned, ok}"), "{tests}");
    // What cannot be read is named.
    write("rebar.config", "{erl_opts, [");
    let output = xcute(&place, &["erl", "apps/shop"]);
    assert!(stderr(&output).contains("rebar.config"), "{}", stderr(&output));
}

#[test]
fn a_project_of_several_applications_is_tested_as_a_whole() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = place.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    // Each application has a header of its own with the same name, and options of its own.
    write("rebar.config", "{erl_opts, [{d, 'LIMIT', 9}, {platform_define, \"^[0-9]+\", known}, {platform_define, \"^none\", 'OTHER'}]}.\n");
    write(
        "rebar.config.script",
        "Opts = proplists:get_value(erl_opts, CONFIG),\n[{erl_opts, [{d, 'LIMIT', 3} | proplists:delete(d, Opts)]}].\n",
    );
    write("apps/cart/rebar.config", "{erl_opts, [{d, own}]}.\n");
    for (app, few) in [("cart", 1), ("till", 2)] {
        write(&format!("apps/{app}/src/own.hrl"), &format!("-define(FEW, {few}).\n"));
        let text = format!(
            "-module({app}).\n-export([f/1]).\n-include(\"own.hrl\").\n-ifdef(own).\n-define(MORE, 10).\n-else.\n-define(MORE, 0).\n-endif.\n\
             -ifndef(known).\n-error(platform).\n-endif.\n-ifdef('OTHER').\n-error(platform).\n-endif.\n\
             -spec f(0..30) -> ok.\nf(N) when N =/= ?LIMIT + ?FEW + ?MORE -> ok.\n"
        );
        write(&format!("apps/{app}/src/{app}.erl"), &text);
    }
    let output = xcute(&place, &["erl", "."]);
    let told = format!("{}{}", stdout(&output), stderr(&output));
    assert!(told.contains("2 of 2 functions of . can fail") && told.contains("cart:f(14)") && told.contains("till:f(5)"), "{told}");
    // A script that fails is named.
    write("rebar.config.script", "rebar_state:new().\n");
    let output = xcute(&place, &["erl", "."]);
    assert!(stderr(&output).contains("rebar.config.script: error: undef"), "{}", stderr(&output));
}

#[test]
fn an_application_is_compiled_as_erlang_mk_does() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = place.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write("Makefile", "PROJECT = shop\nERLC_OPTS += -DLIMIT=3 -Icommon \\\n    +'{d, more, 4}' $(EXTRA)\ninclude erlang.mk\n");
    write("common/common.hrl", "-define(FEW, 1).\n");
    write(
        "src/shop.erl",
        "-module(shop).\n-export([f/1]).\n-include(\"common.hrl\").\n-spec f(0..30) -> ok.\nf(N) when N =/= ?LIMIT + ?FEW + ?more -> ok.\n",
    );
    let output = xcute(&place, &["erl", "."]);
    assert!(stdout(&output).contains("shop:f(8)"), "{}{}", stdout(&output), stderr(&output));
    assert!(stderr(&output).contains("$(EXTRA) in ERLC_OPTS of"), "{}", stderr(&output));
}

#[test]
fn what_is_minimised_stays_inside_the_specification() {
    // Without the specification 0, the empty list and the empty map would be smaller.
    let source =
        "-module(m).\n-export([f/3]).\n-spec f(5..9, [3..4, ...], #{k := 7..8}) -> no_return().\nf(A, B, #{k := C}) -> error({A, B, C}).\n";
    let place = place("m.erl", source);
    let output = xcute(&place, &["erl", "m.erl", "f/3"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    let call = text.lines().find_map(|line| line.trim().strip_prefix("with call = m:f(")).unwrap_or_default();
    let (first, rest) = call.split_once(", ").unwrap_or_default();
    assert!(["5", "6", "7", "8", "9"].contains(&first), "{text}");
    let (list, map) = rest.split_once(", ").unwrap_or_default();
    let items: Vec<&str> = list.trim_matches(['[', ']']).split(',').collect();
    assert!(items.iter().all(|item| ["3", "4"].contains(item)), "{text}");
    assert!(map.contains("k => 7") || map.contains("k => 8"), "{text}");
}

#[test]
fn coverage_is_that_of_the_source() {
    let source = "-module(m).\n-export([f/1]).\n-spec f(0..9) -> term().\nf(X) when X > 4 ->\n    case X * 2 of\n        12 ->\n            g(X);\n        \
                  13 ->\n            never;\n        _ ->\n            other\n    end;\nf(_) ->\n    small.\n\ng(X) ->\n    error(X),\n    after_it.\n\nunused() ->\n    ok.\n";
    let place = place("m.erl", source);
    let output = xcute(&place, &["erl", "m.erl", "f/1", "--format", "json"]);
    let coverage = &summary(&output)["coverage"];
    let text = fs::read_to_string(place.path().join("xcute-out/coverage.lcov")).unwrap();
    let has = |line: &str| text.lines().any(|own| own == line);
    // Bodies count where they ran, clauses where they were chosen, each on its own line; what comes after a failure did not run.
    for line in [
        "DA:5,1",
        "DA:7,1",
        "DA:9,0",
        "DA:11,1",
        "DA:14,1",
        "DA:17,1",
        "DA:18,0",
        "BRDA:4,0,0,1",
        "BRDA:13,0,1,1",
        "BRDA:6,1,0,1",
        "BRDA:8,1,1,0",
        "BRDA:10,1,2,1",
    ] {
        assert!(has(line), "{line} is not in\n{text}");
    }
    assert!(has("FNDA:1,m:g/1") && !text.contains("unused"), "{text}");
    assert!(
        has(&format!("BRF:{}", coverage["branches"]["total"])) && has(&format!("LH:{}", coverage["lines"]["covered"])),
        "{coverage} {text}"
    );
}

#[test]
fn a_campaign_goes_on() {
    let source = "-module(m).\n-export([f/1]).\n-spec f([0..9]) -> ok.\nf([3, 1, 4, 1, 5]) -> error(pi);\nf(_) -> ok.\n";
    let place = place("m.erl", source);
    let begun = xcute(&place, &["erl", "m.erl", "f/1", "--runs", "2", "--format", "json"]);
    assert_eq!(summary(&begun)["complete"], false, "{}", stderr(&begun));
    let resumed = xcute(&place, &["resume", "xcute-out", "--runs", "1000", "--format", "json"]);
    let summary = summary(&resumed);
    assert_eq!((&summary["complete"], summary["failures"].as_array().unwrap().len()), (&Value::Bool(true), 1), "{}", stderr(&resumed));
    // Another program is noticed.
    fs::write(place.path().join("m.erl"), source.replace("pi", "tau")).unwrap();
    xcute(&place, &["erl", "m.erl", "f/1", "--runs", "2"]);
    fs::write(place.path().join("m.erl"), source.replace("5", "6")).unwrap();
    let refused = xcute(&place, &["resume", "xcute-out"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("changed since the campaign began"), "{}", stderr(&refused));
}

#[test]
fn the_events_of_the_paper() {
    let source = "-module(m).\n-export([f/1]).\n-spec f(a | b) -> atom().\nf(a) -> c;\nf(X) -> X.\n";
    let place = place("m.erl", source);
    let output = xcute(&place, &["erl", "m.erl", "f/1", "--events", "paper"]);
    let told = stdout(&output);
    assert!(told.contains("m:f(a)\n  case(") && told.contains("exit("), "{told}");
}

#[test]
fn mistakes_are_named() {
    let place = place("m.erl", "-module(m).\n-export([f/1, f/2, gamma/0]).\nf(X) -> X.\nf(X, _) -> X.\ngamma() -> 1.\n");
    fs::write(place.path().join("bad.erl"), "-module(bad).\n-export([f/1]).\nf(X) -> Y.\n").unwrap();
    fs::write(place.path().join("text.txt"), "").unwrap();
    for (arguments, wanted) in [
        (&["erl", "none.erl"][..], "cannot read none.erl"),
        (&["erl", "m.erl", "g/1"], "the module m does not export g/1"),
        (&["erl", "m.erl", "gama/0"], "did you mean gamma/0?"),
        (&["erl", "m.erl", "f"], "which f is meant? The module m exports f/1, f/2"),
        (&["erl", "m.erl", "f/x"], "cannot understand f/x"),
        (&["erl", "bad.erl"], "variable 'Y' is unbound"),
        (&["erl", "text.txt"], "its name ends in none of .erl, .beam and .core"),
    ] {
        let output = xcute(&place, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(wanted), "{arguments:?}: {}", stderr(&output));
    }
    let missing = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(place.path())
        .args(["erl", "m.erl", "f/1"])
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("cannot find erl (install Erlang/OTP"), "{}", stderr(&missing));
}

/// Endless paths, the first of which crash.
const ENDLESS: &str = "-module(endless).\n-export([f/1, g/1]).\n-spec f([integer()]) -> any().\nf([]) -> error(empty);\nf(L) -> sum(L, 0).\ng(L) -> sum(L, 1).\n\
                       sum([], S) -> S;\nsum([X | T], S) when X > S -> sum(T, X);\nsum([_ | T], S) -> sum(T, S).\n";

#[test]
fn tests_are_written_when_the_time_is_used_up() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("endless.erl"), ENDLESS).unwrap();
    let ran = xcute(&place, &["erl", "endless.erl", "f/1", "--time", "2s"]);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(said.contains("EUnit passes"), "{said}");
    let tests = std::fs::read_to_string(place.path().join("xcute-out/endless_xcute_tests.erl")).unwrap();
    assert!(tests.contains("{error, empty}") && tests.matches("_test() ->").count() > 2);
}

#[test]
fn a_signal_ends_all_campaigns() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("endless.erl"), ENDLESS).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place.path()).args(["erl", "endless.erl", "--time", "10m"]);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let begun = place.path().join("xcute-out/f-1/failures/f1.json");
    let start = std::time::Instant::now();
    while !begun.exists() {
        assert!(start.elapsed().as_secs() < 120, "nothing is found");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let ended = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(text.ends_with("1 of 2 functions of endless can fail: f/1; interrupted before 1 of them\n"), "{text}");
    assert!(!place.path().join("xcute-out/g-1").exists());
}

#[test]
fn a_case_of_an_earlier_campaign_is_a_seed() {
    let source = "-module(big).\n-export([big/1, other/1]).\n\
        big([{key, X}, Y | _]) when is_integer(X), X > 100000000000000000000, Y =:= X + 1 -> error(found);\n\
        big(_) -> ok.\nother(_) -> ok.\n";
    let place = place("big.erl", source);
    let first = xcute(&place, &["erl", "big.erl", "big/1", "--runs", "200", "--stop-at", "first-failure", "-q"]);
    assert_eq!(first.status.code(), Some(1), "{}", stderr(&first));
    let seeded = ["erl", "big.erl", "big/1", "--out", "seeded", "--runs", "2", "--format", "json", "--seed-case"];
    let second = xcute(&place, &[&seeded[..], &["xcute-out/failures/f1.json"]].concat());
    let found = summary(&second);
    assert_eq!((&found["runs"], found["failures"].as_array().unwrap().len()), (&2.into(), 1), "{}", stderr(&second));
    // The seed is in the journal, as a term with a number of any size.
    let resumed = xcute(&place, &["resume", "seeded", "--runs", "3", "-q"]);
    assert_eq!((resumed.status.code(), stdout(&resumed).contains("1 failure in big:big/1")), (Some(1), true), "{}", stderr(&resumed));
    let other = xcute(&place, &["erl", "big.erl", "other/1", "--out", "other", "--seed-case", "xcute-out/failures"]);
    assert!(stderr(&other).contains("is not a call of a function that is tested"), "{}", stderr(&other));
    assert_eq!(other.status.code(), Some(2));
}

/// Each file of a corpus is a binary that runs before the search; what covers something new is added, once.
#[test]
fn a_corpus_is_read_and_added_to() {
    let place = tempfile::tempdir().unwrap();
    let text = "-module(m).\n-export([f/1, g/2]).\n-spec f(binary()) -> integer().\nf(<<\"key\", 7, _/binary>>) -> 1;\nf(<<_/binary>>) -> 0.\ng(X, _) -> X.\n";
    std::fs::write(place.path().join("m.erl"), text).unwrap();
    let seeds = place.path().join("seeds");
    std::fs::create_dir(&seeds).unwrap();
    std::fs::write(seeds.join("first"), b"key\x07rest").unwrap();
    let xcute = |words: &[&str]| Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place.path()).args(words).output().unwrap();
    let ran = xcute(&["erl", "m.erl", "f/1", "--corpus", "seeds", "--export-corpus", "out", "--runs", "2", "-q"]);
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut written: Vec<Vec<u8>> =
        std::fs::read_dir(place.path().join("out")).unwrap().flatten().map(|entry| std::fs::read(entry.path()).unwrap()).collect();
    written.sort();
    // The search begins with the smallest input.
    assert_eq!(written, [Vec::new(), b"key\x07rest".to_vec()]);
    let refused = xcute(&["erl", "m.erl", "g/2", "--corpus", "seeds"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        refused.status.code() == Some(2)
            && said.contains("cannot use --corpus: a file of a corpus is one argument, a binary, and g/2 has 2"),
        "{said}"
    );
}
