//! Durations on the command line: `500ms`, `60s`, `5m`, `2h`; a bare number is seconds.

use std::time::Duration;

/// Reads a duration.
pub fn parse(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit of time `{unit}` (use ms, s, m or h, as in 60s)")),
    };
    let number: f64 = number.parse().map_err(|_| "this is not a duration (write it as in 60s)".to_owned())?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| "this duration is too long".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good() {
        for (text, millis) in [("500ms", 500), ("60s", 60_000), ("5m", 300_000), ("2h", 7_200_000), ("3", 3_000), ("0.5s", 500)] {
            assert_eq!(parse(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn bad() {
        for text in ["", "s", "5 parsecs", "-1s", "1.2.3s", "1e3"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
