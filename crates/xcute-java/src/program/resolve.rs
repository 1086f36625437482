//! From what a user asks for to the plan of a driver: methods, checkers and constructors are found in the classes of the program.

use xcute_classfile::{ClassFile, access};

use super::entry::{self, Entry};
use super::hierarchy::ClassInfo;
use super::plan::{Plan, Sequence};
use super::{ProgramError, Wanted};

/// The plan.
pub(super) fn plan(classes: &[ClassFile], wanted: &Wanted) -> Result<Plan, ProgramError> {
    let checks = &wanted.checks;
    let bare = |entry: Entry| if checks.no_annotations { Entry { constraints: Vec::new(), ..entry } } else { entry };
    let methods = checks.calls.iter().map(|method| whole(classes, method).map(bare)).collect::<Result<Vec<_>, _>>()?;
    let sequence = match methods.first() {
        Some(first) => Some(sequence(classes, first.class.clone(), methods.clone(), checks.length)?),
        None => None,
    };
    let entry = match methods.into_iter().next() {
        Some(first) => first,
        None => bare(find(classes, &wanted.class, &wanted.method)?),
    };
    let inputs = match &sequence {
        Some(sequence) if sequence.constructors.is_empty() => Vec::new(),
        Some(sequence) => vec![xcute_classfile::descriptor::descriptor_of(&sequence.constructors[0].class)],
        None => entry.inputs(),
    };
    let checker = |name: &Option<String>| match name {
        Some(name) => checked(classes, whole(classes, name)?, &inputs).map(Some),
        None => Ok(None),
    };
    Ok(Plan::new(entry, [checker(&checks.pre)?, checker(&checks.post)?], sequence))
}

/// A method by `com.acme.Foo.name(descriptor)`.
fn whole(classes: &[ClassFile], text: &str) -> Result<Entry, ProgramError> {
    let name = text.find('(').map_or(text, |at| &text[..at]);
    let (class, _) = name.rsplit_once('.').ok_or_else(|| ProgramError::NoClass(text.to_owned()))?;
    find(classes, class, &text[class.len() + 1..])
}

/// A checker, if it can be called with these inputs: it takes the first of them, and returns a boolean.
fn checked(classes: &[ClassFile], checker: Entry, inputs: &[String]) -> Result<Entry, ProgramError> {
    let takes = checker.inputs();
    let fits = |(wanted, given): (&String, &String)| wanted == given || is_above(classes, wanted, given);
    if checker.descriptor.ends_with(")Z") && takes.len() <= inputs.len() && takes.iter().zip(inputs).all(fits) {
        return Ok(checker);
    }
    Err(ProgramError::Checker { checker: checker.full() })
}

/// Whether a type is a superclass of another, both of the program.
fn is_above(classes: &[ClassFile], above: &str, below: &str) -> bool {
    let mut at = below.to_owned();
    while let Some(class) = classes.iter().find(|class| xcute_classfile::descriptor::descriptor_of(class.name()) == at) {
        let Ok(Some(superclass)) = class.superclass() else { return false };
        at = xcute_classfile::descriptor::descriptor_of(superclass);
        if at == above {
            return true;
        }
    }
    false
}

/// Calls of methods of one class, on an object that its constructors make.
fn sequence(classes: &[ClassFile], class: String, methods: Vec<Entry>, length: u32) -> Result<Sequence, ProgramError> {
    if let Some(other) = methods.iter().find(|method| method.class != class && !method.is_static) {
        return Err(ProgramError::Receivers { class: super::names::readable(&class), other: super::names::readable(&other.class) });
    }
    let mut constructors = Vec::new();
    if methods.iter().any(|method| !method.is_static) {
        let file = classes.iter().find(|file| file.name() == class).ok_or_else(|| ProgramError::NoClass(class.clone()))?;
        let info = ClassInfo::of(file, true).map_err(ProgramError::class(&class))?;
        let open = |m: &&super::hierarchy::MemberInfo| m.name == "<init>" && m.access & (access::PRIVATE | access::SYNTHETIC) == 0;
        for constructor in info.methods.iter().filter(open).filter(|_| !info.is_abstract()) {
            constructors.push(find(classes, &class, &format!("<init>{}", constructor.descriptor))?);
        }
        if constructors.is_empty() {
            return Err(ProgramError::NoConstructor(super::names::readable(&class)));
        }
    }
    Ok(Sequence { constructors, methods, length })
}

/// A method by its class, as Java writes it, and its name, with a descriptor where there are several.
fn find(classes: &[ClassFile], class: &str, method: &str) -> Result<Entry, ProgramError> {
    let name = class.replace('.', "/");
    // A nested class may be written with a dot.
    let fits = |file: &ClassFile| file.name() == name || file.name().replace('$', "/") == name;
    let Some(file) = classes.iter().find(|file| fits(file)) else {
        return Err(ProgramError::NoClass(class.to_owned()));
    };
    let info = ClassInfo::of(file, true).map_err(ProgramError::class(&name))?;
    let found = entry::find(file.name(), &info, method);
    let named = |entry| entry::named(file, entry).map_err(ProgramError::class(&name));
    found.map(named).unwrap_or_else(|found| {
        let (class, method) = (class.to_owned(), method.to_owned());
        if found.is_empty() {
            let mut names: Vec<_> = info.methods.iter().map(|m| m.name.as_str()).filter(|name| !name.contains(['<', '$'])).collect();
            names.sort_unstable();
            names.dedup();
            Err(ProgramError::NoMethod { class, method, known: format!("it has {}", names.join(", ")) })
        } else {
            Err(ProgramError::Ambiguous { class, method, known: found.join(", ") })
        }
    })
}
