% Association lists: AVL trees (Adelson-Velsky and Landis 1962). A tree is t, or t(Key, Value, Balance, Left, Right) where the balance
% says which side is deeper: < the left, > the right, - none. These are the terms that SWI-Prolog makes of them too.

empty_assoc(t).

% Keys in order, and no side more than one deeper than the other.
is_assoc(Assoc) :- nonvar(Assoc), '$is_assoc'(Assoc, _, _, _).

'$is_assoc'(t, _, _, 0).
'$is_assoc'(t(K, _, Balance, L, R), Min, Max, Depth) :-
    nonvar(L),
    nonvar(R),
    '$is_assoc'(L, LeftMin, LeftMax, LeftDepth),
    '$is_assoc'(R, RightMin, RightMax, RightDepth),
    (   LeftDepth =:= 0 -> Min = K ; LeftMax @< K, Min = LeftMin ),
    (   RightDepth =:= 0 -> Max = K ; K @< RightMin, Max = RightMax ),
    Difference is LeftDepth - RightDepth,
    '$balance_of'(Balance, Difference),
    Depth is max(LeftDepth, RightDepth) + 1.

'$balance_of'(<, 1).
'$balance_of'(-, 0).
'$balance_of'(>, -1).

get_assoc(Key, Assoc, Value) :-
    Assoc \== t,
    '$btree_find_node'(Key, Assoc, 0x010405, Node, =),
    Node = t(_, Value, _, _, _).

% The node with a key, or the one below which it would be: keys and subtrees are the arguments that the third argument names.
'$btree_find_node'(Key, Tree, 0x010405, Node, Order) :-
    (   var(Tree) -> throw(error(instantiation_error, _))
    ;   Tree = t(_, _, _, _, _) -> '$btree_find'(Key, Tree, Node, Found), Order = Found
    ;   throw(error(type_error(btree, Tree), _))
    ).

'$btree_find'(Key, Tree, Node, Order) :-
    Tree = t(K, _, _, L, R),
    compare(Found, Key, K),
    '$btree_below'(Found, Key, L, R, Tree, Node, Order).

'$btree_below'(=, _, _, _, Tree, Tree, =).
'$btree_below'(<, Key, L, _, Tree, Node, Order) :- '$btree_in'(L, Key, Tree, Node, <, Order).
'$btree_below'(>, Key, _, R, Tree, Node, Order) :- '$btree_in'(R, Key, Tree, Node, >, Order).

% What is not a node is the end.
'$btree_in'(Below, Key, Tree, Node, Side, Order) :-
    (   nonvar(Below), Below = t(_, _, _, _, _) -> '$btree_find'(Key, Below, Node, Order)
    ;   Node = Tree, Order = Side
    ).

% The last argument says whether the tree has become deeper.
put_assoc(Key, Assoc0, Value, Assoc) :- '$insert'(Assoc0, Key, Value, Assoc, _).

'$insert'(t, Key, Value, Assoc, Deeper) => Assoc = t(Key, Value, -, t, t), Deeper = yes.
'$insert'(t(K, V, B, L, R), Key, Value, Assoc, Deeper) =>
    compare(Order, Key, K),
    '$put_assoc'(Order, Key, Value, t(K, V, B, L, R), Assoc, Deeper).

'$put_assoc'(=, Key, Value, t(_, _, B, L, R), t(Key, Value, B, L, R), no).
'$put_assoc'(<, Key, Value, t(K, V, B, L, R), Assoc, Deeper) :-
    '$insert'(L, Key, Value, L1, LeftDeeper),
    '$grown'(LeftDeeper, <, B, t(K, V, B, L1, R), Assoc, Deeper).
'$put_assoc'(>, Key, Value, t(K, V, B, L, R), Assoc, Deeper) :-
    '$insert'(R, Key, Value, R1, RightDeeper),
    '$grown'(RightDeeper, >, B, t(K, V, B, L, R1), Assoc, Deeper).

