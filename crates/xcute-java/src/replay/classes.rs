//! The classes that runs meet: their names, what they are, and which methods calls on them run.
//!
//! **Invariant.** Names are interned for the life of a subject; the JVM's own numbers of classes are good only until classes are unloaded.

use rustc_hash::FxHashMap;
use xcute_classfile::{Kind, descriptor};

use crate::program::Program;
use crate::program::body::{MethodId, TypeId};

/// Names a class of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClassIdx(pub(crate) u32);

/// What a call on an object of a class runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// A method that is followed.
    Followed(MethodId),
    /// One that is not, declared by this class.
    Foreign(ClassIdx),
    /// None: an error is thrown.
    Nothing,
}

/// All classes met so far.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    names: Vec<String>,
    index: FxHashMap<String, ClassIdx>,
    /// By the JVM's number.
    numbers: FxHashMap<u32, ClassIdx>,
    subclass: FxHashMap<(ClassIdx, TypeId), bool>,
    runs: FxHashMap<(ClassIdx, MethodId, u32), Runs>,
    /// How far the JVM's list was read, and which list.
    pub(crate) read: u64,
    pub(crate) generation: u32,
}

impl Classes {
    /// The class with a name in internal form.
    pub(crate) fn intern(&mut self, name: &str) -> ClassIdx {
        if let Some(&known) = self.index.get(name) {
            return known;
        }
        let class = ClassIdx(u32::try_from(self.names.len()).expect("few classes"));
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), class);
        class
    }

    pub(crate) fn name(&self, class: ClassIdx) -> &str {
        &self.names[class.0 as usize]
    }

    /// Takes over what the JVM says about its numbers.
    pub(crate) fn learn(&mut self, number: u32, name: &str) {
        let class = self.intern(&name.replace('.', "/"));
        self.numbers.insert(number, class);
    }

    /// The JVM's numbers no longer mean anything.
    pub(crate) fn forget(&mut self) {
        self.numbers.clear();
        self.read = 0;
    }

    /// The class with a number of the JVM.
    pub(crate) fn of_number(&self, number: u32) -> Option<ClassIdx> {
        self.numbers.get(&number).copied()
    }

    /// The kind of an array's elements; `None` for other classes.
    pub(crate) fn element(&self, class: ClassIdx) -> Option<Kind> {
        self.name(class).strip_prefix('[').and_then(Kind::of)
    }

    /// The class of an array's elements, where they are references.
    pub(crate) fn element_class(&mut self, class: ClassIdx) -> Option<ClassIdx> {
        let element = self.name(class).strip_prefix('[').and_then(descriptor::class_of)?.to_owned();
        Some(self.intern(&element))
    }

    /// The class of arrays with elements of a class.
    pub(crate) fn array_of(&mut self, element: &str) -> ClassIdx {
        let name = format!("[{}", descriptor::descriptor_of(element));
        self.intern(&name)
    }

    /// Whether objects of a class have a type.
    pub(crate) fn is_subclass(&mut self, program: &Program, class: ClassIdx, of: TypeId) -> bool {
        if let Some(&known) = self.subclass.get(&(class, of)) {
            return known;
        }
        let (name, of_name) = (self.name(class).to_owned(), &program.types[of.0 as usize]);
        let is = program.tables().hierarchy.is_subclass(&name, of_name);
        self.subclass.insert((class, of), is);
        is
    }

    /// The same by names.
    pub(crate) fn is_subclass_named(&self, program: &Program, class: ClassIdx, of: &str) -> bool {
        let name = self.name(class);
        name == of || program.tables().hierarchy.is_subclass(name, of)
    }

    /// What a call (the one with this number in a method) on an object of a class runs.
    pub(crate) fn runs(&mut self, program: &Program, class: ClassIdx, method: MethodId, call: u32) -> Runs {
        if let Some(&known) = self.runs.get(&(class, method, call)) {
            return known;
        }
        let called = &program.method(method).body.calls[call as usize];
        let selected = program.tables().select(self.name(class), &called.name, &called.descriptor);
        let runs = match selected {
            Some((_, Some(method))) => Runs::Followed(method),
            Some((declaring, None)) => Runs::Foreign(self.intern(&declaring)),
            None => Runs::Nothing,
        };
        self.runs.insert((class, method, call), runs);
        runs
    }
}
