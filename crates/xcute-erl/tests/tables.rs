//! Tables of `ets`: what goes in comes out as it was, which object a key finds is decided, and the rest is a limit.

use crate::support;
use std::fmt::Write as _;

use crate::support::{Found, modules, search, search_text, subject};

fn of_integer(body: &str) -> Found {
    search_text(&format!("-spec f(integer()) -> term().\nf(N) -> {body}.\n"), "f", 1, None, 500)
}

#[test]
fn what_goes_in_comes_out() {
    for (body, input) in [
        ("T = ets:new(t, [set]), ets:insert(T, {k, N}), [{k, V}] = ets:lookup(T, k), V =:= 77 andalso error(hit)", "77"),
        (
            "T = ets:new(t, [named_table]), ets:insert(t, [{a, 1}, {b, N}]), R = ets:whereis(t), ets:lookup_element(R, b, 2) =:= 5 andalso error(hit)",
            "5",
        ),
        (
            "T = ets:new(t, []), ets:insert(T, {c, 0}), ets:update_counter(T, c, N), ets:update_counter(T, c, {2, 3}) =:= 10 andalso error(hit)",
            "7",
        ),
        (
            "T = ets:new(t, [{keypos, 2}]), true = ets:insert_new(T, {a, k, N}), false = ets:insert_new(T, {b, k, 1}), ets:update_element(T, k, {1, N * 2}), [{X, k, N}] = ets:tab2list(T), [_] = ets:take(T, k), [] = ets:lookup(T, k), X =:= 8 andalso error(hit)",
            "4",
        ),
        (
            "T = ets:new(t, [ordered_set]), ets:insert(T, {1, N}), ets:insert(T, {2, N}), ets:foldl(fun({K, V}, A) -> K * V + A end, 0, T) =:= 12 andalso error(hit)",
            "4",
        ),
        (
            "T = ets:new(t, []), P = spawn(fun() -> receive {T2, V} -> ets:insert(T2, {k, V}) end end), ets:insert(T, {N, x}), ets:member(T, 3) andalso error(hit), P",
            "3",
        ),
    ] {
        let found = of_integer(body);
        assert_eq!(found.failing("hit"), Some(input), "{body}: {:?}", found.incomplete());
        assert!(found.results.complete || body.contains("spawn"), "{body}: {:?}", found.incomplete());
    }
}

#[test]
fn what_is_not_followed_is_a_limit() {
    for (body, limit) in [
        ("T = ets:new(t, [bag]), ets:insert(T, [{k, N}, {k, 2}]), ets:lookup(T, k) =:= [{k, 2}] andalso error(hit)", "ets:insert/2"),
        ("T = ets:new(t, []), ets:insert(T, {k, N}), ets:match(T, {k, #{a => '_'}}) =:= [[]] andalso error(hit)", "ets:match/2"),
        ("T = ets:new(t, []), ets:insert(T, {k, N}), element(1, ets:match(T, {'_', 5}, 1)) =:= [[]] andalso error(hit)", "ets:match/3"),
        ("T = ets:new(t, []), ets:insert(T, {k, N}), ets:slot(T, 0) =:= [{k, 5}] andalso error(hit)", "ets:slot/2"),
        (
            "T = ets:new(t, []), ets:insert(T, {k, N}), ets:select(T, [{{k, '$1'}, [{is_function, '$1'}], [x]}]) =:= [x] andalso error(hit)",
            "ets:select/2",
        ),
        ("T = ets:new(t, []), ets:insert(T, {N, k}), ets:insert(T, {1, l}), ets:first(T) =:= 1 andalso error(hit)", "a key of a table"),
    ] {
        let found = of_integer(body);
        assert!(found.incomplete().iter().any(|why| why.contains(limit)), "{body}: {:?}", found.incomplete());
    }
}

