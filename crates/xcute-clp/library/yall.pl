% Lambda expressions: Free/[X1, ...]>>Goal is copied before it is called, but for what is in Free.

'>>'(Ps, G) :- '$lambda'(Ps, [], Rest, G, Copy), '$call_with'(Copy, Rest).
'>>'(Ps, G, A1) :- '$lambda'(Ps, [A1], Rest, G, Copy), '$call_with'(Copy, Rest).
'>>'(Ps, G, A1, A2) :- '$lambda'(Ps, [A1, A2], Rest, G, Copy), '$call_with'(Copy, Rest).
'>>'(Ps, G, A1, A2, A3) :- '$lambda'(Ps, [A1, A2, A3], Rest, G, Copy), '$call_with'(Copy, Rest).
'>>'(Ps, G, A1, A2, A3, A4) :- '$lambda'(Ps, [A1, A2, A3, A4], Rest, G, Copy), '$call_with'(Copy, Rest).
'>>'(Ps, G, A1, A2, A3, A4, A5) :- '$lambda'(Ps, [A1, A2, A3, A4, A5], Rest, G, Copy), '$call_with'(Copy, Rest).
'>>'(Ps, G, A1, A2, A3, A4, A5, A6) :- '$lambda'(Ps, [A1, A2, A3, A4, A5, A6], Rest, G, Copy), '$call_with'(Copy, Rest).
'>>'(Ps, G, A1, A2, A3, A4, A5, A6, A7) :- '$lambda'(Ps, [A1, A2, A3, A4, A5, A6, A7], Rest, G, Copy), '$call_with'(Copy, Rest).

'$call_with'(Goal, []) :- !, call(Goal).
'$call_with'(Goal, Args) :- Call =.. [call, Goal|Args], call(Call).

'$lambda'(Ps, _, _, _, _) :- var(Ps), !, throw(error(instantiation_error, _)).
'$lambda'(Free/Ps, Args, Rest, Goal, Copy) :- !,
    '$lambda_free'(Free),
    copy_term_nat(Free/Ps-Goal, Free/PsCopy-Copy),
    '$lambda_bind'(PsCopy, Args, Rest, Free/Ps>>Goal).
'$lambda'(Ps, Args, Rest, Goal, Copy) :-
    copy_term_nat(Ps-Goal, PsCopy-Copy),
    '$lambda_bind'(PsCopy, Args, Rest, Ps>>Goal).

'$lambda_free'(Free) :- var(Free), !, throw(error(instantiation_error, _)).
'$lambda_free'({_}) :- !.
'$lambda_free'({}) :- !.
'$lambda_free'(Free) :- throw(error(type_error(lambda_free, Free), _)).

'$lambda_bind'([], Rest, Rest, _) :- !.
'$lambda_bind'([P|Ps], [A|As], Rest, Lambda) :- !, P = A, '$lambda_bind'(Ps, As, Rest, Lambda).
'$lambda_bind'(_, _, _, Lambda) :- '$lambda_list'(Lambda), '$with_module'(Lambda, Qualified), throw(error(domain_error(lambda_parameters, Qualified), _)).

'$lambda_list'(Ps>>_) :- ( Ps = _/List -> '$must_be_list'(List) ; '$must_be_list'(Ps) ).

Free/Lambda :- '$free'(Free, Lambda, Copy), call(Copy).
'/'(Free, Lambda, A1) :- '$free'(Free, Lambda, Copy), call(Copy, A1).
'/'(Free, Lambda, A1, A2) :- '$free'(Free, Lambda, Copy), call(Copy, A1, A2).
'/'(Free, Lambda, A1, A2, A3) :- '$free'(Free, Lambda, Copy), call(Copy, A1, A2, A3).
'/'(Free, Lambda, A1, A2, A3, A4) :- '$free'(Free, Lambda, Copy), call(Copy, A1, A2, A3, A4).
'/'(Free, Lambda, A1, A2, A3, A4, A5) :- '$free'(Free, Lambda, Copy), call(Copy, A1, A2, A3, A4, A5).

'$free'(Free, Lambda, Copy) :- '$lambda_free'(Free), copy_term_nat(Free-Lambda, Free-Copy).
