//! `./x demo [--binary FILE]`: builds xcute and lets it find the bugs of a small gallery, in every language, in threads, by pruning and in a whole program; ends with a failure,
//! its replay and its standalone test.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::{setup, shell};

struct Step {
    story: &'static str,
    /// A shell line; `xcute` is the binary that was just built, `$OUT` the results directory.
    line: &'static str,
    /// The exit code it must end with.
    exit: i32,
}

/// What a shell makes of a program that ended by `abort`.
const ABORTED: i32 = 134;

const STEPS: &[Step] = &[
    Step {
        story: "A correct binary search: nothing fails, and xcute says that it looked everywhere.",
        line: "xcute c subjects/c/binary_search.c --out $OUT",
        exit: 0,
    },
    Step {
        story: "Two writes and a read at unknown places. CUTE could not see that the places may be one.",
        line: "xcute c subjects/c/alias_indices.c --entry f --out $OUT",
        exit: 1,
    },
    Step {
        story: "Inserting into a search tree: which tree, and which key, break its order?",
        line: "xcute c subjects/c/search_tree.c --entry insert_keeps_order --out $OUT",
        exit: 1,
    },
    Step {
        story: "Two threads and one input: which amount, and which order, let a balance fall below zero?",
        line: "xcute c subjects/c/threads/bank.c --entry main --out $OUT",
        exit: 1,
    },
    Step {
        story: "A loop with more than a thousand million paths: most of them cannot fail, because others like them did not.",
        line: "xcute c subjects/c/thirty_turns.c --prune interpolation --out $OUT",
        exit: 0,
    },
    Step {
        story: "C++: an abstract class as a parameter. Which shape, built how, has no area?",
        line: "xcute c subjects/cpp/shapes.cpp --entry price --out $OUT",
        exit: 1,
    },
    // A program runs in a copy of its directory, so it gets a small one.
    Step {
        story: "A whole program, from its command line: which argument breaks it?",
        line: "mkdir -p target/demo && cd target/demo && xcute cc ../../subjects/programs/ratio.c -o ratio && xcute run --sym-args 1x6 --out ../../$OUT ./ratio",
        exit: 1,
    },
    Step {
        story: "Prolog: the average of no numbers.",
        line: "xcute clp subjects/clp/average.pl --goal average/2 --ground 1 --term-depth 2 --out $OUT",
        exit: 1,
    },
    Step {
        story: "Erlang, on the real emulator: shapes that have no area, and their tests for EUnit.",
        line: "xcute erl subjects/erl/shapes.erl area/1 --out $OUT",
        exit: 1,
    },
    Step {
        story: "Java, on the real JVM: a list with a cycle, as jCUTE's authors wrote it.",
        line: "xcute java subjects/java/Paper.java --method Paper.testme --out $OUT",
        exit: 1,
    },
    Step {
        story: "A model: which messages make the collision avoidance of a car divide by zero?",
        line: "xcute model subjects/model/ca.art --capsule CAController --out $OUT",
        exit: 1,
    },
    Step {
        story: "The example that CUTE starts with: the bug needs a list that points to itself. No harness, no hint.",
        line: "xcute c subjects/c/testme.c --entry testme -v --out $OUT",
        exit: 1,
    },
    Step { story: "The failure again, on the program without instrumentation.", line: "xcute replay $OUT/failures/f1.json", exit: 1 },
    Step {
        story: "And as a C program of its own, which needs no xcute.",
        line: "gcc -g -fwrapv -o $OUT/f1 $OUT/failures/f1.c subjects/c/testme.c -lm && $OUT/f1",
        exit: ABORTED,
    },
];

/// Builds the release binary; where it is.
fn built() -> Result<String> {
    setup::to_run()?;
    shell::say("x: building xcute (the first time takes some minutes)");
    shell::run(&mut shell::cargo(&["build", "--release", "--package", "xcute"]))?;
    Ok(shell::release("xcute"))
}

/// Runs the gallery.
pub fn run(arguments: &[String]) -> Result<()> {
    // A binary that was built already is a matter of tests, which leave the usual results alone.
    let (binary, out) = match arguments {
        [] => (built()?, "xcute-out"),
        [flag, file] if flag == "--binary" => (file.clone(), "target/demo/out"),
        _ => bail!("./x demo takes no arguments but --binary FILE"),
    };
    let directory = Path::new(&binary).parent().context("the binary is in a directory")?;
    let path = std::env::var("PATH").unwrap_or_default();
    for (number, step) in (1..).zip(STEPS) {
        shell::say(&format!("\n# {number} of {}. {}\n$ {}", STEPS.len(), step.story, step.line.replace("$OUT", out)));
        let mut command = shell::command("sh", &["-c", step.line]);
        command.env("PATH", format!("{}:{path}", directory.display())).env("OUT", out);
        let status = command.status().context("cannot run sh")?;
        if status.code() != Some(step.exit) {
            bail!("the demo did not go as planned: `{}` ended with {status}", step.line);
        }
    }
    shell::say(&format!("\nAll of it is in {out}: look at {out}/index.html."));
    shell::say(&format!("Now yours: {binary} c FILE.c --entry FUNCTION"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_program_is_shown_and_every_file_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the repository");
        let words: Vec<&str> = STEPS.iter().flat_map(|step| step.line.split_whitespace()).collect();
        for kind in ["c/", "c/threads/", "cpp/", "clp/", "erl/", "java/", "model/", "programs/"] {
            assert!(words.iter().any(|word| word.contains(&format!("subjects/{kind}"))), "nothing of {kind}");
        }
        assert!(words.contains(&"--prune") && words.contains(&"replay"));
        for word in words.iter().filter(|word| word.contains("subjects/")) {
            let file = word.trim_start_matches("../");
            assert!(root.join(file).is_file(), "there is no {file}");
        }
    }
}
