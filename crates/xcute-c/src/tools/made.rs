//! What the compiler made before: the same call with the same files is not made again.
//!
//! As ccache does it, a compilation is found in two steps: its words name a list of *occasions*, and an occasion holds if all files that the compiler read then are as
//! they were, and none has appeared that it would have read instead. Files in the scratch directory are ours: their contents count, and not where they are.
//!
//! **Invariant.** What is found is what the compiler would make. Words whose effect is not known, and files that ask for the date or for other files, are never kept.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memchr::memmem;
use serde::{Deserialize, Serialize};
use xcute_cache::{Key, Store};

use super::arguments::{Arguments, Kind};
use super::dependencies::dependencies;
use super::files::{is_installed, stamp};

/// All that is kept takes at most this much room.
const ROOM: u64 = 4 << 30;
/// No more occasions are kept of one call; the oldest go first.
const OCCASIONS: usize = 8;
/// A compilation that could read more files than these instead of those it read is not kept.
const MOST_ABSENT: usize = 4000;
/// What stands for the scratch directory.
const SCRATCH: &str = "\u{1}scratch";
/// What files ask that may be answered otherwise the next time.
const ASKS: &[&[u8]] = &[b"__DATE__", b"__TIME__", b"__TIMESTAMP__", b"__has_include", b"incbin", b"#embed", b"# embed"];
/// Variables that compilers and linkers read.
const VARIABLES: &[&str] = &[
    "PATH",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "CCC_OVERRIDE_OPTIONS",
    "SOURCE_DATE_EPOCH",
    "LD_RUN_PATH",
    "LDEMULATION",
    "LD_PRELOAD",
    "LANG",
    "LC_ALL",
];

/// A call of the compiler whose result may be kept.
#[derive(Debug)]
pub(super) struct Call {
    store: Store,
    key: String,
    scratch: String,
    words: Arguments,
    /// Where the files that it reads are listed.
    list: PathBuf,
    begun: SystemTime,
}

/// What was so when a compilation was made.
#[derive(Debug, Deserialize, Serialize)]
struct Occasion {
    /// The files that were read, and their contents or times.
    files: Vec<(String, String)>,
    /// Files that were not there.
    absent: Vec<String>,
    /// The entry with the result.
    entry: String,
}

/// What comes before the bytes of a result.
#[derive(Debug, Deserialize, Serialize)]
struct Head {
    messages: String,
    list: String,
}

impl Call {
    /// A call with these words; `None` if its result is not to be kept.
    pub(super) fn of(clang: &Path, scratch: &Path, args: &[OsString]) -> Option<Call> {
        Call::within(Store::new("made", ROOM)?, clang, scratch, args)
    }

    fn within(store: Store, clang: &Path, scratch: &Path, args: &[OsString]) -> Option<Call> {
        let words = Arguments::read(args, scratch)?;
        let scratch = scratch.to_str()?.to_owned();
        let mut key = Key::new("made");
        key.add_file(&clang.canonicalize().ok()?);
        key.add(std::env::current_dir().ok()?.as_os_str().as_encoded_bytes());
        for name in VARIABLES {
            key.add(std::env::var_os(name).unwrap_or_default().as_encoded_bytes());
        }
        for arg in args {
            key.add(arg.to_str()?.replace(&scratch, SCRATCH).as_bytes());
        }
        for input in &words.inputs {
            key.add(&fs::read(input).ok()?);
        }
        let list = words.list.clone().unwrap_or_else(|| words.output.with_extension("made.d"));
        Some(Call { store, key: key.name(), scratch, words, list, begun: SystemTime::now() })
    }

    /// What is to be said to the compiler besides.
    pub(super) fn more(&self) -> Vec<OsString> {
        if self.words.kind == Kind::Link || self.words.list.is_some() {
            Vec::new()
        } else {
            vec!["-MD".into(), "-MF".into(), self.list.clone().into()]
        }
    }

    /// Puts the result where it belongs, if it is known; gives back what the compiler said.
    pub(super) fn find(&self) -> Option<String> {
        let entry = match self.words.kind {
            Kind::Link => self.key.clone(),
            Kind::Compile => self.occasions().into_iter().find(|occasion| self.holds(occasion))?.entry,
        };
        let bytes = self.store.find(&entry)?;
        let end = memchr::memchr(b'\n', &bytes)?;
        let Head { messages, list } = serde_json::from_slice(&bytes[..end]).ok()?;
        fs::write(&self.words.output, &bytes[end + 1..]).ok()?;
        match self.words.kind {
            Kind::Link => fs::set_permissions(&self.words.output, fs::Permissions::from_mode(0o755)).ok()?,
            Kind::Compile => fs::write(&self.list, list.replace(SCRATCH, &self.scratch)).ok()?,
        }
        Some(messages.replace(SCRATCH, &self.scratch))
    }

    /// Keeps what the compiler has made now, if that can be.
    pub(super) fn keep(&self, messages: &str) {
        // Nothing depends on it.
        let _ = self.try_to_keep(messages);
    }

    fn try_to_keep(&self, messages: &str) -> Option<()> {
        let made = fs::read(&self.words.output).ok()?;
        let mut list = String::new();
        let mut entry = self.key.clone();
        if self.words.kind == Kind::Compile {
            list = fs::read_to_string(&self.list).ok()?;
            let mut occasion = self.occasion(&list)?;
            let mut key = Key::new(&self.key);
            occasion.files.iter().for_each(|(name, print)| [name, print].iter().for_each(|text| key.add(text.as_bytes())));
            entry = key.name();
            occasion.entry.clone_from(&entry);
            let mut all = self.occasions();
            all.retain(|other| other.entry != entry);
            all.insert(0, occasion);
            all.truncate(OCCASIONS);
            self.store.keep(&self.key, &serde_json::to_vec(&all).ok()?);
        }
        let list = list.replace(&self.scratch, SCRATCH);
        let mut bytes = serde_json::to_vec(&Head { messages: messages.replace(&self.scratch, SCRATCH), list }).ok()?;
        bytes.push(b'\n');
        bytes.extend(made);
        self.store.keep(&entry, &bytes);
        Some(())
    }

