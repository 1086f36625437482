//! The language: goals with their answers, on the plain machine, and as SWI-Prolog gives them.

use crate::support::{show, subject};
use xcute_clp::machine::Bounds;
use xcute_clp::subject::Answer;
use xcute_clp::swipl::{Ending, Limits, Session};
use xcute_clp::syntax::{Arena, Atoms, Operators, Style, TermRef, Writer};
use xcute_term::{Model, Terms};

/// The solutions of `Goal` as values of X, or the error.
fn solve(program: &str, goal: &str) -> String {
    let text = format!(":- set_prolog_flag(occurs_check, true).\n:- use_module(library(clpfd)).\n{program}\nmain(X) :- {goal}.\n");
    let (program, mut subject) = subject(&text, "main/1", Some(&[]), None, Bounds { solutions: 20, ..Bounds::default() });
    let (answer, _) = subject.replay(&Terms::new(), &Model::new(), Bounds { solutions: 20, ..Bounds::default() });
    match answer {
        Answer::Solutions(solutions, _) => {
            let texts: Vec<String> = solutions.iter().map(|solution| show(&program, &subject, solution)).collect();
            texts.join(" ; ")
        }
        Answer::Error(ball) => {
            let text = show(&program, &subject, &ball);
            text.strip_prefix("error(").and_then(|t| t.rsplit_once(',')).map_or(text.clone(), |(formal, _)| formal.to_owned())
        }
        Answer::NoEnd => "no end".to_owned(),
        Answer::Rejected => "rejected".to_owned(),
    }
}

fn check(program: &str, table: &[(&str, &str)]) {
    for (goal, expected) in table {
        assert_eq!(solve(program, goal).replace(", ", ","), *expected, "?- {goal}.");
    }
    same_in_swipl(program, table);
}

