//! The tables of a program: its classes, methods, fields, types and sites by their numbers.
//!
//! **Invariant.** Sites are numbered by class name, method and position, so that they are the same in every build.

use rustc_hash::FxHashMap;
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, ClassFile, Instruction, Kind, Operand, access};
use xcute_trace::{Site, SiteKind};

use super::body::{Body, FieldId, MethodId, NO_SITE, Target, TypeId, Way};
use super::hierarchy::Hierarchy;
use super::names;

/// The site of decisions about the shape of inputs: which object a reference is, how long an array is.
pub(crate) const SHAPE: u32 = 0;
/// The site of decisions inside of methods of the JDK that the front end computes itself.
pub(crate) const MODEL: u32 = 1;
/// The site of choices between threads, in programs that have them.
pub(crate) const SCHEDULE: u32 = 2;

/// A field.
#[derive(Clone, Debug)]
pub(crate) struct FieldInfo {
    /// The class that declares it.
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) kind: Kind,
    pub(crate) access: u16,
    /// It is one of a model, and final or for its thread alone: no other thread sees it change.
    pub(crate) settled: bool,
}

/// Where sites are being numbered.
#[derive(Clone, Debug, Default)]
struct Function {
    file: String,
    name: String,
    library: bool,
    ordinal: u32,
    /// Branches so far, by line.
    branches: FxHashMap<u32, u32>,
}

/// The tables.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) hierarchy: Hierarchy,
    pub(crate) types: Vec<String>,
    type_index: FxHashMap<String, TypeId>,
    pub(crate) fields: Vec<FieldInfo>,
    field_index: FxHashMap<(String, String, String), FieldId>,
    method_index: FxHashMap<(String, String, String), MethodId>,
    pub(crate) sites: Vec<Site>,
    function: Function,
}

impl Tables {
    pub(crate) fn new(hierarchy: Hierarchy) -> Tables {
        let mut tables = Tables {
            hierarchy,
            types: Vec::new(),
            type_index: FxHashMap::default(),
            fields: Vec::new(),
            field_index: FxHashMap::default(),
            method_index: FxHashMap::default(),
            sites: Vec::new(),
            function: Function::default(),
        };
        for (kind, name) in [(SiteKind::Library, "(shape of an input)"), (SiteKind::Library, "(in the JDK)")] {
            tables.function = Function { name: name.to_owned(), ..Function::default() };
            tables.site(kind, 0, 2);
        }
        tables
    }

    /// Adds the site of choices between threads; before those of methods.
    pub(crate) fn add_schedule(&mut self) {
        self.function = Function { name: "(threads)".to_owned(), ..Function::default() };
        let site = self.site(SiteKind::Schedule, 0, 1);
        debug_assert_eq!(site, SCHEDULE, "it is the third");
    }

    /// The number of a class or array type.
    pub(crate) fn type_id(&mut self, name: &str) -> TypeId {
        if let Some(&id) = self.type_index.get(name) {
            return id;
        }
        let id = TypeId(u32::try_from(self.types.len()).expect("few types"));
        self.types.push(name.to_owned());
        self.type_index.insert(name.to_owned(), id);
        id
    }

    /// The number of the field that code means by this.
    pub(crate) fn field_id(&mut self, class: &str, name: &str, descriptor: &str) -> FieldId {
        let key = (class.to_owned(), name.to_owned(), descriptor.to_owned());
        if let Some(&id) = self.field_index.get(&key) {
            return id;
        }
        let (owner, access) = self.hierarchy.field(class, name, descriptor).unwrap_or_else(|| (class.to_owned(), 0));
        let declared = (owner.clone(), name.to_owned(), descriptor.to_owned());
        let id = match self.field_index.get(&declared) {
            Some(&id) => id,
            None => {
                let id = FieldId(u32::try_from(self.fields.len()).expect("few fields"));
                let kind = Kind::of(descriptor).unwrap_or(Kind::Reference);
                let (name, descriptor) = (name.to_owned(), descriptor.to_owned());
                self.fields.push(FieldInfo { class: owner, name, descriptor, kind, access, settled: false });
                self.field_index.insert(declared, id);
                id
            }
        };
        self.field_index.insert(key, id);
        id
    }

    /// Numbers a method.
    pub(crate) fn put_method(&mut self, class: &str, name: &str, descriptor: &str, id: MethodId) {
        self.method_index.insert((class.to_owned(), name.to_owned(), descriptor.to_owned()), id);
    }

    /// The method that this class itself declares, if it is followed.
    pub(crate) fn method(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        self.method_index.get(&(class.to_owned(), name.to_owned(), descriptor.to_owned())).copied()
    }

    /// The followed method that a call which does not look at its receiver runs.
    pub(crate) fn resolve(&mut self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let selected = self.hierarchy.resolve(class, name, descriptor)?;
        self.method(&selected.class, name, descriptor)
    }

