%% Processes of a program under test: what they do that others can see, one at a time.
%%
%% Instrumented code calls these functions in place of those of `erlang`. Before an operation that another process can notice, a process asks the driver and
%% waits; between two operations processes may run side by side, since they share nothing. A run with one process asks only when it has to wait.
%%
%% A mailbox is the emulator's own. The first messages in it are those that the process has fetched, and only these are looked at; fetching the next one is an
%% operation. So it does not matter when a message came, only in which order.
%%
%% Invariant. Each operation that was granted is an event of its process, in the order in which it made them.
-module(xcute_tasks).
-compile({no_auto_import, [spawn/1, spawn/3, spawn_link/1, spawn_link/3, spawn_monitor/1, spawn_monitor/3, spawn_opt/2, spawn_opt/4,
                           register/2, unregister/1, whereis/1, monitor/2, demonitor/1, demonitor/2, link/1, unlink/1, exit/2,
                           process_flag/2, is_process_alive/1]}).

-export([peek/0, next/0, remove/2, wait/1]).
-export([spawn/1, spawn/3, spawn_link/1, spawn_link/3, spawn_monitor/1, spawn_monitor/3, send/2, send/3, '!'/2]).
-export([register/2, unregister/1, whereis/1, monitor/2, demonitor/1, demonitor/2, link/1, unlink/1, exit/2, process_flag/2]).
-export([is_process_alive/1]).

%% Events of this module, apart from those of the program: see `runtime` of the front end.
-define(STEP, (62 bsl 22)).
-define(FETCHED, (62 bsl 22 + 1)).
-define(NOTICE, (62 bsl 22 + 2)).
-define(SENT, (62 bsl 22 + 3)).
-define(KILLED, (62 bsl 22 + 4)).
-define(ITSELF, (62 bsl 22 + 5)).
-define(FLUSHED, (62 bsl 22 + 6)).

-define(DRIVER, '$xcute_driver').
%% Whether there are other processes.
-define(SEVERAL, '$xcute_several').
%% How many messages of the mailbox are fetched; how many operations fetched one; which one is looked at.
-define(SEEN, '$xcute_seen').
-define(FETCHES, '$xcute_fetches').
-define(AT, '$xcute_at').
-define(LOOKED, '$xcute_looked').

managed() -> get(?DRIVER) =/= undefined.

number(Key) ->
    case get(Key) of
        undefined -> 0;
        Number -> Number
    end.

%% Asks for an operation, and does it no earlier than it may.
ask(Operation) ->
    case erase('$xcute_left') of
        true -> table(left);
        _ -> ok
    end,
    Ref = make_ref(),
    get(?DRIVER) ! {ask, self(), Ref, Operation, number(?SEEN)},
    receive
        {Ref, go} -> xcute_rt:event(?STEP), go;
        {Ref, stop} -> stop();
        {Ref, Other} -> Other
    end.

stop() ->
    get(?DRIVER) ! {stopped, self(), xcute_rt:stop()},
    erlang:exit(self(), kill),
    receive after infinity -> ok end.

%% The same where there is nobody else: nothing to ask for.
step(Operation) ->
    case get(?SEVERAL) of
        true -> ask(Operation);
        _ -> go
    end.

%% What the driver knows of all processes.
table(Request) ->
    Ref = make_ref(),
    get(?DRIVER) ! {table, self(), Ref, Request},
    receive {Ref, Answer} -> Answer end.

%% Receiving: the message that is looked at, if there is one.
peek() ->
    At = number(?AT),
    {messages, Messages} = erlang:process_info(self(), messages),
    case At < min(number(?SEEN), length(Messages)) of
        true -> {true, lists:nth(At + 1, Messages)};
        false ->
            put(?LOOKED, true),
            {false, none}
    end.

%% It does not match.
next() ->
    put(?AT, number(?AT) + 1),
    ok.

%% It matches, and is the first that equals it.
remove(Id, Message) ->
    receive Message -> ok end,
    put(?AT, 0),
    put(?SEEN, number(?SEEN) - 1),
    xcute_rt:received(Id, Message),
    ok.

%% None of the fetched messages matches: fetches one, or gives up. Whether the time is over.
wait(Time) ->
    case {erase(?LOOKED), managed()} of
        {true, true} -> waited(Time);
        {true, false} -> polled(Time);
        {_, true} when Time =:= infinity -> ask({fetch, 1 bsl 30});
        {_, true} -> valid(Time), true;
        %% Nothing to look at: a pause.
        _ -> receive after Time -> true end
    end.

