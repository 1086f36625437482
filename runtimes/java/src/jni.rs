//! The few functions of JNI and JVMTI that the agent calls, by their place in the tables of the JVM.
//!
//! The places are fixed by the specifications and have never changed, so no binding crate is needed.
#![allow(unsafe_code, reason = "calls through the tables of the JVM")]

use std::ffi::{c_char, c_void};

/// `JavaVM*`, `JNIEnv*` or `jvmtiEnv*`: a pointer to a pointer to a table of functions.
pub(crate) type Env = *mut *const *const c_void;

/// The function at a place of an environment's table.
///
/// # Safety
/// `env` is a live environment, and `T` is the type of the function at that place.
pub(crate) unsafe fn function<T: Copy>(env: Env, place: usize) -> T {
    const { assert!(size_of::<T>() == size_of::<*const c_void>()) };
    // SAFETY: by the caller.
    unsafe { (*env).add(place).cast::<T>().read() }
}

const JVMTI_VERSION: i32 = 0x3001_0200;
const ENABLE: i32 = 1;

/// What a JVM that runs cases can do: tag objects, say when garbage was collected.
pub(crate) const RUNS: u32 = 1 | 1 << 31;
/// What one that holds threads can do: tag objects, read code and locals, see methods end, stop at breakpoints.
pub(crate) const HOLDS: u32 = 1 | 1 << 3 | 1 << 14 | 1 << 18 | 1 << 19;

/// Events of JVMTI.
pub(crate) mod event {
    pub(crate) const FIRST: i32 = 50;
    pub(crate) const VM_INIT: i32 = 50;
    pub(crate) const THREAD_START: i32 = 52;
    pub(crate) const THREAD_END: i32 = 53;
    pub(crate) const CLASS_PREPARE: i32 = 56;
    pub(crate) const FRAME_POP: i32 = 61;
    pub(crate) const BREAKPOINT: i32 = 62;
    pub(crate) const GARBAGE_COLLECTION_FINISH: i32 = 82;
    pub(crate) const VIRTUAL_THREAD_START: i32 = 87;
    pub(crate) const VIRTUAL_THREAD_END: i32 = 88;
    pub(crate) const LAST: i32 = 90;
}

/// The callbacks, by event.
pub(crate) type Callbacks = [*const c_void; (event::LAST - event::FIRST) as usize];

/// The environment of JVMTI; null where the JVM has none.
pub(crate) unsafe fn jvmti(vm: Env) -> Env {
    let mut env: *mut c_void = std::ptr::null_mut();
    // SAFETY: GetEnv is at place 6 of the invocation interface.
    unsafe {
        let get: extern "system" fn(Env, *mut *mut c_void, i32) -> i32 = function(vm, 6);
        if get(vm, &raw mut env, JVMTI_VERSION) == 0 { env.cast() } else { std::ptr::null_mut() }
    }
}

/// Asks for capabilities, and for the callbacks of events; whether the JVM agrees.
pub(crate) unsafe fn listen(jvmti: Env, capabilities: u32, callbacks: &Callbacks, events: &[i32]) -> bool {
    let capabilities: [u32; 4] = [capabilities, 0, 0, 0];
    // SAFETY: JVMTI numbers its functions from 1: AddCapabilities 142, SetEventCallbacks 122, SetEventNotificationMode 2.
    unsafe {
        let add: extern "system" fn(Env, *const [u32; 4]) -> i32 = function(jvmti, 141);
        let set: extern "system" fn(Env, *const Callbacks, i32) -> i32 = function(jvmti, 121);
        let notify: extern "C" fn(Env, i32, i32, *mut c_void, ...) -> i32 = function(jvmti, 1);
        let size = i32::try_from(size_of::<Callbacks>()).unwrap_or(0);
        add(jvmti, &raw const capabilities) == 0
            && set(jvmti, callbacks, size) == 0
            && events.iter().all(|&e| notify(jvmti, ENABLE, e, std::ptr::null_mut()) == 0)
    }
}

/// Asks a JVM that has virtual threads to say when they start and end.
pub(crate) unsafe fn listen_to_virtual_threads(jvmti: Env) {
    let capabilities: [u32; 4] = [0, 1 << 12, 0, 0];
    // SAFETY: as in `listen`; versions without virtual threads refuse.
    unsafe {
        let add: extern "system" fn(Env, *const [u32; 4]) -> i32 = function(jvmti, 141);
        let notify: extern "C" fn(Env, i32, i32, *mut c_void, ...) -> i32 = function(jvmti, 1);
        if add(jvmti, &raw const capabilities) == 0 {
            notify(jvmti, ENABLE, event::VIRTUAL_THREAD_START, std::ptr::null_mut());
            notify(jvmti, ENABLE, event::VIRTUAL_THREAD_END, std::ptr::null_mut());
        }
    }
}

/// Collects all garbage.
pub(crate) unsafe fn collect(jvmti: Env) {
    // SAFETY: ForceGarbageCollection is number 108.
    unsafe {
        let force: extern "system" fn(Env) -> i32 = function(jvmti, 107);
        force(jvmti);
    }
}

/// The tag of an object; 0 if it has none.
pub(crate) unsafe fn tag(jvmti: Env, object: *mut c_void) -> i64 {
    let mut tag = 0;
    // SAFETY: GetTag is number 106.
    unsafe {
        let get: extern "system" fn(Env, *mut c_void, *mut i64) -> i32 = function(jvmti, 105);
        get(jvmti, object, &raw mut tag);
    }
    tag
}

/// Gives an object a tag.
pub(crate) unsafe fn set_tag(jvmti: Env, object: *mut c_void, tag: i64) {
    // SAFETY: SetTag is number 107.
    unsafe {
        let set: extern "system" fn(Env, *mut c_void, i64) -> i32 = function(jvmti, 106);
        set(jvmti, object, tag);
    }
}

/// Defines a class of the boot loader; null, with the exception printed, where the JVM refuses.
pub(crate) unsafe fn define(jni: Env, name: *const c_char, bytes: &[u8]) -> *mut c_void {
    // SAFETY: DefineClass 5, ExceptionDescribe 16.
    unsafe {
        let define: extern "system" fn(Env, *const c_char, *mut c_void, *const u8, i32) -> *mut c_void = function(jni, 5);
        let describe: extern "system" fn(Env) = function(jni, 16);
        let class = define(jni, name, std::ptr::null_mut(), bytes.as_ptr(), i32::try_from(bytes.len()).unwrap_or(0));
        if class.is_null() {
            describe(jni);
        }
        class
    }
}

/// A native method: name, descriptor, function.
#[repr(C)]
pub(crate) struct Native(pub(crate) *const c_char, pub(crate) *const c_char, pub(crate) *const c_void);

/// Gives a class its native methods; whether the JVM agrees.
pub(crate) unsafe fn register(jni: Env, class: *mut c_void, natives: &[Native]) -> bool {
    // SAFETY: RegisterNatives 215.
    unsafe {
        let register: extern "system" fn(Env, *mut c_void, *const Native, i32) -> i32 = function(jni, 215);
        register(jni, class, natives.as_ptr(), i32::try_from(natives.len()).unwrap_or(0)) == 0
    }
}
