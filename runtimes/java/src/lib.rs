//! The JVMTI agent: what has to be native in a JVM that runs programs under test.
//!
//! It is small on purpose. It maps the memory that it shares with the engine, defines the classes of the runtime in the boot loader (so that
//! code of the JDK and of the program can call them, without a jar and without opening modules), counts garbage collections, numbers objects
//! where a collection may move them, and hands over between engine and JVM. Everything else is Java: `XcuteRt` records events, `XcuteHost` runs cases.
//!
//! Classes come rewritten from the engine, so no class file hook is needed. In a plain JVM, which repeats a case on the original classes, the agent holds
//! threads to the order of the case and notes the path that they take, and does nothing else.
//!
//! **Invariant.** Nothing here can panic: a panic would end the JVM. The agent needs no crate, so a build script can compile it by one call of
//! `rustc` for the front end to carry.
#![allow(unsafe_code, reason = "an agent talks to the JVM through C interfaces")]

mod hold;
mod jni;
mod jvm;
mod memory;
mod order;
mod trace;
#[allow(dead_code, reason = "each side uses its part")]
mod wire;

use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::OnceLock;

use jni::{Callbacks, Env, Native, event};
use memory::Mapping;

struct Agent {
    jvmti: Env,
    block: Mapping,
    pack: Mapping,
}

// SAFETY: the environment may be used by all threads, and the mappings are accessed atomically or not changed.
unsafe impl Send for Agent {}
// SAFETY: as above.
unsafe impl Sync for Agent {}

static AGENT: OnceLock<Agent> = OnceLock::new();

/// Called by the JVM when it loads the agent.
///
/// # Safety
/// Only the JVM calls it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(vm: *mut c_void, options: *mut c_char, _reserved: *mut c_void) -> i32 {
    if options.is_null() {
        return 1;
    }
    // SAFETY: the JVM gives a C string.
    let options = unsafe { CStr::from_ptr(options) };
    if let Some(order) = options.to_str().ok().and_then(|text| text.strip_prefix("hold,")) {
        return i32::from(!hold::load(vm.cast(), order));
    }
    let Some((parent, block, pack)) = memory::options(options) else { return 1 };
    memory::die_with(parent);
    let (Some(block), Some(pack)) = (Mapping::of(&block), Mapping::of(&pack)) else { return 1 };
    let mut callbacks: Callbacks = [std::ptr::null(); (event::LAST - event::FIRST) as usize];
    callbacks[(event::VM_INIT - event::FIRST) as usize] = on_init as *const c_void;
    callbacks[(event::GARBAGE_COLLECTION_FINISH - event::FIRST) as usize] = on_collected as *const c_void;
    // SAFETY: the JVM gives its own interface.
    let jvmti = unsafe { jni::jvmti(vm.cast()) };
    // SAFETY: the environment is live, if there is one.
    if jvmti.is_null() || !unsafe { jni::listen(jvmti, jni::RUNS, &callbacks, &[event::VM_INIT, event::GARBAGE_COLLECTION_FINISH]) } {
        return 1;
    }
    i32::from(AGENT.set(Agent { jvmti, block, pack }).is_err())
}

/// Defines the classes of the runtime. The pack begins with them: their number, then of each the lengths of its name and of its bytes, and both.
extern "system" fn on_init(_jvmti: Env, jni: Env, _thread: *mut c_void) {
    let Some(agent) = AGENT.get() else { return };
    // SAFETY: the pack is mapped for ever and nobody writes to it.
    let mut rest = unsafe { std::slice::from_raw_parts(agent.pack.base, agent.pack.size) };
    let word = |rest: &mut &[u8]| {
        let (head, tail) = rest.split_first_chunk::<4>()?;
        *rest = tail;
        Some(u32::from_le_bytes(*head) as usize)
    };
    let count = word(&mut rest).unwrap_or(0);
    for _ in 0..count {
        let (Some(name), Some(bytes)) = (word(&mut rest), word(&mut rest)) else { return };
        let Some((name, tail)) = rest.split_at_checked(name) else { return };
        let Some((bytes, tail)) = tail.split_at_checked(bytes) else { return };
        rest = tail;
        let Ok(text) = CString::new(name) else { return };
        // SAFETY: this is a callback with a live environment.
        let class = unsafe { jni::define(jni, text.as_ptr(), bytes) };
        if class.is_null() {
            return;
        }
        if name == wire::HOST.as_bytes() {
            let natives = [
                Native(c"block".as_ptr(), c"()J".as_ptr(), block as *const c_void),
                Native(c"pack".as_ptr(), c"()J".as_ptr(), pack as *const c_void),
                Native(c"handOver".as_ptr(), c"(I)I".as_ptr(), hand_over as *const c_void),
                Native(c"bell".as_ptr(), c"()I".as_ptr(), bell as *const c_void),
                Native(c"collect".as_ptr(), c"()V".as_ptr(), collect as *const c_void),
                Native(c"tag".as_ptr(), c"(Ljava/lang/Object;J)J".as_ptr(), tag as *const c_void),
            ];
            // SAFETY: as above; the names are C strings.
            if !unsafe { jni::register(jni, class, &natives) } {
                return;
            }
        }
    }
}

extern "system" fn on_collected(_jvmti: Env) {
    if let Some(agent) = AGENT.get() {
        agent.block.collected();
    }
}

extern "system" fn block(_jni: Env, _class: *mut c_void) -> i64 {
    AGENT.get().map_or(0, |agent| agent.block.base as i64)
}

extern "system" fn pack(_jni: Env, _class: *mut c_void) -> i64 {
    AGENT.get().map_or(0, |agent| agent.pack.base as i64)
}

extern "system" fn hand_over(_jni: Env, _class: *mut c_void, seen: i32) -> i32 {
    AGENT.get().map_or(0, |agent| agent.block.hand_over(seen.cast_unsigned()).cast_signed())
}

extern "system" fn bell(_jni: Env, _class: *mut c_void) -> i32 {
    AGENT.get().map_or(0, |agent| agent.block.bell().cast_signed())
}

extern "system" fn collect(_jni: Env, _class: *mut c_void) {
    if let Some(agent) = AGENT.get() {
        // SAFETY: the environment lives as long as the JVM.
        unsafe { jni::collect(agent.jvmti) };
    }
}

/// The tag of an object. If it has none of this run (its upper half is another one), it gets this one.
extern "system" fn tag(_jni: Env, _class: *mut c_void, object: *mut c_void, fresh: i64) -> i64 {
    let Some(agent) = AGENT.get() else { return 0 };
    // SAFETY: the JVM passes a live reference.
    let known = unsafe { jni::tag(agent.jvmti, object) };
    if known >> 32 == fresh >> 32 {
        return known;
    }
    // SAFETY: as above.
    unsafe { jni::set_tag(agent.jvmti, object, fresh) };
    fresh
}
