//! What must hold: a module around the function under test that asks other functions of the program before and after it.
//!
//! It is Erlang like the program itself, so its conditions are followed, and it runs in front of the original modules, too.
//!
//! **Invariant.** The function under test is called with the same arguments, and its value or exception is that of the call.

use std::fmt::Write as _;

/// The module around the function under test; its function is `call`.
pub const CONTRACT: &str = "xcute_contract";

/// With this reason, by `exit`, a call ends whose arguments are not accepted.
pub const REJECTED: &str = "xcute_rejected";

/// An error with this tag and the value says that the value is not accepted.
pub const BROKEN: &str = "xcute_post";

/// What must hold around a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The module of all functions, as it is written in source text.
    pub module: String,
    /// The function under test.
    pub function: String,
    /// Its arity.
    pub arity: u32,
    /// A function of the arguments.
    pub pre: Option<String>,
    /// A function of the arguments and the value.
    pub post: Option<String>,
}

impl Contract {
    /// The text of the module.
    #[must_use]
    pub fn text(&self) -> String {
        let list: Vec<String> = (1..=self.arity).map(|number| format!("A{number}")).collect();
        let args = list.join(", ");
        let more: Vec<&str> = list.iter().map(String::as_str).chain(["Result"]).collect();
        let mut out = format!("-module({CONTRACT}).\n-export([call/{}]).\ncall({args}) ->\n", self.arity);
        if let Some(pre) = &self.pre {
            let _ = writeln!(out, "    case {}:{pre}({args}) of true -> ok; _ -> erlang:exit({REJECTED}) end,", self.module);
        }
        let _ = writeln!(out, "    Result = {}:{}({args}),", self.module, self.function);
        if let Some(post) = &self.post {
            let _ = writeln!(
                out,
                "    case {}:{post}({}) of true -> ok; _ -> erlang:error({{{BROKEN}, Result}}) end,",
                self.module,
                more.join(", ")
            );
        }
        out += "    Result.\n";
        out
    }
}
