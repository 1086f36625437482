%@ args: --goal p/1 --term-depth 2
%@ paths: 3
%@ complete: yes
p(b) :- p(a).
p(a).
