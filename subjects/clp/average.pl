%@ args: --goal average/2 --ground 1 --term-depth 2
%@ failure: uncaught-exception
%@ complete: yes
% The average of no numbers: a division by zero that only one input shows.
:- pred average(+list(int), -int).
average(Xs, A) :-
    sum_list(Xs, S),
    length(Xs, N),
    A is S // N.