#[test]
fn objects_are_found_by_patterns() {
    for (body, input) in [
        ("T = ets:new(t, []), ets:insert(T, [{a, N}, {b, 2}]), ets:match(T, {'$1', 5}) =:= [[a]] andalso error(hit)", "5"),
        ("T = ets:new(t, []), ets:insert(T, [{a, N}, {b, 2}]), length(ets:match_object(T, {'_', 2})) =:= 2 andalso error(hit)", "2"),
        ("T = ets:new(t, []), ets:insert(T, {{k, N}, 1}), ets:match(T, {{k, 7}, '$1'}) =:= [[1]] andalso error(hit)", "7"),
        ("T = ets:new(t, []), ets:insert(T, {k, N, 3}), ets:match(T, {k, '$1', '$1'}) =:= [[3]] andalso error(hit)", "3"),
        ("T = ets:new(t, []), ets:insert(T, {k, N}), ets:match_delete(T, {k, 5}), ets:lookup(T, k) =:= [] andalso error(hit)", "5"),
        (
            "T = ets:new(t, []), ets:insert(T, {k, N}), ets:select(T, [{{'$1', '$2'}, [{'=:=', {'*', '$2', 2}, 8}], [{{'$2', '$1'}}]}]) =:= [{4, k}] andalso error(hit)",
            "4",
        ),
        (
            "T = ets:new(t, [duplicate_bag]), ets:insert(T, [{k, N}, {k, N}, {j, 9}]), ets:select_count(T, [{{'_', '$1'}, [{'==', '$1', 9}], [true]}]) =:= 3 andalso error(hit)",
            "9",
        ),
        ("T = ets:new(t, [bag]), ets:insert(T, {k, 1}), ets:insert(T, {k, N}), ets:lookup(T, k) =:= [{k, 1}] andalso error(hit)", "1"),
        ("T = ets:new(t, [set]), ets:insert(T, {k, N}), ets:delete_object(T, {k, 6}), ets:member(T, k) orelse error(hit)", "6"),
        ("T = ets:new(t, []), ets:update_counter(T, k, N, {k, 10}) =:= 33 andalso error(hit)", "23"),
        (
            "T = ets:new(t, []), ets:insert(T, {k, N}), ets:update_counter(T, k, {2, 5, 100, -77}) =:= -77 andalso N < 97 andalso error(hit)",
            "96",
        ),
    ] {
        let found = of_integer(body);
        assert_eq!(found.failing("hit"), Some(input), "{body}: {:?}", found.incomplete());
        assert!(found.results.complete, "{body}: {:?}", found.incomplete());
    }
}

/// The models of matches against the emulator's own.
#[test]
fn matches_are_those_of_the_emulator() {
    let directory = tempfile::tempdir().expect("a directory");
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/erlang/matches.erl");
    std::fs::copy(source, directory.path().join("matches.erl")).expect("a file");
    let home = support::home();
    assert!(home.compile(directory.path(), "matches.erl").expect("Erlang starts"));
    let mut erl = std::process::Command::new(home.erl());
    erl.args(["-noshell", "-pa"]).arg(home.ebin()).arg("-pa").arg(directory.path());
    let output = erl.args(["-eval", "io:format(\"~w differ~n\", [matches:compare(1000)]), halt()."]).output().expect("Erlang starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0 differ\n");
}

/// Code that is not followed may change a table, so nobody knows what a key finds there.
#[test]
fn what_others_put_in_is_not_known() {
    let body = "T = ets:new(t, [public]), rpc:call(node(), ets, insert, [T, {5, x}]), ets:member(T, N) andalso error(hit)";
    let found = of_integer(body);
    assert!(!found.results.complete || found.failing("hit").is_some(), "{:?}", found.inputs());
}

#[test]
fn numbers_in_text() {
    let text = "-spec f([0..127]) -> term().\nf(S) -> case list_to_integer(S) of -42 -> error(hit); N -> N end.\n";
    let found = search_text(text, "f", 1, Some(3), 4000);
    assert_eq!(found.failing("hit"), Some("\"-42\""), "{:?}", found.inputs());
    assert!(found.results.complete, "{:?}", found.incomplete());
    let text = "-spec f(binary()) -> term().\nf(S) -> case catch binary_to_integer(S, 16) of 16#af -> error(hit); N -> N end.\n";
    assert!(search_text(text, "f", 1, Some(2), 2000).failing("hit").is_some());
}

/// A value of an object: an integer, or the atom `a`, which is greater.
type Value = u8;
const ATOM: Value = 9;
/// Values of each input.
const INPUTS: Value = 3;

fn text(value: Value) -> String {
    if value == ATOM { "a".to_owned() } else { value.to_string() }
}

/// What a key or value is in the program.
#[derive(Clone, Copy)]
enum Of {
    A,
    B,
    Constant(Value),
}

impl Of {
    fn random(rng: &mut fastrand::Rng) -> Of {
        match rng.u8(0..6) {
            0 | 1 => Of::A,
            2 | 3 => Of::B,
            4 => Of::Constant(rng.u8(0..INPUTS)),
            _ => Of::Constant(ATOM),
        }
    }

    fn value(self, (a, b): (Value, Value)) -> Value {
        match self {
            Of::A => a,
            Of::B => b,
            Of::Constant(value) => value,
        }
    }

    fn text(self) -> String {
        match self {
            Of::A => "A".to_owned(),
            Of::B => "B".to_owned(),
            Of::Constant(value) => text(value),
        }
    }
}

const OPERATIONS: u8 = 10;

/// A table of our own: pairs in the order in which they came; of a set, one for each key.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Set,
    Bag,
    Duplicates,
}

