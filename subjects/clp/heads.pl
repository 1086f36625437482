%@ args: --goal p/2 --ground 1 --term-depth 2
%@ paths: 7
%@ complete: yes
% Heads that overlap in one argument and are distinguished by what they call.
p(s(a), b).
p(s(X), a) :- q(X).
p(f(X), s(Y)) :- r(X, Y).

q(a).
q(b).

r(a, b).
r(c, b).
