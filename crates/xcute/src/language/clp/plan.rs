//! The checked plan of `xcute clp`: the program is read, and the goal is one of its predicates.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xcute_clp::machine::Bounds;
use xcute_clp::subject::Options;
use xcute_clp::syntax::{Indicator, Program};
use xcute_clp::typed;

use super::arguments::ClpArguments;
use super::case::{ClpCase, LANGUAGE, VERSION};
use crate::front::CaseText;
use crate::talk;

/// A campaign over a predicate.
pub struct ClpPlan {
    pub file: PathBuf,
    pub program: Program,
    pub options: Options,
    /// At most this many tests are written.
    pub tests: usize,
    /// Whether all paths are shown as goals with constraints.
    pub goals: bool,
    /// Goals to begin with, each with the file that has it.
    pub seeds: Vec<(PathBuf, String)>,
}

/// No more syntax errors than this are shown.
const SHOWN: usize = 20;

/// Checks a `xcute clp`: the campaigns, and whether they are all predicates of the program.
pub fn clp(low: &ClpArguments) -> Result<(Vec<ClpPlan>, bool)> {
    let files = files(&low.file)?;
    let (module, goal) = match (&low.goal, low.file.is_dir()) {
        // In a directory `FILE:NAME/ARITY` names the file, too.
        (Some(text), true) => text.split_once(':').map_or((None, Some(text.as_str())), |(module, goal)| (Some(module), Some(goal))),
        (goal, _) => (None, goal.as_deref()),
    };
    let mut plans = Vec::new();
    for file in files.iter().filter(|file| module.is_none_or(|module| stem(file) == module)) {
        let program = read(file)?;
        let goals = match goal {
            Some(text) => vec![self::goal(&program, text)?],
            None => exported(&program),
        };
        for goal in goals {
            plans.push(of(low, file, &program, goal)?);
        }
    }
    if plans.is_empty() {
        bail!("{} has no predicate to test", low.file.display());
    }
    Ok((plans, low.goal.is_none()))
}

/// The name of a file without its ending.
pub fn stem(file: &Path) -> String {
    file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The files of a program: itself, or all in a directory.
fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    if !path.is_dir() {
        bail!("cannot read {}: no such file", path.display());
    }
    // Of a pack, the modules.
    let modules = path.join("prolog");
    let pack = path.join("pack.pl").is_file() && modules.is_dir();
    let (mut found, mut pending) = (Vec::new(), vec![if pack { modules } else { path.to_owned() }]);
    while let Some(directory) = pending.pop() {
        let entries = std::fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() && !path.is_symlink() {
                pending.push(path);
            } else if path.extension().is_some_and(|ending| ending == "pl" || ending == "prolog") {
                found.push(path);
            }
        }
    }
    found.sort();
    if found.is_empty() {
        bail!("{} has no Prolog files (their names end with .pl)", path.display());
    }
    Ok(found)
}

/// What a module exports; all predicates of a program that is not a module.
pub fn exported(program: &Program) -> Vec<Indicator> {
    let defined = program.predicates.iter().filter(|predicate| !predicate.clauses.is_empty()).map(|predicate| predicate.indicator);
    match &program.module {
        Some((_, exports)) => defined.filter(|indicator| exports.contains(indicator) && indicator.arity > 0).collect(),
        None => defined.filter(|indicator| indicator.arity > 0).collect(),
    }
}

/// The campaign over one predicate.
fn of(low: &ClpArguments, file: &Path, program: &Program, goal: Indicator) -> Result<ClpPlan> {
    if let Some(mistake) = program.declaration(goal).and_then(|declaration| typed::mistake(declaration, program)) {
        let source = program.source(mistake.span.source);
        let (line, _) = source.position(mistake.span.start);
        talk::say(&format!("{}:{line}: {}; any term is taken", source.path, mistake.problem));
    }
    if let Some(&position) = low.ground.iter().flatten().find(|&&position| position > goal.arity) {
        bail!("cannot make argument {position} of {} ground: it has {}", program.show(goal), arguments(goal.arity));
    }
    let ground = low.ground.as_ref().map(|list| list.iter().map(|position| position - 1).collect());
    let bounds = Bounds { steps: low.steps, solutions: low.solutions.0, ..Bounds::default() };
    let options = Options { goal, ground, term_depth: low.term_depth, texts: low.texts, bounds, strict: low.strict };
    let seed = |text: CaseText| Ok((text.path.clone(), text.parse::<ClpCase>(VERSION)?.goal));
    let seeds = low.seeds.read(LANGUAGE)?.into_iter().map(seed).collect::<Result<_>>()?;
    Ok(ClpPlan { options, program: program.clone(), tests: low.tests, goals: low.goals, seeds, file: file.to_owned() })
}

fn arguments(count: u32) -> String {
    match count {
        0 => "none".to_owned(),
        1 => "one argument only".to_owned(),
        _ => format!("{count} arguments"),
    }
}

/// Reads a program; its mistakes are shown with their lines.
pub fn read(file: &Path) -> Result<Program> {
    let (program, mut errors) = Program::consult(file).with_context(|| format!("cannot read {}", file.display()))?;
    // A directive must be right; types of comments are for people first.
    let directives = program.declarations.iter().filter(|declaration| declaration.directive);
    errors.extend(directives.filter_map(|declaration| typed::mistake(declaration, &program)));
    errors.extend(typed::mistakes(&program));
    errors.sort_by_key(|error| (error.span.source.0, error.span.start));
    if errors.is_empty() {
        return Ok(program);
    }
    for error in errors.iter().take(SHOWN) {
        talk::show(&error.show(program.source(error.span.source)).to_string());
    }
    let count = errors.len();
    let more = if count > SHOWN { format!(", of which {SHOWN} are shown") } else { String::new() };
    bail!("cannot test {}: it has {count} error{}{more}", file.display(), if count == 1 { "" } else { "s" });
}

/// The predicate that the user means.
fn goal(program: &Program, text: &str) -> Result<Indicator> {
    let shown = if text.is_empty() { "\"\"" } else { text };
    let cannot = || format!("cannot understand --goal {shown} (write it as in --goal append/3)");
    let own = program.module.as_ref().map_or("user", |(name, _)| program.atoms.name(*name));
    let plain = text.strip_prefix(own).and_then(|rest| rest.strip_prefix(':')).unwrap_or(text);
    let (name, arity) = match plain.rsplit_once('/') {
        Some((name, arity)) if !name.is_empty() => (name, Some(arity.parse::<u32>().ok().with_context(cannot)?)),
        _ => (plain, None),
    };
    if name.is_empty() || name.ends_with(')') {
        bail!(cannot());
    }
    let found: Vec<Indicator> = program.predicates.iter().map(|predicate| predicate.indicator).collect();
    let named: Vec<Indicator> = found.iter().copied().filter(|other| program.atoms.name(other.name) == name).collect();
    match arity {
        Some(arity) => {
            if let Some(goal) = named.iter().find(|goal| goal.arity == arity) {
                return Ok(*goal);
            }
        }
        None if named.len() == 1 => return Ok(named[0]),
        None if named.len() > 1 => {
            let list: Vec<String> = named.iter().map(|&goal| program.show(goal)).collect();
            bail!("which {name} is meant? The program has {}", list.join(", "));
        }
        None => {}
    }
    let close = xcute_suggest::nearest_by(name, found, |other| program.atoms.name(other.name));
    bail!("the program does not define {text}{}", xcute_suggest::hint(close.map(|other| program.show(other))))
}
