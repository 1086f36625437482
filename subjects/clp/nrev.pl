%@ args: --goal nrev/2 --term-depth 4
%@ paths: 5
%@ complete: yes
% Naive reverse.
:- pred nrev(+list, -list).
nrev([], []).
nrev([X|Xs], R) :- nrev(Xs, S), app(S, [X], R).

app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
