% expect: --goal p/1 --term-depth 2 paths=3
p(b) :- p(a).
p(a).
