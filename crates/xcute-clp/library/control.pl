% Control, for those parts that the machine does not have itself.

once(Goal) :- call(Goal), !.

ignore(Goal) :- ( call(Goal) -> true ; true ).

% A goal that has exactly one solution and leaves no choice points.
$(Goal) :-
    (   call_cleanup(Goal, Det = true)
    *-> (   Det == true -> true
        ;   throw(error(determinism_error(Goal, det, nondet, goal), _))
        )
    ;   throw(error(determinism_error(Goal, det, fail, goal), _))
    ).

forall(Condition, Action) :- \+ ( call(Condition), \+ call(Action) ).

% Budgets of steps bound the run anyway.
call_with_time_limit(_, Goal) :- once(Goal).

flag(Key, Old, New) :-
    term_to_atom(Key, Name),
    atom_concat('$flag_', Name, Global),
    (   nb_current(Global, Value) -> true ; Value = 0 ),
    Old = Value,
    (   atom(New), New \== [] -> Changed = New
    ;   Changed is New,
        ( integer(Changed) -> '$must_be_word'(Changed) ; true )
    ),
    nb_setval(Global, Changed).

apply(Goal, Extra) :-
    (   var(Goal) -> throw(error(instantiation_error, _))
    ;   callable(Goal) -> true
    ;   throw(error(type_error(callable, Goal), _))
    ),
    '$skip_list'(_, Extra, Tail),
    (   Tail == [] -> Called =.. [call, Goal|Extra], call(Called)
    ;   var(Tail) -> throw(error(instantiation_error, _))
    ;   Goal =.. [_|Args], append(Args, Extra, All), throw(error(type_error(list, All), _))
    ).

phrase(Body, List) :- phrase(Body, List, []).

phrase(Body, S0, S) :- '$phrase_input'(S0), '$phrase_input'(S), '$phrase'(Body, S0, S).

'$phrase_input'(S) :- var(S), !.
'$phrase_input'([_|_]) :- !.
'$phrase_input'([]) :- !.
'$phrase_input'(S) :- throw(error(type_error(list, S), _)).

'$phrase'(Body, _, _) :- var(Body), !, throw(error(instantiation_error, _)).
'$phrase'(_:Body, S0, S) :- !, '$phrase'(Body, S0, S).
'$phrase'([], S0, S) :- !, S0 = S.
'$phrase'([X|Xs], S0, S) :- !,
    '$skip_list'(_, Xs, Tail),
    (   nonvar(Tail), Tail \== [] -> throw(error(type_error(list_or_partial_list, [X|Xs]), _))
    ;   append([X|Xs], S, S0)
    ).
'$phrase'(Text, S0, S) :- string(Text), !, string_codes(Text, Codes), append(Codes, S, S0).
'$phrase'((A, B), S0, S) :- !, '$phrase'(A, S0, S1), '$phrase'(B, S1, S).
'$phrase'((A -> B ; C), S0, S) :- !, ( '$phrase'(A, S0, S1) -> '$phrase'(B, S1, S) ; '$phrase'(C, S0, S) ).
'$phrase'((A *-> B ; C), S0, S) :- !, ( '$phrase'(A, S0, S1) *-> '$phrase'(B, S1, S) ; '$phrase'(C, S0, S) ).
'$phrase'((A ; B), S0, S) :- !, ( '$phrase'(A, S0, S) ; '$phrase'(B, S0, S) ).
'$phrase'((A '|' B), S0, S) :- !, ( '$phrase'(A, S0, S) ; '$phrase'(B, S0, S) ).
'$phrase'((A -> B), S0, S) :- !, ( '$phrase'(A, S0, S1) -> '$phrase'(B, S1, S) ).
'$phrase'(\+ A, S0, S) :- !, \+ '$phrase'(A, S0, _), S0 = S.
'$phrase'({}, S0, S) :- !, S0 = S.
'$phrase'({Goal}, S0, S) :- !, call(Goal), S0 = S.
'$phrase'(!, S0, S) :- !, S0 = S.
'$phrase'(Body, S0, S) :- call(Body, S0, S).
