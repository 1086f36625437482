//! Random state machines (RSM), as Art.

use std::fmt::Write as _;

use fastrand::Rng;

/// The tool's chain of states [ahmadi-dingel-2019 §5]: each transition has a message of its own, and nested conditions on each of its parameters. There,
/// intervals are any of 31 bits; here, an inner one is a small part of the outer one, so that luck does not help.
pub fn chain(states: usize, parameters: usize, seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut out = head(states, parameters);
    for at in 0..=states {
        let _ = writeln!(out, "        state S{at};");
    }
    out.push_str("        initial -> S0;\n");
    for at in 0..states {
        let _ = writeln!(out, "        t{at}: S{at} -> S{} on drive.m{at} `\n            int p = 0;", at + 1);
        for parameter in 0..parameters {
            let low = random.i32(0..1 << 30);
            let high = low + random.i32(1000..1 << 20);
            let inner = low + random.i32(0..(high - low) / 2);
            let _ = writeln!(out, "            p = rtdata->p{parameter};");
            let _ = writeln!(
                out,
                "            if (p > {low} && p <= {high}) {{ if (p >= {inner} && p < {}) {{ p *= 3; }} p += {low}; }}",
                inner + 40
            );
        }
        out.push_str("        `;\n");
    }
    out + "    };\n};\n"
}

/// A harder one: states in composite states, ways back, and guards on attributes that other transitions set.
pub fn tangle(groups: usize, seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut out = head(8, 2);
    let insert = out.find("    statemachine {").unwrap_or(0);
    out.insert_str(insert, "    [[rt::decl]]\n    `int a[4] = {0, 0, 0, 0};`\n");
    let mut message = || random.usize(0..8);
    let mut inner = String::new();
    for group in 0..groups {
        let _ = writeln!(inner, "        state G{group} {{\n            state A, B, C;\n            initial -> A;");
        for (nth, (from, to)) in [("A", "B"), ("B", "C"), ("C", "A"), ("B", "A")].into_iter().enumerate() {
            let _ = writeln!(inner, "            u{group}_{nth}: {from} -> {to} on drive.m{} `@`;", message());
        }
        inner.push_str("        };\n");
    }
    inner.push_str("        initial -> G0;\n");
    for group in 0..groups {
        let (next, back) = ((group + 1) % groups, group / 2);
        let _ = writeln!(inner, "        v{group}: G{group} -> G{next} on drive.m{} when `#` `@`;", message());
        if back != group {
            let _ = writeln!(inner, "        w{group}: G{group} -> G{back} on drive.m{} when `#`;", message());
        }
    }
    let mut codes = Rng::with_seed(seed + 1);
    for piece in inner.split_inclusive(['@', '#']) {
        match piece.chars().last() {
            Some('@') => out += &piece.replace('@', &effect(&mut codes)),
            Some('#') => out += &piece.replace('#', &format!("a[{}] >= {}", codes.usize(0..4), codes.i32(0..4))),
            _ => out += piece,
        }
    }
    out + "    };\n};\n"
}

/// Code that sets an attribute where the data is right.
fn effect(random: &mut Rng) -> String {
    let (one, other, low) = (random.usize(0..4), random.usize(0..4), random.i32(0..1 << 30));
    format!(
        "\n                if (rtdata->p0 >= {low} && rtdata->p0 < {}) a[{one}]++;\n                if (rtdata->p1 == a[{other}] * 1000 + {}) a[{other}] += 2;\n            ",
        low + 500,
        random.i32(0..1 << 20)
    )
}

fn head(messages: usize, parameters: usize) -> String {
    let fields: String = (0..parameters).map(|at| format!("int p{at}; ")).collect();
    let mut out = format!(
        "[[rt::decl]]\n`\nstruct Data {{ {fields}}};\n`\nprotocol Drive {{\n    [[rt::header_preface]]\n    `#include \"rsm.art.h\"`\n"
    );
    for at in 0..messages {
        let _ = writeln!(out, "    in m{at}(`Data`);");
    }
    out + "};\ncapsule Rsm {\n    service behavior port drive : Drive;\n    statemachine {\n"
}
