//! A program, ready to be followed: its classes with events in them, and what a replay has to know of them.
//!
//! Preparing goes from folders and jars over the choice of what is followed ([`copies`]) and the pass over each method ([`follow`]) to the pack of
//! classes that a JVM loads. Everything happens before the first run.
//!
//! **Invariant.** A class that is to be followed and cannot be is an error with its reason, never left out.

pub(crate) mod body;
mod calls;
pub(crate) mod concurrent;
mod constraints;
mod copies;
mod desugar;
mod driver;
pub(crate) mod entry;
mod error;
pub(crate) mod follow;
pub(crate) mod functional;
mod handles;
pub(crate) mod hierarchy;
mod later;
pub(crate) mod left_out;
pub(crate) mod making;
mod mirror;
mod models;
pub(crate) mod names;
pub(crate) mod path;
pub(crate) mod plan;
mod publish;
mod resolve;
mod special;
pub(crate) mod spurious;
mod statics;
pub(crate) mod tables;
mod texts;
mod waits;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use xcute_classfile::opcode::{INVOKEINTERFACE, INVOKESTATIC, INVOKEVIRTUAL};
use xcute_classfile::{ClassError, ClassFile, Code, Signature, access};
use xcute_trace::Sites;

use crate::jvm::pack::{Group, Packed};
use crate::wire;
use body::{Method, MethodId};
use entry::source;
use follow::Follower;
use hierarchy::{ClassInfo, Hierarchy};
use left_out::LeftOut;
use path::ClassPath;
use plan::Plan;
use tables::{FieldInfo, Tables};

pub use error::ProgramError;
pub use plan::Checks;

/// What is to be tested.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Folders and jars with classes.
    pub path: Vec<PathBuf>,
    /// The class, as Java writes it: `com.acme.Foo`.
    pub class: String,
    /// The method: its name, with a descriptor where there are several.
    pub method: String,
    /// Checkers, and sequences of calls instead of one.
    pub checks: Checks,
}

/// A program that is ready.
#[derive(Debug)]
pub struct Program {
    pub(crate) plan: Plan,
    pub(crate) methods: Vec<Method>,
    pub(crate) fields: Vec<FieldInfo>,
    pub(crate) types: Vec<String>,
    pub(crate) sites: Sites,
    pub(crate) pack: Vec<Packed>,
    pub(crate) path: Vec<PathBuf>,
    /// What identifies the classes: a hash of the names and bytes of all.
    identity: String,
    /// Classes whose objects the JVM finalizes, when it likes.
    pub(crate) finalizers: Vec<String>,
    /// What the program prints goes nowhere else: it never replaces the standard streams.
    pub(crate) prints: bool,
    /// It can make threads that are followed.
    pub(crate) threads: bool,
    /// These can interrupt each other.
    pub(crate) interrupts: bool,
    /// They can interrupt or unpark each other.
    pub(crate) signals: bool,
    /// They can ask whether others live.
    pub(crate) lives: bool,
    /// It asks for several permits, or who waits.
    pub(crate) lines: bool,
    /// Methods that are too long to be followed.
    pub(crate) left_out: LeftOut,
    /// Asked at run time for what depends on the classes of objects.
    pub(crate) tables: Mutex<Tables>,
}

impl Program {
    /// Prepares a program.
    ///
    /// # Errors
    /// Where something cannot be read, found or followed.
    pub fn prepare(wanted: &Wanted, image: &Path) -> Result<Program, ProgramError> {
        let _phase = xcute_term::profile::phase("rewriting classes");
        let mut left_out = LeftOut::default();
        loop {
            let program = Program::without(&left_out, wanted, image)?;
            if program.left_out.len() == left_out.len() {
                return Ok(program);
            }
            left_out = program.left_out;
        }
    }

