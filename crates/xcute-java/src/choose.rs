//! Which methods can be tested, and which one a user means.
//!
//! Names are taken as people write them: with a dot, `#` or `::` before the method, nested classes with a dot or `$`, packages left out where
//! that is clear, overloads by the types of their parameters or by a descriptor.

use thiserror::Error;
use xcute_classfile::{ClassFile, Code, Signature, access};

use crate::program::path::ClassPath;
use crate::program::{Checks, ProgramError, Wanted, names};
use crate::{Jdk, Opened};

/// A method that can be tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Testable {
    /// Its class, as the JVM names it: `com.acme.Foo$Bar`.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The source file of its class, as the class names it; empty where it does not.
    pub file: String,
    /// The first line of its code; 0 where it is unknown.
    pub line: u32,
    /// Whether other classes can call it.
    pub open: bool,
    /// Whether it is public, and called on an object.
    pub public: bool,
}

/// Why no method is meant.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ChooseError {
    /// There is none of this name.
    #[error("there is no method {0}{1}")]
    Unknown(String, String),
    /// There are several.
    #[error("{0} is not one method: it can be {1}")]
    Ambiguous(String, String),
}

impl Testable {
    /// The method as a user may write it: `com.acme.Foo.bar(int, String)`.
    #[must_use]
    pub fn text(&self) -> String {
        let parameters: Vec<String> = self.parameters().iter().map(|parameter| simple(parameter).to_owned()).collect();
        format!("{}({})", self.full(), parameters.join(", "))
    }

    /// Class and method, as the source names them.
    fn full(&self) -> String {
        format!("{}.{}", self.class.replace('$', "."), self.name)
    }

    fn parameters(&self) -> Vec<String> {
        let signature = Signature::parse(&self.descriptor).expect("checked when it was read");
        signature.parameters.iter().map(|parameter| names::readable_type(parameter).replace('$', ".")).collect()
    }

    /// Whether these are its parameters: by their types, or as the beginning of a descriptor.
    fn takes(&self, wanted: &str) -> bool {
        if self.descriptor.starts_with(wanted) {
            return true;
        }
        let inside = wanted.trim().trim_start_matches('(').trim_end_matches(')');
        let types: Vec<String> =
            inside.split(',').map(|t| t.trim().replace("...", "[]").replace('$', ".")).filter(|t| !t.is_empty()).collect();
        let own = self.parameters();
        own.len() == types.len() && own.iter().zip(&types).all(|(own, wanted)| own == wanted || simple(own) == wanted)
    }

    /// The same for the front end.
    #[must_use]
    pub fn wanted(&self, opened: &Opened) -> Wanted {
        let method = format!("{}{}", self.name, self.descriptor);
        Wanted { path: opened.path.clone(), class: self.class.clone(), method, checks: Checks::default() }
    }

    /// The method as [`Checks`] name it.
    #[must_use]
    pub fn whole(&self) -> String {
        format!("{}.{}{}", self.class, self.name, self.descriptor)
    }
}

/// A type without its package.
fn simple(name: &str) -> &str {
    let package = name.split('.').take_while(|part| part.starts_with(|c: char| c.is_ascii_lowercase())).map(|part| part.len() + 1).sum();
    name.get(package..).unwrap_or(name)
}

/// All methods with code of what was opened, by class and in the order of their classes.
///
/// # Errors
/// Where a class cannot be read.
pub fn testable(opened: &Opened, jdk: &Jdk) -> Result<Vec<Testable>, ProgramError> {
    let path = ClassPath::open(&opened.path, &jdk.image())?;
    let mut all = Vec::new();
    for name in path.program()? {
        let Some(bytes) = path.own(&name)? else { continue };
        let class = ClassFile::read(&bytes).map_err(ProgramError::class(&name))?;
        if class.access & access::SYNTHETIC != 0 {
            continue;
        }
        let hidden = access::ABSTRACT | access::NATIVE | access::SYNTHETIC | access::BRIDGE;
        for method in class.methods.iter().filter(|method| method.access & hidden == 0) {
            let (called, descriptor) = class.name_of(method).map_err(ProgramError::class(&name))?;
            Signature::parse(descriptor).map_err(ProgramError::class(&name))?;
            if !called.starts_with('<') {
                let open = method.access & access::PRIVATE == 0;
                let public = method.access & (access::PUBLIC | access::STATIC) == access::PUBLIC;
                let (called, descriptor) = (called.to_owned(), descriptor.to_owned());
                let code = Code::of(&class, method).map_err(ProgramError::class(&name))?;
                let lines = code.map_or_else(|| Ok(Vec::new()), |code| code.lines(&class)).map_err(ProgramError::class(&name))?;
                let line = lines.iter().map(|(_, line)| *line).min().unwrap_or(0);
                let file = class.source_file().unwrap_or_default().to_owned();
                all.push(Testable { class: class.name().replace('/', "."), name: called, descriptor, file, line, open, public });
            }
        }
    }
    Ok(all)
}

