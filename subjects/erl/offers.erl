%% Trees of the library, which its own functions make: the empty one has no smallest element, and no other tree fails.
%@ args: cheapest/1 --term-depth 4
%@ failure: uncaught-exception
%@ complete: yes
%% The key is hashed; the dictionary with that key is found.
%@ args: discount/1 --term-depth 3
%@ failure: uncaught-exception
%@ complete: no
-module(offers).
-export([cheapest/1, discount/1]).

-spec cheapest(gb_trees:tree(pos_integer(), atom())) -> atom().
cheapest(Offers) ->
    {_Price, Item} = gb_trees:smallest(Offers),
    Item.

-spec discount(dict:dict(atom(), integer())) -> integer().
discount(Percents) ->
    case dict:find(summer, Percents) of
        {ok, Percent} -> 100 div (Percent - 20);
        error -> 0
    end.