    /// Prepares a program; some of its methods are not followed. Where more are left out after it, it is not ready.
    fn without(left_out: &LeftOut, wanted: &Wanted, image: &Path) -> Result<Program, ProgramError> {
        let path = Arc::new(ClassPath::open(&wanted.path, image)?);
        let (mut own, mut hash) = (Vec::new(), Sha256::new());
        for name in path.program()? {
            let Some(bytes) = path.own(&name)? else { continue };
            hash.update(format!("{name} {}\n", bytes.len()));
            hash.update(&bytes);
            own.push(ClassFile::read(&bytes).map_err(ProgramError::class(&name))?);
        }
        bring_along(&mut own)?;
        let threads = own.iter().flat_map(copies::mentioned).any(|class| concurrent::is_about_threads(&class));
        for class in own.iter_mut().filter(|_| threads) {
            let name = class.name().to_owned();
            copies::by_elements(class).map_err(ProgramError::class(&name))?;
        }
        if threads {
            let made = handles::handles(&mut own).map_err(ProgramError::class(handles::VAR_HANDLE))?;
            own.extend(made);
        }
        let plan = resolve::plan(&own, wanted)?;
        for callee in plan.callees() {
            publish::publish(&mut own, callee).map_err(ProgramError::class(&callee.class))?;
        }
        let driver = driver::driver(&plan).map_err(ProgramError::class(entry::DRIVER))?;
        let mut classes = vec![(driver, Group::Driver)];
        if plan.makings().iter().any(|making| matches!(making, making::Making::Function(_))) {
            classes.extend(brought(&functional::CLASSES)?.into_iter().map(|class| (class, Group::Copies)));
        }
        if !plan.assumed().is_empty() {
            classes.extend(brought(&[constraints::CONSTRAINTS])?.into_iter().map(|class| (class, Group::Copies)));
        }
        let mut beside = Vec::new();
        for class in &mut own {
            let name = class.name().to_owned();
            beside.extend(desugar::desugar(class).map_err(ProgramError::class(&name))?);
        }
        let thread_classes = threads.then(|| later::ThreadClasses::of(&own));
        for class in own.iter_mut().chain(&mut beside) {
            let name = class.name().to_owned();
            texts::by_text(class, thread_classes.as_ref()).map_err(ProgramError::class(&name))?;
        }
        classes.extend(own.into_iter().chain(beside).map(|class| (class, Group::Program)));
        with_copies(&mut classes, &path, threads)?;
        classes.sort_by(|a, b| a.0.name().cmp(b.0.name()));
        left_out.check(&plan, &classes.iter().map(|(class, _)| class).collect::<Vec<_>>(), threads)?;
        let mut hierarchy = Hierarchy::new(path);
        for (class, _) in &classes {
            let info = ClassInfo::of(class, true).map_err(ProgramError::class(class.name()))?;
            hierarchy.put(class.name(), info);
        }
        let mut tables = Tables::new(hierarchy);
        let methods = number(&classes, &mut tables, left_out)?;
        let finalizers = methods.iter().filter(|m| m.name == "finalize" && m.descriptor == "()V").map(|m| m.class.clone()).collect();
        let mut program = Program {
            plan,
            methods,
            fields: Vec::new(),
            types: Vec::new(),
            sites: Sites::default(),
            pack: Vec::new(),
            path: wanted.path.clone(),
            identity: hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect(),
            finalizers,
            // Nobody knows what they call.
            prints: left_out.is_empty(),
            threads,
            interrupts: false,
            signals: false,
            lives: false,
            lines: false,
            left_out: left_out.clone(),
            tables: Mutex::new(tables),
        };
        program.follow(classes)?;
        Ok(program)
    }

