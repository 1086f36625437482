%% Models of the module timer: what waits, and what reckons with times.
%%
%% Part of xcute_models, see there.

'timer:sleep'(Time) ->
    receive after Time -> ok end.

'timer:seconds'(Seconds) -> 1000 * Seconds.

'timer:minutes'(Minutes) -> 1000 * 60 * Minutes.

'timer:hours'(Hours) -> 1000 * 60 * 60 * Hours.

'timer:hms'(H, M, S) -> 'timer:hours'(H) + 'timer:minutes'(M) + 'timer:seconds'(S).

'timer:now_diff'({A2, B2, C2}, {A1, B1, C1}) ->
    ((A2 - A1) * 1000000 + B2 - B1) * 1000000 + C2 - C1;
'timer:now_diff'(_, _) ->
    erlang:error(function_clause).

'timer:tc'(F) ->
    Begin = erlang:monotonic_time(microsecond),
    Value = F(),
    {erlang:monotonic_time(microsecond) - Begin, Value}.

'timer:tc'(F, A) ->
    Begin = erlang:monotonic_time(microsecond),
    Value = apply(F, A),
    {erlang:monotonic_time(microsecond) - Begin, Value}.

'timer:tc'(M, F, A) ->
    Begin = erlang:monotonic_time(microsecond),
    Value = apply(M, F, A),
    {erlang:monotonic_time(microsecond) - Begin, Value}.
