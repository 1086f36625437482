%@ args: --goal nat/1 --term-depth 2
%@ paths: 6
%@ complete: yes
%@ args: --goal nat/1 --term-depth 3
%@ paths: 8
%@ complete: yes
% Natural numbers in successor notation.
nat(0).
nat(s(X)) :- nat(X).
