%@ args: --goal rev/2 --ground 1 --term-depth 2
%@ paths: 6
%@ complete: yes
% Reverse with an accumulator, which is checked at every step.
rev(L, R) :- rev(L, [], R).

rev([], A, A).
rev([X|Xs], A, R) :-
    proper(A),
    rev(Xs, [X|A], R).

proper([]).
proper([_|Xs]) :- proper(Xs).
