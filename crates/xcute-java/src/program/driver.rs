//! The driver: a generated class that takes the inputs, calls the methods under test, and is followed like the rest.
//!
//! Parameters are inputs in their order, the receiver first. `main(String[])` gets an empty array: its inputs are those that it asks for. A checker that
//! restricts the inputs is called before the method, one that must hold after it. A sequence makes an object and then calls methods on it, each of which
//! is chosen by an input.
//!
//! **Invariant.** A checker that throws does not accept an input. One that must hold and throws is a failure: its exception leaves the driver.

use xcute_classfile::assemble::{Assembler, Body};
use xcute_classfile::opcode::*;
use xcute_classfile::{ClassError, ClassFile, Kind, MemberRef, Signature, access, descriptor};

use super::constraints::Constraint;
use super::entry::Entry;
use super::making::Making;
use super::plan::{Plan, Sequence};
use super::publish;

const RUNTIME: &str = "java/lang/XcuteRt";
const ASSERTION: &str = "java/lang/AssertionError";
/// Code of this version may jump without frames.
const VERSION: u16 = 49;

/// The driver of a plan.
pub(crate) fn driver(plan: &Plan) -> Result<ClassFile, ClassError> {
    let mut class = ClassFile::new(VERSION, access::PUBLIC | access::FINAL, &plan.entry.driver(), "java/lang/Object")?;
    let runnable = class.pool.add_class("java/lang/Runnable")?;
    class.interfaces.push(runnable);
    let mut code = Assembler::new();
    let object = MemberRef { class: "java/lang/Object", name: "<init>", descriptor: "()V", interface: false };
    code.local(ALOAD, 0).call(&mut class.pool, INVOKESPECIAL, object)?.op(RETURN);
    class.add_method(access::PUBLIC, "<init>", "()V", Body { code, stack: 1, locals: 0 })?;
    if let Some(pre) = &plan.pre {
        accepts(&mut class, pre)?;
    }
    if plan.post.is_some() {
        holds(&mut class)?;
    }
    for making in plan.makings() {
        making.add(&mut class)?;
    }
    let mut writer = Writer { class, plan, code: Assembler::new(), places: 1 };
    match &plan.sequence {
        Some(sequence) => writer.sequence(sequence)?,
        None => writer.one()?,
    }
    Ok(writer.class)
}

/// Writes the methods that take inputs and call.
struct Writer<'a> {
    class: ClassFile,
    plan: &'a Plan,
    code: Assembler,
    /// An upper bound of the places that arguments need.
    places: u16,
}

