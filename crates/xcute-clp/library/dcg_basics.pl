% Grammar rules for codes, of programs that import library(dcg/basics).

white --> [C], { nonvar(C), code_type(C, white) }.

whites --> white, !, whites.
whites --> [].

blank --> [C], { nonvar(C), code_type(C, space) }.

blanks --> blank, !, blanks.
blanks --> [].

nonblank(C) --> [C], { code_type(C, graph) }.

nonblanks([C|Cs]) --> [C], { code_type(C, graph) }, !, nonblanks(Cs).
nonblanks([]) --> [].

blanks_to_nl --> [0'\n], !.
blanks_to_nl --> blank, !, blanks_to_nl.
blanks_to_nl --> eos.

string([]) --> [].
string([C|Cs]) --> [C], string(Cs).

string_without(End, Codes) --> { string(End), !, string_codes(End, Ends) }, '$string_without'(Ends, Codes).
string_without(End, Codes) --> '$string_without'(End, Codes).

'$string_without'(Ends, [C|Cs]) --> [C], { \+ memberchk(C, Ends) }, !, '$string_without'(Ends, Cs).
'$string_without'(_, []) --> [].

digits([D|Ds]) --> digit(D), !, digits(Ds).
digits([]) --> [].

digit(D) --> [D], { code_type(D, digit) }.

integer(I, Head, Tail) :- nonvar(I), !, format(codes(Codes), '~d', [I]), append(Codes, Tail, Head).
integer(I, Head, Tail) :- '$int_codes'(Codes, Head, Tail), number_codes(I, Codes).

'$int_codes'([Sign, D|Ds]) --> '$sign'(Sign), !, digit(D), digits(Ds).
'$int_codes'([D|Ds]) --> digit(D), digits(Ds).

'$sign'(0'-) --> [0'-].
'$sign'(0'+) --> [0'+].

float(F, Head, Tail) :- float(F), !, format(codes(Codes), '~w', [F]), append(Codes, Tail, Head).
float(F, Head, Tail) :- number(F, Head, Tail), float(F).

number(N, Head, Tail) :- number(N), !, format(codes(Codes), '~w', [N]), append(Codes, Tail, Head).
number(N, Head, Tail) :- var(N), !, '$number_codes'(Codes, Head, Tail), number_codes(N, Codes).
number(N, _, _) :- throw(error(type_error(number, N), _)).

'$number_codes'(Codes) -->
    '$int_codes'(Int),
    (   [0'.], digit(D), digits(Ds) -> { Fraction = [0'., D|Ds] } ; { Fraction = [] } ),
    (   '$exponent' -> '$int_codes'(Digits), { Exponent = [0'e|Digits] } ; { Exponent = [] } ),
    { append([Int, Fraction, Exponent], Codes) }.

'$exponent' --> [0'e].
'$exponent' --> [0'E].

xdigit(D) --> [C], { code_type(C, xdigit(D)) }.

xdigits([D|Ds]) --> xdigit(D), !, xdigits(Ds).
xdigits([]) --> [].

xinteger(Value, Head, Tail) :- integer(Value), !, format(codes(Codes), '~16r', [Value]), append(Codes, Tail, Head).
xinteger(Value, Head, Tail) :- '$sign'(Sign, Head, Rest), !, '$xvalue'(Value0, Rest, Tail), ( Sign == 0'- -> Value is -Value0 ; Value = Value0 ).
xinteger(Value, Head, Tail) :- '$xvalue'(Value, Head, Tail).

'$xvalue'(Value) --> xdigit(D), xdigits(Ds), { '$hexadecimal'(Ds, D, Value) }.

'$hexadecimal'([], Value, Value).
'$hexadecimal'([D|Ds], Value0, Value) :- Value1 is Value0 * 16 + D, '$hexadecimal'(Ds, Value1, Value).

eol --> [0'\n], !.
eol --> [0'\r, 0'\n], !.
eol --> eos.

eos([], []).

remainder(List, List, []).

atom(Atom, Head, Tail) :- must_be(ground, Atom), format(codes(Codes), '~w', [Atom]), append(Codes, Tail, Head).
