//! The static methods of numbers and characters, all of them: what is followed is what the JDK does, and what is not is named.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::*;
use xcute_engine::Options;
use xcute_java::{JavaSubject, Jdk};

const MODELS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// Methods that are not followed: they look elsewhere, have tables of all characters, or are computed by machine code.
const NOT_FOLLOWED: &[&str] = &[
    "Boolean.getBoolean",
    "Character.getDirectionality",
    "Character.getName",
    "Character.getType",
    "Character.toTitleCase",
    "Integer.getInteger",
    "Long.getLong",
    "Math.IEEEremainder",
    "Math.acos",
    "Math.asin",
    "Math.atan",
    "Math.atan2",
    "Math.cbrt",
    "Math.cos",
    "Math.cosh",
    "Math.exp",
    "Math.expm1",
    "Math.fma",
    "Math.hypot",
    "Math.log",
    "Math.log10",
    "Math.log1p",
    "Math.pow",
    "Math.scalb",
    "Math.sin",
    "Math.sinh",
    "Math.tan",
    "Math.tanh",
];

/// Methods that are followed in part: for ASCII characters, and for null.
const IN_PART: [&str; 2] = ["Character.codePointOf", "Character.getNumericValue"];

/// Lines that the program in Java prints.
fn asked(jdk: &Jdk, folder: &Path, options: &[&str], what: &str) -> Vec<String> {
    let output = Command::new(jdk.java()).args(options).arg("-cp").arg(folder).args(["Statics", what]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn methods_in_java_do_what_those_of_the_jdk_do() {
    let jdk = Jdk::find().unwrap();
    let folder = compile_text(&jdk, "Statics", include_str!("statics.java.txt"));
    let patch = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(patch.path().join("java/util")).unwrap();
    for (name, bytes) in MODELS.iter().filter(|model| model.0.starts_with("java/util/Xcute")) {
        std::fs::write(patch.path().join(format!("{name}.class")), bytes).unwrap();
    }
    let patched = format!("--patch-module=java.base={}", patch.path().display());
    let compared = asked(&jdk, &folder.path().join("out"), &[&patched], "compare");
    assert!(compared.len() > 80, "{compared:?}");
}

#[test]
fn every_static_method_is_followed_or_named() {
    let jdk = Jdk::find().unwrap();
    let folder = compile_text(&jdk, "Statics", include_str!("statics.java.txt"));
    let listed = asked(&jdk, &folder.path().join("out"), &[], "list");
    assert!(listed.len() > 150, "{listed:?}");
    let case = |(n, line): (usize, &String)| format!("case {n}: y({}); break;\n", line.split('\t').nth(1).unwrap());
    let cases: String = listed.iter().enumerate().map(case).collect();
    // What is returned is looked at, so that nothing that depends on an input goes unnoticed.
    let text = format!(
        "class T {{ static int n;\nstatic void y(boolean v) {{ if (v) n++; }} static void y(int v) {{ if (v == 5) n++; }}\n\
         static void y(long v) {{ if (v == 5) n++; }} static void y(float v) {{ if (v == 5) n++; }} static void y(double v) {{ if (v == 5) n++; }}\n\
         static void y(char[] v) {{ if (v[0] == 5) n++; }} static void y(Object v) {{ if (v instanceof String s && s.length() == 5) n++; }}\n\
         static void f(int which, int x, String s) {{ try {{ switch (which) {{\n{cases}}} }} catch (RuntimeException e) {{ n++; }} }} }}"
    );
    let folder = compile_text(&jdk, "T", &text);
    let program = program(&jdk, &folder.path().join("out"), "T", "f");
    let mut subject = JavaSubject::start(program, &jdk, xcute_java::Options { longest: 2, ..Default::default() }).unwrap();
    let results = search(&mut subject, &jdk, Options { runs: 300, ..Options::default() }).0;
    let names: BTreeSet<&str> = listed.iter().filter_map(|line| line.split('\t').next()).collect();
    let named: BTreeSet<&str> = results
        .limits
        .keys()
        .filter_map(|limit| limit.what.strip_prefix("java.lang."))
        // Of these some are not: characters beyond 16 bits, and digits to a base that an input decides.
        .filter(|what| !what.starts_with("Character of ") && !what.starts_with("Character.digit to "))
        .map(|what| what.split(' ').next().unwrap_or(what))
        .filter(|what| names.contains(what) && !IN_PART.contains(what))
        .collect();
    let expected: BTreeSet<&str> = NOT_FOLLOWED.iter().copied().filter(|name| names.contains(name)).collect();
    assert_eq!(named, expected, "{:?}", results.limits);
}
