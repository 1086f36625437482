//! The emulator under programs that misbehave: whatever they do is an outcome, and no emulator is left behind.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{home, limits, modules, subject};
use xcute_erl::etf::{Atom, Atoms, Encoder, Term};
use xcute_erl::subject::ErlSubject;
use xcute_erl::vm::{Ended, Gone, Lead, Limits, Tell, Vm};
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Budget, FailureKind, Outcome, Subject as _, TestCase};

const PROGRAM: &str = "
crash() -> {ok, X} = f(0), X.
f(X) -> X.
prints() -> io:format(\"~s~n\", [lists:duplicate(1000, $x)]), io:put_chars([255, 256]), io:get_line(\"? \"), erlang:display(x), done.
halts(N) -> halt(N).
stops() -> apply(init, stop, [3]), receive after infinity -> ok end.
loops(N) -> case N of a -> loops(b); _ -> loops(a) end.
silent(N) -> silent(N + 1).
grows(L) -> grows([L | L], 1).
grows(L, N) -> grows([N | L], N + 1).
kills() -> [exit(P, kill) || P <- processes(), P =/= self()], receive after infinity -> ok end.
killed() -> exit(self(), kill), receive after infinity -> ok end.
linked() -> spawn_link(fun() -> exit(oops) end), receive after infinity -> ok end.
leaves() -> spawn(fun() -> receive after infinity -> ok end end), length(processes()).
dictionary() -> put(k, v), {get(), get_keys(), erase(k), get(), proplists:get_value(dictionary, [process_info(self(), dictionary)])}.
normal() -> exit(normal).
waits() -> receive x -> ok after 10 -> late end.
atoms(0) -> ok;
atoms(N) -> list_to_atom(\"a\" ++ integer_to_list(N)), atoms(N - 1).
kills_init() ->
    exit(whereis(init), kill),
    ok.
";

fn run(function: &str, arguments: &[Term]) -> (ErlSubject, Outcome) {
    let modules = modules(&[("e", PROGRAM)]);
    let arity = u32::try_from(arguments.len()).expect("few");
    let mut subject = subject(&modules, "e", function, arity, None);
    let outcome = again(&mut subject, arguments);
    (subject, outcome)
}

fn again(subject: &mut ErlSubject, arguments: &[Term]) -> Outcome {
    let mut terms = Terms::new();
    let case = subject.case(&mut terms, arguments).expect("terms of the universe");
    subject.run(&case, &[], &mut terms).expect("an emulator").outcome
}

fn failure(outcome: &Outcome) -> (FailureKind, &str) {
    match outcome {
        Outcome::Failed(failure) => (failure.kind, failure.message.as_str()),
        other => panic!("{other:?} is not a failure"),
    }
}

#[test]
fn exceptions_are_told_as_the_shell_tells_them() {
    let (_, outcome) = run("crash", &[]);
    assert_eq!(failure(&outcome), (FailureKind::UncaughtException, "exception error: no match of right hand side value 0"));
    let Outcome::Failed(failure) = outcome else { unreachable!("seen above") };
    let first = &failure.stack[0];
    // Two attributes stand before the text of the program, whose first line is empty.
    assert_eq!((first.function.as_str(), first.line), ("e:crash/0", 4));
    assert!(first.file.ends_with("e.erl"));
    assert_eq!(run("normal", &[]).1, Outcome::Passed);
}

#[test]
fn output_goes_nowhere_and_input_is_empty() {
    assert_eq!(run("prints", &[]).1, Outcome::Passed);
}

#[test]
fn ends_of_the_emulator_are_ends_of_runs() {
    assert_eq!(run("halts", &[Term::Int(0)]).1, Outcome::Passed);
    let (mut subject, outcome) = run("halts", &[Term::Int(3)]);
    assert_eq!(failure(&outcome), (FailureKind::Abort, "the program ended the emulator with status 3"));
    // What is not a status fails as it does without us.
    let outcome = again(&mut subject, &[Term::Atom(Atom::A)]);
    assert!(failure(&outcome).1.contains("bad argument"), "{outcome:?}");
    let (mut subject, outcome) = run("stops", &[]);
    assert_eq!(failure(&outcome), (FailureKind::Abort, "the program ended the emulator with status 3"));
    // The next run has a new one.
    let outcome = again(&mut subject, &[]);
    assert_eq!(failure(&outcome).0, FailureKind::Abort);
}

#[test]
fn endless_runs_are_ended() {
    let (_, outcome) = run("loops", &[Term::Atom(Atom::A)]);
    assert_eq!(failure(&outcome), (FailureKind::Hang, "the function did not end within 20000 steps"));
    let modules = modules(&[("e", PROGRAM)]);
    let short = Limits { time: Duration::from_millis(200), ..limits() };
    let first = subject(&modules, "e", "silent", 1, None);
    let mut quiet = ErlSubject::new(first.program().clone(), first.inputs().clone(), short);
    let outcome = again(&mut quiet, &[Term::Int(0)]);
    assert_eq!(failure(&outcome), (FailureKind::Hang, "the function did not end within 0.2 s"));
    assert_eq!(run("grows", &[Term::Nil]).1, Outcome::OutOfBudget(Budget::Memory));
}

#[test]
fn programs_that_kill_do_not_kill_us() {
    let (mut subject, outcome) = run("kills", &[]);
    assert_eq!(failure(&outcome).0, FailureKind::Abort, "{outcome:?}");
    assert_eq!(failure(&again(&mut subject, &[])).0, FailureKind::Abort);
    let (_, outcome) = run("killed", &[]);
    assert_eq!(failure(&outcome), (FailureKind::UncaughtException, "exception exit: killed"));
    // What comes of it belongs to the run that did it, at the line where it did.
    let (_, outcome) = run("kills_init", &[]);
    assert_eq!(failure(&outcome).0, FailureKind::Abort, "{outcome:?}");
    let Outcome::Failed(failed) = &outcome else { unreachable!("seen above") };
    assert_eq!((failed.stack[0].function.as_str(), failed.stack[0].line), ("e:kills_init/0", 23));
    let (_, outcome) = run("linked", &[]);
    assert_eq!(failure(&outcome), (FailureKind::UncaughtException, "exception exit: oops"));
}

#[test]
fn runs_leave_nothing_behind() {
    let (mut subject, outcome) = run("leaves", &[]);
    assert_eq!(outcome, Outcome::Passed);
    subject.compare(true);
    let mut counts = Vec::new();
    for _ in 0..20 {
        again(&mut subject, &[]);
        let Some(Ended::Returned(Some(Term::Int(count)))) = subject.last().ended.clone() else { panic!("it returns") };
        counts.push(count);
    }
    // The emulator has processes of its own, and starts and ends some of them meanwhile: a few, not one for each run.
    assert!(counts[19] < counts[0] + 10, "{counts:?}");
}

#[test]
fn the_dictionary_of_the_process_has_only_what_the_program_put_there() {
    let (mut subject, _) = run("dictionary", &[]);
    subject.compare(true);
    again(&mut subject, &[]);
    let Some(Ended::Returned(Some(value))) = subject.last().ended.clone() else { panic!("it returns") };
    assert_eq!(xcute_erl::universe::shown(&value, subject.atoms()), "{[{k,v}],[k],v,[],[]}");
    assert_eq!(run("waits", &[]).1, Outcome::Passed);
}

#[test]
fn a_full_table_of_atoms_is_an_outcome() {
    let modules = modules(&[("e", PROGRAM)]);
    let first = subject(&modules, "e", "atoms", 1, None);
    let long = Limits { steps: 100_000_000, time: Duration::from_secs(60), heap: 0 };
    let mut many = ErlSubject::new(first.program().clone(), first.inputs().clone(), long);
    let outcome = again(&mut many, &[Term::Int(2_000_000)]);
    assert_eq!(failure(&outcome).0, FailureKind::Abort, "{outcome:?}");
    assert_eq!(again(&mut many, &[Term::Int(3)]), Outcome::Passed);
}

#[test]
fn an_emulator_ends_when_nobody_is_there_to_talk_to() {
    // A process of its own starts an emulator and is killed; the emulator must follow.
    if std::env::var_os("XCUTE_ERL_HOLD").is_some() {
        let mut vm = Vm::start(&home()).expect("an emulator");
        let mut atoms = Atoms::new();
        let sleep = (atoms.intern("timer"), atoms.intern("sleep"));
        vm.set_up(sleep, Tell::Value, Limits { time: Duration::from_secs(60), ..limits() }, &mut atoms).expect("an emulator");
        println!("emulator {}", vm.id());
        let mut out = Encoder::over(Vec::new(), &[0]);
        out.list(1);
        out.int(60_000);
        out.nil();
        let _ = vm.run(&out.finish(), &mut atoms, &mut |_| Lead::Stop);
        return;
    }
    let mut holder = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "emulator::an_emulator_ends_when_nobody_is_there_to_talk_to", "--nocapture"])
        .env("XCUTE_ERL_HOLD", "1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(holder.stdout.take().expect("a pipe")));
    let id =
        lines.find_map(|line| line.ok()?.rsplit_once("emulator ").and_then(|(_, id)| id.parse::<u32>().ok())).expect("it says its number");
    let alive = || std::path::Path::new(&format!("/proc/{id}")).exists();
    assert!(alive());
    holder.kill().expect("it runs");
    holder.wait().expect("it was killed");
    let end = Instant::now() + Duration::from_secs(20);
    while alive() && Instant::now() < end {
        std::thread::yield_now();
    }
    assert!(!alive(), "the emulator {id} outlives the process that started it");
}

#[test]
fn emulators_that_are_gone_say_how() {
    let mut vm = Vm::start(&home()).expect("an emulator");
    let mut atoms = Atoms::new();
    vm.set_up((Atom::ERLANG, atoms.intern("halt")), Tell::Value, limits(), &mut atoms).expect("an emulator");
    let mut out = Encoder::over(Vec::new(), &[0]);
    out.list(1);
    out.int(7);
    out.nil();
    assert_eq!(vm.run(&out.finish(), &mut atoms, &mut |_| Lead::Stop).expect("an answer").0, Ended::Gone(Gone::Status(7)));
    assert!(!vm.alive());
    let _ = TestCase::default();
}

#[test]
fn an_emulator_is_given_on_after_the_time_of_a_function_is_up() {
    let modules = modules(&[("e", PROGRAM)]);
    let mut first = subject(&modules, "e", "crash", 0, None);
    let time = Interrupt::new();
    first.interrupt_by(&time);
    again(&mut first, &[]);
    time.raise();
    drop(first);
    let mut given_on = subject(&modules, "e", "normal", 0, None);
    assert_eq!(again(&mut given_on, &[]), Outcome::Passed);
}

/// Numbers of processes whose command line holds this text.
fn running(text: &str) -> usize {
    let entries = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    entries
        .filter(|entry| {
            std::fs::read(entry.path().join("cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).replace('\0', " ").trim() == text)
        })
        .count()
}

#[test]
fn programs_that_a_run_starts_do_not_outlive_it() {
    let modules = modules(&[("e", "cmd() -> os:cmd(\"sleep 86397 & echo started\").\n")]);
    let mut subject = subject(&modules, "e", "cmd", 0, None);
    assert_eq!(again(&mut subject, &[]), Outcome::Passed);
    assert_eq!(running("sleep 86397"), 0, "after the run");
    let mut vm = Vm::start(&home()).expect("an emulator");
    let mut atoms = Atoms::new();
    vm.set_up((atoms.intern("os"), atoms.intern("cmd")), Tell::Value, limits(), &mut atoms).expect("an emulator");
    let mut out = Encoder::over(Vec::new(), &[0]);
    out.list(1);
    let text = "sleep 86398 & echo started";
    out.list(text.len());
    text.bytes().for_each(|byte| out.int(i64::from(byte)));
    out.nil();
    out.nil();
    let ended = vm.run(&out.finish(), &mut atoms, &mut |_| Lead::Stop).expect("an answer").0;
    assert!(matches!(ended, Ended::Returned(_)), "{ended:?}");
    assert_eq!(running("sleep 86398"), 1);
    drop(vm);
    let end = Instant::now() + Duration::from_secs(20);
    while running("sleep 86398") > 0 && Instant::now() < end {
        std::thread::yield_now();
    }
    assert_eq!(running("sleep 86398"), 0, "after the emulator");
}
