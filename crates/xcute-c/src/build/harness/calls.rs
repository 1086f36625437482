//! The harness of call sequences: C text that chooses, step by step, a function and its arguments, and calls it.
//!
//! All steps are written out, so that each input has a place of its own. Choices compare an input with each candidate but the last;
//! what is a candidate depends on earlier choices only, never on what the functions did, so that [`Sequence::steps`] can repeat it. An
//! object that a maker did not give, or that was freed since, is not handed out: such a run is rejected. NULL is one of the candidates.
//!
//! **Invariant.** Every input is asked for at one place. A sequence is exactly as long as it was asked for: shorter ones are its beginnings.

use std::fmt::Write as _;

use super::callees::Callees;
use super::families::Origin;
use super::sequence::{Checker, Listed, Role, Sequence, Slot};
use super::steps::Argument;
use super::{AFTER, HARNESS, HarnessError, RUNTIME, ask, c_string, comment, declarations, local, parameters, shown, uncallable};
use crate::types::dwarf::{Function, Program};
use crate::types::inputs::{Lengths, all_candidates};

/// The text of the harness.
///
/// # Errors
/// If a type or a length cannot be written.
pub fn text(program: &Program, plan: &Sequence, lengths: &Lengths) -> Result<String, HarnessError> {
    let arguments = parameters::arguments(program, &plan.entry)?;
    let bounded = parameters::lengths(program, &plan.entry, &arguments, lengths)?;
    let mut callees = Callees::new(program);
    let mut body = declarations(&mut callees, &plan.entry, &arguments)?;
    let mut name = |function: &Function| callees.name(function).map_err(uncallable(function));
    let names = plan.functions.iter().map(|listed| name(&listed.function)).collect::<Result<Vec<_>, _>>()?;
    let mut asked = |checker: &Option<Checker>| -> Result<Option<Asked>, HarnessError> {
        let Some((checker, function)) = checker.as_ref().and_then(|c| Some((c, program.function(&c.name)?))) else { return Ok(None) };
        Ok(Some(Asked { name: name(function)?, family: checker.family, value: checker.value, of: String::new() }))
    };
    let (post, pre) = (asked(&plan.post)?, asked(&plan.pre)?);
    let mut writer = Writer { plan, arguments, names, post, pre, bounded, max: lengths.max };
    body += &writer.objects(&mut callees)?;
    body += &writer.preparation();
    for step in 1..=plan.calls.length as usize {
        body += &writer.step(step);
    }
    let candidates = super::candidates(&mut callees, &all_candidates(program, &plan.entry));
    let mut out = format!("/* Made by xcute: sequences of {}. */\n{RUNTIME}{}{}", comment(&plan.title()), callees.text(), writer.after());
    let _ = write!(out, "#line {} \"harness.c\"\nvoid {HARNESS}(void);\nvoid {HARNESS}(void) {{\n", out.lines().count() + 2);
    Ok(format!("{out}{body}}}\n{candidates}"))
}

/// A checker as it is called here.
struct Asked {
    name: String,
    family: usize,
    value: bool,
    /// The type of the objects, where it takes what they hold.
    of: String,
}

impl Asked {
    /// The condition that an object is sound.
    fn holds(&self, object: &str) -> String {
        let argument = if self.value { format!("*({} *){object}", self.of) } else { object.to_owned() };
        format!("{}({argument}) != 0", self.name)
    }
}

struct Writer<'a> {
    plan: &'a Sequence,
    arguments: Vec<super::Argument>,
    /// What the functions are called here.
    names: Vec<String>,
    post: Option<Asked>,
    pre: Option<Asked>,
    /// The inputs that are lengths.
    bounded: Vec<usize>,
    max: u32,
}