/// The same goals have the same answers in SWI-Prolog.
fn same_in_swipl(program: &str, table: &[(&str, &str)]) {
    let mut text = format!(":- set_prolog_flag(occurs_check, true).\n:- use_module(library(clpfd)).\n{program}\n");
    for (number, (goal, _)) in table.iter().enumerate() {
        text += &format!("main{number}(X) :- {goal}.\n");
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("language.pl");
    std::fs::write(&file, text).expect("a writable directory");
    let limits = Limits { solutions: 20, inferences: 10_000_000, time: std::time::Duration::from_secs(120) };
    let mut session = Session::start(&file).expect("the tests need SWI-Prolog (run \"./x setup\")");
    for (number, (goal, expected)) in table.iter().enumerate() {
        if number > 0 && program.contains("dynamic") {
            // What a goal asserts must not reach the next.
            session = Session::start(&file).expect("it started before");
        }
        let mut atoms = Atoms::default();
        let answer = session.solve(&format!("main{number}(X)"), limits, &mut atoms).expect("it answers");
        let found = match &answer.ending {
            Ending::Error(formal) => written(&answer.terms, *formal, &atoms),
            _ => {
                let values = answer.solutions.iter().map(|solution| written(&answer.terms, solution.values[0], &atoms));
                values.collect::<Vec<String>>().join(" ; ")
            }
        };
        assert_eq!(found.replace(", ", ","), *expected, "?- {goal}. in SWI-Prolog");
    }
}

fn written(terms: &Arena, root: TermRef, atoms: &Atoms) -> String {
    let mut atoms = atoms.clone();
    let operators = Operators::new(&mut atoms);
    Writer::new(&atoms, &operators, Style::Operators).term(terms, root, &[])
}

#[test]
fn unification() {
    // A variable of the clause would be a part of itself, which only the variable of the goal shows.
    let program = "p(g(A, f(B)), g(B, A)).\nq(g(A, f(B)), V, g(B, A)) :- V = A.";
    check(
        program,
        &[
            ("( p(Y, Y) -> X = yes ; X = no )", "no"),
            ("( p(Y, Z), Y = g(1, f(2)) -> X = Z ; X = no )", "g(2,1)"),
            ("( p(h(Y), h(Y)) -> X = yes ; X = no )", "no"),
            ("( q(Y, f(1), Y) -> X = yes ; X = no )", "no"),
        ],
    );
}

#[test]
fn control() {
    let program = "p(1). p(2). p(3).\nq(X) :- p(X), !.\nr(X) :- ( p(X), X > 1 -> true ; X = none ).\ns(X) :- \\+ p(X).\nt(_) :- u(1).";
    check(
        program,
        &[
            ("p(X)", "1 ; 2 ; 3"),
            ("q(X)", "1"),
            ("r(X)", "2"),
            ("(s(4), X = yes ; s(1), X = no)", "yes"),
            ("(p(X) *-> true ; X = 0)", "1 ; 2 ; 3"),
            ("(fail *-> true ; X = 0)", "0"),
            ("findall(Y, p(Y), X)", "[1,2,3]"),
            ("findall(Y-Z, (p(Y), p(Z), Y < Z), X)", "[1-2,1-3,2-3]"),
            ("forall(p(Y), Y > 0), X = all", "all"),
            ("once(p(X))", "1"),
            ("ignore((p(X), X > 2))", "3"),
            ("catch(throw(ball), B, X = B)", "ball"),
            ("catch((p(X), X > 1, throw(found(X))), found(Y), X = Y)", "2"),
            ("catch(catch(throw(a), b, true), a, X = outer)", "outer"),
            ("catch(t(1), error(E, _), X = E)", "existence_error(procedure,u/1)"),
            ("call(p, X)", "1 ; 2 ; 3"),
            ("G = p(X), call(G)", "1 ; 2 ; 3"),
            ("bagof(Y, p(Y), X)", "[1,2,3]"),
            ("setof(Y-K, member(Y-K, [b-1,a-2,a-1,a-1]), X)", "[a-1,a-2,b-1]"),
            ("(bagof(Y, member(K-Y, [a-1,b-2,a-3]), L), X = K-L)", "a-[1,3] ; b-[2]"),
            ("catch(p(X), _, true), X >= 2", "2 ; 3"),
        ],
    );
}

#[test]
fn terms_and_arithmetic() {
    check(
        "",
        &[
            ("X is 7 // 2 + 7 mod 3 - (-7) // 2 + (-7) mod 3", "9"),
            ("X is -7 rem 3 + -7 div 2", "-5"),
            ("X is 2 ** 100", "1267650600228229401496703205376"),
            ("X is 7 / 2", "3.5"),
            ("X is 6 / 2", "3"),
            ("X is max(1, 2.0) + min(3, 4)", "5.0"),
            ("X is foo + 1", "type_error(evaluable,foo/0)"),
            ("X is _ + 1", "instantiation_error"),
            ("X is 1 / 0", "evaluation_error(zero_divisor)"),
            ("functor(f(a, b), N, A), X = N/A", "f/2"),
            ("functor(X, g, 1)", "g(_)"),
            ("f(a, b) =.. X", "[f,a,b]"),
            ("X =.. [h, 1]", "h(1)"),
            ("arg(N, f(a, b), A), X = N-A", "1-a ; 2-b"),
            ("copy_term(f(Y, Y, _), X)", "f(A,A,_)"),
            ("X = f(X)", ""),
            ("length(X, 2)", "[_,_]"),
            ("length([a|T], 3), X = T", "[_,_]"),
            ("length(a, X)", "type_error(list,a)"),
            ("between(1, 3, X)", "1 ; 2 ; 3"),
            ("msort([b, 1, a, \"s\", f(x), 2.0, 1], X)", "[1,1,2.0,\"s\",a,b,f(x)]"),
            ("sort(0, @>=, [1, 3, 2, 3], X)", "[3,3,2,1]"),
            ("keysort([b-1, a-2, b-0], X)", "[a-2,b-1,b-0]"),
            ("compare(X, f(a), g)", ">"),
            ("succ(X, 4)", "3"),
            ("atom_codes(abc, L), atom_codes(X, [0'x|L])", "xabc"),
            ("atom_concat(X, Y, ab), atom_length(Y, 1)", "a"),
            ("sub_atom(hello, 1, 3, _, X)", "ell"),
            ("atomic_list_concat(L, ',', 'a,b'), X = L", "[a,b]"),
            ("atom_number('12', X)", "12"),
            ("split_string(\"a b\", \" \", \"\", X)", "[\"a\",\"b\"]"),
        ],
    );
}

#[test]
fn grammars_of_the_library() {
    check(
        ":- use_module(library(dcg/basics)).",
        &[
            ("phrase((whites, integer(X), blanks), `  12 `)", "12"),
            ("phrase((integer(A), \",\", number(B)), `-3,4.5e2`), X = A-B", "-3-450.0"),
            ("phrase(string_without(`,`, Cs), `ab,c`, _), atom_codes(X, Cs)", "ab"),
            ("phrase((string(S), \",\", remainder(R)), `a,b`), atom_codes(A, S), atom_codes(B, R), X = A-B", "a-b"),
            ("phrase(xinteger(X), `ff`)", "255"),
            ("phrase(float(X), `1`)", ""),
            ("phrase(integer(12), X)", "[49,50]"),
            ("phrase((nonblanks(Cs), blanks, eos), `ab  `), atom_codes(X, Cs)", "ab"),
            ("phrase(number(a), X)", "type_error(number,a)"),
        ],
    );
}

#[test]
fn directives_run_before_the_goal() {
    check(
        ":- dynamic seen/1.\nseen(clause).\n:- assertz(seen(late)), nb_setval(key, f(x)).\n:- initialization(assertz(seen(last))).\n\
         :- fail.\n:- atom_length(_, _).\n:- assertz(seen(after)).",
        &[
            ("findall(Y, seen(Y), X)", "[clause,late,after,last]"),
            ("nb_getval(key, X)", "f(x)"),
            ("retract(seen(late)), findall(Y, seen(Y), X)", "[clause,after,last]"),
            ("op(700, xfx, =>>), term_to_atom(T, 'a =>> b'), T =.. X", "[=>>,a,b]"),
            ("op(1201, xfx, aa), X = 1", "domain_error(operator_priority,1201)"),
            ("op(700, foo, aa), X = 1", "domain_error(operator_specifier,foo)"),
            ("op(700, xfx, ','), X = 1", "permission_error(modify,operator,',')"),
            ("op(700, fy, tt), current_op(P, T, tt), X = P-T", "700-fy"),
        ],
    );
}

#[test]
fn state() {
    check(
        ":- dynamic c/1.\nc(1).\nc(2).",
        &[
            ("assertz(c(3)), findall(Y, c(Y), X)", "[1,2,3]"),
            ("asserta(c(0)), retract(c(1)), findall(Y, c(Y), X)", "[0,2]"),
            ("retractall(c(_)), findall(Y, c(Y), X)", "[]"),
            ("assertz((d(Y) :- c(Y), Y > 1)), d(X)", "2"),
            ("c(Y), assertz(c(9)), Y = 2, findall(Z, c(Z), X)", "[1,2,9,9]"),
            ("findall(Y, retract(c(Y)), L), findall(Z, c(Z), M), X = L-M", "[1,2]-[]"),
        ],
    );
}

#[test]
fn constraints() {
    let send = "puzzle([S,E,N,D,M,O,R,Y]) :- Vs = [S,E,N,D,M,O,R,Y], Vs ins 0..9, all_different(Vs),\n\
                S*1000 + E*100 + N*10 + D + M*1000 + O*100 + R*10 + E #= M*10000 + O*1000 + N*100 + E*10 + Y, M #\\= 0, S #\\= 0, label(Vs).\n\
                queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs), label(Qs).\n\
                safe([]). safe([Q|Qs]) :- free(Q, Qs, 1), safe(Qs).\n\
                free(_, [], _). free(Q, [R|Rs], D) :- Q #\\= R, Q #\\= R + D, Q #\\= R - D, E is D + 1, free(Q, Rs, E).";
    check(
        send,
        &[
            ("puzzle(X)", "[9,5,6,7,1,0,8,2]"),
            ("once(queens(6, X))", "[2,4,6,1,3,5]"),
            ("X in 1..3, X #\\= 2, label([X])", "1 ; 3"),
            ("X in 1..2 \\/ 5, label([X])", "1 ; 2 ; 5"),
            ("X #= 3 + 4", "7"),
            ("7 #= X + 4", "3"),
            ("3 * X #= 10", ""),
            ("X #> 3, X #< 5", "4"),
            ("X #> 3, label([X])", "instantiation_error"),
            ("Y in 0..4, Y * Y #= X, Y #> 3", "16"),
            ("sum([1, X, 3], #=, 10)", "6"),
            ("X #< foo", "domain_error(clpfd_expression,foo)"),
            ("dif(X, a), X = b", "b"),
            ("dif(X, a), X = a", ""),
            ("dif(f(X, Y), f(a, b)), X = a, (Y = b ; Y = c)", "a"),
            ("[Y, Z] ins 1..5, abs(Z - Y) #\\= 1, Z = 1, fd_size(Y, X)", "4"),
            ("Y in 1..5, Z in 0..9, Y + Z #= 6, Y #\\= 3, fd_size(Z, X)", "5"),
            ("X in 1..3, X = a", "type_error(integer,a)"),
        ],
    );
}
