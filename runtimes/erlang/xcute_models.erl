%% Functions that the emulator has in another language, written in Erlang, so that they can be followed.
%%
%% A model is called after what it stands for: 'lists:member'/2. It is instrumented like any code of the program, and never runs otherwise.
%%
%% Invariant. A model gives the same value, or fails with the same class and reason, for every argument; the tests compare both.
-module(xcute_models).

-export(['erlang:++'/2, 'erlang:--'/2]).
-export(['erlang:split_binary'/2, 'binary:at'/2, 'binary:first'/1, 'binary:last'/1, 'binary:part'/2, 'binary:part'/3]).
-export(['maps:get'/2, 'maps:is_key'/2, 'maps:find'/2, 'maps:put'/3, 'maps:update'/3, 'maps:take'/2, 'maps:values'/1, 'erts_internal:map_next'/3]).
-export(['gen:call'/3, 'gen:call'/4, 'gen:send_request'/3, 'gen:reply'/2]).
-export(['proc_lib:start'/3, 'proc_lib:start'/4, 'proc_lib:start'/5, 'proc_lib:start_link'/3, 'proc_lib:start_link'/4, 'proc_lib:start_link'/5,
         'proc_lib:start_monitor'/3, 'proc_lib:start_monitor'/4, 'proc_lib:start_monitor'/5,
         'proc_lib:spawn'/1, 'proc_lib:spawn'/3, 'proc_lib:spawn_link'/1, 'proc_lib:spawn_link'/3,
         'proc_lib:init_ack'/1, 'proc_lib:init_ack'/2, 'proc_lib:stop'/1, 'proc_lib:stop'/3, 'logger:allow'/2]).
-export(['binary:match'/2, 'binary:match'/3, 'binary:matches'/2, 'binary:matches'/3, 'binary:split'/2, 'binary:split'/3]).
-export(['erlang:atom_to_binary'/1, 'erlang:atom_to_binary'/2]).
-export(['ets:foldl'/3, 'ets:foldr'/3]).
-export(['ets:match'/2, 'ets:match_object'/2, 'ets:match_delete'/2, 'ets:select'/2, 'ets:select_count'/2, 'ets:select_delete'/2]).
-export(['lists:member'/2, 'lists:reverse'/2, 'lists:keyfind'/3, 'lists:keymember'/3, 'lists:keysearch'/3]).
-export(['unicode_util:cp'/1, 'unicode_util:gc'/1, 'unicode_util:uppercase'/1, 'unicode_util:lowercase'/1, 'unicode_util:titlecase'/1,
         'unicode_util:casefold'/1]).
-export(['erlang:list_to_integer'/1, 'erlang:list_to_integer'/2, 'erlang:binary_to_integer'/1, 'erlang:binary_to_integer'/2]).
-export(['erlang:integer_to_list'/1, 'erlang:integer_to_list'/2, 'erlang:integer_to_binary'/1, 'erlang:integer_to_binary'/2]).
-export(['string:list_to_integer'/1]).
-export(['unicode:characters_to_list'/1, 'unicode:characters_to_list'/2, 'unicode:characters_to_binary'/1, 'unicode:characters_to_binary'/2,
         'unicode:characters_to_binary'/3]).
-export(['io:format'/1, 'io:format'/2, 'io:format'/3, 'io:fwrite'/1, 'io:fwrite'/2, 'io:fwrite'/3, 'io:put_chars'/1, 'io:write'/1]).
-export(['io_lib:format'/2, 'io_lib:fwrite'/2]).
-export(['logger:debug'/1, 'logger:debug'/2, 'logger:info'/1, 'logger:info'/2, 'logger:notice'/1, 'logger:notice'/2, 'logger:warning'/1,
         'logger:warning'/2, 'logger:error'/1, 'logger:error'/2, 'logger:critical'/1, 'logger:critical'/2, 'logger:alert'/1, 'logger:alert'/2,
         'logger:emergency'/1, 'logger:emergency'/2]).
