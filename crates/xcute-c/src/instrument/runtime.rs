//! Functions of the runtime that programs call.

/// Functions of the runtime; what they are given is used as it is, or pinned where it is a size.
const RUNTIME: &[&str] = &[
    "free",
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "atexit",
    "fork",
    "pthread_create",
    "__assert_fail",
    "__assert_perror_fail",
    "__stack_chk_fail",
];
/// Functions of the runtime whose arguments are sizes.
pub(super) const ALLOCATORS: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "strdup",
    "strndup",
    "malloc_usable_size",
];

/// Whether the runtime defines this function.
pub(super) fn is_runtime(name: &str) -> bool {
    RUNTIME.contains(&name) || ALLOCATORS.contains(&name) || name.starts_with("__ubsan_handle_") || name.starts_with("__xcute_")
}
