//! Copies of classes of the JDK: which ones there are, under names of their own, so that they can be followed.
//!
//! jCUTE had a hand-made package `instrumented.java.util`; here copies are made of whatever the program uses of it, from the very JDK that runs. Interfaces,
//! exceptions and `java.lang` stay the JDK's, so that copies can be passed to code that is not followed, and the JVM's own collections are not touched.
//!
//! A class that a method of the JDK takes or returns under its own name cannot be a copy. Nor can one that needs what such a class does not show to others.
//!
//! **Invariant.** What is copied follows from the program and the JDK alone.

use std::collections::{BTreeMap, BTreeSet};

use xcute_classfile::assemble::Assembler;
use xcute_classfile::opcode::*;
use xcute_classfile::rewrite::{Edit, Edits, rewrite};
use xcute_classfile::{ClassError, ClassFile, Code, Constant, Signature, access, decode, descriptor, rename};

use super::error::ProgramError;
use super::hierarchy::Hierarchy;
use super::models::{self, model};
use super::path::ClassPath;
use super::{concurrent, later, mirror, names, texts};

/// Packages whose classes are copied.
const PACKAGES: [&str; 8] = [
    "java/math/",
    "java/time/",
    "java/time/chrono/",
    "java/time/format/",
    "java/time/temporal/",
    "java/time/zone/",
    "java/util/",
    "java/util/regex/",
];

/// Those of them whose interfaces are copied, too, and all or none.
const WHOLE: &str = "java/time/";

/// One that is copied where the program itself mentions it: collections do.
const STREAMS: &str = "java/util/stream/";

/// Single classes that are copied.
const CLASSES: [&str; 2] = ["jdk/internal/util/Preconditions", "jdk/internal/util/ArraysSupport"];

/// Classes that are part of the JVM's own working, or reach into its natives.
const LEFT_ALONE: [&str; 19] = [
    "Locale",
    "ResourceBundle",
    "ServiceLoader",
    "Currency",
    "TimeZone",
    "SimpleTimeZone",
    "Calendar",
    "GregorianCalendar",
    "JapaneseImperialCalendar",
    "Date",
    "Formatter",
    "Scanner",
    "Properties",
    "Timer",
    "TimerTask",
    "UUID",
    "PropertyResourceBundle",
    "ListResourceBundle",
    "Observable",
];

/// Classes of `java.util.concurrent` that are copied in programs with threads: they work with locks and atomics that have models.
const CONCURRENT: [&str; 10] = [
    "AbstractExecutorService",
    "ArrayBlockingQueue",
    "CompletionStage",
    "CopyOnWriteArrayList",
    "CopyOnWriteArraySet",
    "DelayQueue",
    "ExecutorCompletionService",
    "Helpers",
    "LinkedBlockingDeque",
    "LinkedBlockingQueue",
];

/// Whether a class may be copied, by its name alone.
fn may_be_copied(name: &str) -> bool {
    if CLASSES.contains(&name.split('$').next().unwrap_or(name)) {
        return true;
    }
    let Some(simple) = PACKAGES.iter().filter_map(|package| name.strip_prefix(package)).find(|simple| !simple.contains('/')) else {
        return false;
    };
    !LEFT_ALONE.contains(&simple.split('$').next().unwrap_or(simple))
}

fn is_concurrent(name: &str) -> bool {
    let simple = name.strip_prefix("java/util/concurrent/").unwrap_or("/");
    CONCURRENT.contains(&simple.split('$').next().unwrap_or(simple))
}

/// What is copied, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Chosen {
    pub(super) copies: BTreeSet<String>,
    /// Interfaces whose default and static methods are followed.
    pub(super) mirrors: BTreeSet<String>,
}

/// Finds out what is copied.
pub(super) struct Copier<'a> {
    hierarchy: &'a mut Hierarchy,
    path: &'a ClassPath,
    files: BTreeMap<String, Option<ClassFile>>,
    /// Classes that cannot be copied after all.
    excluded: BTreeSet<String>,
    /// One class of those that are copied together cannot be.
    parted: bool,
    /// The program has threads.
    threads: bool,
    /// It uses streams.
    streams: bool,
    /// The names of the program's classes, those that were made for it included.
    own: BTreeSet<String>,
}

