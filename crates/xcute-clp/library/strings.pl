% Texts.

concat_atom(Parts, Atom) :- '$atomic_parts'(Parts), atomic_list_concat(Parts, Atom).

'$atomic_parts'(Parts) :-
    (   nonvar(Parts), Parts = [Part|Rest], nonvar(Part) -> '$atomic_input'(Part), '$atomic_parts'(Rest)
    ;   true
    ).

'$atomic_input'(X) :-
    (   var(X) -> throw(error(instantiation_error, _))
    ;   compound(X) -> throw(error(type_error(atomic, X), _))
    ;   X == [] -> throw(error(type_error(atom, X), _))
    ;   true
    ).

concat_atom(Parts, Separator, Atom) :- atomic_list_concat(Parts, Separator, Atom).

string_lines(String, Lines) :-
    (   var(String) -> '$must_be_list'(Lines), append(Lines, [""], Ended), atomic_list_concat(Ended, '\n', Atom), atom_string(Atom, String)
    ;   split_string(String, "\n", "", Lines0), ( append(Lines1, [""], Lines0) -> Lines = Lines1 ; Lines = Lines0 )
    ).

normalize_space(Out, Input) :-
    '$check_sink'(Out),
    '$atomic_input'(Input),
    atom_string(Input, Text),
    split_string(Text, " \t\n\r\f\v", " \t\n\r\f\v", Words0),
    '$words'(Words0, Words),
    atomic_list_concat(Words, ' ', Atom),
    with_output_to(Out, write(Atom)).

'$words'([], []).
'$words'([Word|Words], Rest) :- ( Word == "" -> Rest = Rest1 ; Rest = [Word|Rest1] ), '$words'(Words, Rest1).
