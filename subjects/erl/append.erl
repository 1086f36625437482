%% The program of Palacios & Vidal as one writes it: no failure with lists of atoms.
%% xcute: main/1 paths 4 complete at term depth 3
-module(append).
-export([main/1, any/1]).

-spec main([atom()]) -> [atom()].
main(X) -> app(X, X).

%% Without a specification the input may be any term: a list that does not end in [] has no clause.
any(X) -> app(X, X).

app([], Y) -> Y;
app([H | T], Y) -> [H | app(T, Y)].
