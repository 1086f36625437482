%% Tickets in a table: a buyer who takes the last ticket twice finds that there are fewer than none.
%@ args: sell/1 --term-depth 3
%@ failure: uncaught-exception
%@ complete: yes
-module(tickets).
-export([sell/1]).

-spec sell([{concert | play, 1..3}]) -> non_neg_integer().
sell(Orders) ->
    Stock = ets:new(stock, [set]),
    ets:insert(Stock, [{concert, 3}, {play, 2}]),
    lists:foreach(fun({Show, N}) -> take(Stock, Show, N) end, Orders),
    Left = ets:foldl(fun({_, N}, Sum) -> N + Sum end, 0, Stock),
    ets:delete(Stock),
    Left.

%% The check comes before the table is changed, and forgets what is left exactly.
take(Stock, Show, N) ->
    case ets:lookup(Stock, Show) of
        [{Show, Left}] when Left > 0 ->
            case ets:update_counter(Stock, Show, -N) of
                Now when Now < 0 -> error({oversold, Show});
                Now -> Now
            end;
        _ -> sold_out
    end.
