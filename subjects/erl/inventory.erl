%% Maps: an order for something that is not in stock has no key, a price of zero divides.
%@ args: order/2 --term-depth 2
%@ failure: uncaught-exception
%@ complete: yes
%% Without a specification, and without a bound: the keys that the program names are enough.
%@ args: shape/1
%@ failure: uncaught-exception
%@ complete: yes
-module(inventory).
-export([order/2, shape/1]).

-spec order(0..3, #{0..3 => #{price := 0..9, count => 0..9}}) -> integer().
order(Item, Stock) ->
    case maps:get(Item, Stock) of
        #{price := Price, count := Count} when Count > 0 -> 100 div Price;
        #{price := Price} -> Price
    end.

shape(#{type := circle, r := R}) -> R * R;
shape(#{type := square} = S) -> maps:get(side, S);
shape(S) when is_map(S) -> {other, maps:is_key(side, S)};
shape(_) -> none.