    /// Puts events into all classes.
    fn follow(&mut self, classes: Vec<(ClassFile, Group)>) -> Result<(), ProgramError> {
        let tables = self.tables.get_mut().expect("nobody else has it yet");
        if self.threads {
            tables.add_schedule();
        }
        let seen = if self.threads {
            let own = classes.iter().filter(|(_, group)| *group == Group::Program).map(|(class, _)| class);
            let all: Vec<&ClassFile> = classes.iter().map(|(class, _)| class).collect();
            waits::Seen::of(own, &all).map_err(ProgramError::class(entry::DRIVER))?
        } else {
            waits::Seen::default()
        };
        let (mut next, mut first) = (0, 0);
        for (mut class, group) in classes {
            let name = class.name().to_owned();
            let file = source(&class);
            for number in 0..class.methods.len() {
                let Some(code) = Code::of(&class, &class.methods[number]).map_err(ProgramError::class(&name))? else { continue };
                if self.left_out.keep(&mut class, number, &code).map_err(ProgramError::class(&name))? {
                    continue;
                }
                let method = &mut self.methods[next];
                tables.begin(&name, &method.name, &file, group != Group::Program);
                let id = MethodId(u32::try_from(next).expect("few methods"));
                let (called, descriptor, access) = (method.name.as_str(), method.descriptor.as_str(), method.access);
                let threads = self.threads.then(|| u32::try_from(first).expect("fewer than 2^32 instructions"));
                let follower = Follower { class: &mut class, tables, id, name: called, descriptor, access, threads, seen: &seen };
                let (mut body, code) = match follower.follow(&code).map_err(ProgramError::class(&name)) {
                    Ok(followed) => followed,
                    // All of them are found before preparing starts again.
                    Err(error) if self.left_out.add(&error) => {
                        next += 1;
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                body.first = first;
                first += body.insns.len();
                let replaces = |c: &body::Call| c.class == "java/lang/System" && matches!(c.name.as_str(), "setOut" | "setErr");
                self.prints &= !body.calls.iter().any(replaces);
                let calls = |name: &str| body.calls.iter().any(|c| matches!(c.target, body::Target::Thread) && c.name == name);
                // A model only says again what it took note of.
                let interrupts = calls("interrupt") && !models::is_model(&name);
                self.interrupts |= interrupts;
                self.signals |= interrupts || calls("unpark");
                self.lives |= calls("isAlive");
                self.lines |= !models::is_model(&name) && body.calls.iter().any(concurrent::needs_lines);
                (method.body, method.file) = (body, file.clone());
                code.put(&mut class, number).map_err(ProgramError::class(&name))?;
                if self.threads {
                    // The runtime has its monitor.
                    class.methods[number].access &= !access::SYNCHRONIZED;
                }
                next += 1;
            }
            self.pack.push(Packed { group, name, bytes: class.write() });
        }
        self.fields.clone_from(&tables.fields);
        for field in &mut self.fields {
            field.settled = field.access & access::FINAL != 0 && models::is_model(&field.class) || models::is_private(&field.class);
        }
        self.types.clone_from(&tables.types);
        self.sites.sites = std::mem::take(&mut tables.sites);
        Ok(())
    }

    /// How many instructions all methods have.
    pub(crate) fn instructions(&self) -> usize {
        self.methods.last().map_or(0, |last| last.body.first + last.body.insns.len())
    }

    /// The method of an instruction, and its number there.
    pub(crate) fn number_at(&self, place: u32) -> Option<(MethodId, usize)> {
        let after = self.methods.partition_point(|method| method.body.first <= place as usize).checked_sub(1)?;
        Some((MethodId(u32::try_from(after).ok()?), place as usize - self.methods[after].body.first))
    }

    /// An instruction.
    pub(crate) fn instruction(&self, place: u32) -> Option<&body::Insn> {
        let (method, at) = self.number_at(place)?;
        self.method(method).body.insns.get(at)
    }

    pub(crate) fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.0 as usize]
    }

