//! What pruning did, in words, and the nodes of its tree.
//!
//! **Invariant.** "No failure is reachable" is said of a complete search only.

use std::fmt::Write;

use xcute_trace::covered;

use crate::summary::{Pruning, Summary};

/// A node of the annotated tree, parents before their children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The position of the node above it, and the arm that leads here from there, for people.
    pub parent: Option<(usize, String)>,
    /// File and line of the decision; empty and 0 for an end.
    pub place: (String, u32),
    /// `full`, `subsumed`, `half`, or how it ended.
    pub state: String,
    /// The interpolant.
    pub interpolant: Option<String>,
}

/// What a complete search means, and for which inputs.
pub(crate) fn complete(summary: &Summary) -> String {
    let subsumed = summary.pruning.as_ref().is_some_and(|pruning| pruning.skipped + pruning.covered > 0);
    let what = match (subsumed, summary.failures.is_empty() && summary.unconfirmed.is_empty()) {
        (false, _) => "every feasible path was run",
        (true, true) => "complete: no failure is reachable",
        (true, false) => "complete: no other failure is reachable",
    };
    format!("{what}{}", covered(&summary.bounds))
}

/// A few lines.
pub(crate) fn lines(pruning: &Pruning) -> Vec<String> {
    let mut lines = Vec::new();
    let build = pruning.build_seconds;
    if pruning.runs > 0 && pruning.prune == "auto" && pruning.skipped + pruning.covered == 0 {
        let tried = count(pruning.runs + pruning.confirmations, "run", "");
        lines.push(format!("tried in {tried} and left: nothing could be skipped; the program was built a second time in {build:.2} s"));
    } else if pruning.runs > 0 {
        let percent = pruning.share * 100.0;
        let Pruning { skipped, covered, spared, full, subsumed, kept, .. } = pruning;
        let (arms, runs) = (count(*skipped, "arm", "skipped"), count(*covered, "run", "covered"));
        lines.push(format!("{percent:.1} % of the paths subsumed: {arms}, {runs}, {} spared", paths(*spared)));
        let half: Vec<String> = pruning.half.iter().map(|(why, count)| format!("{why} {count}")).collect();
        let half = if half.is_empty() { String::new() } else { format!("; half: {}", half.join(", ")) };
        lines.push(format!("interpolants {full} full ({subsumed} of them subsumed, {kept} kept{}){half}", refused(pruning)));
        let Pruning { confirmations, confirmed, not_confirmed, queries, seconds, .. } = pruning;
        if pruning.greedy {
            lines.push(format!(
                "greedy confirmation {} ({confirmed} arms finished, {not_confirmed} attempts failed)",
                count(*confirmations, "run", "")
            ));
        }
        lines.push(format!("{queries} queries, {seconds:.2} s; the program was built a second time in {build:.2} s"));
    }
    lines.extend(pruning.reasons.iter().map(|why| format!("not everything could be followed: {why}")));
    if lines.is_empty() {
        lines.push("nothing was run".to_owned());
    }
    lines
}

/// Interpolants that subsume nothing, or nothing more.
fn refused(pruning: &Pruning) -> String {
    let mut text = String::new();
    if pruning.forgotten > 0 {
        let _ = write!(text, ", {} of these forgotten for newer ones", pruning.forgotten);
    }
    if pruning.given_up > 0 {
        let _ = write!(text, ", {} given up for their size", pruning.given_up);
    }
    text
}

/// An estimate; it ends with 64 bits, and a loop of 64 turns has more paths.
fn paths(spared: u64) -> String {
    if spared == u64::MAX { "more than 10^19 paths".to_owned() } else { format!("about {}", count(spared, "path", "")) }
}

fn count(n: u64, what: &str, done: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural} {done}").trim_end().to_owned()
}

#[cfg(test)]
pub(crate) mod tests {
    use xcute_trace::Bound;

    use super::*;

    /// A summary with nothing in it.
    pub(crate) fn sample() -> Summary {
        let text = r#"{"language":"c","subject":"f","strategy":"dfs","seed":0,"jobs":1,"stop":"complete","complete":true,"runs":1,"paths":1,"rejected":0,
            "handovers":0,"failures":[],"arms":{"taken":0,"infeasible":0,"open":0,"unknown":0,"diverged":0,"pruned":0},
            "coverage":{"branches":{"covered":0,"total":0},"lines":{"covered":0,"total":0},"functions":{"covered":0,"total":0}},
            "solver":{"queries":0,"layers":[],"sat":0,"unsat":0,"unknown":0,"seconds":0.0},"seconds":{"total":0.0,"subject":0.0,"solver":0.0},"limits":[]}"#;
        crate::parse(text).expect("a summary of an earlier version")
    }

    #[test]
    fn complete_means_more_with_pruning() {
        let mut summary = sample();
        assert_eq!(complete(&summary), "every feasible path was run");
        summary.bounds = vec![Bound::new("n", 8, "n up to 8")];
        assert_eq!(complete(&summary), "every feasible path was run for n up to 8");
        summary.bounds.clear();
        summary.pruning = Some(Pruning { skipped: 1, ..Pruning::default() });
        assert_eq!(complete(&summary), "complete: no failure is reachable");
    }

    #[test]
    fn lines_say_what_was_done_and_what_not() {
        let done = Pruning {
            greedy: true,
            runs: 9,
            covered: 8,
            skipped: 247,
            spared: 240,
            share: 255.0 / 256.0,
            confirmations: 1,
            confirmed: 1,
            full: 9,
            subsumed: 2,
            kept: 7,
            forgotten: 4,
            given_up: 1,
            half: [("open".to_owned(), 3)].into(),
            queries: 12,
            ..Pruning::default()
        };
        let expected = [
            "99.6 % of the paths subsumed: 247 arms skipped, 8 runs covered, about 240 paths spared",
            "interpolants 9 full (2 of them subsumed, 7 kept, 4 of these forgotten for newer ones, 1 given up for their size); half: open 3",
            "greedy confirmation 1 run (1 arms finished, 0 attempts failed)",
            "12 queries, 0.00 s; the program was built a second time in 0.00 s",
        ];
        assert_eq!(lines(&done), expected);
        let endless = lines(&Pruning { spared: u64::MAX, ..done });
        assert_eq!(endless[0], "99.6 % of the paths subsumed: 247 arms skipped, 8 runs covered, more than 10^19 paths spared");
        let left = Pruning { prune: "auto".into(), runs: 20, ..Pruning::default() };
        assert_eq!(lines(&left), ["tried in 20 runs and left: nothing could be skipped; the program was built a second time in 0.00 s"]);
        let refused = Pruning { reasons: vec!["threads".into()], ..Pruning::default() };
        assert_eq!(lines(&refused), ["not everything could be followed: threads"]);
    }
}
