//! What the agent asks a JVM in which it holds threads: classes, methods, threads.
#![allow(unsafe_code, reason = "calls through the tables of the JVM")]

use std::ffi::{CStr, c_char, c_void};

use crate::jni::{Env, function};

/// States of a thread: it waits for a monitor; for a notification, for time, or for a permit; and that without a time.
const BLOCKED: i32 = 0x400;
const WAITING: i32 = 0x80;
const FOR_EVER: i32 = 0x10;

/// The text of a string of the JVM, which is given back.
unsafe fn taken(jvmti: Env, text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the JVM's strings end with 0. Deallocate is number 47.
    unsafe {
        let found = CStr::from_ptr(text).to_string_lossy().into_owned();
        let give_back: extern "system" fn(Env, *mut c_void) -> i32 = function(jvmti, 46);
        give_back(jvmti, text.cast());
        found
    }
}

/// A list of the JVM, which is given back.
unsafe fn listed<T: Copy>(jvmti: Env, count: i32, list: *mut T) -> Vec<T> {
    if list.is_null() {
        return Vec::new();
    }
    // SAFETY: the list has this many entries. Deallocate is number 47.
    unsafe {
        let found = std::slice::from_raw_parts(list, usize::try_from(count).unwrap_or(0)).to_vec();
        let give_back: extern "system" fn(Env, *mut c_void) -> i32 = function(jvmti, 46);
        give_back(jvmti, list.cast());
        found
    }
}

/// The name of a class: `Ljava/lang/Object;`.
pub(crate) unsafe fn signature(jvmti: Env, class: *mut c_void) -> String {
    let mut name: *mut c_char = std::ptr::null_mut();
    // SAFETY: GetClassSignature is number 48.
    unsafe {
        let get: extern "system" fn(Env, *mut c_void, *mut *mut c_char, *mut *mut c_char) -> i32 = function(jvmti, 47);
        get(jvmti, class, &raw mut name, std::ptr::null_mut());
        taken(jvmti, name)
    }
}

/// The methods of a class that is prepared.
pub(crate) unsafe fn methods(jvmti: Env, class: *mut c_void) -> Vec<usize> {
    let (mut count, mut list) = (0, std::ptr::null_mut());
    // SAFETY: GetClassMethods is number 52.
    unsafe {
        let get: extern "system" fn(Env, *mut c_void, *mut i32, *mut *mut usize) -> i32 = function(jvmti, 51);
        get(jvmti, class, &raw mut count, &raw mut list);
        listed(jvmti, count, list)
    }
}

/// All classes that are loaded.
pub(crate) unsafe fn classes(jvmti: Env) -> Vec<*mut c_void> {
    let (mut count, mut list) = (0, std::ptr::null_mut());
    // SAFETY: GetLoadedClasses is number 78.
    unsafe {
        let get: extern "system" fn(Env, *mut i32, *mut *mut *mut c_void) -> i32 = function(jvmti, 77);
        get(jvmti, &raw mut count, &raw mut list);
        listed(jvmti, count, list)
    }
}

/// Name and descriptor of a method.
pub(crate) unsafe fn method_name(jvmti: Env, method: usize) -> (String, String) {
    let (mut name, mut descriptor): (*mut c_char, *mut c_char) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: GetMethodName is number 64.
    unsafe {
        let get: extern "system" fn(Env, usize, *mut *mut c_char, *mut *mut c_char, *mut *mut c_char) -> i32 = function(jvmti, 63);
        get(jvmti, method, &raw mut name, &raw mut descriptor, std::ptr::null_mut());
        (taken(jvmti, name), taken(jvmti, descriptor))
    }
}

/// The code of a method, as its class file has it.
pub(crate) unsafe fn code(jvmti: Env, method: usize) -> Vec<u8> {
    let (mut count, mut bytes) = (0, std::ptr::null_mut());
    // SAFETY: GetBytecodes is number 75.
    unsafe {
        let get: extern "system" fn(Env, usize, *mut i32, *mut *mut u8) -> i32 = function(jvmti, 74);
        get(jvmti, method, &raw mut count, &raw mut bytes);
        listed(jvmti, count, bytes)
    }
}