    /// The methods of one of the program's own classes, named as Java does.
    pub(crate) fn methods_of(&self, class: &str) -> &[Method] {
        let name = class.replace('.', "/");
        // They have the order of their classes, which is that of the names.
        let from = self.methods.partition_point(|method| method.class < name);
        let count = self.methods[from..].partition_point(|method| method.class == name);
        &self.methods[from..from + count]
    }

    /// The tables, for a moment.
    pub(crate) fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a class, named as Java does, is one of the program itself.
    pub(crate) fn is_own(&self, class: &str) -> bool {
        let name = class.replace('.', "/");
        let found = self.pack.binary_search_by(|packed| packed.name.as_str().cmp(&name)).ok();
        found.is_some_and(|at| self.pack[at].group == Group::Program)
    }

    /// The enum of the program whose constants are of a class: itself, or its superclass where constants have bodies.
    pub(crate) fn enum_of(&self, class: &str) -> Option<String> {
        if class.starts_with('[') || !self.is_own(class) {
            return None;
        }
        let ancestry = self.tables().hierarchy.ancestry(class);
        let at = ancestry.iter().position(|above| above == "java/lang/Enum")?;
        Some(ancestry[at.checked_sub(1)?].clone())
    }

    /// What an input is called: a parameter by its name.
    pub(crate) fn input_name(&self, ordinal: u32) -> String {
        let (ordinal, known) = (ordinal as usize, &self.plan.inputs);
        known.get(ordinal).map_or_else(|| format!("input{}", ordinal + 1 - known.len()), |input| input.1.clone())
    }

    /// What annotations of parameters say, and is assumed.
    #[must_use]
    pub fn assumed(&self) -> Vec<String> {
        self.plan.assumed()
    }

