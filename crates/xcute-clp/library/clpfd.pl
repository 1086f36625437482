% Constraints over finite domains, as far as they are made of others. Operators of library(clpfd) are written as names here.

labeling(Options, Vars) :-
    '$must_be_list'(Options),
    '$objectives'(Options, Objectives, Plain),
    '$labeling_by'(Objectives, Plain, Vars).

'$objectives'([], [], []).
'$objectives'([O|Os], Objectives, Plain) :-
    (   nonvar(O), O = min(E) -> Objectives = [E-(@=<)|Rest], Plain = Others
    ;   nonvar(O), O = max(E) -> Objectives = [E-(@>=)|Rest], Plain = Others
    ;   Objectives = Rest, Plain = [O|Others]
    ),
    '$objectives'(Os, Rest, Others).

% Solutions come in the order of their objectives.
'$labeling_by'([], Plain, Vars) :- '$labeling'(Plain, Vars).
'$labeling_by'([E-Order|Objectives], Plain, Vars) :-
    '#='(V, E),
    findall(V, '$labeling'(Plain, Vars), Values0),
    sort(0, Order, Values0, Values1),
    list_to_set(Values1, Values),
    member(V, Values),
    '$labeling_by'(Objectives, Plain, Vars).

tuples_in(Tuples, Relation) :-
    '$list_of_lists'(Tuples, list(list), list),
    '$each_tuple'(Tuples),
    '$list_of_lists'(Relation, list(list(integer)), list(integer)),
    '$each_row'(Relation),
    '$tuples_in'(Tuples, Relation).

'$list_of_lists'(Lists, Type, Inner) :- '$list_of_type'(Lists, Type), '$each_list'(Lists, Inner).

'$list_of_type'(List, Type) :-
    '$skip_list'(_, List, Tail),
    (   Tail == [] -> true
    ;   var(Tail) -> throw(error(instantiation_error, _))
    ;   throw(error(type_error(Type, List), _))
    ).

'$each_list'([], _).
'$each_list'([List|Lists], Type) :- '$list_of_type'(List, Type), '$each_list'(Lists, Type).

'$each_tuple'([]).
'$each_tuple'([Tuple|Tuples]) :- '$each_fd'(Tuple), '$each_tuple'(Tuples).

'$each_row'([]).
'$each_row'([Row|Rows]) :- '$each_integer'(Row), '$each_row'(Rows).

'$each_integer'([]).
'$each_integer'([X|Xs]) :- '$must_be_integer'(X), '$each_integer'(Xs).

'$tuples_in'([], _).
'$tuples_in'([Tuple|Tuples], Relation) :- '$tuple_in'(Tuple, Relation), '$tuples_in'(Tuples, Relation).

element(N, Is, V) :-
    '$must_be_list'(Is),
    length(Is, Length),
    in(N, '..'(1, Length)),
    '$each_fd'(Is),
    ( var(V) -> true ; '$must_be_integer'(V) ),
    '$element'(Is, 1, N, V).

'$each_fd'([]).
'$each_fd'([X|Xs]) :- ( var(X) -> true ; '$must_be_integer'(X) ), '$each_fd'(Xs).

'$element'([], _, _, _).
'$element'([I|Is], K, N, V) :-
    '#==>'('#\\='(I, V), '#\\='(N, K)),
    '#==>'('#='(N, K), '#='(I, V)),
    K1 is K + 1,
    '$element'(Is, K1, N, V).

scalar_product(Cs, Vs, Op, Value) :-
    '$list_of_type'(Cs, list(integer)),
    '$each_integer'(Cs),
    '$must_be_list'(Vs),
    '$each_fd'(Vs),
    (   nonvar(Op), \+ ( callable(Op), Op \== [] ) -> throw(error(type_error(callable, Op), _))
    ;   memberchk(Op, ['#=', '#\\=', '#<', '#>', '#=<', '#>=']) -> true
    ;   throw(error(domain_error(scalar_product_relation, Op), _))
    ),
    '$scalar_product'(Cs, Vs, 0, Sum),
    Goal =.. [Op, Sum, Value],
    call(Goal).

'$scalar_product'([], [], Sum, Sum).
'$scalar_product'([C|Cs], [V|Vs], Sum0, Sum) :- '$scalar_product'(Cs, Vs, Sum0 + C * V, Sum).

