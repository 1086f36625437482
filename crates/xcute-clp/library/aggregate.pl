% Aggregation of solutions.

aggregate_all(Template, _, _) :- var(Template), !, throw(error(instantiation_error, _)).
aggregate_all(count, Goal, Count) :- !, findall(x, Goal, Xs), length(Xs, Found), Count = Found.
aggregate_all(sum(X), Goal, Sum) :- !, findall(X, Goal, Xs), '$sum_list'(Xs, 0, Sum).
aggregate_all(max(X), Goal, Max) :- !, findall(X, Goal, Xs), '$max_found'(Xs, X, Max).
aggregate_all(min(X), Goal, Min) :- !, findall(X, Goal, Xs), '$min_found'(Xs, X, Min).
aggregate_all(max(X, W), Goal, max(Max, Witness)) :- !, findall(X-W, Goal, [First|Rest]), '$number_first'(First), '$max_pair'(Rest, First, Max-Witness).
aggregate_all(min(X, W), Goal, min(Min, Witness)) :- !, findall(X-W, Goal, [First|Rest]), '$number_first'(First), '$min_pair'(Rest, First, Min-Witness).
aggregate_all(Template, Goal, Result) :-
    '$aggregate_pattern'(Template, Pattern, Post, _, Aggregate),
    '$with_post'(Goal, Post, Both),
    findall(Pattern, Both, Rows),
    '$aggregate_rows'(Aggregate, Rows, Result).

% Of no solutions the largest is what is given.
'$max_found'([], Max, Max) :- nonvar(Max).
'$max_found'([First|Xs], _, Max) :- Max0 is First, '$max_of'(Xs, Max0, Max).

'$min_found'([], Min, Min) :- nonvar(Min).
'$min_found'([First|Xs], _, Min) :- Min0 is First, '$min_of'(Xs, Min0, Min).

aggregate_all(Template, Discriminator, Goal, Result) :-
    '$aggregate_pattern'(Template, Pattern, Post, _, Aggregate),
    '$with_post'(Goal, Post, Both),
    findall(Discriminator-Pattern, Both, Pairs0),
    sort(Pairs0, Pairs),
    pairs_values(Pairs, Rows),
    '$aggregate_rows'(Aggregate, Rows, Result).

aggregate(Template, Goal, _) :- var(Template), !, '$body_of'(Goal, Body), call(Body), throw(error(instantiation_error, _)).
aggregate(Template, Goal0, Result) :-
    '$aggregate_pattern'(Template, Pattern, Post, Vars, Aggregate),
    '$existential'(Goal0, Post, Vars, Goal),
    bagof(Pattern, Goal, Rows),
    '$aggregate_rows'(Aggregate, Rows, Result).

aggregate(Template, _, Goal, _) :- var(Template), !, '$body_of'(Goal, Body), call(Body), throw(error(instantiation_error, _)).
aggregate(Template, Discriminator, Goal0, Result) :-
    '$aggregate_pattern'(Template, Pattern, Post, Vars, Aggregate),
    '$existential'(Goal0, Post, Vars, Goal),
    setof(Discriminator-Pattern, Goal, Pairs),
    pairs_values(Pairs, Rows),
    '$aggregate_rows'(Aggregate, Rows, Result).

'$number_first'(X-_) :- ( number(X) -> true ; throw(error(type_error(number, X), _)) ).

'$max_of'([], Max, Max).
'$max_of'([X|Xs], Max0, Max) :- Max1 is max(Max0, X), '$max_of'(Xs, Max1, Max).

'$min_of'([], Min, Min).
'$min_of'([X|Xs], Min0, Min) :- Min1 is min(Min0, X), '$min_of'(Xs, Min1, Min).

'$max_pair'([], Max, Max).
'$max_pair'([X-W|Pairs], X0-W0, Max) :- ( X > X0 -> '$max_pair'(Pairs, X-W, Max) ; '$max_pair'(Pairs, X0-W0, Max) ).

'$min_pair'([], Min, Min).
'$min_pair'([X-W|Pairs], X0-W0, Min) :- ( X < X0 -> '$min_pair'(Pairs, X-W, Min) ; '$min_pair'(Pairs, X0-W0, Min) ).

% '$aggregate_pattern'(template, what is found for it, a goal for that, its variables, what to do with all of it)
'$aggregate_pattern'(Template, Pattern, Post, Vars, Aggregate) :-
    (   '$aggregate_one'(Template, Pattern, Post, Vars, Aggregate) -> true
    ;   compound(Template) ->
        Template =.. [Name|Templates],
        '$aggregate_each'(Templates, Patterns, Post, Vars, Aggregates),
        Pattern =.. [Name|Patterns],
        Aggregate = all(Name, Aggregates)
    ;   '$no_template'(Template)
    ).