/// The method that a user means.
///
/// # Errors
/// Where it is none or more than one; with what there is.
pub fn choose<'a>(all: &'a [Testable], wanted: &str) -> Result<&'a Testable, ChooseError> {
    let (head, parameters) = wanted.find('(').map_or((wanted, None), |at| (&wanted[..at], Some(&wanted[at..])));
    let head = head.trim().replace("::", ".").replace(['#', '/', '$'], ".");
    let exact: Vec<&Testable> = all.iter().filter(|method| method.full() == head).collect();
    let ending = format!(".{head}");
    let named = if exact.is_empty() { all.iter().filter(|method| method.full().ends_with(&ending)).collect() } else { exact };
    let found: Vec<&Testable> = named.iter().copied().filter(|method| parameters.is_none_or(|wanted| method.takes(wanted))).collect();
    let list = |methods: &[&Testable]| methods.iter().map(|method| method.text()).collect::<Vec<_>>().join(" or ");
    match (found.as_slice(), named.as_slice()) {
        ([one], _) => Ok(one),
        ([], []) => Err(ChooseError::Unknown(wanted.to_owned(), suggestion(all, &head))),
        ([], others) => Err(ChooseError::Unknown(wanted.to_owned(), format!(" (there is {})", list(others)))),
        (several, _) => Err(ChooseError::Ambiguous(wanted.to_owned(), list(several))),
    }
}

/// The method that a user means: one of this class, if there is one.
///
/// # Errors
/// As [`choose`].
pub fn choose_near<'a>(all: &'a [Testable], class: &str, wanted: &str) -> Result<&'a Testable, ChooseError> {
    match choose(all, &format!("{class}.{wanted}")) {
        Ok(near) => Ok(near),
        Err(ChooseError::Ambiguous(_, several)) => Err(ChooseError::Ambiguous(wanted.to_owned(), several)),
        Err(ChooseError::Unknown(..)) => choose(all, wanted),
    }
}

/// What a user may have meant.
fn suggestion(all: &[Testable], head: &str) -> String {
    // Its name alone, or with its class; packages are long, and would make everything in them near.
    let last = |text: &str, parts: usize| text.rsplitn(parts + 1, '.').take(parts).collect::<Vec<_>>().join(".");
    let parts = 1 + usize::from(head.contains('.'));
    match xcute_suggest::nearest_by(&last(head, parts), all, |method| last(&method.full(), parts)) {
        Some(near) => xcute_suggest::hint(Some(near.text())),
        None if all.is_empty() => " (there is no method with code in what was given)".to_owned(),
        None => " (without --method, all methods are listed)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Testable> {
        let method = |class: &str, name: &str, descriptor: &str| Testable {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            file: String::new(),
            line: 0,
            open: true,
            public: true,
        };
        vec![
            method("com.acme.Foo", "bar", "(ILjava/lang/String;)V"),
            method("com.acme.Foo", "bar", "([J)I"),
            method("com.acme.Foo$In", "go", "(Lcom/acme/Foo$In;)V"),
            method("com.other.Foo", "baz", "()V"),
            method("Foo", "baz", "()V"),
        ]
    }

    #[test]
    fn methods_are_named_as_people_do() {
        let all = all();
        let chosen = |wanted: &str| choose(&all, wanted).map(Testable::text).map_err(|error| error.to_string());
        for (wanted, expected) in [
            ("com.acme.Foo.bar(int, String)", "com.acme.Foo.bar(int, String)"),
            ("Foo.bar(int,java.lang.String)", "com.acme.Foo.bar(int, String)"),
            ("Foo#bar(long[])", "com.acme.Foo.bar(long[])"),
            ("bar(long...)", "com.acme.Foo.bar(long[])"),
            ("com/acme/Foo.bar([J)I", "com.acme.Foo.bar(long[])"),
            ("Foo$In::go", "com.acme.Foo.In.go(Foo.In)"),
            ("go", "com.acme.Foo.In.go(Foo.In)"),
            ("Foo.baz", "Foo.baz()"),
            ("other.Foo.baz", "com.other.Foo.baz()"),
        ] {
            assert_eq!(chosen(wanted).as_deref(), Ok(expected), "{wanted}");
        }
        let error = |wanted: &str| chosen(wanted).unwrap_err();
        assert!(error("Foo.bar").ends_with("it can be com.acme.Foo.bar(int, String) or com.acme.Foo.bar(long[])"), "{}", error("Foo.bar"));
        assert_eq!(error("com.acme.Foo.bra"), "there is no method com.acme.Foo.bra (did you mean com.acme.Foo.bar(int, String)?)");
        assert!(error("Foo.bar(int)").starts_with("there is no method Foo.bar(int) (there is com.acme.Foo.bar(int, String) or"));
        assert!(error("xyz").contains("without --method"), "{}", error("xyz"));
    }
}
