//! The command lines of `xcute run`, `xcute cc` and `xcute c++` as they are typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::super::c::arguments::RunningArguments;

/// `xcute run`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  xcute run --sym-args 1x8 ./tool\n  xcute run --sym-stdin 32 --time 2m ./filter -x\n\nThe program is built with CC=\"xcute cc\" and CXX=\"xcute c++\".\nExit codes: 0 no failure, 1 failures found, 2 the tool could not do its job, 3 interrupted before anything failed."
)]
pub struct RunArguments {
    /// Symbolic arguments after the given ones: `2x8` are two of up to 8 bytes each, `0-2x8` none to two
    #[arg(long = "sym-args", value_name = "NxM")]
    pub sym_args: Vec<String>,
    /// Standard input has up to N symbolic bytes
    #[arg(long, value_name = "N")]
    pub sym_stdin: Option<u32>,
    /// The file that the program opens under this name has up to N symbolic bytes
    #[arg(long = "sym-file", value_name = "FILE:N")]
    pub sym_files: Vec<String>,
    /// The environment variable has a value of up to N symbolic bytes
    #[arg(long = "sym-env", value_name = "NAME:N")]
    pub sym_env: Vec<String>,
    /// Start with the files of this directory: each is what standard input, or else the first symbolic file, holds
    #[arg(long, visible_alias = "seeds", value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Add what covered something new to this directory, named as libFuzzer does: what the one symbolic file, or standard input, held
    #[arg(hide_short_help = true, long, value_name = "DIR")]
    pub export_corpus: Option<PathBuf>,
    /// Run in the current directory instead of a copy of it
    #[arg(hide_short_help = true, long)]
    pub in_place: bool,
    #[command(flatten)]
    pub run: RunningArguments,
    /// The program
    #[arg(value_name = "PROGRAM")]
    pub program: PathBuf,
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,
}

/// `xcute cc` and `xcute c++`.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct CompilerArguments {
    /// What clang would be given
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "CLANG ARGUMENTS")]
    pub words: Vec<OsString>,
}
