//! Plans of call sequences: where objects come from, that harnesses compile, and what choices come to.

use std::path::Path;
use std::process::Command;

use super::*;
use crate::build::harness::calls;
use crate::build::harness::steps::{Argument, Step};

const SOURCE: &str = "
struct node { int key; struct node *next; };
struct list { struct node *first; };
typedef struct list list_t;
struct hidden;
struct node *make(int key) { return (struct node *)(long)key; }
void init_list(list_t *l, int limit) { if (limit) l->first = 0; }
void add(struct list *l, struct node *n) { l->first = n; }
int has(const struct list *l, int key) { return l->first && l->first->key == key; }
void join(struct list *a, struct list *b, const char *why, int *sizes, int n) { a->first = b->first; (void)why; (void)sizes; (void)n; }
struct node *push(struct node *head, int key) { (void)key; return head; }
const struct node *find(const struct node *head, int key) { (void)key; return head; }
void look(const struct node *head) { (void)head; }
int sound(const struct list *l) { return l != 0; }
int sound_node(const struct node *n) { return n != 0; }
void peek(struct hidden *h) { (void)h; }
void say(const char *f, ...) { (void)f; }
";

struct Built {
    dir: tempfile::TempDir,
    source: PathBuf,
    program: Program,
}

fn build() -> Built {
    let dir = tempfile::tempdir().unwrap();
    let (source, object) = (dir.path().join("subject.c"), dir.path().join("subject.o"));
    std::fs::write(&source, SOURCE).unwrap();
    compiled("clang-19", dir.path(), &source, &["-g", "-o", object.to_str().unwrap()]);
    let program = Program::read(&[object]).unwrap();
    Built { dir, source, program }
}

fn compiled(compiler: &str, dir: &Path, file: &Path, flags: &[&str]) {
    let output = Command::new(compiler).args(["-w", "-DXCUTE=1", "-c", "-I"]).arg(dir).args(flags).arg(file).output().unwrap();
    assert!(output.status.success(), "{compiler}: {}\n{}", String::from_utf8_lossy(&output.stderr), std::fs::read_to_string(file).unwrap());
}

fn calls_of(names: &str) -> Calls {
    Calls { functions: names.split(' ').map(str::to_owned).collect(), length: 3, post: None, pre: None, nulls: false }
}

fn plan_of(built: &mut Built, calls: &Calls, lengths: &Lengths) -> Result<Sequence, HarnessError> {
    Sequence::new(&mut built.program, std::slice::from_ref(&built.source), calls, lengths)
}

fn plan_with(built: &mut Built, names: &str, post: Option<&str>, lengths: &Lengths) -> Result<Sequence, HarnessError> {
    plan_of(built, &Calls { post: post.map(str::to_owned), ..calls_of(names) }, lengths)
}

fn plan(built: &mut Built, names: &str) -> Sequence {
    plan_with(built, names, None, &Lengths::default()).unwrap()
}

fn origins(plan: &Sequence) -> Vec<(&str, Origin, usize)> {
    plan.families.iter().map(|f| (f.name.as_str(), f.origin, f.count)).collect()
}

