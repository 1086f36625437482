%@ args: --goal kind/2 --ground 1 --term-depth 0
%@ paths: 13
%@ complete: yes
% Twelve facts: 13 of the 4096 subsets are feasible.
kind(monday, work).
kind(tuesday, work).
kind(wednesday, work).
kind(thursday, work).
kind(friday, work).
kind(saturday, rest).
kind(sunday, rest).
kind(christmas, feast).
kind(easter, feast).
kind(new_year, feast).
kind(whitsun, feast).
kind(all_saints, feast).
