% Sets as sorted lists, and pairs.

list_to_ord_set(List, Set) :- sort(List, Set).

is_ordset(Set) :- is_list(Set), sort(Set, Set).

ord_empty([]).

ord_union(Sets, Union) :- append(Sets, Elements), sort(Elements, Union).

ord_union([], Ys, Ys).
ord_union([X|Xs], Ys, Zs) :- '$ord_union'(Ys, X, Xs, Zs).

'$ord_union'([], X, Xs, [X|Xs]).
'$ord_union'([Y|Ys], X, Xs, Zs) :- compare(Order, X, Y), '$ord_union'(Order, X, Xs, Y, Ys, Zs).

'$ord_union'(<, X, Xs, Y, Ys, [X|Zs]) :- '$ord_union'(Xs, Y, Ys, Zs).
'$ord_union'(=, X, Xs, _, Ys, [X|Zs]) :- ord_union(Xs, Ys, Zs).
'$ord_union'(>, X, Xs, Y, Ys, [Y|Zs]) :- '$ord_union'(Ys, X, Xs, Zs).

ord_subtract([], _, []).
ord_subtract([X|Xs], Ys, Zs) :- '$ord_subtract'(Ys, X, Xs, Zs).

'$ord_subtract'([], X, Xs, [X|Xs]).
'$ord_subtract'([Y|Ys], X, Xs, Zs) :- compare(Order, X, Y), '$ord_subtract'(Order, X, Xs, Y, Ys, Zs).

'$ord_subtract'(<, X, Xs, Y, Ys, [X|Zs]) :- ord_subtract(Xs, [Y|Ys], Zs).
'$ord_subtract'(=, _, Xs, _, Ys, Zs) :- ord_subtract(Xs, Ys, Zs).
'$ord_subtract'(>, X, Xs, _, Ys, Zs) :- '$ord_subtract'(Ys, X, Xs, Zs).

ord_intersection([], _, []).
ord_intersection([X|Xs], Ys, Zs) :- '$ord_intersection'(Ys, X, Xs, Zs).

'$ord_intersection'([], _, _, []).
'$ord_intersection'([Y|Ys], X, Xs, Zs) :- compare(Order, X, Y), '$ord_intersection'(Order, X, Xs, Y, Ys, Zs).

'$ord_intersection'(<, _, Xs, Y, Ys, Zs) :- ord_intersection(Xs, [Y|Ys], Zs).
'$ord_intersection'(=, X, Xs, _, Ys, [X|Zs]) :- ord_intersection(Xs, Ys, Zs).
'$ord_intersection'(>, X, Xs, _, Ys, Zs) :- '$ord_intersection'(Ys, X, Xs, Zs).

ord_subset(Xs, Ys) :- ord_subtract(Xs, Ys, []).

ord_disjoint(Xs, Ys) :- ord_intersection(Xs, Ys, []).

ord_memberchk(X, [Y|Ys]) :- compare(Order, X, Y), '$ord_memberchk'(Order, X, Ys).

'$ord_memberchk'(=, _, _).
'$ord_memberchk'(>, X, Ys) :- ord_memberchk(X, Ys).

ord_insert(Set, X, Set1) :- ord_union(Set, [X], Set1).

ord_add_element(Set, X, Set1) :- ord_union(Set, [X], Set1).

ord_del_element(Set, X, Set1) :- ord_subtract(Set, [X], Set1).

map_list_to_pairs(Goal, List, Pairs) :- '$map_to_pairs'(List, Goal, Pairs).

'$map_to_pairs'([], _, []).
'$map_to_pairs'([X|Xs], Goal, [Key-X|Pairs]) :- call(Goal, X, Key), '$map_to_pairs'(Xs, Goal, Pairs).

transpose_pairs(Pairs, Transposed) :- '$flip_pairs'(Pairs, Flipped), keysort(Flipped, Transposed).

'$flip_pairs'([], []).
'$flip_pairs'([Key-Value|Pairs], [Value-Key|Flipped]) :- '$flip_pairs'(Pairs, Flipped).
