%@ args: --goal owner/2 --ground 1 --term-depth 0
%@ paths: 6
%@ complete: yes
% Who owns the zebra? The pet is the input.
owner(Pet, Owner) :-
    houses(Hs),
    member(house(Owner, _, Pet, _, _), Hs),
    !.

houses(Hs) :-
    Hs = [house(norwegian, _, _, _, _), _, house(_, _, _, milk, _), _, _],
    member(house(englishman, red, _, _, _), Hs),
    member(house(spaniard, _, dog, _, _), Hs),
    member(house(_, green, _, coffee, _), Hs),
    member(house(ukrainian, _, _, tea, _), Hs),
    right_of(house(_, green, _, _, _), house(_, ivory, _, _, _), Hs),
    member(house(_, _, snails, _, winston), Hs),
    member(house(_, yellow, _, _, kools), Hs),
    next_to(house(_, _, _, _, chesterfield), house(_, _, fox, _, _), Hs),
    next_to(house(_, _, _, _, kools), house(_, _, horse, _, _), Hs),
    member(house(_, _, _, orange_juice, lucky), Hs),
    member(house(japanese, _, _, _, parliament), Hs),
    next_to(house(norwegian, _, _, _, _), house(_, blue, _, _, _), Hs),
    member(house(_, _, zebra, _, _), Hs).

right_of(A, B, [B,A|_]).
right_of(A, B, [_|Hs]) :- right_of(A, B, Hs).

next_to(A, B, Hs) :- right_of(A, B, Hs).
next_to(A, B, Hs) :- right_of(B, A, Hs).
