//! Types that are predicates of the program or of `must_be/2`.

mod support;

use support::search;

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
