#[path = "../tests/support/random.rs"]
mod random;
fn main() {
    let seed: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    print!("-module(r).\n-compile([export_all, nowarn_export_all]).\n{}", random::Random::new(seed).module());
}
