% Types of arguments and the errors for them, options, names that are new.

must_be(Type, X) :-
    (   nonvar(Type), '$type'(Type, X, Outcome) -> '$must_be'(Outcome, Type, X)
    ;   var(Type) -> throw(error(instantiation_error, _))
    ;   throw(error(existence_error(type, Type), _))
    ).

'$must_be'(true, _, _).
'$must_be'(false, Type, X) :- '$not_of_type'(Type, X).

'$not_of_type'(Type, X) :- '$needs_value'(Type), var(X), !, throw(error(instantiation_error, _)).
'$not_of_type'(positive_integer, X) :- !, ( integer(X) -> throw(error(type_error(positive_integer, X), _)) ; throw(error(type_error(integer, X), _)) ).
'$not_of_type'(nonneg, X) :- !, ( integer(X) -> throw(error(type_error(nonneg, X), _)) ; throw(error(type_error(integer, X), _)) ).
'$not_of_type'(between(L, H), X) :- !, '$not_between'(L, H, X).
'$not_of_type'(list(Type), X) :- !, '$must_be_list'(X), '$must_be_each'(X, Type).
'$not_of_type'(list_of(Type), X) :- !, '$must_be_list'(X), '$must_be_each'(X, Type).
'$not_of_type'(var, X) :- !, throw(error(uninstantiation_error(X), _)).
'$not_of_type'(Type, X) :- '$list_type'(Type), !, '$not_list'(X).
'$not_of_type'(Type, X) :- throw(error(type_error(Type, X), _)).

'$list_type'(list).
'$list_type'(proper_list).

'$not_list'(X) :- throw(error(type_error(list, X), _)).

'$not_between'(L, H, X) :-
    (   integer(L), integer(H) -> ( integer(X) -> throw(error(type_error(between(L, H), X), _)) ; throw(error(type_error(integer, X), _)) )
    ;   number(X) -> throw(error(type_error(between(L, H), X), _))
    ;   throw(error(type_error(number, X), _))
    ).

'$must_be_each'([], _).
'$must_be_each'([X|Xs], Type) :- must_be(Type, X), '$must_be_each'(Xs, Type).

'$needs_value'(Type) :- Type \== var, Type \== any.

is_of_type(Type, X) :-
    (   '$type'(Type, X, Outcome) -> Outcome == true
    ;   throw(error(existence_error(type, Type), _))
    ).

'$type'(any, _, true).
'$type'(var, X, O) :- ( var(X) -> O = true ; O = false ).
'$type'(nonvar, X, O) :- ( nonvar(X) -> O = true ; O = false ).
'$type'(atom, X, O) :- ( atom(X) -> O = true ; O = false ).
'$type'(atomic, X, O) :- ( atomic(X) -> O = true ; O = false ).
'$type'(integer, X, O) :- ( integer(X) -> O = true ; O = false ).
'$type'(float, X, O) :- ( float(X) -> O = true ; O = false ).
'$type'(number, X, O) :- ( number(X) -> O = true ; O = false ).
'$type'(string, X, O) :- ( string(X) -> O = true ; O = false ).
'$type'(callable, X, O) :- ( callable(X) -> O = true ; O = false ).
'$type'(compound, X, O) :- ( compound(X) -> O = true ; O = false ).
'$type'(ground, X, O) :- ( ground(X) -> O = true ; O = false ).
'$type'(positive_integer, X, O) :- ( integer(X), X > 0 -> O = true ; O = false ).
'$type'(nonneg, X, O) :- ( integer(X), X >= 0 -> O = true ; O = false ).
'$type'(boolean, X, O) :- ( X == true -> O = true ; X == false -> O = true ; O = false ).
'$type'(bool, X, O) :- ( X == true -> O = true ; X == false -> O = true ; O = false ).
'$type'(list, X, O) :- ( is_list(X) -> O = true ; O = false ).
'$type'(proper_list, X, O) :- ( is_list(X) -> O = true ; O = false ).
'$type'(list_or_partial, X, O) :- '$skip_list'(X, _, Tail), ( Tail == [] -> O = true ; var(Tail) -> O = true ; O = false ).
'$type'(char, X, O) :- ( atom(X), atom_length(X, 1) -> O = true ; O = false ).
'$type'(pair, X, O) :- ( nonvar(X), X = _-_ -> O = true ; O = false ).
'$type'(between(L, H), X, O) :- ( number(X), '$same_kind'(L, H, X), X >= L, X =< H -> O = true ; O = false ).
'$type'(oneof(List), X, O) :- ( nonvar(X), memberchk(X, List) -> O = true ; O = false ).
'$type'(list(Type), X, O) :- ( is_list(X), '$each_of_type'(X, Type) -> O = true ; O = false ).
'$type'(list_of(Type), X, O) :- ( is_list(X), '$each_of_type'(X, Type) -> O = true ; O = false ).

'$same_kind'(L, H, X) :- ( integer(L), integer(H) -> integer(X) ; true ).

'$each_of_type'([], _).
'$each_of_type'([X|Xs], Type) :- is_of_type(Type, X), '$each_of_type'(Xs, Type).

type_error(Type, X) :- throw(error(type_error(Type, X), _)).

domain_error(Domain, X) :- throw(error(domain_error(Domain, X), _)).

existence_error(Type, X) :- throw(error(existence_error(Type, X), _)).

permission_error(Action, Type, X) :- throw(error(permission_error(Action, Type, X), _)).

instantiation_error(_) :- throw(error(instantiation_error, _)).

resource_error(What) :- throw(error(resource_error(What), _)).

option(Option, Options) :- functor(Option, Name, 1), arg(1, Option, Value), '$option'(Options, Name, Value0), !, Value = Value0.

option(Option, Options, Default) :-
    functor(Option, Name, 1),
    arg(1, Option, Value),
    (   '$option'(Options, Name, Value0) -> Value = Value0
    ;   Value = Default
    ).

'$option'([Option|Options], Name, Value) :-
    (   nonvar(Option), '$option_value'(Option, Name, Value0) -> Value = Value0
    ;   '$option'(Options, Name, Value)
    ).

'$option_value'(Name0=Value0, Name, Value) :- !, Name0 == Name, Value = Value0.
'$option_value'(Option, Name, Value) :- functor(Option, Name, 1), arg(1, Option, Value).

select_option(Option, Options, Rest) :-
    functor(Option, Name, 1),
    arg(1, Option, Value),
    '$select_option'(Options, Name, Value0, Rest0),
    !,
    Value = Value0,
    Rest = Rest0.

select_option(Option, Options, Rest, Default) :-
    functor(Option, Name, 1),
    arg(1, Option, Value),
    (   '$select_option'(Options, Name, Value0, Rest0) -> Value = Value0, Rest = Rest0
    ;   Value = Default, Rest = Options
    ).

'$select_option'([Option|Options], Name, Value, Rest) :-
    (   '$option_value'(Option, Name, Value0) -> Value = Value0, Rest = Options
    ;   Rest = [Option|Rest1], '$select_option'(Options, Name, Value, Rest1)
    ).

gensym(Base, Name) :-
    atom_concat('$gensym_', Base, Key),
    (   nb_current(Key, N0) -> true ; N0 = 0 ),
    N is N0 + 1,
    nb_setval(Key, N),
    atom_concat(Base, N, Name).

reset_gensym(Base) :- atom_concat('$gensym_', Base, Key), nb_setval(Key, 0).