-export(['error_logger:info_msg'/1, 'error_logger:info_msg'/2, 'error_logger:warning_msg'/1, 'error_logger:warning_msg'/2,
         'error_logger:error_msg'/1, 'error_logger:error_msg'/2]).

-export(['erlang:iolist_size'/1]).
-export(['timer:sleep'/1, 'timer:seconds'/1, 'timer:minutes'/1, 'timer:hours'/1, 'timer:hms'/3, 'timer:now_diff'/2, 'timer:tc'/1, 'timer:tc'/2, 'timer:tc'/3]).

-include("xcute_text.hrl").
-include("xcute_time.hrl").
-include("xcute_output.hrl").
-include("xcute_sizes.hrl").

'erlang:++'([], Tail) -> Tail;
'erlang:++'([Head | Rest], Tail) -> append(Rest, [Head], Tail);
'erlang:++'(_, _) -> erlang:error(badarg).

'erlang:iolist_size'(Data) -> erlang:byte_size(erlang:iolist_to_binary(Data)).

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

%% Where a binary holds another one, or the longest one of several. Compiled patterns and parts are left to the emulator.
'binary:match'(Subject, Pattern) -> 'binary:match'(Subject, Pattern, []).

'binary:match'(Subject, Pattern, []) when is_binary(Subject) ->
    case patterns(Pattern) of
        other -> xcute_rt:'binary:match'(Subject, Pattern, []);
        Patterns -> match(Subject, Patterns, 0)
    end;
'binary:match'(Subject, Pattern, Options) -> xcute_rt:'binary:match'(Subject, Pattern, Options).

'binary:matches'(Subject, Pattern) -> 'binary:matches'(Subject, Pattern, []).

'binary:matches'(Subject, Pattern, []) when is_binary(Subject) ->
    case patterns(Pattern) of
        other -> xcute_rt:'binary:matches'(Subject, Pattern, []);
        Patterns -> matches(Subject, Patterns, 0)
    end;
'binary:matches'(Subject, Pattern, Options) -> xcute_rt:'binary:matches'(Subject, Pattern, Options).

'binary:split'(Subject, Pattern) -> 'binary:split'(Subject, Pattern, []).

'binary:split'(Subject, Pattern, Options) when is_binary(Subject), (Options =:= [] orelse Options =:= [global] orelse Options =:= [trim]
        orelse Options =:= [trim_all] orelse Options =:= [global, trim] orelse Options =:= [global, trim_all]) ->
    case {patterns(Pattern), Options} of
        {other, _} -> xcute_rt:'binary:split'(Subject, Pattern, Options);
        {Patterns, [global | Rest]} -> trimmed(between(Subject, matches(Subject, Patterns, 0), 0), Rest);
        {Patterns, _} ->
            case match(Subject, Patterns, 0) of
                nomatch -> trimmed([Subject], Options);
                Match -> trimmed(between(Subject, [Match], 0), Options)
            end
    end;
'binary:split'(Subject, Pattern, Options) -> xcute_rt:'binary:split'(Subject, Pattern, Options).

between(Subject, [], _) -> [Subject];
between(Subject, [{At, Length} | Rest], From) ->
    Before = At - From,
    <<Part:Before/binary, _:Length/binary, After/binary>> = Subject,
    [Part | between(After, Rest, At + Length)].

trimmed(Parts, []) -> Parts;
trimmed(Parts, [trim]) -> turn(without_empty(turn(Parts, [])), []);
trimmed(Parts, [trim_all]) -> [Part || Part <- Parts, Part =/= <<>>].

without_empty([<<>> | Rest]) -> without_empty(Rest);
without_empty(Rest) -> Rest.

patterns(Pattern) when is_binary(Pattern), Pattern =/= <<>> -> [Pattern];
patterns([_ | _] = Patterns) -> patterns(Patterns, []);
patterns(_) -> other.

