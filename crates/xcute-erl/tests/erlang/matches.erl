%% Random patterns and specifications on random tables: the models of matches must give what the emulator gives.
-module(matches).
-export([compare/1]).

%% How many of these cases differ.
compare(Cases) ->
    length([Seed || Seed <- lists:seq(1, Cases), differs(Seed)]).

differs(Seed) ->
    rand:seed(exsss, {Seed, 3, 4}),
    Type = pick([set, ordered_set, bag, duplicate_bag]),
    Table = ets:new(table, [Type]),
    [ets:insert(Table, {key(), value(), key()}) || _ <- lists:seq(1, rand:uniform(8))],
    Copy = ets:new(copy, [Type]),
    [ets:insert(Copy, Object) || Object <- ets:tab2list(Table)],
    Pattern = pattern(),
    Clauses = [{pattern(), [guard() || _ <- lists:seq(2, rand:uniform(3))], [body()]} || _ <- lists:seq(1, rand:uniform(2))],
    Calls = [{match, Pattern}, {match_object, Pattern}, {select, Clauses}, {select_count, Clauses},
             pick([{match_delete, Pattern}, {select_delete, Clauses}])],
    Results = [{original(Function, Table, Argument), model(Function, Copy, Argument)} || {Function, Argument} <- Calls],
    Left = {lists:sort(ets:tab2list(Table)), lists:sort(ets:tab2list(Copy))},
    ets:delete(Table),
    ets:delete(Copy),
    Different = [Result || Result = {One, Other} <- [Left | Results], One =/= Other],
    Different =/= [] andalso (io:format("~p ~p ~p~n", [Type, Calls, Different]) =:= ok).

original(Function, Table, Argument) -> outcome(fun() -> ets:Function(Table, Argument) end).

model(Function, Table, Argument) ->
    Model = list_to_atom("ets:" ++ atom_to_list(Function)),
    outcome(fun() -> xcute_models:Model(Table, Argument) end).

outcome(Call) ->
    try {returned, Call()}
    catch Class:Reason -> {Class, Reason}
    end.

pick(List) -> lists:nth(rand:uniform(length(List)), List).

key() -> pick([1, 1.0, a, b, {x, 1}, [1, 2], <<"q">>, [], #{a => 1}]).

value() -> pick([1, 2, a, {y, {z, 2}}, [a | b]]).

part() -> pick(['_', '$1', '$2', '$10', '$x', key(), value(), {x, '$1'}, ['$1' | '_'], {'$1', '$2'}, {y, '_'}, #{a => '$1'}]).

pattern() -> pick([{part(), part(), part()}, {part(), part(), part()}, {part(), part(), part()}, '_', '$1', {part(), part()}]).

guard() ->
    pick([{'>', operand(), operand()}, {'=:=', operand(), operand()}, {is_atom, operand()}, {'not', test()}, {'orelse', test(), test()},
          {'andalso', test(), test()}, {'==', {element, 1, operand()}, operand()}, true, {'and', test(), test()}, {'=<', {size, operand()}, 2},
          {unknown, 1}]).

test() -> pick([{is_integer, operand()}, {'<', operand(), operand()}, true, '$1', {'=:=', {hd, operand()}, 1}]).

operand() ->
    pick(['$1', '$2', 1, a, {const, {x, 1}}, '$_', '$$', {{1, '$1'}}, ['$1', b], {'+', '$1', 1}, {'rem', 7, '$2'}]).

body() -> pick(['$_', '$$', true, '$1', {{'$1', k}}, [a, '$2'], {const, '$1'}, {element, 1, '$_'}]).
