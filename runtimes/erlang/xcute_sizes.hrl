%% Integers that a format writes with a width, a base or padding: ~2..0B. Part of xcute_models.

%% Field width, where the text goes, precision and padding of a directive.
sizes([$- | Rest]) -> sizes(Rest, left);
sizes(Rest) -> sizes(Rest, right).

sizes(Text, Adjust) ->
    {Width, After} = digits(Text),
    {Precision, Last} = after_point(After),
    case Last of
        [$., Pad | _] -> {Width, Adjust, Precision, Pad};
        _ -> {Width, Adjust, Precision, $\s}
    end.

%% The precision of an integer is its base.
sized_integer(C, N, {Width, Adjust, Base, Pad}) ->
    Text = if Base =:= none -> 'erlang:integer_to_list'(N); C =:= $b -> lower('erlang:integer_to_list'(N, Base)); true -> 'erlang:integer_to_list'(N, Base) end,
    sized(Text, {Width, Adjust, none, Pad}).

lower([C | Rest]) when C >= $A, C =< $Z -> [C + 32 | lower(Rest)];
lower([C | Rest]) -> [C | lower(Rest)];
lower([]) -> [].

%% As io_lib_format does it: what is too long becomes stars.
sized(Text, {none, _, none, _}) -> Text;
sized(Text, {none, Adjust, Precision, Pad}) -> sized(Text, {Precision, Adjust, Precision, Pad});
sized(Text, {Width, Adjust, Precision, Pad}) ->
    Length = length(Text),
    Most = if Precision =:= none; Precision > Width -> Width; true -> Precision end,
    if
        Length > Most -> adjusted(repeated($*, Most), repeated(Pad, Width - Most), Adjust);
        true -> adjusted(Text, repeated(Pad, Width - Length), Adjust)
    end.

adjusted(Text, [], _) -> Text;
adjusted(Text, Pad, left) -> [Text | Pad];
adjusted(Text, Pad, right) -> [Pad | Text].

repeated(_, 0) -> [];
repeated(C, 1) -> [C];
repeated(C, 2) -> [C, C];
repeated(C, 3) -> [C, C, C];
repeated(C, N) ->
    Half = repeated(C, N bsr 1),
    if N band 1 =:= 0 -> [Half | Half]; true -> [C, Half | Half] end.

flat([Part | Rest], Tail) when is_list(Part) -> flat(Part, flat(Rest, Tail));
flat([C | Rest], Tail) -> [C | flat(Rest, Tail)];
flat([], Tail) -> Tail.
