//! `xcute.toml`: a project of each language, what `xcute test` says of it, and what it refuses.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A project with these files.
fn project(files: &[(&str, &str)]) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(place.path(), name, text);
    }
    place
}

fn write(place: &Path, name: &str, text: &str) {
    let path = place.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Runs xcute there; the exit code, stdout and stderr.
fn xcute(place: &Path, words: &str) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place).args(words.split_whitespace()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

const DIVIDE: &str = "int ratio(int a, int b) {\n  if (a > 100)\n    return a / b;\n  return 0;\n}\n\nint half(int a) { return a / 2; }\n";
const RATIO: &str = "[[entry]]\nname = \"ratio\"\nlanguage = \"c\"\nfiles = \"src/divide.c\"\nentry = \"ratio\"\n";
const HALF: &str = "[[entry]]\nname = \"half\"\nlanguage = \"c\"\nfiles = [\"src/divide.c\"]\nentry = \"half\"\n";

#[test]
fn every_language_has_its_entries() {
    let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects");
    let text = |name: &str| fs::read_to_string(subjects.join(name)).unwrap();
    let place = project(&[
        ("src/divide.c", DIVIDE),
        ("src/average.pl", &text("clp/average.pl")),
        ("src/shapes.erl", &text("erl/shapes.erl")),
        ("src/Arithmetic.java", &text("java/Arithmetic.java")),
        ("src/lift.art", &text("model/lift.art")),
        (
            "xcute.toml",
            &format!(
                "[defaults]\ntime = \"20s\"\n{RATIO}\
                 [[entry]]\nname = \"average\"\nlanguage = \"clp\"\nfile = \"src/average.pl\"\nruns = 20\n\
                 [[entry]]\nname = \"shapes\"\nlanguage = \"erl\"\nfile = \"src/shapes.erl\"\nfunction = \"area/1\"\n\
                 [[entry]]\nname = \"division\"\nlanguage = \"java\"\npaths = \"src/Arithmetic.java\"\nmethod = \"Arithmetic.division\"\n\
                 [[entry]]\nname = \"lift\"\nlanguage = \"model\"\nfiles = \"src/lift.art\"\ncapsule = \"Lift\"\nlength = 3\nmonitor = \"Watch\"\n"
            ),
        ),
    ]);
    let (code, text, talk) = xcute(place.path(), "test --format json --report junit=all.xml");
    assert_eq!(code, 1, "{text}{talk}");
    let json: Value = serde_json::from_str(&text).unwrap();
    let names = ["ratio", "average", "shapes", "division", "lift"];
    assert_eq!(json["failing"], serde_json::json!(names), "{talk}");
    for (entry, name) in json["entries"].as_array().unwrap().iter().zip(names) {
        assert_eq!(entry["name"], name);
        assert_eq!(entry["exit"], 1, "{entry:#}");
        assert!(!entry["campaigns"][0]["failures"].as_array().unwrap().is_empty(), "{entry:#}");
        let dir = entry["results"][0].as_str().unwrap();
        assert!(dir.starts_with(&format!("xcute-out/{name}")) && place.path().join(dir).join("summary.json").exists(), "{dir}");
    }
    let suites = fs::read_to_string(place.path().join("all.xml")).unwrap();
    assert_eq!(suites.matches("<testsuite ").count(), names.len(), "{suites}");
}

#[test]
fn a_line_for_each_entry_and_a_total() {
    let broken = "[[entry]]\nname = \"broken\"\nlanguage = \"c\"\nfiles = \"nowhere.c\"\nentry = \"f\"\n";
    let listed = "[[entry]]\nname = \"listed\"\nlanguage = \"model\"\nfiles = \"lift.art\"\n";
    let lift = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/model/lift.art")).unwrap();
    let files = [("src/divide.c", DIVIDE), ("lift.art", &lift), ("xcute.toml", &[RATIO, HALF, broken, listed].concat())];
    let place = project(&files);
    let (code, text, talk) = xcute(place.path(), "test");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(code, 1, "{text}{talk}");
    assert_eq!(lines[0], "ratio   1 failure in ratio; every feasible path was run");
    assert_eq!(lines[1], "  f1 division-by-zero: division by zero, at src/divide.c:3 in ratio");
    assert_eq!(lines[2], "    xcute replay xcute-out/ratio/failures/f1.json");
    assert_eq!(lines[3], "half    no failure in half; every feasible path was run");
    assert_eq!(lines[4], "broken  could not be tested: cannot read nowhere.c: no such file");
    assert_eq!(lines[5], "listed  could not be tested: its command line asks for no search");
    assert_eq!(lines[6], "1 of 4 entries can fail: ratio; not tested: broken, listed");
    assert_eq!(lines.len(), 7);
    assert_eq!(xcute(place.path(), lines[2].trim().strip_prefix("xcute ").unwrap()).0, 1, "the command repeats it");

    // What could not be tested is not a success.
    let (code, text, _) = xcute(place.path(), "test half broken -q");
    assert_eq!((code, text.lines().last().unwrap()), (2, "no failure in 2 entries; not tested: broken"));
    // From a directory below, the same; paths are those of the project.
    let (code, text, talk) = xcute(&place.path().join("src"), "test ratio half --time 10s");
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("at src/divide.c:3 in ratio") && text.ends_with("1 of 2 entries can fail: ratio\n"), "{text}");
    assert!(talk.starts_with("xcute: the project is /"), "{talk}");
    // A failure that was repaired is gone, and with it the results.
    write(place.path(), "src/divide.c", &DIVIDE.replace("a / b", "b ? a / b : 0"));
    let (code, text, _) = xcute(place.path(), "test ratio");
    assert_eq!((code, text.lines().last().unwrap()), (0, "no failure in 1 entry"));
    assert!(!place.path().join("xcute-out/ratio/failures/f1.json").exists());
}

