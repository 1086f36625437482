//! The program that explores one capsule, alone or with all capsules in its parts: what the environment decides are inputs of xcute.
//!
//! It includes the lowered model and adds what `runtimes/model/xm/search.h` asks for: the messages that can be sent, with their data as
//! inputs; how states, transitions and guards are counted; and what is a failure besides what the action code does. Each state,
//! transition and outcome of a guard is a line of a file that does not exist ([`super::STATES`], [`super::TRANSITIONS`], [`super::GUARDS`]), so
//! that whoever counts lines counts them. A failure that no action code causes stands at its model element.

use super::counters::{counters, explored, stuck, unexpected};
use super::inputs::Inputs;
use super::offers::{offers, replies, tables};
use super::options::{SearchOptions, failing};
use super::watch::watch;
use super::writer::Writer;
use super::{Context, handles_unexpected, prelude, reads_clock, types};
use crate::flat::Flat;

/// The name of the program.
pub const SEARCH: &str = "search.cpp";
/// The function that is explored.
pub const ENTRY: &str = "xm_explore";
/// The program.
#[derive(Clone, Debug)]
pub struct Search {
    /// Its text; [`super::Lowered::files`] stand next to it.
    pub text: String,
    /// What the search does not vary, in words that fit after "for".
    pub fixed: Vec<String>,
}

/// Writes the program.
#[must_use]
pub fn search(flat: &Flat, options: &SearchOptions) -> Search {
    let context = Context { flat, prelude: prelude(flat) };
    let types = types(flat);
    let capsule = &flat.capsules[options.capsule];
    let mut writer = Writer::new(SEARCH);
    let clock = reads_clock(flat);
    if clock {
        writer.line("#define XM_CLOCK");
    }
    if options.system {
        writer.line("#define XM_SYSTEM");
    }
    if options.random {
        writer.line("#define XM_RANDOM");
    }
    writer.line("#define XM_SEARCH\n#define XM_NO_MAIN\n#include \"model.cpp\"\n#include \"xm/search.h\"");
    let mut inputs = Inputs::new(&types, options.text);
    let capsules = explored(flat, options.capsule, options.system);
    let offered: Vec<_> = capsules.iter().map(|at| offers(flat, &flat.capsules[*at], &mut inputs)).collect();
    writer.line(inputs.text());
    tables(&mut writer, &context, &capsules, &offered, options.system);
    replies(&mut writer, &context, &capsules, &offered);
    writer.line("static bool xm_granted(const char *) {\n    bool granted;\n    xcute_input(granted);\n    return granted;\n}");
    counters(&mut writer, &context, &capsules);
    unexpected(&mut writer, &context, &capsules, &offered, options);
    stuck(&mut writer, &context, &capsules, options);
    failing(&mut writer, "static void xm_endless()", &capsule.place, &format!("{} does not come to rest", capsule.name));
    watch(&mut writer, &context, &capsules, options);
    let object = context.class_object(options.capsule);
    // What no transition waits for makes no difference, unless somebody watches or handles it.
    let watched = !options.properties.is_empty() || !options.monitors.is_empty();
    let all = options.unexpected || options.any_message || watched || handles_unexpected(flat);
    let run = "xm_started, xm_begun, xm_passed, xm_ended, xm_finished";
    let machine = "xm_entered, xm_left, xm_took, xm_count_handled, xm_held, xm_unexpected, xm_stuck, xm_endless";
    writer.line(&format!("extern \"C\" void {ENTRY}(void) {{"));
    writer.line(&format!("    static const xm::Search search = {{{run}, {machine}, xm_sent, xm_received, xm_reply, xm_granted, {all}}};"));
    writer.line("    xm::world.search = &search;");
    writer.line(&format!("    xm::Explorer(xm_offers, {}, xm_choose).run(&::{object}, {});", capsules.len(), options.length));
    writer.line("}");
    let waits = clock.then(|| "waits of up to a day".to_owned());
    Search { text: writer.finish().1, fixed: inputs.fixed().into_iter().chain(waits).collect() }
}
