//! OTP's library and applications of Debian: whether their modules can be instrumented, do the same as before, and how much slower they are.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use xcute_erl::etf::{Atom, Atoms, Encoder, Term};
use xcute_erl::program::{Modules, Source};
use xcute_erl::universe::shown;
use xcute_erl::vm::{Ended, Home, Lead, Limits, Tell, Vm};

use super::packages;

/// Functions that use a module of the library each: `NAME/0` uses the module `NAME`, and `slow_NAME/0` shows how much slower something is.
const SMOKE: &str = include_str!("smoke.erl");

/// Modules that are instrumented at once.
const TOGETHER: usize = 20;

/// Each is measured this often, and the fastest counts.
const TIMES: u32 = 3;

pub fn run() {
    let home = Arc::new(Home::find().expect("Erlang is installed (./x setup)"));
    if std::env::args().any(|word| word == "smoke") {
        return smoke(&home);
    }
    let root = std::fs::canonicalize(home.erl()).expect("it was found");
    let libraries = root.parent().and_then(Path::parent).expect("it is in bin").join("lib");
    let stdlib = packages::beams(&libraries);
    let stdlib: Vec<PathBuf> = stdlib.into_iter().filter(|path| path.to_string_lossy().contains("/stdlib-")).collect();
    instrumented(&home, "stdlib", &stdlib);
    for (name, found) in packages::all() {
        match found {
            Ok(beams) => instrumented(&home, name, &beams),
            Err(error) => println!("{name:<24}cannot be fetched: {error}"),
        }
    }
    smoke(&home);
}

/// Instruments and compiles modules.
fn instrumented(home: &Arc<Home>, name: &str, beams: &[PathBuf]) {
    let begin = Instant::now();
    let mut failed = Vec::new();
    let load = |beams: &[PathBuf]| {
        let vm = Vm::start(home).map_err(|error| error.to_string())?;
        let sources: Vec<Source> = beams.iter().cloned().map(Source::Beam).collect();
        Modules::load(home, vm, &sources, &[]).map(drop).map_err(|error| error.to_string())
    };
    for beams in beams.chunks(TOGETHER) {
        // One that cannot be is found by itself.
        if load(beams).is_err() {
            failed.extend(beams.iter().filter_map(|beam| load(std::slice::from_ref(beam)).err()));
        }
    }
    let (good, all) = (beams.len() - failed.len(), beams.len());
    println!("{name:<24}{good:>4} of {all} modules instrumented, {:.1} s", begin.elapsed().as_secs_f64());
    failed.iter().for_each(|why| println!("    {why}"));
}

/// Runs the functions of the smoke module, as they are and instrumented.
fn smoke(home: &Arc<Home>) {
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("smoke.erl");
    std::fs::write(&file, SMOKE).expect("a file");
    let vm = Vm::start(home).expect("Erlang starts");
    let names: Vec<&str> = SMOKE.lines().filter_map(|line| line.split_once("() ->")).map(|(name, _)| name.trim_matches('\'')).collect();
    let (slow, quick): (Vec<&str>, Vec<&str>) = names.into_iter().partition(|name| name.starts_with("slow_"));
    let library = quick.iter().map(|name| Source::Module((*name).to_owned()));
    let sources: Vec<Source> = std::iter::once(Source::File(file, Vec::new())).chain(library).collect();
    let modules = Modules::load(home, vm, &sources, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut vm = Vm::start(home).expect("Erlang starts");
    modules.install(&mut vm, true).expect("it takes the modules");
    let mut atoms = modules.atoms.clone();
    let own = atoms.intern("smoke");
    let copy = modules.linkage.copy(own).expect("it is followed");
    let mut same = 0;
    for name in &quick {
        let [(original, _), (instrumented, _)] = [(own, Tell::Value), (copy, Tell::Both)].map(|at| call(&mut vm, at, name, &mut atoms));
        if original == instrumented {
            same += 1;
        } else {
            println!("    {name}: {original} as it is, {instrumented} instrumented");
        }
    }
    println!("{:<24}{same:>4} of {} modules do the same", "smoke", quick.len());
    for name in &slow {
        let fastest = |vm: &mut Vm, at, atoms: &mut Atoms| (0..TIMES).map(|_| call(vm, at, name, atoms).1).min().expect("it ran");
        let before = fastest(&mut vm, (own, Tell::Value), &mut atoms).as_secs_f64();
        let after = fastest(&mut vm, (copy, Tell::Events), &mut atoms).as_secs_f64();
        println!("{name:<24}{:>8.1} ms, {:>8.1} ms instrumented: {:.1} times as long", before * 1e3, after * 1e3, after / before);
    }
}

/// The time that all threads of a process have spent on a processor: other programs of a busy machine do not count.
fn spent(process: u32) -> Duration {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let nanoseconds = |task: std::fs::DirEntry| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
        text.split_whitespace().next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0)
    };
    Duration::from_nanos(tasks.map(nanoseconds).sum())
}

/// Calls a function without arguments: what it comes to, and how much time of a processor it takes.
fn call(vm: &mut Vm, (module, tell): (Atom, Tell), name: &str, atoms: &mut Atoms) -> (String, Duration) {
    let limits = Limits { steps: 1 << 32, time: Duration::from_secs(60), heap: 0 };
    let function = atoms.intern(name);
    vm.set_up((module, function), tell, limits, atoms).expect("an emulator");
    let mut out = Encoder::over(Vec::new(), &[0]);
    out.nil();
    let packet = out.finish();
    let begin = spent(vm.id());
    let (ended, _, _) = vm.run(&packet, atoms, &mut |_| Lead::Stop).expect("an emulator");
    let took = spent(vm.id()).saturating_sub(begin);
    let text = match ended {
        Ended::Returned(value) => value.map_or_else(String::new, |value: Term| shown(&value, atoms)),
        Ended::Raised(crash) => crash.text,
        other => format!("{other:?}"),
    };
    (text, took)
}
