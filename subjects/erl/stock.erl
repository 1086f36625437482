%% A stock in a gen_server: the last items of an order cost more, and the price of all that is left divides by zero.
%@ args: price/1 --term-depth 2
%@ failure: uncaught-exception
%@ complete: yes
-module(stock).
-behaviour(gen_server).
-export([price/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec price([{take, 1..9}]) -> integer().
price(Orders) ->
    {ok, Pid} = gen_server:start(?MODULE, 5, []),
    Prices = [gen_server:call(Pid, Order) || Order <- Orders],
    gen_server:stop(Pid),
    lists:sum(Prices).

init(Count) -> {ok, Count}.

handle_call({take, N}, _From, Left) when N =< Left ->
    {reply, N * 100 div (Left - N), Left - N};
handle_call({take, _}, _From, Left) ->
    {reply, 0, Left}.

handle_cast(_, Left) -> {noreply, Left}.
