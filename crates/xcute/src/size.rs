//! Amounts of memory on the command line: `500M`, `4G`; a bare number is bytes, `none` means no bound.

/// An amount of memory, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// This many bytes.
    Bytes(u64),
    /// As much as there is.
    Unbounded,
}

/// Reads an amount of memory.
pub fn parse(text: &str) -> Result<Size, String> {
    if text == "none" {
        return Ok(Size::Unbounded);
    }
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale: u64 = match unit.trim_end_matches("iB").trim_end_matches('B') {
        "" => 1,
        "K" | "k" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(format!("`{unit}` is not a unit of memory (use K, M or G, as in 4G)")),
    };
    let number: u64 = number.parse().map_err(|_| "this is not an amount of memory (write it as in 4G, or none)".to_owned())?;
    match number.checked_mul(scale) {
        Some(0) => Err("no memory at all is not enough (none means: no bound)".to_owned()),
        Some(bytes) => Ok(Size::Bytes(bytes)),
        None => Err("there is not that much memory".to_owned()),
    }
}

/// An amount of memory for people.
pub fn shown(bytes: u64) -> String {
    let units = [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|(scale, _)| bytes >= *scale) {
        Some((scale, unit)) if bytes.is_multiple_of(scale) => format!("{} {unit}", bytes / scale),
        Some((scale, unit)) => format!("{:.1} {unit}", bytes as f64 / scale as f64),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good() {
        for (text, bytes) in [("500M", 500 << 20), ("4G", 4 << 30), ("4GiB", 4 << 30), ("64KB", 64 << 10), ("7", 7)] {
            assert_eq!(parse(text), Ok(Size::Bytes(bytes)), "{text}");
        }
        assert_eq!(parse("none"), Ok(Size::Unbounded));
    }

    #[test]
    fn bad() {
        for text in ["", "G", "0", "-1G", "1.5G", "5 parsecs", "99999999999G"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn for_people() {
        assert_eq!((shown(2 << 30), shown(300 << 20), shown(1_610_612_736)), ("2 GiB".into(), "300 MiB".into(), "1.5 GiB".into()));
    }
}
