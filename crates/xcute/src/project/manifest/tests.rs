//! What is read, and what is refused, with its line.

use super::*;

fn read(text: &str) -> Result<Manifest> {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("xcute.toml");
    std::fs::write(&file, text).unwrap();
    Manifest::read(&file)
}

#[test]
fn keys_are_options_and_operands() {
    let manifest = read(
        "[defaults]\nout = \"results\"\ntime = \"5s\"\njobs = 2\n[defaults.toy]\nseed-case = [\"a\", \"b\"]\n\
         [[entry]]\nname = \"one\"\nlanguage = \"toy\"\nfile = \"a.toy\"\n\
         [[entry]]\nname = \"two\"\nlanguage = \"toy\"\nfile = \"b.toy\"\nruns = 7\ntime = \"1m\"\nseed-case = []\nno-cache = true\nno-opt1 = false\n",
    )
    .unwrap();
    assert_eq!(manifest.out, Path::new("results"));
    let words = |at: usize| manifest.entries[at].line.words(&["-q".to_owned()]).join(" ");
    assert_eq!(words(0), "toy --seed-case=a --seed-case=b --time=5s --jobs=2 -q a.toy");
    assert_eq!(words(1), "toy --runs=7 --time=1m --jobs=2 --no-cache -q b.toy");
    let longer = manifest.entries[0].line.words(&["--time=9s".to_owned()]);
    assert_eq!(longer.join(" "), "toy --seed-case=a --seed-case=b --jobs=2 --time=9s a.toy");
    let [one, two] = &manifest.entries[..] else { panic!("two entries") };
    assert_eq!((one.time, two.time), (Some(Duration::from_secs(5)), Some(Duration::from_secs(60))));
}

#[test]
fn pipelines() {
    let entry = "[[entry]]\nname = \"a\"\nlanguage = \"toy\"\nfile = \"f\"\n";
    let ci = |text: &str| read(&format!("{text}{entry}")).unwrap().ci;
    let none = ci("");
    assert_eq!((none.time, &none.baseline, &none.cases), (None, &"xcute-baseline.json".into(), &"xcute-cases".into()));
    assert!(!none.complete.includes("a") && ci("[ci]\ncomplete = true\n").complete.includes("a"));
    let some = ci("[ci]\ntime = \"5m\"\nbaseline = \"b.json\"\ncases = \"c\"\ncomplete = [\"a\"]\n");
    assert_eq!((some.time, &some.baseline, &some.cases), (Some(Duration::from_secs(300)), &"b.json".into(), &"c".into()));
    assert!(some.complete.includes("a") && !some.complete.includes("b"));
}

#[test]
fn mistakes_are_named_with_their_lines() {
    let entry = "[[entry]]\nname = \"a\"\nlanguage = \"toy\"\n";
    for (text, message) in [
        ("", "has no entry to test (add one with [[entry]])"),
        ("[[entry]\n", "xcute.toml:1: "),
        ("\n[entrys]\n", "xcute.toml:2: there is no table \"entrys\" (did you mean \"entry\"?)"),
        ("[entry]\nname = \"a\"\n", "xcute.toml:1: entries are tables of a list (write [[entry]])"),
        ("defaults = 3\n", "xcute.toml:1: defaults is a table (write [defaults])"),
        ("[defaults]\ntimes = \"3s\"\n", "xcute.toml:2: there is no key \"times\" for defaults of all languages (did you mean \"time\"?)"),
        ("[defaults.toys]\n", "xcute.toml:1: there is no language \"toys\" (there are c, "),
        ("[defaults.toy]\nfiles = \"a\"\n", "xcute.toml:2: there is no key \"files\" for defaults of "),
        ("[[entry]]\nlanguage = \"toy\"\n", "xcute.toml:1: the entry has no name (add name = \"…\")"),
        ("[[entry]]\nname = \"a\"\n", "xcute.toml:1: the entry a has no language (add language = \"…\")"),
        ("[[entry]]\nname = \"a/b\"\n", "xcute.toml:1: \"a/b\" cannot be the name of a directory"),
        ("[[entry]]\nname = 3.5\nlanguage = [\"toy\"]\n", "xcute.toml:3: language is a text in quotes"),
        (&format!("{entry}file = \"f\"\nouts = \"x\"\n"), "xcute.toml:5: there is no key \"outs\" for an entry of toy"),
        (&format!("{entry}file = \"f\"\nout = \"x\"\n"), "xcute.toml:5: there is no key \"out\" for an entry of toy"),
        (&format!("{entry}file = true\n"), "xcute.toml:4: file is a text in quotes, or a list of them"),
        (&format!("{entry}file = 1979-05-27\n"), "xcute.toml:4: file holds something that is not a text or a number"),
        (&format!("{entry}file = \"f\"\nruns = true\n"), "xcute.toml:5: runs is a text or a number, not true or false"),
        (&format!("{entry}file = \"f\"\nno-cache = 1\n"), "xcute.toml:5: no-cache is true or false"),
        (&format!("{entry}file = \"f\"\ntime = \"soon\"\n"), "xcute.toml:1: the entry a: invalid value 'soon' for '--time <TIME>'"),
        (&format!("{entry}file = \"f\"\n[ci]\nbase = \"b\"\n"), "xcute.toml:6: there is no key \"base\" for ci"),
        (&format!("{entry}file = \"f\"\n[ci]\ntime = \"soon\"\n"), "xcute.toml:6: "),
        (&format!("{entry}file = \"f\"\n[ci]\ncomplete = [\"ab\"]\n"), "xcute.toml:6: there is no entry \"ab\" (did you mean \"a\"?)"),
        ("ci = 3\n", "xcute.toml:1: ci is a table (write [ci])"),
        (entry, "xcute.toml:1: the entry a: the following required arguments were not provided"),
        (&format!("{entry}file = \"f\"\n{entry}file = \"g\"\n"), "xcute.toml:5: there are two entries of the name \"a\""),
    ] {
        let error = format!("{:#}", read(text).unwrap_err());
        assert!(error.contains(message), "{text}: {error}");
    }
}
