//! EUnit tests: one for each path, and one for each failure.
//!
//! The tests of all paths describe what the original module does, crashes first, and pass. The test of a failure calls the function and fails as it does.
//!
//! **Invariant.** What a test expects is what the original module did; where EUnit is installed, the file was run before it is spoken of.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use tempfile::TempDir;
use xcute_erl::etf::{Atoms, Term};
use xcute_erl::program::Modules;
use xcute_erl::subject::{Original, Verdict};
use xcute_erl::universe::shown;
use xcute_erl::vm::{Ended, LEAN, run_to_end};
use xcute_trace::Failure;

use super::super::kept::Kept;
use super::plan::Origin;
use super::quoted::quoted;

use crate::temporary;

/// The function under test.
#[derive(Clone)]
pub struct Call {
    pub module: String,
    pub function: String,
    pub arity: u32,
}

impl Call {
    /// A call, as it is typed into the shell.
    pub fn text(&self, arguments: &[Term], atoms: &Atoms) -> String {
        format!("{}:{}({})", quoted(&self.module), quoted(&self.function), listed(arguments, atoms))
    }

    /// A word that may be part of the name of a module or function.
    fn word(&self) -> String {
        format!("{}_{}", self.function, self.arity).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }

    /// The name of a test.
    fn test(&self, number: usize) -> String {
        format!("{}_{number}_test", self.word())
    }
}

/// Arguments, as they are typed into the shell.
pub fn listed(arguments: &[Term], atoms: &Atoms) -> String {
    arguments.iter().map(|term| shown(term, atoms)).collect::<Vec<_>>().join(", ")
}

/// The first case of a path.
pub struct KeptCall {
    /// The call, as it is typed into the shell.
    pub text: String,
    /// Its arguments.
    pub arguments: String,
    /// The list of its arguments as an external term.
    pub external: Vec<u8>,
}

/// The tests of a function.
pub struct Tests {
    call: Call,
    /// Calls and what is expected of each, crashes first.
    calls: Vec<(String, String)>,
    /// The arguments of one call for each path.
    inputs: Vec<String>,
    /// How many paths there were.
    paths: usize,
}

/// Tests of these calls; `None` if there are none.
pub fn tests(kept: &Kept<KeptCall>, call: &Call, original: &mut Original) -> Result<Option<Tests>> {
    let (mut calls, mut others) = (Vec::new(), Vec::new());
    for KeptCall { text, external, .. } in &kept.cases {
        let verdict = original.call_external(external)?;
        let Some(expected) = expected(&verdict, original.atoms()) else { continue };
        let list = if verdict.failure.is_some() { &mut calls } else { &mut others };
        list.push((text.clone(), expected));
    }
    calls.append(&mut others);
    let inputs = kept.cases.iter().map(|call| format!("[{}]", call.arguments)).collect();
    Ok((!calls.is_empty()).then(|| Tests { call: call.clone(), calls, inputs, paths: kept.paths }))
}

/// How many tests these are, and for how many paths.
pub fn count(all: &[Tests]) -> (usize, usize) {
    (all.iter().map(|tests| tests.calls.len()).sum(), all.iter().map(|tests| tests.paths).sum())
}

/// The name of the file with the tests of a module.
pub fn name(module: &str) -> String {
    format!("{module}_xcute_tests.erl")
}

/// A file with the tests of some functions of a module.
pub fn file(module: &str, all: &[Tests]) -> String {
    let name = format!("{module}_xcute_tests");
    let of: Vec<String> = all.iter().map(|Tests { call, .. }| format!("{}/{}", call.function, call.arity)).collect();
    let mut text = format!(
        "%% Tests of {module}: {}, one for each path, written by xcute erl. What is expected is what the module does.\n-module({}).\n",
        of.join(", "),
        quoted(&name)
    );
    let named = |call: &Call, number: usize| quoted(&call.test(number));
    for Tests { call, calls, .. } in all {
        let exports: Vec<String> = (1..=calls.len()).map(|number| format!("{}/0", named(call, number))).collect();
        let _ = writeln!(text, "-export([{}]).", exports.join(", "));
    }
    text += "-export([inputs/2]).\n\n";
    for Tests { call, calls, .. } in all {
        for (number, (called, expected)) in (1..).zip(calls) {
            let _ = writeln!(text, "{}() ->\n    equal({expected}, outcome(fun() -> {called} end)).\n", named(call, number));
        }
    }
    let clause = |Tests { call, inputs, .. }: &Tests| {
        format!("inputs({}, {}) ->\n    [{}]", quoted(&call.function), call.arity, inputs.join(",\n     "))
    };
    let clauses: Vec<String> = all.iter().map(clause).collect();
    let _ = writeln!(text, "{INPUTS}\n{}.\n", clauses.join(";\n"));
    text + HELPERS
}

/// What comes before the list of all inputs.
const INPUTS: &str = "%% The arguments of one call for each path of a function; a property of PropEr takes them with ?FORALL(Arguments, oneof(inputs(F, 1)), ...).";

