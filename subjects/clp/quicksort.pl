%@ args: --goal qsort/2 --term-depth 4
%@ paths: 34
%@ complete: yes
% As many paths as there are orders of at most four numbers that the partitions can distinguish: 1 + 1 + 2 + 6 + 24.
:- pred qsort(+list(int), -list(int)).
qsort([], []).
qsort([P|Xs], Sorted) :-
    split(Xs, P, Small, Large),
    qsort(Small, S),
    qsort(Large, L),
    append(S, [P|L], Sorted).

split([], _, [], []).
split([X|Xs], P, [X|S], L) :- X =< P, !, split(Xs, P, S, L).
split([X|Xs], P, S, [X|L]) :- split(Xs, P, S, L).
