% Goals that wait for more than one variable to be bound.

when(Condition, Goal) :- '$when_condition'(Condition, Condition), '$when'(Condition, Goal).

'$when_condition'(Condition, Whole) :-
    (   var(Condition) -> throw(error(instantiation_error, _))
    ;   '$when_parts'(Condition, A, B) -> '$when_condition'(A, Whole), '$when_condition'(B, Whole)
    ;   '$when_single'(Condition) -> true
    ;   throw(error(domain_error(when_condition, Whole), _))
    ).

'$when_parts'((A, B), A, B).
'$when_parts'((A ; B), A, B).

'$when_single'(nonvar(_)).
'$when_single'(ground(_)).
'$when_single'(?=(_, _)).

'$when'(nonvar(X), Goal) :- !, ( nonvar(X) -> call(Goal) ; freeze(X, Goal) ).
'$when'(ground(Term), Goal) :- !,
    term_variables(Term, Variables),
    (   Variables = [X|_] -> freeze(X, when(ground(Term), Goal))
    ;   call(Goal)
    ).
'$when'(?=(X, Y), Goal) :- !,
    (   ?=(X, Y) -> call(Goal)
    ;   unifiable(X, Y, Unifier),
        term_variables(Unifier, Variables),
        '$when_any'(Variables, _, when(?=(X, Y), Goal))
    ).
'$when'((A, B), Goal) :- !, '$when'(A, when(B, Goal)).
'$when'((A ; B), Goal) :- '$when'(A, '$when_once'(Done, Goal)), '$when'(B, '$when_once'(Done, Goal)).

'$when_any'([], _, _).
'$when_any'([X|Xs], Done, Goal) :- freeze(X, '$when_once'(Done, Goal)), '$when_any'(Xs, Done, Goal).

'$when_once'(Done, Goal) :- ( var(Done) -> Done = true, call(Goal) ; true ).
