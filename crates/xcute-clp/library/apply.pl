% Predicates over closures. The lists come first in the workers, so that first-argument indexing sees them.

maplist(G, As) :- '$maplist'(As, G).

'$maplist'([], _).
'$maplist'([A|As], G) :- call(G, A), '$maplist'(As, G).

maplist(G, As, Bs) :- '$maplist'(As, Bs, G).

'$maplist'([], [], _).
'$maplist'([A|As], [B|Bs], G) :- call(G, A, B), '$maplist'(As, Bs, G).

maplist(G, As, Bs, Cs) :- '$maplist'(As, Bs, Cs, G).

'$maplist'([], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], G) :- call(G, A, B, C), '$maplist'(As, Bs, Cs, G).

maplist(G, As, Bs, Cs, Ds) :- '$maplist'(As, Bs, Cs, Ds, G).

'$maplist'([], [], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], [D|Ds], G) :- call(G, A, B, C, D), '$maplist'(As, Bs, Cs, Ds, G).

foldl(G, As, V0, V) :- '$foldl'(As, G, V0, V).

'$foldl'([], _, V, V).
'$foldl'([A|As], G, V0, V) :- call(G, A, V0, V1), '$foldl'(As, G, V1, V).

foldl(G, As, Bs, V0, V) :- '$foldl'(As, Bs, G, V0, V).

'$foldl'([], [], _, V, V).
'$foldl'([A|As], [B|Bs], G, V0, V) :- call(G, A, B, V0, V1), '$foldl'(As, Bs, G, V1, V).

foldl(G, As, Bs, Cs, V0, V) :- '$foldl'(As, Bs, Cs, G, V0, V).

'$foldl'([], [], [], _, V, V).
'$foldl'([A|As], [B|Bs], [C|Cs], G, V0, V) :- call(G, A, B, C, V0, V1), '$foldl'(As, Bs, Cs, G, V1, V).

foldl(G, As, Bs, Cs, Ds, V0, V) :- '$foldl'(As, Bs, Cs, Ds, G, V0, V).

'$foldl'([], [], [], [], _, V, V).
'$foldl'([A|As], [B|Bs], [C|Cs], [D|Ds], G, V0, V) :- call(G, A, B, C, D, V0, V1), '$foldl'(As, Bs, Cs, Ds, G, V1, V).

include(G, Xs, Ys) :- '$include'(Xs, G, Ys).

'$include'([], _, []).
'$include'([X|Xs], G, Ys) :-
    (   call(G, X) -> Ys = [X|Rest]
    ;   Ys = Rest
    ),
    '$include'(Xs, G, Rest).

exclude(G, Xs, Ys) :- '$exclude'(Xs, G, Ys).

'$exclude'([], _, []).
'$exclude'([X|Xs], G, Ys) :-
    (   call(G, X) -> Ys = Rest
    ;   Ys = [X|Rest]
    ),
    '$exclude'(Xs, G, Rest).

convlist(G, Xs, Ys) :- '$convlist'(Xs, G, Ys).

'$convlist'([], _, []).
'$convlist'([X|Xs], G, Ys) :-
    (   call(G, X, Y) -> Ys = [Y|Rest]
    ;   Ys = Rest
    ),
    '$convlist'(Xs, G, Rest).

partition(G, Xs, Ins, Outs) :- '$partition'(Xs, G, Ins, Outs).

'$partition'([], _, [], []).
'$partition'([X|Xs], G, Ins, Outs) :-
    (   call(G, X) -> Ins = [X|Ins1], Outs = Outs1
    ;   Ins = Ins1, Outs = [X|Outs1]
    ),
    '$partition'(Xs, G, Ins1, Outs1).

partition(G, Xs, Less, Equal, Greater) :- '$partition'(Xs, G, Less, Equal, Greater).

'$partition'([], _, [], [], []).
'$partition'([X|Xs], G, Less, Equal, Greater) :-
    call(G, X, Order),
    '$partition'(Order, X, G, Xs, Less, Equal, Greater).

'$partition'(<, X, G, Xs, Less, Equal, Greater) :- !, Less = [X|Rest], '$partition'(Xs, G, Rest, Equal, Greater).
'$partition'(=, X, G, Xs, Less, Equal, Greater) :- !, Equal = [X|Rest], '$partition'(Xs, G, Less, Rest, Greater).
'$partition'(>, X, G, Xs, Less, Equal, Greater) :- !, Greater = [X|Rest], '$partition'(Xs, G, Less, Equal, Rest).
'$partition'(Order, _, _, _, _, _, _) :- must_be(oneof([<, =, >]), Order).