impl Writer<'_> {
    /// For each function, one that says that what it left is not sound: it stands where the function is defined.
    fn after(&self) -> String {
        let Some(post) = &self.plan.post else { return String::new() };
        let mut out = String::new();
        for Listed { function, .. } in &self.plan.functions {
            let (file, name) = (c_string(function.file.as_bytes()), &function.name);
            let text = c_string(format!("{} after {name}", post.name).as_bytes());
            let _ = writeln!(out, "#line {} {file}", function.line.max(1));
            let _ = writeln!(out, "static void {AFTER}{name}(int holds) {{ __xcute_assert(holds, {text}, {file}, {}); }}", function.line);
        }
        out
    }

    /// The tables of objects, and how many were made.
    fn objects(&mut self, callees: &mut Callees<'_>) -> Result<String, HarnessError> {
        let mut out = String::new();
        for (f, family) in self.plan.families.iter().enumerate() {
            let undeclarable = |why| HarnessError::Undeclarable { name: self.plan.title(), parameter: family.name.clone(), why };
            let mut addresses = Vec::new();
            if family.origin == Origin::Shared {
                for n in 0..family.count {
                    let name = format!("xcute_object_{f}_{n}");
                    let declared = family.declare(&mut callees.definitions, &name).map_err(undeclarable)?;
                    let _ = writeln!(out, "  static {declared};");
                    addresses.push(format!("(void *)&{name}"));
                }
            }
            for checker in [&mut self.post, &mut self.pre].into_iter().flatten().filter(|checker| checker.value && checker.family == f) {
                checker.of = callees.definitions.declare(family.to, "").map_err(undeclarable)?;
            }
            let room = family.null().map_or(family.count, |null| family.count.max(null + 1));
            let _ = writeln!(out, "  void *xcute_objects_{f}[{room}] = {{{}}};", addresses.join(", "));
            if family.origin == Origin::Made {
                let _ = writeln!(out, "  int xcute_made_{f}[{0}] = {{0}}, xcute_n_{f} = 0; (void)xcute_n_{f};", family.count);
            }
        }
        Ok(out)
    }

    fn preparation(&self) -> String {
        let mut out = String::new();
        let asked = self.plan.slots.iter().enumerate().filter(|(_, (step, _))| *step == 0);
        out.extend(asked.map(|(k, _)| self.ask(k, "  ")));
        for step in self.plan.preparation() {
            let value = |argument: &Argument| match argument {
                Argument::Input(k) => self.value(*k),
                Argument::Object(family, n) => format!("xcute_objects_{family}[{n}]"),
                Argument::Null => "0".to_owned(),
            };
            let values: Vec<String> = step.arguments.iter().map(value).collect();
            let _ = writeln!(out, "  {}({});", self.names[step.function], values.join(", "));
        }
        out
    }

    fn step(&self, step: usize) -> String {
        let plan = self.plan;
        let choice = plan.parameter(step, Slot::Call).expect("every step has a choice");
        let mut out = format!("  {{ /* call {step} */\n{}    int xcute_last = -1;\n", self.ask(choice, "    "));
        let all = || plan.functions.iter().enumerate().filter(|(_, l)| !l.first);
        for (f, _) in all() {
            let _ = writeln!(out, "    if ({}) xcute_last = {f};", self.callable(f));
        }
        out += "    if (xcute_last < 0) return;\n";
        for (n, (f, listed)) in all().enumerate() {
            let otherwise = if n > 0 { "else " } else { "" };
            let condition = format!("{} && (xcute_last == {f} || {} == {f})", self.callable(f), local(choice));
            let _ =
                writeln!(out, "    {otherwise}if ({condition}) {{ /* {} */\n{}    }}", shown(&listed.function.name), self.call(step, f));
        }
        out + "  }\n"
    }

    fn callable(&self, f: usize) -> String {
        let needed = (0..self.plan.families.len()).map(|family| (family, self.plan.needs(f, family))).filter(|(_, n)| *n > 0);
        let conditions: Vec<String> = needed.map(|(family, n)| format!("xcute_n_{family} >= {n}")).collect();
        if conditions.is_empty() { "1".to_owned() } else { conditions.join(" && ") }
    }

    fn call(&self, step: usize, f: usize) -> String {
        let Listed { roles, gives, .. } = &self.plan.functions[f];
        let (mut out, mut values) = (String::new(), Vec::new());
        for (k, role) in roles.iter().enumerate() {
            let slot = self.plan.parameter(step, Slot::Argument(f, k));
            if let Some(slot) = slot {
                out += &self.ask(slot, "      ");
            }
            match role {
                Role::Input => values.push(slot.map_or_else(String::new, |slot| self.value(slot))),
                Role::Object(family) => {
                    let earlier: Vec<usize> = (0..k).filter(|&e| roles[e] == *role).collect();
                    out += &self.object(step, k, *family, &earlier, slot);
                    values.push(format!("xcute_objects_{family}[xcute_pick_{k}]"));
                }
            }
        }
        let call = format!("{}({})", self.names[f], values.join(", "));
        let replaced = |family| roles.iter().position(|r| *r == Role::Object(family)).map(|k| format!("xcute_pick_{k}"));
        match *gives {
            Some(family) if self.plan.families[family].origin == Origin::Made => {
                let _ = writeln!(out, "      xcute_objects_{family}[{step}] = (void *){call};");
                let _ = writeln!(out, "      xcute_made_{family}[{step}] = 1; xcute_n_{family}++;");
            }
            Some(family) => {
                let to = replaced(family).unwrap_or_else(|| "0".to_owned());
                let _ = writeln!(out, "      xcute_objects_{family}[{to}] = (void *){call};");
            }
            None => {
                let _ = writeln!(out, "      {call};");
            }
        }
        out + &self.check(step, f)
    }

    /// Picks an object of a family for the k-th argument.
    fn object(&self, step: usize, k: usize, family: usize, earlier: &[usize], slot: Option<usize>) -> String {
        let made = self.plan.families[family].origin == Origin::Made;
        let candidates = if made { 1..step } else { 0..self.plan.families[family].count };
        let free = |n: usize| {
            let mut conditions: Vec<String> = earlier.iter().map(|e| format!("xcute_pick_{e} != {n}")).collect();
            conditions.extend(made.then(|| format!("xcute_made_{family}[{n}]")));
            if conditions.is_empty() { "1".to_owned() } else { conditions.join(" && ") }
        };
        let null = self.plan.families[family].null();
        let named = |n: usize| slot.map_or_else(|| "0".to_owned(), |slot| format!("{} == {n}", local(slot)));
        let mut out = format!("      int xcute_pick_{k} = -1, xcute_left_{k} = {};\n", null.unwrap_or(0));
        for n in candidates.clone() {
            let _ = writeln!(out, "      if ({}) xcute_left_{k} = {n};", free(n));
        }
        if let Some(null) = null {
            let _ = writeln!(out, "      if (xcute_left_{k} == {null} || {}) xcute_pick_{k} = {null};", named(null));
        }
        for n in candidates {
            let _ = writeln!(
                out,
                "      if (xcute_pick_{k} < 0 && {} && (xcute_left_{k} == {n} || {})) xcute_pick_{k} = {n};",
                free(n),
                named(n)
            );
        }
        let object = format!("xcute_objects_{family}[xcute_pick_{k}]");
        let chosen = null.map_or_else(String::new, |null| format!("xcute_pick_{k} == {null} || "));
        let (usable, other) = match self.plan.families[family].origin {
            Origin::Made => (format!("{chosen}({object} != 0 && __xcute_alive({object}))"), null.map_or("", |_| " || !{object}")),
            Origin::Threaded => (format!("{object} == 0 || __xcute_alive({object})"), " || !{object}"),
            Origin::Shared => return out + &self.accepted(family, &object),
        };
        let _ = writeln!(out, "      __xcute_assume({usable});");
        for e in earlier {
            let other = other.replace("{object}", &object);
            let _ = writeln!(out, "      __xcute_assume({object} != xcute_objects_{family}[xcute_pick_{e}]{other});");
        }
        out + &self.accepted(family, &object)
    }

    /// The checker of `--pre` must accept an object, or the call is not made. One that takes what objects hold accepts no NULL.
    fn accepted(&self, family: usize, object: &str) -> String {
        let Some(pre) = self.pre.as_ref().filter(|pre| pre.family == family) else { return String::new() };
        let there = if pre.value { format!("{object} != 0 && ") } else { String::new() };
        format!("      __xcute_assume({there}{});\n", pre.holds(object))
    }

    /// The checker is asked about every object that the call got or gave.
    fn check(&self, step: usize, f: usize) -> String {
        let Some(post) = &self.post else { return String::new() };
        let Listed { function, roles, gives, .. } = &self.plan.functions[f];
        let family = post.family;
        let made = self.plan.families[family].origin == Origin::Made;
        let got = (0..roles.len()).filter(|&k| roles[k] == Role::Object(family)).map(|k| format!("xcute_pick_{k}"));
        let given = (made && *gives == Some(family)).then(|| step.to_string());
        let mut out = String::new();
        for n in got.chain(given) {
            let object = format!("xcute_objects_{family}[{n}]");
            let alive = match (made, self.plan.families[family].nullable) {
                (true, _) => format!("if ({object} && __xcute_alive({object})) "),
                (false, true) => format!("if ({object}) "),
                (false, false) => String::new(),
            };
            let _ = writeln!(out, "      {alive}{AFTER}{}({});", function.name, post.holds(&object));
        }
        out
    }

    /// Asks for an input.
    fn ask(&self, k: usize, indent: &str) -> String {
        let mut out = ask(k, &self.arguments[k].name, indent);
        if self.bounded.contains(&k) {
            let _ = writeln!(out, "{indent}__xcute_assume((unsigned long){} <= {}ul);", local(k), self.max);
        }
        out
    }

    fn value(&self, k: usize) -> String {
        local(k)
    }
}
