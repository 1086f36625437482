//! Where the time goes: phases that are nested, such as `search` > `solver` > `bits`.
//!
//! It is in this crate, as the interrupt is, because the layers that have phases share no other, and none of them hands a profile to the next. Each thread keeps the tree of its own phases and
//! adds it to that of the process when its outermost phase ends.
//!
//! **Invariant.** Nothing that is decided depends on a profile: phases are entered and left, and only [`take`] reads them. While no profile is made, a phase costs one
//! relaxed load.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a phase cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The time spent in it, without that of the phases inside.
    pub own: Duration,
    /// How often it was entered.
    pub times: u64,
}

/// The phases of a process, each by its name after those of the phases around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The phases.
    pub phases: BTreeMap<Vec<&'static str>, Cost>,
}

/// A phase of this thread, which ends when this is dropped.
#[must_use = "a phase ends when this is dropped"]
#[derive(Debug)]
pub struct Phase {
    counted: bool,
    /// Phases end on the thread on which they began.
    thread: PhantomData<*const ()>,
}

static ON: AtomicBool = AtomicBool::new(false);
static ALL: Mutex<BTreeMap<Vec<&'static str>, Cost>> = Mutex::new(BTreeMap::new());

thread_local! {
    static OPEN: RefCell<Open> = const { RefCell::new(Open { nodes: Vec::new(), roots: Vec::new(), stack: Vec::new(), since: None }) };
}

/// From now on phases are measured.
pub fn start() {
    ON.store(true, Ordering::Relaxed);
}

/// Whether phases are measured.
#[must_use]
pub fn on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Begins a phase inside those that are open on this thread.
#[inline]
pub fn phase(name: &'static str) -> Phase {
    let counted = on();
    if counted {
        OPEN.with_borrow_mut(|open| open.enter(name));
    }
    Phase { counted, thread: PhantomData }
}

impl Drop for Phase {
    #[inline]
    fn drop(&mut self) {
        if self.counted {
            // A thread that ends may have dropped its tree already.
            let _ = OPEN.try_with(|open| open.borrow_mut().leave());
        }
    }
}

/// The phases that ended since the last call, and of those that are open on this thread what they cost so far.
#[must_use]
pub fn take() -> Profile {
    OPEN.with_borrow_mut(Open::publish);
    Profile { phases: std::mem::take(&mut *all()) }
}

/// The phases of one thread.
struct Open {
    nodes: Vec<Node>,
    roots: Vec<usize>,
    /// The open phases, innermost last.
    stack: Vec<usize>,
    /// Since when the innermost open phase costs.
    since: Option<Instant>,
}

struct Node {
    name: &'static str,
    inside: Vec<usize>,
    cost: Cost,
}

impl Open {
    fn enter(&mut self, name: &'static str) {
        self.charge();
        let parent = self.stack.last().copied();
        let siblings = parent.map_or(&self.roots, |parent| &self.nodes[parent].inside);
        let known = siblings.iter().copied().find(|&at| self.nodes[at].name == name);
        let at = known.unwrap_or_else(|| {
            let at = self.nodes.len();
            self.nodes.push(Node { name, inside: Vec::new(), cost: Cost::default() });
            parent.map_or(&mut self.roots, |parent| &mut self.nodes[parent].inside).push(at);
            at
        });
        self.nodes[at].cost.times += 1;
        self.stack.push(at);
    }

    fn leave(&mut self) {
        self.charge();
        self.stack.pop();
        if self.stack.is_empty() {
            self.since = None;
            self.publish();
        }
    }

    /// Charges the time that has passed to the innermost open phase.
    fn charge(&mut self) {
        let now = Instant::now();
        if let (Some(since), Some(&top)) = (self.since, self.stack.last()) {
            self.nodes[top].cost.own += now.saturating_duration_since(since);
        }
        self.since = Some(now);
    }

    /// Adds everything to the tree of the process.
    fn publish(&mut self) {
        self.charge();
        let (mut all, mut way) = (all(), Vec::new());
        for root in self.roots.clone() {
            self.add(root, &mut way, &mut all);
        }
    }

    fn add(&mut self, at: usize, way: &mut Vec<&'static str>, all: &mut BTreeMap<Vec<&'static str>, Cost>) {
        let Cost { own, times } = std::mem::take(&mut self.nodes[at].cost);
        way.push(self.nodes[at].name);
        if times > 0 || own > Duration::ZERO {
            let sum = all.entry(way.clone()).or_default();
            sum.own += own;
            sum.times += times;
        }
        for inner in self.nodes[at].inside.clone() {
            self.add(inner, way, all);
        }
        way.pop();
    }
}

/// What is locked here is whole even where a thread panicked.
fn all() -> MutexGuard<'static, BTreeMap<Vec<&'static str>, Cost>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, because profiles are those of the process.
    #[test]
    fn phases_are_nested_and_added_up() {
        drop(phase("before"));
        assert_eq!(take(), Profile::default());
        start();
        let work = |inner: &'static str| {
            let _search = phase("search");
            for _ in 0..3 {
                let _run = phase("run");
                drop(phase(inner));
            }
        };
        work("terms");
        std::thread::scope(|scope| _ = scope.spawn(|| work("other")));
        let open = phase("open");
        let Profile { phases } = take();
        let counts: Vec<(String, u64)> = phases.iter().map(|(way, cost)| (way.join(";"), cost.times)).collect();
        let expected = [("open", 1), ("search", 2), ("search;run", 6), ("search;run;other", 3), ("search;run;terms", 3)];
        assert_eq!(counts, expected.map(|(way, times)| (way.to_owned(), times)));
        assert!(phases.values().all(|cost| cost.own > Duration::ZERO));
        drop(open);
        let Profile { phases } = take();
        assert_eq!(phases.into_iter().map(|(way, cost)| (way, cost.times)).collect::<Vec<_>>(), [(vec!["open"], 0)]);
    }
}