    /// The followed method that a call on an object runs whatever its class is: it is private or final.
    pub(crate) fn bound(&mut self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let selected = self.hierarchy.resolve(class, name, descriptor)?;
        let last = self.hierarchy.get(&selected.class).access & access::FINAL;
        let fixed = selected.access & (access::PRIVATE | access::FINAL) | last;
        if fixed == 0 || selected.access & access::ABSTRACT != 0 { None } else { self.method(&selected.class, name, descriptor) }
    }

    /// The followed method that a call on an object of this class runs.
    pub(crate) fn select(&mut self, class: &str, name: &str, descriptor: &str) -> Option<(String, Option<MethodId>)> {
        let selected = self.hierarchy.select(class, name, descriptor)?;
        let method = self.method(&selected.class, name, descriptor);
        Some((selected.class, method))
    }

    /// Whether `above` is a proper superclass of `class`.
    pub(crate) fn is_above(&mut self, above: &str, class: &str) -> bool {
        above != class && self.hierarchy.ancestry(class).iter().any(|name| name == above)
    }

    /// From here on sites belong to this method.
    pub(crate) fn begin(&mut self, class: &str, method: &str, file: &str, library: bool) {
        let name = format!("{}.{method}", names::readable(class));
        self.function = Function { file: file.to_owned(), name, library, ..Function::default() };
    }

    fn site(&mut self, kind: SiteKind, line: u32, arms: u32) -> u32 {
        let id = u32::try_from(self.sites.len()).expect("few sites");
        // Class files know no columns: the branches of a line are counted instead.
        let column = if matches!(kind, SiteKind::Branch | SiteKind::Switch) {
            let count = self.function.branches.entry(line).or_default();
            *count += 1;
            *count
        } else {
            0
        };
        let Function { file, name, library, ordinal, .. } = &self.function;
        let kind = if *library { SiteKind::Library } else { kind };
        self.sites.push(Site { kind, file: file.clone(), line, column, function: name.clone(), ordinal: *ordinal, arms, next: Vec::new() });
        self.function.ordinal += 1;
        id
    }

    /// Numbers the sites of an instruction; the first of them.
    pub(super) fn sites_of(
        &mut self,
        body: &Body,
        instruction: &Instruction,
        number: usize,
        all: &[Instruction],
        class: &ClassFile,
    ) -> Result<u32, ClassError> {
        let line = body.line(u16::try_from(instruction.pc).unwrap_or(u16::MAX));
        let check = |tables: &mut Tables, count: u32| {
            let first = tables.site(SiteKind::Check, line, 2);
            for _ in 1..count {
                tables.site(SiteKind::Check, line, 2);
            }
            first
        };
        Ok(match (&instruction.operand, instruction.opcode) {
            // Whether assertions are on is not decided by the program.
            (_, IFNE) if asks_for_assertions(all, number, class)? => NO_SITE,
            (Operand::Jump(_), IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL) => self.site(SiteKind::Branch, line, 2),
            (Operand::Switch(_), _) => {
                let arms = body.switches.last().map_or(1, |arms| arms.arms.len() + 1);
                self.site(SiteKind::Switch, line, u32::try_from(arms).expect("few arms"))
            }
            // Null, and inside the bounds; stored objects must fit as well.
            (_, AASTORE) => check(self, 3),
            (_, IALOAD..=SALOAD | IASTORE..=SASTORE) => check(self, 2),
            (_, IDIV | LDIV | IREM | LREM | GETFIELD | PUTFIELD | ARRAYLENGTH | ATHROW | MONITORENTER | MONITOREXIT) => check(self, 1),
            (_, CHECKCAST | NEWARRAY | ANEWARRAY | MULTIANEWARRAY) => check(self, 1),
            (_, INVOKEVIRTUAL..=INVOKEDYNAMIC) => {
                let call = body.calls.last().expect("resolved right before");
                match (call.target, call.way) {
                    (Target::Assume, _) => self.site(SiteKind::Assume, line, 2),
                    (Target::Check, _) => check(self, 1),
                    (Target::Input { .. } | Target::Exit, _) | (_, Way::Dynamic) => NO_SITE,
                    (Target::Thread, Way::Static) => NO_SITE,
                    (Target::Followed(_), Way::Static) => NO_SITE,
                    (Target::Followed(_), _) => check(self, 1),
                    // Whether it is called at all, and whether a method that the replay computes throws.
                    _ => check(self, 2),
                }
            }
            _ => NO_SITE,
        })
    }
}

/// Whether a jump asks for the field that compilers make for `assert`.
fn asks_for_assertions(all: &[Instruction], number: usize, class: &ClassFile) -> Result<bool, ClassError> {
    let before = number.checked_sub(1).map(|at| &all[at]).filter(|i| i.opcode == GETSTATIC).and_then(Instruction::constant);
    before.map_or(Ok(false), |constant| Ok(class.pool.member(constant)?.name == "$assertionsDisabled"))
}