valid(infinity) -> ok;
valid(Time) when is_integer(Time), Time >= 0, Time < 1 bsl 32 -> ok;
valid(_) -> erlang:error(timeout_value).

waited(Time) ->
    valid(Time),
    case {get(?SEVERAL), unseen(), Time} of
        {true, _, infinity} -> ask({fetch, number(?FETCHES)}), fetched();
        {true, _, _} -> timed();
        {_, true, _} -> fetched();
        {_, _, 0} -> late();
        {_, _, infinity} -> ask({fetch, number(?FETCHES)}), fetched();
        {_, _, _} -> timed()
    end.

timed() ->
    ask({timed, number(?FETCHES)}),
    case unseen() of
        true -> fetched();
        false -> late()
    end.

late() ->
    put(?AT, 0),
    true.

%% Code that is not instrumented may have taken some away.
unseen() ->
    {message_queue_len, Length} = erlang:process_info(self(), message_queue_len),
    case number(?SEEN) > Length of
        true -> put(?SEEN, Length), false;
        false -> Length > number(?SEEN)
    end.

fetched() ->
    Seen = number(?SEEN),
    case get(?SEVERAL) of
        true -> put(?FETCHES, number(?FETCHES) + 1);
        _ -> ok
    end,
    {messages, Messages} = erlang:process_info(self(), messages),
    xcute_rt:value(?FETCHED, lists:nth(Seen + 1, Messages)),
    put(?SEEN, Seen + 1),
    false.

%% In a process that nobody leads.
polled(Time) ->
    valid(Time),
    End = case Time of infinity -> infinity; _ -> erlang:monotonic_time(millisecond) + Time end,
    poll(End).

poll(End) ->
    case unseen() of
        true ->
            put(?SEEN, number(?SEEN) + 1),
            false;
        false ->
            case End =/= infinity andalso erlang:monotonic_time(millisecond) >= End of
                true -> late();
                false -> receive after 1 -> poll(End) end
            end
    end.

%% The front end must know the name of a process before others use it.
introduce() ->
    case get('$xcute_known') of
        undefined ->
            xcute_rt:value(?ITSELF, self()),
            put('$xcute_known', true);
        _ -> ok
    end.

%% Sending.
'!'(To, Message) -> send(To, Message).

send(To, Message) ->
    case managed() of
        true -> deliver(To, Message), Message;
        false -> erlang:send(To, Message)
    end.

send(To, Message, Options) ->
    case managed() andalso is_list(Options) of
        true -> deliver(To, Message), ok;
        false -> erlang:send(To, Message, Options)
    end.

deliver(To, Message) when is_pid(To) ->
    introduce(),
    step({send, To}),
    xcute_rt:value(?SENT, To),
    erlang:send(To, Message);
deliver(Name, Message) when is_atom(Name) ->
    case whereis(Name) of
        undefined -> erlang:error(badarg);
        Pid -> deliver(Pid, Message)
    end;
deliver(To, Message) ->
    erlang:send(To, Message).

%% Starting processes.
spawn(Fun) when is_function(Fun, 0) -> start({call, Fun, []}, []);
spawn(Other) -> erlang:spawn(Other).

spawn(M, F, A) when is_atom(M), is_atom(F), is_list(A) -> start(target(M, F, A), []);
spawn(M, F, A) -> erlang:spawn(M, F, A).

spawn_link(Fun) when is_function(Fun, 0) -> start({call, Fun, []}, [link]);
spawn_link(Other) -> erlang:spawn_link(Other).

spawn_link(M, F, A) when is_atom(M), is_atom(F), is_list(A) -> start(target(M, F, A), [link]);
spawn_link(M, F, A) -> erlang:spawn_link(M, F, A).

spawn_monitor(Fun) when is_function(Fun, 0) -> start({call, Fun, []}, [monitor]);
spawn_monitor(Other) -> erlang:spawn_monitor(Other).

spawn_monitor(M, F, A) when is_atom(M), is_atom(F), is_list(A) -> start(target(M, F, A), [monitor]);
spawn_monitor(M, F, A) -> erlang:spawn_monitor(M, F, A).

target(M, F, A) ->
    Arity = length(A),
    case xcute_rt:target(M, F, Arity) of
        opaque -> {opaque, fun M:F/Arity, A};
        {Copy, Function} -> {followed, fun Copy:Function/Arity, A}
    end.

start({call, Fun, Args}, Options) ->
    case managed() of
        true -> start(xcute_rt:callee(Fun, length(Args)), Fun, Args, Options);
        false -> erlang:spawn_opt(fun() -> apply(Fun, Args) end, Options)
    end;
