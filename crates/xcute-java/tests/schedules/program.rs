//! Random programs with threads, and how they read in Java.

use std::fmt::Write as _;

use fastrand::Rng;

/// A variable: two plain fields, a volatile one, two elements, an atomic.
pub type Variable = usize;
pub const VARIABLES: [&str; 6] = ["x", "y", "v", "a[0]", "a[1]", "n"];
/// The atomic.
pub const ATOMIC: Variable = 5;
/// Monitors and locks.
pub const MONITORS: usize = 2;
/// The lock of `java.util.concurrent`.
pub const LOCK: usize = 2;

/// The kinds of statements of a program that spins.
const SPINS: u8 = 35;
/// The kinds of statements of a program with a lock for readers and a writer.
const SHARES: u8 = 36;
/// The forms of loops that only look.
const FORMS: usize = 5;

#[derive(Clone, Debug)]
pub enum Statement {
    Read(Variable),
    Write(Variable, i64),
    /// Reads, adds one, writes: two steps.
    Add(Variable),
    /// One step.
    AtomicAdd,
    CompareAndSet(i64, i64),
    If(Variable, i64, Vec<Statement>),
    /// Compared with the input, which is 0 or 1.
    IfInput(Variable, Vec<Statement>),
    Synchronized(usize, Vec<Statement>),
    Lock(Vec<Statement>),
    TryLock(Vec<Statement>),
    Wait(usize),
    /// Waits until a variable has a value.
    Await(usize, Variable, i64),
    Notify(usize),
    NotifyAll(usize),
    Permit(Vec<Statement>),
    Park,
    Unpark(usize),
    Interrupt(usize),
    Interrupted,
    /// Looks again and again until a variable has a value: in one of several forms.
    Spin(usize, Variable, i64),
    /// Tries again and again to set the atomic.
    SpinSet(i64, i64),
    /// Looks again and again until one of two variables has a value: in one of several forms.
    SpinEither(usize, [(Variable, i64); 2]),
    /// The same until both have, under a monitor.
    SpinBoth(usize, [(Variable, i64); 2]),
    /// Tries again and again to get the lock.
    SpinTry(Vec<Statement>),
    /// Under the lock of readers and a writer; whether it writes.
    Share(bool, Vec<Statement>),
    TryShare(bool, Vec<Statement>),
    TryPermit(Vec<Statement>),
    /// The end of what was tried, as it reads.
    End(&'static str),
}

/// A program: what each thread does.
#[derive(Clone, Debug)]
pub struct Program(pub Vec<Vec<Statement>>);

impl Program {
    pub fn random(seed: u64) -> Program {
        let mut random = Rng::with_seed(seed);
        let threads = 2 + usize::from(random.u8(..3) == 0);
        // Some programs have only memory and monitors: all the more of these.
        let kinds = [8, 12, 20, 26, SPINS, SHARES][random.usize(..6)];
        let mut left = 8;
        Program((0..threads).map(|_| block(&mut random, &mut left, (kinds, threads), 0)).collect())
    }

    /// Whether a thread that reads under a lock comes to something that can wait: then it makes a difference who stands in the line of that lock.
    pub fn waits_while_it_reads(&self) -> bool {
        self.0.iter().flatten().any(|statement| waits(statement, false))
    }

