//! Functions of the C library that write text and give back nothing that the program uses: what they are given may be symbolic, since
//! nothing of it comes back.
//!
//! **Invariant.** A call whose result is used, or that stores to the program's memory, is no output.

use super::llvm::Value;

/// The names. Functions that take a number of bytes are not here: whether those bytes are there may depend on an input.
const WRITERS: &[&str] = &["printf", "fprintf", "__printf_chk", "__fprintf_chk", "puts", "fputs", "putchar", "putc", "fputc", "perror"];

/// Whether a call only writes text.
pub(super) fn is_output(call: Value, name: &str, arguments: &[Value]) -> bool {
    let format = match name {
        "printf" => arguments.first(),
        "fprintf" | "__printf_chk" => arguments.get(1),
        "__fprintf_chk" => arguments.get(2),
        _ => None,
    };
    // A format that stores how much was written, or that nobody knows, is no plain output.
    let plain = !name.contains("printf") || format.and_then(|f| f.string()).is_some_and(|f| is_plain(&f));
    WRITERS.contains(&name) && call.users().is_empty() && plain
}

/// The stream that a writer writes to, if it is told.
pub(super) fn stream(name: &str, arguments: &[Value]) -> Option<Value> {
    match name {
        "fprintf" | "__fprintf_chk" => arguments.first().copied(),
        "fputs" | "putc" | "fputc" => arguments.get(1).copied(),
        _ => None,
    }
}

/// Whether no conversion of a format stores how much was written.
fn is_plain(format: &str) -> bool {
    let text = format.replace("%%", "");
    let modifier = |c: char| c.is_ascii_digit() || "-+ #'*.hlLqjzt".contains(c);
    text.split('%').skip(1).all(|conversion| !conversion.trim_start_matches(modifier).starts_with('n'))
}

#[cfg(test)]
mod tests {
    #[test]
    fn formats_that_store_are_not_plain() {
        for (format, plain) in [("%d\n", true), ("%%n", true), ("%5.3hn", false), ("a%sn%nb", false), ("n%cn", true), ("%", true)] {
            assert_eq!(super::is_plain(format), plain, "{format}");
        }
    }
}
