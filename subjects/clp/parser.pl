%@ args: --goal parse/2 --ground 1 --term-depth 4
%@ paths: 27
%@ complete: yes
% Expressions of tokens: a parser written as a grammar.
parse(Tokens, Tree) :- phrase(expression(Tree), Tokens), !.

expression(T) --> factor(F), rest(F, T).

rest(L, T) --> [plus], !, factor(R), rest(add(L, R), T).
rest(T, T) --> [].

factor(x) --> [x].
factor(T) --> [open], expression(T), [close].