    /// The classes that parameters of the JDK's types are made by.
    #[must_use]
    pub fn made(&self) -> Vec<&'static str> {
        let mut made: Vec<&'static str> = self.plan.makings().into_iter().map(making::Making::bound).collect();
        made.dedup();
        made
    }

    /// An enum constant, as Java names it.
    pub(crate) fn constant(&self, class: &str, ordinal: u32) -> String {
        let mut tables = self.tables();
        let info = tables.hierarchy.get(class);
        let constant = info.fields.iter().filter(|field| field.access & access::ENUM != 0).nth(ordinal as usize);
        let name = constant.map_or_else(|| format!("values()[{ordinal}]"), |constant| constant.name.clone());
        format!("{}.{name}", names::readable(class).replace('$', "."))
    }

    /// The type of a parameter that is an input.
    pub(crate) fn input_type(&self, ordinal: u32) -> String {
        self.plan.inputs.get(ordinal as usize).map_or("Ljava/lang/Object;", |input| &input.0).to_owned()
    }

    /// The lines of the program's own methods, each with the instructions that belong to it, as [`JavaSubject::ran`](crate::JavaSubject::ran) counts them.
    pub fn lines(&self) -> impl Iterator<Item = CodeLine<'_>> {
        let own = self.methods.iter().filter(|method| self.is_own(&method.class) && !method.file.is_empty() && !is_made(method));
        own.flat_map(|method| {
            let function = format!("{}.{}", names::readable(&method.class).replace('$', "."), method.name);
            let (body, entry) = (&method.body, &self.plan.entry);
            let tested = (&method.class, &method.name, &method.descriptor) == (&entry.class, &entry.name, &entry.descriptor);
            body.insns.iter().enumerate().map(move |(at, insn)| CodeLine {
                file: &method.file,
                function: function.clone(),
                line: body.line(insn.pc),
                instruction: body.first + at,
                tested,
            })
        })
    }

    /// The class and method under test, as the source names them.
    #[must_use]
    pub fn name(&self) -> String {
        self.plan.title()
    }

    /// What identifies the classes: SHA-256 of the names and bytes of all that were given.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Whether it can have threads that are followed.
    #[must_use]
    pub fn has_threads(&self) -> bool {
        self.threads
    }

    /// Where an instruction stands in the original class. `None` where no original has it: it was made, or is a model's.
    pub(crate) fn original(&self, id: MethodId, at: usize) -> Option<Place> {
        self.originals(id, &self.original_class(id)?, &[at])?.pop()
    }

    /// The original class of a method.
    pub(crate) fn original_class(&self, id: MethodId) -> Option<ClassFile> {
        let method = self.method(id);
        let theirs = is_made(method) || models::is_model(&method.class);
        if theirs { None } else { self.tables().hierarchy.original(names::original(&method.class)) }
    }

    /// Where instructions of a method stand in its original class. `None` where one of them is not there.
    pub(crate) fn originals(&self, id: MethodId, file: &ClassFile, at: &[usize]) -> Option<Vec<Place>> {
        let method = self.method(id);
        let (class, descriptor) = (names::original(&method.class), method.descriptor.replace(names::COPIES, ""));
        let found = file.methods.iter().find(|m| file.name_of(m) == Ok((&method.name, &descriptor)))?;
        let code = Code::of(file, found).ok()??;
        let instructions = xcute_classfile::decode(&code.bytes).ok()?;
        // What is desugared takes the place of one instruction; a call through a handle, or of a model, becomes one of a static method.
        let stands = |op: u8, original: u8| op == original || op == INVOKESTATIC && [INVOKEVIRTUAL, INVOKEINTERFACE].contains(&original);
        let print = wire::fingerprint(&code.bytes);
        let place = |&at: &usize| {
            let instruction = instructions.get(at).filter(|i| method.body.insns.get(at).is_some_and(|insn| stands(insn.op, i.opcode)))?;
            let (class, method, descriptor) = (class.to_owned(), method.name.clone(), descriptor.clone());
            Some(Place { class, method, descriptor, position: instruction.pc, code: print })
        };
        at.iter().map(place).collect()
    }

    /// Whether a method is one of a model.
    pub(crate) fn is_model(&self, id: MethodId) -> bool {
        models::is_model(&self.method(id).class)
    }

    /// Whether a method does what one instruction of the original does: it copies elements in place of `System.arraycopy`, or calls a handle.
    pub(crate) fn is_one_instruction(&self, id: MethodId) -> bool {
        let method = self.method(id);
        let class = names::original(&method.class).split('$').next().unwrap_or_default();
        class == copies::COPY || class == handles::VAR_HANDLE || handles::is_made(method)
    }

    /// The sites of the program.
    #[must_use]
    pub fn sites(&self) -> &Sites {
        &self.sites
    }
}

/// Whether a method is one of xcute's own, or of its classes for inputs.
pub(crate) fn is_made(method: &Method) -> bool {
    method.name.starts_with("xcute$") || method.class.contains("$xcute$") || crate::api::class(&method.class).is_some()
}

/// An instruction of an original class.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The class, in internal form.
    pub class: String,
    /// The method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The position in its code.
    pub position: u32,
    /// The fingerprint of the code; 0 in cases that were written before there was one.
    #[serde(default)]
    pub code: u64,
}

/// An instruction of a source line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLine<'a> {
    /// The source file, with the folders of its package.
    pub file: &'a str,
    /// The method.
    pub function: String,
    /// The line; 0 where the class does not say.
    pub line: u32,
    /// The number of the instruction.
    pub instruction: usize,
    /// It is one of the method under test.
    pub tested: bool,
}

/// Adds the classes by which a program takes inputs, where it uses them and does not have them.
fn bring_along(classes: &mut Vec<ClassFile>) -> Result<(), ProgramError> {
    let mut next = 0;
    while next < classes.len() {
        for name in copies::mentioned(&classes[next]) {
            if let Some(bytes) = crate::api::class(&name)
                && !classes.iter().any(|class| class.name() == name)
            {
                classes.push(ClassFile::read(bytes).map_err(ProgramError::class(&name))?);
            }
        }
        next += 1;
    }
    Ok(())
}