/// Two entries that have more paths than there is time for.
fn endless() -> TempDir {
    let endless = "int f(unsigned a[40]) {\n  int n = 0;\n  for (int i = 0; i < 40; i++)\n    if (a[i] % 7 > 3)\n      n = n * 3 + (int)i;\n  return n;\n}\n";
    let entry = |name: &str| {
        format!("[[entry]]\nname = \"{name}\"\nlanguage = \"c\"\nfiles = \"f.c\"\nentry = \"f\"\narray = \"a=40\"\nprune = \"off\"\n")
    };
    project(&[("f.c", endless), ("xcute.toml", &[entry("a"), entry("b")].concat())])
}

#[test]
fn the_time_is_shared() {
    let place = endless();
    let (code, text, talk) = xcute(place.path(), "test --time 2s --format json");
    assert_eq!(code, 0, "{text}{talk}");
    let json: Value = serde_json::from_str(&text).unwrap();
    for entry in json["entries"].as_array().unwrap() {
        assert_eq!((&entry["campaigns"][0]["stop"], &entry["complete"]), (&Value::from("time"), &Value::from(false)));
        assert!(entry["command"].as_array().unwrap().contains(&"--time=1000ms".into()) || entry["name"] == "b", "{entry:#}");
    }
}

#[test]
fn a_signal_ends_the_search_and_leaves_results() {
    for verb in ["test", "ci"] {
        let place = endless();
        let journal = place.path().join("xcute-out/a/journal");
        let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
        let child =
            command.current_dir(place.path()).args([verb, "--time", "10m", "--format", "json"]).stdout(Stdio::piped()).spawn().unwrap();
        let end = Instant::now() + Duration::from_secs(60);
        while !fs::metadata(&journal).is_ok_and(|data| data.len() > 100) {
            assert!(Instant::now() < end, "the search has not begun");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(Command::new("kill").arg("-TERM").arg(child.id().to_string()).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{verb}");
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&json["entries"][0]["campaigns"][0]["stop"], &json["left_out"]),
            (&"interrupted".into(), &serde_json::json!(["b"])),
            "{json:#}"
        );
        assert!(place.path().join("xcute-out/a/summary.json").exists() && !place.path().join("xcute-out/b").exists());
    }
}

#[test]
fn only_what_changed_is_searched_again() {
    let erl = "-module(m).\n-export([f/1, g/1]).\nf(1) -> a;\nf(2) -> b.\ng(X) -> {X}.\n";
    let module = "[[entry]]\nname = \"m\"\nlanguage = \"erl\"\nfile = \"m.erl\"\n";
    let place = project(&[("src/divide.c", DIVIDE), ("m.erl", erl), ("xcute.toml", &[RATIO, HALF, module].concat())]);
    let test = |words: &str| {
        let (code, text, talk) = xcute(place.path(), &format!("test --if-changed {words}"));
        assert_eq!(code, 1, "{text}{talk}");
        let shown = |name: &str| talk.contains(&format!("xcute: {name}: nothing changed since the campaign in xcute-out/{name}"));
        (["ratio", "half", "m"].map(shown), text, talk)
    };
    let (searched, first, _) = test("--time 30s");
    assert_eq!(searched, [false, false, false]);
    let (searched, again, _) = test("--time 20s");
    assert_eq!((searched, &again), ([true, true, true], &first), "the verdicts are the same");
    // A function that is another one is searched again, and so is one with another command line.
    write(place.path(), "src/divide.c", &DIVIDE.replace("a / 2", "a / 3"));
    write(place.path(), "xcute.toml", &format!("{RATIO}{HALF}depth = 9\n{module}"));
    let (searched, text, _) = test("");
    assert!(!searched[1] && searched[2] && text.starts_with("ratio  1 failure in ratio"), "{searched:?} {text}");
    // A function that is gone is not part of the results.
    write(place.path(), "m.erl", &erl.replace("f/1, ", "").replace("f(1) -> a;\nf(2) -> b.\n", ""));
    let (searched, text, _) = test("");
    assert!(!searched[2] && text.contains("\nm      no failure in 1 function of m\n"), "{text}");
    assert!(!text.contains("f/1"), "{text}");
}

