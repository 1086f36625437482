%% Exceptions that are caught are not failures; the one that is rethrown is.
%@ args: f/1 --term-depth 2
%@ failure: uncaught-exception
%@ complete: yes
-module(caught).
-export([f/1]).

-spec f(integer() | [integer()] | atom()) -> ok | error | integer().
f(X) ->
    try g(X) of
        0 -> error;
        N -> N
    catch
        error:badarith -> ok;
        throw:{again, 3} -> exit(three);
        throw:{again, _} -> ok
    after
        done
    end.

g([X | _]) -> throw({again, X});
g(X) -> 10 div X.
