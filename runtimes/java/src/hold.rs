//! Holds the threads of an original program to a recorded order: breakpoints stop them before their operations, and each waits there for its turn.
//!
//! Nothing of the program is changed, so its monitors, its collections and its exceptions are the JVM's own. A thread that the order does not fit is
//! not held for ever: after a while all run freely, and whatever happens then is something that the program does. A method that has changed since the order
//! was recorded has no breakpoints: between its instructions they would destroy it.
//!
//! **Invariant.** Holding makes threads slow and does nothing else. No callback returns with the lock.
#![allow(unsafe_code, reason = "an agent talks to the JVM through C interfaces")]

use std::cell::Cell;
use std::ffi::c_void;
use std::io::Write as _;
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::jni::{self, Callbacks, Env, event};
use crate::jvm;
use crate::memory;
use crate::order::{Order, Place, Step};
use crate::trace::Trace;
use crate::wire;

/// How long nothing may happen before the order counts as lost.
const PATIENCE: Duration = Duration::from_secs(2);
/// The same, where no thread can do anything. One that was woken up may have to wait for a processor.
const STILL: Duration = Duration::from_millis(500);
/// How often a thread that is held looks at what the others do.
const LOOK: Duration = Duration::from_millis(1);
/// What counts of the time between two looks: where nobody looked for longer, the whole machine stood still.
const PAUSE: Duration = Duration::from_millis(10);

struct Holder {
    jvmti: Env,
    answer: String,
    trace: Trace,
    state: Mutex<State>,
    bell: Condvar,
}

// SAFETY: the environment and global references may be used by all threads.
unsafe impl Send for Holder {}
// SAFETY: as above.
unsafe impl Sync for Holder {}

struct State {
    order: Order,
    /// The breakpoints: a method's id and a position in it, by place.
    places: Vec<Option<(usize, i64)>>,
    /// The methods by which `Thread` starts, that of pools in later versions included, and the one that says that the program begins.
    starts: Vec<usize>,
    /// The class of the latter: it is told of virtual threads.
    beginning: *mut c_void,
    begin: usize,
    tasks: Vec<Task>,
    /// Threads that were started and have not begun.
    starting: usize,
    /// How long no thread could do anything.
    still: Duration,
    /// How long nothing has happened.
    idle: Duration,
    /// The last time that a thread that is held looked at the others.
    looked: Instant,
    /// The program has begun.
    begun: bool,
    /// The step whose turn it is.
    turn: usize,
    /// Nobody is held any longer.
    free: bool,
    /// A thread has ended that should have come to a step.
    skipped: bool,
}

/// A thread of the program.
struct Task {
    /// Its fork path.
    name: String,
    children: u32,
    /// A global reference.
    thread: *mut c_void,
    /// The step that it came to last, and whether it was let go there.
    at: Option<usize>,
    let_go: bool,
    ended: bool,
}

static HOLDER: OnceLock<Holder> = OnceLock::new();