impl<'a> Copier<'a> {
    pub(super) fn new(hierarchy: &'a mut Hierarchy, path: &'a ClassPath, threads: bool) -> Copier<'a> {
        Copier {
            hierarchy,
            path,
            files: BTreeMap::new(),
            excluded: BTreeSet::new(),
            parted: false,
            threads,
            streams: false,
            own: BTreeSet::new(),
        }
    }

    /// The names of all classes to copy for a program, and of all interfaces to mirror.
    pub(super) fn choose(&mut self, program: &[&ClassFile]) -> Result<Chosen, ProgramError> {
        self.own = program.iter().map(|class| class.name().to_owned()).collect();
        self.streams = program.iter().any(|class| mentioned(class).iter().any(|name| name.starts_with(STREAMS)));
        loop {
            let chosen = self.reachable(program)?;
            let before = self.excluded.len();
            let made: Vec<ClassFile> = chosen.copies.iter().chain(&chosen.mirrors).filter_map(|name| self.files[name].clone()).collect();
            for class in program.iter().copied().chain(&made) {
                self.conflicts(class, &chosen.copies)?;
            }
            // Its classes ask each other what they are: a copy would not be what an original expects.
            self.parted |= self.excluded.iter().any(|name| name.starts_with(WHOLE));
            if self.excluded.len() == before {
                return Ok(chosen);
            }
        }
    }

    /// A class of the JDK.
    pub(super) fn file(&mut self, name: &str) -> Result<Option<&ClassFile>, ProgramError> {
        if !self.files.contains_key(name) {
            let bytes = match model(name).filter(|_| self.threads || !models::is_for_threads(name)) {
                Some(model) => Some(model.to_vec()),
                None => self.path.of_jdk(name)?,
            };
            let mut class = bytes.map(|bytes| ClassFile::read(&bytes)).transpose().map_err(ProgramError::class(name))?;
            if let Some(class) = &mut class {
                let none = self.threads.then(later::ThreadClasses::default);
                adapted(class).and_then(|()| texts::by_text(class, none.as_ref())).map_err(ProgramError::class(name))?;
                if self.threads {
                    by_elements(class).map_err(ProgramError::class(name))?;
                }
            }
            self.files.insert(name.to_owned(), class);
        }
        Ok(self.files[name].as_ref())
    }

    fn is_copied(&mut self, name: &str) -> Result<bool, ProgramError> {
        let may = may_be_copied(name)
            || self.streams && name.starts_with(STREAMS)
            || self.threads && is_concurrent(name)
            || model(name).is_some() && (self.threads || !models::is_for_threads(name));
        if !may || self.excluded.contains(name) || self.parted && name.starts_with(WHOLE) {
            return Ok(false);
        }
        let Some(class) = self.file(name)? else { return Ok(false) };
        // Interfaces that others can see stay what they are; but for those that mention classes of ours.
        let ours = name == "java/util/concurrent/CompletionStage" || name.starts_with(WHOLE);
        let shown = class.is_interface() && class.access & access::PUBLIC != 0 && !ours;
        if shown && self.is_outside_public(name)? {
            return Ok(false);
        }
        Ok(!self.hierarchy.is_subclass(name, "java/lang/Throwable"))
    }

    /// Whether the outermost class that a class stands in is public.
    fn is_outside_public(&mut self, name: &str) -> Result<bool, ProgramError> {
        let Some((outer, _)) = name.split_once('$') else { return Ok(true) };
        Ok(self.file(outer)?.is_none_or(|outer| outer.access & access::PUBLIC != 0))
    }

    /// Whether an interface is mirrored.
    fn is_mirrored(&mut self, name: &str) -> Result<bool, ProgramError> {
        let may = mirror::may_be_mirrored(name) || self.streams && name.starts_with(STREAMS);
        if !may {
            return Ok(false);
        }
        let class = self.file(name)?;
        Ok(class.is_some_and(|class| class.is_interface() && class.access & access::PUBLIC != 0 && mirror::has_code(class)))
    }

    /// What the program leads to, through copies and mirrors.
    fn reachable(&mut self, program: &[&ClassFile]) -> Result<Chosen, ProgramError> {
        let mut chosen = Chosen::default();
        let mut open: Vec<String> = Vec::new();
        for class in program {
            open.extend(mentioned(class));
        }
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            let list = if self.is_copied(&name)? {
                &mut chosen.copies
            } else if self.is_mirrored(&name)? {
                &mut chosen.mirrors
            } else {
                continue;
            };
            list.insert(name.clone());
            if let Some(class) = self.file(&name)? {
                open.extend(mentioned(class));
            }
        }
        Ok(chosen)
    }

    /// Excludes what cannot be copied because of a class: names in signatures of methods that are not copied; and the class itself, if it needs what
    /// a class that is not copied shows to its own package only.
    fn conflicts(&mut self, class: &ClassFile, chosen: &BTreeSet<String>) -> Result<(), ProgramError> {
        let own = class.name().to_owned();
        if self.own.contains(&own) {
            self.above_others(class, chosen);
        }
        for (_, constant) in class.pool.iter() {
            let (Constant::Field(owner, named) | Constant::Method(owner, named) | Constant::InterfaceMethod(owner, named)) = *constant
            else {
                continue;
            };
            let wrong = ProgramError::class(&own);
            let found = class.pool.class(owner).and_then(|owner| Ok((owner, class.pool.name_and_type(named)?)));
            let (owner, (name, text)) = found.map_err(wrong)?;
            let (owner, name, text) = (owner.to_owned(), name.to_owned(), text.to_owned());
            if chosen.contains(&owner) && model(&owner).is_some_and(|_| !self.has(&owner, &name, &text)) {
                // The model lacks it. One that waits is followed nevertheless, as long as nobody calls that.
                if !self.complete(&owner, &name, &text)? {
                    self.excluded.insert(owner);
                }
                continue;
            }
            if chosen.contains(&owner) || owner.starts_with('[') {
                continue;
            }
            // What the program itself declares follows the renaming.
            let in_program = self.own.contains(&owner);
            if !in_program {
                for mentioned in in_type(&text) {
                    if chosen.contains(&mentioned) {
                        self.excluded.insert(mentioned);
                    }
                }
            }
            if chosen.contains(&own) && !self.is_visible(&owner, &name, &text) {
                self.excluded.insert(own.clone());
            }
        }
        let superclass = class.superclass().map_err(ProgramError::class(&own))?.map(str::to_owned);
        if let Some(superclass) = superclass.filter(|_| chosen.contains(&own))
            && !chosen.contains(&superclass)
            && self.hierarchy.get(&superclass).access & access::PUBLIC == 0
        {
            self.excluded.insert(own);
        }
        Ok(())
    }

    /// Excludes the superclasses of what the program uses and is not copied: it would not be one of their copies.
    fn above_others(&mut self, class: &ClassFile, chosen: &BTreeSet<String>) {
        for name in mentioned(class) {
            if !chosen.contains(&name) && !self.own.contains(&name) && name.starts_with("java/") {
                let above = self.hierarchy.ancestry(&name);
                self.excluded.extend(above.into_iter().filter(|class| chosen.contains(class)));
            }
        }
    }

    /// Adds a method to a model that lacks it; whether that is possible.
    fn complete(&mut self, owner: &str, name: &str, text: &str) -> Result<bool, ProgramError> {
        let declared = self.hierarchy.resolve(owner, name, text).map(|declared| declared.access);
        let Some(access) = declared.filter(|_| concurrent::waits(owner) && name != "<init>" && text.starts_with('(')) else {
            return Ok(false);
        };
        let Some(file) = self.files.get_mut(owner).and_then(Option::as_mut) else { return Ok(false) };
        let mut add = || {
            let body = concurrent::lacking(&mut file.pool, &format!("{}.{name}", owner.replace('/', ".")))?;
            let kept = access & (access::PUBLIC | access::PROTECTED | access::STATIC);
            file.add_method(kept, name, text, body)
        };
        add().map_err(ProgramError::class(owner))?;
        Ok(true)
    }

    /// Whether a model has a member, or inherits it.
    fn has(&mut self, class: &str, name: &str, text: &str) -> bool {
        let Some(file) = self.files.get(class).and_then(Option::as_ref) else { return false };
        let own = |member: &xcute_classfile::Member| file.name_of(member) == Ok((name, text));
        if file.methods.iter().chain(&file.fields).any(own) {
            return true;
        }
        let above = file.superclass().ok().flatten().filter(|_| name != "<init>").map(str::to_owned);
        above.is_some_and(|above| match model(&above) {
            Some(_) => self.has(&above, name, text),
            None => self.hierarchy.resolve(&above, name, text).is_some(),
        })
    }

    /// Whether a member can be used from another package.
    fn is_visible(&mut self, class: &str, name: &str, text: &str) -> bool {
        if matches!(class, concurrent::RUNTIME | concurrent::LOCKS) {
            return true;
        }
        let open = access::PUBLIC | access::PROTECTED;
        if self.hierarchy.get(class).access & access::PUBLIC == 0 {
            return false;
        }
        let found = if text.starts_with('(') {
            self.hierarchy.resolve(class, name, text).map(|m| m.access)
        } else {
            self.hierarchy.field(class, name, text).map(|f| f.1)
        };
        found.is_none_or(|access| access & open != 0)
    }
}

