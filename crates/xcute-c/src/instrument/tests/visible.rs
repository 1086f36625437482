//! The hooks before accesses: the explored program and its replay have the same ones.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;

use crate::build::compile::BITCODE;
use crate::instrument::emit::Emit;
use crate::instrument::llvm::{Value, functions};
use crate::instrument::{models, passes, replayed, visible};
use crate::tools::toolchain::Toolchain;

const SOURCE: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
struct wide { int a[8]; } here, there;
static const int table[4] = {1, 2, 3, 4};
int counter, *shared;
_Atomic int flag;
_Thread_local int own;
void *plain(void *a) { counter++; return a; }                                   /* 2 */
int atomic(int n) { int old = 1; atomic_compare_exchange_strong(&flag, &old, n); /* 1: `old` stays here */
  return atomic_load(&flag) + atomic_fetch_add(&flag, 2) + old; }               /* 2 */
void copies(char *to) { here = there; memset(to, 0, 4); }                       /* 2 and 1 */
int locals(int i) { int a[4] = {0}, b = 3; a[i & 3] = b; return a[1] + table[i & 3]; } /* 0 */
int escapes(void) { int a = 1; shared = &a; a = 2; return a; }                  /* 4 */
int string(const char *s) { return strcmp(s, "xyz"); }                          /* in its model */
int thread(void) { return own; }                                                /* 1 */
int main(void) { pthread_t t; return pthread_create(&t, 0, plain, 0); }
"#;

fn bitcode(dir: &Path) -> Vec<(String, PathBuf)> {
    let (source, to) = (dir.join("a.c"), dir.join("a.bc"));
    std::fs::write(&source, SOURCE).unwrap();
    let words = BITCODE.iter().map(|w| (*w).to_owned()).chain(["-w".into(), "-D__NO_INLINE__=1".into()]);
    let files = [source.display().to_string(), "-o".into(), to.display().to_string()];
    Toolchain::find().unwrap().run("a.c", words.chain(files)).unwrap();
    vec![("a.c".into(), to)]
}

/// How many hooks each function calls.
fn hooks(module: &Module<'_>, prefix: &str) -> BTreeMap<String, Vec<String>> {
    let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for function in functions(module.as_mut_ptr()).into_iter().filter(|f| !f.is_declaration()) {
        let calls = function.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| i.is_call() && i.callee().is_function());
        let names = calls.filter_map(|i: Value| i.callee().name().strip_prefix(prefix).map(str::to_owned));
        out.insert(
            crate::names::shown(&function.name()).to_owned(),
            names.filter(|name| name == "access" || name == "atomic_begin").collect(),
        );
    }
    out
}

#[test]
fn both_programs_have_the_same_hooks() {
    let dir = tempfile::tempdir().unwrap();
    let files = bitcode(dir.path());
    let context = Context::create();
    let machine = passes::machine().unwrap();
    let explored = passes::link(&context, &files).unwrap();
    assert!(visible::creates_threads(explored.as_mut_ptr()));
    models::adopt(&context, &explored).unwrap();
    passes::keep_bodies(&explored);
    visible::mark_atomics(explored.as_mut_ptr(), &visible::EXPLORED);
    passes::lower(&explored, &machine).unwrap();
    passes::prepare(&explored, &machine).unwrap();
    visible::mark_accesses(&Emit::new(explored.as_mut_ptr()), &visible::EXPLORED);
    let explored = hooks(&explored, "xch_");

    let to = dir.path().join("replayed.bc");
    replayed::hook_files(&files, None, &to).unwrap();
    let buffer = MemoryBuffer::create_from_file(&to).unwrap();
    let replayed = hooks(&Module::parse_bitcode_from_buffer(&buffer, &context).unwrap(), "xcr_");
    assert_eq!(explored, replayed);

    let counts = |name: &str| explored[name].len();
    let names = ["plain", "atomic", "copies", "locals", "escapes", "string", "thread"];
    assert_eq!(names.map(counts), [2, 3, 3, 0, 4, 0, 1], "{explored:?}");
    assert!(explored["xcm_strcmp"].len() > 1);
}
