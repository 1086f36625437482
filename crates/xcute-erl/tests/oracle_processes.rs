//! Random programs of processes against all their deliveries: what runs of a campaign come to must be what some order of a model comes to, and all of that.
//!
//! A program is a list of operations for each process. Here it is interpreted, in all orders; as Erlang it is searched. `XCUTE_ERL_MODULES` and `XCUTE_ERL_SEED`
//! ask for more programs.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use crate::support::{modules, solver, subject};
use xcute_engine::{Campaign, Confirmation, Observer, RunEvent};
use xcute_erl::program::Modules;
use xcute_strategy::StrategyName;
use xcute_term::Terms;
use xcute_trace::{Failure, Outcome, Subject as _, TestCase};

/// Programs in the test suite.
const PROGRAMS: u64 = 100;

/// Programs that are loaded together, since starting emulators costs more than most of them.
const TOGETHER: usize = 25;

/// What a message is: `x` is the input.
const MESSAGES: [&str; 3] = ["a", "b", "x"];

/// What a process does.
#[derive(Clone, Copy, Debug)]
enum Op {
    /// Sends a message to a process.
    Send(usize, &'static str),
    /// Receives any message, or this one; perhaps with a timeout.
    Receive(Option<&'static str>, bool),
}

/// The operations of all processes; the first one starts the others and tells them who they are.
type Program = Vec<Vec<Op>>;

fn random(seed: u64) -> Program {
    let mut rng = fastrand::Rng::with_seed(seed);
    let processes = rng.usize(2..=3);
    let mut op = |own: usize| {
        let message = MESSAGES[rng.usize(0..3)];
        match rng.u8(0..10) {
            0..=4 => Op::Send((own + rng.usize(1..processes)) % processes, message),
            5..=6 => Op::Receive(None, false),
            7 => Op::Receive(Some(message), false),
            8 => Op::Receive(Some(message), true),
            _ => Op::Receive(None, true),
        }
    };
    let others = (1..processes).map(|own| (0..2).map(|_| op(own)).collect::<Vec<_>>()).collect::<Vec<_>>();
    let first = (0..3).map(|_| op(0)).collect();
    std::iter::once(first).chain(others).collect()
}

fn erlang(program: &Program) -> String {
    let mut out = String::from("-spec f(0..1) -> ok.\nf(X) ->\n    P0 = self(),\n");
    let all: Vec<String> = (0..program.len()).map(|number| format!("P{number}")).collect();
    for number in 1..program.len() {
        let known = all.join(", ").replace('P', "Q");
        let _ = writeln!(out, "    P{number} = spawn(fun() -> receive {{pids, {known}}} -> p{number}(X, [], {known}) end end),");
    }
    for number in 1..program.len() {
        let _ = writeln!(out, "    P{number} ! {{pids, {}}},", all.join(", "));
    }
    let _ = writeln!(out, "    Log = p0(X, [], {}),", all.join(", "));
    out += "    error({result, [case E of 0 -> zero; 1 -> one; _ -> E end || E <- Log]}).\n";
    for (number, ops) in program.iter().enumerate() {
        let _ = writeln!(out, "p{number}(X, L0, {}) ->", all.join(", "));
        for (at, op) in ops.iter().enumerate() {
            let next = at + 1;
            let _ = match op {
                Op::Send(to, message) => writeln!(out, "    P{to} ! {}, L{next} = L{at},", value(message)),
                Op::Receive(wanted, timed) => {
                    let pattern = wanted.map_or_else(|| format!("M{next}"), |wanted| format!("{} = M{next}", value(wanted)));
                    let after = if *timed { format!(" after 10 -> L{next} = [none | L{at}]") } else { String::new() };
                    writeln!(out, "    receive {pattern} -> L{next} = [M{next} | L{at}]{after} end,")
                }
            };
        }
        let _ = writeln!(out, "    _ = X, {}, L{}.", all.iter().map(|p| format!("_ = {p}")).collect::<Vec<_>>().join(", "), ops.len());
    }
    out
}

fn value(message: &str) -> &str {
    if message == "x" { "X" } else { message }
}

/// A moment of the model: where each process is, its mailbox, and what the first one received.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    at: Vec<usize>,
    mailboxes: Vec<Vec<&'static str>>,
    log: Vec<&'static str>,
}

/// Everything that can come out, as the end of a message.
fn outcomes(program: &Program) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for x in ["zero", "one"] {
        let mut seen = HashSet::new();
        let first = State { at: vec![0; program.len()], mailboxes: vec![Vec::new(); program.len()], log: Vec::new() };
        let mut pending = vec![first];
        while let Some(state) = pending.pop() {
            if seen.insert(state.clone()) {
                let next = successors(program, &state, x);
                if next.is_empty() {
                    all.insert(came_to(program, &state));
                }
                pending.extend(next);
            }
        }
    }
    all
}

