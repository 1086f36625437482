//! The checked plan of `xcute java`: there is a JDK, the classes are read or compiled, and the method is one of theirs.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use xcute_java::junit::Junit;
use xcute_java::{Jdk, Opened, Options, Testable, choose, testable};

use super::arguments::JavaArguments;
use crate::talk;

/// A campaign over a method.
pub struct JavaPlan {
    pub origin: Origin,
    pub jdk: Jdk,
    pub opened: Opened,
    pub method: Testable,
    pub options: Options,
    pub junit: Junit,
    pub tests: usize,
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

/// Checks a `xcute java`.
pub fn java(low: &JavaArguments) -> Result<JavaPlan> {
    let whole = |path: &PathBuf| path.canonicalize().with_context(|| format!("cannot read {}", path.display()));
    let all = |paths: &[PathBuf]| paths.iter().filter(|path| !path.as_os_str().is_empty()).map(whole).collect::<Result<Vec<_>>>();
    let origin = Origin { paths: all(&low.paths)?, class_path: all(&low.class_path)? };
    let jdk = Jdk::find()?;
    let opened = origin.load(&jdk)?;
    let methods = testable(&opened, &jdk)?;
    let Some(wanted) = &low.method else {
        talk::result(&list(&methods))?;
        bail!("no method is given (say which with --method CLASS.METHOD)");
    };
    let method = choose(&methods, wanted)?.clone();
    let defaults = Options::default();
    Ok(JavaPlan {
        origin,
        jdk,
        opened,
        method,
        options: Options {
            events: low.steps,
            patience: low.hang,
            heap: low.heap,
            garbage: defaults.garbage.min(u64::from(low.heap) << 18),
            longest: low.elements,
            ..defaults
        },
        junit: low.junit,
        tests: low.tests,
    })
}

/// What a user can choose from, a method a line.
fn list(methods: &[Testable]) -> String {
    methods.iter().filter(|method| method.open).map(|method| method.text() + "\n").collect()
}
