//! Which tests took the time, from the file that nextest leaves (`.config/nextest.toml`, JUnit's format).

/// The most tests that are listed.
const MOST: usize = 10;

/// One line for each of the slowest tests, and one for the rest.
pub fn lines(junit: &str) -> Vec<String> {
    let mut tests: Vec<(f64, String)> = junit.split("<testcase ").skip(1).filter_map(test).collect();
    tests.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rest = tests.split_off(tests.len().min(MOST));
    let mut lines: Vec<String> = tests.iter().map(|(time, name)| format!("{time:>8.1} s  {name}")).collect();
    if !rest.is_empty() {
        lines.push(format!("{:>8.1} s  {} others", rest.iter().map(|(time, _)| time).sum::<f64>(), rest.len()));
    }
    lines
}

/// The time and the name of a test, from the beginning of its element.
fn test(element: &str) -> Option<(f64, String)> {
    // Other elements come after it, with names of their own.
    let attributes = format!(" {}", element.split_once('>')?.0);
    let attribute = |name: &str| {
        let rest = attributes.split_once(&format!(" {name}=\""))?.1;
        Some(rest.split_once('"')?.0.to_owned())
    };
    Some((attribute("time")?.parse().ok()?, format!("{} {}", attribute("classname")?, attribute("name")?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_come_first() {
        let one = |name: &str, time: &str| format!("<testcase name=\"{name}\" classname=\"a::b\" timestamp=\"x\" time=\"{time}\">");
        let few = format!("<testsuite>{}</testsuite><testsuite name=\"other\">{}</testsuite>", one("quick", "0.25"), one("slow", "12.5"));
        assert_eq!(lines(&few), ["    12.5 s  a::b slow", "     0.2 s  a::b quick"]);
        let many: String = (0..13).map(|_| one("same", "1.000")).collect();
        assert_eq!(lines(&many).last().map(String::as_str), Some("     3.0 s  3 others"));
        assert!(lines("").is_empty());
    }
}
