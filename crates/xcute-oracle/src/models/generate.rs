//! Generates a model of several small random machines in one capsule.
//!
//! Parameters are truth values and enumerations, so that all sequences of a length can be run. Code divides, so that it can fail; messages
//! may be unexpected; states are nested, with history, choices, entry and exit code, and attributes that all share.
//!
//! **Invariant.** Transitions have names of their own, and what can fail or branch has lines of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fastrand::Rng;

/// Machines in one capsule.
pub const MACHINES: usize = 4;
/// Messages after the one that selects the machine.
pub const STEPS: usize = 3;

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The text in Art; the file is called `random.art`.
    pub text: String,
    /// The line of each transition's division, by the name of the transition.
    pub divisions: BTreeMap<String, u64>,
    /// The line of each state, by its path.
    pub states: BTreeMap<String, u64>,
    /// The lines of branches that send their own number.
    pub arms: Vec<u64>,
}

const HEAD: &str = "[[rt::decl]]\n`\nenum Level { LOW, MID, HIGH };\nenum Which { W0, W1, W2, W3 };\n`\nprotocol Events {\n    [[rt::header_preface]]\n    `#include \"random.art.h\"`\n    in pick(`Which`);\n    in toggle(`bool`);\n    in level(`Level`);\n    out seen(`int`);\n};\ncapsule All {\n    service behavior port p : Events;\n    [[rt::decl]]\n    `\n        int x = 0;\n        int y = 0;\n    `\n    statemachine {\n        state Start {\n            other: on p.toggle, p.level;\n        };\n";

impl Model {
    /// The model of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Model {
        let mut model = Model { text: HEAD.to_owned(), divisions: BTreeMap::new(), states: BTreeMap::new(), arms: Vec::new() };
        let mut random = Rng::with_seed(seed);
        model.states.insert("Start".to_owned(), 22);
        let mut number = 0;
        for machine in 0..MACHINES {
            model.machine(&mut random, machine, &mut number);
        }
        model.line("        initial -> Start;");
        for machine in 0..MACHINES {
            model.line(&format!("        pick{machine}: Start -> M{machine} on p.pick when `*rtdata == W{machine}`;"));
        }
        model.line("    };\n};");
        model
    }

    fn line(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    /// The number of the line that is written next.
    fn next(&self) -> u64 {
        self.text.matches('\n').count() as u64 + 1
    }

    fn state(&mut self, path: &str, text: &str) {
        self.states.insert(path.to_owned(), self.next());
        self.line(text);
    }

    fn machine(&mut self, random: &mut Rng, machine: usize, number: &mut usize) {
        let top = format!("M{machine}");
        self.state(&top, &format!("        state {top} {{"));
        self.line(&format!("            skip{machine}: on p.pick;"));
        // Without it some messages are unexpected.
        if random.u8(..10) < 7 {
            self.line(&format!("            rest{machine}: on p.toggle, p.level;"));
        }
        for name in ["A", "B"] {
            self.state(&format!("{top}.{name}"), &format!("            state {name} {{"));
            self.code(random, "entry");
            self.code(random, "exit");
            self.line("            };");
        }
        self.state(&format!("{top}.N"), "            state N {");
        for name in ["P", "Q"] {
            self.state(&format!("{top}.N.{name}"), &format!("                state {name} {{"));
            self.code(random, "entry");
            self.line("                };");
        }
        self.line("                initial -> P;");
        for (from, to) in [("P", "Q"), ("Q", if random.bool() { "P" } else { "Q" })] {
            self.transition(random, number, from, to);
        }
        self.line("            };");
        let choice = random.bool();
        if choice {
            self.line("            choice K;");
        }
        self.line("            initial -> A;");
        let names = ["A", "B", "N"];
        for from in names {
            for _ in 0..random.usize(1..=2) {
                let to = if choice && random.u8(..3) == 0 { "K" } else { names[random.usize(..3)] };
                self.transition(random, number, from, to);
            }
        }
        if choice {
            self.line(&format!("            k{machine}: K -> {} when `x % 2 == 0`;", names[random.usize(..3)]));
            self.line(&format!("            l{machine}: K -> {} when `else`;", names[random.usize(..3)]));
        }
        self.line("        };");
    }

    /// Code of a state, or none.
    fn code(&mut self, random: &mut Rng, what: &str) {
        if random.u8(..3) == 0 {
            self.line(&format!("                {what} `x = x + {};`;", random.i32(1..3)));
        }
    }

    fn transition(&mut self, random: &mut Rng, number: &mut usize, from: &str, to: &str) {
        let name = format!("t{number}");
        *number += 1;
        let (message, own) =
            if random.bool() { ("toggle", ["*rtdata", "!*rtdata"]) } else { ("level", ["*rtdata == HIGH", "*rtdata != LOW"]) };
        let guard = match random.usize(..5) {
            0 | 1 => format!(" when `{}`", own[random.usize(..2)]),
            2 => format!(" when `x > {}`", random.i32(0..4)),
            3 => format!(" when `x + y == {} || {}`", random.i32(0..5), own[random.usize(..2)]),
            _ => String::new(),
        };
        self.line(&format!("            {name}: {from} -> {to} on p.{message}{guard}\n            `"));
        if random.bool() {
            self.line(&format!("                x = x + {};", random.i32(1..4)));
        }
        if random.bool() {
            let condition = match random.usize(..3) {
                0 => format!("x > {}", random.i32(0..5)),
                1 => "static_cast<int>(*rtdata) == y".to_owned(),
                _ => format!("(x ^ y) == {}", random.i32(0..4)),
            };
            self.line(&format!("                if ({condition}) {{"));
            self.arm();
            self.line("                } else {");
            self.arm();
            self.line("                }");
        }
        if random.u8(..3) == 0 {
            self.divisions.insert(name, self.next());
            self.line(&format!("                y = 12 / (x - {});", random.i32(1..7)));
        } else {
            self.line("                y = static_cast<int>(*rtdata);");
        }
        self.line("            `;");
    }

    fn arm(&mut self) {
        let line = self.next();
        self.arms.push(line);
        let mut text = String::new();
        let _ = write!(text, "                    p.seen({line}).send();");
        self.line(&text);
    }
}