% '$grown'(whether the side grew, which side, the balance before, tree, balanced tree, whether it is deeper)
'$grown'(no, _, _, Assoc, Assoc, no).
'$grown'(yes, Side, Balance, t(K, V, _, L, R), Assoc, Deeper) :-
    '$after_growth'(Balance, Side, Other, Deeper, Rotate),
    '$balanced'(Rotate, t(K, V, Balance, L, R), Other, Assoc, _, _).

% '$after_growth'(the balance before, the side that grew, the balance after, whether the tree is deeper, whether to rotate it)
% Whatever else is where a balance should be has none after.
'$after_growth'(-, Side, Side, yes, no) :- !.
'$after_growth'(Side, Side, -, no, yes) :- !.
'$after_growth'(Other, Side, -, no, no) :- '$opposite'(Side, Other).

% '$balanced'(whether to rotate, tree, the balance after, balanced tree, whether it shrinks without rotating, whether it is less deep)
'$balanced'(no, t(K, V, _, L, R), Balance, t(K, V, Balance, L, R), Shrunk, Shrunk).
'$balanced'(yes, t(K, V, Side, L, R), _, Assoc, _, Shrunk) :- '$rotate'(Side, t(K, V, Side, L, R), Assoc, Shrunk), !.

% '$rotate'(the side that is too deep, tree, balanced tree, whether it is less deep than before)
'$rotate'(<, t(K, V, _, t(LK, LV, LB, LL, LR), R), Assoc, Shrunk) :- '$rotate_right'(LB, t(LK, LV, LB, LL, LR), K, V, R, Assoc, Shrunk).
'$rotate'(>, t(K, V, _, L, t(RK, RV, RB, RL, RR)), Assoc, Shrunk) :- '$rotate_left'(RB, t(RK, RV, RB, RL, RR), K, V, L, Assoc, Shrunk).

'$rotate_right'(<, t(LK, LV, _, LL, LR), K, V, R, t(LK, LV, -, LL, t(K, V, -, LR, R)), yes).
'$rotate_right'(-, t(LK, LV, _, LL, LR), K, V, R, t(LK, LV, >, LL, t(K, V, <, LR, R)), no).
'$rotate_right'(>, t(LK, LV, _, LL, t(MK, MV, B, ML, MR)), K, V, R, t(MK, MV, -, t(LK, LV, LB, LL, ML), t(K, V, RB, MR, R)), yes) :-
    '$split_balance'(B, LB, RB).

'$rotate_left'(>, t(RK, RV, _, RL, RR), K, V, L, t(RK, RV, -, t(K, V, -, L, RL), RR), yes).
'$rotate_left'(-, t(RK, RV, _, RL, RR), K, V, L, t(RK, RV, <, t(K, V, >, L, RL), RR), no).
'$rotate_left'(<, t(RK, RV, _, t(MK, MV, B, ML, MR), RR), K, V, L, t(MK, MV, -, t(K, V, LB, L, ML), t(RK, RV, RB, MR, RR)), yes) :-
    '$split_balance'(B, LB, RB).

'$split_balance'(<, -, >).
'$split_balance'(-, -, -).
'$split_balance'(>, <, -).

del_assoc(Key, Assoc0, Value, Assoc) :- '$delete'(Assoc0, Key, Value, Assoc, _).

% The last argument says whether the tree has become less deep.
'$delete'(t(K, V, B, L, R), Key, Value, Assoc, Shrunk) =>
    compare(Order, Key, K),
    '$del_assoc'(Order, Key, Value, t(K, V, B, L, R), Assoc, Shrunk).
'$delete'(t, _, _, _, _) => fail.

