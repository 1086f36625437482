//! The checked plan of `xcute java`: there is a JDK, the classes are read or compiled, and the method is one of theirs.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use xcute_java::junit::Junit;
use xcute_java::{Checks, Jdk, Opened, Options, Testable, Wanted, choose, choose_near, testable};

use super::arguments::JavaArguments;
use crate::talk;

/// A campaign over a method.
pub struct JavaPlan {
    pub origin: Origin,
    pub jdk: Jdk,
    pub opened: Opened,
    /// The method; of a sequence, the first one.
    pub method: Testable,
    pub checks: Checks,
    pub options: Options,
    pub junit: Junit,
    pub tests: usize,
    /// At most this many of them hold threads to an order.
    pub orders: usize,
}

/// Where the classes come from: all that is needed to read them again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Folders, jars and files, with their whole paths.
    pub paths: Vec<PathBuf>,
    /// What they need.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub class_path: Vec<PathBuf>,
}

impl Origin {
    /// Reads or compiles the classes.
    pub fn load(&self, jdk: &Jdk) -> Result<Opened> {
        Ok(Opened::open(&self.paths, &self.class_path, jdk)?)
    }
}

impl JavaPlan {
    /// The method with its descriptor, as cases name it.
    pub fn method_text(&self) -> String {
        format!("{}{}", self.method.name, self.method.descriptor)
    }

    /// What is tested, for the front end.
    pub fn wanted(&self) -> Wanted {
        Wanted { checks: self.checks.clone(), ..self.method.wanted(&self.opened) }
    }
}

/// Checks a `xcute java`; arrays and strings have this many elements, unless it says otherwise.
pub fn java(low: &JavaArguments, elements: u32) -> Result<JavaPlan> {
    let whole = |path: &PathBuf| path.canonicalize().with_context(|| format!("cannot read {}", path.display()));
    let all = |paths: &[PathBuf]| paths.iter().filter(|path| !path.as_os_str().is_empty()).map(whole).collect::<Result<Vec<_>>>();
    let origin = Origin { paths: all(&low.paths)?, class_path: all(&low.class_path)? };
    let jdk = Jdk::find()?;
    let opened = origin.load(&jdk)?;
    let methods = testable(&opened, &jdk)?;
    let (method, checks) = match (&low.method, &low.calls) {
        (None, None) => {
            talk::result(&list(&methods))?;
            bail!("no method is given (say which with --method CLASS.METHOD)");
        }
        (_, Some(calls)) => sequence(&methods, calls, low.length)?,
        (Some(_), None) if low.length.is_some() => bail!("--length is about sequences of calls (say which methods with --calls)"),
        (Some(wanted), None) => (choose(&methods, wanted)?.clone(), Checks::default()),
    };
    let checker = |name: &Option<String>| {
        let found = name.as_ref().map(|name| choose_near(&methods, &method.class, name)).transpose();
        found.map(|found| found.map(Testable::whole))
    };
    let checks = Checks { pre: checker(&low.pre)?, post: checker(&low.post)?, no_annotations: low.no_annotations, ..checks };
    let defaults = Options::default();
    Ok(JavaPlan {
        origin,
        jdk,
        opened,
        method,
        checks,
        options: Options {
            events: low.steps,
            patience: low.hang,
            heap: low.heap,
            garbage: defaults.garbage.min(u64::from(low.heap) << 18),
            longest: low.elements.unwrap_or(elements),
            ..defaults
        },
        junit: low.junit,
        tests: low.tests,
        orders: low.orders.min(low.tests),
    })
}

/// The methods of a sequence: the first says the class, which others may leave out; a class alone means all its public methods that are not static.
fn sequence(methods: &[Testable], calls: &str, length: Option<u32>) -> Result<(Testable, Checks)> {
    let mut all: Vec<&Testable> = Vec::new();
    for name in split(calls) {
        let own = all.first().map(|first| first.class.as_str());
        let found = match own {
            Some(class) => choose_near(methods, class, name),
            None => choose(methods, name),
        };
        match found {
            Ok(method) => all.push(method),
            Err(error) => match of_class(methods, name) {
                whole if whole.is_empty() => return Err(error.into()),
                whole => all.extend(whole),
            },
        }
    }
    let first = all.first().context("--calls names no method")?;
    let checks = Checks { calls: all.iter().map(|method| method.whole()).collect(), length: length.unwrap_or(LENGTH), ..Checks::default() };
    Ok(((*first).clone(), checks))
}

/// How many calls a sequence has, unless somebody says otherwise.
const LENGTH: u32 = 3;

/// Parts between the commas that are not inside of parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let outside = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    text.split(outside).map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// The public methods of the class of this name that need an object.
fn of_class<'a>(methods: &'a [Testable], name: &str) -> Vec<&'a Testable> {
    let named = |method: &&Testable| {
        let class = method.class.replace('$', ".");
        class == name || class.ends_with(&format!(".{name}"))
    };
    methods.iter().filter(named).filter(|method| method.public).collect()
}

/// What a user can choose from, a method a line.
fn list(methods: &[Testable]) -> String {
    methods.iter().filter(|method| method.open).map(|method| method.text() + "\n").collect()
}
