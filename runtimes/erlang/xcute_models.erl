%% Functions that the emulator has in another language, written in Erlang, so that they can be followed.
%%
%% A model is called after what it stands for: 'lists:member'/2. It is instrumented like any code of the program, and never runs otherwise.
%%
%% Invariant. A model gives the same value, or fails with the same class and reason, for every argument; the tests compare both.
-module(xcute_models).

-export(['erlang:++'/2, 'erlang:--'/2]).
-export(['erlang:split_binary'/2, 'binary:at'/2, 'binary:first'/1, 'binary:last'/1, 'binary:part'/2, 'binary:part'/3]).
-export(['maps:get'/2, 'maps:is_key'/2, 'maps:find'/2, 'maps:put'/3, 'maps:update'/3, 'maps:take'/2, 'maps:values'/1, 'erts_internal:map_next'/3]).
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

%% Maps: by patterns, updates, maps:to_list/1 and maps:remove/2, which the replay knows.
'maps:get'(Key, Map) -> erlang:map_get(Key, Map).

'maps:is_key'(Key, Map) -> erlang:is_map_key(Key, Map).

'maps:find'(Key, Map) ->
    case Map of
        #{Key := Value} -> {ok, Value};
        #{} -> error;
        _ -> erlang:error({badmap, Map})
    end.

'maps:put'(Key, Value, Map) -> Map#{Key => Value}.

'maps:update'(Key, Value, Map) -> Map#{Key := Value}.

'maps:take'(Key, Map) ->
    case Map of
        #{Key := Value} -> {Value, maps:remove(Key, Map)};
        #{} -> error;
        _ -> erlang:error({badmap, Map})
    end.

'maps:values'(Map) -> values(maps:to_list(Map)).

values([]) -> [];
values([{_, Value} | Rest]) -> [Value | values(Rest)].

%% What maps:next/1 and others are made of. An iterator is the nested tuple of all that is left.
'erts_internal:map_next'(0, Map, iterator) -> nested(maps:to_list(Map));
'erts_internal:map_next'(_, _, _) -> erlang:error(badarg).

nested([]) -> none;
nested([{Key, Value} | Rest]) -> {Key, Value, nested(Rest)}.

%% Parts of binaries.
'erlang:split_binary'(Bin, Pos) when is_binary(Bin), is_integer(Pos), Pos >= 0, Pos =< byte_size(Bin) ->
    <<First:Pos/binary, Second/binary>> = Bin,
    {First, Second};
'erlang:split_binary'(_, _) -> erlang:error(badarg).

'binary:at'(Bin, Pos) when is_binary(Bin), is_integer(Pos), Pos >= 0, Pos < byte_size(Bin) ->
    <<_:Pos/binary, Byte, _/binary>> = Bin,
    Byte;
'binary:at'(_, _) -> erlang:error(badarg).

'binary:first'(<<Byte, Rest/bitstring>>) when is_binary(Rest) -> Byte;
'binary:first'(_) -> erlang:error(badarg).

'binary:last'(Bin) when is_binary(Bin), byte_size(Bin) > 0 -> 'binary:at'(Bin, byte_size(Bin) - 1);
'binary:last'(_) -> erlang:error(badarg).

'binary:part'(Bin, {Pos, Len}) -> erlang:binary_part(Bin, Pos, Len);
'binary:part'(_, _) -> erlang:error(badarg).

'binary:part'(Bin, Pos, Len) -> erlang:binary_part(Bin, Pos, Len).