thread_local! {
    /// The task that a thread is.
    static SELF: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Sets up the agent; whether the JVM agrees. The options are `ORDER,ANSWER`: two files.
pub(crate) fn load(vm: Env, options: &str) -> bool {
    let Some((order, answer)) = options.split_once(',') else { return false };
    let Some(mut order) = std::fs::read_to_string(order).ok().and_then(|text| Order::parse(&text)) else { return false };
    let mut callbacks: Callbacks = [std::ptr::null(); (event::LAST - event::FIRST) as usize];
    let mut on = |event: i32, callback: *const c_void| callbacks[(event - event::FIRST) as usize] = callback;
    on(event::VM_INIT, on_init as *const c_void);
    on(event::THREAD_START, on_thread as *const c_void);
    on(event::THREAD_END, on_end as *const c_void);
    on(event::VIRTUAL_THREAD_START, on_virtual_thread as *const c_void);
    on(event::VIRTUAL_THREAD_END, on_end as *const c_void);
    on(event::CLASS_PREPARE, on_class as *const c_void);
    on(event::BREAKPOINT, on_breakpoint as *const c_void);
    on(event::FRAME_POP, on_frame_pop as *const c_void);
    // SAFETY: the JVM gives its own interface.
    let jvmti = unsafe { jni::jvmti(vm) };
    let wanted = [event::VM_INIT, event::THREAD_START, event::THREAD_END, event::CLASS_PREPARE, event::BREAKPOINT, event::FRAME_POP];
    // SAFETY: the environment is live, if there is one.
    if jvmti.is_null() || !unsafe { jni::listen(jvmti, jni::HOLDS, &callbacks, &wanted) } {
        return false;
    }
    // SAFETY: as above.
    unsafe { jni::listen_to_virtual_threads(jvmti) };
    let trace = Trace::new(order.trace.as_deref(), std::mem::take(&mut order.blocks));
    let places = vec![None; order.places.len()];
    let (tasks, looked, never) = (Vec::new(), Instant::now(), Duration::ZERO);
    let (still, idle) = (never, never);
    let state = State {
        order,
        places,
        starts: Vec::new(),
        beginning: std::ptr::null_mut(),
        begin: 0,
        tasks,
        starting: 0,
        still,
        idle,
        looked,
        begun: false,
        turn: 0,
        free: false,
        skipped: false,
    };
    HOLDER.set(Holder { jvmti, answer: answer.to_owned(), trace, state: Mutex::new(state), bell: Condvar::new() }).is_ok()
}

impl Holder {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts breakpoints into a class.
    fn prepare(&self, jni: Env, class: *mut c_void) {
        // SAFETY: the JVM gave the class to a callback of this thread.
        let name = unsafe { jvm::signature(self.jvmti, class) };
        let thread = name == "Ljava/lang/Thread;";
        let mut state = self.lock();
        let begins = name == state.order.begin;
        let traced = self.trace.has(&name);
        if !thread && !begins && !traced && !state.order.places.iter().any(|place| place.class == name) {
            return;
        }
        if begins {
            // SAFETY: as above.
            state.beginning = unsafe { jvm::keep(jni, class) };
        }
        // SAFETY: as above; the class is prepared.
        for method in unsafe { jvm::methods(self.jvmti, class) } {
            // SAFETY: the JVM gave the method.
            let (called, descriptor) = unsafe { jvm::method_name(self.jvmti, method) };
            // SAFETY: as above.
            let stop = |at: i64| unsafe { jvm::set_breakpoint(self.jvmti, method, at) };
            if thread && called == "start" {
                state.starts.push(method);
                stop(0);
            } else if begins && called == "begin" {
                state.begin = method;
                stop(0);
            }
            if traced {
                self.trace.prepare(self.jvmti, &name, method, (&called, &descriptor));
            }
            let here = |place: &Place| place.class == name && place.method == called && place.descriptor == descriptor;
            let numbers: Vec<usize> = (0..state.order.places.len()).filter(|&number| here(&state.order.places[number])).collect();
            if numbers.is_empty() {
                continue;
            }
            // SAFETY: as above.
            let code = wire::fingerprint(&unsafe { jvm::code(self.jvmti, method) });
            if numbers.iter().any(|&number| ![0, code].contains(&state.order.places[number].code)) {
                let changed = format!("xcute: {name} {called} has changed since the order was recorded: threads are not held there");
                let _ = writeln!(std::io::stderr(), "{changed}");
                continue;
            }
            for number in numbers {
                let at = state.order.places[number].position;
                stop(at);
                state.places[number] = Some((method, at));
            }
        }
    }

    /// The current thread is a task of this name from now on.
    fn adopt(&self, jni: Env, name: String, thread: *mut c_void) {
        // SAFETY: the JVM gave the thread to a callback of this one.
        let thread = unsafe { jvm::keep(jni, thread) };
        let mut state = self.lock();
        SELF.set(Some(state.tasks.len()));
        state.tasks.push(Task { name, children: 0, thread, at: None, let_go: false, ended: false });
    }

    /// A task starts another one.
    fn starts(&self, task: usize, thread: *mut c_void) {
        let mut state = self.lock();
        state.tasks[task].children += 1;
        state.starting += 1;
        let (parent, nth) = (task, state.tasks[task].children);
        // SAFETY: this thread stands at the beginning of `Thread.start`, whose first local is the thread that it starts.
        unsafe {
            let started = jvm::receiver(self.jvmti, thread);
            jni::set_tag(self.jvmti, started, i64::try_from(parent).unwrap_or(0) << 32 | i64::from(nth));
        }
    }

    /// Notes that a task comes to a place, if a block begins there.
    fn notes(&self, task: usize, thread: *mut c_void, at: (usize, i64)) {
        let name = self.lock().tasks[task].name.clone();
        let unused = self.trace.comes(self.jvmti, &name, thread, at);
        if unused.is_empty() {
            return;
        }
        let kept: Vec<Option<(usize, i64)>> = self.lock().places.clone();
        for at in unused.into_iter().filter(|at| !kept.contains(&Some(*at))) {
            // SAFETY: it was set before.
            unsafe { jvm::clear_breakpoint(self.jvmti, at.0, at.1) };
        }
    }

    /// A task comes to a place. It waits for its turn, if the order knows of it.
    fn comes(&self, task: usize, method: usize, at: i64) {
        let mut state = self.lock();
        if state.free || !state.begun {
            return;
        }
        let first = state.tasks[task].at.map_or(0, |at| at + 1);
        let name = state.tasks[task].name.clone();
        let Some(step) = (first..state.order.steps.len()).find(|&step| {
            let Step { task, place } = &state.order.steps[step];
            *task == name && place.is_some()
        }) else {
            return;
        };
        let fits = state.order.steps[step].place.is_some_and(|place| state.places[place] == Some((method, at)));
        if !fits {
            return;
        }
        (state.tasks[task].at, state.tasks[task].let_go) = (Some(step), false);
        state.idle = Duration::ZERO;
        let race = state.order.race;
        loop {
            self.advance(&mut state);
            if let Some((first, second)) = race
                && state.turn == first
                && stands(&state, first)
                && stands(&state, second)
            {
                self.raced();
            }
            // Those that race stay where they are.
            let its_turn = state.turn == step && race.is_none_or(|(first, _)| step < first);
            if its_turn || state.free {
                break;
            }
            self.look(&mut state);
            if state.idle > PATIENCE || state.still > STILL {
                state.free = true;
            }
            state = self.bell.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        let is_last = state.order.steps[step + 1..].iter().all(|step| step.place.is_none());
        if is_last && !state.free && !state.skipped {
            // Whoever compares what came of it with what came of it before has to know that the order was the same.
            let _ = std::fs::write(format!("{}{}", self.answer, wire::KEPT), "");
        }
        state.tasks[task].let_go = true;
        state.idle = Duration::ZERO;
        self.bell.notify_all();
    }

    /// Notes whether some thread can do something: one that is not held here, and waits for nobody.
    fn look(&self, state: &mut State) {
        // SAFETY: the reference is global.
        let waits = |task: &Task| unsafe { jvm::waits_for_others(self.jvmti, task.thread) };
        let rests = |task: &Task| task.ended || task.at.is_some() && !task.let_go || waits(task);
        let still = state.starting == 0 && state.tasks.iter().all(rests);
        let passed = state.looked.elapsed().min(PAUSE);
        (state.looked, state.idle) = (Instant::now(), state.idle + passed);
        state.still = if still { state.still + passed } else { Duration::ZERO };
    }

    /// Goes on with the order, past what is done.
    fn advance(&self, state: &mut State) {
        while !state.free {
            let Some(Step { task, place }) = state.order.steps.get(state.turn) else {
                state.free = true;
                break;
            };
            let Some(number) = state.tasks.iter().position(|other| other.name == *task) else { break };
            let task = &state.tasks[number];
            let beyond = task.at.is_some_and(|at| at > state.turn) || task.ended;
            // SAFETY: the reference is global.
            let waits = || unsafe { jvm::waits(self.jvmti, task.thread) };
            let done = match place {
                Some(_) => beyond || task.at == Some(state.turn) && task.let_go && waits(),
                // It has its monitor again.
                None => beyond || !waits(),
            };
            if !done {
                break;
            }
            let came = place.is_none() || task.at.is_some_and(|at| at >= state.turn);
            state.skipped |= !came;
            state.turn += 1;
            state.idle = Duration::ZERO;
            self.bell.notify_all();
        }
    }

    /// Two threads stand before accesses of the same memory: nothing orders these. The run need not go on.
    fn raced(&self) -> ! {
        let _ = std::fs::write(&self.answer, "raced\0");
        memory::leave()
    }
}

/// Whether the task of a step stands before it.
fn stands(state: &State, step: usize) -> bool {
    state.tasks.iter().any(|task| task.at == Some(step) && !task.let_go)
}

extern "system" fn on_init(_jvmti: Env, jni: Env, thread: *mut c_void) {
    let Some(holder) = HOLDER.get() else { return };
    holder.adopt(jni, "1".to_owned(), thread);
    // SAFETY: the JVM is there.
    for class in unsafe { jvm::classes(holder.jvmti) } {
        holder.prepare(jni, class);
    }
}

extern "system" fn on_class(_jvmti: Env, jni: Env, _thread: *mut c_void, class: *mut c_void) {
    if let Some(holder) = HOLDER.get() {
        holder.prepare(jni, class);
    }
}

extern "system" fn on_thread(_jvmti: Env, jni: Env, thread: *mut c_void) {
    let Some(holder) = HOLDER.get() else { return };
    // SAFETY: the JVM gave the thread.
    let tag = unsafe { jni::tag(holder.jvmti, thread) };
    if tag == 0 {
        return;
    }
    let (parent, nth) = (usize::try_from(tag >> 32).unwrap_or(0), tag & 0xffff_ffff);
    let parent = holder.lock().tasks.get(parent).map(|parent| parent.name.clone()).unwrap_or_default();
    holder.adopt(jni, format!("{parent}.{nth}"), thread);
    let mut state = holder.lock();
    state.starting = state.starting.saturating_sub(1);
}

extern "system" fn on_virtual_thread(jvmti: Env, jni: Env, thread: *mut c_void) {
    let class = HOLDER.get().map_or(std::ptr::null_mut(), |holder| holder.lock().beginning);
    if !class.is_null() {
        // SAFETY: the reference is global, and the class has the method.
        unsafe { jvm::call_static(jni, class, (c"begins", c"(Ljava/lang/Thread;)V"), thread) };
    }
    on_thread(jvmti, jni, thread);
}

extern "system" fn on_end(_jvmti: Env, _jni: Env, _thread: *mut c_void) {
    if let (Some(holder), Some(task)) = (HOLDER.get(), SELF.get()) {
        let mut state = holder.lock();
        state.tasks[task].ended = true;
        holder.advance(&mut state);
        drop(state);
        holder.bell.notify_all();
    }
}

extern "system" fn on_breakpoint(_jvmti: Env, _jni: Env, thread: *mut c_void, method: usize, at: i64) {
    let (Some(holder), Some(task)) = (HOLDER.get(), SELF.get()) else { return };
    let (starts, begin, begun) = {
        let mut state = holder.lock();
        state.begun |= method == state.begin;
        (state.starts.contains(&method), state.begin, state.begun)
    };
    if starts && at == 0 && begun {
        holder.starts(task, thread);
    }
    if method == begin {
        return;
    }
    if begun {
        holder.notes(task, thread, (method, at));
    }
    holder.comes(task, method, at);
}

extern "system" fn on_frame_pop(_jvmti: Env, _jni: Env, _thread: *mut c_void, _method: usize, _by_exception: bool) {
    if let Some(holder) = HOLDER.get() {
        holder.trace.popped();
    }
}
