//! The command line of `xcute model` as it is typed (low).

use std::path::PathBuf;

use clap::Args;

use crate::arguments::EXIT_CODES;
use crate::language::c::arguments::RunningArguments;

#[derive(Debug, Args)]
#[command(after_help = format!("Examples:\n  xcute model lift.art --capsule Cabin --length 5\n  xcute model lift.art --system\n\n{EXIT_CODES}"))]
pub struct ModelArguments {
    /// The files of one model: Art (.art), or UML-RT as Papyrus-RT writes it (.uml)
    #[arg(required = true, value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// The capsule to test, alone: xcute plays all its neighbours [default: list the capsules; with --system the model's top capsule]
    #[arg(long, value_name = "NAME")]
    pub capsule: Option<String>,
    /// Sequences have at most N messages and timeouts
    #[arg(long, visible_alias = "tslen", value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=2000))]
    pub length: u32,
    /// A sequence ends where it would take a transition for the N+1st time [default: no limit]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub texec: Option<u32>,
    /// After N runs of one set of transitions, others come first [default: as the strategy chooses]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub iexec: Option<u32>,
    /// Texts in messages have at most N characters
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub text: u32,
    /// Run the capsules in the parts of the capsule with it; xcute plays what is outside
    #[arg(long)]
    pub system: bool,
    /// These messages must not all be sent in one step, that is, before the capsule waits for the next message; may be repeated
    #[arg(hide_short_help = true, long, value_name = "PORT.MESSAGE,…")]
    pub never: Vec<String>,
    /// A property that must hold, for example "p.ask leads to p.answer within 50 ms" (docs/models.md lists the forms); may be repeated
    #[arg(hide_short_help = true, long, value_name = "TEXT")]
    pub property: Vec<String>,
    /// A capsule of the model that watches the messages of the tested one, and fails in its state Violated; may be repeated
    #[arg(hide_short_help = true, long, value_name = "NAME")]
    pub monitor: Vec<String>,
    /// A message that no transition waits for is not a failure
    #[arg(hide_short_help = true, long)]
    pub allow_unexpected: bool,
    /// With --allow-unexpected, send such messages all the same, although they change nothing
    #[arg(hide_short_help = true, long, requires = "allow_unexpected")]
    pub any_message: bool,
    /// Run a program that another tool generated from the model on the same sequences, and report where it does something else
    #[arg(hide_short_help = true, long, value_name = "PROGRAM", requires = "capsule")]
    pub compare: Option<PathBuf>,
    /// Print the model as Art, and do nothing else
    #[arg(hide_short_help = true, long, conflicts_with = "capsule")]
    pub print: bool,
    /// Write the model as C++ to this directory, with a main function that runs sequence files, and do nothing else
    #[arg(hide_short_help = true, long, value_name = "DIR", conflicts_with_all = ["capsule", "print"])]
    pub cpp: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunningArguments,
    /// Flags for clang: -I, -D, -l …
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
}
