//! Text and bytes: the models of functions over them, and what searches find through them.

use crate::support;
use crate::support::search_text;

/// The models against the emulator's own functions.
#[test]
fn models_of_text_are_those_of_the_emulator() {
    let directory = tempfile::tempdir().expect("a directory");
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/erlang/texts.erl");
    std::fs::copy(source, directory.path().join("texts.erl")).expect("a file");
    let home = support::home();
    assert!(home.compile(directory.path(), "texts.erl").expect("Erlang starts"));
    let mut erl = std::process::Command::new(home.erl());
    erl.args(["-noshell", "-pa"]).arg(home.ebin()).arg("-pa").arg(directory.path());
    let output = erl
        .args(["-eval", "N = texts:compare(1000), io:format(standard_error, \"~w differ~n\", [N]), halt()."])
        .output()
        .expect("Erlang starts");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "0 differ\n");
}

#[test]
fn text_is_taken_apart_and_put_together() {
    for (of, body, wanted) in [
        ("string()", "case unicode:characters_to_binary(X) of <<195, 169>> -> error(hit); _ -> ok end", "[233]"),
        ("binary()", "case unicode:characters_to_list(X) of [233] -> error(hit); _ -> ok end", "<<195,169>>"),
        ("0..9999", "case integer_to_list(X) of [A, A, $7, A] -> error(hit); _ -> ok end", "1171"),
        ("integer()", "case integer_to_binary(X) of <<\"-42\">> -> error(hit); _ -> ok end", "-42"),
        ("binary()", "case binary:split(X, <<\"=\">>) of [<<\"a\">>, <<\"b\">>] -> error(hit); _ -> ok end", "<<97,61,98>>"),
        ("integer()", "case integer_to_list(X, 2) of \"101\" -> error(hit); _ -> ok end", "5"),
        ("integer()", "case lists:flatten(io_lib:format(\"<~p>\", [X])) of \"<42>\" -> error(hit); _ -> ok end", "42"),
        ("0..99", "case lists:flatten(io_lib:format(\"<~2..0B>\", [X])) of \"<07>\" -> error(hit); _ -> ok end", "7"),
        ("0..99", "case lists:flatten(io_lib:format(\"~-4w|\", [X])) of \"42  |\" -> error(hit); _ -> ok end", "42"),
        ("string()", "case X of [$5, _] -> case string:to_integer(X) of {5, \"x\"} -> error(hit); _ -> ok end; _ -> ok end", "\"5x\""),
        ("[a | b]", "try io:format(\"~s~n\", [X]) catch error:badarg -> error(hit) end", "[a]"),
        ("binary()", "case binary:match(X, [<<\"x\">>, <<\"xy\">>]) of {0, 2} -> error(hit); _ -> ok end", "<<120,121>>"),
    ] {
        let text = format!("-spec f({of}) -> term().\nf(X) -> {body}.\n");
        let found = search_text(&text, "f", 1, Some(3), 300);
        let hit = found.failing("hit").unwrap_or_default();
        // Some have several answers.
        let other = wanted == "1171" && hit.len() == 4 || wanted == "[a]" && hit == "[b]";
        assert!(hit == wanted || other, "{body}: {hit} {:?} {:?}", found.inputs(), found.incomplete());
    }
}

#[test]
fn what_is_wrong_with_text_is_known() {
    let text = "-spec f([0..16#10FFFF]) -> term().\n\
                f(S) -> case unicode:characters_to_list(S) of {error, \"a\", [16#D805]} -> error(hit); _ -> ok end.\n";
    let found = search_text(text, "f", 1, Some(2), 100);
    assert_eq!(found.failing("hit"), Some("[97,55301]"), "{:?}", found.inputs());
    assert!(found.results.complete, "{:?}", found.incomplete());
}