fn came_to(program: &Program, state: &State) -> String {
    if state.at[0] == program[0].len() {
        let log: Vec<&str> = state.log.iter().rev().copied().collect();
        return format!("{{result,[{}]}}", log.join(","));
    }
    let unmatched = !state.mailboxes[0].is_empty();
    if unmatched { "no clause matches the messages in its mailbox".to_owned() } else { "waits for ever for a message".to_owned() }
}

fn successors(program: &Program, state: &State, x: &'static str) -> Vec<State> {
    let mut all = Vec::new();
    for (number, ops) in program.iter().enumerate() {
        let Some(op) = ops.get(state.at[number]) else { continue };
        let mut next = state.clone();
        next.at[number] += 1;
        let shown = |message: &'static str| if message == "x" { x } else { message };
        match op {
            Op::Send(to, message) => next.mailboxes[*to].push(shown(message)),
            Op::Receive(wanted, timed) => {
                let found = next.mailboxes[number].iter().position(|message| wanted.is_none_or(|wanted| shown(wanted) == *message));
                let received = match (found, timed) {
                    (Some(at), _) => next.mailboxes[number].remove(at),
                    (None, true) => "none",
                    (None, false) => continue,
                };
                if number == 0 {
                    next.log.push(received);
                }
            }
        }
        all.push(next);
    }
    all
}

/// Keeps what every run came to.
#[derive(Default)]
struct Ends(Mutex<BTreeSet<String>>);

impl Observer for Ends {
    fn confirm(&self, _: &Terms, _: &Failure, _: &TestCase) -> Confirmation {
        Confirmation::Confirmed
    }

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        if let Outcome::Failed(failure) = &event.trace.outcome {
            let message = failure.message.rsplit(": ").next().unwrap_or_default();
            let message = message.strip_prefix("process 1 ").unwrap_or(message);
            // Those of others are servers that nobody needs any longer.
            if !message.starts_with("process 1.") && !failure.message.starts_with("process 1.") {
                self.0.lock().expect("no test panics here").insert(message.to_owned());
            }
        }
    }
}

/// Compares one program; what is wrong, if something is.
fn compare(seed: u64, loaded: &Arc<Modules>) -> Result<(), String> {
    let program = random(seed);
    let text = erlang(&program);
    let mut subject = subject(loaded, &name(seed), "f", 1, None);
    let ends = Ends::default();
    let strategy = StrategyName::Bfs.build(subject.sites(), 0);
    let options = xcute_engine::Options { runs: 20_000, ..xcute_engine::Options::default() };
    let mut campaign = Campaign::new(&mut subject, solver(), strategy, options);
    campaign.run(&ends).expect("an emulator");
    let results = campaign.results();
    let (found, expected) = (ends.0.into_inner().expect("no test panics there"), outcomes(&program));
    if found != expected {
        return Err(format!("program {seed}: found {found:?}, expected {expected:?}, complete: {}\n{text}", results.complete));
    }
    if !results.complete {
        return Err(format!("program {seed} is not complete: {:?} {:?}\n{text}", results.arms, results.limits));
    }
    Ok(())
}

/// The name of the module of a seed.
fn name(seed: u64) -> String {
    format!("r{seed}")
}

/// Compares the programs of a part: those whose seed is this number modulo the number of parts.
fn part(number: u64) {
    let variable = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let count = variable("XCUTE_ERL_MODULES").unwrap_or(PROGRAMS);
    let seed = variable("XCUTE_ERL_SEED").unwrap_or(0);
    let mut wrong = Vec::new();
    let seeds: Vec<u64> = (seed..seed + count).filter(|seed| seed % PARTS == number).collect();
    for seeds in seeds.chunks(TOGETHER) {
        let texts: Vec<(String, String)> = seeds.iter().map(|&seed| (name(seed), erlang(&random(seed)))).collect();
        let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let loaded = modules(&texts);
        for &seed in seeds {
            wrong.extend(compare(seed, &loaded).err());
        }
    }
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
}

macro_rules! parts {
    ($($test:ident: $number:literal;)*) => {
        /// Tests that share the programs.
        const PARTS: u64 = [$($number),*].len() as u64;
        $(#[test]
        fn $test() {
            part($number);
        })*
    };
}

parts! {
    random_programs_a: 0;
    random_programs_b: 1;
    random_programs_c: 2;
    random_programs_d: 3;
}
