% Lists. Solutions come in the order in which SWI-Prolog gives them, and leave choice points where its own leave them.

append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :- append(Xs, Ys, Zs).

append(Lists, List) :- '$must_be_list'(Lists), '$append_all'(Lists, List).

'$append_all'([], []).
'$append_all'([Xs|Rest], Ys) :- append(Xs, Zs, Ys), '$append_all'(Rest, Zs).

prefix([], _).
prefix([X|Xs], [X|Ys]) :- prefix(Xs, Ys).

% The element is tried first, so that the last one leaves no choice point.
member(X, [Y|Ys]) :- '$member'(Ys, X, Y).

'$member'(_, X, X).
'$member'([Y|Ys], X, _) :- '$member'(Ys, X, Y).

memberchk(X, List) :- member(X, List), !.
memberchk(_, List) :- '$skip_list'(_, List, Tail), nonvar(Tail), Tail \== [], throw(error(type_error(list, Tail), _)).

select(X, [Y|Ys], Rest) :- '$select'(Ys, X, Y, Rest).

'$select'(Ys, X, X, Ys).
'$select'([Y|Ys], X, Z, [Z|Rest]) :- '$select'(Ys, X, Y, Rest).

selectchk(X, List, Rest) :- select(X, List, Rest0), !, Rest = Rest0.

select(X, Xs, Y, Ys) :- '$select4'(Xs, X, Y, Ys).

'$select4'([X|Rest], X, Y, [Y|Rest]).
'$select4'([Z|Xs], X, Y, [Z|Ys]) :- '$select4'(Xs, X, Y, Ys).

% The result bounds the length of what is reversed.
reverse(Xs, Ys) :- '$reverse'(Xs, Ys, [], Ys).

'$reverse'([], [], Ys, Ys).
'$reverse'([X|Xs], [_|Bound], Rest, Ys) :- '$reverse'(Xs, Bound, [X|Rest], Ys).

permutation(Xs, Ys) :-
    '$skip_list'(Xlength, Xs, Xtail),
    '$skip_list'(Ylength, Ys, Ytail),
    (   Xtail == [], Ytail == [] -> Xlength == Ylength
    ;   var(Xtail), var(Ytail) -> length(Xs, Length), length(Ys, Length)
    ;   Xtail == [], var(Ytail) -> length(Ys, Xlength)
    ;   var(Xtail), Ytail == [] -> length(Xs, Ylength)
    ;   '$must_be_list'(Xs), '$must_be_list'(Ys)
    ),
    '$permutation'(Xs, Ys).

'$permutation'([], []).
'$permutation'(List, [First|Rest]) :- select(First, List, Others), '$permutation'(Others, Rest).

'$seek_list'(Index, List, RestIndex, Rest) :- '$must_be_word'(Index), '$seek'(Index, List, RestIndex, Rest).

'$seek'(Index, List, RestIndex, Rest) :-
    (   Index > 0, nonvar(List), List = [_|Tail] -> Index1 is Index - 1, '$seek'(Index1, Tail, RestIndex, Rest)
    ;   RestIndex = Index, Rest = List
    ).

'$skip_list'(Length, List, Tail) :- '$skip'(List, 0, Length, Tail).

'$skip'(List, Length0, Length, Tail) :-
    (   nonvar(List), List = [_|Rest] -> Length1 is Length0 + 1, '$skip'(Rest, Length1, Length, Tail)
    ;   Length = Length0, Tail = List
    ).

% SWI-Prolog counts in words of the machine here, and with integers of any size where the rest of the list is an argument as well.
nth0(Index, List, Element) :-
    (   integer(Index) -> '$must_be_word'(Index), Index >= 0, '$nth'(Index, List, Element)
    ;   var(Index) -> List = [X|Xs], '$nth_any'(Xs, X, Element, 0, Index)
    ;   throw(error(type_error(integer, Index), _))
    ).

nth1(Index, List, Element) :-
    (   integer(Index) -> Index0 is Index - 1, '$must_be_word'(Index0), Index0 >= 0, '$nth'(Index0, List, Element)
    ;   var(Index) -> List = [X|Xs], '$nth_any'(Xs, X, Element, 1, Index)
    ;   throw(error(type_error(integer, Index), _))
    ).

'$nth'(0, List, Element) :- !, List = [Element|_].
'$nth'(Index, [_|Xs], Element) :- Index1 is Index - 1, '$nth'(Index1, Xs, Element).

'$nth_any'(_, X, X, Index, Index).
'$nth_any'([X|Xs], _, Element, Index0, Index) :- Index1 is Index0 + 1, '$nth_any'(Xs, X, Element, Index1, Index).

nth0(Index, List, Element, Rest) :-
    (   var(Index) -> '$nth_rest_any'(List, Element, Rest, 0, Index)
    ;   integer(Index), Index >= 0 -> '$nth_rest'(Index, List, Element, Rest)
    ;   throw(error(type_error(nonneg, Index), _))
    ).

