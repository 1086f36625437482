%% Models of functions that write something. Part of xcute_models.
%%
%% What is written does not come back. So the run writes it, and only what decides whether the call fails is looked at: whether the arguments fit the format. Where
%% that is not known here, the original is called, as a call that is not followed.

'io:format'(Format) -> formatted('io:format', Format, [], [Format]).
'io:format'(Format, Args) -> formatted('io:format', Format, Args, [Format, Args]).
'io:format'(Device, Format, Args) when Device =:= standard_io; Device =:= standard_error; Device =:= user ->
    formatted('io:format', Format, Args, [Device, Format, Args]);
'io:format'(Device, Format, Args) -> xcute_rt:'io:format'(Device, Format, Args).

'io:fwrite'(Format) -> formatted('io:fwrite', Format, [], [Format]).
'io:fwrite'(Format, Args) -> formatted('io:fwrite', Format, Args, [Format, Args]).
'io:fwrite'(Device, Format, Args) when Device =:= standard_io; Device =:= standard_error; Device =:= user ->
    formatted('io:fwrite', Format, Args, [Device, Format, Args]);
'io:fwrite'(Device, Format, Args) -> xcute_rt:'io:fwrite'(Device, Format, Args).

'io:write'(Term) -> xcute_rt:written('io:write', [Term]).

'io:put_chars'(Text) ->
    case printable(Text) of
        true -> xcute_rt:written('io:put_chars', [Text]);
        false -> xcute_rt:'io:put_chars'(Text)
    end.

formatted(Function, Format, Args, All) ->
    case fits(Format, Args, fun printable/1) of
        true -> xcute_rt:written(Function, All);
        false -> erlang:error(badarg);
        unknown -> xcute_rt:called(Function, All)
    end.

%% Messages that do not fit are logged as such.
'logger:debug'(Text) -> logged('logger:debug', Text).
'logger:debug'(Format, Args) -> logged('logger:debug', Format, Args).
'logger:info'(Text) -> logged('logger:info', Text).
'logger:info'(Format, Args) -> logged('logger:info', Format, Args).
'logger:notice'(Text) -> logged('logger:notice', Text).
'logger:notice'(Format, Args) -> logged('logger:notice', Format, Args).
'logger:warning'(Text) -> logged('logger:warning', Text).
'logger:warning'(Format, Args) -> logged('logger:warning', Format, Args).
'logger:error'(Text) -> logged('logger:error', Text).
'logger:error'(Format, Args) -> logged('logger:error', Format, Args).
'logger:critical'(Text) -> logged('logger:critical', Text).
'logger:critical'(Format, Args) -> logged('logger:critical', Format, Args).
'logger:alert'(Text) -> logged('logger:alert', Text).
'logger:alert'(Format, Args) -> logged('logger:alert', Format, Args).
'logger:emergency'(Text) -> logged('logger:emergency', Text).
'logger:emergency'(Format, Args) -> logged('logger:emergency', Format, Args).
'error_logger:info_msg'(Text) -> logged('error_logger:info_msg', Text).
'error_logger:info_msg'(Format, Args) -> logged('error_logger:info_msg', Format, Args).
'error_logger:warning_msg'(Text) -> logged('error_logger:warning_msg', Text).
'error_logger:warning_msg'(Format, Args) -> logged('error_logger:warning_msg', Format, Args).
'error_logger:error_msg'(Text) -> logged('error_logger:error_msg', Text).
'error_logger:error_msg'(Format, Args) -> logged('error_logger:error_msg', Format, Args).

logged(Function, Text) when is_list(Text) -> xcute_rt:written(Function, [Text]);
logged(Function, Text) -> xcute_rt:called(Function, [Text]).

logged(Function, Format, Args) when is_list(Format), is_list(Args) -> xcute_rt:written(Function, [Format, Args]);
logged(Function, Format, Args) -> xcute_rt:called(Function, [Format, Args]).

'io_lib:format'(Format, Args) ->
    case fits(Format, Args, fun characters/1) of
        true ->
            case pieces(Format, Args, []) of
                other -> xcute_rt:'io_lib:format'(Format, Args);
                Pieces -> Pieces
            end;
        false -> erlang:error(badarg);
        unknown -> xcute_rt:'io_lib:format'(Format, Args)
    end.

'io_lib:fwrite'(Format, Args) -> 'io_lib:format'(Format, Args).

