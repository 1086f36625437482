//! A panic: a mistake of ours. It says what to report, and whoever called goes on to save what was found.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use anyhow::{Result, anyhow};

use crate::talk;
use crate::version;

/// From now on panics are reported in one line, with what to do.
pub fn listen() {
    panic::set_hook(Box::new(|info| talk::say(&told(info))));
}

fn told(info: &PanicHookInfo<'_>) -> String {
    let what = info.payload();
    let what = what.downcast_ref::<&str>().copied().or_else(|| what.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic");
    let place = info.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
    format!(
        "a mistake in xcute {}: {what}{place} (please report this line, the command line and, if you can, the program: {})",
        version::SHORT,
        env!("CARGO_PKG_REPOSITORY")
    )
}

/// Does something; an error where it panics.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T> {
    // Whatever is looked at afterwards is behind locks that outlive a panic, or on the disk.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| anyhow!("xcute has a mistake, and cannot go on"))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn panics_say_what_to_report() {
        static SAID: Mutex<String> = Mutex::new(String::new());
        panic::set_hook(Box::new(|info| *SAID.lock().unwrap() = told(info)));
        let error = caught(|| panic!("one and {}", "one")).unwrap_err();
        drop(panic::take_hook());
        let said = SAID.lock().unwrap().clone();
        assert!(said.starts_with("a mistake in xcute ") && said.contains(": one and one at crates/xcute/src/bug.rs:"), "{said}");
        assert!(said.contains("please report this line, the command line"), "{said}");
        assert_eq!(error.to_string(), "xcute has a mistake, and cannot go on");
        assert_eq!(caught(|| 7).unwrap(), 7);
    }
}
