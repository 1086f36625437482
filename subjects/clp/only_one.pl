%@ args: --goal price/2 --ground 1
%@ paths: 4
%@ failure: uncaught-exception
%@ complete: yes
% A predicate that must be deterministic throws where it fails, and where it leaves choice points.
:- det(price/2).
price(apple, 2).
price(pear, 3).
price(pear, 4).
price(Fruit, P) :- Fruit == plum, P = 1.
