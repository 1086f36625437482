//! `--profile`: where the time of a campaign went, printed after its report and written next to its page.

use anyhow::Result;
use xcute_report::{Report, flame_graph, folded, profile_table};
use xcute_term::profile;

use crate::plan::OutputPlan;
use crate::results::Directory;
use crate::talk;

/// The flame graph.
pub const GRAPH: &str = "profile.svg";
/// The stacks that it is drawn of, for other tools.
const STACKS: &str = "profile.folded";

/// From now on phases are measured, if that is asked for.
pub fn begin(output: &OutputPlan) {
    if output.profile {
        profile::start();
    }
}

/// Shows and writes the profile of a campaign that is over; the next one begins with none.
pub fn conclude(report: &Report, directory: &Directory, output: &OutputPlan) -> Result<()> {
    if !output.profile {
        return Ok(());
    }
    let profile = profile::take();
    directory.add(GRAPH, flame_graph(&profile, &report.summary.subject))?;
    directory.add(STACKS, folded(&profile))?;
    if !output.show.json && !output.show.quiet {
        talk::result(&format!("\n{}", profile_table(&profile)))?;
    }
    Ok(())
}
