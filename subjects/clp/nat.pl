% expect: --goal nat/1 --term-depth 2 paths=6
% expect: --goal nat/1 --term-depth 3 paths=8
nat(0).
nat(s(X)) :- nat(X).