chain(Xs, Relation) :-
    '$must_be_list'(Xs),
    '$each_fd'(Xs),
    (   \+ ground(Relation) -> throw(error(instantiation_error, _))
    ;   memberchk(Relation, ['#=', '#<', '#=<', '#>', '#>=']) -> '$chain'(Xs, Relation)
    ;   throw(error(domain_error(chain_relation, Relation), _))
    ).

'$chain'([], _).
'$chain'([X|Xs], Relation) :- '$chain'(Xs, X, Relation).

'$chain'([], _, _).
'$chain'([Y|Ys], X, Relation) :- Goal =.. [Relation, X, Y], call(Goal), '$chain'(Ys, Y, Relation).

lex_chain(Lists) :- '$list_of_lists'(Lists, list(list), list), '$each_tuple'(Lists), '$lex_chain'(Lists).

'$lex_chain'([]).
'$lex_chain'([Xs|Lists]) :- '$lex_chain'(Lists, Xs).

'$lex_chain'([], _).
'$lex_chain'([Ys|Lists], Xs) :- '$lex_at_most'(Xs, Ys, Truth), '#<==>'(Truth, 1), '$lex_chain'(Lists, Ys).

'$lex_at_most'([], [], 1).
'$lex_at_most'([X|Xs], [Y|Ys], '#\\/'('#<'(X, Y), '#/\\'('#='(X, Y), Rest))) :- '$lex_at_most'(Xs, Ys, Rest).

global_cardinality(Vs, Pairs) :-
    '$must_be_list'(Vs),
    '$each_fd'(Vs),
    '$must_be_list'(Pairs),
    '$each_gcc_pair'(Pairs),
    pairs_keys(Pairs, Keys),
    '$keys_domain'(Keys, Domain),
    ins(Vs, Domain),
    length(Vs, Length),
    '$counts'(Pairs, Vs, Length, Counts),
    sum(Counts, '#=', Length),
    '$cardinalities'(Pairs, Vs).

'$each_gcc_pair'([]).
'$each_gcc_pair'([Pair|Pairs]) :-
    (   var(Pair) -> throw(error(instantiation_error, _))
    ;   Pair = Key-Count -> '$must_be_integer'(Key), ( var(Count) -> true ; '$must_be_integer'(Count) )
    ;   throw(error(domain_error(gcc_pair, Pair), _))
    ),
    '$each_gcc_pair'(Pairs).

'$keys_domain'(Keys, Domain) :- sort(Keys, [First|Sorted]), '$keys_domain'(Sorted, First, Domain).

'$keys_domain'([], Domain, Domain).
'$keys_domain'([Key|Keys], Domain0, Domain) :- '$keys_domain'(Keys, '\\/'(Domain0, Key), Domain).

'$counts'([], _, _, []).
'$counts'([_-Count|Pairs], Vs, Length, [Count|Counts]) :- in(Count, '..'(0, Length)), '$counts'(Pairs, Vs, Length, Counts).

'$cardinalities'([], _).
'$cardinalities'([Key-Count|Pairs], Vs) :- '$truths'(Vs, Key, Truths), sum(Truths, '#=', Count), '$cardinalities'(Pairs, Vs).

'$truths'([], _, []).
'$truths'([V|Vs], Key, [Truth|Truths]) :- '#<==>'(Truth, '#='(V, Key)), '$truths'(Vs, Key, Truths).

% Successors of a tour through all: each place but the first comes right after the one it follows.
circuit(Vs) :-
    '$must_be_list'(Vs),
    length(Vs, Length),
    ins(Vs, '..'(1, Length)),
    all_distinct(Vs),
    length(Places, Length),
    ins(Places, '..'(1, Length)),
    all_distinct(Places),
    (   Places = [First|_] -> First = 1 ; true ),
    '$circuit'(Vs, Places, 1, Length, Places).

'$circuit'([], [], _, _, _).
'$circuit'([V|Vs], [P|Ps], I, Length, [First|Others]) :-
    (   Length > 1 -> '#\\='(V, I) ; true ),
    '#==>'('#='(V, 1), '#='(P, Length)),
    '$follows'(Others, 2, V, P),
    I1 is I + 1,
    '$circuit'(Vs, Ps, I1, Length, [First|Others]).

'$follows'([], _, _, _).
'$follows'([Q|Qs], J, V, P) :- '#==>'('#='(V, J), '#='(Q, P + 1)), J1 is J + 1, '$follows'(Qs, J1, V, P).
