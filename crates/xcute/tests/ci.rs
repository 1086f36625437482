//! `xcute ci`: what is new, known and fixed, the cases that are kept with a project, and the exit codes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn xcute(place: &Path, words: &str) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place).args(words.split_whitespace()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

const DIVIDE: &str =
    "int ratio(int a, int b) {\n  if (a > 100)\n    return a / b;\n  return 0;\n}\n\nint half(int a) { return a > 5 ? a / 2 : 1; }\n";
const ENTRIES: &str = "[[entry]]\nname = \"ratio\"\nlanguage = \"c\"\nfiles = \"divide.c\"\nentry = \"ratio\"\n\
                       [[entry]]\nname = \"half\"\nlanguage = \"c\"\nfiles = \"divide.c\"\nentry = \"half\"\n";

#[test]
fn only_what_is_new_fails() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let program = |text: &str| fs::write(place.join("divide.c"), text).unwrap();
    program(DIVIDE);
    fs::write(place.join("xcute.toml"), ENTRIES).unwrap();
    // Nothing is known yet.
    let (code, text, talk) = xcute(place, "ci");
    assert_eq!(code, 1, "{text}{talk}");
    let new = "  new: division-by-zero: division by zero, at divide.c:3 in ratio\n    xcute replay xcute-out/ratio/failures/f1.json\n";
    assert!(text.contains(new) && text.ends_with("1 failure new, 0 known, 0 fixed; 0 kept cases repeated\n"), "{text}");
    assert!(!place.join("xcute-baseline.json").exists());
    let (code, text, talk) = xcute(place, "ci --update-baseline");
    assert_eq!(code, 0, "{text}{talk}");
    assert!(
        talk.starts_with("xcute: wrote xcute-baseline.json with 1 failure, and ") && talk.ends_with(" cases to xcute-cases\n"),
        "{talk}"
    );
    assert!(place.join("xcute-cases/ratio/failed/001.json").exists() && place.join("xcute-cases/half/passed").is_dir());

    // The same failure is known, also with lines before it.
    program(&format!("/* one */\n\n{DIVIDE}"));
    let (code, text, talk) = xcute(place, "ci --report sarif=all.sarif");
    assert_eq!(code, 0, "{text}{talk}");
    assert!(text.contains("  known: division-by-zero: division by zero, at divide.c:5 in ratio\n"), "{text}");
    assert!(text.contains("0 failures new, 1 known, 0 fixed; ") && !text.contains("; 0 kept cases"), "{text}");
    assert!(place.join("all.sarif").exists());

    // Another one is new, and a case that passed fails.
    program(&DIVIDE.replace("return 0;", "return 7 / (b - 9);").replace("a > 5 ? a / 2 : 1", "a > 5 ? a / 2 : 1 / (a - a)"));
    let (code, text, talk) = xcute(place, "ci -q");
    assert_eq!(code, 1, "{text}{talk}");
    assert!(text.contains("  new: division-by-zero: division by zero, at divide.c:4 in ratio\n") && !text.contains("known: "), "{text}");
    assert!(text.contains("  new: xcute-cases/half/passed/") && text.contains(".json passed, and fails now\n"), "{text}");

    // What is fixed is shown as fixed, and forgotten only when asked for.
    program(&DIVIDE.replace("a / b", "b ? a / b : 0"));
    let (code, text, _) = xcute(place, "ci --format json");
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, json["new"].as_array().unwrap().len(), json["fixed"][0]["entry"].as_str().unwrap()), (0, 0, "ratio"), "{json:#}");
    assert_eq!(json["kept"]["passing"], serde_json::json!(["xcute-cases/ratio/failed/001.json"]));
    let (code, text, _) = xcute(place, "ci ratio --update-baseline");
    assert!(code == 0 && text.contains("  fixed: division-by-zero: division by zero, at divide.c:3 in ratio\n"), "{text}");
    assert!(!place.join("xcute-cases/ratio/failed/001.json").exists(), "its case is no longer kept");
    program(DIVIDE);
    assert_eq!(xcute(place, "ci -q").0, 1, "it is new again");
}

