%% Functions that the emulator has in another language, written in Erlang, so that they can be followed.
%%
%% A model is called after what it stands for: 'lists:member'/2. It is instrumented like any code of the program, and never runs otherwise.
%%
%% Invariant. A model gives the same value, or fails with the same class and reason, for every argument; the tests compare both.
-module(xcute_models).

-export(['erlang:++'/2, 'erlang:--'/2]).
-export(['lists:member'/2, 'lists:reverse'/2, 'lists:keyfind'/3, 'lists:keymember'/3, 'lists:keysearch'/3]).

'erlang:++'([], Tail) -> Tail;
'erlang:++'([Head | Rest], Tail) -> append(Rest, [Head], Tail);
'erlang:++'(_, _) -> erlang:error(badarg).

%% The list is copied only if it is proper, so it is gone through first.
append([], Done, Tail) -> turn(Done, Tail);
append([Head | Rest], Done, Tail) -> append(Rest, [Head | Done], Tail);
append(_, _, _) -> erlang:error(badarg).

turn([], Tail) -> Tail;
turn([Head | Rest], Tail) -> turn(Rest, [Head | Tail]).

'erlang:--'(List, Without) ->
    proper(List),
    proper(Without),
    subtract(List, Without).

subtract(List, []) -> List;
subtract(List, [Item | Rest]) -> subtract(without(Item, List, []), Rest).

without(_, [], Done) -> turn(Done, []);
without(Item, [Head | Rest], Done) when Head =:= Item -> turn(Done, Rest);
without(Item, [Head | Rest], Done) -> without(Item, Rest, [Head | Done]).

proper([]) -> ok;
proper([_ | Rest]) -> proper(Rest);
proper(_) -> erlang:error(badarg).

'lists:member'(_, []) -> false;
'lists:member'(Item, [Head | _]) when Item =:= Head -> true;
'lists:member'(Item, [_ | Rest]) -> 'lists:member'(Item, Rest);
'lists:member'(_, _) -> erlang:error(badarg).

'lists:reverse'([], Tail) -> Tail;
'lists:reverse'([Head | Rest], Tail) -> 'lists:reverse'(Rest, [Head | Tail]);
'lists:reverse'(_, _) -> erlang:error(badarg).

'lists:keyfind'(Key, N, List) when is_integer(N), N >= 1 -> find(Key, N, List);
'lists:keyfind'(_, _, _) -> erlang:error(badarg).

find(_, _, []) -> false;
find(Key, N, [Tuple | _]) when element(N, Tuple) == Key -> Tuple;
find(Key, N, [_ | Rest]) -> find(Key, N, Rest);
find(_, _, _) -> erlang:error(badarg).

'lists:keymember'(Key, N, List) ->
    case 'lists:keyfind'(Key, N, List) of
        false -> false;
        _ -> true
    end.

'lists:keysearch'(Key, N, List) ->
    case 'lists:keyfind'(Key, N, List) of
        false -> false;
        Tuple -> {value, Tuple}
    end.