%% Whether arguments fit a format. `Text` says whether something can be written by ~ts.
fits([$~ | Rest], Args, Text) ->
    case directive(Rest) of
        {Kind, Precision, Mode, After} ->
            case takes(Kind, Precision, Mode, Args, Text) of
                {true, Others} -> fits(After, Others, Text);
                Other -> Other
            end;
        unknown -> unknown
    end;
fits([C | Rest], Args, Text) when is_integer(C), C >= 0, C < 16#D800 -> fits(Rest, Args, Text);
fits([], Args, _) -> Args =:= [];
fits(_, _, _) -> unknown.

%% A directive: ~F.P.PadModC.
directive(Text) ->
    {_, Width} = digits(sign(Text)),
    {Precision, After} = after_point(Width),
    case {pad(After), Precision} of
        {[$t, C | Rest], _} when C =/= $* -> {C, Precision, unicode, Rest};
        {[C | _], _} when C =:= $*; C =:= $l; C =:= $k; C =:= $K -> unknown;
        {[C | Rest], _} -> {C, Precision, latin1, Rest};
        {[], _} -> unknown
    end.

sign([$- | Rest]) -> Rest;
sign(Rest) -> Rest.

after_point([$., $. | _] = Rest) -> {none, tl(Rest)};
after_point([$. | Rest]) -> digits(Rest);
after_point(Rest) -> {none, Rest}.

pad([$., $* | _]) -> "*";
pad([$., _ | Rest]) -> Rest;
pad(Rest) -> Rest.

digits([C | _] = Text) when C >= $0, C =< $9 -> decimal(Text, 0);
digits(Text) -> {none, Text}.

decimal([C | Rest], N) when C >= $0, C =< $9 -> decimal(Rest, 10 * N + C - $0);
decimal(Rest, N) -> {N, Rest}.

%% Whether a directive takes what comes first, and what is left for others.
takes($~, _, _, Args, _) -> {true, Args};
takes($n, _, _, Args, _) -> {true, Args};
takes($i, _, _, [_ | Rest], _) -> {true, Rest};
takes(C, _, _, [_ | Rest], _) when C =:= $w; C =:= $p -> {true, Rest};
takes(C, _, _, [_, Depth | Rest], _) when C =:= $W, is_integer(Depth); C =:= $P, is_integer(Depth) -> {true, Rest};
takes($c, _, latin1, [C | Rest], _) when is_integer(C) -> {true, Rest};
takes($c, _, unicode, [C | Rest], _) when is_integer(C), C >= 0, C < 16#D800 -> {true, Rest};
takes($c, _, unicode, [C | _], _) when is_integer(C) -> unknown;
takes(C, Base, _, [N | Rest], _) when C =:= $b, is_integer(N); C =:= $B, is_integer(N); C =:= $+, is_integer(N); C =:= $#, is_integer(N) ->
    case Base =:= none orelse Base >= 2 andalso Base =< 36 of
        true -> {true, Rest};
        false -> unknown
    end;
takes($f, P, _, [F | Rest], _) when is_float(F), P =:= none orelse P >= 1 -> {true, Rest};
takes(C, P, _, [F | Rest], _) when C =:= $e, is_float(F), P =:= none orelse P >= 2; C =:= $g, is_float(F), P =:= none orelse P >= 2 -> {true, Rest};
takes(C, _, _, [F | _], _) when C =:= $e, is_float(F); C =:= $f, is_float(F); C =:= $g, is_float(F) -> unknown;
takes($s, P, Mode, [Atom | Rest], Text) when is_atom(Atom) -> takes($s, P, Mode, [atom_to_list(Atom) | Rest], Text);
takes($s, _, latin1, [Part | Rest], _) ->
    case latin(Part) of
        true -> {true, Rest};
        false -> false
    end;
takes($s, _, unicode, [Part | Rest], Text) ->
    case Text(Part) of
        true -> {true, Rest};
        false -> unknown
    end;
takes(C, _, _, _, _) when C =:= $x; C =:= $X -> unknown;
takes(_, _, _, _, _) -> false.

%% Bytes, in lists and binaries.
latin([C | Rest]) when is_integer(C), C >= 0, C < 256 -> latin(Rest);
latin([Part | Rest]) when is_list(Part); is_binary(Part) -> latin(Part) andalso latin(Rest);
latin(Rest) -> Rest =:= [] orelse is_binary(Rest).