patterns([], Done) -> Done;
patterns([Pattern | Rest], Done) when is_binary(Pattern), Pattern =/= <<>> -> patterns(Rest, [Pattern | Done]);
patterns(_, _) -> other.

match(<<>>, _, _) -> nomatch;
match(<<_, Rest/binary>> = Subject, Patterns, At) ->
    case longest(Subject, Patterns, 0) of
        0 -> match(Rest, Patterns, At + 1);
        Length -> {At, Length}
    end.

matches(<<>>, _, _) -> [];
matches(<<_, Rest/binary>> = Subject, Patterns, At) ->
    case longest(Subject, Patterns, 0) of
        0 -> matches(Rest, Patterns, At + 1);
        Length ->
            <<_:Length/binary, After/binary>> = Subject,
            [{At, Length} | matches(After, Patterns, At + Length)]
    end.

%% How long the longest of these is that a binary begins with; 0 if there is none.
longest(_, [], Length) -> Length;
longest(Subject, [Pattern | Rest], Length) ->
    case byte_size(Pattern) > Length andalso begins(Subject, Pattern) of
        true -> longest(Subject, Rest, byte_size(Pattern));
        false -> longest(Subject, Rest, Length)
    end.

begins(_, <<>>) -> true;
begins(<<C, Rest/binary>>, <<C, More/binary>>) -> begins(Rest, More);
begins(_, _) -> false.

%% Tables: all objects in their order, as the module `ets` goes through them.
'ets:foldl'(Fun, Acc, Table) -> fixed(Table, fun() -> forwards(Fun, Acc, ets:first(Table), Table) end).

forwards(_, Acc, '$end_of_table', _) -> Acc;
forwards(Fun, Acc, Key, Table) -> forwards(Fun, lists:foldl(Fun, Acc, ets:lookup(Table, Key)), ets:next(Table, Key), Table).

'ets:foldr'(Fun, Acc, Table) -> fixed(Table, fun() -> backwards(Fun, Acc, ets:last(Table), Table) end).

backwards(_, Acc, '$end_of_table', _) -> Acc;
backwards(Fun, Acc, Key, Table) -> backwards(Fun, lists:foldr(Fun, Acc, ets:lookup(Table, Key)), ets:prev(Table, Key), Table).

%% Text of atoms.
'erlang:atom_to_binary'(Atom) -> 'erlang:atom_to_binary'(Atom, utf8).

'erlang:atom_to_binary'(Atom, Encoding) when is_atom(Atom), (Encoding =:= utf8 orelse Encoding =:= unicode) ->
    << <<Char/utf8>> || Char <- erlang:atom_to_list(Atom) >>;
'erlang:atom_to_binary'(Atom, latin1) when is_atom(Atom) ->
    latin1(erlang:atom_to_list(Atom), <<>>);
'erlang:atom_to_binary'(_, _) -> erlang:error(badarg).

latin1([], Done) -> Done;
latin1([Char | Rest], Done) when Char < 256 -> latin1(Rest, <<Done/binary, Char>>);
latin1(_, _) -> erlang:error(badarg).

%% What is in a table is compared with patterns here. Large tables, and what is rare in patterns and specifications, are left to the emulator.
'ets:match'(Table, Pattern) ->
    case candidates(Table, Pattern) of
        unknown -> xcute_rt:'ets:match'(Table, Pattern);
        Objects -> [[Value || {_, Value} <- Bound] || Object <- Objects, Bound <- matched(Pattern, Object)]
    end.

'ets:match_object'(Table, Pattern) ->
    case candidates(Table, Pattern) of
        unknown -> xcute_rt:'ets:match_object'(Table, Pattern);
        Objects -> [Object || Object <- Objects, _ <- matched(Pattern, Object)]
    end.

'ets:match_delete'(Table, Pattern) ->
    case candidates(Table, Pattern) of
        unknown -> xcute_rt:'ets:match_delete'(Table, Pattern);
        Objects ->
            [ets:delete_object(Table, Object) || Object <- Objects, _ <- matched(Pattern, Object)],
            true
    end.