nth1(Index, List, Element, Rest) :-
    (   var(Index) -> '$nth_rest_any'(List, Element, Rest, 1, Index)
    ;   integer(Index), Index > 0 -> Index0 is Index - 1, '$nth_rest'(Index0, List, Element, Rest)
    ;   throw(error(type_error(positive_integer, Index), _))
    ).

'$nth_rest'(0, List, Element, Rest) :- !, List = [Element|Rest].
'$nth_rest'(Index, [X|Xs], Element, [X|Rest]) :- Index1 is Index - 1, '$nth_rest'(Index1, Xs, Element, Rest).

'$nth_rest_any'([X|Xs], X, Xs, Index, Index).
'$nth_rest_any'([X|Xs], Element, [X|Rest], Index0, Index) :- Index1 is Index0 + 1, '$nth_rest_any'(Xs, Element, Rest, Index1, Index).

last([X|Xs], Last) :- '$last'(Xs, X, Last).

'$last'([], Last, Last).
'$last'([X|Xs], _, Last) :- '$last'(Xs, X, Last).

proper_length(List, Length) :- '$skip_list'(Length0, List, Tail), Tail == [], Length = Length0.

same_length([], []).
same_length([_|Xs], [_|Ys]) :- same_length(Xs, Ys).

sum_list(Xs, Sum) :- '$sum_list'(Xs, 0, Sum).

'$sum_list'([], Sum0, Sum) => Sum = Sum0.
'$sum_list'([X|Xs], Sum0, Sum) => Sum1 is Sum0 + X, '$sum_list'(Xs, Sum1, Sum).

sumlist(Xs, Sum) :- '$sum_list'(Xs, 0, Sum).

max_list([X|Xs], Max) => '$max_list'(Xs, X, Max).
max_list([], _) => fail.

'$max_list'([], Max0, Max) => Max = Max0.
'$max_list'([X|Xs], Max0, Max) => Max1 is max(X, Max0), '$max_list'(Xs, Max1, Max).

min_list([X|Xs], Min) => '$min_list'(Xs, X, Min).
min_list([], _) => fail.

'$min_list'([], Min0, Min) => Min = Min0.
'$min_list'([X|Xs], Min0, Min) => Min1 is min(X, Min0), '$min_list'(Xs, Min1, Min).

max_member(Max, [X|Xs]) => '$max_member_'(Xs, X, Max).
max_member(_, []) => fail.

'$max_member_'([], Max0, Max) => Max = Max0.
'$max_member_'([X|Xs], Max0, Max) => ( X @=< Max0 -> '$max_member_'(Xs, Max0, Max) ; '$max_member_'(Xs, X, Max) ).

min_member(Min, [X|Xs]) => '$min_member_'(Xs, X, Min).
min_member(_, []) => fail.

'$min_member_'([], Min0, Min) => Min = Min0.
'$min_member_'([X|Xs], Min0, Min) => ( X @>= Min0 -> '$min_member_'(Xs, Min0, Min) ; '$min_member_'(Xs, X, Min) ).

:- meta_predicate max_member(2, ?, ?), min_member(2, ?, ?), '$max_member_'(?, 2, ?, ?), '$min_member_'(?, 2, ?, ?).

max_member(Pred, Max, [X|Xs]) => '$max_member_'(Xs, Pred, X, Max).
max_member(_, _, []) => fail.

'$max_member_'([], _, Max0, Max) => Max = Max0.
'$max_member_'([X|Xs], Pred, Max0, Max) => ( call(Pred, X, Max0) -> '$max_member_'(Xs, Pred, Max0, Max) ; '$max_member_'(Xs, Pred, X, Max) ).

min_member(Pred, Min, [X|Xs]) => '$min_member_'(Xs, Pred, X, Min).
min_member(_, _, []) => fail.

'$min_member_'([], _, Min0, Min) => Min = Min0.
'$min_member_'([X|Xs], Pred, Min0, Min) => ( call(Pred, Min0, X) -> '$min_member_'(Xs, Pred, Min0, Min) ; '$min_member_'(Xs, Pred, X, Min) ).

numlist(Low, High, Numbers) :-
    '$must_be_integer'(Low),
    '$must_be_integer'(High),
    Low =< High,
    '$numlist'(Low, High, Numbers0),
    Numbers = Numbers0.

'$numlist'(Low, High, []) :- Low > High, !.
'$numlist'(Low, High, [Low|Rest]) :- Next is Low + 1, '$numlist'(Next, High, Rest).

'$must_be_integer'(X) :-
    (   integer(X) -> true
    ;   var(X) -> throw(error(instantiation_error, _))
    ;   throw(error(type_error(integer, X), _))
    ).

'$must_be_list'(X) :- '$skip_list'(_, X, Tail), ( Tail == [] -> true ; var(Tail) -> throw(error(instantiation_error, _)) ; throw(error(type_error(list, X), _)) ).

is_set(Set) :- '$skip_list'(_, Set, Tail), Tail == [], '$is_set'(Set).

'$is_set'([]).
'$is_set'([X|Xs]) :- \+ ( member(Y, Xs), Y == X ), '$is_set'(Xs).

list_to_set(List, Set) :- '$must_be_list'(List), '$list_to_set'(List, [], Set).

