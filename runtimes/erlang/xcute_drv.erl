%% The process that the front end talks to: one packet per request, one per answer, on file descriptors 3 and 4.
%%
%% A request is an external term; a packet that begins with 0 is a run, the rest being its arguments, and one that begins with 4 is a run whose arguments hold
%% functions. The emulator ends when the other side is gone.
%%
%% Invariant. Every request is answered once, whatever the program does; if the emulator itself ends, the other side notices by the end of the stream.
-module(xcute_drv).

-export([start/0, crash/3, paused/2]).

%% How long compiling may take.
-define(PATIENCE, 300000).
%% How long processes that are left wait for what nobody leads, after the function has returned.
-define(MOMENT, 50).

%% What the compiler leaves out for modules of the program: they are compiled for one campaign, and loading its optimisers takes longer than that saves.
-define(QUICK, [no_copt, no_ssa_opt, no_bool_opt, no_share_opt, no_bsm_opt, no_recv_opt, no_postopt, no_module_opt, no_type_opt, no_fun_opt, no_throw_opt,
                no_stack_trimming]).

%% A run tells its events, its value, or both.
-record(state, {port, leader, module, function, events = true, value = false, ends = none, bytes = 0, time = 1000, heap = 0, functions = false,
                halted = none}).

start() ->
    spawn(fun boot/0).