%% Characters that every device takes, in lists; in binaries those of ASCII.
printable([C | Rest]) when is_integer(C), C >= 0, C < 16#D800 -> printable(Rest);
printable([Part | Rest]) when is_list(Part); is_binary(Part) -> printable(Part) andalso printable(Rest);
printable([]) -> true;
printable(<<C, Rest/binary>>) when C < 128 -> printable(Rest);
printable(Rest) -> Rest =:= <<>>.

%% As that, without binaries.
characters([C | Rest]) when is_integer(C), C >= 0 -> characters(Rest);
characters([Part | Rest]) when is_list(Part) -> characters(Part) andalso characters(Rest);
characters(Rest) -> Rest =:= [].

%% What arguments that fit come to; `other` where that is not known here.
pieces([$~ | Rest], Args, Done) ->
    {C, _, Mode, After} = directive(Rest),
    case before(Rest, After) of
        [C] -> pieces(After, piece(C, Mode, Args), Done, C);
        [$t, C] -> pieces(After, piece(C, Mode, Args), Done, C);
        _ when C =:= $p; C =:= $P -> other;
        Spec when C =:= $B, is_integer(hd(Args)); C =:= $b, is_integer(hd(Args)) ->
            pieces(After, {all, flat(sized_integer(C, hd(Args), sizes(Spec)), []), tl(Args)}, Done, C);
        Spec when C =:= $w, is_integer(hd(Args)) ->
            pieces(After, {one, sized('erlang:integer_to_list'(hd(Args)), sizes(Spec)), tl(Args)}, Done, C);
        Spec ->
            {Own, Others} = if C =:= $W -> {[hd(Args), hd(tl(Args))], tl(tl(Args))}; C =:= $~; C =:= $n -> {[], Args}; true -> {[hd(Args)], tl(Args)} end,
            pieces(After, Others, turn_onto(xcute_rt:'io_lib:format'([$~ | Spec], Own), Done))
    end;
pieces([C | Rest], Args, Done) -> pieces(Rest, Args, [C | Done]);
pieces([], [], Done) -> turn(Done, []).

pieces(After, {one, Piece, Others}, Done, _) -> pieces(After, Others, [Piece | Done]);
pieces(After, {all, Pieces, Others}, Done, _) -> pieces(After, Others, turn_onto(Pieces, Done));
pieces(_, other, _, C) when C =:= $p; C =:= $P -> other;
pieces(After, {other, [Arg, Depth | Others]}, Done, $W) -> pieces(After, Others, turn_onto(xcute_rt:'io_lib:format'("~W", [Arg, Depth]), Done));
pieces(After, {other, [Arg | Others]}, Done, C) -> pieces(After, Others, turn_onto(xcute_rt:'io_lib:format'([$~, C], [Arg]), Done)).

%% In front of what is done, the last one first.
turn_onto([Piece | Rest], Done) -> turn_onto(Rest, [Piece | Done]);
turn_onto([], Done) -> Done.

%% What a directive without sizes comes to: one piece, or all of some.
piece($~, _, Args) -> {all, "~", Args};
piece($n, _, Args) -> {all, "\n", Args};
piece($i, _, [_ | Rest]) -> {all, [], Rest};
piece(C, _, [N | Rest]) when C =:= $w, is_integer(N); C =:= $p, is_integer(N) -> {one, 'erlang:integer_to_list'(N), Rest};
piece(C, _, _) when C =:= $p; C =:= $P -> other;
piece(C, _, [N | Rest]) when C =:= $B; C =:= $b -> {all, 'erlang:integer_to_list'(N), Rest};
piece($c, latin1, [C | Rest]) -> {all, [C band 255], Rest};
piece($c, unicode, [C | Rest]) -> {all, [C], Rest};
piece($s, _, [Atom | Rest]) when is_atom(Atom) -> {all, atom_to_list(Atom), Rest};
piece($s, latin1, [Text | Rest]) -> {one, listed(Text), Rest};
piece($s, unicode, [Text | Rest]) -> {one, Text, Rest};
piece(_, _, Args) -> {other, Args}.

listed([Part | Rest]) when is_integer(Part) -> [Part | listed(Rest)];
listed([Part | Rest]) -> [listed(Part) | listed(Rest)];
listed([]) -> [];
listed(Bytes) -> binary_to_list(Bytes).

before(Text, Text) -> [];
before([C | Rest], After) -> [C | before(Rest, After)].