impl Writer<'_> {
    fn add(&mut self, flags: u16, name: &str, descriptor: &str, locals: u16) -> Result<(), ClassError> {
        let code = std::mem::take(&mut self.code);
        self.class.add_method(flags, name, descriptor, Body { code, stack: self.places + 5, locals })
    }

    /// Pushes the next input.
    fn take(&mut self, of: &str) -> Result<(), ClassError> {
        let kind = kind(of)?;
        let letter = kind.letter();
        let result = if kind == Kind::Reference { "Ljava/lang/Object;".to_owned() } else { letter.to_string() };
        self.code.call_static(&mut self.class.pool, RUNTIME, &format!("next{letter}"), &format!("(){result}"))?;
        if let Some(name) = descriptor::class_of(of).filter(|&name| name != "java/lang/Object") {
            self.code.class(&mut self.class.pool, CHECKCAST, name)?;
        }
        Ok(())
    }

    /// Pushes the next parameter: an input, or what is made of one. What its annotations say is assumed.
    fn parameter(&mut self, of: &str, asked: &[String], constraints: &[Constraint]) -> Result<(), ClassError> {
        asked.iter().try_for_each(|asked| self.take(asked))?;
        if asked != [of]
            && let Some(making) = Making::of(of)
        {
            let (maker, (name, descriptor)) = (making.maker(self.class.name()), making.method());
            self.code.call_static(&mut self.class.pool, &maker, &name, &descriptor)?;
        }
        constraints.iter().try_for_each(|constraint| constraint.assume(&mut self.code, &mut self.class, of))
    }

    /// Calls a method whose arguments are on the stack, and drops what it returns.
    fn call(&mut self, callee: &Entry) -> Result<(), ClassError> {
        invoke(&mut self.code, &mut self.class, callee)?;
        match Kind::of(Signature::parse(&callee.descriptor)?.result).map(Kind::places) {
            Some(2) => self.code.op(POP2),
            Some(_) => self.code.op(POP),
            None => &mut self.code,
        };
        Ok(())
    }

    /// Loads the arguments of a checker, which are the first of these locals.
    fn load(&mut self, checker: &Entry, mut local: u16) -> Result<(), ClassError> {
        for input in checker.inputs() {
            let kind = kind(&input)?;
            self.code.load(kind, local);
            local += places(kind);
        }
        Ok(())
    }

    /// Assumes that the inputs in the locals from this one on are accepted.
    fn before(&mut self, local: u16) -> Result<(), ClassError> {
        let Some(pre) = &self.plan.pre else { return Ok(()) };
        self.load(pre, local)?;
        let (driver, accepts) = (self.class.name().to_owned(), accepting(pre));
        self.code.call_static(&mut self.class.pool, &driver, "accepts", &accepts)?;
        self.code.call_static(&mut self.class.pool, "cute/Cute", "Assume", "(Z)V")?;
        Ok(())
    }

    /// Asserts that the checker holds after a call.
    fn after(&mut self, callee: &Entry, local: u16) -> Result<(), ClassError> {
        let Some(post) = &self.plan.post else { return Ok(()) };
        self.load(post, local)?;
        invoke(&mut self.code, &mut self.class, post)?;
        let driver = self.class.name().to_owned();
        self.code.string(&mut self.class.pool, &self.plan.complaint(callee))?;
        self.code.call_static(&mut self.class.pool, &driver, "holds", "(ZLjava/lang/String;)V")?;
        Ok(())
    }

    /// One call: all inputs are taken first, for the checkers.
    fn one(&mut self) -> Result<(), ClassError> {
        let entry = &self.plan.entry;
        let receivers = usize::from(!entry.is_static && !entry.is_constructor());
        let mut locals = Vec::new();
        for (place, (input, asked)) in entry.inputs().into_iter().zip(entry.asked()).enumerate() {
            let nth = place.checked_sub(receivers);
            self.parameter(&input, &asked, nth.map_or(&[], |nth| entry.constraints_of(nth)))?;
            let kind = kind(&input)?;
            self.code.store(kind, self.places);
            locals.push((kind, self.places));
            self.places += places(kind);
        }
        self.before(1)?;
        if entry.is_main() {
            self.code.int(&mut self.class.pool, 0)?.class(&mut self.class.pool, ANEWARRAY, "java/lang/String")?;
        }
        for (kind, local) in locals {
            self.code.load(kind, local);
        }
        self.call(entry)?;
        self.after(entry, 1)?;
        self.code.op(RETURN);
        self.add(access::PUBLIC, "run", "()V", self.places - 1)
    }

    /// A sequence: `run` makes the object, if there is one, and makes the calls.
    fn sequence(&mut self, sequence: &Sequence) -> Result<(), ClassError> {
        let driver = self.class.name().to_owned();
        let all = sequence.constructors.iter().chain(&sequence.methods).flat_map(Entry::parameters);
        self.places += all.filter_map(|of| Kind::of(&of)).map(places).sum::<u16>();
        let object = sequence.constructors.first().map(|made| descriptor::descriptor_of(&made.class)).unwrap_or_default();
        let result = if object.is_empty() { "V" } else { &object };
        let step = format!("({object}I)V");
        if !object.is_empty() {
            self.code.int(&mut self.class.pool, 0)?.call_static(&mut self.class.pool, &driver, "make", &format!("(I){result}"))?;
            self.code.local(ASTORE, 1);
        }
        for choice in sequence.choices() {
            if !object.is_empty() {
                self.code.local(ALOAD, 1);
            }
            self.code.int(&mut self.class.pool, i32::try_from(choice).expect("sequences are short"))?;
            self.code.call_static(&mut self.class.pool, &driver, "step", &step)?;
        }
        self.code.op(RETURN);
        self.add(access::PUBLIC, "run", "()V", 1)?;
        if !object.is_empty() {
            self.choose(&sequence.constructors, 0, |writer, constructor, first| {
                writer.code.class(&mut writer.class.pool, NEW, &constructor.class)?.op(DUP);
                writer.arguments(constructor, 0, first)?;
                writer.call(constructor)?;
                if writer.plan.post.is_some() {
                    writer.code.local(ASTORE, 1);
                    writer.after(constructor, 1)?;
                    writer.code.local(ALOAD, 1);
                }
                writer.code.op(ARETURN);
                Ok(())
            })?;
            self.add(access::PUBLIC | access::STATIC, "make", &format!("(I){result}"), 2)?;
        }
        let base = u16::from(!object.is_empty());
        self.before(0)?;
        self.choose(&sequence.methods, base, |writer, method, first| {
            if !method.is_static {
                writer.code.local(ALOAD, 0);
            }
            writer.arguments(method, base, first)?;
            writer.call(method)?;
            writer.after(method, 0)?;
            writer.code.op(RETURN);
            Ok(())
        })?;
        self.add(access::PUBLIC | access::STATIC, "step", &step, 1)
    }

    /// Takes a choice, whose place is in a local, and does what it comes to.
    fn choose(
        &mut self,
        callees: &[Entry],
        base: u16,
        mut run: impl FnMut(&mut Self, &Entry, usize) -> Result<(), ClassError>,
    ) -> Result<(), ClassError> {
        let (places, _) = Sequence::places(callees);
        self.code.local(ILOAD, base).call_static(&mut self.class.pool, RUNTIME, "at", "(I)V")?;
        self.take("I")?;
        let choice = base + 1;
        self.code.store(Kind::Int, choice);
        for (number, (callee, first)) in callees.iter().zip(places).enumerate() {
            let next = self.code.label();
            if number + 1 < callees.len() {
                self.code.local(ILOAD, choice).int(&mut self.class.pool, i32::try_from(number).expect("few methods"))?;
                self.code.jump(IF_ICMPNE, next);
            }
            run(self, callee, first)?;
            self.code.place(next);
        }
        Ok(())
    }

    /// Takes the arguments of a call, the first of which has a place that is counted from the one in a local.
    fn arguments(&mut self, callee: &Entry, base: u16, first: usize) -> Result<(), ClassError> {
        let parameters = callee.parameters();
        if parameters.is_empty() {
            return Ok(());
        }
        self.code.local(ILOAD, base).int(&mut self.class.pool, i32::try_from(first).expect("few parameters"))?.op(IADD);
        self.code.call_static(&mut self.class.pool, RUNTIME, "at", "(I)V")?;
        let all = parameters.iter().zip(callee.asked_parameters()).enumerate();
        all.into_iter().try_for_each(|(nth, (of, asked))| self.parameter(of, &asked, callee.constraints_of(nth)))
    }
}

