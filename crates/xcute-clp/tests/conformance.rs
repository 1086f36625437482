//! The reader against SWI-Prolog's own: every term of the corpus, and the files of SWI-Prolog's library.
//!
//! SWI-Prolog reads with `read_term/2` and writes with `write_canonical/1`; both texts must be equal, and what one refuses the other must refuse.
#![allow(clippy::unwrap_used)]

use crate::common;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use xcute_clp::syntax::{Atoms, Flags, Operators, Problem, Program, Reader, SourceId, Style, Writer};

/// What `swipl` prints for a script that gets `input`.
fn swipl(script: &str, input: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("script.pl");
    std::fs::write(&file, script).unwrap();
    let mut child = Command::new("swipl")
        .args(["-q", "-g", "main", "-t", "halt"])
        .arg(&file)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the tests need SWI-Prolog (run \"./x setup\")");
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// One term per line; a mark stands for the ends of lines inside.
const READ_EACH: &str = r"
main :- repeat, read_line_to_string(user_input, Line), ( Line == end_of_file -> ! ; one(Line), fail ).
one(Line) :-
    atomic_list_concat(Parts, '⏎', Line), atomic_list_concat(Parts, '\n', Text),
    catch(( open_string(Text, Stream), read_term(Stream, Term, []), with_output_to(string(Out), write_canonical(Term)) ), error(_, _), Out = error),
    write(Out), nl.
";

fn ours(text: &str) -> Result<String, Problem> {
    let mut atoms = Atoms::default();
    let operators = Operators::new(&mut atoms);
    match Reader::new(SourceId(0), text).next(&mut atoms, &operators, Flags::default()) {
        None => Ok("end_of_file".to_owned()),
        Some(Ok(read)) => Ok(Writer::new(&atoms, &operators, Style::Canonical).term(&read.terms, read.root, &read.variables)),
        Some(Err(error)) => Err(error.problem),
    }
}

#[test]
fn the_corpus_is_read_as_swi_prolog_reads_it() {
    let corpus = include_str!("corpus/terms.txt");
    let theirs = swipl(READ_EACH, corpus);
    let mut differences = Vec::new();
    let mut compared = 0;
    for (line, theirs) in corpus.lines().zip(theirs.lines()) {
        let text = format!("{}\n", line.replace('⏎', "\n"));
        let ours = ours(&text).unwrap_or_else(|_| "error".to_owned());
        compared += 1;
        if ours != theirs {
            differences.push(format!("{line}\n  SWI-Prolog: {theirs}\n  xcute:      {ours}"));
        }
    }
    assert_eq!(compared, corpus.lines().count(), "SWI-Prolog ended early");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_operators_are_those_of_swi_prolog() {
    let script = "main :- forall((current_op(P, T, N), \\+ N == []), (write_canonical(op(P, T, N)), nl)).";
    let theirs = swipl(script, "");
    let mut atoms = Atoms::default();
    let operators = Operators::new(&mut atoms);
    let mut compared = 0;
    for line in theirs.lines() {
        let (program, errors) = Program::read("ops", &format!("{line}.\n"));
        assert_eq!(errors, []);
        let clause = &program.predicates[0].clauses[0];
        let show = |term| Writer::new(&program.atoms, &program.operators, Style::Canonical).term(&clause.terms, term, &[]);
        let (_, arguments) = clause.terms.callable(clause.head).unwrap();
        let [priority, kind] = [show(arguments[0]), show(arguments[1])];
        let xcute_clp::syntax::Term::Atom(name) = *clause.terms.get(arguments[2]) else { panic!("{line}") };
        let atom = atoms.intern(program.atoms.name(name));
        let ours = match kind.as_str() {
            "fx" | "fy" => operators.prefix(atom),
            "xf" | "yf" => operators.postfix(atom),
            _ => operators.infix(atom),
        };
        assert_eq!(ours.map(|operator| operator.priority.to_string()), Some(priority), "{line}");
        compared += 1;
    }
    assert!(compared > 50, "{theirs}");
}

/// Reads the files whose names come in and prints each term, or "error"; operators are kept in a module for each file.
const READ_FILES: &str = r"
main :- repeat, read_line_to_string(user_input, File), ( File == end_of_file -> ! ; file(File), writeln('%end'), fail ).
file(File) :- atom_string(Module, File), open(File, read, Stream, [encoding(utf8)]), repeat,
    catch(read_term(Stream, Term, [module(Module)]), error(_, _), Term = '$error'),
    ( Term == end_of_file -> !
    ; Term == '$error' -> writeln(error), fail
    ; ( Term = (:- Goal) -> ignore(catch(operators(Goal, Module), _, true)) ; true ), with_output_to(string(Out), write_canonical(Term)), writeln(Out), fail ).
operators(op(P, T, N), Module) :- op(P, T, Module:N).
operators(module(_, Exports), Module) :- forall(member(op(P, T, N), Exports), op(P, T, Module:N)).
";

#[test]
fn the_library_of_swi_prolog_is_read_as_it_reads_it() {
    let home = swipl("main :- current_prolog_flag(home, H), write(H).", "");
    let library = Path::new(&home).join("library");
    let mut files: Vec<_> = std::fs::read_dir(&library).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "pl"));
    files.sort();
    let (mut terms, mut dicts, mut conditional, mut ours) = (0, 0, 0, Vec::new());
    for path in files {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if text.contains(":- if(") {
            conditional += 1;
        } else if let Some(read) = canonical(&text) {
            terms += read.len();
            ours.push((path, read));
        } else {
            dicts += 1;
        }
    }
    let names: String = ours.iter().map(|(path, _)| format!("{}\n", path.display())).collect();
    let theirs = swipl(READ_FILES, &names);
    let mut differences = Vec::new();
    for ((path, ours), theirs) in ours.iter().zip(theirs.split("%end\n")) {
        let theirs: Vec<&str> = theirs.lines().collect();
        if *ours != theirs {
            let at = ours.iter().zip(&theirs).position(|(ours, theirs)| ours != theirs).unwrap_or(ours.len().min(theirs.len()));
            differences.push(format!(
                "{}: term {at}\n  SWI-Prolog: {:?}\n  xcute:      {:?}",
                path.display(),
                theirs.get(at),
                ours.get(at)
            ));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(theirs.matches("%end\n").count(), ours.len(), "SWI-Prolog ended early");
    let compared = ours.len();
    assert!(compared > 100 && terms > 9_000, "only {compared} files with {terms} terms ({dicts} with dicts, {conditional} conditional)");
}

/// All terms of a text, with the operators that its directives declare; `None` if it uses what is not supported.
fn canonical(text: &str) -> Option<Vec<String>> {
    let mut program = Program::default();
    let mut reader = Reader::new(SourceId(0), text);
    let mut out = Vec::new();
    loop {
        let operators = program.operators.clone();
        match reader.next(&mut program.atoms, &operators, Flags::default()) {
            None => return Some(out),
            Some(Err(error)) => match error.problem {
                Problem::Dict | Problem::QuasiQuotation | Problem::Rational => return None,
                _ => out.push("error".to_owned()),
            },
            Some(Ok(read)) => {
                let shown = Writer::new(&program.atoms, &operators, Style::Canonical).term(&read.terms, read.root, &read.variables);
                if shown.starts_with(":-(op(") || shown.starts_with(":-(module(") {
                    program.add("directive", &text[read.span.range()], &|_| Err(std::io::ErrorKind::NotFound.into()));
                }
                out.push(shown);
            }
        }
    }
}

#[test]
fn random_terms_are_written_so_that_swi_prolog_reads_them() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut atoms = Atoms::default();
    let operators = common::operators(&mut atoms);
    let (mut written, mut expected) = (String::new(), Vec::new());
    for _ in 0..3_000 {
        let (terms, root) = common::random_term(&mut random, &mut atoms);
        written.push_str(&Writer::new(&atoms, &operators, Style::Operators).term(&terms, root, &[]).replace('\n', "⏎"));
        written.push_str(" .\n");
        expected.push(Writer::new(&atoms, &operators, Style::Canonical).term(&terms, root, &[]));
    }
    let script = format!(":- op(700, xf, '!!'), op(650, yf, post), op(800, xfy, post), op(300, fx, pre).\n{READ_EACH}");
    let theirs = swipl(&script, &written);
    assert_eq!(theirs.lines().count(), expected.len());
    for ((text, theirs), expected) in written.lines().zip(theirs.lines()).zip(&expected) {
        assert_eq!(theirs, expected, "{text}");
    }
}

#[test]
fn grammar_rules_are_translated_as_swi_prolog_translates_them() {
    let rules = [
        "a --> b",
        "a --> [x]",
        "a --> [x,y], b",
        "a --> []",
        "a --> \"xy\"",
        "a --> `xy`, c",
        "a --> {b}",
        "a --> !",
        "a --> !, b",
        "a --> b, {c}, d",
        "a --> \\+ b",
        "a --> \\+ b, c",
        "a --> b ; c",
        "a --> b | c",
        "a --> b -> c ; d",
        "a --> b *-> c ; d",
        "a --> call(f, 1)",
        "a --> call(f), b",
        "a, [x] --> b",
        "a, \"x\" --> b",
        "a, [] --> b",
        "a(X) --> X",
        "a --> m:b",
        "a --> b, [x], c",
        "a --> {b}, !, [c]",
        "a --> (b, c), d",
        "a --> \"\"",
        "a --> {b ; c}",
        "a --> {!}",
        "a --> (b -> c)",
        "a --> \\+ [x]",
        "a(X, Y) --> b(X), c(Y), a(Y, X)",
        "a --> 1",
        "1 --> a",
        "X --> a",
    ];
    let script = "main :- repeat, read(Rule), ( Rule == end_of_file -> ! ;
        catch(( dcg_translate_rule(Rule, Clause), with_output_to(string(Out), write_canonical(Clause)) ), _, Out = error), writeln(Out), fail ).";
    let theirs = swipl(script, &rules.map(|rule| format!("{rule}.\n")).concat());
    assert_eq!(theirs.lines().count(), rules.len());
    for (rule, theirs) in rules.iter().zip(theirs.lines()) {
        let (program, errors) = Program::read("rules", &format!("{rule}.\n"));
        let ours = match program.predicates.first() {
            Some(predicate) => {
                let clause = &predicate.clauses[0];
                let mut terms = clause.terms.clone();
                let whole = terms.compound(xcute_clp::syntax::Atom::NECK, &[clause.head, clause.body]);
                Writer::new(&program.atoms, &program.operators, Style::Canonical).term(&terms, whole, &[])
            }
            None => {
                assert_eq!(errors.len(), 1, "{rule}");
                "error".to_owned()
            }
        };
        assert_eq!(ours, theirs, "{rule}");
    }
}
