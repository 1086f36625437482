//! What is C++ about a program: where exceptions land, how `main` may end, and the functions of the library that need no following.
//!
//! A landing pad is given addresses and numbers of the C++ runtime, which are concrete; an exception object is ordinary memory, so what is
//! thrown keeps its handles. Frames that were unwound leave their locals on the list of stack objects: the landing takes them off.
//!
//! **Invariant.** A function that is listed here neither reads nor writes a value of the program that could be symbolic and decide something.

use super::llvm::Value;
use super::walk::Walker;

/// Beginnings of names of functions that move the program's objects about without looking into them: the exception machinery, links of
/// `std::list` and balancing of `std::map`, the functions that throw for containers (a number in their message does not stay symbolic).
const NOT_FOLLOWED: &[&str] = &[
    "__cxa_",
    "__clang_call_terminate",
    "__dynamic_cast",
    "_Unwind_",
    "_ZSt9terminatev",
    "_ZSt17current_exceptionv",
    "_ZSt17rethrow_exception",
    "_ZNSt15__exception_ptr",
    "_ZSt18uncaught_exception",
    "_ZSt19uncaught_exceptionsv",
    "_ZSt18_Rb_tree_increment",
    "_ZSt18_Rb_tree_decrement",
    "_ZSt29_Rb_tree_insert_and_rebalance",
    "_ZSt28_Rb_tree_rebalance_for_erase",
    "_ZNSt8__detail15_List_node_base",
];

/// Those of them that write into the objects that they are given.
const LINKING: &[&str] = &[
    "_ZSt29_Rb_tree_insert_and_rebalance",
    "_ZSt28_Rb_tree_rebalance_for_erase",
    "_ZNSt8__detail15_List_node_base",
    "_ZNSt15__exception_ptr",
];

/// Beginnings of names of functions that write to the stream that is their first argument.
const WRITERS: &[&str] = &["_ZNSo", "_ZStls", "_ZSt16__ostream_insert"];

/// The standard streams: what is written there does not come back.
const STREAMS: &[&str] = &["_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"];

/// Whether a function of the C++ library leaves the program's values alone.
pub(super) fn is_not_followed(name: &str) -> bool {
    NOT_FOLLOWED.iter().any(|n| name.starts_with(n)) || (name.starts_with("_ZSt") && name.contains("__throw_"))
}

impl Walker<'_> {
    /// An exception arrives here: the frames below are gone.
    pub(super) fn landed(&mut self, i: Value) {
        self.emit.after(i);
        let sp = self.emit.stack_pointer();
        self.emit.hook("xch_unwind", &[sp]);
        self.emit.hook("xch_inside", &[self.emit.zero(), self.emit.zero()]);
        self.untold("an exception");
    }

    /// A call of a function that leaves the program's values alone: what it writes is initialised then.
    pub(super) fn not_followed(&mut self, i: Value, name: &str, arguments: &[Value]) {
        self.emit.before(i);
        self.emit.hook("xch_leaving", &[]);
        self.untold_call(name);
        if LINKING.iter().any(|n| name.starts_with(n)) {
            for pointer in arguments.iter().filter(|a| a.ty().is_pointer()) {
                let p = self.emit.word(*pointer);
                self.emit.hook("xch_linked_pointer", &[p]);
            }
        }
    }

    /// Whether a call writes to a standard stream, as 0 or 1 at run time; `None` for other functions. The builder stands before the call.
    pub(super) fn writes_to_standard_stream(&self, name: &str, arguments: &[Value]) -> Option<Value> {
        let stream = arguments.first().filter(|a| a.ty().is_pointer() && WRITERS.iter().any(|w| name.starts_with(w)))?;
        let known = STREAMS.iter().filter_map(|s| self.emit.global(s));
        let same: Vec<Value> = known.map(|s| self.emit.same_pointer(*stream, s)).collect();
        Some(self.emit.any(&same))
    }
}
