//! Types that a program defines: `:- type tree(T) ---> leaf ; node(tree(T), T, tree(T))` as in Mercury, `:- type age == nat`, and `:- regtype tree/1` as in Ciao, which says that
//! a predicate is a type.

use super::error::Problem;
use super::{Arena, Atom, Span, Term, TermRef};

/// A type that has a name.
#[derive(Clone, Debug)]
pub struct TypeDefinition {
    /// Its name.
    pub name: Atom,
    /// The variables that stand for types.
    pub parameters: Vec<u32>,
    /// What its terms are.
    pub body: TypeBody,
    /// Where the terms of the definition are.
    pub terms: Arena,
    /// Where it is.
    pub span: Span,
}

/// What the terms of a type are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeBody {
    /// Each is one of these; the arguments of compounds are types.
    Alternatives(Vec<TermRef>),
    /// Those of another type.
    Same(TermRef),
    /// Those that a predicate of its name accepts.
    Predicate,
}

/// Reads what follows `:- type`.
pub(super) fn definition(terms: Arena, term: TermRef, span: Span) -> Result<TypeDefinition, Problem> {
    let (head, body) = match (terms.matches(term, Atom::LONG_ARROW), terms.matches(term, Atom::STRICT_EQUAL)) {
        (Some([head, body]), _) => (head, TypeBody::Alternatives(alternatives(&terms, body))),
        (None, Some([head, of])) => (head, TypeBody::Same(of)),
        _ => return Err(Problem::Declaration),
    };
    let (name, args) = terms.callable(head).ok_or(Problem::Declaration)?;
    let parameter = |&arg: &TermRef| if let Term::Var(number) = terms.get(arg) { Ok(*number) } else { Err(Problem::Declaration) };
    let parameters = args.iter().map(parameter).collect::<Result<_, _>>()?;
    Ok(TypeDefinition { name, parameters, body, terms, span })
}

/// Reads what follows `:- regtype`: `tree/1`, or `tree(X)` with or without a comment.
pub(super) fn predicate(terms: Arena, term: TermRef, span: Span) -> Result<TypeDefinition, Problem> {
    let head = terms
        .callable(term)
        .and_then(|(_, args)| args.first().copied())
        .filter(|&first| matches!(terms.get(first), Term::Atom(_) | Term::Compound(_)));
    let (name, _) = terms.callable(head.unwrap_or(term)).ok_or(Problem::Declaration)?;
    Ok(TypeDefinition { name, parameters: Vec::new(), body: TypeBody::Predicate, terms, span })
}

fn alternatives(terms: &Arena, body: TermRef) -> Vec<TermRef> {
    let (mut found, mut work) = (Vec::new(), vec![body]);
    while let Some(term) = work.pop() {
        match terms.matches(term, Atom::SEMICOLON).or_else(|| terms.matches(term, Atom::BAR)) {
            Some([first, second]) => work.extend([second, first]),
            None => found.push(term),
        }
    }
    found
}