'$list_to_set'([], _, []).
'$list_to_set'([X|Xs], Seen, Set) :-
    (   '$seen'(Seen, X) -> '$list_to_set'(Xs, Seen, Set)
    ;   Set = [X|Rest], '$list_to_set'(Xs, [X|Seen], Rest)
    ).

'$seen'([Y|Ys], X) :- ( X == Y -> true ; '$seen'(Ys, X) ).

delete([], _, []).
delete([X|Xs], Deleted, Rest) :-
    (   X \= Deleted -> Rest = [X|Rest1], delete(Xs, Deleted, Rest1)
    ;   delete(Xs, Deleted, Rest)
    ).

subtract([], _, Rest) => Rest = [].
subtract([X|Xs], Deleted, Rest) => ( memberchk(X, Deleted) -> subtract(Xs, Deleted, Rest) ; Rest = [X|Rest1], subtract(Xs, Deleted, Rest1) ).

intersection([], _, Zs) => Zs = [].
intersection([X|Xs], Ys, Zs) => ( memberchk(X, Ys) -> Zs = [X|Rest], intersection(Xs, Ys, Rest) ; intersection(Xs, Ys, Zs) ).

union([], Ys, Zs) => Zs = Ys.
union([X|Xs], Ys, Zs) => ( memberchk(X, Ys) -> union(Xs, Ys, Zs) ; Zs = [X|Rest], union(Xs, Ys, Rest) ).

subset([], _) => true.
subset([X|Xs], Set) => memberchk(X, Set), subset(Xs, Set).

flatten(List, Flat) :- '$flatten'(List, [], Flat0), !, Flat = Flat0.

'$flatten'(Var, Tail, [Var|Tail]) :- var(Var), !.
'$flatten'([], Tail, Tail) :- !.
'$flatten'([X|Xs], Tail, Flat) :- !, '$flatten'(X, Rest, Flat), '$flatten'(Xs, Tail, Rest).
'$flatten'(Atom, Tail, [Atom|Tail]).

% Of what is not a list, SWI-Prolog says that it is not a type.
predsort(Compare, List, Sorted) :-
    '$skip_list'(Length, List, Tail),
    (   Tail == [] -> '$predsort'(Compare, Length, List, _, Sorted0), !, Sorted = Sorted0
    ;   must_be(List, list)
    ).

'$predsort'(Compare, 2, [X1, X2|Rest], Rest, Sorted) :- !, call(Compare, Order, X1, X2), '$sort2'(Order, X1, X2, Sorted).
'$predsort'(_, 1, [X|Rest], Rest, [X]) :- !.
'$predsort'(_, 0, Rest, Rest, []) :- !.
'$predsort'(Compare, Length, List, Rest, Sorted) :-
    Half is Length // 2,
    Other is Length - Half,
    '$predsort'(Compare, Half, List, Middle, Sorted1),
    '$predsort'(Compare, Other, Middle, Rest, Sorted2),
    '$predmerge'(Compare, Sorted1, Sorted2, Sorted).

'$sort2'(<, X1, X2, [X1, X2]).
'$sort2'(=, X1, _, [X1]).
'$sort2'(>, X1, X2, [X2, X1]).

'$predmerge'(_, [], Sorted, Sorted) :- !.
'$predmerge'(_, Sorted, [], Sorted) :- !.
'$predmerge'(Compare, [X|Xs], [Y|Ys], Sorted) :- call(Compare, Order, X, Y), !, '$predmerge'(Order, Compare, X, Y, Xs, Ys, Sorted).

'$predmerge'(<, Compare, X, Y, Xs, Ys, [X|Sorted]) :- '$predmerge'(Compare, Xs, [Y|Ys], Sorted).
'$predmerge'(=, Compare, X, _, Xs, Ys, [X|Sorted]) :- '$predmerge'(Compare, Xs, Ys, Sorted).
'$predmerge'(>, Compare, X, Y, Xs, Ys, [Y|Sorted]) :- '$predmerge'(Compare, [X|Xs], Ys, Sorted).

pairs_keys_values([], [], []).
pairs_keys_values([Key-Value|Pairs], [Key|Keys], [Value|Values]) :- pairs_keys_values(Pairs, Keys, Values).

pairs_keys([], []).
pairs_keys([Key-_|Pairs], [Key|Keys]) :- pairs_keys(Pairs, Keys).

pairs_values([], []).
pairs_values([_-Value|Pairs], [Value|Values]) :- pairs_values(Pairs, Values).

nextto(X, Y, [X, Y|_]).
nextto(X, Y, [_|Zs]) :- nextto(X, Y, Zs).

clumped([], []).
clumped([X|Xs], [X-Count|Counts]) :- '$clumped'(Xs, X, 1, Count, Rest), clumped(Rest, Counts).

'$clumped'([Y|Ys], X, Count0, Count, Rest) :- Y == X, !, Count1 is Count0 + 1, '$clumped'(Ys, X, Count1, Count, Rest).
'$clumped'(Rest, _, Count, Count, Rest).

selectchk(X, Xs, Y, Ys) :- select(X, Xs, Y, Ys), !.
