//! Binaries and bitstrings as inputs: segments of all kinds, construction, sizes and conversions.

use crate::support::{Found, search_text};

fn search(text: &str, depth: Option<u32>) -> Found {
    search_text(text, "f", 1, depth, 2000)
}

/// Searches to the end and finds an input that fails in this way and begins like this.
fn finds(text: &str, depth: Option<u32>, failure: &str, input: &str) {
    let found = search(text, depth);
    let state = format!("{text}: {:?} {:?} {:?}", found.results.arms, found.incomplete(), found.inputs());
    assert!(found.results.complete, "{state}");
    assert!(found.failing(failure).is_some_and(|seen| seen.starts_with(input)), "{state}");
}

#[test]
fn bytes_from_the_front_need_no_bound() {
    finds(
        "f(<<\"GET \", C, _/binary>>) when C =:= $/ -> error(root);\nf(<<_/binary>>) -> other;\nf(_) -> none.\n",
        None,
        "root",
        "<<71,69,84,32,47",
    );
    finds("f(<<X:16/little, Y:8/signed>>) when X =:= 258, Y < -100 -> error(here);\nf(_) -> ok.\n", None, "here", "<<2,1,128>>");
}

#[test]
fn segments_that_are_not_bytes() {
    finds(
        "-spec f(bitstring()) -> term().\nf(<<5:3, X:7, 1:2>>) when X > 126 -> error(bits);\nf(_) -> ok.\n",
        Some(2),
        "bits",
        "<<191,13:4>>",
    );
    finds(
        "-spec f(binary()) -> term().\nf(<<N, B:N/binary, R/binary>>) when B =:= R, N > 0 -> error(twice);\nf(_) -> ok.\n",
        Some(3),
        "twice",
        "<<1,",
    );
    finds(
        "-spec f(binary()) -> term().\nf(<<X/utf8, _/binary>>) when X =:= 233 -> error(accent);\nf(_) -> ok.\n",
        Some(2),
        "accent",
        "<<195,169>>",
    );
}

#[test]
fn what_is_written_is_read_again() {
    finds(
        "-spec f(integer()) -> term().\nf(X) -> <<A:4, B:4>> = <<X:8>>, case {A, B} of {3, 4} -> error(nibbles); _ -> ok end.\n",
        None,
        "nibbles",
        "",
    );
    finds(
        "-spec f(binary()) -> term().\nf(B) -> case <<B/binary, 7>> of <<1, 2, 7>> -> error(end_); _ -> ok end.\n",
        Some(3),
        "end_",
        "<<1,2>>",
    );
    let text = "-spec f(binary()) -> term().\nf(B) -> case [X + 1 || <<X>> <= B] of [2, 3] -> error(list); _ -> << <<(X * 2)>> || <<X>> <= B >> end.\n";
    finds(text, Some(2), "list", "<<1,2>>");
}

#[test]
fn sizes_and_functions() {
    let text = "f(B) -> case byte_size(B) of 2 -> L = binary_to_list(B), case lists:sum(L) of 300 -> error(sum); _ -> list_to_binary(L) =:= B orelse error(lost) end; _ -> ok end.\n";
    let found = search(text, Some(2));
    assert!(found.results.complete, "{:?} {:?}", found.results.arms, found.incomplete());
    let all = found.failures().join("; ");
    assert!(all.contains("sum") && all.contains("bad argument") && !all.contains("lost"), "{all}: {:?}", found.inputs());
    finds(
        "-spec f(binary()) -> term().\nf(B) -> if B < <<5, 6>>, byte_size(B) =:= 2, binary_part(B, 1, 1) =:= <<9>> -> error(less); true -> ok end.\n",
        Some(2),
        "less",
        "<<",
    );
    finds(
        "-spec f([byte()]) -> term().\nf(L) -> case iolist_to_binary(L) of <<1, 2>> -> error(made); _ -> ok end.\n",
        Some(2),
        "made",
        "[1,2]",
    );
}

#[test]
fn sizes_of_what_is_built_are_told_apart() {
    let text = "-spec f(0..20, 0..9) -> term().\nf(N, X) -> case <<X:N, 1:1>> of <<5:3, _/bitstring>> when N =:= 7 -> error(seven); B -> bit_size(B) end.\n";
    let found = search_text(text, "f", 2, None, 400);
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert_eq!(found.failures().len(), 0, "ten values have no such first bits: {:?}", found.inputs());
    let text = "-spec f(integer()) -> term().\nf(N) -> case <<1:N>> of <<0:4, 1:1>> -> error(five); B -> bit_size(B) end.\n";
    let found = search_text(text, "f", 1, None, 400);
    assert_eq!(found.failing("five"), Some("5"), "{:?}", found.inputs());
    assert!(found.cases.iter().any(|(input, failure)| input.starts_with('-') && failure.is_some()), "{:?}", found.cases);
    assert!(found.incomplete().iter().any(|limit| limit.contains("a large size of a segment")), "{:?}", found.incomplete());
    let text = "-spec f(binary(), 0..4) -> term().\nf(B, N) -> case <<B:N/binary>> of <<7>> -> error(seven); C -> C end.\n";
    let found = search_text(text, "f", 2, Some(2), 400);
    assert!(found.results.complete && found.failing("seven").is_some(), "{:?} {:?}", found.incomplete(), found.inputs());
}
