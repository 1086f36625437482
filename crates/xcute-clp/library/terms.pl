% Terms and their parts.

sub_term(X, X).
sub_term(X, Term) :- compound(Term), arg(_, Term, Arg), sub_term(X, Arg).

occurrences_of_term(Sub, Term, Count) :- findall(x, sub_term(Sub, Term), Xs), length(Xs, Count0), Count = Count0.

occurrences_of_var(Var, Term, Count) :- findall(x, ( sub_term(T, Term), T == Var ), Xs), length(Xs, Count0), Count = Count0.

contains_term(Sub, Term) :- sub_term(Sub, Term), !.

contains_var(Var, Term) :- \+ free_of_var(Var, Term).

free_of_term(Sub, Term) :- \+ ( sub_term(T, Term), T = Sub ).

free_of_var(Var, Term) :- \+ ( sub_term(T, Term), T == Var ).

mapargs(Goal, Term1, Term2) :-
    (   nonvar(Term1) -> functor(Term1, Name, Arity), functor(Term2, Name, Arity)
    ;   functor(Term2, Name, Arity), functor(Term1, Name, Arity)
    ),
    '$mapargs'(1, Arity, Goal, Term1, Term2).

'$mapargs'(N, Arity, Goal, Term1, Term2) :-
    (   N =< Arity -> arg(N, Term1, A), arg(N, Term2, B), call(Goal, A, B), N1 is N + 1, '$mapargs'(N1, Arity, Goal, Term1, Term2)
    ;   true
    ).

nonground(Term, Var) :- term_variables(Term, [First|_]), Var = First.

term_variables(Term, Vars, Tail) :- term_variables(Term, Vars0), append(Vars0, Tail, Vars).

compound_name_arity(Term, Name, Arity) :-
    (   compound(Term) -> functor(Term, Name, Arity)
    ;   var(Term) -> '$compound_name'(Name), '$must_be_integer'(Arity), '$made_compound'(Arity), functor(Term, Name, Arity)
    ;   throw(error(type_error(compound, Term), _))
    ).

compound_name_arguments(Term, Name, Args) :-
    (   compound(Term) -> ( Term =.. [Name|Args] -> true ; '$no_arguments'(Term, Name, Args) )
    ;   var(Term) -> '$compound_name'(Name), '$must_be_list'(Args), length(Args, Arity), '$made_compound'(Arity), Term =.. [Name|Args]
    ;   throw(error(type_error(compound, Term), _))
    ).

'$compound_name'(Name) :-
    (   var(Name) -> throw(error(instantiation_error, _))
    ;   atom(Name) -> true
    ;   Name == [] -> true
    ;   throw(error(type_error(atom, Name), _))
    ).

% What does not end like a list is an error where nothing before its end differs.
'$no_arguments'(Term, Name, Args) :-
    '$skip_list'(_, Args, Tail),
    nonvar(Tail),
    Tail \== [],
    functor(Term, Name, _),
    Term =.. [_|Given],
    '$arguments_until'(Args, Given).

'$arguments_until'(Args, Given) :-
    (   Args = [Arg|Rest] -> Given = [Arg|More], '$arguments_until'(Rest, More)
    ;   throw(error(type_error(list, Args), _))
    ).

same_term(X, Y) :- X == Y.

variant(X, Y) :- X =@= Y.

subsumes_chk(General, Specific) :- subsumes_term(General, Specific).

subsumes(General, Specific) :- subsumes_term(General, Specific), General = Specific.

var_number(Term, Name) :- nonvar(Term), Term = '$VAR'(Name0), ( integer(Name0) -> true ; Name0 == [] -> true ; atom(Name0) ), Name = Name0.

rational(X) :- integer(X).