#[test]
fn mistakes_are_one_line() {
    let place = project(&[("xcute.toml", RATIO)]);
    let complaint = |words: &str| {
        let (code, text, talk) = xcute(place.path(), words);
        assert_eq!((code, text.as_str(), talk.lines().count()), (2, "", 1), "{words}: {talk}");
        talk
    };
    assert_eq!(complaint("test nothing"), "xcute: there is no entry \"nothing\" in xcute.toml (there are ratio)\n");
    assert!(complaint("test --manifest nowhere.toml").starts_with("xcute: cannot read nowhere.toml"));
    write(place.path(), "xcute.toml", &format!("{RATIO}entrie = \"f\"\n"));
    assert_eq!(complaint("test"), "xcute: xcute.toml:6: there is no key \"entrie\" for an entry of c (did you mean \"entry\"?)\n");
    fs::remove_file(place.path().join("xcute.toml")).unwrap();
    assert_eq!(complaint("test"), "xcute: there is no xcute.toml here or in a directory above (xcute init writes one)\n");
}

/// What `xcute init` writes for these files, what it prints and what it says.
fn initialised(files: &[(&str, &str)]) -> (TempDir, String, String, String) {
    let place = project(files);
    let (code, text, talk) = xcute(place.path(), "init");
    assert_eq!(code, 0, "{text}{talk}");
    let written = fs::read_to_string(place.path().join("xcute.toml")).unwrap();
    (place, written, text, talk)
}

/// The lines of a file, without comments and the defaults for all.
fn entries(written: &str) -> String {
    written.split_once("time = \"10s\"\n").unwrap().1.to_owned()
}

const WRITTEN: &str = "wrote ./xcute.toml with ";

#[test]
fn init_reads_the_database_of_compilations() {
    let shelf = ("src/shelf.c", "#include \"shelf.h\"\nint fits(int w) { return w > SIZE && wide(w); }\nint none(void) { return 0; }\n");
    let wide = ("src/wide.c", "#include \"shelf.h\"\nint wide(int w) { return 100 / (w - LIMIT); }\n");
    let main = ("src/main.c", "#include \"shelf.h\"\nint main(int n, char **v) { return !v || fits(n); }\n");
    let wrong = ("src/wrong.c", "int wrong(int x) { return nothing; }\n");
    let header = ("include/shelf.h", "int fits(int);\nint wide(int);\n#define SIZE 3\n");
    let place = project(&[shelf, wide, main, wrong, header]);
    let compilation = |file: &str| serde_json::json!({"directory": place.path().join("build"), "file": format!("../{file}"), "command": format!("cc -I../include -DLIMIT=50 -O2 -c ../{file}")});
    let database = Value::Array([shelf, wide, main, wrong].iter().map(|(file, _)| compilation(file)).collect());
    write(place.path(), "build/compile_commands.json", &database.to_string());
    let (code, text, talk) = xcute(place.path(), "init");
    assert_eq!(
        (code, text.as_str()),
        (0, &*format!("c: 2 functions, from build/compile_commands.json\n{WRITTEN}2 entries (xcute test searches all of them)\n"))
    );
    assert!(talk.starts_with("xcute: ") && talk.contains("wrong.c") && talk.lines().count() == 1, "{talk}");
    assert_eq!(
        entries(&fs::read_to_string(place.path().join("xcute.toml")).unwrap()),
        "\n[defaults.c]\nflags = [\"-Iinclude\", \"-DLIMIT=50\"]\n\
         \n[[entry]]\nname = \"fits\"\nlanguage = \"c\"\nfiles = [\"src/shelf.c\", \"src/wide.c\"]\nentry = \"fits\"\n\
         \n[[entry]]\nname = \"wide\"\nlanguage = \"c\"\nfiles = \"src/wide.c\"\nentry = \"wide\"\n"
    );
    let (code, text, talk) = xcute(place.path(), "test -q");
    assert_eq!(code, 1, "{text}{talk}");
    assert!(text.ends_with("2 of 2 entries can fail: fits, wide\n"), "{text}");

    // Nothing is replaced without being asked for.
    let (code, _, talk) = xcute(place.path(), "init");
    assert_eq!((code, talk.as_str()), (2, "xcute: ./xcute.toml is there already (--force replaces it)\n"));
    assert_eq!(xcute(place.path(), "init --force").0, 0);
}

