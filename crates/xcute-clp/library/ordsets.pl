% Sets as sorted lists, and pairs.

list_to_ord_set(List, Set) :- sort(List, Set).

is_ordset(Set) :- is_list(Set), sort(Set, Set).

ord_empty([]).

ord_union([], Union) => Union = [].
ord_union([Set|Sets], Union) => length([Set|Sets], Count), '$ord_union_all'(Count, [Set|Sets], Union, []).

'$ord_union_all'(Count, Sets0, Union, Sets) =>
    (   Count =:= 1 -> Sets0 = [Union|Sets]
    ;   Count =:= 2 -> Sets0 = [Set1, Set2|Sets], ord_union(Set1, Set2, Union)
    ;   Half is Count >> 1,
        Other is Count - Half,
        '$ord_union_all'(Half, Sets0, Union1, Sets1),
        '$ord_union_all'(Other, Sets1, Union2, Sets),
        ord_union(Union1, Union2, Union)
    ).

ord_union([], Ys, Zs) => Zs = Ys.
ord_union([X|Xs], Ys, Zs) => '$union2'(Ys, X, Xs, Zs).

'$union2'([], X, Xs, Zs) => Zs = [X|Xs].
'$union2'([Y|Ys], X, Xs, Zs) => compare(Order, X, Y), '$union3'(Order, X, Xs, Y, Ys, Zs).

'$union3'(<, X, Xs, Y, Ys, Zs) => Zs = [X|Rest], '$union2'(Xs, Y, Ys, Rest).
'$union3'(=, X, Xs, _, Ys, Zs) => Zs = [X|Rest], ord_union(Xs, Ys, Rest).
'$union3'(>, X, Xs, Y, Ys, Zs) => Zs = [Y|Rest], '$union2'(Ys, X, Xs, Rest).

ord_subtract([], _, Zs) => Zs = [].
ord_subtract(Xs, [], Zs) => Zs = Xs.
ord_subtract([X|Xs], Ys, Zs) => '$diff21'(Ys, X, Xs, Zs).

'$diff21'([], X, Xs, [X|Xs]).
'$diff21'([Y|Ys], X, Xs, Zs) :- compare(Order, X, Y), '$diff3'(Order, X, Xs, Y, Ys, Zs).

'$diff12'([], _, _, []).
'$diff12'([X|Xs], Y, Ys, Zs) :- compare(Order, X, Y), '$diff3'(Order, X, Xs, Y, Ys, Zs).

'$diff3'(<, X, Xs, Y, Ys, [X|Zs]) :- '$diff12'(Xs, Y, Ys, Zs).
'$diff3'(=, _, Xs, _, Ys, Zs) :- '$subtracted'(Xs, Ys, Zs).
'$diff3'(>, X, Xs, _, Ys, Zs) :- '$diff21'(Ys, X, Xs, Zs).

% What has elements added or removed one by one need not be a set, or a list.
'$subtracted'([], _, []).
'$subtracted'([X|Xs], Ys, Zs) :- '$diff21'(Ys, X, Xs, Zs).

'$added'([], X, [X]).
'$added'([Y|Ys], X, Zs) :- compare(Order, X, Y), '$added'(Order, X, Y, Ys, Zs).

'$added'(<, X, Y, Ys, [X, Y|Ys]).
'$added'(=, X, _, Ys, [X|Ys]).
'$added'(>, X, Y, Ys, [Y|Zs]) :- '$added'(Ys, X, Zs).

ord_intersection(Xs, Ys, Zs) :-
    (   Zs == [] -> ord_disjoint(Xs, Ys)
    ;   '$ord_intersection'(Xs, Ys, Zs)
    ).

'$ord_intersection'([], _, []).
'$ord_intersection'([X|Xs], Ys, Zs) :- '$isect2'(Ys, X, Xs, Zs).

'$isect2'([], _, _, []).
'$isect2'([Y|Ys], X, Xs, Zs) :- compare(Order, X, Y), '$isect3'(Order, X, Xs, Y, Ys, Zs).

'$isect3'(<, _, Xs, Y, Ys, Zs) :- '$isect2'(Xs, Y, Ys, Zs).
'$isect3'(=, X, Xs, _, Ys, [X|Zs]) :- '$ord_intersection'(Xs, Ys, Zs).
'$isect3'(>, X, Xs, _, Ys, Zs) :- '$isect2'(Ys, X, Xs, Zs).

ord_subset(Xs, Ys) :- '$subtracted'(Xs, Ys, []).

ord_disjoint(Xs, Ys) :- \+ ord_intersect(Xs, Ys).

ord_intersect([X|Xs], Ys) :- '$ord_intersect'(Ys, X, Xs).

'$ord_intersect'([Y|Ys], X, Xs) :- compare(Order, X, Y), '$ord_intersect'(Order, X, Xs, Y, Ys).

