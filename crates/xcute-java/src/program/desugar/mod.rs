//! Turns `invokedynamic` into ordinary code: lambdas and method references, string concatenation, the methods of records, pattern switches.
//!
//! The JVM would link such calls to code that it makes at run time, which nobody follows. What is made here has the same effect, is followed like the
//! rest, and takes the place of the call with a plain `invokestatic`. Calls of other bootstrap methods stay as they are: their results come with the events.

mod bootstrap;
mod concat;
pub(super) mod convert;
mod lambda;
mod record;
mod switch;

use xcute_classfile::assemble::Assembler;
use xcute_classfile::opcode::*;
use xcute_classfile::rewrite::{Edit, Edits, rewrite};
use xcute_classfile::{ClassError, ClassFile, Code, Instruction, MemberRef, access, decode};

use bootstrap::Bootstrap;

/// What a class makes on the way.
pub(super) struct Desugared<'a> {
    class: &'a mut ClassFile,
    /// Classes next to it.
    made: Vec<ClassFile>,
    /// Names that are taken.
    count: u32,
}

/// A static method that takes the place of a dynamic call.
pub(super) struct Replacement {
    class: String,
    name: String,
    descriptor: String,
    interface: bool,
}

/// Desugars a class; the classes that it needs next to it.
pub(super) fn desugar(class: &mut ClassFile) -> Result<Vec<ClassFile>, ClassError> {
    let bootstraps = bootstrap::read(class)?;
    if bootstraps.is_empty() {
        return Ok(Vec::new());
    }
    let mut context = Desugared { class, made: Vec::new(), count: 0 };
    for number in 0..context.class.methods.len() {
        let Some(code) = Code::of(context.class, &context.class.methods[number])? else { continue };
        let instructions = decode(&code.bytes)?;
        if !instructions.iter().any(|i| i.opcode == INVOKEDYNAMIC) {
            continue;
        }
        let mut edits = Edits::default();
        for (index, instruction) in instructions.iter().enumerate().filter(|(_, i)| i.opcode == INVOKEDYNAMIC) {
            if let Some(replacement) = context.replacement(instruction, &bootstraps)? {
                let mut call = Assembler::new();
                let Replacement { class, name, descriptor, interface } = &replacement;
                let method = MemberRef { class, name, descriptor, interface: *interface };
                call.call(&mut context.class.pool, INVOKESTATIC, method)?;
                edits.edits.push((index, Edit { instead: Some(call.finish()), ..Edit::default() }));
            }
        }
        let code = rewrite(context.class, "", &code, &instructions, &edits)?;
        code.put(context.class, number)?;
    }
    Ok(context.made)
}

impl Desugared<'_> {
    fn replacement(&mut self, instruction: &Instruction, bootstraps: &[Bootstrap]) -> Result<Option<Replacement>, ClassError> {
        let Some(constant) = instruction.constant() else { return Ok(None) };
        let (number, name, descriptor) = self.class.pool.dynamic(constant)?;
        let (name, descriptor) = (name.to_owned(), descriptor.to_owned());
        let Some(bootstrap) = bootstraps.get(usize::from(number)) else { return Ok(None) };
        match (bootstrap.class.as_str(), bootstrap.name.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => self.lambda(bootstrap, &name, &descriptor),
            ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants" | "makeConcat") => self.concat(bootstrap, &descriptor),
            ("java/lang/runtime/ObjectMethods", "bootstrap") => self.record(bootstrap, &name, &descriptor),
            ("java/lang/runtime/SwitchBootstraps", "typeSwitch" | "enumSwitch") => self.switch(bootstrap, &descriptor),
            _ => Ok(None),
        }
    }

    /// A name that nothing else has.
    fn fresh(&mut self, what: &str) -> String {
        self.count += 1;
        format!("xcute${what}${}", self.count)
    }

    /// The name of a class next to this one.
    fn beside(&mut self, what: &str) -> String {
        let name = self.fresh(what);
        format!("{}${name}", self.class.name())
    }

    /// Adds a static method to the class itself.
    fn add(&mut self, name: &str, descriptor: &str, body: xcute_classfile::assemble::Body) -> Result<Replacement, ClassError> {
        // Interfaces have public methods only.
        let flags = access::STATIC | access::SYNTHETIC | if self.class.is_interface() { access::PUBLIC } else { 0 };
        self.class.add_method(flags, name, descriptor, body)?;
        let (class, interface) = (self.class.name().to_owned(), self.class.is_interface());
        Ok(Replacement { class, name: name.to_owned(), descriptor: descriptor.to_owned(), interface })
    }
}
