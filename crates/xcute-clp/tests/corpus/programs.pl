% Small programs for the comparison with brute force on SWI-Prolog, one in each line; § is their number. p§(X, R) is called with X as the input.
p§(X, R) :- catch(throw(X), foo(_), true), R = caught.
p§(X, R) :- catch(throw(X), E, true), ( E == a -> R = a ; compound(E) -> R = compound ; R = other ).
p§(X, R) :- G =.. [string, X], ( call(G) -> R = yes ; R = no ).
p§(X, R) :- member(T, [atom, string, float, is_list]), call(T, X), !, R = T.
p§(X, R) :- maplist([E]>>(integer(E), E > 1), X), R = all.
p§(X, R) :- must_be(positive_integer, X), R = yes.
p§(X, R) :- must_be(nonneg, X), ( X > 2 -> R = many ; R = few ).
p§(X, R) :- must_be(list(integer), X), sum_list(X, R0), ( R0 > 2 -> R = large ; R = small ).
p§(X, R) :- must_be(oneof([a, b]), X), R = yes.
p§(X, R) :- must_be(between(1, 3), X), R = yes.
p§(X, R) :- must_be(between(0.0, 2.0), X), R = yes.
p§(X, R) :- must_be(boolean, X), R = v(X).
p§(X, R) :- must_be(callable, X), R = yes.
p§(X, R) :- must_be(list_or_partial, X), R = yes.
p§(X, R) :- must_be(chars, X), R = yes.
p§(X, R) :- must_be(codes, X), R = yes.
p§(X, R) :- must_be(text, X), R = yes.
p§(X, R) :- must_be(pair, X), R = yes.
p§(X, R) :- must_be(cyclic, X), R = yes.
p§(X, R) :- must_be(order, X), R = yes.
p§(X, R) :- must_be(encoding, X), R = yes.
p§(X, R) :- is_of_type(list(atom), X), R = yes.
p§(X, R) :- is_of_type(rational, X), R = yes.
p§(X, R) :- succ_or_zero(X), R = yes.
p§(X, R) :- succ(Y, X), R = v(Y).
p§(X, R) :- plus(1, X, Y), ( Y =:= 3 -> R = three ; R = other ).
p§(X, R) :- last(X, L), ( L == a -> R = a ; R = other ).
p§(X, R) :- msort(X, [A|_]), ( A == 1 -> R = one ; A = f(_) -> R = f ; R = other ).
p§(X, R) :- sort(0, @>=, X, [A|_]), ( integer(A) -> R = int ; string(A) -> R = string ; R = other ).
p§(X, R) :- length(X, N), ( N > 1 -> R = long ; R = short ).
p§(X, R) :- sumlist(X, S), ( S > 3 -> R = more ; S =:= 3 -> R = three ; R = less ).
p§(X, R) :- nth0(1, X, E), ( var(E) -> R = var ; atom(E) -> R = atom ; R = other ).
p§(X, R) :- X = [_|T], ( T == [] -> R = one ; is_list(T) -> R = list ; R = partial ).
p§(X, R) :- functor(X, N, A), ( A =:= 0 -> R = atomic ; N == f -> R = f(A) ; R = other ).
p§(X, R) :- X =.. [F|As], ( As == [] -> R = atomic ; F == g -> R = g ; length(As, 3) -> R = three ; R = other ).
p§(X, R) :- arg(1, X, A), ( A == a -> R = a ; R = other ).
p§(X, R) :- compound_name_arity(X, N, A), ( N == [] -> R = odd ; A =:= 2 -> R = two ; R = other ).
p§(X, R) :- ( X @< a -> R = before ; X @> zebra -> R = after ; R = between ).
p§(X, R) :- compare(O, X, f(a)), R = O.
p§(X, R) :- compare(O, X, 1), R = O.
p§(X, R) :- compare(O, X, 1.0), R = O.
p§(X, R) :- compare(O, X, "a"), R = O.
p§(X, R) :- ( X == 1 -> R = one ; X =:= 1 -> R = equal ; R = other ).
p§(X, R) :- Y is X mod 3, R = v(Y).
p§(X, R) :- Y is X // 2, ( Y > 1 -> R = more ; R = less ).
p§(X, R) :- Y is max(X, 2), ( Y =:= 2 -> R = two ; R = more ).
p§(X, R) :- Y is truncate(X), ( Y > 2 -> R = more ; R = less ).
p§(X, R) :- Y is X / 2, ( integer(Y) -> R = int ; R = float ).
p§(X, R) :- Y is X ** 2, ( Y > 8 -> R = more ; R = less ).
p§(X, R) :- Y is 2 ** X, ( Y > 8 -> R = more ; R = less ).
p§(X, R) :- Y is X /\ 3, ( Y =:= 1 -> R = one ; R = other ).
p§(X, R) :- Y is X >> 1, ( Y =:= 1 -> R = one ; R = other ).
p§(X, R) :- Y is abs(X) + sign(X), ( Y > 2 -> R = more ; R = less ).
p§(X, R) :- between(1, 3, X), R = yes.
p§(X, R) :- between(1, X, 2), R = yes.
p§(X, R) :- atom_length(X, N), ( N > 1 -> R = long ; R = short ).
p§(X, R) :- atom_codes(X, [C|_]), ( C > 97 -> R = after ; R = before ).
p§(X, R) :- atom_number(X, N), ( N > 1 -> R = more ; R = less ).
p§(X, R) :- sub_atom(X, 0, 1, _, a), R = yes.
p§(X, R) :- atom_concat(a, Y, X), R = v(Y).
p§(X, R) :- atomic_list_concat(Parts, b, X), length(Parts, N), R = N.
p§(X, R) :- split_string(X, "b", "", Parts), length(Parts, N), R = N.
p§(X, R) :- string_concat(Y, "b", X), R = v(Y).
p§(X, R) :- upcase_atom(X, U), ( U == 'AB' -> R = yes ; R = no ).
p§(X, R) :- char_code(X, C), ( C > 97 -> R = after ; R = before ).
p§(X, R) :- char_type(X, digit(W)), R = v(W).
p§(X, R) :- code_type(X, alpha), R = yes.
p§(X, R) :- number_codes(N, X), R = v(N).
p§(X, R) :- term_to_atom(T, X), ( atom(T) -> R = atom ; R = other ).
p§(X, R) :- list_to_assoc(X, A), ( get_assoc(a, A, V) -> R = v(V) ; R = none ).
p§(X, R) :- is_assoc(X), ( empty_assoc(X) -> R = empty ; R = full ).
p§(X, R) :- list_to_ord_set(X, S), ( S = [_, _|_] -> R = many ; R = few ).
p§(X, R) :- ord_union([a], X, Y), length(Y, N), R = N.
p§(X, R) :- ord_memberchk(a, X), R = yes.
p§(X, R) :- pairs_keys_values(X, Ks, _), ( memberchk(a, Ks) -> R = a ; R = other ).
p§(X, R) :- foldl([A, B, C]>>(C is A + B), X, 0, S), ( S > 2 -> R = more ; R = less ).
p§(X, R) :- aggregate_all(count, member(_, X), N), ( N > 1 -> R = many ; R = few ).
p§(X, R) :- aggregate_all(max(E), member(E, X), M), ( M > 1 -> R = more ; R = less ).
p§(X, R) :- ( bagof(E, member(E, X), [_, _]) -> R = two ; R = other ).
p§(X, R) :- ( setof(K-V, member(K-V, X), [K1-_|_]) -> R = v(K1) ; R = none ).
p§(X, R) :- forall(member(E, X), atom(E)), R = yes.
p§(X, R) :- findall(E, (member(E, X), E \== a), Es), length(Es, N), R = N.
p§(X, R) :- exclude([E]>>(E == a), X, Es), ( Es == [] -> R = none ; R = some ).
p§(X, R) :- partition([E]>>(E @< b), X, In, Out), length(In, N), length(Out, M), R = N-M.
p§(X, R) :- subtract(X, [a], Y), ( Y == X -> R = same ; R = less ).
p§(X, R) :- delete(X, a, Y), ( Y == [] -> R = none ; R = some ).
p§(X, R) :- select(a, X, Y), ( Y == [] -> R = only ; R = more ).
p§(X, R) :- permutation(X, [a, b]), R = yes.
p§(X, R) :- sumlist(X, S), S == 0, R = zero.
p§(X, R) :- reverse(X, [A|_]), ( A == b -> R = b ; R = other ).
p§(X, R) :- append(Y, [b], X), ( Y == [] -> R = only ; R = more ).
p§(X, R) :- copy_term(X, Y), ( X == Y -> R = same ; R = other ).
p§(X, R) :- term_variables(X, Vs), R = v(Vs).
p§(X, R) :- ( subsumes_term(f(_), X) -> R = f ; subsumes_term([_|_], X) -> R = list ; R = other ).
p§(X, R) :- ( X = f(Y), Y \= a -> R = other_f ; X \= f(_) -> R = no_f ; R = f_a ).
p§(X, R) :- ( dif(X, a), dif(X, f(b)) -> R = other ; R = same ).
p§(X, R) :- freeze(Y, R = woken), ( Y = X, atom(Y) -> true ; R = woken ).
p§(X, R) :- when(ground(X), R = ground).
p§(X, R) :- b_setval(v§, X), b_getval(v§, Y), ( Y == a -> R = a ; R = other ).
p§(X, R) :- assertz(d§(X)), ( d§(a) -> R = a ; d§(f(_)) -> R = f ; R = other ). :- dynamic d§/1.
p§(X, R) :- assertz((q§(Y) :- Y > X)), ( q§(2) -> R = yes ; R = no ). :- dynamic q§/1.
p§(X, R) :- retract(d§(X)), R = gone. :- dynamic d§/1. d§(a). d§(1). d§(f(_)).
p§(X, R) :- findall(Y, t§(X, Y), Ys), msort(Ys, R). :- table t§/2. t§(X, Y) :- t§(X, Z), e§(Z, Y). t§(X, Y) :- e§(X, Y). e§(a, b). e§(b, a). e§(1, 2).
p§(X, R) :- findall(Y, t§(X, Y), Ys), msort(Ys, R). :- table t§(_, min). t§(X, N) :- n§(X, N). n§(a, 3). n§(a, 1). n§(f(_), 2).
p§(X, R) :- findall(Y, t§(X, Y), Ys), msort(Ys, R). :- table t§(_, max). t§(X, N) :- n§(X, N). n§(a, 3). n§(a, 5). n§(f(_), 2).
p§(X, R) :- findall(Y, t§(X, Y), Ys), msort(Ys, R). :- table t§(_, first). t§(X, N) :- n§(X, N). n§(a, 3). n§(a, 5). n§(f(_), 2).
p§(X, R) :- findall(Y, t§(X, Y), Ys), msort(Ys, R). :- table t§(_, last). t§(X, N) :- n§(X, N). n§(a, 3). n§(a, 5). n§(f(_), 2).
p§(X, R) :- findall(Y, t§(X, Y), Ys), msort(Ys, R). :- table t§(_, lattice(l§/3)). t§(X, N) :- n§(X, N). n§(a, 3). n§(a, 5). n§(f(_), 2). l§(A, B, C) :- C is A + B.
p§(X, R) :- findall(Y, t§(X, Y), Ys), msort(Ys, R). :- table t§(_, sum). t§(X, N) :- n§(X, N). n§(a, 3). n§(a, 5).
p§(X, R) :- phrase(s§, X), R = yes. :- table s§//0. s§ --> s§, [a]. s§ --> [].
p§(X, v(R)) :- phrase(s§(R), X). s§(N) --> [a], s§(M), { N is M + 1 }. s§(0) --> [].
p§(X, R) :- phrase(s§, X, Rest), ( Rest == [] -> R = all ; R = some ). s§ --> [b], !. s§ --> [].
p§(X, R) :- X > 1, !, R = more. p§(X, R) :- X =< 1, !, R = less.
p§(X, R), integer(X), X > 1 => R = more. p§(_, R) => R = other.
p§(f(X), R) => R = v(X). p§([_|_], R) => R = list.
p§(X, R) :- ( atom(X) ; X = 1 ), R = yes.
p§(X, R) :- \+ atom(X), \+ compound(X), \+ number(X), R = string.
p§(X, R) :- ( X = a *-> R = a ; R = none ).
p§(X, R) :- once(member(X, [a, 1, "a"])), R = yes.
p§(X, R) :- ignore(X = a), R = yes.
p§(X, R) :- call((X = a, ! ; true)), R = yes.
p§(X, R) :- catch(atom_length(X, _), error(type_error(T, _), _), true), R = T.
p§(X, R) :- catch(atom_length(X, _), error(E, _), true), ( var(E) -> R = none ; functor(E, N, _), R = N ).
p§(X, R) :- catch(( X > 0 -> R = pos ; R = neg ), error(type_error(_, _), _), R = caught).
p§(X, R) :- catch(number_codes(N, X), error(syntax_error(_), _), N = none), R = v(N).
p§(X, R) :- setup_call_cleanup(true, member(X, [a, b]), true), R = yes.
p§(X, R) :- string_code(1, X, C), R = v(C).
p§(X, R) :- sformat_or(X), R = yes.
p§(X, R) :- format(atom(A), "~w", [X]), atom_length(A, N), ( N > 3 -> R = long ; R = short ).
p§(X, R) :- format(atom(_), "~d", [X]), R = yes.
p§(X, R) :- format(atom(_), "~a", [X]), R = yes.
p§(X, R) :- format(atom(_), X, []), R = yes.
p§(X, R) :- with_output_to(string(S), print(X)), string_length(S, N), ( N > 3 -> R = long ; R = short ).
p§(X, R) :- read_term_from_atom(X, T, []), ( var(T) -> R = var ; R = other ).
p§(X, R) :- tab(X), R = yes.
p§(X, R) :- ground(X), R = ground.
p§(X, R) :- ( callable(X) -> ( atom(X) -> R = atom ; R = compound ) ; R = other ).
p§(X, R) :- ( blob(X, T) -> R = T ; R = none ).
p§(X, R) :- ( is_dict(X) -> R = dict ; R = none ).
p§(X, R) :- setarg(1, X, z), R = v(X).
p§(X, R) :- nb_setval(n§, X), nb_getval(n§, Y), ( Y = [_|_] -> R = list ; R = other ).
p§(X, R) :- sumlist([X], S), ( float(S) -> R = float ; R = int ).
p§(X, R) :- max_list(X, M), ( M > 1 -> R = more ; R = less ).
p§(X, R) :- max_member(M, X), ( atom(M) -> R = atom ; compound(M) -> R = compound ; R = other ).
p§(X, R) :- numlist(1, X, L), length(L, N), R = N.
p§(X, R) :- list_to_set(X, S), length(S, N), R = N.
p§(X, R) :- sort(1, @<, X, S), length(S, N), R = N.
p§(X, R) :- predsort([O, A, B]>>compare(O, A, B), X, S), length(S, N), R = N.
p§(X, R) :- flatten(X, Y), length(Y, N), R = N.
p§(X, R) :- sumlist(X, S), S2 is S * 2, ( S2 > 5 -> R = more ; R = less ).
p§(X, R) :- exclude(var, X, Y), length(Y, N), R = N.
p§(X, R) :- nb_current(k§, X), R = yes.
p§(X, R) :- string_codes(X, Cs), ( Cs == [] -> R = empty ; R = full ).
p§(X, R) :- text_concat(X, b, Y), ( Y == ab -> R = ab ; R = other ).
p§(X, R) :- option(a(V), X), R = v(V).
p§(X, R) :- option(a(V), X, none), R = v(V).
p§(X, R) :- tabling_or(X), R = yes.
p§(X, R) :- unify_with_occurs_check(X, f(_)), R = f.
p§(X, R) :- X =@= f(a), R = yes.
p§(X, R) :- ( X = [] ; X = [_|_] ), !, R = list. p§(_, other).
p§(X, R) :- number_vars_or(X), R = yes.
p§(X, R) :- sumlist(X, R0), R = v(R0).
p§(X, R) :- nth1(X, [a, b], V), R = v(V).
p§(X, R) :- nth0(X, [a, b], V), R = v(V).
p§(X, R) :- nth1(X, [a, b], V, W), R = v(V-W).
p§(X, R) :- catch(nth0(X, [a, b], _), error(representation_error(_), _), true), !, R = here. p§(_, elsewhere).
p§(X, R) :- char_code(V, X), R = v(V).
p§(X, R) :- char_code(a, X), R = yes.
p§(X, R) :- callable(X), !, ( X = [] -> R = nil ; R = yes ). p§(X, R) :- integer(X), R = integer.
p§(X, R) :- ( callable(X), X \= g(_, ab) -> R = yes ; integer(X) -> R = integer ; string(X) -> R = string ; X == [] -> R = nil ; R = other ).
p§(X, R) :- callable(X), ( X = g(X, ab) -> W = 1 ; W = 2 ), R = r(1, [W]). p§(X, R) :- \+ X =.. [ab|_], !, R = r(2). p§(X, R) :- pairs_keys(X, _), ( succ(X, _) ; true ), R = r(3).
p§(X, R) :- \+ is_assoc(X), R = no. p§(X, R) :- callable(X), !, R = callable. p§([_|_], list).