start({Kind, Fun, Args}, Options) ->
    case managed() of
        true when Kind =:= followed -> start(Fun, Fun, Args, Options);
        true -> start(opaque, Fun, Args, Options);
        false -> erlang:spawn_opt(fun() -> apply(Fun, Args) end, Options)
    end.

start(Callee, Fun, Args, Options) ->
    introduce(),
    Driver = get(?DRIVER),
    case get(?SEVERAL) of
        true -> ok;
        _ ->
            put(?SEVERAL, true),
            %% Whatever came before is fetched.
            {message_queue_len, Length} = erlang:process_info(self(), message_queue_len),
            fetch_all(number(?SEEN), Length)
    end,
    Ref = make_ref(),
    Heap = get('$xcute_heap'),
    Limit = case Heap of undefined -> []; _ -> Heap end,
    Pid = erlang:spawn_opt(fun() -> receive {Ref, 'begin'} -> task(Driver, Heap, Callee, Fun, Args) end end, Limit),
    Monitor = make_ref(),
    Driver ! {forked, self(), Pid, Callee =:= opaque, Options, Monitor},
    Pid ! {Ref, 'begin'},
    case Options of
        [monitor] -> {Pid, Monitor};
        _ -> Pid
    end.

fetch_all(Length, Length) -> ok;
fetch_all(Seen, Length) ->
    {messages, Messages} = erlang:process_info(self(), messages),
    xcute_rt:value(?FETCHED, lists:nth(Seen + 1, Messages)),
    put(?SEEN, Seen + 1),
    fetch_all(Seen + 1, Length).

%% A process from its beginning to its end.
task(Driver, Heap, opaque, Fun, Args) ->
    put(?DRIVER, Driver),
    put('$xcute_heap', Heap),
    put(?SEVERAL, true),
    run(Fun, Args);
task(Driver, Heap, Callee, _, Args) ->
    xcute_rt:start(Driver),
    put('$xcute_heap', Heap),
    put(?SEVERAL, true),
    run(Callee, Args).

run(Fun, Args) ->
    try apply(Fun, Args) of
        _ -> over(1, normal, <<>>)
    catch
        exit:Reason:Stack -> over(2, Reason, xcute_drv:crash(exit, Reason, Stack));
        error:Reason:Stack -> over(2, {Reason, originals(Stack)}, xcute_drv:crash(error, Reason, Stack));
        throw:Reason:Stack -> over(2, {{nocatch, Reason}, originals(Stack)}, xcute_drv:crash(throw, Reason, Stack))
    end.

originals(Stack) -> [{xcute_rt:original(M), F, A, L} || {M, F, A, L} <- Stack, M =/= xcute_rt, M =/= ?MODULE].

%% A process ends: its names go, then it does, and then those hear of it who asked for that.
over(How, Reason, More) ->
    [step({name, Name}) || Name <- table(names)],
    step('end'),
    {Monitors, Links} = table({ended, Reason}),
    bereave(self(), Reason, Monitors, Links),
    get(?DRIVER) ! {ended, self(), How, xcute_rt:stop(), More}.

notice(To, Message) ->
    step({send, To}),
    xcute_rt:value(?NOTICE, {To, Message}),
    erlang:send(To, Message).

%% An exit signal from a process: a message for those who want it so, and the end of others. What kills (`kill`) and what they are said to have died of differ.
signal(From, To, Reason, Kind) ->
    case table({signal, From, To, Kind}) of
        message -> notice(To, {'EXIT', From, Reason});
        kill when To =:= self() ->
            %% Nobody can catch that.
            over(3, Reason, xcute_sched:exited(Reason)),
            erlang:exit(self(), kill),
            receive after infinity -> ok end;
        kill -> ended_by(To, Reason);
        ignore -> ok
    end.

ended_by(To, Reason) ->
    case step({kill, To}) of
        go -> ok;
        _ -> ok
    end,
    case table({kill, To, Reason}) of
        {Monitors, Links} ->
            xcute_rt:value(?KILLED, To),
            bereave(To, Reason, Monitors, Links);
        ended -> ok
    end.

%% Those hear of an end who asked for that, by their links first: signals from one process to another stay in order, and this is the one in which the emulator
%% sends them.
bereave(Of, Reason, Monitors, Links) ->
    [signal(Of, Linked, Reason, Reason) || Linked <- Links],
    [notice(Owner, {'DOWN', Ref, process, Item, Reason}) || {Owner, Ref, Item} <- Monitors],
    ok.

