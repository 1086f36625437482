%@ args: --goal app/3 --ground 1,2 --term-depth 3
%@ paths: 8
%@ complete: yes
%@ args: --goal app/3 --ground 3 --solutions all --term-depth 3
%@ paths: 4
%@ complete: yes
% The textbook append.
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