'ets:select'(Table, Clauses) ->
    case selected(Table, Clauses) of
        unknown -> xcute_rt:'ets:select'(Table, Clauses);
        Found -> [Value || {_, Value} <- Found]
    end.

'ets:select_count'(Table, Clauses) ->
    case selected(Table, Clauses) of
        unknown -> xcute_rt:'ets:select_count'(Table, Clauses);
        Found -> length([true || {_, true} <- Found])
    end.

'ets:select_delete'(Table, Clauses) ->
    case selected(Table, Clauses) of
        unknown -> xcute_rt:'ets:select_delete'(Table, Clauses);
        Found ->
            Deleted = [Object || {Object, true} <- Found],
            [ets:delete_object(Table, Object) || Object <- Deleted],
            length(Deleted)
    end.

-define(LARGE, 256).

%% The objects that a pattern can match, in the order of the table; one with a key is looked up.
candidates(Table, Pattern) ->
    case is_small(Table) andalso simple(Pattern) of
        true ->
            Position = ets:info(Table, keypos),
            case is_tuple(Pattern) andalso tuple_size(Pattern) >= Position andalso ground(element(Position, Pattern)) of
                true -> ets:lookup(Table, element(Position, Pattern));
                false -> ets:tab2list(Table)
            end;
        false -> unknown
    end.

is_small(Table) ->
    case ets:info(Table, size) of
        Size when is_integer(Size) -> Size =< ?LARGE;
        _ -> false
    end.

%% Whether there are no maps in a pattern.
simple([Head | Tail]) -> simple(Head) andalso simple(Tail);
simple(Tuple) when is_tuple(Tuple) -> simple(tuple_to_list(Tuple));
simple(Part) -> not is_map(Part).

%% Whether there are no variables in it.
ground([Head | Tail]) -> ground(Head) andalso ground(Tail);
ground(Tuple) when is_tuple(Tuple) -> ground(tuple_to_list(Tuple));
ground('_') -> false;
ground(Part) -> variable(Part) =:= none.

%% The number of a variable.
variable(Part) when is_atom(Part) ->
    case erlang:atom_to_list(Part) of
        [$$, Digit | Rest] when Digit >= $0, Digit =< $9 -> digits(Rest, Digit - $0);
        _ -> none
    end;
variable(_) -> none.

digits([], Number) -> Number;
digits([Digit | Rest], Number) when Digit >= $0, Digit =< $9 -> digits(Rest, 10 * Number + Digit - $0);
digits(_, _) -> none.

%% What variables stand for where a pattern matches, in a list; an empty list where it does not.
matched(Pattern, Object) ->
    case fit(Pattern, Object, []) of
        none -> [];
        Bound -> [Bound]
    end.

fit('_', _, Bound) -> Bound;
fit(Pattern, Value, Bound) when is_atom(Pattern) ->
    case variable(Pattern) of
        none when Pattern =:= Value -> Bound;
        none -> none;
        Number -> bind(Bound, Number, Value, [])
    end;
fit([Pattern | Rest], [Value | Values], Bound) ->
    case fit(Pattern, Value, Bound) of
        none -> none;
        More -> fit(Rest, Values, More)
    end;
fit(Pattern, Value, Bound) when is_tuple(Pattern) ->
    case is_tuple(Value) andalso tuple_size(Value) =:= tuple_size(Pattern) of
        true -> fit(tuple_to_list(Pattern), tuple_to_list(Value), Bound);
        false -> none
    end;
fit(Pattern, Value, Bound) when Pattern =:= Value -> Bound;
fit(_, _, _) -> none.

%% In the order of their numbers.
bind([{Number, Value} | _] = Bound, Number, Other, Before) ->
    case Value =:= Other of
        true -> turn(Before, Bound);
        false -> none
    end;