/// `accepts(…)`: what the checker says, or false if it throws.
fn accepts(class: &mut ClassFile, pre: &Entry) -> Result<(), ClassError> {
    let mut code = Assembler::new();
    let (start, end) = (code.label(), code.label());
    code.place(start);
    let mut local = 0;
    for input in pre.inputs() {
        let kind = kind(&input)?;
        code.load(kind, local);
        local += places(kind);
    }
    invoke(&mut code, class, pre)?;
    code.op(IRETURN).place(end).guard(start, end).op(POP).int(&mut class.pool, 0)?.op(IRETURN);
    class.add_method(access::PUBLIC | access::STATIC, "accepts", &accepting(pre), Body { code, stack: local + 1, locals: 0 })
}

/// `holds(boolean, String)`: fails with the text if it is false.
fn holds(class: &mut ClassFile) -> Result<(), ClassError> {
    let mut code = Assembler::new();
    let holds = code.label();
    code.local(ILOAD, 0).jump(IFNE, holds).class(&mut class.pool, NEW, ASSERTION)?.op(DUP).local(ALOAD, 1);
    let init = MemberRef { class: ASSERTION, name: "<init>", descriptor: "(Ljava/lang/Object;)V", interface: false };
    code.call(&mut class.pool, INVOKESPECIAL, init)?.op(ATHROW).place(holds).op(RETURN);
    class.add_method(access::PUBLIC | access::STATIC, "holds", "(ZLjava/lang/String;)V", Body { code, stack: 3, locals: 0 })
}

fn accepting(pre: &Entry) -> String {
    format!("({})Z", pre.inputs().concat())
}

fn invoke(code: &mut Assembler, class: &mut ClassFile, callee: &Entry) -> Result<(), ClassError> {
    let (name, descriptor) = publish::called(callee);
    let method = MemberRef { class: &callee.class, name: &name, descriptor: &descriptor, interface: callee.interface };
    let way = match (callee.is_static || callee.is_hidden, callee.interface) {
        (true, _) => INVOKESTATIC,
        (false, true) => INVOKEINTERFACE,
        (false, false) if callee.is_constructor() => INVOKESPECIAL,
        (false, false) => INVOKEVIRTUAL,
    };
    code.call(&mut class.pool, way, method)?;
    Ok(())
}

fn kind(of: &str) -> Result<Kind, ClassError> {
    Kind::of(of).ok_or_else(|| ClassError::Descriptor(of.to_owned()))
}

fn places(kind: Kind) -> u16 {
    u16::try_from(kind.places()).expect("one or two")
}
