%% A function as an input: it is called again with another argument if it fails the first time, and may fail again.
%@ args: twice/2
%@ failure: uncaught-exception
%@ complete: yes
%% Without a type it may be something else, or take another number of arguments.
%@ args: apply/1
%@ failure: uncaught-exception
%@ complete: yes
-module(retry).
-export([twice/2, apply/1]).

-spec twice(fun((integer()) -> {ok, integer()} | error), integer()) -> integer().
twice(F, X) ->
    case F(X) of
        {ok, Y} -> Y;
        error -> {ok, Y} = F(X + 1), Y
    end.

apply(F) when is_function(F, 1) ->
    case F(key) of
        {value, X} when X > 10 -> large;
        _ -> small
    end;
apply(F) -> F().
