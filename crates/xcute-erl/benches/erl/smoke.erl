%% Uses modules of the library, one in each function.
-module(smoke).
-compile([export_all, nowarn_export_all]).

%% Stacks of copies have other names.
failing(F) ->
    try F() catch Class:Reason -> {Class, Reason} end.

lists() -> {lists:sort([3, 1, 2]), lists:foldl(fun(X, A) -> X + A end, 0, [1, 2]), lists:zip([1], [a]), lists:keyfind(b, 1, [{a, 1}, {b, 2}]), lists:usort([2, 1, 2]), failing(fun() -> lists:nth(4, [1]) end)}.
maps() -> {maps:to_list(maps:map(fun(_, V) -> V * 2 end, #{a => 1, b => 2})), maps:fold(fun(K, V, A) -> [{K, V} | A] end, [], #{x => 1}), failing(fun() -> maps:get(z, #{}) end)}.
string() -> {string:split("a,b,c", ",", all), string:trim("  x "), string:uppercase("abc"), string:pad("x", 3, leading), string:lexemes("a b  c", " "), string:find("hello", "ll")}.
proplists() -> {proplists:get_value(a, [{a, 1}, b]), proplists:get_bool(b, [{a, 1}, b]), proplists:unfold([a]), proplists:delete(a, [{a, 1}, b])}.
dict() -> D = dict:store(k, 1, dict:new()), {dict:fetch(k, D), dict:to_list(dict:update_counter(k, 2, D)), dict:is_key(z, D)}.
orddict() -> D = orddict:from_list([{b, 2}, {a, 1}]), {D, orddict:fold(fun(_, V, A) -> V + A end, 0, D), orddict:find(c, D)}.
ordsets() -> {ordsets:union([1, 3], [2]), ordsets:is_subset([1], [1, 2]), ordsets:subtract([1, 2], [2])}.
gb_trees() -> T = lists:foldl(fun(K, T) -> gb_trees:insert(K, K * K, T) end, gb_trees:empty(), [5, 2, 8, 1]), {gb_trees:to_list(T), gb_trees:smallest(T), gb_trees:lookup(9, T), gb_trees:keys(gb_trees:delete(2, T))}.
gb_sets() -> S = gb_sets:from_list([3, 1, 2]), {gb_sets:to_list(gb_sets:add(0, S)), gb_sets:is_member(2, S), gb_sets:size(S)}.
sets() -> S = sets:from_list([a, b, a]), {lists:sort(sets:to_list(S)), sets:is_element(c, S), sets:size(sets:union(S, sets:from_list([z])))}.
queue() -> Q = queue:in(2, queue:in(1, queue:new())), {queue:to_list(Q), element(1, queue:out(Q)), queue:len(Q), queue:to_list(queue:reverse(Q))}.
array() -> A = array:set(3, x, array:new()), {array:get(3, A), array:get(0, A), array:size(A), array:sparse_to_list(A)}.
binary() -> {binary:split(<<"a-b-c">>, <<"-">>, [global]), binary:at(<<1, 2>>, 1), binary:replace(<<"aXb">>, <<"X">>, <<"Y">>), binary:longest_common_prefix([<<"ab">>, <<"ac">>])}.
base64() -> {base64:encode(<<"hello">>), base64:decode("aGVsbG8="), base64:encode_to_string(<<1, 2, 3>>)}.
calendar() -> {calendar:day_of_the_week(2024, 2, 29), calendar:valid_date(2023, 2, 29), calendar:gregorian_seconds_to_datetime(63000000000), calendar:last_day_of_the_month(2000, 2)}.
filename() -> {filename:join(["a", "b", "c.erl"]), filename:basename("x/y.erl", ".erl"), filename:extension("a.tar.gz"), filename:split("/a/b")}.
io_lib() -> {lists:flatten(io_lib:format("~p ~s ~w ~.2f~n", [{a, "b"}, "c", [1], 1.5])), io_lib:printable_list("abc"), lists:flatten(io_lib:write({a, [1]}))}.
erl_scan() -> {ok, Tokens, _} = erl_scan:string("f(X) -> X + 1."), Tokens.
erl_parse() -> {ok, Tokens, _} = erl_scan:string("f(X) -> X + 1."), erl_parse:parse_form(Tokens).
erl_eval() -> {ok, Tokens, _} = erl_scan:string("lists:sum([1,2,3]) * 2."), {ok, Exprs} = erl_parse:parse_exprs(Tokens), erl_eval:exprs(Exprs, []).
erl_pp() -> {ok, Tokens, _} = erl_scan:string("f(X) -> X + 1."), {ok, Form} = erl_parse:parse_form(Tokens), lists:flatten(erl_pp:form(Form)).
erl_lint() -> {ok, T1, _} = erl_scan:string("-module(m)."), {ok, T2, _} = erl_scan:string("f(X) -> Y."), {ok, F1} = erl_parse:parse_form(T1), {ok, F2} = erl_parse:parse_form(T2), erl_lint:module([F1, F2]).
unicode() -> {unicode:characters_to_binary([233, 8364]), unicode:characters_to_list(<<"é"/utf8>>), unicode:characters_to_nfd_list([233])}.
uri_string() -> {uri_string:parse("http://a.b:80/c?d=e#f"), uri_string:normalize("http://a/b/../c"), uri_string:dissect_query("a=1&b=2"), uri_string:compose_query([{"k", "v w"}])}.
sofs() -> {sofs:to_external(sofs:union(sofs:set([a]), sofs:set([b]))), sofs:to_external(sofs:converse(sofs:relation([{1, a}])))}.
digraph_utils() -> G = digraph:new(), [digraph:add_vertex(G, V) || V <- [a, b, c]], digraph:add_edge(G, a, b), digraph:add_edge(G, b, c), R = digraph_utils:topsort(G), digraph:delete(G), R.
rand() -> S = rand:seed_s(exsss, {1, 2, 3}), {X, T} = rand:uniform_s(1000, S), {Y, _} = rand:uniform_s(T), {X, Y}.
re() -> {re:run("hello", "l+"), re:replace("abc", "b", "X", [{return, list}]), re:split("a,b", ",", [{return, list}])}.
edlin_expand() -> {edlin_expand:expand(lists:reverse("zzzz_nothing:")), ok}.
zip() -> {ok, {_, Bytes}} = zip:zip("x.zip", [{"a.txt", <<"hello">>}], [memory]), {ok, Files} = zip:unzip(Bytes, [memory]), Files.
timer() -> {timer:hms(1, 2, 3), timer:seconds(2), timer:minutes(1)}.
qlc() -> failing(fun() -> qlc:eval(qlc:append([[1, 2], [3]])) end).
erl_anno() -> {erl_anno:line(erl_anno:new(3)), erl_anno:to_term(erl_anno:set_line(4, erl_anno:new({1, 2})))}.
io_lib_pretty() -> lists:flatten(io_lib_pretty:print({a, [1, 2, 3], #{k => "v"}}, 1, 20, -1)).

slow_sort() -> length(lists:sort([(X * 7919) rem 200003 || X <- lists:seq(1, 200000)])).
slow_trees() -> gb_trees:size(lists:foldl(fun(K, T) -> gb_trees:enter((K * 7919) rem 20011, K, T) end, gb_trees:empty(), lists:seq(1, 20000))).
slow_text() -> length(string:lexemes(lists:flatten(lists:duplicate(5000, "lorem ipsum dolor ")), " ")).
slow_maps() -> maps:fold(fun(_, V, A) -> V + A end, 0, maps:map(fun(K, V) -> K + V end, maps:from_list([{X, X} || X <- lists:seq(1, 50000)]))).
slow_format() -> length(lists:flatten([io_lib:format("~p ~w ~s~n", [{X, [a]}, X, "text"]) || X <- lists:seq(1, 3000)])).
