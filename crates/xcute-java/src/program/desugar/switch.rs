//! Pattern switches: which label, from a given one on, an object matches.
//!
//! The method jumps, so it stands in a class of its own whose version needs no frames.

use xcute_classfile::assemble::{Assembler, Body};
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, ClassFile, Constant, MemberRef, access};

use super::bootstrap::Bootstrap;
use super::{Desugared, Replacement};

/// A label of a switch.
enum Label {
    Class(String),
    Text(String),
    Number(i32),
}

impl Desugared<'_> {
    pub(super) fn switch(&mut self, bootstrap: &Bootstrap, descriptor: &str) -> Result<Option<Replacement>, ClassError> {
        let enums = bootstrap.name == "enumSwitch";
        let mut labels = Vec::new();
        for &argument in &bootstrap.arguments {
            labels.push(match self.class.pool.get(argument) {
                Some(Constant::Class(_)) => Label::Class(self.class.pool.class(argument)?.to_owned()),
                Some(Constant::String(_)) => match String::from_utf16(&self.class.pool.string(argument)?) {
                    Ok(text) => Label::Text(text),
                    Err(_) => return Ok(None),
                },
                Some(&Constant::Integer(value)) => Label::Number(value),
                _ => return Ok(None),
            });
        }
        let own = self.beside("switch");
        let mut class = ClassFile::new(49, access::FINAL | access::SYNTHETIC, &own, "java/lang/Object")?;
        let mut code = Assembler::new();
        let some = code.label();
        code.local(ALOAD, 0).jump(IFNONNULL, some).op(ICONST_M1).op(IRETURN).place(some);
        for (number, label) in (0i32..).zip(&labels) {
            let next = code.label();
            code.local(ILOAD, 1).int(&mut class.pool, number)?.jump(IF_ICMPGT, next);
            test(&mut code, &mut class, label, enums, next)?;
            code.int(&mut class.pool, number)?.op(IRETURN).place(next);
        }
        code.int(&mut class.pool, i32::try_from(labels.len()).map_err(|_| ClassError::PoolFull)?)?.op(IRETURN);
        class.add_method(access::STATIC, "choose", descriptor, Body { code, stack: 3, locals: 0 })?;
        self.made.push(class);
        Ok(Some(Replacement { class: own, name: "choose".into(), descriptor: descriptor.to_owned(), interface: false }))
    }
}

/// Jumps where an object does not match a label.
fn test(
    code: &mut Assembler,
    class: &mut ClassFile,
    label: &Label,
    enums: bool,
    next: xcute_classfile::assemble::Label,
) -> Result<(), ClassError> {
    let pool = &mut class.pool;
    let method =
        |class: &'static str, name: &'static str, descriptor: &'static str| MemberRef { class, name, descriptor, interface: false };
    match label {
        Label::Class(name) => drop(code.local(ALOAD, 0).class(pool, INSTANCEOF, name)?.jump(IFEQ, next)),
        Label::Text(text) if enums => {
            code.string(pool, text)?.local(ALOAD, 0).class(pool, CHECKCAST, "java/lang/Enum")?;
            code.call(pool, INVOKEVIRTUAL, method("java/lang/Enum", "name", "()Ljava/lang/String;"))?;
            code.call(pool, INVOKEVIRTUAL, method("java/lang/String", "equals", "(Ljava/lang/Object;)Z"))?.jump(IFEQ, next);
        }
        Label::Text(text) => {
            code.string(pool, text)?.local(ALOAD, 0);
            code.call(pool, INVOKEVIRTUAL, method("java/lang/String", "equals", "(Ljava/lang/Object;)Z"))?.jump(IFEQ, next);
        }
        Label::Number(value) => {
            // A number stands for an Integer, or for a Character.
            let (character, equal) = (code.label(), code.label());
            code.local(ALOAD, 0).class(pool, INSTANCEOF, "java/lang/Integer")?.jump(IFEQ, character);
            code.local(ALOAD, 0).class(pool, CHECKCAST, "java/lang/Integer")?;
            code.call(pool, INVOKEVIRTUAL, method("java/lang/Integer", "intValue", "()I"))?.int(pool, *value)?.jump(IF_ICMPEQ, equal);
            code.jump(GOTO, next).place(character);
            code.local(ALOAD, 0).class(pool, INSTANCEOF, "java/lang/Character")?.jump(IFEQ, next);
            code.local(ALOAD, 0).class(pool, CHECKCAST, "java/lang/Character")?;
            code.call(pool, INVOKEVIRTUAL, method("java/lang/Character", "charValue", "()C"))?.int(pool, *value)?.jump(IF_ICMPNE, next);
            code.place(equal);
        }
    }
    Ok(())
}
