//! Programs that the code under test starts (`os:cmd`, ports), and that go on when it is over.
//!
//! The emulator starts each in a session of its own, so no signal to a group reaches it, and a shell may be gone before what it started. What all of them have
//! is the environment of the emulator, with a mark of its own in it.
//!
//! **Invariant.** Only processes with the mark are ended, so only those that come from this emulator.

use std::fs;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The variable of the environment that holds the mark.
pub(super) const VARIABLE: &str = "XCUTE_EMULATOR";

/// A program may start another one while it is looked for.
const ROUNDS: usize = 4;

/// A mark that no other emulator has.
pub(super) fn mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{}.{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Runs an emulator that is not a [`Vm`](super::Vm) to its end; the programs that it started end with it.
///
/// # Errors
/// Where it cannot be started.
pub fn run(command: &mut Command) -> std::io::Result<ExitStatus> {
    let mark = mark();
    let status = command.env(VARIABLE, &mark).status();
    end(&mark, None);
    status
}

/// Ends all programs with this mark, but for a running emulator and what belongs to it.
pub(super) fn end(mark: &str, emulator: Option<u32>) {
    let entry = format!("{VARIABLE}={mark}").into_bytes();
    for _ in 0..ROUNDS {
        let left: Vec<String> = marked(&entry).filter(|&process| !belongs(process, emulator)).map(|process| process.to_string()).collect();
        if left.is_empty() {
            return;
        }
        let mut kill = Command::new("/bin/sh");
        kill.args(["-c", "kill -9 \"$@\"", "sh"]).args(left).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // One that is gone already is as good.
        let _ = kill.status();
    }
}

/// The processes with this entry in their environment.
fn marked(entry: &[u8]) -> impl Iterator<Item = u32> {
    let numbers = fs::read_dir("/proc").into_iter().flatten().filter_map(|found| found.ok()?.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(move |process| {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|own| own == entry)
    })
}

/// Whether a process is the emulator, or the one that starts programs for it, which is a child of it.
fn belongs(process: u32, emulator: Option<u32>) -> bool {
    emulator.is_some_and(|emulator| process == emulator || parent(process) == Some(emulator))
}

fn parent(process: u32) -> Option<u32> {
    // The name of the program is in parentheses, and may hold anything.
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn programs_end_by_their_mark_alone() {
        let (own, other) = (mark(), mark());
        let start = |mark: &str| Command::new("sleep").arg("1000").env(VARIABLE, mark).spawn().unwrap();
        let (mut ended, mut kept) = (start(&own), start(&other));
        // The environment is there once the program is.
        let begin = Instant::now();
        while marked(format!("{VARIABLE}={own}").as_bytes()).next().is_none() && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        end(&own, Some(ended.id()));
        assert!(ended.try_wait().unwrap().is_none(), "it counts as the emulator");
        end(&own, None);
        assert!(!ended.wait().unwrap().success());
        assert!(kept.try_wait().unwrap().is_none());
        end(&other, None);
        assert!(!kept.wait().unwrap().success());
    }
}
