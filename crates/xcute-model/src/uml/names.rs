//! Names of UML as identifiers, and the names that elements without one get.

use std::collections::HashSet;

/// Words that mean something in Art or C++, so that they cannot be names of vertices.
const RESERVED: &[&str] =
    &["initial", "history", "state", "choice", "junction", "entry", "exit", "on", "when", "redefine", "exclude", "entrypoint", "exitpoint"];

/// An identifier for a name: other characters become underscores.
pub fn identifier(name: &str) -> String {
    let mut identifier: String = name.trim().chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if identifier.starts_with(|c: char| c.is_ascii_digit()) {
        identifier.insert(0, '_');
    }
    identifier
}

/// An identifier that was not used before.
pub fn fresh(used: &mut HashSet<String>, name: Option<&str>, otherwise: &str) -> String {
    let base = name.map(identifier).filter(|name| !name.is_empty()).unwrap_or_else(|| otherwise.to_owned());
    let numbered = name.is_none_or(str::is_empty);
    let mut candidate = if RESERVED.contains(&base.as_str()) { format!("{base}_") } else { base.clone() };
    let mut number = 1;
    if numbered {
        candidate = format!("{base}{number}");
    }
    while !used.insert(candidate.clone()) {
        number += 1;
        candidate = if numbered { format!("{base}{number}") } else { format!("{base}_{number}") };
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        assert_eq!(identifier("Threat?"), "Threat_");
        assert_eq!(identifier("2 slow"), "_2_slow");
    }

    #[test]
    fn fresh_names_differ() {
        let mut used = HashSet::new();
        let all: Vec<_> = [Some("A"), Some("A"), None, None, Some("history")].map(|name| fresh(&mut used, name, "exit")).into();
        assert_eq!(all, ["A", "A_2", "exit1", "exit2", "history_"]);
    }
}