boot() ->
    process_flag(priority, high),
    process_flag(trap_exit, true),
    Port = open_port({fd, 3, 4}, [{packet, 4}, binary, eof]),
    Leader = spawn_link(fun() -> leader() end),
    loop(#state{port = Port, leader = Leader}).

%% The other side is gone, and so is the emulator, with the programs that it started.
gone() ->
    {Pid, Ref} = spawn_monitor(fun leftovers/0),
    receive {'DOWN', Ref, process, Pid, _} -> ok after 2000 -> ok end,
    erlang:halt(0, [{flush, false}]).

%% They have the mark of this emulator in their environment; one of its own processes starts them all, and is a child of it.
leftovers() ->
    Mark = list_to_binary("XCUTE_EMULATOR=" ++ os:getenv("XCUTE_EMULATOR")),
    {ok, Names} = file:list_dir("/proc"),
    Numbers = [Name || Name <- Names, lists:all(fun(C) -> C >= $0 andalso C =< $9 end, Name), Name =/= os:getpid(), is_leftover(Name, Mark)],
    Numbers =/= [] andalso os:cmd("kill -9 " ++ lists:join($\s, Numbers)).

is_leftover(Name, Mark) ->
    case file:read_file("/proc/" ++ Name ++ "/environ") of
        {ok, Environment} ->
            lists:member(Mark, binary:split(Environment, <<0>>, [global])) andalso parent(Name) =/= os:getpid();
        {error, _} -> false
    end.

parent(Name) ->
    case file:read_file("/proc/" ++ Name ++ "/stat") of
        %% The name of the program is in parentheses, and may hold anything.
        {ok, Text} ->
            [_, Parent | _] = string:lexemes(lists:last(binary:split(Text, <<")">>, [global])), " "),
            binary_to_list(Parent);
        {error, _} -> none
    end.

reply(Port, Data) ->
    try port_command(Port, Data)
    catch error:badarg -> gone()
    end.

loop(State = #state{port = Port}) ->
    receive
        {Port, {data, <<0, Args/binary>>}} ->
            reply(Port, run(State, Args)),
            loop(State);
        {Port, {data, <<4, Args/binary>>}} ->
            reply(Port, run(State#state{functions = true}, Args)),
            loop(State);
        {Port, {data, Request}} ->
            {Answer, Next} = request(binary_to_term(Request), State),
            reply(Port, term_to_binary(Answer)),
            loop(Next);
        {Port, eof} -> gone();
        {'EXIT', Port, _} -> gone();
        _ ->
            loop(State)
    end.

request({setup, Module, Function, Events, Value, Bytes, Time, Heap}, State) ->
    {ok, State#state{module = Module, function = Function, events = Events, value = Value, ends = none, bytes = Bytes, time = Time, heap = Heap}};
request({load, Modules}, State) ->
    {[load(Module, File, Beam) || {Module, File, Beam} <- Modules], State};
request({follow, Targets, Copies}, State) ->
    persistent_term:put(xcute_follow, Targets),
    persistent_term:put(xcute_copies, Copies),
    {ok, State};
request({trial, Trial}, State) ->
    {ok, State#state{ends = Trial}};
request({paths, Paths}, State) ->
    code:add_pathsa(Paths),
    {ok, State};
request(version, State) ->
    {{list_to_binary(erlang:system_info(otp_release)), 0.0 =:= binary_to_term(<<131, 70, 128, 0:56>>)}, State};
request(Request, State = #state{port = Port}) ->
    %% In a process of its own: compilers run code of the program (parse transforms).
    {Pid, Ref} = spawn_monitor(fun() -> exit({answer, work(Request)}) end),
    receive
        {'DOWN', Ref, process, Pid, {answer, Answer}} -> {Answer, State};
        {'DOWN', Ref, process, Pid, Reason} -> {{error, text("~tp", [Reason])}, State};
        {Port, eof} -> gone();
        {'EXIT', Port, _} -> gone()
    after ?PATIENCE ->
        exit(Pid, kill),
        {{error, <<"it does not end">>}, State}
    end.

load(Module, File, Beam) ->
    case code:load_binary(Module, File, Beam) of
        {module, _} -> ok;
        {error, sticky_directory} -> present(Module, Beam);
        {error, Reason} -> {error, text("~tp", [Reason])}
    end.

%% A module of the library is not replaced; one that is tested must be the one that is there.
present(Module, Beam) ->
    {ok, {Module, Wanted}} = beam_lib:md5(Beam),
    case code:ensure_loaded(Module) =:= {module, Module} andalso Module:module_info(md5) of
        Wanted -> ok;
        _ -> {error, <<"it has the name of a module of OTP, but is another one">>}
    end.

%% The Core Erlang of a source file, with what it declares and the module as it is.
work({source, File, Given}) ->
    Options = lists:flatmap(fun options/1, Given),
    case quickly(fun(Quick) -> compile:file(File, [binary, debug_info, return_errors, return_warnings | Quick ++ Options]) end) of
        {ok, Module, Beam, _} when is_binary(Beam) -> parts(Module, Beam, File);
        {error, Errors, _} -> {error, messages(Errors)}
    end;
work({core_text, File}) ->
    case compile:file(File, [from_core, binary, return_errors, return_warnings]) of
        {ok, Module, Beam, _} ->
            {ok, Text} = file:read_file(File),
            {ok, Tokens, _} = core_scan:string(unicode:characters_to_list(Text)),
            {ok, Core} = core_parse:parse(Tokens),
            {ok, Module, Core, [], Beam, text("~ts", [File])};
        {error, Errors, _} -> {error, messages(Errors)}
    end;
work({beam, File}) ->
    case beam_lib:info(File) of
        Info when is_list(Info) ->
            {ok, Beam} = file:read_file(File),
            {ok, {Module, _}} = beam_lib:version(Beam),
            parts(Module, Beam, File);
        {error, beam_lib, Reason} -> {error, text("~ts", [beam_lib:format_error(Reason)])}
    end;
work({module, Module}) ->
    case code:get_object_code(Module) of
        {Module, Beam, File} -> parts(Module, Beam, File);
        error -> {error, <<"there is no such module">>}
    end;
work({declared, Module}) ->
    case code:get_object_code(Module) of
        {Module, Beam, _} ->
            case beam_lib:chunks(Beam, [abstract_code]) of
                {ok, {Module, [{abstract_code, {raw_abstract_v1, Forms}}]}} -> {ok, declared(Forms)};
                _ -> {error, <<"it was compiled without debug_info">>}
            end;
        error -> {error, <<"there is no such module">>}
    end;
work({md5, Module}) ->
    case code:get_object_code(Module) of
        {Module, Beam, _} -> {ok, erlang:md5(Beam)};
        error -> {error, <<"there is no such module">>}
    end;
work({pauses, Modules}) ->
    Library = [Object || Module <- [proc_lib, gen], {_, _, _} = Object <- [code:get_object_code(Module)]],
    lists:foreach(fun pause/1, Library ++ Modules);
work({compile_quickly, Core}) -> compiled(quickly(fun(Quick) -> core(Core, Quick) end));
work({compile, Core}) -> compiled(core(Core, [])).

%% A module that does the same, but for a pause after each message: whoever waits for it goes on first.
pause({Module, Beam, File}) ->
    {ok, {Module, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(Beam, [abstract_code]),
    {ok, Module, Paused} = compile:forms(pausing(Forms), ?QUICK),
    code:unstick_mod(Module),
    {module, Module} = code:load_binary(Module, File, Paused).

pausing({op, Anno, '!', To, Message}) -> pausing_send(Anno, To, Message);
pausing({call, Anno, {remote, _, {atom, _, erlang}, {atom, _, send}}, [To, Message]}) -> pausing_send(Anno, To, Message);
pausing(Form) when is_tuple(Form) -> list_to_tuple(pausing(tuple_to_list(Form)));
pausing([Form | Forms]) -> [pausing(Form) | pausing(Forms)];
pausing(Form) -> Form.

pausing_send(Anno, To, Message) ->
    {call, Anno, {remote, Anno, {atom, Anno, ?MODULE}, {atom, Anno, paused}}, [pausing(To), pausing(Message)]}.

paused(To, Message) ->
    To ! Message,
    erlang:yield(),
    Message.

core(Core, Options) -> compile:forms(Core, [from_core, binary, return_errors, return_warnings | Options]).

compiled({ok, Module, Beam, _}) -> {ok, Module, Beam};
compiled({error, Errors, _}) -> {error, messages(Errors)}.

%% An option of the compiler; of a configuration of rebar3 those that decide what a module means, and of erlang.mk an option as it is written.
options({config, File}) ->
    lists:flatmap(fun(Option) -> configured(Option, filename:dirname(File)) end, proplists:get_value(erl_opts, config(File), []));
options({text, Text, Root}) ->
    case erl_scan:string(Text ++ ".") of
        {ok, Tokens, _} ->
            case erl_parse:parse_term(Tokens) of
                {ok, Option} -> configured(Option, Root);
                {error, _} -> cannot(Text, "it is not an option of the compiler")
            end;
        {error, _, _} -> cannot(Text, "it is not an option of the compiler")
    end;
options(Option) -> [Option].

configured({i, Directory}, Root) -> [{i, filename:absname(Directory, Root)}];
configured({platform_define, Of, Name}, _) -> [{d, Name} || is_platform(Of)];
configured({platform_define, Of, Name, Value}, _) -> [{d, Name, Value} || is_platform(Of)];
configured(Option, _) when element(1, Option) =:= d; element(1, Option) =:= parse_transform; element(1, Option) =:= feature;
                           element(1, Option) =:= no_auto_import -> [Option];
configured(Option, _) when Option =:= export_all; Option =:= tuple_calls; Option =:= no_auto_import -> [Option];
configured(_, _) -> [].

%% Whether this is a platform whose name fits, as rebar3 names it.
is_platform(Of) ->
    Release = erlang:system_info(otp_release),
    Version = case file:read_file(filename:join([code:root_dir(), "releases", Release, "OTP_VERSION"])) of
        {ok, Text} -> string:trim(Text, trailing, "*\n ");
        {error, _} -> Release
    end,
    Name = io_lib:format("~ts-~ts-~w", [Version, erlang:system_info(system_architecture), 8 * erlang:system_info({wordsize, external})]),
    re:run(Name, Of, [{capture, none}]) =:= match.

%% A configuration, as its script leaves it; read once, like the script.
config(File) ->
    case persistent_term:get({xcute_config, File}, none) of
        none ->
            Terms = case file:consult(File) of
                {ok, Read} -> Read;
                {error, enoent} -> [];
                {error, Reason} -> cannot(File, file:format_error(Reason))
            end,
            Script = File ++ ".script",
            Config = case filelib:is_regular(Script) of
                true -> scripted(Script, Terms);
                false -> Terms
            end,
            persistent_term:put({xcute_config, File}, Config),
            Config;
        Config -> Config
    end.

scripted(Script, Terms) ->
    {ok, Here} = file:get_cwd(),
    ok = file:set_cwd(filename:dirname(Script)),
    Known = erl_eval:add_binding('SCRIPT', Script, erl_eval:add_binding('CONFIG', Terms, erl_eval:new_bindings())),
    try file:script(Script, Known) of
        {ok, Config} when is_list(Config) -> Config;
        {ok, _} -> cannot(Script, "it does not give a list");
        {error, {_, file, {Class, Reason, _}}} -> cannot(Script, io_lib:format("~w: ~tp", [Class, Reason]));
        {error, Reason} -> cannot(Script, file:format_error(Reason))
    catch
        Class:Reason -> cannot(Script, io_lib:format("~w: ~tp", [Class, Reason]))
    after
        ok = file:set_cwd(Here)
    end.

cannot(What, Why) -> exit({answer, {error, text("~ts: ~ts", [What, Why])}}).

%% Without optimisers; with them where that does not compile, or to something that the emulator does not load.
quickly(Compile) ->
    case Compile(?QUICK) of
        {ok, Module, Beam, _} = Compiled when is_binary(Beam) ->
            case erlang:prepare_loading(Module, Beam) of
                {error, _} -> Compile([]);
                _ -> Compiled
            end;
        _ -> Compile([])
    end.

parts(Module, Beam, File) ->
    case beam_lib:chunks(Beam, [abstract_code]) of
        {ok, {Module, [{abstract_code, {raw_abstract_v1, Forms}}]}} ->
            {ok, Module, Core} = compile:forms(Forms, [to_core, binary, no_copt]),
            {ok, Module, Core, declared(Forms), Beam, text("~ts", [File])};
        _ ->
            {error, <<"it was compiled without debug_info">>}
    end.

declared(Forms) ->
    [Form || Form = {attribute, _, Name, _} <- Forms, declares(Name)].

declares(spec) -> true;
declares(type) -> true;
declares(opaque) -> true;
declares(nominal) -> true;
declares(record) -> true;
declares(_) -> false.

messages(Errors) ->
    Lines = [[message(File, Info), $\n] || {File, Infos} <- Errors, Info <- Infos],
    text("~ts", [string:trim(Lines)]).

message(File, {none, Module, What}) -> io_lib:format("~ts: ~ts", [File, Module:format_error(What)]);
message(File, {{Line, _}, Module, What}) -> message(File, {Line, Module, What});
message(File, {Line, Module, What}) -> io_lib:format("~ts:~w: ~ts", [File, Line, Module:format_error(What)]).

text(Format, Args) ->
    unicode:characters_to_binary(io_lib:format(Format, Args)).

%% One run in a process of its own. The answer: how it ended, the events, those of other processes, and a term that says more.
run(State = #state{time = Time, heap = Heap}, Args) ->
    Driver = self(),
    Count = erlang:system_info(process_count),
    Limit = case Heap of 0 -> []; _ -> [{max_heap_size, #{size => Heap, kill => true, error_logger => false}}] end,
    {Pid, Ref} = spawn_opt(fun() -> child(Driver, State, Limit, Args) end, [monitor | Limit]),
    Answer = case State#state.ends of
        none -> wait(State, Pid, Ref, Time, [], 0);
        Trial ->
            Keeper = spawn_opt(fun() -> keep(State#state.leader, Trial) end, [{priority, high}]),
            Pid ! {keeper, Keeper},
            [Head, _, _, More] = wait(State, Pid, Ref, Time, [], 0),
            [Head, others(State#state.leader, Keeper, erlang:monotonic_time(millisecond) + Time), More]
    end,
    case erlang:system_info(process_count) of
        Count -> ok;
        _ -> sweep(State#state.leader)
    end,
    strays(),
    Answer.

%% Messages of processes that were ended while they spoke.
strays() ->
    receive
        {ask, _, _, _, _} -> strays();
        {table, _, _, _} -> strays();
        {stopped, _, _} -> strays();
        {ended, _, _, _, _} -> strays();
        {events, _, _} -> strays();
        {'DOWN', _, process, _, _} -> strays()
    after 0 -> ok
    end.

wait(State = #state{port = Port, bytes = Most}, Pid, Ref, Time, Full, Size) ->
    Begin = erlang:monotonic_time(millisecond),
    receive
        {'DOWN', Ref, process, Pid, {'$xcute', Kind, Events, More}} ->
            answer(Kind, [Full | Events], More);
        {events, Pid, Events} when Size + byte_size(Events) =< Most ->
            Left = max(0, Time - (erlang:monotonic_time(millisecond) - Begin)),
            wait(State, Pid, Ref, Left, [Full | Events], Size + byte_size(Events));
        {events, Pid, Events} ->
            demonitor(Ref, [flush]),
            exit(Pid, kill),
            answer(3, [Full | Events], <<>>);
        {halted, Pid, Status, Events} ->
            receive {'DOWN', Ref, process, Pid, _} -> ok end,
            answer(2, [Full | Events], term_to_binary(Status));
        {'DOWN', Ref, process, Pid, killed} ->
            %% By the limit of its heap, or by itself.
            receive {halted, Pid, Status, Events} -> answer(2, [Full | Events], term_to_binary(Status))
            after 0 -> answer(5, Full, <<>>)
            end;
        {'DOWN', Ref, process, Pid, Reason} ->
            answer(6, Full, term_to_binary({exit, Reason, text("exception exit: ~tp", [Reason]), []}));
        {Port, eof} -> gone();
        {'EXIT', Port, _} -> gone();
        Message when element(1, Message) =:= ask; element(1, Message) =:= forked; element(1, Message) =:= table ->
            %% It waits, or is no longer alone.
            lead(State, {Pid, Ref, none}, Begin + Time, xcute_sched:heard(Message, xcute_sched:new(Pid, Full)), Size)
    after Time ->
        Last = case erlang:process_info(Pid, dictionary) of
            {dictionary, Pairs} -> proplists:get_value('$xcute', Pairs, <<>>);
            undefined -> <<>>
        end,
        demonitor(Ref, [flush]),
        exit(Pid, kill),
        answer(4, [flushed(Pid, Full) | Last], <<>>)
    end.

%% A run whose processes are led: `Main` is its first one, and how that ended.
lead(State = #state{port = Port, bytes = Most, leader = Leader}, Main = {Pid, Ref, Ended}, Deadline, Tasks, Size) ->
    Left = max(0, Deadline - erlang:monotonic_time(millisecond)),
    Again = fun(Next) -> lead(State, Main, Deadline, Next, Size) end,
    Quiet = xcute_sched:quiet(Tasks),
    receive
        Message when element(1, Message) =:= ask; element(1, Message) =:= forked; element(1, Message) =:= table ->
            Again(xcute_sched:heard(Message, Tasks));
        {ended, From, How, Events, More} ->
            Again(xcute_sched:ended(From, How, Events, More, Tasks));
        {events, From, Events} when Size + byte_size(Events) =< Most ->
            lead(State, Main, Deadline, xcute_sched:events(From, Events, Tasks), Size + byte_size(Events));
        {events, From, Events} ->
            finish(3, <<>>, Main, xcute_sched:events(From, Events, Tasks));
        {'DOWN', Ref, process, Pid, {'$xcute', Kind, Events, More}} ->
            lead(State, {Pid, Ref, {Kind, More}}, Deadline, xcute_sched:main_ended(Events, Tasks), Size);
        {halted, From, Status, Events} ->
            %% The others come to where they wait, so that what they did does not depend on time.
            lead(State#state{halted = {2, term_to_binary(Status)}}, Main, Deadline, xcute_sched:ended(From, 6, Events, <<>>, Tasks), Size);
        {'DOWN', Ref, process, Pid, killed} when State#state.halted =/= none ->
            lead(State, {Pid, Ref, State#state.halted}, Deadline, Tasks, Size);
        {'DOWN', Ref, process, Pid, killed} ->
            %% By an exit signal of the program, by the limit of its heap, or by itself.
            case xcute_sched:told(Tasks) of
                {_, _, 3, Exit} -> lead(State, {Pid, Ref, {6, Exit}}, Deadline, Tasks, Size);
                _ -> finish(5, <<>>, Main, Tasks)
            end;
        {'DOWN', Ref, process, Pid, Reason} ->
            finish(6, term_to_binary({exit, Reason, text("exception exit: ~tp", [Reason]), []}), Main, Tasks);
        {'DOWN', _, process, Other, _} ->
            Again(xcute_sched:gone(Other, Tasks));
        {Port, eof} -> gone();
        {'EXIT', Port, _} -> gone()
    %% A process that said that it ends must get to that.
    after case Quiet andalso (Ended =/= none orelse xcute_sched:asking(Tasks)) of true -> 0; false -> min(Left, 5) end ->
        case {Quiet, xcute_sched:asking(Tasks), Left} of
            {_, _, 0} when State#state.halted =:= none -> finish(4, <<>>, Main, Tasks);
            {Still, _, Over} when State#state.halted =/= none, (Still orelse Over =:= 0) ->
                %% The front end hears of all processes once more; none goes on.
                reply(Port, xcute_sched:rows(halted, Tasks)),
                receive
                    {Port, {data, _}} -> finish(halted(Ended, State#state.halted), Main, Tasks);
                    {Port, eof} -> gone();
                    {'EXIT', Port, _} -> gone()
                end;
            {false, _, _} -> Again(Tasks);
            {true, false, _} when Ended =:= none -> Again(Tasks);
            {true, false, _} -> finish(Ended, Main, Tasks);
            {true, true, _} ->
                reply(Port, xcute_sched:rows(xcute_sched:foreign(Leader, Tasks), Tasks)),
                receive
                    {Port, {data, <<1, Number:32>>}} -> Again(xcute_sched:go(Number, Tasks));
                    {Port, {data, <<2>>}} when Ended =:= none -> finish(7, <<>>, Main, Tasks);
                    {Port, {data, <<2>>}} -> finish(Ended, Main, Tasks);
                    {Port, {data, <<3>>}} when Ended =:= none -> await(State, Main, Deadline, Tasks, Size);
                    {Port, {data, <<3>>}} ->
                        %% What is left gets a moment, not all the time.
                        Moment = min(Deadline, erlang:monotonic_time(millisecond) + ?MOMENT),
                        case waited(Moment, Tasks) of
                            true -> Again(Tasks);
                            false -> Again(xcute_sched:hush(Tasks))
                        end;
                    {Port, eof} -> gone();
                    {'EXIT', Port, _} -> gone()
                end
        end
    end.

%% Nobody can go on, unless a process sends something that nobody leads.
await(State, Main, Deadline, Tasks, Size) ->
    waited(Deadline, Tasks),
    lead(State, Main, Deadline, Tasks, Size).

%% Whether something came before the deadline.
waited(Deadline, Tasks) ->
    case {xcute_sched:arrived(Tasks), erlang:monotonic_time(millisecond) >= Deadline} of
        {true, _} -> true;
        {_, true} -> false;
        _ -> receive after 2 -> waited(Deadline, Tasks) end
    end.

%% An exception that came before the end of the emulator counts.
halted({Kind, More}, _) when Kind =:= 1; Kind =:= 6 -> {Kind, More};
halted(_, Halted) -> Halted.

finish({Kind, More}, Main, Tasks) -> finish(Kind, More, Main, Tasks).

finish(Kind, More, {_, Ref, _}, Tasks) ->
    demonitor(Ref, [flush]),
    {Events, Others, _, _} = xcute_sched:told(xcute_sched:stop(Tasks)),
    [<<Kind, (iolist_size(Events)):32>>, Events, Others, More].

%% Full buffers that are on their way.
flushed(Pid, Full) ->
    receive {events, Pid, Events} -> flushed(Pid, [Full | Events])
    after 0 -> Full
    end.

answer(Kind, Events, More) ->
    [<<Kind, (iolist_size(Events)):32>>, Events, <<0:32>>, More].

%% How processes ended that nobody leads: those that are left may wait for something, and get a moment for it.
others(Leader, Keeper, Deadline) ->
    case quiet(Leader) orelse erlang:monotonic_time(millisecond) >= Deadline of
        true ->
            Keeper ! {ends, self()},
            receive {ends, Ends} -> [<<(length(Ends)):32>>, [<<2, 0:32, (byte_size(End)):32, End/binary>> || End <- Ends]]
            after 1000 -> exit(Keeper, kill), <<0:32>>
            end;
        false -> receive after 1 -> others(Leader, Keeper, Deadline) end
    end.

%% Whether all processes of a run wait.
quiet(Leader) -> quiet_but(Leader, []).

%% Hears which processes a run starts and how they end. In each trial it holds others of them back, until the rest waits: the n-th if that bit of the trial
%% is set, for a moment or, if the last bit is set, for longer.
keep(Leader, Trial) -> keep(Leader, Trial div 2, Trial rem 2, 0, [], []).

keep(Leader, Bits, Long, Count, Held, Ends) ->
    receive
        {trace, _, spawn, Child, _} when Bits band (1 bsl Count) =/= 0 ->
            Now = try erlang:suspend_process(Child) of true -> Held ++ [Child] catch error:_ -> Held end,
            keep(Leader, Bits, Long, Count + 1, Now, Ends);
        {trace, _, spawn, _, _} ->
            keep(Leader, Bits, Long, Count + 1, Held, Ends);
        {trace, _, exit, {{nocatch, Reason}, [_ | _] = Stack}} ->
            keep(Leader, Bits, Long, Count, Held, [crash(throw, Reason, Stack) | Ends]);
        {trace, _, exit, {Reason, [{_, _, _, _} | _] = Stack}} ->
            keep(Leader, Bits, Long, Count, Held, [crash(error, Reason, Stack) | Ends]);
        {ends, Driver} when Held =:= [] ->
            Driver ! {ends, lists:reverse(Ends)};
        Trace when element(1, Trace) =:= trace ->
            keep(Leader, Bits, Long, Count, Held, Ends)
    after case {Held, Long} of {[], _} -> infinity; {_, 0} -> 2; _ -> 200 end ->
        case quiet_but(Leader, Held) of
            true ->
                [Child | Rest] = Held,
                catch erlang:resume_process(Child),
                keep(Leader, Bits, Long, Count, Rest, Ends);
            false -> keep(Leader, Bits, Long, Count, Held, Ends)
        end
    end.

%% Whether all wait that are not held.
quiet_but(Leader, Held) ->
    Left = [Pid || Pid <- processes(), not lists:member(Pid, Held), erlang:process_info(Pid, group_leader) =:= {group_leader, Leader}],
    [Pid || Pid <- Left, {status, Status} <- [erlang:process_info(Pid, status)], Status =/= waiting] =:= [].

child(Driver, #state{module = Module, function = Function, events = Tell, value = Wanted, ends = Ends, leader = Leader,
                      functions = Functions}, Limit, Packed) ->
    group_leader(Leader, self()),
    case Ends of
        none -> ok;
        _ -> receive {keeper, Keeper} -> erlang:trace(self(), true, [procs, set_on_spawn, {tracer, Keeper}]) end
    end,
    Args = case Functions of
        true -> xcute_input:revive(binary_to_term(Packed));
        false -> binary_to_term(Packed)
    end,
    case Tell of
        true ->
            put('$xcute_heap', Limit),
            xcute_rt:start(Driver);
        false -> ok
    end,
    try apply(Module, Function, Args) of
        Value ->
            Events = xcute_rt:stop(),
            exit({'$xcute', 0, Events, case Wanted of true -> term_to_binary(Value); false -> <<>> end})
    catch
        Class:Reason:Stack ->
            Events = xcute_rt:stop(),
            exit({'$xcute', 1, Events, crash(Class, Reason, Stack)})
    end.

%% Class, reason, what the shell prints, and the stack with the original names.
crash(Class, Reason, Raw) ->
    Stack = [{xcute_rt:original(M), F, A, L} || {M, F, A, L} <- Raw, M =/= xcute_rt, M =/= xcute_tasks, M =/= ?MODULE],
    Format = fun(Term, _) -> io_lib:format("~tP", [Term, 60]) end,
    Text = try erl_error:format_exception(Class, Reason, Stack, #{stack_trim_fun => fun(_, _, _) -> true end, formatter => Format})
           catch _:_ -> io_lib:format("exception ~w: ~tP", [Class, Reason, 60])
           end,
    Frames = [{M, F, if is_list(A) -> length(A); true -> A end, proplists:get_value(file, L, ""), proplists:get_value(line, L, 0)}
              || {M, F, A, L} <- Stack],
    term_to_binary({Class, Reason, unicode:characters_to_binary(Text), Frames}).

%% Ends what the run left behind: processes inherit their group leader.
sweep(Leader) ->
    [exit(Pid, kill) || Pid <- processes(), erlang:process_info(Pid, group_leader) =:= {group_leader, Leader}],
    ok.

%% The group leader of runs: takes all output, has no input.
leader() ->
    receive
        {io_request, From, ReplyAs, Request} ->
            From ! {io_reply, ReplyAs, io(Request)},
            leader();
        _ ->
            leader()
    end.

io({put_chars, _, Chars}) when is_binary(Chars); is_list(Chars) -> ok;
io({put_chars, _, M, F, A}) -> made(M, F, A);
io({put_chars, Chars}) when is_binary(Chars); is_list(Chars) -> ok;
io({put_chars, M, F, A}) -> made(M, F, A);
io({requests, Requests}) -> lists:foldl(fun(Request, ok) -> io(Request); (_, Error) -> Error end, ok, Requests);
io(getopts) -> [{binary, false}, {encoding, unicode}];
io({setopts, _}) -> ok;
io({get_geometry, _}) -> {error, enotsup};
io(Request) when element(1, Request) =:= get_line; element(1, Request) =:= get_chars; element(1, Request) =:= get_until;
                 element(1, Request) =:= get_password -> eof;
io(_) -> {error, request}.

made(M, F, A) ->
    try apply(M, F, A) of
        Chars when is_binary(Chars); is_list(Chars) -> ok;
        _ -> {error, {put_chars, F}}
    catch _:_ -> {error, {put_chars, F}}
    end.
