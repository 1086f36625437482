//! `xcute explain`: why an arm of a branch was not taken, and why schedules were run.
//!
//! The path tree is made again from the journal. An arm is named as in `sort.c:12:7:true`: file, line, column and arm; the column may be left out
//! where the line has one decision, and the arm to see all of them. Choices between threads are named as in `schedule:2:7`: the run, and its step.
//! `interpolants` are those that pruning found.
//!
//! **Invariant.** What is said is known from the recorded campaign, or shown by the solver now; nothing is guessed.

mod interpolants;
mod memory;
mod reasons;
mod schedules;

use anyhow::{Result, bail};
use xcute_engine::{Campaign, Options};
use xcute_strategy::StrategyName;
use xcute_trace::{Site, SiteId, Sites, Subject};
use xcute_tree::PathTree;

use super::resume::recorded;
use crate::arguments::ExplainArguments;
use crate::exit::Exit;
use crate::front::FrontEnd;
use crate::plan::{self, OutputPlan, SearchPlan};
use crate::results::origin;
use crate::{solvers, talk};
use memory::Memory;
use reasons::Reasons;

/// Explains an arm of the campaign in a directory; without one, says which arms were not taken.
pub fn run(low: &ExplainArguments) -> Result<Exit> {
    let (dir, mut chosen) = recorded(&low.dir)?;
    chosen.output.resume = Some(dir);
    let (search, output) = (plan::search(&chosen.search, &chosen.output)?, plan::output(chosen.output));
    let arm = low.arm.as_deref().unwrap_or_default();
    let mut parts = chosen.language.open(&chosen.matches)?.parts;
    match (parts.pop(), parts.is_empty()) {
        (Some(part), true) => (part.open)(&search, &output)?.explain(&search, &output, arm),
        _ => bail!("cannot explain several campaigns at once (name the results directory of one)"),
    }
}

/// Makes the tree again and answers. `wanted` is empty, or names an arm.
pub fn answer<F: FrontEnd>(front: &F, subject: &mut F::Subject, search: &SearchPlan, output: &OutputPlan, wanted: &str) -> Result<Exit> {
    let past = origin::past(front, subject, search.options.depth, &output.dir)?;
    let sites = subject.sites().clone();
    let choice = scheduled(wanted)?;
    let about_interpolants = wanted == interpolants::NAME;
    let arms = if choice.is_some() || about_interpolants { Vec::new() } else { named(front, &sites, wanted)? };
    let memory = Memory::new(front, choice.and_then(|(run, _)| run));
    let strategy = StrategyName::Dfs.build(&sites, 0);
    // Nothing is confirmed, so that the subject's last run is always the one that is described.
    let options = Options { confirmations: 0, ..search.options };
    let mut campaign = Campaign::new(subject, solvers::chain(search.layers), strategy, options);
    campaign.prune_with(solvers::chain(search.layers));
    campaign.go_on_from(past);
    campaign.rebuild(&memory)?;
    if let Some((run, step)) = choice {
        talk::result(&about_schedules(&memory, campaign.tree(), run, step)?)?;
        return Ok(Exit::NoFailure);
    }
    let known = interpolants::of(front, &sites, &campaign);
    if about_interpolants {
        talk::result(&interpolants::all(&known)?)?;
        return Ok(Exit::NoFailure);
    }
    let mut reasons = Reasons { front, sites: &sites, memory: &memory, campaign: &mut campaign, dir: &output.dir };
    if !wanted.is_empty() {
        for &(site, arm) in &arms {
            talk::result(&reasons.explain(site, arm))?;
        }
        let here: std::collections::BTreeSet<SiteId> = arms.iter().map(|arm| arm.0).collect();
        talk::result(&interpolants::at(&known, &here))?;
        return Ok(Exit::NoFailure);
    }
    let missing: Vec<_> = arms.into_iter().filter(|&(site, arm)| sites.get(site).counts() && memory.first(site, arm).is_none()).collect();
    if missing.is_empty() {
        talk::result("every arm of every branch was taken\n")?;
    }
    for (site, arm) in missing {
        let line = format!("{}: {}\n", name(front, &sites, site, arm), reasons.state(site, arm));
        talk::result(&line)?;
    }
    if !known.is_empty() {
        talk::result(&format!("{}\n", interpolants::overview(&known)))?;
    }
    let schedules = memory.schedules();
    if !schedules.is_empty() {
        let overview = schedules.overview(campaign.tree());
        talk::result(&format!("{} (xcute explain DIR schedule says why)\n", overview.lines().next().unwrap_or_default()))?;
    }
    Ok(Exit::NoFailure)
}

