%% Processes: a receive waits for an answer that is never sent, for one input only.
%@ args: lookup/1 --run-time 300ms
%@ failure: deadlock
%@ complete: yes
-module(mailbox).
-export([lookup/1]).

-spec lookup(atom() | {atom(), integer()}) -> integer().
lookup(Key) ->
    Self = self(),
    spawn(fun() -> serve(Self, Key) end),
    receive {answer, N} -> N end.

serve(To, {cached, N}) -> To ! {anwser, N};
serve(To, {_, N}) -> To ! {answer, N};
serve(To, _) -> To ! {answer, 0}.
