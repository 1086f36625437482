//! Tables of `ets`: what goes in comes out as it was, which object a key finds is decided, and the rest is a limit.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use support::{Found, modules, search, search_text, subject};

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
        ("T = ets:new(t, [bag]), ets:insert(T, {k, N}), ets:lookup(T, k) =:= [{k, 1}] andalso error(hit)", "ets:insert/2"),
        ("T = ets:new(t, []), ets:insert(T, {k, N}), ets:match(T, {k, 5}) =:= [[]] andalso error(hit)", "ets:match/2"),
        (
            "T = ets:new(t, []), ets:insert(T, {k, N}), ets:match_delete(T, {k, 5}), ets:lookup(T, k) =:= [] andalso error(hit)",
            "ets:match_delete/2",
        ),
        ("T = ets:new(t, []), ets:insert(T, {N, k}), ets:insert(T, {1, l}), ets:first(T) =:= 1 andalso error(hit)", "a key of a table"),
    ] {
        let found = of_integer(body);
        assert!(found.incomplete().iter().any(|why| why.contains(limit)), "{body}: {:?}", found.incomplete());
    }
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

const OPERATIONS: u8 = 8;

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
        _ => format!("(try ets:lookup_element(T, {key}, 2) catch error:badarg -> none end)"),
    }
}

/// What it does with a table, and what it gives, as Erlang writes it.
fn done(operation: u8, key: Value, value: Value, table: &mut BTreeMap<Value, Value>) -> String {
    let there = table.get(&key).copied();
    let object = |found: Option<Value>| found.map_or("[]".to_owned(), |value| format!("[{{{}, {}}}]", text(key), text(value)));
    match operation {
        0 => {
            table.insert(key, value);
            "true".to_owned()
        }
        1 => {
            table.entry(key).or_insert(value);
            there.is_none().to_string()
        }
        2 => object(there),
        3 => there.is_some().to_string(),
        4 => {
            table.remove(&key);
            "true".to_owned()
        }
        5 => object(table.remove(&key)),
        6 => {
            table.entry(key).and_modify(|own| *own = value);
            there.is_some().to_string()
        }
        _ => there.map_or("none".to_owned(), text),
    }
}

/// Random sequences of operations against a map of our own, for all inputs.
#[test]
fn random_operations_agree_with_brute_force() {
    let mut rng = fastrand::Rng::with_seed(20_261_117);
    let (mut module, mut wanted) = (String::new(), Vec::new());
    for number in 0..24 {
        let operations: Vec<(u8, Of, Of)> =
            (0..rng.u8(3..=6)).map(|_| (rng.u8(0..OPERATIONS), Of::random(&mut rng), Of::random(&mut rng))).collect();
        let all: Vec<(Value, Value)> = (0..INPUTS).flat_map(|a| (0..INPUTS).map(move |b| (a, b))).collect();
        let results: Vec<String> = all
            .iter()
            .map(|&input| {
                let mut table = BTreeMap::new();
                let each = |&(operation, key, value): &(u8, Of, Of)| done(operation, key.value(input), value.value(input), &mut table);
                format!("[{}]", operations.iter().map(each).collect::<Vec<_>>().join(", "))
            })
            .collect();
        let target = rng.choice(&results).expect("inputs");
        let texts: Vec<String> = operations.iter().map(|&(operation, key, value)| written(operation, key, value)).collect();
        let kind = if number % 2 == 0 { "set" } else { "ordered_set" };
        let _ = writeln!(
            module,
            "-spec f{number}(0..{most}, 0..{most}) -> term().\nf{number}(A, B) -> T = ets:new(t, [{kind}]), case [{}] of {target} -> error(hit); _ -> {{A, B}} end.",
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
