%@ args: --goal twice/2 --ground 1 --term-depth 2
%@ paths: 7
%@ complete: yes
% A tree turned round twice is itself again.
twice(T, U) :- flip(T, V), flip(V, U).

flip(leaf(X), leaf(X)).
flip(tree(L, X, R), tree(FR, X, FL)) :-
    flip(L, FL),
    flip(R, FR).