/// Changes what would not do in a copy.
fn adapted(class: &mut ClassFile) -> Result<(), ClassError> {
    match class.name() {
        "jdk/internal/util/ArraysSupport" => without_vectors(class),
        "java/math/BigInteger" => instead_of(class, ("java/util/concurrent/ThreadLocalRandom", "current"), RANDOM),
        "java/time/ZoneId" => instead_of(class, ("java/util/TimeZone", "toZoneId"), ZONE),
        "java/util/ImmutableCollections" => without_clock(class),
        "java/util/StringJoiner" => instead_of(class, ("jdk/internal/access/JavaLangAccess", "join"), JOINED),
        "java/util/stream/AbstractPipeline" => in_turn(class),
        "java/util/stream/ReferencePipeline" => {
            instead_of(class, ("jdk/internal/access/JavaUtilCollectionAccess", "listFromTrustedArrayNullsAllowed"), LISTED)
        }
        _ => Ok(()),
    }
}

/// Random numbers of an ordinary generator: that of a thread is not copied, so it would not be one of the copies of its superclass.
const RANDOM: (&str, &str, &str) = ("java/util/XcuteRandom", "current", "()Ljava/util/Random;");

/// The time zone of the JVM, as one of the copies.
const ZONE: (&str, &str, &str) = ("java/util/XcuteZone", "of", "(Ljava/util/TimeZone;)Ljava/time/ZoneId;");