/// Classes that the driver calls.
fn brought(names: &[&str]) -> Result<Vec<ClassFile>, ProgramError> {
    let mut all = Vec::new();
    for &name in names {
        let bytes = crate::api::class(name).expect("the build carries it");
        let mut class = ClassFile::read(bytes).map_err(ProgramError::class(name))?;
        let beside = desugar::desugar(&mut class).map_err(ProgramError::class(name))?;
        all.extend(std::iter::once(class).chain(beside));
    }
    Ok(all)
}

/// Adds copies of the classes of the JDK that the program uses, and makes everything refer to them.
fn with_copies(classes: &mut Vec<(ClassFile, Group)>, path: &Arc<ClassPath>, threads: bool) -> Result<(), ProgramError> {
    let mut hierarchy = Hierarchy::new(Arc::clone(path));
    let mut copier = copies::Copier::new(&mut hierarchy, path, threads);
    let program: Vec<&ClassFile> = classes.iter().map(|(class, _)| class).collect();
    let chosen = copier.choose(&program)?;
    let mut made = Vec::new();
    for name in chosen.copies.iter().chain(&chosen.mirrors) {
        let Some(class) = copier.file(name)? else { continue };
        let mirrored = chosen.mirrors.contains(name);
        let mut class = if mirrored { mirror::mirror(class).map_err(ProgramError::class(name))? } else { class.clone() };
        let beside = desugar::desugar(&mut class).map_err(ProgramError::class(name))?;
        made.push(class);
        made.extend(beside);
    }
    // What desugaring puts beside a copy belongs to the copies as well. Mirrors have their names already.
    let copies = made.iter().map(|class| class.name().to_owned()).filter(|name| !name.starts_with(names::COPIES)).collect();
    let mut groups: Vec<Group> = classes.iter().map(|(_, group)| *group).collect();
    groups.resize(classes.len() + made.len(), Group::Copies);
    let mut all: Vec<ClassFile> = classes.drain(..).map(|(class, _)| class).chain(made).collect();
    for class in &mut all {
        let name = class.name().to_owned();
        mirror::call_mirrors(class, &chosen.mirrors, &mut hierarchy).map_err(ProgramError::class(&name))?;
        copies::renamed(class, &copies)?;
    }
    let mut hierarchy = Hierarchy::new(Arc::clone(path));
    for class in &all {
        hierarchy.put(class.name(), ClassInfo::of(class, true).map_err(ProgramError::class(class.name()))?);
    }
    mirror::inherit(&mut all, &chosen.mirrors, &mut hierarchy).map_err(ProgramError::class("a copy"))?;
    classes.extend(all.into_iter().zip(groups));
    Ok(())
}

/// Numbers all methods that have code.
fn number(classes: &[(ClassFile, Group)], tables: &mut Tables, left_out: &LeftOut) -> Result<Vec<Method>, ProgramError> {
    let mut methods = Vec::new();
    for (class, _) in classes {
        for member in &class.methods {
            let found = described(class, member).map_err(ProgramError::class(class.name()))?;
            if let Some(method) = found.filter(|method| !left_out.has(&method.class, &method.name, &method.descriptor)) {
                let id = MethodId(u32::try_from(methods.len()).expect("few methods"));
                tables.put_method(class.name(), &method.name, &method.descriptor, id);
                methods.push(method);
            }
        }
    }
    Ok(methods)
}

fn described(class: &ClassFile, member: &xcute_classfile::Member) -> Result<Option<Method>, ClassError> {
    if class.find(&member.attributes, "Code").is_none() {
        return Ok(None);
    }
    let (name, descriptor) = class.name_of(member)?;
    let signature = Signature::parse(descriptor)?;
    Ok(Some(Method {
        class: class.name().to_owned(),
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
        access: member.access,
        parameters: signature.kinds().collect(),
        body: body::Body::default(),
        file: String::new(),
    }))
}