#[test]
fn exit_codes_say_what_happened() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let manifest = |text: &str| fs::write(place.join("xcute.toml"), text).unwrap();
    fs::write(place.join("divide.c"), DIVIDE).unwrap();
    // A search that is not complete fails only where that is asked for.
    let short = ENTRIES
        .replace("entry = \"half\"\n", "entry = \"half\"\nruns = 1\n")
        .replace("entry = \"ratio\"\n", "entry = \"ratio\"\nruns = 1\n");
    manifest(&short);
    assert_eq!(xcute(place, "ci").0, 0);
    let (code, text, _) = xcute(place, "ci --require-complete");
    assert_eq!(code, 4, "{text}");
    assert!(
        text.contains("  it has to be complete, and is not\n") && text.contains("; not complete, and has to be: ratio, half; "),
        "{text}"
    );
    manifest(&format!("[ci]\ntime = \"20s\"\ncomplete = [\"half\"]\n{short}"));
    let (code, text, _) = xcute(place, "ci");
    assert!(code == 4 && text.contains("; not complete, and has to be: half; "), "{text}");
    assert_eq!(xcute(place, "ci ratio").0, 0);
    // A failure that a short search does not find again is not fixed, and stays known.
    manifest(ENTRIES);
    assert_eq!(xcute(place, "ci --update-baseline").0, 0);
    manifest(&short);
    let (code, text, _) = xcute(place, "ci ratio --update-baseline");
    assert!(code == 0 && text.contains("  not found this time: division-by-zero") && text.contains("0 fixed"), "{text}");
    assert!(fs::read_to_string(place.join("xcute-baseline.json")).unwrap().contains("division-by-zero"));
    // An entry that cannot be tested is not a success, and loses nothing that is known.
    fs::write(place.join("divide.c"), "int ratio(int a { }\n").unwrap();
    let (code, text, _) = xcute(place, "ci ratio --update-baseline");
    assert_eq!(code, 2, "{text}");
    assert!(
        text.contains("ratio: could not be tested: ") && text.contains("  xcute-cases/ratio/failed/001.json cannot be repeated: "),
        "{text}"
    );
    assert!(fs::read_to_string(place.join("xcute-baseline.json")).unwrap().contains("division-by-zero"));
    assert!(place.join("xcute-cases/ratio/failed/001.json").exists());
    fs::write(place.join("xcute-baseline.json"), "[]").unwrap();
    let (code, _, talk) = xcute(place, "ci");
    assert!(code == 2 && talk.starts_with("xcute: xcute-baseline.json is not a baseline of xcute"), "{talk}");
}

#[test]
fn kept_cases_move_with_the_project() {
    let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects");
    let place = tempfile::tempdir().unwrap();
    let (here, there) = (place.path().join("here"), place.path().join("there"));
    fs::create_dir(&here).unwrap();
    for name in ["clp/average.pl", "erl/shapes.erl", "java/Arithmetic.java"] {
        fs::copy(subjects.join(name), here.join(Path::new(name).file_name().unwrap())).unwrap();
    }
    fs::write(here.join("divide.c"), DIVIDE).unwrap();
    let others = "[[entry]]\nname = \"average\"\nlanguage = \"clp\"\nfile = \"average.pl\"\nruns = 20\n\
                  [[entry]]\nname = \"shapes\"\nlanguage = \"erl\"\nfile = \"shapes.erl\"\n\
                  [[entry]]\nname = \"division\"\nlanguage = \"java\"\npaths = \"Arithmetic.java\"\nmethod = \"Arithmetic.division\"\n";
    fs::write(here.join("xcute.toml"), format!("{ENTRIES}{others}")).unwrap();
    let (code, text, talk) = xcute(&here, "ci --update-baseline");
    assert_eq!(code, 0, "{text}{talk}");
    let kept = |name: &str| {
        ["failed", "passed"].map(|folder| fs::read_dir(here.join("xcute-cases").join(name).join(folder)).map_or(0, Iterator::count))
    };
    let all: usize = ["ratio", "half", "average", "shapes", "division"].iter().flat_map(|name| kept(name)).sum();
    for name in ["ratio", "average", "shapes", "division"] {
        assert!(kept(name)[0] > 0, "{name}: {talk}");
    }
    fs::rename(&here, &there).unwrap();
    let (code, text, talk) = xcute(&there, "ci --format json");
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, json["new"].as_array().unwrap().len()), (0, 0), "{json:#}{talk}");
    let none: [Value; 0] = [];
    let expected = serde_json::json!({"repeated": all, "failing": none, "passing": none, "lost": none, "left": 0});
    assert_eq!(json["kept"], expected);
}
