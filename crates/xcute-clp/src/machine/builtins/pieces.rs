//! How `split_string/4` splits a text: at each separator, and without what is left out around the pieces.
//!
//! Characters may be separators and be left out at once: what is left out from a separator on may reach beyond other separators. SWI-Prolog was asked about random
//! texts to find out how.

/// The pieces of a text, as SWI-Prolog has them: what is left out before a piece may reach beyond its separator, and so may what is left out from a separator on.
pub(super) fn pieces<'a>(text: &'a str, separators: &str, pad: &str) -> Vec<&'a str> {
    let (separates, left_out) = (|c: char| separators.contains(c), |c: char| pad.contains(c));
    let mut rest = text.trim_matches(left_out);
    let mut pieces = Vec::new();
    loop {
        if !rest.starts_with(separates) {
            rest = rest.trim_start_matches(left_out);
        }
        let Some(end) = rest.find(separates) else {
            pieces.push(rest.trim_end_matches(left_out));
            return pieces;
        };
        pieces.push(rest[..end].trim_end_matches(left_out));
        let after = &rest[end..];
        rest =
            if after.starts_with(left_out) { after.trim_start_matches(left_out) } else { after.strip_prefix(separates).unwrap_or(after) };
    }
}
