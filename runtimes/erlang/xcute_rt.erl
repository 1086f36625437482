%% What instrumented code calls: events of the run, and the calls whose target is known at run time only.
%%
%% Events are 32-bit numbers, appended to a binary in the process dictionary; the front end gave each its meaning. A value that the front end
%% cannot compute follows its number as a length and an external term. Only the process of the run has such a binary: elsewhere events are nothing.
%%
%% Invariant. Nothing here changes what the program sees: dictionary, names of functions and exceptions are those of the original.
-module(xcute_rt).

-export([start/1, stop/0, event/1, left/1, value/2, raised/3, received/2]).
-export([target/3, callee/2, applied/2, applied/3, original/1]).
-compile({no_auto_import, [halt/1, halt/2, get/0, erase/0]}).
-export([get/0, get_keys/0, get_keys/1, erase/0, process_info/1, process_info/2, fun_info/1, fun_info/2, halt/0, halt/1, halt/2]).

-export(['unicode_util:cp'/1, 'unicode_util:gc'/1, 'unicode_util:uppercase'/1, 'unicode_util:lowercase'/1, 'unicode_util:titlecase'/1,
         'unicode_util:casefold'/1]).
-export([written/2, called/2, 'io:format'/3, 'io:fwrite'/3, 'io:put_chars'/1, 'io_lib:format'/2]).
-export(['erlang:integer_to_list'/1, 'erlang:integer_to_list'/2, 'erlang:integer_to_binary'/1, 'erlang:integer_to_binary'/2, 'unicode:characters_to_list'/1, 'unicode:characters_to_list'/2,
         'unicode:characters_to_binary'/1, 'unicode:characters_to_binary'/2, 'unicode:characters_to_binary'/3, 'binary:match'/3, 'binary:matches'/3,
         'binary:split'/3]).
-export(['ets:match'/2, 'ets:match_object'/2, 'ets:match_delete'/2, 'ets:select'/2, 'ets:select_count'/2, 'ets:select_delete'/2]).

-define(KEY, '$xcute').
%% A buffer of this size goes to the driver.
-define(FULL, 65536).

%% The buffer begins with where full ones go to.
start(Driver) ->
    put('$xcute_driver', Driver),
    put(?KEY, <<>>).

%% The events that no full buffer took along.
stop() ->
    case erase(?KEY) of
        undefined -> <<>>;
        Events -> Events
    end.

event(Id) ->
    case get(?KEY) of
        Events when byte_size(Events) < ?FULL -> put(?KEY, <<Events/binary, Id:32/little>>);
        Events -> append(Events, <<Id:32/little>>)
    end.

%% A call begins of which nobody knows what it starts: a timer, a process, the end of the emulator.
left(Id) ->
    put('$xcute_left', true),
    event(Id).

%% The value of a call that is not followed; itself.
value(Id, Value) ->
    case get(?KEY) of
        undefined -> Value;
        Events ->
            Term = term_to_binary(Value),
            append(Events, <<Id:32/little, (byte_size(Term)):32/little, Term/binary>>),
            Value
    end.

%% Such a call ended with an exception.
raised(Id, Class, Reason) ->
    value(Id, {Class, Reason}).

%% A message was taken out of the mailbox.
received(Id, Message) ->
    value(Id, Message).

append(undefined, _) ->
    ok;
append(Events, More) when byte_size(Events) >= ?FULL ->
    get('$xcute_driver') ! {events, self(), Events},
    put(?KEY, More);
append(Events, More) ->
    put(?KEY, <<Events/binary, More/binary>>).

