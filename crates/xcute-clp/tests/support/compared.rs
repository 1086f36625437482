//! Answers as texts that can be compared: variables are named in the order in which they occur, errors have no contexts.

use std::sync::Arc;

use xcute_clp::subject::{Answer, Written};
use xcute_clp::syntax::{Arena, Atoms, Operators, Style, Term, TermRef, Writer};

/// A term with its variables named in the order in which they occur.
pub fn shown(terms: &Arena, root: TermRef, atoms: &Atoms) -> String {
    let mut names: Vec<Option<Arc<str>>> = Vec::new();
    let mut pending = vec![root];
    let mut next = 0;
    while let Some(term) = pending.pop() {
        match *terms.get(term) {
            Term::Var(number) => {
                let number = number as usize;
                if names.len() <= number {
                    names.resize(number + 1, None);
                }
                if names[number].is_none() {
                    names[number] = Some(Arc::from(format!("_{next}")));
                    next += 1;
                }
            }
            Term::Compound(compound) => pending.extend(terms.args(compound).iter().rev()),
            _ => {}
        }
    }
    let mut own = atoms.clone();
    let operators = Operators::new(&mut own);
    let text = Writer::new(&own, &operators, Style::Canonical).term(terms, root, &names);
    // The names of variables in written texts are addresses.
    let mut parts = text.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + "_" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// An error, from its formal part; what ran out of memory or of time did not end.
pub fn thrown(formal: &str) -> String {
    let no_end = formal.starts_with("resource_error(") || formal == "time_limit_exceeded";
    if no_end { NO_END.to_owned() } else { format!("throws {formal}") }
}

fn solution(written: &Written, atoms: &Atoms) -> String {
    shown(&written.terms, written.roots[0], atoms)
}

/// An answer of the machine.
pub fn answered(answer: &Answer, atoms: &Atoms) -> String {
    match answer {
        Answer::Solutions(solutions, _) if solutions.is_empty() => "fails".to_owned(),
        Answer::Solutions(solutions, _) => solutions.iter().map(|written| solution(written, atoms)).collect::<Vec<String>>().join(" ; "),
        Answer::Error(ball) => {
            let root = match ball.terms.callable(ball.roots[0]) {
                Some((name, &[formal, _])) if atoms.name(name) == "error" => formal,
                _ => ball.roots[0],
            };
            thrown(&shown(&ball.terms, root, atoms))
        }
        Answer::NoEnd => NO_END.to_owned(),
        Answer::Rejected => NOT_SUPPORTED.to_owned(),
    }
}

/// What a run did that ran out of memory or of time.
pub const NO_END: &str = "no end";

/// What a run did that came to something that the machine does not have.
pub const NOT_SUPPORTED: &str = "is not supported";

/// What a search must distinguish in an answer: which clauses answered, which way their conditions went, which kind of error is thrown. What the program puts
/// in `values(..)` and `v(..)`, and what it throws itself, is any term. `place`: where SWI-Prolog threw an error.
pub fn kind(answer: &str, place: &str) -> String {
    let Some(error) = answer.strip_prefix("throws ") else {
        let solution = |solution: &str| {
            if solution.starts_with("v(") { "v".to_owned() } else { solution.split(",values(").next().unwrap_or(solution).to_owned() }
        };
        return answer.split(" ; ").map(solution).collect::<Vec<_>>().join(" ; ");
    };
    let kind = error.split([',', ')']).next().unwrap_or(error);
    match kind.split('(').next() {
        _ if place == "ball" => "throws ball".to_owned(),
        // As docs/prolog.md has it, whatever is not a number in an expression is one path. The same error elsewhere is another matter.
        Some("type_error")
            if place == "expression" && matches!(kind, "type_error(evaluable" | "type_error([]" | "type_error(character") =>
        {
            "throws what is not a number".to_owned()
        }
        _ => format!("throws {kind}"),
    }
}

/// Where an error was thrown that was collected by [`COLLECT`].
pub fn place(terms: &Arena, answer: TermRef, atoms: &Atoms) -> String {
    match terms.callable(answer) {
        Some((name, &[_, place])) if atoms.name(name) == "throws" => shown(terms, place, atoms),
        _ => String::new(),
    }
}

/// An answer of SWI-Prolog that was collected by [`COLLECT`].
pub fn collected(terms: &Arena, answer: TermRef, atoms: &Atoms) -> String {
    let show = |term: TermRef| shown(terms, term, atoms);
    match terms.callable(answer) {
        Some((name, &[ball, _])) if atoms.name(name) == "throws" => thrown(&show(ball)),
        Some((name, &[solutions])) if atoms.name(name) == "finds" => {
            terms.proper_list(solutions).expect("a list").into_iter().map(show).collect::<Vec<String>>().join(" ; ")
        }
        Some((name, &[])) => atoms.name(name).replace('_', " "),
        _ => show(answer),
    }
}

/// How SWI-Prolog collects the answers of a goal; what it asserts is gone after it, and so would be what it loads: the library is loaded before.
pub const COLLECT: &str = "
% A goal that needs more has no end, and would take a minute to fill a gigabyte.
:- set_prolog_flag(stack_limit, 134217728).
:- use_module(library(solution_sequences)).
:- use_module(library(dif), []).
:- use_module(library(lists), []).
:- use_module(library(apply), []).
:- use_module(library(aggregate), []).
:- use_module(library(assoc), []).
:- use_module(library(ordsets), []).
:- use_module(library(pairs), []).
:- use_module(library(error), []).
:- use_module(library(option), []).
:- use_module(library(yall), []).
:- use_module(library(occurs), []).
:- use_module(library(terms), []).
:- use_module(library(strings), []).
:- use_module(library(gensym), []).
:- use_module(library(when), []).
:- use_module(library(backcomp), []).
:- use_module(library(prolog_code), []).
:- use_module(library(debug), []).
:- use_module(library(time), []).
:- use_module(library(readutil), []).
:- use_module(library(listing), []).
:- use_module(library(ansi_term), []).
:- use_module(library(prolog_stack), []).
:- use_module(library(prolog_clause), []).
:- use_module(library(prolog_source), []).
:- use_module(library(operators), []).
:- multifile prolog:assertion_failed/2.
prolog:assertion_failed(Reason, Goal) :-
    ( nonvar(Reason), Reason = error(Formal, _) -> Plain = error(Formal, _) ; Plain = Reason ),
    throw(error(assertion_error(Plain, Goal), _)).
collect(Max, S0, Goal, Answer) :-
    collect(20000, Max, S0, Goal, First),
    % What may take longer is given more: only what does not end then has no end. After some such goals it is believed at once, up to the next reset of the flag.
    (   First == no_end, flag(endless, Before, Before), Before < 3
    ->  catch(call_with_time_limit(3, collect(400000, Max, S0, Goal, Second)), time_limit_exceeded, true),
        (   ( var(Second) ; Second == no_end ; Second = throws(time_limit_exceeded, _) )
        ->  flag(endless, _, Before + 1), Answer = no_end
        ;   Answer = Second
        )
    ;   Answer = First
    ).
collect(Inferences, Max, S0, Goal, Answer) :-
    ( nb_current('', _) -> nb_delete('') ; true ),
    catch(call_with_inference_limit(snapshot(findall(S, limit(Max, ( Goal, copy_term_nat(S0, S) )), Found)), Inferences, Limit), Error, true),
    (   nonvar(Error)
    ->  ( Error = error(Formal, Context) -> place(Context, Place), copy_term_nat(throws(Formal, Place), Answer) ; copy_term_nat(throws(Error, ball), Answer) )
    ;   Limit == inference_limit_exceeded -> Answer = no_end
    ;   Found == [] -> Answer = fails
    ;   Answer = finds(Found)
    ).
place(context(system:Name/_, _), Place) :-
    nonvar(Name), memberchk(Name, [format, tab, is, <, >, =<, >=, =:=, =\\=]), !,
    Place = expression.
place(_, elsewhere).
";