#[test]
fn init_looks_at_build_files_of_c() {
    for build in ["CMakeLists.txt", "Makefile"] {
        let (_place, written, text, _) =
            initialised(&[("divide.c", DIVIDE), ("tests/check.c", "int check(int x) { return x; }\n"), (build, "")]);
        assert_eq!(text, format!("c: 2 functions, from {build}\n{WRITTEN}2 entries (xcute test searches all of them)\n"));
        assert!(
            entries(&written)
                .starts_with("\n[defaults.c]\nfiles = \"divide.c\"\n\n[[entry]]\nname = \"ratio\"\nlanguage = \"c\"\nentry = \"ratio\"\n"),
            "{written}"
        );
    }
}

#[test]
fn init_looks_at_projects_of_java() {
    let source = "package acme;\npublic class Tank {\n  public int level(int a) { return 100 / a; }\n  public int level(int a, int b) { return a; }\n\
                  int none() { return 1; }\n  public static void main(String[] a) { }\n}\n";
    for build in ["pom.xml", "build.gradle", "build.gradle.kts"] {
        let (place, written, text, _) = initialised(&[("src/main/java/acme/Tank.java", source), (build, "")]);
        assert_eq!(text, format!("java: 2 methods, from {build}\n{WRITTEN}2 entries (xcute test searches all of them)\n"));
        assert_eq!(
            entries(&written),
            "\n[defaults.java]\npaths = \".\"\n\
             \n[[entry]]\nname = \"Tank.level\"\nlanguage = \"java\"\nmethod = \"acme.Tank.level(int)\"\n\
             \n[[entry]]\nname = \"Tank.level-2\"\nlanguage = \"java\"\nmethod = \"acme.Tank.level(int, int)\"\n"
        );
        if build == "pom.xml" {
            let (code, text, talk) = xcute(place.path(), "test -q");
            assert_eq!((code, text.lines().last().unwrap()), (1, "1 of 2 entries can fail: Tank.level"), "{text}{talk}");
        }
    }
}

#[test]
fn init_looks_at_projects_of_erlang_prolog_and_models() {
    let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects");
    let text = |name: &str| fs::read_to_string(subjects.join(name)).unwrap();
    let (shapes, average, lift) = (text("erl/shapes.erl"), text("clp/average.pl"), text("model/lift.art"));
    let erl = initialised(&[("src/shapes.erl", &shapes), ("rebar.config", "{deps, []}.\n")]);
    assert_eq!(erl.2, format!("erl: 1 module, from rebar.config\n{WRITTEN}1 entry (xcute test searches all of them)\n"));
    assert_eq!(entries(&erl.1), "\n[[entry]]\nname = \"shapes\"\nlanguage = \"erl\"\nfile = \"src/shapes.erl\"\n");
    let pack = initialised(&[("prolog/average.pl", &average), ("pack.pl", "name(average).\n"), ("script.pl", "#!/usr/bin/perl\n")]);
    assert_eq!(pack.2, format!("clp: 1 program, from pack.pl\n{WRITTEN}1 entry (xcute test searches all of them)\n"));
    assert_eq!(entries(&pack.1), "\n[[entry]]\nname = \"average\"\nlanguage = \"clp\"\nfile = \"prolog/average.pl\"\n");
    // Several languages in one project.
    let both = initialised(&[("lift.art", &lift), ("src/shapes.erl", &shapes)]);
    assert_eq!(
        both.2,
        format!(
            "erl: 1 module, from the sources\nmodel: 2 capsules, from the models\n{WRITTEN}3 entries (xcute test searches all of them)\n"
        )
    );
    let (code, text, talk) = xcute(both.0.path(), "test --time 6s -q");
    assert_eq!(code, 1, "{text}{talk}");
    assert!(text.starts_with("shapes  1 of 1 function of shapes can fail: area/1\n"), "{text}");
}

#[test]
fn init_says_where_there_is_nothing() {
    let place = project(&[("README", "nothing\n"), ("broken.pl", "a :- .\n")]);
    let (code, text, talk) = xcute(place.path(), "init");
    assert_eq!((code, text.as_str()), (2, ""));
    assert!(talk.contains("broken.pl: it has 1 error\n"), "{talk}");
    assert!(talk.ends_with("xcute: there is nothing to test in . (docs/project.md says how to write xcute.toml yourself)\n"), "{talk}");
    assert!(!place.path().join("xcute.toml").exists());
    let (code, _, talk) = xcute(place.path(), "init nowhere");
    assert!(code == 2 && talk.starts_with("xcute: cannot read nowhere"), "{talk}");
    let (code, _, talk) = xcute(place.path(), "init README");
    assert_eq!((code, talk.as_str()), (2, "xcute: cannot look at README: it is a file (give the directory of the project)\n"));
}