#[test]
fn objects_come_from_where_the_types_say() {
    let mut built = build();
    assert_eq!(origins(&plan(&mut built, "add make has")), [("l", Origin::Shared, 1), ("n", Origin::Made, 4)]);
    assert_eq!(origins(&plan(&mut built, "join has")), [("a", Origin::Shared, 2)]);
    assert_eq!(origins(&plan(&mut built, "push look")), [("head", Origin::Threaded, 1)]);
    // What is found is not the new state of what was searched.
    assert_eq!(origins(&plan(&mut built, "find look")), [("head", Origin::Shared, 1)]);
    let prepared = plan(&mut built, "init_list has");
    assert_eq!(prepared.functions.iter().map(|f| f.first).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn harnesses_compile_and_have_all_inputs() {
    let mut built = build();
    let mut lengths = Lengths::default();
    lengths.arrays.insert("sizes".to_owned(), ArrayLength::Parameter("n".to_owned()));
    for (names, post) in [("make add has init_list", Some("sound")), ("push look", Some("sound_node")), ("join add make", None)] {
        let lengths = if names.contains("join") { lengths.clone() } else { Lengths::default() };
        for nulls in [false, true] {
            let calls = Calls { post: post.map(str::to_owned), pre: post.map(str::to_owned), nulls, ..calls_of(names) };
            let plan = plan_of(&mut built, &calls, &lengths).unwrap();
            compiles_with_all_inputs(&built, &plan, &lengths, names);
        }
    }
}

fn compiles_with_all_inputs(built: &Built, plan: &Sequence, lengths: &Lengths, names: &str) {
    let text = calls::text(&built.program, plan, &plan.lengths(lengths)).unwrap();
    for k in 0..plan.entry.params.len() {
        assert_eq!(text.matches(&format!("(void *)&xcute_arg_{k},")).count(), 1, "input {k} of {names} is asked for once\n{text}");
    }
    let file = built.dir.path().join("harness.c");
    std::fs::write(&file, &text).unwrap();
    for compiler in ["clang-19", "gcc"] {
        compiled(compiler, built.dir.path(), &file, &["-o", "/dev/null"]);
    }
    assert_eq!(text.contains("<= 8ul"), names.contains("join"), "{text}");
}

#[test]
fn null_is_among_the_objects() {
    let mut built = build();
    let plan = plan_of(&mut built, &Calls { nulls: true, ..calls_of("make add has") }, &Lengths::default()).unwrap();
    let of = |name: &str| plan.entry.params.iter().position(|p| p.name.as_deref() == Some(name)).unwrap();
    let values = [(of("call_1"), 1), (of("add_l_1"), 1), (of("n_1"), 0), (of("call_2"), 1), (of("n_2"), 7), (of("add_l_2"), 0)];
    let steps = plan.steps(|k| values.iter().find(|(at, _)| *at == k).map(|&(_, v)| v));
    // The list is 0, and NULL is 1. No node was made, so that NULL is the only one.
    assert_eq!(steps[0], Step { function: 1, arguments: vec![Argument::Null, Argument::Null], gives: None });
    assert_eq!(steps[1], Step { function: 1, arguments: vec![Argument::Object(0, 0), Argument::Null], gives: None });
}

#[test]
fn choices_become_calls() {
    let mut built = build();
    let plan = plan(&mut built, "make add has");
    let of = |name: &str| plan.entry.params.iter().position(|p| p.name.as_deref() == Some(name)).unwrap();
    let (choice, which) = (["call_1", "call_2", "call_3"].map(of), of("n_3"));
    // The first choice cannot be `add`: there is no node yet, and the last function that can be called is `has`.
    let value = |k: usize| [(choice[0], 1), (choice[1], 0), (choice[2], 1), (which, 9)].iter().find(|(at, _)| *at == k).map(|&(_, v)| v);
    let steps = plan.steps(value);
    assert_eq!(steps.iter().map(|s| s.function).collect::<Vec<_>>(), [2, 0, 1]);
    assert_eq!(steps[1].gives, Some((1, 2)));
    assert_eq!(steps[2], Step { function: 1, arguments: vec![Argument::Object(0, 0), Argument::Object(1, 2)], gives: None });
    // A run that did not come to a step has no calls from there on.
    assert_eq!(plan.steps(|k| (k == choice[0]).then_some(0)).len(), 1);
}

#[test]
fn what_cannot_be_called_is_told() {
    let mut built = build();
    let mut message = |names: &str, post| plan_with(&mut built, names, post, &Lengths::default()).unwrap_err().to_string();
    assert_eq!(message("mke add", None), "no function is called mke (did you mean make?)");
    assert_eq!(
        message("peek", None),
        "--calls peek: its parameter h points to an incomplete type, and no listed function gives such a pointer"
    );
    assert!(message("say", None).contains("variable number of arguments"));
    assert_eq!(
        message("has", Some("look")),
        "--post look: it must take one object that the listed functions work on, and return whether it is sound"
    );
}
