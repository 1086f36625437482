//! Words of other tools that programs declare and nobody defines: those of SV-COMP and KLEE.
//!
//! Such programs include no header, so the words are functions. Those that a program leaves undefined are written as one more C file,
//! which is instrumented like the program; the standalone test holds the same text.
//!
//! **Invariant.** A word never collides with what the program declares: its name in C is our own, only its symbol is the word.
//! Its input has the same number in every file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use object::{Object as _, ObjectSymbol as _};
use xcute_trace::Frame;

use crate::names::ASSUMPTIONS;
use crate::tools::demangle::demangled;
use crate::types::dwarf::DwarfError;

/// The file that holds the words of a build.
pub const FILE: &str = "xcute-words.c";

/// What `__VERIFIER_nondet_…` gives.
const NONDET: &[(&str, &str)] = &[
    ("bool", "_Bool"),
    ("char", "char"),
    ("schar", "signed char"),
    ("uchar", "unsigned char"),
    ("unchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("unsigned_int", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("int128", "__int128"),
    ("uint128", "unsigned __int128"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("u64", "unsigned long"),
    ("size_t", "unsigned long"),
    ("loff_t", "long"),
    ("float", "float"),
    ("double", "double"),
    ("pointer", "void *"),
    ("pchar", "char *"),
    ("charp", "char *"),
    ("const_char_pointer", "char *"),
    ("unsigned_char", "unsigned char"),
    ("unsigned_short", "unsigned short"),
    ("unsigned_long", "unsigned long"),
    ("sector_t", "unsigned long"),
    ("pthread_t", "unsigned long"),
];

/// The other words: name, result, parameters, body. `INPUT` is the number of its input, `TYPE` the type that the program declares.
const OTHERS: &[(&str, &str, &str, &str)] = &[
    ("__VERIFIER_assume", "void", "TYPE holds", "xcute_assume(holds);"),
    ("__VERIFIER_assert", "void", "TYPE holds", "XCUTE_ASSERT_(holds, \"__VERIFIER_assert\");"),
    ("__VERIFIER_error", "void", "void", "__xcute_assert(0, \"__VERIFIER_error is reached\", __FILE__, __LINE__);"),
    ("reach_error", "void", "void", "__xcute_assert(0, \"reach_error is reached\", __FILE__, __LINE__);"),
    (
        "__VERIFIER_nondet_memory",
        "void",
        "void *at, unsigned long size",
        "XCUTE_INPUT_(at, unsigned char, size, \"nondet_memory[]\", INPUT);",
    ),
    ("__VERIFIER_atomic_begin", "void", "void", ""),
    ("__VERIFIER_atomic_end", "void", "void", ""),
    (
        "klee_make_symbolic",
        "void",
        "void *at, unsigned long size, const char *name",
        "(void)name; XCUTE_INPUT_(at, unsigned char, size, \"symbolic[]\", INPUT);",
    ),
    ("klee_int", "int", "const char *name", "(void)name; int x; XCUTE_INPUT_(&x, int, sizeof x, \"klee_int\", INPUT); return x;"),
    (
        "klee_range",
        "int",
        "int begin, int end, const char *name",
        "(void)name; int x; XCUTE_INPUT_(&x, int, sizeof x, \"klee_range\", INPUT); xcute_assume(x >= begin); xcute_assume(x < end); return x;",
    ),
    (
        "klee_choose",
        "unsigned long",
        "unsigned long n",
        "unsigned long x; XCUTE_INPUT_(&x, unsigned long, sizeof x, \"klee_choose\", INPUT); xcute_assume(x < n); return x;",
    ),
    ("klee_assume", "void", "TYPE holds", "xcute_assume(holds);"),
    ("klee_assert", "void", "TYPE holds", "XCUTE_ASSERT_(holds, \"klee_assert\");"),
    ("klee_prefer_cex", "void", "void *object, unsigned long holds", "(void)object, (void)holds;"),
    ("klee_posix_prefer_cex", "void", "void *object, unsigned long holds", "(void)object, (void)holds;"),
    // A value stays what it is, and whether it is symbolic is not the program's business: KLEE's own replays say 0, too.
    ("klee_is_symbolic", "unsigned", "unsigned long n", "(void)n; return 0;"),
    ("klee_is_replay", "unsigned", "void", "return 0;"),
    ("klee_get_valuef", "float", "float x", "return x;"),
    ("klee_get_valued", "double", "double x", "return x;"),
    ("klee_get_valuel", "long", "long x", "return x;"),
    ("klee_get_valuell", "long long", "long long x", "return x;"),
    ("klee_get_value_i32", "int", "int x", "return x;"),
    ("klee_get_value_i64", "long", "long x", "return x;"),
    ("klee_warning", "void", "const char *message", "(void)message;"),
    ("klee_warning_once", "void", "const char *message", "(void)message;"),
    ("klee_print_expr", "void", "const char *message, ...", "(void)message;"),
    ("klee_print_range", "void", "const char *message, int value", "(void)message, (void)value;"),
    ("klee_stack_trace", "void", "void", ""),
    ("klee_mark_global", "void", "void *object", "(void)object;"),
    ("klee_set_forking", "void", "unsigned enable", "(void)enable;"),
    ("klee_open_merge", "void", "void", ""),
    ("klee_close_merge", "void", "void", ""),
    ("klee_silent_exit", "void", "int status", "exit(status);"),
    ("klee_abort", "void", "void", "abort();"),
    (
        "klee_report_error",
        "void",
        "const char *file, int line, const char *message, const char *suffix",
        "(void)file, (void)line, (void)suffix; __xcute_assert(0, message, __FILE__, __LINE__);",
    ),
];

/// The first number of a word's input; numbers of a program's own inputs are counted from 0.
const NUMBER: usize = 1_000_000;

/// What the `__VERIFIER_nondet_…` word whose input has this number gives; `None` if it is not such an input.
#[must_use]
pub fn nondet(number: u32) -> Option<&'static str> {
    let at = (number as usize).checked_sub(NUMBER)?;
    NONDET.get(at).map(|(_, of)| *of)
}

/// The words that a program needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// With the types that the program declares for what they give or take, where that is known.
    names: BTreeMap<String, Option<String>>,
}