/// What tests are made of. No header of EUnit is needed: a function whose name ends in `_test` is a test.
const HELPERS: &str = "\
%% What a call comes to, in a process of its own: what it leaves there goes with it.
outcome(F) ->
    {Process, Monitor} = spawn_monitor(fun() -> exit({came_to, result(F)}) end),
    receive
        {'DOWN', Monitor, process, Process, {came_to, Result}} -> Result;
        {'DOWN', Monitor, process, Process, Reason} -> {killed, Reason}
    end.

result(F) ->
    try F() of
        Value -> {returned, Value}
    catch
        Class:Reason -> {Class, Reason}
    end.

%% As ?assertEqual does it.
equal(Expected, Expected) -> ok;
equal(Expected, Value) ->
    error({assertEqual, [{module, ?MODULE}, {expected, Expected}, {value, Value}]}).
";

/// What a test expects of a call; `None` where no test can be written.
fn expected(verdict: &Verdict, atoms: &Atoms) -> Option<String> {
    match &verdict.ended {
        Ended::Returned(Some(value)) if value.is_constant() => Some(format!("{{returned, {}}}", shown(value, atoms))),
        // What a contract says is not what the function does.
        Ended::Raised(crash) if crash.reason.is_constant() && !verdict.is_contract(atoms) => {
            Some(format!("{{{}, {}}}", atoms.name(crash.class), shown(&crash.reason, atoms)))
        }
        _ => None,
    }
}

/// A test module whose only test fails as a case did.
pub fn failing(call: &Call, arguments: &[Term], atoms: &Atoms, failure: &Failure, name: &str) -> String {
    let message: String = failure.message.replace('\n', " ");
    format!(
        "%% {message}\n%% Written by xcute erl. Run it with: erlc {}.erl {name}.erl && erl -noshell -eval 'eunit:test({name})' -s init stop\n\
         -module({name}).\n-export([failure_test/0]).\n\nfailure_test() ->\n    {}.\n",
        call.module,
        call.text(arguments, atoms)
    )
}

/// A directory with the object files of the original modules.
pub fn built(modules: &Modules) -> Result<TempDir> {
    let build = temporary::directory()?;
    for followed in modules.followed.iter().filter(|followed| followed.own) {
        let name = modules.atoms.name(followed.normal.module.name);
        std::fs::write(build.path().join(format!("{name}.beam")), &followed.original)?;
    }
    Ok(build)
}

/// What EUnit makes of a file of tests.
#[derive(Debug, PartialEq, Eq)]
pub enum Ran {
    Passes,
    /// With the names of those that fail when they run once more.
    Fails(Vec<String>),
    NotInstalled,
}

/// EUnit pauses after each test, hence the tests run at once. Those that are in each other's way (by a name that they register) run once more, one after the other. The
/// pass of the compiler that is left out takes time quadratic in the number of tests.
const SCRIPT: &str = "\
case code:which(eunit) of non_existing -> halt(3); _ -> ok end,
[File] = init:get_plain_arguments(),
Passes = fun(Tests) -> eunit:test(Tests) =:= ok end,
case compile:file(File, [report_errors, no_copt, no_ssa_opt, no_recv_opt]) of
    {ok, Module} ->
        case Passes({inparallel, 64, Module}) orelse Passes(Module) of
            true -> halt(0);
            false ->
                Tests = [Name || {Name, 0} <- Module:module_info(exports), lists:suffix(\"_test\", atom_to_list(Name))],
                Fails = fun(Name) -> try Module:Name(), false catch _:_ -> true end end,
                ok = file:write_file(\"failing\", [[atom_to_binary(Name), $\\n] || Name <- Tests, Fails(Name)]),
                halt(1)
        end;
    _ -> halt(2)
end.";

/// Runs a file of tests with EUnit.
pub fn run(file: &Path, origin: &Origin, modules: &Modules) -> Result<Ran> {
    let build = built(modules)?;
    let mut command = Command::new(modules.home.erl());
    command.current_dir(build.path()).args(LEAN).args(["-noinput", "-boot", "no_dot_erlang", "-pa"]).arg(build.path());
    for path in &origin.paths {
        command.arg("-pa").arg(path);
    }
    let file = file.canonicalize().with_context(|| format!("cannot read {}", file.display()))?;
    command.args(["-eval", SCRIPT, "-extra"]).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = run_to_end(&mut command).context("cannot start erl")?;
    let failing = || std::fs::read_to_string(build.path().join("failing")).unwrap_or_default();
    Ok(match status.code() {
        Some(0) => Ran::Passes,
        Some(3) => Ran::NotInstalled,
        _ => Ran::Fails(failing().lines().map(str::to_owned).collect()),
    })
}

/// Leaves out the tests of these names; how many they were.
pub fn leave_out(all: &mut [Tests], failing: &[String]) -> usize {
    let failing: HashSet<&String> = failing.iter().collect();
    let mut count = 0;
    for Tests { call, calls, .. } in all {
        let mut number = 0;
        calls.retain(|_| {
            number += 1;
            let fails = failing.contains(&call.test(number));
            count += usize::from(fails);
            !fails
        });
    }
    count
}
