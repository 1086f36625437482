//! Calls of functions of `pthread.h` and the like, in programs that can create threads: there they are the runtime's (`runtimes/c/threads`).
//!
//! What they are given are objects of synchronisation, which they change and nobody else looks into, so nothing symbolic around them is lost.
//! Values that go from one thread to another keep their handles; all other values (permits, sizes, times) are used as they are, and the run says
//! so if one is symbolic.
//!
//! **Invariant.** The names are those that `runtimes/c/threads` defines; a test compares them.

use super::llvm::Value;
use super::walk::Walker;
use crate::instrument::family::any_fits;

/// Families of functions: a name, or a beginning and `*`.
const FAMILIES: &[&str] = &[
    "pthread_*",
    "__pthread_*",
    "sem_init",
    "sem_wait",
    "sem_trywait",
    "sem_timedwait",
    "sem_clockwait",
    "sem_post",
    "sem_getvalue",
    "sem_destroy",
    "thrd_*",
    "mtx_*",
    "cnd_*",
    "tss_*",
    "call_once",
    "sched_yield",
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    "clock_gettime",
    "timespec_get",
    "gettimeofday",
    "time",
    "clock",
    "__cxa_thread_atexit",
    "__cxa_guard_*",
];
/// Functions of the C library that have such names and are not ours.
const NOT_OURS: &[&str] = &["pthread_atfork", "pthread_sigmask", "pthread_kill_other_threads_np"];
/// Those that take a value for another thread, or for later, or return one.
const CARRIERS: &[&str] =
    &["pthread_create", "pthread_exit", "pthread_setspecific", "pthread_getspecific", "thrd_create", "thrd_exit", "tss_set", "tss_get"];
/// The system call that `std::atomic::wait` makes.
const SYS_FUTEX: u64 = 202;

/// Whether the runtime defines this function in programs that can create threads.
pub(crate) fn contains(name: &str) -> bool {
    any_fits(FAMILIES, name) && !NOT_OURS.contains(&name)
}

/// Whether a call is one that the runtime serves. Of system calls it is that for futexes.
pub(super) fn is_served(i: Value, name: &str) -> bool {
    contains(name) || (name == "syscall" && i.arguments().first().and_then(|n| n.constant()) == Some(SYS_FUTEX))
}

impl Walker<'_> {
    /// A call of such a function.
    pub(super) fn synchronise(&mut self, i: Value, name: &str) {
        if CARRIERS.contains(&name) {
            self.pass(i, false);
            let ours = self.emit.int(1);
            self.emit.after(i);
            if i.ty().is_pointer() {
                self.receive(i, ours);
            }
            return;
        }
        let arguments = i.arguments();
        let handles: Vec<Value> = arguments.iter().filter_map(|v| self.handles.get(v)).flatten().copied().collect();
        for handle in handles.into_iter().filter(|&h| !self.emit.is_zero(h)) {
            self.program.foreign(name);
            let index = self.program.departure(i, name);
            self.emit.before(i);
            self.emit.hook("xch_foreign", &[handle, self.emit.int(index)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use object::{Object, ObjectSymbol};

    use super::*;
    use crate::build::compile::RUNTIME_THREADS;

    #[test]
    fn what_the_runtime_defines_is_known() {
        let mut unknown = Vec::new();
        for (file, bytes) in RUNTIME_THREADS {
            let object = object::File::parse(*bytes).unwrap();
            let defined = object.symbols().filter(|s| s.is_definition() && s.is_global());
            let names =
                defined.map(|s| s.name().unwrap().to_owned()).filter(|n| !n.starts_with("xc_") && !n.starts_with("_Z") && n != "syscall");
            unknown.extend(names.filter(|name| !contains(name)).map(|name| format!("{file}: {name}")));
        }
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn others_are_not() {
        assert!(contains("pthread_mutex_lock") && contains("thrd_create") && contains("sem_post"));
        assert!(!contains("pthread_atfork") && !contains("semget") && !contains("timer_create") && !contains("sem_open"));
    }
}
