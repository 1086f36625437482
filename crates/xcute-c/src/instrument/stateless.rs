//! Functions of the C library that keep no state between runs: programs that call only these need no snapshot of the library.

use super::calls;

/// The names, sorted.
const STATELESS: &[&str] = &[
    "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "__errno_location", "__memcpy_chk", "__memmove_chk", "__memset_chk",
    "__sigsetjmp", "__strcat_chk", "__strcpy_chk", "__strncpy_chk", "_setjmp", "abs", "acos", "acosf", "asin", "asinf", "atan", "atan2", "atan2f",
    "atanf", "atof", "atoi", "atol", "atoll", "bcmp", "bcopy", "bsearch", "bzero", "cbrt", "ceil", "ceilf", "copysign", "copysignf", "cos", "cosf",
    "cosh", "div", "erf", "exp", "exp2", "expf", "expm1", "fabs", "fabsf", "ffs", "floor", "floorf", "fma", "fmax", "fmaxf", "fmin", "fminf", "fmod",
    "fmodf", "frexp", "hypot", "imaxabs", "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct",
    "isspace", "isupper", "isxdigit", "labs", "ldexp", "ldiv", "llabs", "lldiv", "llrint", "llround", "log", "log10", "log1p", "log2", "logf",
    "longjmp", "lrint", "lround", "memccpy", "memchr", "memcmp", "memcpy", "memmem", "memmove", "mempcpy", "memrchr", "memset", "modf",
    "nearbyint", "pow", "powf", "qsort", "remainder", "rint", "round", "roundf", "setjmp", "sin", "sinf", "sinh", "siglongjmp", "snprintf", "sprintf",
    "sqrt", "sqrtf", "sscanf", "stpcpy", "stpncpy", "strcasecmp", "strcat", "strchr", "strchrnul", "strcmp", "strcpy", "strcspn", "strlcat",
    "strlcpy", "strlen", "strncasecmp", "strncat", "strncmp", "strncpy", "strnlen", "strpbrk", "strrchr", "strsep", "strspn", "strstr", "strtod",
    "strtof", "strtok_r", "strtol", "strtoll", "strtoul", "strtoull", "tan", "tanf", "tanh", "tolower", "toupper", "trunc", "truncf", "vsnprintf",
    "vsprintf", "__isoc99_sscanf", "__isoc23_strtol", "__isoc23_strtoul", "__isoc23_strtoll", "__isoc23_strtoull",
];

/// Whether calls of this function leave the library as it was.
pub(super) fn contains(name: &str) -> bool {
    STATELESS.contains(&name) || calls::is_runtime(name) || name.starts_with("__xcute_") || name.starts_with("xc_")
}