%% Where a call goes whose module or function is computed: to the copy of a module that has one, or `opaque`.
target(_, module_info, _) -> opaque;
target(Module, Function, _) when not is_atom(Module); not is_atom(Function) -> opaque;
target(Module, Function, Arity) ->
    case persistent_term:get(xcute_follow, #{}) of
        #{Module := {Copy, Exceptions}} ->
            case Exceptions of
                #{{Function, Arity} := Other} -> Other;
                _ ->
                    case erlang:function_exported(Copy, Function, Arity) of
                        true -> {Copy, Function};
                        false -> opaque
                    end
            end;
        _ -> opaque
    end.

%% What is called when a value is applied: itself, the same function of a copy, or `opaque` if its code is not instrumented.
callee(Fun, Arity) when is_function(Fun, Arity) ->
    {module, Module} = erlang:fun_info(Fun, module),
    case erlang:fun_info(Fun, type) of
        {type, external} ->
            {name, Name} = erlang:fun_info(Fun, name),
            case target(Module, Name, Arity) of
                opaque -> opaque;
                {Copy, Function} -> fun Copy:Function/Arity
            end;
        %% A function of the input is a table, which the front end knows.
        _ when Module =:= xcute_input -> Fun;
        _ ->
            case persistent_term:get(xcute_copies, #{}) of
                #{Module := _} -> Fun;
                _ -> opaque
            end
    end;
%% No function, or one of another arity: applying it fails as it should.
callee(Other, _) ->
    Other.

%% The same for calls with a list of arguments.
applied(Fun, Args) ->
    try length(Args) of
        Arity -> callee(Fun, Arity)
    catch
        %% Fails as it should.
        error:badarg -> opaque
    end.

applied(Module, Function, Args) ->
    try length(Args) of
        Arity -> target(Module, Function, Arity)
    catch
        error:badarg -> opaque
    end.

%% The module that a copy was made of.
original(Module) ->
    case persistent_term:get(xcute_copies, #{}) of
        #{Module := Original} -> Original;
        _ -> Module
    end.

own(?KEY) -> true;
own('$xcute_driver') -> true;
own('$xcute_heap') -> true;
own('$xcute_several') -> true;
own('$xcute_seen') -> true;
own('$xcute_fetches') -> true;
own('$xcute_at') -> true;
own('$xcute_left') -> true;
own('$xcute_known') -> true;
own('$xcute_looked') -> true;
own(_) -> false.

get() ->
    [Pair || {Key, _} = Pair <- erlang:get(), not own(Key)].

get_keys() ->
    [Key || Key <- erlang:get_keys(), not own(Key)].

get_keys(Value) ->
    [Key || Key <- erlang:get_keys(Value), not own(Key)].

erase() ->
    All = ?MODULE:get(),
    lists:foreach(fun({Key, _}) -> erlang:erase(Key) end, All),
    All.

process_info(Pid) ->
    case erlang:process_info(Pid) of
        Items when is_list(Items) -> [item(Item) || Item <- Items];
        undefined -> undefined
    end.

process_info(Pid, Items) ->
    case erlang:process_info(Pid, Items) of
        List when is_list(List), is_list(Items) -> [item(Item) || Item <- List];
        Item -> item(Item)
    end.

item({dictionary, Pairs}) -> {dictionary, [Pair || {Key, _} = Pair <- Pairs, not own(Key)]};
item(Item) -> Item.

fun_info(Fun) ->
    [info(Item) || Item <- erlang:fun_info(Fun)].

fun_info(Fun, Item) ->
    info(erlang:fun_info(Fun, Item)).

info({module, Module}) -> {module, original(Module)};
info(Item) -> Item.

%% The program ends the emulator: that ends the run, and nothing of the program runs any more.
halt() -> halt(0, []).
halt(Status) -> halt(Status, []).
halt(Status, Options) when is_list(Options), (is_integer(Status) andalso Status >= 0 orelse Status =:= abort orelse is_list(Status)) ->
    case get('$xcute_driver') of
        undefined -> erlang:halt(Status, Options);
        Driver ->
            Driver ! {halted, self(), Status, stop()},
            exit(self(), kill),
            receive after infinity -> ok end
    end;
halt(Status, Options) ->
    %% Fails as the original does.
    erlang:halt(Status, Options).

%% What models call in place of the function that they stand for: that function as it is.
'unicode_util:cp'(Text) -> unicode_util:cp(Text).
'unicode_util:gc'(Text) -> unicode_util:gc(Text).
'unicode_util:uppercase'(Text) -> unicode_util:uppercase(Text).
'unicode_util:lowercase'(Text) -> unicode_util:lowercase(Text).
'unicode_util:titlecase'(Text) -> unicode_util:titlecase(Text).
'unicode_util:casefold'(Text) -> unicode_util:casefold(Text).
'erlang:integer_to_list'(N) -> erlang:integer_to_list(N).
'erlang:integer_to_binary'(N) -> erlang:integer_to_binary(N).
'erlang:integer_to_list'(N, Base) -> erlang:integer_to_list(N, Base).
'erlang:integer_to_binary'(N, Base) -> erlang:integer_to_binary(N, Base).
'io:format'(Device, Format, Args) -> io:format(Device, Format, Args).
'io:fwrite'(Device, Format, Args) -> io:fwrite(Device, Format, Args).
'io:put_chars'(Text) -> io:put_chars(Text).
'io_lib:format'(Format, Args) -> io_lib:format(Format, Args).
'unicode:characters_to_list'(Text) -> unicode:characters_to_list(Text).
'unicode:characters_to_list'(Text, Encoding) -> unicode:characters_to_list(Text, Encoding).
'unicode:characters_to_binary'(Text) -> unicode:characters_to_binary(Text).
'unicode:characters_to_binary'(Text, Encoding) -> unicode:characters_to_binary(Text, Encoding).
'unicode:characters_to_binary'(Text, From, To) -> unicode:characters_to_binary(Text, From, To).
'binary:match'(Subject, Pattern, Options) -> binary:match(Subject, Pattern, Options).
'binary:matches'(Subject, Pattern, Options) -> binary:matches(Subject, Pattern, Options).
'binary:split'(Subject, Pattern, Options) -> binary:split(Subject, Pattern, Options).
'ets:match'(Table, Pattern) -> ets:match(Table, Pattern).
'ets:match_object'(Table, Pattern) -> ets:match_object(Table, Pattern).
'ets:match_delete'(Table, Pattern) -> ets:match_delete(Table, Pattern).
'ets:select'(Table, Clauses) -> ets:select(Table, Clauses).
'ets:select_count'(Table, Clauses) -> ets:select_count(Table, Clauses).
'ets:select_delete'(Table, Clauses) -> ets:select_delete(Table, Clauses).

%% The function of this name, 'io:format', as it is; `written` where nothing of what it is given comes back.
written(Function, Args) -> called(Function, Args).

called(Function, Args) ->
    [Module, Name] = string:split(atom_to_list(Function), ":"),
    apply(list_to_atom(Module), list_to_atom(Name), Args).
