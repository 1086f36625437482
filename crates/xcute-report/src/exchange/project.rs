//! Paths as other tools want them: relative to the project, or as addresses.
//!
//! **Invariant.** A path is never one that leads out of the project by `..`: outside of it, paths are absolute.

use std::fmt::Write as _;

/// The directory that paths are relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Absolute.
    pub root: String,
}

impl Project {
    /// A path that a campaign names, relative to the project; absolute where it is elsewhere.
    #[must_use]
    pub fn path(&self, origin: &str, path: &str) -> String {
        let whole = Project::whole(origin, path);
        let root = normal(&self.root);
        let inside = if root == "/" { whole.strip_prefix('/') } else { whole.strip_prefix(&root).and_then(|rest| rest.strip_prefix('/')) };
        inside.map_or_else(|| whole.clone(), str::to_owned)
    }

    /// The same as an absolute path.
    #[must_use]
    pub fn whole(origin: &str, path: &str) -> String {
        if path.starts_with('/') { normal(path) } else { normal(&format!("{origin}/{path}")) }
    }

    /// The project as the address of a directory.
    pub(super) fn address(&self) -> String {
        let root = normal(&self.root);
        format!("{}/", address(root.trim_end_matches('/')))
    }
}

/// A path as an address: relative ones stay so.
#[must_use]
pub fn address(path: &str) -> String {
    let mut out = if path.starts_with('/') || path.is_empty() { "file://".to_owned() } else { String::new() };
    // Before the first slash of a relative address a colon would end a scheme.
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            // Writing to a string cannot fail.
            other => _ = write!(out, "%{other:02X}"),
        }
    }
    out
}

/// An absolute path without `.` and `..`.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_project_or_absolute() {
        let project = Project { root: "/home/me/lift".to_owned() };
        let cases = [
            ("/home/me/lift/src", "a.c", "src/a.c"),
            ("/home/me/lift/src", "../b.c", "b.c"),
            ("/home/me/lift/src", "/home/me/lift/./c.c", "c.c"),
            ("/home/me/lift", "../other/d.c", "/home/me/other/d.c"),
            ("/home/me/lift", "/home/me/lifted/e.c", "/home/me/lifted/e.c"),
        ];
        for (origin, path, expected) in cases {
            assert_eq!(project.path(origin, path), expected, "{path}");
        }
        assert_eq!(Project { root: "/".to_owned() }.path("/", "a.c"), "a.c");
    }

    #[test]
    fn addresses_are_escaped() {
        assert_eq!(address("a b/ä:1.c"), "a%20b/%C3%A4%3A1.c");
        assert_eq!(address("/a#b"), "file:///a%23b");
        assert_eq!(Project { root: "/home/me/".to_owned() }.address(), "file:///home/me/");
        assert_eq!(Project { root: "/".to_owned() }.address(), "file:///");
    }
}
