%% Processes: two clients of a counter ask for its value and then set it to one more; if both ask first, one step is lost.
%@ args: count/1
%@ failure: uncaught-exception
%@ complete: yes
-module(counter).
-export([count/1]).

%% Any start above 0; a start of 0 is fine, because nobody counts.
-spec count(0..9) -> ok.
count(0) ->
    ok;
count(Start) ->
    Counter = spawn(fun() -> counter(Start) end),
    Self = self(),
    Clients = [spawn(fun() -> client(Counter), Self ! {done, self()} end) || _ <- [1, 2]],
    [receive {done, Client} -> ok end || Client <- Clients],
    case ask(Counter) - Start of
        2 -> ok
    end.

client(Counter) ->
    Value = ask(Counter),
    Counter ! {set, Value + 1}.

ask(Counter) ->
    Counter ! {get, self()},
    receive {value, Value} -> Value end.

counter(Value) ->
    receive
        {get, From} -> From ! {value, Value}, counter(Value);
        {set, New} -> counter(New)
    end.
