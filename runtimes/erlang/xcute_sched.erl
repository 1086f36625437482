%% What the driver knows of the processes of a run: where each of them is, and who hears of its end.
%%
%% Invariant. A process is asked for nothing while it runs, and runs only when it was let go.
-module(xcute_sched).

-export([new/2, heard/2, events/3, ended/5, gone/2, main_ended/2, quiet/1, asking/1, rows/2, go/2, stop/1, told/1, foreign/2, hush/1, arrived/1, exited/1]).

-record(task, {pid, parent = 0, state = runs, ref, operation, seen = 0, events = [], how = 0, more = <<>>, opaque = false, monitors = [],
               links = [], traps = false}).

%% Tasks by number, numbers by process, names of processes; whether something may happen that nobody leads, and whether nobody waits for it any longer.
-record(tasks, {all = #{}, numbers = #{}, names = #{}, left = false, hushed = false}).

%% The first process of a run, with the events that it told so far.
new(Pid, Events) ->
    #tasks{all = #{0 => #task{pid = Pid, events = Events}}, numbers = #{Pid => 0}}.

number(Pid, #tasks{numbers = Numbers}) -> maps:get(Pid, Numbers, none).

get(Number, #tasks{all = All}) -> maps:get(Number, All).

set(Number, Task, Tasks = #tasks{all = All}) -> Tasks#tasks{all = All#{Number => Task}}.

change(Pid, Tasks, Change) ->
    case number(Pid, Tasks) of
        none -> Tasks;
        Number -> set(Number, Change(get(Number, Tasks)), Tasks)
    end.

%% A full buffer of events.
events(Pid, Events, Tasks) ->
    change(Pid, Tasks, fun(Task) -> Task#task{events = [Task#task.events | Events]} end).

%% What a process says.
heard({forked, Parent, Pid, Opaque, Options, Ref}, Tasks) -> forked(Parent, Pid, Opaque, Options, Ref, Tasks);
heard({ask, Pid, Ref, Operation, Seen}, Tasks) -> ask(Pid, Ref, Operation, Seen, Tasks);
heard({table, Pid, Ref, Request}, Tasks) -> table(Pid, Ref, Request, Tasks).

%% A process is gone, and may not have said so.
gone(Pid, Tasks) ->
    Gone = fun(Task = #task{state = over}) -> Task; (Task) -> Task#task{state = over, how = 5} end,
    change(Pid, Tasks, Gone).

forked(Parent, Pid, Opaque, Options, Ref, Tasks = #tasks{all = All, numbers = Numbers}) ->
    erlang:monitor(process, Pid),
    Number = map_size(All),
    Monitors = case Options of [monitor] -> [{Parent, Ref, Pid}]; _ -> [] end,
    Links = case Options of [link] -> [Parent]; _ -> [] end,
    Task = #task{pid = Pid, parent = number(Parent, Tasks), opaque = Opaque, monitors = Monitors, links = Links},
    Next = Tasks#tasks{all = All#{Number => Task}, numbers = Numbers#{Pid => Number}},
    case Links of
        [] -> Next;
        _ -> change(Parent, Next, fun(One) -> One#task{links = [Pid | One#task.links]} end)
    end.

%% A process wants to do something.
ask(Pid, Ref, Operation, Seen, Tasks) ->
    case operation(Operation, Pid, Tasks) of
        foreign ->
            Pid ! {Ref, foreign},
            Tasks;
        Wants ->
            change(Pid, Tasks, fun(Task) -> Task#task{state = asks, ref = Ref, operation = Wants, seen = Seen} end)
    end.

operation({send, To}, _, Tasks) -> about(1, To, Tasks);
operation({fetch, Index}, _, _) -> {2, 0, Index};
operation({timed, Index}, _, _) -> {3, 0, Index};
operation({life, Of}, _, Tasks) -> about(4, Of, Tasks);
operation('end', Pid, Tasks) -> about(5, Pid, Tasks);
operation({name, Name}, _, _) -> {6, erlang:phash2(Name), 0};
operation({look, Name}, _, _) -> {7, erlang:phash2(Name), 0};
operation({kill, Of}, _, Tasks) -> about(5, Of, Tasks).

about(Code, Pid, Tasks) ->
    case number(Pid, Tasks) of
        none -> foreign;
        Number -> {Code, Number, 0}
    end.

%% Questions and changes that are not operations of their own.
table(Pid, Ref, Request, Tasks) ->
    {Answer, Next} = answer(Request, Pid, Tasks),
    Pid ! {Ref, Answer},
    Next.

answer(left, _, Tasks) ->
    {ok, Tasks#tasks{left = true}};
answer({knows, Pid}, _, Tasks) ->
    {number(Pid, Tasks) =/= none orelse false, Tasks};
answer(names, Pid, Tasks = #tasks{names = Names}) ->
    {[Name || {Name, Of} <- lists:sort(maps:to_list(Names)), Of =:= Pid], Tasks};
answer({ended, _Reason}, Pid, Tasks) ->
    leave(Pid, Tasks, fun(Task) -> Task#task{state = ending} end);
answer({register, Name, Pid}, _, Tasks = #tasks{names = Names}) ->
    {ok, Tasks#tasks{names = Names#{Name => Pid}}};
answer({unregister, Name}, _, Tasks = #tasks{names = Names}) ->
    {ok, Tasks#tasks{names = maps:remove(Name, Names)}};
answer({monitor, To, Ref, Item}, Pid, Tasks) ->
    case lives(To, Tasks) of
        true -> {ok, change(To, Tasks, fun(Task) -> Task#task{monitors = [{Pid, Ref, Item} | Task#task.monitors]} end)};
        false -> {ended, Tasks}
    end;
answer({demonitor, Ref}, Pid, Tasks = #tasks{all = All}) ->
    Has = [{Number, Monitor} || {Number, #task{monitors = Monitors}} <- maps:to_list(All), {Of, Its, _} = Monitor <- Monitors, Of =:= Pid, Its =:= Ref],
    Without = fun({Number, Monitor}, Now) -> Task = get(Number, Now), set(Number, Task#task{monitors = Task#task.monitors -- [Monitor]}, Now) end,
    {Has =/= [], lists:foldl(Without, Tasks, Has)};
answer({link, To}, Pid, Tasks) ->
    case lives(To, Tasks) of
        true ->
            Add = fun(One, Other, Now) -> change(One, Now, fun(Task) -> Task#task{links = [Other | Task#task.links -- [Other]]} end) end,
            {ok, Add(Pid, To, Add(To, Pid, Tasks))};
        false -> {ended, Tasks}
    end;
answer({unlink, To}, Pid, Tasks) ->
    Drop = fun(One, Other, Now) -> change(One, Now, fun(Task) -> Task#task{links = Task#task.links -- [Other]} end) end,
    {ok, Drop(Pid, To, Drop(To, Pid, Tasks))};
answer({trap, Value}, Pid, Tasks) ->
    #task{traps = Old} = get(number(Pid, Tasks), Tasks),
    {Old, change(Pid, Tasks, fun(Task) -> Task#task{traps = Value} end)};
answer({alive, Pid}, _, Tasks) ->
    {lives(Pid, Tasks), Tasks};
answer({signal, From, To, Kind}, _, Tasks) ->
    {signalled(From, To, Kind, Tasks), Tasks};
answer({kill, To, Reason}, _, Tasks) ->
    case lives(To, Tasks) of
        true -> killed(To, Reason, Tasks);
        false -> {ended, Tasks}
    end.

lives(Pid, Tasks) ->
    case number(Pid, Tasks) of
        none -> false;
        Number -> lists:member((get(Number, Tasks))#task.state, [runs, asks])
    end.

%% What an exit signal does: `{exit, Reason}` comes from exit/2, a plain reason from a link.
signalled(From, To, Kind, Tasks) ->
    case number(To, Tasks) of
        none -> ignore;
        Number ->
            #task{traps = Traps} = get(Number, Tasks),
            case {lives(To, Tasks), Traps, Kind} of
                {false, _, _} -> ignore;
                {_, _, {exit, kill}} -> kill;
                {_, true, _} -> message;
                {_, _, {exit, normal}} when From =:= To -> kill;
                {_, _, {exit, normal}} -> ignore;
                {_, _, normal} -> ignore;
                _ -> kill
            end
    end.

%% Those who hear of the end of a process; what it knew of others goes with it.
leave(Pid, Tasks = #tasks{names = Names}, Change) ->
    #task{monitors = Monitors, links = Links} = get(number(Pid, Tasks), Tasks),
    Unlinked = lists:foldl(fun(Other, Now) -> change(Other, Now, fun(Task) -> Task#task{links = Task#task.links -- [Pid]} end) end, Tasks, Links),
    Left = change(Pid, Unlinked, fun(Task) -> (Change(Task))#task{monitors = [], links = []} end),
    [catch erlang:unregister(Name) || {Name, Of} <- maps:to_list(Names), Of =:= Pid],
    {{lists:reverse(Monitors), lists:reverse(Links)}, Left#tasks{names = maps:filter(fun(_, Of) -> Of =/= Pid end, Names)}}.

killed(Pid, Reason, Tasks) ->
    Number = number(Pid, Tasks),
    Task = ended_now(get(Number, Tasks)),
    leave(Pid, set(Number, Task, Tasks), fun(One) -> One#task{state = over, how = 3, more = exited(Reason)} end).

%% What is said of a process that an exit signal ended.
exited(Reason) ->
    Text = unicode:characters_to_binary(io_lib:format("exception exit: ~tp", [Reason])),
    term_to_binary({exit, Reason, Text, []}).

%% Ends a process; its last events are kept where it waits for an answer.
ended_now(Task = #task{pid = Pid, state = asks, ref = Ref, events = Events}) ->
    Pid ! {Ref, stop},
    receive {stopped, Pid, Last} -> Task#task{state = over, events = [Events | Last]}
    after 1000 -> exit(Pid, kill), Task#task{state = over}
    end;
ended_now(Task = #task{pid = Pid, state = State, events = Events}) when State =:= runs; State =:= ending ->
    Last = case erlang:process_info(Pid, dictionary) of
        {dictionary, Pairs} -> proplists:get_value('$xcute', Pairs, <<>>);
        undefined -> <<>>
    end,
    exit(Pid, kill),
    Task#task{state = over, events = [flushed(Pid, Events) | Last]};
ended_now(Task) ->
    Task.

flushed(Pid, Full) ->
    receive {events, Pid, Events} -> flushed(Pid, [Full | Events])
    after 0 -> Full
    end.

ended(Pid, How, Events, More, Tasks) ->
    Over = fun(Task) -> Task#task{state = over, how = How, events = [Task#task.events | Events], more = More} end,
    change(Pid, Tasks, Over).

%% The first process has ended; it told its events itself.
main_ended(Events, Tasks) ->
    Task = get(0, Tasks),
    set(0, Task#task{state = over, how = 4, events = [Task#task.events | Events]}, Tasks).

%% Whether nobody runs; those that are not followed may wait for something.
quiet(#tasks{all = All}) ->
    lists:all(fun(Task) -> still(Task) end, maps:values(All)).

still(#task{state = runs, opaque = true, pid = Pid}) ->
    case erlang:process_info(Pid, status) of
        {status, waiting} -> true;
        {status, _} -> false;
        undefined -> true
    end;
still(#task{state = State}) -> State =:= asks orelse State =:= over.

asking(#tasks{all = All}) ->
    lists:any(fun(#task{state = State}) -> State =:= asks end, maps:values(All)).

%% Whether something came to a mailbox that a process has not fetched.
arrived(#tasks{all = All}) ->
    lists:any(fun(#task{state = State} = Task) -> State =:= asks andalso unseen(Task) end, maps:values(All)).

unseen(#task{pid = Pid, seen = Seen}) ->
    case erlang:process_info(Pid, message_queue_len) of
        {message_queue_len, Length} -> Length > Seen;
        undefined -> false
    end.

%% Whether there are processes that nobody leads; those under this leader.
foreign(_, #tasks{hushed = true}) -> false;
foreign(_, #tasks{left = true}) -> true;
foreign(Leader, #tasks{all = All, numbers = Numbers}) ->
    lists:any(fun(#task{opaque = Opaque, state = State}) -> Opaque andalso State =:= runs end, maps:values(All))
        orelse lists:any(fun(Pid) -> not maps:is_key(Pid, Numbers) andalso erlang:process_info(Pid, group_leader) =:= {group_leader, Leader} end, processes()).

%% From now on nobody waits for those that nobody leads.
hush(Tasks) -> Tasks#tasks{hushed = true}.

%% All processes as the front end reads them.
rows(Foreign, #tasks{all = All}) ->
    Rows = [row(maps:get(Number, All)) || Number <- lists:seq(0, map_size(All) - 1)],
    [<<8, (case Foreign of halted -> 2; _ -> truth(Foreign) end), (map_size(All)):32>>, Rows].

row(Task = #task{parent = Parent, state = asks, operation = {Code, Object, Index}, opaque = Opaque}) ->
    <<1, Parent:32, Code, Object:32, Index:32, (mailbox(Task)), (truth(Opaque))>>;
row(#task{parent = Parent, state = State, opaque = Opaque}) ->
    <<(case State of over -> 2; _ -> 0 end), Parent:32, 0, 0:32, 0:32, 0, (truth(Opaque))>>.

%% 1: there is a message that it has not fetched; 2: there is one that it has.
mailbox(Task = #task{seen = Seen}) ->
    truth(unseen(Task)) bor (2 * truth(Seen > 0)).

truth(true) -> 1;
truth(false) -> 0.

go(Number, Tasks) ->
    Task = #task{pid = Pid, ref = Ref} = get(Number, Tasks),
    Pid ! {Ref, go},
    set(Number, Task#task{state = runs}, Tasks).

%% The run is over: ends whoever is left.
stop(Tasks = #tasks{all = All}) ->
    Tasks#tasks{all = maps:map(fun(_, Task) -> ended_now(Task) end, All)}.

%% What each process told, the first one's apart.
told(#tasks{all = All}) ->
    Main = maps:get(0, All),
    Others = [one(maps:get(Number, All)) || Number <- lists:seq(1, map_size(All) - 1)],
    {Main#task.events, [<<(map_size(All) - 1):32>>, Others], Main#task.how, Main#task.more}.

one(#task{events = Events, how = How, more = More}) ->
    [<<How, (iolist_size(Events)):32>>, Events, <<(byte_size(More)):32>>, More].
