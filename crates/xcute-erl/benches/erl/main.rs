//! `./x bench erl` measures searches on `subjects/erl/known.erl`; `./x bench erl real` instruments OTP's library and applications of Debian, and runs parts of the
//! library; `./x bench erl real smoke` does the last only.

#![allow(clippy::print_stdout, missing_docs, reason = "a measuring program; its output is its purpose")]

mod packages;
mod real;
mod small;

fn main() {
    if std::env::args().any(|word| word == "real") { real::run() } else { small::run() }
}
