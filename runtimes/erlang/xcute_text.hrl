%% Models of functions over text: characters, and numbers as text. Part of xcute_models.

%% Text: what `string` asks of each character. The first two of Latin-1, or of ASCII in a binary, say all; else the original is called.
'unicode_util:cp'([]) -> [];
'unicode_util:cp'([C | _] = Text) when is_integer(C) -> Text;
'unicode_util:cp'(<<>>) -> [];
'unicode_util:cp'(<<C, Rest/binary>>) when C < 128 -> [C | Rest];
'unicode_util:cp'(Text) -> xcute_rt:'unicode_util:cp'(Text).

'unicode_util:gc'([]) -> [];
'unicode_util:gc'([C | Rest] = Text) when is_integer(C), C >= 0, C < 256 ->
    case Rest of
        [] -> Text;
        [$\n | More] when C =:= $\r -> [[$\r, $\n] | More];
        [Next | _] when is_integer(Next), Next >= 0, Next < 256 -> Text;
        _ -> xcute_rt:'unicode_util:gc'(Text)
    end;
'unicode_util:gc'(<<>>) -> [];
'unicode_util:gc'(<<C, Rest/binary>> = Text) when C < 128, C =/= $\r ->
    case Rest of
        <<>> -> [C | Rest];
        <<Next, _/binary>> when Next < 128 -> [C | Rest];
        _ -> xcute_rt:'unicode_util:gc'(Text)
    end;
'unicode_util:gc'(Text) -> xcute_rt:'unicode_util:gc'(Text).

'unicode_util:uppercase'(Text) ->
    case ascii(Text) of
        [C | Rest] when C >= $a, C =< $z -> [C - 32 | Rest];
        other -> xcute_rt:'unicode_util:uppercase'(Text);
        Same -> Same
    end.

'unicode_util:lowercase'(Text) ->
    case ascii(Text) of
        [C | Rest] when C >= $A, C =< $Z -> [C + 32 | Rest];
        other -> xcute_rt:'unicode_util:lowercase'(Text);
        Same -> Same
    end.

'unicode_util:titlecase'(Text) ->
    case ascii(Text) of
        [C | Rest] when C >= $a, C =< $z -> [C - 32 | Rest];
        other -> xcute_rt:'unicode_util:titlecase'(Text);
        Same -> Same
    end.

'unicode_util:casefold'(Text) ->
    case ascii(Text) of
        [C | Rest] when C >= $A, C =< $Z -> [C + 32 | Rest];
        other -> xcute_rt:'unicode_util:casefold'(Text);
        Same -> Same
    end.

%% Text that begins with a character of ASCII, or is empty; else `other`.
ascii([]) -> [];
ascii([C | _] = Text) when is_integer(C), C >= 0, C < 128 -> Text;
ascii(<<>>) -> [];
ascii(<<C, Rest/binary>>) when C < 128 -> [C | Rest];
ascii(_) -> other.

%% Numbers in text: a sign, perhaps, and digits.
'erlang:list_to_integer'(Text) -> number(Text, 10).

'erlang:list_to_integer'(Text, Base) when is_integer(Base), Base >= 2, Base =< 36 -> number(Text, Base);
'erlang:list_to_integer'(_, _) -> erlang:error(badarg).

'erlang:binary_to_integer'(Text) when is_binary(Text) -> number(binary_to_list(Text), 10);
'erlang:binary_to_integer'(_) -> erlang:error(badarg).

'erlang:binary_to_integer'(Text, Base) when is_binary(Text), is_integer(Base), Base >= 2, Base =< 36 -> number(binary_to_list(Text), Base);
'erlang:binary_to_integer'(_, _) -> erlang:error(badarg).

number([$- | [_ | _] = Digits], Base) -> -digits(Digits, Base, 0);
number([$+ | [_ | _] = Digits], Base) -> digits(Digits, Base, 0);
number([_ | _] = Digits, Base) -> digits(Digits, Base, 0);
number(_, _) -> erlang:error(badarg).

digits([], _, Number) -> Number;
digits([C | Rest], Base, Number) when is_integer(C), C >= $0, C =< $9, C < $0 + Base -> digits(Rest, Base, Number * Base + C - $0);
digits([C | Rest], Base, Number) when is_integer(C), C >= $A, C < $A + Base - 10 -> digits(Rest, Base, Number * Base + C - $A + 10);
digits([C | Rest], Base, Number) when is_integer(C), C >= $a, C < $a + Base - 10 -> digits(Rest, Base, Number * Base + C - $a + 10);
digits(_, _, _) -> erlang:error(badarg).

%% Numbers as text, up to 9999; the digits of larger ones are left to the emulator.
'erlang:integer_to_list'(N) when is_integer(N), N > -10000, N < 10000 -> numeral(N, 10);
'erlang:integer_to_list'(N) -> xcute_rt:'erlang:integer_to_list'(N).

'erlang:integer_to_list'(N, Base) when is_integer(N), N > -10000, N < 10000, is_integer(Base), Base >= 2, Base =< 36 -> numeral(N, Base);
'erlang:integer_to_list'(N, Base) -> xcute_rt:'erlang:integer_to_list'(N, Base).

