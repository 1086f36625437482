//! The checked plan of `xcute run`.

use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use xcute_c::whole::world::{SymbolicArguments, World};

use super::super::c::plan::{RunningPlan, running};
use super::arguments::RunArguments;

/// More symbolic bytes than this are a mistake, or a campaign that does not end.
const MOST: u32 = 1 << 16;

/// A campaign over a program.
#[derive(Debug)]
pub struct RunPlan {
    pub program: PathBuf,
    pub world: World,
    pub run: RunningPlan,
    /// Whether it runs in the user's directory itself.
    pub in_place: bool,
    /// A directory with contents to begin with.
    pub corpus: Option<PathBuf>,
    /// A directory for contents that covered something new.
    pub export: Option<PathBuf>,
}

/// Checks a `xcute run`.
pub fn run(low: RunArguments) -> Result<RunPlan> {
    let program = low.program.canonicalize().with_context(|| format!("cannot read {}", low.program.display()))?;
    if !program.is_file() {
        bail!("cannot explore {}: it is not a regular file", low.program.display());
    }
    let mut arguments = vec![program.clone().into_os_string().into_vec()];
    arguments.extend(low.arguments.into_iter().map(OsStringExt::into_vec));
    let world = World {
        arguments,
        symbolic: low.sym_args.iter().map(|text| group(text)).collect::<Result<_>>()?,
        stdin: low.sym_stdin.map(|n| size("--sym-stdin", n)).transpose()?,
        files: low.sym_files.iter().map(|text| file(text)).collect::<Result<_>>()?,
        environment: low.sym_env.iter().map(|text| variable(text)).collect::<Result<_>>()?,
    };
    if world.symbolic.is_empty() && world.stdin.is_none() && world.files.is_empty() && world.environment.is_empty() {
        bail!("nothing is symbolic: there is one path only (say --sym-args 1x8, --sym-stdin 32, --sym-file NAME:64 or --sym-env NAME:16)");
    }
    if low.export_corpus.is_some() && !(world.file_count() == 1 && world.symbolic.is_empty() && world.environment.is_empty()) {
        bail!(
            "cannot use --export-corpus: an input is more than the bytes of one file (say --sym-stdin or --sym-file once, and nothing else)"
        );
    }
    Ok(RunPlan { program, world, run: running(&low.run)?, in_place: low.in_place, corpus: low.corpus, export: low.export_corpus })
}

/// What the symbolic files hold to begin with: what the files of these names, and a standard input that is a file, really hold, and each
/// file of a corpus.
pub fn there(world: &World, corpus: Option<&Path>) -> Result<Vec<Vec<Option<Vec<u8>>>>> {
    let stdin = std::fs::File::open("/dev/stdin").ok().filter(|file| file.metadata().is_ok_and(|m| m.is_file()));
    let stdin = world.stdin.map(|_| stdin.and_then(|file| read(file, MOST)));
    let file = |(name, _): &(String, u32)| std::fs::File::open(name).ok().and_then(|file| read(file, MOST));
    let real: Vec<Option<Vec<u8>>> = stdin.into_iter().chain(world.files.iter().map(file)).collect();
    let mut out: Vec<_> = real.iter().any(Option::is_some).then_some(real).into_iter().collect();
    if let Some(corpus) = corpus {
        if world.file_count() == 0 {
            bail!("--corpus gives contents of files, but none is symbolic (say --sym-stdin or --sym-file)");
        }
        let cannot = || format!("cannot read the corpus {}", corpus.display());
        let mut paths: Vec<PathBuf> = std::fs::read_dir(corpus).with_context(cannot)?.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|path| path.is_file()) {
            out.push(vec![Some(std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?)]);
        }
    }
    Ok(out)
}

/// The beginning of a file.
fn read(file: std::fs::File, most: u32) -> Option<Vec<u8>> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    file.take(u64::from(most)).read_to_end(&mut bytes).ok().map(|_| bytes)
}

fn size(option: &str, n: u32) -> Result<u32> {
    if n == 0 || n > MOST {
        bail!("cannot understand {option}: {n} is not a number of bytes from 1 to {MOST}");
    }
    Ok(n)
}

/// Reads `2x8` or `1-3x8`.
fn group(text: &str) -> Result<SymbolicArguments> {
    let read = || {
        let (count, bytes) = text.split_once('x')?;
        let (least, most) = count.split_once('-').unwrap_or((count, count));
        Some(SymbolicArguments { least: least.parse().ok()?, most: most.parse().ok()?, bytes: bytes.parse().ok()? })
    };
    match read() {
        Some(group) if group.least <= group.most && (1..=1024).contains(&group.most) => {
            size("--sym-args", group.bytes)?;
            Ok(group)
        }
        _ => bail!("cannot understand --sym-args {text} (write it as in --sym-args 2x8, or --sym-args 0-2x8)"),
    }
}

/// Reads `NAME:N`.
fn named(option: &str, text: &str) -> Result<(String, u32)> {
    let read = text.rsplit_once(':').and_then(|(name, n)| Some((name, n.parse().ok()?)));
    match read {
        Some((name, n)) if !name.is_empty() => Ok((name.to_owned(), size(option, n)?)),
        _ => bail!("cannot understand {option} {text} (write it as in {option} name:64)"),
    }
}

fn file(text: &str) -> Result<(String, u32)> {
    let (name, n) = named("--sym-file", text)?;
    let path = Path::new(&name);
    let name = path.strip_prefix(".").unwrap_or(path);
    if !name.components().all(|part| matches!(part, Component::Normal(_))) {
        bail!("cannot make {text} symbolic: a failure is repeated with a real file, which must be below the working directory");
    }
    Ok((name.to_string_lossy().into_owned(), n))
}

fn variable(text: &str) -> Result<(String, u32)> {
    let (name, n) = named("--sym-env", text)?;
    let good = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit());
    if !good {
        bail!("cannot understand --sym-env {text}: {name} is not the name of a variable");
    }
    Ok((name, n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_arguments() {
        assert_eq!(group("2x8").unwrap(), SymbolicArguments { least: 2, most: 2, bytes: 8 });
        assert_eq!(group("0-3x16").unwrap(), SymbolicArguments { least: 0, most: 3, bytes: 16 });
        for bad in ["", "2", "x8", "2x", "0x8", "3-2x8", "1x0", "-1x8"] {
            assert!(group(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn files_lie_below_the_working_directory() {
        assert_eq!(file("./a/in.txt:64").unwrap(), ("a/in.txt".into(), 64));
        for bad in ["/etc/passwd:8", "../x:8", "x", "x:", ":8", "x:0"] {
            assert!(file(bad).is_err(), "{bad}");
        }
        assert!(variable("PATH:8").is_ok() && variable("1X:8").is_err() && variable("A=B:8").is_err());
    }
}
