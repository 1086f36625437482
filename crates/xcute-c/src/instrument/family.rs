//! Families of functions by name: a name in which each `*` stands for any letters.

/// Whether a name belongs to a family.
pub(crate) fn fits(family: &str, name: &str) -> bool {
    let Some((head, rest)) = family.split_once('*') else { return name == family };
    let Some(name) = name.strip_prefix(head) else { return false };
    // What comes before the next star is best found as early as it can be.
    match rest.split_once('*') {
        None => name.ends_with(rest),
        Some((middle, _)) => name.find(middle).is_some_and(|at| fits(&rest[middle.len()..], &name[at + middle.len()..])),
    }
}

/// Whether a name belongs to one of several families.
pub(crate) fn any_fits(families: &[&str], name: &str) -> bool {
    families.iter().any(|family| fits(family, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_letters() {
        for (family, name) in
            [("str*", "strlen"), ("__*_chk", "__memcpy_chk"), ("abs", "abs"), ("a*b*c", "abc"), ("a*b*c", "axbbyc"), ("*", "")]
        {
            assert!(fits(family, name), "{family} {name}");
        }
        for (family, name) in [("str*", "st"), ("__*_chk", "__chk"), ("abs", "labs"), ("a*b*c", "acb"), ("a*a", "a")] {
            assert!(!fits(family, name), "{family} {name}");
        }
        assert!(any_fits(&["a", "b*"], "bc") && !any_fits(&[], "bc"));
    }
}
