//! Random modules against brute force: the paths and crashes that a campaign finds must be those of all inputs up to the depth, run on the emulator.
//!
//! A path is what the emulator told (which clauses were chosen) together with how the run ended. Every run's value is compared with that of its replay, too.
//! `XCUTE_ERL_MODULES` and `XCUTE_ERL_SEED` ask for more modules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use crate::support::random;
use crate::support::{limits, solver, subject, try_modules};
use random::{Kind, Random, kind};
use xcute_engine::{Campaign, Confirmation, Observer, RunEvent};
use xcute_erl::core::normalise::EventKind;
use xcute_erl::etf::{Atom, Atoms, Encoder, Term, encode};
use xcute_erl::program::Modules;
use xcute_erl::subject::ErlSubject;
use xcute_erl::universe::shown;
use xcute_erl::vm::{Ended, Tell, Vm};
use xcute_strategy::StrategyName;
use xcute_term::{Model, Terms};
use xcute_trace::{Failure, Subject as _, TestCase};

const DEPTH: u32 = 2;

/// Modules in the test suite.
const MODULES: u64 = 300;

/// How a run went: its events, and how it ended.
type Key = (Vec<u32>, String);

/// The key of a run: of its events only the numbers, since values (of stacks, say) differ from input to input.
fn key(modules: &Modules, events: &[u8], ended: &Ended, atoms: &Atoms) -> Key {
    let mut path = Vec::new();
    let word = |at: usize| u32::from_le_bytes([events[at], events[at + 1], events[at + 2], events[at + 3]]);
    let mut at = 0;
    while at < events.len() {
        path.push(word(at));
        at += match modules.event(word(at)) {
            Some(EventKind::Value | EventKind::Raised | EventKind::Received | EventKind::Fetched | EventKind::Sent | EventKind::Itself) => {
                8 + word(at + 4) as usize
            }
            _ => 4,
        };
    }
    let ended = match ended {
        Ended::Raised(crash) => {
            let tag = match &crash.reason {
                Term::Tuple(items) => items.first().cloned().unwrap_or(Term::Nil),
                other => other.clone(),
            };
            // What the program raises itself may be part of the input.
            let own = [
                "badarg",
                "badarith",
                "badmatch",
                "badfun",
                "badarity",
                "badkey",
                "badmap",
                "case_clause",
                "function_clause",
                "if_clause",
                "try_clause",
                "undef",
            ];
            let tag = tag.atom().map(|tag| atoms.name(tag)).filter(|tag| own.contains(tag));
            format!("{}:{}", atoms.name(crash.class), tag.unwrap_or("_"))
        }
        Ended::Returned(_) => "returned".to_owned(),
        other => format!("{other:?}"),
    };
    (path, ended)
}

/// Modules that are loaded together, since starting emulators costs more than most of them.
const TOGETHER: usize = 30;

/// The instrumented functions on an emulator, without a replay.
struct Plain {
    modules: Arc<Modules>,
    vm: Vm,
    atoms: Atoms,
}

impl Plain {
    fn new(modules: &Arc<Modules>) -> Plain {
        let mut vm = Vm::start(&modules.home).expect("an emulator");
        modules.install(&mut vm, true).expect("it takes the program");
        Plain { modules: Arc::clone(modules), vm, atoms: modules.atoms.clone() }
    }

    /// From now on the function of this subject.
    fn take(&mut self, subject: &ErlSubject) {
        let program = subject.program();
        self.atoms = program.modules.atoms.clone();
        let copy = program.modules.linkage.copy(program.call.0).expect("it is followed");
        self.vm.set_up((copy, program.call.1), Tell::Events, limits(), &mut self.atoms).expect("an emulator");
    }

    /// The keys of runs with these inputs, in their order.
    fn run(&mut self, inputs: &[Term]) -> Vec<Key> {
        let packet = |input: &Term| {
            let mut out = Encoder::over(Vec::new(), &[0]);
            encode(&Term::list(vec![input.clone()]), &self.atoms, &mut out);
            out.finish()
        };
        let packets: Vec<Vec<u8>> = inputs.iter().map(packet).collect();
        let mut keys = Vec::with_capacity(inputs.len());
        let mut each = |ended, events: &[u8], atoms: &Atoms| keys.push(key(&self.modules, events, &ended, atoms));
        self.vm.run_all(&packets, &mut self.atoms, &mut each).expect("an emulator");
        keys
    }
}

/// All terms of the type `t()` up to a depth.
fn terms_up_to(depth: u32, kind: Kind) -> Vec<Term> {
    let [a, zero] = [Term::Atom(Atom::A), Term::Int(0)];
    let bits = |value: u8, size: usize| Term::Bits([value].as_slice().into(), size);
    let last = match kind {
        Kind::Maps => vec![Term::Map(vec![])],
        Kind::Pairs => vec![Term::Int(1)],
        Kind::Bits => vec![Term::Bits([].as_slice().into(), 0), Term::Tuple(vec![])],
    };
    let maps = kind == Kind::Maps;
    let constants = [vec![a.clone(), zero.clone(), Term::Nil], last].concat();
    let mut all = constants.clone();
    for _ in 0..depth {
        let below = std::mem::replace(&mut all, constants.clone());
        if kind == Kind::Bits {
            all.extend([0, 0x80].map(|value| bits(value, 1)));
            all.extend([0, 0x40, 0x80, 0xc0].map(|value| bits(value, 2)));
        }
        all.extend(below.iter().map(|item| Term::Tuple(vec![item.clone()])));
        for first in &below {
            if maps {
                all.extend([&a, &zero].map(|key| Term::Map(vec![(key.clone(), first.clone())])));
            }
            for second in &below {
                all.extend(match kind {
                    Kind::Maps => Some(Term::Map(vec![(a.clone(), first.clone()), (zero.clone(), second.clone())])),
                    Kind::Pairs => Some(Term::Tuple(vec![first.clone(), second.clone()])),
                    Kind::Bits => None,
                });
                all.push(match second {
                    Term::List(items, tail) => Term::List([std::slice::from_ref(first), &items[..]].concat(), tail.clone()),
                    other => Term::List(vec![first.clone()], Box::new(other.clone())),
                });
            }
        }
    }
    all
}

