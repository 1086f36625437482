% Types of arguments and the errors for them, names that are new.

must_be(Type, X) :-
    (   var(Type) -> throw(error(instantiation_error, _))
    ;   '$has_type'(Type, X) -> true
    ;   '$is_not'(Type, X)
    ).

'$is_not'(list, X) :- !, '$not_a_list'(list, X).
'$is_not'(list(Type), X) :- !, '$not_a_list'(list(Type), X).
'$is_not'(list_or_partial_list, X) :- !, throw(error(type_error(list, X), _)).
'$is_not'(chars, X) :- !, '$not_a_list'(list(char), X).
'$is_not'(codes, X) :- !, '$not_a_list'(list(code), X).
'$is_not'(var, X) :- !, throw(error(uninstantiation_error(X), _)).
'$is_not'(cyclic, X) :- !, throw(error(domain_error(cyclic_term, X), _)).
'$is_not'(Type, X) :-
    (   '$type'(Type) -> '$not_of_type'(Type, X)
    ;   throw(error(existence_error(type, Type), _))
    ).

'$not_of_type'(Type, X) :-
    (   var(X) -> throw(error(instantiation_error, _))
    ;   '$ground_type'(Type), \+ ground(X) -> throw(error(instantiation_error, _))
    ;   throw(error(type_error(Type, X), _))
    ).

'$not_a_list'(Type, X) :-
    '$skip_list'(_, X, Rest),
    (   var(Rest) -> throw(error(instantiation_error, _))
    ;   Rest == [] -> Type = list(Of), '$element_is_not'(X, Of)
    ;   throw(error(type_error(Type, X), _))
    ).

'$element_is_not'([X|Xs], Type) :-
    (   var(Type) -> throw(error(instantiation_error, _))
    ;   '$has_type'(Type, X) -> '$element_is_not'(Xs, Type)
    ;   '$is_not'(Type, X)
    ).

'$ground_type'(ground).
'$ground_type'(oneof(_)).
'$ground_type'(stream).
'$ground_type'(text).
'$ground_type'(string).
'$ground_type'(rational).

is_of_type(Type, X) :-
    (   var(Type) -> throw(error(instantiation_error, _))
    ;   '$has_type'(Type, X) -> true
    ).

% The types that there are.
'$type'(Type) :-
    memberchk(Type, [any, atom, atomic, between(_, _), boolean, callable, char, code, chars, codes, text, compound, constant, float, ground,
                     cyclic, acyclic, integer, nonneg, positive_integer, negative_integer, nonvar, number, oneof(_), pair, proper_list, list,
                     list_or_partial_list, symbol, var, rational, string, stream, encoding, dict, list(_), type]),
    !.
'$type'(Type) :- \+ \+ ( clause('$own_type'(Type, _), Body), Body \== (fail, fail) ).

% What a program adds by error:has_type/2; the first clause is there for programs that add nothing, and is not a type.
'$own_type'('$none', _) :- fail, fail.

