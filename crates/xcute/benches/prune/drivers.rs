//! Programs to verify: the counter family, and drivers.
//!
//! A driver is a state machine of several hundred to two thousand lines of C, made here in the shape of the simplified NT drivers of SV-COMP: global status
//! variables for the protocol of a request, an environment that answers anything, dispatch routines with long chains of branches, and assertions of
//! the protocol wherever the driver calls the system.

use std::fmt::Write as _;

/// `n` independent conditions and one assertion: 2^n paths.
pub fn counter(n: usize) -> String {
    let mut text = String::from("extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint s;\nint main(void) {\n");
    for _ in 0..n {
        text += "  if (__VERIFIER_nondet_int()) s = s + 1;\n";
    }
    writeln!(text, "  if (s > {n}) reach_error();\n  return 0;\n}}").unwrap();
    text
}

/// What a driver is like.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    pub name: &'static str,
    /// Dispatch routines.
    pub routines: usize,
    /// Steps in each: every one branches at least once.
    pub steps: usize,
    /// Of the random choices.
    pub seed: u64,
    /// Whether one routine forgets to release its lock on one of its ways.
    pub broken: bool,
}

/// Those of the bench.
pub const DRIVERS: [Driver; 5] = [
    Driver { name: "filter", routines: 6, steps: 7, seed: 1, broken: false },
    Driver { name: "disk", routines: 12, steps: 9, seed: 2, broken: false },
    Driver { name: "audio", routines: 24, steps: 11, seed: 3, broken: false },
    Driver { name: "floppy", routines: 40, steps: 13, seed: 4, broken: false },
    Driver { name: "floppy-bug", routines: 40, steps: 13, seed: 4, broken: true },
];

/// What the system and the environment do, with the protocol of a request and of the lock as assertions.
const SYSTEM: &str = r"
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The protocol of a request: nothing was done, it was skipped, passed on, pended, or completed. */
enum { NP, SKIPPED, PASSED, PENDED, DONE };
int s;
int locked, pending, registered, removed, started, powered;
int status, lower, queued, opened;

static void failed(void) { reach_error(); }

static void acquire(void) {
  if (locked) failed();
  locked = 1;
}

static void release(void) {
  if (!locked) failed();
  locked = 0;
}

static void skip_location(void) {
  if (s != NP) failed();
  s = SKIPPED;
}

static int call_lower(void) {
  int answer = __VERIFIER_nondet_int();
  if (s == PASSED || s == PENDED) failed();
  if (s == DONE) failed();
  s = PASSED;
  if (answer == 0) lower = 0;
  else if (answer == 259) { lower = 259; pending = 1; }
  else lower = -1;
  return lower;
}

static void complete_request(int with) {
  if (s == DONE) failed();
  s = DONE;
  status = with;
}

static void mark_pending(void) {
  if (s == DONE) failed();
  s = PENDED;
  pending = 1;
}

static void wait_for_lower(void) {
  if (lower == 259 && !pending) failed();
  pending = 0;
  lower = 0;
}
";

impl Driver {
    /// The program.
    pub fn source(&self) -> String {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut text = format!("/* {}: a driver with {} dispatch routines. */{SYSTEM}", self.name, self.routines);
        for n in 0..self.routines {
            self.routine(&mut text, &mut random, n);
        }
        text += "\nint main(void) {\n  s = NP; started = 1;\n  switch (__VERIFIER_nondet_int()) {\n";
        for n in 0..self.routines {
            writeln!(text, "    case {n}: dispatch{n}(); break;").unwrap();
        }
        text += "    default: complete_request(-2); break;\n  }\n";
        text += "  /* Nothing is left behind. */\n  if (locked) failed();\n  if (pending && s != PENDED && lower != 259) failed();\n";
        text += "  if (s == NP) failed();\n  if (s == SKIPPED && status > 0) failed();\n  return status;\n}\n";
        text
    }

    fn routine(&self, text: &mut String, random: &mut fastrand::Rng, n: usize) {
        writeln!(text, "\nstatic void dispatch{n}(void) {{\n  int answer, length = 0, retries = 0;").unwrap();
        let broken = self.broken && n == self.routines / 2;
        for step in 0..self.steps {
            let forgets = broken && step == self.steps / 2;
            step_of(text, random.u8(..8), random.i32(1..5), forgets);
        }
        text.push_str(if n.is_multiple_of(3) {
            "  if (removed) { complete_request(-1); return; }\n  skip_location();\n  s = NP;\n  status = call_lower();\n  if (status == 259) wait_for_lower();\n}\n"
        } else if n % 3 == 1 {
            "  answer = call_lower();\n  if (answer < 0) {\n    status = answer;\n  } else if (answer == 259) {\n    wait_for_lower();\n    complete_request(0);\n  } else {\n    complete_request(length);\n  }\n}\n"
        } else {
            "  if (retries > 12) failed();\n  if (started) {\n    mark_pending();\n    queued = queued + 1;\n  } else {\n    complete_request(-3);\n  }\n}\n"
        });
    }
}

/// One step of a dispatch routine.
fn step_of(text: &mut String, kind: u8, k: i32, forgets: bool) {
    let step = match kind {
        _ if forgets => "  acquire();\n  if (__VERIFIER_nondet_int() == 7) {\n    status = -7;\n    complete_request(status);\n    return;\n  }\n  release();\n".to_owned(),
        0 => format!("  if (__VERIFIER_nondet_int()) {{\n    length = length + {k};\n  }} else {{\n    status = 0;\n  }}\n"),
        1 => format!("  answer = __VERIFIER_nondet_int();\n  if (answer > {k}) {{\n    opened = 1;\n  }} else if (answer < 0) {{\n    retries = retries + 1;\n  }}\n"),
        2 => format!("  acquire();\n  if (__VERIFIER_nondet_int()) queued = queued + {k};\n  release();\n"),
        3 => "  switch (__VERIFIER_nondet_int()) {\n    case 0: registered = 1; break;\n    case 1: registered = 0; break;\n    default: powered = 1; break;\n  }\n".to_owned(),
        4 => format!("  if (__VERIFIER_nondet_int()) {{\n    acquire();\n    if (locked) retries = retries + 1;\n    release();\n  }} else {{\n    length = {k};\n  }}\n"),
        5 => format!("  for (answer = 0; answer < {}; answer++) {{\n    if (__VERIFIER_nondet_int()) length = length + 1;\n  }}\n", 1 + k % 2),
        6 => format!("  if (__VERIFIER_nondet_int() == {k}) {{\n    if (opened) status = {k};\n    else status = 0;\n  }}\n"),
        _ => "  if (__VERIFIER_nondet_int() < 0) {\n    removed = 1;\n    started = 0;\n  }\n".to_owned(),
    };
    text.push_str(&step);
}