    fn occasions(&self) -> Vec<Occasion> {
        self.store.find(&self.key).and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    fn holds(&self, occasion: &Occasion) -> bool {
        let there = |name: &String| PathBuf::from(name.replace(SCRATCH, &self.scratch));
        occasion.files.iter().all(|(name, print)| print_of(&there(name)).as_ref() == Some(print))
            && !occasion.absent.iter().any(|name| Path::new(name).exists())
    }

    /// What is so now; `None` if it may be otherwise the next time without a file that shows it.
    fn occasion(&self, list: &str) -> Option<Occasion> {
        let files = dependencies(list);
        let mut occasion = Occasion { files: Vec::new(), absent: Vec::new(), entry: String::new() };
        let mut places = self.words.places.clone();
        for file in &files {
            let own = file.starts_with(&self.scratch);
            if !own && !is_installed(file) {
                let text = fs::read(file).ok()?;
                if ASKS.iter().any(|word| memmem::find(&text, word).is_some()) || fs::metadata(file).ok()?.modified().ok()? > self.begun {
                    return None;
                }
                places.extend(file.parent().map(Path::to_owned));
            }
            occasion.files.push((file.to_str()?.replace(&self.scratch, SCRATCH), print_of(file)?));
        }
        places.sort();
        places.dedup();
        for file in files.iter().filter(|file| !file.starts_with(&self.scratch)) {
            let parts: Vec<_> = file.components().rev().take(4).collect();
            for count in 1..=parts.len() {
                let name: PathBuf = parts[..count].iter().rev().collect();
                let others = places.iter().map(|place| place.join(&name)).filter(|other| other != file && !other.exists());
                occasion.absent.extend(others.filter_map(|other| other.to_str().map(str::to_owned)));
            }
            if occasion.absent.len() > MOST_ABSENT {
                return None;
            }
        }
        Some(occasion)
    }
}

fn print_of(file: &Path) -> Option<String> {
    if is_installed(file) {
        return stamp(file);
    }
    let mut key = Key::new("text");
    key.add(&fs::read(file).ok()?);
    Some(key.name())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use tempfile::TempDir;

    use super::*;

    /// Compiles a file of the user, or takes what was made before; gives back whether it was, and the object.
    fn compile(store: &Store, user: &TempDir, flags: &[&str]) -> (bool, Vec<u8>) {
        let (clang, scratch) = (which::which("clang-19").unwrap(), tempfile::tempdir().unwrap());
        let file = user.path().join("a.c");
        let object = scratch.path().join("a.o");
        let mut args: Vec<OsString> = ["-g", "-c", "-I"].iter().map(OsString::from).collect();
        args.push(user.path().join("first").into());
        args.extend(["-I".into(), user.path().join("second").into()]);
        args.extend(flags.iter().map(OsString::from));
        args.extend([file.into(), "-o".into(), object.clone().into()]);
        let call = Call::within(store.clone(), &clang, scratch.path(), &args).unwrap();
        if let Some(messages) = call.find() {
            assert!(messages.contains("unused") || flags.is_empty(), "{messages}");
            return (true, fs::read(object).unwrap());
        }
        // A file that was written at this moment may be written again.
        let call = Call { begun: SystemTime::now() + std::time::Duration::from_secs(1), ..call };
        let output = Command::new(clang).args(args).args(call.more()).output().unwrap();
        assert!(output.status.success());
        call.keep(&String::from_utf8(output.stderr).unwrap());
        (false, fs::read(object).unwrap())
    }

    fn write(user: &TempDir, name: &str, text: &str) {
        let file = user.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    #[test]
    fn nothing_is_made_twice_and_every_change_is_noticed() {
        let (user, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let store = Store::at(place.path(), 1 << 20);
        write(&user, "a.c", "#include \"two.h\"\n#include <stdlib.h>\nint f(int x) { int y; return x + TWO; }\n");
        write(&user, "second/two.h", "#define TWO 2\n");
        let (found, first) = compile(&store, &user, &[]);
        assert!(!found);
        assert_eq!(compile(&store, &user, &[]), (true, first.clone()));
        // Other words, which bring a warning.
        assert!(!compile(&store, &user, &["-Wunused-variable"]).0 && compile(&store, &user, &["-Wunused-variable"]).0);
        // Another text of a header, and the first one again.
        write(&user, "second/two.h", "#define TWO 3\n");
        let (found, other) = compile(&store, &user, &[]);
        assert!(!found && other != first);
        write(&user, "second/two.h", "#define TWO 2\n");
        assert_eq!(compile(&store, &user, &[]), (true, first.clone()));
        // A header that is found before the one that was read.
        write(&user, "first/two.h", "#define TWO 3\n");
        assert_eq!(compile(&store, &user, &[]), (false, other.clone()));
        fs::remove_file(user.path().join("first/two.h")).unwrap();
        write(&user, "two.h", "#define TWO 3\n");
        assert_eq!(compile(&store, &user, &[]), (false, other));
    }

    #[test]
    fn what_changes_by_itself_is_made_again() {
        let (user, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let store = Store::at(place.path(), 1 << 20);
        write(&user, "a.c", "const char *f(void) { return __TIME__; }\n");
        assert!(!compile(&store, &user, &[]).0 && !compile(&store, &user, &[]).0);
    }
}