'$del_assoc'(=, _, Value, t(_, Value, _, t, R), R, yes) :- !.
'$del_assoc'(=, _, Value, t(_, Value, _, L, t), L, yes) :- !.
'$del_assoc'(=, _, Value, t(_, Value, B, L, R), Assoc, Shrunk) :-
    (   B = (>), '$del_min'(R, K, V, R1, RightShrunk), '$shrunk'(RightShrunk, >, B, t(K, V, B, L, R1), Assoc, Shrunk) -> true
    ;   '$del_max'(L, K, V, L1, LeftShrunk), '$shrunk'(LeftShrunk, <, B, t(K, V, B, L1, R), Assoc, Shrunk) -> true
    ).
'$del_assoc'(<, Key, Value, t(K, V, B, L, R), Assoc, Shrunk) :-
    '$delete'(L, Key, Value, L1, LeftShrunk),
    '$shrunk'(LeftShrunk, <, B, t(K, V, B, L1, R), Assoc, Shrunk).
'$del_assoc'(>, Key, Value, t(K, V, B, L, R), Assoc, Shrunk) :-
    '$delete'(R, Key, Value, R1, RightShrunk),
    '$shrunk'(RightShrunk, >, B, t(K, V, B, L, R1), Assoc, Shrunk).

'$shrunk'(no, _, _, Assoc, Assoc, no).
'$shrunk'(yes, Side, Balance, t(K, V, _, L, R), Assoc, Shrunk) :-
    '$after_loss'(Balance, Side, Other, Less, Rotate),
    '$balanced'(Rotate, t(K, V, Balance, L, R), Other, Assoc, Less, Shrunk).

% '$after_loss'(the balance before, the side that shrank, the balance after, whether the tree is less deep, whether to rotate it)
'$after_loss'(-, Side, Other, no, no) :- !, '$opposite'(Side, Other).
'$after_loss'(Side, Side, -, yes, no) :- !.
'$after_loss'(Other, Side, -, yes, yes) :- '$opposite'(Side, Other).

'$opposite'(<, >).
'$opposite'(>, <).

del_min_assoc(Assoc0, Key, Value, Assoc) :- '$del_min'(Assoc0, Key, Value, Assoc, _).

'$del_min'(t(Key, Value, _, t, R), Key, Value, R, yes) :- !.
'$del_min'(t(K, V, B, L, R), Key, Value, Assoc, Shrunk) :-
    '$del_min'(L, Key, Value, L1, LeftShrunk),
    '$shrunk'(LeftShrunk, <, B, t(K, V, B, L1, R), Assoc, Shrunk).

del_max_assoc(Assoc0, Key, Value, Assoc) :- '$del_max'(Assoc0, Key, Value, Assoc, _).

'$del_max'(t(Key, Value, _, L, t), Key, Value, L, yes) :- !.
'$del_max'(t(K, V, B, L, R), Key, Value, Assoc, Shrunk) :-
    '$del_max'(R, Key, Value, R1, RightShrunk),
    '$shrunk'(RightShrunk, >, B, t(K, V, B, L, R1), Assoc, Shrunk).

min_assoc(t(K, V, _, L, _), Key, Value) => '$min_assoc'(L, K, V, Key, Value).
min_assoc(t, _, _) => fail.

'$min_assoc'(t, Key, Value, Key, Value).
'$min_assoc'(t(K, V, _, L, _), _, _, Key, Value) :- '$min_assoc'(L, K, V, Key, Value).

max_assoc(t(K, V, _, _, R), Key, Value) => '$max_assoc'(R, K, V, Key, Value).
max_assoc(t, _, _) => fail.

'$max_assoc'(t, Key, Value, Key, Value).
'$max_assoc'(t(K, V, _, _, R), _, _, Key, Value) :- '$max_assoc'(R, K, V, Key, Value).

gen_assoc(Key, Assoc, Value) :-
    (   ground(Key) -> get_assoc(Key, Assoc, Value)
    ;   '$gen_assoc_'(Key, Assoc, Value)
    ).

'$gen_assoc_'(Key, t(Key0, Value0, _, L, R), Value) => '$gen_assoc_'(Key, Key0, Value0, L, R, Value).
'$gen_assoc_'(_, t, _) => fail.

