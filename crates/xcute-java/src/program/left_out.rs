//! Methods that are not followed, because what xcute inserts would make them longer than the JVM allows: generators write such methods.
//!
//! Their code stays as it is, and a call of one is a call of code that is not followed. A static initialiser that only fills tables needs no following: what it leaves is the same in
//! each run. How long a method becomes is known when its code is written, so preparing starts again without those that became too long.
//!
//! **Invariant.** A call of a method that is left out keeps the search from being complete. An initialiser that is left out runs no code that is followed: nobody would
//! know what called it.

use std::collections::BTreeSet;

use xcute_classfile::opcode::*;
use xcute_classfile::rewrite::{Edit, Edits, rewrite};
use xcute_classfile::{ClassError, ClassFile, Code, Operand, access, decode};

use super::error::ProgramError;
use super::plan::Plan;
use super::{names, statics};

/// Places on the stack that the words of an initialiser need.
const STACK: u16 = 1;

/// The methods that are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeftOut {
    /// Class, as Java writes it, and name with descriptor.
    methods: BTreeSet<(String, String)>,
    /// Those that code which is not followed may call as well.
    open: BTreeSet<String>,
}

impl LeftOut {
    /// Whether a method is one of them.
    pub(crate) fn has(&self, class: &str, name: &str, descriptor: &str) -> bool {
        // Nearly always there are none.
        !self.is_empty() && self.methods.contains(&(names::readable(class), format!("{name}{descriptor}")))
    }

    /// The one that a call may run. The class that it names may be one that inherits the method.
    pub(crate) fn called(&self, name: &str, descriptor: &str) -> Option<String> {
        let called = (!self.is_empty()).then(|| format!("{name}{descriptor}"))?;
        self.methods.iter().find(|(_, method)| *method == called).map(|(class, _)| format!("{class}.{name}"))
    }

    /// Those that code which is not followed may call, unseen.
    pub(crate) fn open(&self) -> impl Iterator<Item = &String> {
        self.open.iter()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.methods.len()
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    /// Takes in the method that became too long. Whether that is what the error says, and is new.
    pub(super) fn add(&mut self, error: &ProgramError) -> bool {
        match error {
            ProgramError::Class { class, why: ClassError::TooLong { method, .. } | ClassError::FarJump { method, .. } } => {
                self.methods.insert((class.clone(), method.clone()))
            }
            _ => false,
        }
    }

    /// Keeps a method as it is, if it is one of those. An initialiser says that it runs.
    pub(super) fn keep(&mut self, class: &mut ClassFile, number: usize, code: &Code) -> Result<bool, ClassError> {
        let (member, owner) = (&class.methods[number], class.name().to_owned());
        let (name, descriptor) = class.name_of(member)?;
        if !self.has(&owner, name, descriptor) {
            return Ok(false);
        }
        let name = name.to_owned();
        if name == "<clinit>" {
            announced(class, &name, code)?.put(class, number)?;
        } else if name != "<init>" && member.access & (access::STATIC | access::PRIVATE) == 0 {
            self.open.insert(format!("{}.{name}", names::readable(&owner)));
        }
        Ok(true)
    }

    /// What stands against leaving them out.
    pub(super) fn check(&self, plan: &Plan, classes: &[&ClassFile], threads: bool) -> Result<(), ProgramError> {
        let too_long = |class: &str, name: &str, why| {
            let method = format!("{}.{name}", names::readable(class));
            Err(ProgramError::TooLong { method, why })
        };
        if let Some(called) = plan.callees().find(|callee| self.has(&callee.class, &callee.name, &callee.descriptor)) {
            return too_long(&called.class, &called.name, "test the methods that it calls");
        }
        for class in classes.iter().filter(|_| !self.is_empty()) {
            for member in &class.methods {
                let (name, descriptor) = class.name_of(member).map_err(ProgramError::class(class.name()))?;
                if !self.has(class.name(), name, descriptor) {
                    continue;
                }
                if threads {
                    return too_long(class.name(), name, "in a program with threads each step has to be followed");
                }
                let code = Code::of(class, member).map_err(ProgramError::class(class.name()))?;
                let fills = |code: &Code| fills_tables(class, code).map_err(ProgramError::class(class.name()));
                if name == "<clinit>" && !code.as_ref().map_or(Ok(true), fills)? {
                    return too_long(class.name(), name, "it calls methods, which have to be followed: let it only fill tables");
                }
            }
        }
        Ok(())
    }
}

/// Whether an initialiser does nothing but fill arrays and fields of its class with constants.
fn fills_tables(class: &ClassFile, code: &Code) -> Result<bool, ClassError> {
    for instruction in decode(&code.bytes)? {
        let fills = match (instruction.opcode, &instruction.operand) {
            (GETSTATIC | PUTSTATIC, &Operand::Constant(field)) => class.pool.member(field)?.class == class.name(),
            (INVOKEVIRTUAL, &Operand::Constant(method)) => {
                let called = class.pool.member(method)?;
                // An assertion is in the class, and a table that is packed into a text.
                matches!(
                    (called.class, called.name),
                    ("java/lang/Class", "desiredAssertionStatus") | ("java/lang/String", "toCharArray" | "charAt" | "length")
                )
            }
            (INVOKESPECIAL | INVOKESTATIC | INVOKEINTERFACE | INVOKEDYNAMIC | NEW | GETFIELD | PUTFIELD | MONITORENTER, _) => false,
            _ => true,
        };
        if !fills {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Lets an initialiser say that it begins and ends, and no more.
fn announced(class: &mut ClassFile, name: &str, code: &Code) -> Result<Code, ClassError> {
    let instructions = decode(&code.bytes)?;
    let mut edits = Edits { stack: STACK, prologue: statics::say(class, name, "begins")?, ..Edits::default() };
    for (number, _) in instructions.iter().enumerate().filter(|(_, instruction)| instruction.opcode == RETURN) {
        edits.edits.push((number, Edit { before: statics::say(class, name, "ends")?, ..Edit::default() }));
    }
    rewrite(class, name, code, &instructions, &edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_left_out_once_and_for_its_length_only() {
        let (mut left_out, method) = (LeftOut::default(), || "f(I)I".to_owned());
        let error = |why| ProgramError::class("a/B")(why);
        for (why, text) in [
            (
                ClassError::TooLong { method: method(), bytes: 70_000 },
                "a.B: f(I)I: with what xcute inserts, the method has 70000 bytes of code",
            ),
            (
                ClassError::FarJump { method: "g()V".to_owned(), pc: 7 },
                "a.B: g()V: with what xcute inserts, the jump at 7 is too long for its instruction",
            ),
        ] {
            let error = error(why);
            assert!(error.to_string().contains(text), "{error}");
            // It is too long even as it is left: then that is an error.
            assert!(left_out.add(&error) && !left_out.add(&error));
        }
        assert!(!left_out.add(&error(ClassError::PoolFull)));
        assert!(left_out.has("a/B", "f", "(I)I") && left_out.has("a/B", "g", "()V") && !left_out.has("a/B", "f", "()V"));
        assert_eq!(left_out.called("g", "()V").as_deref(), Some("a.B.g"));
        assert_eq!((left_out.called("h", "()V"), left_out.open().count()), (None, 0));
    }
}