'$has_type'(any, _).
'$has_type'(atom, X) :- atom(X).
'$has_type'(atomic, X) :- atomic(X).
'$has_type'(between(L, H), X) :- ( integer(L) -> integer(X), between(L, H, X) ; number(X), X >= L, X =< H ).
'$has_type'(boolean, X) :- ( X == true -> true ; X == false ).
'$has_type'(callable, X) :- callable(X).
'$has_type'(char, X) :- '$is_char'(X).
'$has_type'(code, X) :- '$is_code'(X).
'$has_type'(chars, X) :- is_list(X), '$each_char'(X).
'$has_type'(codes, X) :- is_list(X), '$each_code'(X).
'$has_type'(text, X) :- ( atom(X) -> true ; string(X) -> true ; is_list(X), '$each_char'(X) -> true ; is_list(X), '$each_code'(X) ).
'$has_type'(compound, X) :- compound(X).
'$has_type'(constant, X) :- atomic(X).
'$has_type'(float, X) :- float(X).
'$has_type'(ground, X) :- ground(X).
'$has_type'(cyclic, X) :- cyclic_term(X).
'$has_type'(acyclic, X) :- acyclic_term(X).
'$has_type'(integer, X) :- integer(X).
'$has_type'(nonneg, X) :- integer(X), X >= 0.
'$has_type'(positive_integer, X) :- integer(X), X > 0.
'$has_type'(negative_integer, X) :- integer(X), X < 0.
'$has_type'(nonvar, X) :- nonvar(X).
'$has_type'(number, X) :- number(X).
'$has_type'(oneof(List), X) :- ground(X), \+ \+ memberchk(X, List).
'$has_type'(pair, X) :- nonvar(X), X = _-_.
'$has_type'(proper_list, X) :- is_list(X).
'$has_type'(list, X) :- is_list(X).
'$has_type'(list_or_partial_list, X) :- '$skip_list'(_, X, Tail), ( var(Tail) -> true ; Tail == [] ).
'$has_type'(symbol, X) :- atom(X).
'$has_type'(var, X) :- var(X).
'$has_type'(rational, X) :- integer(X).
'$has_type'(string, X) :- string(X).
'$has_type'(stream, X) :- is_stream(X).
'$has_type'(encoding, X) :- memberchk(X, [octet, ascii, iso_latin_1, text, utf8, unicode_be, unicode_le, wchar_t]).
'$has_type'(dict, X) :- is_dict(X).
'$has_type'(list(Type), X) :- is_list(X), '$each_of_type'(X, Type).
'$has_type'(type, X) :- ground(X), '$type'(X).
'$has_type'(Type, X) :- '$own_type'(Type, X).

'$each_of_type'(Xs, Type) :- ( var(Type) -> throw(error(instantiation_error, _)) ; '$every'(Xs, Type) ).

'$every'([], _).
'$every'([X|Xs], Type) :- '$has_type'(Type, X), !, '$every'(Xs, Type).

'$is_char'(X) :- atom(X), atom_length(X, 1).

'$is_code'(X) :- integer(X), X >= 0, X =< 0x10ffff.

'$each_char'([]).
'$each_char'([X|Xs]) :- '$is_char'(X), '$each_char'(Xs).

'$each_code'([]).
'$each_code'([X|Xs]) :- '$is_code'(X), '$each_code'(Xs).

assertion(Goal) :-
    (   \+ \+ catch(Goal, Reason, '$assertion_broken'(Reason, Goal)) -> true
    ;   '$assertion_failed'(fail, Goal)
    ).

'$assertion_broken'(Reason, Goal) :-
    (   nonvar(Reason), '$assertion_rethrow'(Reason) -> throw(Reason)
    ;   '$assertion_failed'(Reason, Goal)
    ).

'$assertion_rethrow'(time_limit_exceeded).
'$assertion_rethrow'('$aborted').

type_error(Type, X) :- throw(error(type_error(Type, X), _)).

domain_error(Domain, X) :- throw(error(domain_error(Domain, X), _)).

existence_error(Type, X) :- throw(error(existence_error(Type, X), _)).

permission_error(Action, Type, X) :- throw(error(permission_error(Action, Type, X), _)).

instantiation_error(_) :- throw(error(instantiation_error, _)).

uninstantiation_error(X) :- throw(error(uninstantiation_error(X), _)).

existence_error(Type, X, In) :- throw(error(existence_error(Type, X, In), _)).

representation_error(What) :- throw(error(representation_error(What), _)).

syntax_error(What) :- throw(error(syntax_error(What), _)).

resource_error(What) :- throw(error(resource_error(What), _)).

gensym(Base, Name) :-
    atom_concat('$gensym_', Base, Key),
    (   nb_current(Key, N0) -> true ; N0 = 0 ),
    N is N0 + 1,
    nb_setval(Key, N),
    atom_concat(Base, N, Name).

reset_gensym(Base) :- atom_concat('$gensym_', Base, Key), nb_setval(Key, 0).
