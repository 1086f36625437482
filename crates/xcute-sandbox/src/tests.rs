//! Programs that try to change what is not theirs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Crowd, Place, Refusal, Rlimits, SWARM, Sandbox, send};

/// What a script says, and what was refused.
fn run(sandbox: &Sandbox, directory: &Path, writable: &[&Path], script: &str) -> (String, Vec<String>) {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(script).current_dir(directory).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let place = Place { writable, limits: Rlimits { file: Some(1 << 20), ..Rlimits::default() }, ..Place::default() };
    let (child, guard) = sandbox.spawn(&mut command, &place).unwrap();
    let output = child.wait_with_output().unwrap();
    let refused = guard.refused().into_iter().map(|Refusal { what, times }| format!("{what} ({times})")).collect();
    (String::from_utf8(output.stdout).unwrap(), refused)
}

#[test]
fn files_outside_survive_and_what_was_refused_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let (home, scratch) = (root.join("home"), root.join("scratch"));
    fs::create_dir_all(home.join("empty")).unwrap();
    fs::create_dir_all(&scratch).unwrap();
    fs::write(home.join("kept"), "precious").unwrap();
    let script = "rm -f kept missing; echo x > kept; echo y > new; mv kept other; mkdir d; rmdir empty; chmod 600 kept; touch kept; ln -s kept link
        rm -f kept; cat kept; echo ok > ../scratch/a && mv ../scratch/a ../scratch/b && rm ../scratch/b && echo; echo > /dev/null && echo done";
    let (said, refused) = run(&Sandbox::new(), &home, &[&scratch], script);
    assert_eq!(said, "precious\ndone\n");
    assert_eq!(fs::read_to_string(home.join("kept")).unwrap(), "precious");
    assert_eq!(fs::read_dir(&home).unwrap().count(), 2);
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
    let at = |verb: &str, name: &str, times: u32| format!("{verb} {} ({times})", home.join(name).display());
    for wanted in [
        at("delete", "kept", 2),
        at("make", "new", 1),
        at("delete", "empty", 1),
        at("make the directory", "d", 1),
        at("make the link", "link", 1),
        at("change the mode of", "kept", 1),
        format!("rename {0}/kept to {0}/other (1)", home.display()),
    ] {
        assert!(refused.contains(&wanted), "{wanted}: {refused:?}");
    }
    assert!(refused.iter().all(|what| !what.contains("missing")), "what fails by itself is not refused: {refused:?}");
    let (said, refused) = run(&Sandbox::off(), &home, &[], "echo changed > kept; cat kept; rm kept");
    assert_eq!((said.as_str(), refused.len(), home.join("kept").exists()), ("changed\n", 0, false));
}

#[test]
fn a_program_that_is_still_open_for_writing_starts_later() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("program");
    fs::copy("/bin/true", &program).unwrap();
    for sandbox in [Sandbox::new(), Sandbox::off()] {
        let writer = fs::OpenOptions::new().append(true).open(&program).unwrap();
        assert_eq!(Command::new(&program).spawn().unwrap_err().kind(), std::io::ErrorKind::ExecutableFileBusy);
        let closed = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(100));
            drop(writer);
        });
        let (mut child, _guard) = sandbox.spawn(&mut Command::new(&program), &Place::default()).unwrap();
        assert!(child.wait().unwrap().success());
        closed.join().unwrap();
    }
}

#[test]
fn temporary_files_of_its_own_are_removed_and_those_of_others_are_left() {
    let dir = tempfile::tempdir().unwrap();
    let other = tempfile::NamedTempFile::new_in("/tmp").unwrap();
    let name = format!("/tmp/xcute-sandbox-test-{}", std::process::id());
    let script = format!(
        "echo a > {name} && echo b >> {name} && cat {name} && mkdir {name}.d && mv {name} {name}.d/x && cat {name}.d/x; echo z > {name}.d/y; rm {name}.d/y; rm -f {}",
        other.path().display()
    );
    let (said, refused) = run(&Sandbox::new(), dir.path(), &[], &script);
    assert_eq!(said, "a\nb\na\nb\n", "{refused:?}");
    assert_eq!(refused, [format!("delete {} (1)", other.path().display())]);
    assert!(!Path::new(&name).exists() && !Path::new(&format!("{name}.d")).exists() && other.path().exists());
}

#[test]
fn signals_reach_the_sandbox_only() {
    let dir = tempfile::tempdir().unwrap();
    let sandbox = Sandbox::new();
    let (said, refused) = run(&sandbox, dir.path(), &[], "kill -9 $PPID; kill -0 $PPID && echo alive; kill -9 -1; kill -9 999999; echo on");
    assert_eq!(said, "alive\non\n");
    assert_eq!(refused, ["send a signal to all processes (1)", "send a signal to xcute (1)"]);
    let (said, refused) = run(&sandbox, dir.path(), &[], "sleep 100 & kill $!; wait $!; echo $?; (kill -9 $$); echo never");
    assert_eq!((said.as_str(), refused.len()), ("143\n", 0), "{refused:?}");
}

#[test]
fn files_have_a_largest_size() {
    let dir = tempfile::tempdir().unwrap();
    let (_, refused) = run(&Sandbox::new(), dir.path(), &[dir.path()], "cat /dev/zero > large");
    assert_eq!((fs::metadata(dir.path().join("large")).unwrap().len(), refused.len()), (1 << 20, 0));
}

#[test]
fn a_program_that_is_not_there_is_not_the_fault_of_the_sandbox() {
    let error = Sandbox::new().spawn(&mut Command::new("/no/such/program"), &Place::default()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn what_can_be_confined_is_known() {
    assert!(Sandbox::new().works() && Sandbox::off().works());
}

#[test]
fn a_fork_bomb_stands_still_and_nothing_of_it_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let shell = dir.path().join("shell");
    fs::copy("/bin/bash", &shell).unwrap();
    let all = || {
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let is_ours = |entry: fs::DirEntry| fs::read_link(entry.path().join("exe")).is_ok_and(|program| program == shell);
        entries.filter_map(|entry| is_ours(entry).then_some(())).count() as u64
    };
    // In one group, and each in a group of its own.
    for bomb in ["bomb() { bomb & bomb & wait; }; bomb", "set -m; bomb() { bomb & bomb & wait; }; bomb"] {
        let mut command = Command::new(&shell);
        command.args(["-c", bomb]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let (mut child, guard) = Sandbox::new().spawn(&mut command, &Place { counted: true, ..Place::default() }).unwrap();
        let (began, crowd) = (Instant::now(), Crowd::now());
        while !guard.swarms(child.id(), crowd) && child.try_wait().unwrap().is_none() && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(guard.swarms(child.id(), crowd), "{bomb}");
        let most = all();
        assert!((SWARM / 4..=2 * SWARM).contains(&most), "{most}");
        send(-i32::try_from(child.id()).unwrap(), libc::SIGKILL);
        child.wait().unwrap();
        drop(guard);
        while all() > 0 && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(all(), 0, "{bomb}");
    }
}