exit(To, Reason) when is_pid(To) ->
    case managed() andalso table({knows, To}) of
        true -> signal(self(), To, case Reason of kill -> killed; _ -> Reason end, {exit, Reason}), true;
        _ when Reason =:= kill -> killed(To);
        _ -> erlang:exit(To, Reason)
    end;
exit(To, Reason) ->
    erlang:exit(To, Reason).

%% A process that nobody leads is killed: it may be one that the emulator needs, so that what comes of it belongs to this run.
killed(To) ->
    Ref = erlang:monitor(process, To),
    erlang:exit(To, kill),
    receive {'DOWN', Ref, process, _, _} -> true
    after 50 -> erlang:demonitor(Ref, [flush])
    end.

%% Names.
register(Name, Pid) ->
    case managed() of
        true ->
            step({name, Name}),
            erlang:register(Name, Pid),
            table({register, Name, Pid}),
            true;
        false -> erlang:register(Name, Pid)
    end.

unregister(Name) ->
    case managed() of
        true ->
            step({name, Name}),
            erlang:unregister(Name),
            table({unregister, Name}),
            true;
        false -> erlang:unregister(Name)
    end.

whereis(Name) ->
    case managed() of
        true ->
            step({look, Name}),
            erlang:whereis(Name);
        false -> erlang:whereis(Name)
    end.

%% Monitors and links.
monitor(process, To) when is_pid(To); is_atom(To) ->
    Pid = case is_atom(To) of true -> whereis(To); false -> To end,
    case managed() andalso is_pid(Pid) andalso table({knows, Pid}) of
        true ->
            introduce(),
            step({life, Pid}),
            Ref = make_ref(),
            Item = case is_atom(To) of true -> {To, node()}; false -> Pid end,
            case table({monitor, Pid, Ref, Item}) of
                ok -> Ref;
                ended ->
                    notice(self(), {'DOWN', Ref, process, Item, noproc}),
                    Ref
            end;
        _ when Pid =:= undefined ->
            Ref = make_ref(),
            notice(self(), {'DOWN', Ref, process, {To, node()}, noproc}),
            Ref;
        _ -> erlang:monitor(process, To)
    end;
monitor(process, {Name, Node}) when is_atom(Name), Node =:= node() ->
    monitor(process, Name);
monitor(Type, Item) ->
    erlang:monitor(Type, Item).

demonitor(Ref) -> demonitor(Ref, []).

demonitor(Ref, Options) ->
    case managed() andalso table({demonitor, Ref}) of
        true -> flush(Ref, lists:member(flush, Options)), true;
        _ -> erlang:demonitor(Ref, Options)
    end.

%% The message may have come: all that came is fetched, and it is taken out.
flush(_, false) -> ok;
flush(Ref, true) ->
    drain(),
    {messages, Messages} = erlang:process_info(self(), messages),
    case [Down || {'DOWN', R, process, _, _} = Down <- lists:sublist(Messages, number(?SEEN)), R =:= Ref] of
        [Down | _] ->
            receive Down -> ok end,
            put(?SEEN, number(?SEEN) - 1),
            xcute_rt:value(?FLUSHED, Down);
        [] -> ok
    end.

drain() ->
    case get(?SEVERAL) of
        true ->
            case timed() of
                true -> ok;
                false -> drain()
            end;
        _ ->
            case unseen() of
                true -> fetched(), drain();
                false -> ok
            end
    end.

link(To) when is_pid(To) ->
    case managed() andalso table({knows, To}) of
        true when To =:= self() -> true;
        true ->
            introduce(),
            step({life, To}),
            case table({link, To}) of
                ok -> true;
                ended -> signal(To, self(), noproc, noproc), true
            end;
        _ -> erlang:link(To)
    end;
link(To) ->
    erlang:link(To).

unlink(To) when is_pid(To) ->
    case managed() andalso table({knows, To}) of
        true -> table({unlink, To}), true;
        _ -> erlang:unlink(To)
    end;
unlink(To) ->
    erlang:unlink(To).

process_flag(trap_exit, Value) when is_boolean(Value) ->
    case managed() of
        true -> table({trap, Value});
        false -> erlang:process_flag(trap_exit, Value)
    end;
process_flag(Flag, Value) ->
    erlang:process_flag(Flag, Value).

is_process_alive(Pid) when is_pid(Pid) ->
    case managed() andalso table({knows, Pid}) of
        true ->
            step({life, Pid}),
            table({alive, Pid});
        _ -> erlang:is_process_alive(Pid)
    end;
is_process_alive(Other) ->
    erlang:is_process_alive(Other).
