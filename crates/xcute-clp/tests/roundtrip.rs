//! What is written is read as the same; neither depth nor length is a danger.
#![allow(clippy::unwrap_used)]

use crate::common;
use xcute_clp::syntax::{Atoms, Flags, Program, Reader, SourceId, Style, Writer};

#[test]
fn random_terms_are_read_as_they_were_written() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut atoms = Atoms::default();
    let operators = common::operators(&mut atoms);
    for _ in 0..20_000 {
        let (terms, root) = common::random_term(&mut random, &mut atoms);
        let canonical = Writer::new(&atoms, &operators, Style::Canonical).term(&terms, root, &[]);
        for style in [Style::Operators, Style::Canonical] {
            let text = format!("{} .", Writer::new(&atoms, &operators, style).term(&terms, root, &[]));
            let read = match Reader::new(SourceId(0), &text).next(&mut atoms, &operators, Flags::default()) {
                Some(Ok(read)) => read,
                other => panic!("{text}\n{canonical}\n{other:?}"),
            };
            assert_eq!(Writer::new(&atoms, &operators, Style::Canonical).term(&read.terms, read.root, &[]), canonical, "{text}");
        }
    }
}

#[test]
fn deep_terms_do_not_use_up_the_stack() {
    const DEPTH: usize = 100_000;
    let shapes = [
        ("f(".repeat(DEPTH), "a", ")".repeat(DEPTH)),
        ("[".repeat(DEPTH), "a", "]".repeat(DEPTH)),
        ("{".repeat(DEPTH), "a", "}".repeat(DEPTH)),
        ("((".repeat(DEPTH), "a", "))".repeat(DEPTH)),
        ("- ".repeat(DEPTH), "a", String::new()),
        ("a:".repeat(DEPTH), "a", String::new()),
        (String::new(), "a", "-a".repeat(DEPTH)),
        ("a,".repeat(DEPTH), "a", String::new()),
        (":- (a,".to_owned() + &"a,".repeat(DEPTH), "a", ")".to_owned()),
        ("p --> (".to_owned() + &"(a;".repeat(DEPTH), "a", ")".repeat(DEPTH + 1)),
        ("p --> ".to_owned() + &"\\+ ".repeat(DEPTH), "a", String::new()),
        ("p :- ".to_owned() + &"a,".repeat(DEPTH), "a", String::new()),
    ];
    // Threads have the small stacks that workers have.
    let run = move || {
        for (before, middle, after) in &shapes {
            let text = format!("{before}{middle}{after}.");
            let (program, errors) = Program::read("deep.pl", &text);
            assert!(errors.len() <= 1, "{:?}", errors[0].problem);
            for clause in program.predicates.iter().flat_map(|predicate| &predicate.clauses) {
                let shown =
                    Writer::new(&program.atoms, &program.operators, Style::Operators).term(&clause.terms, clause.body, &clause.variables);
                assert!(!shown.is_empty());
            }
            // What is not closed is refused, not followed.
            let (_, errors) = Program::read("deep.pl", &format!("{before}{middle}"));
            assert!(errors.len() <= 1);
        }
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}

#[test]
fn long_fact_tables_are_read() {
    let text: String = (0..10_000).map(|number| format!("fact({number}, 'atom {number}', [a, B, \"c\"|B], f(X, X)).\n")).collect();
    let (program, errors) = Program::read("facts.pl", &text);
    assert_eq!(errors, []);
    assert_eq!(program.predicates[0].clauses.len(), 10_000);
}
