//! What classes are: their superclasses, interfaces and members, of the program and of what it uses.
//!
//! Classes that are followed are put in as they run, with copies under their new names; all others are read when somebody asks.
//!
//! **Invariant.** A class that cannot be found has no superclass and no members; nobody guesses.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use xcute_classfile::{ClassError, ClassFile, access, descriptor};

use super::path::ClassPath;

/// A field or method of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MemberInfo {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) access: u16,
}

/// A class.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClassInfo {
    pub(crate) superclass: Option<String>,
    pub(crate) interfaces: Vec<String>,
    pub(crate) access: u16,
    pub(crate) fields: Vec<MemberInfo>,
    pub(crate) methods: Vec<MemberInfo>,
    /// Whether its code is followed.
    pub(crate) followed: bool,
}

impl ClassInfo {
    pub(crate) fn of(class: &ClassFile, followed: bool) -> Result<ClassInfo, ClassError> {
        let members = |list: &[xcute_classfile::Member]| {
            let member = |m: &xcute_classfile::Member| {
                let (name, descriptor) = class.name_of(m)?;
                Ok(MemberInfo { name: name.to_owned(), descriptor: descriptor.to_owned(), access: m.access })
            };
            list.iter().map(member).collect::<Result<Vec<_>, ClassError>>()
        };
        let interfaces = class.interfaces.iter().map(|&i| class.pool.class(i).map(str::to_owned)).collect::<Result<_, _>>()?;
        Ok(ClassInfo {
            superclass: class.superclass()?.map(str::to_owned),
            interfaces,
            access: class.access,
            fields: members(&class.fields)?,
            methods: members(&class.methods)?,
            followed,
        })
    }

    pub(crate) fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    pub(crate) fn is_abstract(&self) -> bool {
        self.access & access::ABSTRACT != 0
    }

    fn method(&self, name: &str, descriptor: &str) -> Option<&MemberInfo> {
        self.methods.iter().find(|m| m.name == name && m.descriptor == descriptor)
    }
}

/// A method that a call selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selected {
    /// The class that declares it.
    pub(crate) class: String,
    /// Its flags.
    pub(crate) access: u16,
    /// Whether that class is followed.
    pub(crate) followed: bool,
}

/// All classes met so far.
#[derive(Debug)]
pub(crate) struct Hierarchy {
    path: Arc<ClassPath>,
    classes: FxHashMap<String, Arc<ClassInfo>>,
}

impl Hierarchy {
    pub(crate) fn new(path: Arc<ClassPath>) -> Hierarchy {
        Hierarchy { path, classes: FxHashMap::default() }
    }

    /// Puts in a class that is followed.
    pub(crate) fn put(&mut self, name: &str, info: ClassInfo) {
        self.classes.insert(name.to_owned(), Arc::new(info));
    }

    /// A class by its name in internal form; an empty one where it cannot be read.
    pub(crate) fn get(&mut self, name: &str) -> Arc<ClassInfo> {
        if let Some(known) = self.classes.get(name) {
            return Arc::clone(known);
        }
        let class = self.original(name);
        let info = class.and_then(|class| ClassInfo::of(&class, false).ok()).unwrap_or_default();
        let info = Arc::new(info);
        self.classes.insert(name.to_owned(), Arc::clone(&info));
        info
    }

    /// A class as the program or the JDK has it; `None` where it cannot be read.
    pub(crate) fn original(&self, name: &str) -> Option<ClassFile> {
        let bytes = match self.path.own(name) {
            Ok(Some(bytes)) => Some(bytes),
            _ => self.path.of_jdk(name).ok().flatten(),
        };
        bytes.and_then(|bytes| ClassFile::read(&bytes).ok())
    }