/// What the JDK's classes show each other, written in Java: a text of parts, and a list of an array that nobody else has.
const JOINED: (&str, &str, &str) = (
    "java/util/XcuteText",
    "joined",
    "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;I)Ljava/lang/String;",
);
const LISTED: (&str, &str, &str) = ("java/util/XcuteStreams", "list", "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/util/List;");

/// Calls another method, which is static: the receiver is its first argument.
fn instead_of(class: &mut ClassFile, old: (&str, &str), (owner, name, descriptor): (&str, &str, &str)) -> Result<(), ClassError> {
    let mut replaced = BTreeSet::new();
    for number in 0..class.methods.len() {
        let Some(code) = Code::of(class, &class.methods[number])? else { continue };
        let instructions = decode(&code.bytes)?;
        let mut edits = Edits::default();
        for (index, instruction) in instructions.iter().enumerate().filter(|(_, i)| matches!(i.opcode, INVOKEVIRTUAL..=INVOKEINTERFACE)) {
            let member = class.pool.member(instruction.constant().unwrap_or(0))?;
            if (member.class, member.name) == old {
                let mut call = Assembler::new();
                call.call_static(&mut class.pool, owner, name, descriptor)?;
                edits.edits.push((index, Edit { instead: Some(call.finish()), ..Edit::default() }));
                replaced.extend(instruction.constant());
            }
        }
        if !edits.edits.is_empty() {
            rewrite(class, "", &code, &instructions, &edits)?.put(class, number)?;
        }
    }
    // Nothing is to look as if the other one were still called.
    for constant in replaced {
        let (owner, what) = (class.pool.add_class(owner)?, class.pool.add_name_and_type(name, descriptor)?);
        class.pool.put(constant, Constant::Method(owner, what));
    }
    Ok(())
}

/// What copies elements one by one.
pub(super) const COPY: &str = "java/util/concurrent/XcuteCopy";

/// Lets `System.arraycopy` copy element by element, for programs with threads.
pub(super) fn by_elements(class: &mut ClassFile) -> Result<(), ClassError> {
    if class.name() == COPY {
        return Ok(());
    }
    let copies = |(index, constant): (u16, &Constant)| match constant {
        Constant::Method(_, what) if class.pool.member(index).is_ok_and(|m| (m.class, m.name) == ("java/lang/System", "arraycopy")) => {
            Some((index, *what))
        }
        _ => None,
    };
    let found = class.pool.iter().find_map(copies);
    if let Some((index, what)) = found {
        let copy = class.pool.add_class(COPY)?;
        class.pool.put(index, Constant::Method(copy, what));
    }
    Ok(())
}