'$ord_intersect'(<, _, Xs, Y, Ys) :- '$ord_intersect'(Xs, Y, Ys).
'$ord_intersect'(=, _, _, _, _).
'$ord_intersect'(>, X, Xs, _, Ys) :- '$ord_intersect'(Ys, X, Xs).

% Every fourth element is looked at first, as in SWI-Prolog: of a list that is not sorted, that finds others.
ord_memberchk(X, [A, B, C, D|Rest]) :- !, compare(Order, X, D), '$ord_of_four'(Order, X, A, B, C, Rest).
ord_memberchk(X, [A, B|Rest]) :- !, compare(Order, X, B), '$ord_of_two'(Order, X, A, Rest).
ord_memberchk(X, [A]) :- X == A.

'$ord_of_four'(>, X, _, _, _, Rest) :- ord_memberchk(X, Rest).
'$ord_of_four'(<, X, A, B, C, _) :- compare(Order, X, B), '$ord_next_to'(Order, X, A, C).
'$ord_of_four'(=, _, _, _, _, _).

'$ord_next_to'(>, X, _, C) :- X == C.
'$ord_next_to'(<, X, A, _) :- X == A.
'$ord_next_to'(=, _, _, _).

'$ord_of_two'(>, X, _, Rest) :- ord_memberchk(X, Rest).
'$ord_of_two'(<, X, A, _) :- X == A.
'$ord_of_two'(=, _, _, _).

ord_add_element(Set, X, Set1) :- '$added'(Set, X, Set1).

ord_del_element(Set, X, Set1) :- '$subtracted'(Set, [X], Set1).

map_list_to_pairs(Goal, List, Pairs) :- '$map_to_pairs'(List, Goal, Pairs).

'$map_to_pairs'([], _, []).
'$map_to_pairs'([X|Xs], Goal, [Key-X|Pairs]) :- call(Goal, X, Key), '$map_to_pairs'(Xs, Goal, Pairs).

transpose_pairs(Pairs, Transposed) :- '$flip_pairs'(Pairs, Flipped), keysort(Flipped, Transposed).

'$flip_pairs'([], []).
'$flip_pairs'([Key-Value|Pairs], [Value-Key|Flipped]) :- '$flip_pairs'(Pairs, Flipped).

ord_seteq(Set1, Set2) :- Set1 == Set2.

% The last argument has what is only in the second set.
ord_union([], Ys, Ys, Ys).
ord_union([X|Xs], Ys, Zs, New) :- '$union_new1'(Ys, X, Xs, Zs, New).

'$union_new1'([], X, Xs, [X|Xs], []).
'$union_new1'([Y|Ys], X, Xs, Zs, New) :- compare(Order, X, Y), '$union_new'(Order, X, Xs, Y, Ys, Zs, New).

'$union_new2'([], Y, Ys, [Y|Ys], [Y|Ys]).
'$union_new2'([X|Xs], Y, Ys, Zs, New) :- compare(Order, X, Y), '$union_new'(Order, X, Xs, Y, Ys, Zs, New).

'$union_new'(<, X, Xs, Y, Ys, [X|Zs], New) :- '$union_new2'(Xs, Y, Ys, Zs, New).
'$union_new'(>, X, Xs, Y, Ys, [Y|Zs], [Y|New]) :- '$union_new1'(Ys, X, Xs, Zs, New).
'$union_new'(=, X, Xs, _, Ys, [X|Zs], New) :- ord_union(Xs, Ys, Zs, New).

ord_symdiff([], Ys, Ys).
ord_symdiff([X|Xs], Ys, Zs) :- '$symdiff'(Ys, X, Xs, Zs).

'$symdiff'([], X, Xs, [X|Xs]).
'$symdiff'([Y|Ys], X, Xs, Zs) :- compare(Order, X, Y), '$symdiff'(Order, X, Xs, Y, Ys, Zs).

'$symdiff'(<, X, Xs, Y, Ys, [X|Zs]) :- '$symdiff'(Xs, Y, Ys, Zs).
'$symdiff'(=, _, Xs, _, Ys, Zs) :- ord_symdiff(Xs, Ys, Zs).
'$symdiff'(>, X, Xs, Y, Ys, [Y|Zs]) :- '$symdiff'(Ys, X, Xs, Zs).

% What follows the element must be greater.
ord_selectchk(X, [Y|Ys], [Y|Rest]) :- Y @< X, !, ord_selectchk(X, Ys, Rest).
ord_selectchk(X, [X|Ys], Ys) :- ( Ys == [] -> true ; Ys = [Y|_] -> X @< Y ).

group_pairs_by_key([], []).
group_pairs_by_key([Key-Value|Pairs], [Key-[Value|Values]|Groups]) :-
    '$same_key'(Key, Pairs, Values, Rest),
    group_pairs_by_key(Rest, Groups).

'$same_key'(Key, [Key0-Value|Pairs], [Value|Values], Rest) :- Key == Key0, !, '$same_key'(Key0, Pairs, Values, Rest).
'$same_key'(_, Pairs, [], Pairs).
