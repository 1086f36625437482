%% Functions that fail for inputs that are known beforehand: what other testers of Erlang are tried with, written again.
%% crates/xcute-erl/tests/known.rs says which input must be found for each.
-module(known).
-export([answer/1, three/1, twice/1, classify/1, shifted/2, complement/1, truncated/1, masked/1, either/1, exclusive/1, pair/2, power/1,
         spelled/1, alias/1, chain/1, message/1, third/1, shorter/2, contains/1, header/1, fields/1, sized/1, nested/1, lengths/1,
         called/1, composed/2, folded/1, different/2, chosen/2, guarded/1, quiet/2, reduced/1]).

-record(msg, {seen = false :: boolean()}).

answer(424242) -> error(bug);
answer(_) -> ok.

-spec three([integer()]) -> ok.
three([17, 17, 42 | _]) -> error(bug);
three(_) -> ok.

-spec twice(integer()) -> ok.
twice(X) ->
    case X * 2 - 84 of
        0 -> error(bug);
        _ -> ok
    end.

-spec classify([integer()]) -> atom().
classify(L) ->
    case lists:sum(L) of
        4711 -> error(bug);
        S when S < 4711 -> small;
        _ -> large
    end.

-spec shifted(integer(), -2..1) -> ok.
shifted(X, N) when X bsl N =:= 42 -> error(bug);
shifted(_, _) -> ok.

-spec complement(integer()) -> ok.
complement(X) when bnot X =:= 42 -> error(bug);
complement(_) -> ok.

-spec truncated(float()) -> ok.
truncated(X) when X > 2.5, trunc(X) =:= 2 -> error(bug);
truncated(_) -> ok.

-spec masked(0..255) -> ok.
masked(X) when X band 5 =:= 4, X > 250 -> error(bug);
masked(_) -> ok.

-spec either(integer()) -> ok.
either(X) when X bor 8 =:= 42 -> error(bug);
either(_) -> ok.

-spec exclusive(integer()) -> ok.
exclusive(X) when X bxor 42 =:= 17 -> error(bug);
exclusive(_) -> ok.

-spec pair(integer(), integer()) -> ok.
pair(X, Y) when X + Y =:= 3, Y - X =:= 1 -> error(bug);
pair(_, _) -> ok.

-spec power(0..20) -> ok.
power(X) -> 1 / (pow(2, X) - 256), ok.

pow(_, 0) -> 1;
pow(B, N) -> B * pow(B, N - 1).

-spec spelled(atom()) -> ok.
spelled(A) ->
    case atom_to_list(A) of
        "foo" -> error(bug);
        _ -> ok
    end.

-spec alias(integer() | {integer()}) -> ok.
alias({X} = T) when X > 4 -> alias(element(1, T));
alias(5) -> error(bug);
alias(_) -> ok.

-type chain() :: nil | {integer(), chain()}.
-spec chain(chain()) -> ok.
chain({42, {17, nil}}) -> error(bug);
chain(_) -> ok.

-spec message(#msg{}) -> ok.
message(#msg{seen = true}) -> error(bug);
message(_) -> ok.

-spec third([1..9]) -> ok.
third([A, B, C]) when A < B, B < C, A * B * C =:= 3 * 4 * 5 -> error(bug);
third(_) -> ok.

-spec shorter([integer()], [integer()]) -> integer().
shorter([], _) -> 0;
shorter([X | Xs], Ys) -> X * hd(Ys) + shorter(Xs, tl(Ys)).

-spec contains([integer()]) -> ok.
contains([]) -> ok;
contains([42 | _]) -> error(bug);
contains([_ | T]) -> contains(T).

header(<<1, 2:16/little, _/binary>>) -> error(bug);
header(_) -> ok.

-spec fields(<<_:16>>) -> ok.
fields(<<A:3, B:5, C:8/signed>>) when A > 6, B =:= 17, C < -127 -> error(bug);
fields(_) -> ok.

-spec sized(binary()) -> ok.
sized(<<N, X:N/unit:8, _/binary>>) when N > 0, X =:= 7 -> error(bug);
sized(_) -> ok.

-spec nested(#{user := #{name := atom(), age => integer()}}) -> ok.
nested(#{user := #{age := 99, name := root}}) -> error(bug);
nested(_) -> ok.

-spec lengths(bitstring()) -> ok.
lengths(B) when bit_size(B) =:= 11 -> error(bug);
lengths(_) -> ok.

%% Functions as inputs.
-spec called(fun((integer()) -> integer())) -> ok.
called(F) ->
    case F(3) of
        42 -> error(bug);
        _ -> ok
    end.

-spec composed(fun((integer()) -> integer()), fun((integer()) -> integer())) -> ok.
composed(F, G) ->
    case F(G(4)) of
        17 -> error(bug);
        _ -> ok
    end.

-spec folded(fun((integer(), integer()) -> integer())) -> ok.
folded(F) ->
    case lists:foldl(F, 0, [1, 2]) of
        7 -> error(bug);
        _ -> ok
    end.

-spec different(fun((integer()) -> boolean()), integer()) -> ok.
different(F, X) ->
    case {F(X), F(2 * X - 5)} of
        {true, false} -> error(bug);
        _ -> ok
    end.

-spec chosen(fun((atom()) -> fun((integer()) -> integer())), integer()) -> ok.
chosen(F, X) ->
    G = F(first),
    case G(X) - X of
        9 -> error(bug);
        _ -> ok
    end.

guarded(F) when is_function(F, 2) ->
    case F(a, b) of
        {ok, 5} -> error(bug);
        _ -> ok
    end;
guarded(_) -> ok.

%% No input fails.
-spec quiet(fun((integer()) -> integer()), [integer()]) -> integer().
quiet(F, L) -> lists:sum(lists:map(F, L)).

%% Only one of many branches can fail.
-spec reduced(integer()) -> ok.
reduced(X) when X < 0 -> reduced(-X);
reduced(0) -> ok;
reduced(1) -> one();
reduced(2) -> one();
reduced(3) -> one() div 0;
reduced(_) -> ok.

one() -> 1.
