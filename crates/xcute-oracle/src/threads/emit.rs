//! One pass over a program that writes its C source and the code for brute force.

use std::fmt::Write;

use super::generate::{Condition, Expr, Statement};
use super::machine::{Code, Instruction};
use super::{ENVIRONMENT, GUARDED, Kind, NAMES};

/// Text with the number of the line that comes next.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) line: u32,
}

impl Text {
    pub(super) fn new() -> Text {
        Text { text: String::new(), line: 1 }
    }

    /// Adds lines.
    pub(super) fn add(&mut self, lines: &str) {
        self.line += u32::try_from(lines.lines().count()).expect("files are short");
        let _ = writeln!(self.text, "{lines}");
    }
}

/// Writes the function of a thread; gives back its code.
pub(super) fn thread(out: &mut Text, kind: Kind, name: &str, number: usize, body: &[Statement]) -> Code {
    out.add(&format!("static void *{name}(void *unused) {{"));
    out.add(&format!("  int in = inputs[{number}], r0 = 0, r1 = 0;"));
    let mut writer = Writer { out, kind, code: Vec::new(), depth: 1 };
    writer.block(body);
    let code = writer.code;
    out.add(&format!("  results[{number}] = (r0 + 8 * r1) * {};", 2 * number + 1));
    out.add("  (void)in, (void)unused;\n  return 0;\n}");
    code
}

struct Writer<'a> {
    out: &'a mut Text,
    kind: Kind,
    code: Code,
    depth: usize,
}

/// Orders of loads, of stores, and of operations that are both.
const ORDERS: [&[&str]; 3] = [
    &["seq_cst", "acquire", "consume", "relaxed"],
    &["seq_cst", "release", "relaxed"],
    &["seq_cst", "acq_rel", "acquire", "release", "relaxed"],
];

fn expr(e: Expr) -> String {
    match e {
        Expr::Constant(c) => c.to_string(),
        Expr::Register(r, c) => format!("(r{r} + {c}) & 7"),
        Expr::Input(bit, r) => format!("((in >> {bit} & 1) + r{r}) & 7"),
    }
}

