//! `xcute resume`, and `--resume`: continues a campaign that ended, or was ended, before it was complete. Of several, each is continued, and those begin that
//! the search never came to.
//!
//! Only budgets and what is shown may be changed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{profile, search};
use crate::arguments::{OutputArguments, ResumeArguments, SearchArguments};
use crate::command::{self, Chosen};
use crate::exit::Exit;
use crate::plan::{self, OutputPlan};
use crate::results::origin::Origin;

/// Goes on with the campaign in a directory.
pub fn run(low: ResumeArguments) -> Result<Exit> {
    let (dir, mut chosen) = recorded(&low.dir)?;
    let words = Some(Origin::read(&dir)?.arguments);
    change(low, dir, &mut chosen.search, &mut chosen.output);
    let search = plan::search(&chosen.search, &chosen.output)?;
    let output = OutputPlan { words, ..plan::output(chosen.output) };
    profile::begin(&output);
    search::all(search::opening(chosen.language, &chosen.matches)?, &search, &output)
}

/// A results directory with its whole path, and the command line of its campaign, with every path as it was meant.
pub fn recorded(dir: &Path) -> Result<(PathBuf, Chosen)> {
    let dir = dir.canonicalize().with_context(|| format!("cannot read {}", dir.display()))?;
    let origin = Origin::read(&dir)?;
    std::env::set_current_dir(&origin.directory).with_context(|| format!("cannot go to {}", origin.directory.display()))?;
    let cannot = || format!("cannot understand the recorded command line: xcute {}", origin.arguments.join(" "));
    let chosen = command::parse(&origin.arguments).with_context(cannot)?.with_context(cannot)?;
    Ok((dir, chosen))
}

/// What a `--resume` with no program asks for.
pub fn asked(chosen: &Chosen, dir: PathBuf) -> ResumeArguments {
    let SearchArguments { time, memory, runs, stop_at, jobs, .. } = chosen.search;
    let OutputArguments { no_progress, format, .. } = chosen.output;
    let show = chosen.output.show.clone();
    ResumeArguments { dir, time, memory, runs, stop_at, jobs: (jobs != 1).then_some(jobs), no_progress, format, show }
}

fn change(low: ResumeArguments, dir: PathBuf, search: &mut SearchArguments, output: &mut OutputArguments) {
    search.time = low.time.or(search.time);
    search.memory = low.memory.or(search.memory);
    search.runs = low.runs.or(search.runs);
    search.stop_at = low.stop_at.or(search.stop_at);
    search.jobs = low.jobs.unwrap_or(search.jobs);
    output.resume = Some(dir);
    output.no_progress = low.no_progress;
    (output.format, output.show) = (low.format, low.show);
}
