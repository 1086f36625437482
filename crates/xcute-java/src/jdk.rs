//! The JDK that programs run on.

use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

/// An installed JDK or JRE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    home: PathBuf,
    version: u32,
    release: String,
}

/// Why no JDK can be used.
#[derive(Debug, Error)]
pub enum JdkError {
    /// There is no `java`.
    #[error("cannot run {0}: {1} (install a JDK, 17 or later: apt install openjdk-17-jdk-headless; or set JAVA_HOME)")]
    NotFound(PathBuf, std::io::Error),
    /// It does not answer as expected.
    #[error("{0} does not say where it is installed (set JAVA_HOME to a JDK, 17 or later)")]
    Silent(PathBuf),
    /// It is too old.
    #[error("{home} is Java {version} (17 or later is needed: set JAVA_HOME)")]
    Old {
        /// Where.
        home: PathBuf,
        /// What.
        version: u32,
    },
}

impl Jdk {
    /// The JDK of `JAVA_HOME`, or else the one whose `java` is found first.
    ///
    /// # Errors
    /// Where there is none, or an old one.
    pub fn find() -> Result<Jdk, JdkError> {
        let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
        Jdk::of(&home.map_or_else(|| PathBuf::from("java"), |home| home.join("bin/java")))
    }

    /// The JDK that a `java` belongs to.
    ///
    /// # Errors
    /// Where it cannot be run or is too old.
    pub fn of(java: &Path) -> Result<Jdk, JdkError> {
        let found = described(java).map_or_else(|| asked(java), Ok)?;
        let Jdk { home, version, .. } = &found;
        if *version < 17 { Err(JdkError::Old { home: home.clone(), version: *version }) } else { Ok(found) }
    }

    /// The program that starts a JVM.
    #[must_use]
    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    /// The compiler; not there in a JRE.
    #[must_use]
    pub fn javac(&self) -> PathBuf {
        self.home.join("bin/javac")
    }

    /// The file with the JDK's own classes.
    #[must_use]
    pub fn image(&self) -> PathBuf {
        self.home.join("lib/modules")
    }

    /// The version in full: `17.0.15+6`.
    #[must_use]
    pub fn release(&self) -> &str {
        &self.release
    }

    /// The feature release: 17, 21, 25.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }
}

/// The JDK of a `java`, by the file that describes each: quicker than to start it.
fn described(java: &Path) -> Option<Jdk> {
    let home = which::which(java).ok()?.canonicalize().ok()?.parent()?.parent()?.to_owned();
    let text = std::fs::read_to_string(home.join("release")).ok()?;
    let value = |name: &str| text.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix('=')?.trim_matches('"').to_owned()));
    let release = value("JAVA_RUNTIME_VERSION").or_else(|| value("JAVA_VERSION"))?;
    let version = release.split(['.', '+', '-']).next()?.parse().ok()?;
    home.join("lib/modules").is_file().then_some(Jdk { home, version, release })
}

/// The JDK of a `java`, by what it says itself.
fn asked(java: &Path) -> Result<Jdk, JdkError> {
    let mut command = Command::new(java);
    let output = command.args(["-XshowSettings:properties", "-version"]).output().map_err(|e| JdkError::NotFound(java.into(), e))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let property = |name: &str| text.lines().find_map(|line| line.trim().strip_prefix(name)?.trim().strip_prefix("= "));
    let (Some(home), Some(version)) = (property("java.home"), property("java.specification.version")) else {
        return Err(JdkError::Silent(java.into()));
    };
    let (home, version) = (PathBuf::from(home), version.trim_start_matches("1.").parse().unwrap_or(0));
    let release = property("java.runtime.version").unwrap_or_default().to_owned();
    Ok(Jdk { home, version, release })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_described_is_what_java_says() {
        let (described, asked) = (Jdk::find().unwrap(), asked(Path::new("java")).unwrap());
        assert_eq!((&described.version, described.java().is_file()), (&asked.version, true));
        assert!(matches!(Jdk::of(Path::new("/xcute-none/bin/java")), Err(JdkError::NotFound(..))));
    }
}
