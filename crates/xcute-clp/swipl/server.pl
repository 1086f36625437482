% What xcute runs inside SWI-Prolog: a loop that reads requests from standard input and prints one line for each. The program under test gets
% neither of the two: its input is empty, and what it prints is thrown away.

:- module(xcute_server, []).
:- use_module(library(process)).
:- use_module(library(time)).
:- use_module(library(lists)).

:- dynamic said/1.
:- multifile user:term_expansion/2.
:- dynamic user:term_expansion/2.

% Messages while loading are a part of the answer.
user:message_hook(Term, Kind, Lines) :-
    memberchk(Kind, [error, warning]),
    Term \= format('xcute: ~w', _),
    message_to_line(Lines, Line),
    assertz(xcute_server:said(Kind-Line)).

message_to_line(Lines, Line) :-
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)),
    split_string(Text, "\n", " \t", Parts),
    exclude(==(""), Parts, Some),
    atomic_list_concat(Some, ' ', Line).

main :-
    at_halt(xcute_server:die),
    stream_property(In, alias(user_input)),
    stream_property(Out, alias(user_output)),
    set_stream(In, encoding(utf8)),
    set_stream(Out, encoding(utf8)),
    open_null_stream(Null),
    open('/dev/null', read, Nothing),
    set_stream(Nothing, alias(user_input)),
    set_stream(Null, alias(user_output)),
    set_input(Nothing),
    set_output(Null),
    serve(In, Out).

serve(In, Out) :-
    repeat,
    catch(read_term(In, Request, [module(xcute_server)]), _, Request = bad),
    (   Request == end_of_file -> !
    ;   once(answer(Request, Answer)),
        format(Out, '\x01\', []),
        write_term(Out, Answer, [quoted(true), ignore_ops(true), numbervars(false), character_escapes(true), max_depth(0)]),
        nl(Out),
        flush_output(Out),
        fail
    ).

answer(load(File), loaded(Messages)) :- !,
    retractall(said(_)),
    catch(load_files(user:File, [silent(true)]), Error, print_message(error, Error)),
    findall(Message, said(Message), Messages).
answer(declarations, done) :- !,
    op(1150, fx, user:[pred, mode, type, regtype]),
    op(1130, xfx, user:(--->)),
    op(650, xfx, user:(::)),
    op(200, fy, user:[++, --]),
    assertz((user:term_expansion((:- pred(_)), []))),
    assertz((user:term_expansion((:- mode(_)), []))),
    assertz((user:term_expansion((:- type(_)), []))),
    assertz((user:term_expansion((:- regtype(_)), []))).
answer(solve(Text, Max, Inferences, Seconds), Answer) :- !,
    catch(goal_of(Text, Goal, Names), error(Error, _), true),
    (   nonvar(Error)
    ->  Answer = answer([], [], refused(Error))
    ;   values(Names, Values, Variables),
        solve(Goal, Variables, Max, Inferences, Seconds, Solutions, Status),
        (   acyclic_term(Solutions-Status) -> Answer = answer(Values, Solutions, Status)
        ;   Answer = answer(Values, [], refused(cyclic_term))
        )
    ).
answer(_, bad).

goal_of(Text, Goal, Names) :-
    setup_call_cleanup(open_string(Text, Stream), read_term(Stream, Goal, [module(user), variable_names(Names)]), close(Stream)).

values([], [], []).
values([Name=Variable|Names], [Name|Values], [Variable|Variables]) :- values(Names, Values, Variables).

% Solutions are kept outside of backtracking, so that those before an error are known too.
solve(Goal, Variables, Max, Inferences, Seconds, Solutions, Status) :-
    State = state(0, []),
    catch(snapshot(limited(Goal, Variables, Max, Inferences, Seconds, State, Status)), Error, Status = Error),
    arg(2, State, Reversed),
    reverse(Reversed, Solutions).

limited(Goal, Variables, Max, Inferences, Seconds, State, Status) :-
    catch(call_with_time_limit(Seconds, call_with_inference_limit(collect(user:Goal, Variables, Max, State, Status0), Inferences, Result)),
          Error, failed(Error, Status0)),
    (   Result == inference_limit_exceeded -> Status = inferences
    ;   Status = Status0
    ).

failed(time_limit_exceeded, time) :- !.
% The context of an error inside another says where the library caught it.
failed(error(assertion_error(error(Formal, _), Goal), _), error(assertion_error(error(Formal, _), Goal))) :- !.
% Of a predicate that is not deterministic, SWI-Prolog blames the one that was called last in its place.
failed(error(determinism_error(_, Declared, Found, _), _), error(determinism_error(_, Declared, Found, _))) :- !.
failed(error(Formal, _), error(Formal)) :- !.
failed(Ball, thrown(Ball)).

collect(Goal, Variables, Max, State, Status) :-
    (   call_cleanup(Goal, Last = true),
        record(Variables, State, Count),
        (   Last == true -> Status0 = complete
        ;   Count >= Max -> Status0 = more
        ;   fail
        )
    ->  Status = Status0
    ;   Status = complete
    ).

record(Variables, State, Count) :-
    copy_term(Variables, Values, Residual),
    arg(1, State, Count0),
    arg(2, State, Before),
    Count is Count0 + 1,
    duplicate_term(solution(Values, Residual), Solution),
    nb_setarg(1, State, Count),
    nb_linkarg(2, State, [Solution|Before]).

% A goal that calls halt/0 ends the process at once, as it would end the program.
die :- current_prolog_flag(pid, Pid), catch(process_kill(Pid, kill), _, true).