'erlang:integer_to_binary'(N) when is_integer(N), N > -10000, N < 10000 -> list_to_binary(numeral(N, 10));
'erlang:integer_to_binary'(N) -> xcute_rt:'erlang:integer_to_binary'(N).

'erlang:integer_to_binary'(N, Base) when is_integer(N), N > -10000, N < 10000, is_integer(Base), Base >= 2, Base =< 36 ->
    list_to_binary(numeral(N, Base));
'erlang:integer_to_binary'(N, Base) -> xcute_rt:'erlang:integer_to_binary'(N, Base).

numeral(N, Base) when N < 0 -> [$- | numeral(-N, Base, [])];
numeral(N, Base) -> numeral(N, Base, []).

numeral(N, Base, Done) when N < Base -> [digit(N) | Done];
numeral(N, Base, Done) -> numeral(N div Base, Base, [digit(N rem Base) | Done]).

digit(N) when N < 10 -> $0 + N;
digit(N) -> $A + N - 10.

%% A number at the beginning of a text, and what comes after it.
'string:list_to_integer'([$- | Rest]) -> leading(Rest, -1);
'string:list_to_integer'([$+ | Rest]) -> leading(Rest, 1);
'string:list_to_integer'([_ | _] = Text) -> leading(Text, 1);
'string:list_to_integer'([]) -> {error, no_integer};
'string:list_to_integer'(_) -> {error, not_a_list}.

leading([C | Rest], Sign) when is_integer(C), C >= $0, C =< $9 -> leading(Rest, Sign, C - $0);
leading(_, _) -> {error, no_integer}.

leading([C | Rest], Sign, Number) when is_integer(C), C >= $0, C =< $9 -> leading(Rest, Sign, 10 * Number + C - $0);
leading(Rest, Sign, Number) -> {Sign * Number, Rest}.

%% Text: lists of characters, with binaries and lists in them. Bytes that are not UTF-8, and other encodings, are left to the emulator.
'unicode:characters_to_list'(Text) ->
    case points(Text) of
        other -> xcute_rt:'unicode:characters_to_list'(Text);
        Points -> Points
    end.

'unicode:characters_to_list'(Text, Encoding) when Encoding =:= unicode; Encoding =:= utf8 ->
    case points(Text) of
        other -> xcute_rt:'unicode:characters_to_list'(Text, Encoding);
        Points -> Points
    end;
'unicode:characters_to_list'(Text, Encoding) -> xcute_rt:'unicode:characters_to_list'(Text, Encoding).

'unicode:characters_to_binary'(Text) ->
    case points(Text) of
        other -> xcute_rt:'unicode:characters_to_binary'(Text);
        Points -> encoded(Points)
    end.

'unicode:characters_to_binary'(Text, Encoding) when Encoding =:= unicode; Encoding =:= utf8 ->
    case points(Text) of
        other -> xcute_rt:'unicode:characters_to_binary'(Text, Encoding);
        Points -> encoded(Points)
    end;
'unicode:characters_to_binary'(Text, Encoding) -> xcute_rt:'unicode:characters_to_binary'(Text, Encoding).

'unicode:characters_to_binary'(Text, From, To) when (From =:= unicode orelse From =:= utf8), (To =:= unicode orelse To =:= utf8) ->
    case points(Text) of
        other -> xcute_rt:'unicode:characters_to_binary'(Text, From, To);
        Points -> encoded(Points)
    end;
'unicode:characters_to_binary'(Text, From, To) -> xcute_rt:'unicode:characters_to_binary'(Text, From, To).

encoded({error, Points, Rest}) -> {error, encoded(Points), Rest};
encoded(Points) -> << <<C/utf8>> || C <- Points >>.

%% The characters of a text, or what is wrong with one of them; `other` where that is not known here.
points(Text) when is_list(Text); is_binary(Text) ->
    case is_text(Text) of
        true -> points(Text, [], []);
        false -> erlang:error(badarg)
    end;
points(_) -> erlang:error(badarg).

is_text([C | Rest]) when is_integer(C) -> is_text(Rest);
is_text([Part | Rest]) when is_list(Part); is_binary(Part) -> is_text(Part) andalso is_text(Rest);
is_text([_ | _]) -> false;
is_text(Rest) -> Rest =:= [] orelse is_binary(Rest).

points([C | Rest], Outer, Done) when is_integer(C), C >= 0, C < 16#D800; is_integer(C), C > 16#DFFF, C =< 16#10FFFF ->
    points(Rest, Outer, [C | Done]);
points([C | _] = Rest, Outer, Done) when is_integer(C) -> {error, turn(Done, []), unread(Rest, Outer)};
points([Part | Rest], Outer, Done) when is_list(Part) -> points(Part, [Rest | Outer], Done);
points([Part | Rest], Outer, Done) ->
    case decoded(Part, Done) of
        other -> other;
        More -> points(Rest, Outer, More)
    end;
points([], [], Done) -> turn(Done, []);
points([], [Rest | Outer], Done) -> points(Rest, Outer, Done);
points(Part, Outer, Done) -> points([Part], Outer, Done).

unread(Rest, []) -> Rest;
unread(Rest, [After | Outer]) -> unread([Rest | After], Outer).

decoded(<<>>, Done) -> Done;
decoded(<<C/utf8, Rest/binary>>, Done) -> decoded(Rest, [C | Done]);
decoded(_, _) -> other.
