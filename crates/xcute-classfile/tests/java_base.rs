//! The classes of the installed JDK's `java.base` are read and written back, then rewritten at every instruction, and the JVM's own verifier
//! is asked what it thinks of the result. All of them but those with which a JVM boots: each test takes every eighth one.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly, and print what they are asked for")]

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use xcute_classfile::jimage::Jimage;
use xcute_classfile::opcode::*;
use xcute_classfile::rewrite::{CatchAll, Edit, Edits, rewrite};
use xcute_classfile::{ClassFile, Code, Constant, decode, flow};

fn home() -> PathBuf {
    let java = std::env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin/java")).unwrap_or_else(|| PathBuf::from("java"));
    let output = Command::new(java).args(["-XshowSettings:properties", "-version"]).output().expect("a JDK is installed");
    let text = String::from_utf8_lossy(&output.stderr);
    let home = text.lines().find_map(|line| line.trim().strip_prefix("java.home = ")).expect("java tells its home");
    PathBuf::from(home)
}

/// Inserts code before and after every instruction, a prologue and a handler.
fn everywhere(class: &mut ClassFile) {
    let long = class.pool.add(Constant::Long(0x1234_5678_9abc)).unwrap().to_be_bytes();
    for number in 0..class.methods.len() {
        let Some(code) = Code::of(class, &class.methods[number]).unwrap() else { continue };
        let (name, descriptor) = class.name_of(&class.methods[number]).unwrap();
        let (name, constructor) = (format!("{}.{name}{descriptor}", class.name()), name == "<init>");
        let instructions = decode(&code.bytes).unwrap();
        let states = flow::analyse(class, constructor, &code, &instructions).unwrap();
        let whole = |number: usize| !constructor || states[number].as_ref().is_some_and(|state| state.locals[0] != flow::Place::This);
        let mut ranges = Vec::new();
        for (number, instruction) in instructions.iter().enumerate().filter(|(number, _)| whole(*number)) {
            let _ = number;
            match ranges.last_mut() {
                Some((_, end)) if *end == instruction.pc => *end += instruction.length,
                _ => ranges.push((instruction.pc, instruction.pc + instruction.length)),
            }
        }
        let edit = |number| {
            let before = vec![LDC2_W, long[0], long[1], POP2];
            (number, Edit { before, instead: None, after: vec![ACONST_NULL, POP] })
        };
        let edits = Edits {
            prologue: vec![ICONST_0, POP],
            edits: (0..instructions.len()).map(edit).collect(),
            catch_all: Some(CatchAll { code: vec![DUP, POP, ATHROW], ranges }),
            stack: 2,
        };
        match rewrite(class, &name, &code, &instructions, &edits) {
            Ok(code) => code.put(class, number).unwrap(),
            Err(xcute_classfile::ClassError::TooLong { .. }) => println!("too long: {name}"),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Loads and links each class of a list under the verifier; `getDeclaredMethods` links a class and does not initialise it.
const LOADER: &str = "
import java.nio.file.*;
class LoadAll {
    public static void main(String[] arguments) throws Exception {
        int linked = 0, absent = 0;
        for (String name : Files.readAllLines(Path.of(arguments[0]))) {
            try {
                Class.forName(name.replace('/', '.'), false, null).getDeclaredMethods();
                linked++;
            } catch (NoClassDefFoundError | ClassNotFoundException e) {
                absent++;
            } catch (Throwable t) {
                System.out.println(name + \": \" + t);
            }
        }
        System.out.println(linked + \" linked, \" + absent + \" absent\");
    }
}";

/// Whether the JVM boots with this class, before a changed one can be tolerated.
fn is_primordial(name: &str) -> bool {
    let package = name.rsplit_once('/').map_or("", |(package, _)| package);
    matches!(package, "java/lang" | "java/lang/ref" | "java/lang/invoke")
}

/// Tests that share the classes.
const SHARES: usize = 8;

macro_rules! shares {
    ($($name:ident $share:literal),*) => {
        $(
            #[test]
            fn $name() {
                are_verified($share);
            }
        )*

        #[test]
        fn all_classes_are_in_a_share() {
            assert_eq!([$($share),*], std::array::from_fn::<usize, SHARES, _>(|share| share));
        }
    };
}

shares!(
    first_eighth_of_java_base 0,
    second_eighth_of_java_base 1,
    third_eighth_of_java_base 2,
    fourth_eighth_of_java_base 3,
    fifth_eighth_of_java_base 4,
    sixth_eighth_of_java_base 5,
    seventh_eighth_of_java_base 6,
    last_eighth_of_java_base 7
);

/// Whether the classes of a share are rewritten everywhere and verified.
fn are_verified(share: usize) {
    let home = home();
    let image = Jimage::open(&home.join("lib/modules")).unwrap();
    let names = image.classes("java.base");
    assert!(names.len() > 5000, "{} classes", names.len());
    let folder = tempfile::tempdir().unwrap();
    let (out, began) = (folder.path().join("base"), Instant::now());
    let mut list = String::new();
    for name in names.iter().filter(|name| !name.ends_with("-info") && !is_primordial(name)).skip(share).step_by(SHARES) {
        let bytes = image.class(name).unwrap().expect("it is listed");
        let mut class = ClassFile::read(&bytes).unwrap();
        assert!(class.write() == bytes, "{name} is written as it was read");
        everywhere(&mut class);
        let file = out.join(format!("{name}.class"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, class.write()).unwrap();
        list += &format!("{name}\n");
    }
    println!("{} classes in {:?}", list.lines().count(), began.elapsed());
    let (classes, source) = (folder.path().join("list"), folder.path().join("LoadAll.java"));
    std::fs::write(&classes, &list).unwrap();
    std::fs::write(&source, LOADER).unwrap();
    assert!(Command::new(home.join("bin/javac")).arg("-d").arg(folder.path()).arg(&source).status().unwrap().success());
    let mut java = Command::new(home.join("bin/java"));
    java.args(["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal", "-XX:+BytecodeVerificationRemote", "-Xshare:off"]);
    java.args(["-XX:TieredStopAtLevel=1", "-Xlog:disable", "--patch-module"]).arg(format!("java.base={}", out.display()));
    let output = java.arg("-cp").arg(folder.path()).arg("LoadAll").arg(&classes).output().unwrap();
    let (said, complaint) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{said}");
    let last = said.lines().last().unwrap_or_default();
    let linked: usize = last.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0);
    assert!(output.status.success() && said.lines().count() == 1, "{said}\n{complaint}");
    assert!(linked * 100 >= list.lines().count() * 99, "{last}");
}
