//! The modules of OTP that are followed when a program calls them: those that are plain Erlang over data.
//!
//! Each has a number of its own for its events, so that its compiled copy is the same for all programs and is kept.

/// The followed modules of OTP. The position is the number of a module: new ones go to the end.
pub const LIBRARY: &[&str] = &[
    "lists",
    "proplists",
    "dict",
    "orddict",
    "ordsets",
    "sets",
    "gb_trees",
    "gb_sets",
    "queue",
    "array",
    "maps",
    "string",
    "binary",
    "base64",
    "calendar",
    "filename",
    "uri_string",
    "sofs",
    "gen",
    "gen_server",
    "gen_statem",
    "gen_event",
    "supervisor",
    "sys",
];

/// The number of the module with our models.
pub const MODELS_NUMBER: u32 = 63;

/// The numbers of the program's own modules begin here.
pub const OWN_NUMBERS: u32 = 64;
