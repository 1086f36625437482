//! The checked plan of `xcute c`, and how programs in C are run.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use xcute_c::harness::Calls;
use xcute_c::inputs::ArrayLength;
use xcute_c::subject::RunOptions;
use xcute_c::wire::flag::{LEAKS, UNIFORM};
use xcute_sandbox::Sandbox;
use xcute_strategy::StrategyName;

use super::arguments::{CArguments, CheckArgument, IsolationArgument, RunningArguments};
use crate::language::dictionary;
use crate::plan::SearchPlan;
use crate::sandbox;

/// How many calls a sequence has if nobody says.
const LENGTH: u32 = 3;

/// A campaign over a C function.
#[derive(Debug)]
pub struct CPlan {
    pub files: Vec<PathBuf>,
    pub entry: Option<String>,
    pub calls: Option<Calls>,
    pub pre: Option<String>,
    pub arrays: Vec<(String, ArrayLength)>,
    /// Elements, at most, of arrays whose length is a parameter.
    pub elements: u32,
    pub string: u32,
    /// `None`: 16, or as many as the corpus needs.
    pub bytes: Option<u32>,
    pub corpus: Option<PathBuf>,
    pub export_corpus: Option<PathBuf>,
    pub testcomp: Option<PathBuf>,
    pub run: RunningPlan,
    /// Whether undefined behaviour is a failure.
    pub undefined: bool,
    pub flags: Vec<String>,
    /// Flags for the instrumented program alone.
    pub searched: Vec<String>,
    /// Flags for the uninstrumented program alone.
    pub plain: Vec<String>,
}

/// How a program written in C or C++ is run.
#[derive(Debug)]
pub struct RunningPlan {
    pub steps: u64,
    pub exact: u32,
    /// Whether each run has a process of its own.
    pub isolated: bool,
    /// Whether lost memory is a failure.
    pub leaks: bool,
    /// How often a wait for a condition may wake up by itself.
    pub spurious: u32,
    /// The time of the processor after which a run hangs.
    pub hang: Duration,
    /// What confines it.
    pub sandbox: Sandbox,
    /// Byte strings that inputs may be made of.
    pub dictionary: Vec<Vec<u8>>,
}

impl RunningPlan {
    /// The same for the front end, in a search of this kind.
    pub fn options(&self, search: &SearchPlan) -> RunOptions {
        let random = matches!(search.strategy, StrategyName::Random | StrategyName::Testing).then_some(search.seed);
        let uniform = if search.strategy == StrategyName::Testing { UNIFORM } else { 0 };
        let flags = uniform | if self.leaks { LEAKS } else { 0 };
        let (fuel, exact_object, spurious) = (self.steps, self.exact, self.spurious);
        let (isolated, patience, sandbox) = (self.isolated, self.hang, self.sandbox.clone());
        RunOptions { fuel, exact_object, spurious, random, flags, isolated, patience, sandbox, ..RunOptions::default() }
    }
}

/// Checks a `xcute c`.
pub fn c(low: CArguments) -> Result<CPlan> {
    for file in &low.files {
        if !file.is_file() {
            let name = file.display();
            // Other tools take the function after the file.
            let meant = low.entry.is_none() && low.files.len() > 1 && file.extension().is_none();
            bail!(
                "cannot read {name}: no such file{}",
                if meant { format!(" (to test a function: --entry {name})") } else { String::new() }
            );
        }
    }
    let arrays = low.arrays.iter().map(|text| array(text)).collect::<Result<Vec<_>>>()?;
    for (at, (name, _)) in arrays.iter().enumerate() {
        if arrays[..at].iter().any(|(other, _)| other == name) {
            bail!("cannot give the array {name} two lengths (use --array once for it)");
        }
    }
    let calls = calls(&low)?;
    Ok(CPlan {
        files: low.files,
        entry: low.entry,
        calls,
        pre: low.pre,
        arrays,
        elements: low.elements,
        string: low.string,
        bytes: low.bytes,
        corpus: low.corpora.corpus,
        export_corpus: low.corpora.export_corpus,
        testcomp: low.testcomp,
        run: running(&low.run)?,
        undefined: low.check.contains(&CheckArgument::Ub),
        flags: low.flags,
        searched: Vec::new(),
        plain: Vec::new(),
    })
}

