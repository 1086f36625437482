%@ args: --goal hanoi/1 --term-depth 2
%@ paths: 6
%@ complete: yes
% The towers of Hanoi, with the number of discs as an input.
hanoi(N) :- tower(N, left, middle, right).

tower(0, _, _, _).
tower(s(N), From, To, By) :-
    tower(N, From, By, To),
    carry(From, To),
    tower(N, By, To, From).

carry(_, _).