impl Words {
    /// The words that objects refer to and do not define; the sources are looked through for declarations of them.
    ///
    /// # Errors
    /// If an object cannot be read.
    pub fn needed(objects: &[PathBuf], sources: &[PathBuf]) -> Result<Words, DwarfError> {
        let (mut wanted, mut defined) = (BTreeSet::new(), BTreeSet::new());
        for object in objects {
            let bytes = std::fs::read(object).map_err(|why| DwarfError::Io { path: object.clone(), why })?;
            let file = object::File::parse(&*bytes).map_err(|e| DwarfError::Object { path: object.clone(), why: e.to_string() })?;
            for symbol in file.symbols() {
                let Ok(name) = symbol.name() else { continue };
                if symbol.is_undefined() {
                    wanted.insert(name.to_owned());
                } else {
                    defined.insert(name.to_owned());
                }
            }
        }
        let missing: Vec<&String> = wanted.difference(&defined).filter(|symbol| define(symbol, None).is_some()).collect();
        if missing.is_empty() {
            return Ok(Words::default());
        }
        let texts: Vec<String> =
            sources.iter().filter_map(|s| Some(String::from_utf8_lossy(&std::fs::read(s).ok()?).into_owned())).collect();
        let declared = |name: &str| texts.iter().find_map(|text| declared_type(text, name));
        Ok(Words { names: missing.into_iter().map(|symbol| (symbol.clone(), declared(&demangled(symbol)))).collect() })
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Their definitions as C; `xcute.h` stands before them.
    #[must_use]
    pub fn text(&self) -> String {
        format!("void exit(int);\nvoid abort(void);\n{}", self.definitions())
    }

    fn definitions(&self) -> String {
        let mut out = String::new();
        out.extend(self.names.iter().filter_map(|(name, declared)| define(name, declared.as_deref())));
        out
    }
}

/// The type of the first parameter that a text declares for a word, or of its result if that is not `void`; only plain types of C are
/// understood. A definition with another type than the caller's would be called in another way.
fn declared_type(text: &str, name: &str) -> Option<String> {
    const PLAIN: &[&str] = &["_Bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "__int128"];
    let plain = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().filter(|w| *w != "extern").take_while(|w| PLAIN.contains(w)).collect();
        (!words.is_empty()).then(|| words.join(" "))
    };
    text.lines().filter(|line| line.trim_end().ends_with(';') && !line.contains('=')).find_map(|line| {
        let (before, after) = line.split_once(name)?;
        let before = before.rsplit([';', '{', '}']).next()?.trim();
        let parameters = after.trim_start().strip_prefix('(')?;
        if before.is_empty() || !before.split_whitespace().all(|w| w == "extern" || w == "void" || PLAIN.contains(&w)) {
            return None;
        }
        plain(before).or_else(|| plain(parameters.split([',', ')']).next()?))
    })
}

/// The definition of the word with this symbol, for a program that declares this type for it. C++ has symbols of its own for words that are
/// not `extern "C"`.
fn define(symbol: &str, declared: Option<&str>) -> Option<String> {
    let name = demangled(symbol);
    let name = name.as_ref();
    let nondet = name.strip_prefix("__VERIFIER_nondet_").and_then(|kind| NONDET.iter().position(|(k, _)| *k == kind));
    let mut out = String::new();
    let mut write = |result: &str, params: &str, body: &str| {
        let _ = writeln!(out, "{result} xcute_{name}({params}) __asm__(\"{symbol}\");\n{result} xcute_{name}({params}) {{ {body} }}");
    };
    if let Some(at) = nondet {
        let (kind, of) = NONDET[at];
        let number = NUMBER + at;
        write(declared.unwrap_or(of), "void", &format!("{of} x; XCUTE_INPUT_(&x, {of}, sizeof x, \"nondet_{kind}\", {number}); return x;"));
    } else {
        let at = OTHERS.iter().position(|(word, ..)| *word == name)?;
        let (_, result, params, body) = OTHERS[at];
        let usual = if name.starts_with("klee") { "unsigned long" } else { "int" };
        let params = params.replace("TYPE", declared.unwrap_or(usual));
        write(result, &params, &body.replace("INPUT)", &format!("{})", NUMBER + NONDET.len() + at)));
    }
    Some(out)
}

/// Whether a stack begins in a function whose call is an error by itself, whatever it does then: `reach_error` of the program's own.
#[must_use]
pub fn is_error(stack: &[Frame]) -> bool {
    stack.first().is_some_and(|f| matches!(f.function.as_str(), "reach_error" | "__VERIFIER_error" | "__VERIFIER_assert"))
}

/// Whether a stack begins in an assumption that the program defines.
#[must_use]
pub fn is_assumption(stack: &[Frame]) -> bool {
    stack.first().is_some_and(|f| ASSUMPTIONS.contains(&f.function.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_different_numbers() {
        let numbers: Vec<String> = NONDET
            .iter()
            .map(|(kind, _)| format!("__VERIFIER_nondet_{kind}"))
            .chain(OTHERS.iter().map(|(name, ..)| (*name).to_owned()))
            .filter_map(|name| Some(define(&name, None)?.rsplit_once(", 1000")?.1.split(')').next()?.to_owned()))
            .collect();
        assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), numbers.len());
        assert!(numbers.len() > NONDET.len());
    }

    #[test]
    fn only_words_are_defined() {
        assert_eq!(define("printf", None), None);
        assert_eq!(define("__VERIFIER_nondet_nothing", None), None);
    }

    #[test]
    fn declarations_say_how_a_word_is_called() {
        let text = "extern void abort(void); extern int f();\nextern unsigned char g(void);\nvoid h(_Bool holds);\nvoid i();\nvoid k(long x, int);\n\
                    void *l(int);\nint m(void) { return f(); }\nvoid n(void) {\n  o(1);\n}\n";
        let cases = [("f", "int"), ("g", "unsigned char"), ("h", "_Bool"), ("k", "long")];
        for (name, of) in cases {
            assert_eq!(declared_type(text, &format!(" {name}")).as_deref(), Some(of), "{name}");
        }
        for name in ["i", "l", "o"] {
            assert_eq!(declared_type(text, &format!(" {name}(")), None, "{name}");
        }
        assert!(define("__VERIFIER_nondet_bool", Some("int")).unwrap().contains("int xcute___VERIFIER_nondet_bool(void) { _Bool x;"));
    }
}