/// Lets the JVM call back before an instruction.
pub(crate) unsafe fn set_breakpoint(jvmti: Env, method: usize, at: i64) {
    // SAFETY: SetBreakpoint is number 38.
    unsafe {
        let set: extern "system" fn(Env, usize, i64) -> i32 = function(jvmti, 37);
        set(jvmti, method, at);
    }
}

/// The JVM no longer calls back before an instruction.
pub(crate) unsafe fn clear_breakpoint(jvmti: Env, method: usize, at: i64) {
    // SAFETY: ClearBreakpoint is number 39.
    unsafe {
        let clear: extern "system" fn(Env, usize, i64) -> i32 = function(jvmti, 38);
        clear(jvmti, method, at);
    }
}

/// Lets the JVM call back when the method ends that a thread is in; whether it agrees.
pub(crate) unsafe fn notify_frame_pop(jvmti: Env, thread: *mut c_void) -> bool {
    // SAFETY: NotifyFramePop is number 20.
    unsafe {
        let notify: extern "system" fn(Env, *mut c_void, i32) -> i32 = function(jvmti, 19);
        notify(jvmti, thread, 0) == 0
    }
}

/// An object in the first local of the method that a thread is in.
pub(crate) unsafe fn receiver(jvmti: Env, thread: *mut c_void) -> *mut c_void {
    let mut object = std::ptr::null_mut();
    // SAFETY: GetLocalObject is number 21.
    unsafe {
        let get: extern "system" fn(Env, *mut c_void, i32, i32, *mut *mut c_void) -> i32 = function(jvmti, 20);
        get(jvmti, thread, 0, 0, &raw mut object);
    }
    object
}

unsafe fn state(jvmti: Env, thread: *mut c_void) -> i32 {
    let mut state = 0;
    // SAFETY: GetThreadState is number 17.
    unsafe {
        let get: extern "system" fn(Env, *mut c_void, *mut i32) -> i32 = function(jvmti, 16);
        get(jvmti, thread, &raw mut state);
    }
    state
}

/// Whether a thread waits, for another one or for its time.
pub(crate) unsafe fn waits(jvmti: Env, thread: *mut c_void) -> bool {
    // SAFETY: the caller has the thread.
    unsafe { state(jvmti, thread) & (BLOCKED | WAITING) != 0 }
}

/// Whether a thread waits for something that another one has to do.
pub(crate) unsafe fn waits_for_others(jvmti: Env, thread: *mut c_void) -> bool {
    // SAFETY: the caller has the thread.
    unsafe { state(jvmti, thread) & (BLOCKED | FOR_EVER) != 0 }
}

/// Calls a static method that takes an object and returns nothing.
pub(crate) unsafe fn call_static(jni: Env, class: *mut c_void, (name, descriptor): (&CStr, &CStr), object: *mut c_void) {
    // SAFETY: GetStaticMethodID is at place 113 of JNI, and CallStaticVoidMethodA at 143.
    unsafe {
        let find: extern "system" fn(Env, *mut c_void, *const c_char, *const c_char) -> *mut c_void = function(jni, 113);
        let call: extern "system" fn(Env, *mut c_void, *mut c_void, *const *mut c_void) = function(jni, 143);
        let method = find(jni, class, name.as_ptr(), descriptor.as_ptr());
        if !method.is_null() {
            call(jni, class, method, &raw const object);
        }
    }
}

/// A reference that all threads can use, for ever.
pub(crate) unsafe fn keep(jni: Env, object: *mut c_void) -> *mut c_void {
    // SAFETY: NewGlobalRef is at place 21 of JNI.
    unsafe {
        let keep: extern "system" fn(Env, *mut c_void) -> *mut c_void = function(jni, 21);
        keep(jni, object)
    }
}
