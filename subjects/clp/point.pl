%@ args: --goal move/3 --ground 1,2 --term-depth 1
%@ paths: 5
%@ complete: yes
% Records: the predicates that make and change them come with the directive.
:- use_module(library(record)).
:- record point(x:integer=0, y:integer=0).

move(DX, P0, P) :- is_point(P0), integer(DX), point_x(P0, X0), X is X0 + DX, set_x_of_point(X, P0, P).
