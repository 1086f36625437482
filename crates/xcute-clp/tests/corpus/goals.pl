% Goals whose values of X, errors and order of solutions must be those of SWI-Prolog: one in each line. The clauses come first.
p(1). p(2). p(3).
age(peter, 7). age(ann, 11). age(pat, 8). age(tom, 5). age(mike, 11).
p1(a, X) => X = 1.
p1(b, X), X == 2 => true.
p1(b, X), X == 3 => true.
q1(f(X), Y) => Y = X.
r1(X, Y), X > 0, X < 5 => Y = small.
r1(X, Y), X >= 5 => Y = large.
s1(X, Y), member(Y, [1, 2]) => X = Y.
s1(_, _) => fail.
even(N) :- 0 is N mod 2.
bad(_) :- throw(oops).
add(X, Y, Z) :- Z is X + Y.
greeting --> [hello], name.
name --> [world].
name --> [prolog].
digits([D|T]) --> digit(D), digits(T).
digits([D]) --> digit(D).
digit(D) --> [D], { code_type(D, digit) }.
queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs), labeling([ff], Qs).
safe([]). safe([Q|Qs]) :- free(Q, Qs, 1), safe(Qs).
free(_, [], _). free(Q, [R|Rs], D) :- Q #\= R, Q #\= R + D, Q #\= R - D, E is D + 1, free(Q, Rs, E).
% Solutions and their order.
bagof(Y-Z, age(Y, Z), X)
setof(Z-Y, age(Y, Z), X)
setof(Z, Y^age(Y, Z), X)
(bagof(Y, age(Y, Z), L), X = Z-L)
(setof(Y, Z^age(Y, Z), X) ; X = none)
(bagof(Y, age(Y, 99), X) ; X = none)
findall(Y, age(Y, 11), X, [end])
aggregate_all(count, p(_), X)
aggregate_all(sum(Y), p(Y), X)
aggregate_all(max(Y), p(Y), X)
aggregate_all(min(Y-Z), age(Z, Y), X)
aggregate_all(max(Y, Z), age(Z, Y), X)
aggregate_all(bag(Y), age(Y, _), X)
aggregate_all(set(Y), age(_, Y), X)
aggregate_all(max(Y), (p(Y), Y > 5), X)
aggregate_all(count, fail, X)
forall(member(Y, [1, 2]), Y > 0), X = yes
\+ \+ X = 1
(X = 1 ; X = 2 ; X = 3), X > 1, !
call((p(X), !))
call((fail ; X = 1))
once(p(X)), \+ X = 2
findall(X-Y, (p(X), p(Y), X < Y), L), length(L, X)
forall(p(Y), (Y > 1 -> true ; Y == 1)), X = ok
(p(X), X > 1 -> true ; X = 0)
(p(X) *-> X > 1 ; X = 0)
catch(number_codes(X, "3x"), error(syntax_error(E), _), X = E)
catch(throw(first), first, throw(second))
catch((member(X, [1, 2, 3]), X > 1, throw(stop(X))), stop(Y), X = caught(Y))
call_cleanup(X = 1, true)
setup_call_cleanup(Y = 1, X = Y, true)
catch(setup_call_cleanup(true, throw(oops), true), E, X = E)
nb_setval(k, 0), call_cleanup(member(X, [1, 2]), nb_setval(k, done)), X = 1, !, nb_getval(k, _)
nb_setval(k, 0), (setup_call_cleanup(true, fail, nb_setval(k, done)) ; nb_getval(k, X))
call([Y]>>(X = Y), 1)
maplist([Y, Z]>>(Z is Y * 2), [1, 2, 3], X)
foldl([Y, A, B]>>(B is A + Y), [1, 2, 3], 0, X)
N = 10, maplist({N}/[Y, Z]>>(Z is Y + N), [1, 2], X)
maplist(\Y^(Y = 1), [X])
include([Y]>>(Y > 1), [1, 2, 3], X)
maplist([Y]>>(member(Y, [a, b])), X), length(X, 1), !
phrase(greeting, [hello, X])
phrase(digits(Ds), `12`, R), X = Ds-R
phrase(([a], [X]), [a, b])
foldl(add, [1, 2, 3], 0, X)
apply(add(1), [2, X])
call(add(1), 2, X)
between(1, inf, X), X >= 3, !
repeat, nb_setval(c, 1), !, X = 1
% Terms.
functor(X, foo, 3)
functor(foo(a), X, _)
functor(X, foo, 0)
functor(X, "s", 0)
functor(X, foo, -1)
functor(_, _, _)
functor(X, foo(a), 1)
functor([a], X, _)
X =.. [foo, 1, 2]
foo(1, 2) =.. X
X =.. [1]
X =.. [1, 2]
X =.. []
X =.. [foo|_]
arg(2, f(a, b, c), X)
arg(X, f(a, b, a), a)
arg(0, f(a), X)
arg(x, f(a), X)
arg(1, a, X)
copy_term(f(A, B, A), X)
copy_term([A-B, B-A], [X-1|_])
term_variables(f(A, g(B), A), L), length(L, X)
T = f(a, b), setarg(1, T, c), X = T
T = f(a, b), (setarg(1, T, c), fail ; X = T)
T = f(a, b), (nb_setarg(1, T, c), fail ; X = T)
T = count(0), (member(_, [a, b, c]), arg(1, T, C0), C is C0 + 1, nb_setarg(1, T, C), fail ; arg(1, T, X))
setarg(3, f(a), x), X = 1
compare(X, 1, 1.0)
compare(X, f(a, b), g(a))
compare(X, "abc", abc)
msort([z, a, 1, 2.0, "s", f(x), Y, g], [_|X])
sort([c, a, b, a], X)
sort(0, @>=, [1, 2, 3, 2], X)
sort(1, @<, [f(2, a), f(1, b), f(2, c)], X)
sort(1, @=<, [f(2, a), f(1, b), f(2, c)], X)
sort(a, X)
sort([a|_], X)
predsort([O, A, B]>>compare(O, A, B), [c, a, b, a], X)
list_to_set([a, b, a, 1, 1.0], X)
length(X, 2)
length([a, b|T], 3), X = T
length(X, -1)
length([a|_], -1), X = 1
length([a], -1), X = 1
length([a|_], 0), X = 1
length(X, a)
length([a|b], X)
length(L, L), X = 1
ground(f(a, _)) -> X = yes ; X = no
f(A, B) =@= f(C, D), X = yes
f(A, A) =@= f(C, D) -> X = yes ; X = no
f(A) \=@= f(b), X = yes
subsumes_term(f(_), f(a)), X = yes
subsumes_term(f(a), f(_)) -> X = yes ; X = no
unifiable(f(A, b), f(c, B), L), length(L, X)
?=(a, b), X = yes
?=(A, b) -> X = yes ; X = no
term_to_atom(f(X, a, "s", 'B c'), A), atom(A), X = 1
term_to_atom(X, 'foo(Bar, baz, Bar)')
term_to_atom(X, 'foo(')
term_to_atom(1 + 2 * 3, X)
term_string(X, "p(A, B)")
term_string(S, "x"), X = S
atom_to_term('f(X, Y, X)', T, B), X = T-B
read_term_from_atom('hello(World)', X, [])
tab(2), nl, X = done
acyclic_term(f(a)), X = yes
cyclic_term(f(a)) -> X = yes ; X = no
numbervars(f(A, B), 0, X)
numbervars(T, 0, _), X = T
T = f(A, B), numbervars(T, 23, _), X = T
callable(foo) -> X = yes ; X = no
is_list([a|_]) -> X = yes ; X = no
is_list([a]), X = yes
is_dict(a) -> X = yes ; X = no
atomic("s"), X = yes
is_assoc(t), X = yes
must_be(integer, 3), X = ok
must_be(integer, a), X = ok
must_be(integer, _), X = ok
must_be(positive_integer, 0), X = ok
must_be(nonneg, -1), X = ok
must_be(list, [a|b]), X = ok
must_be(boolean, maybe), X = ok
must_be(between(1, 3), 4), X = ok
must_be(oneof([a, b]), c), X = ok
must_be(list(integer), [1, a]), X = ok
must_be(foo, c), X = ok
is_of_type(integer, 3), X = ok
is_of_type(positive_integer, 0) -> X = yes ; X = no
ground(a), tab(user_error, 1), X = 1
% Numbers.
X is cot(1.0) * 0 + truncate(3.7) + integer(2.5) + round(-2.5) + ceiling(1.2) + floor(-1.2)
X is sign(-3) + abs(-4) + min(2, 3) + max(2, 3)
X is msb(1000) + gcd(12, 18) + 7 xor 2 + 5 /\ 3 + 5 \/ 3 + (1 << 10) + (1024 >> 3) + \ 5
X is 2 ** -1
X is 2 ^ -1
X is 2 ** 3.0
X is 2 ^ 100
X is 7 mod -2 + -7 // 2 + truncate(7 / 2)
X is "a" + 0
X is a
X is [1]
X is pi + e - pi - e
X is sqrt(16) + exp(0) + log(1) + sin(0) + cos(0) + atan(0)
X is sqrt(-1)
X is log(0)
X is 1 / 0.0
X is 0 / 0.0
X is 1.0 / 3
X is 10 / 4
X is 10 / 5
X is divmod(1, 2)
X is max(1, 1.0)
X is min(1, 1.0)
X is max(1.0, 1)
X is max(2, 1.0) + min(2, 3.0)
X is 0 ** -1
X is 0 ^ -1
X is 2.0 ** -1
X is cot(0)
X is trig(1)
X is 5.0
X is integer(1.0e20)
X is 123456789 * 987654321 * 123456789
X is -(-(3))
X is + 3
X is truncate(-0.5)
X is 7 rem -2
X is mod(7, 0)
X is 1 << -1
X is trunc(2.5)
X is cot(1)
X is atan2(1, 1) - atan(1, 1)
X is tan(0) + asin(0) + acos(1)
X is sinh(0) + cosh(0) + tanh(0)
X is ceiling(2.0)
1 =:= 1.0, X = yes
1 == 1.0 -> X = yes ; X = no
a < 1, X = 1
_ < 1, X = 1
succ(X, 4)
succ(3, X)
succ(X, 0)
succ(a, X)
succ(-1, X)
succ(_, _)
plus(1, X, 5)
plus(X, 2, 5)
plus(1, 2, X)
plus(_, _, X)
between(1, 3, X)
between(3, 1, X)
between(1, a, X)
between(1, 3, 2), X = yes
between(1, _, X)
numlist(1, 5, X)
sum_list([1, 2.5], X)
max_list([1, 3, 2], X)
divmod(17, 5, Q, R), X = Q-R
char_code(X, 0'a)
char_code(a, X)
char_code(X, _)
number_codes(X, "12")
number_codes(X, " 12")
number_codes(X, "0x1A")
number_codes(X, "foo")
number_codes(12, X)
atom_number('3.14', X)
atom_number(foo, X)
atom_number('0b101', X)
atom_number(X, 5)
atom_number('12abc', X)
atom_number("7", X)
% Texts.
atom_codes(abc, X)
atom_codes(X, "abc")
atom_codes(12, X)
atom_codes(X, [0'a|_])
atom_chars(X, [a, b])
atom_chars(123, X)
atom_chars([], X)
atom_codes([], X)
atom_length([], X)
atom_codes(f(x), X)
atom_chars(X, [a, f(b)])
atom_chars(X, [a|b])
atom_number(X, Y)
upcase_atom(f(x), X)
string_concat(f(x), a, X)
string_length(f(x), X)
sub_atom(f(x), _, _, _, X)
number_codes(X, [0'1|_])
atom_to_term(X, Y, Z)
split_string(f(x), "", "", X)
number_codes(X, "-5")
number_codes(X, "- 5")
number_codes(X, "+5")
number_codes(X, "5 ")
number_codes(X, "1e5")
number_codes(X, "1.0e5")
number_codes(X, "0'a")
atom_number('-7', X)
atom_number('+7', X)
atom_number(' 7', X)
number_string(X, " 7")
atom_length(hello, X)
atom_length(12345, X)
atom_length(X, 3)
atom_length(a, b)
atom_length(f(x), X)
atom_concat(abc, X, abcdef)
atom_concat(X, Y, ab)
atom_concat(a, 1, X)
atom_concat(a, _, _)
sub_atom(abcde, 1, 2, _, X)
sub_atom(abcde, B, 2, 0, S), X = B-S
sub_atom(abab, B, _, _, ab), X = B
sub_atom(ab, _, _, _, X)
sub_atom(abc, _, 1, _, X)
sub_atom(X, 1, 2, _, a)
sub_atom(abc, a, _, _, X)
upcase_atom('hello World', X)
downcase_atom('Hello', X)
string_upper("abc", X)
string_lower("ABC", X)
term_to_atom(X, '"str"')
atomic_list_concat([a, 1, "s", 2.5], X)
atomic_list_concat([a, b, c], '-', X)
atomic_list_concat(X, ',', 'a,b,c')
atomic_list_concat(X, '', abc)
atomic_list_concat([a, X], '-', 'a-b')
atomic_list_concat([a, _], X)
atomic_list_concat([a, f(x)], X)
split_string("a.b.c", ".", "", X)
split_string("  a  ", "", " ", X)
split_string("/home//jan///nice/path", "/", "", X)
split_string("a b , c", ",", " ", X)
split_string("", "", "", X)
string_concat("abc", X, "abcd")
string_concat(X, "d", "abcd")
string_concat(a, 1, X)
string_length("hello", X)
string_length(hello, X)
string_chars(X, [h, i])
string_codes("hi", X)
string_to_atom("abc", X)
string_to_atom(X, abc)
string_code(1, "abc", X)
string_code(0, "abc", X)
sub_string("hello world", B, _, 0, "world"), X = B
sub_string("abc", 0, 2, _, X)
number_string(X, " 42 ")
number_string(X, "4x")
number_string(42, X)
atom_string(X, "abc")
atom_string(42, X)
string("abc"), X = yes
text_to_string(hello, X)
text_to_string([h, i], X)
text_to_string(`hi`, X)
char_type(a, alpha), X = yes
char_type(X, digit(5))
char_type('A', upper(X))
code_type(0'1, digit(X))
code_type(0' , space), X = yes
code_type(0'_, csym), X = yes
code_type(o2, digit)
code_type(0'., punct), X = yes
string_chars("añ", X)
sumlist([1, 2], X)
nb_setval(counter, 5), nb_getval(counter, X)
nb_getval(nothing_there, X)
b_setval(v, 1), b_getval(v, X)
(b_setval(v, 1), fail ; nb_setval(v, 2)), b_getval(v, X)
nb_setval(v, f(_)), nb_getval(v, X)
b_setval(v, Y), Y = 3, b_getval(v, X)
% Output that is caught.
with_output_to(string(X), write(f('A b', "s", [1, 2], 'x')))
with_output_to(string(X), print(f('A b', "s")))
with_output_to(atom(X), writeq(['A b', "s", 'it''s', [], {}, 'hello world', a+b, - 1, -(1), 1 - 2, -(-(1)), \+a, (a :- b, c ; d -> e)]))
with_output_to(codes(X), write(ab))
with_output_to(chars(X), write(ab))
with_output_to(string(X), (write(a), nl, tab(3), put_char(b), writeln("c")))
with_output_to(string(X), (member(Y, [1, 2]), write(Y), fail ; true))
with_output_to(string(X), fail)
with_output_to(string(X), write_canonical(f('A', "b", [c])))
with_output_to(string(X), write_term(f('A', [1]), [quoted(true)]))
with_output_to(string(X), print_message(silent, foo))
with_output_to(string(X), (write(a:b:c), write((:- a)), write(f(:-)), write([(a, b)]), write(- (1)), write(1 - -1), write(a - (\+b)), write([a|b])))
with_output_to(string(X), writeq(f(A, B, A))), sub_string(X, 0, 2, _, S), string(S), X = done ; X = done
with_output_to(string(X), writeq({a, b}))
with_output_to(string(X), writeq('\n\t'))
with_output_to(string(X), write_canonical([a, 'B'|c]))
with_output_to(string(X), writeq(1.0e10))
with_output_to(string(X), writeq(- a))
with_output_to(string(X), writeq(1 = :- ))
with_output_to(string(X), writeq([-]))
with_output_to(string(X), writeq(-(2)^2))
with_output_to(string(X), writeq(a;b))
with_output_to(string(X), writeq((a:-b,c)))
with_output_to(string(X), writeq(p:-q))
with_output_to(string(X), writeq(f(',', '|', ';', '!')))
with_output_to(string(X), writeq(a*(b+c)*d))
with_output_to(string(X), writeq((2**3)^4))
with_output_to(string(X), writeq(f((a,b))))
with_output_to(string(X), writeq([(a:-b)]))
with_output_to(string(X), writeq(\+ (a,b)))
with_output_to(string(X), writeq(x is 1 + 2))
with_output_to(string(X), writeq(1 rdiv 2))
with_output_to(string(X), writeq('$VAR'(3)))
with_output_to(string(X), print('$VAR'(30))), true
with_output_to(string(X), write_canonical('$VAR'(3))), true
with_output_to(string(X), writeq("a\"b"))
format(atom(X), "~w and ~q", ['A b', 'A b'])
format(string(X), "~a~d~s", [abc, 12, "xyz"])
format(atom(X), "~2d ~D", [1234, 1234567])
format(atom(X), "~2f ~0f ~e ~4g", [3.14159, 2.5, 1.5, 0.1])
format(atom(X), "~t~w~10||~w~t~10+|", [right, left])
format(atom(X), "~`-t~30|", [])
format(atom(X), "~t~d~6|~t~d~12|", [1, 22])
format(atom(X), "~c~c", [104, 105])
format(atom(X), "~8r ~16r ~8|~i~w", [64, 255, skipped, shown])
format(atom(X), "~*c", [3, 0'x])
format(atom(X), "~p", ['A'])
format(atom(X), "no args", [])
format(atom(X), "~w", hello)
format(atom(X), "~~ ~n", [])
format(atom(X), "~w", [])
format(atom(X), "~d", [a])
format(atom(X), "~w", [a, b])
format(atom(X), "~z", [a])
format(codes(X), "ab", [])
format("~d~n", [a]), X = 1
format("~w ~w~n", [a]), X = 1
format("hello ~w~n", [world]), X = 1
with_output_to(string(X), forall(member(Y, [1, 2]), format("~w,", [Y])))
read(X)
read_term(X, [])
get_char(X)
peek_char(X)
get_code(X)
read_term(user_input, X, [])
% Suspended goals.
freeze(X, true), X = 1
freeze(Y, X = woken), Y = 1
freeze(Y, fail), Y = 1
freeze(Y, (X = first)), (Y = 1 ; X = second)
freeze(Y, X = 1), freeze(Z, Y = 1), Z = 1
freeze(A, X = 1), A = B, B = 2
frozen(_, G), X = G
when(nonvar(Y), X = 1), Y = a
when(ground(f(Y, Z)), X = 1), Y = a, Z = b
when((nonvar(Y) ; nonvar(Z)), X = 1), Z = b
when((nonvar(Y), nonvar(Z)), X = 1), Y = a, Z = b
when(?=(Y, Z), X = 1), Y = a, Z = b
when(_, true), X = 1
dif(X, Y), X = 1, Y = 2
dif(X, Y), X = 1, Y = 1
dif(f(X, b), f(a, Y)), Y = b, (X = a ; X = c)
dif(A, B), A = B, X = 1
dif(a, b), X = 1
dif(X, a), member(X, [a, b, a, c])
% Finite domains.
X #= 3 + 4
3 #= X + 2
X in 1..5, X #> 3, findall(X, label([X]), L), X = L ; X = 1
X in 1..5, X #> 3, label([X])
[A, B] ins 0..2, A + B #= 3, label([A, B]), X = A-B
[11, a] ins 0..10
[1, A, 11] ins 0..10, X = A
a in 0..x
X #= abs(-3)
X #= 7 // 2 + 7 mod 4 + 7 rem 4 + min(2, 3) + max(2, 3)
X in 0..10, X * X #= 49, label([X])
X #> 0, X * X #= 49
X in 1..3, fd_dom(X, D), X = D ; X = 1
X in 1..3, fd_inf(X, L), fd_sup(X, H), fd_size(X, S), Y = L-H-S, X = 1
Y in 1..3, fd_dom(Y, X)
Y in 1..3 \/ 5..7, fd_dom(Y, X)
Y #> 3, fd_dom(Y, X)
fd_dom(_, X)
fd_var(X) -> true ; X = no
Y in 0..5, Y #\= 3, fd_dom(Y, X)
X in 1..10, labeling([down], [X]), X < 9, !
[A, B] ins 1..3, A #< B, labeling([max(A)], [A, B]), X = A-B
[A, B] ins 1..3, A #< B, labeling([min(B - A)], [A, B]), X = A-B
[A, B] ins 1..3, A #< B, labeling([ff], [A, B]), X = A-B
[A, B] ins 1..3, A #< B, labeling([ffc, bisect], [A, B]), X = A-B
[A, B] ins 1..3, A #< B, labeling([leftmost, enum, up], [B, A]), X = A-B
labeling([foo], [X])
X in 1..3, labeling([min, down], [X])
[A, B] ins 1..4, A #\= B, labeling([max], [A, B]), A + B > 6, X = A-B
B #<==> (2 #> 1), X = B
X #<==> (1 #> 2)
Y in 0..5, X #<==> (Y #> 3), Y = 4
Y in 0..5, X #<==> (Y #> 3), X = 0, label([Y]), Y > 2
Y in 0..5, X #<==> (Y #> 7)
Y in 0..5, X #<==> (Y #>= 0)
Y in 0..3, (Y #= 1) #<==> X, label([Y])
X in 0..5, X #= 2 #\/ X #= 4, label([X])
X in 0..5, X #> 1 #/\ X #< 4, label([X])
X in 0..5, #\ X #= 2, label([X])
X in 0..3, Y in 0..3, X #= 1 #==> Y #= 2, label([X, Y]), X > 0
X in 0..3, (X #= 1) #\ (X #< 2), label([X])
X in 0..3, X #< 2 #<== X #> 0, label([X])
[A, B] ins 0..1, A #\/ B, label([A, B]), X = A-B
[A, B] ins 0..1, #\ A, A #\/ B, X = A-B
length(L, 3), L ins 0..1, sum(L, #=, 2), label(L), X = L
maplist([V, B]>>(B #<==> V #= 2), [1, 2, 2, 3], Bs), sum(Bs, #=, X)
sum([1, 2, Y], #=<, 5), Y #> 1, X = Y
scalar_product([1, 2, 3], [1, 1, 1], #=, X)
scalar_product([2, 3], [X, 1], #=, 7)
tuples_in([[X, Y]], [[1, 2], [2, 3], [2, 4]]), X #> 1, Y #> 3
tuples_in([[X, Y]], [[1, 2], [2, 3], [2, 4]]), label([X, Y])
tuples_in([[1, X]], [[1, 2], [2, 3]])
element(2, [a1, 5, 7], X) ; X = err
element(2, [3, 5, 7], X)
element(X, [3, 5, 7], 7)
Y in 1..3, element(Y, [3, 5, 7], X), Y #> 2
element(I, [3, 5, 3], 3), label([I]), X = I
lex_chain([[1, 2], [1, X]]), X in 0..3, label([X])
lex_chain([[X, 0], [1, 0]]), X in 0..3, label([X])
chain([A, B, C], #<), [A, B, C] ins 1..3, X = [A, B, C]
chain([1, X, 3], #=<), label([X])
all_different([X, 1, 2]), X in 1..3
all_distinct([X, Y, Z]), [X, Y] ins 1..2, Z in 1..3, label([X, Y])
all_distinct([A, B, X]), [A, B] ins 1..2, X in 1..3
all_distinct([A, B, C]), [A, B, C] ins 1..2, X = 1
global_cardinality([A, B, C], [1-2, 2-1]), label([A, B, C]), X = [A, B, C]
global_cardinality([1, 2, 1], [1-X, 2-_])
circuit([A, B, C]), label([A, B, C]), X = [A, B, C]
transpose([[1, 2, 3], [4, 5, 6]], X)
once(queens(8, X))
findall(Q, queens(6, Q), X)
Vs = [A, B, C], Vs ins 1..3, A #< B, B #< C, X = Vs
X #= Y + 2, Y = 3
X + 1 #= Y * 2, Y = 3
X * 2 #= 7
2 * X #= 8
X #\= 3, X in 3..4
X #>= 2, X #=< 2
X in 1..3, X = 4
X in a..3
X in foo
_ in 1..X
X #= a
X #= 1.5
X #= "a"
X in inf..sup, fd_sup(X, S), X = 1
Y in 1..5, Y #>= 5, X = Y
X in 0..1, X #= 1 - X
X in 0..3, X * 3 #>= 7, label([X])
A in 1..9, B in 1..9, A * B #= 35, A #< B, label([A, B]), X = A-B
A in -3..3, A * A #= X, A #> 1, label([A])
A in 0..20, A mod 7 #= 3, label([A]), X = A
A in 0..20, A // 7 #= 2, label([A]), X = A
A in -5..5, abs(A) #= 4, label([A]), X = A
max(3, Y) #= X, Y in 0..5, Y #> 4
X #= max(2, min(5, 3))
X in 1..4, X #\= 2, X #\= 3, label([X])
A #= B, B = 3, X = A
copy_term(X, Y), Y = 1, X = 2
X in 1..3, member(X, [0, 1, 2, 5])
indomain(3), X = 1
X in 2..3, indomain(X)
tuples_in([[X]], []), X = 1
X #= 2^10
X #= 2^Y, Y = 3
5 #= X - Y, Y = 2
X in 1..3, findall(X, indomain(X), L), length(L, 3), X = 1
% Predicates about the program.
current_op(700, xfx, X), X == is
current_op(P, T, mod), X = P-T
(current_op(_, _, nothing_like_it) -> X = yes ; X = no)
current_prolog_flag(bounded, X)
current_prolog_flag(max_tagged_integer, Y), integer(Y), X = 1
(current_predicate(even/1) -> X = yes ; X = no)
(current_predicate(nothing_like_it/1) -> X = yes ; X = no)
(predicate_property(even(_), defined) -> X = yes ; X = no)
clause(even(_), B), B = (X is _ mod _) ; X = 0
op(700, xfx, ===>), X = 1
ground(x), garbage_collect, X = 1
tab(-1), X = 1
nothing_like_it(X)
call(1), X = 1
call((fail, 1)), X = 1
call((true, 1)), X = 1
call(_), X = 1
assertion(1 =:= 1), X = 1
gensym(a, _), reset_gensym(a), gensym(a, X)
ord_union([a, c], [b], X)
ord_subtract([a, b, c], [b], X)
ord_memberchk(b, [a, b]), X = yes
list_to_ord_set([c, a, b, a], X)
ord_add_element([a, c], b, X)
ord_del_element([a, b, c], b, X)
ord_intersection([a, b], [b, c], X)
ord_subset([a], [a, b]), X = yes
pairs_keys_values(X, [a, b], [1, 2])
map_list_to_pairs(atom_length, [abc, d], X)
transpose_pairs([a-1, b-2], X)
nextto(X, b, [a, b, c, b])
sumlist([1], X), exclude([Y]>>(Y > 1), [1, 2], _)
partition([Y]>>(Y < 2), [1, 2, 3], I, O), X = I-O
max_member(X, [1, a, f(x)])
last([1, 2, 3], X)
sum_list([], X)
subtract([a, b, c], [b], X)
permutation([1, 2, 3], X)
flatten([a, [b, [c]], d], X)
exclude(even, [1, 2, 3], X)
foldl([E, A, [E|A]]>>true, [1, 2, 3], [], X)
aggregate_all(count, member(_, [a, b]), X)
nth0(1, [a, b, c], X)
nth1(I, [a, b, c], c), X = I
msort([b, a, c, a], X)
pairs_values([a-1, b-2], X)
sumlist([], X)
convlist([Y, Z]>>(Y > 1, Z is Y * 2), [1, 2, 3], X)
foldl([Y, Z, A, B]>>(B is A + Y * Z), [1, 2], [3, 4], 0, X)
clumped([a-1, a-2, b-3], X)
max_assoc(t, _, X) ; X = none
list_to_assoc([a-1, b-2], A), get_assoc(b, A, X)
list_to_assoc([a-1], A), put_assoc(c, A, 3, B), assoc_to_list(B, X)
option(a(X), [b(1), a(2)])
option(c(X), [b(1), a(2)], default)
select_option(a(X), [b(1), a(2)], _)
string_code(1, abc, X)
pairs_keys([a-1], X)
sleep(0), X = 1
% Which expressions are evaluated, and the errors for those that are not.
X is []
X is [_]
X is [1|_]
X is [1|a]
X is [1,2]
X is [a]
X is [b]
X is [abc]
X is [e]
X is [pi]
X is ["a"]
X is ["ab"]
X is [1+2]
X is [1.5]
X is [[1]]
X is [[]]
X is [f(x)]
X is [_|_]
X is [_|a]
X is [a|b]
X is [abc|b]
X is 1 + [2]
X is 1 + []
X is 1 + [a]
X is "" + 1
X is "ab" + 1
1 < []
[] =:= 1, X = 1
X is [] + 1
X is '[]'
X is [1|[]]
X is [- 1]
X is [-1]
X is ''
X is a + 1
X is f(1)
X is [1] + [2]
X = [1], Y is X, X = Y
X is {}
X is inf
X is nan
X is epsilon
X is max_tagged_integer, fail
X is maxint
X is cot(a)
X is gcd(2, 0)
X is copysign(2, -0.0)
X is nexttoward(1, 2)
X is trig
X is cmpflags
X is powm(2, 3, 5)
X is lcm(4, 6)
X is truncate(1.0e300)
X is getbit(5, 0)
X is popcount(7)
X is lsb(8)
X is tzcount(8)
X is ceiling(a)
X is min(a, 1)
X is max([1], 2)
X is log2(8)
X is log(2, 8)
X is cot(0.5)
X is acot(0.5)
X is sinh(1.0)
X is asinh(1.0)
X is acosh(1.0)
X is atanh(0.5)
X is trunc(3.5)
X is integer(-0.5)
X is cmpflags(1, 2)
X is tdiv(7, 2)
X is nth_integer_root_and_remainder(2, 10)
X is maxr(1, 2)
X is char
X is 0.1 + 0.2
X is 10 ** 400 * 1.0
X is 2 ** 0.5
X is 2 ** (-1.0)
X is (-8) ** (1/3.0)
X is (-2) ** 3
X is 0.0 / 0
X is 0 / 0
X is 1 rem 0
X is 1.0 // 2
X is 1 mod 2.0
X is 1.5 xor 1
X is \ 1.5
X is msb(0)
X is msb(-1)
X is 1 >> 1.0
X is cot(1, 2)
X is integer("a")
X is numerator(5)
% The last operand is evaluated first.
X is b+c
X is foo(1)+c
X is _+c
X is c+_
X is foo(b)+c
X is max(b,c)
X is powm(a,b,c)
X is 1/0+c
X is c+1/0
X is 1/0+foo(1)
X is foo(1)+1/0
X is foo(1)+foo(2,c)
X is [a,b]+c
X is c+[a,b]
X is -(b)
X is b-(c*d)
X is (b*c)-d
X is foo(_)
X is foo(1,_)
X is foo(_,b)
X is foo(g(1),h(2))
X is foo(1/0)
X is "ab"+c
X is nexttoward(1,2)
X is nexttoward(1.0,0)
X is ceil(2.5)
X is log10(100)
X is lsb(12)
X is popcount(255)
X is getbit(6,1)
X is getbit(6,-1)
X is getbit(6,100)
X is getbit(6,0)
X is eval(b)
X is 6 rdiv 3
X is rational(2.0)
X is rationalize(2.0)
X is rational(5)
X is denominator(2.0)
X is powm(2,-1,5)
X is powm(2,3,-5)
X is powm(2,3,0)
X is copysign(2,0.0)
X is copysign(-2,3)
X is copysign(0,-1)
X is lsb(-1)
X is lcm(0,5)
X is gcd(0,0)
X is gcd(2.0,1)
X is 0.0**0.0
X is 2.0**0
X is 2**0.0
X is 1**a
X is 0.0^0
X is 0^0.0
X is 2.0^2
X is (-2.0)**0.5
X is 0.0** -1
X is 0** -1.0
X is 0.0/1
X is -0.0
X is 0* -1.0
X is min(0.0,-0.0)
X is max(0,-0.0)
X is round(0.5)
X is round(-0.5)
X is sign(-0.0)
X is sign(2.5)
X is abs(-0.0)
X is truncate(nan)
X is integer(inf)
X is truncate(1.0e20)
X is ceiling(-0.5)
X is 1.0e308*10
X is inf+1
X is inf-inf
X is nan+1
X is 5.0//2
X is 5 rem 2.0
X is 5/2.0
X is 4/2.0
X is 7/(-2)
X is -7//2
X is -7 div 2
X is -7 mod 3
X is -7 rem 3
X is cot
X is float_integer_part(-2.5)
X is float_fractional_part(-2.5)
X is float_fractional_part(2)
X is float_integer_part(2)
X is exp(1)
X is exp(1000)
X is tan(pi/2)
X is asin(2)
X is atan2(1,0)
X is 2**100
X is 2.5** 2
X is 10**(-2)
X is 100** -1
X is sqrt(4)
X is sqrt(2)
X is xor(1,2)
X is \ 5
X is msb(1000)
% The empty list is not an atom.
callable([]) -> X = 1 ; X = 0
X =.. [[], 1]
functor(X, [], 1)
functor(X, [], 0)
functor([], X, _)
atom_concat([], a, X)
call([]), X = 1
call([], a), X = 1
upcase_atom([], X)
atom_string([], X)
atom_string(X, "[]"), X == []
atom_codes(X, "[]"), X == []
sub_atom([], 0, 1, _, X)
assertz([]), X = 1
assertz(([] :- true)), X = 1
throw([])
catch(throw([]), Y, X = Y)
nb_setval([], 1), X = 1
X = '[]', X == []
'[]' == [] -> X = 1 ; X = 0
atom('[]'), X = 1
atom_length('[]', X)
compare(X, [], '[]')
compare(X, [], a)
compare(X, [], 'Z')
compare(X, [], "a")
compare(X, [], 1)
msort([[], a, '[]', "x", 1, f(x), 'A', '!'], X)
term_to_atom([], X)
term_to_atom('[]', X)
writeq([]), X = 1
with_output_to(string(X), writeq('[]'))
with_output_to(string(X), print(f([], '[]', {}, '{}')))
symbol([]), X = 1
string_concat([], "a", X)
atomic_list_concat([[], a], X)
split_string([], "", "", X)
text_to_string([], X)
string([]) -> X = 1 ; X = 0
is_list([]), X = 1
ground([]), X = 1
number_codes(X, [])
atom_chars(X, [])
atom_number([], X)
char_code([], X)
foo < bar
_ < a
1/0 < a
a =:= 1/0
max(1, 1.0) =:= 1, X is max(0, -0.0)
X is min(0, 0.0)
X is max(-0.0, 0)
split_string("//a//b//", "/", "/", X)
split_string(" a ", " ", " ", X)
split_string("a  b", " ", " ", X)
split_string("-a- -b-", "-", "- ", X)
split_string("-a- -b-", "-", " ", X)
split_string("  a b  c ", " ", " ", X)
split_string("a, b,,c ,", ",", " ", X)
split_string("", " ", " ", X)
split_string("abc", "", "", X)
split_string(",", ",", "", X)
split_string(" , ", ",", " ", X)
split_string("a.b", ".", "ab", X)
atom_concat([a], b, X)
atom_concat(a, [], X)
upcase_atom([a], X)
string_upper([], X)
atomic_list_concat([[a], b], X)
atomic_list_concat([a], [], X)
atom_length([a], X)
string_length([], X)
sub_atom([a], _, _, _, X)
sub_string([], _, _, _, X)
atom_number([a], X)
sort([b, [], a, '[]', [x], 'A'], X)
string_code(I, "ab", C), X = I-C
% Copies of constrained variables, assertions, types.
copy_term(X, Y), X = 1
freeze(A, true), copy_term(A, B), frozen(B, G), X = G
freeze(A, Z = 1), copy_term(A-Z, B-X), B = 2
freeze(A, true), findall(A, true, [B]), frozen(B, X)
freeze(A, Z = 1), findall(A-Z, true, [B-X]), B = 2
freeze(A, Z = 1), bagof(A-Z, true, [B-X]), B = 2
A in 1..3, copy_term(A, B), fd_dom(B, X)
A in 1..3, findall(A, true, [B]), fd_dom(B, X)
A in 1..3, findall(A, member(_, [a, b]), [B|_]), fd_dom(B, X)
A in 1..3, bagof(A, member(_, [a]), [B]), fd_dom(B, X)
A in 1..3, setof(A, member(_, [a]), [B]), fd_dom(B, X)
A #< B, copy_term(A-B, C-D), C = 3, fd_dom(D, X)
A #< B, copy_term(A, C), C = 3, fd_dom(B, X)
A in 1..3, copy_term(A, A, Gs), length(Gs, X)
A in 1..3, copy_term(A, B, Gs), B = 7, Gs = [_:(C in D)], X = C-D
A in 1..3, copy_term(A, B, [G]), X = G
freeze(A, true), copy_term(A, X, Gs), length(Gs, N), X = N
freeze(A, true), copy_term(A, _, X)
dif(A, a), copy_term(A, _, X)
dif(A, a), copy_term(A, B), B = a, X = 1
dif(A, a), copy_term(A, B), (B = a -> X = yes ; X = no)
dif(A, a), findall(A, true, [B]), (B = a -> X = yes ; X = no)
dif(A, a), copy_term_nat(A, B), (B = a -> X = yes ; X = no)
dif(A, a), duplicate_term(A, B), (B = a -> X = yes ; X = no)
dif(A, a), assertz(foo(A)), foo(B), (B = a -> X = yes ; X = no)
dif(A, a), nb_setval(k, A), nb_getval(k, B), (B = a -> X = yes ; X = no)
dif(A, a), b_setval(k, A), b_getval(k, B), (B = a -> X = yes ; X = no)
dif(A, a), catch(throw(f(A)), f(B), true), (B = a -> X = yes ; X = no)
A in 1..3, catch(throw(f(A)), f(B), true), fd_dom(B, X)
A in 1..3, \+ \+ A = 2, fd_dom(A, X)
A in 1..3, forall(member(B, [1, 2, 3]), A #\= B + 10), X = ok
A in 1..3, forall(member(B, [1, 2]), A #\= B), fd_dom(A, X)
A in 1..3, forall(label([A]), A > 0), X = ok
A in 1..3, findall(A, label([A]), X)
A in 1..3, aggregate_all(count, label([A]), X)
A in 1..3, aggregate_all(max(A), label([A]), X)
copy_term(f(a), X, Gs), Gs == []
copy_term(f(A, B, A), X, [])
A in 1..3, term_variables(f(A), Vs), length(Vs, X)
A in 1..3, copy_term([A], [B]), (B = 5 -> X = yes ; X = no)
A in 1..3, B #= A + 1, copy_term(B, C), fd_dom(C, X)
A in 1..3, B #= A + 1, copy_term(A-B, C-D), C = 2, X = D
A in 1..3, term_attvars(f(A, _), Vs), length(Vs, X)
A in 1..3, (attvar(A) -> X = yes ; X = no)
assertion(fail), X = 1
assertion(bad(1)), X = 1
assertion(Y = 1), X = Y
assertion(member(Y, [1, 2])), X = Y
assertion(_), X = 1
assertion(1), X = 1
assertion(nothing_such), X = 1
assertion(p(Y)), p(X), Y == 1
catch(assertion(fail), E, (E = assertion_failed(_) -> X = af ; X = E))
catch(assertion(fail), error(E, _), X = E)
catch(assertion(fail), E, true), functor(E, N, A), X = N/A
catch(assertion(p(9)), assertion_failed(R), X = R)
catch(assertion(bad(1)), E, X = E)
catch(assertion((p(Y), Y > 5)), E, (E = assertion_failed(Z) -> X = Z ; X = other))
must_be(integer, _)
must_be(integer, a)
must_be(integer, 1.0)
must_be(boolean, 1)
must_be(bool, _)
must_be(boolean, true), X = 1
must_be(atom, 1)
must_be(atom, [])
must_be(atomic, f(x))
must_be(callable, 1)
must_be(callable, _)
must_be(var, a)
must_be(var, _), X = 1
must_be(nonvar, _)
must_be(list, a)
must_be(list, [a|_])
must_be(list, _)
must_be(proper_list, [a|_])
must_be(list_or_partial, [a|_]), X = 1
must_be(list_or_partial, [a|b])
must_be(list(integer), [1, a])
must_be(list(integer), [1, _])
must_be(list(integer), [1|_])
must_be(list(integer), a)
must_be(list_of(atom), [a, 1])
must_be(positive_integer, 0)
must_be(positive_integer, -1)
must_be(positive_integer, a)
must_be(positive_integer, 1.0)
must_be(positive_integer, _)
must_be(nonneg, -1)
must_be(nonneg, a)
must_be(between(1, 3), 0)
must_be(between(1, 3), 1.5)
must_be(between(1, 3), a)
must_be(between(1, 3), _)
must_be(between(1.0, 3.0), 4.0)
must_be(between(1.0, 3), 2), X = 1
must_be(between(1, 3.0), a)
must_be(oneof([a, b]), c)
must_be(oneof([a, b]), _)
must_be(oneof([a, b]), a), X = 1
must_be(string, a)
must_be(text, f(x))
must_be(text, [])
must_be(text, "a"), X = 1
must_be(text, `ab`), X = 1
must_be(text, [a, b]), X = 1
must_be(text, _)
must_be(chars, [a, 1])
must_be(chars, [a, b]), X = 1
must_be(chars, [a|_])
must_be(codes, [0'a, a])
must_be(codes, `ab`), X = 1
must_be(char, ab)
must_be(char, a), X = 1
must_be(char, _)
must_be(code, -1)
must_be(code, a)
must_be(code, 97), X = 1
must_be(number, a)
must_be(float, 1)
must_be(rational, 1.0)
must_be(rational, 1), X = 1
must_be(compound, a)
must_be(ground, f(_))
must_be(ground, _)
must_be(symbol, 1)
must_be(symbol, a), X = 1
must_be(cyclic, f(x))
must_be(acyclic, f(x)), X = 1
must_be(order, a)
must_be(order, <), X = 1
must_be(order, _)
must_be(encoding, foo)
must_be(encoding, utf8), X = 1
must_be(pair, a)
must_be(pair, a-b), X = 1
must_be(pair, _)
must_be(dict, a)
must_be(type, integer), X = 1
must_be(type, foo)
must_be(mod, 1)
must_be(any, _), X = 1
must_be(_, 1)
must_be(foo, 1)
must_be(foo, _)
must_be(foo(1), 1)
must_be(list(foo), [1])
must_be(list(foo), [])
must_be(boolean, _)
must_be(list_or_partial, _), X = 1
must_be(type, _)
must_be(stream, 1)
must_be(key_value, a)
must_be(oneof(_), a)
is_of_type(foo, a)
is_of_type(text, abc), X = 1
is_of_type(list(integer), [a]) -> X = 1 ; X = 0
is_of_type(_, a)
is_of_type(integer, _) -> X = 1 ; X = 0
is_of_type(order, <), X = 1
is_of_type(list_or_partial, [a|_]), X = 1
is_of_type(chars, [a]), X = 1
is_of_type(codes, "a") -> X = 1 ; X = 0
type_error(integer, a)
domain_error(foo, a)
existence_error(foo, a)
existence_error(foo, a, b)
permission_error(a, b, c)
instantiation_error(_)
uninstantiation_error(a)
representation_error(a)
syntax_error(a)
resource_error(a)
is_list_or_partial([a|_]), X = 1
freeze(A, true), dif(A, b), copy_term(A, B), (B = b -> X = yes ; X = no)
A in 1..5, A #\= 3, findall(A, true, [B]), fd_dom(B, X)
[A, B] ins 1..3, all_distinct([A, B]), copy_term([A, B], [C, D]), C = 1, fd_dom(D, X)
[A, B] ins 1..3, A #\= B, findall(A-B, member(_, [1, 2]), [C-D, E-_]), C = 1, fd_dom(D, Y), fd_dom(E, Z), X = Y-Z
A in 0..5, B #<==> (A #> 3), copy_term(A-B, C-D), C = 4, X = D
A in 0..9, B #= A * A, copy_term(A-B, C-D), C = 3, X = D
dif(f(A, B), f(1, 2)), copy_term(A-B, C-D), C = 1, (D = 2 -> X = yes ; X = no)
freeze(A, freeze(B, X = both)), copy_term(A-B, _), A = 1, B = 2
freeze(A, X = 1), copy_term(A, B), B = 2, var(X), X = none
when(ground(A-B), Z = done), copy_term(A-B-Z, C-D-X), C = 1, D = 2
A in 1..3, nb_setval(k, A), nb_getval(k, B), fd_dom(B, X)
A in 1..3, term_attvars(f(A, _, A), Vs), length(Vs, X)
A in 1..3, copy_term(A-B, C-B), fd_dom(C, X)
A in 1..3, copy_term(A, 5), X = 1
A in 1..3, copy_term(A, B), B = 2, fd_dom(A, X)
assertion((member(Y, [1, 2]), Y > 1)), X = ok
catch(assertion(throw(a)), error(E, _), X = E)
catch(assertion(fail), error(assertion_error(R, _), _), X = R)
assertion(\+ fail), X = ok
% Lists, pairs, association lists, aggregation.
findnsols(2, Y, p(Y), X)
findnsols(2, Y, p(Y), X), !
findnsols(5, Y, p(Y), X)
findnsols(3, Y, p(Y), X)
findnsols(2, Y, p(Y), X, [z])
findnsols(0, Y, p(Y), X), !
findnsols(2, Y, fail, X)
findnsols(a, Y, p(Y), X)
findnsols(_, Y, p(Y), X)
between(1, inf, X), X > 2, !
between(1, infinite, X), X > 2, !
between(inf, 2, X)
between(_, 2, X)
between(1, 2, a), X = 1
between(3, inf, 2), X = 1
between(3, inf, 5), X = 1
string_code(4, "abc", X)
string_code(-1, "abc", X)
string_code(_, "abc", X)
sumlist([a], X)
sum_list([a], X)
sum_list([_], X)
sum_list(a, X)
max_member(X, [])
max_member(X, [3, 1, 4])
min_member(X, [3, 1, 4])
max_member(@=<, X, [3, 1, 4])
min_member(@=<, X, [3, 1, 4])
max_member([A, B]>>(A @=< B), X, [b, c, a])
last([], X)
last([a], X)
msort([c, a, b, a], X)
msort(a, X)
msort([a|_], X)
sort(1, @>=, [f(1), f(2)], X)
sort(1, @>=, [a], X)
sort(0, foo, [f(1)], X)
sort(0, _, [f(1)], X)
sort(0, @<, [c, a, c], X)
predsort([O, A, B]>>(compare(O0, A, B), (O0 = (=) -> O = (<) ; O = O0)), [c, a, b, a], X)
predsort(foo, [b, a], X)
list_to_set([a, B, a, B, C], X)
list_to_set(a, X)
pairs_keys_values([a-1], X, _)
pairs_keys([a-1, b-2], X)
transpose_pairs([a-1, b-2, c-1], X)
nb_setval(a, f(Y)), nb_getval(a, X)
b_setval(a, 1), b_getval(a, X)
succ_or_zero(1), X = 1
succ_throw(1), X = 1
succ(X, 1)
partition([Y, C]>>compare(C, Y, 2), [1, 2, 3], L, E, G), X = L-E-G
foldl(add, [1, 2], 0, X)
foldr(add, [1, 2], 0, X)
foldl([A, B, C, D]>>(D is A + B + C), [1, 2], [3, 4], 0, X)
foldl([A, B, C, D, E]>>(E is A + B + C + D), [1, 2], [3, 4], [5, 6], 0, X)
aggregate_all(max(Y-Z), age(Z, Y), X)
aggregate_all(min(Y, Z), age(Z, Y), X)
aggregate_all(max(Y, Z), fail, X)
aggregate_all(max(Y), fail, X)
aggregate_all(max(Y), member(Y, [a, b]), X)
aggregate_all(max(Y), member(Y, [1, 2.0]), X)
aggregate_all(max(Y), member(Y, [1+1, 3]), X)
aggregate_all(sum(Y), member(Y, [1+1, 3]), X)
aggregate_all(sum(Y), member(Y, [a]), X)
aggregate_all(bag(Y), member(Y, [c, a, c]), X)
aggregate_all(set(Y), member(Y, [c, a, c]), X)
aggregate_all(r(count, max(Y), min(Y)), p(Y), X)
aggregate_all(r(sum(Y), bag(Y), set(Y)), p(Y), X)
aggregate_all(r(count), fail, X)
aggregate_all(count - sum(Y), p(Y), X)
aggregate_all(foo, p(_), X)
aggregate_all(foo(_), p(_), X)
aggregate_all(_, p(_), X)
aggregate(count, Y^p(Y), X)
aggregate(sum(Y), p(Y), X)
aggregate(max(Y, Z), age(Z, Y), X)
aggregate(max(Y), Z^age(Z, Y), X)
aggregate(min(Y), Z^age(Z, Y), X)
aggregate(count, age(_, Y), C), X = Y-C
aggregate(bag(Y), Z^age(Y, Z), X)
aggregate(set(Z), Y^age(Y, Z), X)
aggregate(count, fail, X)
aggregate_all(count, Y, p(Y), X)
aggregate_all(sum(Y), Y, member(Y, [1, 1, 2]), X)
aggregate_all(max(Y), Y, member(Y, [1, 1, 2]), X)
aggregate_all(bag(Y), Y, member(Y, [2, 1, 1, 2]), X)
foreach(member(Y, [1, 2]), dif(X, Y)), X = 3
foreach(p(Y), Y > 0), X = 1
foreach(member(Y, [1, 2]), X = Y)
forall(fail, true), X = 1
proper_length([a, b], X)
proper_length([a|_], X)
sumlist([1.5, 2], X)
max_list([], X)
min_list([3, 1], X)
max_list([1, a], X)
numlist(3, 1, X)
numlist(a, 1, X)
numlist(1, _, X)
is_set([a, b, a]) -> X = 1 ; X = 0
subset([a], [b, a]), X = 1
union([a], [b, a], X)
intersection([a, b], [b, a], X)
subtract([a, b], [b], X)
permutation(X, [1, 2])
flatten([a, [b, Y], [[]]], X)
flatten(a, X)
clumped([a, a, b], X)
subseq([a, b], X, Y)
subseq([1, 2, 3], X, _)
max_assoc(t, K, X)
pairs([a-1], X)
sumlist(X, Y)
delete([a, b, a], a, X)
delete([a, B, c], a, X)
exclude([Y]>>(Y > 1), [1, 2, 3], X)
nth0(X, [a, b], b)
nth1(X, [a, b], E)
nth0(0, X, a)
nth0(-1, [a], X)
nth0(a, [a], X)
nth0(1, [a, b, c], E, R), X = E-R
nth1(1, X, e, [a, b])
select(b, [a, b, c], X)
select(b, [a, b], z, X)
selectchk(b, [a, b, b], X)
select(X, [a, b], _)
subtract([], [a], X)
memberchk(X, [a, b])
memberchk(a, X)
member(X, [a|Y]), Y = [b], !
sumlist([1|_], X)
append([[a], [b, c]], X)
append(X, [b])
append(X, Y, [a])
append(a, X)
prefix(X, [a, b])
prefix([a], X)
reverse([a, b], X)
reverse(a, X)
msort([b, 1, a, 2.0, "x", f(y)], X)
same_length([a, b], X)
same_length(X, [a])
pairs_keys(X, [a])
pairs_values(X, [a])
max_list([1.0, 1], X)
list_to_ord_set([b, a, b], X)
sort(0, @=<, [2, 1, 2], X)
last_([a], X)
sumlist([2, Y], X)
exclude(foo, [], X)
maplist(foo, [])
maplist(foo, []), X = 1
maplist(succ, [1, 2], X)
maplist(succ, X, [1, 2])
maplist(add(1), [1, 2], X)
maplist(add, [1, 2], [3, 4], X)
maplist([A, B, C, D]>>(D is A + B + C), [1], [2], [3], X)
maplist(X, [])
maplist(_, [a]), X = 1
convlist([Y, Z]>>(Y > 1, Z = Y), [1, 2], X)
foldl(_, [], 0, X)
nextto(X, Y, [a, b, c])
sumlist([a|b], X)
exclude(even, [1, 2], X)
include(even, [1, 2], X)
partition(even, [1, 2, 3], X, _)
aggregate_all(count, (p(Y), Y > 1), X)
pairs_keys_values([X], [a], [1])
max_member(X, [a, B])
list_to_set([1, 1.0], X)
sumlist([1, 2, 3.0], X)
is_assoc(t(a, 1, <, t, t)) -> X = 1 ; X = 0
is_assoc(t(b, 1, <, t(a, 2, <, t, t), t)) -> X = 1 ; X = 0
list_to_assoc([a-1, b-2, c-3], A), is_assoc(A), X = 1
is_assoc(_) -> X = 1 ; X = 0
is_assoc(foo) -> X = 1 ; X = 0
sum_list([1|a], X)
max_list(a, X)
max_list([1|a], X)
min_list([1|_], X)
max_member(X, a)
max_member(X, [1|a])
subtract(a, [], X)
union(a, [], X)
intersection([b|a], [], X)
subset(a, []), X = 1
put_assoc(a, foo, 1, X)
del_assoc(a, foo, _, X)
max_assoc(foo, X, _)
min_assoc(_, X, _)
foldl([A, B, C]>>(C is A + B), a, 0, X)
maplist(atom, a), X = 1
aggregate_all(max(Y, a), member(Y, [a]), X)
aggregate(sum(Y * 2), p(Y), X)
aggregate(r(count, sum(Y)), p(Y), X)
aggregate(max(Y * 2, Y), p(Y), X)
aggregate(count, N^age(N, A), C), X = A-C
aggregate(count, D, D^(member(D, [1, 1, 2])), X)
aggregate_all(r(max(Y), bag(Y)), fail, X)
foreach(member(Y, [a, b]), (Z = Y ; true)), X = Z
% Texts and terms.
concat_atom([a, b], X)
concat_atom([a, b], '-', X)
read_term_from_atom('f(X)', X, [])
string_char_set(a, X)
char_type(a, to_lower(X))
char_type(a, to_upper(X))
char_type('A', to_lower(X))
upcase_atom("aé", X)
string_predicate(a), X = 1
sumlist([1], X)
split_string("a-b", "-", "", X)
split_string("  ", " ", " ", X)
split_string("/home", "/", "", X)
split_string("", ",", "", X)
split_string(abc, "", "", X)
split_string(_, "", "", X)
string_lines("a\nb", X)
string_lines(X, ["a", "b"])
text_concat(abc, X, abcd)
text_concat(X, d, abcd)
text_concat("a", b, X)
text_concat(a, b, X)
text_concat(X, Y, ab)
text_length(abc, X)
text_length("abc", X)
atom_chars(X, ['1', '2'])
number_chars(X, ['1', a])
number_chars(X, ['1', ' '])
number_chars(X, [' ', '1'])
number_codes(X, "")
atom_number('', X)
atom_number('0x1g', X)
atom_number(A, 5), X = A
atom_number('1e10', X)
atom_number('1.0Inf', X)
term_to_atom(f(_, 'A', "s"), X), fail
term_to_atom(X, 'f(A, B, A)')
term_string(X, 'f(A)')
term_string(f(a, "b"), X)
term_string(X, "a b")
with_output_to(string(X), print_message_lines(user_output, 'x', []))
char_code(X, 97)
char_code(X, -1)
atom_codes(X, [97, -1])
atom_codes(X, [a, b])
number_vars(X)
sub_atom(abc, B, 1, A, Sub), X = B-A-Sub
sub_atom(abc, 1, _, 0, X)
sub_atom(abc, X, _, _, bc)
sub_string("abc", 1, 1, _, X)
string_code(1, X, 97)
get_string_code(1, "abc", X)
char_type(X, digit(W)), W = 3
atom_to_term('p(X, Y, X)', T, Bs), X = T-Bs
nb_setval(k, 1), b_setval(k, 2), nb_getval(k, X)
tab(3), X = 1
atomic_list_concat([a, B], X)
atomic_list_concat([a, b|_], X)
atomic_list_concat(X, '-', 'a-b-c')
atomic_list_concat([a, X, c], '-', 'a-b-c')
atomic_list_concat([X, Y], '-', a)
atomic_list_concat(X, a)
atomic_list_concat(X, -, _)
atomic_list_concat([a, b], X, 'a-b')
atomic_list_concat([a, "b", 1, 2.5], X)
normalize_space(atom(X), "  a   b ")
normalize_space(string(X), "  a   b ")
normalize_space(codes(X), " a ")
string_without("a", X, "b")
number_string(X, "0x1f")
number_string(X, "abc")
number_string(X, "1 2")
term_variables(f(A, B, A), X)
term_variables(f(A, g(B)), X, T)
setof(A-B, member(A-B, [b-1, a-2]), X)
tab(a), X = 1
nonground(f(Y), V), V = 1, X = Y
ground(f(a)), X = 1
subsumes_chk(f(_), f(a)), X = 1
subsumes(f(Y), f(a)), X = Y
mapargs([A, B]>>(B = g(A)), f(1, 2), X)
sub_term(X, f(a, g(b)))
occurrences_of_term(a, f(a, g(a)), X)
occurrences_of_var(Y, f(Y, g(Y)), X)
sub_term(Y, f(a)), atom(Y), X = Y
contains_term(a, f(a)), X = 1
contains_var(Y, f(Y)), X = 1
free_of_term(a, f(b)), X = 1
free_of_var(Y, f(b)), X = 1
occurrences_of_term(f(_), [f(1), f(2)], X)
same_term(a, a), X = 1
variant(f(A), f(B)), X = 1
setarg(1, f(a), b), X = 1
compound_name_arity(f(a, b), N, A), X = N/A
compound_name_arity(X, f, 2)
compound_name_arity(a, N, A), X = 1
compound_name_arguments(f(a, b), N, A), X = N-A
compound_name_arguments(X, f, [a])
compound_name_arguments(a, X, _)
compound_name_arguments(X, 1, [a])
call_with_time_limit(1, X = 1)
nb_setval(x, []), X = 1
apply(succ, [1, X])
not(fail), X = 1
once(member(X, [1, 2]))
ignore(fail), X = 1
call((X = 1, !))
once/1 = X
string(X) -> true ; X = 1
is_assoc(a) -> X = 1 ; X = 0
text_to_string(X, a)
text_to_string(_, X)
unify_with_occurs_check(X, f(X))
ground(X) -> true ; X = no
tab(0), X = 1
callable(3) -> X = 1 ; X = 0
is_callable(foo), X = 1
is_callable(3) -> X = 1 ; X = 0
atom([]) -> X = 1 ; X = 0
atomic([]), X = 1
rational(1), X = 1
rational(1.0) -> X = 1 ; X = 0
is_stream(a) -> X = 1 ; X = 0
number_vars(a, 0, X)
var_number('$VAR'(1), X)
term_variables([], X)
unifiable(X, a, L), X = L
unifiable(f(A, B), f(B, c), X)
?=(a, a), X = 1
cyclic_term(a) -> X = 1 ; X = 0
garbage_collect, X = 1
prompt(_, ''), X = 1
tabling, X = 1
shuffle([a], X)
nb_setval(acc, []), forall(member(Y, [1, 2]), (nb_getval(acc, L), nb_setval(acc, [Y|L]))), nb_getval(acc, X)
flag(foo, Old, Old + 1), flag(foo, X, X)
succ_or(1, X)
string_codes(X, "abc")
text_concat([a], b, X)
list_to_assoc([a-1, b-2], A), del_assoc(a, A, _, B), assoc_to_list(B, X)
list_to_assoc([a-1], A), transpose_pairs([], X)
list_to_assoc([a-1, b-2], A), assoc_to_keys(A, X)
list_to_assoc([a-1, b-2], A), foldl_assoc([K, V, S0, S]>>(S = [K-V|S0]), A, [], X)
list_to_assoc([a-1, b-2], A), max_assoc(A, K, V), X = K-V
list_to_assoc([a-1, a-2], X)
list_to_assoc(a, X)
ord_list_to_assoc([b-1, a-2], X)
pairs_keys_values(P, [a], [1]), list_to_assoc(P, X)
map_assoc([V, W]>>(W = x(V)), t, X)
assoc_to_values(t, X)
put_assoc(a, t, 1, X)
get_assoc(a, foo, X)
get_assoc(a, _, X)
% Rules.
p1(a, X)
p1(b, X)
p1(b, 2), X = 1
p1(b, 3), X = 1
p1(c, X)
p1(_, X)
q1(f(1), X)
q1(_, X)
q1(g, X)
p1(a, 2), X = 1
catch(p1(c, X), error(E, _), X = E)
r1(1, X)
r1(5, X)
r1(-1, X)
r1(a, X)
s1(X, 2)
s1(X, Y)
s1(X, 3)
findall(Y, (member(A, [1, 7]), r1(A, Y)), X)
% Infinities and NaN are passed on, or refused.
(Y is -(inf), X = f(Y))
(Y is -((-inf)), X = f(Y))
(Y is -(nan), X = f(Y))
(Y is abs(inf), X = f(Y))
(Y is abs((-inf)), X = f(Y))
(Y is abs(nan), X = f(Y))
(Y is sign(inf), X = f(Y))
(Y is sign((-inf)), X = f(Y))
(Y is sign(nan), X = f(Y))
(Y is truncate(inf), X = f(Y))
(Y is truncate((-inf)), X = f(Y))
(Y is truncate(nan), X = f(Y))
(Y is float_fractional_part(inf), X = f(Y))
(Y is float_fractional_part((-inf)), X = f(Y))
(Y is float_fractional_part(nan), X = f(Y))
(Y is float_integer_part(inf), X = f(Y))
(Y is float_integer_part((-inf)), X = f(Y))
(Y is float_integer_part(nan), X = f(Y))
(Y is sqrt(inf), X = f(Y))
(Y is sqrt((-inf)), X = f(Y))
(Y is sqrt(nan), X = f(Y))
(Y is sin(inf), X = f(Y))
(Y is sin((-inf)), X = f(Y))
(Y is sin(nan), X = f(Y))
(Y is msb(inf), X = f(Y))
(Y is msb((-inf)), X = f(Y))
(Y is msb(nan), X = f(Y))
(Y is eval(inf), X = f(Y))
(Y is eval((-inf)), X = f(Y))
(Y is eval(nan), X = f(Y))
(Y is rational(inf), X = f(Y))
(Y is rational((-inf)), X = f(Y))
(Y is rational(nan), X = f(Y))
(Y is numerator(inf), X = f(Y))
(Y is numerator((-inf)), X = f(Y))
(Y is numerator(nan), X = f(Y))
(Y is exp(inf), X = f(Y))
(Y is exp((-inf)), X = f(Y))
(Y is exp(nan), X = f(Y))
(Y is float(inf), X = f(Y))
(Y is float((-inf)), X = f(Y))
(Y is float(nan), X = f(Y))
(Y is (inf) + (1), X = f(Y))
(Y is (1) + (inf), X = f(Y))
(Y is (inf) + (inf), X = f(Y))
(Y is (-inf) + (inf), X = f(Y))
(Y is (inf) + (0), X = f(Y))
(Y is (0) + (inf), X = f(Y))
(Y is (nan) + (1), X = f(Y))
(Y is (1) + (nan), X = f(Y))
(Y is (1.5) + (-inf), X = f(Y))
(Y is (inf) + (0.0), X = f(Y))
(Y is (inf) - (1), X = f(Y))
(Y is (1) - (inf), X = f(Y))
(Y is (inf) - (inf), X = f(Y))
(Y is (-inf) - (inf), X = f(Y))
(Y is (inf) - (0), X = f(Y))
(Y is (0) - (inf), X = f(Y))
(Y is (nan) - (1), X = f(Y))
(Y is (1) - (nan), X = f(Y))
(Y is (1.5) - (-inf), X = f(Y))
(Y is (inf) - (0.0), X = f(Y))
(Y is (inf) * (1), X = f(Y))
(Y is (1) * (inf), X = f(Y))
(Y is (inf) * (inf), X = f(Y))
(Y is (-inf) * (inf), X = f(Y))
(Y is (inf) * (0), X = f(Y))
(Y is (0) * (inf), X = f(Y))
(Y is (nan) * (1), X = f(Y))
(Y is (1) * (nan), X = f(Y))
(Y is (1.5) * (-inf), X = f(Y))
(Y is (inf) * (0.0), X = f(Y))
(Y is (inf) / (1), X = f(Y))
(Y is (1) / (inf), X = f(Y))
(Y is (inf) / (inf), X = f(Y))
(Y is (-inf) / (inf), X = f(Y))
(Y is (inf) / (0), X = f(Y))
(Y is (0) / (inf), X = f(Y))
(Y is (nan) / (1), X = f(Y))
(Y is (1) / (nan), X = f(Y))
(Y is (1.5) / (-inf), X = f(Y))
(Y is (inf) / (0.0), X = f(Y))
(Y is min(inf, 1), X = f(Y))
(Y is min(1, inf), X = f(Y))
(Y is min(inf, inf), X = f(Y))
(Y is min(-inf, inf), X = f(Y))
(Y is min(inf, 0), X = f(Y))
(Y is min(0, inf), X = f(Y))
(Y is min(nan, 1), X = f(Y))
(Y is min(1, nan), X = f(Y))
(Y is min(1.5, -inf), X = f(Y))
(Y is min(inf, 0.0), X = f(Y))
(Y is max(inf, 1), X = f(Y))
(Y is max(1, inf), X = f(Y))
(Y is max(inf, inf), X = f(Y))
(Y is max(-inf, inf), X = f(Y))
(Y is max(inf, 0), X = f(Y))
(Y is max(0, inf), X = f(Y))
(Y is max(nan, 1), X = f(Y))
(Y is max(1, nan), X = f(Y))
(Y is max(1.5, -inf), X = f(Y))
(Y is max(inf, 0.0), X = f(Y))
(Y is (inf) ** (1), X = f(Y))
(Y is (1) ** (inf), X = f(Y))
(Y is (inf) ** (inf), X = f(Y))
(Y is (-inf) ** (inf), X = f(Y))
(Y is (inf) ** (0), X = f(Y))
(Y is (0) ** (inf), X = f(Y))
(Y is (nan) ** (1), X = f(Y))
(Y is (1) ** (nan), X = f(Y))
(Y is (1.5) ** (-inf), X = f(Y))
(Y is (inf) ** (0.0), X = f(Y))
(Y is (inf) // (1), X = f(Y))
(Y is (1) // (inf), X = f(Y))
(Y is (inf) // (inf), X = f(Y))
(Y is (-inf) // (inf), X = f(Y))
(Y is (inf) // (0), X = f(Y))
(Y is (0) // (inf), X = f(Y))
(Y is (nan) // (1), X = f(Y))
(Y is (1) // (nan), X = f(Y))
(Y is (1.5) // (-inf), X = f(Y))
(Y is (inf) // (0.0), X = f(Y))
(Y is (inf) mod (1), X = f(Y))
(Y is (1) mod (inf), X = f(Y))
(Y is (inf) mod (inf), X = f(Y))
(Y is (-inf) mod (inf), X = f(Y))
(Y is (inf) mod (0), X = f(Y))
(Y is (0) mod (inf), X = f(Y))
(Y is (nan) mod (1), X = f(Y))
(Y is (1) mod (nan), X = f(Y))
(Y is (1.5) mod (-inf), X = f(Y))
(Y is (inf) mod (0.0), X = f(Y))
(Y is copysign(inf, 1), X = f(Y))
(Y is copysign(1, inf), X = f(Y))
(Y is copysign(inf, inf), X = f(Y))
(Y is copysign(-inf, inf), X = f(Y))
(Y is copysign(inf, 0), X = f(Y))
(Y is copysign(0, inf), X = f(Y))
(Y is copysign(nan, 1), X = f(Y))
(Y is copysign(1, nan), X = f(Y))
(Y is copysign(1.5, -inf), X = f(Y))
(Y is copysign(inf, 0.0), X = f(Y))
(Y is atan2(inf, 1), X = f(Y))
(Y is atan2(1, inf), X = f(Y))
(Y is atan2(inf, inf), X = f(Y))
(Y is atan2(-inf, inf), X = f(Y))
(Y is atan2(inf, 0), X = f(Y))
(Y is atan2(0, inf), X = f(Y))
(Y is atan2(nan, 1), X = f(Y))
(Y is atan2(1, nan), X = f(Y))
(Y is atan2(1.5, -inf), X = f(Y))
(Y is atan2(inf, 0.0), X = f(Y))
(Y is nexttoward(inf, 1), X = f(Y))
(Y is nexttoward(1, inf), X = f(Y))
(Y is nexttoward(inf, inf), X = f(Y))
(Y is nexttoward(-inf, inf), X = f(Y))
(Y is nexttoward(inf, 0), X = f(Y))
(Y is nexttoward(0, inf), X = f(Y))
(Y is nexttoward(nan, 1), X = f(Y))
(Y is nexttoward(1, nan), X = f(Y))
(Y is nexttoward(1.5, -inf), X = f(Y))
(Y is nexttoward(inf, 0.0), X = f(Y))
(Y is gcd(inf, 1), X = f(Y))
(Y is gcd(1, inf), X = f(Y))
(Y is gcd(inf, inf), X = f(Y))
(Y is gcd(-inf, inf), X = f(Y))
(Y is gcd(inf, 0), X = f(Y))
(Y is gcd(0, inf), X = f(Y))
(Y is gcd(nan, 1), X = f(Y))
(Y is gcd(1, nan), X = f(Y))
(Y is gcd(1.5, -inf), X = f(Y))
(Y is gcd(inf, 0.0), X = f(Y))
(Y is inf, Y > 10 ** 300, X = yes)
(-inf < 1, X = yes)
(10 ** 400 =:= inf, X = yes)
(nan =:= nan, X = yes)
(nan =\= 1, X = yes)
(9007199254740993 =:= 9007199254740992.0, X = yes)
(9007199254740993 > 9007199254740992.0, X = yes)
compare(X, 9007199254740993, 9007199254740992.0)
compare(X, 9007199254740992, 9007199254740992.0)
X is max(9007199254740993, 9007199254740992.0)
sort([9007199254740993, 9007199254740992.0, 9007199254740992], X)
% Association lists that are none.
put_assoc(b, t(a, 1, odd, t, t), 2, X)
put_assoc(b, t(a, 1, >, t, t), 2, X)
put_assoc(b, t(a, 1, <, t, t), 2, X)
put_assoc(b, t(a, 1, <, t), 2, X)
put_assoc(c, t(a, 1, >, t, t(b, 1, odd, t, t)), 2, X)
put_assoc(a, t(c, 1, <, t(b, 1, >, t, t), t), 2, X)
put_assoc(a, t(c, 1, <, t(b, 1, <, t, t), t), 2, X)
put_assoc(b, t(c, 1, <, t(a, 1, -, t, t), t), 2, X)
put_assoc(b, t(c, 1, B, t(a, 1, B, t, t), t), 2, X)
del_assoc(b, t(b, 1, >, t(a, 1, -, t, t), t(c, 1, -, t, t)), _, X)
del_assoc(b, t(b, 1, <, t(a, 1, -, t, t), t(c, 1, -, t, t)), _, X)
del_assoc(b, t(b, 1, odd, t(a, 1, -, t, t), t(c, 1, -, t, t)), _, X)
del_assoc(b, t(b, 1, >, t(a, 1, -, t, t), odd), _, X)
del_assoc(b, t(b, 1, >, t, odd), _, X)
del_assoc(a, t(b, 1, odd, t(a, 1, -, t, t), t), _, X)
del_assoc(a, t(b, 1, >, t(a, 1, -, t, t), t(c, 1, -, t, t)), _, X)
del_min_assoc(t(b, 1, >, t(a, 1, -, t, t), t(c, 1, >, t, t(d, 1, -, t, t))), _, _, X)
del_max_assoc(t(b, 1, odd, t(a, 1, -, t, t), t(c, 1, -, t, t)), _, _, X)
% The character 0 separates and is left out.
split_string([97, 0, 98], "x", "", X)
split_string([0, 97, 0], "x", " ", X)
split_string([97, 0, 0'x, 0, 98], "x", "", X)
split_string([0], "b", "", X)
split_string("a/x/b", "x/", "/", X)
split_string("a//b", "/", "/", X)
split_string("//a//b//", "/", "/", X)
split_string("a, b", ", ", " ", X)
split_string("a, b", ",", " ", X)
split_string("  b /  ,/", ",/", " ,", X)
split_string("b,aaa /", " ,", " a", X)
split_string("a x b", "x ", " ", X)
split_string(" , ", ",", " ", X)
split_string("", "", "", X)
split_string("/", "/", "/", X)
% What directives refuse.
format(atom(X), "~c", [foo])
format(atom(X), "~c", [-1])
format(atom(X), "~c", [0x110000])
format(atom(X), "~c", [0xd800])
format(atom(X), "~c", [5000000000])
format(atom(X), "~d", [1.0])
format(atom(X), "~s", [f(x)])
(tab(1.0), X = yes)
(tab(99999999999999999999), X = yes)
must_be('$none', X)
must_be('$none', a)
% Streams must be there, whoever reads them.
(tab(user_error, foo), X = yes)
(tab(user_error, 1.0), X = yes)
(tab(user_error, 0), X = yes)
(write(nowhere, a), X = yes)
(nl(f(x)), X = yes)
(print("a", a), X = yes)
(writeln(1, a), X = yes)
(write(user_input, a), X = yes)
(write(_, a), X = yes)
(put_char(user_error, f(x)), X = yes)
(print_message(f(x), foo), X = yes)
(print_message(1, foo), X = yes)
(print_message(silent, foo), X = yes)
(print_message(_, foo), X = yes)
(with_output_to(nowhere, true), X = yes)
(with_output_to(f(x), true), X = yes)
% What is blamed, and in which order.
(f(a, b) =.. [f|a], X = yes)
(f(a, b) =.. [g|a], X = yes)
(f(a, b) =.. [f, a, b|c], X = yes)
(f(a, b) =.. [f, a, c|d], X = yes)
(f(a, b) =.. [f, a, b, c|d], X = yes)
(f(a, b) =.. [f, a|X])
(3 =.. [a|b], X = yes)
(a =.. [a|b], X = yes)
functor(_, 3, 1)
functor(X, 3, 1)
functor(X, Y, [a|b])
(setarg(0, a, b), X = yes)
(setarg(1, a, b), X = yes)
(setarg(1, [], b), X = yes)
(setarg(1, "s", b), X = yes)
(setarg(0, _, b), X = yes)
(nb_setarg(123456789012345678901234567890, f(a), b), X = yes)
format(atom(X), "~r", [12])
format(atom(X), "~r", a)
mapargs([A, B]>>(B = A), 2.5, X)
mapargs([A, B]>>(B = g(A)), f(1, 2), X)
mapargs([A, B]>>(A = h), X, f(1, 2))
partition([_, maybe]>>true, [a], X, _, _)
partition([A, C]>>compare(C, A, b), [a, b, c, b], X, _, _)
partition([A, C]>>compare(C, A, b), [a, b, c, b], _, X, _)
string_lines(X, [])
string_lines(X, ["a", "b"])
string_lines("a\nb\n", X)
