%@ args: --goal simplify/2 --ground 1 --term-depth 2
%@ paths: 550
%@ complete: yes
% An expression simplifier: rules that overlap, a cut, and a default.
simplify(A + B, C) :- !, simplify(A, X), simplify(B, Y), sum(X, Y, C).
simplify(A * B, C) :- !, simplify(A, X), simplify(B, Y), product(X, Y, C).
simplify(A, A).

sum(0, B, B) :- !.
sum(A, 0, A) :- !.
sum(A, B, A + B).

product(0, _, 0) :- !.
product(_, 0, 0) :- !.
product(1, B, B) :- !.
product(A, 1, A) :- !.
product(A, B, A * B).
