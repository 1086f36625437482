//! Flags of the Prolog system, as far as a program may ask for them and change them.
//!
//! **Invariant.** What a program reads of a flag is what SWI-Prolog has; where that depends on its installation, the run ends.

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::goals::Call;
use crate::syntax::TextFlag;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] =
    &[("current_prolog_flag", 2, Builtin::Plain(flag)), ("set_prolog_flag", 2, Builtin::Plain(set_flag))];

/// Flags by name, as SWI-Prolog has them.
const FLAGS: &[(&str, &str)] = &[("bounded", "false"), ("double_quotes", "codes"), ("dialect", "swi"), ("unknown", "error")];

/// Flags that are numbers.
const NUMBERS: &[(&str, i64)] =
    &[("max_tagged_integer", (1 << 60) - 1), ("min_tagged_integer", -(1 << 60)), ("max_integer", i64::MAX), ("min_integer", i64::MIN)];

/// Flags whose values are not known here.
const OTHERS: &str = "\
    abi_version access_level address_bits agc_close_streams agc_margin allow_dot_in_atom allow_variable_name_as_functor \
    answer_format answer_write_options arch argv autoload back_quotes c_cc c_cflags c_ldflags c_libplso c_libs \
    char_conversion character_escapes character_escapes_unicode cmake_build_type colon_sets_calling_context \
    compile_meta_arguments compiled_at cpu_count debug debug_on_error debug_on_interrupt debug_term_position \
    debugger_show_context debugger_write_options determinism_error editor emacs_inferior_process emulated_dialect encoding \
    error_ambiguous_stream_pair executable executable_format file_name_case_handling file_name_variables \
    file_search_cache_time fileerrors float_max float_max_integer float_min float_overflow float_rounding float_undefined \
    float_underflow float_zero_div gc gc_thread generate_debug_info gmp_version heartbeat home integer_rounding_function iso \
    large_files last_call_optimisation libswipl malloc max_answers_for_subgoal_action max_arity max_char_code \
    max_procedure_arity max_rational_size_action max_table_answer_size_action max_table_subgoal_size_action message_context \
    message_language mitigate_spectre on_error on_warning open_shared_object optimise optimise_debug optimise_unify os_argv \
    packs path_max pid pipe portable_vmi posix_shell prefer_rationals print_write_options prompt_alternatives_on \
    protect_static_code qcompile quasi_quotations query_debug_settings rational_syntax report_error resource_database \
    sandboxed_load shared_home shared_object_extension shared_object_search_path shared_table_space shift_check signals \
    stack_limit stream_type_check system_thread_id table_incremental table_monotonic table_shared table_space \
    table_subsumptive threads timezone tmp_dir toplevel_extra_white_line toplevel_goal toplevel_list_wfs_residual_program \
    toplevel_mode toplevel_name_variables toplevel_print_anon toplevel_print_factorized toplevel_prompt \
    toplevel_residue_vars toplevel_var_size trace_gc traditional tty_control unix unload_foreign_libraries user_flags \
    var_prefix verbose verbose_autoload verbose_file_search verbose_load version version_data vmi_builtin \
    warn_override_implicit_import write_attributes";

const WHAT: &str = "a flag or its value";

/// Flags that are for people, for speed, or for loading.
const HARMLESS: &[&str] = &[
    "answer_format",
    "answer_write_options",
    "autoload",
    "character_escapes_unicode",
    "color_term",
    "debug",
    "debugger_write_options",
    "encoding",
    "gc",
    "generate_debug_info",
    "last_call_optimisation",
    "message_context",
    "optimise",
    "print_write_options",
    "report_error",
    "stack_limit",
    "table_space",
    "toplevel_prompt",
    "toplevel_var_size",
    "verbose",
    "verbose_autoload",
    "verbose_load",
    "warn_override_implicit_import",
];

fn flag(m: &mut Machine<'_>, call: Call) -> Step {
    let name = match m.pinned(m.arg(call, 0), WHAT)? {
        Cell::Atom(name) => name,
        Cell::Var(_) => return m.unsupported("current_prolog_flag/2 without a name"),
        other => return Err(m.type_error("atom", other)),
    };
    let name = m.symbols.atoms.name(name).to_owned();
    let value = if name == "occurs_check" {
        m.symbols.atom(if m.flags.occurs_check { "true" } else { "false" })
    } else if let Some((_, value)) = FLAGS.iter().find(|(known, _)| *known == name) {
        m.symbols.atom(value)
    } else if let Some((_, value)) = NUMBERS.iter().find(|(known, _)| *known == name) {
        Cell::Int(*value)
    } else {
        // A flag that nobody has made is not there.
        return if OTHERS.split_whitespace().any(|known| known == name) { m.unsupported(&format!("the flag {name}")) } else { Ok(false) };
    };
    m.unify_now(m.arg(call, 1), value)
}

/// Flags that change nothing of what a program does here, or have this value anyway.
fn set_flag(m: &mut Machine<'_>, call: Call) -> Step {
    let (flag, value) = (m.pinned(m.arg(call, 0), WHAT)?, m.pinned(m.arg(call, 1), WHAT)?);
    let (Cell::Atom(flag), value) = (flag, value) else { return Err(m.instantiation_error()) };
    let name = m.symbols.atoms.name(flag).to_owned();
    let text = if let Cell::Atom(value) = value { m.symbols.atoms.name(value).to_owned() } else { String::new() };
    if name == "double_quotes"
        && let Some(text) = TextFlag::named(&text)
    {
        m.flags.double_quotes = text;
        return Ok(true);
    }
    if name == "occurs_check" && matches!(text.as_str(), "true" | "false") {
        m.flags.occurs_check = text == "true";
        return Ok(true);
    }
    if HARMLESS.contains(&name.as_str()) || FLAGS.contains(&(name.as_str(), text.as_str())) {
        return Ok(true);
    }
    m.unsupported(&format!("the flag {name}"))
}
