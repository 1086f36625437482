//! The first case of each path: what suites of tests are made of.

use std::path::Path;

/// Cases, up to a number, and how many paths there were.
pub struct Kept<T> {
    pub cases: Vec<T>,
    pub paths: usize,
    most: usize,
}

impl<T> Kept<T> {
    /// Takes at most this many.
    pub fn new(most: usize) -> Kept<T> {
        Kept { cases: Vec::new(), paths: 0, most }
    }

    /// Counts a path; whether a test is made of it.
    pub fn wants_more(&mut self) -> bool {
        self.paths += 1;
        self.cases.len() < self.most
    }

    /// What was kept; nothing is left.
    pub fn take(&mut self) -> Kept<T> {
        std::mem::replace(self, Kept::new(0))
    }
}

/// What to say of a file of tests: how many they are, for how many paths, and whether the tool that runs them passes; `None`: it is not installed.
pub fn told(file: &Path, (tests, paths): (usize, usize), tool: &str, passed: Option<bool>) -> String {
    let verdict = match passed {
        Some(true) => "passes",
        Some(false) => "does NOT pass",
        None => "is not installed and has not run",
    };
    format!("{}: {tool} {verdict} {}", counted(file, (tests, paths)), if tests == 1 { "it" } else { "them" })
}

/// How many tests are in a file, and for how many paths.
pub fn counted(file: &Path, (tests, paths): (usize, usize)) -> String {
    let many = if tests == 1 { "1 test".to_owned() } else { format!("{tests} tests") };
    let of = if paths > tests { format!(", for {paths} paths") } else { String::new() };
    format!("{many} in {}{of}", file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_tests() {
        assert_eq!(told(Path::new("a.erl"), (1, 1), "EUnit", Some(true)), "1 test in a.erl: EUnit passes it");
        assert_eq!(told(Path::new("a.erl"), (2, 3), "EUnit", Some(false)), "2 tests in a.erl, for 3 paths: EUnit does NOT pass them");
        let mut kept = Kept::new(1);
        assert!(kept.wants_more());
        kept.cases.push(());
        assert!(!kept.wants_more());
        assert_eq!((kept.take().paths, kept.paths), (2, 0));
    }
}
