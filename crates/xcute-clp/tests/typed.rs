//! Types that are predicates of the program or of `must_be/2`.

use crate::support;
use crate::support::search;

#[test]
fn a_predicate_of_the_types_name_is_its_definition() {
    let text = "\
%! area(+Shape:shape, -Area:number) is det.
area(circle(R), A) :- A is 3 * R * R.
area(square(S), A) :- A is S * S.
shape(circle(R)) :- integer(R), R > 0.
shape(square(S)) :- integer(S), S > 0.
shape(dot).
";
    let outcome = search(text, "area/2", None, None);
    let goals = outcome.goals();
    // A dot is a shape that area/2 forgets.
    assert!(goals.iter().any(|goal| goal.starts_with("area(dot")) && goals.len() == 3, "{goals:?}");
    assert!(outcome.results.complete, "{:?}", outcome.results.limits);
    assert_eq!(outcome.results.failures.len(), 1);
}

#[test]
fn trees_are_types() {
    let text = "\
%! depth(+Tree:tree, -Depth:int) is det.
depth(leaf, 0).
depth(node(L, _, R), D) :- depth(L, DL), depth(R, DR), D is max(DL, DR) + 1.
tree(leaf).
tree(node(L, X, R)) :- tree(L), integer(X), tree(R).
";
    let outcome = search(text, "depth/2", None, Some(2));
    assert!(outcome.results.complete && outcome.results.failures.is_empty(), "{:?}", outcome.goals());
    assert_eq!(outcome.results.paths, 5, "{:?}", outcome.goals());
}

#[test]
fn types_of_must_be_restrict_inputs() {
    for (of, body, goals) in [
        ("oneof([a,b,c])", "X = a", 2),
        ("between(1,3)", "X > 2", 2),
        ("string", "X = \"s\"", 2),
        ("list(between(1,3))", "X = [3|_]", 0),
        ("pair", "X = a-_", 2),
        ("float", "X > 0.5", 2),
    ] {
        let text = format!("%! p(+X:{of}) is semidet.\np(X) :- {body}.\n");
        let outcome = search(&text, "p/1", None, Some(2));
        let failures: Vec<&str> = outcome.results.failures.iter().map(|found| found.failure.message.as_str()).collect();
        assert_eq!(failures, [] as [&str; 0], "{of}");
        assert!(outcome.results.complete, "{of}: {:?}", outcome.results.limits);
        assert!(goals == 0 || outcome.goals().len() >= goals, "{of}: {:?}", outcome.goals());
    }
}

/// What a program adds to `error:has_type/2` are types of its own; those of `must_be/2` stay what they are.
#[test]
fn types_may_be_added() {
    let program = ":- multifile error:has_type/2.\nerror:has_type(even, X) :- integer(X), X mod 2 =:= 0.\nerror:has_type(pair_of(A), X-Y) :- is_of_type(A, X), is_of_type(A, Y).\n";
    for (of, body, paths) in [
        ("oneof([red, green, blue])", "X == red", 2),
        ("string", "X = \"s\"", 2),
        ("even", "X > 3, X < 5", 3),
        ("any", "is_of_type(even, X)", 3),
        ("any", "must_be(even, X)", 3),
        ("pair_of(oneof([a, b]))", "X = a-b", 3),
    ] {
        let outcome = search(&format!("{program}%! p(+X:{of}) is semidet.\np(X) :- {body}.\n"), "p/1", None, Some(2));
        assert!(outcome.results.complete, "{of}: {:?}", outcome.results.limits);
        assert!(outcome.results.paths >= paths, "{of}: {:?}", outcome.goals());
        let unknown = outcome.results.failures.iter().any(|found| found.failure.message.contains("existence_error"));
        assert!(!unknown, "{of}: {:?}", outcome.results.failures);
    }
}

#[test]
fn types_of_the_program_are_defined_by_alternatives() {
    let text = "\
:- type tree(T) ---> leaf ; node(tree(T), T, tree(T)).
:- type color ---> red ; green.
:- type painted == tree(color).
:- pred depth(+painted, -int) is det.
depth(leaf, 0).
depth(node(L, C, R), D) :- cost(C, N), depth(L, DL), depth(R, DR), D is max(DL, DR) + N.
cost(red, 1).
cost(green, 2).
";
    let outcome = search(text, "depth/2", None, Some(2));
    assert!(outcome.results.complete && outcome.results.failures.is_empty(), "{:?} {:?}", outcome.goals(), outcome.results.limits);
    // A leaf, or a node of two colours whose branches are a leaf or a node of two colours.
    assert_eq!(outcome.results.paths, 1 + 2 * 3 * 3, "{:?}", outcome.goals());
}

#[test]
fn a_regular_type_is_a_predicate() {
    let text = "\
:- regtype digit/1.
digit(0).
digit(1).
:- pred inverted(+digit, -digit) is det.
inverted(0, 1).
";
    let outcome = search(text, "inverted/2", None, None);
    assert!(outcome.goals().iter().any(|goal| goal.starts_with("inverted(1,")), "{:?}", outcome.goals());
    assert_eq!((outcome.results.paths, outcome.results.failures.len()), (2, 1), "{:?}", outcome.goals());
}

#[test]
fn unknown_types_are_mistakes_with_their_places() {
    let program = support::program(":- type tree ---> leaf ; node(tree, hue).\n");
    let mistakes = xcute_clp::typed::mistakes(&program);
    let places: Vec<&str> =
        mistakes.iter().map(|mistake| &program.sources[0].text[mistake.span.start as usize..mistake.span.end as usize]).collect();
    assert_eq!(places, ["hue"]);
    let program = support::program("p(a).\n\n%! q(+X:hue) is det.\nq(a).\n");
    let declaration = program.declarations.first().expect("a declaration");
    let mistake = xcute_clp::typed::mistake(declaration, &program).expect("an unknown type");
    assert_eq!(program.sources[0].position(mistake.span.start).0, 3);
}

#[test]
fn types_are_inferred_from_clauses() {
    let text = "\
count(leaf, 0).
count(node(L, _, R), N) :- count(L, A), count(R, B), N is A + B + 1.
";
    let mut program = support::program(text);
    let goal = support::indicator(&mut program, "count/2");
    let inferred = xcute_clp::inferred(&program, goal);
    assert_eq!(inferred, "%! count(?count_1, ?number)\ncount_1(leaf).\ncount_1(node(A0, _, A2)) :- count_1(A0), count_1(A2).\n");
    // What is inferred is read as a declaration.
    let declared = inferred.replace("?count_1", "+count_1").replace("?number)", "-number) is det.");
    let outcome = search(&format!("{declared}{text}"), "count/2", None, Some(1));
    assert!(outcome.results.complete && outcome.results.paths == 2, "{:?}", outcome.goals());
}
