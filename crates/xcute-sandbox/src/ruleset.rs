//! What Landlock forbids: all changes of files but below the given places, and signals to processes outside.
//!
//! **Invariant.** Reading is never restricted.

use std::os::fd::OwnedFd;
use std::path::Path;

use landlock::{ABI, Access as _, AccessFs, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, Scope, path_beneath_rules};

/// Devices that take what is written to them and change nothing.
pub(crate) const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The rules as a descriptor; `None`: the kernel has no Landlock.
pub(crate) fn new(writable: &[&Path]) -> Result<Option<OwnedFd>, RulesetError> {
    // Later versions also restrict what is done to devices that are open, which changes no files.
    let access = AccessFs::from_write(ABI::V3);
    let ruleset = Ruleset::default().handle_access(access)?.scope(Scope::from_all(ABI::V6))?.create()?;
    let places = DEVICES.iter().map(Path::new).chain(writable.iter().copied());
    let ruleset = ruleset.add_rules(path_beneath_rules(places, access))?;
    Ok(ruleset.into())
}
