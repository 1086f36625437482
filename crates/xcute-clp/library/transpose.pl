% Of library(clpfd), and only where a program imports it.

transpose(Rows, Columns) :- must_be(list(list), Rows), '$lists_transpose'(Rows, Columns).

'$lists_transpose'([], []).
'$lists_transpose'([Row|Rows], Columns) :- '$transpose'(Row, [Row|Rows], Columns).

'$transpose'([], _, []).
'$transpose'([_|Xs], Rows, [Column|Columns]) :- '$first_column'(Rows, Column, Rest), '$transpose'(Xs, Rest, Columns).

'$first_column'([], [], []).
'$first_column'([[X|Xs]|Rows], [X|Column], [Xs|Rest]) :- '$first_column'(Rows, Column, Rest).
