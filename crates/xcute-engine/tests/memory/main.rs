//! How much memory an explored schedule costs: tree and explorer together, at most 2 KiB for small programs.

#![allow(dead_code, reason = "the model language has more than is needed here")]
#![allow(unsafe_code, reason = "an allocator that counts")]

#[macro_use]
#[path = "../support/believing.rs"]
mod believing;
#[path = "../../../xcute-race/tests/threads/thread.rs"]
mod thread;
#[path = "../../../xcute-race/tests/threads/world.rs"]
mod world;
#[macro_use]
#[path = "../../../xcute-race/tests/threads/programs.rs"]
mod programs;
#[path = "../threads/model.rs"]
mod model;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use xcute_engine::{Campaign, Observer, Options, RunEvent};
use xcute_strategy::StrategyName;
use xcute_term::Terms;
use xcute_trace::Subject;

use model::{BruteForce, Make, ModelSubject, Shared};
use programs::{Buffer, buffer, last_zero, racy_counter};

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged; only a counter is kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Keeps nothing.
struct Deaf;

impl Observer for Deaf {
    believing!();

    fn ran(&self, _: &Terms, _: &RunEvent<'_>) {}
}

fn spurious() -> world::Program {
    buffer(Buffer { producers: 2, consumers: 2, puts: 1, gets: 1, all: false, looping: true, spurious: 1 })
}

#[test]
fn of_an_explored_schedule() {
    let rows: [(&str, Make, u64); 3] =
        [("lastzero(7)", || last_zero(7), 793), ("racy counter(4)", || racy_counter(4), 576), ("buffer", spurious, 784)];
    for (name, program, runs) in rows {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let mut subject = ModelSubject::new(program, &shared);
        let strategy = StrategyName::Dfs.build(subject.sites(), 0);
        let before = LIVE.load(Relaxed);
        let mut campaign = Campaign::new(&mut subject, Box::new(BruteForce), strategy, Options::default());
        assert_eq!(campaign.run(&Deaf).expect("a model can always be run").runs, runs, "{name}");
        let each = (LIVE.load(Relaxed) - before) / runs as usize;
        println!("{name}: {each} bytes for each schedule, {} decisions", campaign.tree().len());
        assert!(each <= 2048, "{name}: {each} bytes for each explored schedule");
    }
}
