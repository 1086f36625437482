//! `equals`, `hashCode` and `toString` of records, as `ObjectMethods` makes them.

use xcute_classfile::assemble::{Assembler, Body};
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, Kind, Pool};

use super::bootstrap::{self, Bootstrap, Handle};
use super::convert::boxes;
use super::{Desugared, Replacement, concat};

impl Desugared<'_> {
    pub(super) fn record(&mut self, bootstrap: &Bootstrap, name: &str, descriptor: &str) -> Result<Option<Replacement>, ClassError> {
        let mut arguments = bootstrap.arguments.iter();
        let record = self.class.pool.class(arguments.next().copied().unwrap_or(0))?.to_owned();
        let names = self.class.pool.string(arguments.next().copied().unwrap_or(0))?;
        let names = String::from_utf16_lossy(&names);
        let fields: Vec<Handle> = arguments.map(|&handle| bootstrap::handle(self.class, handle)).collect::<Result<_, _>>()?;
        let pool = &mut self.class.pool;
        let mut code = Assembler::new();
        match name {
            "equals" => equals(&mut code, pool, &record, &fields)?,
            "hashCode" => hash_code(&mut code, pool, &fields)?,
            "toString" => {
                let simple = record.rsplit(['/', '$']).next().unwrap_or(&record).to_owned();
                to_string(&mut code, pool, &simple, &names, &fields)?;
            }
            _ => return Ok(None),
        }
        let (stack, own) = (6, self.fresh(name));
        let made = self.add(&own, descriptor, Body { code, stack, locals: 0 })?;
        if name == "equals" {
            self.frame_at_end()?;
        }
        Ok(Some(made))
    }

    /// The last method ends with `iconst_0, ireturn`, which jumps lead to; nothing is on the stack there, and the locals are the parameters.
    fn frame_at_end(&mut self) -> Result<(), ClassError> {
        let number = self.class.methods.len() - 1;
        let mut code = xcute_classfile::Code::of(self.class, &self.class.methods[number])?.expect("it was added with code");
        let at = u16::try_from(code.bytes.len() - 2).map_err(|_| ClassError::PoolFull)?;
        let name = self.class.pool.add_utf8("StackMapTable")?;
        // One frame, `same_frame_extended`.
        let [high, low] = at.to_be_bytes();
        let data = vec![0, 1, 251, high, low];
        code.attributes.push(xcute_classfile::Attribute { name, data });
        code.put(self.class, number)
    }
}

fn field(code: &mut Assembler, pool: &mut Pool, handle: &Handle) -> Result<Kind, ClassError> {
    code.field(pool, GETFIELD, &handle.class, &handle.name, &handle.descriptor)?;
    Kind::of(&handle.descriptor).ok_or_else(|| ClassError::Descriptor(handle.descriptor.clone()))
}

fn equals(code: &mut Assembler, pool: &mut Pool, record: &str, fields: &[Handle]) -> Result<(), ClassError> {
    let differ = code.label();
    code.local(ALOAD, 1).class(pool, INSTANCEOF, record)?.jump(IFEQ, differ);
    for handle in fields {
        code.local(ALOAD, 0);
        field(code, pool, handle)?;
        code.local(ALOAD, 1).class(pool, CHECKCAST, record)?;
        match field(code, pool, handle)? {
            Kind::Reference => {
                code.call_static(pool, "java/util/Objects", "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z")?.jump(IFEQ, differ);
            }
            kind @ (Kind::Float | Kind::Double) => {
                let letter = kind.letter();
                code.call_static(pool, boxes(kind), "compare", &format!("({letter}{letter})I"))?.jump(IFNE, differ);
            }
            Kind::Long => drop(code.op(LCMP).jump(IFNE, differ)),
            _ => drop(code.jump(IF_ICMPNE, differ)),
        }
    }
    code.op(ICONST_1).op(IRETURN).place(differ).op(ICONST_0).op(IRETURN);
    Ok(())
}

fn hash_code(code: &mut Assembler, pool: &mut Pool, fields: &[Handle]) -> Result<(), ClassError> {
    code.op(ICONST_0);
    for handle in fields {
        code.int(pool, 31)?.op(IMUL).local(ALOAD, 0);
        match field(code, pool, handle)? {
            Kind::Reference => code.call_static(pool, "java/util/Objects", "hashCode", "(Ljava/lang/Object;)I")?,
            kind => code.call_static(pool, boxes(kind), "hashCode", &format!("({})I", kind.letter()))?,
        };
        code.op(IADD);
    }
    code.op(IRETURN);
    Ok(())
}

fn to_string(code: &mut Assembler, pool: &mut Pool, simple: &str, names: &str, fields: &[Handle]) -> Result<(), ClassError> {
    concat::begin(code, pool)?;
    concat::append_text(code, pool, &format!("{simple}["))?;
    for (number, (handle, name)) in fields.iter().zip(names.split(';')).enumerate() {
        let separator = if number == 0 { "" } else { ", " };
        concat::append_text(code, pool, &format!("{separator}{name}="))?;
        code.local(ALOAD, 0);
        field(code, pool, handle)?;
        concat::append(code, pool, &handle.descriptor)?;
    }
    concat::append_text(code, pool, "]")?;
    concat::end(code, pool)
}
