%@ args: --goal p/1 --term-depth 2
%@ paths: 3
%@ complete: yes
% Two clauses, of which the first calls the second.
p(b) :- p(a).
p(a).
