//! Prints the two sources of a seed: `show SEED plain|brute`.
#![allow(clippy::print_stdout, reason = "an example that prints")]

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let seed = arguments.get(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    let file = xcute_oracle::File::new(seed);
    print!("{}", if arguments.get(2).is_some_and(|m| m == "brute") { file.brute() } else { file.plain() });
}
