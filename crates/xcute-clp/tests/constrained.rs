//! Paths as goals with constraints: on SWI-Prolog each accepts the instance of its own path and no other.

use crate::support;
use std::fmt::Write as _;
use std::process::Command;

use crate::support::{subject, subjects};
use xcute_clp::constrained::{GoalCase, file};
use xcute_clp::machine::Bounds;
use xcute_clp::subject::ClpSubject;
use xcute_clp::syntax::Program;
use xcute_term::Terms;
use xcute_trace::TestCase;

/// All paths of a goal as goals with constraints, and their texts.
fn cases(source: &Program, subject: &mut ClpSubject) -> (Vec<GoalCase>, Vec<String>, String) {
    let mut again = subject.another();
    let mut terms = Terms::new();
    let mut found = Vec::new();
    for input in support::inputs(subject, source) {
        let case = TestCase { input, ..TestCase::default() };
        let constrained = again.constrained(&mut terms, &case);
        let instance = again.goal(&terms, &case.input);
        found.push(GoalCase { constrained, terms: instance.terms, instance: instance.roots[0] });
    }
    let atoms = &again.symbols().atoms;
    let texts = found.iter().map(|case| case.constrained.as_ref().map_or("none".to_owned(), |goal| goal.text(atoms))).collect();
    let text = file("Goals of a test.", &found, atoms);
    (found, texts, text)
}

/// Which goals accept which instances.
const CHECK: &str = "
conjunction((C, Rest), (C, Cs), Goal) :- !, conjunction(Rest, Cs, Goal).
conjunction(Goal, true, Goal).
accepts(I, J) :- case(I, G, _), case(J, _, Instance), conjunction(G, Cs, Goal), \\+ \\+ catch((Cs, Goal = Instance), _, fail).
:- initialization((forall(accepts(I, J), (write(I-J), nl)), halt)).
";