'$aggregate_one'(Template, _, _, _, _) :- var(Template), !, fail.
'$aggregate_one'(count, 1, true, [], count).
'$aggregate_one'(sum(X), Y, Post, Vars, sum) :- '$evaluated'(X, Y, Post, Vars).
'$aggregate_one'(min(X), Y, Post, Vars, min) :- '$evaluated'(X, Y, Post, Vars).
'$aggregate_one'(max(X), Y, Y is X, [X], max).
'$aggregate_one'(min(X, W), Y-W, Y is X, [X], min_witness).
'$aggregate_one'(max(X, W), Y-W, Y is X, [X], max_witness).
'$aggregate_one'(set(X), X, true, [], set).
'$aggregate_one'(bag(X), X, true, [], bag).

'$evaluated'(X, Y, Post, Vars) :- ( var(X) -> Y = X, Post = true, Vars = [] ; Post = (Y is X), Vars = [X] ).

'$aggregate_each'([], [], true, [], []).
'$aggregate_each'([T|Ts], [P|Ps], Both, Vars, [A|As]) :-
    (   '$aggregate_one'(T, P, Post, Vars0, A) -> true ; '$no_template'(T) ),
    '$aggregate_each'(Ts, Ps, Posts, Vars1, As),
    (   Posts == true -> Both = Post ; Post == true -> Both = Posts ; Both = (Post, Posts) ),
    append(Vars0, Vars1, Vars).

% A goal and what is calculated of each of its solutions: what is not a goal is to blame with its module.
'$with_post'(Goal, Post, Both) :-
    (   Post == true -> Both = Goal
    ;   nonvar(Goal), \+ callable(Goal) -> '$in_module'(Goal, Qualified), throw(error(type_error(callable, (Qualified, Post)), _))
    ;   Both = (Goal, Post)
    ).

'$body_of'(Goal, Body) :- ( nonvar(Goal), Goal = _^Inner -> '$body_of'(Inner, Body) ; Body = Goal ).

'$no_template'(Template) :-
    (   var(Template) -> throw(error(instantiation_error, _))
    ;   callable(Template) -> throw(error(domain_error(aggregate_template, Template), _))
    ;   throw(error(type_error(aggregate_template, Template), _))
    ).

'$existential'(Goal0, Post, Vars, Goal) :-
    (   nonvar(Goal0), Goal0 = V^Goal1 -> Goal = V^Goal2, '$existential'(Goal1, Post, Vars, Goal2)
    ;   '$with_post'(Goal0, Post, Both), Goal = Vars^Both
    ).

'$aggregate_rows'(bag, Rows, Rows).
'$aggregate_rows'(set, Rows, Set) :- sort(Rows, Set).
'$aggregate_rows'(count, Rows, Count) :- length(Rows, Count).
'$aggregate_rows'(sum, Rows, Sum) :- '$sum_list'(Rows, 0, Sum).
'$aggregate_rows'(max, [Row|Rows], Max) :- '$max_of'(Rows, Row, Max).
'$aggregate_rows'(min, [Row|Rows], Min) :- '$min_of'(Rows, Row, Min).
'$aggregate_rows'(max_witness, [Row|Rows], max(Max, Witness)) :- '$max_pair'(Rows, Row, Max-Witness).
'$aggregate_rows'(min_witness, [Row|Rows], min(Min, Witness)) :- '$min_pair'(Rows, Row, Min-Witness).
'$aggregate_rows'(all(Name, Aggregates), Rows, Result) :- '$aggregate_columns'(Aggregates, 1, Rows, Results), Result =.. [Name|Results].

'$aggregate_columns'([], _, _, []).
'$aggregate_columns'([A|As], N, Rows, [R|Rs]) :-
    '$column'(Rows, N, Column),
    '$aggregate_rows'(A, Column, R),
    N1 is N + 1,
    '$aggregate_columns'(As, N1, Rows, Rs).

'$column'([], _, []).
'$column'([Row|Rows], N, [X|Xs]) :- arg(N, Row, X), '$column'(Rows, N, Xs).

% What generator and goal share is the solutions', the other variables are those of the caller.
foreach(Generator, Goal) :-
    term_variables(Generator, Vars),
    term_variables(Goal, GoalVars),
    '$split_shared'(GoalVars, Vars, Shared, Others),
    findall(Shared, Generator, Solutions),
    '$prove_each'(Solutions, Shared, Others, Goal).

'$split_shared'([], _, [], []).
'$split_shared'([V|Vs], Vars, Shared, Others) :-
    (   '$seen'(Vars, V) -> Shared = [V|Shared1], Others = Others1
    ;   Shared = Shared1, Others = [V|Others1]
    ),
    '$split_shared'(Vs, Vars, Shared1, Others1).

'$prove_each'([], _, _, _).
'$prove_each'([Solution|Solutions], Shared, Others, Goal) :-
    copy_term_nat(Shared-Others-Goal, Solution-Others-Copy),
    call(Copy),
    '$prove_each'(Solutions, Shared, Others, Goal).