/// Keeps the input of every run.
#[derive(Default)]
struct Inputs(Mutex<Vec<Model>>);

impl Observer for Inputs {
    fn confirm(&self, _: &Terms, _: &Failure, _: &TestCase) -> Confirmation {
        Confirmation::Confirmed
    }

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        if event.growth.new_path {
            self.0.lock().expect("no test panics here").push(event.trace.input.clone());
        }
    }
}

/// Of 20 modules the solver may give up on one: that search is not complete and says so.
const GIVEN_UP: usize = 20;

/// Compares one module: whether the search was complete, or else what is wrong.
fn compare(seed: u64, loaded: &Arc<Modules>, plain: &mut Plain) -> Result<bool, String> {
    let name = name(seed);
    let mut first = subject(loaded, &name, "f0", 1, Some(DEPTH));
    let mut printer = first.another();
    first.compare(true);
    // What all inputs do.
    plain.take(&first);
    let mut expected: BTreeMap<Key, Term> = BTreeMap::new();
    let inputs = terms_up_to(DEPTH, kind(seed));
    for (key, input) in plain.run(&inputs).into_iter().zip(inputs) {
        expected.entry(key).or_insert(input);
    }
    // What the search finds.
    let inputs = Inputs::default();
    let strategy = StrategyName::Bfs.build(first.sites(), 0);
    let options = xcute_engine::Options { runs: 20_000, ..xcute_engine::Options::default() };
    let mut campaign = Campaign::new(&mut first, solver(), strategy, options);
    campaign.run(&inputs).expect("an emulator");
    let results = campaign.results().clone();
    let found = inputs.0.into_inner().expect("no test panics there");
    let arguments: Vec<Term> = found.iter().map(|input| printer.arguments(campaign.terms(), input).remove(0)).collect();
    plain.atoms = printer.atoms().clone();
    let mut found = BTreeSet::new();
    for (key, input) in plain.run(&arguments).into_iter().zip(&arguments) {
        if !expected.contains_key(&key) {
            return Err(format!("{} is not within the depth", shown(input, &plain.atoms)));
        }
        found.insert(key);
    }
    let given_up = !results.complete && results.arms.unknown > 0 && results.limits.is_empty();
    for (key, input) in &expected {
        if !found.contains(key) && !given_up {
            return Err(format!("nothing does what {} does: {} (complete: {})", shown(input, &plain.atoms), key.1, results.complete));
        }
    }
    if !results.complete && !given_up {
        return Err(format!("not complete: {:?} {:?}", results.arms, results.limits));
    }
    Ok(results.complete)
}

/// The name of the module of a seed.
fn name(seed: u64) -> String {
    format!("r{seed}")
}

/// The modules of these seeds, without those on which the compiler of Erlang itself crashes.
fn compiled(mut seeds: Vec<u64>) -> (Vec<u64>, Arc<Modules>) {
    loop {
        let texts: Vec<(String, String)> = seeds.iter().map(|&seed| (name(seed), Random::new(seed).module())).collect();
        let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let error = match try_modules(&texts) {
            Ok(loaded) => return (seeds, loaded),
            Err(error) => error.to_string(),
        };
        let crashed = seeds.iter().position(|&seed| error.contains(&format!("{}.erl: internal error in pass", name(seed))));
        seeds.remove(crashed.unwrap_or_else(|| panic!("{error}")));
    }
}

/// Compares the modules of a part: those whose seed is this number modulo the number of parts.
fn part(number: u64) {
    let variable = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let count = variable("XCUTE_ERL_MODULES").unwrap_or(MODULES);
    let seed = variable("XCUTE_ERL_SEED").unwrap_or(0);
    let (mut wrong, mut given_up, mut all) = (Vec::new(), 0, 0);
    let seeds: Vec<u64> = (seed..seed + count).filter(|seed| seed % PARTS == number).collect();
    for seeds in seeds.chunks(TOGETHER) {
        let (seeds, loaded) = compiled(seeds.to_vec());
        let mut plain = Plain::new(&loaded);
        for seed in seeds {
            all += 1;
            match compare(seed, &loaded, &mut plain) {
                Ok(complete) => given_up += usize::from(!complete),
                Err(what) => wrong.push(format!("module {seed}: {what}\n{}", Random::new(seed).module())),
            }
        }
    }
    assert!(given_up <= all / GIVEN_UP + 1, "the solver gave up on {given_up} of {all} modules");
    assert!(wrong.is_empty(), "{} modules:\n{}", wrong.len(), wrong.join("\n"));
}

macro_rules! parts {
    ($($test:ident: $number:literal;)*) => {
        /// Tests that share the modules.
        const PARTS: u64 = [$($number),*].len() as u64;
        $(#[test]
        fn $test() {
            part($number);
        })*
    };
}

parts! {
    random_modules_a: 0;
    random_modules_b: 1;
    random_modules_c: 2;
    random_modules_d: 3;
    random_modules_e: 4;
    random_modules_f: 5;
    random_modules_g: 6;
    random_modules_h: 7;
    random_modules_i: 8;
    random_modules_j: 9;
}
