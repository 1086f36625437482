%% Records, a fold over transactions, and an exception of the program's own.
%@ args: run/1 --term-depth 4
%@ failure: uncaught-exception
%@ complete: yes
-module(account).
-export([run/1]).

-record(account, {balance = 0 :: integer(), limit = 10 :: integer()}).

-type step() :: {deposit, 1..20} | {withdraw, 1..20} | close.

-spec run([step()]) -> integer().
run(Steps) ->
    Account = lists:foldl(fun step/2, #account{}, Steps),
    Account#account.balance.

step({deposit, N}, A) -> A#account{balance = A#account.balance + N};
step({withdraw, N}, #account{balance = B, limit = L} = A) when B + L >= N -> A#account{balance = B - N};
step({withdraw, _}, _) -> error(overdrawn);
step(close, #account{balance = 0} = A) -> A#account{limit = 0}.
