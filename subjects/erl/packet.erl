%% A binary protocol: a length that is larger than what follows, and a checksum that is never looked at for empty packets.
%@ args: decode/1 --term-depth 4
%@ failure: uncaught-exception
%@ complete: yes
%% Bytes are taken from the front, so no bound is needed for a fixed beginning.
%@ args: version/1
%@ failure: uncaught-exception
%@ complete: yes
-module(packet).
-export([decode/1, version/1]).

-spec decode(binary()) -> {ok, binary()} | error.
decode(<<Length, Rest/binary>>) when Length < 3 ->
    <<Body:Length/binary, Sum, _/binary>> = Rest,
    case lists:sum(binary_to_list(Body)) rem 256 of
        Sum -> {ok, Body};
        _ -> error
    end;
decode(_) -> error.

-spec version(binary()) -> integer().
version(<<"XC", Major:4, Minor:4, _/binary>>) -> 100 div (Major - Minor);
version(<<_/binary>>) -> 0.