/// The sequences of calls that were asked for.
fn calls(low: &CArguments) -> Result<Option<Calls>> {
    if low.calls.is_empty() {
        let about = [("--length", low.length.is_some()), ("--post", low.post.is_some()), ("--no-null", low.no_null)];
        if let Some((option, _)) = about.iter().find(|(_, given)| *given) {
            bail!("{option} is about sequences of calls (say which functions with --calls)");
        }
        return Ok(None);
    }
    let (functions, length) = (low.calls.clone(), low.length.unwrap_or(LENGTH));
    Ok(Some(Calls { functions, length, post: low.post.clone(), pre: low.pre.clone(), nulls: !low.no_null }))
}

/// Reads `P=N`.
fn array(text: &str) -> Result<(String, ArrayLength)> {
    let usage = || format!("cannot understand --array {text} (write it as in --array p=8, or --array p=n for a parameter n)");
    let Some((name, length)) = text.split_once('=') else { bail!(usage()) };
    if name.is_empty() || length.is_empty() {
        bail!(usage());
    }
    let length = if length.starts_with(|c: char| c.is_ascii_digit()) {
        match length.parse() {
            Ok(count) if count > 0 => ArrayLength::Fixed(count),
            _ => bail!(usage()),
        }
    } else {
        ArrayLength::Parameter(length.to_owned())
    };
    Ok((name.to_owned(), length))
}

/// Decides how a program is run.
pub fn running(low: &RunningArguments) -> Result<RunningPlan> {
    let dictionaries = low.dict.iter().map(|path| dictionary::read(path)).collect::<Result<Vec<_>>>()?;
    Ok(RunningPlan {
        steps: low.steps,
        exact: low.exact,
        isolated: low.isolation == IsolationArgument::Fork,
        leaks: low.leaks,
        spurious: low.spurious,
        hang: low.hang,
        sandbox: sandbox::wanted(low.no_sandbox),
        dictionary: dictionaries.concat(),
    })
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;

    fn planned(words: &[&str]) -> Result<CPlan> {
        let command = CArguments::augment_args(Command::new("c"));
        let matches = command.try_get_matches_from(["c"].iter().chain(words))?;
        c(CArguments::from_arg_matches(&matches)?)
    }

    fn plan(options: &[&str]) -> Result<CPlan> {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        planned(&[&[file], options].concat())
    }

    #[test]
    fn arrays() {
        assert_eq!(
            plan(&["--array", "p=8", "--array", "q=n"]).unwrap().arrays,
            [("p".into(), ArrayLength::Fixed(8)), ("q".into(), ArrayLength::Parameter("n".into()))]
        );
        for bad in
            [&["--array", "p"][..], &["--array", "=3"], &["--array", "p=0"], &["--array", "p=3x"], &["--array", "p=1", "--array", "p=2"]]
        {
            assert!(plan(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn sequences_of_calls() {
        let calls = plan(&["--calls", "init,add,remove"]).unwrap().calls.unwrap();
        assert_eq!((calls.functions.len(), calls.length, calls.post), (3, LENGTH, None));
        for bad in [
            &["--length", "3"][..],
            &["--post", "ok"],
            &["--no-null"],
            &["--calls", "f", "--entry", "g"],
            &["--calls", "f", "--length", "0"],
        ] {
            assert!(plan(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn files_must_be_there() {
        assert_eq!(planned(&["no-such-file.c"]).unwrap_err().to_string(), "cannot read no-such-file.c: no such file");
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/main.rs");
        let said = planned(&[file, "half"]).unwrap_err().to_string();
        assert_eq!(said, "cannot read half: no such file (to test a function: --entry half)");
    }

    #[test]
    fn flags_for_clang_come_after_two_dashes() {
        assert_eq!(plan(&["--entry", "f", "--", "-I", "include", "-lm"]).unwrap().flags, ["-I", "include", "-lm"]);
    }
}