bind([{Less, Value} | Rest], Number, Other, Before) when Less < Number -> bind(Rest, Number, Other, [{Less, Value} | Before]);
bind(Bound, Number, Value, Before) -> turn(Before, [{Number, Value} | Bound]).

%% The objects of a table that a specification selects, with what it makes of them.
selected(Table, Clauses) ->
    case is_small(Table) andalso specification(Clauses) of
        true ->
            Objects = case Clauses of
                [{Head, _, _}] -> candidates(Table, Head);
                _ -> ets:tab2list(Table)
            end,
            [Chosen || Object <- Objects, Chosen <- chosen(Clauses, Object)];
        false -> unknown
    end.

chosen([], _) -> [];
chosen([{Head, Guards, Body} | Rest], Object) ->
    case fit(Head, Object, []) of
        none -> chosen(Rest, Object);
        Bound ->
            Known = {Bound, Object},
            case lists:all(fun(Guard) -> (catch made(Guard, Known)) =:= true end, Guards) of
                true -> [{Object, last([made(Part, Known) || Part <- Body])}];
                false -> chosen(Rest, Object)
            end
    end.

last([Value]) -> Value;
last([_ | Rest]) -> last(Rest).

%% Whether a specification is one that is followed here: its bodies cannot fail.
specification([]) -> false;
specification(Clauses) when is_list(Clauses) -> lists:all(fun clause/1, Clauses);
specification(_) -> false.

clause({Head, Guards, [_ | _] = Body}) when is_list(Guards) ->
    simple(Head) andalso lists:all(fun(Guard) -> expression(Guard, Head, true) end, Guards)
        andalso lists:all(fun(Part) -> expression(Part, Head, false) end, Body);
clause(_) -> false.

expression({const, _}, _, _) -> true;
expression({Tuple}, Head, Calls) when is_tuple(Tuple) -> lists:all(fun(Part) -> expression(Part, Head, Calls) end, tuple_to_list(Tuple));
expression(Call, Head, true) when is_tuple(Call), tuple_size(Call) > 1 ->
    [Name | Arguments] = tuple_to_list(Call),
    lists:member({Name, length(Arguments)}, calls()) andalso lists:all(fun(Part) -> expression(Part, Head, true) end, Arguments);
expression([Part | Rest], Head, Calls) -> expression(Part, Head, Calls) andalso expression(Rest, Head, Calls);
expression('$_', _, _) -> true;
expression('$$', _, _) -> true;
expression(Part, Head, _) when is_atom(Part) ->
    case variable(Part) of
        none -> true;
        Number -> mentions(Head, Number)
    end;
expression(Part, _, _) -> not is_tuple(Part) andalso not is_map(Part).

mentions([Part | Rest], Number) -> mentions(Part, Number) orelse mentions(Rest, Number);
mentions(Tuple, Number) when is_tuple(Tuple) -> mentions(tuple_to_list(Tuple), Number);
mentions(Part, Number) -> variable(Part) =:= Number.

calls() ->
    [{'>', 2}, {'>=', 2}, {'<', 2}, {'=<', 2}, {'=:=', 2}, {'==', 2}, {'=/=', 2}, {'/=', 2}, {'+', 2}, {'-', 2}, {'*', 2}, {'div', 2}, {'rem', 2},
     {'not', 1}, {'andalso', 2}, {'orelse', 2}, {'and', 2}, {'or', 2}, {is_atom, 1}, {is_integer, 1}, {is_list, 1}, {is_tuple, 1}, {is_binary, 1},
     {is_float, 1}, {is_number, 1}, {is_map, 1}, {is_pid, 1}, {element, 2}, {hd, 1}, {tl, 1}, {length, 1}, {size, 1}, {abs, 1}].

made({const, Term}, _) -> Term;
made({Tuple}, Known) when is_tuple(Tuple) -> list_to_tuple([made(Part, Known) || Part <- tuple_to_list(Tuple)]);
made({'andalso', One, Other}, Known) ->
    case made(One, Known) of
        true -> made(Other, Known);
        false -> false
    end;
