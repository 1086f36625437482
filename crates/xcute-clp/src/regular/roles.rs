//! What the arguments of control constructs and of predicates that call others stand for.

/// What stands for an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A term.
    Data,
    /// A goal that is called.
    Goal,
    /// A closure that is called with this many more arguments.
    Closure(usize),
    /// An arithmetic expression.
    Expression,
    /// A clause that becomes part of the program.
    Clause,
    /// Nothing that inputs could be.
    Nothing,
}

/// What the arguments of a built-in predicate or of a control construct stand for.
pub(super) fn roles(name: &str, arity: usize) -> Vec<Role> {
    use Role::{Clause, Closure, Data, Expression, Goal, Nothing};
    match (name, arity) {
        ("," | ";" | "->" | "*->" | "|", 2) | ("\\+" | "once" | "ignore" | "assertion" | "call" | "not" | "findall", 1) => {
            vec![Goal; arity]
        }
        ("forall" | "call_cleanup" | "$cleanup", 2) | ("setup_call_cleanup", 3) => vec![Goal; arity],
        ("findall", 3 | 4) => [vec![Data, Goal], vec![Data; arity - 2]].concat(),
        ("findnsols", 4 | 5) => [vec![Data, Data, Goal], vec![Data; arity - 3]].concat(),
        ("aggregate_all" | "bagof" | "setof", 3) => vec![Data, Goal, Data],
        ("catch", 3) => vec![Goal, Data, Goal],
        ("^", 2) => vec![Nothing, Goal],
        ("is", 2) => vec![Data, Expression],
        ("<" | ">" | "=<" | ">=" | "=:=" | "=\\=", 2) => vec![Expression; 2],
        ("#=" | "#\\=" | "#<" | "#>" | "#=<" | "#>=", 2) => vec![Expression; 2],
        ("#<==>" | "#==>" | "#<==" | "#\\/" | "#/\\" | "#\\", _) => vec![Goal; arity],
        ("with_output_to", 2) => vec![Data, Goal],
        ("freeze", 2) | ("when", 2) => vec![Data, Goal],
        ("call", 1..) => [vec![Closure(arity - 1)], vec![Data; arity - 1]].concat(),
        ("assert" | "asserta" | "assertz" | "retract" | "retractall", 1) => vec![Clause],
        ("throw", 1) => vec![Nothing],
        _ => vec![Data; arity],
    }
}
