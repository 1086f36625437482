goal(append(_, _, [a, b, c])).
goal(append([a, b], [c], _)).
goal(append([a|T], [c], L)) :- T = [b], L = _.
goal(append(_, [X], [a, b, X])) :- X = c.
goal(append(_, _)).
goal(append([[a], [b, c], []], _)).
goal(append([_, _], [a, b])).
goal(append(foo, _)).
goal(prefix(_, [a, b])).
goal(member(_, [a, b, c])).
goal(member(b, [a, b, c])).
goal(member(c, [a, b, c])).
goal(member(a, _)).
goal(member(a, [_, b|_])).
goal(member(_, foo)).
goal(member(f(X), [f(a), g(b), f(X)])).
goal(memberchk(b, [a, b, c])).
goal(memberchk(d, [a, b, c])).
goal(memberchk(X, [f(X), b])).
goal(memberchk(a, [_, _])).
goal(select(_, [a, b, c], _)).
goal(select(b, [a, b, c, b], _)).
goal(select(x, _, [a, b])).
goal(selectchk(b, [a, b, c, b], _)).
goal(selectchk(d, [a], _)).
goal(select(b, [a, b, c], x, _)).
goal(select(b, [a, b, c], _, [a, x, c])).
goal(select(_, [a, b], _, [a, c])).
goal(reverse([a, b, c], _)).
goal(reverse([], _)).
goal(permutation([a, b, c], _)).
goal(permutation([], _)).
goal(permutation(_, [a, b])).
goal(permutation([a, b], [b|_])).
goal(permutation([a, b], [a, b, c])).
goal(nth0(1, [a, b, c], _)).
goal(nth0(3, [a, b, c], _)).
goal(nth0(_, [a, b, c], _)).
goal(nth0(_, [a, b, a], a)).
goal(nth0(-1, [a], _)).
goal(nth0(a, [a], _)).
goal(nth0(2, _, x)).
goal(nth1(1, [a, b, c], _)).
goal(nth1(0, [a, b, c], _)).
goal(nth1(-1, [a, b, c], _)).
goal(nth1(3, [a, b, c], _)).
goal(nth1(_, [a, b, c], _)).
goal(nth1(_, [a, b, c], c)).
goal(nth1(f(x), [a], _)).
goal(nth0(1, [a, b, c], _, _)).
goal(nth0(_, [a, b, c], _, _)).
goal(nth0(1, _, x, [a, b])).
goal(nth1(2, [a, b, c], _, _)).
goal(nth1(_, _, x, [a, b])).
goal(nth1(5, [a, b, c], _, _)).
goal(last([a, b, c], _)).
goal(last([a], _)).
goal(last([], _)).
goal(last(_, a)).
goal(proper_length([a, b], _)).
goal(proper_length([a|_], _)).
goal(proper_length(foo, _)).
goal(same_length([a, b], _)).
goal(same_length(_, [a, b])).
goal(sum_list([1, 2, 3.5], _)).
goal(sum_list([], _)).
goal(sum_list([a], _)).
goal(sum_list([1, _], _)).
goal(sumlist([1, 2], _)).
goal(max_list([1, 3, 2], _)).
goal(max_list([], _)).
goal(max_list([1, 1.0], _)).
goal(max_list([a, b], _)).
goal(nth0(-1, _, _)).
goal(min_list([2, 1, 3], _)).
goal(min_list([a, b], _)).
goal(max_member(_, [a, f(x), 1, "s"])).
goal(max_member(_, [])).
goal(min_member(_, [b, f(x), 1, a])).
goal(numlist(1, 5, _)).
goal(numlist(5, 1, _)).
goal(numlist(3, 3, _)).
goal(numlist(1, 2, [1|_])).
goal(numlist(_, 2, _)).
goal(numlist(a, 2, _)).
goal(is_set([a, b])).
goal(is_set([a, b, a])).
goal(is_set([_, _])).
goal(is_set(foo)).
goal(list_to_set([a, b, a, c, b], _)).
goal(list_to_set([X, Y, X], _)) :- Y = _.
goal(list_to_set([1, 1.0], _)).
goal(delete([a, b, a, c], a, _)).
goal(delete([a, _, b], a, _)).
goal(delete([f(a), f(b), g], f(_), _)).
goal(delete([], a, _)).
goal(subtract([a, b, c], [b], _)).
goal(subtract([], [b], _)).
goal(intersection([a, b, c], [c, a], _)).
goal(union([a, b], [b, c], _)).
goal(subset([a, b], [b, a, c])).
goal(subset([a, d], [b, a, c])).
goal(flatten([a, [b, [c, []]], d], _)).
goal(flatten(a, _)).
goal(flatten([X, [Y, X]], _)) :- Y = _.
goal(predsort(order, [c, a, b, a], _)).
goal(predsort(order, [], _)).
goal(predsort(order, [x], _)).
goal(predsort(order, [e, d, c, b, a, c, f], _)).
goal(pairs_keys_values([a-1, b-2], _, _)).
goal(pairs_keys_values(_, [a, b], [1, 2])).
goal(pairs_keys([a-1, b-2], _)).
goal(pairs_values([a-1, b-2], _)).
goal(maplist(even, [2, 4])).
goal(maplist(even, [2, 3])).
goal(maplist(even, [])).
goal(maplist(succ, [1, 2, 3], _)).
goal(maplist(succ, _, [1, 2, 3])).
goal(maplist(=(_), [a, _])).
goal(maplist(add, [1, 2], [3, 4], _)).
goal(maplist(add(1), [1, 2], [3, 4], _)).
goal(maplist(succ, [1, 2], [_])).
goal(maplist(member, [_, _], [[a, b], [c]])).
goal(foldl(add, [1, 2, 3], 0, _)).
goal(foldl(add, [], 0, _)).
goal(foldl(add, [1, 2], [3, 4], 0, _)).
goal(foldl(add, [1], [3, 4], 0, _)).
goal(include(even, [1, 2, 3, 4], _)).
goal(exclude(even, [1, 2, 3, 4], _)).
goal(include(even, [], _)).
goal(include(even, [a], _)).
goal(partition(even, [1, 2, 3, 4], _, _)).
goal(partition(sign, [1, -2, 0, 4], _, _, _)).
goal(aggregate_all(count, member(_, [a, b]), _)).
goal(aggregate_all(count, fail, _)).
goal(aggregate_all(sum(X), member(X, [1, 2]), _)).
goal(aggregate_all(bag(X), member(X, [b, a, b]), _)).
goal(aggregate_all(set(X), member(X, [b, a, b]), _)).
goal(aggregate_all(max(X), member(X, [1, 3, 2]), _)).
goal(aggregate_all(max(X), member(X, []), _)).
goal(aggregate_all(min(X), member(X, [2, 1, 3]), _)).
goal(aggregate_all(max(X, Y), member(X-Y, [1-a, 3-b, 3-c]), _)).
goal(aggregate_all(min(X, Y), member(X-Y, [2-a, 1-b, 1-c]), _)).
goal(once(member(_, [a, b]))).
goal(once(fail)).
goal(ignore(member(_, [a, b]))).
goal(ignore(fail)).
goal(forall(member(X, [2, 4]), even(X))).
goal(forall(member(X, [2, 3]), even(X))).
goal(phrase(digits, `12`)).
goal(phrase(digits, `1a`, _)).
goal(phrase(([a] ; [b]), [b])).
goal(phrase(([a], {true}, \+ [c]), [a, b], _)).
goal(phrase(_, [a])).
goal(tree([], _)).
goal(tree([1, 2, 3, 4, 5, 6, 7, 8, 9], _)).
goal(tree([9, 8, 7, 6, 5, 4, 3, 2, 1], _)).
goal(tree([5, 1, 9, 3, 7, 2, 8, 4, 6, 5], _)).
goal(tree([c, a, f(x), "s", 1, 2.0, b], _)).
goal((tree([5, 1, 9, 3], T), get_assoc(9, T, _))).
goal((tree([5, 1, 9, 3], T), get_assoc(4, T, _))).
goal((tree([5, 1, 9, 3], T), gen_assoc(_, T, _))).
goal((tree([5, 1, 9, 3], T), assoc_to_list(T, _))).
goal((tree([5, 1, 9, 3], T), assoc_to_keys(T, _))).
goal((tree([5, 1, 9, 3], T), assoc_to_values(T, _))).
goal((tree([5, 1, 9, 3], T), min_assoc(T, _, _))).
goal((tree([5, 1, 9, 3], T), max_assoc(T, _, _))).
goal((tree([], T), max_assoc(T, _, _))).
goal((tree([5, 1, 9, 3], T), del_min_assoc(T, _, _, _))).
goal((tree([5, 1, 9, 3], T), del_max_assoc(T, _, _, _))).
goal((tree([5, 1, 9, 3, 7, 2, 8, 4, 6], T), del_assoc(K, T, _, _))) :- member(K, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).
goal((tree([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], T), del_assoc(1, T, _, T1), del_assoc(2, T1, _, T2), del_assoc(K, T2, _, _))) :- member(K, [3, 8, 12]).
goal((tree([1, 2, 3], T), map_assoc(=(v(_)), T))).
goal((tree([1, 2, 3], T), map_assoc([v(X), w(X)]>>true, T, _))).
goal(list_to_assoc(Pairs, _)) :- between(1, 20, N), numlist(1, N, Ns), findall(K-K, member(K, Ns), Pairs).
goal(list_to_assoc([b-1, a-2], _)).
goal(list_to_assoc([b-1, b-2], _)).
goal(list_to_assoc([b-1, a], _)).
goal(list_to_assoc([b-1|_], _)).
goal(list_to_assoc([], _)).
goal(empty_assoc(_)).
