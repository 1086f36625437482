%% The program of Palacios & Vidal as one writes it: no failure with lists of atoms.
%@ args: main/1 --term-depth 3
%@ paths: 4
%@ complete: yes
%% Without a specification the input may be any term: a list that does not end in [] has no clause.
%@ args: any/1 --term-depth 3
%@ paths: 8
%@ failure: uncaught-exception
%@ complete: yes
-module(append).
-export([main/1, any/1]).

-spec main([atom()]) -> [atom()].
main(X) -> app(X, X).

any(X) -> app(X, X).

app([], Y) -> Y;
app([H | T], Y) -> [H | app(T, Y)].
