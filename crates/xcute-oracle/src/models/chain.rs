//! Random state machines of any size, for measurements.
//!
//! [`chain`] is the RSM of Ahmadi & Dingel as their generator makes it: states in a row, each with one transition to the next, whose code
//! compares the parameters of its message with random bounds. [`tangle`] is harder: cycles, attributes that several transitions share
//! and compare, and nested states.

use std::fmt::Write as _;

use fastrand::Rng;

/// A chain of `transitions` transitions, each with two nested branches.
#[must_use]
pub fn chain(transitions: usize, seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut text = head(4);
    text += "    statemachine {\n";
    for state in 0..=transitions {
        let _ = writeln!(text, "        state S{state};");
    }
    text += "        initial -> S0;\n";
    for at in 0..transitions {
        let message = random.usize(..4);
        let mut bounds = [random.i32(1..i32::MAX), random.i32(1..i32::MAX)];
        bounds.sort_unstable();
        let [low, high] = bounds;
        let _ = write!(
            text,
            "        t{at}: S{at} -> S{} on p.m{message}\n        `\n            int v = *rtdata;\n            if (v > {low}) {{\n                v -= {low};\n                if (v <= {})\n                    sum ^= v;\n            }}\n        `;\n",
            at + 1,
            high - low
        );
    }
    text + "    };\n};\n"
}

/// A machine with `transitions` transitions between a third as many states: most lead anywhere, guards compare attributes that others set,
/// and every other state is inside of one of several composite states.
#[must_use]
pub fn tangle(transitions: usize, seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let groups = (transitions / 24).max(1);
    let inner = (transitions / 3 / groups).max(2);
    let mut text = head(4);
    text += "    statemachine {\n";
    let mut number = 0;
    let each = transitions / groups;
    for group in 0..groups {
        let _ = writeln!(text, "        state G{group} {{");
        for state in 0..inner {
            let _ = writeln!(text, "            state S{state};");
        }
        text += "            initial -> S0;\n";
        for at in 0..each.saturating_sub(1) {
            // Every state is reached from one before it; the others lead anywhere.
            let (from, to) = if at + 1 < inner { (random.usize(..=at), at + 1) } else { (random.usize(..inner), random.usize(..inner)) };
            let _ = write!(text, "            t{number}: S{from} -> S{to} on p.m{}", random.usize(..4));
            guard(&mut text, &mut random, at + 1 < inner);
            effect(&mut text, &mut random);
            number += 1;
        }
        text += "        };\n";
    }
    text += "        initial -> G0;\n";
    for group in 0..groups {
        let _ = writeln!(
            text,
            "        g{group}: G{group} -> G{} on p.go when `*rtdata == a + {}`;",
            (group + 1) % groups,
            random.i32(1..1000)
        );
    }
    text + "    };\n};\n"
}

fn guard(text: &mut String, random: &mut Rng, tree: bool) {
    let _ = match random.usize(..if tree { 2 } else { 4 }) {
        0 => Ok(()),
        1 => write!(text, " when `*rtdata > {}`", random.i32(..)),
        2 => write!(text, " when `a > {}`", random.i32(-100..100)),
        _ => write!(text, " when `*rtdata - b == {}`", random.i32(-1000..1000)),
    };
}

fn effect(text: &mut String, random: &mut Rng) {
    let bound = random.i32(-100_000..100_000);
    let (one, other) = if random.bool() { ("a", "b") } else { ("b", "a") };
    let _ = write!(
        text,
        "\n            `\n                if (*rtdata > {bound})\n                    {one} = *rtdata % 1000;\n                else if ({other} > {})\n                    sum++;\n            `;\n",
        random.i32(-500..500)
    );
}

/// The protocol and the attributes.
fn head(messages: usize) -> String {
    let mut text = "protocol P {\n".to_owned();
    for message in 0..messages {
        let _ = writeln!(text, "    in m{message}(`int`);");
    }
    text + "    in go(`int`);\n};\ncapsule R {\n    service behavior port p : P;\n    [[rt::decl]]\n    `\n        int sum = 0;\n        int a = 0;\n        int b = 0;\n    `\n"
}
