//! The words of a compiler's command line: which are options, which are files.
//!
//! **Invariant.** Only what has to be left out for a second compilation is known here; everything else goes through as it is.

use std::ffi::{OsStr, OsString};

/// Options whose value is the next word.
const WITH_VALUE: &[&str] = &[
    "-D",
    "-F",
    "-I",
    "-L",
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "-arch",
    "-e",
    "-h",
    "-idirafter",
    "-imacros",
    "-imultilib",
    "-include",
    "-include-pch",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-l",
    "-mllvm",
    "-o",
    "-rpath",
    "-soname",
    "-target",
    "-u",
    "-x",
    "-z",
    "--config",
    "--include",
    "--output",
    "--param",
    "--sysroot",
    "--target",
];

/// Words that would make a second compilation write what the first one writes, or make no bitcode of it.
fn is_left_out(word: &str) -> bool {
    let exact =
        ["-c", "-S", "-E", "-v", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-save-temps", "--coverage", "-Werror", "-pedantic-errors"];
    let begins =
        ["-MF", "-MJ", "-MQ", "-MT", "-Wp,-M", "-o", "--output", "-save-temps=", "-ftime-trace", "-fprofile-", "-fsanitize", "-flto"];
    let begins = begins.iter().any(|b| word.starts_with(b)) || word.starts_with("-fcoverage-mapping") || word.starts_with("-Werror=");
    exact.contains(&word) || (begins && !word.starts_with("-object"))
}

/// Whether these words ask for checks of undefined behaviour.
pub(super) fn checks_undefined(words: &[OsString]) -> bool {
    let asks = |of: &str| of.split(',').any(|check| check == "undefined");
    words.iter().filter_map(|word| word.to_str()?.strip_prefix("-fsanitize=")).any(asks)
}

/// The words without `files`, without outputs and without what else a second compilation must not do.
pub(super) fn for_bitcode(words: &[OsString], files: &[String]) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        let value = WITH_VALUE.contains(&&*text).then(|| rest.next()).flatten();
        if is_left_out(&text) || (value.is_none() && files.iter().any(|f| *f == text)) {
            continue;
        }
        // The language of each source is given again.
        if text == "-x" || (text.starts_with("-x") && text.len() > 2) || text == "--" {
            continue;
        }
        out.push(word.clone());
        out.extend(value.cloned());
    }
    out
}

/// The words with `@file` replaced by the words in that file, as GNU tools read them.
pub(super) fn expanded(words: &[OsString]) -> Vec<OsString> {
    let mut out = Vec::new();
    for word in words {
        let file = word.to_str().and_then(|w| w.strip_prefix('@'));
        match file.and_then(|path| std::fs::read_to_string(path).ok()) {
            Some(text) => out.extend(expanded(&split(&text).into_iter().map(OsString::from).collect::<Vec<_>>())),
            None => out.push(word.clone()),
        }
    }
    out
}

/// Splits a text into words: white space separates, quotes keep together, a backslash takes the next character as it is.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let (mut word, mut quote): (Option<String>, Option<char>) = (None, None);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(rest.next()),
            (c, Some(end)) if c == end => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => out.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    out
}

/// Which words of a link the instrumented program needs as well: libraries and where they are, foreign objects and archives.
pub(super) fn for_link(words: &[String]) -> Vec<String> {
    let kept = |w: &str| {
        let linker = ["-Wl,-rpath", "-Wl,-Bstatic", "-Wl,-Bdynamic", "-Wl,--start-group", "-Wl,--end-group", "-Wl,--wrap", "-Wl,--defsym"];
        let file = [".a", ".so", ".o", ".lo"].iter().any(|end| w.ends_with(end)) || w.contains(".so.");
        w.starts_with("-l")
            || w.starts_with("-L")
            || ["-pthread", "-rdynamic", "-fopenmp"].contains(&w)
            || linker.iter().any(|l| w.starts_with(l))
            || (file && !w.starts_with('-'))
    };
    let mut out = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let value = WITH_VALUE.contains(&word.as_str()).then(|| rest.next()).flatten();
        if (word == "-l" || word == "-L") || (value.is_none() && kept(word)) {
            out.push(word.clone());
            out.extend(value.cloned());
        }
    }
    out
}

/// Words as text, for a record.
pub(super) fn text(words: &[OsString]) -> Vec<String> {
    words.iter().map(|w| OsStr::to_string_lossy(w).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn os(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[test]
    fn a_second_compilation_writes_nothing_that_the_first_one_writes() {
        let words =
            os(&["-O2", "-c", "-MD", "-MF", "a.d", "-MTa.o", "-I", "a.c", "a.c", "-oa.o", "-o", "b.o", "-Wp,-MMD,x", "-DX=1", "-x", "c"]);
        assert_eq!(for_bitcode(&words, &["a.c".into()]), os(&["-O2", "-I", "a.c", "-DX=1"]));
    }

    #[test]
    fn words_of_a_response_file() {
        assert_eq!(split("-DA=\"x y\"  'b c'.c\n d\\ e \"\" "), ["-DA=x y", "b c.c", "d e", ""]);
    }

    #[test]
    fn libraries_and_foreign_files_are_linked_again() {
        let words = ["-O2", "a.c", "-o", "x.o", "y.o", "-L", "lib", "-lm", "-Wl,-Map=m", "libz.a", "-static", "-shared", "libq.so.1"];
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        assert_eq!(for_link(&words), ["y.o", "-L", "lib", "-lm", "libz.a", "libq.so.1"]);
    }
}
