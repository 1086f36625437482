//! The predicates of SWI-Prolog, by name.

/// The predicates that every program of SWI-Prolog can call, `name/arity` in each line, in order.
const ELSEWHERE: &str = include_str!("../library/elsewhere.txt");

/// Whether SWI-Prolog has a predicate of this name and arity. What is neither the program's, the machine's nor the library's is not supported then.
#[must_use]
pub(crate) fn is_elsewhere(name: &str, arity: u32) -> bool {
    let wanted = format!("{name}/{arity}");
    // Names like this are those of the system's own parts.
    name.starts_with('$') || ELSEWHERE.lines().any(|line| line == wanted)
}

/// The names of all predicates of SWI-Prolog, with their arities.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ELSEWHERE.lines()
}
