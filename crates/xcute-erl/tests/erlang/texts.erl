%% Random text: the models of functions over text and bytes must give what the emulator gives.
-module(texts).
-export([compare/1]).

%% How many of these cases differ.
compare(Cases) ->
    length([Seed || Seed <- lists:seq(1, Cases), differs(Seed)]).

differs(Seed) ->
    rand:seed(exsss, {Seed, 5, 6}),
    {Text, Bytes, Pattern} = {text(3), bytes(6), pattern()},
    Encoding = pick([unicode, utf8, latin1, utf16]),
    Calls = [{'unicode:characters_to_list', [Text]}, {'unicode:characters_to_list', [Text, Encoding]},
             {'unicode:characters_to_binary', [Text]}, {'unicode:characters_to_binary', [Text, Encoding]},
             {'unicode:characters_to_binary', [Text, unicode, pick([utf8, latin1, unicode])]},
             {'erlang:integer_to_list', [number()]}, {'erlang:integer_to_binary', [number()]},
             {'erlang:integer_to_list', [number(), base()]}, {'erlang:integer_to_binary', [number(), base()]},
             {'string:list_to_integer', [numeral()]}, {'io_lib:format', format()}, {'io:format', format()},
             {'io:put_chars', [Text]}, {'logger:debug', format()},
             {'binary:match', [Bytes, Pattern]}, {'binary:matches', [Bytes, Pattern]},
             {'binary:match', [Bytes, Pattern, pick([[], [{scope, {0, 1}}], x])]}, {'binary:matches', [Bytes, Pattern, []]},
             {'binary:split', [Bytes, Pattern]},
             {'binary:split', [Bytes, Pattern, pick([[], [trim], [global], [global, trim], [trim_all], [global, trim_all], [trim, global], [x], x])]}],
    Different = [{Call, Results} || Call <- Calls, {One, Other} = Results <- [both(Call)], One =/= Other],
    Different =/= [] andalso (io:format(standard_error, "~p~n", [Different]) =:= ok).

both({Name, Args}) ->
    [Module, Function] = string:split(atom_to_list(Name), ":"),
    {outcome(fun() -> apply(list_to_atom(Module), list_to_atom(Function), Args) end), outcome(fun() -> apply(xcute_models, Name, Args) end)}.

outcome(Call) ->
    try {returned, Call()}
    catch Class:Reason -> {Class, Reason}
    end.

pick(List) -> lists:nth(rand:uniform(length(List)), List).

text(0) -> pick([$a, 233, <<"b">>, [], <<>>]);
text(Depth) ->
    Part = fun() -> pick([$a, $b, 0, 127, 128, 255, 256, 16#20AC, 16#D7FF, 16#D800, 16#DFFF, 16#E000, 16#FFFF, 16#10FFFF, 16#110000, -1,
                          <<"c">>, <<"é"/utf8>>, <<195>>, <<169>>, <<255>>, <<1:3>>, x, 1.0, text(Depth - 1), text(Depth - 1), text(Depth - 1)]) end,
    pick([[Part() || _ <- lists:seq(1, rand:uniform(4))], [Part() | Part()], [Part(), Part() | Part()], [$a, Part()], [$a | <<"b">>], Part()]).

number() -> pick([0, 7, 9, 10, 99, 100, 1234, 9999, 10000, -1, -10, -9999, -10000, 1 bsl 70, a, 1.5]).

base() -> pick([2, 8, 10, 16, 36, 1, 37, a, 2.0]).

numeral() -> pick([[pick("+-019ax") || _ <- lists:seq(1, rand:uniform(4))], "", "+", [$1 | x], [$-, $2, b], x, <<"1">>]).

%% A format, and arguments of which most fit it.
format() ->
    Parts = [pick([{"~w", term()}, {"~p", term()}, {"~s", text(2)}, {"~ts", text(2)}, {"~s", pick([abc, 'é', "abc", <<"abc">>, [97, <<"b">>, "c"], 7])},
                   {"~ts", pick(["abc", [8364], ab])}, {"~B", number()}, {"~b", number()}, {"~c", pick([$a, 300, -1, x])},
                   {"~tc", pick([$a, 300, -1, 16#D800, x])}, {"~f", pick([1.5, 1, x])}, {"~.2f", 2.25}, {"~e", 1.0}, {"~g", 0.1}, {"~5w", term()},
                   {"~-5s", "ab"}, {"~3..0B", number()}, {"~.16B", number()}, {"~.16b", 255}, {"~8.2.0b", number()}, {"~-5..xB", number()}, {"~1B", number()}, {"~2..0w", number()}, {"~3.2w", number()}, {"~.2w", number()},
                   {"~12..-w", number()}, {"~+", number()}, {"~#", number()}, {"~i", term()},
                   {"~10.3.*s", "abcde"}, {"~lp", "ab"}, {"~y", 1}, {"a", none}, {"~~", none}, {"~n", none}, {"~3~", none}, {"é", none}, {"~", none}])
             || _ <- lists:seq(1, rand:uniform(3))],
    Args = [Arg || {_, Arg} <- Parts, Arg =/= none],
    [lists:append([Part || {Part, _} <- Parts]), pick([Args, Args, Args, Args, Args, Args ++ [x], tl([x | Args]), [x], x, [Args | x]])].

term() -> pick([0, 42, -7, 10000, a, 'B c', "abc", [1, 2], {a, <<"b">>}, 1.5, #{a => 1}, <<5:3>>, []]).

bytes(Most) -> pick([<< <<(pick("aab"))>> || _ <- lists:seq(1, rand:uniform(Most)) >>, <<>>, <<5:3>>, "ab"]).

pattern() ->
    Word = fun() -> pick([<<"a">>, <<"b">>, <<"ab">>, <<"aab">>, <<"ba">>, <<"aa">>, <<"c">>]) end,
    pick([Word(), Word(), [Word(), Word()], [Word(), Word(), Word()], [], <<>>, [<<>>], [Word(), x], x]).