/// The pairs that SWI-Prolog says.
fn accepted(text: &str) -> String {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("goals.pl");
    std::fs::write(&path, format!("{text}\n{CHECK}")).expect("it can be written");
    let output = Command::new("swipl").args(["-f", "none", "--no-tty"]).arg(&path).output().expect("SWI-Prolog is installed");
    assert!(output.stderr.is_empty(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("plain text")
}

/// Each goal accepts its own instance and no other: paths exclude each other.
fn check(name: &str, source: &Program, subject: &mut ClpSubject) -> (Vec<String>, usize) {
    let (cases, texts, text) = cases(source, subject);
    let written = cases.iter().filter(|case| case.constrained.is_some()).count();
    let mut diagonal = String::new();
    for (number, _) in (1..).zip(&cases).filter(|(_, case)| case.constrained.is_some()) {
        writeln!(diagonal, "{number}-{number}").expect("a string");
    }
    assert_eq!(accepted(&text), diagonal, "{name}\n{text}");
    (texts, cases.len() - written)
}

fn texts(program: &str, goal: &str, ground: Option<&[u32]>, term_depth: Option<u32>) -> Vec<String> {
    let (source, mut subject) = subject(program, goal, ground, term_depth, Bounds::default());
    let (mut texts, unwritten) = check(goal, &source, &mut subject);
    assert_eq!(unwritten, 0, "{texts:?}");
    texts.sort();
    texts
}

#[test]
fn the_goals_of_the_paper() {
    // Example 1.
    let goals = ["dif(A, a), dif(A, b), p(f(A))", r"freeze(A, A \= f(_)), p(A)", "p(f(a))", "p(f(b))"];
    assert_eq!(texts("p(f(a)). p(f(X)) :- q(X). q(b).", "p/1", None, None), goals);
    // Example 5, and what its clauses leave.
    let program = ":- use_module(library(clpfd)). p(X) :- X #< 5. p(X) :- X #> 7. :- pred p(+int).";
    assert_eq!(texts(program, "p/1", None, None), ["A #< 5, p(A)", "A #>= 5, A #=< 7, p(A)", "A #>= 5, A #> 7, p(A)"]);
}

#[test]
fn negative_constraints_with_variables_of_their_own() {
    assert_eq!(
        texts("p(f(_)). p(g(X, X)). p(h(f(_), _)). p([a|_]).", "p/1", None, None),
        [
            r"freeze(A, A \= f(_)), when(ground(A), A \= g(B, B)), when(ground(A), A \= h(f(_), _)), when(ground(A), A \= [a|_]), p(A)",
            "p([a|_])",
            "p(f(_))",
            "p(g(A, A))",
            "p(h(f(_), _))"
        ]
    );
    assert_eq!(texts("p(X, X). p(a, b).", "p/2", None, None), ["dif(A, B), dif(A-B, a-b), p(A, B)", "p(A, A)", "p(a, b)"]);
}

#[test]
fn numbers() {
    let typed = |body: &str| format!(":- pred p(+int, +int). p(X, Y) :- {body}.");
    for body in [
        "X > Y, X < Y + 3",
        "X > 0, Z is Y mod X, Z > 2",
        "Y \\= 0, Z is X // Y, Z =:= 3",
        "Y \\= 0, Z is X rem Y, Z =:= -1",
        "Y \\= 0, Z is X div Y + abs(Y), Z < 2",
        "Z is max(X, Y) - min(X, 7), Z > 3",
        "( X < Y -> Y < 10 ; X =:= Y -> true ; X > 20 )",
        "\\+ ( X > 1, Y > X ), X * Y > 6",
    ] {
        let all = texts(&typed(body), "p/2", None, None);
        assert!(all.len() > 1, "{body}: {all:?}");
    }
    let free = texts("p(X) :- integer(X), X > 3. p(X) :- atom(X), X \\== a. p(\"s\").", "p/1", None, Some(1));
    let goals = [
        "A #< 4, p(A)",
        "A #>= 4, p(A)",
        "freeze(A, \\+ integer(A)), freeze(A, \\+ atom(A)), dif(A, \"s\"), p(A)",
        "freeze(A, atom(A)), dif(A, a), p(A)",
        "p(\"s\")",
        "p(a)",
    ];
    assert_eq!(free, goals);
}

#[test]
fn every_path_of_the_gallery_has_a_goal() {
    let mut checked = 0;
    for (name, text) in subjects::all() {
        for expected in subjects::expectations(&text) {
            let (source, mut subject) = subjects::subject_of(&text, &expected.args);
            let (texts, unwritten) = check(&name, &source, &mut subject);
            assert_eq!(unwritten, 0, "{name} {texts:?}");
            checked += texts.len();
        }
    }
    assert!(checked > 200, "only {checked} goals");
}

#[test]
fn the_empty_list_is_accepted_where_any_constant_is() {
    let text = "grade(X) :- compound(X).\nother([_|_]).\n";
    let (source, mut subject) = subject(text, "grade/1", None, None, Bounds::default());
    let (mut texts, _) = check("grade", &source, &mut subject);
    texts.sort();
    let [constant] = &texts.iter().filter(|text| text.starts_with("freeze(A, atomic")).collect::<Vec<_>>()[..] else { panic!("{texts:?}") };
    let goal = constant.replace("grade(A)", "(A = [], writeln(accepted))");
    let script = format!("({goal}, fail ; true), halt");
    let output = Command::new("swipl").args(["-f", "none", "--no-tty", "-q", "-g", &script]).output().expect("SWI-Prolog is installed");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "accepted\n", "{constant}");
}

/// Variables of a clause that were eliminated are written again, as quotients.
#[test]
fn multiples_are_written_as_products() {
    let program = ":- use_module(library(clpfd)).\np(A) :- Y #> 0, A #= 2*Y.\n";
    let (source, mut subject) = subject(program, "p/1", None, None, Bounds::default());
    let (mut texts, inexpressible) = check("multiples", &source, &mut subject);
    texts.sort();
    assert_eq!(inexpressible, 0);
    assert_eq!(texts[..3], ["A #= 2*B, B #< 1, p(A)", "A #= 2*B, B #>= 1, p(A)", "A mod 2 #\\= 0, p(A)"]);
}