/// Lets arrays be compared element by element: the method that compares many at once, by addresses, says that it has compared none.
fn without_vectors(class: &mut ClassFile) -> Result<(), ClassError> {
    for number in 0..class.methods.len() {
        let (name, descriptor) = class.name_of(&class.methods[number])?;
        if (name, descriptor) == ("vectorizedMismatch", "(Ljava/lang/Object;JLjava/lang/Object;JII)I") {
            // The complement of how many are left: all.
            let mut code = Assembler::new();
            code.local(ILOAD, 6).op(ICONST_M1).op(IXOR).op(IRETURN);
            Code { max_stack: 2, max_locals: 8, bytes: code.finish(), ..Code::default() }.put(class, number)?;
        }
    }
    Ok(())
}

/// Lets streams do one thing after the other: a stream says that it is not parallel, where one that is names a limit.
fn in_turn(class: &mut ClassFile) -> Result<(), ClassError> {
    for number in 0..class.methods.len() {
        let Some(code) = Code::of(class, &class.methods[number])? else { continue };
        if class.name_of(&class.methods[number])? != ("isParallel", "()Z") {
            continue;
        }
        let instructions = decode(&code.bytes)?;
        let mut edits = Edits::default();
        for (index, _) in instructions.iter().enumerate().filter(|(_, i)| i.opcode == IRETURN) {
            let mut call = Assembler::new();
            call.call_static(&mut class.pool, "java/util/XcuteStreams", "isParallel", "(Z)Z")?;
            edits.edits.push((index, Edit { before: call.finish(), ..Edit::default() }));
        }
        rewrite(class, "", &code, &instructions, &edits)?.put(class, number)?;
    }
    Ok(())
}

/// The order of `Set.of` and `Map.of` is another one in every JVM; here it is the same in every run.
fn without_clock(class: &mut ClassFile) -> Result<(), ClassError> {
    for number in 0..class.methods.len() {
        let Some(code) = Code::of(class, &class.methods[number])? else { continue };
        let instructions = decode(&code.bytes)?;
        let mut edits = Edits::default();
        for (index, instruction) in instructions.iter().enumerate().filter(|(_, i)| i.opcode == INVOKESTATIC) {
            let member = class.pool.member(instruction.constant().unwrap_or(0))?;
            if (member.class, member.name) == ("java/lang/System", "nanoTime") {
                edits.edits.push((index, Edit { instead: Some(vec![LCONST_0]), ..Edit::default() }));
            }
        }
        rewrite(class, "", &code, &instructions, &edits)?.put(class, number)?;
    }
    Ok(())
}

/// All classes that a class mentions.
pub(super) fn mentioned(class: &ClassFile) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (_, constant) in class.pool.iter() {
        let text = match constant {
            Constant::Class(name) => match class.pool.utf8(*name) {
                Ok(name) if !name.starts_with('[') => {
                    names.insert(name.to_owned());
                    continue;
                }
                found => found,
            },
            Constant::NameAndType(_, text) | Constant::MethodType(text) => class.pool.utf8(*text),
            _ => continue,
        };
        names.extend(text.map(in_type).unwrap_or_default());
    }
    for member in class.fields.iter().chain(&class.methods) {
        names.extend(class.pool.utf8(member.descriptor).map(in_type).unwrap_or_default());
    }
    names
}

/// The classes in a descriptor.
fn in_type(text: &str) -> Vec<String> {
    let element = |part: &str| descriptor::class_of(part.trim_start_matches('[')).map(str::to_owned);
    match Signature::parse(text) {
        Ok(signature) => signature.parameters.iter().chain([&signature.result]).filter_map(|part| element(part)).collect(),
        Err(_) => element(text).into_iter().collect(),
    }
}

/// Makes a class refer to copies.
pub(super) fn renamed(class: &mut ClassFile, copies: &BTreeSet<String>) -> Result<(), ProgramError> {
    let name = class.name().to_owned();
    let renaming = |name: &str| copies.contains(name).then(|| names::copy_of(name));
    rename::rename(class, &renaming).map_err(ProgramError::class(&name))
}