made({'orelse', One, Other}, Known) ->
    case made(One, Known) of
        false -> made(Other, Known);
        true -> true
    end;
made({Name, One}, Known) -> called(Name, made(One, Known));
made({Name, One, Other}, Known) -> called(Name, made(One, Known), made(Other, Known));
made([Part | Rest], Known) -> [made(Part, Known) | made(Rest, Known)];
made('$_', {_, Object}) -> Object;
made('$$', {Bound, _}) -> [Value || {_, Value} <- Bound];
made(Part, {Bound, _}) when is_atom(Part) ->
    case variable(Part) of
        none -> Part;
        Number ->
            {_, Value} = 'lists:keyfind'(Number, 1, Bound),
            Value
    end;
made(Part, _) -> Part.

called('not', A) -> not A;
called(is_atom, A) -> is_atom(A);
called(is_integer, A) -> is_integer(A);
called(is_list, A) -> is_list(A);
called(is_tuple, A) -> is_tuple(A);
called(is_binary, A) -> is_binary(A);
called(is_float, A) -> is_float(A);
called(is_number, A) -> is_number(A);
called(is_map, A) -> is_map(A);
called(is_pid, A) -> is_pid(A);
called(hd, A) -> hd(A);
called(tl, A) -> tl(A);
called(length, A) -> length(A);
called(size, A) -> size(A);
called(abs, A) -> abs(A).

called('>', A, B) -> A > B;
called('>=', A, B) -> A >= B;
called('<', A, B) -> A < B;
called('=<', A, B) -> A =< B;
called('=:=', A, B) -> A =:= B;
called('==', A, B) -> A == B;
called('=/=', A, B) -> A =/= B;
called('/=', A, B) -> A /= B;
called('+', A, B) -> A + B;
called('-', A, B) -> A - B;
called('*', A, B) -> A * B;
called('div', A, B) -> A div B;
called('rem', A, B) -> A rem B;
called('and', A, B) -> A and B;
called('or', A, B) -> A or B;
called(element, A, B) -> element(A, B).

fixed(Table, Body) ->
    ets:safe_fixtable(Table, true),
    try
        Body()
    after
        ets:safe_fixtable(Table, false)
    end.

%% Servers: calls, and processes as proc_lib starts them. A call waits as long as its answer takes, whatever its timeout is, and a process that fails does so with
%% the class and reason of its failure. Nothing is logged.
'logger:allow'(_, _) -> false.

'gen:call'(Process, Label, Request) -> 'gen:call'(Process, Label, Request, 5000).

'gen:call'(Process, Label, Request, Timeout) when Timeout =:= infinity; is_integer(Timeout), Timeout >= 0 ->
    Pid = process(Process),
    case Pid =:= self() of
        true -> exit(calling_self);
        false -> ok
    end,
    Ref = erlang:monitor(process, Pid),
    Pid ! {Label, {self(), Ref}, Request},
    receive
        {Ref, Reply} ->
            erlang:demonitor(Ref, [flush]),
            {ok, Reply};
        {'DOWN', Ref, _, _, Reason} ->
            exit(Reason)
    end.

process(Pid) when is_pid(Pid) -> Pid;
process(Name) when is_atom(Name) ->
    case whereis(Name) of
        undefined -> exit(noproc);
        Pid -> Pid
    end;
process({global, Name}) ->
    case global:whereis_name(Name) of
        undefined -> exit(noproc);
        Pid -> Pid
    end;
process({via, Module, Name}) ->
    case Module:whereis_name(Name) of
        undefined -> exit(noproc);
        Pid -> Pid
    end;
process({Name, Node}) when Node =:= node() -> process(Name);
process({_, Node}) -> exit({nodedown, Node}).