    /// Whether every value of class `sub` is one of class `class`; both in internal form, arrays by their descriptors.
    pub(crate) fn is_subclass(&mut self, sub: &str, class: &str) -> bool {
        if sub == class || class == "java/lang/Object" {
            return true;
        }
        if let Some(element) = sub.strip_prefix('[') {
            if let Some(of) = class.strip_prefix('[') {
                let both = descriptor::class_of(element).zip(descriptor::class_of(of));
                return both.is_some_and(|(element, of)| self.is_subclass(element, of));
            }
            return matches!(class, "java/lang/Cloneable" | "java/io/Serializable");
        }
        let mut open = vec![sub.to_owned()];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(name) = open.pop() {
            if name == class {
                return true;
            }
            if seen.insert(name.clone()) {
                let info = self.get(&name);
                open.extend(info.superclass.iter().chain(&info.interfaces).cloned());
            }
        }
        false
    }

    /// All superclasses of a class, itself first.
    pub(crate) fn ancestry(&mut self, class: &str) -> Vec<String> {
        let mut found = vec![class.to_owned()];
        // A class that is its own ancestor is not loaded by any JVM; we must end all the same.
        while let Some(next) = self.get(&found[found.len() - 1]).superclass.clone().filter(|next| !found.contains(next)) {
            found.push(next);
        }
        found
    }

    /// The class that declares a field which code looks up in `class` (JVMS 5.4.3.2), and its flags.
    pub(crate) fn field(&mut self, class: &str, name: &str, descriptor: &str) -> Option<(String, u16)> {
        for class in self.ancestry(class) {
            let mut open = vec![class];
            while let Some(class) = open.pop() {
                let info = self.get(&class);
                if let Some(field) = info.fields.iter().find(|f| f.name == name && f.descriptor == descriptor) {
                    return Some((class, field.access));
                }
                open.extend(info.interfaces.iter().rev().cloned());
            }
        }
        None
    }

    /// The method that a call of `name` on `class` means before the receiver is looked at (JVMS 5.4.3.3).
    pub(crate) fn resolve(&mut self, class: &str, name: &str, descriptor: &str) -> Option<Selected> {
        for class in self.ancestry(class) {
            let info = self.get(&class);
            if let Some(method) = info.method(name, descriptor) {
                return Some(Selected { class, access: method.access, followed: info.followed });
            }
        }
        self.by_interfaces(class, name, descriptor, false)
    }

    /// The method that runs when `name` is called on an object of `class` (JVMS 5.4.6); `None` where there is none that could run.
    pub(crate) fn select(&mut self, class: &str, name: &str, descriptor: &str) -> Option<Selected> {
        if class.starts_with('[') {
            return self.select("java/lang/Object", name, descriptor);
        }
        for class in self.ancestry(class) {
            let info = self.get(&class);
            let found = info.method(name, descriptor).filter(|m| m.access & access::STATIC == 0);
            if let Some(method) = found {
                return Some(Selected { class, access: method.access, followed: info.followed })
                    .filter(|_| method.access & access::ABSTRACT == 0);
            }
        }
        self.by_interfaces(class, name, descriptor, true)
    }

    /// The most specific method of all superinterfaces.
    fn by_interfaces(&mut self, class: &str, name: &str, descriptor: &str, concrete: bool) -> Option<Selected> {
        let mut candidates: Vec<Selected> = Vec::new();
        let mut open: Vec<String> = Vec::new();
        for class in self.ancestry(class) {
            open.extend(self.get(&class).interfaces.iter().cloned());
        }
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(interface) = open.pop() {
            if !seen.insert(interface.clone()) {
                continue;
            }
            let info = self.get(&interface);
            let fits = |m: &&MemberInfo| m.access & (access::PRIVATE | access::STATIC) == 0;
            if let Some(method) = info.method(name, descriptor).filter(fits) {
                candidates.push(Selected { class: interface.clone(), access: method.access, followed: info.followed });
            }
            open.extend(info.interfaces.iter().cloned());
        }
        let all: Vec<String> = candidates.iter().map(|c| c.class.clone()).collect();
        let mut best = None;
        for candidate in candidates {
            let overridden = all.iter().any(|other| *other != candidate.class && self.is_subclass(other, &candidate.class));
            let usable = !concrete || candidate.access & access::ABSTRACT == 0;
            if !overridden && usable {
                best = Some(candidate);
            }
        }
        best
    }
}