/// An operation in Erlang.
fn written(operation: u8, key: Of, value: Of) -> String {
    let (key, value) = (key.text(), value.text());
    match operation {
        0 => format!("ets:insert(T, {{{key}, {value}}})"),
        1 => format!("ets:insert_new(T, {{{key}, {value}}})"),
        2 => format!("ets:lookup(T, {key})"),
        3 => format!("ets:member(T, {key})"),
        4 => format!("ets:delete(T, {key})"),
        5 => format!("ets:take(T, {key})"),
        6 => format!("ets:update_element(T, {key}, {{2, {value}}})"),
        7 => format!("(try ets:lookup_element(T, {key}, 2) catch error:badarg -> none end)"),
        8 => format!("ets:delete_object(T, {{{key}, {value}}})"),
        _ => format!("lists:sort(ets:match(T, {{{key}, '$1'}}))"),
    }
}

/// What it does with a table, and what it gives, as Erlang writes it.
fn done(operation: u8, key: Value, value: Value, (kind, table): (Kind, &mut Vec<(Value, Value)>)) -> String {
    let there: Vec<Value> = table.iter().filter(|object| object.0 == key).map(|object| object.1).collect();
    let objects = || format!("[{}]", there.iter().map(|own| format!("{{{}, {}}}", text(key), text(*own))).collect::<Vec<_>>().join(", "));
    let mut insert = || {
        if kind == Kind::Set {
            table.retain(|object| object.0 != key);
        }
        if kind == Kind::Duplicates || !table.contains(&(key, value)) {
            table.push((key, value));
        }
    };
    match operation {
        0 => {
            insert();
            "true".to_owned()
        }
        1 => {
            if there.is_empty() {
                insert();
            }
            there.is_empty().to_string()
        }
        2 => objects(),
        3 => (!there.is_empty()).to_string(),
        4 | 5 => {
            table.retain(|object| object.0 != key);
            if operation == 4 { "true".to_owned() } else { objects() }
        }
        6 => {
            table.iter_mut().filter(|object| object.0 == key).for_each(|object| object.1 = value);
            (!there.is_empty()).to_string()
        }
        7 if there.is_empty() => "none".to_owned(),
        7 if kind == Kind::Set => text(there[0]),
        7 => format!("[{}]", there.iter().map(|own| text(*own)).collect::<Vec<_>>().join(", ")),
        8 => {
            table.retain(|object| *object != (key, value));
            "true".to_owned()
        }
        _ => {
            let mut sorted = there.clone();
            sorted.sort_unstable();
            format!("[{}]", sorted.iter().map(|own| format!("[{}]", text(*own))).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Random sequences of operations against a map of our own, for all inputs.
#[test]
fn random_operations_agree_with_brute_force() {
    let mut rng = fastrand::Rng::with_seed(20_261_117);
    let (mut module, mut wanted) = (String::new(), Vec::new());
    for number in 0..32 {
        let (kind, name) =
            [(Kind::Set, "set"), (Kind::Set, "ordered_set"), (Kind::Bag, "bag"), (Kind::Duplicates, "duplicate_bag")][number % 4];
        let operation = |rng: &mut fastrand::Rng| std::iter::repeat_with(|| rng.u8(0..OPERATIONS)).find(|&of| of != 6 || kind == Kind::Set);
        let operations: Vec<(u8, Of, Of)> =
            (0..rng.u8(3..=6)).map(|_| (operation(&mut rng).expect("an operation"), Of::random(&mut rng), Of::random(&mut rng))).collect();
        let all: Vec<(Value, Value)> = (0..INPUTS).flat_map(|a| (0..INPUTS).map(move |b| (a, b))).collect();
        let results: Vec<String> = all
            .iter()
            .map(|&input| {
                let mut table = Vec::new();
                let each =
                    |&(operation, key, value): &(u8, Of, Of)| done(operation, key.value(input), value.value(input), (kind, &mut table));
                format!("[{}]", operations.iter().map(each).collect::<Vec<_>>().join(", "))
            })
            .collect();
        let target = rng.choice(&results).expect("inputs");
        let texts: Vec<String> = operations.iter().map(|&(operation, key, value)| written(operation, key, value)).collect();
        let _ = writeln!(
            module,
            "-spec f{number}(0..{most}, 0..{most}) -> term().\nf{number}(A, B) -> T = ets:new(t, [{name}]), case [{}] of {target} -> error(hit); _ -> {{A, B}} end.",
            texts.join(", "),
            most = INPUTS - 1
        );
        let hits: Vec<String> =
            all.iter().zip(&results).filter(|(_, result)| *result == target).map(|((a, b), _)| format!("{a},{b}")).collect();
        wanted.push((format!("f{number}"), hits));
    }
    let loaded = modules(&[("t", &module)]);
    for (function, hits) in wanted {
        let found = search(&mut subject(&loaded, "t", &function, 2, None), 200);
        assert!(found.results.complete, "{function}: {:?}\n{module}", found.incomplete());
        assert!(found.failing("hit").is_some_and(|input| hits.iter().any(|hit| hit == input)), "{function}: {:?}\n{module}", found.cases);
    }
}