'gen:send_request'(Process, Label, Request) ->
    Pid = process(Process),
    Ref = erlang:monitor(process, Pid),
    Pid ! {Label, {self(), Ref}, Request},
    Ref.

'gen:reply'({To, Tag}, Reply) ->
    To ! {Tag, Reply},
    ok.

'proc_lib:spawn'(Fun) ->
    Ancestors = ancestors(),
    erlang:spawn(fun() -> born(Ancestors, Fun) end).

'proc_lib:spawn'(M, F, A) ->
    Ancestors = ancestors(),
    erlang:spawn(fun() -> born(Ancestors, M, F, A) end).

'proc_lib:spawn_link'(Fun) ->
    Ancestors = ancestors(),
    erlang:spawn_link(fun() -> born(Ancestors, Fun) end).

'proc_lib:spawn_link'(M, F, A) ->
    Ancestors = ancestors(),
    erlang:spawn_link(fun() -> born(Ancestors, M, F, A) end).

ancestors() ->
    case get('$ancestors') of
        Ancestors when is_list(Ancestors) -> [self() | Ancestors];
        _ -> [self()]
    end.

born(Ancestors, Fun) ->
    put('$ancestors', Ancestors),
    Fun().

born(Ancestors, M, F, A) ->
    put('$ancestors', Ancestors),
    apply(M, F, A).

'proc_lib:start'(M, F, A) -> 'proc_lib:start'(M, F, A, infinity, []).

'proc_lib:start'(M, F, A, Timeout) -> 'proc_lib:start'(M, F, A, Timeout, []).

'proc_lib:start'(M, F, A, _, _) ->
    Ancestors = ancestors(),
    {Pid, Ref} = erlang:spawn_monitor(fun() -> born(Ancestors, M, F, A) end),
    receive
        {ack, Pid, Return} ->
            erlang:demonitor(Ref, [flush]),
            Return;
        {'DOWN', Ref, process, Pid, Reason} ->
            {error, Reason}
    end.

'proc_lib:start_link'(M, F, A) -> 'proc_lib:start_link'(M, F, A, infinity, []).

'proc_lib:start_link'(M, F, A, Timeout) -> 'proc_lib:start_link'(M, F, A, Timeout, []).

'proc_lib:start_link'(M, F, A, _, _) ->
    Pid = 'proc_lib:spawn_link'(M, F, A),
    receive
        {ack, Pid, Return} -> Return;
        {'EXIT', Pid, Reason} -> {error, Reason}
    end.

'proc_lib:start_monitor'(M, F, A) -> 'proc_lib:start_monitor'(M, F, A, infinity, []).

'proc_lib:start_monitor'(M, F, A, Timeout) -> 'proc_lib:start_monitor'(M, F, A, Timeout, []).

'proc_lib:start_monitor'(M, F, A, _, _) ->
    Ancestors = ancestors(),
    {Pid, Ref} = erlang:spawn_monitor(fun() -> born(Ancestors, M, F, A) end),
    receive
        {ack, Pid, Return} -> {Return, Ref};
        {'DOWN', Ref, process, Pid, Reason} ->
            self() ! {'DOWN', Ref, process, Pid, Reason},
            {{error, Reason}, Ref}
    end.

'proc_lib:init_ack'(Return) ->
    [Parent | _] = get('$ancestors'),
    'proc_lib:init_ack'(Parent, Return).

'proc_lib:init_ack'(Parent, Return) ->
    Parent ! {ack, self(), Return},
    ok.

'proc_lib:stop'(Process) -> 'proc_lib:stop'(Process, normal, infinity).

'proc_lib:stop'(Process, Reason, _) ->
    Pid = process(Process),
    Ref = erlang:monitor(process, Pid),
    {ok, _} = 'gen:call'(Pid, system, {terminate, Reason}, infinity),
    receive
        {'DOWN', Ref, _, _, Reason} -> ok;
        {'DOWN', Ref, _, _, Other} -> exit(Other)
    end.
