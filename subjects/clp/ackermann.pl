%@ args: --goal ack/3 --ground 1,2 --term-depth 2
%@ paths: 16
%@ complete: yes
% Ackermann's function over successor numbers.
ack(0, N, s(N)).
ack(s(M), 0, R) :- ack(M, s(0), R).
ack(s(M), s(N), R) :- ack(s(M), N, S), ack(M, S, R).
