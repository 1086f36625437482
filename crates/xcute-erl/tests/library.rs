//! Modules of OTP's library under test, although the emulator uses them itself.

use crate::support;
use std::sync::Arc;

use crate::support::{load, search, search_text, subject};
use xcute_erl::program::{Modules, Source};
use xcute_erl::universe::shown;
use xcute_erl::vm::Ended;
use xcute_term::Terms;
use xcute_trace::{Subject as _, TestCase};

/// What a function without arguments returns, instrumented.
fn returned(modules: &Arc<Modules>, module: &str, function: &str) -> String {
    let mut subject = subject(modules, module, function, 0, None);
    subject.compare(true);
    subject.run(&TestCase::default(), &[], &mut Terms::new()).expect("an emulator");
    match subject.last().ended.clone() {
        Some(Ended::Returned(Some(value))) => shown(&value, subject.atoms()),
        other => panic!("{other:?}"),
    }
}

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

#[test]
fn functions_in_other_languages_are_called_as_they_are() {
    let modules = load(&[Source::Module("binary".to_owned())]);
    let found = search(&mut subject(&modules, "binary", "longest_common_prefix", 1, Some(1)), 20);
    assert_eq!(found.failing("bad argument"), Some("[]"), "{:?}", found.cases);
    let named = found.incomplete();
    assert!(!found.results.complete && named.iter().any(|limit| limit.contains("binary:longest_common_prefix/1")), "{named:?}");
    // One that has a model is followed.
    let modules = load(&[Source::Module("lists".to_owned())]);
    let found = search(&mut subject(&modules, "lists", "member", 2, Some(1)), 100);
    assert!(found.results.complete && found.results.failures.is_empty(), "{:?} {:?}", found.cases, found.incomplete());
}

/// Text of all kinds: each function of `unicode_util` is compared with what its model does.
const TEXTS: &str = "
texts() ->
    Letters = [0, 9, 10, 13, 32, $A, $Z, $a, $z, 127, 128, 169, 173, 233, 255, 256, 768, 8205, 127464, 1114112, -1, x],
    Lists = [[A | Rest] || A <- Letters, Rest <- [[], [$b], [10], [255], [769], [-1], [[$c]], [<<\"d\">>], <<\"e\">>, <<>>, <<200>>, y]],
    Bytes = [<<A, Rest/binary>> || A <- [0, 10, 13, $A, $z, 127, 128, 195], Rest <- [<<>>, <<\"b\">>, <<10>>, <<169>>, <<195, 169>>, <<204, 129>>]],
    [[], <<>>, x, 1, <<1:3>>, [[]], [[$a], $b], [<<>>, $b]] ++ Lists ++ Bytes.
different() ->
    Of = fun(F) -> try F() catch Class:Reason -> {Class, Reason} end end,
    [{F, T} || T <- texts(), {F, G, H} <- all(), Of(fun() -> G(T) end) =/= Of(fun() -> H(T) end)].
all() ->
    [{cp, fun(T) -> unicode_util:cp(T) end, fun(T) -> xcute_rt:'unicode_util:cp'(T) end},
     {gc, fun(T) -> unicode_util:gc(T) end, fun(T) -> xcute_rt:'unicode_util:gc'(T) end},
     {uppercase, fun(T) -> unicode_util:uppercase(T) end, fun(T) -> xcute_rt:'unicode_util:uppercase'(T) end},
     {lowercase, fun(T) -> unicode_util:lowercase(T) end, fun(T) -> xcute_rt:'unicode_util:lowercase'(T) end},
     {titlecase, fun(T) -> unicode_util:titlecase(T) end, fun(T) -> xcute_rt:'unicode_util:titlecase'(T) end},
     {casefold, fun(T) -> unicode_util:casefold(T) end, fun(T) -> xcute_rt:'unicode_util:casefold'(T) end}].
-spec words([32..122]) -> term().
words(Text) ->
    case string:lexemes(Text, \" \") of
        [\"a\", B] -> error({found, string:uppercase(B)});
        _ -> ok
    end.
";

#[test]
fn text_is_followed() {
    let modules = support::modules(&[("t", TEXTS)]);
    assert_eq!(returned(&modules, "t", "different"), "[]");
    let found = search_text(TEXTS, "words", 1, Some(4), 300);
    assert!(found.failing("found").is_some_and(|input| input.starts_with("\"a ") || input.starts_with("[97,32")), "{:?}", found.cases);
    assert!(!found.incomplete().iter().any(|limit| limit.contains("unicode_util")), "{:?}", found.incomplete());
}

/// The table of crashes in `docs/erlang.md`, which a search found: a call, its class and reason, and the function in which it fails.
fn documented() -> Vec<[String; 3]> {
    let page = include_str!("../../../docs/erlang.md");
    let rows = page.lines().skip_while(|line| !line.starts_with("| call | raises |")).skip(2).take_while(|line| line.starts_with('|'));
    let quoted = |row: &str| row.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<String>>();
    rows.map(|row| quoted(row).into_iter().take(3).collect::<Vec<String>>().try_into().expect("a call, a reason and a function")).collect()
}

#[test]
fn crashes_of_the_library_are_as_documented() {
    let rows = documented();
    assert!(rows.len() > 8, "{rows:?}");
    let mut script = "Show = fun(C, R, [{M, F, A, _} | _]) -> N = if is_list(A) -> length(A); true -> A end, \
                      io:format(\"~ts:~0p in ~ts:~ts/~w~n\", [C, R, M, F, N]) end, "
        .to_owned();
    for [call, ..] in &rows {
        script += &format!("try {call} of V -> io:format(\"~0p~n\", [V]) catch C:R:S -> Show(C, R, S) end, ");
    }
    script += "io:format(\"~ts~n\", [erlang:system_info(otp_release)]), halt().";
    // Names of variables may come again.
    let script = script.replace(", try", ", (fun() -> try").replace("(C, R, S) end", "(C, R, S) end end)()");
    let ran = std::process::Command::new(support::home().erl()).args(["-noshell", "-eval", &script]).output().expect("Erlang starts");
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    let (lines, release) = printed.trim_end().rsplit_once('\n').unwrap_or_else(|| panic!("{script}: {printed}"));
    let wanted: Vec<String> = rows.iter().map(|[_, reason, function]| format!("{reason} in {function}")).collect();
    // Of another release the page says nothing.
    assert!(release != "25" || lines.lines().eq(&wanted), "{lines}\nis not\n{}", wanted.join("\n"));
}

#[test]
fn crashes_inside_specifications_are_found() {
    let modules = load(&[Source::Module("calendar".to_owned())]);
    for (function, wanted) in [("seconds_to_time", "86400"), ("iso_week_number", "{0,1,1}")] {
        let found = search(&mut subject(&modules, "calendar", function, 1, None), 12);
        let confirmed = found.results.confirmed().count();
        assert!(confirmed > 0 && found.failing("no function clause").is_some(), "{function}: {:?}", found.cases);
        assert!(found.cases.iter().any(|(input, failure)| failure.is_some() && input.as_str() == wanted), "{function}: {:?}", found.cases);
    }
}
