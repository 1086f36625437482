%@ args: --goal money/2 --ground 1 --term-depth 0
%@ paths: 3
%@ complete: yes
% SEND + MORE = MONEY. The input says whether numbers may begin with a zero.
:- use_module(library(clpfd)).
money(Zeros, Vs) :-
    Vs = [S, E, N, D, M, O, R, Y],
    Vs ins 0..9,
    all_different(Vs),
    S*1000 + E*100 + N*10 + D + M*1000 + O*100 + R*10 + E #= M*10000 + O*1000 + N*100 + E*10 + Y,
    leading(Zeros, S, M),
    label(Vs).

leading(no, S, M) :- S #\= 0, M #\= 0.
leading(yes, _, _).