fn condition(c: Condition) -> String {
    match c {
        Condition::Is(r, k) => format!("r{r} == {k}"),
        Condition::Not(r, k) => format!("r{r} != {k}"),
        Condition::Less(a, b) => format!("r{a} < r{b}"),
        Condition::Input(bit) => format!("in >> {bit} & 1"),
    }
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.out.add(&format!("{}{text}", "  ".repeat(self.depth)));
    }

    fn step(&mut self, instruction: Instruction, text: &str) {
        self.code.push((instruction, self.out.line));
        self.line(text);
    }

    /// An order for the next line.
    fn order(&self, orders: &[&'static str]) -> &'static str {
        orders[self.out.line as usize % orders.len()]
    }

    fn is_atomic(&self, x: usize) -> bool {
        x < GUARDED && self.kind != Kind::Racing
    }

    /// Where the next instruction will be.
    fn here(&self) -> usize {
        self.code.len()
    }

    fn block(&mut self, body: &[Statement]) {
        for s in body {
            self.statement(s);
        }
    }

    fn inner(&mut self, body: &[Statement]) {
        self.depth += 1;
        self.block(body);
        self.depth -= 1;
    }

    fn statement(&mut self, s: &Statement) {
        match s {
            Statement::Load(r, x) if self.is_atomic(*x) => {
                let order = self.order(ORDERS[0]);
                self.step(Instruction::Load(*r, *x), &format!("r{r} = atomic_load_explicit(&{}, memory_order_{order});", NAMES[*x]));
            }
            Statement::Store(x, e) if self.is_atomic(*x) => {
                let order = self.order(ORDERS[1]);
                let text = format!("atomic_store_explicit(&{}, {}, memory_order_{order});", NAMES[*x], expr(*e));
                self.step(Instruction::Store(*x, *e), &text);
            }
            Statement::Load(r, x) => self.step(Instruction::Load(*r, *x), &format!("r{r} = {};", NAMES[*x])),
            Statement::Store(x, e) => self.step(Instruction::Store(*x, *e), &format!("{} = {};", NAMES[*x], expr(*e))),
            Statement::Add(r, x, c) => {
                let order = self.order(ORDERS[2]);
                let text = format!("r{r} = atomic_fetch_add_explicit(&{}, {c}, memory_order_{order});", NAMES[*x]);
                self.step(Instruction::Add(*r, *x, *c), &text);
            }
            Statement::Exchange(r, x, old, e) => {
                let (order, failed) = (self.order(ORDERS[2]), self.order(ORDERS[0]));
                let text = format!(
                    "{{ int old = {old}; r{r} = atomic_compare_exchange_strong_explicit(&{}, &old, {}, memory_order_{order}, memory_order_{failed}); }}",
                    NAMES[*x],
                    expr(*e)
                );
                self.step(Instruction::Exchange(*r, *x, *old, *e), &text);
            }
            Statement::Set(r, e) => self.step(Instruction::Set(*r, *e), &format!("r{r} = {};", expr(*e))),
            Statement::Locked(m, body) => {
                self.step(Instruction::Lock(*m), &format!("pthread_mutex_lock(&m{m});"));
                self.inner(body);
                self.step(Instruction::Unlock(*m), &format!("pthread_mutex_unlock(&m{m});"));
            }
            Statement::Tried(m, body) => {
                let at = self.here();
                self.step(Instruction::TryLock(*m, 0), &format!("if (pthread_mutex_trylock(&m{m}) == 0) {{"));
                self.inner(body);
                self.step(Instruction::Unlock(*m), &format!("  pthread_mutex_unlock(&m{m});"));
                self.code[at].0 = Instruction::TryLock(*m, self.here());
                self.line("}");
            }
            Statement::Permitted(body) => {
                self.step(Instruction::Wait, "sem_wait(&permits);");
                self.inner(body);
                self.step(Instruction::Post, "sem_post(&permits);");
            }
            Statement::Post => self.step(Instruction::Post, "sem_post(&permits);"),
            Statement::If(c, then, other) => {
                let at = self.here();
                self.step(Instruction::Unless(*c, 0), &format!("if ({}) {{", condition(*c)));
                self.inner(then);
                let skip = self.here();
                if !other.is_empty() {
                    self.code.push((Instruction::Jump(0), self.out.line));
                    self.line("} else {");
                }
                self.code[at].0 = Instruction::Unless(*c, self.here());
                self.inner(other);
                if !other.is_empty() {
                    self.code[skip].0 = Instruction::Jump(self.here());
                }
                self.line("}");
            }
            Statement::Section(body) => {
                self.step(Instruction::Begin, "__VERIFIER_atomic_begin();");
                self.inner(body);
                self.step(Instruction::End, "__VERIFIER_atomic_end();");
            }
            Statement::Assume(x, value) => {
                self.step(Instruction::Assume(*x, *value), &format!("__VERIFIER_assume({} == {value});", NAMES[*x]))
            }
            Statement::Park(x, value) => {
                self.step(Instruction::Park(*x, *value), &format!("syscall(SYS_futex, &{}, FUTEX_WAIT, {value}, 0);", NAMES[*x]));
            }
            Statement::Wake(x, all) => {
                let most = if *all { "INT_MAX" } else { "1" };
                self.step(Instruction::Wake(*x, *all), &format!("syscall(SYS_futex, &{}, FUTEX_WAKE, {most});", NAMES[*x]));
            }
            Statement::Put(value) => self.step(Instruction::Put(*value), &format!("setenv(\"{}\", \"{value}\", 1);", NAMES[ENVIRONMENT])),
            Statement::Get(r) => self.step(Instruction::Get(*r), &format!("r{r} = getenv(\"{}\")[0] - '0';", NAMES[ENVIRONMENT])),
            Statement::Assert(c) => self.step(Instruction::Assert(*c), &format!("assert({});", condition(*c))),
        }
    }
}