    /// A class with this program: its method `run` ends with an exception that says how it ended.
    pub fn java(&self, class: &str) -> String {
        let mut text = format!("    static class {class} {{\n        static int x, y, in;\n        static volatile int v;\n");
        text += "        static final int[] a = new int[2];\n        static final AtomicInteger n = new AtomicInteger();\n";
        text += "        static final Object m0 = new Object(), m1 = new Object();\n        static final ReentrantLock l = new ReentrantLock();\n";
        text += "        static final Semaphore s = new Semaphore(1);\n";
        text += "        static final ReentrantReadWriteLock w = new ReentrantReadWriteLock();\n";
        let _ = writeln!(text, "        static final Thread[] t = new Thread[{}];", self.0.len());
        let _ = writeln!(text, "        static final int[] o = new int[{}];", self.0.len());
        for (number, name) in VARIABLES.iter().enumerate().filter(|(number, _)| *number != ATOMIC) {
            let _ = writeln!(text, "        static boolean is{number}(int value) {{ return {name} == value; }}");
        }
        for (number, statements) in self.0.iter().enumerate() {
            let _ = writeln!(text, "        static void t{number}() {{\n            int r = 1;");
            statements.iter().for_each(|statement| write(statement, &mut text, 3));
            let _ = writeln!(text, "            o[{number}] = r;\n        }}");
        }
        text += "        static void run(int input) throws InterruptedException {\n            in = input;\n";
        for number in 0..self.0.len() {
            let _ = writeln!(text, "            t[{number}] = new Thread({class}::t{number});");
        }
        text += "            for (Thread one : t) one.start();\n            for (Thread one : t) one.join();\n";
        let observed: Vec<String> = (0..self.0.len()).map(|number| format!("o[{number}]")).collect();
        let values = VARIABLES.map(|name| if name == "n" { "n.get()".to_owned() } else { name.to_owned() });
        let all = values.into_iter().chain(observed).collect::<Vec<_>>().join(" + \" \" + ");
        let _ = writeln!(text, "            throw new RuntimeException(\"{class} \" + {all});\n        }}\n    }}");
        text
    }
}

fn waits(statement: &Statement, reads: bool) -> bool {
    use Statement as S;
    match statement {
        S::Share(writes, inner) => reads || inner.iter().any(|inner| waits(inner, !writes)),
        S::TryShare(writes, inner) => inner.iter().any(|inner| waits(inner, reads || !writes)),
        S::If(.., inner) | S::IfInput(_, inner) | S::TryLock(inner) | S::TryPermit(inner) => inner.iter().any(|inner| waits(inner, reads)),
        S::Synchronized(_, inner) | S::Lock(inner) | S::SpinTry(inner) | S::Permit(inner) => {
            reads || inner.iter().any(|inner| waits(inner, reads))
        }
        S::Read(_) | S::Write(..) | S::Add(_) | S::AtomicAdd | S::CompareAndSet(..) => false,
        _ => reads,
    }
}

fn block(random: &mut Rng, left: &mut usize, (kinds, threads): (u8, usize), depth: usize) -> Vec<Statement> {
    let count = 1 + random.usize(..3);
    let mut all = Vec::new();
    for _ in 0..count {
        if *left > 0 {
            *left -= 1;
            all.push(statement(random, left, (kinds, threads), depth));
        }
    }
    all
}

fn statement(random: &mut Rng, left: &mut usize, (kinds, threads): (u8, usize), depth: usize) -> Statement {
    let (variable, other) = (random.usize(..5), random.usize(..threads));
    let (value, monitor) = (random.i64(0..2), random.usize(..MONITORS));
    let inner = |random: &mut Rng, left: &mut usize| {
        if depth < 2 && *left > 0 { block(random, left, (kinds, threads), depth + 1) } else { Vec::new() }
    };
    // Programs that spin do not interrupt each other: an interrupt would be one more thing that a thread can come to while it looks.
    let chosen = random.u8(..kinds);
    if kinds == SPINS && chosen >= 20 {
        return match chosen {
            20..26 => Statement::Spin(random.usize(..FORMS), variable, value),
            26 | 27 => Statement::SpinSet(value, 1 + value),
            30..33 => Statement::SpinEither(random.usize(..3), [(variable, value), (random.usize(..5), random.i64(0..2))]),
            33 | 34 => Statement::SpinBoth(monitor, [(variable, value), (random.usize(..5), random.i64(0..2))]),
            _ => Statement::SpinTry(inner(random, left)),
        };
    }
    if kinds == SHARES && chosen >= 14 {
        let writes = value == 1;
        return match chosen {
            14..28 => Statement::Share(writes, inner(random, left)),
            28..32 => Statement::TryShare(writes, inner(random, left)),
            32 => Statement::TryPermit(inner(random, left)),
            _ => Statement::Permit(inner(random, left)),
        };
    }
    match chosen {
        0 => Statement::Read(variable),
        1 | 2 => Statement::Write(variable, 1 + value),
        3 => Statement::Add(variable),
        4 => Statement::If(variable, value, inner(random, left)),
        5 => Statement::IfInput(variable, inner(random, left)),
        6 | 7 => Statement::Synchronized(monitor, inner(random, left)),
        8 => Statement::Wait(monitor),
        9 => Statement::Await(monitor, variable, 1 + value),
        10 => Statement::Notify(monitor),
        11 => Statement::NotifyAll(monitor),
        12 => Statement::AtomicAdd,
        13 => Statement::CompareAndSet(value, 1 + value),
        14 | 15 => Statement::Lock(inner(random, left)),
        16 | 17 => Statement::TryLock(inner(random, left)),
        18 | 19 => Statement::Permit(inner(random, left)),
        20 | 21 => Statement::Park,
        22 => Statement::Unpark(other),
        23 | 24 => Statement::Interrupt(other),
        _ => Statement::Interrupted,
    }
}

fn write(statement: &Statement, out: &mut String, depth: usize) {
    use Statement as S;
    let pad = "    ".repeat(depth);
    let name = |variable: &Variable| VARIABLES[*variable];
    let mut nested = |head: String, inner: &[Statement], tail: &str| {
        let _ = writeln!(out, "{pad}{head} {{");
        inner.iter().for_each(|statement| write(statement, out, depth + 1));
        let _ = writeln!(out, "{pad}}}{tail}");
    };
    let line = match statement {
        S::If(x, value, inner) => return nested(format!("if ({} == {value})", name(x)), inner, ""),
        S::IfInput(x, inner) => return nested(format!("if ({} == in)", name(x)), inner, ""),
        S::Synchronized(m, inner) => return nested(format!("synchronized (m{m})"), inner, ""),
        S::Lock(inner) => return nested("l.lock();".to_owned(), inner, " l.unlock();"),
        S::SpinTry(inner) => return nested("while (!l.tryLock()) Thread.yield();".to_owned(), inner, " l.unlock();"),
        S::TryLock(inner) => return nested("if (l.tryLock())".to_owned(), &[&inner[..], &[S::End("l.unlock();")]].concat(), ""),
        S::TryPermit(inner) => return nested("if (s.tryAcquire())".to_owned(), &[&inner[..], &[S::End("s.release();")]].concat(), ""),
        S::Share(true, inner) => return nested("w.writeLock().lock();".to_owned(), inner, " w.writeLock().unlock();"),
        S::Share(false, inner) => return nested("w.readLock().lock();".to_owned(), inner, " w.readLock().unlock();"),
        S::TryShare(writes, inner) => {
            let [lock, end] = if *writes { ["writeLock", "w.writeLock().unlock();"] } else { ["readLock", "w.readLock().unlock();"] };
            return nested(format!("if (w.{lock}().tryLock())"), &[&inner[..], &[S::End(end)]].concat(), "");
        }
        S::Permit(inner) => return nested("s.acquireUninterruptibly();".to_owned(), inner, " s.release();"),
        S::End(text) => (*text).to_owned(),
        S::Read(x) => format!("r = 3 * r + {};", name(x)),
        S::Write(x, value) => format!("{} = {value};", name(x)),
        S::Add(x) => format!("{0} = {0} + 1;", name(x)),
        S::AtomicAdd => "n.incrementAndGet();".to_owned(),
        S::CompareAndSet(old, new) => format!("r = 3 * r + (n.compareAndSet({old}, {new}) ? 1 : 0);"),
        S::Wait(m) => format!("synchronized (m{m}) {{ try {{ m{m}.wait(); }} catch (InterruptedException e) {{ r = 3 * r + 2; }} }}"),
        S::Await(m, x, value) => {
            let wait = format!("try {{ m{m}.wait(); }} catch (InterruptedException e) {{ }}");
            format!("synchronized (m{m}) {{ while ({} != {value}) {wait} }}", name(x))
        }
        S::Notify(m) => format!("synchronized (m{m}) {{ m{m}.notify(); }}"),
        S::NotifyAll(m) => format!("synchronized (m{m}) {{ m{m}.notifyAll(); }}"),
        S::Park => "LockSupport.park();".to_owned(),
        S::Unpark(t) => format!("LockSupport.unpark(t[{t}]);"),
        S::Interrupt(t) => format!("t[{t}].interrupt();"),
        S::Interrupted => "r = 3 * r + (Thread.interrupted() ? 1 : 0);".to_owned(),
        S::Spin(form, x, value) => match form {
            0 => format!("while ({} != {value}) {{}}", name(x)),
            1 => format!("do {{}} while ({} != {value});", name(x)),
            2 => format!("while (!is{x}({value})) Thread.yield();"),
            3 => format!("{{ int got; do {{ got = {}; }} while (got != {value}); }}", name(x)),
            _ => format!("while (true) {{ synchronized (m0) {{ if (is{x}({value})) break; }} }}"),
        },
        S::SpinEither(form, [(x, a), (y, b)]) => match form {
            0 => format!("while ({} != {a} && {} != {b}) {{}}", name(x), name(y)),
            1 => format!("while (!(is{x}({a}) || is{y}({b}))) Thread.yield();"),
            _ => format!("{{ int got; do {{ got = {}; }} while (got != {a} && {} != {b}); }}", name(x), name(y)),
        },
        S::SpinBoth(m, [(x, a), (y, b)]) => {
            format!("while (true) {{ synchronized (m{m}) {{ if ({} == {a} && is{y}({b})) break; }} }}", name(x))
        }
        S::SpinSet(old, new) => format!("while (!n.compareAndSet({old}, {new}));"),
    };
    let _ = writeln!(out, "{pad}{line}");
}