'$gen_assoc_'(Key, _, _, L, _, Value) :- '$gen_assoc_'(Key, L, Value).
'$gen_assoc_'(Key, Key, Value0, _, _, Value) :- Value = Value0.
'$gen_assoc_'(Key, _, _, _, R, Value) :- '$gen_assoc_'(Key, R, Value).

assoc_to_list(Assoc, Pairs) :- '$assoc_to_list'(Assoc, Pairs, []).

'$assoc_to_list'(t, Pairs, Pairs).
'$assoc_to_list'(t(K, V, _, L, R), Pairs, Rest) :- '$assoc_to_list'(L, Pairs, [K-V|More]), '$assoc_to_list'(R, More, Rest).

assoc_to_keys(Assoc, Keys) :- '$assoc_to_keys'(Assoc, Keys, []).

'$assoc_to_keys'(t(K, _, _, L, R), Keys, Rest) :- '$assoc_to_keys'(L, Keys, [K|More]), '$assoc_to_keys'(R, More, Rest).
'$assoc_to_keys'(t, Keys, Keys).

assoc_to_values(Assoc, Values) :- '$assoc_to_values'(Assoc, Values, []).

'$assoc_to_values'(t, Values, Values).
'$assoc_to_values'(t(_, V, _, L, R), Values, Rest) :- '$assoc_to_values'(L, Values, [V|More]), '$assoc_to_values'(R, More, Rest).

:- meta_predicate '$map_assoc_'(?, 1), '$map_assoc_'(?, 2, ?).

map_assoc(Goal, Assoc) :- '$map_assoc_'(Assoc, Goal).

'$map_assoc_'(t, _) => true.
'$map_assoc_'(t(_, V, _, L, R), Goal) => '$map_assoc_'(L, Goal), call(Goal, V), '$map_assoc_'(R, Goal).

map_assoc(Goal, Assoc0, Assoc) :- '$map_assoc_'(Assoc0, Goal, Assoc).

'$map_assoc_'(t, _, Assoc) => Assoc = t.
'$map_assoc_'(t(K, V, B, L0, R0), Goal, Assoc) =>
    Assoc = t(K, W, B, L, R),
    '$map_assoc_'(L0, Goal, L),
    call(Goal, V, W),
    '$map_assoc_'(R0, Goal, R).

% Keys must be unique; the tree is as flat as can be.
list_to_assoc(List, Assoc) :-
    (   List == [] -> Assoc = t
    ;   keysort(List, Sorted),
        (   '$ord_pairs'(Sorted) -> length(Sorted, Length), '$balanced_assoc'(Length, Sorted, [], _, Assoc)
        ;   throw(error(domain_error(unique_key_pairs, List), _))
        )
    ).

ord_list_to_assoc(Sorted, Assoc) :-
    (   Sorted == [] -> Assoc = t
    ;   '$ord_pairs'(Sorted) -> length(Sorted, Length), '$balanced_assoc'(Length, Sorted, [], _, Assoc)
    ;   throw(error(domain_error(key_ordered_pairs, Sorted), _))
    ).

'$ord_pairs'([K-_|Pairs]) :- '$ord_pairs'(Pairs, K).

'$ord_pairs'([], _).
'$ord_pairs'([K-_|Pairs], K0) :- K0 @< K, '$ord_pairs'(Pairs, K).

% '$balanced_assoc'(length, pairs, pairs that are left, depth, tree)
'$balanced_assoc'(0, Pairs, Pairs, 0, t) :- !.
'$balanced_assoc'(Length, Pairs, Rest, Depth, t(K, V, Balance, L, R)) :-
    Left is Length // 2,
    Right is Length - Left - 1,
    '$balanced_assoc'(Left, Pairs, [K-V|Others], LeftDepth, L),
    '$balanced_assoc'(Right, Others, Rest, RightDepth, R),
    Depth is LeftDepth + 1,
    (   LeftDepth > RightDepth -> Balance = (<) ; Balance = (-) ).
