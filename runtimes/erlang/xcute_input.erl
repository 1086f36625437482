%% Functions as inputs: closures over finite tables.
%%
%% In the arguments of a run a function is a tuple: a tag, how many arguments it takes, rows of arguments and result, and what it returns for all others.
%%
%% Invariant. Functions of equal tables are equal, and a function returns whatever it is called with.
-module(xcute_input).

-export([revive/1]).

%% A term with all its functions.
revive({'$xcute_fun', Arity, Rows, Default}) ->
    make(Arity, [{revive(Args), revive(Result)} || {Args, Result} <- Rows], revive(Default));
revive([Head | Tail]) -> [revive(Head) | revive(Tail)];
revive(Tuple) when is_tuple(Tuple) -> list_to_tuple(revive(tuple_to_list(Tuple)));
revive(Map) when is_map(Map) -> maps:from_list([{revive(Key), revive(Value)} || {Key, Value} <- maps:to_list(Map)]);
revive(Term) -> Term.

look(Args, [{Args, Result} | _], _) -> Result;
look(Args, [_ | Rows], Default) -> look(Args, Rows, Default);
look(_, [], Default) -> Default.

make(0, R, D) -> fun() -> look({}, R, D) end;
make(1, R, D) -> fun(A1) -> look({A1}, R, D) end;
make(2, R, D) -> fun(A1, A2) -> look({A1, A2}, R, D) end;
make(3, R, D) -> fun(A1, A2, A3) -> look({A1, A2, A3}, R, D) end;
make(4, R, D) -> fun(A1, A2, A3, A4) -> look({A1, A2, A3, A4}, R, D) end;
make(5, R, D) -> fun(A1, A2, A3, A4, A5) -> look({A1, A2, A3, A4, A5}, R, D) end;
make(6, R, D) -> fun(A1, A2, A3, A4, A5, A6) -> look({A1, A2, A3, A4, A5, A6}, R, D) end;
make(7, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7) -> look({A1, A2, A3, A4, A5, A6, A7}, R, D) end;
make(8, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8) -> look({A1, A2, A3, A4, A5, A6, A7, A8}, R, D) end;
make(9, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9}, R, D) end;
make(10, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9, A10}, R, D) end;
make(11, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11}, R, D) end;
make(12, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12}, R, D) end;
make(13, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13}, R, D) end;
make(14, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14}, R, D) end;
make(15, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15}, R, D) end;
make(16, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16}, R, D) end;
make(17, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17}, R, D) end;
make(18, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, A18) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, A18}, R, D) end;
make(19, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, A18, A19) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, A18, A19}, R, D) end;
make(20, R, D) -> fun(A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, A18, A19, A20) -> look({A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, A18, A19, A20}, R, D) end.