/// A choice between threads that a name means: `schedule`, `schedule:RUN` or `schedule:RUN:STEP`. `None` for other names.
fn scheduled(wanted: &str) -> Result<Option<(Option<u64>, Option<usize>)>> {
    let mut parts = wanted.split(':');
    if parts.next() != Some("schedule") {
        return Ok(None);
    }
    let numbers: Result<Vec<u64>, _> = parts.map(str::parse).collect();
    match numbers.as_deref() {
        Ok([]) => Ok(Some((None, None))),
        Ok([run]) => Ok(Some((Some(*run), None))),
        Ok([run, step]) => Ok(Some((Some(*run), Some(usize::try_from(*step)?)))),
        _ => bail!("no choice is called {wanted} (write it as in schedule:2:7, the run and its step, or schedule for all races)"),
    }
}

/// What is known of the choices between threads: of all runs, of one, or of one of its steps.
fn about_schedules<F: FrontEnd>(memory: &Memory<'_, F>, tree: &PathTree, run: Option<u64>, step: Option<usize>) -> Result<String> {
    let schedules = memory.schedules();
    if schedules.is_empty() {
        bail!("no run had a choice between threads");
    }
    let Some(run) = run else { return Ok(schedules.overview(tree)) };
    if memory.input(run).is_none() {
        bail!("there was no run {run}");
    }
    if let Some(why) = schedules.void() {
        bail!(why);
    }
    match step {
        None => Ok(schedules.run(tree)),
        Some(step) => schedules.choice(tree, step).map_err(anyhow::Error::msg),
    }
}

/// The arms that a name means; all of them for no name.
fn named<F: FrontEnd>(front: &F, sites: &Sites, wanted: &str) -> Result<Vec<(SiteId, u32)>> {
    let all = || (0..).map(SiteId).zip(&sites.sites).flat_map(|(id, site)| (0..site.arms).map(move |arm| (id, arm)));
    let mut parts: Vec<&str> = wanted.split(':').collect();
    let last = parts.last().copied().unwrap_or_default();
    let arm_word = (!last.chars().all(|c| c.is_ascii_digit())).then_some(last).filter(|_| parts.len() > 1);
    if arm_word.is_some() {
        parts.pop();
    }
    let mut numbers = Vec::new();
    while parts.len() > 1
        && let Some(number) = parts.last().and_then(|part| part.parse::<u32>().ok())
    {
        numbers.insert(0, number);
        parts.pop();
    }
    let file = parts.join(":");
    let fits = |id: SiteId, arm: u32| {
        let site = sites.get(id);
        let here = |line: u32, rest: &[u32]| match rest {
            [] => site.line == line,
            [column] => site.line == line && site.column == *column,
            // An arm of a switch is a number.
            [column, number] => site.line == line && site.column == *column && arm + 1 == *number,
            _ => false,
        };
        let place = numbers.split_first().is_some_and(|(line, rest)| here(*line, rest));
        wanted.is_empty() || same_file(front, site, &file) && place && arm_word.is_none_or(|word| site.arm_name(arm) == word)
    };
    let mut found: Vec<_> = all().filter(|&(id, arm)| fits(id, arm)).collect();
    found.sort_by_key(|&(id, arm)| (&sites.get(id).file, sites.get(id).line, sites.get(id).column, id, arm));
    if found.is_empty() && !wanted.is_empty() {
        let lines = sites.sites.iter().filter(|site| site.counts() && same_file(front, site, &file));
        let known: std::collections::BTreeSet<u32> = lines.map(|site| site.line).collect();
        if known.is_empty() {
            bail!("no arm is called {wanted}: no decision is in {file} (write it as in sort.c:12:true, or leave it out for a list)");
        }
        let known: Vec<String> = known.iter().map(u32::to_string).collect();
        bail!("no arm is called {wanted}: {file} has decisions in the lines {}", known.join(", "));
    }
    Ok(found)
}

fn same_file<F: FrontEnd>(front: &F, site: &Site, file: &str) -> bool {
    let shown = front.file(&site.file);
    shown == file || shown.ends_with(&format!("/{file}"))
}

/// The whole name of an arm.
fn name<F: FrontEnd>(front: &F, sites: &Sites, id: SiteId, arm: u32) -> String {
    let site = sites.get(id);
    format!("{}:{}:{}:{}", front.file(&site.file), site.line, site.column, site.arm_name(arm))
}
