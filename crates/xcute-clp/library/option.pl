% Lists of options. SWI-Prolog calls the module swi_option.

% `Name(Value)` comes before `Name=Value`, wherever in the list they are.
option(Option, Options), is_list(Options) =>
    '$general_option'(Option, General),
    '$get_option'(General, Options),
    !,
    Option = General.

option(Option, Options, Default) :-
    '$general_option'(Option, General),
    (   '$get_option'(General, Options) -> Option = General
    ;   arg(1, Option, Default)
    ).

'$general_option'(Option, General) :- functor(Option, Name, Arity), functor(General, Name, Arity).

'$get_option'(Option, Options) :- memberchk(Option, Options), !.
'$get_option'(Option, Options) :- functor(Option, Name, 1), arg(1, Option, Value), memberchk(Name=Value, Options), !.

select_option(Option, Options, Rest) :- '$general_option'(Option, General), '$select_option'(General, Options, Rest), Option = General.

select_option(Option, Options, Rest, Default) :-
    '$general_option'(Option, General),
    (   '$select_option'(General, Options, Rest) -> Option = General
    ;   Rest = Options, arg(1, Option, Default)
    ).

'$select_option'(Option, Options, Rest) :- selectchk(Option, Options, Rest), !.
'$select_option'(Option, Options, Rest) :- functor(Option, Name, 1), arg(1, Option, Value), selectchk(Name=Value, Options, Rest), !.
