//! Wrappers of small programs: what they take, and what they refuse.

use super::*;
use crate::tools::toolchain::Toolchain;

const SOURCE: &str = "#include <mutex>
#include <string>
class Stack { int limit; void hidden() {} public: Stack() : limit(3) {} explicit Stack(int limit) : limit(limit) {} int push(int x) { return x > limit; } };
struct Node { int v; Node *next; Node(int v, Node *next) : v(v), next(next) {} };
struct Shape { virtual ~Shape() {} virtual int area() = 0; };
struct Square : Shape { int area() override { return 1; } };
struct Pair { int a, b; };
int text(const std::string &s, Pair p) { return s.size() > 3 && p.a; }
int list(Node *n) { return n->v; }
int shape(Shape &s) { return s.area(); }
int lock(std::mutex &m) { m.lock(); return 0; }
int plain(int x, Pair *p) { return p ? x : 0; }
";

fn program() -> Program {
    let dir = tempfile::tempdir().unwrap();
    let (file, object) = (dir.path().join("a.cpp"), dir.path().join("a.o"));
    std::fs::write(&file, SOURCE).unwrap();
    let args = ["-g", "-w", "-femit-all-decls", "-fstandalone-debug", "-c"].map(std::ffi::OsString::from);
    let args = args.into_iter().chain([file.into(), "-o".into(), object.clone().into()]);
    Toolchain::find().unwrap().run("a.cpp", args).unwrap();
    Program::read(&[object]).unwrap()
}

fn wrapped(program: &Program, name: &str) -> Result<Wrapped, WrapError> {
    wrap(program, program.function(name).unwrap(), &Lengths::default())
}

#[test]
fn what_an_entry_needs_is_built() {
    let program = program();
    let push = wrapped(&program, "Stack::push").unwrap().text;
    for part in [
        "enum xcute_Stack : unsigned char { new_Stack, new_Stack_int };",
        "(xcute_Stack self, int self_limit, int x)",
        "self_object->push(x);",
    ] {
        assert!(push.contains(part), "{part} in {push}");
    }
    let text = wrapped(&program, "text").unwrap();
    assert!(text.text.contains("(const char * s, Pair p)") && text.lengths.arrays.contains_key("s"), "{}", text.text);
    let list = wrapped(&program, "list").unwrap().text;
    assert!(list.contains("no_object") && list.contains("xcute_kept") && !list.contains("delete "), "{list}");
    let shape = wrapped(&program, "shape").unwrap().text;
    assert!(shape.contains("s_object = new Square();") && shape.contains("delete s_object;"), "{shape}");
}

#[test]
fn what_cannot_be_called_is_told() {
    let program = program();
    let lock = wrapped(&program, "lock").unwrap_err().to_string();
    assert!(lock.starts_with("parameter m of lock: cannot build std::mutex"), "{lock}");
    assert!(matches!(wrapped(&program, "Stack::hidden"), Err(WrapError::Private { .. })));
}

#[test]
fn functions_as_in_c_need_no_wrapper() {
    let program = program();
    let needed = |name: &str| is_needed(&program, program.function(name).unwrap());
    assert!(!needed("plain") && needed("list") && needed("text") && needed("Stack::push"));
}
